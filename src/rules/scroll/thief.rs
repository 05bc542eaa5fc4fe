//! Reading scrolls that may fail: readers below a spell's level, and thieves.
//! Source: first-edition SCROLL-01, SCROLL-04 to SCROLL-06.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reader::{MayRead, MayReadArgs, MayReadRefusal, ScrollKind, ScrollReader};
use crate::rules::core::{
    AnyTable, Band, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, band_row, unbroken_bands,
};

/// The chance of failure for each level that a reader is short (SCROLL-04), in percent.
const FAILURE_A_LEVEL: i64 = 5;

/// What a reading came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadingResult {
    /// The spell is cast.
    Cast,
    /// Nothing happens.
    Fizzle,
    /// The reverse of the spell, or harm.
    Reversed,
}

/// What a failed reading comes to, by how many levels the reader is short.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FailureRow {
    from: Option<i64>,
    to: Option<i64>,
    /// Percent.
    total_failure: Whole<0, 100>,
    /// Percent.
    reversal: Whole<0, 100>,
}

impl Band for FailureRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

fn check_failures(rows: &[FailureRow]) -> Result<(), String> {
    unbroken_bands(rows)?;
    match rows.iter().find(|row| row.total_failure.get() + row.reversal.get() != 100) {
        Some(row) => Err(format!("{} and {} must make 100", row.total_failure, row.reversal)),
        None => Ok(()),
    }
}

static FAILURE: Table<FailureRow> =
    Table::new("spell_failure", include_str!("../data/spell_failure.json"), check_failures);

/// What `scroll.cast_above_level` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastAboveLevelArgs {
    /// The reader's level; 0 for one who has none.
    pub caster_level: Natural,
    /// The level that first casts the spell.
    pub needed_level: Positive,
}

/// How a reading above one's level went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastAboveLevelOutcome {
    /// How many levels the reader is short, 0 or more.
    pub level_difference: i64,
    /// The chance of failure, in percent.
    pub failure_percent: i64,
    /// Of failures, how many do nothing, in percent; nothing when there can be none.
    pub total_failure_percent: Option<i64>,
    /// Of failures, how many are reversed or harmful, in percent.
    pub reversal_percent: Option<i64>,
    /// What d100 showed against the chance of failure.
    pub failure_roll: Option<i64>,
    /// What d100 showed against reversal, on a failure.
    pub reversal_roll: Option<i64>,
    /// What came of it.
    pub result: ReadingResult,
    /// Whether the writing is gone: always (SCROLL-06).
    pub scroll_gone: bool,
}

rule! {
    /// Reads a scroll with a spell above the reader's level: 5 in 100 for each level short that it fails, and on
    /// failure a second roll for whether it turns against the reader.
    pub struct CastAboveLevel;
}

impl Rule for CastAboveLevel {
    const NAME: &'static str = "scroll.cast_above_level";
    const SOURCE: &'static [&'static str] = &["first-edition SCROLL-04", "first-edition SCROLL-06"];
    const EXAMPLE: &'static str = "{ caster_level = 4, needed_level = 9 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FAILURE];
    type Args = CastAboveLevelArgs;
    type Options = NoOptions;
    type Outcome = CastAboveLevelOutcome;

    fn resolve(
        args: CastAboveLevelArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<CastAboveLevelOutcome, RuleError> {
        let level_difference = (args.needed_level.get() - args.caster_level.get()).max(0);
        let failure_percent = (FAILURE_A_LEVEL * level_difference).min(100);
        let mut outcome = CastAboveLevelOutcome {
            level_difference,
            failure_percent,
            total_failure_percent: None,
            reversal_percent: None,
            failure_roll: None,
            reversal_roll: None,
            result: ReadingResult::Cast,
            scroll_gone: true,
        };
        if level_difference == 0 {
            return Ok(outcome);
        }
        let rows = referee.table(&FAILURE);
        let row = band_row(&rows, level_difference)?;
        outcome.total_failure_percent = Some(row.total_failure.get());
        outcome.reversal_percent = Some(row.reversal.get());
        let reading = read(failure_percent, row.reversal.get(), referee)?;
        (outcome.failure_roll, outcome.reversal_roll) = (Some(reading.failure_roll), reading.reversal_roll);
        outcome.result = reading.result;
        Ok(outcome)
    }
}

/// The two rolls of a reading and what came of them.
struct Reading {
    failure_roll: i64,
    reversal_roll: Option<i64>,
    result: ReadingResult,
}

/// Rolls d100 against failure and, on one, d100 against reversal.
fn read(failure_percent: i64, reversal_percent: i64, referee: &mut Referee<'_>) -> Result<Reading, RuleError> {
    referee.need(|| format!("over {failure_percent} on d100"));
    let failure_roll = referee.d(100, "failure")?;
    if failure_roll > failure_percent {
        return Ok(Reading { failure_roll, reversal_roll: None, result: ReadingResult::Cast });
    }
    let reversal_roll = referee.d(100, "reversal")?;
    let result = if reversal_roll <= reversal_percent { ReadingResult::Reversed } else { ReadingResult::Fizzle };
    Ok(Reading { failure_roll, reversal_roll: Some(reversal_roll), result })
}

/// How likely a thief's failure is reversed (SCROLL-05).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReversalMethod {
    /// Ten in 100 for each spell level.
    #[default]
    #[serde(rename = "by_10")]
    By10,
    /// Five in 100 for each spell level; weighed and rejected.
    #[serde(rename = "by_5")]
    By5,
    /// As for other readers, spell levels standing for levels short; weighed and rejected.
    LevelDifference,
}

/// What a thief's reading of a spell of one level comes to, in percent.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ThiefRow {
    spell_level: Whole<1, 9>,
    failure: Whole<0, 100>,
    by_10: Whole<0, 100>,
    by_5: Whole<0, 100>,
    level_difference: Whole<0, 100>,
}

fn check_thief_rows(rows: &[ThiefRow]) -> Result<(), String> {
    let levels: Vec<i64> = rows.iter().map(|row| row.spell_level.get()).collect();
    if levels == [1, 2, 3, 4, 5, 6, 7, 8, 9] {
        Ok(())
    } else {
        Err("there must be a row for each level, 1 to 9".into())
    }
}

static THIEF: Table<ThiefRow> =
    Table::new("thief_spell_failure", include_str!("../data/thief_spell_failure.json"), check_thief_rows);

/// The switches of a thief's reading.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CastAsThiefOptions {
    /// How likely a failure is reversed.
    pub reversal_method: ReversalMethod,
}

/// What `scroll.cast_as_thief` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastAsThiefArgs {
    /// The level of the spell; only a protection has none.
    #[serde(default)]
    pub spell_level: Option<Whole<1, 9>>,
    /// The reader's class; with it, `level` or `kind`, `scroll.may_read` is asked first. A thief when not given.
    #[serde(default)]
    pub class: Option<ScrollReader>,
    /// The reader's level.
    #[serde(default)]
    pub level: Option<Positive>,
    /// What stands on the scroll; spells of magic-users when not given.
    #[serde(default)]
    pub kind: Option<ScrollKind>,
}

/// How a thief's reading went; only `allowed` and `reason` when the thief may not read the scroll.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct CastAsThiefOutcome {
    /// Whether the thief may read the scroll.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<MayReadRefusal>,
    /// The chance of failure, in percent.
    pub failure_percent: Option<i64>,
    /// Of failures, how many are reversed, in percent.
    pub reversal_percent: Option<i64>,
    /// What d100 showed against failure.
    pub failure_roll: Option<i64>,
    /// What d100 showed against reversal, on a failure.
    pub reversal_roll: Option<i64>,
    /// What came of it.
    pub result: Option<ReadingResult>,
    /// Whether the writing is gone: once read, always (SCROLL-06).
    pub scroll_gone: Option<bool>,
}

rule! {
    /// Reads a scroll as a thief does: 25 in 100 that it fails, and on failure 10 in 100 for each spell level that the
    /// spell works in reverse. The skill never improves, and the writing is spent either way. Who may read is asked
    /// first when class, level or kind is given. A protection is read by anybody and does not fail.
    pub struct CastAsThief;
}

impl Rule for CastAsThief {
    const NAME: &'static str = "scroll.cast_as_thief";
    const SOURCE: &'static [&'static str] =
        &["first-edition SCROLL-05", "first-edition SCROLL-06", "first-edition SCROLL-01"];
    const EXAMPLE: &'static str = r#"{ spell_level = 3, class = "thief", level = 11, kind = "magic_user" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THIEF];
    type Args = CastAsThiefArgs;
    type Options = CastAsThiefOptions;
    type Outcome = CastAsThiefOutcome;

    fn resolve(
        args: CastAsThiefArgs,
        options: CastAsThiefOptions,
        referee: &mut Referee<'_>,
    ) -> Result<CastAsThiefOutcome, RuleError> {
        let kind = args.kind.unwrap_or_default();
        // A protection asks for no level of the reader and has none of its own.
        let protection = kind == ScrollKind::Protection;
        let least = |level: Option<Positive>| level.or(protection.then(|| Positive::clamped(1)));
        if !protection && args.spell_level.is_none() {
            return Err(RuleError::missing("spell_level"));
        }
        if args.class.is_some() || args.level.is_some() || args.kind.is_some() {
            let reading = MayReadArgs {
                class: args.class.unwrap_or(ScrollReader::Thief),
                level: least(args.level).ok_or_else(|| RuleError::missing("level"))?,
                kind,
                int: None,
                spell_level: args.spell_level,
            };
            let right = referee.call::<MayRead>(reading)?;
            if !right.allowed {
                return Ok(CastAsThiefOutcome { reason: right.reason, ..CastAsThiefOutcome::default() });
            }
        }
        if protection {
            return Ok(CastAsThiefOutcome {
                allowed: true,
                failure_percent: Some(0),
                result: Some(ReadingResult::Cast),
                scroll_gone: Some(true),
                ..CastAsThiefOutcome::default()
            });
        }
        let rows = referee.table(&THIEF);
        let row = rows.iter().find(|row| Some(row.spell_level) == args.spell_level);
        let row = row.ok_or_else(|| RuleError::out_of_range("spell_level", "has no row in the table; give it one"))?;
        let failure_percent = row.failure.get();
        let reversal_percent = match options.reversal_method {
            ReversalMethod::By10 => row.by_10.get(),
            ReversalMethod::By5 => row.by_5.get(),
            ReversalMethod::LevelDifference => row.level_difference.get(),
        };
        let reading = read(failure_percent, reversal_percent, referee)?;
        Ok(CastAsThiefOutcome {
            allowed: true,
            reason: None,
            failure_percent: Some(failure_percent),
            reversal_percent: Some(reversal_percent),
            failure_roll: Some(reading.failure_roll),
            reversal_roll: reading.reversal_roll,
            result: Some(reading.result),
            scroll_gone: Some(true),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn twenty_levels_short_always_fail() {
        let read = outcome::<CastAboveLevel>(r#"{"caster_level":0,"needed_level":20}"#, &[100, 71]);
        assert_eq!((read.failure_percent, read.result), (100, ReadingResult::Fizzle));
    }

    #[test]
    fn who_is_high_enough_rolls_nothing() {
        let read = outcome::<CastAboveLevel>(r#"{"caster_level":9,"needed_level":5}"#, &[]);
        assert_eq!((read.level_difference, read.result), (0, ReadingResult::Cast));
    }

    #[test]
    fn a_thief_who_may_not_read_rolls_nothing_and_keeps_the_scroll() {
        let read = outcome::<CastAsThief>(r#"{"spell_level":1,"class":"thief","level":9,"kind":"magic_user"}"#, &[]);
        assert_eq!((read.allowed, read.reason, read.scroll_gone), (false, Some(MayReadRefusal::Level), None));
        let error = resolved("scroll.cast_as_thief", r#"{"spell_level":1,"class":"thief"}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("level"));
    }

    #[test]
    fn a_protection_is_read_by_anybody_and_never_fails() {
        for args in [
            r#"{"kind":"protection"}"#,
            r#"{"kind":"protection","class":"thief","level":1,"spell_level":1}"#,
            r#"{"kind":"protection","class":"fighter"}"#,
        ] {
            let read = outcome::<CastAsThief>(args, &[]);
            assert_eq!((read.allowed, read.result, read.failure_percent), (true, Some(ReadingResult::Cast), Some(0)));
            assert_eq!(read.scroll_gone, Some(true));
        }
        assert_eq!(resolved("scroll.cast_as_thief", "{}", &[]).unwrap_err().field(), Some("spell_level"));
    }

    #[test]
    fn a_ninth_level_spell_turns_on_nine_failures_in_ten() {
        let read = outcome::<CastAsThief>(r#"{"spell_level":9}"#, &[25, 90]);
        assert_eq!((read.reversal_percent, read.result), (Some(90), Some(ReadingResult::Reversed)));
    }
}
