--- The tournament of the eight lances: three rounds of jousting, played or watched.
---
---     grog run scripts/adventures/tournament.lua                                          you decide
---     grog run scripts/adventures/tournament.lua --answers scripts/adventures/tournament.answers --seed 5

local tables = require "@std/tables"

-- Name, attack bonus of class and level, strength, armor class, save against Death Ray, hit points, riding.
local KNIGHTS = {
  { "Dame Aveline", 4, 1, 17, 11, 34, 2 }, { "Sir Bran", 3, 2, 17, 12, 30, 1 },
  { "Sir Corwin", 3, 1, 18, 12, 26, 2 }, { "Dame Edith", 2, 0, 17, 13, 22, 4 },
  { "Sir Godric", 2, 3, 16, 13, 28, 0 }, { "Sir Hamo", 4, 0, 17, 11, 31, 1 },
  { "Dame Isolde", 3, 1, 17, 12, 27, 3 }, { "Sir Odo", 1, 2, 16, 14, 20, 0 },
}
local ROUNDS = { "The first round", "The second round", "The final" }
local PURSE_GOLD = 500
-- Undecided bouts and riders who fall together ride again, this often; then the marshals draw lots.
local MOST_BOUTS = 3

local function rider(row)
  local name, attack_bonus, str_mod, ac, save, hp, riding = table.unpack(row)
  return {
    name = name, attack_bonus = attack_bonus, str_mod = str_mod, ac = ac, save = save, damage = "1d8",
    riding = riding, hp = hp,
  }
end

--- What `joust.run` wants to know of a rider.
local function in_the_lists(knight)
  local copy = table.clone(knight)
  copy.hp, copy.yours, copy.steady = nil, nil, nil
  return copy
end

local function shuffled(list)
  local left, drawn = table.clone(list), {}
  while #left > 0 do
    local _, place = tables.pick(left)
    table.insert(drawn, table.remove(left, place))
  end
  return drawn
end

--- Rides until one is left in the saddle, and returns that one.
local function bout(a, b)
  for ride = 1, MOST_BOUTS do
    if a.yours or b.yours then
      local yours = if a.yours then a else b
      local aim = choose(`{yours.name} lowers the lance. How?`, { "Ride steadily", "Ride recklessly" })
      yours.modifier = if aim == "Ride recklessly" then 2 else 0
      yours.riding = if aim == "Ride recklessly" then 0 else yours.steady
    end
    local run = rules.joust.run{
      a = in_the_lists(a), b = in_the_lists(b), blunted = true, a_hp = a.hp, b_hp = b.hp,
    }
    say(`  {a.name} against {b.name}: {#run.passes} {if #run.passes == 1 then "pass" else "passes"}, `
      .. `{run.a_damage} and {run.b_damage} points taken.`)
    if run.winner then
      local winner, loser = a, b
      if run.winner == b.name then
        winner, loser = b, a
      end
      local seat = if run.winner == a.name then run.b_seat else run.a_seat
      local how = if seat == "seated" then "battered in the saddle" else (string.gsub(seat, "_", " "))
      say(`    {winner.name} wins; {loser.name} is {how}.`)
      return winner
    end
    say(if run.result == "both_down" then "    Both are in the dust. Fresh horses!" else "    Undecided. Again!")
  end
  local winner = tables.pick{ a, b }
  say(`    The marshals draw lots: {winner.name} goes on.`)
  return winner
end

local function field()
  local knights = {}
  for i, row in KNIGHTS do
    knights[i] = rider(row)
    knights[i].steady = knights[i].riding
  end
  return knights
end

say "THE TOURNAMENT OF THE EIGHT LANCES"
local knights = field()
if confirm "Will you ride?" then
  local names = {}
  for i, knight in knights do
    names[i] = knight.name
  end
  local yours = choose("Whose colors do you wear?", names)
  for _, knight in knights do
    knight.yours = knight.name == yours or nil
  end
end
local standing = shuffled(knights)
for _, title in ROUNDS do
  say(title)
  local winners = {}
  for i = 1, #standing, 2 do
    table.insert(winners, bout(standing[i], standing[i + 1]))
  end
  standing = winners
end
local champion = standing[1]
say(`{champion.name} takes the purse of {PURSE_GOLD} gold pieces{if champion.yours then " - and it is yours" else ""}.`)
