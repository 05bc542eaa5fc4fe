//! What every rule is built on: the trait, the referee, house rules, tables, plain data and errors.

#[macro_use]
mod about;
#[macro_use]
mod records;
mod answer;
mod damage_dice;
mod describe;
mod error;
mod house;
pub mod names;
mod noted_dice;
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

pub use about::{About, about};
pub use answer::{Answer, Refusal, Request, SeedText};
pub use damage_dice::DamageDice;
#[cfg(feature = "lua")]
pub(crate) use describe::described;
pub use describe::{FieldDescription, Holds};
pub use error::{ErrorKind, RuleError};
pub use house::{Change, House, HouseRule, Next, Target, Wrapper};
pub use number::{Any, List, Modifier, Natural, Positive, UNBOUNDED, Whole};
pub use reader::{read, read_known};
pub use referee::{Referee, Rolls, TableRows, Total};
pub(crate) use rule::field_names;
pub use rule::{NoOptions, Rule, RuleEntry};
pub use table::{
    AnyTable, Band, Keyed, Named, Table, any_rows, band_of, band_row, distinct_names, one_row, one_row_each, only_row,
    row_meant, row_named, row_of, unbroken_bands,
};
pub use trace::{Step, Trace};
pub use value::{Fields, Value};
pub use writer::write;

/// The default of a yes-or-no argument that is yes unless somebody says otherwise.
pub(crate) fn yes() -> bool {
    true
}
