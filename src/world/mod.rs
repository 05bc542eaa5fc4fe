//! Everything that lasts: people under ids in one [`World`], and the house rules' grip on what happens to them.
//!
//! A [`Character`] is plain data that the rules of the book have checked. A verb (`take_damage`, `award`, `pass`) takes a
//! [`Referee`](crate::rules::core::Referee), so that switches, tables and wrappers of the house act. In a world it works on
//! a [`Draft`], which is taken over when all went well: what fails leaves the world as it was. Changes belong to
//! transactions, which know each record before and after. From that come rollback, odds that harm nobody, undo and redo.
//!
//! ```
//! use grognard::dice::Scripted;
//! use grognard::rules::core::{House, Positive, Referee, Value};
//! use grognard::world::{Character, Record, World};
//!
//! let (house, mut dice) = (House::new(), Scripted::new([]));
//! let mut referee = Referee::new(&mut dice, &house);
//! let sheet: Value = serde_json::from_str(r#"{"name":"Pip","max_hp":6,"classes":[{"class":"thief"}]}"#)?;
//!
//! let mut world = World::new();
//! let pip = world.add(Record::Character(Character::read(&sheet, &mut referee)?))?;
//! let blow = world.begin();
//! world.change(pip, |pip| pip.take_damage(Positive::clamped(9), &mut referee))?;
//! let changes = world.commit(blow);
//! assert_eq!(world.character(pip)?.hp(), -3);
//!
//! world.undo(&changes);
//! assert_eq!(world.character(pip)?.hp(), 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod character;
mod checks;
mod experience;
mod journal;
mod party;
mod records;
mod sheet;
mod training;
mod wounds;

pub use character::{Character, ClassLevel};
pub use checks::{CheckArgs, ReadScrollArgs};
pub use experience::{Award, AwardArgs, ClassAward};
pub use journal::{Entry, Journal, JournalError};
pub use party::{MemberAward, PartyAward, PartyAwardArgs, award};
pub use records::{Change, Draft, Id, Record, Transaction, World, WorldError};
pub use training::{ExamineArgs, ExamineReason, Examined, LevelReason, TrainArgs, Trained};
pub use wounds::{BindArgs, Condition, PassArgs};
