//! Exact means where the distribution itself has no end: `3d6!` has infinitely many values and the mean 63/5.
//!
//! Means add up whatever hangs on whatever, so a sum, a multiple or a repeat of things with closed means has one.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::weight::Weight;
use crate::dice::notation::tree::{
    Amount, Arithmetic, Cap, Comparison, Explosion, Function, Node, NodeKind, Operator, OperatorKind, Pool, Sign, Style,
};
use crate::dice::{Die, Params};

/// The mean of a node, when it has a closed form that is known here.
pub(super) fn of(node: &Node, params: &Params) -> Option<RBig> {
    match &node.kind {
        NodeKind::Number(number) => Some(RBig::from(*number)),
        NodeKind::Parameter(name) => params.get(name).map(RBig::from),
        NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Sign(Sign::Plus, inner) => of(inner, params),
        NodeKind::Sign(Sign::Minus, inner) => of(inner, params).map(|mean| -mean),
        NodeKind::Chain(chain) => chain.rest.iter().try_fold(of(&chain.first, params)?, |mean, (operator, operand)| {
            let other = of(operand, params)?;
            match operator {
                Arithmetic::Add => Some(mean + other),
                Arithmetic::Subtract => Some(mean - other),
                Arithmetic::Multiply
                    if fixed(operand, params) || chain.rest.len() == 1 && fixed(&chain.first, params) =>
                {
                    Some(mean * other)
                }
                _ => None,
            }
        }),
        NodeKind::Call(Function::Sum, arguments) => list(arguments.first()?, params),
        NodeKind::Group(group) if group.operators.iter().all(is_shown_only) => {
            group.members.iter().try_fold(RBig::ZERO, |sum, member| Some(sum + of(member, params)?))
        }
        NodeKind::Pool(pool) => of_pool(pool),
        _ => None,
    }
}

/// Whether a node is a number without dice.
fn fixed(node: &Node, params: &Params) -> bool {
    match &node.kind {
        NodeKind::Number(_) => true,
        NodeKind::Parameter(name) => params.get(name).is_some(),
        NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Sign(_, inner) => fixed(inner, params),
        _ => false,
    }
}

/// The mean sum of a list of which all is kept.
fn list(node: &Node, params: &Params) -> Option<RBig> {
    match &node.kind {
        NodeKind::Repeat(times, body) => Some(of(times, params)? * of(body, params)?),
        NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) => list(inner, params),
        NodeKind::Call(Function::Sort, arguments) => list(arguments.first()?, params),
        _ => None,
    }
}

fn is_shown_only(operator: &Operator) -> bool {
    operator.kind.is_shown_only()
}

/// `n` dice with one explosion without an end and nothing else, but for a count behind `!c`.
fn of_pool(pool: &Pool) -> Option<RBig> {
    let count = match pool.count {
        Amount::Implied => 1,
        Amount::Number(count) => count,
        Amount::Computed(_) => return None,
    };
    let die = pool.sides.die()?;
    let mut operators = pool.operators.iter().filter(|operator| !is_shown_only(operator));
    let Some(OperatorKind::Explode(explosion)) = operators.next().map(|operator| &operator.kind) else { return None };
    let explodes = explodes_on(explosion, die)?;
    let counts: Vec<&OperatorKind> = operators.map(|operator| &operator.kind).collect();
    if counts.is_empty() {
        let less = i64::from(explosion.style == Style::Penetrate);
        return Some(RBig::from(count) * chain_mean(die, &explodes, |face| face, less)?);
    }
    if explosion.style != Style::Alone {
        return None;
    }
    let scores = scores(&counts)?;
    Some(RBig::from(count) * chain_mean(die, &explodes, scores, 0)?)
}

/// The faces that explode, when the explosion has no end and its number is written.
fn explodes_on(explosion: &Explosion, die: Die<'_>) -> Option<impl Fn(i64) -> bool + use<>> {
    if !matches!(explosion.cap, Cap::Unlimited) {
        return None;
    }
    let (comparator, number) = match &explosion.when {
        None => (crate::dice::notation::tree::Comparator::Equal, die.greatest()),
        Some(Comparison { comparator, number: Amount::Number(number) }) => (*comparator, *number),
        Some(_) => return None,
    };
    Some(move |face| comparator.holds(face, number))
}

/// The mean of a die and all it adds: each die that falls adds its mean score, one that explodes another die that
/// counts `less` less. With q the chance to explode, m + q·(m - less + q·(…)) = (m - q·less) / (1 - q).
fn chain_mean(die: Die<'_>, explodes: &impl Fn(i64) -> bool, score: impl Fn(i64) -> i64, less: i64) -> Option<RBig> {
    let fresh = super::pool::Fresh::of(die);
    let share = |holds: &dyn Fn(i64) -> bool| fresh.weight(holds).share(&fresh.total);
    let again = share(&|face| explodes(face));
    let ends = RBig::ONE - &again;
    let mean = UBig::mean(fresh.faces.iter().map(|(face, weight)| (score(*face), weight)));
    (!ends.is_zero()).then(|| (mean - again * RBig::from(less)) / ends)
}

/// What one die scores under a count with failures and doubles, when all numbers are written.
fn scores(counts: &[&OperatorKind]) -> Option<impl Fn(i64) -> i64 + use<>> {
    let mut tests = Vec::with_capacity(counts.len());
    for kind in counts {
        let (times, Comparison { comparator, number: Amount::Number(number) }) = (match kind {
            OperatorKind::Count(when) => (0, when),
            OperatorKind::Failures(when) => (-1, when),
            OperatorKind::Doubles(when) => (1, when),
            _ => return None,
        }) else {
            return None;
        };
        tests.push((times, *comparator, *number));
    }
    let (first, rest) = tests.split_first().map(|(first, rest)| (*first, rest.to_vec()))?;
    (first.0 == 0).then_some(move |face| {
        let success = first.1.holds(face, first.2);
        let more = rest
            .iter()
            .filter(|(times, comparator, number)| (*times < 0 || success) && comparator.holds(face, *number));
        i64::from(success) + more.map(|(times, ..)| times).sum::<i64>()
    })
}
