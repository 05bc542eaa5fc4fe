//! Turning the undead: a cleric drives them away, destroys or commands them.
//! Source: combat-details TURN-01 to TURN-08.

mod aftermath;
mod attempt;
mod table;

pub use aftermath::*;
pub use attempt::*;
pub use table::*;
