//! How much work exact odds would be, from the tree alone, before any is done.
//!
//! The engines announce their work too, step by step, and the budget holds there; this pass is for what they would
//! learn too late: how many values a name or a computed number brings, and how often all else is done again for them.

use super::budget::Budget;
use super::error::OddsError;
use crate::dice::notation::tree::{
    Amount, Arithmetic, Cap, Function, Group, Node, NodeKind, OperatorKind, Operators, Pool, Sides, Sign, Style,
};
use crate::dice::{Expression, Params};

/// Refuses an expression whose odds are sure to be far beyond the budget.
pub(super) fn within(expression: &Expression, params: &Params, budget: &Budget) -> Result<(), OddsError> {
    let tree = expression.tree();
    let mut estimate = Estimate { params, names: Vec::new(), uses: vec![0; tree.bindings.len()] };
    estimate.count_uses(&tree.root, 1);
    for binding in &tree.bindings {
        estimate.count_uses(&binding.value, 1);
    }
    let mut rounds = 1.0;
    let mut work = 0.0;
    for (index, binding) in tree.bindings.iter().enumerate() {
        let found = estimate.node(&binding.value);
        work += found.work;
        if estimate.uses[index] > 1 {
            rounds *= found.values;
            estimate.names.push(Size { values: 1.0, ..found });
        } else {
            estimate.names.push(found);
        }
    }
    // The memory of what was worked out under the same values spares much; 20 steps are left of each round at least.
    let estimate = work + estimate.node(&tree.root).work + 20.0 * rounds;
    if estimate > budget.work {
        let what = format!("the odds of `{}`", expression.text());
        return Err(OddsError::TooMuch { what, estimate, budget: budget.work });
    }
    Ok(())
}

/// How many values a node may have, between what bounds, and the work to get there: the least that it could be.
#[derive(Clone, Copy)]
struct Size {
    values: f64,
    low: f64,
    high: f64,
    work: f64,
}

impl Size {
    fn number(number: i64) -> Self {
        Size { values: 1.0, low: number as f64, high: number as f64, work: 0.0 }
    }

    fn greatest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// At most so many values between these bounds, after so much work.
    fn within(low: f64, high: f64, values: f64, work: f64) -> Self {
        Size { values: values.min(high - low + 1.0), low, high, work }
    }

    /// The sum of independent values: a convolution, which at least writes the sums down.
    fn plus(self, other: Size) -> Self {
        let (low, high) = (self.low + other.low, self.high + other.high);
        let sum = Size::within(low, high, self.values * other.values, self.work + other.work);
        Size { work: sum.work + sum.values, ..sum }
    }

    fn negated(self) -> Self {
        Size { low: -self.high, high: -self.low, ..self }
    }

    /// The greater or the lesser of two, or one of two: each value stays where it was.
    fn beside(self, other: Size) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Size::within(low, high, self.values + other.values, self.work + other.work + self.values + other.values)
    }

    /// Each value with each other value, for results between these bounds.
    fn pairs(self, other: Size, low: f64, high: f64) -> Self {
        let pairs = self.values * other.values;
        Size::within(low, high, pairs, self.work + other.work + pairs)
    }

    fn arithmetic(self, operator: Arithmetic, other: Size) -> Self {
        match operator {
            Arithmetic::Add => self.plus(other),
            Arithmetic::Subtract => self.plus(other.negated()),
            Arithmetic::Multiply => {
                let corners =
                    [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
                let low = corners.into_iter().fold(f64::INFINITY, f64::min);
                let high = corners.into_iter().fold(f64::NEG_INFINITY, f64::max);
                self.pairs(other, low, high)
            }
            // Quotients are nearer to 0 than what is divided, or -1; remainders nearer than the divisor.
            _ => {
                let most = 1.0 + self.greatest().max(other.greatest());
                self.pairs(other, -most, most)
            }
        }
    }
}

struct Estimate<'e> {
    params: &'e Params,
    names: Vec<Size>,
    uses: Vec<u32>,
}

impl Estimate<'_> {
    fn count_uses(&mut self, node: &Node, times: u32) {
        match &node.kind {
            NodeKind::Name(name) => self.uses[*name as usize] += times,
            NodeKind::Repeat(count, body) => {
                self.count_uses(count, times);
                self.count_uses(body, 2);
            }
            _ => {
                let mut children = Vec::new();
                node.each_child(&mut |child| children.push(child));
                for child in children {
                    self.count_uses(child, times);
                }
            }
        }
    }

    fn node(&self, node: &Node) -> Size {
        match &node.kind {
            NodeKind::Number(number) => Size::number(*number),
            NodeKind::Parameter(name) => Size::number(self.params.get(name).unwrap_or(0)),
            NodeKind::Name(name) => Size { work: 0.0, ..self.names[*name as usize] },
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Sign(Sign::Plus, inner) => {
                self.node(inner)
            }
            NodeKind::Sign(Sign::Minus, inner) => self.node(inner).negated(),
            NodeKind::Pool(pool) => self.pool(pool),
            NodeKind::Group(group) => self.group(group),
            NodeKind::Chain(chain) => {
                let operand = |size: Size, (operator, operand): &(Arithmetic, Node)| {
                    size.arithmetic(*operator, self.node(operand))
                };
                chain.rest.iter().fold(self.node(&chain.first), operand)
            }
            NodeKind::Compare(left, _, right) => {
                let (left, right) = (self.node(left), self.node(right));
                Size::within(0.0, 1.0, 2.0, left.work + right.work + left.values + right.values)
            }
            NodeKind::Call(function, arguments) => self.call(*function, arguments),
            NodeKind::Repeat(times, body) => {
                let (times, body) = (self.node(times), self.node(body));
                let (low, high) = ((times.greatest() * body.low).min(0.0), (times.greatest() * body.high).max(0.0));
                Size { low, high, work: times.work + body.work, ..body }
            }
            NodeKind::KeepMembers(keep) => {
                let (number, list) = (self.amount(&keep.number), self.node(&keep.list));
                Size { low: list.low.min(0.0), high: list.high.max(0.0), work: number.work + list.work, ..list }
            }
            NodeKind::Power(base, exponent) => {
                let (base, exponent) = (self.node(base), self.node(exponent));
                base.pairs(exponent, f64::NEG_INFINITY, f64::INFINITY)
            }
        }
    }

    fn call(&self, function: Function, arguments: &[Node]) -> Size {
        let mut sizes = arguments.iter().map(|argument| self.node(argument));
        let first = sizes.next().unwrap_or(Size::number(0));
        match function {
            Function::If => {
                let branches = sizes.reduce(Size::beside).unwrap_or(first);
                Size { work: first.work + branches.work, ..branches }
            }
            Function::Abs => Size { low: 0.0, high: first.greatest(), ..first },
            // The sum of a list lies between the bounds of all its members together.
            Function::Sum => Size { values: first.high - first.low + 1.0, ..first },
            _ => sizes.fold(first, Size::beside),
        }
    }

    /// A group: by what its members come to together. What is kept of them lies between 0 and that.
    fn group(&self, group: &Group) -> Size {
        let members = group.members.iter().map(|member| self.node(member));
        let sum = members.reduce(Size::plus).unwrap_or(Size::number(0));
        let (times, work) = self.computed(&group.operators);
        let (low, high) = (sum.low.min(0.0), sum.high.max(0.0));
        Size::within(low, high, sum.values * times, sum.work + work)
    }

    fn amount(&self, amount: &Amount) -> Size {
        match amount {
            Amount::Implied => Size::number(1),
            Amount::Number(number) => Size::number(*number),
            Amount::Computed(node) => self.node(node),
        }
    }

    /// How often a pool is worked out for its computed numbers, and the work of these.
    fn computed(&self, operators: &Operators) -> (f64, f64) {
        let amounts = operators.iter().flat_map(|operator| {
            let (cap, number) = operator.kind.amounts();
            [cap, number].into_iter().flatten()
        });
        amounts
            .map(|amount| self.amount(amount))
            .fold((1.0, 0.0), |(times, work), size| (times * size.values, work + size.work))
    }

    fn pool(&self, pool: &Pool) -> Size {
        let count = self.amount(&pool.count);
        let (face, faces, sides) = match &pool.sides {
            Sides::Computed(node) => {
                let sides = self.node(node);
                (sides.high, sides.high, sides)
            }
            fixed => {
                let die = fixed.die();
                let greatest = die.map_or(1.0, |die| die.greatest().abs().max(die.least().abs()) as f64);
                let faces = die.map_or(1.0, |die| f64::from(die.sides()));
                (greatest, faces, Size::number(1))
            }
        };
        let (times, work) = self.computed(&pool.operators);
        let times = times * count.values * sides.values;
        let counted = pool.operators.iter().any(|operator| matches!(operator.kind, OperatorKind::Count(_)));
        let explodes = pool.operators.iter().find_map(|operator| match &operator.kind {
            OperatorKind::Explode(explosion) => Some(match explosion.cap {
                Cap::Once => 2.0,
                _ if explosion.style == Style::Alone && counted => 3.0,
                _ => 20.0,
            }),
            _ => None,
        });
        let dice = count.greatest();
        let greatest = if counted { 2.0 * dice } else { dice * face * explodes.unwrap_or(1.0) };
        let low = if counted || pool.sides.die().is_some_and(|die| die.least() < 0) { -greatest } else { 0.0 };
        let values = if counted { 2.0 * dice + 1.0 } else { dice * faces * 20.0 };
        // The least that any engine needs: to write the values down.
        let size = Size::within(low, greatest, values + 1.0, 0.0);
        Size { work: work + count.work + sides.work + times * size.values, ..size }
    }
}
