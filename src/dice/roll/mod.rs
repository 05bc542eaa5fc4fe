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
use super::notation::{Dialect, Limits, NotationError};

pub use bounds::Bounds;
pub(crate) use bounds::{bounds, bounds_unexploded};
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
    dialect: Dialect,
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

    /// The faces of all dice, ascending.
    #[must_use]
    pub fn sorted(&self) -> Vec<i64> {
        let mut faces: Vec<i64> = self.dice.iter().map(|die| die.raw).collect();
        faces.sort_unstable();
        faces
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

    /// Whose notation the text is in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn in_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
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
    Ok(Roll { text: text.clone(), value, dice, labels, bindings, root, tree: tree.clone(), dialect: Dialect::Grognard })
}

/// Rolls a tree without a trace: the same dice in the same order, but for big pools whose single dice nobody needs.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Expression, Scripted};

    fn roll(text: &str, dice: &[i64]) -> Roll {
        Expression::parse(text).unwrap().roll(&mut Scripted::new(dice), &Params::new()).unwrap()
    }

    /// The text and subtotal of a node and those within it.
    fn walk(node: &RolledNode, text: &str, found: &mut Vec<String>) {
        found.push(format!("{} = {}", node.span.of(text), node.value));
        if let RolledKind::Inner(nodes) = &node.kind {
            for node in nodes {
                walk(node, text, found);
            }
        }
    }

    /// The text of the operator that dropped each die, if one did.
    fn dropped_by(roll: &Roll) -> Vec<Option<&str>> {
        let by = |die: &RolledDie| match die.fate {
            Fate::Dropped(span) => Some(span.of(roll.text())),
            Fate::Kept | Fate::Rerolled(_) => None,
        };
        roll.dice().iter().map(by).collect()
    }

    #[test]
    fn of_equal_dice_the_later_is_dropped() {
        assert_eq!(dropped_by(&roll("3d6kh1", &[5, 5, 5])), [None, Some("kh1"), Some("kh1")]);
        assert_eq!(dropped_by(&roll("3d6dl1dh1", &[2, 2, 2])), [None, Some("dh1"), Some("dl1")]);
        assert_eq!(dropped_by(&roll("4d6km2", &[1, 6, 3, 4])), [Some("km2"), Some("km2"), None, None]);
    }

    #[test]
    fn a_chain_is_kept_or_dropped_as_one_die() {
        let roll = roll("2d6!kh1", &[6, 5, 3]);
        assert_eq!(dropped_by(&roll), [None, Some("kh1"), None]);
        let [first, second, added] = roll.dice() else { panic!("three dice fell") };
        assert_eq!((first.chain, second.chain, added.chain), (0, 1, 0));
        assert_eq!((first.chain_value, first.links), (9, 2));
        assert!(matches!(added.origin, Origin::Added { to: 0, compound: false, .. }));
    }

    #[test]
    fn a_chain_that_is_dropped_goes_with_all_its_dice() {
        assert_eq!(dropped_by(&roll("2d6!kl1", &[6, 5, 3])), [Some("kl1"), None, Some("kl1")]);
    }

    #[test]
    fn a_rerolled_die_stays_in_the_trace_and_names_what_replaced_it() {
        let roll = roll("2d6r<3", &[1, 5, 2, 4]);
        let fates: Vec<bool> = roll.dice().iter().map(|die| matches!(die.fate, Fate::Rerolled(_))).collect();
        assert_eq!(fates, [true, false, true, false]);
        assert!(matches!(roll.dice()[2].origin, Origin::Replaces { die: 0, .. }));
        assert!(matches!(roll.dice()[3].origin, Origin::Replaces { die: 2, .. }));
    }

    #[test]
    fn penetrating_dice_keep_their_raw_face_beside_what_they_count() {
        let roll = roll("1d6!p", &[6, 6, 2]);
        let dice: Vec<_> = roll.dice().iter().map(|die| (die.raw, die.value)).collect();
        assert_eq!(dice, [(6, 6), (6, 5), (2, 1)]);
        assert_eq!(roll.total(), 12);
    }

    #[test]
    fn a_clamp_changes_the_value_and_not_the_face() {
        let roll = roll("2d6min3", &[1, 5]);
        let die = roll.dice()[0];
        assert_eq!((die.raw, die.value), (1, 3));
        assert_eq!(die.changed_by.map(|span| span.of("2d6min3")), Some("min3"));
        assert_eq!(roll.dice()[1].changed_by, None);
    }

    #[test]
    fn successes_and_failures_are_told_by_each_die() {
        let roll = roll("5d10>=7f=1ss=10", &[10, 7, 1, 3, 8]);
        assert_eq!(roll.dice().iter().map(|die| die.counted).collect::<Vec<_>>(), [2, 1, -1, 0, 1]);
        assert_eq!(roll.total(), 3);
    }

    #[test]
    fn every_node_keeps_its_text_and_its_subtotal() {
        let roll = roll("(2d6+1)*2 - 1d4", &[3, 4, 2]);
        let mut found = Vec::new();
        walk(roll.root(), roll.text(), &mut found);
        let wanted = [
            "(2d6+1)*2 - 1d4 = 14",
            "(2d6+1)*2 = 16",
            "(2d6+1) = 8",
            "2d6+1 = 8",
            "2d6 = 7",
            "1 = 1",
            "2 = 2",
            "1d4 = 2",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn labels_add_up_pools_brackets_and_numbers() {
        let roll = roll("1d8[fire] + (1d6+2)[cold] + 3[fire]", &[5, 4]);
        let labels: Vec<_> = roll.labels().iter().map(|label| (label.label.as_str(), label.total)).collect();
        assert_eq!(labels, [("fire", 8), ("cold", 6)]);
        assert_eq!(roll.total(), 14);
    }

    #[test]
    fn only_the_branch_taken_is_rolled() {
        assert_eq!(roll("if((1d20)>=10, 1d6, 1d8)", &[12, 4]).dice().len(), 2);
    }

    #[test]
    fn bounds_are_what_can_fall() {
        let cases: &[(&str, Option<i64>, Option<i64>)] = &[
            ("3d6+1", Some(4), Some(19)),
            ("4d6kh3", Some(3), Some(18)),
            ("4dF", Some(-4), Some(4)),
            ("2d6r<3", Some(6), Some(12)),
            ("2d6ro<3", Some(2), Some(12)),
            ("1d6!", Some(1), None),
            ("1d6!o", Some(1), Some(12)),
            ("1d6!po", Some(1), Some(11)),
            ("1d1!po", Some(1), Some(1)),
            ("1d1!{3}", Some(4), Some(4)),
            ("4d6min2", Some(8), Some(24)),
            ("3d6u", Some(6), Some(15)),
            ("10d10>=8f=1", Some(-10), Some(10)),
            ("{2d6,1d10}kh1", Some(2), Some(12)),
            ("7/(1d3)", Some(2), Some(7)),
            ("(1d6)%4", Some(0), Some(3)),
            ("-(2d6)", Some(-12), Some(-2)),
            ("(1d4)d6", Some(1), Some(24)),
            ("6 x 4d6kh3", Some(3), Some(18)),
            ("sum(6 x 4d6kh3)", Some(18), Some(108)),
            ("(3d6)>=19", Some(0), Some(0)),
            ("abs(1d6-1d6)", Some(0), Some(5)),
            ("if((1d2)=1,10,1d4)", Some(1), Some(10)),
            ("2^(1d4)", Some(2), Some(16)),
        ];
        for (text, least, greatest) in cases {
            let expression = Expression::parse(text).unwrap();
            assert_eq!((expression.least(), expression.greatest()), (*least, *greatest), "{text}");
        }
    }
}
