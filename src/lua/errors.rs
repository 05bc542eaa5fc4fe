//! What goes wrong in a script, as a person reads it: what, where, the line itself, and how to mend it.

use std::fmt;
use std::ops::Range;

use crate::printable::escaped;
use crate::rules::core::{ErrorKind, RuleError};

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

/// A longer line of a script, in bytes, is not shown with an error in it.
const LONGEST_LINE: usize = 500;

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
    /// The argument at fault, with its full path, when a rule refused one: `sides[2].score`.
    pub field: Option<String>,
    /// The file or chunk: `adventures/crypt.lua`, `prompt line 3`.
    pub file: Option<String>,
    /// The line in it, counted from 1.
    pub line: Option<u32>,
    /// The text of that line.
    pub source_line: Option<String>,
    /// The part of that line at fault, in bytes from its start.
    pub marked: Option<Range<usize>>,
    /// Who called whom, innermost first, one `file:line function` a line.
    pub traceback: Vec<String>,
    /// What to type instead.
    pub hint: Option<String>,
}

impl ScriptError {
    /// An error that knows nothing but what happened.
    #[must_use]
    pub fn new(kind: ScriptErrorKind, message: impl Into<String>) -> Self {
        ScriptError {
            inner: Box::new(Parts {
                kind,
                message: message.into(),
                field: None,
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

    pub(crate) fn parts_mut(&mut self) -> &mut Parts {
        &mut self.inner
    }

    /// Says where, and marks the word at fault in that line when it stands there.
    pub(crate) fn place(&mut self, file: &str, line: u32, source_line: Option<&str>) {
        let parts = &mut *self.inner;
        parts.file = Some(file.to_owned());
        parts.line = Some(line);
        // Nobody looks for a place in a line longer than this.
        let source_line = source_line.filter(|text| text.len() <= LONGEST_LINE);
        parts.marked = source_line.and_then(|text| word_at_fault(parts, text));
        parts.source_line = source_line.map(str::to_owned);
    }

    /// Takes the place and the callers of another error.
    pub(crate) fn take_place_of(&mut self, other: &ScriptError) {
        let other = &*other.inner;
        self.inner.file.clone_from(&other.file);
        self.inner.line = other.line;
        self.inner.source_line.clone_from(&other.source_line);
        self.inner.traceback.clone_from(&other.traceback);
    }

    /// `file:line: message`, the way Luau writes errors; what scripts see after a `pcall`.
    pub(crate) fn one_line(&self) -> String {
        match (&self.inner.file, self.inner.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: {}", self.inner.message),
            _ => self.inner.message.clone(),
        }
    }
}

/// Where the word that an error is about stands in its line: the argument's name, or a word that the message quotes.
fn word_at_fault(parts: &Parts, line: &str) -> Option<Range<usize>> {
    let named = parts.field.as_deref().and_then(|path| path.rsplit(['.', ']']).find(|part| !part.is_empty()));
    let quoted = parts.message.split('"').skip(1).step_by(2);
    let single = parts.message.split('\'').skip(1).step_by(2);
    named.into_iter().chain(quoted).chain(single).find_map(|word| the_word_in(word, line))
}

/// The place of a whole word in a line, when it stands there once.
fn the_word_in(word: &str, line: &str) -> Option<Range<usize>> {
    if word.is_empty() || word.len() > 60 {
        return None;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = line.match_indices(word).filter(|(at, _)| {
        let before = line[..*at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let cut =
            |inside: Option<char>, neighbor: Option<char>| inside.is_some_and(is_part) && neighbor.is_some_and(is_part);
        !cut(word.chars().next(), before) && !cut(word.chars().next_back(), after)
    });
    let (at, _) = places.next()?;
    places.next().is_none().then(|| at..at + word.len())
}

/// `error: …`, then the place, the line with its fault marked, the hint, and who called.
impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &*self.inner;
        write!(f, "error: {}", escaped(&parts.message))?;
        if let (Some(file), Some(line)) = (&parts.file, parts.line) {
            let at_the_prompt = file.starts_with("prompt line");
            if !at_the_prompt || parts.source_line.is_none() {
                write!(f, "\n  --> {}:{line}", escaped(file))?;
            }
            if let Some(text) = &parts.source_line {
                let number = line.to_string();
                write!(f, "\n  {number} | {}", escaped(text.trim_end()))?;
                if let Some(marked) = &parts.marked {
                    let before = escaped(&text[..marked.start]);
                    let before: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                    let marks = "^".repeat(escaped(&text[marked.clone()]).chars().count());
                    write!(f, "\n  {} | {before}{marks}", " ".repeat(number.len()))?;
                }
            }
        }
        if let Some(hint) = &parts.hint {
            write!(f, "\n  hint: {}", escaped(hint))?;
        }
        // The first line is the place itself.
        for (i, caller) in parts.traceback.iter().skip(1).enumerate() {
            let caller = escaped(caller);
            write!(f, "{}{caller}", if i == 0 { "\n  called from " } else { "\n              " })?;
        }
        Ok(())
    }
}

impl std::error::Error for ScriptError {}

impl From<RuleError> for ScriptError {
    fn from(error: RuleError) -> Self {
        let kind = if error.kind() == ErrorKind::Script { ScriptErrorKind::Runtime } else { ScriptErrorKind::Rule };
        let mut script = ScriptError::new(kind, error.to_string());
        // An unknown name is the last part of its path; the sentence quotes it already.
        script.inner.field = error.field().map(str::to_owned);
        script
    }
}

impl From<ScriptError> for mlua::Error {
    fn from(error: ScriptError) -> Self {
        mlua::Error::external(error)
    }
}

/// A plain failure of a native function.
pub(crate) fn failure(message: impl Into<String>) -> mlua::Error {
    ScriptError::new(ScriptErrorKind::Runtime, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_at_fault_is_marked_where_it_stands_alone() {
        assert_eq!(the_word_in("scor", "roll{ score = 1, scor = 2 }"), Some(17..21));
        assert_eq!(the_word_in("a", "a = a"), None);
        assert_eq!(the_word_in("check.rol", "rules.check.rol{}"), Some(6..15));
    }

    #[test]
    fn an_error_shows_its_line_and_marks() {
        let mut error = ScriptError::new(ScriptErrorKind::Rule, "unknown argument \"scor\"; did you mean \"score\"?");
        error.place("prompt line 4", 1, Some("rules.check.roll{ scor = 12 }"));
        let shown = "error: unknown argument \"scor\"; did you mean \"score\"?\n  1 | rules.check.roll{ scor = 12 }\n    |                   ^^^^";
        assert_eq!(error.to_string(), shown);
    }
}
