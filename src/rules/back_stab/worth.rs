//! What a back stab is worth: chances and damage a round.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{Any, ErrorKind, List, NoOptions, Positive, Referee, Rule, RuleError};
use crate::rules::fraction::Fraction;

/// What `back_stab.chance_to_hit` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChanceToHitArgs {
    /// What d20 must reach.
    pub needed: Any,
}

/// A chance to hit.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChanceToHitOutcome {
    /// The chance, 0 to 1, as a fraction: `7/20`.
    pub chance: Fraction,
    /// The same in percent.
    pub percent: i64,
}

rule! {
    /// Tells the chance to hit when d20 must reach a number, within 0 and 1. The source has no sure hit or miss on a 20
    /// or 1.
    pub struct ChanceToHit;
}

impl Rule for ChanceToHit {
    const NAME: &'static str = "back_stab.chance_to_hit";
    const SOURCE: &'static [&'static str] = &["first-edition STAB-07"];
    const EXAMPLE: &'static str = "{ needed = 14 }";
    type Args = ChanceToHitArgs;
    type Options = NoOptions;
    type Outcome = ChanceToHitOutcome;

    fn resolve(args: ChanceToHitArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<ChanceToHitOutcome, RuleError> {
        let faces = (21 - args.needed.get()).clamp(0, 20);
        let chance = Fraction::new(faces.unsigned_abs(), 20u8);
        let chance = chance.ok_or_else(|| RuleError::general(ErrorKind::Invalid, "a d20 has twenty faces"))?;
        Ok(ChanceToHitOutcome { chance, percent: 5 * faces })
    }
}

/// What `back_stab.damage_per_round` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamagePerRoundArgs {
    /// The chances that must all come true, such as to move silently and to hit: each 0 to 1, as `0.45`, `"0.45"` or
    /// `"9/20"`.
    pub chances: List<Fraction, 0, 20>,
    /// The average damage of a hit: `13.5`, `"13.5"` or `"27/2"`.
    pub average_damage: Fraction,
    /// Rounds that one attempt takes: 2 at best for a back stab.
    pub rounds: Positive,
}

/// Expected damage a round.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamagePerRoundOutcome {
    /// Exactly, as a fraction: `81/40`.
    pub damage_per_round: Fraction,
    /// As a number.
    pub damage_per_round_value: f64,
}

rule! {
    /// Works out expected damage a round: the product of the chances times the average damage, over the rounds of an
    /// attempt.
    pub struct DamagePerRound;
}

impl Rule for DamagePerRound {
    const NAME: &'static str = "back_stab.damage_per_round";
    const SOURCE: &'static [&'static str] = &["first-edition STAB-08", "first-edition STAB-13"];
    const EXAMPLE: &'static str = r#"{ chances = { "0.45" }, average_damage = "9", rounds = 2 }"#;
    type Args = DamagePerRoundArgs;
    type Options = NoOptions;
    type Outcome = DamagePerRoundOutcome;

    fn resolve(
        args: DamagePerRoundArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<DamagePerRoundOutcome, RuleError> {
        if let Some((at, chance)) = args.chances.iter().enumerate().find(|(_, chance)| chance.exceeds_one()) {
            let error = RuleError::general(ErrorKind::OutOfRange, format!("must be from 0 to 1, not {chance}"));
            return Err(error.within_element(at).within("chances"));
        }
        let rounds = args.rounds.get();
        let share = Fraction::new(1u8, rounds.unsigned_abs());
        let share = share.ok_or_else(|| RuleError::out_of_range("rounds", "must be 1 or more"))?;
        let damage_per_round = args.chances.iter().fold(args.average_damage.times(&share), |all, one| all.times(one));
        // From the parts, since the exact terms may outgrow a floating-point number.
        let chances: f64 = args.chances.iter().map(Fraction::to_f64).product();
        let damage_per_round_value = chances * args.average_damage.to_f64() / rounds as f64;
        Ok(DamagePerRoundOutcome { damage_per_round, damage_per_round_value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_fighter_who_needs_fourteen_hits_seven_times_in_twenty() {
        let chance = outcome::<ChanceToHit>(r#"{"needed":14}"#, &[]);
        assert_eq!((chance.chance.to_string().as_str(), chance.percent), ("7/20", 35));
        assert_eq!(outcome::<ChanceToHit>(r#"{"needed":-1000}"#, &[]).chance.to_string(), "1/1");
    }

    #[test]
    fn a_stab_each_second_round_is_worth_a_little_over_two_points() {
        let args = r#"{"chances":["0.45"],"average_damage":"9","rounds":2}"#;
        let worth = outcome::<DamagePerRound>(args, &[]);
        assert_eq!(worth.damage_per_round.to_string(), "81/40");
        assert!((worth.damage_per_round_value - 2.025).abs() < 1e-12);
    }

    #[test]
    fn numbers_and_text_say_the_same() {
        let text = outcome::<DamagePerRound>(r#"{"chances":["0.55","0.36"],"average_damage":"13.5","rounds":2}"#, &[]);
        let plain = outcome::<DamagePerRound>(r#"{"chances":[0.55,0.36],"average_damage":13.5,"rounds":2}"#, &[]);
        assert_eq!(text.damage_per_round, plain.damage_per_round);
    }

    #[test]
    fn a_chance_over_one_is_refused_with_its_place() {
        let args = r#"{"chances":["0.5","1.5"],"average_damage":"9","rounds":2}"#;
        let error = resolved("back_stab.damage_per_round", args, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("chances[2]")));
    }
}
