//! Turning the undead: a cleric drives them away, destroys or commands them.
//! Source: combat-details TURN-01 to TURN-08.

mod aftermath;
mod attempt;
mod round;
mod table;

pub use aftermath::*;
pub use attempt::*;
pub use round::*;
pub use table::*;
