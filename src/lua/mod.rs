//! The scripting host: a sandboxed Luau machine with the table's dice, rules, house rules and voice.
//!
//! ```
//! use grognard::lua::Host;
//!
//! let host = Host::builder().seed("the bridge at dusk").build()?;
//! let value = host.run_text("example", "return rules.check.roll{ score = 19, difficulty = 3 }.success")?;
//! assert_eq!(value, true.into());
//! # Ok::<(), grognard::lua::ScriptError>(())
//! ```

mod budget;
mod character;
mod charging;
mod errors;
mod host;
mod house;
mod lent;
mod limits;
mod machine;
mod odds;
mod pack;
mod party;
mod report;
mod require;
mod roll;
mod rules;
mod sandbox;
mod scan;
mod session;
mod shape;
mod shared;
mod syntax;
mod table_talk;
mod value;
pub mod voice;
mod watchdog;

pub use errors::{Parts, ScriptError, ScriptErrorKind};
pub use host::{Builder, Host, Printed, ScriptFunction, StopHandle};
pub use limits::Limits;
pub use session::{Definition, Named, Returned};
