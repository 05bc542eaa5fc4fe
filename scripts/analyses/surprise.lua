--- How often does a stealthy party (5 in 6) surprise others who surprise it on 2 in 6, and for how long? The surprise
--- article prints two shares; here they are from rules.surprise.roll_both, outcome by outcome.

local fractions = require "./fractions"

local meeting = odds(function()
  local met = rules.surprise.roll_both{ we_surprise_in_six = 5, they_surprise_in_six = 2 }
  return if met.surprised == "them" then met.segments elseif met.surprised == "us" then -met.segments else 0
end)

say "Segments for which they are surprised (below 0: we are), 5 in 6 against 2 in 6:"
say(meeting:plot(60))

local checked = {}
local function check(what, printed, exact, step)
  local percent = fractions.times(exact, 100)
  local shown = fractions.rounded(percent, 0)
  local mark = if shown == printed then "agrees" else `does not agree; {step}`
  say(`  {what}: printed {printed} %, exactly {fractions.text(exact)} = {fractions.rounded(percent, 2)} %: {mark}`)
  table.insert(checked, { what = what, printed = printed, exact = fractions.text(exact), agrees = shown == printed })
end

local function share(operator, segments)
  return (select(2, meeting:p(operator, segments)))
end

say "The article's shares (line 638):"
check("three segments or more", "42", share(">=", 3), "")
--- The tallies for 1 to 5 segments are 6, 6, 6, 5, 4 of 36; 61 % is 22 of 36, the sum without the 5.
local without_four = fractions.minus(share(">=", 1), share("=", 4))
local percent = fractions.rounded(fractions.times(without_four, 100), 0)
local step = `{percent} % is {fractions.text(without_four)}: the line for four segments left out of the sum`
check("any surprise", "61", share(">=", 1), step)

return { checked = checked, without_four = fractions.text(without_four), csv = meeting:csv() }
