//! Surprise, as each of the books has it.

mod article;
mod combat_chapter;

pub use article::*;
pub use combat_chapter::*;
