//! The common shapes, ready to be rolled without walking the tree.

use super::evaluate::{Rolled, no_die};
use super::units;
use crate::dice::notation::tree::{Amount, Arithmetic, End, Node, NodeKind, OperatorKind, Pool, Span, Tree};
use crate::dice::{Die, Source};

/// The most dice that a selection holds beside it.
const FEW: usize = 16;
/// Constants up to this size cannot overflow with what so many dice add up to.
const SMALL: i64 = 1 << 40;

/// What is left of a tree that has one of the common shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quick {
    /// Any other shape.
    No,
    /// `NdS` and a constant.
    Sum { count: u32, sides: u32, plus: i64, span: Span },
    /// `NdS` of which some are dropped from each end, and a constant.
    Select { count: u8, sides: u32, low: u8, high: u8, plus: i64, span: Span },
}

impl Quick {
    /// Recognizes the shape of a tree.
    pub(crate) fn of(tree: &Tree) -> Quick {
        if !tree.bindings.is_empty() {
            return Quick::No;
        }
        match &tree.root.kind {
            NodeKind::Pool(pool) => Quick::of_pool(pool, tree.root.span, 0),
            NodeKind::Chain(chain) => match (&chain.first, chain.rest.as_slice()) {
                (Node { kind: NodeKind::Pool(pool), span }, [(sign, Node { kind: NodeKind::Number(plus), .. })]) => {
                    match sign {
                        Arithmetic::Add => Quick::of_pool(pool, *span, *plus),
                        Arithmetic::Subtract => Quick::of_pool(pool, *span, -plus),
                        _ => Quick::No,
                    }
                }
                _ => Quick::No,
            },
            _ => Quick::No,
        }
    }

    /// Recognizes the shape of a pool and a constant added to it.
    pub(super) fn of_pool(pool: &Pool, span: Span, plus: i64) -> Quick {
        let (Some(Die::Numbered(sides)), Some(count)) = (pool.sides.die(), pool.count.written()) else {
            return Quick::No;
        };
        let Ok(count) = u32::try_from(count) else { return Quick::No };
        if plus.abs() > SMALL {
            return Quick::No;
        }
        let few = count as usize <= FEW;
        match pool.operators.as_slice() {
            [] => Quick::Sum { count, sides, plus, span },
            [operator] if few => match &operator.kind {
                OperatorKind::Keep(end, amount) => Quick::select(count, sides, plus, span, *end, amount, true),
                OperatorKind::Drop(end, amount) => Quick::select(count, sides, plus, span, *end, amount, false),
                _ => Quick::No,
            },
            _ => Quick::No,
        }
    }

    fn select(count: u32, sides: u32, plus: i64, span: Span, end: End, amount: &Amount, keep: bool) -> Quick {
        let Some(number) = amount.written() else { return Quick::No };
        let number = number.min(i64::from(count)) as usize;
        let (low, high) = match (keep, end) {
            (true, end) => units::ends_to_drop(end, number, count as usize),
            (false, End::Lowest) => (number, 0),
            (false, _) => (0, number),
        };
        Quick::Select { count: count as u8, sides, low: low as u8, high: high as u8, plus, span }
    }

    /// How many dice the shape draws; `None` for other shapes.
    pub(crate) fn draws(&self) -> Option<u64> {
        match *self {
            Quick::No => None,
            Quick::Sum { count, .. } => Some(u64::from(count)),
            Quick::Select { count, .. } => Some(u64::from(count)),
        }
    }

    /// Rolls the shape, or `None` when it is another. The dice are those of the tree walked without a
    /// trace, in its order.
    #[inline]
    pub(crate) fn total<S: Source + ?Sized>(&self, text: &str, source: &mut S) -> Option<Rolled<i64>> {
        match *self {
            Quick::No => None,
            Quick::Sum { count, sides, plus, span } => {
                let die = Die::Numbered(sides);
                let purpose = span.of(text);
                let sum = if count == 1 { source.draw(die, purpose) } else { source.sum(die, count, purpose) };
                let sum = sum.and_then(|sum| die.checked_sum(sum, count, purpose));
                Some(sum.map(|sum| sum + plus).map_err(|error| no_die(&error, span)))
            }
            Quick::Select { count, sides, low, high, plus, span } => {
                let mut buffer = [0; FEW];
                let faces = &mut buffer[..count as usize];
                let (die, purpose) = (Die::Numbered(sides), span.of(text));
                let filled = source.fill(die, purpose, faces);
                let checked =
                    filled.and_then(|()| faces.iter().try_for_each(|&face| die.checked(face, purpose).map(drop)));
                if let Err(error) = checked {
                    return Some(Err(no_die(&error, span)));
                }
                Some(Ok(sum_between(faces, low as usize, high as usize) + plus))
            }
        }
    }
}

/// The sum of the faces without so many of the least and of the greatest.
#[inline]
fn sum_between(faces: &mut [i64], low: usize, high: usize) -> i64 {
    let sum: i64 = faces.iter().sum();
    match (low, high) {
        (0, 0) => sum,
        (1, 0) => sum - faces.iter().copied().min().unwrap_or(0),
        (0, 1) => sum - faces.iter().copied().max().unwrap_or(0),
        (low, high) if low + high + 1 == faces.len() && low == 0 => faces.iter().copied().min().unwrap_or(0),
        (low, high) if low + high + 1 == faces.len() && high == 0 => faces.iter().copied().max().unwrap_or(0),
        (low, high) => {
            faces.sort_unstable();
            faces[low..faces.len() - high].iter().sum()
        }
    }
}
