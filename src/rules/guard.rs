//! Guarding: companions round somebody raise that one's armor class.
//! Source: house-rules GRD-01, GRD-02.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::Rounding;
use super::core::{List, Referee, Rule, RuleError, Whole};

/// What a single guard is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Single {
    /// Half of the attack bonus, as the best of several.
    #[default]
    Half,
    /// Nothing: it takes two.
    None,
}

/// The switches of guarding.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BonusOptions {
    /// What one guard alone gives; the source's sentence is lost (GRD-01).
    pub single: Single,
    /// How each guard's share is rounded.
    pub rounding: Rounding,
    /// How many guards stand on the side of one large attacker (GRD-02).
    pub max_side: Whole<1, 6>,
    /// How many guards fit all round (GRD-02).
    pub max_ring: Whole<1, 12>,
}

impl Default for BonusOptions {
    fn default() -> Self {
        BonusOptions {
            single: Single::Half,
            rounding: Rounding::Up,
            max_side: Whole::clamped(3),
            max_ring: Whole::clamped(6),
        }
    }
}

/// A guard.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Guard {
    /// The guard's attack bonus.
    pub attack_bonus: Whole<-20, 40>,
    /// Whether the guard stands on the side that is attacked.
    #[serde(default = "crate::rules::core::yes")]
    pub facing: bool,
}

/// Where the attack comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum From {
    /// From all sides.
    #[default]
    AllRound,
    /// From one side, by one large attacker.
    OneSide,
}

/// What `guard.bonus` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BonusArgs {
    /// The guards, in any order; no more than fit round the protected one.
    pub guards: List<Guard>,
    /// Where the attack comes from.
    #[serde(default)]
    pub attack: From,
}

/// What guarding gives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BonusOutcome {
    /// The attack bonuses that counted, best first.
    pub counted: Vec<i64>,
    /// Added to the protected one's armor class.
    pub ac_bonus: i64,
}

rule! {
    /// Adds up what guards give to the armor class of the one they protect.
    ///
    /// Half the best guard's attack bonus, a quarter of the next best's, and 1 for each further guard.
    pub struct Bonus;
}

impl Rule for Bonus {
    const NAME: &'static str = "guard.bonus";
    const SOURCE: &'static [&'static str] = &["house-rules GRD-01", "house-rules GRD-02"];
    const EXAMPLE: &'static str = "{ guards = { { attack_bonus = 8 }, { attack_bonus = 5 }, { attack_bonus = 2 } } }";
    type Args = BonusArgs;
    type Options = BonusOptions;
    type Outcome = BonusOutcome;

    fn resolve(args: BonusArgs, options: BonusOptions, referee: &mut Referee<'_>) -> Result<BonusOutcome, RuleError> {
        let most = options.max_ring.get();
        if args.guards.len() as i64 > most {
            let message = format!("must be at most {most}: that many fit round one, not {}", args.guards.len());
            return Err(RuleError::out_of_range("guards", message));
        }
        let counts = |guard: &&Guard| args.attack == From::AllRound || guard.facing;
        let mut counted: Vec<i64> = args.guards.iter().filter(counts).map(|guard| guard.attack_bonus.get()).collect();
        counted.sort_unstable_by(|a, b| b.cmp(a));
        if args.attack == From::OneSide {
            counted.truncate(options.max_side.get() as usize);
        }
        let alone_for_nothing = counted.len() == 1 && options.single == Single::None;
        let share = |(place, bonus): (usize, &i64)| match place {
            _ if alone_for_nothing => 0,
            0 => options.rounding.divide((*bonus).max(0), 2),
            1 => options.rounding.divide((*bonus).max(0), 4),
            _ => 1,
        };
        let ac_bonus = counted.iter().enumerate().map(share).sum();
        referee.modifier(ac_bonus, "armor class from guards (GRD-01)");
        Ok(BonusOutcome { counted, ac_bonus })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn the_best_guard_on_the_wrong_side_counts_for_nothing() {
        let args = r#"{"guards":[{"attack_bonus":8},{"attack_bonus":10,"facing":false}],"attack":"one_side"}"#;
        assert_eq!(outcome::<Bonus>(args, &[]).ac_bonus, 4);
    }
}
