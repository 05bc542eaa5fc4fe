//! The scripting host: a sandboxed Luau machine with the table's dice, rules, house rules and voice.

mod errors;
mod host;
mod limits;
mod scan;
mod voice;

pub use errors::{Parts, ScriptError, ScriptErrorKind};
pub use host::{Builder, Host, Native, Printed, ScriptFunction, StopHandle};
pub use limits::Limits;
pub use voice::{Answers, Transcript, Voice, VoiceError, choice_meant, yes_or_no};
