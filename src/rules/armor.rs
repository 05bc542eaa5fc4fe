//! The armor class of an unarmored man: one figure in each rulebook's own scale.
//! Source: combat-details TCH-01, house-rules AC-01.

use serde::{Deserialize, Serialize};

use super::core::{Keyed, Modifier, Referee, RuleError, Table, one_row_each, row_of};

/// A rulebook with an armor class scale of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rulebook {
    /// The combat chapter.
    CombatDetails,
    /// The house rules, by their conversion from descending armor class.
    HouseRules,
}

/// A rulebook and its figure.
#[derive(Serialize, Deserialize)]
pub struct UnarmoredRow {
    rulebook: Rulebook,
    ac: Modifier,
}

impl Keyed for UnarmoredRow {
    type Key = Rulebook;
    const KEYS: &'static [Rulebook] = &[Rulebook::CombatDetails, Rulebook::HouseRules];
    fn key(&self) -> Rulebook {
        self.rulebook
    }
}

/// The armor class of an unarmored man, ascending.
pub static UNARMORED: Table<UnarmoredRow> =
    Table::new("unarmored_armor_class", include_str!("data/unarmored_armor_class.json"), one_row_each);

/// The armor class of an unarmored man in a rulebook's scale.
pub fn unarmored(rulebook: Rulebook, referee: &Referee<'_>) -> Result<Modifier, RuleError> {
    row_of(&referee.table(&UNARMORED), rulebook).map(|row| row.ac)
}
