//! The options behind a question about odds.

use mlua::{Table, Value as LuaValue};

use super::super::budget::charge;
use super::super::errors::failure;
use super::super::value;
use crate::dice::Seed;
use crate::nearest::nearest;
use crate::odds::{Budget, Progress, Sampling};

/// Outcomes that are visited unless a question allows more: a second or so.
const OUTCOMES: u64 = 1_000_000;

/// The most outcomes that a question may allow; instruction and time budgets end most sooner.
const MOST_OUTCOMES: u64 = 100_000_000;

/// Dice that one outcome may draw: more, and the function rolls until something happens.
const DRAWS: u32 = 1_000;

/// Rolls that are sampled unless a question says how many.
const ROLLS: u64 = 10_000;

/// The most rolls that are sampled.
const MOST_ROLLS: u64 = 100_000_000;

/// How a question is to be answered.
#[derive(Clone, Debug)]
pub(super) struct Options {
    outcomes: u64,
    /// Steps of exact work that are allowed instead of the usual ones.
    budget: Option<f64>,
    /// Rolls to sample where exact odds are too much.
    rolls: Option<u64>,
    seed: String,
    pub(super) always_sample: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { outcomes: OUTCOMES, budget: None, rolls: None, seed: "1".to_owned(), always_sample: false }
    }
}

/// The names of the options.
const NAMES: [&str; 4] = ["budget", "outcomes", "sample", "seed"];

/// A number of steps.
fn steps(value: &LuaValue) -> mlua::Result<f64> {
    let number = match value {
        LuaValue::Integer(number) => *number as f64,
        LuaValue::Number(number) => *number,
        _ => f64::NAN,
    };
    if number >= 1.0 {
        return Ok(number);
    }
    let given = value::described(value);
    Err(failure(format!("budget must be a number of steps from 1 on, such as 1e9, not {given}")))
}

/// A whole number from 1 to a greatest one.
fn whole(value: &LuaValue, name: &str, most: u64) -> mlua::Result<u64> {
    let number = match value {
        LuaValue::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    number.filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        failure(format!("{name} must be a whole number from 1 to {most}, not {}", value::described(value)))
    })
}

fn seed(value: &LuaValue) -> mlua::Result<String> {
    match value {
        LuaValue::String(text) => Ok(text.to_string_lossy()),
        LuaValue::Integer(number) => Ok(number.to_string()),
        other => Err(failure(format!("seed must be text, not {}", value::described(other)))),
    }
}

/// Whether a table holds options and nothing else.
pub(super) fn are_options(table: &Table) -> bool {
    let mut fields = 0;
    let named = table.for_each(|key: LuaValue, _: LuaValue| {
        fields += 1;
        let known = key.to_string().is_ok_and(|name| NAMES.contains(&name.as_str()));
        if known { Ok(()) } else { Err(failure("no option")) }
    });
    named.is_ok() && fields > 0
}

impl Options {
    /// Reads the options behind a question: `{ budget = …, outcomes = …, sample = …, seed = … }`.
    pub(super) fn read(given: &LuaValue) -> mlua::Result<Self> {
        let mut options = Options::default();
        let table = match given {
            LuaValue::Nil => return Ok(options),
            LuaValue::Table(table) => table,
            other => {
                let other = value::described(other);
                return Err(failure(format!("the options of odds are a table, {{ sample = 10000 }}, not {other}")));
            }
        };
        fields(table, "odds", &NAMES, |name, value| {
            match name {
                "budget" => options.budget = Some(steps(value)?),
                "outcomes" => options.outcomes = whole(value, "outcomes", MOST_OUTCOMES)?,
                "sample" => options.rolls = Some(whole(value, "sample", MOST_ROLLS)?),
                _ => options.seed = seed(value)?,
            }
            Ok(())
        })?;
        Ok(options)
    }

    /// Sets the number of outcomes that may be visited.
    pub(super) fn allow(&mut self, outcomes: &LuaValue) -> mlua::Result<()> {
        self.outcomes = whole(outcomes, "outcomes", MOST_OUTCOMES)?;
        Ok(())
    }

    /// Sets the steps of exact work that are allowed.
    pub(super) fn allow_work(&mut self, budget: &LuaValue) -> mlua::Result<()> {
        self.budget = Some(steps(budget)?);
        Ok(())
    }

    /// Options that always sample.
    pub(super) fn of_sample(rolls: &LuaValue, given_seed: &LuaValue) -> mlua::Result<Self> {
        let rolls = if rolls.is_nil() { ROLLS } else { whole(rolls, "rolls", MOST_ROLLS)? };
        let seed = if given_seed.is_nil() { "1".to_owned() } else { seed(given_seed)? };
        Ok(Options { rolls: Some(rolls), seed, always_sample: true, ..Options::default() })
    }

    pub(super) fn sampling(&self) -> Option<Sampling> {
        self.rolls.map(|trials| Sampling { trials, seed: Seed::of_text(&self.seed) })
    }

    /// What an exploration may cost.
    pub(super) fn budget(&self) -> Budget {
        Budget { leaves: self.outcomes, draws: DRAWS, sampling: self.sampling(), ..self.work() }
    }

    /// What exact odds of notation may cost: the machine is charged for each step, and may break off.
    pub(super) fn work(&self) -> Budget {
        let budget = self.budget.map_or_else(Budget::default, |work| Budget::default().allowing(work));
        Budget { progress: Some(Progress::new(charge)), sampling: self.sampling(), ..budget }
    }
}

/// Reads each field of a table, refusing unknown ones with the nearest known name. Elements of a list go by the name
/// `1`.
pub(super) fn fields(
    table: &Table,
    whose: &str,
    known: &[&str],
    mut read: impl FnMut(&str, &LuaValue) -> mlua::Result<()>,
) -> mlua::Result<()> {
    table.for_each(|key: LuaValue, value: LuaValue| {
        let name = key.to_string().unwrap_or_default();
        if known.contains(&name.as_str()) {
            return read(&name, &value);
        }
        let near = match nearest(&name, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("known are {}", known.join(", ")),
        };
        Err(failure(format!("{whose}: unknown field \"{name}\"; {near}")))
    })
}
