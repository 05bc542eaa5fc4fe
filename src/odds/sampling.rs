//! Odds by rolling often, where exact ones would be too much work.

use std::collections::HashMap;

use dashu_int::UBig;

use super::budget::Sampling;
use super::distribution::Distribution;
use super::error::OddsError;
use super::odds::{Odds, OddsValue};
use crate::dice::{Expression, Params, Random, RollValue};

/// Rolls often and counts.
pub(super) fn rolled(expression: &Expression, params: &Params, sampling: Sampling) -> Result<Odds, OddsError> {
    let mut dice = Random::new(sampling.seed);
    let mut numbers: HashMap<i64, u64> = HashMap::new();
    let mut lists: HashMap<Vec<i64>, u64> = HashMap::new();
    let trials = sampling.trials.max(1);
    for _ in 0..trials {
        match expression.total(&mut dice, params)? {
            RollValue::Number(number) => *numbers.entry(number).or_default() += 1,
            RollValue::List(mut list) => {
                list.sort_unstable();
                *lists.entry(list).or_default() += 1;
            }
        }
    }
    let total = || Some(UBig::from(trials));
    let value = if expression.is_list() {
        OddsValue::List(Distribution::from_weights(lists.into_iter().map(|(v, w)| (v, w.into())), total()))
    } else {
        OddsValue::Number(Distribution::from_weights(numbers.into_iter().map(|(v, w)| (v, w.into())), total()))
    };
    Ok(Odds { value, mean: None, sampled: Some(trials) })
}
