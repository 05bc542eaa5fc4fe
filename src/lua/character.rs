//! `character{…}` and `party{…}`: people who carry the rules with them.
//!
//! ```lua
//! local tam = character{ name = "Tam", species = "halfling", classes = { { class = "thief", level = 5 } },
//!   max_hp = 18, scores = { dex = 16, str = 10 }, good_at = { climb_walls = "good" } }
//! tam.hp, tam.status, tam.dex, tam.awake           -- fields are read
//! tam:check("climb_walls", { difficulty = 3, circumstance = 1 })
//! tam:take_damage(9)   tam:heal(4)   tam:strain()   tam:bind{ delay = 1 }   tam:heal_spell()
//! tam:pass{ rounds = 3 }   tam:pass{ hours = 8 }
//! tam:award{ xp = 400, individual = { 50 } }   tam:train{ gold = 5400, trainer = true, class = "thief", new_class = "druid" }
//! tam:examine{ gold = 900, fees = { ["2"] = 100 }, class = "thief" }
//! tam:read_scroll{ spell_level = 6 }
//! tam:sheet()   tam:data()                          -- text for people; the plain table that `character` takes back
//! party{ tam, ilse }:award{ xp = 2700 }             -- also :list(), :members(), :data()
//! ```
//!
//! What is made lives in the host's [`World`](crate::world::World); scripts hold a handle. A verb that fails leaves
//! everybody as they were. `tam.hp = 8` is the word of the DM: held against the rest of the sheet, and taken.

use std::rc::Rc;
use std::sync::Arc;

use mlua::{AnyUserData, Lua, MetaMethod, Table, UserData, UserDataMethods, Value as LuaValue};
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::shape::Shapes;
use super::shared::Shared;
use super::value;
use crate::nearest::nearest;
use crate::rules::ability::Ability;
use crate::rules::core::{Positive, Referee, RuleError, Value, read, write};
use crate::world::{self, Character, Id, Record, WorldError};

const CHARACTER_METHODS: [&str; 13] = [
    "check",
    "take_damage",
    "heal",
    "strain",
    "bind",
    "heal_spell",
    "pass",
    "award",
    "train",
    "examine",
    "read_scroll",
    "sheet",
    "data",
];

/// Somebody of the world whom scripts can still reach, by a handle or in a party.
pub(super) struct Person {
    pub(super) shared: Rc<Shared>,
    pub(super) id: Id,
}

impl Drop for Person {
    fn drop(&mut self) {
        self.shared.out_of_reach(self.id);
    }
}

/// A character in a script's hands.
pub(super) struct LuaCharacter(pub(super) Rc<Person>);

/// An argument table as a typed record; nothing is an empty table. `what` names the call in errors.
pub(super) fn arguments<T: DeserializeOwned>(lua: &Lua, given: &LuaValue, what: &str) -> Result<T, ScriptError> {
    let table = match given {
        LuaValue::Nil => Value::empty(),
        LuaValue::Table(_) => value::from_lua(lua, given, what)?,
        other => {
            let message = format!("{what} takes a table, {what}{{ … }}, not {}", value::described(other));
            return Err(ScriptError::new(ScriptErrorKind::Rule, message));
        }
    };
    read(&table).map_err(|error| error.in_rule(what).into())
}

/// Hit points that a script names.
fn points(given: &LuaValue, what: &str) -> Result<Positive, ScriptError> {
    let whole = if let LuaValue::Integer(whole) = given { Positive::new(*whole) } else { None };
    whole.ok_or_else(|| {
        let message = format!("{what} takes a whole number of 1 or more, not {}", value::described(given));
        ScriptError::new(ScriptErrorKind::Rule, message)
    })
}

pub(super) fn plain<T: Serialize>(lua: &Lua, data: &T) -> mlua::Result<LuaValue> {
    value::to_lua(lua, &write(data).map_err(ScriptError::from)?)
}

/// What a method answers: a table that raises on what it has not.
pub(super) fn answered<T: Serialize + JsonSchema>(lua: &Lua, method: &str, outcome: &T) -> mlua::Result<LuaValue> {
    let formed = Shapes::of_answer(lua, method, || schema_for!(T))?;
    value::to_shaped_lua(lua, &write(outcome).map_err(ScriptError::from)?, &formed)
}

/// Refuses a name that neither a method nor a field has, naming the nearest.
pub(super) fn no_field(of: &str, name: &str, methods: &[&str], fields: &[&str]) -> mlua::Error {
    let near = match nearest(name, methods.iter().chain(fields).copied()) {
        Some(near) if methods.contains(&near) => format!("did you mean :{near}(…)?"),
        Some(near) => format!("did you mean .{near}?"),
        None => format!("it has :{}", methods.join(", :")),
    };
    failure(format!("{of} has no \"{name}\"; {near}"))
}

pub(super) fn name_of(key: &LuaValue) -> String {
    key.to_string().unwrap_or_default()
}

impl Person {
    /// The record as it is now. Nobody is kept from changing it meanwhile.
    pub(super) fn record(&self) -> Result<Arc<Record>, ScriptError> {
        Ok(Arc::clone(self.shared.world.borrow().record(self.id).map_err(RuleError::from)?))
    }

    /// Something that only looks at the character.
    pub(super) fn look<T, E: From<ScriptError>>(&self, look: impl FnOnce(&Character) -> Result<T, E>) -> Result<T, E> {
        match &*self.record()? {
            Record::Character(character) => look(character),
        }
    }

    /// A rule that only looks at the character.
    fn ask<T>(&self, run: impl FnOnce(&Character, &mut Referee<'_>) -> Result<T, RuleError>) -> Result<T, ScriptError> {
        self.look(|character| self.shared.with_referee(|referee| run(character, referee)))
    }

    /// Something that changes the character: it happens to a copy, which is taken over when all went well. House rules
    /// that look at the character meanwhile see it as it was.
    fn change<T>(
        &self,
        run: impl FnOnce(&mut Character, &mut Referee<'_>) -> Result<T, RuleError>,
    ) -> Result<T, ScriptError> {
        let mut draft = self.shared.world.borrow().draft(self.id).map_err(RuleError::from)?;
        let outcome = self.shared.with_referee(|referee| run(&mut draft.character, referee))?;
        self.shared.world.borrow_mut().put(draft).map_err(RuleError::from)?;
        Ok(outcome)
    }

    /// Sets a field as the DM says it.
    fn set(&self, name: &str, value: &Value) -> Result<(), ScriptError> {
        self.change(|character, referee| {
            *character = character.with(name, value.clone(), referee)?;
            Ok(())
        })
    }
}

impl UserData for LuaCharacter {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("check", |lua, this, (what, given): (LuaValue, LuaValue)| {
            let LuaValue::String(what) = &what else {
                let given = value::described(&what);
                return Err(failure(format!(
                    "check takes a skill or an ability, :check(\"climb_walls\"), not {given}"
                )));
            };
            let what = what.to_str()?;
            let args = if given.is_nil() { world::CheckArgs::default() } else { arguments(lua, &given, "check")? };
            answered(lua, "check", &this.0.ask(|character, referee| character.check(&what, args, referee))?)
        });
        methods.add_method("take_damage", |lua, this, damage: LuaValue| {
            let damage = points(&damage, "take_damage")?;
            answered(lua, "take_damage", &this.0.change(|character, referee| character.take_damage(damage, referee))?)
        });
        methods.add_method("heal", |lua, this, amount: LuaValue| {
            let amount = points(&amount, "heal")?;
            answered(lua, "heal", &this.0.change(|character, referee| character.heal(amount, referee))?)
        });
        methods.add_method("strain", |lua, this, ()| answered(lua, "strain", &this.0.change(Character::strain)?));
        methods.add_method("heal_spell", |lua, this, ()| {
            answered(lua, "heal_spell", &this.0.change(Character::heal_spell)?)
        });
        methods.add_method("bind", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "bind")?;
            answered(lua, "bind", &this.0.change(|character, referee| character.bind(args, referee))?)
        });
        methods.add_method("pass", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "pass")?;
            answered(lua, "pass", &this.0.change(|character, referee| character.pass(args, referee))?)
        });
        methods.add_method("award", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "award")?;
            answered(lua, "award", &this.0.change(|character, referee| character.award(args, referee))?)
        });
        methods.add_method("train", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "train")?;
            answered(lua, "train", &this.0.change(|character, referee| character.train(args, referee))?)
        });
        methods.add_method("examine", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "examine")?;
            answered(lua, "examine", &this.0.change(|character, referee| character.examine(args, referee))?)
        });
        methods.add_method("read_scroll", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "read_scroll")?;
            answered(lua, "read_scroll", &this.0.ask(|character, referee| character.read_scroll(args, referee))?)
        });
        methods.add_method("sheet", |_, this, ()| this.0.look(|character| Ok(character.sheet())));
        methods.add_method("data", |lua, this, ()| this.0.look(|character| plain(lua, character)));
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| this.0.look(|character| Ok(character.sheet())));
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: LuaValue| this.0.field(lua, &key));
        methods.add_meta_method(MetaMethod::NewIndex, |lua, this, (key, given): (LuaValue, LuaValue)| {
            let name = name_of(&key);
            let value = value::from_lua(lua, &given, &name)?;
            Ok(this.0.set(&name, &value)?)
        });
    }
}

impl Person {
    fn field(&self, lua: &Lua, key: &LuaValue) -> mlua::Result<LuaValue> {
        let LuaValue::String(text) = key else {
            return Err(no_field("a character", &name_of(key), &CHARACTER_METHODS, &Character::FIELDS));
        };
        let name = text.to_str()?;
        let world = self.shared.world.borrow();
        let found = world.character(self.id).map_err(RuleError::from).map_err(ScriptError::from)?.field(&name);
        drop(world);
        if let Some(found) = found {
            return value::to_lua(lua, &found);
        }
        let abilities = Ability::ALL.map(Ability::name);
        let fields: Vec<&str> = Character::FIELDS.into_iter().chain(abilities).collect();
        Err(no_field("a character", &name, &CHARACTER_METHODS, &fields))
    }
}

/// Where the machine keeps the handles that scripts hold.
const HANDLES: &str = "grognard handles";

/// A table from people to their handles that keeps none of them alive.
fn handles(lua: &Lua) -> mlua::Result<Table> {
    let (handles, weak) = (lua.create_table()?, lua.create_table()?);
    weak.raw_set("__mode", "v")?;
    handles.set_metatable(Some(weak))?;
    Ok(handles)
}

/// The handle on somebody: the same one for as long as scripts hold it, so that it is equal to itself and finds its own
/// entry in a table.
pub(super) fn handle(lua: &Lua, person: &Rc<Person>) -> mlua::Result<AnyUserData> {
    let handles: Table = lua.named_registry_value(HANDLES)?;
    let number = person.id.number();
    if let LuaValue::UserData(handle) = handles.raw_get(number)? {
        return Ok(handle);
    }
    let handle = lua.create_userdata(LuaCharacter(Rc::clone(person)))?;
    handles.raw_set(number, &handle)?;
    Ok(handle)
}

/// Takes somebody into the world.
fn taken_in(lua: &Lua, shared: &Rc<Shared>, character: Character) -> mlua::Result<Id> {
    let record = Record::Character(character);
    let mut world = shared.world.borrow_mut();
    match world.add(record.clone()) {
        Err(WorldError::Full) => {
            drop(world);
            // Those whom scripts have dropped may still wait to be collected.
            lua.gc_collect()?;
            shared.let_go();
            world = shared.world.borrow_mut();
            Ok(world.add(record).map_err(RuleError::from).map_err(ScriptError::from)?)
        }
        added => Ok(added.map_err(RuleError::from).map_err(ScriptError::from)?),
    }
}

/// Puts `character` into the globals.
pub(crate) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let state = Rc::clone(shared);
    let character = lua.create_function(move |lua, given: LuaValue| {
        let LuaValue::Table(_) = &given else {
            let given = value::described(&given);
            return Err(failure(format!("character takes a table, character{{ name = \"Tam\", … }}, not {given}")));
        };
        let table = value::from_lua(lua, &given, "character")?;
        let character = state
            .with_referee(|referee| Character::read(&table, referee).map_err(|error| error.in_rule("character")))?;
        let id = taken_in(lua, &state, character)?;
        handle(lua, &Rc::new(Person { shared: Rc::clone(&state), id }))
    })?;
    lua.set_named_registry_value(HANDLES, handles(lua)?)?;
    lua.globals().raw_set("character", character)
}
