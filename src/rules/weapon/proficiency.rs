//! How many weapons a class is proficient in (PRF-02).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Class;
use crate::rules::core::{AnyTable, Keyed, NoOptions, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of};

#[derive(Serialize, Deserialize)]
struct ProficiencyRow {
    class: Class,
    at_first_level: Whole<0, 100>,
    /// Absent: never more.
    one_more_every: Option<Whole<1, 100>>,
    may_specialize: bool,
}

impl Keyed for ProficiencyRow {
    type Key = Class;
    const KEYS: &'static [Class] = &[
        Class::Fighter,
        Class::Ranger,
        Class::Paladin,
        Class::Cleric,
        Class::Druid,
        Class::Thief,
        Class::Assassin,
        Class::MagicUser,
    ];
    fn key(&self) -> Class {
        self.class
    }
}

static PROFICIENCIES: Table<ProficiencyRow> =
    Table::new("weapon_proficiencies", include_str!("../data/weapon_proficiencies.json"), one_row_each);

/// What `weapon.proficiency_slots` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProficiencySlotsArgs {
    /// The class.
    pub class: Class,
    /// The level, 1 to 20.
    pub level: Whole<1, 20>,
}

/// How many weapons.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProficiencySlotsOutcome {
    /// How many weapons the character is proficient in.
    pub slots: i64,
    /// Whether it may specialize in one: only fighters may.
    pub may_specialize: bool,
}

rule! {
    /// How many weapons a class is proficient in at a level: some at the first, one more every few levels after it.
    pub struct ProficiencySlots;
}

impl Rule for ProficiencySlots {
    const NAME: &'static str = "weapon.proficiency_slots";
    const SOURCE: &'static [&'static str] = &["combat-details PRF-02"];
    const EXAMPLE: &'static str = r#"{ class = "fighter", level = 7 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&PROFICIENCIES];
    type Args = ProficiencySlotsArgs;
    type Options = NoOptions;
    type Outcome = ProficiencySlotsOutcome;

    fn resolve(
        args: ProficiencySlotsArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ProficiencySlotsOutcome, RuleError> {
        let classes = referee.table(&PROFICIENCIES);
        let row = row_of(&classes, args.class)?;
        let gained = row.one_more_every.map_or(0, |every| (args.level.get() - 1) / every.get());
        Ok(ProficiencySlotsOutcome { slots: row.at_first_level.get() + gained, may_specialize: row.may_specialize })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn slots(class: &str, level: i64) -> i64 {
        outcome::<ProficiencySlots>(&format!(r#"{{"class":"{class}","level":{level}}}"#), &[]).slots
    }

    #[test]
    fn slots_come_at_the_levels_that_the_source_names() {
        assert_eq!([1, 2, 3, 5, 7].map(|level| slots("ranger", level)), [4, 4, 5, 6, 7]);
        assert_eq!([3, 4, 7].map(|level| slots("cleric", level)), [3, 4, 5]);
        assert_eq!([4, 5, 9].map(|level| slots("druid", level)), [3, 4, 5]);
        assert_eq!([1, 20].map(|level| slots("magic_user", level)), [2, 2]);
    }

    #[test]
    fn only_true_fighters_specialize() {
        assert!(outcome::<ProficiencySlots>(r#"{"class":"fighter","level":1}"#, &[]).may_specialize);
        assert!(!outcome::<ProficiencySlots>(r#"{"class":"paladin","level":1}"#, &[]).may_specialize);
    }
}
