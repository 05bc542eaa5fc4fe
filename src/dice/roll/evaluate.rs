//! Rolls a tree, with a trace or without: the same dice in the same order, but for the sums of big pools.

use smallvec::SmallVec;

use super::trace::{Fate, Kind, Trace};
use super::units::{self, Tally, Unit, Units};
use super::{Params, RollValue};
use crate::dice::notation::tree::{
    Amount, End, Function, Group, KeepMembers, Node, NodeKind, Operator, OperatorKind, Operators, Sign, Span, Tree,
};
use crate::dice::notation::{Limits, NotationError, NotationErrorKind, arithmetic};
use crate::dice::{DiceError, Die, Source};
use crate::nearest::nearest;

pub(super) type Rolled<T> = Result<T, NotationError>;

/// The numbers of operators, in the order they are written, each amount one.
pub(super) type Numbers = SmallVec<[i64; 4]>;

/// One reading of a tree with dice.
pub(super) struct Evaluation<'e, S: ?Sized, T> {
    pub text: &'e str,
    pub source: &'e mut S,
    pub params: &'e Params,
    pub limits: &'e Limits,
    /// How many dice fell.
    pub drawn: u64,
    /// Steps taken that drew nothing.
    steps: u64,
    names: SmallVec<[i64; 4]>,
    pub trace: T,
}

impl<'e, S: Source + ?Sized, T: Trace> Evaluation<'e, S, T> {
    pub(super) fn new(text: &'e str, source: &'e mut S, params: &'e Params, limits: &'e Limits, trace: T) -> Self {
        Evaluation { text, source, params, limits, drawn: 0, steps: 0, names: SmallVec::new(), trace }
    }

    /// Rolls the bindings and then the root.
    pub(super) fn tree(&mut self, tree: &'e Tree) -> Rolled<(RollValue, Vec<T::Node>, T::Node)> {
        let mut bindings = Vec::new();
        for binding in &tree.bindings {
            let (value, node) = self.number(&binding.value)?;
            self.names.push(value);
            bindings.push(node);
        }
        let (value, root) = self.value(&tree.root)?;
        Ok((value, bindings, root))
    }

    fn value(&mut self, node: &'e Node) -> Rolled<(RollValue, T::Node)> {
        if node.is_list() {
            let (list, node) = self.list(node)?;
            return Ok((RollValue::List(list), node));
        }
        let (number, node) = self.number(node)?;
        Ok((RollValue::Number(number), node))
    }

    fn leaf(&mut self, node: &'e Node, value: i64) -> (i64, T::Node) {
        (value, self.trace.node(node.span, || RollValue::Number(value), || Kind::Leaf))
    }

    fn inner(&mut self, node: &'e Node, value: i64, nodes: Vec<T::Node>) -> (i64, T::Node) {
        (value, self.trace.node(node.span, || RollValue::Number(value), || Kind::Inner(nodes)))
    }

    /// Rolls a node that is a number.
    pub(super) fn number(&mut self, node: &'e Node) -> Rolled<(i64, T::Node)> {
        match &node.kind {
            NodeKind::Number(number) => Ok(self.leaf(node, *number)),
            NodeKind::Parameter(name) => {
                let value = self.parameter(name, node.span)?;
                Ok(self.leaf(node, value))
            }
            NodeKind::Name(index) => {
                let value = self.names.get(*index as usize).copied().unwrap_or(0);
                Ok(self.leaf(node, value))
            }
            NodeKind::Pool(pool) => self.pool(pool, node.span),
            NodeKind::Group(group) => self.group(group, node.span),
            NodeKind::Bracket(within) => {
                let (value, rolled) = self.number(within)?;
                Ok(self.inner(node, value, vec![rolled]))
            }
            NodeKind::Labeled(within, label) => {
                let (value, rolled) = self.number(within)?;
                self.trace.label(&label.0, &RollValue::Number(value));
                Ok(self.inner(node, value, vec![rolled]))
            }
            NodeKind::Sign(sign, operand) => {
                let (value, rolled) = self.number(operand)?;
                let value = if *sign == Sign::Minus { arithmetic::negate(value, node.span)? } else { value };
                Ok(self.inner(node, value, vec![rolled]))
            }
            NodeKind::Chain(chain) => {
                let (mut value, first) = self.number(&chain.first)?;
                let mut nodes = vec![first];
                for (operator, operand) in &chain.rest {
                    let (right, rolled) = self.number(operand)?;
                    nodes.push(rolled);
                    value = arithmetic::apply(*operator, value, right, chain.first.span.to(operand.span))?;
                }
                Ok(self.inner(node, value, nodes))
            }
            NodeKind::Power(base, exponent) => {
                let (left, base) = self.number(base)?;
                let (right, rolled) = self.number(exponent)?;
                let value = arithmetic::power(left, right, exponent.span, node.span)?;
                Ok(self.inner(node, value, vec![base, rolled]))
            }
            NodeKind::Compare(left, comparator, right) => {
                let (one, left) = self.number(left)?;
                let (other, right) = self.number(right)?;
                Ok(self.inner(node, i64::from(comparator.holds(one, other)), vec![left, right]))
            }
            NodeKind::Call(function, arguments) => self.call(*function, arguments, node),
            NodeKind::Repeat(..) | NodeKind::KeepMembers(_) => {
                // The parser lets a list stand nowhere but where a list is wanted.
                Err(NotationError::new(NotationErrorKind::List, node.span, "a list stands where a number must"))
            }
        }
    }

    fn parameter(&self, name: &str, span: Span) -> Rolled<i64> {
        if let Some(value) = self.params.get(name) {
            return Ok(value);
        }
        let error = NotationError::new(
            NotationErrorKind::UnknownParameter,
            span,
            format!("the parameter `{name}` is not given"),
        );
        Err(match nearest(name, self.params.names()) {
            Some(near) => error.suggest(format!("${near}"), "is given"),
            None => error,
        })
    }

    fn call(&mut self, function: Function, arguments: &'e [Node], node: &'e Node) -> Rolled<(i64, T::Node)> {
        if let (Function::If, [condition, then, otherwise]) = (function, arguments) {
            let (holds, condition) = self.number(condition)?;
            let (value, branch) = self.number(if holds == 0 { otherwise } else { then })?;
            return Ok(self.inner(node, value, vec![condition, branch]));
        }
        if let (Function::Sum, [list]) = (function, arguments) {
            let (members, list) = self.list(list)?;
            let sum = members.iter().try_fold(0, |sum, member| arithmetic::add(sum, *member, node.span))?;
            return Ok(self.inner(node, sum, vec![list]));
        }
        let mut nodes = Vec::new();
        let mut result: Option<i64> = None;
        for argument in arguments {
            let (value, rolled) = self.number(argument)?;
            nodes.push(rolled);
            result = Some(match (function, result) {
                (Function::Abs, _) => value.checked_abs().ok_or_else(|| arithmetic::overflow(node.span))?,
                (Function::Min, Some(best)) => best.min(value),
                (Function::Max, Some(best)) => best.max(value),
                _ => value,
            });
        }
        Ok(self.inner(node, result.unwrap_or(0), nodes))
    }

    /// Rolls a node that is a list.
    fn list(&mut self, node: &'e Node) -> Rolled<(Vec<i64>, T::Node)> {
        match &node.kind {
            NodeKind::Repeat(count, body) => self.repeat(count, body, node.span),
            NodeKind::KeepMembers(keep) => self.keep_members(keep, node.span),
            NodeKind::Bracket(within) => {
                let (list, rolled) = self.list(within)?;
                Ok(self.inner_list(node, list, rolled))
            }
            NodeKind::Labeled(within, label) => {
                let (list, rolled) = self.list(within)?;
                if T::KEEPS {
                    self.trace.label(&label.0, &RollValue::List(list.clone()));
                }
                Ok(self.inner_list(node, list, rolled))
            }
            NodeKind::Call(Function::Sort, arguments) if arguments.len() == 1 => {
                let (mut list, rolled) = self.list(&arguments[0])?;
                list.sort_unstable();
                Ok(self.inner_list(node, list, rolled))
            }
            _ => {
                let (value, rolled) = self.number(node)?;
                Ok((vec![value], rolled))
            }
        }
    }

    fn inner_list(&mut self, node: &'e Node, list: Vec<i64>, within: T::Node) -> (Vec<i64>, T::Node) {
        let rolled = self.trace.node(node.span, || RollValue::List(list.clone()), || Kind::Inner(vec![within]));
        (list, rolled)
    }

    fn repeat(&mut self, count: &'e Node, body: &'e Node, span: Span) -> Rolled<(Vec<i64>, T::Node)> {
        let (times, count_node) = self.number(count)?;
        if times < 0 {
            return Err(NotationError::new(
                NotationErrorKind::OutOfRange,
                count.span,
                format!("nothing can be done {times} times"),
            ));
        }
        if times as u64 > self.limits.members {
            return Err(NotationError::new(
                NotationErrorKind::Limit,
                count.span,
                format!("a list has at most {} members, not {times}", self.limits.members),
            ));
        }
        // A trace keeps every node, and memory is scarcer than time.
        let work = node_count(body) * if T::KEEPS { 8 } else { 1 };
        let mut list = Vec::with_capacity(times as usize);
        let mut members = Vec::new();
        for _ in 0..times {
            self.step(work, span)?;
            let (value, rolled) = self.number(body)?;
            list.push(value);
            members.push(rolled);
        }
        let node = self.trace.node(span, || RollValue::List(list.clone()), || Kind::Repeat(count_node, members));
        Ok((list, node))
    }

    fn keep_members(&mut self, keep: &'e KeepMembers, span: Span) -> Rolled<(Vec<i64>, T::Node)> {
        let mut computed = Vec::new();
        let number = self.amount(&keep.number, &mut computed)?;
        not_negative(number, span, "keep")?;
        let (list, list_node) = self.list(&keep.list)?;
        let unit = |(id, &value)| Unit { value, raw: value, id: id as u32 };
        let mut members: Units = list.iter().enumerate().map(unit).collect();
        units::keep(&mut members, keep.end, number, false);
        let kept: Vec<i64> = members.iter().map(|unit| unit.value).collect();
        let node = self.trace.node(
            span,
            || RollValue::List(kept.clone()),
            || {
                let stays = (0..list.len() as u32).map(|id| members.iter().any(|unit| unit.id == id));
                Kind::KeepMembers(computed, list_node, stays.collect())
            },
        );
        Ok((kept, node))
    }

    /// Counts steps that draw nothing; refuses to take too many.
    pub(super) fn step(&mut self, steps: u64, span: Span) -> Rolled<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= self.limits.steps() {
            return Ok(());
        }
        let message = "this takes too many steps in one roll; roll it in parts";
        Err(NotationError::new(NotationErrorKind::Limit, span, message))
    }

    /// The number of an amount, rolled when it is computed.
    pub(super) fn amount(&mut self, amount: &'e Amount, computed: &mut Vec<T::Node>) -> Rolled<i64> {
        match amount {
            Amount::Implied => Ok(1),
            Amount::Number(number) => Ok(*number),
            Amount::Computed(node) => {
                let (value, rolled) = self.number(node)?;
                computed.push(rolled);
                Ok(value)
            }
        }
    }

    /// The numbers of operators, computed ones rolled, in the order written; a cap before its comparison.
    pub(super) fn numbers(&mut self, operators: &'e Operators, computed: &mut Vec<T::Node>) -> Rolled<Numbers> {
        let mut numbers = Numbers::new();
        for operator in operators {
            let what = match operator.kind {
                OperatorKind::Keep(..) => "keep",
                OperatorKind::Drop(..) => "drop",
                _ => "",
            };
            let (cap, amount) = operator.kind.amounts();
            if let Some(cap) = cap {
                let number = self.amount(cap, computed)?;
                not_negative(number, operator.span, "add or reroll")?;
                numbers.push(number);
            }
            if let Some(amount) = amount {
                let number = self.amount(amount, computed)?;
                if !what.is_empty() {
                    not_negative(number, operator.span, what)?;
                }
                numbers.push(number);
            }
        }
        Ok(numbers)
    }

    fn group(&mut self, group: &'e Group, span: Span) -> Rolled<(i64, T::Node)> {
        let mut computed = Vec::new();
        let numbers = self.numbers(&group.operators, &mut computed)?;
        let mut units = Units::new();
        let mut nodes = Vec::new();
        for (id, member) in group.members.iter().enumerate() {
            let (value, rolled) = self.number(member)?;
            units.push(Unit { value, raw: value, id: id as u32 });
            nodes.push(rolled);
        }
        let mut fates = MemberNotes::new::<T>(units.len());
        let mut numbers = numbers.into_iter();
        let mut tally: Option<Tally> = None;
        let mut sorted = None;
        for operator in &group.operators {
            self.step(units.len() as u64, operator.span)?;
            let number = if operator.kind.amounts().1.is_some() { numbers.next().unwrap_or(0) } else { 0 };
            if let Some(dropped) = select(operator, number, &mut units, T::KEEPS) {
                fates.dropped(&dropped, operator.span);
            }
            count(operator, number, &units, &mut tally, |id, by| fates.counted(id, by));
            if let OperatorKind::Sort(order) = operator.kind {
                sorted = Some(order);
            }
        }
        let value = total(&units, tally, span)?;
        self.labels(&group.operators, value);
        let counted = tally.is_some();
        let node = self.trace.node(
            span,
            || RollValue::Number(value),
            || {
                let members = nodes.into_iter().zip(fates.0).map(|(node, (fate, counted))| (node, fate, counted));
                Kind::Group { computed, members: members.collect(), sorted, counted }
            },
        );
        Ok((value, node))
    }

    /// Adds to the labels among operators.
    pub(super) fn labels(&mut self, operators: &'e Operators, value: i64) {
        if !T::KEEPS {
            return;
        }
        for operator in operators {
            if let OperatorKind::Label(label) = &operator.kind {
                self.trace.label(&label.0, &RollValue::Number(value));
            }
        }
    }

    /// Refuses more dice than the roll may have, before they are drawn.
    pub(super) fn may_draw(&self, count: u64, span: Span) -> Rolled<()> {
        let limit = self.limits.draws.min(u64::from(u32::MAX));
        if count <= limit.saturating_sub(self.drawn) {
            return Ok(());
        }
        Err(too_many_draws(limit, span))
    }

    /// Draws one die.
    pub(super) fn draw(&mut self, die: Die<'_>, span: Span) -> Rolled<i64> {
        self.may_draw(1, span)?;
        let purpose = span.of(self.text);
        let face = self.source.draw(die, purpose).and_then(|face| die.checked(face, purpose));
        let face = face.map_err(|error| no_die(&error, span))?;
        self.drawn += 1;
        Ok(face)
    }
}

/// What became of the members of a group; empty without a trace.
struct MemberNotes(Vec<(Fate, i32)>);

impl MemberNotes {
    fn new<T: Trace>(members: usize) -> Self {
        MemberNotes(if T::KEEPS { vec![(Fate::Kept, 0); members] } else { Vec::new() })
    }

    fn dropped(&mut self, ids: &[u32], by: Span) {
        for &id in ids {
            if let Some(note) = self.0.get_mut(id as usize) {
                note.0 = Fate::Dropped(by);
            }
        }
    }

    fn counted(&mut self, id: u32, by: i32) {
        if let Some(note) = self.0.get_mut(id as usize) {
            note.1 += by;
        }
    }
}

/// The error of a source that gave no die.
#[cold]
pub(super) fn no_die(error: &DiceError, span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::Dice, span, error.to_string())
}

/// The error of a roll with too many dice.
#[cold]
pub(super) fn too_many_draws(limit: u64, span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::Limit, span, format!("a roll draws at most {limit} dice"))
}

/// Refuses a negative number of things.
pub(super) fn not_negative(number: i64, span: Span, what: &str) -> Rolled<()> {
    if number >= 0 {
        return Ok(());
    }
    Err(NotationError::new(
        NotationErrorKind::OutOfRange,
        span,
        format!("the number of dice to {what} is {number}, less than 0"),
    )
    .suggest("max(0, …)", "stays at 0 or more"))
}

/// Keeps or drops, when the operator does; gives the ids dropped, noted if asked.
pub(super) fn select(operator: &Operator, number: i64, units: &mut Units, note: bool) -> Option<Vec<u32>> {
    Some(match &operator.kind {
        OperatorKind::Keep(end, _) => units::keep(units, *end, number, note),
        OperatorKind::Drop(end @ (End::Highest | End::Lowest | End::Middle), _) => {
            units::drop(units, *end, number, note)
        }
        OperatorKind::KeepIf(when) => units::keep_where(units, when.comparator, number, true, note),
        OperatorKind::DropIf(when) => units::keep_where(units, when.comparator, number, false, note),
        _ => return None,
    })
}

/// Counts, when the operator does; `each` is told what an id adds.
pub(super) fn count(
    operator: &Operator,
    number: i64,
    units: &Units,
    tally: &mut Option<Tally>,
    mut each: impl FnMut(u32, i32),
) {
    match (&operator.kind, tally) {
        (OperatorKind::Count(when), tally) => {
            *tally = Some(Tally::new(units, when.comparator, number, |id| each(id, 1)));
        }
        (OperatorKind::Failures(when), Some(tally)) => {
            tally.failures(units, when.comparator, number, |id| each(id, -1));
        }
        (OperatorKind::Doubles(when), Some(tally)) => tally.doubles(units, when.comparator, number, |id| each(id, 1)),
        _ => {}
    }
}

/// The successes if they were counted, else the sum.
pub(super) fn total(units: &Units, tally: Option<Tally>, span: Span) -> Rolled<i64> {
    match tally {
        Some(tally) => Ok(tally.total),
        None => units.iter().try_fold(0, |sum, unit| arithmetic::add(sum, unit.value, span)),
    }
}

/// How many nodes are in a node, itself included.
fn node_count(node: &Node) -> u64 {
    let mut count = 1;
    node.each_child(&mut |child| count += node_count(child));
    count
}
