//! What comes after: the coma, the weakness on waking, the recovery from it (DYING-08 to DYING-10).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{Natural, NoOptions, Referee, Rolls, Rule, RuleError, Whole};

/// The weakness with which one wakes (DYING-09).
const WEAKNESS: i64 = 24;

/// The faces of the die that it shrinks by each hour (DYING-10).
const RECOVERY_DIE: i64 = 3;

/// A weakness, from 0 (none left) to 24.
pub type Penalty = Whole<0, WEAKNESS>;

pub(super) fn whole_weakness() -> Penalty {
    Penalty::clamped(WEAKNESS)
}

/// What a good Constitution does to a coma (DYING-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComaCon {
    /// A bonus shortens it, a penalty lengthens it.
    #[default]
    Shortens,
    /// The modifier is added as it stands.
    Lengthens,
}

/// The switches of a coma.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ComaOptions {
    /// What a good Constitution does to it.
    pub coma_con: ComaCon,
}

/// What `dying.coma` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ComaArgs {
    /// The Constitution modifier, -10 to 10.
    #[serde(default)]
    pub con_mod: Whole<-10, 10>,
}

/// How long the coma lasts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ComaOutcome {
    /// The two d6.
    pub rolls: Rolls,
    /// The hours from the moment of dropping below zero, at least 1.
    pub hours: i64,
}

rule! {
    /// Rolls how long somebody who dropped below zero and lives is comatose: 2d6 hours adjusted by Constitution, at
    /// least one.
    pub struct Coma;
}

impl Rule for Coma {
    const NAME: &'static str = "dying.coma";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-08"];
    const EXAMPLE: &'static str = "{ con_mod = 1 }";
    type Args = ComaArgs;
    type Options = ComaOptions;
    type Outcome = ComaOutcome;

    fn resolve(args: ComaArgs, options: ComaOptions, referee: &mut Referee<'_>) -> Result<ComaOutcome, RuleError> {
        let adjustment = match options.coma_con {
            ComaCon::Shortens => -args.con_mod.get(),
            ComaCon::Lengthens => args.con_mod.get(),
        };
        referee.modifier(adjustment, "hours, for Constitution");
        let rolled = referee.total(2, 6, "hours of coma")?;
        Ok(ComaOutcome { hours: (rolled.sum + adjustment).max(1), rolls: rolled.rolls })
    }
}

/// What `dying.weakness` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaknessArgs {
    /// Usual Strength.
    pub str: Natural,
    /// Usual Dexterity.
    pub dex: Natural,
    /// The weakness, 0 to 24; 24 on waking.
    #[serde(default = "whole_weakness")]
    pub penalty: Penalty,
}

/// What is left of somebody's strength.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaknessOutcome {
    /// Strength for now, never below 0.
    pub str: i64,
    /// Dexterity for now, never below 0.
    pub dex: i64,
    /// The modifier to attack rolls, 0 or negative.
    pub attack: i64,
    /// The modifier to saving throws, 0 or negative.
    pub saves: i64,
}

rule! {
    /// The weakness after a coma: -24 to Strength, Dexterity, attack rolls and saving throws, less as one recovers.
    pub struct Weakness;
}

impl Rule for Weakness {
    const NAME: &'static str = "dying.weakness";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-09"];
    const EXAMPLE: &'static str = "{ str = 16, dex = 13, penalty = 10 }";
    type Args = WeaknessArgs;
    type Options = NoOptions;
    type Outcome = WeaknessOutcome;

    fn resolve(args: WeaknessArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<WeaknessOutcome, RuleError> {
        let penalty = args.penalty.get();
        let weakened = |score: Natural| (score.get() - penalty).max(0);
        Ok(WeaknessOutcome { str: weakened(args.str), dex: weakened(args.dex), attack: -penalty, saves: -penalty })
    }
}

/// What `dying.recover` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecoverArgs {
    /// The weakness before, 0 to 24; 24 on waking.
    #[serde(default = "whole_weakness")]
    pub penalty: Penalty,
    /// The full hours that go by awake, 0 or more.
    pub hours: Natural,
}

/// What is left of the weakness.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecoverOutcome {
    /// The d3 of each hour until nothing was left.
    pub rolls: Rolls,
    /// The weakness now, 0 to 24.
    pub penalty: i64,
    /// The hours in which it shrank.
    pub hours: i64,
    /// Whether nothing is left of it.
    pub recovered: bool,
}

rule! {
    /// Lets hours go by: the weakness shrinks by 1d3 after each, and is gone after 8 to 24.
    pub struct Recover;
}

impl Rule for Recover {
    const NAME: &'static str = "dying.recover";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-10"];
    const EXAMPLE: &'static str = "{ hours = 6 }";
    type Args = RecoverArgs;
    type Options = NoOptions;
    type Outcome = RecoverOutcome;

    fn resolve(args: RecoverArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RecoverOutcome, RuleError> {
        let mut penalty = args.penalty.get();
        let mut hours = 0;
        let mut rolls = Rolls::new();
        loop {
            // As many hours at once as are needed at the least, so that exact odds see sums and not single dice.
            let certain = (penalty + RECOVERY_DIE - 1) / RECOVERY_DIE;
            let next = certain.min(args.hours.get() - hours);
            if next == 0 {
                break;
            }
            let rolled = referee.total(next as u32, RECOVERY_DIE as u32, "recovery")?;
            rolls.extend_from_slice(&rolled.rolls);
            penalty = (penalty - rolled.sum).max(0);
            hours += next;
        }
        Ok(RecoverOutcome { rolls, penalty, hours, recovered: penalty == 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_good_constitution_shortens_the_coma_but_never_below_an_hour() {
        assert_eq!(outcome::<Coma>(r#"{"con_mod":2}"#, &[3, 4]).hours, 5);
        assert_eq!(outcome::<Coma>(r#"{"con_mod":2}"#, &[1, 1]).hours, 1);
        assert_eq!(outcome::<Coma>(r#"{"con_mod":2,"options":{"coma_con":"lengthens"}}"#, &[3, 4]).hours, 9);
    }

    #[test]
    fn whoever_wakes_has_no_strength_at_all() {
        let weak = outcome::<Weakness>(r#"{"str":16,"dex":25}"#, &[]);
        assert_eq!((weak.str, weak.dex, weak.attack, weak.saves), (0, 1, -24, -24));
    }

    #[test]
    fn recovery_takes_eight_hours_at_the_earliest_and_a_day_at_the_most() {
        assert!(outcome::<Recover>(r#"{"hours":8}"#, &[3; 8]).recovered);
        assert!(!outcome::<Recover>(r#"{"hours":7}"#, &[3; 7]).recovered);
        assert!(outcome::<Recover>(r#"{"hours":24}"#, &[1; 24]).recovered);
    }

    #[test]
    fn nothing_is_rolled_once_recovered() {
        let recovered = outcome::<Recover>(r#"{"hours":24}"#, &[2; 12]);
        assert_eq!((recovered.hours, recovered.penalty, recovered.rolls.len()), (12, 0, 12));
        assert_eq!(outcome::<Recover>(r#"{"penalty":0,"hours":5}"#, &[]).hours, 0);
    }
}
