//! Which rolls to hit lead on to the tables of critical hits and misses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RollOutcome;

/// Which naturals of a roll to hit call for a roll on the tables of critical hits and critical misses: a switch of the
/// rules that are attacks of a special kind, for campaigns that keep the tables for weapons in melee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableRolls {
    /// A natural 20 that hits and a natural 1, as with any attack (ATK-04).
    #[default]
    Both,
    /// Only a natural 20 that hits.
    Critical,
    /// Only a natural 1.
    Fumble,
    /// Neither.
    Neither,
}

impl TableRolls {
    /// Whether `critical.hit` is due after this roll.
    #[must_use]
    pub fn critical_check(self, roll: &RollOutcome) -> bool {
        roll.critical_check && matches!(self, TableRolls::Both | TableRolls::Critical)
    }

    /// Whether `fumble.roll` is due after this roll.
    #[must_use]
    pub fn fumble_check(self, roll: &RollOutcome) -> bool {
        roll.fumble_check && matches!(self, TableRolls::Both | TableRolls::Fumble)
    }
}
