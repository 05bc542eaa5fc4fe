//! What is done with the dice of a pool or the members of a group.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{Comparator, Node, Span};

/// Operators in the order written.
pub type Operators = SmallVec<[Operator; 1]>;

/// One operator on a pool or group, with its text.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The text of the operator.
    pub span: Span,
    /// What it does.
    pub kind: OperatorKind,
}

/// What an operator does. Each works on the dice still kept after everything to its left.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum OperatorKind {
    /// `kh3`, `kl2`, `km1`: keep so many.
    Keep(End, Amount),
    /// `dh1`, `dl1`: drop so many ([`End::Middle`] does not occur).
    Drop(End, Amount),
    /// `k>=5`: keep what the comparison holds for.
    KeepIf(Comparison),
    /// `d=1`: drop what the comparison holds for.
    DropIf(Comparison),
    /// `!`, `!!`, `!p`, `!c`: add dice.
    Explode(Explosion),
    /// `r<3`, `ro=1`, `r{2}=1`: reroll while the comparison holds.
    Reroll(Cap, Comparison),
    /// `rb<3`: reroll once, the better of the two stands.
    RerollBetter(Comparison),
    /// `min2`: what is less counts as this.
    AtLeast(Amount),
    /// `max5`: what is more counts as this.
    AtMost(Amount),
    /// `u`: reroll repeats.
    Unique,
    /// `>=8` on the pool: from here the value is the number of dice the comparison holds for.
    Count(Comparison),
    /// `f<=1` after a count: each match subtracts 1. Each `f` of several subtracts for itself.
    Failures(Comparison),
    /// `ss=10` after a count: each success that matches adds 1 more. Each `ss` of several adds for itself.
    Doubles(Comparison),
    /// `cs>=19`, `cf=1`: dice for which the comparison holds are marked where the roll is shown; no effect on the value.
    Critical(Critical, Comparison),
    /// `sa`, `sd`: the order shown; no effect on the value.
    Sort(Order),
    /// `[fire]`: the subtotal of the whole pool or group goes to this label; no effect on the value.
    Label(Label),
}

/// An explosion.
#[derive(Clone, Debug)]
pub struct Explosion {
    /// What the added dice are.
    pub style: Style,
    /// How many dice may be added to one die.
    pub cap: Cap,
    /// When a raw face adds a die; absent: when it is the greatest face.
    pub when: Option<Comparison>,
}

/// What the added dice of an explosion are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// `!`: one chain with the die that caused them.
    Chain,
    /// `!!`: the same, shown as one die.
    Compound,
    /// `!p`: one chain, each added die counts one less.
    Penetrate,
    /// `!c`: each added die stands alone.
    Alone,
}

/// How often a die may be added to or rerolled.
#[derive(Clone, Debug)]
pub enum Cap {
    /// No end but the limits.
    Unlimited,
    /// `o`: once.
    Once,
    /// `{2}`, `{(1d2)}`: at most so often; never [`Amount::Implied`].
    AtMost(Amount),
}

/// A comparison with a number, as operators carry it.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// How the die is compared with the number: `die comparator number`.
    pub comparator: Comparator,
    /// The number, signed; never [`Amount::Implied`].
    pub number: Amount,
}

/// A number in a place where either digits or an expression in parentheses may stand.
#[derive(Clone, Debug)]
pub enum Amount {
    /// Nothing is written: 1.
    Implied,
    /// A written number. Only comparisons and clamps have negative ones.
    Number(i64),
    /// `( … )`: the expression inside, a number when rolled.
    Computed(Box<Node>),
}

/// A label, without its brackets and the spaces inside them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub CompactString);

/// Which dice a keep or drop takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The greatest.
    Highest,
    /// The least.
    Lowest,
    /// The middle: drops one low, one high, one low … until so many are left.
    Middle,
}

/// What a die is marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Critical {
    /// `cs`
    Success,
    /// `cf`
    Failure,
}

/// The order dice are shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Least first.
    Ascending,
    /// Greatest first.
    Descending,
}

impl OperatorKind {
    /// The operator's cap and number, those it has, in the order they are rolled.
    #[must_use]
    pub fn amounts(&self) -> (Option<&Amount>, Option<&Amount>) {
        fn cap_amount(cap: &Cap) -> Option<&Amount> {
            if let Cap::AtMost(amount) = cap { Some(amount) } else { None }
        }
        match self {
            OperatorKind::Keep(_, amount)
            | OperatorKind::Drop(_, amount)
            | OperatorKind::AtLeast(amount)
            | OperatorKind::AtMost(amount) => (None, Some(amount)),
            OperatorKind::KeepIf(comparison)
            | OperatorKind::DropIf(comparison)
            | OperatorKind::RerollBetter(comparison)
            | OperatorKind::Count(comparison)
            | OperatorKind::Failures(comparison)
            | OperatorKind::Doubles(comparison)
            | OperatorKind::Critical(_, comparison) => (None, Some(&comparison.number)),
            OperatorKind::Reroll(cap, comparison) => (cap_amount(cap), Some(&comparison.number)),
            OperatorKind::Explode(explosion) => {
                (cap_amount(&explosion.cap), explosion.when.as_ref().map(|when| &when.number))
            }
            OperatorKind::Unique | OperatorKind::Sort(_) | OperatorKind::Label(_) => (None, None),
        }
    }

    /// How many of the operators behind a reroll without a cap are the same kind, one behind the other. They act
    /// together: the die is rolled until none of their comparisons holds.
    pub(crate) fn rerolls_in_a_row(operator: &Operator, behind: &[Operator]) -> usize {
        let endless = |operator: &Operator| matches!(operator.kind, OperatorKind::Reroll(Cap::Unlimited, _));
        if endless(operator) { behind.iter().take_while(|operator| endless(operator)).count() } else { 0 }
    }

    /// Whether it is an explosion without a cap.
    pub(crate) fn explodes_without_end(&self) -> bool {
        matches!(self, OperatorKind::Explode(explosion) if matches!(explosion.cap, Cap::Unlimited))
    }

    /// Whether it only changes how the roll is shown.
    #[must_use]
    pub fn is_shown_only(&self) -> bool {
        matches!(self, OperatorKind::Sort(_) | OperatorKind::Label(_) | OperatorKind::Critical(..))
    }

    pub(super) fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        let (cap, number) = self.amounts();
        cap.into_iter().chain(number).for_each(|amount| amount.each_child(visit));
    }
}

impl Amount {
    /// The number, where it is written.
    #[must_use]
    pub fn written(&self) -> Option<i64> {
        match self {
            Amount::Implied => Some(1),
            Amount::Number(number) => Some(*number),
            Amount::Computed(_) => None,
        }
    }

    pub(super) fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        if let Amount::Computed(node) = self {
            visit(node);
        }
    }
}
