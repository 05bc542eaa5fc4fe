--- What the back stab article's figures come to: from its stated premises through the rules and exact odds, and by the
--- arithmetic that its author seems to have done instead.
---
--- The premises are a fighter and a thief of strength for +1 to hit, the fighter with a long sword (d8+1) and 3/2 attacks
--- from 7th level, the thief with d8 multiplied, against armor class 5, or 6 from behind without dexterity and shield.

local fractions = require "../fractions"

local add, times, over, minus = fractions.add, fractions.times, fractions.over, fractions.minus
local of = fractions.of

local LEVELS = 12
local ARMOR_CLASS = 5
local HALF, THIRD = of("1/2"), of("1/3")

--- Results by level are used again and again.
local function remembered(f)
  local known = {}
  return function(level)
    if known[level] == nil then
      known[level] = f(level)
    end
    return known[level]
  end
end

-- ---- the rules, through exact odds ----

local function chance(needed)
  return of(rules.back_stab.chance_to_hit{ needed = needed }.chance)
end

--- What a blow of a fighter is worth: hit on `needed` or more, then d8+1.
local function fighters_blow(needed)
  local damage = odds(function()
    return if roll.d(20) >= needed then roll("1d8+1").total else 0
  end)
  return of(damage.mean_exact)
end

--- The average damage of a back stab that hits.
local stab_damage = remembered(function(level)
  local multiplier = rules.back_stab.multiplier{ level = level }.multiplier
  return of(odds.rule("back_stab.damage", { weapon = "1d8", multiplier = multiplier }, "damage").mean_exact)
end)

--- The average damage of a plain blow of the thief.
local plain_damage = of(odds("1d8").mean_exact)

local function worth(chances, average, rounds)
  local texts = {}
  for i, one in chances do
    texts[i] = fractions.text(one)
  end
  local asked = { chances = texts, average_damage = fractions.text(average), rounds = rounds }
  return of(rules.back_stab.damage_per_round(asked).damage_per_round)
end

-- ---- numbers to hit armor class 0 ----

local function fighters_thac0(level)
  return 20 - 2 * ((level - 1) // 2) - 1
end

--- The thief's, four levels a step, with the book's repeated 20s taken out.
local function thiefs_base(level)
  local steps = { 21, 19, 16, 14 }
  return steps[(level - 1) // 4 + 1]
end

--- The author's level-adjusted row goes down by an even 2 a step.
local function even_base(level)
  return 21 - 2 * ((level - 1) // 4)
end

--- A thief has more experience than a fighter of the same points: a level more from 3rd.
local function adjusted(level)
  return if level < 3 then level else level + 1
end

--- +4 from behind with surprise, +1 strength, 1 for the dexterity and shield that do not count.
local BONUSES = rules.back_stab.attack{ level = 1 }.to_hit_bonus + 1 + 1

local function printed_thac0(level)
  return even_base(adjusted(level)) - BONUSES
end

-- ---- the twelve levels ----

local fighters_attack = remembered(function(level)
  return fighters_blow(fighters_thac0(level) - ARMOR_CLASS)
end)

local stated_chance = remembered(function(level)
  return chance(printed_thac0(level) - ARMOR_CLASS)
end)

--- +4 and armor class 6 are in the number needed already, then +4 is given again, up to certainty.
local printed_chance = remembered(function(level)
  return fractions.least(add(chance(even_base(adjusted(level)) - 4 - (ARMOR_CLASS + 1)), "1/5"), 1)
end)

local thiefs_attack = remembered(function(level)
  return worth({ printed_chance(level) }, stab_damage(level), 1)
end)

local function attacks_a_round(level)
  return if level < 7 then of(1) else of("3/2")
end

local function fighters_round(level)
  return times(fighters_attack(level), attacks_a_round(level))
end

local function thiefs_round(level)
  return worth({ printed_chance(level) }, stab_damage(level), 2)
end

local function mean_over_levels(f)
  local list = {}
  for level = 1, LEVELS do
    list[level] = f(level)
  end
  return fractions.mean(list)
end

local function attack_ratio(level)
  return over(thiefs_attack(level), fighters_attack(level))
end

local function round_ratio(level)
  return over(thiefs_round(level), fighters_round(level))
end

local function round_ratio_without_extra_attacks(level)
  return over(thiefs_round(level), fighters_attack(level))
end

-- ---- moving silently ----

--- Percent, 1st to 13th level.
local MOVE_SILENTLY = { 15, 21, 27, 33, 40, 47, 55, 62, 70, 78, 86, 94, 99 }
local DEXTERITY = 5

local function silent(level)
  return fractions.new(math.min(MOVE_SILENTLY[adjusted(level)] + DEXTERITY, 99), 100)
end

--- The author's row stands a level higher throughout and forgets dexterity.
local function silent_as_printed(level)
  return fractions.new(MOVE_SILENTLY[level + 1], 100)
end

local function silent_ratio(level)
  return over(times(thiefs_round(level), silent(level)), fighters_round(level))
end

--- The thief's row halved a second time; at 1st level from 50 %, not 70 %.
local function halved_again(level)
  local hits = if level == 1 then HALF else printed_chance(level)
  return worth({ hits }, stab_damage(level), 4)
end

local function silent_ratio_as_printed(level)
  return over(times(halved_again(level), silent_as_printed(level)), fighters_attack(level))
end

-- ---- first and fifth level ----

--- The thief's own number against armor class 5, without bonuses.
local function thief_needs(level)
  return thiefs_base(level) - ARMOR_CLASS
end

local function stab_chance(level)
  return chance(thief_needs(level) - rules.back_stab.attack{ level = level }.to_hit_bonus)
end

local function further_blow(level)
  local bonus = rules.back_stab.attack{ level = level, attack_number = 2 }.to_hit_bonus
  return worth({ chance(thief_needs(level) - bonus) }, plain_damage, 1)
end

local MS = { [1] = of("20/100"), [5] = of("45/100") }
local HIS = { [1] = of("25/100"), [5] = of("36/100") }
local HIS_AS_USED = { [1] = of("15/100"), [5] = of("36/100") }

local function checked(...)
  local checks = { ... }
  return function(level)
    local chances = { stab_chance(level) }
    for _, check in checks do
      table.insert(chances, check[level])
    end
    return worth(chances, stab_damage(level), 2)
  end
end

-- ---- surprise ----

--- What surprise of `in_six` is worth: the stab first, then a further blow for each segment more.
local function surprised(level, in_six)
  local stab = worth({ stab_chance(level) }, stab_damage(level), 1)
  local segments = odds.rule("surprise.roll_in_six", { in_six = in_six }, "segments")
  local sum = of(0)
  for _, row in segments:data() do
    if row.value > 0 then
      sum = add(sum, times(row.exact, add(stab, times(further_blow(level), row.value - 1))))
    end
  end
  return sum
end

local function surprise_worth(in_six)
  return function(level)
    local silently, not_silently = MS[level], minus(1, MS[level])
    local mixed = add(times(silently, surprised(level, in_six)), times(not_silently, surprised(level, 2)))
    return times(mixed, HALF)
  end
end

--- A 1 gives the stab, halved for two rounds; a roll of k gives k(k-1)/2 further blows, not halved, and no stab.
local function surprise_as_printed(in_six)
  return function(level)
    local stab = worth({ stab_chance(level) }, stab_damage(level), 1)
    local blow = further_blow(level)
    local more = 0
    for k = 3, in_six do
      more += k * (k - 1) // 2
    end
    return times("1/6", add(add(times(stab, HALF), blow), times(MS[level], blow, more)))
  end
end

-- ---- single figures ----

local function percent_more(a, b)
  return times(over(minus(a, b), b), 100)
end

local function caught_up()
  for level = 1, LEVELS do
    if fighters_thac0(level) <= printed_thac0(level) then
      return of(level)
    end
  end
  return of(0)
end

local PRINTED_SILENT_RATIOS = { "0.1", "0.2", "0.2", "0.3", "0.4", "0.5", "0.5", "0.6", "0.8", "0.8", "0.8", "1.0" }

local function each(f)
  return function(level)
    return of(f(level))
  end
end

local rows = {}

--- `slip` names the author's slip on which even the stated figure rests.
local function row(name, stated, author, step, slip)
  rows[name] = { stated = stated, author = author, step = step, slip = slip }
end

local function percent(f)
  return function(level)
    return times(f(level), 100)
  end
end

local NO_EXTRA = "the fighter's 3/2 attacks left out"
local HIDING = "hiding at 15 %, not the 25 % of the premises"
local SURPRISE = "a 1 gives the stab, halved; k gives k(k-1)/2 further blows, not halved, and no stab"

row("THAC0 | fighter", each(fighters_thac0))
row("THAC0 | thief (+4)", function(level)
  return of(thiefs_base(level) - BONUSES)
end)
row("THAC0 | thief (+4, level adjusted)", function(level)
  return of(thiefs_base(adjusted(level)) - BONUSES)
end, each(printed_thac0), "an even 2 for each four levels instead of the row above")
row("Chance to hit AC 5 | fighter", function(level)
  return times(chance(fighters_thac0(level) - ARMOR_CLASS), 100)
end)
local TWICE = "+4 given twice"
row("Chance to hit AC 5 | thief (level adjusted, +4)", percent(stated_chance), percent(printed_chance), TWICE)
row("Damage per attack | fighter", fighters_attack)
local FROM_TWICE = "from the chance to hit with +4 given twice"
row("Damage per attack | thief", thiefs_attack, nil, nil, FROM_TWICE)
row("Damage per attack | ratio", attack_ratio, nil, nil, FROM_TWICE)
row("Text | average ratio per attack", function()
  return mean_over_levels(attack_ratio)
end, nil, nil, FROM_TWICE)
row("Damage per round | fighter", fighters_round, fighters_attack, NO_EXTRA)
row("Damage per round | thief", thiefs_round, nil, nil, FROM_TWICE)
row("Damage per round | ratio", round_ratio, round_ratio_without_extra_attacks, NO_EXTRA, FROM_TWICE)
row("Text | average ratio per round", function()
  return mean_over_levels(round_ratio)
end, function()
  return mean_over_levels(round_ratio_without_extra_attacks)
end, NO_EXTRA)
row("Text | one more round per back stab", function()
  return times(mean_over_levels(round_ratio), 2, THIRD)
end, function()
  return times(mean_over_levels(round_ratio_without_extra_attacks), 2, THIRD)
end, NO_EXTRA)
row("Damage per round with move silently | fighter", fighters_round, fighters_attack, NO_EXTRA)
row("Damage per round with move silently | thief", thiefs_round, halved_again, "halved a second time (1st level from 50 %)")
local A_LEVEL_HIGHER = "a level higher throughout, without dexterity"
row("Damage per round with move silently | move silently (level adjusted)", silent, silent_as_printed, A_LEVEL_HIGHER)
local AS_ABOVE = "from the three rows above it as printed"
row("Damage per round with move silently | ratio", silent_ratio, silent_ratio_as_printed, AS_ABOVE)
row("Text | thief's share of the fighter's damage, %", function()
  return times(mean_over_levels(silent_ratio), 100)
end, function()
  return times(fractions.mean(PRINTED_SILENT_RATIOS), 100)
end, "the mean of the printed ratios")

row("Level 1 and 5 DPR | Fighter melee", fighters_attack)
row("Level 1 and 5 DPR | Thief melee", function(level)
  return worth({ chance(thief_needs(level)) }, plain_damage, 1)
end)
row("Level 1 and 5 DPR | Back stab, to hit only", checked())
row("Level 1 and 5 DPR | with MS", checked(MS))
row("Level 1 and 5 DPR | with HiS", checked(HIS), checked(HIS_AS_USED), HIDING)
row("Level 1 and 5 DPR | with MS twice", checked(MS, MS))
row("Level 1 and 5 DPR | with HiS and MS", checked(HIS, MS), checked(HIS_AS_USED, MS), HIDING)

row("Multiple skill checks | Fighter melee", fighters_attack)
row("Multiple skill checks | Back stab", checked())
row("Multiple skill checks | with MS", checked(MS))
row("Multiple skill checks | with MS twice", checked(MS, MS))
row("Multiple skill checks | with HiS", checked(HIS), checked(HIS_AS_USED), HIDING)
row("Multiple skill checks | with HiS + MS", checked(HIS, MS), checked(HIS_AS_USED, MS), HIDING)

row("Surprise DPR | surprise 2 in 6", surprise_worth(2), surprise_as_printed(2), SURPRISE)
row("Surprise DPR | surprise 3 in 6 with MS", surprise_worth(3), surprise_as_printed(3), SURPRISE)
row("Surprise DPR | surprise 4 in 6 with MS and hiding", surprise_worth(4), surprise_as_printed(4), SURPRISE)

row("Text | first-level fighter DPR", fighters_attack)
row("Text | first-level thief's back stab", checked())
row("Text | number to hit, beside 45%", function()
  return of(thief_needs(1) - 4)
end, function()
  return of(printed_thac0(1) - ARMOR_CLASS)
end, "from the THAC0 row, where strength and armor class 6 are in")
row("Text | fighter ahead of one MS check, %", function()
  return percent_more(fighters_attack(1), checked(MS)(1))
end, function()
  return times(over("1.93", "0.45"), 100)
end, "1.93 / 0.45, from 50 % to hit, and times read as more")
row("Text | fighter against two checks, times", function()
  return over(fighters_attack(1), checked(MS, MS)(1))
end, function()
  return over(fighters_attack(1), "0.09")
end, "from 50 % to hit")
row("Text | chance of one segment, %", function()
  return times(select(2, odds.rule("surprise.roll_in_six", { in_six = 2 }, "segments"):p(1)), 100)
end)
row("Text | three rounds instead of two, % less", function()
  return times(minus(1, over(worth({}, plain_damage, 3), worth({}, plain_damage, 2))), 100)
end)
row("Text | DPR gain of 3/2 attacks, %", function()
  return times(minus(attacks_a_round(7), attacks_a_round(6)), 100)
end)
row("Text | specialization: damage gain of +1, %", function()
  return times(over(1, plain_damage), 100)
end, function()
  return times(over(1, odds("1d8+1").mean_exact), 100)
end, "of d8+1")
row("Text | level at which the fighter's THAC0 has caught the thief's", caught_up)

--- The tables as they come out when the premises are applied throughout.
local function applied()
  local table_of = { levels = {}, mean_ratio = nil, mean_ratio_with_move_silently = nil }
  local ratios, silent_ratios = {}, {}
  for level = 1, LEVELS do
    local needed = printed_thac0(level) - ARMOR_CLASS
    local multiplier = rules.back_stab.multiplier{ level = level }.multiplier
    -- The whole blow at once: d20, and the weapon where it hits.
    local blow = odds(function()
      if roll.d(20) < needed then
        return 0
      end
      return rules.back_stab.damage{ weapon = "1d8", multiplier = multiplier }.damage
    end)
    local ratio = over(times(blow.mean_exact, HALF), fighters_round(level))
    ratios[level], silent_ratios[level] = ratio, times(ratio, silent(level))
    table_of.levels[level] = {
      level = level,
      chance_percent = fractions.text(times(stated_chance(level), 100)),
      damage_per_attack = blow.mean_exact,
      thief_per_round = fractions.text(times(blow.mean_exact, HALF)),
      fighter_per_round = fractions.text(fighters_round(level)),
      ratio = fractions.text(ratio),
    }
  end
  table_of.mean_ratio = fractions.text(fractions.mean(ratios))
  table_of.mean_ratio_with_move_silently = fractions.text(fractions.mean(silent_ratios))
  return table_of
end

return { rows = rows, applied = applied }
