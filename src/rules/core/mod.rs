//! What every rule is built on: the trait, the referee, house rules, tables, plain data and errors.

mod answer;
mod damage_dice;
mod error;
mod house;
mod number;
mod reader;
mod referee;
mod rule;
mod table;
#[cfg(test)]
pub(crate) mod testing;
mod trace;
mod value;
mod writer;

pub use answer::{Answer, Refusal, Request, SeedText};
pub use damage_dice::DamageDice;
pub use error::{ErrorKind, RuleError};
pub use house::{Change, House, HouseRule, Next, Target, Wrapper};
pub use number::{Any, List, Modifier, Natural, Positive, UNBOUNDED, Whole};
pub use reader::{read, read_known};
pub use referee::{Referee, Rolls, TableRows, Total};
pub(crate) use rule::field_names;
pub use rule::{NoOptions, Rule, RuleEntry};
pub use table::{AnyTable, Band, Table, any_rows, band_of, unbroken_bands};
pub use trace::{Step, Trace};
pub use value::{Fields, Value};
pub use writer::write;
