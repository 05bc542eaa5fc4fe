//! Holy water (GRE-05).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Case, FLASK_DAMAGE, damage};
use crate::rules::core::{AnyTable, List, NoOptions, Referee, Rule, RuleError};

/// Somebody within 5 feet of the impact; a target that was missed may be among them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HolyWaterBystander {
    /// Who it is.
    pub name: String,
    /// Whether it is undead; the living only get wet.
    pub undead: bool,
}

/// What `grenade.holy_water` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HolyWaterArgs {
    /// Whether the flask, or the water poured, hit its target directly; `grenade.throw` says.
    pub direct: bool,
    /// Whether the target is undead.
    #[serde(default = "crate::rules::core::yes")]
    pub target_undead: bool,
    /// Whether the target has a body for a flask to break on.
    #[serde(default = "crate::rules::core::yes")]
    pub target_corporeal: bool,
    /// Whether the water is poured from an open flask, as the incorporeal need it, by somebody adjacent as a rule.
    #[serde(default)]
    pub poured: bool,
    /// Everybody else within 5 feet of the impact.
    #[serde(default)]
    pub bystanders: List<HolyWaterBystander>,
}

/// What the splash did to somebody.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HolyWaterSplash {
    /// Who it is.
    pub name: String,
    /// The damage.
    pub damage: i64,
}

/// What the holy water did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HolyWaterOutcome {
    /// Whether the flask breaks: not when it is opened and poured, nor when it passes through the incorporeal.
    pub breaks: bool,
    /// The damage of a direct hit.
    pub direct_damage: i64,
    /// What the splash did, in the order given.
    pub splash: Vec<HolyWaterSplash>,
}

rule! {
    /// Holy water against the undead: a direct hit takes 1d8, all undead within 5 feet take 1d6, for one round, without
    /// saves.
    ///
    /// A flask thrown at the incorporeal passes through them unbroken; it must be opened and poured. A miss breaks
    /// where it lands.
    pub struct HolyWater;
}

impl Rule for HolyWater {
    const NAME: &'static str = "grenade.holy_water";
    const SOURCE: &'static [&'static str] = &["combat-details GRE-05"];
    const EXAMPLE: &'static str = r#"{ direct = true, bystanders = { { name = "ghoul", undead = true } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&FLASK_DAMAGE];
    type Args = HolyWaterArgs;
    type Options = NoOptions;
    type Outcome = HolyWaterOutcome;

    fn resolve(args: HolyWaterArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<HolyWaterOutcome, RuleError> {
        let passes_through = args.direct && !args.target_corporeal && !args.poured;
        if passes_through {
            return Ok(HolyWaterOutcome { breaks: false, direct_damage: 0, splash: Vec::new() });
        }
        let direct_damage =
            if args.direct && args.target_undead { damage(Case::HolyWaterDirect, "holy water", referee)? } else { 0 };
        let mut splash = Vec::with_capacity(args.bystanders.len());
        for HolyWaterBystander { name, undead } in args.bystanders {
            let damage = if undead { damage(Case::HolyWaterSplash, "splash of holy water", referee)? } else { 0 };
            splash.push(HolyWaterSplash { name, damage });
        }
        Ok(HolyWaterOutcome { breaks: !args.poured, direct_damage, splash })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn the_living_only_get_wet() {
        let args = r#"{"direct":true,"bystanders":[{"name":"ghoul","undead":true},{"name":"Uric","undead":false}]}"#;
        let wet = outcome::<HolyWater>(args, &[7, 3]);
        assert_eq!((wet.direct_damage, wet.splash[0].damage, wet.splash[1].damage), (7, 3, 0));
    }

    #[test]
    fn it_passes_through_the_incorporeal_unless_it_is_poured() {
        assert!(!outcome::<HolyWater>(r#"{"direct":true,"target_corporeal":false}"#, &[]).breaks);
        let poured = outcome::<HolyWater>(r#"{"direct":true,"target_corporeal":false,"poured":true}"#, &[4]);
        assert_eq!((poured.direct_damage, poured.breaks), (4, false));
    }
}
