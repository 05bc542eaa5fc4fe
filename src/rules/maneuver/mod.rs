//! Combat maneuvers: blows with fist and foot, charges, cover, flanking, set weapons, casting under attack.
//! Source: combat-details MAN-03 to MAN-08.
//!
//! What a maneuver adds to an attack has one owner, `attack.modifiers`; the rules here say whether it may be made.

mod brawl;
mod charge;
mod position;
mod spell;

pub use brawl::*;
pub use charge::*;
pub use position::*;
pub use spell::*;
