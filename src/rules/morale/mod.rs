//! Morale: whether creatures fight on.
//! Source: combat-details MOR-01 to MOR-05, MOR-07, MOR-08.

mod watch;

pub use watch::{Trigger, Watch, WatchArgs, WatchOutcome};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::core::{
    AnyTable, Named, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, distinct_names, row_named,
};

/// A morale score. Low is brave.
type Score = Whole<1, 20>;

/// The score that nothing adjusts (MOR-03).
const NEVER_ADJUSTED: i64 = 20;

/// What a total equal to the score means; the source says both (MOR-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Equal {
    /// They hold.
    #[default]
    Pass,
    /// They break: the score must be beaten.
    Fail,
}

/// What a natural 1 means for those with a morale score of 1 (MOR-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NaturalOne {
    /// They break, whatever is added: so that they hold 95 times of 100, as the source says.
    #[default]
    Fails,
    /// Nothing special: totals decide.
    Counts,
}

/// The switches of a morale check.
///
/// The source says that equal holds, that it must be beaten, and that score 1 holds 95 times of 100. The switches as
/// they ship keep the first and the third; `equal = "fail"` with `natural_one = "counts"` keeps the second and third.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CheckOptions {
    /// What a total equal to the score means (MOR-01).
    pub equal: Equal,
    /// What a natural 1 means for those with a score of 1 (MOR-01).
    pub natural_one: NaturalOne,
}

/// What `morale.check` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckArgs {
    /// The morale score, 1 to 20; low is brave. `morale.archetype` knows some.
    pub score: Score,
    /// How the DM moves the score, -3 to 3; a score of 20 never moves (MOR-03).
    #[serde(default)]
    pub score_modifier: Whole<-3, 3>,
    /// Added to the roll, -20 to 20: +2 for a strong leader, -3 for fear, -1 for past losses, more after a success
    /// (MOR-04, MOR-07).
    #[serde(default)]
    pub modifier: Whole<-20, 20>,
}

/// What those may do whose morale breaks (MOR-05). The DM or a script picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Try to escape.
    Flee,
    /// Yield, if it seems best.
    Surrender,
    /// Act irrationally, a danger to themselves and others.
    Panic,
}

impl Choice {
    const ALL: [Choice; 3] = [Choice::Flee, Choice::Surrender, Choice::Panic];
}

/// How a morale check went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll and its modifier.
    pub total: i64,
    /// The morale score after adjustment, 1 to 20.
    pub score: i64,
    /// Whether they fight on.
    pub holds: bool,
    /// What they may do instead; empty when they hold.
    pub choices: SmallVec<[Choice; 3]>,
}

rule! {
    /// Rolls d20 against a morale score: at or above it they fight on, below it they may flee, surrender or panic.
    ///
    /// The DM may move the score by up to 3, but never a score of 20. Those with a score of 1 break on a natural 1; for
    /// others totals are compared.
    pub struct Check;
}

impl Rule for Check {
    const NAME: &'static str = "morale.check";
    const SOURCE: &'static [&'static str] = &[
        "combat-details MOR-01",
        "combat-details MOR-03",
        "combat-details MOR-04",
        "combat-details MOR-05",
        "combat-details MOR-07",
    ];
    const EXAMPLE: &'static str = "{ score = 15, modifier = -1 }";
    type Args = CheckArgs;
    type Options = CheckOptions;
    type Outcome = CheckOutcome;

    fn resolve(args: CheckArgs, options: CheckOptions, referee: &mut Referee<'_>) -> Result<CheckOutcome, RuleError> {
        let score = adjusted(args.score, args.score_modifier.get());
        if score != args.score.get() {
            referee.note(|| format!("the score moves from {} to {score} (MOR-03)", args.score));
        }
        referee.modifier(args.modifier.get(), "to the morale roll (MOR-04)");
        referee.need(|| match options.equal {
            Equal::Pass => format!("at least {score}"),
            Equal::Fail => format!("more than {score}"),
        });
        let roll = referee.d(20, "morale")?;
        let total = roll + args.modifier.get();
        let reached = match options.equal {
            Equal::Pass => total >= score,
            Equal::Fail => total > score,
        };
        let shaken = roll == 1 && score == 1 && options.natural_one == NaturalOne::Fails;
        let holds = reached && !shaken;
        let choices = if holds { SmallVec::new() } else { SmallVec::from(Choice::ALL) };
        Ok(CheckOutcome { roll, total, score, holds, choices })
    }
}

fn adjusted(score: Score, by: i64) -> i64 {
    if score.get() == NEVER_ADJUSTED { NEVER_ADJUSTED } else { Score::clamped(score.get() + by).get() }
}

/// A kind of fighter and its morale score.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArchetypeRow {
    /// Its name; a house may add its own.
    name: String,
    score: Score,
}

impl Named for ArchetypeRow {
    fn name(&self) -> &str {
        &self.name
    }
}

/// Morale scores of kinds of fighters.
pub static MORALE: Table<ArchetypeRow> = Table::new("morale", include_str!("../data/morale.json"), distinct_names);

/// What `morale.archetype` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchetypeArgs {
    /// `cowardly`, `medium`, `brave`, `very_brave` or `fight_to_the_death`, or a name that the house added to the table.
    pub name: String,
}

/// A morale score.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArchetypeOutcome {
    /// The morale score, 1 to 20; low is brave.
    pub score: i64,
}

rule! {
    /// Looks up the morale score of a kind of fighter.
    pub struct Archetype;
}

impl Rule for Archetype {
    const NAME: &'static str = "morale.archetype";
    const SOURCE: &'static [&'static str] = &["combat-details MOR-08"];
    const EXAMPLE: &'static str = r#"{ name = "very_brave" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&MORALE];
    type Args = ArchetypeArgs;
    type Options = NoOptions;
    type Outcome = ArchetypeOutcome;

    fn resolve(args: ArchetypeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ArchetypeOutcome, RuleError> {
        let rows = referee.table(&MORALE);
        let row = row_named(&rows, "archetype", "name", &args.name)?;
        Ok(ArchetypeOutcome { score: row.score.get() })
    }
}

/// What `morale.due` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DueArgs {
    /// How many there were at the start, 1 or more; for a lone creature its hit points.
    pub start: Positive,
    /// How many are left, 0 to `start`, counted in the same way.
    pub now: Natural,
    /// Whether the loss of half has been checked for already.
    #[serde(default)]
    pub already_checked: bool,
}

/// Whether a check is due.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DueOutcome {
    /// Whether morale must be checked for the loss of half.
    pub due: bool,
}

rule! {
    /// Says whether losses call for a morale check: once, when half or less is left.
    ///
    /// Groups are counted in heads and a lone creature in hit points; the caller passes which. Other occasions (the
    /// first encounter, a fallen leader, fear) are the DM's to see (MOR-02).
    pub struct Due;
}

impl Rule for Due {
    const NAME: &'static str = "morale.due";
    const SOURCE: &'static [&'static str] = &["combat-details MOR-02"];
    const EXAMPLE: &'static str = "{ start = 10, now = 5 }";
    type Args = DueArgs;
    type Options = NoOptions;
    type Outcome = DueOutcome;

    fn resolve(args: DueArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<DueOutcome, RuleError> {
        let (start, now) = (args.start.get(), args.now.get());
        if now > start {
            let message = format!("must be from 0 to the start of {start}, not {now}");
            return Err(RuleError::out_of_range("now", message));
        }
        Ok(DueOutcome { due: !args.already_checked && 2 * now <= start })
    }
}

#[cfg(test)]
mod tests {
    use super::{Archetype, Check, Choice, Due};
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House, Value};

    fn holds(args: &str, roll: i64) -> bool {
        outcome::<Check>(args, &[roll]).holds
    }

    #[test]
    fn the_ambushed_mercenaries_break() {
        let check = outcome::<Check>(r#"{"score":15,"modifier":-1}"#, &[10]);
        assert_eq!((check.total, check.holds), (9, false));
        assert_eq!(check.choices.as_slice(), Choice::ALL);
    }

    #[test]
    fn equal_holds_unless_a_switch_says_otherwise() {
        assert!(holds(r#"{"score":10}"#, 10));
        assert!(!holds(r#"{"score":10,"options":{"equal":"fail"}}"#, 10));
    }

    #[test]
    fn score_one_holds_ninety_five_times_of_a_hundred() {
        let held = (1..=20).filter(|&roll| holds(r#"{"score":1}"#, roll)).count();
        assert_eq!(held, 19);
        // Lowered to 1 counts as 1, and a leader does not help against a natural 1.
        assert!(!holds(r#"{"score":3,"score_modifier":-3,"modifier":5}"#, 1));
        assert!(holds(r#"{"score":1,"options":{"natural_one":"counts"}}"#, 1));
    }

    #[test]
    fn must_beat_without_a_natural_one_rule_gives_ninety_five_too() {
        let args = r#"{"score":1,"options":{"equal":"fail","natural_one":"counts"}}"#;
        assert_eq!((1..=20).filter(|&roll| holds(args, roll)).count(), 19);
    }

    #[test]
    fn natural_one_with_help_holds_above_score_one() {
        assert!(holds(r#"{"score":2,"modifier":2}"#, 1));
    }

    #[test]
    fn a_score_of_twenty_is_never_moved() {
        assert_eq!(outcome::<Check>(r#"{"score":20,"score_modifier":-3}"#, &[19]).score, 20);
        assert_eq!(outcome::<Check>(r#"{"score":19,"score_modifier":3}"#, &[19]).score, 20);
        assert_eq!(outcome::<Check>(r#"{"score":2,"score_modifier":-3}"#, &[2]).score, 1);
    }

    #[test]
    fn exactly_half_calls_for_a_check_once() {
        let due = |args: &str| outcome::<Due>(args, &[]).due;
        assert!(due(r#"{"start":10,"now":5}"#));
        assert!(!due(r#"{"start":11,"now":6}"#));
        assert!(!due(r#"{"start":10,"now":4,"already_checked":true}"#));
        let error = resolved("morale.due", r#"{"start":10,"now":11}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("now")));
    }

    #[test]
    fn archetypes_are_the_tables_and_a_house_may_add_one() {
        assert_eq!(outcome::<Archetype>(r#"{"name":"brave"}"#, &[]).score, 5);
        let error = resolved("morale.archetype", r#"{"name":"brav"}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("name")));
        let mut house = House::new();
        house.patch("morale", serde_json::from_str(r#"[{"name":"reckless","score":3}]"#).unwrap(), "test").unwrap();
        let found = resolved_in(&house, "morale.archetype", r#"{"name":"reckless"}"#, &[]).unwrap();
        assert_eq!(found.get("score"), Some(&Value::Whole(3)));
    }
}
