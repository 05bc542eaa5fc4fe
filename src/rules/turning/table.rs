//! The table: cleric's level against type of undead (TURN-01).

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::rules::core::{
    AnyTable, Keyed, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of,
};

/// A level of cleric, 1 to 20.
pub type Level = Whole<1, 20>;

/// The types of undead that have a column, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Undead {
    /// 1 hit die.
    Skeleton,
    /// 2 hit dice.
    Zombie,
    /// 3 hit dice.
    Ghoul,
    /// 4 hit dice.
    Wight,
    /// 5 hit dice.
    Wraith,
    /// 6 hit dice.
    Mummy,
    /// 7 hit dice.
    Spectre,
    /// 8 hit dice.
    Vampire,
    /// 9 hit dice or more.
    Ghost,
}

impl Undead {
    /// The columns in order; the first is for 1 hit die, each further one for one more.
    const COLUMNS: [Undead; 9] = [
        Undead::Skeleton,
        Undead::Zombie,
        Undead::Ghoul,
        Undead::Wight,
        Undead::Wraith,
        Undead::Mummy,
        Undead::Spectre,
        Undead::Vampire,
        Undead::Ghost,
    ];

    /// The type whose column holds for creatures of so many hit dice (at least 1).
    #[must_use]
    pub fn of_hit_dice(hit_dice: i64) -> Self {
        Self::COLUMNS[(hit_dice.clamp(1, Self::COLUMNS.len() as i64) - 1) as usize]
    }

    /// The hit dice of the column.
    #[must_use]
    pub fn hit_dice(self) -> i64 {
        self as i64 + 1
    }
}

/// Reads which column is meant: by type, by hit dice, or by both, where the type decides.
pub(super) fn column(kind: Option<Undead>, hit_dice: Option<Positive>) -> Result<Undead, RuleError> {
    match (kind, hit_dice) {
        (Some(kind), _) => Ok(kind),
        (None, Some(hit_dice)) => Ok(Undead::of_hit_dice(hit_dice.get())),
        (None, None) => Err(RuleError::missing("type")),
    }
}

/// A cell of the table: what a cleric needs against a type of undead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// `No`: this cleric cannot affect them.
    No,
    /// The least total of d20 and Wisdom modifier.
    Roll(Whole<1, 40>),
    /// `T`: they are turned without a roll.
    Turned,
    /// `D`: they are damaged, or commanded, without a roll.
    Damaged,
}

impl Need {
    const NAMED: [(&'static str, Need); 3] = [("No", Need::No), ("T", Need::Turned), ("D", Need::Damaged)];
}

impl Serialize for Need {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match Self::NAMED.iter().find(|(_, need)| need == self) {
            Some((name, _)) => serializer.serialize_str(name),
            None => match self {
                Need::Roll(number) => number.serialize(serializer),
                _ => serializer.serialize_unit(),
            },
        }
    }
}

struct NeedVisitor;

impl Visitor<'_> for NeedVisitor {
    type Value = Need;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number from 1 to 40, \"No\", \"T\" or \"D\"")
    }
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Need, E> {
        Whole::new(number).map(Need::Roll).ok_or_else(|| E::invalid_value(de::Unexpected::Signed(number), &self))
    }
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Need, E> {
        let named = Need::NAMED.iter().find(|(known, _)| *known == name);
        named.map(|(_, need)| *need).ok_or_else(|| E::unknown_variant(name, &["No", "T", "D"]))
    }
}

impl<'de> Deserialize<'de> for Need {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NeedVisitor)
    }
}

impl JsonSchema for Need {
    fn schema_name() -> Cow<'static, str> {
        "Need".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": 40 },
            { "type": "string", "enum": ["No", "T", "D"] },
        ] })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct LevelRow {
    level: Level,
    skeleton: Need,
    zombie: Need,
    ghoul: Need,
    wight: Need,
    wraith: Need,
    mummy: Need,
    spectre: Need,
    vampire: Need,
    ghost: Need,
}

impl LevelRow {
    fn need(&self, undead: Undead) -> Need {
        match undead {
            Undead::Skeleton => self.skeleton,
            Undead::Zombie => self.zombie,
            Undead::Ghoul => self.ghoul,
            Undead::Wight => self.wight,
            Undead::Wraith => self.wraith,
            Undead::Mummy => self.mummy,
            Undead::Spectre => self.spectre,
            Undead::Vampire => self.vampire,
            Undead::Ghost => self.ghost,
        }
    }
}

/// The levels 1 to 20.
const LEVELS: [i64; 20] = {
    let mut levels = [0; 20];
    let mut at = 0;
    while at < 20 {
        levels[at] = at as i64 + 1;
        at += 1;
    }
    levels
};

impl Keyed for LevelRow {
    type Key = i64;
    const KEYS: &'static [i64] = &LEVELS;
    fn key(&self) -> i64 {
        self.level.get()
    }
}

pub(super) static TURN_UNDEAD: Table<LevelRow> =
    Table::new("turn_undead", include_str!("../data/turn_undead.json"), one_row_each);

/// What `turning.lookup` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LookupArgs {
    /// The cleric's level, 1 to 20.
    pub level: Level,
    /// The type of undead; one of the nine of the table.
    #[serde(default, rename = "type")]
    pub kind: Option<Undead>,
    /// Instead of a type: the hit dice of undead that the table does not name, 9 and more sharing the last column.
    #[serde(default)]
    pub hd: Option<Positive>,
}

/// What a cleric needs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LookupOutcome {
    /// `No` (impossible), a number to reach on d20 with the Wisdom modifier, `T` (turned) or `D` (damaged).
    pub result: Need,
}

rule! {
    /// Looks up what a cleric needs to turn a type of undead. Where both type and hit dice are given, the type decides.
    pub struct Lookup;
}

impl Rule for Lookup {
    const NAME: &'static str = "turning.lookup";
    const SOURCE: &'static [&'static str] = &["combat-details TURN-01"];
    const EXAMPLE: &'static str = r#"{ level = 3, type = "ghoul" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&TURN_UNDEAD];
    type Args = LookupArgs;
    type Options = NoOptions;
    type Outcome = LookupOutcome;

    fn resolve(args: LookupArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<LookupOutcome, RuleError> {
        let undead = column(args.kind, args.hd)?;
        let levels = referee.table(&TURN_UNDEAD);
        Ok(LookupOutcome { result: row_of(&levels, args.level.get())?.need(undead) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    fn need(args: &str) -> Need {
        outcome::<Lookup>(args, &[]).result
    }

    #[test]
    fn a_novice_needs_thirteen_against_a_skeleton_and_cannot_turn_a_wight() {
        assert_eq!(need(r#"{"level":1,"type":"skeleton"}"#), Need::Roll(Whole::clamped(13)));
        assert_eq!(need(r#"{"level":1,"type":"wight"}"#), Need::No);
        assert_eq!(need(r#"{"level":11,"type":"skeleton"}"#), Need::Damaged);
    }

    #[test]
    fn nine_hit_dice_and_more_share_the_last_column() {
        for hd in [9, 10, 40] {
            assert_eq!(need(&format!(r#"{{"level":20,"hd":{hd}}}"#)), need(r#"{"level":20,"type":"ghost"}"#));
        }
    }

    #[test]
    fn undead_must_be_named_or_measured() {
        let error = resolved("turning.lookup", r#"{"level":3}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("type"));
    }
}
