--- A fight by rounds on the book's rules: initiative counted down, everything on one number at the same time,
--- criticals, fumbles, morale, and the fallen bleeding until somebody binds their wounds.
---
---     local fight = require "@std/fight"
---     local hild = fight.creature{ name = "Hild", hp = 18, ac = 17, attack_bonus = 2, damage = "1d8", act = behavior }
---     local result = fight.run{ party = { hild }, foes = { … } }
---     result.winner        -- "party", "foes" or "nobody"
---
--- A creature's `act(me, battle)` returns what it does with its turn, one of
---
---     { kind = "attack", target = creature }
---     { kind = "throw", target = creature }              holy water; `me.flasks` goes down by one
---     { kind = "turn" }                                  turns undead among the foes; needs `me.turns_as`
---     { kind = "bind", target = creature }               stops a fallen friend's bleeding, 1d3 rounds
---     { kind = "flee" }  { kind = "surrender" }  { kind = "wait" }
---
--- (`minor` creatures and the `undead` are out at zero hit points; all others bleed by the rules below zero) and looks
--- at the fight through `battle`: `battle.foes_of(me)`, `battle.friends_of(me)`, `battle.fallen_friends_of(me)`,
--- `battle.round`.

local fight = {}

local DEFAULTS = {
  status = "ok", str_mod = 0, dex_mod = 0, con_mod = 0, wis_mod = 0, attack_bonus = 0,
  damage = "1d6", weapon = "weapon", flasks = 0, kills = 0,
}

--- Makes a creature from its fields; `name`, `hp`, `ac` and `act` have to be there.
function fight.creature(fields)
  for _, needed in { "name", "hp", "ac", "act" } do
    if fields[needed] == nil then
      error(`a creature needs "{needed}"`, 2)
    end
  end
  local creature = table.clone(fields)
  for name, default in DEFAULTS do
    if creature[name] == nil then
      creature[name] = default
    end
  end
  creature.max_hp = creature.max_hp or creature.hp
  creature.lowest_hp = creature.lowest_hp or creature.hp
  creature.effects = {}
  return creature
end

--- Whether a creature can still act and be fought.
function fight.stands(creature)
  return creature.status == "ok" and not creature.gone
end

local function points(number)
  return if number == 1 then "1 point" else `{number} points`
end

local function filtered(list, keep)
  local kept = {}
  for _, creature in list do
    if keep(creature) then
      table.insert(kept, creature)
    end
  end
  return kept
end

local function standing(list)
  return filtered(list, fight.stands)
end

--- Takes damage by the rules below zero; undead and the like are simply destroyed at zero.
local function take_damage(victim, damage, battle)
  if victim.gone or victim.status == "dead" or damage <= 0 then
    return
  end
  if victim.undead or victim.minor then
    victim.hp -= damage
    if victim.hp <= 0 then
      victim.status = "dead"
      say(`  {victim.name} {if victim.undead then "falls apart" else "falls and lies still"}.`)
    end
    return
  end
  local after = rules.dying.damage{
    hp = victim.hp, status = victim.status, lowest_hp = victim.lowest_hp, damage = damage,
  }
  local stood = victim.status == "ok"
  victim.hp, victim.status, victim.lowest_hp = after.hp, after.status, after.lowest_hp
  if victim.status == "dead" then
    say(`  {victim.name} is dead.`)
  elseif stood and victim.status == "bleeding" then
    say(`  {victim.name} goes down at {victim.hp} hit points, bleeding.`)
    battle.downed[victim.name] = true
  end
end

--- What the effects of a condition add to a roll of this kind.
local function effect(creature, kind)
  return creature.effects[kind] or 0
end

local function suffer(victim, condition, effects)
  say(`  {victim.name} is {condition}.`)
  for kind, amount in effects or {} do
    victim.effects[kind] = (victim.effects[kind] or 0) + amount
  end
  if condition == "disarmed" then
    victim.unarmed = true
  end
end

local function fumbles(attacker, target, blows, strike)
  local fumble = rules.fumble.roll{ dex_mod = attacker.dex_mod }
  local words = string.gsub(fumble.result, "_", " ")
  say(`  {attacker.name} fumbles: {words}.`)
  if fumble.loses_next_attack then
    attacker.loses_attack = true
  end
  if fumble.penalty ~= 0 then
    attacker.stumbling = { amount = fumble.penalty, rounds = fumble.penalty_rounds }
  end
  if fumble.free_attack and fight.stands(target) then
    say(`  {target.name} strikes at the opening.`)
    strike(target, attacker, blows, true)
  end
end

--- One blow. Damage is noted in `blows` and falls when everybody on this number has acted.
local function strike(attacker, target, blows, free)
  local ac = target.ac + effect(target, "ac") + effect(target, "ac_melee")
  local modifier = effect(attacker, "attack")
  if attacker.stumbling then
    modifier += attacker.stumbling.amount
  end
  local roll = rules.attack.roll{
    ac = ac, attack_bonus = attacker.attack_bonus, ability_mod = attacker.str_mod, modifier = modifier,
  }
  if not roll.hit then
    say(`  {attacker.name} misses {target.name} ({roll.total} against {ac}).`)
    if roll.fumble_check and not free then
      fumbles(attacker, target, blows, strike)
    end
    return
  end
  local damage = if attacker.unarmed then "1d3" else attacker.damage
  if roll.critical_check then
    local hit = rules.critical.hit{ damage = damage }
    local dealt = math.max(1, hit.damage + attacker.str_mod)
    say(`  {attacker.name} hits {target.name} perfectly ({hit.result}): {points(dealt)}.`)
    table.insert(blows, { by = attacker, target = target, damage = dealt })
    if hit.condition then
      table.insert(blows, { target = target, condition = hit.condition, effects = hit.effects })
    end
  else
    local hit = rules.damage.roll{ damage = damage, kind = "melee", str_mod = attacker.str_mod }
    say(`  {attacker.name} hits {target.name} ({roll.total} against {ac}): {points(hit.damage)}.`)
    table.insert(blows, { by = attacker, target = target, damage = hit.damage })
  end
end

local function throw(attacker, target, battle, blows)
  attacker.flasks -= 1
  local flask = rules.grenade.throw{
    ac = target.ac, attack_bonus = attacker.attack_bonus, ability_mod = attacker.dex_mod,
  }
  local near = filtered(battle.foes_of(attacker), function(foe)
    return foe ~= target
  end)
  local bystanders = {}
  -- Those beside the target stand within five feet; a flask that scatters lands among the others or on nobody.
  local splashed = if flask.direct then { near[1], near[2] } else { target }
  if not flask.direct and (math.abs(flask.dx) > 10 or math.abs(flask.dy) > 10) then
    splashed = {}
  end
  for _, foe in splashed do
    table.insert(bystanders, { name = foe.name, undead = foe.undead == true })
  end
  say(`  {attacker.name} hurls holy water at {target.name}: {if flask.direct then "a direct hit" else "it misses and bursts"}.`)
  local water = rules.grenade.holy_water{
    direct = flask.direct, target_undead = target.undead == true, bystanders = bystanders,
  }
  if flask.direct and water.direct_damage > 0 then
    say(`  {target.name} smokes and hisses: {points(water.direct_damage)}.`)
    table.insert(blows, { by = attacker, target = target, damage = water.direct_damage })
  end
  for i, splash in water.splash do
    if splash.damage > 0 then
      say(`  Drops splash {splash.name}: {points(splash.damage)}.`)
      table.insert(blows, { by = attacker, target = splashed[i], damage = splash.damage })
    end
  end
end

local function turn(cleric, battle)
  local undead, groups, by_type = {}, {}, {}
  for _, foe in battle.foes_of(cleric) do
    if foe.undead then
      table.insert(undead, foe)
      local group = by_type[foe.undead_type]
      if not group then
        group = { type = foe.undead_type, count = 0 }
        by_type[foe.undead_type] = group
        table.insert(groups, group)
      end
      group.count += 1
    end
  end
  if #groups == 0 or cleric.may_not_turn then
    say(`  {cleric.name} raises the holy symbol, and nothing heeds it.`)
    return
  end
  local attempt = rules.turning.attempt{ level = cleric.turns_as, wis_mod = cleric.wis_mod, undead = groups }
  say(`  {cleric.name} raises the holy symbol{if attempt.total then ` ({attempt.total})` else ""}: {attempt.result}.`)
  cleric.may_not_turn = attempt.locked_out
  for _, group in attempt.groups do
    local left = group.affected
    for _, foe in undead do
      if left > 0 and foe.undead_type == group.type and fight.stands(foe) then
        foe.gone = "turned"
        left -= 1
        say(`  {foe.name} shuffles away from the light.`)
      end
    end
  end
end

local function bind(healer, victim, battle)
  if victim.status ~= "bleeding" then
    return
  end
  local care = rules.dying.stabilize{ hp = victim.hp, status = victim.status, lowest_hp = victim.lowest_hp }
  victim.hp, victim.status, victim.lowest_hp = care.hp, care.status, care.lowest_hp
  healer.busy = battle.round + care.elapsed - 1
  -- The rounds of care have bled already.
  victim.bled_until = battle.round + care.elapsed - 1
  if victim.status == "dead" then
    say(`  {healer.name} works on {victim.name} for {care.elapsed} rounds, in vain.`)
  else
    say(`  {healer.name} binds {victim.name}'s wounds in {care.elapsed} rounds; {victim.name} lies still at {victim.hp}.`)
  end
end

local function checks_morale(side, battle)
  local leader = side[1]
  if not (leader and leader.morale) or battle.checked[side] then
    return
  end
  local due = rules.morale.due{ start = #side, now = #standing(side), already_checked = false }
  if not due.due or #standing(side) == 0 then
    return
  end
  battle.checked[side] = true
  local check = rules.morale.check{ score = leader.morale, modifier = -1 }
  say(`  Half of them are down. Morale {check.total} against {check.score}: {if check.holds then "they fight on" else "they break"}.`)
  if not check.holds then
    for _, creature in standing(side) do
      creature.gone = "fled"
    end
  end
end

local function acts(creature, battle, blows)
  if creature.busy and creature.busy >= battle.round then
    return
  end
  if creature.loses_attack then
    creature.loses_attack = nil
    say(`  {creature.name} readies a weapon again.`)
    return
  end
  local action = creature.act(creature, battle) or { kind = "wait" }
  if action.kind == "attack" then
    strike(creature, action.target, blows)
  elseif action.kind == "throw" then
    throw(creature, action.target, battle, blows)
  elseif action.kind == "turn" then
    turn(creature, battle)
  elseif action.kind == "bind" then
    bind(creature, action.target, battle)
  elseif action.kind == "flee" or action.kind == "surrender" then
    creature.gone = if action.kind == "flee" then "fled" else "surrendered"
    say(`  {creature.name} {if action.kind == "flee" then "runs" else "throws down the weapon"}.`)
  elseif action.kind ~= "wait" then
    error(`{creature.name} does "{tostring(action.kind)}"; known are attack, throw, turn, bind, flee, surrender, wait`)
  end
end

local function land(blows, battle)
  for _, blow in blows do
    if blow.damage then
      local stood = fight.stands(blow.target)
      take_damage(blow.target, blow.damage, battle)
      if stood and not fight.stands(blow.target) and blow.by then
        blow.by.kills += 1
      end
    elseif fight.stands(blow.target) then
      suffer(blow.target, blow.condition, blow.effects)
    end
  end
end

local function bleed(list, battle)
  for _, creature in list do
    if creature.status == "bleeding" and not (creature.bled_until and creature.bled_until >= battle.round) then
      local after = rules.dying.bleed{ hp = creature.hp, status = creature.status, lowest_hp = creature.lowest_hp }
      creature.hp, creature.status, creature.lowest_hp = after.hp, after.status, after.lowest_hp
      say(if creature.status == "dead" then `  {creature.name} bleeds to death.` else `  {creature.name} bleeds ({creature.hp}).`)
    end
    if creature.stumbling then
      creature.stumbling.rounds -= 1
      if creature.stumbling.rounds <= 0 then
        creature.stumbling = nil
      end
    end
  end
end

--- Binds the wounds of all who lie bleeding, once the fight is over; one helper for each, at once.
function fight.tend(list)
  for _, victim in list do
    if victim.status == "bleeding" then
      local helpers = standing(list)
      if #helpers == 0 then
        return
      end
      bind(helpers[1], victim, { round = 0 })
      helpers[1].busy = nil
    end
  end
end

--- Fights until a side is gone. `surprised` is the side that loses the first round, "party" or "foes".
function fight.run(setup)
  local sides = { party = setup.party, foes = setup.foes }
  local everyone = {}
  for _, name in { "party", "foes" } do
    for _, creature in sides[name] do
      creature.side = name
      table.insert(everyone, creature)
    end
  end
  local battle = { round = 0, checked = {}, downed = {} }
  function battle.foes_of(me)
    return standing(if me.side == "party" then sides.foes else sides.party)
  end
  function battle.friends_of(me)
    return standing(sides[me.side])
  end
  function battle.fallen_friends_of(me)
    return filtered(sides[me.side], function(creature)
      return creature.status == "bleeding"
    end)
  end

  while #standing(sides.party) > 0 and #standing(sides.foes) > 0 and battle.round < (setup.max_rounds or 50) do
    battle.round += 1
    say(`Round {battle.round}`)
    local combatants, by_name = {}, {}
    for _, creature in everyone do
      local surprised = battle.round == 1 and setup.surprised == creature.side
      if fight.stands(creature) and not surprised then
        by_name[creature.name] = creature
        table.insert(combatants, {
          name = creature.name, dex_mod = creature.dex_mod, modifier = effect(creature, "initiative"),
        })
      end
    end
    for _, number in rules.initiative.roll{ combatants = combatants }.order do
      -- Whoever stands when the number comes acts on it, even if somebody on the same number strikes them down.
      local blows, ready = {}, {}
      for _, name in number.names do
        if fight.stands(by_name[name]) then
          table.insert(ready, by_name[name])
        end
      end
      for _, creature in ready do
        if #battle.foes_of(creature) > 0 then
          acts(creature, battle, blows)
        end
      end
      land(blows, battle)
      checks_morale(sides.foes, battle)
    end
    bleed(everyone, battle)
  end

  local winner = "nobody"
  if #standing(sides.foes) == 0 and #standing(sides.party) > 0 then
    winner = "party"
  elseif #standing(sides.party) == 0 and #standing(sides.foes) > 0 then
    winner = "foes"
  end
  return { winner = winner, rounds = battle.round, downed = battle.downed }
end

return fight
