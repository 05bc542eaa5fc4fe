//! Oil: the flask that hits, the flames after it, the pool on the ground (GRE-02 to GRE-04).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Case, FLASK_DAMAGE, damage, dice_of};
use crate::rules::core::{AnyTable, List, Modifier, Natural, NoOptions, Referee, Rolls, Rule, RuleError, Whole};

/// The rounds for which a flask burns on whoever it hits.
const ROUNDS_ON_A_TARGET: i64 = 2;

/// The rounds for which a pool burns on the ground.
const ROUNDS_ON_THE_GROUND: i64 = 10;

/// Somebody within 5 feet of the impact; a target that was missed may be among them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilBystander {
    /// Who it is.
    pub name: String,
    /// The number to reach on d20 to save against Death Ray, 1 to 40.
    pub save: Whole<1, 40>,
    /// Added to the saving throw.
    #[serde(default)]
    pub modifier: Modifier,
    /// Whether fire does nothing to it.
    #[serde(default)]
    pub fireproof: bool,
}

/// What `grenade.oil` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilArgs {
    /// Whether the oil burns; unlit it is only slippery.
    pub ignited: bool,
    /// Whether the flask hit its target directly; `grenade.throw` says.
    pub direct: bool,
    /// Whether a wick or fuse lit it, which makes it splash (GRE-03).
    #[serde(default)]
    pub wick: bool,
    /// Whether fire does nothing to the target.
    #[serde(default)]
    pub target_fireproof: bool,
    /// Everybody else within 5 feet of the impact.
    #[serde(default)]
    pub bystanders: List<OilBystander>,
}

/// What the splash did to somebody.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilSplash {
    /// Who it is.
    pub name: String,
    /// Whether the saving throw succeeded; nothing where fire does no harm and none was made.
    pub saved: Option<bool>,
    /// The damage.
    pub damage: i64,
}

/// What the flask of oil did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilOutcome {
    /// The damage of a direct hit, this round.
    pub direct_damage: i64,
    /// Whether the target burns on: `grenade.oil_burning` is for the next round.
    pub burns_next_round: bool,
    /// What the splash did, in the order given; empty without a wick.
    pub splash: Vec<OilSplash>,
    /// Whether the oil only makes things slippery.
    pub slippery: bool,
}

rule! {
    /// A flask of oil bursts: burning, a direct hit takes 1d8; with a wick all others within 5 feet take 1d6 unless
    /// they save.
    ///
    /// The splash is rolled for each. A direct hit has no saving throw.
    pub struct Oil;
}

impl Rule for Oil {
    const NAME: &'static str = "grenade.oil";
    const SOURCE: &'static [&'static str] = &["combat-details GRE-02", "combat-details GRE-03"];
    const EXAMPLE: &'static str =
        r#"{ ignited = true, wick = true, direct = true, bystanders = { { name = "goblin", save = 13 } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&FLASK_DAMAGE];
    type Args = OilArgs;
    type Options = NoOptions;
    type Outcome = OilOutcome;

    fn resolve(args: OilArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<OilOutcome, RuleError> {
        let mut done =
            OilOutcome { direct_damage: 0, burns_next_round: false, splash: Vec::new(), slippery: !args.ignited };
        if !args.ignited {
            return Ok(done);
        }
        if args.direct && !args.target_fireproof {
            done.direct_damage = damage(Case::OilDirect, "burning oil", referee)?;
            done.burns_next_round = true;
        }
        if args.wick {
            for bystander in args.bystanders {
                done.splash.push(splashed(bystander, referee)?);
            }
        }
        Ok(done)
    }
}

fn splashed(bystander: OilBystander, referee: &mut Referee<'_>) -> Result<OilSplash, RuleError> {
    let OilBystander { name, save, modifier, fireproof } = bystander;
    if fireproof {
        return Ok(OilSplash { name, saved: None, damage: 0 });
    }
    referee.modifier(modifier.get(), "to the saving throw");
    referee.need(|| format!("at least {save} for {name} to save"));
    let saved = referee.d(20, "save")? + modifier.get() >= save.get();
    let damage = if saved { 0 } else { damage(Case::OilSplash, "splash of oil", referee)? };
    Ok(OilSplash { name, saved: Some(saved), damage })
}

/// What `grenade.oil_burning` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilBurningArgs {
    /// The rounds that it has burned on the target so far, the hit included, 1 or 2.
    pub rounds_burned: Whole<1, ROUNDS_ON_A_TARGET>,
    /// Whether the target spends this round putting the flames out by some fit means.
    #[serde(default)]
    pub extinguishing: bool,
    /// Whether fire does nothing to the target.
    #[serde(default)]
    pub target_fireproof: bool,
}

/// What the flames did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilBurningOutcome {
    /// The damage this round.
    pub damage: i64,
    /// Whether it burns on after this round; two rounds are the most.
    pub still_burning: bool,
}

rule! {
    /// The round after a hit with burning oil: 1d8 more, unless it is spent putting the flames out. Two rounds at most.
    pub struct OilBurning;
}

impl Rule for OilBurning {
    const NAME: &'static str = "grenade.oil_burning";
    const SOURCE: &'static [&'static str] = &["combat-details GRE-02"];
    const EXAMPLE: &'static str = "{ rounds_burned = 1 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FLASK_DAMAGE];
    type Args = OilBurningArgs;
    type Options = NoOptions;
    type Outcome = OilBurningOutcome;

    fn resolve(args: OilBurningArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<OilBurningOutcome, RuleError> {
        let burns = args.rounds_burned.get() < ROUNDS_ON_A_TARGET && !args.extinguishing && !args.target_fireproof;
        let damage = if burns { damage(Case::OilDirect, "burning oil", referee)? } else { 0 };
        Ok(OilBurningOutcome { damage, still_burning: burns && args.rounds_burned.get() + 1 < ROUNDS_ON_A_TARGET })
    }
}

/// What `grenade.oil_pool` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilPoolArgs {
    /// The rounds for which the pool has burned already.
    pub age: Natural,
    /// The rounds that somebody spends in it.
    pub rounds: Natural,
    /// Whether fire does nothing to whoever crosses it.
    #[serde(default)]
    pub fireproof: bool,
}

/// What the pool did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OilPoolOutcome {
    /// The dice of each round in the flames.
    pub rolls: Rolls,
    /// Their sum.
    pub damage: i64,
    /// Whether it burns on after those rounds.
    pub burning_after: bool,
}

rule! {
    /// Crosses a pool of burning oil: 1d6 for each round in it, without a saving throw. It burns for ten rounds.
    pub struct OilPool;
}

impl Rule for OilPool {
    const NAME: &'static str = "grenade.oil_pool";
    const SOURCE: &'static [&'static str] = &["combat-details GRE-04"];
    const EXAMPLE: &'static str = "{ age = 0, rounds = 2 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FLASK_DAMAGE];
    type Args = OilPoolArgs;
    type Options = NoOptions;
    type Outcome = OilPoolOutcome;

    fn resolve(args: OilPoolArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<OilPoolOutcome, RuleError> {
        let burning = (ROUNDS_ON_THE_GROUND - args.age.get()).max(0);
        let rounds = if args.fireproof { 0 } else { burning.min(args.rounds.get()) };
        let dice = dice_of(Case::OilPool, referee)?;
        let rolled = dice.roll_times(rounds, referee, "burning pool")?;
        Ok(OilPoolOutcome {
            damage: (rolled.sum + rounds * dice.modifier()).max(0),
            rolls: rolled.rolls,
            burning_after: burning > args.rounds.get(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn unlit_oil_is_only_slippery() {
        let oil = outcome::<Oil>(r#"{"ignited":false,"direct":true,"wick":true}"#, &[]);
        assert!(oil.slippery && oil.direct_damage == 0 && !oil.burns_next_round);
    }

    #[test]
    fn a_wick_splashes_each_who_does_not_save() {
        let args = r#"{"ignited":true,"wick":true,"direct":true,
            "bystanders":[{"name":"a","save":13},{"name":"b","save":13,"modifier":1},{"name":"c","save":1,"fireproof":true}]}"#;
        let oil = outcome::<Oil>(args, &[8, 12, 5, 12]);
        let hurt: Vec<_> = oil.splash.iter().map(|splash| (splash.saved, splash.damage)).collect();
        assert_eq!(hurt, [(Some(false), 5), (Some(true), 0), (None, 0)]);
    }

    #[test]
    fn a_fireproof_target_does_not_catch_fire() {
        let oil = outcome::<Oil>(r#"{"ignited":true,"direct":true,"target_fireproof":true}"#, &[]);
        assert_eq!((oil.direct_damage, oil.burns_next_round), (0, false));
    }

    #[test]
    fn the_second_round_burns_unless_it_is_spent_on_the_flames() {
        assert_eq!(outcome::<OilBurning>(r#"{"rounds_burned":1}"#, &[4]).damage, 4);
        assert_eq!(outcome::<OilBurning>(r#"{"rounds_burned":1,"extinguishing":true}"#, &[]).damage, 0);
        assert_eq!(outcome::<OilBurning>(r#"{"rounds_burned":2}"#, &[]).damage, 0);
    }

    #[test]
    fn a_pool_burns_out_after_ten_rounds() {
        let pool = outcome::<OilPool>(r#"{"age":9,"rounds":3}"#, &[5]);
        assert_eq!((pool.damage, pool.burning_after), (5, false));
        assert!(outcome::<OilPool>(r#"{"age":0,"rounds":2}"#, &[3, 4]).burning_after);
    }
}
