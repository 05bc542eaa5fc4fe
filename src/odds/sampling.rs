//! Odds by rolling often, where exact ones would be too much work.

use std::collections::HashMap;

use dashu_int::UBig;

use super::budget::{Meter, Sampling};
use super::distribution::Distribution;
use super::error::OddsError;
use super::odds::{Odds, OddsValue};
use crate::dice::{DiceError, Die, Expression, Params, Random, RollValue, Source};

/// Random dice that are counted, since they have to be paid for.
struct Counted {
    dice: Random,
    fallen: u64,
}

impl Source for Counted {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.fallen += 1;
        self.dice.draw(die, purpose)
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.fallen += faces.len() as u64;
        self.dice.fill(die, purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        self.fallen += if die.is_big_pool(count) { 1 } else { u64::from(count) };
        self.dice.sum(die, count, purpose)
    }
}

/// Rolls often and counts. Before each roll it asks whether to go on, for a step and the dice of the roll before.
pub(super) fn rolled(
    expression: &Expression,
    params: &Params,
    sampling: Sampling,
    meter: &Meter,
) -> Result<Odds, OddsError> {
    let mut dice = Counted { dice: Random::new(sampling.seed), fallen: 0 };
    let mut numbers: HashMap<i64, u64> = HashMap::new();
    let mut lists: HashMap<Vec<i64>, u64> = HashMap::new();
    let trials = sampling.trials.max(1);
    for _ in 0..trials {
        meter.goes_on(1 + std::mem::take(&mut dice.fallen))?;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::dice::Seed;
    use crate::odds::{Budget, Progress};

    #[test]
    fn sampling_pays_for_its_dice_and_can_be_broken_off() {
        let paid = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&paid);
        let progress = Progress::new(move |steps| counter.fetch_add(steps, Ordering::Relaxed) < 10_000);
        let budget = Budget { progress: Some(progress), ..Budget::default() };
        let sampling = Sampling { trials: u64::MAX, seed: Seed::from(1) };
        let expression = Expression::parse("200d6kh3").unwrap();
        let broken_off = rolled(&expression, &Params::new(), sampling, &Meter::new(&budget));
        assert!(matches!(broken_off, Err(OddsError::Stopped)));
        let paid = paid.load(Ordering::Relaxed);
        assert!((10_000..10_500).contains(&paid), "{paid}");
    }
}
