//! Rolls: what an expression comes to, with everything that fell or without.

mod bounds;
mod evaluate;
mod pool;
mod quick;
mod trace;
mod units;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::Source;
use super::notation::tree::Tree;
use super::notation::{Limits, NotationError};

pub use bounds::Bounds;
pub(crate) use bounds::bounds;
pub(crate) use quick::Quick;
pub use trace::{Fate, LabelTotal, Origin, RolledDie, RolledGroup, RolledKind, RolledMember, RolledNode, RolledPool};

/// What an expression comes to: a whole number, or a list of them (`6 x 4d6kh3`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RollValue {
    /// A whole number.
    Number(i64),
    /// Separate numbers, in order.
    List(Vec<i64>),
}

impl RollValue {
    /// The number, when it is one.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self {
            RollValue::Number(number) => Some(*number),
            RollValue::List(_) => None,
        }
    }

    /// All numbers: of a single one a slice of one.
    #[must_use]
    pub fn numbers(&self) -> &[i64] {
        match self {
            RollValue::Number(number) => std::slice::from_ref(number),
            RollValue::List(numbers) => numbers,
        }
    }
}

impl From<i64> for RollValue {
    fn from(number: i64) -> Self {
        RollValue::Number(number)
    }
}

impl std::fmt::Display for RollValue {
    /// Numbers separated by a comma and a space; an empty list is `none`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers = self.numbers();
        if numbers.is_empty() {
            return f.write_str("none");
        }
        for (i, number) in numbers.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{number}")?;
        }
        Ok(())
    }
}

/// Numbers passed beside an expression: `$str` reads `str`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params {
    numbers: Vec<(CompactString, i64)>,
}

impl Params {
    /// No parameters.
    #[must_use]
    pub const fn new() -> Self {
        Params { numbers: Vec::new() }
    }

    /// Sets a parameter, replacing its earlier number.
    pub fn set(&mut self, name: impl Into<CompactString>, number: i64) {
        let name = name.into();
        match self.numbers.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = number,
            None => self.numbers.push((name, number)),
        }
    }

    /// The number of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<i64> {
        self.numbers.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }

    /// All names, in the order they were set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(|(name, _)| name.as_str())
    }
}

impl<N: Into<CompactString>> FromIterator<(N, i64)> for Params {
    fn from_iter<I: IntoIterator<Item = (N, i64)>>(numbers: I) -> Self {
        let mut params = Params::new();
        numbers.into_iter().for_each(|(name, number)| params.set(name, number));
        params
    }
}

/// A roll with its whole trace.
#[derive(Clone, Debug)]
pub struct Roll {
    text: CompactString,
    value: RollValue,
    dice: Vec<RolledDie>,
    labels: Vec<LabelTotal>,
    bindings: Vec<RolledNode>,
    root: RolledNode,
    tree: Tree,
}

impl Roll {
    /// The text that was rolled, as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it came to.
    #[must_use]
    pub fn value(&self) -> &RollValue {
        &self.value
    }

    /// The number it came to; of a list the sum, which stays at the nearest 64-bit number where it does not fit.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.value.numbers().iter().fold(0, |sum, number| sum.saturating_add(*number))
    }

    /// All dice in the order they were drawn.
    #[must_use]
    pub fn dice(&self) -> &[RolledDie] {
        &self.dice
    }

    /// The subtotal of each label, in the order the labels first occurred.
    #[must_use]
    pub fn labels(&self) -> &[LabelTotal] {
        &self.labels
    }

    /// The rolled values of the bindings, in order.
    #[must_use]
    pub fn bindings(&self) -> &[RolledNode] {
        &self.bindings
    }

    /// The rolled tree.
    #[must_use]
    pub fn root(&self) -> &RolledNode {
        &self.root
    }

    /// The tree of what was written.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}

/// Rolls a tree with its trace.
pub(crate) fn roll(
    text: &CompactString,
    tree: &Tree,
    source: &mut dyn Source,
    params: &Params,
    limits: &Limits,
) -> Result<Roll, NotationError> {
    let mut evaluation = evaluate::Evaluation::new(text, source, params, limits, trace::FullTrace::default());
    let (value, bindings, root) = evaluation.tree(tree)?;
    let trace::FullTrace { dice, labels } = evaluation.trace;
    Ok(Roll { text: text.clone(), value, dice, labels, bindings, root, tree: tree.clone() })
}

/// Rolls a tree without a trace: the same dice in the same order.
pub(crate) fn total<S: Source + ?Sized>(
    text: &str,
    tree: &Tree,
    source: &mut S,
    params: &Params,
    limits: &Limits,
) -> Result<RollValue, NotationError> {
    let mut evaluation = evaluate::Evaluation::new(text, source, params, limits, trace::NoTrace);
    evaluation.tree(tree).map(|(value, ..)| value)
}
