//! Dice notation: what was written, checked and ready to be rolled.

pub(crate) mod arithmetic;
pub(crate) mod check;
mod error;
mod lexer;
mod limits;
mod operands;
mod operators;
pub(crate) mod parser;
mod print;
mod reading;
mod refusals;
pub mod tree;

pub use error::{NotationError, NotationErrorKind, Suggestion};
pub use limits::Limits;
pub use reading::{Reading, reads_as};
