//! Running a function of a script for every outcome of its dice, or for many random ones.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use mlua::{Lua, MultiValue, Value as LuaValue};

use super::super::errors::{ScriptError, ScriptErrorKind};
use super::super::report;
use super::super::shared::{Look, Shared};
use super::super::value;
use super::options::Options;
use super::result::Answer;
use super::unseen::Unseen;
use crate::dice::{Random, RollValue};
use crate::odds::{Budget, Distribution, Exploration, ExploreError, Explored, Odds, Sampling};
use crate::rules::core::{Fields, Value};
use crate::rules::odds::Ordered;

/// How much memory the different results of one question may take: a script makes the host allocate it.
const MOST_BYTES: usize = 16 << 20;

/// The different results met so far, each with its number.
#[derive(Default)]
pub(super) struct Results {
    numbers: HashMap<Rc<Ordered>, u32>,
    values: Vec<Rc<Ordered>>,
    bytes: usize,
}

impl Results {
    /// The number of a result.
    pub(super) fn number(&mut self, value: Value) -> Result<u32, ScriptError> {
        let value = Ordered(ordered(value));
        if let Some(known) = self.numbers.get(&value) {
            return Ok(*known);
        }
        self.bytes += 64 + size(&value.0);
        if self.bytes > MOST_BYTES {
            let message = format!("there are more than {} MB of different results", MOST_BYTES >> 20);
            return Err(ScriptError::new(ScriptErrorKind::Data, message)
                .with_hint("return only what the question is about: a number, a name"));
        }
        let number = self.values.len() as u32;
        let value = Rc::new(value);
        self.values.push(Rc::clone(&value));
        self.numbers.insert(value, number);
        Ok(number)
    }

    pub(super) fn value(&self, number: u32) -> &Value {
        &self.values[number as usize].0
    }

    /// Numbered results as what they are.
    pub(super) fn named(&self, distribution: &Distribution<u32>) -> Distribution<Ordered> {
        distribution.map(|number| Ordered(self.value(*number).clone()))
    }
}

/// Fields in the order of their names: a table of Lua has no order of its own.
fn ordered(value: Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.into_iter().map(ordered).collect()),
        Value::Map(Fields(mut fields)) => {
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Map(Fields(fields.into_iter().map(|(name, value)| (name, ordered(value))).collect()))
        }
        other => other,
    }
}

/// About how many bytes a value takes.
pub(super) fn size(value: &Value) -> usize {
    let inside = match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.iter().map(size).sum(),
        Value::Map(Fields(fields)) => fields.iter().map(|(name, value)| 24 + name.len() + size(value)).sum(),
        _ => 0,
    };
    size_of::<Value>() + inside
}

/// Odds of values of any kind: of numbers when all of them are whole numbers.
pub(super) fn answer(distribution: Distribution<Ordered>, sampled: Option<u64>, visited: Option<u64>) -> Answer {
    let whole = |value: &Ordered| if let Value::Whole(number) = value.0 { Some(number) } else { None };
    if distribution.entries().iter().all(|(value, _)| whole(value).is_some()) {
        let numbers = distribution.rename(|value| whole(&value).unwrap_or_default());
        return Answer::of_dice(Odds::of_numbers(numbers, sampled), visited);
    }
    Answer::of_labels(distribution, sampled, visited)
}

/// What a function returned, as a result of which there can be odds. A roll counts for its total.
pub(super) fn returned(lua: &Lua, results: &MultiValue, whose: &str) -> Result<Value, ScriptError> {
    let refuse = |message: String, hint: &str| {
        Err(ScriptError::new(ScriptErrorKind::Data, format!("{whose} {message}")).with_hint(hint))
    };
    if results.len() > 1 {
        return refuse(format!("returned {} values", results.len()), "return one: a number, a name, or a table");
    }
    let of_roll = |value: &RollValue| match value {
        RollValue::Number(total) => Value::Whole(*total),
        RollValue::List(values) => values.iter().copied().collect(),
    };
    let value = match results.iter().next() {
        None => Value::Nil,
        Some(LuaValue::UserData(roll)) if roll.is::<Unseen>() => {
            let roll = roll.borrow::<Unseen>().map_err(|error| failed(&error))?;
            match roll.value().map_err(|error| failed(&error))? {
                Some(value) => of_roll(&value),
                // A list of dice: looked at, so that the function is explored again.
                None => return refuse("returned single dice".to_owned(), "return their sum"),
            }
        }
        Some(LuaValue::Table(roll)) if is_roll(roll) => {
            let values: LuaValue = roll.raw_get("values").unwrap_or(LuaValue::Nil);
            let total: LuaValue = roll.raw_get("total").unwrap_or(LuaValue::Nil);
            value::from_lua(lua, if values.is_nil() { &total } else { &values }, "the roll")?
        }
        Some(other) => value::from_lua(lua, other, &format!("what {whose} returned"))?,
    };
    if let Value::Number(number) = value {
        let hint = "return a whole number, of tenths for instance, or round it with math.floor";
        return refuse(format!("returned {number}; odds are of whole numbers"), hint);
    }
    Ok(value)
}

fn failed(error: &mlua::Error) -> ScriptError {
    ScriptError::new(ScriptErrorKind::Runtime, report::plain_text(error))
}

fn is_roll(table: &mlua::Table) -> bool {
    let kind = table.metatable().and_then(|metatable| metatable.raw_get::<mlua::LuaString>("__type").ok());
    kind.is_some_and(|kind| kind.as_bytes() == *b"roll")
}

/// An exploration's error as scripts read it.
pub(super) fn refused(shared: &Shared, error: ExploreError<ScriptError>) -> ScriptError {
    let hint = match &error {
        ExploreError::Stopped => return shared.spent_error(),
        ExploreError::TooMuch { .. } => Some("{ budget = 1e9 } behind the function allows so many steps"),
        ExploreError::TooMany { .. } => Some(
            "{ sample = 100000 } behind the function samples instead; { outcomes = … } allows more; roll.sum counts as \
             one draw",
        ),
        ExploreError::Endless(_) => Some("odds.chain plays round after round to an end, exactly"),
        _ => None,
    };
    let error = match error {
        ExploreError::Failed(error) => return error,
        other => ScriptError::new(ScriptErrorKind::Runtime, other.to_string()),
    };
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Runs something for every outcome of its dice: with sums drawn in one step first, and again with dice in order or with
/// single dice when it, or a house rule on its way, has looked at such.
pub(super) fn explored(
    shared: &Shared,
    budget: &Budget,
    mut run: impl FnMut() -> Result<u32, ScriptError>,
) -> Result<Explored<u32>, ExploreError<ScriptError>> {
    let mut visit = |look: Look| {
        let exploration = Exploration::new(budget);
        let dice = exploration.source();
        let mut looked = None;
        let found = shared.with_dice(dice, look, || {
            exploration.visit(|| {
                let result = shared.harmless(&mut run);
                if let Some(how @ (Look::Looked | Look::LookedSorted)) = shared.look.get() {
                    looked = Some(how);
                    return Err(ScriptError::new(ScriptErrorKind::Runtime, "single dice were looked at"));
                }
                result
            })
        });
        (found.unwrap_or_else(|error| Err(ExploreError::Failed(error))), looked)
    };
    let (mut found, mut looked) = visit(Look::Totals);
    if looked == Some(Look::LookedSorted) && shared.meter.spent().is_none() {
        (found, looked) = visit(Look::Sorted);
    }
    let failed = matches!(found, Err(ExploreError::Failed(_)));
    // A failure may be that of a library function which was given a stand-in.
    if shared.meter.spent().is_some() || (looked.is_none() && !failed) { found } else { visit(Look::Faces).0 }
}

/// Runs something many times with random dice.
pub(super) fn sampled(
    shared: &Shared,
    sampling: Sampling,
    mut run: impl FnMut() -> Result<u32, ScriptError>,
) -> Result<Distribution<u32>, ScriptError> {
    let mut counts: HashMap<u32, u64> = HashMap::new();
    let rolled: Result<(), ScriptError> =
        shared.with_dice(Box::new(Random::new(sampling.seed)), Look::Faces, || {
            for _ in 0..sampling.trials {
                *counts.entry(shared.harmless(&mut run)?).or_default() += 1;
            }
            Ok(())
        })?;
    rolled?;
    Ok(Distribution::from_weights(counts.into_iter().map(|(value, count)| (value, count.into())), None))
}

/// The odds of what something comes to: exact, or sampled where the options say so.
pub(super) fn odds_of(
    shared: &Shared,
    options: &Options,
    mut run: impl FnMut() -> Result<Value, ScriptError>,
) -> Result<Answer, ScriptError> {
    let results = RefCell::new(Results::default());
    let mut numbered = || results.borrow_mut().number(run()?);
    if !options.always_sample {
        match (explored(shared, &options.budget(), &mut numbered), options.sampling()) {
            (Ok(found), _) => {
                let named = results.borrow().named(&found.distribution);
                return Ok(answer(named, None, Some(found.leaves)));
            }
            (Err(ExploreError::TooMany { .. } | ExploreError::Endless(_)), Some(_)) => {}
            (Err(error), _) => return Err(refused(shared, error)),
        }
    }
    let Some(sampling) = options.sampling() else {
        return Err(ScriptError::new(ScriptErrorKind::Runtime, "say how many rolls to sample: rolls = 10000"));
    };
    let found = sampled(shared, sampling, numbered)?;
    let named = results.borrow().named(&found);
    Ok(answer(named, Some(sampling.trials), None))
}
