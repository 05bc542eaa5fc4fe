//! The tables that the host gives scripts: which fields they have, in which order, and what a script is told that reads
//! another.
//!
//! A field that a table has not raises, naming the nearest; one that is declared and empty is nil. It costs a metatable
//! for each kind of table, and nothing where the field is there. Such a table is plain data all the same: it can be
//! changed, walked, saved and printed, its fields in the order they are declared in.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::rc::Rc;

use mlua::{Function, Lua, Table, Value as LuaValue};
use schemars::Schema;

use super::errors::{ScriptError, ScriptErrorKind};
use super::sandbox::OWN_CHUNK;
use super::value;
use crate::nearest::nearest;
use crate::rules::core::{FieldDescription, Holds, RuleEntry, described};

/// What some data is made of, as far as its tables go.
#[derive(Debug)]
pub(crate) enum Shape {
    /// No table of the host's.
    Plain,
    /// A list, or a table from any names, of these.
    Each(Box<Shape>),
    /// A table with these fields; its metatable stands at this place of the list.
    Record { place: i64, fields: Vec<(String, Shape)> },
}

impl Shape {
    /// The shape of a field. Fields come in the order they are declared in, mostly.
    #[inline]
    pub(crate) fn of_field(&self, at: usize, name: &str) -> &Shape {
        let Shape::Record { fields, .. } = self else {
            return if let Shape::Each(inner) = self { inner } else { &Shape::Plain };
        };
        match fields.get(at) {
            Some((known, shape)) if known == name => shape,
            _ => fields.iter().find(|(known, _)| known == name).map_or(&Shape::Plain, |(_, shape)| shape),
        }
    }

    /// The shape of an element of a list.
    #[inline]
    pub(crate) fn of_element(&self) -> &Shape {
        if let Shape::Each(inner) = self { inner } else { &Shape::Plain }
    }
}

/// A shape with the metatables of this machine.
pub(crate) struct Formed {
    pub(crate) shape: Shape,
    /// The metatables, by the places in the shape.
    pub(crate) metatables: Table,
}

/// The shapes of one machine, made when they are first needed.
pub(crate) struct Shapes {
    known: RefCell<HashMap<String, Rc<Formed>>>,
    /// The fields of the tables with a metatable of ours, by the metatable's address; `known` keeps it alive.
    orders: RefCell<HashMap<*const c_void, Rc<[String]>>>,
    /// Makes a metatable.
    maker: Function,
}

/// A field that is declared is nil where it is empty; this is called for every other.
const MAKER: &str = "
local unknown, shown = ...
return function(declared, whose)
  local function index(_, name)
    if declared[name] then return nil end
    return unknown(declared, whose, name)
  end
  return { __index = index, __tostring = shown }
end";

/// Raises the error of a field that a table has not.
fn unknown(declared: &Table, whose: &str, name: &LuaValue) -> mlua::Result<()> {
    let mut names: Vec<(i64, String)> = Vec::new();
    declared.for_each(|name: String, place: i64| {
        names.push((place, name));
        Ok(())
    })?;
    names.sort_unstable();
    let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
    let name = name.to_string().unwrap_or_default();
    Err(no_field(whose, &name, &names).into())
}

/// The error of a field that something has not, naming the nearest.
pub(crate) fn no_field(whose: &str, name: &str, names: &[&str]) -> ScriptError {
    let message = match nearest(name, names.iter().copied()) {
        Some(near) => format!("{whose} {near}, not {name}"),
        None => format!("{whose} {}, not {name}", names.join(", ")),
    };
    let mut error = ScriptError::new(ScriptErrorKind::Runtime, message);
    error.parts_mut().field = Some(name.to_owned());
    error
}

impl Shapes {
    /// Gives a machine its shapes.
    pub(crate) fn install(lua: &Lua) -> mlua::Result<()> {
        let unknown = lua.create_function(|_, (declared, whose, name): (Table, String, LuaValue)| {
            unknown(&declared, &whose, &name)
        })?;
        let shown = lua.create_function(|lua, table: LuaValue| {
            Ok(value::from_lua(lua, &table, "it").map_or_else(|_| "table".to_owned(), |data| data.to_string()))
        })?;
        let maker = lua.load(MAKER).set_name(OWN_CHUNK).call((unknown, shown))?;
        lua.set_app_data(Shapes { known: RefCell::default(), orders: RefCell::default(), maker });
        Ok(())
    }

    /// The shape of a rule's outcomes.
    pub(crate) fn of_outcome(lua: &Lua, entry: &RuleEntry) -> mlua::Result<Rc<Formed>> {
        Self::of(lua, entry.name, || entry.describe_outcome())
    }

    /// The shape of what a schema describes, for what something of the host's answers.
    pub(crate) fn of_answer(lua: &Lua, whose: &str, schema: impl FnOnce() -> Schema) -> mlua::Result<Rc<Formed>> {
        Self::of(lua, whose, || described(&schema()))
    }

    fn of(lua: &Lua, whose: &str, fields: impl FnOnce() -> Vec<FieldDescription>) -> mlua::Result<Rc<Formed>> {
        let Some(shapes) = lua.app_data_ref::<Shapes>() else {
            return Err(super::errors::failure("this machine has no shapes"));
        };
        if let Some(known) = shapes.known.borrow().get(whose) {
            return Ok(Rc::clone(known));
        }
        let metatables = lua.create_table()?;
        let shape = shapes.record(lua, &metatables, &format!("{whose} answers"), &fields())?;
        let formed = Rc::new(Formed { shape, metatables });
        shapes.known.borrow_mut().insert(whose.to_owned(), Rc::clone(&formed));
        Ok(formed)
    }

    /// The metatable of a table of the host's with these fields: `a roll has`.
    pub(crate) fn metatable(lua: &Lua, whose: &str, names: &[&str]) -> mlua::Result<Table> {
        let Some(shapes) = lua.app_data_ref::<Shapes>() else {
            return Err(super::errors::failure("this machine has no shapes"));
        };
        let declared = lua.create_table_with_capacity(0, names.len())?;
        for (place, name) in names.iter().enumerate() {
            declared.raw_set(*name, place + 1)?;
        }
        let metatable: Table = shapes.maker.call((declared, whose))?;
        let order: Rc<[String]> = names.iter().map(|name| (*name).to_owned()).collect();
        shapes.orders.borrow_mut().insert(metatable.to_pointer(), order);
        Ok(metatable)
    }

    fn record(&self, lua: &Lua, metatables: &Table, whose: &str, fields: &[FieldDescription]) -> mlua::Result<Shape> {
        // Nothing is known of what a rule answers that declares no fields.
        if fields.is_empty() {
            return Ok(Shape::Plain);
        }
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let metatable = Self::metatable(lua, whose, &names)?;
        metatable.set_readonly(true);
        metatables.raw_push(metatable)?;
        let place = metatables.raw_len() as i64;
        let of = whose.strip_suffix(" answers").or_else(|| whose.strip_suffix(" has")).unwrap_or(whose);
        let mut inner = Vec::with_capacity(fields.len());
        for field in fields {
            let whose = format!("{of}.{} has", field.name);
            inner.push((field.name.clone(), self.holds(lua, metatables, &whose, &field.holds)?));
        }
        Ok(Shape::Record { place, fields: inner })
    }

    fn holds(&self, lua: &Lua, metatables: &Table, whose: &str, holds: &Holds) -> mlua::Result<Shape> {
        Ok(match holds {
            Holds::Table(fields) => self.record(lua, metatables, whose, fields)?,
            Holds::List(item) | Holds::Named(item) => match self.holds(lua, metatables, whose, item)? {
                Shape::Plain => Shape::Plain,
                inner => Shape::Each(Box::new(inner)),
            },
            // Of several kinds of tables all fields are declared.
            Holds::Either(several) => {
                let mut fields: Vec<FieldDescription> = Vec::new();
                for field in several
                    .iter()
                    .filter_map(|one| if let Holds::Table(fields) = one { Some(fields) } else { None })
                    .flatten()
                {
                    if fields.iter().all(|known| known.name != field.name) {
                        fields.push(field.clone());
                    }
                }
                self.record(lua, metatables, whose, &fields)?
            }
            _ => Shape::Plain,
        })
    }

    /// The fields of a table with this metatable, in the order they are declared in, when it is one of ours.
    pub(crate) fn order(lua: &Lua, metatable: *const c_void) -> Option<Rc<[String]>> {
        lua.app_data_ref::<Shapes>()?.orders.borrow().get(&metatable).cloned()
    }
}

/// Makes a table of the host's raise on what it has not, naming the nearest: `house has set, not sett`.
pub(crate) fn strict(lua: &Lua, table: &Table, whose: &str) -> mlua::Result<()> {
    let mut names: Vec<String> = Vec::new();
    table.for_each(|name: LuaValue, _: LuaValue| {
        names.extend(name.as_string().map(mlua::LuaString::to_string_lossy));
        Ok(())
    })?;
    names.sort_unstable();
    let whose = format!("{whose} has");
    let index = lua.create_function(move |_, (_, name): (LuaValue, LuaValue)| -> mlua::Result<()> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Err(no_field(&whose, &name.to_string().unwrap_or_default(), &names).into())
    })?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", index)?;
    metatable.raw_set("__metatable", false)?;
    table.set_metatable(Some(metatable))
}
