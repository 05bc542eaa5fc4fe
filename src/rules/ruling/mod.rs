//! Rulings on examples that the rulebooks get wrong.
//! Source: first-edition RULING-02 to RULING-18. Those on what a spell-user knows and on the back stab are with their
//! subjects; a staff uses its own adjustment against armor (RULING-12), initiative is by party (RULING-16), and the long
//! combat example is read in its later printing (RULING-19).

mod action;
mod body;
mod load;

pub use action::*;
pub use body::*;
pub use load::*;
