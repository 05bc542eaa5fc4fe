//! Psionics: who has them, their strengths and modes, disciplines, recovery, and combat of mind against mind.
//! Source: first-edition PSI-VOC-01 to PSI-MOD-04.
//!
//! A psionic has two pools, attack strength and defense strength; both are always what is left now, and psionic
//! strength is their sum. Distances between minds are in scale inches, areas of defense in feet.

pub mod blast;
pub mod blast_effect;
pub mod change;
pub mod conduct;
pub mod discipline;
pub mod encounter;
pub mod modes;
pub mod names;
pub mod potential;
pub mod ranges;
pub mod recovery;
pub mod series;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Band, RuleError, unbroken_bands};

pub use names::{AttackMode, DefenseMode, Forbidden, Inches, Pools, RangeBand, Score, Scores};

/// Gives row types with the fields `from` and `to` their [`Band`].
macro_rules! banded {
    ($($row:ty),*) => {$(
        impl Band for $row {
            fn from(&self) -> Option<i64> {
                Some(self.from)
            }
            fn to(&self) -> Option<i64> {
                self.to
            }
        }
    )*};
}
use banded;

/// Checks that bands cover d100 whole.
fn percentile_bands<R: Band>(rows: &[R]) -> Result<(), String> {
    unbroken_bands(rows)?;
    match (rows.first().and_then(Band::from), rows.last().and_then(Band::to)) {
        (Some(1), Some(100)) => Ok(()),
        _ => Err("the bands must run from 1 to 100".into()),
    }
}

/// Checks that bands have no gap and that the last is open.
fn open_bands<R: Band>(rows: &[R]) -> Result<(), String> {
    unbroken_bands(rows)?;
    if rows.last().is_some_and(|row| row.to().is_some()) {
        return Err("the last band must have no end".into());
    }
    Ok(())
}

/// The row for something that a checked table always has.
fn present<'a, T>(found: Option<&'a T>, what: &str) -> Result<&'a T, RuleError> {
    found.ok_or_else(|| {
        RuleError::general(super::core::ErrorKind::Invalid, format!("the patched table has no row for {what}"))
    })
}

/// The unit of a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// Rounds.
    Rounds,
    /// Turns.
    Turns,
    /// Days.
    Days,
    /// Weeks.
    Weeks,
}

/// How long something lasts: dice and their unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lasting {
    dice: super::core::Whole<1, 100>,
    sides: super::core::Whole<1, 1_000>,
    unit: TimeUnit,
}

impl Lasting {
    /// Rolls how long.
    fn roll(&self, referee: &mut super::core::Referee<'_>) -> Result<i64, RuleError> {
        Ok(referee.total(self.dice.get() as u32, self.sides.get() as u32, "duration")?.sum)
    }
}
