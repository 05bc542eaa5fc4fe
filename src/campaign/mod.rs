//! Characters and parties: people who carry the rules with them, and the house rules in force.
//!
//! A [`Character`] is plain data that the rules of the book have checked; what happens to it goes through a
//! [`Referee`](crate::rules::core::Referee), so that switches, tables and wrappers of the house act. What fails leaves
//! a character as it was.

mod character;
mod checks;
mod experience;
mod party;
mod sheet;
mod training;
mod wounds;

pub use character::{Character, ClassLevel};
pub use checks::{CheckArgs, ReadScrollArgs};
pub use experience::{Award, AwardArgs, ClassAward};
pub use party::{MemberAward, PartyAward, PartyAwardArgs, award};
pub use training::{ExamineArgs, ExamineReason, Examined, LevelReason, TrainArgs, Trained};
pub use wounds::{BindArgs, Condition, PassArgs};
