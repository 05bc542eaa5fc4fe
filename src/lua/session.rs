//! What a prompt needs of a host beside lines: odds as typed, what lines have named, and taking the place of a host
//! whose machine is spent.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use mlua::{AnyUserData, ObjectLike as _, Table, Value as LuaValue};

use super::character::{LuaCharacter, Person, handle};
use super::errors::{ScriptError, ScriptErrorKind};
use super::host::{Host, Printed, broken, data, real_folder};
use super::require::Place;
use super::table_talk::shown;
use super::value;
use super::voice::Voice;
use crate::rules::core::{RuleError, Value};
use crate::world::Id;

/// What a file returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Returned {
    /// Nothing.
    Nothing,
    /// One value of plain data.
    Data(Value),
    /// Something that is no plain data, in words: `a function`, `a table: act, name`.
    Other(String),
}

/// What lines of a prompt have named.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// A function.
    Function,
    /// A number, a yes or no, or a text.
    Plain(Value),
    /// Anything else: a table, a character.
    Other,
}

/// What every prompt has, named by nobody.
const OWN_NAMES: [&str; 2] = ["_G", "require"];

/// What a name stands for: its name, and a number that is another as soon as it stands for another function.
pub type Definition = (String, usize);

impl Host {
    /// Runs a file that belongs to the pack in `root`: its `require` stays in there. Returns what it returned.
    ///
    /// # Errors
    /// As [`Host::run_file`].
    pub fn run_in(&self, path: &Path, root: &Path) -> Result<Returned, ScriptError> {
        let folder = real_folder(path.parent().unwrap_or(Path::new(".")))?;
        let root = real_folder(root)?;
        let root = if folder.starts_with(&root) { root } else { folder.clone() };
        self.run_placed(path, &Place { folder, root })
    }

    pub(super) fn run_placed(&self, path: &Path, place: &Place) -> Result<Returned, ScriptError> {
        let text = self.machine.read_source(path, &path.display().to_string())?;
        let results = self.run_at(&self.shown_name(path, place), &text, place)?;
        let first = results.iter().next();
        Ok(match (data(&self.lua, &results), first) {
            (Some(Value::Nil), _) | (None, None) => Returned::Nothing,
            (Some(value), _) => Returned::Data(value),
            (None, Some(LuaValue::Table(table))) if results.len() == 1 => {
                Returned::Other(format!("a {}", shown(&self.lua, &LuaValue::Table(table.clone())).unwrap_or_default()))
            }
            (None, Some(value)) if results.len() == 1 => Returned::Other(format!("a {}", value.type_name())),
            (None, Some(_)) => Returned::Other(format!("{} values", results.len())),
        })
    }

    /// A file's name as its script may see it: as it was given, but without the folders of this machine.
    fn shown_name(&self, path: &Path, place: &Place) -> String {
        if path.is_relative() {
            return path.display().to_string();
        }
        let file: PathBuf = path.file_name().map_or_else(|| place.folder.clone(), |name| place.folder.join(name));
        self.machine.shown(&file, &place.root)
    }

    /// The odds of dice typed at a prompt, as the script `odds "…"` would tell them; of two texts how they compare.
    ///
    /// # Errors
    /// When a text is not dice notation, or its odds are too much work.
    pub fn odds_text(&self, text: &str, against: Option<&str>) -> Result<Printed, ScriptError> {
        self.check_alive()?;
        let odds: LuaValue = self.machine.globals().raw_get("odds").map_err(|error| broken(&error))?;
        let function = self.lua.create_function(
            |lua, (odds, text, against): (Table, String, Option<String>)| -> mlua::Result<LuaValue> {
                let first: LuaValue = odds.call(text.as_str())?;
                let Some(against) = against else { return Ok(first) };
                let second: LuaValue = odds.call(against.as_str())?;
                let told = compared(lua, (&text, &first), (&against, &second))?;
                Ok(LuaValue::String(lua.create_string(told)?))
            },
        );
        let function = function.map_err(|error| broken(&error))?;
        self.printed(&self.shared.enter(&function, (odds, text, against))?)
    }

    /// What a name stands for in the lines of a prompt or in what scripts share.
    #[must_use]
    pub fn knows(&self, name: &str) -> bool {
        let known = |table: &Table| table.raw_get::<LuaValue>(name).is_ok_and(|value| !value.is_nil());
        known(&self.prompt) || known(self.machine.globals())
    }

    /// What the lines of the prompt have named, in order.
    #[must_use]
    pub fn named(&self) -> Vec<(String, Named)> {
        let mut names: Vec<(String, Named)> = Vec::new();
        self.each_named(|name, value| {
            let what = match value {
                LuaValue::Function(_) => Named::Function,
                LuaValue::Boolean(_) | LuaValue::Integer(_) | LuaValue::Number(_) | LuaValue::String(_) => {
                    value::from_lua(&self.lua, value, "it").map_or(Named::Other, Named::Plain)
                }
                _ => Named::Other,
            };
            names.push((name, what));
        });
        names.sort_by(|one, other| one.0.cmp(&other.0));
        names
    }

    /// The people of the world whom lines of the prompt have named.
    #[must_use]
    pub fn people_named(&self) -> Vec<(String, Id)> {
        let mut people = Vec::new();
        self.each_named(|name, value| {
            if let LuaValue::UserData(handle) = value
                && let Ok(handle) = handle.borrow::<LuaCharacter>()
            {
                people.push((name, handle.0.id));
            }
        });
        people
    }

    /// Names somebody of the world for the lines of the prompt.
    ///
    /// # Errors
    /// When nobody of this world has the id, or the machine has no room.
    pub fn name_person(&self, name: &str, id: Id) -> Result<(), ScriptError> {
        self.shared.world.borrow().record(id).map_err(RuleError::from)?;
        let person = Rc::new(Person { shared: Rc::clone(&self.shared), id });
        let set = handle(&self.lua, &person).and_then(|handle| self.prompt.raw_set(name, handle));
        set.map_err(|error| broken(&error))
    }

    /// The functions that the lines of the prompt have defined.
    #[must_use]
    pub fn definitions(&self) -> Vec<Definition> {
        let mut found = Vec::new();
        self.each_named(|name, value| {
            if let LuaValue::Function(function) = value {
                found.push((name, function.to_pointer() as usize));
            }
        });
        found.sort();
        found
    }

    fn each_named(&self, mut see: impl FnMut(String, &LuaValue)) {
        // A table is walked to its end: the walk itself cannot fail.
        let _ = self.prompt.for_each(|name: LuaValue, value: LuaValue| {
            if let LuaValue::String(name) = name {
                let name = name.to_string_lossy();
                if !OWN_NAMES.contains(&name.as_str()) {
                    see(name, &value);
                }
            }
            Ok(())
        });
    }

    /// Names a value for the lines of the prompt; [`Value::Nil`] takes the name away.
    ///
    /// # Errors
    /// When the machine has no room for it.
    pub fn name(&self, name: &str, value: &Value) -> Result<(), ScriptError> {
        let set = value::to_lua(&self.lua, value).and_then(|value| self.prompt.raw_set(name, value));
        set.map_err(|error| broken(&error))
    }

    /// Counts the next line of the prompt from here, so that what earlier lines did keeps their numbers.
    pub fn count_lines_from(&self, number: u32) {
        self.lines.set(number.saturating_sub(1));
    }

    /// How many lines of the prompt have been read as Lua.
    #[must_use]
    pub fn lines_read(&self) -> u32 {
        self.lines.get()
    }

    /// Gives scripts another voice.
    pub fn replace_voice(&self, voice: Box<dyn Voice>) {
        self.shared.voice.replace(voice);
    }
}

/// What is known of both, how they compare, and a picture.
fn compared(lua: &mlua::Lua, first: (&str, &LuaValue), second: (&str, &LuaValue)) -> mlua::Result<String> {
    let answer = |value: &LuaValue| match value {
        LuaValue::UserData(answer) => Ok(answer.clone()),
        _ => Err(ScriptError::new(ScriptErrorKind::Data, "odds are no odds")),
    };
    let (one, other): (AnyUserData, AnyUserData) = (answer(first.1)?, answer(second.1)?);
    let headline = |value: &LuaValue| Ok::<_, mlua::Error>(shown(lua, value)?.lines().next().unwrap_or("").to_owned());
    let comparison: Table = one.call_method("compare", &other)?;
    let share = |name: &str| Ok::<_, mlua::Error>(100.0 * comparison.raw_get::<f64>(name)?);
    let (greater, equal, less) = (share("greater")?, share("equal")?, share("less")?);
    let picture: String = one.call_method("plot", (LuaValue::Nil, other))?;
    Ok(format!(
        "{}: {}\n{}: {}\n{} is greater {greater:.2} %, equal {equal:.2} %, less {less:.2} %\n{}",
        first.0,
        headline(first.1)?,
        second.0,
        headline(second.1)?,
        first.0,
        picture.trim_end()
    ))
}
