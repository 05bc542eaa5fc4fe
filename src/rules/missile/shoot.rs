//! A whole shot, from the range to whoever it strays into.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ally, Range, RangeArgs, RangeBand, Stray, StrayArgs, StrayOutcome, WeaponRanges, WeaponRangesArgs};
use crate::rules::attack::{ModifiersArgs, Resolve, ResolveArgs, ResolveOutcome, Struck};
use crate::rules::core::{DamageDice, List, Modifier, Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};
use crate::rules::damage;

/// What `missile.shoot` is asked. Distances are in feet.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShootArgs {
    /// How far the target is, in feet.
    pub distance: Natural,
    /// The weapon, for its ranges: `longbow`, `sling`, `ballista` (see `missile.weapon_ranges`).
    #[serde(default)]
    pub weapon: Option<String>,
    /// Greatest distance of short range in feet, instead of a weapon.
    #[serde(default)]
    pub short: Option<Positive>,
    /// Greatest distance of medium range in feet, instead of a weapon.
    #[serde(default)]
    pub medium: Option<Positive>,
    /// Greatest distance of long range in feet, instead of a weapon.
    #[serde(default)]
    pub long: Option<Positive>,
    /// The damage of what is shot: "1d8" (see `weapon.figures`).
    pub damage: DamageDice,
    /// What shoots: a bow, a crossbow, a sling, or the hand.
    pub kind: damage::Kind,
    /// The target's armor class, ascending.
    pub ac: Modifier,
    /// The attack bonus of class and level, or of hit dice.
    #[serde(default)]
    pub attack_bonus: Modifier,
    /// The dexterity modifier, to hit.
    #[serde(default)]
    pub dex_mod: Whole<-10, 10>,
    /// The strength modifier, to the damage of what is thrown or slung.
    #[serde(default)]
    pub str_mod: Whole<-10, 20>,
    /// The magic bonus, to hit and to damage.
    #[serde(default)]
    pub magic_bonus: Whole<-10, 10>,
    /// Anything else that counts for the roll to hit.
    #[serde(default)]
    pub modifier: Modifier,
    /// Added to the roll on the table of critical hits, -40 to 40; by the switch `critical_modifiers` of `attack.resolve`
    /// what is added to the roll to hit counts too.
    #[serde(default)]
    pub critical_modifier: Whole<-40, 40>,
    /// The situation, as `attack.modifiers` takes it; for a shot from behind say `behind` here instead.
    #[serde(default)]
    pub situation: ModifiersArgs,
    /// Whether the shooter is behind the target; it counts when the target has not noticed or is distracted (MIS-02).
    #[serde(default)]
    pub behind: bool,
    /// Whether the target has not noticed the shooter.
    #[serde(default)]
    pub undetected: bool,
    /// Whether the target is kept from striking at the shooter.
    #[serde(default)]
    pub distracted: bool,
    /// Whether the shooter is proficient with the weapon.
    #[serde(default = "crate::rules::core::yes")]
    pub proficient: bool,
    /// Whether the weapon cannot hurt the target at all.
    #[serde(default)]
    pub immune: bool,
    /// The target's hit points, to deal the wound as well.
    #[serde(default)]
    pub target: Option<Struck>,
    /// Allies in the melee that is shot into, in the order in which a stray shot is tried on them (MIS-05).
    #[serde(default)]
    pub allies: List<Ally>,
}

/// Why a shot cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShootFault {
    /// The target is beyond long range.
    OutOfRange,
}

/// How a whole shot went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShootOutcome {
    /// Whether the shot could be made.
    pub allowed: bool,
    /// Why not; nothing when it could.
    pub reason: Option<ShootFault>,
    /// The range.
    pub range_band: RangeBand,
    /// What the range added to the roll; nothing when the shot could not be made.
    pub range_modifier: Option<i64>,
    /// The attack; nothing when the shot could not be made.
    pub attack: Option<ResolveOutcome>,
    /// Where a miss went, when there were allies in the way.
    pub stray: Option<StrayOutcome>,
    /// The damage to the ally whom a stray shot hit; 0 otherwise.
    pub stray_damage: i64,
}

rule! {
    /// Resolves a whole shot: the range, the attack at it, and where a miss into a melee goes.
    ///
    /// Beyond long range there is no shot. From behind and unnoticed, or at somebody distracted, a shot has the bonus
    /// for an attack from behind at any range.
    pub struct Shoot;
}

impl Rule for Shoot {
    const NAME: &'static str = "missile.shoot";
    const SOURCE: &'static [&'static str] =
        &["combat-details MIS-01", "combat-details MIS-02", "combat-details MIS-05", "combat-details ATK-01"];
    const EXAMPLE: &'static str = r#"{ distance = 60, weapon = "longbow", damage = "1d8", kind = "bow", ac = 14, attack_bonus = 2, dex_mod = 1, allies = { { name = "Bran", ac = 17 } } }"#;
    type Args = ShootArgs;
    type Options = NoOptions;
    type Outcome = ShootOutcome;

    fn resolve(args: ShootArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ShootOutcome, RuleError> {
        let range = referee.call::<Range>(RangeArgs {
            distance: args.distance,
            short: args.short,
            medium: args.medium,
            long: args.long,
            weapon: args.weapon.clone(),
            behind: args.behind,
            undetected: args.undetected,
            distracted: args.distracted,
        })?;
        let mut outcome = ShootOutcome {
            allowed: range.possible,
            reason: None,
            range_band: range.range_band,
            range_modifier: range.modifier,
            attack: None,
            stray: None,
            stray_damage: 0,
        };
        let Some(of_range) = range.modifier.filter(|_| range.possible) else {
            outcome.reason = Some(ShootFault::OutOfRange);
            return Ok(outcome);
        };
        let engine = match &args.weapon {
            Some(weapon) => referee.call::<WeaponRanges>(WeaponRangesArgs { weapon: weapon.clone() })?.attack,
            None => 0,
        };
        // missile.range has counted the rear for its own total within 5 ft; farther off attack.modifiers does.
        let from_behind =
            args.behind && (args.undetected || args.distracted) && outcome.range_band != RangeBand::PointBlankFree;
        let modifier = Modifier::clamped(args.modifier.get() + of_range + engine);
        let situation = ModifiersArgs { from_behind: from_behind || args.situation.from_behind, ..args.situation };
        let attack = referee.call::<Resolve>(ResolveArgs {
            ac: args.ac,
            damage: args.damage.clone(),
            kind: args.kind,
            attack_bonus: args.attack_bonus,
            str_mod: args.str_mod,
            dex_mod: args.dex_mod,
            magic_bonus: args.magic_bonus,
            modifier,
            critical_modifier: args.critical_modifier,
            situation,
            proficient: args.proficient,
            immune: args.immune,
            target: args.target,
        })?;
        if !attack.hit && !args.allies.is_empty() {
            let own = modifier.get() + args.dex_mod.get() + args.magic_bonus.get();
            let stray = referee.call::<Stray>(StrayArgs {
                attack_bonus: if args.proficient { args.attack_bonus } else { Modifier::default() },
                modifier: Modifier::clamped(own),
                allies: args.allies,
            })?;
            if stray.hit.is_some() {
                outcome.stray_damage = referee
                    .call::<damage::Roll>(damage::RollArgs {
                        damage: args.damage.clone(),
                        kind: args.kind,
                        str_mod: args.str_mod,
                        magic_bonus: args.magic_bonus,
                        multiplier: Whole::clamped(1),
                        subduing: false,
                    })?
                    .damage;
            }
            outcome.stray = Some(stray);
        }
        outcome.attack = Some(attack);
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved_in};

    fn shot(more: &str, dice: &[i64]) -> ShootOutcome {
        let args =
            format!(r#"{{"weapon":"longbow","damage":"1d8","kind":"bow","ac":14,"attack_bonus":2,"dex_mod":1{more}}}"#);
        outcome::<Shoot>(&args, dice)
    }

    #[test]
    fn beyond_long_range_no_arrow_leaves_the_string() {
        let far = shot(r#","distance":211"#, &[]);
        assert_eq!((far.allowed, far.reason), (false, Some(ShootFault::OutOfRange)));
    }

    #[test]
    fn range_dexterity_and_bonus_make_the_total() {
        let near = shot(r#","distance":70"#, &[10, 5]);
        assert_eq!(near.attack.map(|attack| (attack.total, attack.hit, attack.damage)), Some((14, true, 5)));
        let far = shot(r#","distance":150"#, &[10]);
        assert_eq!(far.attack.map(|attack| (attack.total, attack.hit)), Some((11, false)));
    }

    #[test]
    fn a_modifier_counts_on_the_critical_table() {
        let plain = shot(r#","distance":70"#, &[20, 10, 4]);
        assert_eq!(plain.attack.map(|attack| attack.damage), Some(4));
        let given = shot(r#","distance":70,"critical_modifier":1"#, &[20, 10]);
        assert_eq!(given.attack.map(|attack| attack.damage), Some(8));
    }

    #[test]
    fn what_aims_a_shot_counts_on_the_critical_table_by_the_switch() {
        // CRT-01: "d20 + modifiers"; 2 for class and level, 1 for dexterity, 0 at medium range, and 1 given.
        let mut house = House::new();
        house.set("attack.resolve.critical_modifiers", "as_to_hit".into(), "a test").unwrap();
        let args = r#"{"weapon":"longbow","damage":"1d8","kind":"bow","ac":14,"attack_bonus":2,"dex_mod":1,
            "distance":100,"critical_modifier":1}"#;
        let shot = resolved_in(&house, "missile.shoot", args, &[20, 12, 4]).unwrap();
        let critical = shot.get("attack").and_then(|attack| attack.get("critical")).unwrap();
        assert_eq!((critical.get("total"), critical.get("damage")), (Some(&16.into()), Some(&12.into())));
    }

    #[test]
    fn a_miss_into_a_melee_may_hit_a_friend() {
        let stray = shot(r#","distance":70,"allies":[{"name":"Bran","ac":17},{"name":"Odo","ac":12}]"#, &[9, 8, 8, 4]);
        assert_eq!(stray.stray.and_then(|stray| stray.hit).as_deref(), Some("Odo"));
        assert_eq!(stray.stray_damage, 4);
    }

    #[test]
    fn the_rear_counts_once_near_and_far() {
        for distance in [5, 50] {
            let rear = shot(&format!(r#","distance":{distance},"behind":true,"undetected":true"#), &[10, 1]);
            assert_eq!(rear.attack.map(|attack| attack.total), Some(16), "{distance} ft");
        }
        let noticed = shot(r#","distance":50,"behind":true"#, &[10, 1]);
        assert_eq!(noticed.attack.map(|attack| attack.total), Some(14));
    }

    #[test]
    fn a_siege_engine_is_hard_to_aim() {
        let args = r#"{"weapon":"ballista","distance":100,"damage":"2d8","kind":"crossbow","ac":14}"#;
        let shot = outcome::<Shoot>(args, &[16]);
        assert_eq!(shot.attack.map(|attack| attack.total), Some(13));
    }
}
