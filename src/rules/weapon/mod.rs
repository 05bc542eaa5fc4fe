//! Weapons and classes: proficiencies, what a class may use, what an assassination needs.
//! Source: combat-details PRF-02 to PRF-04. PRF-01, what proficiency is worth, is part of `attack.roll`.

mod may_use;
mod proficiency;

pub use may_use::*;
pub use proficiency::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The classes that the combat chapter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Fighter.
    Fighter,
    /// Ranger.
    Ranger,
    /// Paladin.
    Paladin,
    /// Cleric.
    Cleric,
    /// Druid.
    Druid,
    /// Thief.
    Thief,
    /// Assassin.
    Assassin,
    /// Magic-user.
    MagicUser,
}
