//! Distributions: values with their probabilities.

use std::collections::BTreeMap;

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::budget::Meter;
use super::error::OddsError;
use super::polynomial::Polynomial;
use super::weight::Weight;
use crate::dice::notation::tree::Comparator;

/// Values, each with its probability, in ascending order.
///
/// Weights over one total, so that nothing is rounded: `P(value) = weight / total`. Weights may come to less than the
/// total; what is missing is the [`remainder`](Self::remainder), the probability of outcomes that were cut off (an
/// explosion has no end). Probabilities are then exact for the values listed; statistics are over those values.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution<T, W = UBig> {
    entries: Vec<(T, W)>,
    total: W,
    /// Where some was cut off and all of it is known to lie above this value: up to it the weights are exact.
    sure_to: Option<T>,
}

/// How the values of two independent distributions compare; three shares that come to 1 when nothing was cut off.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison<S> {
    /// The first is less.
    pub less: S,
    /// Both are equal.
    pub equal: S,
    /// The first is greater.
    pub greater: S,
}

impl<T, W: Weight> Distribution<T, W> {
    /// One value, for certain.
    #[must_use]
    pub fn constant(value: T) -> Self {
        Distribution { entries: vec![(value, W::one())], total: W::one(), sure_to: None }
    }

    /// From entries in ascending order without repeats and without zero weights.
    pub(crate) fn from_sorted(entries: Vec<(T, W)>, total: W) -> Self {
        Distribution { entries, total, sure_to: None }
    }

    /// The same, with the knowledge that all that was cut off lies above a value.
    pub(crate) fn cut_above(self, value: T) -> Self {
        Distribution { sure_to: Some(value), ..self }
    }

    /// The greatest value up to which weights are exact, when something was cut off that is known to lie above it.
    pub(crate) fn sure_to(&self) -> Option<&T> {
        self.sure_to.as_ref()
    }

    /// Each value with its weight, ascending, for keeps.
    pub(crate) fn into_entries(self) -> Vec<(T, W)> {
        self.entries
    }

    /// Each value with its weight, ascending.
    #[must_use]
    pub fn entries(&self) -> &[(T, W)] {
        &self.entries
    }

    /// What the weights are parts of.
    #[must_use]
    pub fn total(&self) -> &W {
        &self.total
    }

    /// How many different values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no value is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The weight of all values listed.
    #[must_use]
    pub fn listed(&self) -> W {
        let mut sum = W::zero();
        for (_, weight) in &self.entries {
            sum.add(weight);
        }
        sum
    }

    /// The probability of what was cut off; 0 for most.
    #[must_use]
    pub fn remainder(&self) -> W::Share {
        self.total.less(&self.listed()).share(&self.total)
    }

    /// Whether nothing was cut off.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.total.less(&self.listed()).is_zero()
    }

    /// Each value with its probability as a float, ascending.
    pub fn floats(&self) -> impl Iterator<Item = (&T, f64)> {
        self.entries.iter().map(|(value, weight)| (value, weight.float(&self.total)))
    }

    /// The probability of the values that a condition holds for.
    pub fn p(&self, holds: impl Fn(&T) -> bool) -> W::Share {
        let mut sum = W::zero();
        for (value, weight) in &self.entries {
            if holds(value) {
                sum.add(weight);
            }
        }
        sum.share(&self.total)
    }

    /// The least value; none when nothing is listed.
    #[must_use]
    pub fn min(&self) -> Option<&T> {
        self.entries.first().map(|(value, _)| value)
    }

    /// The greatest value.
    #[must_use]
    pub fn max(&self) -> Option<&T> {
        self.entries.last().map(|(value, _)| value)
    }

    /// The likeliest values, all of them when several are equally likely.
    #[must_use]
    pub fn mode(&self) -> Vec<&T> {
        let mut best: Option<&W> = None;
        let mut values = Vec::new();
        for (value, weight) in &self.entries {
            if best.is_none_or(|best| weight > best) {
                best = Some(weight);
                values.clear();
            }
            if best.is_some_and(|best| weight == best) {
                values.push(value);
            }
        }
        values
    }

    /// The least value that at least this part (0 to 1) of what is listed does not exceed.
    #[must_use]
    pub fn percentile(&self, part: f64) -> Option<&T> {
        let listed = self.listed();
        let mut sum = W::zero();
        for (value, weight) in &self.entries {
            sum.add(weight);
            // A part such as 0.58 is itself rounded; 1e-15 keeps it from passing by the value it means.
            if sum.float(&listed) + 1e-15 >= part {
                return Some(value);
            }
        }
        self.max()
    }

    /// The least value that at least half of what is listed does not exceed.
    #[must_use]
    pub fn median(&self) -> Option<&T> {
        self.percentile(0.5)
    }

    /// The same weights with other names for the values; `rename` must give different values different names. The
    /// order of the values stays.
    pub fn rename<U>(self, rename: impl FnMut(T) -> U) -> Distribution<U, W> {
        let mut rename = rename;
        let entries = self.entries.into_iter().map(|(value, weight)| (rename(value), weight)).collect();
        Distribution { entries, total: self.total, sure_to: None }
    }
}

impl<T: Ord, W: Weight> Distribution<T, W> {
    /// From values and weights in any order; equal values are put together. `total` may be more than the weights come
    /// to; without one they are the whole.
    pub fn from_weights(weights: impl IntoIterator<Item = (T, W)>, total: Option<W>) -> Self {
        let mut entries: Vec<(T, W)> = weights.into_iter().filter(|(_, weight)| !weight.is_zero()).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut merged: Vec<(T, W)> = Vec::with_capacity(entries.len());
        for (value, weight) in entries {
            match merged.last_mut() {
                Some((last, sum)) if *last == value => sum.add(&weight),
                _ => merged.push((value, weight)),
            }
        }
        let mut made = Distribution { entries: merged, total: W::one(), sure_to: None };
        made.total = total.unwrap_or_else(|| made.listed());
        made
    }

    /// Each of the values equally likely, repeats counted.
    pub fn uniform(values: impl IntoIterator<Item = T>) -> Self {
        Self::from_weights(values.into_iter().map(|value| (value, W::one())), None)
    }

    /// The weight of a value; zero when it is not listed.
    #[must_use]
    pub fn weight(&self, value: &T) -> W {
        match self.entries.binary_search_by(|(listed, _)| listed.cmp(value)) {
            Ok(at) => self.entries[at].1.clone(),
            Err(_) => W::zero(),
        }
    }

    /// The probability of a value.
    #[must_use]
    pub fn probability(&self, value: &T) -> W::Share {
        self.weight(value).share(&self.total)
    }

    /// The probability of this value or less.
    #[must_use]
    pub fn cdf(&self, value: &T) -> W::Share {
        self.p(|listed| listed <= value)
    }

    /// The distribution of a function of the value.
    pub fn map<U: Ord>(&self, function: impl FnMut(&T) -> U) -> Distribution<U, W> {
        let mut function = function;
        let weights = self.entries.iter().map(|(value, weight)| (function(value), weight.clone()));
        Distribution::from_weights(weights, Some(self.total.clone()))
    }

    /// The distribution of a function of two independent values. Walks all pairs.
    pub fn combine<U, V: Ord, E>(
        &self,
        other: &Distribution<U, W>,
        function: impl FnMut(&T, &U) -> Result<V, E>,
    ) -> Result<Distribution<V, W>, E> {
        let mut function = function;
        let mut sums: BTreeMap<V, W> = BTreeMap::new();
        for (a, weight_a) in &self.entries {
            for (b, weight_b) in &other.entries {
                let weight = weight_a.times(weight_b);
                sums.entry(function(a, b)?).or_insert_with(W::zero).add(&weight);
            }
        }
        Ok(Distribution::from_sorted(sums.into_iter().collect(), self.total.times(&other.total)))
    }

    /// One of several distributions, chosen with these weights. The weights may come to less than `total`.
    pub fn mix(parts: &[(W, &Self)], total: &W) -> Self
    where
        T: Clone,
    {
        let totals: Vec<W> = parts.iter().map(|(_, part)| part.total.clone()).collect();
        let (common, factors) = W::common(&totals);
        let mut sums: BTreeMap<&T, W> = BTreeMap::new();
        for ((chance, part), factor) in parts.iter().zip(&factors) {
            let scale = chance.times(factor);
            for (value, weight) in &part.entries {
                sums.entry(value).or_insert_with(W::zero).add(&weight.times(&scale));
            }
        }
        let entries = sums.into_iter().map(|(value, weight)| (value.clone(), weight)).collect();
        let cut = || parts.iter().map(|(_, part)| part).filter(|part| !part.is_whole());
        let sure_to = if cut().all(|part| part.sure_to.is_some()) {
            cut().filter_map(|part| part.sure_to.clone()).min()
        } else {
            None
        };
        Distribution { entries, total: total.times(&common), sure_to }
    }

    /// The values of two independent distributions compared.
    pub fn compare(&self, other: &Self) -> Comparison<W::Share> {
        let [less, equal, greater] = self.compared(other);
        let total = self.total.times(&other.total);
        Comparison { less: less.share(&total), equal: equal.share(&total), greater: greater.share(&total) }
    }

    /// The weights of less, equal and greater.
    fn compared(&self, other: &Self) -> [W; 3] {
        let (mut less, mut equal, mut greater) = (W::zero(), W::zero(), W::zero());
        let whole = other.listed();
        let mut below = W::zero();
        let mut at = 0;
        for (value, weight) in &self.entries {
            while let Some((other_value, other_weight)) = other.entries.get(at) {
                if other_value >= value {
                    break;
                }
                below.add(other_weight);
                at += 1;
            }
            let same = other.entries.get(at).filter(|(other_value, _)| other_value == value);
            let same = same.map_or_else(W::zero, |(_, other_weight)| other_weight.clone());
            greater.add(&weight.times(&below));
            equal.add(&weight.times(&same));
            less.add(&weight.times(&whole.less(&below).less(&same)));
        }
        // What was cut off of one side still compares where it lies above all of the other.
        greater.add(&self.lost_above(other).times(&whole));
        less.add(&other.lost_above(self).times(&self.listed()));
        [less, equal, greater]
    }

    /// The greater of two independent values.
    #[must_use]
    pub fn greater(&self, other: &Self) -> Self
    where
        T: Clone,
    {
        let below = |_: &W, before: &W, _: &W| before.clone();
        self.extreme(other, (W::zero(), W::zero()), below)
    }

    /// The lesser of two independent values.
    #[must_use]
    pub fn lesser(&self, other: &Self) -> Self
    where
        T: Clone,
    {
        let above = |listed: &W, before: &W, own: &W| listed.less(before).less(own);
        self.extreme(other, (self.lost_above(other), other.lost_above(self)), above)
    }

    /// Walks the values of both; a value wins with its own weight against the weight that `beaten` tells of the other
    /// side from what is listed there, what lies before the value and what the value itself weighs. `lost` was cut off
    /// of each side above all values of the other.
    fn extreme(&self, other: &Self, lost: (W, W), beaten: impl Fn(&W, &W, &W) -> W) -> Self
    where
        T: Clone,
    {
        let (mut listed_a, mut listed_b) = (self.listed(), other.listed());
        listed_a.add(&lost.0);
        listed_b.add(&lost.1);
        let (mut before_a, mut before_b) = (W::zero(), W::zero());
        let (mut a, mut b) = (self.entries.iter().peekable(), other.entries.iter().peekable());
        let mut entries = Vec::with_capacity(self.len() + other.len());
        loop {
            let value = match (a.peek(), b.peek()) {
                (Some((left, _)), Some((right, _))) => left.min(right),
                (Some((value, _)), None) | (None, Some((value, _))) => value,
                (None, None) => break,
            };
            let own_a = a.next_if(|(own, _)| own == value).map_or_else(W::zero, |(_, weight)| weight.clone());
            let own_b = b.next_if(|(own, _)| own == value).map_or_else(W::zero, |(_, weight)| weight.clone());
            let mut weight = own_a.times(&beaten(&listed_b, &before_b, &own_b));
            weight.add(&own_b.times(&beaten(&listed_a, &before_a, &own_a)));
            weight.add(&own_a.times(&own_b));
            if !weight.is_zero() {
                entries.push((value.clone(), weight));
            }
            before_a.add(&own_a);
            before_b.add(&own_b);
        }
        let cut = || [self, other].into_iter().filter(|side| !side.is_whole());
        let sure_to = if cut().all(|side| side.sure_to.is_some()) {
            cut().filter_map(|side| side.sure_to.clone()).min()
        } else {
            None
        };
        Distribution { entries, total: self.total.times(&other.total), sure_to }
    }

    /// The weight that was cut off, when all of it lies above every value of another distribution.
    fn lost_above(&self, other: &Self) -> W {
        match (&self.sure_to, other.max()) {
            (Some(sure), Some(most)) if most <= sure => self.total.less(&self.listed()),
            _ => W::zero(),
        }
    }
}

impl<W: Weight> Distribution<i64, W> {
    /// The mean of the values listed; 0 when none is.
    #[must_use]
    pub fn mean(&self) -> W::Share {
        W::mean(self.entries.iter().map(|(value, weight)| (*value, weight)))
    }

    /// The mean square distance from the mean.
    #[must_use]
    pub fn variance(&self) -> W::Share {
        W::variance(self.entries.iter().map(|(value, weight)| (*value, weight)))
    }

    /// The standard deviation.
    #[must_use]
    pub fn sd(&self) -> f64 {
        W::share_float(&self.variance()).max(0.0).sqrt()
    }
}

impl Distribution<i64> {
    /// 1 where a comparison of two independent values holds, else 0.
    #[must_use]
    pub fn holds_between(&self, comparator: Comparator, other: &Self) -> Self {
        let mut sums = [UBig::ZERO, UBig::ZERO];
        for (order, weight) in [-1, 0, 1].into_iter().zip(self.compared(other)) {
            sums[usize::from(comparator.holds(order, 0))] += weight;
        }
        let [no, yes] = sums;
        Distribution::from_weights([(0, no), (1, yes)], Some(&self.total * &other.total))
    }

    /// The probability that a value compares so with a number. Where the tail was cut off, what lies above is what
    /// does not lie below, exactly.
    #[must_use]
    pub fn p_compared(&self, comparator: Comparator, number: i64) -> RBig {
        let listed = self.p(|value| comparator.holds(*value, number));
        let tail_counts = match comparator {
            Comparator::AtLeast => self.sure_to.is_some_and(|sure| number - 1 <= sure),
            Comparator::Greater | Comparator::Different => self.sure_to.is_some_and(|sure| number <= sure),
            _ => false,
        };
        if tail_counts { listed + self.remainder() } else { listed }
    }

    /// The sum of two independent values, or nothing when a sum does not fit 64 bits.
    #[must_use]
    pub fn sum(&self, other: &Self) -> Option<Self> {
        self.sum_within(other, &Meter::unlimited()).ok().flatten()
    }

    /// As [`Distribution::sum`], with its work announced.
    pub(crate) fn sum_within(&self, other: &Self, meter: &Meter) -> Result<Option<Self>, OddsError> {
        let total = || &self.total * &other.total;
        let (Some(a), Some(b)) = (self.entries.first(), other.entries.first()) else {
            return Ok(Some(Distribution::from_sorted(Vec::new(), total())));
        };
        let (Some(c), Some(d)) = (self.entries.last(), other.entries.last()) else { return Ok(None) };
        if a.0.checked_add(b.0).is_none() || c.0.checked_add(d.0).is_none() {
            return Ok(None);
        }
        let what = || format!("the sum of {} values and {}", self.len(), other.len());
        let dense = (i128::from(c.0) - i128::from(a.0)) + (i128::from(d.0) - i128::from(b.0));
        let pairs = self.len() as f64 * other.len() as f64;
        let sum = if let [(shift, weight)] = &self.entries[..] {
            other.shifted(*shift, weight, &self.total)
        } else if let [(shift, weight)] = &other.entries[..] {
            self.shifted(*shift, weight, &other.total)
        } else if dense as f64 <= 2.0 * pairs {
            let (left, right) = (Polynomial::of_entries(&self.entries), Polynomial::of_entries(&other.entries));
            meter.announce(what, left.product_steps(&right))?;
            left.multiply_within(&right, meter)?.into_distribution(total())
        } else {
            meter.announce(what, 4.0 * pairs)?;
            self.combine(other, |a, b| meter.pause().map(|()| a + b))?
        };
        let sure_to = self.sum_sure_to(other);
        Ok(Some(Distribution { sure_to, ..sum }))
    }

    /// Up to where the sum is exact: a value that was cut off comes with the least of the other side.
    fn sum_sure_to(&self, other: &Self) -> Option<i64> {
        let up_to = |cut: &Self, with: &Self| {
            if cut.is_whole() { Some(i64::MAX) } else { cut.sure_to?.checked_add(*with.min()?) }
        };
        let (one, two) = (up_to(self, other)?, up_to(other, self)?);
        Some(one.min(two)).filter(|sure| *sure < i64::MAX)
    }

    fn shifted(&self, shift: i64, weight: &UBig, total: &UBig) -> Self {
        let scale = |own: &UBig| if weight.is_one() { own.clone() } else { own * weight };
        let entries = self.entries.iter().map(|(value, own)| (value + shift, scale(own))).collect();
        Distribution::from_sorted(entries, &self.total * total)
    }
}

impl<T: Clone> Distribution<T> {
    /// The same with floats for weights: a tenth of the size, good to some 15 places.
    #[must_use]
    pub fn to_floats(&self) -> Distribution<T, f64> {
        let entries = self.floats().map(|(value, p)| (value.clone(), p)).collect();
        Distribution { entries, total: 1.0, sure_to: self.sure_to.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(sides: i64) -> Distribution<i64> {
        Distribution::uniform(1..=sides)
    }

    fn fraction(n: i64, d: u64) -> RBig {
        RBig::from_parts(n.into(), d.into())
    }

    #[test]
    fn two_dice_make_seven_likeliest() {
        let sum = die(6).sum(&die(6)).unwrap();
        assert_eq!(sum.mode(), [&7]);
        assert_eq!((sum.min(), sum.max(), sum.median()), (Some(&2), Some(&12), Some(&7)));
        assert_eq!(sum.mean(), RBig::from(7));
        assert_eq!(sum.variance(), fraction(35, 6));
        assert_eq!(sum.cdf(&7), fraction(7, 12));
        assert_eq!(sum.p(|n| *n >= 9), fraction(5, 18));
        assert!(sum.is_whole());
    }

    #[test]
    fn the_better_of_two_dice_is_the_better_of_all_pairs() {
        let (a, b) = (die(6), Distribution::from_weights([(2, 3u8.into()), (9, 1u8.into())], Some(5u8.into())));
        let pairs =
            |pick: fn(i64, i64) -> i64| a.combine(&b, |x, y| Ok::<_, std::convert::Infallible>(pick(*x, *y))).unwrap();
        assert_eq!(a.greater(&b), pairs(i64::max));
        assert_eq!(b.lesser(&a), pairs(i64::min));
    }

    #[test]
    fn percentiles_are_values_that_occur() {
        assert_eq!(die(100).percentile(0.9), Some(&90));
        assert_eq!(die(6).percentile(0.0), Some(&1));
        assert_eq!(die(6).percentile(1.0), Some(&6));
        assert_eq!(die(6).median(), Some(&3));
    }

    #[test]
    fn a_d8_beats_a_d6_more_often_than_not() {
        let against = die(8).compare(&die(6));
        assert_eq!(against.equal, fraction(1, 8));
        assert_eq!(against.greater, fraction(27, 48));
        assert_eq!(against.less, fraction(15, 48));
    }

    #[test]
    fn mixing_keeps_what_each_part_left_out() {
        let half = Distribution::from_weights([(1i64, UBig::ONE)], Some(2u8.into()));
        let mixed = Distribution::mix(&[(UBig::ONE, &half), (UBig::ONE, &die(3))], &2u8.into());
        assert_eq!(mixed.probability(&1), fraction(5, 12));
        assert_eq!(mixed.remainder(), fraction(1, 4));
    }

    #[test]
    fn floats_answer_the_same_questions() {
        let sum = die(6).sum(&die(6)).unwrap();
        let floats = sum.to_floats();
        assert!((floats.mean() - 7.0).abs() < 1e-12);
        assert!((floats.sd() - sum.sd()).abs() < 1e-12);
        assert!((floats.cdf(&7) - 7.0 / 12.0).abs() < 1e-12);
        assert!((floats.compare(&floats).equal - 73.0 / 648.0).abs() < 1e-12);
    }

    #[test]
    fn values_far_apart_are_summed_without_the_gap() {
        let coin = Distribution::uniform([0, 1_000_000_000_000]);
        assert_eq!(coin.sum(&coin).unwrap().len(), 3);
        assert!(Distribution::<i64>::constant(i64::MAX).sum(&die(2)).is_none());
    }
}
