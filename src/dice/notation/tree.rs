//! The tree of what was written.
//!
//! A tree says what stands in the text and nothing of how it is rolled. Three readings walk it: the roll with or
//! without a trace, the exact odds, and the bounds. All of it is public and plain data, so anybody may walk it.
//!
//! The parser guarantees what the types do not say:
//! - names refer to an earlier binding (`NodeKind::Name` holds its index);
//! - a list comes only from [`NodeKind::Repeat`], passes through [`NodeKind::Bracket`], [`NodeKind::KeepMembers`] and
//!   `sort`, ends in `sum`, and stands nowhere else ([`Node::is_list`]);
//! - operators stand in an order that has a meaning: nothing but `f`, `ss`, `sa`, `sd` and labels after a count, no
//!   `!`, `r`, `rb` or `u` to the right of a `!`, `f` and `ss` only after a count; a group has only keep, drop, count,
//!   sort and labels;
//! - what can never end and stands there in plain numbers is not in a tree at all.

use std::sync::Arc;

use compact_str::CompactString;
use smallvec::SmallVec;

use crate::dice::Die;

/// A part of the text, in bytes: from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl serde::Serialize for Span {
    /// `[start, end]`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.start, self.end).serialize(serializer)
    }
}

impl Span {
    /// The span from one byte up to another.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// The least span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The part of a text that lies in this span; empty when the text is another, shorter one.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A whole expression: bindings in order, then the expression that is its value.
#[derive(Clone, Debug)]
pub struct Tree {
    /// `name := value;` in the order written; each is rolled once, used or not.
    pub bindings: Vec<Binding>,
    /// What the expression comes to.
    pub root: Node,
}

/// `name := value;`. The value is a number, never a list.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The name, spelled as written; no two bindings share one.
    pub name: CompactString,
    /// The text from the name to the end of the value.
    pub span: Span,
    /// What it stands for. May use earlier names.
    pub value: Node,
}

/// One node, with the text it was read from.
#[derive(Clone, Debug)]
pub struct Node {
    /// The text of the node, brackets, operators and labels included.
    pub span: Span,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// A whole number, not negative (a minus before it is [`NodeKind::Sign`]).
    Number(i64),
    /// `$name`: a number passed beside the expression.
    Parameter(CompactString),
    /// A bound name: the index of its binding in [`Tree::bindings`].
    Name(u32),
    /// Dice.
    Pool(Box<Pool>),
    /// `{a, b, …}` with operators.
    Group(Box<Group>),
    /// `( … )`: the value inside, a number or a list.
    Bracket(Box<Node>),
    /// A number, bracket, parameter, name or call with a label behind it: the value inside, a number or a list.
    Labeled(Box<Node>, Label),
    /// A sign before an operand.
    Sign(Sign, Box<Node>),
    /// Operands joined by operators of one precedence, read left to right: `1+2-3` is one chain, `2*3+4` a chain
    /// within a chain.
    Chain(Box<Chain>),
    /// `base ^ exponent`; the exponent is drawn after the base.
    Power(Box<Node>, Box<Node>),
    /// A comparison of two values, left drawn first: 1 when it holds, else 0.
    Compare(Box<Node>, Comparator, Box<Node>),
    /// A function and its arguments, in order and in the right number.
    Call(Function, Vec<Node>),
    /// `count x body`: a list. The count is a [`NodeKind::Number`] or a [`NodeKind::Bracket`].
    Repeat(Box<Node>, Box<Node>),
    /// `(list)kh2`: the members kept, in drawn order; the number is drawn before the list.
    KeepMembers(Box<KeepMembers>),
}

/// `(list)kh2`, `(list)kl1`.
#[derive(Clone, Debug)]
pub struct KeepMembers {
    /// A list: a [`NodeKind::Bracket`], a labeled one, or another [`NodeKind::KeepMembers`].
    pub list: Node,
    /// [`End::Highest`] or [`End::Lowest`].
    pub end: End,
    /// How many.
    pub number: Amount,
}

/// Operands of one precedence, left to right.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The first operand.
    pub first: Node,
    /// Each further operand with the operator before it; not empty.
    pub rest: SmallVec<[(Arithmetic, Node); 1]>,
}

/// Dice and what is done with them.
#[derive(Clone, Debug)]
pub struct Pool {
    /// How many dice; drawn first when computed.
    pub count: Amount,
    /// What dice; drawn after the count when computed.
    pub sides: Sides,
    /// Operators, left to right. Their computed numbers are drawn in the order written, after the sides and before the
    /// dice; within an explosion or a reroll the cap before the comparison.
    pub operators: Operators,
}

/// Members that are one value each, and what is done with them.
#[derive(Clone, Debug)]
pub struct Group {
    /// The members, at least one, each a number.
    pub members: Vec<Node>,
    /// Operators, left to right: keep, drop, count, failures, doubles, sort, labels. Their computed numbers are drawn
    /// before the members.
    pub operators: Operators,
}

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

/// What dice a pool has.
#[derive(Clone, Debug)]
pub enum Sides {
    /// `d6`: faces 1 to the number, which is at least 1.
    Number(i64),
    /// `d%`: faces 1 to 100.
    Percent,
    /// `dF`: faces -1, 0, 1.
    Fudge,
    /// `d[1,1,2]`, `d[0..9]`.
    Listed(Arc<Faces>),
    /// `d( … )`: faces 1 to the value inside.
    Computed(Box<Node>),
}

impl Sides {
    /// The die, where the text alone says it: not for computed sides, nor for more sides than a die can have.
    #[must_use]
    pub fn die(&self) -> Option<Die<'_>> {
        match self {
            Sides::Number(sides) => u32::try_from(*sides).ok().map(Die::Numbered),
            Sides::Percent => Some(Die::Numbered(100)),
            Sides::Fudge => Some(Die::FUDGE),
            Sides::Listed(listed) => Some(Die::Listed(&listed.faces)),
            Sides::Computed(_) => None,
        }
    }
}

/// The faces of `d[ … ]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faces {
    /// As written: single faces (first and last equal) and ranges, first not above last.
    pub written: Vec<(i64, i64)>,
    /// All faces in order, repeats included.
    pub faces: Vec<i64>,
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

/// The order dice are shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Least first.
    Ascending,
    /// Greatest first.
    Descending,
}

/// A sign before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`: no change.
    Plus,
    /// `-`.
    Minus,
}

/// An arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` and `//`: rounds down.
    Divide,
    /// `/^`: rounds up.
    DivideUp,
    /// `%`: the sign of the divisor.
    Modulo,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparator {
    /// `=`
    Equal,
    /// `<>`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparator {
    /// Whether `left` stands in this relation to `right`.
    #[must_use]
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparator::Equal => left == right,
            Comparator::Different => left != right,
            Comparator::Less => left < right,
            Comparator::AtMost => left <= right,
            Comparator::Greater => left > right,
            Comparator::AtLeast => left >= right,
        }
    }

    /// As written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::Different => "<>",
            Comparator::Less => "<",
            Comparator::AtMost => "<=",
            Comparator::Greater => ">",
            Comparator::AtLeast => ">=",
        }
    }
}

impl Arithmetic {
    /// As written; a division that rounds down is `/`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::DivideUp => "/^",
            Arithmetic::Modulo => "%",
        }
    }
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `min(a, …)`: one argument or more.
    Min,
    /// `max(a, …)`: one argument or more.
    Max,
    /// `abs(a)`.
    Abs,
    /// `if(condition, then, else)`: rolls the condition and only the branch taken.
    If,
    /// `sum(list)`: a number.
    Sum,
    /// `sort(list)`: the list, ascending.
    Sort,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 6] =
        [Function::Min, Function::Max, Function::Abs, Function::If, Function::Sum, Function::Sort];

    /// As written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
            Function::If => "if",
            Function::Sum => "sum",
            Function::Sort => "sort",
        }
    }
}

impl Node {
    /// Whether the node's value is a list; known from the text alone.
    #[must_use]
    pub fn is_list(&self) -> bool {
        match &self.kind {
            NodeKind::Repeat(..) | NodeKind::KeepMembers(_) | NodeKind::Call(Function::Sort, _) => true,
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) => inner.is_list(),
            _ => false,
        }
    }

    /// Calls `visit` with each node directly within this one, in the order they are rolled: of a pool or group the
    /// computed numbers first, of an `if` both branches.
    pub fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        match &self.kind {
            NodeKind::Number(_) | NodeKind::Parameter(_) | NodeKind::Name(_) => {}
            NodeKind::Pool(pool) => {
                pool.count.each_child(visit);
                if let Sides::Computed(sides) = &pool.sides {
                    visit(sides);
                }
                pool.operators.iter().for_each(|operator| operator.kind.each_child(visit));
            }
            NodeKind::Group(group) => {
                group.operators.iter().for_each(|operator| operator.kind.each_child(visit));
                group.members.iter().for_each(visit);
            }
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Sign(_, inner) => visit(inner),
            NodeKind::Chain(chain) => {
                visit(&chain.first);
                chain.rest.iter().for_each(|(_, operand)| visit(operand));
            }
            NodeKind::Power(left, right) | NodeKind::Compare(left, _, right) | NodeKind::Repeat(left, right) => {
                visit(left);
                visit(right);
            }
            NodeKind::Call(_, arguments) => arguments.iter().for_each(visit),
            NodeKind::KeepMembers(keep) => {
                keep.number.each_child(visit);
                visit(&keep.list);
            }
        }
    }
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
            | OperatorKind::Doubles(comparison) => (None, Some(&comparison.number)),
            OperatorKind::Reroll(cap, comparison) => (cap_amount(cap), Some(&comparison.number)),
            OperatorKind::Explode(explosion) => {
                (cap_amount(&explosion.cap), explosion.when.as_ref().map(|when| &when.number))
            }
            OperatorKind::Unique | OperatorKind::Sort(_) | OperatorKind::Label(_) => (None, None),
        }
    }

    fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
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

    fn each_child<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        if let Amount::Computed(node) = self {
            visit(node);
        }
    }
}
