//! Weights of outcomes: exact whole numbers over a common total, or floats beside them.

use std::cmp::Ordering;

use dashu_int::ops::{BitTest, Gcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// What an outcome weighs. The probability of an outcome is its weight over the distribution's total.
///
/// [`UBig`] is the exact path; [`f64`] the quick one, for the same questions asked many times.
pub trait Weight: Clone + PartialOrd {
    /// A share of the whole: exact rational, or float.
    type Share: Clone + PartialOrd;
    /// Nothing.
    fn zero() -> Self;
    /// One.
    fn one() -> Self;
    /// Whether it is nothing.
    fn is_zero(&self) -> bool;
    /// Adds another.
    fn add(&mut self, other: &Self);
    /// What is left after taking another away; nothing when that is more.
    #[must_use]
    fn less(&self, other: &Self) -> Self;
    /// The product.
    #[must_use]
    fn times(&self, other: &Self) -> Self;
    /// The share that this weight is of a total that is not zero.
    fn share(&self, total: &Self) -> Self::Share;
    /// The share as a float.
    fn float(&self, total: &Self) -> f64;
    /// A total that all these totals can be scaled to, and the factor for each.
    fn common(totals: &[Self]) -> (Self, Vec<Self>);
    /// The mean of values with these weights, over the weight they have together. Nothing has the mean 0.
    fn mean<'a>(entries: impl Iterator<Item = (i64, &'a Self)>) -> Self::Share
    where
        Self: 'a;
    /// The mean square distance from the mean, over the same.
    fn variance<'a>(entries: impl Iterator<Item = (i64, &'a Self)>) -> Self::Share
    where
        Self: 'a;
    /// A share as a float.
    fn share_float(share: &Self::Share) -> f64;
}

/// Weight, weighted sum and weighted sum of squares.
fn moments<'a>(entries: impl Iterator<Item = (i64, &'a UBig)>) -> (UBig, IBig, IBig) {
    let (mut weight, mut first, mut second) = (UBig::ZERO, IBig::ZERO, IBig::ZERO);
    for (value, share) in entries {
        weight += share;
        let term = IBig::from(value) * share;
        second += IBig::from(value) * &term;
        first += term;
    }
    (weight, first, second)
}

/// A whole number as a float times a power of two, good to a float's last places.
fn leading(number: &UBig) -> (f64, i64) {
    let shift = number.bit_len().saturating_sub(64);
    let top = u64::try_from(number >> shift).unwrap_or(u64::MAX);
    (top as f64, shift as i64)
}

/// `numerator / denominator` as a float, also where neither fits one.
pub(crate) fn ratio(numerator: &UBig, denominator: &UBig) -> f64 {
    if numerator.is_zero() || denominator.is_zero() {
        return 0.0;
    }
    if numerator == denominator {
        return 1.0;
    }
    let ((top, up), (bottom, down)) = (leading(numerator), leading(denominator));
    top / bottom * 2f64.powi((up - down).clamp(-2_000, 2_000) as i32)
}

impl Weight for UBig {
    type Share = RBig;

    fn zero() -> Self {
        UBig::ZERO
    }
    fn one() -> Self {
        UBig::ONE
    }
    fn is_zero(&self) -> bool {
        UBig::is_zero(self)
    }
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn less(&self, other: &Self) -> Self {
        if self.cmp(other) == Ordering::Greater { self - other } else { UBig::ZERO }
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn share(&self, total: &Self) -> RBig {
        RBig::from_parts(self.clone().into(), total.clone())
    }
    fn float(&self, total: &Self) -> f64 {
        ratio(self, total)
    }
    fn common(totals: &[Self]) -> (Self, Vec<Self>) {
        let common = totals.iter().fold(UBig::ONE, |common, total| {
            if common == *total || total.is_zero() { common } else { total / (&common).gcd(total) * common }
        });
        let factors = totals.iter().map(|total| if total.is_zero() { UBig::ZERO } else { &common / total }).collect();
        (common, factors)
    }
    fn mean<'a>(entries: impl Iterator<Item = (i64, &'a Self)>) -> RBig {
        let (weight, first, _) = moments(entries);
        if weight.is_zero() { RBig::ZERO } else { RBig::from_parts(first, weight) }
    }
    fn variance<'a>(entries: impl Iterator<Item = (i64, &'a Self)>) -> RBig {
        let (weight, first, second) = moments(entries);
        if weight.is_zero() {
            return RBig::ZERO;
        }
        // E[x²] - E[x]² over one denominator, so that only one fraction is reduced.
        RBig::from_parts(second * &weight - &first * &first, &weight * &weight)
    }
    fn share_float(share: &RBig) -> f64 {
        share.to_f64().value()
    }
}

impl Weight for f64 {
    type Share = f64;

    fn zero() -> Self {
        0.0
    }
    fn one() -> Self {
        1.0
    }
    fn is_zero(&self) -> bool {
        *self == 0.0
    }
    fn add(&mut self, other: &Self) {
        *self += other;
    }
    fn less(&self, other: &Self) -> Self {
        (self - other).max(0.0)
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn share(&self, total: &Self) -> f64 {
        self / total
    }
    fn float(&self, total: &Self) -> f64 {
        self / total
    }
    fn common(totals: &[Self]) -> (Self, Vec<Self>) {
        (1.0, totals.iter().map(|total| if *total == 0.0 { 0.0 } else { 1.0 / total }).collect())
    }
    fn mean<'a>(entries: impl Iterator<Item = (i64, &'a Self)>) -> f64 {
        let (weight, first) = entries.fold((0.0, 0.0), |(w, f), (value, share)| (w + share, f + value as f64 * share));
        if weight == 0.0 { 0.0 } else { first / weight }
    }
    fn variance<'a>(entries: impl Iterator<Item = (i64, &'a Self)>) -> f64 {
        let entries: Vec<(i64, &f64)> = entries.collect();
        let mean = Self::mean(entries.iter().copied());
        let (weight, square) = entries.iter().fold((0.0, 0.0), |(w, s), (value, share)| {
            let off = *value as f64 - mean;
            (w + *share, s + off * off * *share)
        });
        if weight == 0.0 { 0.0 } else { square / weight }
    }
    fn share_float(share: &f64) -> f64 {
        *share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_of_numbers_beyond_floats_is_a_float() {
        let sixth = ratio(&UBig::from(6u8).pow(999), &UBig::from(6u8).pow(1000));
        assert!((sixth - 1.0 / 6.0).abs() < 1e-15);
        assert!((ratio(&UBig::from(3u8), &UBig::from(6u8)) - 0.5).abs() < 1e-300);
    }

    #[test]
    fn a_common_total_holds_each() {
        let (common, factors) = UBig::common(&[4u8.into(), 6u8.into()]);
        assert_eq!((common, factors), (UBig::from(12u8), vec![UBig::from(3u8), UBig::from(2u8)]));
    }
}
