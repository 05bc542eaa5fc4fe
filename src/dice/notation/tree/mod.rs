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

mod operator;
mod span;
mod symbols;

use std::sync::Arc;

use compact_str::CompactString;
use smallvec::SmallVec;

use crate::dice::Die;

pub use operator::{
    Amount, Cap, Comparison, Critical, End, Explosion, Label, Operator, OperatorKind, Operators, Order, Style,
};
pub use span::Span;
pub use symbols::{Arithmetic, Comparator, Function, Sign};

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

impl Node {
    /// What opens the brackets round this node: `round(` where the quotient in them is rounded to the nearest.
    pub(crate) fn bracket(&self) -> &'static str {
        match &self.kind {
            NodeKind::Chain(chain) if chain.rest.last().is_some_and(|(sign, _)| *sign == Arithmetic::DivideNearest) => {
                "round("
            }
            _ => "(",
        }
    }

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
