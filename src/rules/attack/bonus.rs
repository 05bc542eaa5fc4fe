//! The attack bonus of a class and level, or of hit dice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::HitDice;
use crate::rules::core::{AnyTable, Band, Natural, NoOptions, Referee, Rule, RuleError, Table, unbroken_bands};

/// A class as the attack bonus table knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A zero-level person (NM-01).
    NormalMan,
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

impl Class {
    const ALL: [Class; 9] = [
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
}

/// A column of the attack bonus table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Fighters and their like, and normal men at level 0.
    Fighter,
    /// Clerics, thieves and their like.
    ClericThief,
    /// Magic-users.
    MagicUser,
    /// Monsters, by hit dice.
    Monster,
}

impl Column {
    const ALL: [Column; 4] = [Column::Fighter, Column::ClericThief, Column::MagicUser, Column::Monster];
}

/// A stretch of levels or hit dice.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Levels {
    /// The first that counts.
    from: i64,
    /// The last that counts; open in the last row of the monsters.
    #[serde(default)]
    to: Option<i64>,
}

impl Band for Levels {
    fn from(&self) -> Option<i64> {
        Some(self.from)
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

/// One attack bonus, and who has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BonusRow {
    attack_bonus: i64,
    #[serde(default)]
    fighter: Option<Levels>,
    #[serde(default)]
    cleric_thief: Option<Levels>,
    #[serde(default)]
    magic_user: Option<Levels>,
    #[serde(default)]
    monster: Option<Levels>,
}

impl BonusRow {
    fn levels(&self, column: Column) -> Option<Levels> {
        match column {
            Column::Fighter => self.fighter,
            Column::ClericThief => self.cleric_thief,
            Column::MagicUser => self.magic_user,
            Column::Monster => self.monster,
        }
    }
}

/// The levels of a column with their bonuses, from the top.
fn column_of(rows: &[BonusRow], column: Column) -> impl Iterator<Item = (Levels, i64)> {
    rows.iter().filter_map(move |row| row.levels(column).map(|levels| (levels, row.attack_bonus)))
}

fn whole_columns(rows: &[BonusRow]) -> Result<(), String> {
    for column in Column::ALL {
        let bands: Vec<Levels> = column_of(rows, column).map(|(levels, _)| levels).collect();
        unbroken_bands(&bands).map_err(|problem| format!("column {column:?}: {problem}"))?;
        if bands.iter().any(|band| band.to.is_some_and(|to| to < band.from)) {
            return Err(format!("column {column:?}: a band ends before it begins"));
        }
    }
    Ok(())
}

/// Attack bonuses by level and by hit dice.
pub static ATTACK_BONUS: Table<BonusRow> =
    Table::new("attack_bonus", include_str!("../data/attack_bonus.json"), whole_columns);

/// The column that a class reads.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassRow {
    class: Class,
    column: Column,
}

fn every_class_once(rows: &[ClassRow]) -> Result<(), String> {
    for class in Class::ALL {
        if rows.iter().filter(|row| row.class == class).count() != 1 {
            return Err(format!("there must be one row for {class:?}"));
        }
    }
    Ok(())
}

/// Which column of [`ATTACK_BONUS`] each class reads.
pub static ATTACK_BONUS_CLASS: Table<ClassRow> =
    Table::new("attack_bonus_class", include_str!("../data/attack_bonus_class.json"), every_class_once);

/// What `attack.bonus` is asked: a class and a level, or hit dice.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BonusArgs {
    /// The class; with `level`, and not together with `hd`.
    #[serde(default)]
    pub class: Option<Class>,
    /// The level: 0 to 20 for fighters, rangers and paladins, 1 to 20 for others; normal men have none, or 0.
    #[serde(default)]
    pub level: Option<Natural>,
    /// A monster's hit dice: a whole number, or text such as "3+2", "1-1", "1/2" (ATK-03).
    #[serde(default)]
    pub hd: Option<HitDice>,
}

/// The attack bonus.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BonusOutcome {
    /// The column of the table that was read.
    pub column: Column,
    /// The attack bonus.
    pub attack_bonus: i64,
}

rule! {
    /// Looks up the attack bonus by class and level, or by a monster's hit dice.
    ///
    /// Rangers and paladins fight as fighters, druids and assassins as clerics and thieves, by their grouping under
    /// weapon proficiency; the source does not print their columns. For hit dice points more or fewer are ignored,
    /// except that 1-1 and lower is less than one die (ATK-03).
    pub struct Bonus;
}

impl Rule for Bonus {
    const NAME: &'static str = "attack.bonus";
    const SOURCE: &'static [&'static str] = &["combat-details ATK-02", "combat-details ATK-03"];
    const EXAMPLE: &'static str = r#"{ class = "fighter", level = 7 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ATTACK_BONUS, &ATTACK_BONUS_CLASS];
    type Args = BonusArgs;
    type Options = NoOptions;
    type Outcome = BonusOutcome;

    fn resolve(args: BonusArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<BonusOutcome, RuleError> {
        let (column, level, field) = match (args.class, args.hd) {
            (None, None) => return Err(RuleError::missing("class")),
            (Some(_), Some(_)) => {
                return Err(RuleError::invalid("hd", "does not go with class: give class and level, or hd alone"));
            }
            (None, Some(_)) if args.level.is_some() => {
                return Err(RuleError::invalid("level", "goes with class; give hd alone"));
            }
            (None, Some(hit_dice)) => (Column::Monster, hit_dice.counted(), "hd"),
            (Some(class), None) => (column_for(class, referee)?, level_of(class, args.level)?, "level"),
        };
        let rows = referee.table(&ATTACK_BONUS);
        let found =
            column_of(&rows, column).find(|(levels, _)| levels.from <= level && levels.to.is_none_or(|to| level <= to));
        match found {
            Some((_, attack_bonus)) => Ok(BonusOutcome { column, attack_bonus }),
            None => Err(off_the_table(&rows, column, field, level)),
        }
    }
}

/// The column that a class reads.
fn column_for(class: Class, referee: &Referee<'_>) -> Result<Column, RuleError> {
    let classes = referee.table(&ATTACK_BONUS_CLASS);
    let row = classes.iter().find(|row| row.class == class);
    row.map(|row| row.column).ok_or_else(|| RuleError::unknown("class", "the class has no attack bonus column"))
}

/// The level to look up: normal men have none, the others must say theirs.
fn level_of(class: Class, level: Option<Natural>) -> Result<i64, RuleError> {
    match (class, level.map(Natural::get)) {
        (Class::NormalMan, None | Some(0)) => Ok(0),
        (Class::NormalMan, Some(level)) => {
            let message = format!("must be 0 or left out for a normal man, not {level}");
            Err(RuleError::out_of_range("level", message))
        }
        (_, Some(level)) => Ok(level),
        (_, None) => Err(RuleError::missing("level")),
    }
}

fn off_the_table(rows: &[BonusRow], column: Column, field: &str, level: i64) -> RuleError {
    let first = column_of(rows, column).next().map_or(0, |(levels, _)| levels.from);
    let last = column_of(rows, column).last().and_then(|(levels, _)| levels.to);
    let range = last.map_or_else(|| format!("{first} or more"), |last| format!("from {first} to {last}"));
    let whom = if column == Column::Monster { "a monster" } else { "this class" };
    RuleError::out_of_range(field, format!("must be {range} for {whom}, not {level}"))
}

#[cfg(test)]
mod tests {
    use super::Bonus;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn bonus(args: &str) -> i64 {
        outcome::<Bonus>(args, &[]).attack_bonus
    }

    #[test]
    fn each_group_of_classes_has_its_column() {
        assert_eq!(bonus(r#"{"class":"paladin","level":7}"#), 5);
        assert_eq!(bonus(r#"{"class":"assassin","level":7}"#), 4);
        assert_eq!(bonus(r#"{"class":"magic_user","level":7}"#), 3);
        assert_eq!(bonus(r#"{"class":"fighter","level":20}"#), 10);
        assert_eq!(bonus(r#"{"class":"cleric","level":18}"#), 8);
    }

    #[test]
    fn normal_men_have_no_level_and_no_bonus() {
        assert_eq!(bonus(r#"{"class":"normal_man"}"#), 0);
        assert_eq!(bonus(r#"{"class":"normal_man","level":0}"#), 0);
        let error = resolved("attack.bonus", r#"{"class":"normal_man","level":1}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("level")));
    }

    #[test]
    fn monsters_go_on_past_twenty_and_classes_do_not() {
        assert_eq!(bonus(r#"{"hd":31}"#), 15);
        assert_eq!(bonus(r#"{"hd":"40+12"}"#), 16);
        for args in [r#"{"class":"fighter","level":21}"#, r#"{"class":"cleric","level":0}"#] {
            let error = resolved("attack.bonus", args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("level")), "{args}");
        }
    }

    #[test]
    fn class_and_hit_dice_exclude_each_other() {
        let refused = [
            ("{}", ErrorKind::Missing, "class"),
            (r#"{"class":"fighter"}"#, ErrorKind::Missing, "level"),
            (r#"{"class":"fighter","level":3,"hd":3}"#, ErrorKind::Invalid, "hd"),
            (r#"{"level":3,"hd":3}"#, ErrorKind::Invalid, "level"),
            (r#"{"hd":"lots"}"#, ErrorKind::Invalid, "hd"),
        ];
        for (args, kind, field) in refused {
            let error = resolved("attack.bonus", args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (kind, Some(field)), "{args}");
        }
    }
}
