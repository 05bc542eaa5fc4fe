--- The crypt under the yew: a first adventure, about twenty minutes at the table.
---
---     grog run scripts/adventures/crypt.lua                                          you decide
---     grog run scripts/adventures/crypt.lua --answers scripts/adventures/crypt.answers --seed 8
---
--- Everything that can go wrong goes through the book's rules: surprise at the door, reaction, morale, initiative by
--- rounds, criticals and fumbles, turning, holy water, dying and being bound up, experience.

local fight = require "@std/fight"
local heroes = require "./crypt/party"
local grave_robber = require "./npcs/grave_robber"
local skeleton = require "./npcs/skeleton"

-- Experience for foes overcome, by hit dice (Basic Fantasy's table: 25 for one die, 75 for two).
local XP = { [1] = 25, [2] = 75 }
local TREASURE_GOLD = 240

local function names_of(list)
  local names = {}
  for _, creature in list do
    table.insert(names, creature.name)
  end
  return table.concat(names, ", ")
end

local function make_robbers()
  local robbers = {}
  local morale = rules.morale.archetype{ name = "medium" }.score
  for i, name in { "the tall robber", "the one-eyed robber", "the boy" } do
    local hp = roll("1d8").total
    robbers[i] = fight.creature{
      name = name, hp = hp, ac = 12, hd = 1, damage = "1d6", morale = morale, minor = true,
      attack_bonus = rules.attack.bonus{ hd = 1 }.attack_bonus, act = grave_robber.act,
    }
  end
  return robbers
end

local function make_dead()
  local dead = {}
  for i = 1, 5 do
    dead[i] = fight.creature{
      name = `skeleton {i}`, hp = roll("1d8").total, ac = 13, hd = 1, damage = "1d6",
      undead = true, undead_type = "skeleton",
      attack_bonus = rules.attack.bonus{ hd = 1 }.attack_bonus, act = skeleton.act,
    }
  end
  dead[6] = fight.creature{
    name = "Sir Odo", hp = roll("2d8").total, ac = 14, hd = 2, damage = "1d8", undead = true, undead_type = "zombie",
    attack_bonus = rules.attack.bonus{ hd = 2 }.attack_bonus, str_mod = 1, act = skeleton.act,
  }
  return dead
end

--- Who is surprised at a meeting: "party", "foes" or nobody, by one check for each side that can be.
local function surprise_at(meeting)
  local function caught(members, ambush)
    local check = rules.surprise.check{ members = members, ambush = ambush }
    return check.all, check
  end
  if meeting.quiet then
    local foes = caught({ { name = meeting.foes } }, true)
    return if foes then "foes" else nil
  end
  local members = {}
  for _, hero in meeting.party do
    table.insert(members, { name = hero.name, kind = hero.kind })
  end
  local _, party = caught(members, meeting.ambush)
  local foes = caught({ { name = meeting.foes } }, false)
  if party.all and not foes then
    return "party"
  elseif foes and not party.any then
    return "foes"
  end
  return nil
end

local function the_door(party)
  say "Under the old yew a stair goes down. At its foot a door of black oak stands ajar; lantern light moves behind it."
  local plan = choose("How do you go in?", { "Quietly, blades drawn", "Knock and call out", "Kick it open" })
  local robbers = make_robbers()
  local quiet = plan == "Quietly, blades drawn"
  if quiet then
    local tam = party[4]
    local sneak = rules.check.roll{ score = tam.dex, difficulty = "average", good_at = "good" }
    say(if sneak.success then "Tam eases the door open without a sound." else "The hinge shrieks.")
    quiet = sneak.success
  end
  local surprised = surprise_at{ party = party, foes = "grave robbers", quiet = quiet }
  say "Three men with shovels and a sack look up from a broken sarcophagus."
  if surprised then
    say(if surprised == "foes" then "They are caught flat-footed." else "They were waiting for you.")
  end
  local reaction = rules.reaction.roll{ cha_mod = party[2].cha_mod }
  if plan == "Kick it open" or surprised == "party" or reaction.attacks then
    say "Steel comes out. There will be no talk."
    return fight.run{ party = party, foes = robbers, surprised = surprised }, robbers
  end
  say(`"Easy now," says the tall one. ({string.gsub(reaction.result, "_", " ")})`)
  local talk = choose("What do you say?", { "Leave, and leave the sack", "Share what you know of the crypt", "Attack them" })
  if talk == "Attack them" then
    return fight.run{ party = party, foes = robbers, surprised = surprised }, robbers
  end
  if talk == "Leave, and leave the sack" then
    local check = rules.morale.check{ score = robbers[1].morale, modifier = -2 }
    if check.holds then
      say "\"Over our dead bodies.\" They mean it."
      return fight.run{ party = party, foes = robbers }, robbers
    end
    say "They look at each other, drop the sack and are gone up the stair."
  else
    say "\"Old Odo walks,\" says the boy. \"He does not like us here.\" They pack up and wish you luck."
  end
  for _, robber in robbers do
    robber.gone = "left"
  end
  return { winner = "party", rounds = 0, downed = {} }, robbers
end

local function rest(party)
  fight.tend(party)
  for _, hero in party do
    hero.effects, hero.unarmed, hero.stumbling, hero.busy = {}, nil, nil, nil
    if hero.status == "stable" and not hero.sleeps then
      hero.sleeps = true
      local coma = rules.dying.coma{ con_mod = hero.con_mod }
      say(`{hero.name} lives, at {hero.hp} hit points, and will not wake for {coma.hours} hours.`)
    end
  end
end

local function the_dead(party)
  say "Past a curtain of roots lies the vault. Five skeletons sit along the walls. On the bier, in rusted mail, a knight"
  say "opens his eyes. The bones stand up."
  local dead = make_dead()
  local surprised = surprise_at{ party = party, foes = "the dead", ambush = true }
  if surprised == "party" then
    say "They are upon you before you can lift a hand."
  end
  return fight.run{ party = party, foes = dead, surprised = surprised }, dead
end

local function award(party, overcome)
  local general = TREASURE_GOLD
  for _, foe in overcome do
    if not fight.stands(foe) then
      general += XP[foe.hd]
    end
  end
  local living = {}
  for _, hero in party do
    if hero.status ~= "dead" then
      table.insert(living, hero)
    end
  end
  if #living == 0 then
    return
  end
  local each = general // #living
  say(`Experience: {general} points, {each} for each of {names_of(living)}.`)
  for _, hero in living do
    local individual = if hero.kills > 0 then { 10 * hero.kills } else {}
    local total = rules.experience.total{ general = each, individual = individual }.total
    local split = rules.experience.split{ xp = total, classes = hero.classes }
    local shares = {}
    for _, share in split.shares do
      table.insert(shares, `{share.total} as {(string.gsub(share.class, "_", "-"))}`)
    end
    say(`  {hero.name}: {table.concat(shares, ", ")}.`)
  end
end

-- The evening begins.

say "THE CRYPT UNDER THE YEW"
if confirm "Play with the brutal criticals house rule?" then
  say(require "./house_rules/brutal_criticals")
end
local party = heroes.make()
say(`You are {names_of(party)}.`)

local first, robbers = the_door(party)
rest(party)
if first.winner ~= "party" then
  say "The lantern goes out. Nobody comes back from under the yew."
  return
end
if not confirm "Go on into the vault?" then
  say "You climb back into the rain."
  award(party, robbers)
  return
end

local second, dead = the_dead(party)
rest(party)
if second.winner == "party" then
  say(`Sir Odo's hoard is yours: {TREASURE_GOLD} gold pieces and a horn that still sounds.`)
  local overcome = table.clone(robbers)
  for _, foe in dead do
    table.insert(overcome, foe)
  end
  award(party, overcome)
else
  say "The dead have company now. The yew has seen it before."
end
