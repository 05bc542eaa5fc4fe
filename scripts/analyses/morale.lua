--- What a morale score means: 7 on 2d6 (hold on 7 or less), and 10 on d20 (hold on 10 or more, rules.morale.check).

local old = odds "2d6"
local _, old_holds = old:p("<=", 7)
local d20 = odds.rule("morale.check", { score = 10 }, "holds")
local _, d20_holds = d20:p(true)

say "How often do they hold?"
say(`  morale 7 on 2d6: {old_holds} ({string.format("%.1f", 100 * (old:p("<=", 7)))} %)`)
say(`  morale 10 on d20: {d20_holds} ({string.format("%.1f", 100 * (d20:p(true)))} %)`)
say ""
say "All 2d6 scores, and the d20 score that comes nearest:"
local scores = {}
for score = 2, 12 do
  local share, exact = old:p("<=", score)
  local nearest, distance = nil, 2
  for other = 1, 20 do
    local holds = odds.rule("morale.check", { score = other }, "holds"):p(true)
    if math.abs(holds - share) < distance then
      nearest, distance = other, math.abs(holds - share)
    end
  end
  scores[score - 1] = { score = score, holds = exact, d20 = nearest }
  say(string.format("  %2d on 2d6 holds %5s = %5.1f %%, like %2d on d20", score, exact, 100 * share, nearest))
end

--- A band checks at its first loss and again at half its number. How many of two checks does it stand?
local function stands(holds)
  return odds(function()
    local stood = 0
    for _ = 1, 2 do
      if not holds() then
        return stood
      end
      stood += 1
    end
    return stood
  end)
end
local with_seven = stands(function()
  return roll.sum(2, 6) <= 7
end)
local with_ten = stands(function()
  return rules.morale.check{ score = 10 }.holds
end)
say ""
say "Checks stood of two (first loss, half their number):"
say "morale 7 on 2d6"
say(with_seven:plot(60))
say "morale 10 on d20"
say(with_ten:plot(60))

--- With a check every round, how long until they break?
local until_they_break = odds.chain{
  start = "fighting",
  step = function(state)
    return if roll.sum(2, 6) <= 7 then state else "broken"
  end,
  done = function(state)
    return state == "broken"
  end,
}
say(`Were they to check every round, 7 on 2d6 would break after {until_they_break.mean_rounds_exact} rounds on average.`)

return {
  seven_on_2d6 = old_holds,
  ten_on_d20 = d20_holds,
  both_checks_2d6 = select(2, with_seven:p("=", 2)),
  both_checks_d20 = select(2, with_ten:p("=", 2)),
  mean_rounds = until_they_break.mean_rounds_exact,
  scores = scores,
}
