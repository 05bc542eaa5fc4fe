//! Ability scores, under the names that rules and scripts use: `str dex con int wis cha`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{
    AnyTable, Band, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, band_row, unbroken_bands,
};

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

/// The bonus of a band of scores.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BonusRow {
    #[serde(default)]
    from: Option<Natural>,
    #[serde(default)]
    to: Option<Natural>,
    bonus: Whole<-10, 10>,
}

impl Band for BonusRow {
    fn from(&self) -> Option<i64> {
        self.from.map(Natural::get)
    }
    fn to(&self) -> Option<i64> {
        self.to.map(Natural::get)
    }
}

/// The bonuses of scores, by Basic Fantasy, whose combat rules the book of this program follows.
static BONUSES: Table<BonusRow> =
    Table::new("ability_bonus", include_str!("data/basic_fantasy/ability_bonus.json"), unbroken_bands);

/// What `ability.bonus` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BonusArgs {
    /// The score.
    pub score: Natural,
}

/// The bonus of a score.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BonusOutcome {
    /// The bonus, or (negative) the penalty.
    pub bonus: i64,
}

rule! {
    /// Gives the bonus or penalty of an ability score: the modifier that attacks, damage, comas and hit points ask for.
    pub struct Bonus;
}

impl Rule for Bonus {
    const NAME: &'static str = "ability.bonus";
    const SOURCE: &'static [&'static str] = &["Basic Fantasy 4th edition, p.4"];
    const EXAMPLE: &'static str = "{ score = 16 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&BONUSES];
    type Args = BonusArgs;
    type Options = NoOptions;
    type Outcome = BonusOutcome;

    fn resolve(args: BonusArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<BonusOutcome, RuleError> {
        let rows = referee.table(&BONUSES);
        Ok(BonusOutcome { bonus: band_row(&rows, args.score.get())?.bonus.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::Bonus;
    use crate::rules::core::testing::outcome;

    #[test]
    fn an_average_score_gives_nothing_and_an_extreme_one_three() {
        let bonus = |score: i64| outcome::<Bonus>(&format!(r#"{{"score":{score}}}"#), &[]).bonus;
        assert_eq!([3, 8, 9, 12, 13, 16, 18, 25].map(bonus), [-3, -1, 0, 0, 1, 2, 3, 3]);
    }
}
