//! The integration tests, one program: each file asks the library or the program `grog` as somebody from outside would.
//!
//! Tests that need a process of their own stand beside this folder.

mod coming_from;
mod coverage;
mod floors;
mod golden;
mod notation_fuzz;
mod notation_golden;
mod notation_peers;
mod notation_properties;
mod notation_refusals;
mod odds_golden;
mod odds_independent;
mod reasons;
mod rule_odds_golden;
mod seed_contract;
mod shared_names;

// With the scripting host.
#[cfg(feature = "lua")]
mod analyses;
#[cfg(feature = "lua")]
mod big_pools;
#[cfg(feature = "lua")]
mod lua_host;
#[cfg(feature = "lua")]
mod lua_odds;
#[cfg(feature = "lua")]
mod rulebook;
#[cfg(feature = "lua")]
mod rulings;
#[cfg(feature = "lua")]
mod sandbox;
#[cfg(feature = "lua")]
mod strict_tables;
#[cfg(feature = "lua")]
mod world;
#[cfg(feature = "lua")]
mod wrapped_rules;

// With the program.
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod dialects;
#[cfg(feature = "cli")]
mod duel;
#[cfg(feature = "cli")]
mod heist;
#[cfg(feature = "cli")]
mod prompt;
#[cfg(feature = "cli")]
mod readme;
#[cfg(feature = "cli")]
mod undo;
