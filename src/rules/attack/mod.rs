//! Attacks: the bonus of a class and level or of a monster's hit dice, the roll to hit, and what changes it.
//! Source: combat-details ATK-01 to ATK-04, PRF-01, MAN-01 to MAN-09, DIS-01, SUB-01.
//!
//! Every rule that rolls to hit calls [`Roll`] through the referee, so that natural 1 and 20 mean the same everywhere
//! and a house rule on `attack.roll` reaches them all.

mod bonus;
mod hit_dice;
mod modifiers;
mod resolve;
mod roll;
mod table_rolls;

pub use bonus::{Bonus, BonusArgs, BonusOutcome, Class, Column};
pub use hit_dice::HitDice;
pub use modifiers::{CONCEALMENT, Cover, Hand, Modifiers, ModifiersArgs, ModifiersOutcome, SITUATIONS, Situation};
pub use resolve::{CriticalModifiers, Resolve, ResolveArgs, ResolveOptions, ResolveOutcome, Struck};
pub use roll::{Roll, RollArgs, RollOutcome};
pub use table_rolls::TableRolls;
