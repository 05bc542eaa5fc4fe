//! A whole attack, from the situation to the wound.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Modifiers, ModifiersArgs, Roll, RollArgs, TableRolls};
use crate::rules::core::{DamageDice, Modifier, Natural, Referee, Rolls, Rule, RuleError, Whole};
use crate::rules::{critical, damage, fumble, subdual};

/// What is added to the roll on the table of critical hits. The source says "d20 + modifiers" and not which; its printed
/// chances hold for none (CRT-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriticalModifiers {
    /// Nothing but the attack's `critical_modifier`.
    #[default]
    None,
    /// All that was added to the roll to hit as well.
    AsToHit,
}

/// The switches of a whole attack.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResolveOptions {
    /// Which naturals roll on the tables of critical hits and misses.
    pub table_rolls: TableRolls,
    /// Whether the doubling of a charge or a set weapon also doubles a critical hit.
    pub critical_multiplied: bool,
    /// What is added to the roll on the table of critical hits.
    pub critical_modifiers: CriticalModifiers,
}

impl Default for ResolveOptions {
    fn default() -> Self {
        ResolveOptions {
            table_rolls: TableRolls::Both,
            critical_multiplied: true,
            critical_modifiers: CriticalModifiers::None,
        }
    }
}

/// The one who is struck, when the wound is to be dealt as well.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Struck {
    /// Hit points before the blow.
    pub hp: Natural,
    /// Whether there was subduing damage before (SUB-02).
    #[serde(default)]
    pub subdued: bool,
}

/// What `attack.resolve` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResolveArgs {
    /// The armor class to reach, ascending.
    pub ac: Modifier,
    /// The weapon's damage: "1d8".
    pub damage: DamageDice,
    /// How the blow is struck: hand to hand unless it says otherwise.
    #[serde(default = "melee")]
    pub kind: damage::Kind,
    /// The attack bonus of class and level, or of hit dice (ATK-02).
    #[serde(default)]
    pub attack_bonus: Modifier,
    /// The strength modifier: to hit in melee, to damage unless a bow or crossbow shoots.
    #[serde(default)]
    pub str_mod: Whole<-10, 20>,
    /// The dexterity modifier: to hit with what is thrown or shot, and to the checks of a fumble.
    #[serde(default)]
    pub dex_mod: Whole<-10, 10>,
    /// The weapon's magic bonus, negative when cursed: to hit and to damage.
    #[serde(default)]
    pub magic_bonus: Whole<-10, 10>,
    /// Anything else that counts for the roll to hit.
    #[serde(default)]
    pub modifier: Modifier,
    /// Added to the roll on the table of critical hits, -40 to 40.
    #[serde(default)]
    pub critical_modifier: Whole<-40, 40>,
    /// The situation, as `attack.modifiers` takes it.
    #[serde(default)]
    pub situation: ModifiersArgs,
    /// Whether the attacker is proficient with the weapon (PRF-01).
    #[serde(default = "crate::rules::core::yes")]
    pub proficient: bool,
    /// Whether the weapon cannot hurt the target at all (ATK-04).
    #[serde(default)]
    pub immune: bool,
    /// The target's hit points, to deal the wound as well.
    #[serde(default)]
    pub target: Option<Struck>,
}

fn melee() -> damage::Kind {
    damage::Kind::Melee
}

/// How a whole attack went. What is rare stands apart, so that the usual outcome is small.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResolveOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
    /// Whether it hits.
    pub hit: bool,
    /// Total less armor class.
    pub margin: i64,
    /// What the situation added to the roll.
    pub situation_modifier: i64,
    /// What the situation adds to the attacker's own armor class for the round.
    pub ac_change: i64,
    /// A natural 20 that hit.
    pub critical_check: bool,
    /// A natural 1.
    pub fumble_check: bool,
    /// The damage dice of a hit, in order.
    pub rolls: Rolls,
    /// The damage: 0 when it missed, at least 1 when it hit.
    pub damage: i64,
    /// Whether the damage is subduing.
    pub subduing: bool,
    /// What became of a natural 20 that hit, where the table is rolled on.
    pub critical: Option<Box<critical::HitOutcome>>,
    /// What became of a natural 1, where the table is rolled on.
    pub fumble: Option<Box<fumble::RollOutcome>>,
    /// How the target is afterwards, when its hit points were given.
    pub target: Option<subdual::ApplyOutcome>,
}

rule! {
    /// Resolves a whole attack: situation, roll to hit, critical hit or miss, damage, and the wound if hit points are
    /// given.
    ///
    /// Strength counts for the roll in melee, dexterity for what is thrown or shot. A natural 20 that hits rolls on the
    /// critical hit table instead of plain damage, a natural 1 on the critical miss table. A blow to subdue does half,
    /// and a hit at least 1.
    pub struct Resolve;
}

impl Rule for Resolve {
    const NAME: &'static str = "attack.resolve";
    const SOURCE: &'static [&'static str] = &[
        "combat-details ATK-01",
        "combat-details ATK-04",
        "combat-details CRT-01",
        "combat-details FUM-01",
        "combat-details DMG-01",
        "combat-details SUB-01",
        "combat-details SUB-02",
    ];
    const EXAMPLE: &'static str = r#"{ ac = 15, damage = "1d8", attack_bonus = 3, str_mod = 1, situation = { flanking = true }, target = { hp = 12 } }"#;
    type Args = ResolveArgs;
    type Options = ResolveOptions;
    type Outcome = ResolveOutcome;

    fn resolve(
        args: ResolveArgs,
        options: ResolveOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ResolveOutcome, RuleError> {
        let situation = referee.call::<Modifiers>(args.situation.clone())?;
        let ability = if args.kind == damage::Kind::Melee { args.str_mod.get() } else { args.dex_mod.get() };
        let attack = referee.call::<Roll>(RollArgs {
            ac: args.ac,
            attack_bonus: args.attack_bonus,
            ability_mod: Modifier::clamped(ability),
            modifier: Modifier::clamped(args.modifier.get() + args.magic_bonus.get() + situation.modifier),
            proficient: args.proficient,
            immune: args.immune,
        })?;
        let mut outcome = ResolveOutcome {
            roll: attack.roll,
            total: attack.total,
            hit: attack.hit,
            margin: attack.margin,
            situation_modifier: situation.modifier,
            ac_change: situation.ac_change,
            critical_check: attack.critical_check,
            fumble_check: attack.fumble_check,
            rolls: Rolls::new(),
            damage: 0,
            subduing: args.situation.subduing,
            critical: None,
            fumble: None,
            target: None,
        };
        if options.table_rolls.fumble_check(&attack) {
            let fumble = referee.call::<fumble::Roll>(fumble::RollArgs { dex_mod: args.dex_mod })?;
            outcome.fumble = Some(Box::new(fumble));
        }
        if outcome.hit {
            let critical = options.table_rolls.critical_check(&attack);
            wound(&args, critical, situation.damage_multiplier, options, &mut outcome, referee)?;
            if let Some(Struck { hp, subdued }) = args.target {
                outcome.target = Some(referee.call::<subdual::Apply>(subdual::ApplyArgs {
                    hp,
                    kind: if outcome.subduing { subdual::Kind::Subduing } else { subdual::Kind::Lethal },
                    damage: Whole::clamped(outcome.damage),
                    subdued,
                })?);
            }
        }
        Ok(outcome)
    }
}

/// Rolls the damage of a hit into the outcome.
fn wound(
    args: &ResolveArgs,
    critical: bool,
    multiplier: i64,
    options: ResolveOptions,
    outcome: &mut ResolveOutcome,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
    if !critical {
        let rolled = referee.call::<damage::Roll>(damage::RollArgs {
            damage: args.damage.clone(),
            kind: args.kind,
            str_mod: args.str_mod,
            magic_bonus: args.magic_bonus,
            multiplier: Whole::clamped(multiplier),
            subduing: outcome.subduing,
        })?;
        (outcome.rolls, outcome.damage) = (rolled.rolls, rolled.damage);
        return Ok(());
    }
    let strength = if args.kind.strength_counts() { args.str_mod.get() } else { 0 };
    let modifier = args.damage.modifier() + strength + args.magic_bonus.get();
    let damage = args.damage.with_modifier(modifier);
    let as_to_hit = match options.critical_modifiers {
        CriticalModifiers::None => 0,
        CriticalModifiers::AsToHit => outcome.total - outcome.roll,
    };
    let to_critical = args.critical_modifier.get() + as_to_hit;
    let hit = referee.call::<critical::Hit>(critical::HitArgs { damage, modifier: Whole::clamped(to_critical) })?;
    let full = hit.damage * if options.critical_multiplied { multiplier } else { 1 };
    // Half of it to subdue, and 1 at least, as damage.roll does it (DMG-01, SUB-01).
    outcome.damage = if outcome.subduing { (full / 2).max(damage::LEAST_DAMAGE) } else { full };
    outcome.rolls.clone_from(&hit.rolls);
    outcome.critical = Some(Box::new(hit));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::rules::core::testing::{outcome, resolved_in};
    use crate::rules::core::{House, Next, Value, Wrapper};

    #[test]
    fn a_plain_hit_rolls_damage_and_wounds() {
        let args = r#"{"ac":15,"damage":"1d8","attack_bonus":3,"str_mod":1,"target":{"hp":5}}"#;
        let hit = outcome::<Resolve>(args, &[11, 6]);
        assert_eq!((hit.hit, hit.damage), (true, 7));
        assert_eq!(hit.target.map(|target| target.hp), Some(-2));
        let miss = outcome::<Resolve>(args, &[10]);
        assert!(!miss.hit && miss.damage == 0 && miss.target.is_none());
    }

    #[test]
    fn naturals_go_to_their_tables_unless_a_switch_keeps_them_away() {
        let args = r#"{"ac":15,"damage":"1d8"}"#;
        // 13 on the critical table: maximum damage, no damage dice.
        assert_eq!(outcome::<Resolve>(args, &[20, 13]).damage, 8);
        assert!(outcome::<Resolve>(args, &[1, 12]).fumble.is_some_and(|fumble| fumble.loses_next_attack));
        let plain = r#"{"ac":15,"damage":"1d8","options":{"table_rolls":"neither"}}"#;
        assert_eq!(outcome::<Resolve>(plain, &[20, 4]).damage, 4);
        assert!(outcome::<Resolve>(plain, &[1]).fumble.is_none());
    }

    #[test]
    fn modifiers_count_on_the_critical_table_by_argument_or_by_switch() {
        let args = |more: &str| format!(r#"{{"ac":15,"damage":"1d8","attack_bonus":3,"str_mod":1{more}}}"#);
        // CRT-01: "d20 + modifiers". 10 is regular damage, 11 and more the most the die shows, 16 and more the die beside.
        let plain = outcome::<Resolve>(&args(""), &[20, 10, 4]);
        assert_eq!(plain.damage, 5);
        let given = outcome::<Resolve>(&args(r#","critical_modifier":1"#), &[20, 10]);
        assert_eq!(given.damage, 9);
        let switched = args(r#","critical_modifier":2,"options":{"critical_modifiers":"as_to_hit"}"#);
        let all = outcome::<Resolve>(&switched, &[20, 10, 4]);
        assert_eq!((all.critical.map(|critical| critical.total), all.damage), (Some(16), 13));
    }

    #[test]
    fn a_charge_doubles_a_critical_too_unless_a_switch_says_no() {
        let args = r#"{"ac":15,"damage":"1d8","situation":{"charging":true}"#;
        let charge = outcome::<Resolve>(&format!("{args}}}"), &[20, 13]);
        assert_eq!((charge.damage, charge.ac_change), (16, -2));
        let once = outcome::<Resolve>(&format!(r#"{args},"options":{{"critical_multiplied":false}}}}"#), &[20, 13]);
        assert_eq!(once.damage, 8);
    }

    #[test]
    fn the_flat_of_the_blade_does_half_and_knocks_out() {
        let args = r#"{"ac":10,"damage":"1d8","situation":{"subduing":true},"target":{"hp":3}}"#;
        let blow = outcome::<Resolve>(args, &[14, 7]);
        assert_eq!((blow.total, blow.damage), (10, 3));
        assert_eq!(blow.target.map(|target| target.status), Some(subdual::Status::Unconscious));
        assert_eq!(outcome::<Resolve>(args, &[14, 1]).damage, 1);
    }

    #[test]
    fn strength_aims_a_sword_and_dexterity_a_bow() {
        let args = |kind: &str| format!(r#"{{"ac":15,"damage":"1d6","kind":"{kind}","str_mod":3,"dex_mod":1}}"#);
        assert_eq!(outcome::<Resolve>(&args("melee"), &[12, 2]).damage, 5);
        let bow = outcome::<Resolve>(&args("bow"), &[14, 2]);
        assert_eq!((bow.total, bow.damage), (15, 2));
    }

    /// Turns every damage roll into one point.
    struct OnePoint;

    impl Wrapper for OnePoint {
        fn wrap(&self, args: Value, next: Next<'_>, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
            let mut outcome = next.resolve(args, referee)?;
            if let Value::Map(fields) = &mut outcome {
                fields.set("damage", 1.into());
            }
            Ok(outcome)
        }
    }

    #[test]
    fn a_house_rule_on_damage_acts_inside_the_attack() {
        let mut house = House::new();
        house.wrap("damage.roll", Rc::new(OnePoint), "a test").unwrap();
        let hit = resolved_in(&house, "attack.resolve", r#"{"ac":5,"damage":"1d8"}"#, &[10, 8]).unwrap();
        assert_eq!(hit.get("damage"), Some(&1.into()));
    }
}
