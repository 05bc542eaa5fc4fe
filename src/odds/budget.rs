//! How much work odds may take.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use super::asks::Laws;
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
    /// Who is asked meanwhile whether to go on; nobody, where nobody can break off.
    pub progress: Option<Progress>,
    /// The odds of expressions that explored code has rolled, known from one outcome to the next.
    pub laws: Laws,
}

/// Asked again and again while odds are worked out, with the steps that are about to be done, whether to go on.
///
/// Within a tenth of a second after it says no the work ends with an error. A host charges its scripts through it, looks
/// at its clock, or lets a person break off.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(u64) -> bool + Send + Sync>);

impl Progress {
    /// Asks this. It is given the steps of work announced since it was last asked, often none, and should be quick.
    pub fn new(goes_on: impl Fn(u64) -> bool + Send + Sync + 'static) -> Self {
        Progress(Arc::new(goes_on))
    }

    pub(crate) fn goes_on(&self, steps: u64) -> bool {
        (self.0)(steps)
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
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
        Budget {
            work: WORK,
            remainder: 1e-12,
            leaves: LEAVES,
            draws: 10_000,
            sampling: None,
            progress: None,
            laws: Laws::default(),
        }
    }
}

/// Steps of exact work, unless more are allowed.
const WORK: f64 = 3e7;

/// Outcomes visited, unless more are allowed.
const LEAVES: u64 = 5_000_000;

impl Budget {
    /// The same with so many steps of work, and outcomes in proportion.
    #[must_use]
    pub fn allowing(self, work: f64) -> Self {
        let leaves = (work / WORK * LEAVES as f64).max(1.0) as u64;
        Budget { work, leaves, ..self }
    }
}

/// Counts the work announced so far.
pub(crate) struct Meter {
    budget: f64,
    spent: Cell<f64>,
    progress: Option<Progress>,
}

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Self {
        Meter { budget: budget.work, spent: Cell::new(0.0), progress: budget.progress.clone() }
    }

    /// A meter that allows everything.
    pub(crate) fn unlimited() -> Self {
        Meter { budget: f64::INFINITY, spent: Cell::new(0.0), progress: None }
    }

    /// Announces work that is about to be done; refuses it when it would pass the budget.
    pub(crate) fn announce(&self, what: impl Fn() -> String, steps: f64) -> Result<(), OddsError> {
        let estimate = self.spent.get() + steps;
        if estimate > self.budget {
            return Err(OddsError::TooMuch { what: what(), estimate, budget: self.budget });
        }
        self.spent.set(estimate);
        self.goes_on(steps as u64)
    }

    /// Asks, in the middle of work that was announced, whether to go on.
    #[inline]
    pub(crate) fn pause(&self) -> Result<(), OddsError> {
        if self.progress.is_none() { Ok(()) } else { self.goes_on(0) }
    }

    /// Asks whether to go on for so many steps more, which count against no estimate.
    pub(crate) fn goes_on(&self, steps: u64) -> Result<(), OddsError> {
        match &self.progress {
            Some(progress) if !progress.goes_on(steps) => Err(OddsError::Stopped),
            _ => Ok(()),
        }
    }
}
