//! Saving throws: the number that a class and level must reach, and the roll.
//!
//! The combat chapter leaves the tables to another book; the figures are Basic Fantasy's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attack::Class;
use super::core::{AnyTable, Keyed, Modifier, NoOptions, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of};

/// The highest level of the tables.
const HIGHEST_LEVEL: i64 = 20;

/// What a saving throw is made against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Peril {
    /// Death rays and poison.
    DeathRay,
    /// Magic wands.
    MagicWands,
    /// Paralysis and being turned to stone.
    Paralysis,
    /// A dragon's breath.
    DragonBreath,
    /// Spells, and whatever else is magical.
    Spells,
}

/// A column of the saving throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Clerics and druids.
    Cleric,
    /// Fighters and their like, and normal men at level 0.
    Fighter,
    /// Magic-users.
    MagicUser,
    /// Thieves and assassins.
    Thief,
}

/// The saving throws of a stretch of levels.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SaveRow {
    /// Whose.
    pub column: Column,
    /// The first level.
    pub from: Whole<0, HIGHEST_LEVEL>,
    /// The last level.
    pub to: Whole<0, HIGHEST_LEVEL>,
    /// Against death rays and poison.
    pub death_ray: Whole<1, 40>,
    /// Against magic wands.
    pub magic_wands: Whole<1, 40>,
    /// Against paralysis and being turned to stone.
    pub paralysis: Whole<1, 40>,
    /// Against a dragon's breath.
    pub dragon_breath: Whole<1, 40>,
    /// Against spells.
    pub spells: Whole<1, 40>,
}

impl SaveRow {
    fn against(&self, peril: Peril) -> i64 {
        match peril {
            Peril::DeathRay => self.death_ray.get(),
            Peril::MagicWands => self.magic_wands.get(),
            Peril::Paralysis => self.paralysis.get(),
            Peril::DragonBreath => self.dragon_breath.get(),
            Peril::Spells => self.spells.get(),
        }
    }
}

static SAVING_THROWS: Table<SaveRow> =
    Table::new("saving_throws", include_str!("data/basic_fantasy/saving_throws.json"), every_level);

/// Every column reaches from level 1 (or 0) to the highest without gap or overlap.
fn every_level(rows: &[SaveRow]) -> Result<(), String> {
    for column in [Column::Cleric, Column::Fighter, Column::MagicUser, Column::Thief] {
        let mut next = None;
        for row in rows.iter().filter(|row| row.column == column) {
            let (from, to) = (row.from.get(), row.to.get());
            let follows = next.map_or(from <= 1, |next| from == next);
            if !follows || to < from {
                return Err(format!("{column:?}: the levels {from} to {to} do not follow those before"));
            }
            next = Some(to + 1);
        }
        if next != Some(HIGHEST_LEVEL + 1) {
            return Err(format!("{column:?} must reach level {HIGHEST_LEVEL}"));
        }
    }
    Ok(())
}

/// Which column a class reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassRow {
    /// The class.
    pub class: Class,
    /// Its column.
    pub column: Column,
}

impl Keyed for ClassRow {
    type Key = Class;
    const KEYS: &'static [Class] = &[
        Class::NormalMan,
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

static SAVE_CLASS: Table<ClassRow> = Table::new("save_class", include_str!("data/save_class.json"), one_row_each);

/// What `save.target` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TargetArgs {
    /// The class; a monster saves as a class and level that its description gives, most as fighters of their hit dice.
    pub class: Class,
    /// The level, 1 to 20; 0 for a normal man, who need not give it.
    #[serde(default)]
    pub level: Whole<0, HIGHEST_LEVEL>,
    /// What the saving throw is against.
    pub against: Peril,
}

/// The number to reach.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TargetOutcome {
    /// The number that d20 and modifiers must reach.
    pub save: i64,
}

rule! {
    /// Looks up the saving throw of a class and level.
    ///
    /// Rangers and paladins save as fighters, druids as clerics, assassins as thieves, in the groups in which the
    /// combat chapter names them.
    pub struct Target;
}

impl Rule for Target {
    const NAME: &'static str = "save.target";
    const SOURCE: &'static [&'static str] = &["Basic Fantasy, saving throws"];
    const EXAMPLE: &'static str = r#"{ class = "fighter", level = 4, against = "magic_wands" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&SAVING_THROWS, &SAVE_CLASS];
    type Args = TargetArgs;
    type Options = NoOptions;
    type Outcome = TargetOutcome;

    fn resolve(args: TargetArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<TargetOutcome, RuleError> {
        let level = args.level.get();
        let wanted = if args.class == Class::NormalMan { "0: normal men have no levels" } else { "from 1 to 20" };
        if (level == 0) != (args.class == Class::NormalMan) {
            return Err(RuleError::out_of_range("level", format!("must be {wanted}, not {level}")));
        }
        let column = row_of(&referee.table(&SAVE_CLASS), args.class)?.column;
        let rows = referee.table(&SAVING_THROWS);
        let row = rows.iter().find(|row| row.column == column && row.from.get() <= level && level <= row.to.get());
        match row {
            Some(row) => Ok(TargetOutcome { save: row.against(args.against) }),
            // Only a patched table that sends normal men to a column without level 0 comes here.
            None => Err(RuleError::out_of_range("level", format!("has no saving throw in the table for {level}"))),
        }
    }
}

/// What a natural 1 or 20 means to a saving throw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SaveNaturals {
    /// Nothing: the combat chapter gives saving throws no automatic results.
    #[default]
    Count,
    /// A natural 1 always fails, a natural 20 always succeeds, as in Basic Fantasy.
    Decide,
}

/// The switches of a saving throw.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RollOptions {
    /// What a natural 1 or 20 means.
    pub naturals: SaveNaturals,
}

/// What `save.roll` is asked: the number, or a class and level to look it up.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// The number to reach; without it `class`, `level` and `against` are needed.
    #[serde(default)]
    pub save: Option<Whole<1, 40>>,
    /// The class, instead of the number.
    #[serde(default)]
    pub class: Option<Class>,
    /// The level, with the class.
    #[serde(default)]
    pub level: Whole<0, HIGHEST_LEVEL>,
    /// What the saving throw is against, with the class.
    #[serde(default)]
    pub against: Option<Peril>,
    /// Added to the die.
    #[serde(default)]
    pub modifier: Modifier,
}

/// How a saving throw went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// The number to reach.
    pub save: i64,
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with the modifier.
    pub total: i64,
    /// Whether it was made.
    pub success: bool,
    /// Total less number.
    pub margin: i64,
}

rule! {
    /// Rolls a saving throw: d20 and modifier against a number, or against that of a class and level.
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "save.roll";
    const SOURCE: &'static [&'static str] = &["combat-details, saving throws", "Basic Fantasy, saving throws"];
    const EXAMPLE: &'static str = r#"{ class = "thief", level = 3, against = "dragon_breath", modifier = 1 }"#;
    type Args = RollArgs;
    type Options = RollOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, options: RollOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        let save = match (args.save, args.class) {
            (Some(_), Some(_)) => {
                return Err(RuleError::invalid("class", "does not go with save; give the number or the class"));
            }
            (None, None) => return Err(RuleError::missing("save")),
            (Some(save), None) => save.get(),
            (None, Some(class)) => {
                let against = args.against.ok_or_else(|| RuleError::missing("against"))?;
                referee.call::<Target>(TargetArgs { class, level: args.level, against })?.save
            }
        };
        referee.modifier(args.modifier.get(), "to the save");
        referee.need(|| format!("at least {save}"));
        let roll = referee.d(20, "save")?;
        let total = roll + args.modifier.get();
        let success = match (options.naturals, roll) {
            (SaveNaturals::Decide, 1) => false,
            (SaveNaturals::Decide, 20) => true,
            _ => total >= save,
        };
        Ok(RollOutcome { save, roll, total, success, margin: total - save })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn target(class: &str, level: i64, against: &str) -> i64 {
        let args = format!(r#"{{"class":"{class}","level":{level},"against":"{against}"}}"#);
        outcome::<Target>(&args, &[]).save
    }

    #[test]
    fn a_fighter_of_level_four_saves_against_wands_at_eleven() {
        assert_eq!(target("fighter", 4, "magic_wands"), 11);
        assert_eq!(target("fighter", 5, "magic_wands"), 11);
        assert_eq!(target("paladin", 3, "magic_wands"), 12);
    }

    #[test]
    fn a_normal_man_has_no_level_and_others_need_one() {
        assert_eq!(target("normal_man", 0, "spells"), 18);
        for args in
            [r#"{"class":"thief","against":"spells"}"#, r#"{"class":"normal_man","level":1,"against":"spells"}"#]
        {
            assert_eq!(resolved("save.target", args, &[]).unwrap_err().kind(), ErrorKind::OutOfRange, "{args}");
        }
    }

    #[test]
    fn naturals_count_like_other_rolls_unless_a_switch_lets_them_decide() {
        assert!(outcome::<Roll>(r#"{"save":5,"modifier":4}"#, &[1]).success);
        assert!(!outcome::<Roll>(r#"{"save":5,"modifier":4,"options":{"naturals":"decide"}}"#, &[1]).success);
        assert!(outcome::<Roll>(r#"{"save":25,"options":{"naturals":"decide"}}"#, &[20]).success);
    }

    #[test]
    fn a_save_is_a_number_or_a_class_and_not_both() {
        let fault = |args| {
            let error = resolved("save.roll", args, &[]).unwrap_err();
            (error.kind(), error.field().unwrap_or_default().to_owned())
        };
        assert_eq!(fault("{}"), (ErrorKind::Missing, "save".into()));
        assert_eq!(fault(r#"{"save":12,"class":"thief"}"#), (ErrorKind::Invalid, "class".into()));
        assert_eq!(fault(r#"{"class":"thief","level":2}"#), (ErrorKind::Missing, "against".into()));
    }
}
