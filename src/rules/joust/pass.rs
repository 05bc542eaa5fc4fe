//! One pass of two riders.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MayHit, MayHitArgs, Seat, Target, Unhorse, UnhorseArgs, UnhorseOutcome, Weapon};
use crate::rules::attack::{Modifiers, ModifiersArgs, Roll, RollArgs, TableRolls};
use crate::rules::core::{DamageDice, List, Modifier, Natural, Referee, Rule, RuleError, Whole};
use crate::rules::{critical, damage, fumble, initiative};

/// Who strikes before whom (JST-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JoustOrder {
    /// The higher initiative strikes first, and a rider unhorsed by it does not strike; equal numbers strike together.
    #[default]
    Initiative,
    /// Both always strike.
    Simultaneous,
}

/// The switches of a pass.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PassOptions {
    /// Who strikes before whom (JST-01).
    pub joust_order: JoustOrder,
    /// Which naturals also roll on the tables of critical hits and misses. The source has neither in the lists; a
    /// natural 1 breaks the lance whatever this says (JST-05).
    pub table_rolls: TableRolls,
}

impl Default for PassOptions {
    fn default() -> Self {
        PassOptions { joust_order: JoustOrder::default(), table_rolls: TableRolls::Neither }
    }
}

/// A rider in the lists.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rider {
    /// Who.
    pub name: String,
    /// The saving throw against Death Ray to reach; constitution does not count (JST-02).
    pub save: Whole<1, 40>,
    /// The armor class, ascending.
    pub ac: Modifier,
    /// The weapon's damage.
    pub damage: DamageDice,
    /// The attack bonus of class and level.
    #[serde(default)]
    pub attack_bonus: Modifier,
    /// The strength modifier, to hit and to damage.
    #[serde(default)]
    pub str_mod: Whole<-10, 20>,
    /// The dexterity modifier, to initiative.
    #[serde(default)]
    pub dex_mod: Whole<-10, 10>,
    /// Anything else that counts for the attack.
    #[serde(default)]
    pub modifier: Modifier,
    /// The bonus for riding, to the saving throw against a fall.
    #[serde(default)]
    pub riding: Whole<0, 20>,
    /// What the rider wields; only a lance charges (JST-01, JST-06).
    #[serde(default)]
    pub weapon: Weapon,
    /// The damage of the weapon drawn on foot, where both have fallen (JST-07); `damage` when left out.
    #[serde(default)]
    pub foot_damage: Option<DamageDice>,
}

/// What `joust.pass` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PassArgs {
    /// One rider.
    pub a: Rider,
    /// The other.
    pub b: Rider,
    /// Whether the lances are blunted: the damage is the same and counts as subduing (JST-07).
    #[serde(default)]
    pub blunted: bool,
}

/// One rider's strike.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Strike {
    /// Who struck.
    pub by: String,
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
    /// Whether it hit.
    pub hit: bool,
    /// Whether the lance broke; the squires may hand up another at the end of the run.
    pub lance_broken: bool,
    /// A natural 20 that hit.
    pub critical_check: bool,
    /// A natural 1.
    pub fumble_check: bool,
    /// The damage, 0 when it missed.
    pub damage: i64,
    /// Whether the damage is subduing.
    pub subduing: bool,
    /// How the one who was hit sits; nothing when it missed.
    pub result: Option<Seat>,
    /// The saving throw of the one who was hit.
    pub save: Option<UnhorseOutcome>,
    /// The critical hit, where a switch calls for one.
    pub critical: Option<critical::HitOutcome>,
    /// The critical miss, where a switch calls for one.
    pub fumble: Option<fumble::RollOutcome>,
}

/// How a pass went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PassOutcome {
    /// The initiative of each rider, by name.
    pub initiative: BTreeMap<String, i64>,
    /// The strikes in the order in which they fell; a rider who could not strike has none.
    pub strikes: Vec<Strike>,
}

rule! {
    /// Rides one pass: initiative, then each rider strikes from the charge, and whoever is hit saves or falls.
    ///
    /// A charge with the lance has 2 more to hit and doubles the damage; its penalty to armor class does not count
    /// between the two. A natural 1 breaks the lance. A short weapon does not reach a rider who has a lance.
    pub struct Pass;
}

impl Rule for Pass {
    const NAME: &'static str = "joust.pass";
    const SOURCE: &'static [&'static str] =
        &["combat-details JST-01", "combat-details JST-05", "combat-details JST-06", "combat-details JST-07"];
    const EXAMPLE: &'static str = r#"{ a = { name = "Bran", attack_bonus = 3, str_mod = 1, ac = 17, save = 12, damage = "1d8" }, b = { name = "Odo", attack_bonus = 2, ac = 16, save = 13, damage = "1d8" } }"#;
    type Args = PassArgs;
    type Options = PassOptions;
    type Outcome = PassOutcome;

    fn resolve(args: PassArgs, options: PassOptions, referee: &mut Referee<'_>) -> Result<PassOutcome, RuleError> {
        let PassArgs { a, b, blunted } = &args;
        if a.name == b.name {
            let message = format!("must be another than a's: \"{}\" cannot ride against itself", a.name);
            return Err(RuleError::invalid("b.name", message));
        }
        let [of_a, of_b] = initiatives(a, b, referee)?;
        let initiative = BTreeMap::from([(a.name.clone(), of_a), (b.name.clone(), of_b)]);
        let (first, second) = if of_b > of_a { (b, a) } else { (a, b) };
        let together = of_a == of_b || options.joust_order == JoustOrder::Simultaneous;
        let mut strikes = Vec::with_capacity(2);
        strikes.extend(struck(first, second, *blunted, options, referee)?);
        let fell = strikes.iter().any(|strike: &Strike| strike.result.is_some_and(|seat| seat != Seat::Seated));
        if together || !fell {
            strikes.extend(struck(second, first, *blunted, options, referee)?);
        }
        Ok(PassOutcome { initiative, strikes })
    }
}

/// The initiative of both riders, through the rule that rolls it for everybody.
pub(super) fn initiatives(a: &Rider, b: &Rider, referee: &mut Referee<'_>) -> Result<[i64; 2], RuleError> {
    let combatant = |rider: &Rider| initiative::Combatant {
        name: rider.name.clone(),
        dex_mod: rider.dex_mod,
        modifier: Whole::default(),
    };
    let combatants = vec![combatant(a), combatant(b)];
    let combatants = List::new(combatants).ok_or_else(|| RuleError::missing("a"))?;
    let order = referee.call::<initiative::Roll>(initiative::RollArgs { combatants })?.order;
    let of = |rider: &Rider| {
        let group = order.iter().find(|group| group.names.contains(&rider.name));
        group.map_or(0, |group| group.initiative)
    };
    Ok([of(a), of(b)])
}

/// One strike, or none where the weapon does not reach.
fn struck(
    rider: &Rider,
    foe: &Rider,
    blunted: bool,
    options: PassOptions,
    referee: &mut Referee<'_>,
) -> Result<Option<Strike>, RuleError> {
    let reach = MayHitArgs {
        weapon: rider.weapon,
        foe_weapon: foe.weapon,
        mounted: true,
        foe_mounted: true,
        target: Target::Rider,
    };
    if !referee.call::<MayHit>(reach)?.allowed {
        referee.note(|| format!("{} cannot reach {} (JST-06)", rider.name, foe.name));
        return Ok(None);
    }
    let lance = rider.weapon == Weapon::Lance;
    let charge = referee.call::<Modifiers>(ModifiersArgs { charging: lance, ..ModifiersArgs::default() })?;
    let attack = referee.call::<Roll>(RollArgs {
        attack_bonus: rider.attack_bonus,
        ability_mod: Modifier::clamped(rider.str_mod.get()),
        modifier: Modifier::clamped(rider.modifier.get() + charge.modifier),
        ..RollArgs::against(foe.ac.get())
    })?;
    let fumble = if options.table_rolls.fumble_check(&attack) {
        Some(referee.call::<fumble::Roll>(fumble::RollArgs { dex_mod: rider.dex_mod })?)
    } else {
        None
    };
    let mut strike = Strike {
        by: rider.name.clone(),
        roll: attack.roll,
        total: attack.total,
        hit: attack.hit,
        lance_broken: lance && attack.fumble_check,
        critical_check: attack.critical_check,
        fumble_check: attack.fumble_check,
        damage: 0,
        subduing: blunted,
        result: None,
        save: None,
        critical: None,
        fumble,
    };
    if strike.hit {
        (strike.damage, strike.critical) = {
            let critical = options.table_rolls.critical_check(&attack);
            hurt(rider, critical, charge.damage_multiplier, referee)?
        };
        let save = referee.call::<Unhorse>(UnhorseArgs {
            save: foe.save,
            riding: foe.riding,
            damage: Natural::clamped(strike.damage),
        })?;
        strike.result = Some(save.result);
        strike.save = Some(save);
    }
    Ok(Some(strike))
}

/// The damage of a hit, and the critical hit it came from if there was one.
fn hurt(
    rider: &Rider,
    critical: bool,
    multiplier: i64,
    referee: &mut Referee<'_>,
) -> Result<(i64, Option<critical::HitOutcome>), RuleError> {
    if critical {
        let damage = rider.damage.with_modifier(rider.damage.modifier() + rider.str_mod.get());
        let critical = referee.call::<critical::Hit>(critical::HitArgs { damage, modifier: Whole::default() })?;
        return Ok((critical.damage * multiplier, Some(critical)));
    }
    let damage = referee.call::<damage::Roll>(damage::RollArgs {
        damage: rider.damage.clone(),
        kind: damage::Kind::Melee,
        str_mod: rider.str_mod,
        magic_bonus: Whole::default(),
        multiplier: Whole::clamped(multiplier),
        subduing: false,
    })?;
    Ok((damage.damage, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn pass(more: &str, dice: &[i64]) -> PassOutcome {
        outcome::<Pass>(&args("", more), dice)
    }

    fn args(of_odo: &str, more: &str) -> String {
        format!(
            r#"{{"a":{{"name":"Bran","attack_bonus":3,"str_mod":1,"ac":17,"save":12,"damage":"1d8"}},
                "b":{{"name":"Odo","attack_bonus":2,"ac":16,"save":13,"damage":"1d8"{of_odo}}}{more}}}"#
        )
    }

    #[test]
    fn a_rider_unhorsed_first_does_not_strike() {
        let ridden = pass("", &[5, 2, 10, 4, 12]);
        assert_eq!(ridden.strikes.len(), 1);
        assert_eq!((ridden.strikes[0].damage, ridden.strikes[0].result), (10, Some(Seat::Unhorsed)));
        let both = pass(r#","options":{"joust_order":"simultaneous"}"#, &[5, 2, 10, 4, 12, 9]);
        assert_eq!(both.strikes.len(), 2);
    }

    #[test]
    fn a_natural_one_breaks_the_lance_and_fumbles_only_by_a_switch() {
        let broken = pass("", &[5, 2, 1, 1]);
        assert!(broken.strikes.iter().all(|strike| strike.lance_broken && strike.fumble.is_none()));
        let fumbled = pass(r#","options":{"table_rolls":"fumble"}"#, &[5, 2, 1, 20, 9]);
        assert!(fumbled.strikes[0].fumble.is_some());
    }

    #[test]
    fn a_critical_by_a_switch_is_doubled_by_the_charge() {
        let ridden = pass(r#","options":{"table_rolls":"critical"}"#, &[5, 2, 20, 13, 20, 5]);
        // Maximum damage: (8 + 1) twice.
        assert_eq!(ridden.strikes[0].damage, 18);
        assert_eq!(ridden.strikes[0].save.as_ref().map(|save| save.total), Some(17));
    }

    #[test]
    fn a_sword_against_the_lance_makes_no_strike() {
        let ridden = outcome::<Pass>(&args(r#","weapon":"sword""#, ""), &[2, 5, 9]);
        assert_eq!(ridden.strikes.len(), 1);
        assert_eq!(ridden.strikes[0].by, "Bran");
    }

    #[test]
    fn nobody_rides_against_himself() {
        let same = args("", "").replace("Odo", "Bran");
        let error = resolved("joust.pass", &same, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some("b.name")));
    }
}
