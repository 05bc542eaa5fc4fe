//! What a magic-user knows: Chance to Know, spell books, learning, research, changes of intelligence.
//! Source: first-edition SPELL-01 to SPELL-22, SCROLL-02, SCROLL-07, RULING-03.

mod book;
mod know;
mod learn;
mod research;
mod starting_book;
mod study;

pub use book::*;
pub use know::*;
pub(in crate::rules) use know::{INTELLIGENCE, chance_to_know};
pub use learn::*;
pub use research::*;
pub use starting_book::*;
pub use study::*;

use super::core::{ErrorKind, RuleError, Whole};

/// The level of a spell: 1 to 9.
pub type SpellLevel = Whole<1, 9>;

/// Refuses a list that names a spell twice.
fn each_once(spells: &[String], field: &str) -> Result<(), RuleError> {
    match spells.iter().enumerate().find(|(at, spell)| spells[..*at].contains(spell)) {
        Some((at, spell)) => {
            let message = format!("names \"{spell}\" a second time; name each spell once");
            Err(RuleError::general(ErrorKind::Invalid, message).within_element(at).within(field))
        }
        None => Ok(()),
    }
}
