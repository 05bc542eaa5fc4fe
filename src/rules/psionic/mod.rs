//! Psionics: who has them, their strengths and modes, disciplines, recovery, and combat of mind against mind.
//! Source: first-edition PSI-VOC-01 to PSI-MOD-04.
//!
//! A psionic has two pools, attack strength and defense strength; both are always what is left now, and psionic
//! strength is their sum. Distances between minds are in scale inches, areas of defense in feet.

pub mod appendix_c;
pub mod blast;
pub mod blast_effect;
pub mod change;
pub mod conduct;
pub mod defended;
pub mod defenseless;
pub mod discipline;
pub mod duel;
pub mod encounter;
pub mod exchange;
pub mod modes;
pub mod names;
pub mod potential;
pub mod ranges;
pub mod recovery;
pub mod segment;
pub mod series;
pub mod shared_defense;

use std::sync::OnceLock;

use compact_str::format_compact;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Band, RuleError, unbroken_bands};

pub use names::{AttackMode, DefenseMode, Forbidden, Inches, Label, Pools, RangeBand, Score, Scores};

/// What a rule answers for each of the five attack modes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByAttackMode<T> {
    psionic_blast: T,
    mind_thrust: T,
    ego_whip: T,
    id_insinuation: T,
    psychic_crush: T,
}

impl<T> ByAttackMode<T> {
    /// What stands under a mode.
    #[inline]
    pub fn of(&self, mode: AttackMode) -> &T {
        match mode {
            AttackMode::PsionicBlast => &self.psionic_blast,
            AttackMode::MindThrust => &self.mind_thrust,
            AttackMode::EgoWhip => &self.ego_whip,
            AttackMode::IdInsinuation => &self.id_insinuation,
            AttackMode::PsychicCrush => &self.psychic_crush,
        }
    }
}

/// What a rule answers for each of the five defense modes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByDefenseMode<T> {
    mind_blank: T,
    thought_shield: T,
    mental_barrier: T,
    intellect_fortress: T,
    tower_of_iron_will: T,
}

impl<T> ByDefenseMode<T> {
    /// What stands under a mode.
    #[inline]
    pub fn of(&self, mode: DefenseMode) -> &T {
        match mode {
            DefenseMode::MindBlank => &self.mind_blank,
            DefenseMode::ThoughtShield => &self.thought_shield,
            DefenseMode::MentalBarrier => &self.mental_barrier,
            DefenseMode::IntellectFortress => &self.intellect_fortress,
            DefenseMode::TowerOfIronWill => &self.tower_of_iron_will,
        }
    }
}

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

/// Gives row types with one row for each name of an enum their [`Keyed`](crate::rules::core::Keyed).
macro_rules! keyed {
    ($row:ty, $field:ident: $key:ty, $all:expr) => {
        impl crate::rules::core::Keyed for $row {
            type Key = $key;
            const KEYS: &'static [$key] = &$all;
            fn key(&self) -> $key {
                self.$field
            }
        }
    };
}
use keyed;

/// A row that is only a band.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlainBand {
    from: i64,
    #[serde(default)]
    to: Option<i64>,
    #[serde(skip)]
    label: BandLabel,
}
banded!(PlainBand);

/// The label of a row, put together when it is first asked for: every segment of a duel names its rows.
#[derive(Clone, Debug, Default)]
struct BandLabel(OnceLock<Label>);

impl BandLabel {
    /// The band as the tables print it: `01-25`, `126+`.
    fn of(&self, band: &impl Band) -> Label {
        let print = || {
            let from = band.from().unwrap_or(0);
            band.to().map_or_else(|| format_compact!("{from}+"), |to| format_compact!("{from:02}-{to}")).into()
        };
        self.0.get_or_init(print).clone()
    }
}

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

#[cfg(test)]
mod tests {
    use crate::rules::Book;
    use crate::rules::core::{AnyTable, House, Value};

    fn tables() -> impl Iterator<Item = &'static dyn AnyTable> {
        Book::shared().tables().into_iter().filter(|table| table.name().starts_with("psionic_"))
    }

    #[test]
    fn every_table_passes_its_own_check_and_names_its_source() {
        assert!(tables().count() > 15);
        for table in tables() {
            table.check_shipped().unwrap_or_else(|error| panic!("{}: {error}", table.name()));
            assert!(!table.source().is_empty(), "{}", table.name());
        }
    }

    #[test]
    fn a_table_with_a_row_less_is_refused() {
        // Lists that may be of any length, or whose last row may go.
        let free = ["psionic_appendix_a_slips", "psionic_related_powers", "psionic_disciplines"];
        for table in tables().filter(|table| !free.contains(&table.name())) {
            let Value::List(mut rows) = table.rows().unwrap() else { panic!("{} has no rows", table.name()) };
            rows.pop();
            assert!(House::new().patch(table.name(), Value::List(rows), "a test").is_err(), "{}", table.name());
        }
    }

    #[test]
    fn bands_are_labeled_as_the_tables_print_them() {
        let label = |from, to| {
            let band = super::PlainBand { from, to, label: super::BandLabel::default() };
            band.label.of(&band)
        };
        assert_eq!([label(1, Some(25)), label(126, None), label(10, Some(59))], ["01-25", "126+", "10-59"]);
    }

    #[test]
    fn the_disciplines_say_that_their_figures_are_secondary() {
        let disciplines = tables().find(|table| table.name() == "psionic_disciplines").unwrap();
        assert!(disciplines.source().starts_with("secondary"));
    }
}
