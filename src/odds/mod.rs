//! Exact distributions.

mod budget;
mod chain;
mod distribution;
mod error;
mod estimate;
mod expectation;
mod explore;
mod expression;
mod lists;
#[allow(clippy::module_inception)]
mod odds;
pub mod plot;
mod polynomial;
mod pool;
mod report;
mod svg;
mod weight;

pub use budget::{Budget, Sampling};
pub use chain::{ChainError, ChainOdds, chain};
pub use distribution::{Comparison, Distribution};
pub use error::OddsError;
pub use explore::{ExploreError, Explored, explore};
pub use expression::of_expression;
pub use odds::{Interval, Odds, OddsValue};
pub use report::{csv, fraction};
pub use svg::{Series, svg};
pub use weight::Weight;
