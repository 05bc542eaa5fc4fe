//! Dice notation: what was written, checked and ready to be rolled.

pub(crate) mod arithmetic;
pub(crate) mod check;
mod dialect;
mod error;
mod lexer;
mod limits;
mod operands;
mod operators;
pub(crate) mod parser;
mod peers;
mod pools;
mod print;
mod quotients;
mod reading;
mod refusals;
pub mod tree;
mod unmet;
mod words;

pub use dialect::{Dialect, UnknownDialect};
pub use error::{NotationError, NotationErrorKind, Suggestion};
pub use limits::Limits;
pub use reading::{Reading, reads_as, reads_in};
