//! Ability scores, under the names that rules and scripts use: `str dex con int wis cha`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Natural, RuleError};

/// One of the six abilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Charisma.
    Cha,
    /// Constitution.
    Con,
    /// Dexterity.
    Dex,
    /// Intelligence.
    Int,
    /// Strength.
    Str,
    /// Wisdom.
    Wis,
}

impl Ability {
    /// The six in alphabetical order.
    pub const ALL: [Ability; 6] = [Ability::Cha, Ability::Con, Ability::Dex, Ability::Int, Ability::Str, Ability::Wis];

    /// The name that arguments use: `str`.
    pub fn name(self) -> &'static str {
        match self {
            Ability::Cha => "cha",
            Ability::Con => "con",
            Ability::Dex => "dex",
            Ability::Int => "int",
            Ability::Str => "str",
            Ability::Wis => "wis",
        }
    }
}

/// Scores by ability, those that a rule needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub str: Option<Natural>,
    /// Dexterity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dex: Option<Natural>,
    /// Constitution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub con: Option<Natural>,
    /// Intelligence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub int: Option<Natural>,
    /// Wisdom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wis: Option<Natural>,
    /// Charisma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cha: Option<Natural>,
}

impl Scores {
    /// The score of an ability, when it was given.
    pub fn get(&self, ability: Ability) -> Option<i64> {
        let score = match ability {
            Ability::Cha => self.cha,
            Ability::Con => self.con,
            Ability::Dex => self.dex,
            Ability::Int => self.int,
            Ability::Str => self.str,
            Ability::Wis => self.wis,
        };
        score.map(Natural::get)
    }

    /// The score of an ability that a rule cannot do without; `field` is the argument that holds the scores.
    pub fn needed(&self, ability: Ability, field: &str) -> Result<i64, RuleError> {
        self.get(ability).ok_or_else(|| RuleError::missing(ability.name()).within(field))
    }
}
