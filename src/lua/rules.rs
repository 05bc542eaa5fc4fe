//! `rules.module.rule{…}`: every rule of the book, and those that the house adds.

use std::cell::OnceCell;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value as LuaValue};

use super::errors::{ScriptError, ScriptErrorKind};
use super::odds::unseen;
use super::sandbox::freeze;
use super::shape::{Formed, Shapes};
use super::shared::Shared;
use super::value;
use crate::nearest::nearest;
use crate::rules::Book;
use crate::rules::core::Value;

/// The arguments of a call: a table, or nothing for none.
pub(crate) fn arguments(lua: &Lua, name: &str, given: &LuaValue) -> Result<Value, ScriptError> {
    match given {
        LuaValue::Nil => Ok(Value::empty()),
        // A table with entries from 1 on is no record; the rule itself says what it wants instead.
        LuaValue::Table(_) => value::from_lua(lua, given, name),
        other => {
            let message = format!("{name} takes a table of arguments, {name}{{ … }}, not {}", value::described(other));
            Err(ScriptError::new(ScriptErrorKind::Rule, message))
        }
    }
}

/// The Lua function of one rule.
fn rule_function(lua: &Lua, shared: &Rc<Shared>, name: &str) -> mlua::Result<Function> {
    let shared = Rc::clone(shared);
    let name = name.to_owned();
    let formed: OnceCell<Option<Rc<Formed>>> = OnceCell::new();
    lua.create_function(move |lua, given: LuaValue| {
        let given = arguments(lua, &name, &given)?;
        let outcome = shared.resolve(&name, given)?;
        let formed = if let Some(formed) = formed.get() {
            formed
        } else {
            let entry = Book::shared().entry(&name);
            let made = entry.map(|entry| Shapes::of_outcome(lua, entry)).transpose()?;
            formed.get_or_init(|| made)
        };
        unseen::outcome(lua, &shared, &outcome, formed.as_deref())
    })
}

fn no_rule(shared: &Shared, name: &str) -> ScriptError {
    match shared.house.borrow().find(name) {
        Err(error) => error.into(),
        Ok(_) => ScriptError::new(ScriptErrorKind::Rule, format!("{name} cannot be called here")),
    }
}

/// The table of a module. Rules that the house adds later are found when they are asked for, and kept in `added`.
fn module_table(lua: &Lua, shared: &Rc<Shared>, module: &str) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for entry in Book::shared().entries().iter().filter(|entry| entry.module() == module) {
        let rule = entry.name.split_once('.').map_or(entry.name, |(_, rule)| rule);
        table.raw_set(rule, rule_function(lua, shared, entry.name)?)?;
    }
    let added = lua.create_table()?;
    let shared = Rc::clone(shared);
    let module = module.to_owned();
    let find = lua.create_function(move |lua, (_, rule): (LuaValue, LuaValue)| {
        if let Some(known) = added.raw_get::<Option<Function>>(&rule)? {
            return Ok(known);
        }
        let name = format!("{module}.{}", rule.to_string().unwrap_or_default());
        let is_added = shared.house.borrow().added().any(|(added, _, _)| added == name);
        if !is_added {
            return Err(no_rule(&shared, &name).into());
        }
        let function = rule_function(lua, &shared, &name)?;
        added.raw_set(rule, &function)?;
        Ok(function)
    })?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", find)?;
    metatable.raw_set("__metatable", false)?;
    table.set_metatable(Some(metatable))?;
    freeze(&table)?;
    Ok(table)
}

/// The module of a name.
fn module_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(module, _)| module)
}

fn no_module(shared: &Shared, module: &str) -> ScriptError {
    let house = shared.house.borrow();
    let message = match nearest(module, house.names().map(module_of)) {
        Some(near) => format!("there is no module of rules \"{module}\"; the nearest is rules.{near}"),
        None => format!("there is no module of rules \"{module}\"; `:help rules` lists them"),
    };
    ScriptError::new(ScriptErrorKind::Rule, message)
}

/// The table `rules`.
pub(crate) fn table(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let rules = lua.create_table()?;
    for module in Book::shared().modules() {
        rules.raw_set(module, module_table(lua, shared, module)?)?;
    }
    let added = lua.create_table()?;
    let shared = Rc::clone(shared);
    let find = lua.create_function(move |lua, (_, module): (LuaValue, LuaValue)| {
        if let Some(known) = added.raw_get::<Option<Table>>(&module)? {
            return Ok(known);
        }
        let name = module.to_string().unwrap_or_default();
        let is_added = shared.house.borrow().added().any(|(added, _, _)| module_of(added) == name);
        if !is_added {
            return Err(no_module(&shared, &name).into());
        }
        let table = module_table(lua, &shared, &name)?;
        added.raw_set(module, &table)?;
        Ok(table)
    })?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", find)?;
    metatable.raw_set("__metatable", false)?;
    rules.set_metatable(Some(metatable))?;
    freeze(&rules)?;
    Ok(rules)
}
