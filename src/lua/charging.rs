//! Library functions that charge for their work, because the machine does not stop inside them.
//!
//! They stand on mlua's raw interface: the machine's own function is called in the same frame, so that its errors name
//! the right argument and line, and the price is computed from the arguments alone.

use std::ffi::CStr;
use std::os::raw::{c_char, c_int};
use std::sync::OnceLock;

use mlua::{Function, Lua, Table, ffi, lua_CFunction, lua_State};

use super::budget;
use super::sandbox::charge_or_raise;

/// Bytes looked at for one step.
const BYTES_A_STEP: usize = 16;
/// Table slots moved for one step.
const SLOTS_A_STEP: usize = 4;

/// One function of the machine's libraries with a price in front of it.
macro_rules! charged {
    ($name:ident, $price:expr) => {
        mod $name {
            use super::*;
            pub(super) static ORIGINAL: OnceLock<lua_CFunction> = OnceLock::new();

            pub(super) unsafe extern "C-unwind" fn priced(state: *mut lua_State) -> c_int {
                let price: unsafe fn(*mut lua_State) -> usize = $price;
                // SAFETY: the machine calls this with its running state, and nothing here waits to be dropped.
                unsafe {
                    charge_or_raise(state, price(state) as u64);
                    match ORIGINAL.get() {
                        Some(original) => original(state),
                        None => 0,
                    }
                }
            }
        }
    };
}

charged!(insert, |state| unsafe { if ffi::lua_gettop(state) >= 3 { slots(state) / SLOTS_A_STEP } else { 0 } });
charged!(remove, |state| unsafe { if ffi::lua_gettop(state) >= 2 { slots(state) / SLOTS_A_STEP } else { 0 } });
charged!(moved, |state| unsafe { range_length(state, 2, 3) / SLOTS_A_STEP });
charged!(concat, |state| unsafe { slots(state) });
charged!(sort, |state| unsafe { sort_price(state) });
charged!(clone_table, |state| unsafe { slots(state) / SLOTS_A_STEP });
charged!(find_value, |state| unsafe { slots(state) / SLOTS_A_STEP });
charged!(unpack, |state| unsafe { slots(state) / SLOTS_A_STEP });
charged!(upper, |state| unsafe { text_length(state, 1) / BYTES_A_STEP });
charged!(lower, |state| unsafe { text_length(state, 1) / BYTES_A_STEP });
charged!(reverse, |state| unsafe { text_length(state, 1) / BYTES_A_STEP });
charged!(utf8_len, |state| unsafe { text_length(state, 1) / BYTES_A_STEP });
charged!(format_text, |state| unsafe {
    hide_addresses(state);
    0
});

/// How many list slots the table at 1 has.
unsafe fn slots(state: *mut lua_State) -> usize {
    // SAFETY: reads one argument of the running call.
    unsafe { if ffi::lua_type(state, 1) == ffi::LUA_TTABLE { ffi::lua_objlen(state, 1) as usize } else { 0 } }
}

unsafe fn text_length(state: *mut lua_State, index: c_int) -> usize {
    // SAFETY: reads one argument of the running call.
    unsafe { if ffi::lua_type(state, index) == ffi::LUA_TSTRING { ffi::lua_objlen(state, index) as usize } else { 0 } }
}

/// How many slots a range from argument `from` to argument `to` has; at most as many as a machine could fill.
unsafe fn range_length(state: *mut lua_State, from: c_int, to: c_int) -> usize {
    // SAFETY: reads two arguments of the running call.
    let (from, to) = unsafe { (ffi::lua_tonumber(state, from), ffi::lua_tonumber(state, to)) };
    (to - from + 1.0).clamp(0.0, 8_000_000.0) as usize
}

/// A sort compares about `n log n` times; texts that begin alike are read all the way. With a function to compare, the
/// machine stops inside that.
unsafe fn sort_price(state: *mut lua_State) -> usize {
    // SAFETY: reads the first argument of the running call; each value read is taken off the stack again.
    unsafe {
        if ffi::lua_gettop(state) >= 2 {
            return slots(state);
        }
        let count = slots(state);
        ffi::luaL_checkstack(state, 1, c"table.sort".as_ptr());
        let mut bytes = 0_usize;
        for i in 1..=count {
            ffi::lua_rawgeti(state, 1, i as ffi::lua_Integer);
            bytes = bytes.saturating_add(text_length(state, -1) + 8);
            ffi::lua_pop(state, 1);
        }
        let rounds = (usize::BITS - count.leading_zeros()) as usize;
        bytes.saturating_mul(2 * rounds) / (4 * BYTES_A_STEP)
    }
}

/// Whether showing the value at `index` would show an address, which differs from run to run.
unsafe fn shows_address(state: *mut lua_State, index: c_int) -> bool {
    // SAFETY: reads one argument of the running call; the metafield is taken off the stack again.
    unsafe {
        match ffi::lua_type(state, index) {
            ffi::LUA_TNIL | ffi::LUA_TBOOLEAN | ffi::LUA_TNUMBER | ffi::LUA_TVECTOR | ffi::LUA_TSTRING => false,
            _ if ffi::luaL_getmetafield(state, index, c"__tostring".as_ptr()) != ffi::LUA_TNIL => {
                ffi::lua_pop(state, 1);
                false
            }
            _ => true,
        }
    }
}

/// Puts type names in the place of arguments that would show an address.
unsafe fn hide_addresses(state: *mut lua_State) {
    // SAFETY: replaces arguments of the running call in place.
    unsafe {
        ffi::luaL_checkstack(state, 2, c"string.format".as_ptr());
        for index in 1..=ffi::lua_gettop(state) {
            if shows_address(state, index) {
                ffi::lua_pushstring(state, ffi::lua_typename(state, ffi::lua_type(state, index)));
                ffi::lua_replace(state, index);
            }
        }
    }
}

/// `tostring` without addresses: tables, functions and coroutines show as what they are, the same in every run.
unsafe extern "C-unwind" fn shown(state: *mut lua_State) -> c_int {
    // SAFETY: the machine calls this with its running state, and nothing here waits to be dropped.
    unsafe {
        ffi::luaL_checkany(state, 1);
        ffi::lua_settop(state, 1);
        hide_addresses(state);
        ffi::luaL_tolstring(state, 1, std::ptr::null_mut());
        1
    }
}

/// `rep`: the length is checked before any byte is written.
unsafe extern "C-unwind" fn rep(state: *mut lua_State) -> c_int {
    // SAFETY: the machine calls this with its running state, and nothing here waits to be dropped.
    unsafe {
        let mut length = 0;
        ffi::luaL_checklstring(state, 1, &raw mut length);
        let times = ffi::luaL_checknumber(state, 2).max(0.0);
        if length == 0 || times < 1.0 {
            ffi::lua_pushlstring(state, c"".as_ptr(), 0);
            return 1;
        }
        let bytes = length as f64 * times.floor();
        if bytes > f64::from(i32::MAX) {
            ffi::lua_pushstring(state, c"string.rep: the text would be larger than any memory limit".as_ptr());
            ffi::lua_error(state);
        }
        charge_or_raise(state, bytes as u64 / BYTES_A_STEP as u64);
        match REP.get() {
            Some(original) => original(state),
            None => 0,
        }
    }
}

static REP: OnceLock<lua_CFunction> = OnceLock::new();
static FIND: OnceLock<lua_CFunction> = OnceLock::new();

/// The bytes of the text argument at `index`.
unsafe fn text_argument<'a>(state: *mut lua_State, index: c_int) -> &'a [u8] {
    // SAFETY: the text is an argument of the running call, which keeps it alive.
    unsafe {
        let mut length = 0;
        let start: *const c_char = ffi::luaL_checklstring(state, index, &raw mut length);
        std::slice::from_raw_parts(start.cast(), length)
    }
}

/// Why a search came to no result.
struct Stopped;

/// Bytes compared at once.
const CHUNK: usize = 1_024;

/// How many bytes at the beginning of two texts are alike, in whole chunks until the one that differs.
fn alike(text: &[u8], needle: &[u8]) -> usize {
    let mut chunks = text.chunks(CHUNK).zip(needle.chunks(CHUNK));
    let whole = chunks.position(|(a, b)| a.len() < b.len() || a[..b.len()] != *b);
    whole.map_or(needle.len(), |chunks| chunks * CHUNK)
}

/// Where a byte stands first.
fn place_of_byte(text: &[u8], byte: u8) -> Option<usize> {
    let chunk = text.chunks(CHUNK).position(|chunk| chunk.contains(&byte))? * CHUNK;
    text[chunk..].iter().position(|other| *other == byte).map(|place| chunk + place)
}

/// Where `needle` begins in `haystack` at or after `from`, charging for the bytes compared. The needle is not empty.
fn place_of(haystack: &[u8], needle: &[u8], from: usize) -> Result<Option<usize>, Stopped> {
    let mut compared = 0;
    let mut at = from;
    while at + needle.len() <= haystack.len() {
        let window = &haystack[at..=haystack.len() - needle.len()];
        let Some(skip) = place_of_byte(window, needle[0]) else {
            compared += window.len();
            break;
        };
        at += skip;
        let alike = alike(&haystack[at..], needle);
        compared += skip + alike + BYTES_A_STEP;
        if compared >= 1 << 16 {
            if !budget::charge((compared / BYTES_A_STEP) as u64) {
                return Err(Stopped);
            }
            compared = 0;
        }
        if alike == needle.len() {
            return Ok(Some(at));
        }
        at += 1;
    }
    if budget::charge((compared / BYTES_A_STEP) as u64) { Ok(None) } else { Err(Stopped) }
}

fn is_plain(pattern: &[u8]) -> bool {
    !pattern.iter().any(|byte| b"^$*+?.([%-".contains(byte))
}

/// `find`: a plain search is ours; a pattern is the machine's, which has safepoints there.
unsafe extern "C-unwind" fn find(state: *mut lua_State) -> c_int {
    // SAFETY: the machine calls this with its running state, and nothing here waits to be dropped.
    unsafe {
        let haystack = text_argument(state, 1);
        let needle = text_argument(state, 2);
        if ffi::lua_toboolean(state, 4) == 0 && !is_plain(needle) {
            return FIND.get().map_or(0, |original| original(state));
        }
        let start = ffi::luaL_optinteger(state, 3, 1) as i64;
        let from = if start < 0 { (haystack.len() as i64 + start).max(0) } else { (start - 1).max(0) } as usize;
        let found = match (from > haystack.len(), needle.is_empty()) {
            (true, _) => Ok(None),
            (false, true) => Ok(Some(from)),
            (false, false) => place_of(haystack, needle, from),
        };
        match found {
            Err(Stopped) => budget::raise_spent(state),
            Ok(None) => {
                ffi::lua_pushnil(state);
                1
            }
            Ok(Some(at)) => {
                ffi::lua_pushinteger(state, (at + 1) as ffi::lua_Integer);
                ffi::lua_pushinteger(state, (at + needle.len()) as ffi::lua_Integer);
                2
            }
        }
    }
}

/// `split`: the search is ours; an empty separator cuts between bytes.
unsafe extern "C-unwind" fn split(state: *mut lua_State) -> c_int {
    // SAFETY: the machine calls this with its running state, and nothing here waits to be dropped.
    unsafe {
        let text = text_argument(state, 1);
        let separator = if ffi::lua_gettop(state) < 2 { b"," } else { text_argument(state, 2) };
        ffi::luaL_checkstack(state, 2, c"string.split".as_ptr());
        ffi::lua_createtable(state, 0, 0);
        let mut count = 0;
        let mut push = |part: &[u8]| {
            ffi::lua_pushlstring(state, part.as_ptr().cast(), part.len());
            count += 1;
            ffi::lua_rawseti(state, -2, count);
        };
        if separator.is_empty() {
            charge_or_raise(state, text.len() as u64);
            text.chunks(1).for_each(push);
            return 1;
        }
        let mut from = 0;
        loop {
            match place_of(text, separator, from) {
                Err(Stopped) => return budget::raise_spent(state),
                Ok(Some(at)) => {
                    push(&text[from..at]);
                    from = at + separator.len();
                }
                Ok(None) => {
                    push(&text[from..]);
                    return 1;
                }
            }
        }
    }
}

/// The machine's own function of this name.
fn original(lua: &Lua, library: &Table, name: &str) -> mlua::Result<Option<lua_CFunction>> {
    let function: Function = library.get(name)?;
    // SAFETY: reads the function just pushed and leaves the stack to mlua.
    let mut found = None;
    unsafe {
        lua.exec_raw::<()>(function, |state| {
            found = ffi::lua_tocfunction(state, -1);
            ffi::lua_settop(state, 0);
        })?;
    }
    Ok(found)
}

/// A function of ours under the name that the machine's errors call it by.
fn named(lua: &Lua, name: &'static CStr, ours: lua_CFunction) -> mlua::Result<Function> {
    // SAFETY: the function follows the machine's calling convention and drops nothing on an error; its name is static.
    unsafe { lua.exec_raw((), |state| ffi::lua_pushcclosurek(state, ours, name.as_ptr(), 0, None)) }
}

/// Puts a function of ours in the place of the machine's, which is kept for it to call.
fn replace(
    lua: &Lua,
    library: &Table,
    name: &'static CStr,
    kept: &OnceLock<lua_CFunction>,
    ours: lua_CFunction,
) -> mlua::Result<()> {
    let key = name.to_string_lossy();
    let Some(function) = original(lua, library, &key)? else {
        return Err(mlua::Error::runtime(format!("{key} is not a function of the machine's")));
    };
    kept.get_or_init(|| function);
    library.raw_set(&*key, named(lua, name, ours)?)
}

/// Puts the charging functions in the place of the machine's.
pub(crate) fn install(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    let table: Table = globals.get("table")?;
    replace(lua, &table, c"insert", &insert::ORIGINAL, insert::priced)?;
    replace(lua, &table, c"remove", &remove::ORIGINAL, remove::priced)?;
    replace(lua, &table, c"move", &moved::ORIGINAL, moved::priced)?;
    replace(lua, &table, c"concat", &concat::ORIGINAL, concat::priced)?;
    replace(lua, &table, c"sort", &sort::ORIGINAL, sort::priced)?;
    replace(lua, &table, c"clone", &clone_table::ORIGINAL, clone_table::priced)?;
    replace(lua, &table, c"find", &find_value::ORIGINAL, find_value::priced)?;
    replace(lua, &table, c"unpack", &unpack::ORIGINAL, unpack::priced)?;
    globals.raw_set("unpack", table.get::<Function>("unpack")?)?;
    let string: Table = globals.get("string")?;
    replace(lua, &string, c"upper", &upper::ORIGINAL, upper::priced)?;
    replace(lua, &string, c"lower", &lower::ORIGINAL, lower::priced)?;
    replace(lua, &string, c"reverse", &reverse::ORIGINAL, reverse::priced)?;
    replace(lua, &string, c"format", &format_text::ORIGINAL, format_text::priced)?;
    replace(lua, &string, c"rep", &REP, rep)?;
    replace(lua, &string, c"find", &FIND, find)?;
    let utf8: Table = globals.get("utf8")?;
    replace(lua, &utf8, c"len", &utf8_len::ORIGINAL, utf8_len::priced)?;
    string.raw_set("split", named(lua, c"split", split)?)?;
    globals.raw_set("tostring", named(lua, c"tostring", shown)?)
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn a_search_finds_what_is_there_and_nothing_else() {
        let text: Vec<u8> = (0..5_000_u32).map(|i| (i * i % 251) as u8).collect();
        for (from, length) in [(0, 1), (0, 4_999), (1, 3_000), (4_000, 1_000), (2_047, 1_025), (1_024, 1_024)] {
            let needle = &text[from..from + length];
            let expected = text.windows(length).position(|window| window == needle);
            assert_eq!(place_of(&text, needle, 0).ok().flatten(), expected, "{from} {length}");
        }
        assert_eq!(place_of(b"aaab", b"ab", 0).ok().flatten(), Some(2));
        assert_eq!(place_of(b"aaab", b"ab", 3).ok().flatten(), None);
        assert_eq!(place_of(b"aab", b"aabb", 0).ok().flatten(), None);
    }
}
