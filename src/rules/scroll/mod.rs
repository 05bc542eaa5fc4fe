//! Scrolls: who may read and cast from them, and what goes wrong.

pub mod over_level;
mod reader;
mod thief;

pub use reader::*;
pub use thief::*;
