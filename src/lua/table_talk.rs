//! `say`, `ask`, `choose`, `confirm`, `secret`: talk to the table. `print` is `say`.

use std::rc::Rc;

use mlua::{Lua, MultiValue, Table, Value as LuaValue};

use super::errors::{ScriptError, failure};
use super::shared::Shared;
use super::value;
use crate::printable::{escaped, escaped_lines};

/// A value as people read it: text as it is, tables with their fields, rolls with their dice.
pub(crate) fn shown(lua: &Lua, value: &LuaValue) -> mlua::Result<String> {
    match value {
        LuaValue::String(text) => Ok(text.to_string_lossy()),
        LuaValue::Table(table) if table.metatable().is_none_or(|meta| !has_tostring(&meta)) => {
            Ok(match value::from_lua(lua, value, "it") {
                Ok(data) => data.to_string(),
                Err(_) => names_of(table),
            })
        }
        other => lua.globals().get::<mlua::Function>("tostring")?.call(other),
    }
}

fn has_tostring(metatable: &Table) -> bool {
    metatable.raw_get::<LuaValue>("__tostring").is_ok_and(|shown| !shown.is_nil())
}

/// A table that is no data (it holds functions, or itself) by the names in it: `table: act, name`.
fn names_of(table: &Table) -> String {
    let mut names: Vec<String> = Vec::new();
    let walked = table.for_each(|key: LuaValue, _: LuaValue| {
        if let LuaValue::String(name) = key {
            names.push(name.to_string_lossy());
        }
        if names.len() < 1_000 { Ok(()) } else { Err(mlua::Error::StackError) }
    });
    names.sort();
    if names.is_empty() || walked.is_err() { "table".to_owned() } else { format!("table: {}", names.join(", ")) }
}

/// What a call says: its values, with spaces between them.
fn line(lua: &Lua, shared: &Shared, values: &MultiValue) -> mlua::Result<String> {
    let mut line = String::new();
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            line.push(' ');
        }
        line.push_str(&shown(lua, value)?);
    }
    let line = escaped_lines(&line).into_owned();
    heard(shared, line.len())?;
    Ok(line)
}

/// Charges for what the table hears.
fn heard(shared: &Shared, bytes: usize) -> Result<(), ScriptError> {
    if shared.meter.charge_output(bytes + 1) { Ok(()) } else { Err(shared.spent_error()) }
}

/// The question of `ask`, `choose` and `confirm`.
fn question(lua: &Lua, shared: &Shared, asked: &LuaValue) -> mlua::Result<String> {
    let question = escaped(&shown(lua, asked)?).into_owned();
    heard(shared, question.len())?;
    Ok(question)
}

fn choices(lua: &Lua, list: &Table) -> mlua::Result<Vec<String>> {
    if list.raw_len() == 0 {
        return Err(failure("choose needs a list with at least one choice"));
    }
    if list.raw_len() > 1_000 {
        return Err(failure("choose takes at most 1000 choices"));
    }
    list.sequence_values::<LuaValue>().map(|choice| Ok(escaped(&shown(lua, &choice?)?).into_owned())).collect()
}

/// Puts the functions into the globals.
pub(crate) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let globals = lua.globals();
    let state = Rc::clone(shared);
    let say = lua.create_function(move |lua, values: MultiValue| {
        let line = line(lua, &state, &values)?;
        Ok(state.table_talk(|voice| voice.say(&line))?)
    })?;
    globals.raw_set("say", &say)?;
    globals.raw_set("print", say)?;
    let state = Rc::clone(shared);
    let secret = lua.create_function(move |lua, values: MultiValue| {
        let line = line(lua, &state, &values)?;
        Ok(state.table_talk(|voice| voice.secret(&line))?)
    })?;
    globals.raw_set("secret", secret)?;
    let state = Rc::clone(shared);
    let ask = lua.create_function(move |lua, asked: LuaValue| {
        let question = question(lua, &state, &asked)?;
        let answer = state.table_talk(|voice| voice.ask(&question))?;
        lua.create_string(answer)
    })?;
    globals.raw_set("ask", ask)?;
    let state = Rc::clone(shared);
    let confirm = lua.create_function(move |lua, asked: LuaValue| {
        let question = question(lua, &state, &asked)?;
        Ok(state.table_talk(|voice| voice.confirm(&question))?)
    })?;
    globals.raw_set("confirm", confirm)?;
    let state = Rc::clone(shared);
    let choose = lua.create_function(move |lua, (asked, list): (LuaValue, Table)| {
        let question = question(lua, &state, &asked)?;
        let choices = choices(lua, &list)?;
        heard(&state, choices.iter().map(String::len).sum())?;
        let place = state.table_talk(|voice| voice.choose(&question, &choices))?;
        let chosen: LuaValue = list.raw_get(place + 1)?;
        if chosen.is_nil() {
            return Err(failure(format!("the table chose number {} of {}", place + 1, choices.len())));
        }
        Ok((chosen, place + 1))
    })?;
    globals.raw_set("choose", choose)
}
