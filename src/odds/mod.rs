//! Exact distributions.

mod budget;
mod distribution;
mod error;
mod explore;
mod polynomial;
mod pool;
mod weight;

pub use budget::{Budget, Sampling};
pub use distribution::{Comparison, Distribution};
pub use error::OddsError;
pub use explore::{ExploreError, Explored, explore};
pub use weight::Weight;
