//! Skills: the former class skills as characteristic checks, training slots, tasks of several checks.
//! Source: house-rules SKL-01 to SKL-06.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ability::{Ability, Scores};
use super::check::{Automatic, CountOptions, Difficulty, GoodAt, Roll, RollArgs, RollOutcome, Rounding};
use super::core::{
    AnyTable, List, Modifier, Named, Natural, NoOptions, Referee, Rolls, Rule, RuleError, Table, Whole, distinct_names,
    row_named,
};

/// What a skill tests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SkillRow {
    skill: String,
    characteristics: List<Ability, 1, 2>,
}

/// The characteristics that skills test (SKL-03).
pub static SKILLS: Table<SkillRow> =
    Table::new("skill_characteristics", include_str!("data/skill_characteristics.json"), distinct_names);

impl Named for SkillRow {
    fn name(&self) -> &str {
        &self.skill
    }
}

/// What `skill.average` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AverageArgs {
    /// One score or two.
    pub scores: List<Natural, 1, 2>,
}

/// The score that a skill tests.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AverageOutcome {
    /// The mean, a half rounded up.
    pub score: i64,
}

rule! {
    /// Averages the characteristics that a skill names, rounded in the roller's favor, which is up.
    pub struct Average;
}

impl Rule for Average {
    const NAME: &'static str = "skill.average";
    const SOURCE: &'static [&'static str] = &["house-rules SKL-04"];
    const EXAMPLE: &'static str = "{ scores = { 12, 13 } }";
    type Args = AverageArgs;
    type Options = NoOptions;
    type Outcome = AverageOutcome;

    fn resolve(args: AverageArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<AverageOutcome, RuleError> {
        let sum = args.scores.iter().map(|score| score.get()).sum();
        Ok(AverageOutcome { score: Rounding::Up.divide(sum, args.scores.len() as i64) })
    }
}

/// The switches of a skill check.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CheckOptions {
    /// The fewest dice that reductions leave, 0 or 1; without it, as `check.roll` has it (CHK-03).
    pub min_dice: Option<Whole<0, 1>>,
}

impl CheckOptions {
    /// Makes the check under these switches.
    fn check(self, args: RollArgs, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        match self.min_dice {
            None => referee.call::<Roll>(args),
            Some(min_dice) => referee.call_with::<Roll>(args, CountOptions { min_dice }),
        }
    }
}

/// What `skill.check` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckArgs {
    /// The skill: `climb_walls`, `detect_noise`, `find_traps`, `hide_in_shadows`, `move_silently`, `open_locks`,
    /// `pick_pockets`, `read_languages`, `remove_traps`, `track`, or one that the table adds.
    pub skill: String,
    /// Ability scores; those that the skill tests must be there.
    pub scores: Scores,
    /// How hard an average person would find it, in dice; four where nothing is said (SKL-03).
    #[serde(default = "hard")]
    pub difficulty: Difficulty,
    /// Dice added by missing tools or stress, or (negative) taken away by time or help (CHK-05).
    #[serde(default)]
    pub circumstance: Whole<-1_000, 1_000>,
    /// Training: Good At takes one die away, Very Good At two (CHK-03).
    #[serde(default)]
    pub good_at: GoodAt,
    /// Added to the score when the character's class lists the skill (SKL-05); the source's figures are lost.
    #[serde(default)]
    pub class_bonus: Natural,
    /// The character's class. It decides nothing: anyone may try (SKL-01).
    #[serde(default)]
    pub class: Option<String>,
}

fn hard() -> Difficulty {
    Difficulty::Named("hard".into())
}

/// How a skill check went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// The skill.
    pub skill: String,
    /// The score tested, before the class bonus.
    pub score: i64,
    /// The number of d6, after circumstances and training.
    pub dice: i64,
    /// The number to stay under.
    pub target: i64,
    /// Set when no dice were needed.
    pub automatic: Option<Automatic>,
    /// What the dice showed, in order.
    pub rolls: Rolls,
    /// Their sum; nothing when no dice were needed.
    pub total: Option<i64>,
    /// Whether the total stayed strictly under the target.
    pub success: bool,
    /// Target less total; nothing when no dice were needed.
    pub margin: Option<i64>,
}

rule! {
    /// Tries a specialist's skill as a characteristic check, on four dice unless the task says otherwise.
    ///
    /// Any class may try (SKL-01); a class that lists the skill adds its bonus to the number to stay under (SKL-05).
    pub struct Check;
}

impl Rule for Check {
    const NAME: &'static str = "skill.check";
    const SOURCE: &'static [&'static str] = &["house-rules SKL-01", "house-rules SKL-03", "house-rules SKL-05"];
    const EXAMPLE: &'static str = r#"{ skill = "open_locks", scores = { int = 12, dex = 14 }, good_at = "good" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&SKILLS];
    type Args = CheckArgs;
    type Options = CheckOptions;
    type Outcome = CheckOutcome;

    fn resolve(args: CheckArgs, options: CheckOptions, referee: &mut Referee<'_>) -> Result<CheckOutcome, RuleError> {
        let skills = referee.table(&SKILLS);
        let row = row_named(&skills, "skill", "skill", &args.skill)?;
        let mut scores = Vec::with_capacity(2);
        for &ability in &row.characteristics {
            scores.push(Whole::clamped(args.scores.needed(ability, "scores")?));
        }
        let scores = List::new(scores).ok_or_else(|| RuleError::invalid("scores", "must be one or two"))?;
        let score = referee.call::<Average>(AverageArgs { scores })?.score;
        let check = RollArgs {
            score: Whole::clamped(score),
            difficulty: args.difficulty,
            circumstance: args.circumstance,
            good_at: args.good_at,
            bonus: Whole::clamped(args.class_bonus.get()),
        };
        let RollOutcome { dice, target, automatic, rolls, total, success, margin } = options.check(check, referee)?;
        let skill = row.skill.clone();
        Ok(CheckOutcome { skill, score, dice, target, automatic, rolls, total, success, margin })
    }
}

/// How the slots of the two characteristics are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SlotCount {
    /// Whole fives of each, added.
    #[default]
    Each,
    /// Whole fives of the sum.
    Sum,
}

/// The switches of training slots.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SlotOptions {
    /// Whether intelligence and wisdom count apart or together (SKL-02).
    pub slots: SlotCount,
    /// What being Very Good At something costs, in slots; the source does not say.
    pub very_good_cost: Whole<1, 2>,
}

impl Default for SlotOptions {
    fn default() -> Self {
        SlotOptions { slots: SlotCount::Each, very_good_cost: Whole::clamped(2) }
    }
}

/// A grade that can be picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Good At: one slot.
    Good,
    /// Very Good At: two slots, unless a switch says one.
    VeryGood,
}

/// What `skill.good_at_slots` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlotArgs {
    /// Intelligence.
    pub int: Whole<0, 30>,
    /// Wisdom.
    pub wis: Whole<0, 30>,
    /// What the character is good at: names to grades.
    #[serde(default)]
    pub picks: Option<BTreeMap<String, Grade>>,
}

/// Training slots.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlotOutcome {
    /// How many there are.
    pub slots: i64,
    /// How many the picks take; only with picks.
    pub spent: Option<i64>,
    /// How many are left; only with picks.
    pub remaining: Option<i64>,
}

rule! {
    /// Counts the Good-At slots: one for each whole 5 points of intelligence and of wisdom, and what picks take of
    /// them.
    pub struct GoodAtSlots;
}

impl Rule for GoodAtSlots {
    const NAME: &'static str = "skill.good_at_slots";
    const SOURCE: &'static [&'static str] = &["house-rules SKL-02"];
    const EXAMPLE: &'static str = r#"{ int = 14, wis = 14, picks = { climbing = "good", history = "very_good" } }"#;
    type Args = SlotArgs;
    type Options = SlotOptions;
    type Outcome = SlotOutcome;

    fn resolve(args: SlotArgs, options: SlotOptions, _: &mut Referee<'_>) -> Result<SlotOutcome, RuleError> {
        let (int, wis) = (args.int.get(), args.wis.get());
        let slots = match options.slots {
            SlotCount::Each => int / 5 + wis / 5,
            SlotCount::Sum => (int + wis) / 5,
        };
        let Some(picks) = args.picks else { return Ok(SlotOutcome { slots, spent: None, remaining: None }) };
        let cost = |grade: &Grade| match grade {
            Grade::Good => 1,
            Grade::VeryGood => options.very_good_cost.get(),
        };
        let spent: i64 = picks.values().map(cost).sum();
        if spent > slots {
            return Err(RuleError::invalid(
                "picks",
                format!("take {spent} slots, and there are {slots}; take some away"),
            ));
        }
        Ok(SlotOutcome { slots, spent: Some(spent), remaining: Some(slots - spent) })
    }
}

/// What a failed check of a long task costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Only the attempt.
    #[default]
    Continue,
    /// The successes so far.
    Reset,
    /// The whole task.
    Stop,
}

/// The switches of a long task.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TaskOptions {
    /// What a failure costs (SKL-06).
    pub on_failure: OnFailure,
    /// The fewest dice that reductions leave, 0 or 1; without it, as `check.roll` has it (CHK-03).
    pub min_dice: Option<Whole<0, 1>>,
}

/// What `skill.task` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TaskArgs {
    /// How many successes it takes.
    pub successes_needed: Whole<1, 10_000>,
    /// How many attempts there is time for; not in the source, but without it a hopeless task would never end.
    pub max_attempts: Whole<1, 10_000>,
    /// The score each check must stay under.
    pub score: Natural,
    /// How hard an average person would find each check, in dice.
    pub difficulty: Difficulty,
    /// Dice added, or (negative) taken away, at each check (CHK-05).
    #[serde(default)]
    pub circumstance: Whole<-1_000, 1_000>,
    /// Training (CHK-03).
    #[serde(default)]
    pub good_at: GoodAt,
    /// Added to the score at each check.
    #[serde(default)]
    pub bonus: Modifier,
}

/// How a long task went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TaskOutcome {
    /// Successes that count.
    pub successes: i64,
    /// Attempts made.
    pub attempts: i64,
    /// Whether it is done.
    pub complete: bool,
    /// Each attempt in order: whether it succeeded.
    pub attempt_results: Vec<bool>,
}

rule! {
    /// Works at something that takes several successes, such as a lock with five tumblers: one check after another.
    pub struct Task;
}

impl Rule for Task {
    const NAME: &'static str = "skill.task";
    const SOURCE: &'static [&'static str] = &["house-rules SKL-06"];
    const EXAMPLE: &'static str = "{ score = 13, difficulty = 3, successes_needed = 3, max_attempts = 5 }";
    type Args = TaskArgs;
    type Options = TaskOptions;
    type Outcome = TaskOutcome;

    fn resolve(args: TaskArgs, options: TaskOptions, referee: &mut Referee<'_>) -> Result<TaskOutcome, RuleError> {
        let check = RollArgs {
            score: args.score,
            difficulty: args.difficulty,
            circumstance: args.circumstance,
            good_at: args.good_at,
            bonus: args.bonus,
        };
        let switches = CheckOptions { min_dice: options.min_dice };
        let mut successes = 0;
        let mut attempt_results = Vec::new();
        while successes < args.successes_needed.get() && (attempt_results.len() as i64) < args.max_attempts.get() {
            let success = switches.check(check.clone(), referee)?.success;
            attempt_results.push(success);
            match (success, options.on_failure) {
                (true, _) => successes += 1,
                (false, OnFailure::Continue) => {}
                (false, OnFailure::Reset) => successes = 0,
                (false, OnFailure::Stop) => break,
            }
        }
        let attempts = attempt_results.len() as i64;
        Ok(TaskOutcome { successes, attempts, complete: successes == args.successes_needed.get(), attempt_results })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{House, Value};

    const SCORES: &str = r#""scores":{"str":9,"dex":14,"int":12,"wis":11}"#;

    #[test]
    fn anyone_may_try_a_lock_and_two_characteristics_average_up() {
        let args = format!(r#"{{"skill":"open_locks","class":"fighter",{SCORES}}}"#);
        let check = outcome::<Check>(&args, &[3, 3, 3, 3]);
        assert!(check.success && check.score == 13 && check.dice == 4);
    }

    #[test]
    fn an_unknown_skill_names_the_nearest() {
        let error = resolved("skill.check", &format!(r#"{{"skill":"open_lock",{SCORES}}}"#), &[]).unwrap_err();
        assert_eq!(error.to_string(), "skill.check: unknown skill \"open_lock\"; did you mean \"open_locks\"?");
    }

    #[test]
    fn a_house_may_add_a_skill_to_the_table() {
        let mut house = House::new();
        let Value::List(mut rows) = house.table_rows("skill_characteristics").unwrap() else { panic!() };
        rows.push(serde_json::from_str(r#"{"skill":"swim","characteristics":["str"]}"#).unwrap());
        house.patch("skill_characteristics", Value::List(rows), "test").unwrap();
        let args = format!(r#"{{"skill":"swim",{SCORES}}}"#);
        let outcome = resolved_in(&house, "skill.check", &args, &[1, 1, 1, 1]).unwrap();
        assert_eq!(outcome.get("score"), Some(&Value::Whole(9)));
    }

    #[test]
    fn a_failure_may_cost_all_progress() {
        let args =
            r#"{"score":13,"difficulty":3,"successes_needed":2,"max_attempts":3,"options":{"on_failure":"reset"}}"#;
        let task = outcome::<Task>(args, &[1, 1, 1, 6, 6, 6, 1, 1, 1]);
        assert!(!task.complete && task.successes == 1);
    }
}
