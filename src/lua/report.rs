//! Turns whatever a script raises into an error that a person can read: text, tables, nothing, errors of natives.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use mlua::{Lua, Table, Value as LuaValue};

use super::budget::{self, Spent};
use super::errors::{ScriptError, ScriptErrorKind};
use super::machine::LONGEST_NAME;
use super::sandbox::OWN_CHUNK;
use super::shared::Shared;
use super::value;

/// How many texts are kept for showing their lines; prompt lines come and go.
const MOST_CHUNKS: usize = 200;

/// How many callers an error shows.
const MOST_CALLERS: usize = 12;

/// The longest message shown, in characters.
const LONGEST_MESSAGE: usize = 2_000;

/// How many bytes of a raised text are looked at.
const LONGEST_TEXT: usize = 64 << 10;

/// What the machine raises when an allocation fails.
const OUT_OF_MEMORY: &str = "not enough memory";

/// The texts that ran, by the names that errors call them by.
#[derive(Default)]
pub(crate) struct Chunks {
    texts: HashMap<String, Rc<str>>,
    order: VecDeque<String>,
}

impl Chunks {
    /// Remembers a text under its name.
    pub(crate) fn remember(&mut self, name: &str, text: &str) {
        if self.texts.insert(name.to_owned(), text.into()).is_none() {
            self.order.push_back(name.to_owned());
        }
        if self.order.len() > MOST_CHUNKS
            && let Some(oldest) = self.order.pop_front()
        {
            self.texts.remove(&oldest);
        }
    }

    /// A line of a text, counted from 1.
    fn line(&self, name: &str, line: u32) -> Option<&str> {
        self.texts.get(name)?.lines().nth(line.checked_sub(1)? as usize)
    }

    /// Splits `name:12: message` when the name is that of a text. Each coroutine that an error passes puts a place in
    /// front; the last is the innermost.
    fn placed<'m>(&self, message: &'m str) -> Option<(&'m str, u32, &'m str)> {
        let outermost = self.placed_once(message)?;
        let mut innermost = outermost;
        while let Some(inner) = self.placed_once(innermost.2) {
            innermost = inner;
        }
        Some(innermost)
    }

    fn placed_once<'m>(&self, message: &'m str) -> Option<(&'m str, u32, &'m str)> {
        let mut from = 0;
        while let Some(at) = message[from..].find(':').map(|at| at + from) {
            let name = &message[..at];
            if name.len() > LONGEST_NAME {
                return None;
            }
            let rest = &message[at + 1..];
            if self.texts.contains_key(name)
                && let Some((line, text)) = rest.split_once(':')
                && let Ok(line) = line.parse()
            {
                return Some((name, line, text.trim_start()));
            }
            from = at + 1;
        }
        None
    }
}

/// One caller.
#[derive(Debug)]
struct Frame<'t> {
    file: &'t str,
    line: u32,
    function: &'t str,
}

/// The frames of scripts in a traceback, innermost first.
fn frames(traceback: &str) -> impl Iterator<Item = Frame<'_>> {
    traceback.lines().filter_map(|line| {
        let (place, function) = line.trim().split_once(": in ")?;
        let (file, line) = place.rsplit_once(':')?;
        let line = line.parse().ok()?;
        (file != &OWN_CHUNK[1..]).then_some(Frame { file, line, function })
    })
}

/// The error of a native inside whatever mlua has wrapped around it.
fn native(error: &mlua::Error) -> Option<&ScriptError> {
    error.downcast_ref::<ScriptError>()
}

/// Whether an error says that the memory is full.
pub(crate) fn is_memory(error: &mlua::Error) -> bool {
    match error {
        mlua::Error::MemoryError(_) => true,
        mlua::Error::RuntimeError(message) => message.starts_with(OUT_OF_MEMORY),
        mlua::Error::CallbackError { cause, .. }
        | mlua::Error::BadArgument { cause, .. }
        | mlua::Error::WithContext { cause, .. } => is_memory(cause),
        _ => false,
    }
}

/// What an error of mlua's says, in the words of the table.
pub(crate) fn plain_text(error: &mlua::Error) -> String {
    match error {
        mlua::Error::CallbackError { cause, .. } | mlua::Error::WithContext { cause, .. } => plain_text(cause),
        mlua::Error::RuntimeError(message) => message.split("\nstack traceback:").next().unwrap_or_default().to_owned(),
        mlua::Error::CallbackDestructed => {
            "`next` was kept and called later; it can only be called while its rule is resolved".to_owned()
        }
        mlua::Error::RecursiveMutCallback => "`next` was called while it was running".to_owned(),
        mlua::Error::BadArgument { pos, cause, .. } => format!("argument {pos}: {}", plain_text(cause)),
        mlua::Error::FromLuaConversionError { from, to, .. } => {
            let wanted = match to.as_str() {
                "LuaString" | "String" | "string" => "text",
                "Table" | "table" => "a table",
                "Function" | "function" => "a function",
                other => other,
            };
            let given = if *from == "nil" { "nothing" } else { from };
            format!("{wanted} is wanted, not {given}")
        }
        other => other.to_string(),
    }
}

/// Where a native's error was raised: mlua writes the stack down when it turns it into an error of Lua's.
fn traceback_of(error: &mlua::Error) -> &str {
    match error {
        mlua::Error::CallbackError { traceback, .. } => traceback,
        _ => "",
    }
}

/// What a script sees that catches an error: text for an error of a native, everything else as it was raised.
pub(crate) fn readable(lua: &Lua, problem: LuaValue) -> mlua::Result<LuaValue> {
    match &problem {
        LuaValue::String(text) if text.as_bytes().ends_with(OUT_OF_MEMORY.as_bytes()) => {
            budget::spend_running(Spent::Memory);
            Ok(problem)
        }
        LuaValue::Error(error) => {
            if is_memory(error) {
                budget::spend_running(Spent::Memory);
            }
            let text = match native(error) {
                Some(script) if script.parts().file.is_some() => script.one_line(),
                _ => {
                    let message = native(error).map_or_else(|| plain_text(error), |script| script.message().to_owned());
                    match frames(traceback_of(error)).next() {
                        Some(frame) => format!("{}:{}: {message}", frame.file, frame.line),
                        None => message,
                    }
                }
            };
            Ok(LuaValue::String(lua.create_string(text)?))
        }
        _ => Ok(problem),
    }
}

/// What a raised table says: its `__tostring`, its `message`, or its fields.
fn table_text(lua: &Lua, table: &Table) -> String {
    let problem = LuaValue::Table(table.clone());
    if table.metatable().is_some_and(|metatable| metatable.contains_key("__tostring").unwrap_or(false)) {
        return match lua.globals().get::<mlua::Function>("tostring").and_then(|shown| shown.call::<String>(&problem)) {
            Ok(text) => text,
            Err(error) => format!("an error whose __tostring fails: {}", plain_text(&error)),
        };
    }
    if let Ok(message) = table.raw_get::<mlua::LuaString>("message") {
        return message.to_string_lossy();
    }
    match value::from_lua(lua, &problem, "the error") {
        Ok(data) => format!("the script raised {data}"),
        Err(_) => "the script raised a table".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST_MESSAGE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The error of whatever was raised, with its place and callers. Runs while the stack still stands.
pub(crate) fn written_down(lua: &Lua, shared: &Shared, problem: &LuaValue) -> ScriptError {
    if let LuaValue::String(text) = problem
        && text.as_bytes().ends_with(OUT_OF_MEMORY.as_bytes())
    {
        // Nothing more can be built now.
        shared.meter.spend(Spent::Memory);
        return ScriptError::new(ScriptErrorKind::Memory, OUT_OF_MEMORY);
    }
    let stack = lua.traceback(None, 1).map(|text| text.to_string_lossy()).unwrap_or_default();
    let mut error = match problem {
        LuaValue::Error(error) => {
            if is_memory(error) {
                shared.meter.spend(Spent::Memory);
            }
            native(error).cloned().unwrap_or_else(|| ScriptError::new(ScriptErrorKind::Runtime, plain_text(error)))
        }
        LuaValue::String(text) => {
            let bytes = text.as_bytes();
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_TEXT)]);
            return from_text(shared, &text, &stack);
        }
        LuaValue::Nil => ScriptError::new(ScriptErrorKind::Runtime, "the script raised nothing: error(nil)")
            .with_hint("give `error` a sentence"),
        LuaValue::Table(table) => ScriptError::new(ScriptErrorKind::Runtime, shortened(&table_text(lua, table))),
        other => ScriptError::new(ScriptErrorKind::Runtime, format!("the script raised {}", value::described(other))),
    };
    place_by_stack(shared, &mut error, &stack);
    error
}

/// An error raised as text: its beginning may say where.
fn from_text(shared: &Shared, text: &str, stack: &str) -> ScriptError {
    let chunks = shared.chunks.borrow();
    let Some((file, line, message)) = chunks.placed(text) else {
        let mut error = ScriptError::new(ScriptErrorKind::Runtime, shortened(text));
        drop(chunks);
        place_by_stack(shared, &mut error, stack);
        return error;
    };
    let mut error = ScriptError::new(ScriptErrorKind::Runtime, shortened(message));
    error.place(file, line, chunks.line(file, line));
    drop(chunks);
    place_by_stack(shared, &mut error, stack);
    error
}

/// Places an error at the innermost frame of a script, unless it has a place, and lists the callers.
fn place_by_stack(shared: &Shared, error: &mut ScriptError, stack: &str) {
    let chunks = shared.chunks.borrow();
    if error.parts().file.is_none()
        && let Some(frame) = frames(stack).next()
    {
        error.place(frame.file, frame.line, chunks.line(frame.file, frame.line));
    }
    // A function without a name is called by its place, which says nothing new.
    let callers = frames(stack).take(MOST_CALLERS).map(|Frame { file, line, function }| {
        match function.strip_prefix("function '").and_then(|name| name.strip_suffix('\'')) {
            Some(name) => format!("{file}:{line} in {name}"),
            None => format!("{file}:{line}"),
        }
    });
    error.parts_mut().traceback.extend(callers);
}

/// An error of the compiler, with the Luau way for syntax of other languages.
pub(crate) fn of_compiler(shared: &Shared, name: &str, error: &mlua::Error) -> ScriptError {
    let mlua::Error::SyntaxError { message, .. } = error else {
        if is_memory(error) {
            shared.meter.spend(Spent::Memory);
            return shared.spent_error();
        }
        return ScriptError::new(ScriptErrorKind::Syntax, plain_text(error));
    };
    let chunks = shared.chunks.borrow();
    let (line, text) = match chunks.placed(message) {
        Some((_, line, text)) => (line, text),
        None => (1, message.as_str()),
    };
    let mut script = ScriptError::new(ScriptErrorKind::Syntax, shortened(text));
    let source_line = chunks.line(name, line);
    script.place(name, line, source_line);
    match source_line.and_then(super::syntax::luau_way) {
        Some(hint) => script.with_hint(hint),
        None => script,
    }
}

/// Who calls, as house rules remember it: `scripts/house_rules/x.lua:12`, `prompt line 3`.
pub(crate) fn caller(lua: &Lua) -> String {
    let found = (1..32).find_map(|level| {
        let (file, line) = lua.inspect_stack(level, |frame| {
            let file = frame.source().short_src.map(Cow::into_owned).unwrap_or_default();
            (file, frame.current_line())
        })?;
        if file == "[C]" || file == OWN_CHUNK[1..] {
            return None;
        }
        Some(match line {
            Some(line) if !file.starts_with("prompt line") => format!("{file}:{line}"),
            _ => file,
        })
    });
    found.unwrap_or_else(|| "the program".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_split_from_its_place_even_where_names_hold_colons() {
        let mut chunks = Chunks::default();
        chunks.remember("a:b.lua", "one\ntwo");
        assert_eq!(chunks.placed("a:b.lua:2: it broke: badly"), Some(("a:b.lua", 2, "it broke: badly")));
        assert_eq!(chunks.placed("other.lua:2: it broke"), None);
        assert_eq!(chunks.line("a:b.lua", 2), Some("two"));
    }

    #[test]
    fn frames_leave_out_the_machine_and_our_own_code() {
        let stack =
            "stack traceback:\n\t[C]: in ?\n\t[grog]:4: in function 'pcall'\n\tprompt line 3:1: in function 'act'";
        let found: Vec<_> = frames(stack).map(|f| (f.file.to_owned(), f.line, f.function.to_owned())).collect();
        assert_eq!(found, [("prompt line 3".to_owned(), 1, "function 'act'".to_owned())]);
    }
}
