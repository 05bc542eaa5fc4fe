//! Why odds cannot be told.

use crate::dice::DiceError;
use crate::dice::notation::NotationError;

/// Why there are no odds.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OddsError {
    /// The expression cannot be rolled, or some of its rolls would be an error: division by zero, a negative count.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The work would be more than the budget allows.
    #[error("{what} would take about {} steps and the budget is {}; ask for less, allow more, or let it be sampled",
        rounded(*.estimate), rounded(*.budget))]
    TooMuch {
        /// What is too much.
        what: String,
        /// About how many steps it would take.
        estimate: f64,
        /// How many are allowed.
        budget: f64,
    },
    /// Whoever was asked whether to go on said no.
    #[error("the odds were broken off before they were known")]
    Stopped,
    /// A sampled roll failed.
    #[error(transparent)]
    Dice(#[from] DiceError),
}

/// A number of steps as people say it: `1,200`, `3.5 million`, `2e18`.
pub(crate) fn rounded(steps: f64) -> String {
    match steps {
        steps if steps < 10_000.0 => format!("{steps:.0}"),
        steps if steps < 1e6 => format!("{:.0} thousand", steps / 1e3),
        steps if steps < 1e9 => format!("{:.1} million", steps / 1e6),
        steps if steps < 1e12 => format!("{:.1} billion", steps / 1e9),
        steps => format!("{steps:.0e}"),
    }
}
