//! The ground floor: sources of dice, seeds, and dice notation.
//!
//! Everything that falls in this crate falls from a [`Source`]. What asks for dice cannot tell whether they are
//! random, scripted, typed by a person, replayed from a journal or explored for exact odds.

mod binomial;
mod cache;
mod expression;
pub mod notation;
pub mod record;
pub mod render;
pub mod roll;
pub mod seed;
pub mod source;
mod tray;

pub use cache::ExpressionCache;
pub use expression::Expression;
pub use notation::{Dialect, Limits, NotationError, NotationErrorKind};
pub use record::{Draw, Recorder, Replay};
pub use roll::{Bounds, Params, Roll, RollValue};
pub use seed::{Random, Seed};
pub use source::{DiceError, Die, Physical, Scripted, Source};
pub use tray::Tray;
