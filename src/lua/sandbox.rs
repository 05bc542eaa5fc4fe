//! The sandbox: what is taken away, what is bounded, what is frozen.
//!
//! Found by trial on the machine in use: its own sandbox mode is not enough. Fixes that it ships switched off are
//! switched on by name, and a machine that does not know one of them refuses to start, so that an update of mlua cannot
//! lose them silently. Functions that work long without a safepoint are replaced by ones that charge for their work.

use std::sync::OnceLock;

use mlua::{Function, Lua, StdLib, Table, Value as LuaValue, ffi};

use super::budget;
use super::charging;
use super::errors::{ScriptError, ScriptErrorKind, failure};

/// Fixes that Luau ships switched off.
const FIXES: [&str; 5] = [
    // Without it two lines crash the process: a table key of -2^31, then `table.move`.
    "LuauTableArrayAdjustCheck",
    "LuauTableArrayShrinkOrder",
    // Without it `table.move` over a great empty range freezes for minutes.
    "LuauTableMoveTimeoutFix",
    // A table that grows past the memory limit stays in order.
    "LuauTableRobustOom",
    "LuauSandboxFreezesVectorMetatable",
];

/// Globals that scripts do not get.
const REMOVED: [&str; 14] = [
    "loadstring",
    "load",
    "loadfile",
    "dofile",
    "getfenv",
    "setfenv",
    "newproxy",
    "collectgarbage",
    "gcinfo",
    "os",
    "io",
    "debug",
    "require",
    "integer",
];

/// Switches the fixes on, once for the process. They must be on before the first machine is made.
fn switch_fixes_on(fixes: &[&str]) -> Result<(), ScriptError> {
    for name in fixes {
        Lua::set_fflag(name, true).map_err(|()| {
            let message = format!("this build of Luau does not know the fix {name}; scripts could crash the program");
            ScriptError::new(ScriptErrorKind::Dead, message)
        })?;
    }
    Ok(())
}

/// A machine with nothing in it but the libraries that do no harm.
pub(crate) fn machine() -> Result<Lua, ScriptError> {
    static FIXED: OnceLock<Result<(), ScriptError>> = OnceLock::new();
    FIXED.get_or_init(|| switch_fixes_on(&FIXES)).clone()?;
    let libraries = StdLib::COROUTINE
        | StdLib::TABLE
        | StdLib::STRING
        | StdLib::UTF8
        | StdLib::BIT
        | StdLib::MATH
        | StdLib::BUFFER
        | StdLib::VECTOR;
    Lua::new_with(libraries, mlua::LuaOptions::default())
        .map_err(|error| ScriptError::new(ScriptErrorKind::Dead, format!("the machine does not start: {error}")))
}

/// Takes away what scripts do not get and bounds what works long.
pub(crate) fn bound(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    for name in REMOVED {
        globals.raw_remove(name)?;
    }
    let math: Table = globals.get("math")?;
    for name in ["random", "randomseed"] {
        let message =
            format!("math.{name} is not here: dice come from the table; roll.d(20) is a die, roll(\"3d6\") a roll");
        math.raw_set(name, lua.create_function(move |_, ()| -> mlua::Result<()> { Err(failure(message.clone())) })?)?;
    }
    charging::install(lua)?;
    catch_readably(lua)
}

/// Errors that a script catches are readable: those of natives, which arrive as userdata, become text with their place.
/// A full memory is noticed here too, because catching it would otherwise undo it.
const CATCHING: &str = r#"
local readable, raw_pcall, raw_xpcall, raw_resume, raw_close = ...
local function settled(ok, problem, ...)
  if ok then return ok, problem, ... end
  return ok, readable(problem), ...
end
local function pcall(f, ...) return settled(raw_pcall(f, ...)) end
local function xpcall(f, handler, ...)
  if type(handler) ~= "function" then error("xpcall wants a function as its second argument", 2) end
  return settled(raw_xpcall(f, function(problem) return handler(readable(problem)) end, ...))
end
local function resume(co, ...) return settled(raw_resume(co, ...)) end
local function close(co) return settled(raw_close(co)) end
return pcall, xpcall, resume, close
"#;

/// Code of ours that runs inside the machine; left out of tracebacks.
pub(crate) const OWN_CHUNK: &str = "=[grog]";

fn catch_readably(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    let coroutine: Table = globals.get("coroutine")?;
    let raw: (Function, Function, Function, Function) =
        (globals.get("pcall")?, globals.get("xpcall")?, coroutine.get("resume")?, coroutine.get("close")?);
    let readable = lua.create_function(|lua, problem: LuaValue| super::report::readable(lua, problem))?;
    let (pcall, xpcall, resume, close): (Function, Function, Function, Function) =
        lua.load(CATCHING).set_name(OWN_CHUNK).call((readable, raw.0, raw.1, raw.2, raw.3))?;
    globals.raw_set("pcall", pcall)?;
    globals.raw_set("xpcall", xpcall)?;
    coroutine.raw_set("resume", resume)?;
    coroutine.raw_set("close", close)
}

/// Makes a table and all tables in it read-only, metatables too.
pub(crate) fn freeze(table: &Table) -> mlua::Result<()> {
    if table.is_readonly() {
        return Ok(());
    }
    table.set_readonly(true);
    if let Some(metatable) = table.metatable() {
        freeze(&metatable)?;
    }
    table.for_each(|_: LuaValue, value: LuaValue| match value {
        LuaValue::Table(inner) => freeze(&inner),
        _ => Ok(()),
    })
}

/// Freezes everything that scripts share. Afterwards the machine's globals are writable by nobody.
pub(crate) fn seal(lua: &Lua) -> mlua::Result<()> {
    lua.globals().raw_remove("_G")?;
    lua.globals().for_each(|_: LuaValue, value: LuaValue| match value {
        LuaValue::Table(library) => freeze(&library),
        _ => Ok(()),
    })?;
    lua.sandbox(true)
}

/// An environment for one script: it reads the shared globals and writes its own. `_G` shows it, read-only: a global
/// written through a table would pass the compiler by.
pub(crate) fn environment(lua: &Lua, shared: &Table, keeps_lines: bool) -> mlua::Result<Table> {
    let environment = lua.create_table()?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", shared)?;
    metatable.raw_set("__metatable", false)?;
    metatable.set_readonly(true);
    environment.set_metatable(Some(metatable))?;
    let view = lua.create_table()?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", &environment)?;
    metatable.raw_set(
        "__newindex",
        lua.create_function(|_, (_, name): (LuaValue, LuaValue)| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            Err(failure(format!("_G is read-only; write `{name} = …` to set a global")))
        })?,
    )?;
    metatable.raw_set("__metatable", false)?;
    view.set_metatable(Some(metatable))?;
    freeze_shallow(&view);
    environment.raw_set("_G", view)?;
    // Fast library calls are safe where globals are never replaced between chunks, as prompt lines may do.
    environment.set_safeenv(!keeps_lines);
    Ok(environment)
}

fn freeze_shallow(table: &Table) {
    table.set_readonly(true);
    if let Some(metatable) = table.metatable() {
        metatable.set_readonly(true);
    }
}

/// Charges natives that are given the machine's own state.
///
/// # Safety
/// `state` is a running state, and no Rust value on the stack above waits to be dropped.
pub(crate) unsafe fn charge_or_raise(state: *mut ffi::lua_State, steps: u64) {
    if !budget::charge(steps) {
        // SAFETY: as for the function.
        unsafe { budget::raise_spent(state) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_fix_is_refused_and_the_known_ones_are_known() {
        assert!(switch_fixes_on(&FIXES).is_ok());
        let error = switch_fixes_on(&["LuauNoSuchFix"]).unwrap_err();
        assert!(error.message().contains("LuauNoSuchFix"));
    }
}
