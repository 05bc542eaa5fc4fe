//! What goes wrong in a script, as a person reads it: what, where, the line itself, and how to mend it.

use std::fmt;

/// The kind of a [`ScriptError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScriptErrorKind {
    /// The text is no Luau.
    Syntax,
    /// The script failed: `error`, a nil called, a wrong argument.
    Runtime,
    /// A rule refused its arguments, or its dice did not come.
    Rule,
    /// Dice notation that makes no sense.
    Notation,
    /// The table gave no answer.
    Voice,
    /// Values that are no plain data where data is wanted.
    Data,
    /// The instruction budget is spent.
    Instructions,
    /// The time is up.
    Time,
    /// The memory is full.
    Memory,
    /// The script said too much.
    Output,
    /// Somebody stopped the script (Ctrl-C); the host lives on.
    Stopped,
    /// The host is dead: an earlier script spent its budget.
    Dead,
    /// A file could not be read, or is too large.
    File,
}

impl ScriptErrorKind {
    /// Whether a budget was spent, after which the host is dead.
    #[must_use]
    pub fn is_budget(self) -> bool {
        matches!(self, Self::Instructions | Self::Time | Self::Memory | Self::Output)
    }
}

/// Why a script failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    inner: Box<Parts>,
}

/// The parts of a [`ScriptError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts {
    /// The kind.
    pub kind: ScriptErrorKind,
    /// What happened, in one sentence, without file and line.
    pub message: String,
    /// The file or chunk: `adventures/crypt.lua`, `prompt line 3`.
    pub file: Option<String>,
    /// The line in it, counted from 1.
    pub line: Option<u32>,
    /// The text of that line.
    pub source_line: Option<String>,
    /// The part of that line at fault, in bytes from its start.
    pub marked: Option<std::ops::Range<usize>>,
    /// Who called whom, innermost first, one `file:line function` a line.
    pub traceback: Vec<String>,
    /// What to type instead.
    pub hint: Option<String>,
}

impl ScriptError {
    /// An error that knows nothing but what happened.
    #[must_use]
    pub fn new(kind: ScriptErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        ScriptError {
            inner: Box::new(Parts {
                kind,
                message,
                file: None,
                line: None,
                source_line: None,
                marked: None,
                traceback: Vec::new(),
                hint: None,
            }),
        }
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ScriptErrorKind {
        self.inner.kind
    }

    /// What happened, in one sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// Everything that is known.
    #[must_use]
    pub fn parts(&self) -> &Parts {
        &self.inner
    }

    /// Says what to type instead.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.inner.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.inner.message)
    }
}

impl std::error::Error for ScriptError {}
