//! What a question about odds is answered with.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::distribution::Distribution;
use super::weight::Weight;
use crate::dice::notation::tree::Comparator;

/// What there are odds of.
#[derive(Clone, Debug)]
pub enum OddsValue {
    /// A number.
    Number(Distribution<i64>),
    /// A list. Its members are alike and independent, so the order they fall in says nothing: they stand ascending.
    List(Distribution<Vec<i64>>),
}

/// The odds of an expression.
#[derive(Clone, Debug)]
pub struct Odds {
    /// The distribution.
    pub value: OddsValue,
    pub(super) mean: Option<RBig>,
    pub(super) sampled: Option<u64>,
}

/// A sampled number with the range that holds the true one 19 times out of 20.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The sampled number.
    pub middle: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Standard deviations on each side of the mean that hold 19 of 20 values of a normal distribution.
const NINETEEN_OF_TWENTY: f64 = 1.959_963_984_540_054;

impl Interval {
    /// The range of a true probability of which so many trials showed this share (Wilson's).
    #[must_use]
    pub fn of_share(share: f64, trials: u64) -> Self {
        let trials = trials as f64;
        let z2 = NINETEEN_OF_TWENTY * NINETEEN_OF_TWENTY;
        let center = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
        let spread = share * (1.0 - share) / trials + z2 / (4.0 * trials * trials);
        let half = NINETEEN_OF_TWENTY / (1.0 + z2 / trials) * spread.sqrt();
        Interval { middle: share, low: (center - half).max(0.0), high: (center + half).min(1.0) }
    }
}

impl Odds {
    /// The odds of numbers that are known otherwise than from an expression; sampled ones say from how many rolls.
    #[must_use]
    pub fn of_numbers(distribution: Distribution<i64>, sampled: Option<u64>) -> Self {
        Odds { value: OddsValue::Number(distribution), mean: None, sampled }
    }

    /// The distribution of a number; none for a list.
    #[must_use]
    pub fn number(&self) -> Option<&Distribution<i64>> {
        match &self.value {
            OddsValue::Number(distribution) => Some(distribution),
            OddsValue::List(_) => None,
        }
    }

    /// The distribution of a list, members ascending; none for a number.
    #[must_use]
    pub fn list(&self) -> Option<&Distribution<Vec<i64>>> {
        match &self.value {
            OddsValue::List(distribution) => Some(distribution),
            OddsValue::Number(_) => None,
        }
    }

    /// The mean; none for a list. Where outcomes were cut off it is still exact if [`Odds::mean_is_exact`] says so;
    /// else it is the mean of what is listed.
    #[must_use]
    pub fn mean(&self) -> Option<RBig> {
        self.mean.clone().or_else(|| self.number().map(Distribution::mean))
    }

    /// Whether the mean is exact: nothing was cut off or sampled, or it has a closed form.
    #[must_use]
    pub fn mean_is_exact(&self) -> bool {
        self.sampled.is_none() && (self.mean.is_some() || self.number().is_some_and(Distribution::is_whole))
    }

    /// The probability that a number, or at least one member of a list, meets a condition.
    pub fn p(&self, holds: impl Fn(i64) -> bool) -> RBig {
        match &self.value {
            OddsValue::Number(distribution) => distribution.p(|value| holds(*value)),
            OddsValue::List(distribution) => distribution.p(|list| list.iter().any(|member| holds(*member))),
        }
    }

    /// As [`Odds::p`] of a comparison. Where a tail was cut off, what lies above a number is exactly what does not lie
    /// below it.
    #[must_use]
    pub fn p_compared(&self, comparator: Comparator, number: i64) -> RBig {
        match &self.value {
            OddsValue::Number(distribution) => distribution.p_compared(comparator, number),
            OddsValue::List(_) => self.p(|value| comparator.holds(value, number)),
        }
    }

    /// The probability of what was cut off; 0 when the odds are whole.
    #[must_use]
    pub fn remainder(&self) -> RBig {
        match &self.value {
            OddsValue::Number(distribution) => distribution.remainder(),
            OddsValue::List(distribution) => distribution.remainder(),
        }
    }

    /// How many rolls these odds were sampled from; none when they are exact.
    #[must_use]
    pub fn sampled(&self) -> Option<u64> {
        self.sampled
    }

    /// The range of the true mean of sampled odds; none for exact ones and for lists.
    #[must_use]
    pub fn mean_interval(&self) -> Option<Interval> {
        let (trials, distribution) = (self.sampled?, self.number()?);
        let middle = UBig::share_float(&distribution.mean());
        let half = NINETEEN_OF_TWENTY * distribution.sd() / (trials as f64).sqrt();
        Some(Interval { middle, low: middle - half, high: middle + half })
    }

    /// The range of a true probability that was sampled (Wilson's); none for exact odds.
    #[must_use]
    pub fn p_interval(&self, holds: impl Fn(i64) -> bool) -> Option<Interval> {
        let trials = self.sampled?;
        Some(Interval::of_share(UBig::share_float(&self.p(holds)), trials))
    }
}
