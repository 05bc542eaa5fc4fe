--- How many goblins does it take to overbear a warrior? Goblins combine their strength (check.combine) and contend with
--- the warrior's (opposed.contest), one contest a round until somebody wins.

local GOBLIN, WARRIOR, MOST = 8, 16, 8

say(`Goblins of strength {GOBLIN} fall upon a warrior of strength {WARRIOR}.`)
say ""
say "goblins  combined   one contest: goblins        warrior         stand-off      in the end"
local rows = {}
for number = 1, MOST do
  local scores = table.create(number, GOBLIN)
  local combined = rules.check.combine{ scores = scores }.score
  local function contest()
    local sides = { { name = "goblins", score = combined }, { name = "warrior", score = WARRIOR } }
    return rules.opposed.contest{ sides = sides }.winner or "nobody"
  end
  local once = odds(contest)
  local fight = odds.chain{
    start = "nobody",
    step = contest,
    done = function(winner)
      return winner ~= "nobody"
    end,
  }
  local function exact(of, winner)
    return (select(2, of:p(winner)))
  end
  rows[number] = {
    combined = combined,
    goblins = exact(once, "goblins"),
    warrior = exact(once, "warrior"),
    nobody = exact(once, "nobody"),
    in_the_end = exact(fight.ends, "goblins"),
  }
  local line = "%7d  %8d   %5.1f %% %-12s  %5.1f %% %-12s %-12s  %5.1f %%"
  local row, goblins, warrior = rows[number], once:p("goblins"), once:p("warrior")
  local shares = { 100 * goblins, row.goblins, 100 * warrior, row.warrior, row.nobody }
  table.insert(shares, 100 * (fight.ends:p("goblins")))
  say(string.format(line, number, combined, table.unpack(shares)))
end

local favored = nil
for number, row in rows do
  local n, d = string.match(row.in_the_end, "(%d+)/(%d+)")
  if not favored and tonumber(n) / tonumber(d) > 0.5 then
    favored = number
  end
end
say ""
if favored then
  say(`From {favored} goblins on the warrior is more likely to go down than not.`)
else
  say(`Even {MOST} goblins are more likely to fail than not.`)
end
local middle = favored or MOST
say(`The margin by which {middle} goblins win or lose one contest (0 is a stand-off, below 0 the warrior's):`)
local margin = odds(function()
  local sides = { { name = "goblins", score = rows[middle].combined }, { name = "warrior", score = WARRIOR } }
  local contest = rules.opposed.contest{ sides = sides }
  return contest.sides[1].margin - contest.sides[2].margin
end)
say(margin:plot(72))

return { rows = rows, favored = favored }
