//! The back stab: what it needs, what it does, and how much it is worth.
//! Source: first-edition STAB-01 to STAB-14, RULING-01. The comparisons with a fighter (STAB-09, STAB-10) are no rules.

mod approach;
mod blow;
mod worth;

pub use approach::*;
pub use blow::*;
pub use worth::*;
