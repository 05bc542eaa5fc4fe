--- Every figure that the back stab article prints, beside what the rules and exact odds make of it.
---
--- A figure agrees when the article's stated premises give it; some come out only by the author's own arithmetic, or from
--- a figure that does, and the step is named; some are round claims. Then the tables as they come out when the premises are applied throughout.

local fractions = require "./fractions"
local figures = require "./back_stab/figures"
local premises = require "./back_stab/premises"

--- How many places a cell prints, and its number without a percent sign.
local function read(printed)
  local bare = string.gsub(printed, "%%", "")
  local decimals = string.match(bare, "%.(%d+)$") or ""
  return bare, #decimals
end

--- The mark of a figure: what it takes to come out as printed.
local function judge(printed, stated, author)
  local bare, places = read(printed)
  if fractions.rounded(stated, places) == bare then
    return "agrees"
  elseif author and fractions.rounded(author, places) == bare then
    return "author"
  end
  local off = math.abs(fractions.number(stated) - tonumber(bare))
  return if off < 10 ^ -places then "cut" else "claim"
end

local function cell(text, width)
  return text .. string.rep(" ", math.max(width - #text, 0))
end

local LEGEND = {
  agrees = "=",
  author = "a",
  cut = "c",
  claim = "~",
}

say "The back stab article, figure by figure: what is printed, what the premises come to, and a mark"
say "(= agrees, a only by the author's arithmetic, c cut instead of rounded, ~ a round claim)."

local checked, counts = {}, { agrees = 0, author = 0, cut = 0, claim = 0 }
local heading = nil
for _, figure in figures do
  if figure.table ~= heading then
    heading = figure.table
    say("")
    say(heading)
  end
  local row = premises.rows[`{figure.table} | {figure.row}`]
  assert(row, `no premises for {figure.table} | {figure.row}`)
  local printed_line, exact_line, needs_step = "", "", false
  for i, column in figure.columns do
    local stated = row.stated(column)
    local author = row.author and row.author(column)
    local printed = figure.printed[i]
    local mark = judge(printed, stated, author)
    -- What follows rightly from a slip is no agreement with the premises.
    if mark == "agrees" and row.slip then
      mark = "author"
    end
    counts[mark] += 1
    needs_step = needs_step or mark == "author"
    local _, places = read(printed)
    printed_line ..= cell(`{printed}{LEGEND[mark]}`, 7)
    exact_line ..= cell(fractions.rounded(stated, places), 7)
    table.insert(checked, {
      table = figure.table,
      row = figure.row,
      column = tostring(column),
      printed = printed,
      mark = mark,
      stated = fractions.text(stated),
      author = author and fractions.text(author),
    })
  end
  say(`  {cell(figure.row, 34)} printed  {printed_line}`)
  say(`  {cell("", 34)} premises {exact_line}`)
  if needs_step then
    local steps = {}
    table.insert(steps, row.slip)
    table.insert(steps, row.step)
    say(`  {cell("", 34)} a: {table.concat(steps, "; ")}`)
  end
end

say ""
local by_author = `{counts.author} only by the author's arithmetic`
say(`{#checked} figures: {counts.agrees} agree, {by_author}, {counts.cut} cut, {counts.claim} round claims.`)

-- ---- as it comes out ----

local applied = premises.applied()
say ""
say "With the premises applied throughout (one back stab in two rounds; the fighter's 3/2 attacks from 7th level):"
say "level  to hit  damage a stab   thief a round   fighter a round   ratio"
local best = 0
for _, level in applied.levels do
  best = math.max(best, fractions.number(level.thief_per_round), fractions.number(level.fighter_per_round))
  say(
    string.format(
      "%5d  %4s %%  %13s   %13s   %15s   %5s",
      level.level,
      fractions.rounded(level.chance_percent, 0),
      fractions.rounded(level.damage_per_attack, 3),
      fractions.rounded(level.thief_per_round, 3),
      fractions.rounded(level.fighter_per_round, 3),
      fractions.rounded(level.ratio, 3)
    )
  )
end
local mean, silent_mean = applied.mean_ratio, applied.mean_ratio_with_move_silently
say(`The mean ratio is {fractions.rounded(mean, 4)}, not 1.7;`)
say(`with a check to move silently it is {fractions.rounded(silent_mean, 4)}.`)

say ""
say "Damage a round by level (█ fighter, ▒ thief):"
for _, level in applied.levels do
  local fighter, thief = fractions.number(level.fighter_per_round), fractions.number(level.thief_per_round)
  local function bar(mark, value)
    return string.rep(mark, math.floor(value / best * 56 + 0.5))
  end
  say(string.format("%5d %s %.2f", level.level, bar("█", fighter), fighter))
  say(string.format("      %s %.2f", bar("▒", thief), thief))
end

return { checked = checked, counts = counts, applied = applied }
