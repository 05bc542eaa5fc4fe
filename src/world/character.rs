//! A character as data: what a sheet holds, read from a plain table and checked before anything is kept.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::ability::{Ability, Bonus, BonusArgs, Scores};
use crate::rules::class::{self, Rulebook};
use crate::rules::core::names::place_of;
use crate::rules::core::{
    Any, ErrorKind, Fields, List, Modifier, Natural, Positive, Referee, RuleError, Value, Whole, read, write,
};
use crate::rules::dying::{self, Status};
use crate::rules::level::{Limit, LimitArgs, Species};
use crate::rules::skill::{GoodAtSlots, Grade, SlotArgs};

/// The most characters of a name: a bound on what a table may hold, not a rule.
const LONGEST_NAME: usize = 100;
/// The most characters of a background.
const LONGEST_BACKGROUND: usize = 2_000;
/// The most skills that a character lists.
const MOST_SKILLS: usize = 100;

/// A class of a character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassLevel {
    /// The class, as the rulebook's table names it.
    pub class: String,
    /// The level, from 1.
    pub level: i64,
    /// Experience points, at least those at which the level begins.
    pub xp: i64,
    /// The level that the guilds recognize: the last one gained with formal training (TRN-03).
    pub recognized: i64,
    /// The bonus to its experience in percent, where it is not the rulebook's for the scores (XP-03).
    pub bonus_percent: Option<i64>,
}

/// A character. Made by [`Character::read`]; changed by what happens to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Character {
    pub(super) name: String,
    pub(super) species: Species,
    pub(super) rulebook: Rulebook,
    pub(super) scores: Scores,
    pub(super) classes: Vec<ClassLevel>,
    pub(super) good_at: BTreeMap<String, Grade>,
    pub(super) skill_bonus: BTreeMap<String, i64>,
    pub(super) background: Option<String>,
    pub(super) ac: i64,
    pub(super) max_hp: i64,
    pub(super) hp: i64,
    pub(super) status: Status,
    pub(super) lowest_hp: Option<i64>,
    pub(super) coma_hours: i64,
    pub(super) weakness: i64,
    pub(super) scarred: bool,
    /// Rounds of the present hour of coma or weakness that have gone by; nothing where none has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rounds_gone: Option<i64>,
    /// Whether it lies unconscious though not below zero, as a house may have it at zero hit points.
    #[serde(skip)]
    pub(super) fallen: bool,
}

/// A class as a table gives it.
#[derive(Deserialize)]
struct ClassRecord {
    class: String,
    #[serde(default)]
    level: Option<Whole<1, 1_000>>,
    #[serde(default)]
    xp: Option<Natural>,
    #[serde(default)]
    recognized: Option<Whole<1, 1_000>>,
    #[serde(default)]
    bonus_percent: Option<Whole<0, 100>>,
}

/// A character as a table gives it.
#[derive(Deserialize)]
struct Record {
    name: String,
    #[serde(default = "human")]
    species: Species,
    #[serde(default)]
    rulebook: Rulebook,
    #[serde(default)]
    scores: Scores,
    classes: List<ClassRecord, 1, 20>,
    #[serde(default)]
    good_at: BTreeMap<String, Grade>,
    #[serde(default)]
    skill_bonus: BTreeMap<String, Natural>,
    #[serde(default)]
    background: Option<String>,
    #[serde(default = "unarmored")]
    ac: Modifier,
    max_hp: Positive,
    #[serde(default)]
    hp: Option<Any>,
    #[serde(default)]
    status: Option<Status>,
    #[serde(default)]
    lowest_hp: Option<Any>,
    #[serde(default)]
    coma_hours: Natural,
    #[serde(default)]
    weakness: Natural,
    #[serde(default)]
    scarred: bool,
    #[serde(default)]
    rounds_gone: Option<Natural>,
}

fn human() -> Species {
    Species::Human
}

fn unarmored() -> Modifier {
    Modifier::clamped(11)
}

/// What must be there.
const REQUIRED: [&str; 3] = ["name", "classes", "max_hp"];

/// An error about something that is missing, with all that is missing beside it.
fn all_missing(error: RuleError, table: &Value) -> RuleError {
    let is_missing = |name: &&str| matches!(table.get(name), None | Some(Value::Nil));
    let missing: Vec<&str> = REQUIRED.into_iter().filter(is_missing).collect();
    match (error.kind(), missing.as_slice()) {
        (ErrorKind::Missing, [first, .., last]) => {
            let between = &missing[1..missing.len() - 1];
            let others = if between.is_empty() {
                format!("so is {last}")
            } else {
                format!("so are {} and {last}", between.join(", "))
            };
            RuleError::missing(first).and(&others)
        }
        _ => error,
    }
}

/// A name is one line, and nothing in it steers a terminal.
fn check_name(name: &str) -> Result<(), RuleError> {
    if name.chars().any(char::is_control) {
        return Err(RuleError::invalid("name", "must be one line of plain text, without control characters"));
    }
    Ok(())
}

impl Character {
    /// Reads a character from a plain table.
    ///
    /// `name`, `classes` (each `class`, and `level` or `xp`) and `max_hp` must be there. Of level and experience the
    /// missing one follows from the other by the class's table; `hp` is `max_hp`, `status` follows from `hp`,
    /// `recognized` is 1 for a new character (TRN-03), `ac` 11 (unarmored).
    ///
    /// # Errors
    /// With the path of the field at fault, and nothing made: an unknown field, a wrong type, a class twice or closed
    /// to the species, a level past its limit, experience that does not reach the level, more Good-At skills than
    /// there are slots, a state that contradicts itself.
    pub fn read(table: &Value, referee: &mut Referee<'_>) -> Result<Self, RuleError> {
        let record: Record = read(table).map_err(|error| all_missing(error, table))?;
        check_sizes(&record)?;
        check_name(&record.name)?;
        let mut classes: Vec<ClassLevel> = Vec::with_capacity(record.classes.len());
        for (index, class) in record.classes.iter().enumerate() {
            let read = read_class(&record, class, &classes, referee);
            classes.push(read.map_err(|error| error.within_element(index).within("classes"))?);
        }
        check_good_at(&record, referee)?;
        let hp = record.hp.map_or(record.max_hp.get(), Any::get);
        if hp > record.max_hp.get() {
            let message = format!("must be at most max_hp, {}, not {hp}", record.max_hp);
            return Err(RuleError::out_of_range("hp", message));
        }
        let status = record.status.unwrap_or(if hp < 0 { Status::Bleeding } else { Status::Ok });
        let lowest_hp = record.lowest_hp.map(Any::get).or((hp < 0).then_some(hp));
        dying::check_state(hp, status, lowest_hp, referee)?;
        if record.coma_hours.get() > 0 && matches!(status, Status::Dead | Status::Bleeding) {
            return Err(RuleError::invalid(
                "coma_hours",
                "must be absent: a coma is for those whose bleeding has stopped",
            ));
        }
        let skill_bonus = record.skill_bonus.into_iter().map(|(skill, bonus)| (skill, bonus.get())).collect();
        Ok(Character {
            name: record.name,
            species: record.species,
            rulebook: record.rulebook,
            scores: record.scores,
            classes,
            good_at: record.good_at,
            skill_bonus,
            background: record.background,
            ac: record.ac.get(),
            max_hp: record.max_hp.get(),
            hp,
            status,
            lowest_hp,
            coma_hours: record.coma_hours.get(),
            weakness: dying::ComaFigures::of(referee)?.weakness("weakness", Some(record.weakness))?,
            scarred: record.scarred,
            rounds_gone: record.rounds_gone.map(Natural::get),
            fallen: status == Status::Ok && !dying::is_conscious(hp, status, referee),
        })
    }

    /// The character as a plain table, which [`Character::read`] takes back.
    pub fn data(&self) -> Result<Value, RuleError> {
        write(self)
    }

    /// The character with a field of the plain table, or an ability score, as somebody says it is; the rest is held
    /// against it. With hit points the status follows: well at 0 and more, bleeding below.
    ///
    /// # Errors
    /// When there is no such field, or the value does not go with the rest of the sheet; the path is the field's.
    pub fn with(&self, name: &str, value: Value, referee: &mut Referee<'_>) -> Result<Self, RuleError> {
        let mut table = self.data()?;
        let Value::Map(fields) = &mut table else { return Err(RuleError::bad_type(name, "must be a field")) };
        if Ability::ALL.into_iter().any(|ability| ability.name() == name) {
            let mut scores = match fields.get("scores") {
                Some(Value::Map(scores)) => scores.clone(),
                _ => Fields::default(),
            };
            scores.set(name, value);
            fields.set("scores", Value::Map(scores));
        } else {
            fields.set(name, value);
        }
        if name == "hp" {
            for of_the_wounds in ["status", "lowest_hp", "coma_hours", "weakness", "rounds_gone"] {
                fields.remove(of_the_wounds);
            }
        }
        Character::read(&table, referee)
    }

    /// One field of the plain table, or an ability score by its name; nothing where the character has none.
    pub fn field(&self, name: &str) -> Option<Value> {
        Some(match name {
            "name" => Value::from(self.name.as_str()),
            "hp" => Value::Whole(self.hp),
            "max_hp" => Value::Whole(self.max_hp),
            "ac" => Value::Whole(self.ac),
            "coma_hours" => Value::Whole(self.coma_hours),
            "weakness" => Value::Whole(self.weakness),
            "scarred" => Value::Bool(self.scarred),
            "awake" => Value::Bool(self.is_awake()),
            _ => match Ability::ALL.into_iter().find(|ability| ability.name() == name) {
                Some(ability) => self.scores.get(ability).map_or(Value::Nil, Value::Whole),
                None if Self::FIELDS.contains(&name) => self.data().ok()?.get(name).cloned().unwrap_or_default(),
                None => return None,
            },
        })
    }

    /// The names that [`Character::field`] knows beside the six abilities.
    pub const FIELDS: [&'static str; 17] = [
        "name",
        "species",
        "rulebook",
        "scores",
        "classes",
        "good_at",
        "skill_bonus",
        "background",
        "ac",
        "max_hp",
        "hp",
        "status",
        "lowest_hp",
        "coma_hours",
        "weakness",
        "scarred",
        "awake",
    ];

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The species.
    pub fn species(&self) -> Species {
        self.species
    }

    /// The classes, in the order given.
    pub fn classes(&self) -> &[ClassLevel] {
        &self.classes
    }

    /// Hit points now.
    pub fn hp(&self) -> i64 {
        self.hp
    }

    /// Where the character stands between health and death.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the character lives.
    pub fn is_alive(&self) -> bool {
        self.status != Status::Dead
    }

    /// Whether the character can act: alive, not bleeding below zero, in no coma, and not unconscious at zero where the
    /// house has it so. Who wakes below zero is awake.
    pub fn is_awake(&self) -> bool {
        match self.status {
            Status::Ok | Status::Stable => self.coma_hours == 0 && !self.fallen,
            Status::Bleeding | Status::Dead => false,
        }
    }

    /// The Constitution modifier, 0 where there is no score.
    pub(super) fn con_mod(&self, referee: &mut Referee<'_>) -> Result<Whole<-10, 10>, RuleError> {
        let Some(score) = self.scores.con else { return Ok(Whole::clamped(0)) };
        Ok(Whole::clamped(referee.call::<Bonus>(BonusArgs { score })?.bonus))
    }

    /// The index of the class that is meant: the one named, or the only one.
    pub(super) fn class_index(&self, class: Option<&str>) -> Result<usize, RuleError> {
        let names: Vec<&str> = self.classes.iter().map(|own| own.class.as_str()).collect();
        match class {
            None if names.len() == 1 => Ok(0),
            None => {
                let message = format!("must say which, of {}", names.join(", "));
                Err(RuleError::invalid("class", message))
            }
            Some(class) => place_of(class, names.iter().copied())
                .ok_or_else(|| RuleError::unknown_among("class", &format!("class of {}", self.name), class, &names)),
        }
    }
}

/// Holds texts and lists to a size that a table can bear.
fn check_sizes(record: &Record) -> Result<(), RuleError> {
    let length = |field: &str, text: &str, most: usize| match text.chars().count() {
        0 => Err(RuleError::out_of_range(field, "must not be empty")),
        count if count > most => {
            Err(RuleError::out_of_range(field, format!("must be at most {most} characters long, not {count}")))
        }
        _ => Ok(()),
    };
    length("name", &record.name, LONGEST_NAME)?;
    if let Some(background) = &record.background {
        length("background", background, LONGEST_BACKGROUND)?;
    }
    for (field, count) in [("good_at", record.good_at.len()), ("skill_bonus", record.skill_bonus.len())] {
        if count > MOST_SKILLS {
            return Err(RuleError::out_of_range(field, format!("must list at most {MOST_SKILLS} skills, not {count}")));
        }
    }
    for skill in record.good_at.keys() {
        length(skill, skill, LONGEST_NAME).map_err(|error| error.within("good_at"))?;
    }
    for skill in record.skill_bonus.keys() {
        length(skill, skill, LONGEST_NAME).map_err(|error| error.within("skill_bonus"))?;
    }
    Ok(())
}

/// Reads one class and holds it against the rulebook.
fn read_class(
    record: &Record,
    given: &ClassRecord,
    before: &[ClassLevel],
    referee: &mut Referee<'_>,
) -> Result<ClassLevel, RuleError> {
    let class = class::name_in(record.rulebook, &given.class, referee);
    if before.iter().any(|other| other.class == class) {
        return Err(RuleError::invalid("class", format!("must be another: \"{class}\" stands there twice")));
    }
    let rulebook = record.rulebook;
    let (level, xp) = match (given.level, given.xp) {
        (None, xp) => {
            let xp = xp.unwrap_or_default();
            let args = class::LevelArgs { rulebook, class: class.clone(), xp };
            (referee.call::<class::Level>(args)?.level, xp.get())
        }
        (Some(level), xp) => {
            let args = class::ClassLevelArgs { rulebook, class: class.clone(), level };
            let Some(begins) = referee.call::<class::Threshold>(args)?.xp else {
                return Err(RuleError::out_of_range(
                    "level",
                    format!("must be one that a {class} reaches, not {level}"),
                ));
            };
            let xp = xp.map_or(begins, Natural::get);
            if xp < begins {
                let message = format!("must be at least {begins}, where level {level} begins, not {xp}");
                return Err(RuleError::invalid("xp", message));
            }
            (level.get(), xp)
        }
    };
    let args = class::LimitArgs { rulebook, species: record.species, class: class.clone(), scores: record.scores };
    let by_book = referee.call::<class::Limit>(args)?;
    if !by_book.allowed {
        return Err(RuleError::invalid("class", format!("must be another: \"{class}\" is closed to the species")));
    }
    let limit = by_book.limit.and_then(Positive::new);
    let args = LimitArgs { species: record.species, level: Positive::clamped(level), limit };
    if let Some(limit) = referee.call::<Limit>(args)?.limit
        && level > limit
    {
        let message = format!("must be at most {limit}, the limit of the species as {class}, not {level}");
        return Err(RuleError::out_of_range("level", message));
    }
    let recognized = given.recognized.map_or(1, Whole::get);
    if recognized > level {
        return Err(RuleError::invalid("recognized", format!("must be at most the level, {level}, not {recognized}")));
    }
    Ok(ClassLevel { class, level, xp, recognized, bonus_percent: given.bonus_percent.map(Whole::get) })
}

/// Holds the Good-At skills against the slots, where the scores that give slots are known (SKL-02).
fn check_good_at(record: &Record, referee: &mut Referee<'_>) -> Result<(), RuleError> {
    if record.good_at.is_empty() {
        return Ok(());
    }
    let (Some(int), Some(wis)) = (record.scores.int, record.scores.wis) else { return Ok(()) };
    let picks = Some(record.good_at.clone());
    let args = SlotArgs { int: Whole::clamped(int.get()), wis: Whole::clamped(wis.get()), picks };
    match referee.call::<GoodAtSlots>(args) {
        Err(error) if error.field() == Some("picks") => {
            let message = error.to_string();
            let told = message.split_once("picks ").map_or(message.as_str(), |(_, told)| told);
            Err(RuleError::invalid("good_at", told))
        }
        other => other.map(drop),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::dice::Scripted;
    use crate::rules::core::{ErrorKind, House};

    /// Runs something with a referee whose dice are these, all of which must be used.
    pub(in crate::world) fn with_dice<T>(
        house: &House,
        dice: &[i64],
        run: impl FnOnce(&mut Referee<'_>) -> Result<T, RuleError>,
    ) -> Result<T, RuleError> {
        let mut source = Scripted::new(dice);
        let result = run(&mut Referee::new(&mut source, house))?;
        assert_eq!(source.unused(), 0, "dice are left unused");
        Ok(result)
    }

    /// Reads a character from JSON.
    pub(in crate::world) fn read_json(text: &str) -> Result<Character, RuleError> {
        let table: Value = serde_json::from_str(text).unwrap();
        with_dice(&House::new(), &[], |referee| Character::read(&table, referee))
    }

    /// The halfling of the training rule: short of three thousand points for the sixth level of a thief.
    pub(in crate::world) const HALFLING: &str = r#"{"name":"Tam","species":"halfling","max_hp":18,
        "scores":{"str":10,"dex":16,"con":13,"int":12,"wis":11,"cha":9},
        "classes":[{"class":"fighter","level":3},{"class":"thief","xp":17000}],
        "good_at":{"climb_walls":"good","open_locks":"very_good"},"skill_bonus":{"open_locks":2}}"#;

    pub(in crate::world) fn halfling() -> Character {
        read_json(HALFLING).unwrap()
    }

    #[test]
    fn what_is_not_said_follows_from_the_rest() {
        let tam = halfling();
        assert_eq!((tam.hp, tam.status, tam.ac, tam.is_awake()), (18, Status::Ok, 11, true));
        let levels: Vec<(i64, i64)> = tam.classes.iter().map(|class| (class.level, class.xp)).collect();
        assert_eq!(levels, [(3, 4_250), (5, 17_000)]);
    }

    #[test]
    fn the_plain_table_comes_back_as_the_same_character() {
        let tam = halfling();
        let again = with_dice(&House::new(), &[], |referee| Character::read(&tam.data()?, referee)).unwrap();
        assert_eq!(again, tam);
    }

    #[test]
    fn every_fault_is_named_with_its_path() {
        let cases = [
            (r#""name":"Tam""#, r#""nam":"Tam""#, ErrorKind::Unknown, "nam"),
            (r#""max_hp":18"#, r#""max_hp":"many""#, ErrorKind::BadType, "max_hp"),
            (r#""max_hp":18"#, r#""max_hp":18,"hp":19"#, ErrorKind::OutOfRange, "hp"),
            (r#""max_hp":18"#, r#""max_hp":18,"hp":-3,"status":"ok""#, ErrorKind::Invalid, "status"),
            (r#""max_hp":18"#, r#""max_hp":18,"coma_hours":2,"hp":-3"#, ErrorKind::Invalid, "coma_hours"),
            (r#""xp":17000"#, r#""xp":-1"#, ErrorKind::OutOfRange, "classes[2].xp"),
            (r#""xp":17000"#, r#""xp":17000,"level":6"#, ErrorKind::Invalid, "classes[2].xp"),
            (r#""class":"thief""#, r#""class":"fighter""#, ErrorKind::Invalid, "classes[2].class"),
            (r#""class":"thief""#, r#""class":"theif""#, ErrorKind::Unknown, "classes[2].class"),
            (r#""class":"thief""#, r#""class":"paladin""#, ErrorKind::Invalid, "classes[2].class"),
            (r#""level":3"#, r#""level":5"#, ErrorKind::OutOfRange, "classes[1].level"),
            (r#""level":3"#, r#""level":3,"recognized":4"#, ErrorKind::Invalid, "classes[1].recognized"),
            (r#""str":10"#, r#""str":10.5"#, ErrorKind::BadType, "scores.str"),
            (r#""open_locks":"very_good""#, r#""a":"very_good","b":"very_good""#, ErrorKind::Invalid, "good_at"),
        ];
        for (from, to, kind, field) in cases {
            assert!(HALFLING.contains(from), "{from}");
            let error = read_json(&HALFLING.replacen(from, to, 1)).unwrap_err();
            assert_eq!((error.kind(), error.field()), (kind, Some(field)), "{to}: {error}");
        }
    }

    #[test]
    fn every_field_it_knows_can_be_asked_for() {
        let tam = halfling();
        for name in Character::FIELDS {
            assert!(tam.field(name).is_some(), "{name}");
        }
        assert_eq!(tam.field("dex"), Some(Value::Whole(16)));
        assert_eq!(tam.field("strength"), None);
    }
}
