--- Strategies for psionic duels: what a mind attacks with and how it defends, instead of the book's own choice.
---
---     local psionic = require "@std/psionic"
---     psionic.play{ Vey = psionic.sparing, Ulm = psionic.storm }     by name; the others choose as the book does
---     rules.psionic.duel{ minds = { … } }
---
--- A strategy is a table of two functions, either of which may be left out:
---
---     attack = function(me, next) … return { attack_mode = "ego_whip", target = "Ulm", range_multiplier = 1 } end
---     defend = function(me, next) … return { defense_mode = "mind_blank" } end
---
--- `me` holds the arguments of `psionic.choose_attack` or `psionic.choose_defense`, and `next(me)` is the book's choice.
--- An empty table as answer means: none. What a mind cannot pay for, or what is out of range, comes to nothing.

local psionic = {}

local NAMES = { attack = true, defend = true }

local function with_modes(me, field, modes)
  local other = table.clone(me)
  other[field] = modes
  return other
end

--- Never attacks; defends as the book does. For minds that wait for help.
psionic.patient = {
  attack = function()
    return {}
  end,
}

--- Spends as little as it can: Mind Thrust before all else, the book's choice without it.
psionic.sparing = {
  attack = function(me, next)
    local can_thrust = table.find(me.attack_modes, "mind_thrust")
    return next(if can_thrust then with_modes(me, "attack_modes", { "mind_thrust" }) else me)
  end,
}

--- Strikes with the costliest mode that reaches, at the foe with the least defense left.
psionic.storm = {
  attack = function(me, next)
    local weakest = me.foes[1]
    for _, foe in me.foes do
      if foe.defense_strength < weakest.defense_strength then
        weakest = foe
      end
    end
    local one = with_modes(me, "foes", { weakest })
    for _, mode in { "psionic_blast", "psychic_crush", "id_insinuation", "ego_whip", "mind_thrust" } do
      if table.find(me.attack_modes, mode) then
        local choice = next(with_modes(one, "attack_modes", { mode }))
        if choice.attack_mode then
          return choice
        end
      end
    end
    return {}
  end,
}

--- Holds back its attacks until the foe's defense has fallen below `strength`, and defends meanwhile.
function psionic.ambush(strength)
  return {
    attack = function(me, next)
      for _, foe in me.foes do
        if foe.defense_strength < strength then
          return next(me)
        end
      end
      return {}
    end,
  }
end

--- Defends with one mode whatever comes, while it can pay for it; then as the book does.
function psionic.behind(mode)
  return {
    defend = function(me, next)
      if #me.attacks > 0 and table.find(me.defense_modes, mode) then
        local choice = next(with_modes(me, "defense_modes", { mode }))
        if choice.defense_mode then
          return choice
        end
      end
      return next(me)
    end,
  }
end

--- One strategy out of two: the attack of the first, the defense of the second.
function psionic.both(attacker, defender)
  return { attack = attacker.attack, defend = defender.defend }
end

--- Puts strategies in force, each under the name of its mind. What none of them decides stays the book's own affair.
function psionic.play(strategies)
  local decided = {}
  for name, strategy in strategies do
    for part in strategy do
      if not NAMES[part] then
        error(`the strategy of {name} has a part "{part}"; there are "attack" and "defend"`, 2)
      end
      decided[part] = true
    end
  end
  local function chosen(part)
    return function(me, next)
      local strategy = strategies[me.mind]
      local choose = strategy and strategy[part]
      return if choose then choose(me, next) else next(me)
    end
  end
  if decided.attack then
    house.wrap("psionic.choose_attack", chosen "attack")
  end
  if decided.defend then
    house.wrap("psionic.choose_defense", chosen "defend")
  end
end

return psionic
