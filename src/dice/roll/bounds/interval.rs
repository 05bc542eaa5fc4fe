//! Intervals of whole numbers and arithmetic on them.

use super::Rolled;
use crate::dice::notation::tree::{Arithmetic, Comparator, Span};
use crate::dice::notation::{NotationError, NotationErrorKind, arithmetic};

/// Farther than any number of 64 bits: no end on this side.
pub(super) const END: i128 = 1 << 70;

/// All whole numbers from `low` to `high`; either may be [`END`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    pub(super) const NONE: Interval = Interval { low: 0, high: 0 };
    pub(super) const YES_OR_NO: Interval = Interval { low: 0, high: 1 };

    pub(super) fn one(number: i64) -> Self {
        Interval { low: i128::from(number), high: i128::from(number) }
    }

    pub(super) fn new(low: i128, high: i128) -> Self {
        Interval { low, high }
    }

    /// The least interval that holds all these.
    pub(super) fn around(values: impl IntoIterator<Item = i128>) -> Option<Self> {
        values.into_iter().fold(None, |found: Option<Interval>, value| {
            let found = found.unwrap_or(Interval::new(value, value));
            Some(Interval::new(found.low.min(value), found.high.max(value)))
        })
    }

    pub(super) fn with(self, other: Interval) -> Self {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub(super) fn and(self, other: Interval) -> Option<Self> {
        let both = Interval::new(self.low.max(other.low), self.high.min(other.high));
        (both.low <= both.high).then_some(both)
    }

    pub(super) fn holds(self, number: i128) -> bool {
        self.low <= number && number <= self.high
    }

    /// Without what does not fit 64 bits; an error when nothing is left.
    pub(super) fn fit(self, span: Span) -> Rolled<Self> {
        let least = i128::from(i64::MIN);
        let greatest = i128::from(i64::MAX);
        if (self.low > greatest && self.low < END) || (self.high < least && self.high > -END) {
            return Err(arithmetic::overflow(span));
        }
        let low = if self.low <= -END { -END } else { self.low.clamp(least, greatest) };
        let high = if self.high >= END { END } else { self.high.clamp(least, greatest) };
        Ok(Interval::new(low, high))
    }

    pub(super) fn plus(self, other: Interval) -> Self {
        Interval::new(self.low + other.low, self.high + other.high)
    }

    pub(super) fn negated(self) -> Self {
        Interval::new(-self.high, -self.low)
    }

    pub(super) fn times(self, other: Interval) -> Self {
        let product = |a: i128, b: i128| a.saturating_mul(b).clamp(-END, END);
        let all = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        Interval::around(all).unwrap_or(self)
    }

    pub(super) fn at_least(self, bound: Interval) -> Self {
        Interval::new(self.low.max(bound.low), self.high.max(bound.high))
    }

    pub(super) fn at_most(self, bound: Interval) -> Self {
        Interval::new(self.low.min(bound.low), self.high.min(bound.high))
    }

    /// Whether a comparison of two values always holds, never does, or may.
    pub(super) fn compare(self, comparator: Comparator, other: Interval) -> Interval {
        let (always, never) = match comparator {
            Comparator::Less => (self.high < other.low, self.low >= other.high),
            Comparator::AtMost => (self.high <= other.low, self.low > other.high),
            Comparator::Greater => (self.low > other.high, self.high <= other.low),
            Comparator::AtLeast => (self.low >= other.high, self.high < other.low),
            Comparator::Equal => (self.low == self.high && self == other, self.and(other).is_none()),
            Comparator::Different => (self.and(other).is_none(), self.low == self.high && self == other),
        };
        match (always, never) {
            (true, _) => Interval::new(1, 1),
            (_, true) => Interval::NONE,
            _ => Interval::YES_OR_NO,
        }
    }

    /// The part for which the comparison with some number of `other` can hold.
    pub(super) fn where_holds(self, comparator: Comparator, other: Interval) -> Option<Interval> {
        let open = Interval::new(-END, END);
        let part = match comparator {
            Comparator::Less => Interval { high: other.high - 1, ..open },
            Comparator::AtMost => Interval { high: other.high, ..open },
            Comparator::Greater => Interval { low: other.low + 1, ..open },
            Comparator::AtLeast => Interval { low: other.low, ..open },
            Comparator::Equal => other,
            Comparator::Different => {
                let single = other.low == other.high;
                let low = self.low + i128::from(single && self.low == other.low);
                let high = self.high - i128::from(single && self.high == other.high);
                return (low <= high).then_some(Interval::new(low, high));
            }
        };
        self.and(part)
    }
}

pub(super) fn apply(operator: Arithmetic, left: Interval, right: Interval, span: Span) -> Rolled<Interval> {
    Ok(match operator {
        Arithmetic::Add => left.plus(right),
        Arithmetic::Subtract => left.plus(right.negated()),
        Arithmetic::Multiply => left.times(right),
        Arithmetic::Divide => divide(left, right, span, i128::div_euclid_floor)?,
        Arithmetic::DivideUp => divide(left, right, span, i128::div_euclid_ceil)?,
        Arithmetic::DivideNearest => divide(left, right, span, i128::div_nearest)?,
        Arithmetic::Modulo => modulo(left, right, span)?,
    })
}

/// Division of wide numbers, rounded as the notation does.
trait Divide {
    fn div_euclid_floor(self, by: Self) -> Self;
    fn div_euclid_ceil(self, by: Self) -> Self;
    fn div_nearest(self, by: Self) -> Self;
}

impl Divide for i128 {
    fn div_euclid_floor(self, by: i128) -> i128 {
        if self.abs() >= END {
            return if (self < 0) == (by < 0) { END } else { -END };
        }
        let quotient = self / by;
        quotient - i128::from(self % by != 0 && (self < 0) != (by < 0))
    }

    fn div_euclid_ceil(self, by: i128) -> i128 {
        -(-self).div_euclid_floor(by)
    }

    fn div_nearest(self, by: i128) -> i128 {
        if self.abs() >= END { self.div_euclid_floor(by) } else { (2 * self + by).div_euclid_floor(2 * by) }
    }
}

fn divide(left: Interval, right: Interval, span: Span, round: fn(i128, i128) -> i128) -> Rolled<Interval> {
    let divisors = [right.low, right.high, -1, 1].into_iter().filter(|by| *by != 0 && right.holds(*by));
    let quotients = divisors.flat_map(|by| [round(left.low, by), round(left.high, by)]);
    Interval::around(quotients).ok_or_else(|| by_zero(span))
}

fn by_zero(span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::DivisionByZero, span, "division by zero")
}

fn modulo(left: Interval, right: Interval, span: Span) -> Rolled<Interval> {
    if right == Interval::NONE {
        return Err(by_zero(span));
    }
    if right.low == right.high && left.low.div_euclid_floor(right.low) == left.high.div_euclid_floor(right.low) {
        let by = right.low;
        let rest = |number: i128| number - number.div_euclid_floor(by) * by;
        if left.low > -END && left.high < END {
            return Ok(Interval::new(rest(left.low), rest(left.high)));
        }
    }
    if left.low >= 0 && left.high < right.low {
        return Ok(left);
    }
    let high = (right.high - 1).max(0);
    let low = (right.low + 1).min(0);
    Ok(Interval::new(low, if left.low >= 0 && right.low >= 0 { high.min(left.high) } else { high }))
}

pub(super) fn power(base: Interval, exponent: Interval, exponent_span: Span, span: Span) -> Rolled<Interval> {
    if exponent.high < 0 {
        arithmetic::power(1, i64::try_from(exponent.high).unwrap_or(i64::MIN), exponent_span, span)?;
    }
    let exponent = Interval::new(exponent.low.max(0), exponent.high);
    let raise = |base: i128, exponent: i128| match u32::try_from(exponent) {
        _ if exponent == 0 || base == 1 => 1,
        _ if base == 0 => 0,
        _ if base == -1 => 1 - 2 * (exponent % 2),
        Ok(exponent) if exponent < 128 => base.saturating_pow(exponent).clamp(-END, END),
        _ if base > 0 || exponent % 2 == 0 => END,
        _ => -END,
    };
    let bases = [base.low, base.high, -1, 0, 1].into_iter().filter(|number| base.holds(*number));
    let exponents = [exponent.low, exponent.low + 1, exponent.high - 1, exponent.high];
    let raised = bases.flat_map(|base| {
        exponents.into_iter().filter(|number| exponent.holds(*number)).map(move |number| raise(base, number))
    });
    let all = Interval::around(raised).unwrap_or(Interval::NONE);
    // A power beyond 64 bits is an error, not a value without end.
    let least = if base.low > -END { i128::from(i64::MIN) } else { -END };
    let greatest = if base.high < END && base.low > -END { i128::from(i64::MAX) } else { END };
    if all.low > greatest || all.high < least {
        return Err(arithmetic::overflow(span));
    }
    Ok(Interval::new(all.low.max(least), all.high.min(greatest)))
}
