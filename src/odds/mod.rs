//! Exact odds: of an expression, of any code that draws dice, of repeated play.
//!
//! | question | asked with |
//! |---|---|
//! | what can `4d6kh3` come to, and how often? | [`of_expression`] |
//! | what can this code come to, over all its dice? | [`explore()`] |
//! | how does repeated play end, and after how many rounds? | [`chain()`] |
//! | means, percentiles, comparisons, mixtures | [`Distribution`] |
//! | pictures and data for others | [`plot`], [`svg()`], [`csv()`], and serde for JSON |
//!
//! Probabilities are whole numbers over one total, never rounded. Where dice explode without an end the answer is cut
//! off at a stated [`remainder`](Odds::remainder); where the work would be more than the [`Budget`] allows it is refused
//! beforehand, or sampled when the budget says so.
//!
//! ```
//! use grognard::dice::{Expression, Params};
//! use grognard::odds::{Budget, fraction, of_expression};
//!
//! let ability = Expression::parse("4d6kh3")?;
//! let odds = of_expression(&ability, &Params::new(), &Budget::default())?;
//! assert_eq!(odds.mean().map(|mean| fraction(&mean)).as_deref(), Some("15869/1296"));
//! assert_eq!(fraction(&odds.p(|total| total == 18)), "7/432");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asks;
mod budget;
mod chain;
mod chain_visit;
mod distribution;
mod error;
mod estimate;
mod expectation;
mod explore;
mod explorer;
mod expression;
mod gather;
mod lists;
mod numbers;
#[allow(clippy::module_inception)]
mod odds;
pub mod plot;
#[cfg(feature = "png")]
mod png;
mod polynomial;
mod pool;
mod report;
mod sampling;
mod svg;
mod weight;

pub use asks::Laws;
pub use budget::{Budget, Progress, Sampling};
pub use chain::{ChainError, ChainOdds, chain, chain_of};
pub use distribution::{Comparison, Distribution};
pub use error::OddsError;
pub use explore::{Exploration, ExploreError, Explored, explore};
pub use expression::of_expression;
pub use odds::{Interval, Odds, OddsValue};
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use report::{csv, fraction};
pub use svg::{Series, svg};
pub use weight::Weight;
