//! What goes wrong with a rule: one error type for the whole floor.

use std::cell::RefCell;
use std::fmt;

use crate::dice::DiceError;

/// The kind of a [`RuleError`], as returned to callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument that the rule needs is not there.
    Missing,
    /// An argument is of another type than the rule takes (text for a number, 12.5 for a whole number).
    BadType,
    /// A number or the length of a list is outside its bounds.
    OutOfRange,
    /// A name that is not in the list of names: of a rule, an argument, a switch, a choice.
    Unknown,
    /// Arguments that contradict each other.
    Invalid,
    /// The source of dice ran out, or gave an impossible face.
    Dice,
    /// A house rule (a script) failed while the rule was resolved.
    Script,
}

impl ErrorKind {
    /// The kind's name in answers: `missing`, `bad_type`, `out_of_range`, `unknown`, `invalid`, `dice`, `script`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Missing => "missing",
            ErrorKind::BadType => "bad_type",
            ErrorKind::OutOfRange => "out_of_range",
            ErrorKind::Unknown => "unknown",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Dice => "dice",
            ErrorKind::Script => "script",
        }
    }
}

/// Why a rule could not be resolved: the kind, the argument at fault, and a sentence for the person at the table.
///
/// What the rules forbid is never an error but an outcome; errors are for input that makes no sense and for dice that
/// do not come.
#[derive(Clone, Debug)]
pub struct RuleError {
    inner: Box<Inner>,
}

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    rule: Option<String>,
    field: Option<String>,
    message: String,
}

thread_local! {
    /// An error on its way through serde, which lets nothing but text through `custom`: it waits here, whole, until the
    /// reader asks for what the text stood for.
    static CARRIED: RefCell<Option<RuleError>> = const { RefCell::new(None) };
}

impl RuleError {
    fn new(kind: ErrorKind, field: Option<String>, message: String) -> Self {
        RuleError { inner: Box::new(Inner { kind, rule: None, field, message }) }
    }

    /// An argument is missing.
    #[must_use]
    pub fn missing(field: &str) -> Self {
        Self::new(ErrorKind::Missing, Some(field.into()), "is missing".into())
    }

    /// Says more about the same: what else is wrong.
    pub(crate) fn and(mut self, more: &str) -> Self {
        self.inner.message.push_str(", and ");
        self.inner.message.push_str(more);
        self
    }

    /// An argument is of the wrong type; the message completes "`field` …": "must be a whole number, not text".
    pub fn bad_type(field: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::BadType, Some(field.into()), message.into())
    }

    /// An argument is out of bounds; the message completes "`field` …": "must be from 1 to 20, not 21".
    pub fn out_of_range(field: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::OutOfRange, Some(field.into()), message.into())
    }

    /// A name is not in the list; the message completes "`field` …".
    pub fn unknown(field: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unknown, Some(field.into()), message.into())
    }

    /// A name is not among the known ones; the message suggests the nearest. `what` says what it should name.
    #[must_use]
    pub fn unknown_among(field: &str, what: &str, name: &str, known: &[&str]) -> Self {
        Self::unknown(field, super::reader::unknown_name(what, name, known))
    }

    /// Arguments contradict each other; the message completes "`field` …".
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, Some(field.into()), message.into())
    }

    /// An error of the given kind about no argument in particular.
    pub fn general(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::new(kind, None, message.into())
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// The full path of the argument at fault: `sides[2].score`, `options.tail`. Lists count from 1.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.inner.field.as_deref()
    }

    /// The rule that refused, when it is known.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        self.inner.rule.as_deref()
    }

    /// The error as the error of any deserializer. Read by [`read`](super::read) it comes out as it went in, with kind
    /// and field; elsewhere it is its sentence.
    pub(crate) fn through_serde<E: serde::de::Error>(self) -> E {
        let sentence = self.to_string();
        CARRIED.with(|carried| carried.replace(Some(self)));
        E::custom(sentence)
    }

    /// What a serde `custom` text stood for: the error that waits under this sentence, or a plain contradiction.
    pub(super) fn of_custom(sentence: &str) -> Self {
        match CARRIED.take() {
            Some(error) if error.to_string() == sentence => error,
            _ => Self::general(ErrorKind::Invalid, sentence),
        }
    }

    /// Puts the error inside a field: the path grows at the front.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        self.inner.field = Some(match self.inner.field.take() {
            None => outer.to_owned(),
            Some(inner) if inner.starts_with('[') => format!("{outer}{inner}"),
            Some(inner) => format!("{outer}.{inner}"),
        });
        self
    }

    /// Puts the error inside an element of a list, counted from 0 here and shown from 1.
    #[must_use]
    pub fn within_element(self, index: usize) -> Self {
        self.within(&format!("[{}]", index + 1))
    }

    /// Says which rule refused; the innermost that said so stays.
    #[must_use]
    pub fn in_rule(mut self, name: &str) -> Self {
        self.arose_in(name);
        self
    }

    /// The same in place.
    pub(super) fn arose_in(&mut self, name: &str) {
        self.inner.rule.get_or_insert_with(|| name.to_owned());
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { rule, field, message, .. } = &*self.inner;
        if let Some(rule) = rule {
            write!(f, "{rule}: ")?;
        }
        match field {
            // Messages about unknown names are whole sentences that hold the name already.
            Some(field) if self.inner.kind != ErrorKind::Unknown => write!(f, "{field} {message}"),
            _ => f.write_str(message),
        }
    }
}

impl std::error::Error for RuleError {}

impl From<DiceError> for RuleError {
    fn from(error: DiceError) -> Self {
        Self::general(ErrorKind::Dice, error.to_string())
    }
}
