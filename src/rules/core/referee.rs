//! The only thing a rule sees: dice, switches, tables, other rules, and the trace it keeps.

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::error::{ErrorKind, RuleError};
use super::house::{House, Target};
use super::rule::{Rule, RuleEntry, read_outcome, written_args};
use super::table::Table;
use super::trace::{Step, Trace};
use super::value::{Fields, Value};
use crate::dice::{Die, Source};

/// The faces of a few dice, in the order drawn.
pub type Rolls = SmallVec<[i64; 4]>;

/// How deep rules may call each other; only a wrapper that calls its own rule gets here.
const DEEPEST: u32 = 64;

/// Equal dice and their sum. `rolls` is empty where nobody looks at the single dice (see [`Referee::total`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The faces in the order drawn.
    pub rolls: Rolls,
    /// Their sum.
    pub sum: i64,
}

/// Hands out dice, switches, tables and other rules, and keeps the trace.
pub struct Referee<'a> {
    source: &'a mut dyn Source,
    house: &'a House,
    trace: Option<&'a RefCell<Trace>>,
    faces_matter: bool,
    depth: u32,
}

impl<'a> Referee<'a> {
    /// A referee with dice from `source` and the house rules of `house`, who keeps no trace.
    pub fn new(source: &'a mut dyn Source, house: &'a House) -> Self {
        Referee { source, house, trace: None, faces_matter: true, depth: 0 }
    }

    /// The same, writing down how each result comes about.
    #[must_use]
    pub fn tracing(mut self, trace: &'a RefCell<Trace>) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Says that nobody will look at the single dice of a sum, so that a source may draw the sum in one step. Exact
    /// odds ask for this; the lists of rolls in outcomes are then empty.
    #[must_use]
    pub fn only_totals(mut self) -> Self {
        self.faces_matter = false;
        self
    }

    /// The house rules in force.
    #[must_use]
    pub fn house(&self) -> &'a House {
        self.house
    }

    // ---- dice ----

    /// Draws one die with faces 1 to `sides`.
    #[inline]
    pub fn d(&mut self, sides: u32, purpose: &str) -> Result<i64, RuleError> {
        self.draw(Die::Numbered(sides), purpose)
    }

    /// Draws one die of any kind.
    pub fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, RuleError> {
        let face = die.checked(self.source.draw(die, purpose)?, purpose)?;
        self.note_step(|| Step::Draw { sides: die.sides(), face, purpose: purpose.to_owned() });
        Ok(face)
    }

    /// Draws `count` dice with faces 1 to `sides`, in order, for a rule that looks at each.
    pub fn pool(&mut self, count: u32, sides: u32, purpose: &str) -> Result<Rolls, RuleError> {
        let mut rolls = SmallVec::from_elem(0, count as usize);
        let die = Die::Numbered(sides);
        self.source.fill(die, purpose, &mut rolls)?;
        for &face in &rolls {
            die.checked(face, purpose)?;
        }
        self.note_draws(rolls.iter().map(|&face| (sides, face)), purpose);
        Ok(rolls)
    }

    /// Draws `count` dice with faces 1 to `sides` for a rule to which their order does not matter: they stand ascending.
    /// Exact odds then visit sets of dice, 1,287 of eight d6 instead of 1.7 million rows.
    pub fn sorted(&mut self, count: u32, sides: u32, purpose: &str) -> Result<Rolls, RuleError> {
        let mut rolls = SmallVec::from_elem(0, count as usize);
        let die = Die::Numbered(sides);
        self.source.sorted(die, purpose, &mut rolls)?;
        for &face in &rolls {
            die.checked(face, purpose)?;
        }
        self.note_draws(rolls.iter().map(|&face| (sides, face)), purpose);
        Ok(rolls)
    }

    /// Draws `count` dice with faces 1 to `sides` for their sum. The single faces come along for the outcome, except
    /// where exact odds have said that nobody looks at them.
    pub fn total(&mut self, count: u32, sides: u32, purpose: &str) -> Result<Total, RuleError> {
        if self.faces_matter && count == 1 {
            let face = self.d(sides, purpose)?;
            return Ok(Total { rolls: smallvec![face], sum: face });
        }
        if self.faces_matter {
            let rolls = self.pool(count, sides, purpose)?;
            let sum = rolls.iter().sum();
            return Ok(Total { rolls, sum });
        }
        let die = Die::Numbered(sides);
        let sum = die.checked_sum(self.source.sum(die, count, purpose)?, count, purpose)?;
        self.note_step(|| Step::Sum { count, sides, total: sum, purpose: purpose.to_owned() });
        Ok(Total { rolls: Rolls::new(), sum })
    }

    /// The source, and whether anybody will look at single dice.
    pub(super) fn dice(&mut self) -> (bool, &mut dyn Source) {
        (self.faces_matter, self.source)
    }

    // ---- the trace ----

    /// Notes dice that were drawn together: sides and face of each.
    pub(super) fn note_draws(&self, dice: impl Iterator<Item = (u32, i64)>, purpose: &str) {
        if let Some(trace) = self.trace {
            let draws = dice.map(|(sides, face)| Step::Draw { sides, face, purpose: purpose.to_owned() });
            trace.borrow_mut().note_all(draws);
        }
    }

    #[inline]
    fn note_step(&self, step: impl FnOnce() -> Step) {
        if let Some(trace) = self.trace {
            written_down(trace, step);
        }
    }

    /// Notes a modifier and its reason, unless it is 0.
    #[inline]
    pub fn modifier(&self, amount: i64, reason: &str) {
        if amount != 0 {
            self.note_step(|| Step::Modifier { amount, reason: reason.to_owned() });
        }
    }

    /// Notes the number needed: `at least 15`, `under 12`.
    #[inline]
    pub fn need(&self, what: impl FnOnce() -> String) {
        self.note_step(|| Step::Need { what: what() });
    }

    /// Notes anything else worth a sentence.
    #[inline]
    pub fn note(&self, text: impl FnOnce() -> String) {
        self.note_step(|| Step::Note(text()));
    }

    // ---- switches and tables ----

    /// The switches of a rule as the campaign has them.
    #[must_use]
    #[inline]
    pub fn options<R: Rule>(&self) -> R::Options {
        if self.house.is_plain() { R::Options::default() } else { self.house.options::<R>() }
    }

    /// A call's own options, with the campaign's behind them.
    pub(super) fn options_under<R: Rule>(&self, own: Value) -> Result<Value, RuleError> {
        let Value::Map(Fields(own)) = own else {
            return Err(RuleError::bad_type("options", "must be a table"));
        };
        let mut merged = self.house.switch_values(R::NAME);
        for (name, value) in own {
            merged.set(&name, value);
        }
        Ok(Value::Map(merged))
    }

    /// The rows of a table as the campaign has them.
    #[inline]
    pub fn table<R>(&self, table: &'static Table<R>) -> TableRows<R>
    where
        R: serde::de::DeserializeOwned + serde::Serialize + Send + Sync + 'static,
    {
        match self.house.patched(table.name()) {
            None => TableRows::Shipped(table.shipped()),
            Some((rows, by)) => {
                self.note_step(|| Step::House { what: format!("table {}", table.name()), by: by.to_owned() });
                match rows.downcast::<Vec<R>>() {
                    Ok(rows) => TableRows::Patched(rows),
                    // Patches are read by the table they name, so their type is this one.
                    Err(_) => TableRows::Shipped(table.shipped()),
                }
            }
        }
    }

    // ---- other rules ----

    /// Resolves another rule with the campaign's switches. House rules on it take part.
    #[inline]
    pub fn call<R: Rule>(&mut self, args: R::Args) -> Result<R::Outcome, RuleError> {
        self.call_rule::<R>(args, None)
    }

    /// Resolves another rule with these switches instead of the campaign's.
    #[inline]
    pub fn call_with<R: Rule>(&mut self, args: R::Args, options: R::Options) -> Result<R::Outcome, RuleError> {
        self.call_rule::<R>(args, Some(options))
    }

    #[inline]
    fn call_rule<R: Rule>(&mut self, args: R::Args, options: Option<R::Options>) -> Result<R::Outcome, RuleError> {
        if self.house.is_plain() || !self.house.is_wrapped(R::NAME) {
            let options = options.unwrap_or_else(|| self.options::<R>());
            return self.entered::<R>(args, options);
        }
        self.call_wrapped::<R>(&args, options.as_ref())
    }

    #[cold]
    fn call_wrapped<R: Rule>(&mut self, args: &R::Args, options: Option<&R::Options>) -> Result<R::Outcome, RuleError> {
        let args = written_args::<R>(args, options)?;
        let house = self.house;
        let target = house.find(R::NAME)?;
        let outcome = house.run(&target, args, self).map_err(|error| error.in_rule(R::NAME))?;
        read_outcome::<R>(&outcome)
    }

    /// Resolves a rule of any name (one of the book or one that the house added) on plain data, through its wrappers.
    /// Whatever they returned, an outcome of the book's rules has that rule's own form.
    pub fn resolve(&mut self, name: &str, args: Value) -> Result<Value, RuleError> {
        let house = self.house;
        let target = house.find(name)?;
        let outcome = house.run(&target, args, self).map_err(|error| error.in_rule(name))?;
        match target {
            Target::Book(entry) if !house.is_plain() && house.is_wrapped(name) => entry.in_form(outcome),
            _ => Ok(outcome),
        }
    }

    /// Resolves a rule of the book on plain data; the arguments are still unread.
    pub(super) fn resolve_entry(&mut self, entry: &RuleEntry, args: Value) -> Result<Value, RuleError> {
        (entry.resolve)(args, self)
    }

    /// Runs the rule's own code between its marks in the trace.
    #[inline]
    pub(super) fn entered<R: Rule>(&mut self, args: R::Args, options: R::Options) -> Result<R::Outcome, RuleError> {
        self.begin(R::NAME, R::SOURCE)?;
        if self.trace.is_some() {
            self.note_switches(R::NAME);
        }
        // Straight from hand to hand: arguments and outcomes can be large, and a closure or `map_err` between here and
        // the rule would copy them once more each.
        let mut result = R::resolve(args, options, self);
        self.end(R::NAME, &mut result);
        result
    }

    /// Runs something as a rule of this name: one level deeper, between its marks in the trace.
    pub(super) fn deeper<T>(
        &mut self,
        name: &str,
        source: &[&str],
        run: impl FnOnce(&mut Self) -> Result<T, RuleError>,
    ) -> Result<T, RuleError> {
        self.begin(name, source)?;
        let mut result = run(self);
        self.end(name, &mut result);
        result
    }

    #[inline]
    fn begin(&mut self, name: &str, source: &[&str]) -> Result<(), RuleError> {
        if self.depth >= DEEPEST {
            return Err(too_deep(name));
        }
        if self.trace.is_some() {
            self.note_entered(name, source);
        }
        self.depth += 1;
        Ok(())
    }

    #[cold]
    fn note_entered(&self, name: &str, source: &[&str]) {
        self.note_step(|| Step::Enter { rule: name.to_owned(), source: cited(source) });
    }

    /// Notes the switches of a rule that the house has set.
    #[cold]
    fn note_switches(&self, name: &str) {
        for (what, by) in self.house.switches_set(name) {
            self.note_step(|| Step::House { what, by });
        }
    }

    #[inline]
    fn end<T>(&mut self, name: &str, result: &mut Result<T, RuleError>) {
        self.depth -= 1;
        self.note_step(|| Step::Leave);
        if let Err(error) = result {
            error.arose_in(name);
        }
    }

    /// Notes that a house rule took part.
    pub(super) fn note_house(&self, what: impl FnOnce() -> String, by: &str) {
        self.note_step(|| Step::House { what: what(), by: by.to_owned() });
    }
}

/// For hosts of scripts.
#[cfg(feature = "lua")]
impl Referee<'_> {
    /// The source itself, for a host whose scripts roll other dice than rules do.
    pub(crate) fn source(&mut self) -> &mut dyn Source {
        self.source
    }

    /// Whether a trace is kept.
    pub(crate) fn keeps_trace(&self) -> bool {
        self.trace.is_some()
    }

    /// Notes steps that a host took past the referee.
    pub(crate) fn note_steps(&self, steps: impl IntoIterator<Item = Step>) {
        if let Some(trace) = self.trace {
            trace.borrow_mut().note_all(steps);
        }
    }
}

/// Apart and cold, so that what notes a step costs a branch where no trace is kept, and is small enough to be inlined.
#[cold]
#[inline(never)]
fn written_down(trace: &RefCell<Trace>, step: impl FnOnce() -> Step) {
    trace.borrow_mut().note(step);
}

#[cold]
fn too_deep(name: &str) -> RuleError {
    let message = format!("rules call each other {DEEPEST} deep; does a house rule call the rule it wraps?");
    RuleError::general(ErrorKind::Script, message).in_rule(name)
}

/// Rule ids with each book's name said once: `house-rules CHK-01, CHK-03`.
fn cited(source: &[&str]) -> String {
    let mut cited = String::new();
    let mut book = "";
    for place in source {
        if !cited.is_empty() {
            cited.push_str(", ");
        }
        match place.split_once(' ') {
            Some((same, id)) if same == book => cited.push_str(id),
            Some((other, _)) => {
                book = other;
                cited.push_str(place);
            }
            None => cited.push_str(place),
        }
    }
    cited
}

/// The rows of a table: shipped, or patched by a house rule.
pub enum TableRows<R: 'static> {
    /// As the table ships.
    Shipped(&'static [R]),
    /// As a house rule changed it.
    Patched(Rc<Vec<R>>),
}

impl<R> std::ops::Deref for TableRows<R> {
    type Target = [R];
    #[inline]
    fn deref(&self) -> &[R] {
        match self {
            TableRows::Shipped(rows) => rows,
            TableRows::Patched(rows) => rows,
        }
    }
}
