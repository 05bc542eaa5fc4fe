//! House rules: switches, table patches, wrappers and new rules, each remembered with who made it.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::error::{ErrorKind, RuleError};
use super::reader::unknown_name;
use super::referee::Referee;
use super::rule::{Rule, RuleEntry};
use super::table::AnyTable;
use super::value::{Fields, Value};
use crate::nearest::nearest;
use crate::rules::Book;

/// Stands before, after or instead of a rule.
pub trait Wrapper {
    /// Is given the rule's arguments, the rule itself as `next`, and the referee who resolves it, and returns the
    /// outcome. All dice come from that referee.
    fn wrap(&self, args: Value, next: Next<'_>, referee: &mut Referee<'_>) -> Result<Value, RuleError>;
}

/// The inner rule that a wrapper may call: never, once or several times.
#[derive(Clone, Copy)]
pub struct Next<'n> {
    layers: &'n [Layer],
    target: &'n Target,
}

impl Next<'_> {
    /// Resolves the rule through the wrappers that stand further inside.
    pub fn resolve(self, args: Value, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
        let Some((outermost, layers)) = self.layers.split_last() else {
            return match self.target {
                Target::Book(entry) => referee.resolve_entry(entry, args),
                Target::Added(name, rule) => {
                    let house = referee.house();
                    let by = house.added.get(name).map(|added| added.by.as_str()).unwrap_or_default();
                    referee.note_house(|| format!("rule {name}"), by);
                    referee.deeper(name, &["a house rule"], |referee| rule.resolve(args, referee))
                }
            };
        };
        referee.note_house(|| "wrapper".to_owned(), &outermost.by);
        outermost.wrapper.wrap(args, Next { layers, target: self.target }, referee)
    }
}

/// A rule that a house adds to the book.
pub trait HouseRule {
    /// Resolves it on plain data.
    fn resolve(&self, args: Value, referee: &mut Referee<'_>) -> Result<Value, RuleError>;
    /// What it does, for help.
    fn summary(&self) -> String;
    /// The names of its arguments, when they are declared.
    fn argument_names(&self) -> Vec<String>;
}

/// One change to the rules, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What was changed: `switch opposed.contest.ties`, `table critical_hit`, `wrapper critical.hit`, `rule x.y`.
    pub subject: String,
    /// The change in words: `ties = defender`.
    pub what: String,
    /// Who made it: a mod, a script line, a prompt line.
    pub by: String,
}

struct Set {
    value: Value,
    by: String,
}

struct Switches {
    set: BTreeMap<String, Set>,
    typed: Rc<dyn Any>,
}

struct Layer {
    wrapper: Rc<dyn Wrapper>,
    by: String,
}

struct Patch {
    rows: Rc<dyn Any>,
    plain: Value,
    by: String,
}

struct Added {
    rule: Rc<dyn HouseRule>,
    by: String,
}

/// What a name stands for: a rule of the book or one the house added.
#[derive(Clone)]
pub enum Target {
    /// A rule of the book.
    Book(&'static RuleEntry),
    /// A rule that the house added, with its name.
    Added(String, Rc<dyn HouseRule>),
}

impl Target {
    fn name(&self) -> &str {
        match self {
            Target::Book(entry) => entry.name,
            Target::Added(name, _) => name,
        }
    }
}

/// A mark for each of a few names, so that most other names are told apart without looking them up: with one wrapper in
/// force, every call of every other rule asks.
#[derive(Clone, Copy, Default)]
struct NameMarks(u64);

impl NameMarks {
    /// The name's mark; a constant where the name is one.
    #[inline]
    fn mark(name: &str) -> u64 {
        let bytes = name.as_bytes();
        let byte = |at: usize| u64::from(bytes.get(at).copied().unwrap_or_default());
        let (length, last) = (bytes.len(), byte(bytes.len().wrapping_sub(1)));
        1 << ((length as u64 + 7 * last + 3 * byte(length / 2)) % 64)
    }

    fn add(&mut self, name: &str) {
        self.0 |= Self::mark(name);
    }

    #[inline]
    fn may_have(self, name: &str) -> bool {
        self.0 & Self::mark(name) != 0
    }
}

/// The house rules of a campaign.
#[derive(Default)]
pub struct House {
    switches: HashMap<&'static str, Switches>,
    wrappers: HashMap<String, Vec<Layer>>,
    wrapped: NameMarks,
    tables: HashMap<&'static str, Patch>,
    added: BTreeMap<String, Added>,
    changes: Vec<Change>,
}

impl House {
    /// No house rules: the book as it ships.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing differs from the book.
    #[must_use]
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.changes.is_empty()
    }

    /// Every change, oldest first.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Things that two different authors changed, with the changes in order. Wrappers chain and are no conflict.
    #[must_use]
    pub fn conflicts(&self) -> Vec<(String, Vec<Change>)> {
        let mut by_subject: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
        for change in self.changes.iter().filter(|change| !change.subject.starts_with("wrapper ")) {
            by_subject.entry(&change.subject).or_default().push(change.clone());
        }
        by_subject
            .into_iter()
            .filter(|(_, changes)| changes.iter().any(|change| change.by != changes[0].by))
            .map(|(subject, changes)| (subject.to_owned(), changes))
            .collect()
    }

    fn remember(&mut self, subject: String, what: String, by: &str) {
        self.changes.push(Change { subject, what, by: by.to_owned() });
    }

    // ---- names ----

    /// What a rule's name stands for, or an error that names the nearest.
    pub fn find(&self, name: &str) -> Result<Target, RuleError> {
        if let Some(entry) = Book::shared().entry(name) {
            return Ok(Target::Book(entry));
        }
        if let Some(added) = self.added.get(name) {
            return Ok(Target::Added(name.to_owned(), Rc::clone(&added.rule)));
        }
        let message = match nearest(name, self.names()) {
            Some(near) => format!("there is no rule \"{name}\"; the nearest is {near}"),
            None => format!("there is no rule \"{name}\"; `grog rules` and `:help rules` list them"),
        };
        Err(RuleError::unknown(name, message))
    }

    /// The names of all rules: the book's, then the added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        Book::shared().entries().iter().map(|entry| entry.name).chain(self.added.keys().map(String::as_str))
    }

    /// The rules that the house added: name, rule, who.
    pub fn added(&self) -> impl Iterator<Item = (&str, &Rc<dyn HouseRule>, &str)> {
        self.added.iter().map(|(name, added)| (name.as_str(), &added.rule, added.by.as_str()))
    }

    // ---- switches ----

    /// Sets a switch: `opposed.contest.ties` to `defender`. Returns who had set it before, when somebody had.
    pub fn set(&mut self, path: &str, value: Value, by: &str) -> Result<Option<String>, RuleError> {
        let (entry, switch) = find_switch(path)?;
        let mut values = self.switch_values(entry.name);
        values.set(switch, value.clone());
        let typed = (entry.read_options)(&Value::Map(values)).map_err(|error| error.in_rule(entry.name))?;
        let switches = self
            .switches
            .entry(entry.name)
            .or_insert_with(|| Switches { set: BTreeMap::new(), typed: Rc::clone(&typed) });
        switches.typed = typed;
        let what = format!("{switch} = {}", shown_plainly(&value));
        let before = switches.set.insert(switch.to_owned(), Set { value, by: by.to_owned() });
        self.remember(format!("switch {path}"), what, by);
        Ok(before.map(|set| set.by))
    }

    /// The value a switch has now: set by the house, or the book's default.
    pub fn switch(&self, path: &str) -> Result<Value, RuleError> {
        let (entry, switch) = find_switch(path)?;
        if let Some(value) = self.switch_values(entry.name).get(switch) {
            return Ok(value.clone());
        }
        Ok((entry.default_options)()?.get(switch).cloned().unwrap_or_default())
    }

    /// The switches of a rule that the house has set.
    pub(super) fn switch_values(&self, rule: &str) -> Fields {
        let mut fields = Fields::default();
        if let Some(switches) = self.switches.get(rule) {
            for (name, set) in &switches.set {
                fields.set(name, set.value.clone());
            }
        }
        fields
    }

    /// The switches of a rule that the house has set, in words, with who set them.
    pub(super) fn switches_set(&self, rule: &str) -> Vec<(String, String)> {
        let Some(switches) = self.switches.get(rule) else { return Vec::new() };
        let shown =
            |(name, set): (&String, &Set)| (format!("switch {name} = {}", shown_plainly(&set.value)), set.by.clone());
        switches.set.iter().map(shown).collect()
    }

    /// The switches of a rule, as the house has set them over the book's defaults.
    pub(super) fn options<R: Rule>(&self) -> R::Options {
        let typed = self.switches.get(R::NAME).and_then(|switches| switches.typed.downcast_ref::<R::Options>());
        typed.cloned().unwrap_or_default()
    }

    // ---- tables ----

    /// Replaces the rows of a table, once they have passed the table's own check. Returns who had changed it before.
    pub fn patch(&mut self, name: &str, rows: Value, by: &str) -> Result<Option<String>, RuleError> {
        let table = find_table(name)?;
        let typed = table.read_rows(&rows).map_err(|error| error.within(&format!("table {name}: rows")))?;
        let patch = Patch { rows: typed, plain: rows, by: by.to_owned() };
        let before = self.tables.insert(table.name(), patch);
        self.remember(format!("table {name}"), "rows replaced".into(), by);
        Ok(before.map(|patch| patch.by))
    }

    /// The rows of a table as they are now, as plain data.
    pub fn table_rows(&self, name: &str) -> Result<Value, RuleError> {
        let table = find_table(name)?;
        self.tables.get(name).map_or_else(|| table.rows(), |patch| Ok(patch.plain.clone()))
    }

    #[inline]
    pub(super) fn patched(&self, name: &str) -> Option<(Rc<dyn Any>, &str)> {
        self.tables.get(name).map(|patch| (Rc::clone(&patch.rows), patch.by.as_str()))
    }

    // ---- wrappers ----

    /// Puts a wrapper around a rule, outside those that are there. Returns the chain, inside first:
    /// `["native", "mods/splinter", "prompt line 3"]`.
    pub fn wrap(&mut self, name: &str, wrapper: Rc<dyn Wrapper>, by: &str) -> Result<Vec<String>, RuleError> {
        let target = self.find(name)?;
        self.wrappers.entry(name.to_owned()).or_default().push(Layer { wrapper, by: by.to_owned() });
        self.wrapped.add(name);
        self.remember(format!("wrapper {name}"), "wrapped".into(), by);
        let inside = match &target {
            Target::Book(_) => "native".to_owned(),
            Target::Added(name, _) => self.added.get(name).map(|added| added.by.clone()).unwrap_or_default(),
        };
        let layers = self.wrappers.get(name).map(Vec::as_slice).unwrap_or_default();
        Ok(std::iter::once(inside).chain(layers.iter().map(|layer| layer.by.clone())).collect())
    }

    #[inline]
    pub(super) fn is_wrapped(&self, name: &str) -> bool {
        self.wrapped.may_have(name) && self.wrappers.contains_key(name)
    }

    /// Runs a rule through its wrappers, the last one set outermost. What wrappers returned is still unread.
    pub(super) fn run(&self, target: &Target, args: Value, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
        let layers = self.wrappers.get(target.name()).map(Vec::as_slice).unwrap_or_default();
        Next { layers, target }.resolve(args, referee)
    }

    // ---- new rules ----

    /// Adds a rule under a name of the form `module.rule` that no rule has yet.
    pub fn add(&mut self, name: &str, rule: Rc<dyn HouseRule>, by: &str) -> Result<(), RuleError> {
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        if !name.split_once('.').is_some_and(|(module, rule)| is_word(module) && is_word(rule)) {
            let message = format!("a rule is named like \"module.rule\" in lower case, not \"{name}\"");
            return Err(RuleError::general(ErrorKind::Invalid, message));
        }
        if let Some(other) = self.added.get(name) {
            let message = format!("there is a rule \"{name}\" already, by {}; wrap it to change it", other.by);
            return Err(RuleError::general(ErrorKind::Invalid, message));
        }
        if Book::shared().entry(name).is_some() {
            let message = format!("the book has a rule \"{name}\" already; wrap it to change it");
            return Err(RuleError::general(ErrorKind::Invalid, message));
        }
        self.added.insert(name.to_owned(), Added { rule, by: by.to_owned() });
        self.remember(format!("rule {name}"), "added".into(), by);
        Ok(())
    }
}

/// Splits `opposed.contest.ties` into the rule's entry and the switch's name.
fn find_switch(path: &str) -> Result<(&'static RuleEntry, &str), RuleError> {
    let book = Book::shared();
    if let Some((rule, switch)) = path.rsplit_once('.')
        && let Some(entry) = book.entry(rule)
    {
        let names = entry.switch_names();
        if names.iter().any(|name| name == switch) {
            return Ok((entry, switch));
        }
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        return Err(RuleError::unknown(path, unknown_name(&format!("switch of {rule}"), switch, &known)));
    }
    let all: Vec<String> = book.switch_paths();
    let message = match nearest(path, all.iter().map(String::as_str)) {
        Some(near) => format!("there is no switch \"{path}\"; the nearest is {near}"),
        None => format!("there is no switch \"{path}\"; a switch is named like opposed.contest.ties"),
    };
    Err(RuleError::unknown(path, message))
}

fn find_table(name: &str) -> Result<&'static dyn AnyTable, RuleError> {
    let tables = Book::shared().tables();
    if let Some(&table) = tables.iter().find(|table| table.name() == name) {
        return Ok(table);
    }
    let names: Vec<&str> = tables.iter().map(|table| table.name()).collect();
    Err(RuleError::unknown(name, unknown_name("table", name, &names)))
}

/// A switch's value as people write it: text without quotes.
fn shown_plainly(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}
