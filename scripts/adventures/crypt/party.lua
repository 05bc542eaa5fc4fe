--- The four who came to the crypt, ready to play. Everything that the rules need of them is here.

local fight = require "@std/fight"

local party = {}

--- What the person at the table decides for a character's turn.
local function decide(me, battle)
  local choices, actions = {}, {}
  local function offer(words, action)
    table.insert(choices, words)
    table.insert(actions, action)
  end
  local seen = {}
  for _, foe in battle.foes_of(me) do
    if not seen[foe.name] then
      seen[foe.name] = true
      offer(`attack {foe.name}`, { kind = "attack", target = foe })
    end
  end
  local foe = battle.foes_of(me)[1]
  if foe and foe.undead and me.turns_as and not me.may_not_turn then
    offer("turn undead", { kind = "turn" })
  end
  if foe and foe.undead and me.flasks > 0 then
    offer(`throw holy water at {foe.name}`, { kind = "throw", target = foe })
  end
  for _, friend in battle.fallen_friends_of(me) do
    offer(`bind {friend.name}'s wounds`, { kind = "bind", target = friend })
  end
  offer("wait", { kind = "wait" })
  local chosen = choose(`{me.name} ({me.hp} hp)?`, choices)
  return actions[table.find(choices, chosen)]
end

function party.make()
  return {
    fight.creature{
      name = "Hild", hp = 19, ac = 17, level = 3, str_mod = 1, damage = "1d8", weapon = "sword",
      attack_bonus = rules.attack.bonus{ class = "fighter", level = 3 }.attack_bonus,
      classes = { { class = "fighter", bonus_percent = 5 } }, act = decide,
    },
    fight.creature{
      name = "Aldwin", hp = 14, ac = 16, level = 3, wis_mod = 1, damage = "1d6", weapon = "mace",
      attack_bonus = rules.attack.bonus{ class = "cleric", level = 3 }.attack_bonus,
      turns_as = 3, flasks = 1, cha_mod = 1, classes = { { class = "cleric" } }, act = decide,
    },
    fight.creature{
      name = "Ysolde", hp = 10, ac = 14, level = 2, dex_mod = 1, damage = "1d8", weapon = "long sword",
      attack_bonus = rules.attack.bonus{ class = "fighter", level = 2 }.attack_bonus,
      kind = "elf", classes = { { class = "fighter" }, { class = "magic_user", bonus_percent = 10 } }, act = decide,
    },
    fight.creature{
      name = "Tam", hp = 8, ac = 14, level = 2, dex_mod = 2, damage = "1d6", weapon = "short sword",
      attack_bonus = rules.attack.bonus{ class = "thief", level = 2 }.attack_bonus,
      flasks = 2, dex = 16, int = 12, classes = { { class = "thief" } }, act = decide,
    },
  }
end

return party
