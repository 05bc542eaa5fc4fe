//! How much work exact odds would be, from the tree alone, before any is done.
//!
//! The engines announce their work too, step by step, and the budget holds there; this pass is for what they would
//! learn too late: how many values a name or a computed number brings, and how often all else is done again for them.

use super::budget::Budget;
use super::error::OddsError;
use crate::dice::notation::tree::{Amount, Cap, Function, Node, NodeKind, OperatorKind, Operators, Pool, Sides, Style};
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

/// How many values a node may have, how far they lie apart, and the work to get there.
#[derive(Clone, Copy)]
struct Size {
    values: f64,
    greatest: f64,
    work: f64,
}

impl Size {
    fn number(number: i64) -> Self {
        Size { values: 1.0, greatest: number.unsigned_abs() as f64, work: 0.0 }
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
            NodeKind::Name(name) => {
                let Size { values, greatest, .. } = self.names[*name as usize];
                Size { values, greatest, work: 0.0 }
            }
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Sign(_, inner) => self.node(inner),
            NodeKind::Pool(pool) => self.pool(pool),
            NodeKind::Compare(left, _, right) => {
                let work = self.node(left).work + self.node(right).work;
                Size { values: 2.0, greatest: 1.0, work }
            }
            NodeKind::Call(Function::If, arguments) => {
                let sizes: Vec<Size> = arguments.iter().map(|argument| self.node(argument)).collect();
                let values = sizes.iter().skip(1).map(|size| size.values).sum();
                let greatest = sizes.iter().fold(0.0, |most: f64, size| most.max(size.greatest));
                Size { values, greatest, work: sizes.iter().map(|size| size.work).sum() }
            }
            NodeKind::Repeat(times, body) => {
                let (times, body) = (self.node(times), self.node(body));
                Size { greatest: times.greatest * body.greatest, work: times.work + body.work, ..body }
            }
            _ => {
                let mut size = Size { values: 1.0, greatest: 0.0, work: 0.0 };
                node.each_child(&mut |child| {
                    let child = self.node(child);
                    let pairs = size.values * child.values;
                    size.work += child.work + pairs;
                    size.greatest = size.greatest.max(1.0) * child.greatest.max(1.0);
                    size.values = pairs.min(2.0 * size.greatest + 1.0);
                });
                size
            }
        }
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
                (sides.greatest, sides.greatest, sides)
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
        let greatest = if counted { count.greatest } else { count.greatest * face * explodes.unwrap_or(1.0) };
        let values = (greatest + 1.0).min(if counted { count.greatest + 1.0 } else { count.greatest * faces * 20.0 });
        // The least that any engine needs: to write the values down.
        Size { values, greatest, work: work + count.work + sides.work + times * values }
    }
}
