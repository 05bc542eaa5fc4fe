//! The host: one Lua machine with the table's dice, house rules and voice.

use std::cell::{Cell, Ref, RefCell};
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::sync::Arc;

use mlua::{Function, Lua, MultiValue, ObjectLike as _, Table, Value as LuaValue};

use super::budget::{Meter, Spent};
use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::limits::Limits;
use super::machine::Machine;
use super::pack;
use super::report;
use super::require::Place;
use super::scan;
use super::session::Returned;
use super::shared::{ByHand, Shared};
use super::table_talk::shown;
use super::value;
use super::voice::{Nobody, Voice};
use super::watchdog::{STOP, Watch};
use crate::dice::{Dialect, Random, Seed, Source};
use crate::rules::core::{House, Trace, Value};
use crate::world::{Change, World};

/// What a prompt line came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Printed {
    /// The text to print; nothing when the line gave no value.
    pub text: Option<String>,
    /// The value, when it is one value of plain data.
    pub value: Option<Value>,
}

/// A function of a script, kept by a Rust program. It belongs to the host it came from, and ends with it.
#[derive(Clone)]
pub struct ScriptFunction {
    function: Function,
    path: String,
    machine: Weak<Machine>,
}

impl std::fmt::Debug for ScriptFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptFunction").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Stops the running script from another thread or a signal handler.
#[derive(Clone, Debug)]
pub struct StopHandle(Arc<Watch>);

impl StopHandle {
    /// Stops the script that runs now, at its next step. Without a running script nothing happens.
    pub fn stop(&self) {
        self.0.raise(STOP);
    }
}

/// How a host is made.
pub struct Builder {
    source: Box<dyn Source>,
    dice_by_hand: bool,
    voice: Box<dyn Voice>,
    limits: Limits,
    root: Option<PathBuf>,
}

impl Builder {
    /// Random dice from this seed.
    #[must_use]
    pub fn seed(self, text: &str) -> Self {
        self.source(Box::new(Random::new(Seed::of_text(text))))
    }

    /// Dice from this source.
    #[must_use]
    pub fn source(mut self, source: Box<dyn Source>) -> Self {
        self.source = source;
        self.dice_by_hand = false;
        self
    }

    /// Dice from a source that asks people; the time they take is not the script's.
    #[must_use]
    pub fn dice_by_hand(mut self, source: Box<dyn Source>) -> Self {
        self.source = source;
        self.dice_by_hand = true;
        self
    }

    /// Who hears and answers. Without one what is said is lost and every question is an error.
    #[must_use]
    pub fn voice(mut self, voice: impl Voice + 'static) -> Self {
        self.voice = Box::new(voice);
        self
    }

    /// What scripts may spend.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The folder that `require "./…"` stays in. Without one it is the folder of each file run.
    #[must_use]
    pub fn root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.root = Some(folder.into());
        self
    }

    /// Makes the host.
    pub fn build(self) -> Result<Host, ScriptError> {
        let meter = Meter::new(self.limits);
        let source: Box<dyn Source> = if self.dice_by_hand {
            Box::new(ByHand { inner: self.source, meter: Rc::clone(&meter) })
        } else {
            self.source
        };
        let shared = Shared::new(source, self.voice, meter);
        let root = self.root.as_deref().map(real_folder).transpose()?;
        let here = std::env::current_dir().and_then(|folder| folder.canonicalize()).unwrap_or_default();
        let (lua, machine) = Machine::new(&shared, here.clone())?;
        let place = root.clone().unwrap_or(here);
        let place = Place { folder: place.clone(), root: place };
        let prompt = machine.environment(&lua, &place, true).map_err(|error| broken(&error))?;
        let last = RefCell::new(prompt.clone());
        let (lines, dialect) = (Cell::new(0), Cell::default());
        Ok(Host { prompt, last, root, lines, dialect, machine, shared, lua })
    }
}

/// A folder without links in its path.
pub(super) fn real_folder(folder: &Path) -> Result<PathBuf, ScriptError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().map_err(|error| {
        ScriptError::new(ScriptErrorKind::File, format!("cannot open the folder {}: {error}", folder.display()))
    })
}

pub(super) fn broken(error: &mlua::Error) -> ScriptError {
    ScriptError::new(ScriptErrorKind::Runtime, report::plain_text(error))
}

/// One Lua machine for scripts of one trust: dice, rules, house rules, and a voice. It stays on its thread.
pub struct Host {
    /// The globals of prompt lines.
    pub(super) prompt: Table,
    /// The globals of what ran last.
    last: RefCell<Table>,
    root: Option<PathBuf>,
    pub(super) lines: Cell<u32>,
    /// Whose notation is typed at the prompt.
    dialect: Cell<Dialect>,
    pub(super) machine: Rc<Machine>,
    pub(super) shared: Rc<Shared>,
    pub(super) lua: Lua,
}

impl Host {
    /// Starts to make a host; its dice are random with the seed `1` until another is given.
    #[must_use]
    pub fn builder() -> Builder {
        Builder {
            source: Box::new(Random::new(Seed::from(1))),
            dice_by_hand: false,
            voice: Box::new(Nobody),
            limits: Limits::default(),
            root: None,
        }
    }

    // ---- running ----

    /// Runs a file and returns what it returns when that is one value of plain data, nothing otherwise.
    ///
    /// # Errors
    /// When the file cannot be read, does not compile, fails, or spends a budget.
    pub fn run_file(&self, path: &Path) -> Result<Value, ScriptError> {
        let folder = real_folder(path.parent().unwrap_or(Path::new(".")))?;
        let root = match &self.root {
            Some(root) if folder.starts_with(root) => pack::wall(&folder, root)?,
            _ => pack::wall(&folder, &folder)?,
        };
        match self.run_placed(path, &Place { folder, root })? {
            Returned::Data(value) => Ok(value),
            Returned::Nothing | Returned::Other(_) => Ok(Value::Nil),
        }
    }

    /// Runs a text under a name that errors call it by.
    ///
    /// # Errors
    /// As [`Host::run_file`].
    pub fn run_text(&self, chunk_name: &str, text: &str) -> Result<Value, ScriptError> {
        let folder = match &self.root {
            Some(root) => root.clone(),
            None => real_folder(Path::new("."))?,
        };
        let results = self.run_at(chunk_name, text, &Place { folder: folder.clone(), root: folder })?;
        Ok(data(&self.lua, &results).unwrap_or_default())
    }

    pub(super) fn run_at(&self, name: &str, text: &str, place: &Place) -> Result<MultiValue, ScriptError> {
        self.check_alive()?;
        let environment = self.machine.environment(&self.lua, place, false).map_err(|error| broken(&error))?;
        let function = self.machine.load(&self.lua, name, text, &environment)?;
        self.last.replace(environment);
        self.shared.enter(&function, ())
    }

    /// Evaluates a prompt line: an expression, with or without a leading `=`, or statements. Globals stay for the lines
    /// that follow.
    ///
    /// # Errors
    /// When it does not compile, fails, or spends a budget.
    pub fn evaluate(&self, text: &str) -> Result<Printed, ScriptError> {
        self.check_alive()?;
        self.lines.set(self.lines.get() + 1);
        let name = format!("prompt line {}", self.lines.get());
        let function = self.line_function(&name, text)?;
        self.last.replace(self.prompt.clone());
        self.printed(&self.shared.enter(&function, ())?)
    }

    /// Whose notation is typed at a prompt.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect.get()
    }

    /// Takes dice notation typed at a prompt for another tool's from here on. Scripts name their dialect themselves.
    pub fn set_dialect(&self, dialect: Dialect) {
        self.dialect.set(dialect);
    }

    /// Rolls dice notation typed at a prompt, as the script `roll "…"` would.
    ///
    /// # Errors
    /// When the text is not dice notation or its dice do not come.
    pub fn roll_text(&self, text: &str) -> Result<Printed, ScriptError> {
        self.check_alive()?;
        let roll: LuaValue = self.machine.globals().raw_get("roll").map_err(|error| broken(&error))?;
        let dialect = self.dialect.get();
        let function = self.lua.create_function(move |lua, (roll, text): (Table, LuaValue)| {
            if dialect == Dialect::Grognard {
                return roll.call::<LuaValue>(text);
            }
            let options = lua.create_table()?;
            options.raw_set("dialect", dialect.name())?;
            roll.call::<LuaValue>((text, options))
        });
        let function = function.map_err(|error| broken(&error))?;
        self.printed(&self.shared.enter(&function, (roll, text))?)
    }

    /// Resolves a rule by name on plain data, with this host's dice, house rules and trace.
    ///
    /// # Errors
    /// When the rule is not there, refuses its arguments, its dice do not come, or a house rule's script fails.
    pub fn resolve(&self, rule: &str, arguments: Value) -> Result<Value, ScriptError> {
        self.check_alive()?;
        self.shared.resolve(rule, arguments)
    }

    /// A prompt line as a function. Both readings share the line's text, so errors show what was typed.
    fn line_function(&self, name: &str, text: &str) -> Result<Function, ScriptError> {
        let bare = scan::without_equals(text);
        // Remembers the text and checks its size; what it compiles to is used when the line is no expression.
        let statements = self.machine.load(&self.lua, name, bare, &self.prompt);
        if statements.as_ref().is_err_and(|error| error.kind() != ScriptErrorKind::Syntax) {
            return statements;
        }
        match (self.machine.compile(&self.lua, name, &format!("return {bare}"), &self.prompt), statements) {
            (Ok(expression), _) => Ok(expression),
            (Err(_), Ok(statements)) => Ok(statements),
            (Err(as_expression), Err(as_statements)) => {
                let is_expression = bare.len() < text.len() || as_statements.message().starts_with("Incomplete");
                Err(if is_expression { as_expression } else { as_statements })
            }
        }
    }

    /// The results of a line as a person reads them.
    pub(super) fn printed(&self, results: &MultiValue) -> Result<Printed, ScriptError> {
        if results.is_empty() || (results.len() == 1 && results[0].is_nil()) {
            return Ok(Printed::default());
        }
        let show = self.lua.create_function(|lua, results: MultiValue| {
            let texts: mlua::Result<Vec<String>> = results.iter().map(|value| shown(lua, value)).collect();
            Ok(texts?.join(", "))
        });
        // A `__tostring` of the script's runs under the same budgets as the line.
        let text = self.shared.enter(&show.map_err(|error| broken(&error))?, results.clone())?;
        let text = text.iter().next().and_then(LuaValue::as_string).map(mlua::LuaString::to_string_lossy);
        Ok(Printed { text, value: data(&self.lua, results) })
    }

    pub(super) fn check_alive(&self) -> Result<(), ScriptError> {
        if self.is_dead() {
            let message = "this machine is dead: an earlier script spent its budget; start a new one";
            return Err(ScriptError::new(ScriptErrorKind::Dead, message));
        }
        Ok(())
    }

    /// Whether the text is the beginning of something, so that a prompt should read another line.
    #[must_use]
    pub fn is_incomplete(text: &str) -> bool {
        scan::is_incomplete(text)
    }

    // ---- embedding ----

    /// The function that a global name or path (`hooks.on_hit`) stands for in what ran last, or in the shared globals.
    ///
    /// # Errors
    /// When there is no such function.
    pub fn function(&self, path: &str) -> Result<ScriptFunction, ScriptError> {
        match self.look_up(path) {
            Some(LuaValue::Function(function)) => {
                Ok(ScriptFunction { function, path: path.to_owned(), machine: Rc::downgrade(&self.machine) })
            }
            Some(other) => Err(ScriptError::new(
                ScriptErrorKind::Runtime,
                format!("{path} is a {}, not a function", other.type_name()),
            )),
            None => Err(ScriptError::new(ScriptErrorKind::Runtime, format!("there is no function {path}"))),
        }
    }

    fn look_up(&self, path: &str) -> Option<LuaValue> {
        let mut parts = path.split('.');
        let first = parts.next()?;
        let own: LuaValue = self.last.borrow().raw_get(first).ok()?;
        let mut value = if own.is_nil() { self.machine.globals().raw_get(first).ok()? } else { own };
        for part in parts {
            value = value.as_table()?.raw_get(part).ok()?;
        }
        (!value.is_nil()).then_some(value)
    }

    /// Calls a function of a script with plain data.
    ///
    /// # Errors
    /// When it fails or spends a budget, and when it is a function of another host.
    pub fn call(&self, function: &ScriptFunction, arguments: &[Value]) -> Result<Value, ScriptError> {
        self.check_alive()?;
        if !std::ptr::eq(function.machine.as_ptr(), Rc::as_ptr(&self.machine)) {
            let path = &function.path;
            let message = format!("the function {path} belongs to another host, or to one that is gone");
            let hint = format!("ask this host for its own: host.function(\"{path}\")");
            return Err(ScriptError::new(ScriptErrorKind::Runtime, message).with_hint(hint));
        }
        let arguments: mlua::Result<MultiValue> =
            arguments.iter().map(|argument| value::to_lua(&self.lua, argument)).collect();
        let results = self.shared.enter(&function.function, arguments.map_err(|error| broken(&error))?)?;
        match results.iter().next() {
            None => Ok(Value::Nil),
            Some(first) => value::from_lua(&self.lua, first, "the result"),
        }
    }

    /// Gives scripts a function under a new global name: plain data in, plain data out, or a sentence that says what is
    /// wrong.
    ///
    /// # Errors
    /// When the name is no name, or is taken.
    pub fn register(
        &self,
        name: &str,
        native: impl Fn(Vec<Value>) -> Result<Value, String> + 'static,
    ) -> Result<(), ScriptError> {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name {
            return Err(ScriptError::new(ScriptErrorKind::Runtime, format!("\"{name}\" is no name for a function")));
        }
        let globals = self.machine.globals();
        if globals.contains_key(name).unwrap_or(true) {
            return Err(ScriptError::new(ScriptErrorKind::Runtime, format!("the name {name} is taken")));
        }
        let called = name.to_owned();
        let function = self.lua.create_function(move |lua, given: MultiValue| {
            let arguments: Result<Vec<Value>, ScriptError> = given
                .iter()
                .enumerate()
                .map(|(i, argument)| value::from_lua(lua, argument, &format!("argument {} of {called}", i + 1)))
                .collect();
            let result = native(arguments?).map_err(|problem| failure(format!("{called}: {problem}")))?;
            value::to_lua(lua, &result)
        });
        // Only the program adds to what scripts share, and only between scripts.
        globals.set_readonly(false);
        let set = function.and_then(|function| globals.raw_set(name, function));
        globals.set_readonly(true);
        set.map_err(|error| broken(&error))
    }

    // ---- completion ----

    /// The names of all globals, in order.
    #[must_use]
    pub fn globals_names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// The whole names that can follow what was typed: for `rules.check.r` that is `rules.check.roll`.
    #[must_use]
    pub fn complete(&self, typed: &str) -> Vec<String> {
        let (outer, begun) = match typed.rfind(['.', ':']) {
            Some(at) => (&typed[..at], &typed[at + 1..]),
            None => ("", typed),
        };
        let before = &typed[..typed.len() - begun.len()];
        let names = self.names_in(outer).into_iter().filter(|name| name.starts_with(begun));
        names.map(|name| format!("{before}{name}")).collect()
    }

    fn names_in(&self, path: &str) -> Vec<String> {
        let mut names = Vec::new();
        if path.is_empty() {
            names.extend(names_of(self.machine.globals()));
            names.extend(names_of(&self.prompt));
        } else if let Some(LuaValue::Table(table)) = self.look_up(path) {
            names.extend(names_of(&table));
        }
        if let Some(rest) = path.strip_prefix("rules") {
            let house = self.shared.house.borrow();
            for (name, _, _) in house.added() {
                let (module, rule) = name.split_once('.').unwrap_or((name, ""));
                match rest.strip_prefix('.') {
                    None if rest.is_empty() => names.push(module.to_owned()),
                    Some(asked) if asked == module => names.push(rule.to_owned()),
                    _ => {}
                }
            }
        }
        names.sort();
        names.dedup();
        names
    }

    // ---- the world ----

    /// Everybody who lasts: those whom scripts made with `character{…}`, and those whom the program put there.
    #[must_use]
    pub fn world(&self) -> Ref<'_, World> {
        self.shared.world.borrow()
    }

    /// Runs something as one: all that scripts change of the world in it happens, or, on an error, nothing. Returns the
    /// changes, each record as it was and as it is.
    ///
    /// # Errors
    /// What the run itself returns; the world is then as it was.
    pub fn as_one<T, E>(&self, run: impl FnOnce() -> Result<T, E>) -> Result<(T, Vec<Change>), E> {
        let transaction = self.shared.world.borrow_mut().begin();
        let result = run();
        let mut world = self.shared.world.borrow_mut();
        match result {
            Ok(value) => Ok((value, world.commit(transaction))),
            Err(error) => {
                world.roll_back(transaction);
                Err(error)
            }
        }
    }

    /// Lets the program change the world, between scripts.
    pub fn change_world<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        change(&mut self.shared.world.borrow_mut())
    }

    // ---- results and rules ----

    /// Writes down how each result comes about, or no longer.
    pub fn set_tracing(&self, tracing: bool) {
        self.shared.tracing.set(tracing);
    }

    /// How many rules and rolls have come to a result while tracing was on; it tells whether a line of the prompt did.
    #[must_use]
    pub fn results_traced(&self) -> u64 {
        self.shared.results()
    }

    /// How the last result of a rule or roll came about, when tracing was on.
    #[must_use]
    pub fn last_trace(&self) -> Option<Trace> {
        self.shared.trace()
    }

    /// The house rules in force.
    ///
    /// # Panics
    /// Never from outside a script: while a script changes them it holds the thread.
    #[must_use]
    pub fn house(&self) -> Ref<'_, House> {
        self.shared.house.borrow()
    }

    /// Puts another source of dice in the place of the one used, which is returned.
    pub fn replace_source(&self, source: Box<dyn Source>) -> Box<dyn Source> {
        self.shared.source.replace(source)
    }

    /// From now on people roll the dice; the time they take is not the script's.
    pub fn set_dice_by_hand(&self, source: Box<dyn Source>) {
        let meter = Rc::clone(&self.shared.meter);
        self.shared.source.replace(Box::new(ByHand { inner: source, meter }));
    }

    /// A handle that stops the running script: for Ctrl-C.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(self.shared.meter.watch()))
    }

    /// Whether a script has spent a budget of this host, after which it refuses everything.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.shared.broken.get() || self.shared.meter.spent().is_some_and(|spent| spent != Spent::Stopped)
    }

    /// Bytes that the machine holds.
    #[must_use]
    pub fn used_memory(&self) -> usize {
        self.lua.used_memory()
    }
}

/// One value of plain data, when the results are that.
pub(super) fn data(lua: &Lua, results: &MultiValue) -> Option<Value> {
    match results.iter().collect::<Vec<_>>().as_slice() {
        [one] => value::from_lua(lua, one, "the result").ok(),
        _ => None,
    }
}

/// The names in a table.
fn names_of(table: &Table) -> Vec<String> {
    let mut names = Vec::new();
    // A table is walked to its end: the walk itself cannot fail.
    let _ = table.for_each(|key: LuaValue, _: LuaValue| {
        if let LuaValue::String(name) = key {
            names.push(name.to_string_lossy());
        }
        Ok(())
    });
    names
}
