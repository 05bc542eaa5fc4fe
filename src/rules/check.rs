//! Characteristic checks: roll a number of d6 and stay under a characteristic.
//! Source: house-rules CHK-01 to CHK-05.

use std::borrow::Cow;
use std::fmt;

use compact_str::CompactString;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use super::core::{
    AnyTable, List, Modifier, Named, Natural, Referee, Rolls, Rule, RuleError, Table, Whole, distinct_names, row_named,
};

/// The most dice a check takes: a bound against absurd requests, not a rule.
pub(super) const MOST_DICE: i64 = 1_000;

/// A named difficulty.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DifficultyName {
    name: String,
    dice: Whole<1, MOST_DICE>,
}

impl Named for DifficultyName {
    fn name(&self) -> &str {
        &self.name
    }
}

/// The names of difficulties; a table may add its own.
pub static DIFFICULTY_NAMES: Table<DifficultyName> =
    Table::new("difficulty_names", include_str!("data/difficulty_names.json"), distinct_names);

/// How many dice a grade of training takes away.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoodAtGrade {
    grade: GoodAt,
    dice_removed: Whole<0, MOST_DICE>,
}

/// What training takes away.
pub static GOOD_AT_GRADES: Table<GoodAtGrade> =
    Table::new("good_at_grades", include_str!("data/good_at_grades.json"), |rows| {
        let every = [GoodAt::None, GoodAt::Good, GoodAt::VeryGood];
        if every.iter().all(|grade| rows.iter().any(|row| row.grade == *grade)) {
            return Ok(());
        }
        Err("there must be a row for each of none, good and very_good".into())
    });

/// How many d6 a task takes: a number from 1, or a name such as `average` (3), `hard` (4) (CHK-05).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difficulty {
    /// So many dice.
    Dice(Whole<1, MOST_DICE>),
    /// By a name of the table `difficulty_names`.
    Named(CompactString),
}

impl Difficulty {
    /// The number of dice before anything changes it.
    fn dice(&self, referee: &Referee<'_>) -> Result<i64, RuleError> {
        match self {
            Difficulty::Dice(dice) => Ok(dice.get()),
            Difficulty::Named(name) => {
                let names = referee.table(&DIFFICULTY_NAMES);
                Ok(row_named(&names, "difficulty", "difficulty", name)?.dice.get())
            }
        }
    }
}

impl Serialize for Difficulty {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Difficulty::Dice(dice) => dice.serialize(serializer),
            Difficulty::Named(name) => serializer.serialize_str(name),
        }
    }
}

struct DifficultyVisitor;

impl Visitor<'_> for DifficultyVisitor {
    type Value = Difficulty;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of dice from 1 to 1000, \"average\" or \"hard\"")
    }
    fn visit_i64<E: de::Error>(self, dice: i64) -> Result<Difficulty, E> {
        Whole::new(dice).map(Difficulty::Dice).ok_or_else(|| E::invalid_value(de::Unexpected::Signed(dice), &self))
    }
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Difficulty, E> {
        Ok(Difficulty::Named(name.into()))
    }
}

impl<'de> Deserialize<'de> for Difficulty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DifficultyVisitor)
    }
}

impl JsonSchema for Difficulty {
    fn schema_name() -> Cow<'static, str> {
        "Difficulty".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = DIFFICULTY_NAMES.shipped().iter().map(|row| row.name.as_str()).collect();
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": MOST_DICE },
            { "type": "string", "enum": names },
        ] })
    }
}

/// How well trained somebody is at the task (CHK-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoodAt {
    /// Not especially.
    #[default]
    None,
    /// Good At: one die fewer.
    Good,
    /// Very Good At: two dice fewer.
    VeryGood,
}

impl GoodAt {
    fn dice_fewer(self, referee: &Referee<'_>) -> i64 {
        let grades = referee.table(&GOOD_AT_GRADES);
        grades.iter().find(|row| row.grade == self).map_or(0, |row| row.dice_removed.get())
    }
}

/// The switches of a count of dice.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CountOptions {
    /// The fewest dice that reductions leave: 0 (nothing left to roll succeeds by itself) or 1 (CHK-03).
    pub min_dice: Whole<0, 1>,
}

/// What makes a task harder or easier, as `check.dice` is asked it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CountArgs {
    /// How hard an average person would find it, in dice.
    pub difficulty: Difficulty,
    /// Dice added by missing tools or stress, or (negative) taken away by time or help (CHK-05).
    #[serde(default)]
    pub circumstance: Whole<{ -MOST_DICE }, MOST_DICE>,
    /// Training: Good At takes one die away, Very Good At two (CHK-03).
    #[serde(default)]
    pub good_at: GoodAt,
}

/// How many dice a check takes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CountOutcome {
    /// The number of d6.
    pub dice: i64,
}

rule! {
    /// Counts the d6 of a check: the difficulty, more or fewer for the circumstances, fewer for training.
    pub struct Dice;
}

impl Rule for Dice {
    const NAME: &'static str = "check.dice";
    const SOURCE: &'static [&'static str] = &["house-rules CHK-03", "house-rules CHK-05"];
    const EXAMPLE: &'static str = r#"{ difficulty = "hard", circumstance = 1, good_at = "good" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DIFFICULTY_NAMES, &GOOD_AT_GRADES];
    type Args = CountArgs;
    type Options = CountOptions;
    type Outcome = CountOutcome;

    fn resolve(args: CountArgs, options: CountOptions, referee: &mut Referee<'_>) -> Result<CountOutcome, RuleError> {
        let CountArgs { difficulty, circumstance, good_at } = args;
        let dice = difficulty.dice(referee)?;
        let fewer = good_at.dice_fewer(referee);
        referee.modifier(dice, "dice for the difficulty (CHK-05)");
        referee.modifier(circumstance.get(), "dice for the circumstances (CHK-05)");
        referee.modifier(-fewer, "dice for being good at it (CHK-03)");
        let dice = dice + circumstance.get() - fewer;
        Ok(CountOutcome { dice: dice.max(options.min_dice.get()) })
    }
}

/// What `check.roll` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// The characteristic to stay under.
    pub score: Natural,
    /// How hard an average person would find it, in dice.
    pub difficulty: Difficulty,
    /// Dice added by missing tools or stress, or (negative) taken away by time or help (CHK-05).
    #[serde(default)]
    pub circumstance: Whole<{ -MOST_DICE }, MOST_DICE>,
    /// Training: Good At takes one die away, Very Good At two (CHK-03).
    #[serde(default)]
    pub good_at: GoodAt,
    /// Added to the score before the dice fall, a class's skill bonus for instance.
    #[serde(default)]
    pub bonus: Modifier,
}

/// A check that needed no dice (CHK-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Automatic {
    /// The target is above all that the dice can show.
    Success,
    /// The target is below the least that the dice can show.
    Failure,
}

/// How a check went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// The number of d6, after circumstances and training.
    pub dice: i64,
    /// The number to stay under: score and bonus.
    pub target: i64,
    /// Set when no dice were needed.
    pub automatic: Option<Automatic>,
    /// What the dice showed, in order.
    pub rolls: Rolls,
    /// Their sum; nothing when no dice were needed.
    pub total: Option<i64>,
    /// Whether the total stayed strictly under the target.
    pub success: bool,
    /// Target less total: positive is under. Nothing when no dice were needed.
    pub margin: Option<i64>,
}

rule! {
    /// Rolls as many d6 as the task is difficult and succeeds when their sum is strictly under the score.
    ///
    /// Training and help take dice away, stress adds them. A target above all that the dice can show succeeds without
    /// rolling, one below the least they can show fails without rolling (CHK-02); equal to either is rolled.
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "check.roll";
    const SOURCE: &'static [&'static str] =
        &["house-rules CHK-01", "house-rules CHK-02", "house-rules CHK-03", "house-rules CHK-05"];
    const EXAMPLE: &'static str = r#"{ score = 12, difficulty = "hard", good_at = "good" }"#;
    type Args = RollArgs;
    type Options = CountOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, options: CountOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        let RollArgs { score, difficulty, circumstance, good_at, bonus } = args;
        let count = CountArgs { difficulty, circumstance, good_at };
        let dice = referee.call_with::<Dice>(count, options)?.dice;
        let target = score.get() + bonus.get();
        referee.modifier(bonus.get(), "to the score");
        referee.need(|| format!("under {target} on {dice}d6"));
        let settled = match target {
            target if target > 6 * dice => Some(Automatic::Success),
            target if target < dice => Some(Automatic::Failure),
            _ => None,
        };
        if let Some(automatic) = settled {
            let success = automatic == Automatic::Success;
            let rolls = Rolls::new();
            return Ok(RollOutcome { dice, target, automatic: settled, rolls, total: None, success, margin: None });
        }
        let rolled = referee.total(dice as u32, 6, "check")?;
        let margin = target - rolled.sum;
        Ok(RollOutcome {
            dice,
            target,
            automatic: None,
            rolls: rolled.rolls,
            total: Some(rolled.sum),
            success: margin > 0,
            margin: Some(margin),
        })
    }
}

/// What the fourth and later helpers add to a combined score (CHK-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tail {
    /// A quarter of their score each, like the third.
    #[default]
    Quarter,
    /// Two points each, whatever their score.
    Flat2,
}

/// How a share that is not whole is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Up, in the roller's favor.
    #[default]
    Up,
    /// Down.
    Down,
    /// To the nearest whole number, a half up.
    Nearest,
}

impl Rounding {
    /// Rounds `numerator / denominator`; both are 0 or more, the denominator at least 1.
    #[must_use]
    pub fn divide(self, numerator: i64, denominator: i64) -> i64 {
        match self {
            Rounding::Up => (numerator + denominator - 1).div_euclid(denominator),
            Rounding::Down => numerator.div_euclid(denominator),
            Rounding::Nearest => (2 * numerator + denominator).div_euclid(2 * denominator),
        }
    }
}

/// The switches of a combined score.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CombineOptions {
    /// What the fourth and later helpers add (CHK-04).
    pub tail: Tail,
    /// How the sum of the shares is rounded, once, at the end.
    pub rounding: Rounding,
}

/// What `check.combine` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CombineArgs {
    /// The scores of all who act together, in any order.
    pub scores: List<Natural, 1>,
}

/// The score with which a group acts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CombineOutcome {
    /// The combined score.
    pub score: i64,
}

rule! {
    /// Combines the scores of several who act together: the highest whole, the second half, the others a quarter each.
    pub struct Combine;
}

impl Rule for Combine {
    const NAME: &'static str = "check.combine";
    const SOURCE: &'static [&'static str] = &["house-rules CHK-04"];
    const EXAMPLE: &'static str = "{ scores = { 8, 8, 8, 8 } }";
    type Args = CombineArgs;
    type Options = CombineOptions;
    type Outcome = CombineOutcome;

    fn resolve(args: CombineArgs, options: CombineOptions, _: &mut Referee<'_>) -> Result<CombineOutcome, RuleError> {
        let mut scores: Vec<i64> = args.scores.iter().map(|score| score.get()).collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        // In quarters, so that every share is whole until the one rounding at the end.
        let quarters: i64 = scores
            .iter()
            .enumerate()
            .map(|(place, score)| match (place, options.tail) {
                (0, _) => 4 * score,
                (1, _) => 2 * score,
                (2, _) | (_, Tail::Quarter) => *score,
                (_, Tail::Flat2) => 8,
            })
            .sum();
        Ok(CombineOutcome { score: options.rounding.divide(quarters, 4) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn eighteen_on_three_dice_fails_only_on_three_sixes() {
        let args = r#"{"score":18,"difficulty":3}"#;
        assert!(!outcome::<Roll>(args, &[6, 6, 6]).success);
        assert!(outcome::<Roll>(args, &[6, 6, 5]).success);
    }

    #[test]
    fn a_hopeless_or_certain_check_rolls_nothing() {
        assert_eq!(outcome::<Roll>(r#"{"score":19,"difficulty":3}"#, &[]).automatic, Some(Automatic::Success));
        assert_eq!(outcome::<Roll>(r#"{"score":2,"difficulty":3}"#, &[]).automatic, Some(Automatic::Failure));
    }

    #[test]
    fn one_die_can_be_kept_by_a_switch() {
        let args = r#"{"difficulty":1,"good_at":"good","options":{"min_dice":1}}"#;
        assert_eq!(outcome::<Dice>(args, &[]).dice, 1);
    }

    #[test]
    fn a_flat_tail_ignores_how_strong_the_fourth_is() {
        let args = r#"{"scores":[16,16,16,16],"options":{"tail":"flat2"}}"#;
        assert_eq!(outcome::<Combine>(args, &[]).score, 30);
        assert_eq!(
            resolved("check.combine", r#"{"scores":[16,16,16,16]}"#, &[]).unwrap().to_string(),
            "{ score = 32 }"
        );
    }
}
