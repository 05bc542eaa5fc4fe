//! The host: one Lua machine with the table's dice, house rules and voice.

use std::cell::{Ref, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::errors::{ScriptError, ScriptErrorKind};
use super::limits::Limits;
use super::voice::Voice;
use crate::dice::{Random, Seed, Source};
use crate::rules::core::{House, Trace, Value};

/// A function that a Rust program gives to scripts: plain data in, plain data out, or a sentence that says what is wrong.
pub type Native = dyn Fn(Vec<Value>) -> Result<Value, String>;

/// What a prompt line came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Printed {
    /// The text to print; nothing when the line gave no value.
    pub text: Option<String>,
    /// The value, when it is one value of plain data.
    pub value: Option<Value>,
}

/// A function of a script, kept by a Rust program.
#[derive(Clone, Debug)]
#[allow(dead_code)]
pub struct ScriptFunction(pub(crate) mlua::Function);

/// Stops the running script from another thread or a signal handler.
#[derive(Clone, Debug)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Stops the script that runs now, at its next step. Without a running script nothing happens.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a host is made.
pub struct Builder {
    source: Box<dyn Source>,
    dice_by_hand: bool,
    voice: Option<Box<dyn Voice>>,
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
        self.voice = Some(Box::new(voice));
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
        Ok(Host { house: Rc::default(), stop: Arc::default(), builder: self })
    }
}

/// One Lua machine for scripts of one trust: dice, rules, house rules, and a voice. It stays on its thread.
pub struct Host {
    house: Rc<RefCell<House>>,
    stop: Arc<AtomicBool>,
    #[allow(dead_code)]
    builder: Builder,
}

fn not_built<T>() -> Result<T, ScriptError> {
    Err(ScriptError::new(ScriptErrorKind::Runtime, "the machine is not built yet"))
}

impl Host {
    /// Starts to make a host; its dice are random with the seed `1` until another is given.
    #[must_use]
    pub fn builder() -> Builder {
        let source = Box::new(Random::new(Seed::from(1)));
        Builder { source, dice_by_hand: false, voice: None, limits: Limits::default(), root: None }
    }

    /// Runs a file and returns what it returns when that is one value of plain data, nothing otherwise.
    pub fn run_file(&self, _path: &Path) -> Result<Value, ScriptError> {
        not_built()
    }

    /// Runs a text under a name that errors call it by.
    pub fn run_text(&self, _chunk_name: &str, _text: &str) -> Result<Value, ScriptError> {
        not_built()
    }

    /// Evaluates a prompt line: an expression, with or without a leading `=`, or statements. Globals stay for the lines
    /// that follow.
    pub fn evaluate(&self, _text: &str) -> Result<Printed, ScriptError> {
        not_built()
    }

    /// Whether the text is the beginning of something, so that a prompt should read another line.
    #[must_use]
    pub fn is_incomplete(text: &str) -> bool {
        super::scan::ends_inside(text)
    }

    /// The function that a global name or path (`hooks.on_hit`) of the prompt or of the file run last stands for.
    pub fn function(&self, _path: &str) -> Result<ScriptFunction, ScriptError> {
        not_built()
    }

    /// Calls a function of a script.
    pub fn call(&self, _function: &ScriptFunction, _arguments: &[Value]) -> Result<Value, ScriptError> {
        not_built()
    }

    /// Gives scripts a function under a new global name.
    pub fn register(
        &self,
        _name: &str,
        _native: impl Fn(Vec<Value>) -> Result<Value, String> + 'static,
    ) -> Result<(), ScriptError> {
        not_built()
    }

    /// The names of all globals, in order.
    #[must_use]
    pub fn globals_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// The names that can follow what was typed: for `rules.check.r` that is `rules.check.roll`.
    #[must_use]
    pub fn complete(&self, _typed: &str) -> Vec<String> {
        Vec::new()
    }

    /// Writes down how each result comes about, or no longer.
    pub fn set_tracing(&self, _tracing: bool) {}

    /// How the last result of a rule or roll came about, when tracing was on.
    #[must_use]
    pub fn last_trace(&self) -> Option<Trace> {
        None
    }

    /// The house rules in force.
    #[must_use]
    pub fn house(&self) -> Ref<'_, House> {
        self.house.borrow()
    }

    /// Puts another source of dice in the place of the one used, which is returned.
    pub fn replace_source(&self, source: Box<dyn Source>) -> Box<dyn Source> {
        source
    }

    /// A handle that stops the running script: for Ctrl-C.
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle(Arc::clone(&self.stop))
    }

    /// Whether a script has spent a budget of this host, after which it refuses everything.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        false
    }
}
