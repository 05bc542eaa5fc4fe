//! Skill checks: alone, with a helper, against somebody.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    Any, AnyTable, ErrorKind, Keyed, List, Modifier, Natural, NoOptions, Referee, Rule, RuleError, Table, one_row_each,
    row_of,
};

/// A roll that always fails (SKILL-11).
const ALWAYS_FAILS: i64 = 20;

/// How hard a task is for one of the character's tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskDifficulty {
    /// Easy.
    Easy,
    /// Average.
    #[default]
    Average,
    /// Hard.
    Hard,
    /// Very hard.
    VeryHard,
    /// Nearly impossible.
    NearlyImpossible,
}

/// What a difficulty does to the target number.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct DifficultyRow {
    difficulty: TaskDifficulty,
    modifier: Modifier,
}

impl Keyed for DifficultyRow {
    type Key = TaskDifficulty;
    const KEYS: &'static [TaskDifficulty] = &[
        TaskDifficulty::Easy,
        TaskDifficulty::Average,
        TaskDifficulty::Hard,
        TaskDifficulty::VeryHard,
        TaskDifficulty::NearlyImpossible,
    ];
    fn key(&self) -> TaskDifficulty {
        self.difficulty
    }
}

static DIFFICULTY: Table<DifficultyRow> =
    Table::new("proficiency_difficulty", include_str!("../data/proficiency_difficulty.json"), one_row_each);

/// What `proficiency.check` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckArgs {
    /// The target number of the skill.
    pub target: Any,
    /// How hard the task is; average when not given.
    #[serde(default)]
    pub difficulty: TaskDifficulty,
    /// What a helper adds, as `proficiency.assist` says; 0 when not given.
    #[serde(default)]
    pub assist_bonus: Natural,
}

/// How a skill check went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// What d20 showed.
    pub roll: i64,
    /// The target number after difficulty and help.
    pub target: i64,
    /// Whether the roll was at or under it, and no 20.
    pub success: bool,
    /// Target less roll.
    pub margin: i64,
}

rule! {
    /// Rolls d20 for a skill: at or under the target number, with the task's difficulty and any help, succeeds. A 20
    /// always fails, a 1 is no sure success.
    pub struct Check;
}

impl Rule for Check {
    const NAME: &'static str = "proficiency.check";
    const SOURCE: &'static [&'static str] =
        &["first-edition SKILL-08", "first-edition SKILL-10", "first-edition SKILL-11"];
    const EXAMPLE: &'static str = r#"{ target = 12, difficulty = "hard" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DIFFICULTY];
    type Args = CheckArgs;
    type Options = NoOptions;
    type Outcome = CheckOutcome;

    fn resolve(args: CheckArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<CheckOutcome, RuleError> {
        let rows = referee.table(&DIFFICULTY);
        let difficulty = row_of(&rows, args.difficulty)?.modifier.get();
        referee.modifier(difficulty, "for the difficulty (SKILL-10)");
        referee.modifier(args.assist_bonus.get(), "for help (SKILL-09)");
        let target = args.target.get() + difficulty + args.assist_bonus.get();
        referee.need(|| format!("{target} or less on d20"));
        let roll = referee.d(20, "skill")?;
        Ok(CheckOutcome { roll, target, success: roll <= target && roll != ALWAYS_FAILS, margin: target - roll })
    }
}

/// One of those who work together.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Worker {
    /// Who it is.
    pub id: String,
    /// The worker's target number in the skill.
    pub target: Any,
    /// The points from levels that the worker has put into the skill; slots do not count.
    pub points: Natural,
}

/// What `proficiency.assist` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssistArgs {
    /// Those who work on the task, all of whom have the skill.
    pub workers: List<Worker, 1>,
}

/// Who leads, and with what.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssistOutcome {
    /// The one with the best target number, the first named of equals.
    pub lead: String,
    /// What the best helper adds.
    pub bonus: i64,
    /// The lead's target number with it.
    pub target: i64,
}

rule! {
    /// Lets several work on one task: the best target number counts, and one helper (the one who adds most) adds 1, and
    /// 1 more for each point from levels in the skill.
    pub struct Assist;
}

impl Rule for Assist {
    const NAME: &'static str = "proficiency.assist";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-09"];
    const EXAMPLE: &'static str =
        r#"{ workers = { { id = "smith", target = 12, points = 0 }, { id = "boy", target = 8, points = 2 } } }"#;
    type Args = AssistArgs;
    type Options = NoOptions;
    type Outcome = AssistOutcome;

    fn resolve(args: AssistArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<AssistOutcome, RuleError> {
        // Of equals `max_by_key` takes the last, and the first named is to lead.
        let best = args.workers.iter().enumerate().rev().max_by_key(|(_, worker)| worker.target);
        let Some((place, lead)) = best else {
            return Err(RuleError::general(ErrorKind::OutOfRange, "must name at least one").within("workers"));
        };
        let helpers = args.workers.iter().enumerate().filter(|(other, _)| *other != place);
        let bonus = helpers.map(|(_, helper)| helper.points.get() + 1).max().unwrap_or(0);
        Ok(AssistOutcome { lead: lead.id.clone(), bonus, target: lead.target.get() + bonus })
    }
}

/// Who wins when both fail (SKILL-12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BothFail {
    /// Nobody.
    #[default]
    Nobody,
    /// The one with the better margin, that is, who fails by less.
    BestMargin,
}

/// The switches of an opposed check.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OpposedOptions {
    /// Who wins when both fail.
    pub both_fail: BothFail,
}

/// What `proficiency.opposed` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OpposedArgs {
    /// One side's check, as `proficiency.check` takes it.
    pub a: CheckArgs,
    /// The other side's.
    pub b: CheckArgs,
}

/// A side of an opposed check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpposedSide {
    /// The first.
    A,
    /// The second.
    B,
}

/// How an opposed check went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OpposedOutcome {
    /// One side's check.
    pub a: CheckOutcome,
    /// The other side's.
    pub b: CheckOutcome,
    /// Who wins; nobody at equal margins.
    pub winner: Option<OpposedSide>,
}

rule! {
    /// Two check against each other, `a` rolling first: a success beats a failure (a 20 fails whatever its margin), of
    /// two successes the better margin wins.
    pub struct Opposed;
}

impl Rule for Opposed {
    const NAME: &'static str = "proficiency.opposed";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-12"];
    const EXAMPLE: &'static str = r#"{ a = { target = 12 }, b = { target = 10, difficulty = "easy" } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DIFFICULTY];
    type Args = OpposedArgs;
    type Options = OpposedOptions;
    type Outcome = OpposedOutcome;

    fn resolve(
        args: OpposedArgs,
        options: OpposedOptions,
        referee: &mut Referee<'_>,
    ) -> Result<OpposedOutcome, RuleError> {
        let a = referee.call::<Check>(args.a)?;
        let b = referee.call::<Check>(args.b)?;
        let winner = match (a.success, b.success) {
            (true, false) => Some(OpposedSide::A),
            (false, true) => Some(OpposedSide::B),
            (false, false) if options.both_fail == BothFail::Nobody => None,
            _ if a.margin > b.margin => Some(OpposedSide::A),
            _ if b.margin > a.margin => Some(OpposedSide::B),
            _ => None,
        };
        Ok(OpposedOutcome { a, b, winner })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_twenty_always_fails_and_a_one_may() {
        assert!(!outcome::<Check>(r#"{"target":30}"#, &[20]).success);
        assert!(!outcome::<Check>(r#"{"target":5,"difficulty":"hard"}"#, &[1]).success);
    }

    #[test]
    fn help_counts_like_skill() {
        let checked = outcome::<Check>(r#"{"target":10,"assist_bonus":3}"#, &[13]);
        assert_eq!((checked.target, checked.success), (13, true));
    }

    #[test]
    fn only_the_best_helper_counts() {
        let args = r#"{"workers":[{"id":"a","target":9,"points":4},{"id":"b","target":12,"points":1},{"id":"c","target":12,"points":2}]}"#;
        let together = outcome::<Assist>(args, &[]);
        assert_eq!((together.lead.as_str(), together.bonus, together.target), ("b", 5, 17));
        let alone = outcome::<Assist>(r#"{"workers":[{"id":"a","target":9,"points":4}]}"#, &[]);
        assert_eq!((alone.bonus, alone.target), (0, 9));
    }

    #[test]
    fn two_failures_are_a_draw_unless_a_switch_compares_them() {
        let sides = r#""a":{"target":12},"b":{"target":10}"#;
        assert_eq!(outcome::<Opposed>(&format!("{{{sides}}}"), &[13, 15]).winner, None);
        let switched = format!(r#"{{{sides},"options":{{"both_fail":"best_margin"}}}}"#);
        assert_eq!(outcome::<Opposed>(&switched, &[13, 15]).winner, Some(OpposedSide::A));
    }
}
