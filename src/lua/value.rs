//! The one conversion between Lua values and plain data.
//!
//! Whole numbers stay whole and fractions stay fractions; what is no data (functions, coroutines, cycles, NaN, tables
//! that are both list and record) is refused with the path to it.

use std::ffi::c_int;

use compact_str::CompactString;
use mlua::{Lua, Table, Value as LuaValue, ffi};

use super::errors::{ScriptError, ScriptErrorKind};
use super::odds::unseen::Unseen;
use crate::rules::core::{Fields, Value};

/// How deep data may nest; deeper is a cycle for all that matters.
const DEEPEST: usize = 64;

/// How many values one piece of data may hold: memory that a script makes the host allocate.
const MOST_VALUES: usize = 200_000;

/// How many bytes of text one piece of data may hold.
const MOST_BYTES: usize = 8 << 20;

/// From 2^53 on a Lua number no longer tells neighboring whole numbers apart.
const WHOLE_LIMIT: i64 = 1 << 53;

/// The way from the outermost value to the one that is read, for messages.
enum Path<'a> {
    Root(&'a str),
    Field(&'a Path<'a>, &'a str),
    Element(&'a Path<'a>, usize),
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Path::Root(name) => f.write_str(name),
            Path::Field(outer, name) => write!(f, "{outer}.{name}"),
            Path::Element(outer, index) => write!(f, "{outer}[{index}]"),
        }
    }
}

struct Reading {
    values_left: usize,
    bytes_left: usize,
    /// Whether dice that were not drawn singly may be in it.
    unseen: bool,
}

fn refuse(message: impl Into<String>) -> ScriptError {
    ScriptError::new(ScriptErrorKind::Data, message)
}

/// A Lua value as plain data. `what` names it in messages: `the arguments of check.roll`.
pub(crate) fn from_lua(value: &LuaValue, what: &str) -> Result<Value, ScriptError> {
    Reading { values_left: MOST_VALUES, bytes_left: MOST_BYTES, unseen: false }.value(value, &Path::Root(what), 0)
}

/// The outcome of a rule as a script passes it on, with dice that it has not looked at.
pub(crate) fn outcome_from_lua(value: &LuaValue, what: &str) -> Result<Value, ScriptError> {
    Reading { values_left: MOST_VALUES, bytes_left: MOST_BYTES, unseen: true }.value(value, &Path::Root(what), 0)
}

impl Reading {
    fn value(&mut self, value: &LuaValue, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        self.values_left = self
            .values_left
            .checked_sub(1)
            .ok_or_else(|| refuse(format!("{path} is too large: data holds at most {MOST_VALUES} values")))?;
        Ok(match value {
            LuaValue::Nil => Value::Nil,
            LuaValue::Boolean(yes) => Value::Bool(*yes),
            LuaValue::Integer(n) => Value::Whole(*n),
            LuaValue::Number(x) if x.is_nan() => {
                return Err(refuse(format!("{path} is not a number (NaN): was something divided 0 by 0?")));
            }
            LuaValue::Number(x) => Value::number(*x),
            LuaValue::String(text) => Value::Text(self.text(&text.as_bytes(), path)?.into()),
            LuaValue::Table(table) => self.table(table, path, depth)?,
            LuaValue::UserData(data) if self.unseen && data.is::<Unseen>() => {
                let unseen = data.borrow::<Unseen>().ok();
                match unseen.as_ref().and_then(|unseen| unseen.list()) {
                    Some(list) => Value::List(list.to_vec()),
                    None => return Err(refuse(format!("{path} is a roll; its total is data"))),
                }
            }
            other => return Err(refuse(format!("{path} is a {}, which is no data", other.type_name()))),
        })
    }

    fn text<'b>(&mut self, bytes: &'b [u8], path: &Path<'_>) -> Result<&'b str, ScriptError> {
        self.bytes_left = self.bytes_left.checked_sub(bytes.len()).ok_or_else(|| {
            refuse(format!("{path} is too large: data holds at most {} MB of text", MOST_BYTES >> 20))
        })?;
        std::str::from_utf8(bytes).map_err(|_| refuse(format!("{path} is text, but not UTF-8")))
    }

    fn table(&mut self, table: &Table, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        if depth >= DEEPEST {
            return Err(refuse(format!("{path} nests more than {DEEPEST} tables deep: is it inside itself?")));
        }
        let length = table.raw_len();
        if length > self.values_left {
            return Err(refuse(format!("{path} is too large: data holds at most {MOST_VALUES} values")));
        }
        if length > 0 {
            return self.list(table, length, path, depth);
        }
        let mut fields = Fields::default();
        let mut refusal = None;
        let walk = table.for_each(|key: LuaValue, value: LuaValue| {
            let field = self.field(&key, &value, path, depth);
            field.map(|field| fields.0.push(field)).map_err(|error| {
                refusal = Some(error);
                mlua::Error::StackError
            })
        });
        match (walk, refusal) {
            (_, Some(refusal)) => Err(refusal),
            (Err(error), None) => Err(refuse(format!("{path} could not be read: {error}"))),
            (Ok(()), None) => Ok(Value::Map(fields)),
        }
    }

    fn field(
        &mut self,
        key: &LuaValue,
        value: &LuaValue,
        path: &Path<'_>,
        depth: usize,
    ) -> Result<(CompactString, Value), ScriptError> {
        match key {
            LuaValue::String(name) => {
                let name = CompactString::from(self.text(&name.as_bytes(), path)?);
                let value = self.value(value, &Path::Field(path, &name), depth + 1)?;
                Ok((name, value))
            }
            LuaValue::Integer(_) | LuaValue::Number(_) => {
                Err(refuse(format!("{path} has numbers for keys with gaps between them; a list counts 1, 2, 3")))
            }
            other => Err(refuse(format!("{path} has a {} for a key; data has names", other.type_name()))),
        }
    }

    fn list(&mut self, table: &Table, length: usize, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        let mut items = Vec::with_capacity(length);
        for (i, item) in table.sequence_values::<LuaValue>().enumerate() {
            let item = item.map_err(|error| refuse(format!("{path} could not be read: {error}")))?;
            items.push(self.value(&item, &Path::Element(path, i + 1), depth + 1)?);
        }
        let mut count = 0_usize;
        let counted = table.for_each(|_: LuaValue, _: LuaValue| {
            count += 1;
            if count > length { Err(mlua::Error::StackError) } else { Ok(()) }
        });
        if counted.is_err() || count != items.len() {
            return Err(refuse(format!("{path} is both a list and a record; make it one of them")));
        }
        Ok(Value::List(items))
    }
}

/// What a Lua value is, for messages: `nothing`, `12`, `text "x"`, `a list`, `a function`.
pub(crate) fn described(value: &LuaValue) -> String {
    from_lua(value, "it").map_or_else(|_| format!("a {}", value.type_name()), |value| value.described())
}

/// Plain data as a Lua value.
pub(crate) fn to_lua(lua: &Lua, value: &Value) -> mlua::Result<LuaValue> {
    fits(value)?;
    Ok(match value {
        Value::Nil => LuaValue::Nil,
        Value::Bool(yes) => LuaValue::Boolean(*yes),
        Value::Whole(n) => LuaValue::Integer(*n),
        Value::Number(x) => LuaValue::Number(*x),
        Value::Text(text) => LuaValue::String(lua.create_string(text.as_str())?),
        // SAFETY: `push` leaves exactly one value on the stack and owns nothing that an error of the machine (its
        // memory is limited) would have to clean up on its way out. Raw, because with a memory limit mlua protects
        // each write by itself, and a record of seven fields then costs more than the rule that made it: here the
        // whole table is one protected call.
        Value::List(_) | Value::Map(_) => unsafe { lua.exec_raw((), |state| push(state, value))? },
    })
}

/// Whether every number of some data is one that Lua can hold.
fn fits(value: &Value) -> Result<(), ScriptError> {
    match value {
        Value::Whole(n) if n.abs() > WHOLE_LIMIT => {
            Err(refuse(format!("{n} is too large for a number of Lua; pass it as text")))
        }
        Value::List(items) => items.iter().try_for_each(fits),
        Value::Map(Fields(fields)) => fields.iter().try_for_each(|(_, value)| fits(value)),
        _ => Ok(()),
    }
}

/// Pushes data as one value.
///
/// # Safety
/// `state` is a running machine inside a protected call. Nothing with a destructor may live in this function: an error
/// of the machine leaves it without running any.
unsafe fn push(state: *mut ffi::lua_State, value: &Value) {
    // SAFETY: the stack has room for a table, a key and a value at each depth, and lengths are those of the slices.
    unsafe {
        ffi::luaL_checkstack(state, 4, c"data nests too deep".as_ptr());
        match value {
            Value::Nil => ffi::lua_pushnil(state),
            Value::Bool(yes) => ffi::lua_pushboolean(state, c_int::from(*yes)),
            Value::Whole(n) => ffi::lua_pushnumber(state, *n as f64),
            Value::Number(x) => ffi::lua_pushnumber(state, *x),
            Value::Text(text) => push_text(state, text),
            Value::List(items) => {
                ffi::lua_createtable(state, capacity(items.len()), 0);
                for (i, item) in items.iter().enumerate() {
                    push(state, item);
                    ffi::lua_rawseti(state, -2, i as ffi::lua_Integer + 1);
                }
            }
            Value::Map(Fields(fields)) => {
                ffi::lua_createtable(state, 0, capacity(fields.len()));
                for (name, value) in fields {
                    if *value != Value::Nil {
                        push_text(state, name);
                        push(state, value);
                        ffi::lua_rawset(state, -3);
                    }
                }
            }
        }
    }
}

/// Pushes text. As [`push`].
unsafe fn push_text(state: *mut ffi::lua_State, text: &str) {
    // SAFETY: the pointer and the length are those of the text, which Lua copies.
    unsafe {
        ffi::lua_pushlstring(state, text.as_ptr().cast(), text.len());
    }
}

/// A length as the machine takes it: only a hint of the room that a table will need.
fn capacity(length: usize) -> c_int {
    c_int::try_from(length).unwrap_or(c_int::MAX)
}

/// Plain data as a Lua value, with something else in the place of some lists.
pub(crate) fn to_lua_with(
    lua: &Lua,
    value: &Value,
    instead: &dyn Fn(&[Value]) -> Option<mlua::Result<LuaValue>>,
) -> mlua::Result<LuaValue> {
    Ok(match value {
        Value::List(items) => {
            if let Some(other) = instead(items) {
                return other;
            }
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (i, item) in items.iter().enumerate() {
                table.raw_seti(i + 1, to_lua_with(lua, item, instead)?)?;
            }
            LuaValue::Table(table)
        }
        Value::Map(Fields(fields)) => {
            let table = lua.create_table_with_capacity(0, fields.len())?;
            for (name, value) in fields {
                if *value != Value::Nil {
                    table.raw_set(name.as_str(), to_lua_with(lua, value, instead)?)?;
                }
            }
            LuaValue::Table(table)
        }
        plain => to_lua(lua, plain)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(code: &str) -> Result<Value, String> {
        let lua = Lua::new();
        let value: LuaValue = lua.load(code).eval().unwrap();
        from_lua(&value, "it").map_err(|error| error.message().to_owned())
    }

    #[test]
    fn whole_numbers_stay_whole_and_fractions_stay_fractions() {
        assert_eq!(read("return 12"), Ok(Value::Whole(12)));
        assert_eq!(read("return 24 / 2"), Ok(Value::Whole(12)));
        assert_eq!(read("return 12.5"), Ok(Value::Number(12.5)));
        assert_eq!(read("return '12'"), Ok(Value::Text("12".into())));
        assert_eq!(read("return 0"), Ok(Value::Whole(0)));
    }

    #[test]
    fn lists_and_records_come_through() {
        let value = read("return { 1, { name = 'ogre', hp = { 3, 4 } }, false }").unwrap();
        assert_eq!(
            value.to_json(),
            r#"[1,{"name":"ogre","hp":[3,4]},false]"#.replace("\"name\":\"ogre\",\"hp\":[3,4]", &order(&value))
        );
        assert_eq!(read("return {}"), Ok(Value::Map(Fields::default())));
    }

    /// The record's fields as they came: a Lua table has no order of its own.
    fn order(value: &Value) -> String {
        let Value::List(items) = value else { panic!("no list") };
        items[1].to_json().trim_matches(['{', '}']).to_owned()
    }

    #[test]
    fn what_is_no_data_is_refused_with_its_path() {
        let cases = [
            ("return { party = { { hp = 0/0 } } }", "it.party[1].hp is not a number (NaN)"),
            ("return { 1, 2, x = 3 }", "it is both a list and a record"),
            ("return { a = { 1, 2, x = 3 } }", "it.a is both a list and a record"),
            ("return { act = function() end }", "it.act is a function, which is no data"),
            ("return { coroutine.create(function() end) }", "it[1] is a thread, which is no data"),
            ("local t = {} t.t = t return t", "nests more than 64 tables deep"),
            ("return { [3] = 1 }", "it has numbers for keys with gaps"),
            ("return { [true] = 1 }", "it has a boolean for a key"),
            ("return { x = '\\255' }", "it.x is text, but not UTF-8"),
            ("return table.create(300000, 1)", "it is too large"),
        ];
        for (code, wanted) in cases {
            let message = read(code).expect_err(code);
            assert!(message.contains(wanted), "{code}: {message}");
        }
    }

    #[test]
    fn a_shared_table_that_grows_by_doubling_is_bounded() {
        let message = read("local t = { 1 } for _ = 1, 40 do t = { t, t } end return t").unwrap_err();
        assert!(message.contains("too large"), "{message}");
    }

    #[test]
    fn data_goes_to_lua_and_back_unchanged() {
        let lua = Lua::new();
        for json in [r#"{"a":[1,2.5,"x",true]}"#, "[]", "12", "\"12\"", "null", "[[1],[2]]"] {
            let value: Value = serde_json::from_str(json).unwrap();
            let back = from_lua(&to_lua(&lua, &value).unwrap(), "it").unwrap();
            // An empty list and an empty record are one thing in Lua.
            let same = back == value || (value == Value::List(vec![]) && back == Value::empty());
            assert!(same, "{json} became {back}");
        }
        assert!(to_lua(&lua, &Value::Whole((1 << 53) + 1)).is_err());
    }
}
