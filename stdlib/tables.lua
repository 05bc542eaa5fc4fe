--- Tables rolled on: by weight, by bands of a roll, or every entry alike. All draw from the table's own dice.
---
---     local tables = require "@std/tables"
---     tables.pick{ "rats", "nothing", "a draft" }                                      -- each alike
---     tables.weighted{ { 3, "goblins" }, { 1, "an ogre" } }                            -- three to one
---     tables.banded("2d6", { { 2, "hostile" }, { 9, "wary" }, { 12, "friendly" } })    -- up to 2, to 9, to 12

local tables = {}

local function is_whole(number)
  return type(number) == "number" and number % 1 == 0
end

--- One entry of a list, each as likely as the other. Also returns its place.
function tables.pick(list)
  if type(list) ~= "table" or #list == 0 then
    error("tables.pick needs a list with at least one entry", 2)
  end
  local place = roll.d(#list)
  return list[place], place
end

--- One entry of a list of `{ weight, entry }`, as likely as its weight, a whole number from 0. Also returns its place.
function tables.weighted(list)
  local sum = 0
  for place, row in list do
    if type(row) ~= "table" or not is_whole(row[1]) or row[1] < 0 then
      error(`tables.weighted: row {place} must be \{ weight, entry }, the weight a whole number from 0`, 2)
    end
    sum += row[1]
  end
  if sum == 0 then
    error("tables.weighted needs a row with a weight of 1 or more", 2)
  end
  local left = roll.d(sum)
  for place, row in list do
    left -= row[1]
    if left <= 0 then
      return row[2], place
    end
  end
  error("tables.weighted: the list changed while it was rolled on")
end

--- Rolls dice notation and returns the entry of the band that the total falls into, then the roll. Bands are
--- `{ to, entry }` in rising order; below the first the first counts, a total above the last is an error.
function tables.banded(dice, bands)
  local before = -math.huge
  for place, band in bands do
    if type(band) ~= "table" or not is_whole(band[1]) or band[1] <= before then
      error(`tables.banded: band {place} must be \{ to, entry }, each "to" a whole number above the last`, 2)
    end
    before = band[1]
  end
  local rolled = roll(dice)
  for _, band in bands do
    if rolled.total <= band[1] then
      return band[2], rolled
    end
  end
  error(`tables.banded: {dice} showed {rolled.total}, and the last band ends at {before}`, 2)
end

return tables
