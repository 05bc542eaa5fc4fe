//! The one conversion between Lua values and plain data.
//!
//! Whole numbers stay whole and fractions stay fractions; what is no data (functions, coroutines, cycles, NaN, tables
//! that are both list and record) is refused with the path to it.

use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;

use compact_str::CompactString;
use mlua::state::RawLua;
use mlua::{Lua, Table, Value as LuaValue, ffi};

use super::budget;
use super::errors::{ScriptError, ScriptErrorKind};
use super::odds::unseen::Unseen;
use super::shape::{Formed, Shape, Shapes};
use crate::rules::core::{Fields, Value};

/// How deep data may nest; deeper is a cycle for all that matters.
const DEEPEST: usize = 64;

/// How many values one piece of data may hold: memory that a script makes the host allocate.
const MOST_VALUES: usize = 200_000;

/// How many bytes of text one piece of data may hold.
const MOST_BYTES: usize = 8 << 20;

/// How many fields a record is expected to have: room for them is made at once.
const USUAL_FIELDS: usize = 6;

/// Up to how many elements of a list room is made for at once.
const USUAL_ITEMS: usize = 256;

/// From 2^53 on a Lua number no longer tells neighboring whole numbers apart.
const WHOLE_LIMIT: u64 = 1 << 53;

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

fn refuse(message: impl Into<String>) -> ScriptError {
    ScriptError::new(ScriptErrorKind::Data, message)
}

fn stopped() -> ScriptError {
    ScriptError::new(ScriptErrorKind::Instructions, "the script was stopped while data was read")
}

/// A Lua value as plain data. `what` names it in messages: `the arguments of check.roll`. Each value in it costs a step.
pub(crate) fn from_lua(lua: &Lua, value: &LuaValue, what: &str) -> Result<Value, ScriptError> {
    read(lua, value, what, false)
}

/// The outcome of a rule as a script passes it on, with dice that it has not looked at.
pub(crate) fn outcome_from_lua(lua: &Lua, value: &LuaValue, what: &str) -> Result<Value, ScriptError> {
    read(lua, value, what, true)
}

fn read(lua: &Lua, value: &LuaValue, what: &str, unseen: bool) -> Result<Value, ScriptError> {
    lua.exec_raw_lua(|raw| {
        let state = raw.state();
        let mut reading = Reading { lua, raw, state, values_left: MOST_VALUES, bytes_left: MOST_BYTES, unseen };
        // SAFETY: the stack has room for the value, which is read where it lies, and is afterwards as high as before,
        // however the reading ended.
        let read = unsafe {
            let height = ffi::lua_gettop(state);
            let read = reading.pushed(value, what);
            ffi::lua_settop(state, height);
            read
        };
        if !budget::charge((MOST_VALUES - reading.values_left) as u64) {
            return Err(stopped());
        }
        read
    })
}

/// Reads data straight off the machine's stack. Tables are walked without metamethods, which calls no script;
/// a handle for each value would cost more than most rules do.
struct Reading<'l> {
    lua: &'l Lua,
    raw: &'l RawLua,
    state: *mut ffi::lua_State,
    values_left: usize,
    bytes_left: usize,
    /// Whether dice that were not drawn singly may be in it.
    unseen: bool,
}

impl Reading<'_> {
    /// Pushes a value and reads it.
    ///
    /// # Safety
    /// `self.state` is the running state of the machine.
    unsafe fn pushed(&mut self, value: &LuaValue, what: &str) -> Result<Value, ScriptError> {
        // SAFETY: as for the function.
        unsafe {
            self.make_room(&Path::Root(what))?;
            let pushed = self.raw.push_value(value);
            pushed.map_err(|error| refuse(format!("{what} could not be read: {error}")))?;
            self.top(&Path::Root(what), 0)
        }
    }

    /// Makes room on the stack for one more table: itself, a key and a value.
    unsafe fn make_room(&mut self, path: &Path<'_>) -> Result<(), ScriptError> {
        // SAFETY: the state runs; only its stack grows.
        if unsafe { ffi::lua_checkstack(self.state, 3) } == 0 {
            return Err(refuse(format!("{path} could not be read: there is no room for it")));
        }
        Ok(())
    }

    /// Reads the value on top of the stack and leaves it there. After an error more may lie on the stack.
    unsafe fn top(&mut self, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        self.values_left = self
            .values_left
            .checked_sub(1)
            .ok_or_else(|| refuse(format!("{path} is too large: data holds at most {MOST_VALUES} values")))?;
        // SAFETY: the value on top is of the kind that is asked for; there is room for a table's keys and values.
        unsafe {
            match ffi::lua_type(self.state, -1) {
                ffi::LUA_TNIL => Ok(Value::Nil),
                ffi::LUA_TBOOLEAN => Ok(Value::Bool(ffi::lua_toboolean(self.state, -1) != 0)),
                ffi::LUA_TNUMBER => {
                    let number = ffi::lua_tonumber(self.state, -1);
                    if number.is_nan() {
                        let message = format!("{path} is not a number (NaN): was something divided 0 by 0?");
                        return Err(refuse(message));
                    }
                    Ok(Value::number(number))
                }
                ffi::LUA_TSTRING => Ok(Value::Text(self.text(-1, path)?.into())),
                ffi::LUA_TTABLE => self.table(path, depth),
                ffi::LUA_TUSERDATA => self.userdata(path),
                other => {
                    let name = CStr::from_ptr(ffi::lua_typename(self.state, other)).to_string_lossy();
                    Err(refuse(format!("{path} is a {name}, which is no data")))
                }
            }
        }
    }

    /// The text at a place of the stack. It lives as long as it lies there.
    unsafe fn text<'s>(&mut self, place: c_int, path: &Path<'_>) -> Result<&'s str, ScriptError> {
        let mut length = 0;
        // SAFETY: a string lies there, so nothing is converted, and the pointer holds for so many bytes.
        let bytes = unsafe {
            let start: *const c_char = ffi::lua_tolstring(self.state, place, &raw mut length);
            std::slice::from_raw_parts(start.cast(), length)
        };
        self.bytes_left = self.bytes_left.checked_sub(length).ok_or_else(|| {
            refuse(format!("{path} is too large: data holds at most {} MB of text", MOST_BYTES >> 20))
        })?;
        std::str::from_utf8(bytes).map_err(|_| refuse(format!("{path} is text, but not UTF-8")))
    }

    /// A value of the host's: no data, but for a stand-in for dice that were not drawn singly.
    unsafe fn userdata(&mut self, path: &Path<'_>) -> Result<Value, ScriptError> {
        // SAFETY: there is room for a copy of the value on top, which is taken off again at once.
        let data = unsafe {
            self.make_room(path)?;
            ffi::lua_pushvalue(self.state, -1);
            self.raw.pop_value()
        };
        let LuaValue::UserData(data) = data else {
            return Err(refuse(format!("{path} is an error, which is no data")));
        };
        let unseen = if self.unseen { data.borrow::<Unseen>().ok() } else { None };
        let Some(unseen) = unseen else {
            return Err(refuse(format!("{path} is a userdata, which is no data")));
        };
        match unseen.list() {
            Some(list) => Ok(Value::List(list.to_vec())),
            None => Err(refuse(format!("{path} is a roll; its total is data"))),
        }
    }

    unsafe fn table(&mut self, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        if depth >= DEEPEST {
            return Err(refuse(format!("{path} nests more than {DEEPEST} tables deep: is it inside itself?")));
        }
        // A walk over an empty table can be long, and there can be many: each is paid for before it begins.
        if !budget::charge(1) {
            return Err(stopped());
        }
        // SAFETY: the table lies on top, and room is made for a key and a value of it.
        unsafe {
            self.make_room(path)?;
            let length = ffi::lua_objlen(self.state, -1);
            if length > self.values_left {
                return Err(refuse(format!("{path} is too large: data holds at most {MOST_VALUES} values")));
            }
            if length > 0 { self.list(length, path, depth) } else { self.record(path, depth) }
        }
    }

    unsafe fn record(&mut self, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        // SAFETY: the table lies on top.
        let order = unsafe { self.order() };
        let mut fields = Vec::with_capacity(USUAL_FIELDS);
        // SAFETY: each turn pushes a key and a value, for which there is room, and pops them.
        unsafe {
            let mut place = ffi::lua_rawiter(self.state, -1, 0);
            while place >= 0 {
                let name = self.name(path)?;
                let value = self.top(&Path::Field(path, &name), depth + 1)?;
                fields.push((name, value));
                ffi::lua_pop(self.state, 2);
                place = ffi::lua_rawiter(self.state, -1, place);
            }
        }
        if let Some(order) = order {
            let place = |name: &str| order.iter().position(|known| known == name).unwrap_or(usize::MAX);
            fields.sort_by_key(|(name, _): &(CompactString, _)| place(name));
        }
        Ok(Value::Map(Fields(fields)))
    }

    /// The order of the fields of the table on top, where it is one of the host's. Other tables have none.
    unsafe fn order(&self) -> Option<Rc<[String]>> {
        // SAFETY: there is room for the metatable, which is taken off again at once.
        let metatable = unsafe {
            if ffi::lua_getmetatable(self.state, -1) == 0 {
                return None;
            }
            let metatable = ffi::lua_topointer(self.state, -1);
            ffi::lua_pop(self.state, 1);
            metatable
        };
        Shapes::order(self.lua, metatable)
    }

    /// The key below the value on top.
    unsafe fn name(&mut self, path: &Path<'_>) -> Result<CompactString, ScriptError> {
        // SAFETY: a key lies there.
        unsafe {
            match ffi::lua_type(self.state, -2) {
                ffi::LUA_TSTRING => Ok(self.text(-2, path)?.into()),
                ffi::LUA_TNUMBER => {
                    Err(refuse(format!("{path} has numbers for keys with gaps between them; a list counts 1, 2, 3")))
                }
                other => {
                    let name = CStr::from_ptr(ffi::lua_typename(self.state, other)).to_string_lossy();
                    Err(refuse(format!("{path} has a {name} for a key; data has names")))
                }
            }
        }
    }

    unsafe fn list(&mut self, length: usize, path: &Path<'_>, depth: usize) -> Result<Value, ScriptError> {
        // Room for what is read, not for what a deep nest of long lists claims.
        let mut items = Vec::with_capacity(length.min(USUAL_ITEMS));
        // SAFETY: each turn pushes a value, or a key and a value, for which there is room, and pops them.
        unsafe {
            for place in 1..=length {
                if ffi::lua_rawgeti(self.state, -1, place as ffi::lua_Integer) == ffi::LUA_TNIL {
                    ffi::lua_pop(self.state, 1);
                    break;
                }
                items.push(self.top(&Path::Element(path, place), depth + 1)?);
                ffi::lua_pop(self.state, 1);
            }
            // Not a key more or less than the list has elements.
            let mut count = 0;
            let mut place = ffi::lua_rawiter(self.state, -1, 0);
            while place >= 0 && count <= length {
                count += 1;
                ffi::lua_pop(self.state, 2);
                place = ffi::lua_rawiter(self.state, -1, place);
            }
            if count != items.len() {
                return Err(refuse(format!("{path} is both a list and a record; make it one of them")));
            }
        }
        Ok(Value::List(items))
    }
}

/// What a Lua value is, for messages: `nothing`, `12`, `text "x"`, `a list`, `a function`.
pub(crate) fn described(value: &LuaValue) -> String {
    let plain = match value {
        LuaValue::Nil => Value::Nil,
        LuaValue::Boolean(yes) => Value::Bool(*yes),
        LuaValue::Integer(whole) => Value::Whole(*whole),
        LuaValue::Number(number) => Value::number(*number),
        LuaValue::String(text) => Value::Text(text.to_string_lossy().into()),
        LuaValue::Table(table) if table.raw_len() > 0 => Value::List(Vec::new()),
        LuaValue::Table(_) => Value::empty(),
        other => return format!("a {}", other.type_name()),
    };
    plain.described()
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

/// The answer of something of the host's as a Lua value: plain data whose tables raise on what they have not.
pub(crate) fn to_shaped_lua(lua: &Lua, value: &Value, formed: &Formed) -> mlua::Result<LuaValue> {
    if !matches!(value, Value::List(_) | Value::Map(_)) {
        return to_lua(lua, value);
    }
    fits(value)?;
    // SAFETY: as for `to_lua`; the metatables, given as the only argument, are replaced by the value.
    unsafe {
        lua.exec_raw(&formed.metatables, |state| {
            push_shaped(state, value, &formed.shape);
            ffi::lua_replace(state, 1);
        })
    }
}

/// Pushes data as one value, its tables with their metatables, whose list lies at the bottom of the stack.
///
/// # Safety
/// As for [`push`].
unsafe fn push_shaped(state: *mut ffi::lua_State, value: &Value, shape: &Shape) {
    // SAFETY: as for `push`, and one more place for a metatable.
    unsafe {
        match (value, shape) {
            (Value::List(items), Shape::Each(_)) => {
                ffi::luaL_checkstack(state, 4, c"data nests too deep".as_ptr());
                ffi::lua_createtable(state, capacity(items.len()), 0);
                for (i, item) in items.iter().enumerate() {
                    push_shaped(state, item, shape.of_element());
                    ffi::lua_rawseti(state, -2, i as ffi::lua_Integer + 1);
                }
            }
            (Value::Map(Fields(fields)), Shape::Each(_) | Shape::Record { .. }) => {
                ffi::luaL_checkstack(state, 4, c"data nests too deep".as_ptr());
                ffi::lua_createtable(state, 0, capacity(fields.len()));
                for (at, (name, value)) in fields.iter().enumerate() {
                    match value {
                        Value::Nil => continue,
                        Value::List(_) | Value::Map(_) => {
                            push_text(state, name);
                            push_shaped(state, value, shape.of_field(at, name));
                        }
                        _ => {
                            push_text(state, name);
                            push(state, value);
                        }
                    }
                    ffi::lua_rawset(state, -3);
                }
                if let Shape::Record { place, .. } = shape {
                    ffi::lua_rawgeti(state, 1, *place as ffi::lua_Integer);
                    ffi::lua_setmetatable(state, -2);
                }
            }
            (value, _) => push(state, value),
        }
    }
}

/// Whether every number of some data is one that Lua can hold.
fn fits(value: &Value) -> Result<(), ScriptError> {
    match value {
        Value::Whole(n) if n.unsigned_abs() > WHOLE_LIMIT => {
            Err(refuse(format!("{n} is too large for Lua, whose numbers are whole up to {WHOLE_LIMIT}")))
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

/// Plain data as a Lua value of this shape, with something else in the place of some lists.
pub(crate) fn to_lua_with(
    lua: &Lua,
    value: &Value,
    (shape, metatables): (&Shape, &Table),
    instead: &dyn Fn(&[Value]) -> Option<mlua::Result<LuaValue>>,
) -> mlua::Result<LuaValue> {
    Ok(match value {
        Value::List(items) => {
            if let Some(other) = instead(items) {
                return other;
            }
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (i, item) in items.iter().enumerate() {
                table.raw_seti(i + 1, to_lua_with(lua, item, (shape.of_element(), metatables), instead)?)?;
            }
            LuaValue::Table(table)
        }
        Value::Map(Fields(fields)) => {
            let table = lua.create_table_with_capacity(0, fields.len())?;
            for (at, (name, value)) in fields.iter().enumerate() {
                if *value != Value::Nil {
                    let inner = (shape.of_field(at, name), metatables);
                    table.raw_set(name.as_str(), to_lua_with(lua, value, inner, instead)?)?;
                }
            }
            if let Shape::Record { place, .. } = shape {
                table.set_metatable(Some(metatables.raw_get(*place)?))?;
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
        from_lua(&lua, &value, "it").map_err(|error| error.message().to_owned())
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
            ("return { 1, nil, 3 }", "it is both a list and a record"),
            ("return { nil, 2, 3 }", "it is both a list and a record"),
            ("local t = { 1, 2, 3, 4 } t[2] = nil return { a = t }", "it.a is both a list and a record"),
            ("local t = { 1, 2, 3, 4 } t[1] = nil return t", "it is both a list and a record"),
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
            let back = from_lua(&lua, &to_lua(&lua, &value).unwrap(), "it").unwrap();
            // An empty list and an empty record are one thing in Lua.
            let same = back == value || (value == Value::List(vec![]) && back == Value::empty());
            assert!(same, "{json} became {back}");
        }
        for number in [(1 << 53) + 1, i64::MAX, i64::MIN] {
            assert!(to_lua(&lua, &Value::Whole(number)).is_err(), "{number}");
        }
    }
}
