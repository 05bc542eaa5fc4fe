--- The circle in the well: one scene, ten minutes. A mind against a ring of linked minds, and a thief with a scroll.
---
---     grog run scripts/adventures/duel.lua                                          you decide
---     grog run scripts/adventures/duel.lua --answers scripts/adventures/duel.answers --seed 3

local psionic = require "@std/psionic"

local READER = { name = "Sorrel", class = "thief", level = 11 }

local function spoken(name)
  return (string.gsub(name, "_", " "))
end

--- The minds as they meet. The three of the circle lend each other strength; the last of the line fights for all.
local function minds(weakened)
  local vey = {
    name = "Vey", side = "the company", attack_strength = 110, defense_strength = 110, hp = 31,
    attack_modes = { "mind_thrust", "ego_whip", "id_insinuation" },
    defense_modes = { "mind_blank", "mental_barrier", "intellect_fortress" },
    disciplines = { "empathy" },
  }
  local circle = {}
  for i, strength in { 50, 60, 65 } do
    circle[i] = {
      name = `the {({ "first", "second", "third" })[i]} of the circle`, side = "the circle",
      attack_strength = strength - weakened, defense_strength = strength - weakened, hp = 14,
      attack_modes = { "mind_thrust", "id_insinuation" }, defense_modes = { "mind_blank", "thought_shield" },
    }
  end
  return { vey, circle[1], circle[2], circle[3] }
end

local function read_the_scroll()
  say(`{READER.name} unrolls the scroll over the rim and reads: a spell of silence, of the second level.`)
  local reading = rules.scroll.cast_as_thief{
    spell_level = 2, class = READER.class, level = READER.level, kind = "magic_user",
  }
  if not reading.allowed then
    say(`The letters stay closed to a {READER.class} of that level.`)
    return 0
  end
  say(`  {spoken(reading.result)} (failure {reading.failure_percent} in a hundred, rolled {reading.failure_roll})`)
  if reading.result == "cast" then
    say "  The chant below stops. The three grope for each other."
    return 8
  end
  say "  The chant below swells."
  return 0
end

local function tell(event)
  local line = `  {event.round}.{event.segment}  {event.attacker}: {spoken(event.attack_mode)} on {event.target}`
  if event.forbidden then
    line ..= `, in vain ({spoken(event.forbidden)})`
  elseif event.defense_mode then
    line ..= `, {event.damage or 0} through {spoken(event.defense_mode)}`
  elseif event.cell then
    line ..= `, open: {event.cell}`
  end
  if event.fate ~= "standing" then
    line ..= ` - {spoken(event.fate)}`
  end
  say(line)
end

say "THE CIRCLE IN THE WELL"
say "At the bottom of the dry well three hooded shapes sit hand in hand. One of them raises its head, and Vey's nose"
say "begins to bleed."

local weakened = 0
if confirm(`Does {READER.name} read the scroll first?`) then
  weakened = read_the_scroll()
end
local plans = {
  ["Strike with everything"] = psionic.storm,
  ["Strike sparingly"] = psionic.sparing,
  ["Trust her own judgment"] = {},
}
local plan = choose("How does Vey fight?", { "Strike with everything", "Strike sparingly", "Trust her own judgment" })
psionic.play{ Vey = plans[plan] }

local met = minds(weakened)
local duel = rules.psionic.duel{
  minds = met, series = { { met[2].name, met[3].name, met[4].name } }, distance_inches = 4, max_rounds = 5,
}
for _, event in duel.events do
  tell(event)
end
local segments = if duel.segments == 1 then "one segment" else `{duel.segments} segments`
say(if duel.winner then `After {segments} the well is quiet: {duel.winner} won.` else `After {segments} nobody has won.`)
for _, mind in duel.minds do
  local rest = if mind.recovery_hours then `, {mind.recovery_hours} hours of sleep from its best` else ""
  say(`  {mind.name}: {mind.attack_strength}/{mind.defense_strength}, {mind.hp} hit points, {mind.fate}{rest}.`)
end
say "The end."
