//! The rolled tree: what fell, and what was made of it.

use compact_str::CompactString;
use serde::Serialize;

use super::RollValue;
use super::units::Units;
use crate::dice::notation::tree::{Critical, Order, Span};

/// One die that fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RolledDie {
    /// The face shown.
    #[serde(rename = "face")]
    pub raw: i64,
    /// What the die itself counts, after penetration and, where it is a chain of one, clamps.
    pub value: i64,
    /// Number of faces, repeats counted.
    pub sides: u32,
    /// Its place among all dice of the roll, from 0.
    pub draw: u32,
    /// The draw index of the first die of its chain; its own when it began one.
    pub chain: u32,
    /// What the whole chain counts; told by its first die, on others 0.
    pub chain_value: i64,
    /// How many dice the chain has; told by its first die, on others 0.
    pub links: u32,
    /// Why it was rolled.
    pub origin: Origin,
    /// What became of it.
    pub fate: Fate,
    /// The last operator that changed its value or its chain's.
    pub changed_by: Option<Span>,
    /// What its chain adds to a count: successes less failures; told by the first die.
    pub counted: i32,
    /// What `cs` or `cf` marked its chain as; told by the first die.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Critical>,
}

/// Why a die was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It is one of the pool's first dice.
    First,
    /// An explosion added it.
    Added {
        /// The draw index of the die that caused it.
        to: u32,
        /// The operator.
        by: Span,
        /// Shown as one die with the die that caused it.
        compound: bool,
    },
    /// It was rolled in place of another.
    Replaces {
        /// The draw index of the other.
        die: u32,
        /// The operator.
        by: Span,
    },
}

/// What became of a die or a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It counts.
    Kept,
    /// The operator dropped it.
    Dropped(Span),
    /// The operator had it rolled again, and this face does not stand.
    Rerolled(Span),
}

/// One node of the rolled tree: its text and its subtotal.
#[derive(Clone, Debug, Serialize)]
pub struct RolledNode {
    /// The text of the node in the expression.
    #[serde(rename = "at")]
    pub span: Span,
    /// What it came to. The root's is the roll's.
    pub value: RollValue,
    /// What is within.
    pub kind: RolledKind,
}

/// What a rolled node is.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RolledKind {
    /// A number, parameter or bound name.
    Leaf,
    /// Anything with nodes within, in the order they were rolled; of an `if` the condition and the branch taken.
    Inner(Vec<RolledNode>),
    /// Dice.
    Pool(RolledPool),
    /// A group.
    Group(RolledGroup),
    /// `count x body`.
    Repeat {
        /// How often.
        count: Box<RolledNode>,
        /// Each time.
        members: Vec<RolledNode>,
    },
    /// `(list)kh2`.
    KeepMembers {
        /// The number, where it was computed.
        number: Vec<RolledNode>,
        /// The list.
        list: Box<RolledNode>,
        /// For each member of the list whether it is kept.
        kept: Vec<bool>,
    },
}

/// Dice that were rolled as one pool.
#[derive(Clone, Debug, Serialize)]
pub struct RolledPool {
    /// Computed numbers, in the order rolled: count, sides, then those of operators.
    pub computed: Vec<RolledNode>,
    /// The draw index of the first die. Dice of computed numbers come before it.
    pub first: u32,
    /// How many dice belong to the pool, from the first on: rerolled and added ones too.
    pub dice: u32,
    /// The order its dice are shown in, when the text asks for one.
    pub sorted: Option<Order>,
    /// Whether successes were counted.
    pub counted: bool,
}

/// A group that was rolled.
#[derive(Clone, Debug, Serialize)]
pub struct RolledGroup {
    /// Computed numbers of operators, in the order rolled.
    pub computed: Vec<RolledNode>,
    /// The members.
    pub members: Vec<RolledMember>,
    /// The order its members are shown in, when the text asks for one.
    pub sorted: Option<Order>,
    /// Whether successes were counted.
    pub counted: bool,
}

/// One member of a group.
#[derive(Clone, Debug, Serialize)]
pub struct RolledMember {
    /// Its value and what is within.
    pub node: RolledNode,
    /// Kept or dropped.
    pub fate: Fate,
    /// What it adds to a count.
    pub counted: i32,
}

/// The sum of everything under one label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelTotal {
    /// The label.
    pub label: CompactString,
    /// What the pools, groups, brackets and numbers that carry it came to, each for itself. A sum that does not fit 64
    /// bits stays at the nearest number that does.
    pub total: i64,
}

/// What an evaluation writes down: everything, or nothing.
pub(super) trait Trace {
    /// A node of the rolled tree, or nothing.
    type Node;
    /// Whether anything is written down at all.
    const KEEPS: bool;

    /// Makes a node.
    fn node(
        &mut self,
        span: Span,
        value: impl FnOnce() -> RollValue,
        kind: impl FnOnce() -> Kind<Self::Node>,
    ) -> Self::Node;
    /// A die fell.
    fn die(&mut self, _die: RolledDie) {}
    /// The chains with these first dice were dropped. `first`: the pool's first die.
    fn dropped(&mut self, _first: u32, _chains: Vec<u32>, _by: Span) {}
    /// The die was rolled again.
    fn rerolled(&mut self, _die: u32, _by: Span) {}
    /// The value of a die or of a chain's first die was changed by an operator.
    fn changed(&mut self, _unit: u32, _value: i64, _by: Span) {}
    /// What a chain adds to a count.
    fn counted(&mut self, _chain: u32, _by: i32) {}
    /// A chain was marked by `cs` or `cf`.
    fn marked(&mut self, _chain: u32, _mark: Critical) {}
    /// What the chains count now.
    fn settle(&mut self, _units: &Units) {}
    /// A label's subtotal.
    fn label(&mut self, _label: &CompactString, _value: &RollValue) {}
}

/// As [`RolledKind`], of whatever nodes a trace has.
pub(super) enum Kind<N> {
    Leaf,
    Inner(Vec<N>),
    Pool { computed: Vec<N>, first: u32, dice: u32, sorted: Option<Order>, counted: bool },
    Group { computed: Vec<N>, members: Vec<(N, Fate, i32)>, sorted: Option<Order>, counted: bool },
    Repeat(N, Vec<N>),
    KeepMembers(Vec<N>, N, Vec<bool>),
}

/// Writes nothing down.
pub(super) struct NoTrace;

impl Trace for NoTrace {
    type Node = ();
    const KEEPS: bool = false;

    #[inline]
    fn node(&mut self, _: Span, _: impl FnOnce() -> RollValue, _: impl FnOnce() -> Kind<()>) {}
}

/// Writes everything down.
#[derive(Default)]
pub(super) struct FullTrace {
    pub dice: Vec<RolledDie>,
    pub labels: Vec<LabelTotal>,
}

impl FullTrace {
    fn at(&mut self, die: u32) -> Option<&mut RolledDie> {
        self.dice.get_mut(die as usize)
    }
}

impl Trace for FullTrace {
    type Node = RolledNode;
    const KEEPS: bool = true;

    fn node(
        &mut self,
        span: Span,
        value: impl FnOnce() -> RollValue,
        kind: impl FnOnce() -> Kind<RolledNode>,
    ) -> RolledNode {
        let kind = match kind() {
            Kind::Leaf => RolledKind::Leaf,
            Kind::Inner(nodes) => RolledKind::Inner(nodes),
            Kind::Pool { computed, first, dice, sorted, counted } => {
                RolledKind::Pool(RolledPool { computed, first, dice, sorted, counted })
            }
            Kind::Group { computed, members, sorted, counted } => {
                let member = |(node, fate, counted)| RolledMember { node, fate, counted };
                let members = members.into_iter().map(member).collect();
                RolledKind::Group(RolledGroup { computed, members, sorted, counted })
            }
            Kind::Repeat(count, members) => RolledKind::Repeat { count: Box::new(count), members },
            Kind::KeepMembers(number, list, kept) => RolledKind::KeepMembers { number, list: Box::new(list), kept },
        };
        RolledNode { span, value: value(), kind }
    }

    fn die(&mut self, die: RolledDie) {
        if die.chain != die.draw
            && let Some(head) = self.at(die.chain)
        {
            head.links += 1;
        }
        self.dice.push(die);
    }

    fn dropped(&mut self, first: u32, mut chains: Vec<u32>, by: Span) {
        if chains.is_empty() {
            return;
        }
        chains.sort_unstable();
        for die in self.dice.iter_mut().skip(first as usize) {
            if die.fate == Fate::Kept && chains.binary_search(&die.chain).is_ok() {
                die.fate = Fate::Dropped(by);
            }
        }
    }

    fn rerolled(&mut self, die: u32, by: Span) {
        if let Some(die) = self.at(die) {
            die.fate = Fate::Rerolled(by);
        }
    }

    fn changed(&mut self, unit: u32, value: i64, by: Span) {
        if let Some(die) = self.at(unit) {
            die.changed_by = Some(by);
            die.chain_value = value;
            // A chain of several dice is changed as a whole: its dice keep their own values.
            if die.links == 1 {
                die.value = value;
            }
        }
    }

    fn counted(&mut self, chain: u32, by: i32) {
        if let Some(die) = self.at(chain) {
            die.counted += by;
        }
    }

    fn marked(&mut self, chain: u32, mark: Critical) {
        if let Some(die) = self.at(chain) {
            die.mark = Some(mark);
        }
    }

    fn settle(&mut self, units: &Units) {
        for unit in units {
            if let Some(die) = self.at(unit.id) {
                die.chain_value = unit.value;
            }
        }
    }

    fn label(&mut self, label: &CompactString, value: &RollValue) {
        let sum = value.numbers().iter().fold(0i64, |sum, &number| sum.saturating_add(number));
        match self.labels.iter_mut().find(|total| total.label == *label) {
            Some(total) => total.total = total.total.saturating_add(sum),
            None => self.labels.push(LabelTotal { label: label.clone(), total: sum }),
        }
    }
}
