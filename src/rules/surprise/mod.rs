//! Surprise, as each of the books has it.

mod combat_chapter;

pub use combat_chapter::*;
