//! Dice notation: what was written, checked and ready to be rolled.

pub mod tree;
