--- Does advantage (two d20, the better counts) beat a bonus of +4?
---
--- For every number that an attack needs, the exact chances of both.

local better = odds "2d20kh1"
local bonus = odds "1d20+4"

say "Does advantage beat +4? The chance to reach a number on d20:"
say ""
say "need   advantage              +4                better"
local rows = {}
for need = 2, 24 do
  local chance, exact = better:p(">=", need)
  local other, other_exact = bonus:p(">=", need)
  local winner = if chance > other then "advantage" elseif chance < other then "+4" else "neither"
  table.insert(rows, { need = need, advantage = exact, bonus = other_exact, better = winner })
  local line = "%4d   %5.1f %%  %-10s  %5.1f %%  %-7s  %s"
  say(string.format(line, need, 100 * chance, exact, 100 * other, other_exact, winner))
end
say ""
say(`On average advantage shows {better.mean_exact} and d20+4 shows {bonus.mean_exact}.`)
local against = better:compare(bonus)
local shares = against.exact
say(`Rolled against each other, advantage is higher {shares.greater}, equal {shares.equal}, lower {shares.less}.`)
say(better:plot(72, bonus))
say "Advantage is better where the number needed is in the middle (7 to 15); +4 is better where it is easy or hard, and"
say "it alone reaches beyond 20."

return {
  rows = rows,
  means = { advantage = better.mean_exact, bonus = bonus.mean_exact },
  compared = against.exact,
}
