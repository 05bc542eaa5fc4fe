//! Grognard: a referee's engine for old-school tabletop play.
//!
//! The house has floors, and each imports only the floors below it:
//!
//! | floor | what is there |
//! |---|---|
//! | [`dice`] | sources of dice, seeds, dice notation |
//! | [`odds`] | exact distributions |
//! | [`rules`] | the rulebook: every resolver, the referee, house rules |
//! | [`world`] | everything that lasts: people who carry the rules, and what happened to them |
//! | `lua` | the scripting host: sandbox and bindings (feature `lua`) |
//! | `cli` | the commands of `grog` (feature `cli`) |

#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod dice;
#[cfg(feature = "lua")]
pub mod lua;
pub mod nearest;
pub mod odds;
pub mod printable;
pub mod rules;
pub mod world;
