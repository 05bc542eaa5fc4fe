//! The rulebook: one file a subsystem of the rules, on the foundations in [`core`].
//!
//! To add a rule, write it in its file and add one line to the list below; Lua, the command line, help, completion,
//! stubs, the reference, golden tests and odds follow from that.

pub mod check;
pub mod core;
pub mod odds;

use std::collections::HashMap;
use std::sync::OnceLock;

use self::core::{AnyTable, RuleEntry};

/// Every rule of the book, in the order that lists show them.
static RULES: &[RuleEntry] = &[
    // check
    RuleEntry::of::<check::Roll>(),
    RuleEntry::of::<check::Dice>(),
    RuleEntry::of::<check::Combine>(),
];

/// The list of rules, with an index by name.
pub struct Book {
    by_name: HashMap<&'static str, &'static RuleEntry>,
}

impl Book {
    /// The one book.
    #[must_use]
    pub fn shared() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Book { by_name: RULES.iter().map(|entry| (entry.name, entry)).collect() })
    }

    /// Every rule, in order.
    #[must_use]
    pub fn entries(&self) -> &'static [RuleEntry] {
        RULES
    }

    /// The rule of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&'static RuleEntry> {
        self.by_name.get(name).copied()
    }

    /// The modules, each once, in order.
    #[must_use]
    pub fn modules(&self) -> Vec<&'static str> {
        let mut modules: Vec<&'static str> = Vec::new();
        for entry in RULES {
            if !modules.contains(&entry.module()) {
                modules.push(entry.module());
            }
        }
        modules
    }

    /// Every table that a rule reads, each once.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static dyn AnyTable> {
        let mut tables: Vec<&'static dyn AnyTable> = Vec::new();
        for table in RULES.iter().flat_map(|entry| entry.tables) {
            if tables.iter().all(|known| known.name() != table.name()) {
                tables.push(*table);
            }
        }
        tables
    }

    /// The full names of all switches: `opposed.contest.ties`.
    #[must_use]
    pub fn switch_paths(&self) -> Vec<String> {
        RULES
            .iter()
            .flat_map(|entry| entry.switch_names().into_iter().map(move |switch| format!("{}.{switch}", entry.name)))
            .collect()
    }
}
