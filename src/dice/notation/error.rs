//! What can be wrong with an expression, and what to write instead.

use std::fmt;

use super::tree::Span;
use crate::dice::source::DiceError;

/// What kind of thing is wrong: one stable name each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotationErrorKind {
    /// The text is not dice notation.
    Syntax,
    /// It could mean two things, or nothing that the dice can do.
    Unclear,
    /// A list stands where a number must, or a number where a list must.
    List,
    /// A name that is not bound, or a function that does not exist.
    UnknownName,
    /// A name that cannot be bound: a function's, a die's, or one that is bound already.
    ReservedName,
    /// `$name` was not passed.
    UnknownParameter,
    /// It could never end.
    Endless,
    /// A limit is passed.
    Limit,
    /// A number does not fit 64 bits.
    Overflow,
    /// Division or modulo by zero.
    DivisionByZero,
    /// A number that cannot stand where it does: a negative count, a die without faces, a negative exponent.
    OutOfRange,
    /// The source gave no die.
    Dice,
}

impl NotationErrorKind {
    /// All kinds.
    pub const ALL: [NotationErrorKind; 12] = [
        NotationErrorKind::Syntax,
        NotationErrorKind::Unclear,
        NotationErrorKind::List,
        NotationErrorKind::UnknownName,
        NotationErrorKind::ReservedName,
        NotationErrorKind::UnknownParameter,
        NotationErrorKind::Endless,
        NotationErrorKind::Limit,
        NotationErrorKind::Overflow,
        NotationErrorKind::DivisionByZero,
        NotationErrorKind::OutOfRange,
        NotationErrorKind::Dice,
    ];

    /// The name programs see. It does not change between versions.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NotationErrorKind::Syntax => "syntax",
            NotationErrorKind::Unclear => "unclear",
            NotationErrorKind::List => "list",
            NotationErrorKind::UnknownName => "unknown_name",
            NotationErrorKind::ReservedName => "reserved_name",
            NotationErrorKind::UnknownParameter => "unknown_parameter",
            NotationErrorKind::Endless => "endless",
            NotationErrorKind::Limit => "limit",
            NotationErrorKind::Overflow => "overflow",
            NotationErrorKind::DivisionByZero => "division_by_zero",
            NotationErrorKind::OutOfRange => "out_of_range",
            NotationErrorKind::Dice => "dice",
        }
    }
}

/// An expression that cannot be read or rolled: what is wrong, where, and what would work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    // Boxed, so that the answer of a roll that works stays small.
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: NotationErrorKind,
    span: Span,
    message: String,
    suggestions: Vec<Suggestion>,
}

/// A spelling that would work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What to write.
    pub text: String,
    /// What that does, as the end of the sentence "`text` …"; may be empty.
    pub does: &'static str,
}

impl NotationError {
    /// The error of a whole expression that a source gave no dice for.
    pub(crate) fn no_die(error: &DiceError, text: &str) -> Self {
        let span = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
        NotationError::new(NotationErrorKind::Dice, span, error.to_string())
    }

    /// An error about a part of the text.
    #[cold]
    #[must_use]
    pub fn new(kind: NotationErrorKind, span: Span, message: impl Into<String>) -> Self {
        NotationError { inner: Box::new(Inner { kind, span, message: message.into(), suggestions: Vec::new() }) }
    }

    /// The same error with one more spelling that would work.
    #[must_use]
    pub fn suggest(mut self, text: impl Into<String>, does: &'static str) -> Self {
        self.inner.suggestions.push(Suggestion { text: text.into(), does });
        self
    }

    /// What kind of thing is wrong.
    #[must_use]
    pub fn kind(&self) -> NotationErrorKind {
        self.inner.kind
    }

    /// The same, its place on whole characters of the text: a mark may stand on the last byte, which may be inside one.
    pub(super) fn placed_in(mut self, text: &str) -> Self {
        let span = self.inner.span;
        let start = floor_char(text, span.start as usize);
        let mut end = (span.end as usize).clamp(start, text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        self.inner.span = Span::new(start, end);
        self
    }

    /// Where in the text, in bytes.
    #[must_use]
    pub fn span(&self) -> Span {
        self.inner.span
    }

    /// What is wrong, without the suggestions.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// Spellings that would work, where they are known.
    #[must_use]
    pub fn suggestions(&self) -> &[Suggestion] {
        &self.inner.suggestions
    }

    /// The error below the expression, with `^^^` under the part it is about. Three lines, none ended.
    #[must_use]
    pub fn pretty(&self, text: &str) -> String {
        let start = floor_char(text, self.inner.span.start as usize);
        let end = floor_char(text, self.inner.span.end as usize).max(start);
        let before = text[..start].chars().count();
        let under = text[start..end].chars().count().max(1);
        let flat: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{flat}\n{:before$}{:^<under$}\n{self}", "", "")
    }
}

/// The nearest character boundary at or before a byte.
fn floor_char(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.message)?;
        for (i, suggestion) in self.inner.suggestions.iter().enumerate() {
            f.write_str(if i == 0 { "; write " } else { ", or " })?;
            write!(f, "`{}`", suggestion.text)?;
            if !suggestion.does.is_empty() {
                write!(f, ", which {}", suggestion.does)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for NotationError {}
