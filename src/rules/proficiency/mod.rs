//! Skills on proficiency slots: target numbers, checks, slots and points.
//! Source: first-edition SKILL-01 to SKILL-15.

mod check;
mod slots;
mod target;

pub use check::*;
pub use slots::*;
pub use target::*;
