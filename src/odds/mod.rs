//! Exact distributions.

mod distribution;
mod polynomial;
mod weight;

pub use distribution::{Comparison, Distribution};
pub use weight::Weight;
