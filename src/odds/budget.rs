//! How much work odds may take.

use std::cell::Cell;

use super::error::OddsError;
use crate::dice::Seed;

/// What a question about odds may cost. Work is estimated before it is begun.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Steps of exact arithmetic; a step is about one operation on big numbers, some tens of nanoseconds.
    pub work: f64,
    /// The most probability that may be cut off where dice explode without an end.
    pub remainder: f64,
    /// Outcomes that an exploration may visit.
    pub leaves: u64,
    /// Dice that one explored outcome may draw.
    pub draws: u32,
    /// What to do where the exact work would be too much: sample, or (without this) refuse.
    pub sampling: Option<Sampling>,
}

/// How to sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// How many rolls.
    pub trials: u64,
    /// Where the dice start.
    pub seed: Seed,
}

impl Default for Budget {
    /// A second or two of exact work, no sampling.
    fn default() -> Self {
        Budget { work: 3e7, remainder: 1e-12, leaves: 5_000_000, draws: 10_000, sampling: None }
    }
}

/// Counts the work announced so far.
pub(crate) struct Meter {
    budget: f64,
    spent: Cell<f64>,
}

impl Meter {
    pub(crate) fn new(budget: f64) -> Self {
        Meter { budget, spent: Cell::new(0.0) }
    }

    /// Announces work that is about to be done; refuses it when it would pass the budget.
    pub(crate) fn announce(&self, what: impl Fn() -> String, steps: f64) -> Result<(), OddsError> {
        let estimate = self.spent.get() + steps;
        if estimate > self.budget {
            return Err(OddsError::TooMuch { what: what(), estimate, budget: self.budget });
        }
        self.spent.set(estimate);
        Ok(())
    }
}
