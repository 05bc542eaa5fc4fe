--- The countess's seal: a heist of a quarter of an hour, with two characters who carry the house rules.
---
---     grog run scripts/adventures/heist.lua                                          you decide
---     grog run scripts/adventures/heist.lua --answers scripts/adventures/heist.answers --seed 11
---
--- A wall to climb, a watch to hide from, a lock of five tumblers, a guard to lie to, and a wall to come down in a hurry.
--- Skills are checks of characteristics, the lie is a contest of charisma against wisdom, and whoever falls below zero
--- bleeds until somebody binds the wounds.

local REWARD_XP = 2700
local WALL_FEET = 20

local wren = character{
  name = "Wren", species = "halfling", background = "born on the rope-walk, apprenticed to a locksmith",
  classes = { { class = "fighter", level = 1 }, { class = "thief", level = 3 } },
  scores = { str = 11, dex = 16, con = 12, int = 13, wis = 12, cha = 10 },
  max_hp = 7, ac = 13,
  good_at = { climb_walls = "good", open_locks = "very_good" },
  skill_bonus = { open_locks = 1 },
}
local osk = character{
  name = "Osk", species = "human", background = "sold horses, then other people's horses",
  classes = { { class = "fighter", level = 2 } },
  scores = { str = 15, dex = 11, con = 14, int = 10, wis = 11, cha = 15 },
  max_hp = 14, ac = 15,
  good_at = { hide_in_shadows = "good" },
}
local crew = party{ wren, osk }
local loud = 0

local function told(who, check, well, badly)
  local dice = if check.total then `{check.total} on {check.dice}d6, under {check.target}` else `{check.automatic}, no dice`
  say(`{who.name} {if check.success then well else badly}. ({dice})`)
  return check.success
end

--- Somebody who fell: how it looks, and what the others do.
local function see_to(victim, friend)
  if victim.status == "dead" then
    say(`{victim.name} does not move again.`)
    return
  end
  if victim.status ~= "bleeding" then
    say(`{victim.name} gets up with {victim.hp} hit points, swearing softly.`)
    return
  end
  say(`{victim.name} lies in the gravel at {victim.hp} hit points and bleeds.`)
  local alone = rules.dying.outlook{ hp = victim.hp, status = victim.status, lowest_hp = victim.lowest_hp }
  local bound = rules.dying.outlook{
    hp = victim.hp, status = victim.status, lowest_hp = victim.lowest_hp, bound_after = 1,
  }
  secret(`Left alone the chance of death is {alone.death}; bound after a round it is {bound.death}.`)
  if friend.awake and confirm(`Does {friend.name} stop to bind the wounds?`) then
    local care = victim:bind{ delay = 1 }
    if victim.status == "dead" then
      say(`{friend.name} works for {care.elapsed} rounds, in vain.`)
    else
      say(`{friend.name} binds the wounds in {care.rounds} rounds. {victim.name} will not wake for {care.coma_hours} hours.`)
    end
  else
    victim:pass{ rounds = 20 }
    say(`Nobody comes. {victim.name} is {victim.status}.`)
  end
end

local function fall(victim, friend, feet)
  local damage = roll(`{feet // 10}d6`)
  say(`{victim.name} falls {feet} feet: {damage.text} points.`)
  victim:take_damage(damage.total)
  see_to(victim, friend)
end

local function over_the_wall()
  say "THE COUNTESS'S SEAL"
  say "Rain on the garden wall. Behind it the house, a lit window, and in the study a chest with a seal in it."
  local way = choose("How does Wren climb?", { "At once, in the rain", "Slowly, testing each stone" })
  local circumstance = if way == "At once, in the rain" then 1 else -1
  if told(wren, wren:check("climb_walls", { circumstance = circumstance }), "is over the wall", "slips") then
    say "A rope comes down for Osk."
    return
  end
  fall(wren, osk, 10)
end

local function past_the_watch()
  say "In the garden a lantern swings: the watch, a man and a dog."
  for _, sneak in crew:members() do
    if sneak.awake and not told(sneak, sneak:check("hide_in_shadows"), "is a shadow among shadows", "treads on a pot") then
      loud += 1
    end
  end
  if loud > 0 then
    say "The dog barks. The man looks about, and goes to tell somebody."
  end
end

local function the_chest()
  say "The study. The chest is iron, and its lock has five tumblers."
  if not wren.awake then
    say "Only Wren could open it."
    return false
  end
  local score = rules.skill.average{ scores = { wren.int, wren.dex } }.score
  local task = rules.skill.task{
    score = score, bonus = wren.skill_bonus.open_locks, difficulty = "hard", good_at = wren.good_at.open_locks,
    circumstance = if loud > 0 then 2 else 1, successes_needed = 5, max_attempts = 8,
  }
  local clicks = {}
  for i, success in task.attempt_results do
    clicks[i] = if success then "click" else "nothing"
  end
  say(`Wren's picks: {table.concat(clicks, ", ")}.`)
  say(if task.complete then "The lid rises. The seal is heavier than it looks." else "The lock holds, and time is up.")
  return task.complete
end

local function the_lie()
  local guard_wisdom = 11
  say "A guard stands in the doorway. \"And who might you be?\""
  local story = choose("What does Osk say?", { "The new stable master, lost", "An inspector from the guild of locksmiths" })
  -- The unlikely story is worth two points less.
  local score = osk.cha - (if story == "The new stable master, lost" then 0 else 2)
  repeat
    local contest = rules.opposed.contest{
      sides = { { name = "Osk", score = score }, { name = "the guard", score = guard_wisdom } }, defender = "the guard",
    }
    local margins = `{contest.sides[1].margin} against {contest.sides[2].margin}`
    if contest.result == "standoff" then
      say(`"Say that again," says the guard. ({margins})`)
    elseif contest.winner == "Osk" then
      say(`"Mind the dog on your way out," says the guard. ({margins})`)
      return true
    else
      say(`"Thieves!" The bell begins to ring. ({margins})`)
      return false
    end
  until false
end

local function down_again(believed)
  say "Back to the wall, and down the other side."
  if not wren.awake then
    say "Osk carries Wren through the side gate."
    return
  end
  local hurry = if believed then 1 else 3
  if told(wren, wren:check("climb_walls", { circumstance = hurry }), "slides down the rope", "misses the rope") then
    return
  end
  fall(wren, osk, WALL_FEET)
end

local function the_morning_after(success)
  say "The morning after, in a loft over a chandler's."
  for _, member in crew:members() do
    if member.status ~= "dead" then
      local night = member:pass{ hours = 12 }
      if night.woke then
        say(`{member.name} has woken, and is still weak: {member.weakness} off strength, dexterity and every roll.`)
      end
    end
  end
  if success then
    for _, part in crew:award{ xp = REWARD_XP }.members do
      local shares = {}
      for i, class in part.award.classes do
        shares[i] = `{class.base + class.bonus} as {class.class}{if class.levels_gained > 0 then `, now level {class.level}` else ""}`
      end
      say(`{part.name} learns: {table.concat(shares, "; ")}.`)
    end
  end
  for _, member in crew:members() do
    say(member:sheet())
  end
end

over_the_wall()
past_the_watch()
local opened = the_chest()
local believed = the_lie()
down_again(believed)
the_morning_after(opened)
