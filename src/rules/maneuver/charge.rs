//! Charges, and weapons set against them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::rules::attack::{Modifiers, ModifiersArgs};
use crate::rules::core::{Modifier, Natural, NoOptions, Referee, Rule, RuleError};

/// The shortest run that is a charge, in feet (MAN-04).
const SHORTEST_CHARGE: i64 = 10;

/// Why a charge cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChargeFault {
    /// Less than 10 ft to run.
    TooShort,
    /// More than double movement.
    TooFar,
    /// The way is not straight.
    Straight,
    /// The way is not clear.
    Clear,
    /// The weapon does not lend itself to a charge.
    WeaponSuitable,
    /// The target was not in sight at the start.
    SightAtStart,
}

/// What `maneuver.charge` is asked. Distances are in feet.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChargeArgs {
    /// How far the charge goes, in feet.
    pub distance: Natural,
    /// The encounter movement of the one who charges, in feet a round.
    pub rate: Natural,
    /// Whether the way is mostly straight.
    #[serde(default = "crate::rules::core::yes")]
    pub straight: bool,
    /// Whether the way is clear.
    #[serde(default = "crate::rules::core::yes")]
    pub clear: bool,
    /// Whether the weapon suits: a spear, lance or pole arm, or the horns of a monster.
    #[serde(default = "crate::rules::core::yes")]
    pub weapon_suitable: bool,
    /// Whether the target was in sight at the start.
    #[serde(default = "crate::rules::core::yes")]
    pub sight_at_start: bool,
}

/// Whether the charge may be made and what it changes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChargeOutcome {
    /// Whether it may be made.
    pub allowed: bool,
    /// All that stands against it; empty when it may be made.
    pub reasons: SmallVec<[ChargeFault; 6]>,
    /// Added to the attack roll at its end.
    pub attack: i64,
    /// Added to the charger's own armor class for the round.
    pub ac: i64,
    /// What the damage of a hit is multiplied by.
    pub damage_multiplier: i64,
}

rule! {
    /// Tells whether a charge may be made, and what it changes: +2 to hit, -2 armor class for the round, double damage.
    pub struct Charge;
}

impl Rule for Charge {
    const NAME: &'static str = "maneuver.charge";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-04"];
    const EXAMPLE: &'static str = "{ distance = 60, rate = 40 }";
    type Args = ChargeArgs;
    type Options = NoOptions;
    type Outcome = ChargeOutcome;

    fn resolve(args: ChargeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ChargeOutcome, RuleError> {
        let (distance, rate) = (args.distance.get(), args.rate.get());
        let reasons: SmallVec<[ChargeFault; 6]> = [
            (distance < SHORTEST_CHARGE, ChargeFault::TooShort),
            (distance > 2 * rate, ChargeFault::TooFar),
            (!args.straight, ChargeFault::Straight),
            (!args.clear, ChargeFault::Clear),
            (!args.weapon_suitable, ChargeFault::WeaponSuitable),
            (!args.sight_at_start, ChargeFault::SightAtStart),
        ]
        .into_iter()
        .filter_map(|(stands_against, fault)| stands_against.then_some(fault))
        .collect();
        if !reasons.is_empty() {
            return Ok(ChargeOutcome { allowed: false, reasons, attack: 0, ac: 0, damage_multiplier: 1 });
        }
        let charge = referee.call::<Modifiers>(ModifiersArgs { charging: true, ..ModifiersArgs::default() })?;
        Ok(ChargeOutcome {
            allowed: true,
            reasons,
            attack: charge.modifier,
            ac: charge.ac_change,
            damage_multiplier: charge.damage_multiplier,
        })
    }
}

/// What `maneuver.set_weapon` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetWeaponArgs {
    /// The initiative of the one who sets the weapon.
    pub own_initiative: Modifier,
    /// The charger's initiative.
    pub charger_initiative: Modifier,
    /// Whether the weapon is a spear, a pole arm or the like.
    pub weapon_suitable: bool,
}

/// Why a weapon cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetWeaponFault {
    /// Not a weapon that can be set.
    Weapon,
    /// The charger is there first.
    Initiative,
}

/// Whether a weapon may be set against a charge.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetWeaponOutcome {
    /// Whether it may.
    pub allowed: bool,
    /// Why not; nothing when it may.
    pub reason: Option<SetWeaponFault>,
    /// What the damage of a hit on the charger is multiplied by.
    pub damage_multiplier: i64,
}

rule! {
    /// Tells whether a spear or pole arm is set in time against a charge; it then deals double damage.
    pub struct SetWeapon;
}

impl Rule for SetWeapon {
    const NAME: &'static str = "maneuver.set_weapon";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-07"];
    const EXAMPLE: &'static str = "{ own_initiative = 4, charger_initiative = 4, weapon_suitable = true }";
    type Args = SetWeaponArgs;
    type Options = NoOptions;
    type Outcome = SetWeaponOutcome;

    fn resolve(args: SetWeaponArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<SetWeaponOutcome, RuleError> {
        let reason = if !args.weapon_suitable {
            Some(SetWeaponFault::Weapon)
        } else if args.own_initiative < args.charger_initiative {
            Some(SetWeaponFault::Initiative)
        } else {
            None
        };
        let set = ModifiersArgs { set_against_charge: reason.is_none(), ..ModifiersArgs::default() };
        let damage_multiplier = referee.call::<Modifiers>(set)?.damage_multiplier;
        Ok(SetWeaponOutcome { allowed: reason.is_none(), reason, damage_multiplier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn all_that_stands_against_a_charge_is_named() {
        let charge = outcome::<Charge>(r#"{"distance":5,"rate":2,"clear":false}"#, &[]);
        assert_eq!(charge.reasons.as_slice(), [ChargeFault::TooShort, ChargeFault::TooFar, ChargeFault::Clear]);
        let charge = outcome::<Charge>(r#"{"distance":80,"rate":40}"#, &[]);
        assert_eq!((charge.allowed, charge.attack, charge.ac, charge.damage_multiplier), (true, 2, -2, 2));
    }

    #[test]
    fn a_weapon_set_too_late_is_no_help() {
        let late = outcome::<SetWeapon>(r#"{"own_initiative":3,"charger_initiative":4,"weapon_suitable":true}"#, &[]);
        assert_eq!((late.allowed, late.reason, late.damage_multiplier), (false, Some(SetWeaponFault::Initiative), 1));
    }
}
