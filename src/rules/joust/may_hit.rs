//! Who can hit whom from the saddle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{NoOptions, Referee, Rule, RuleError};

/// What a short weapon adds against an opponent's horse (JST-04).
const AGAINST_THE_HORSE: i64 = 2;

/// A weapon of the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weapon {
    /// The lance.
    #[default]
    Lance,
    /// A sword.
    Sword,
    /// A mace.
    Mace,
    /// A flail.
    Flail,
    /// Another short weapon.
    OtherSmall,
}

/// What is struck at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The opponent.
    #[default]
    Rider,
    /// The opponent's horse.
    Horse,
}

/// What `joust.may_hit` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayHitArgs {
    /// What the attacker wields.
    pub weapon: Weapon,
    /// What the opponent wields.
    pub foe_weapon: Weapon,
    /// Whether the attacker is in the saddle.
    #[serde(default = "crate::rules::core::yes")]
    pub mounted: bool,
    /// Whether the opponent is in the saddle.
    #[serde(default = "crate::rules::core::yes")]
    pub foe_mounted: bool,
    /// What is struck at.
    #[serde(default)]
    pub target: Target,
}

/// Whether a blow can land.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayHitOutcome {
    /// Whether it can.
    pub allowed: bool,
    /// Added to the attack roll.
    pub modifier: i64,
}

rule! {
    /// Tells whether a blow can land from the saddle: a short weapon does not reach a rider who has a lance, but has 2
    /// more against the horse.
    pub struct MayHit;
}

impl Rule for MayHit {
    const NAME: &'static str = "joust.may_hit";
    const SOURCE: &'static [&'static str] = &["combat-details JST-04", "combat-details JST-06"];
    const EXAMPLE: &'static str = r#"{ weapon = "sword", foe_weapon = "lance", target = "horse" }"#;
    type Args = MayHitArgs;
    type Options = NoOptions;
    type Outcome = MayHitOutcome;

    fn resolve(args: MayHitArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<MayHitOutcome, RuleError> {
        let short = args.weapon != Weapon::Lance;
        let both_mounted = args.mounted && args.foe_mounted;
        let out_of_reach = short && args.foe_weapon == Weapon::Lance && both_mounted && args.target == Target::Rider;
        let modifier = if short && both_mounted && args.target == Target::Horse { AGAINST_THE_HORSE } else { 0 };
        referee.modifier(modifier, "short weapon against the horse (JST-04)");
        Ok(MayHitOutcome { allowed: !out_of_reach, modifier })
    }
}

#[cfg(test)]
mod tests {
    use super::MayHit;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_sword_reaches_the_horse_under_the_lance_and_not_the_rider() {
        assert!(!outcome::<MayHit>(r#"{"weapon":"sword","foe_weapon":"lance"}"#, &[]).allowed);
        let horse = outcome::<MayHit>(r#"{"weapon":"sword","foe_weapon":"lance","target":"horse"}"#, &[]);
        assert_eq!((horse.allowed, horse.modifier), (true, 2));
    }

    #[test]
    fn on_foot_the_lance_is_no_shelter() {
        assert!(outcome::<MayHit>(r#"{"weapon":"sword","foe_weapon":"lance","mounted":false}"#, &[]).allowed);
        assert!(outcome::<MayHit>(r#"{"weapon":"sword","foe_weapon":"lance","foe_mounted":false}"#, &[]).allowed);
    }
}
