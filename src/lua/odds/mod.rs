//! `odds`: distributions of dice notation, of rules, and of any function that rolls; exact, or sampled and saying so.
//!
//! - `odds("4d6kh3", params?, options?)`: of an expression; options may stand in the place of parameters that it has none of.
//! - `odds(function() … end, options?)`: of what a function returns, by running it for every outcome of the dice that it
//!   rolls through `roll`, `roll.d`, `roll.sum` and `rules`. House rules in force count. The function must do the same
//!   whenever it sees the same dice: one that changes something outside itself is refused when that changes its dice, or
//!   its result on the first outcome, which is visited twice.
//! - `odds.sample{ f, rolls = 10000 }`: of as many random rolls.
//! - `odds.rule("attack.roll", { ac = 15 }, "hit")`: of a field of a rule's outcome.
//! - `odds.chain{ start = …, step = f, done = f }`: of play that goes on round after round.

mod chain;
mod options;
mod result;
pub(crate) mod unseen;
mod visit;

use std::rc::Rc;

use mlua::{Function, Lua, MultiValue, Table, Value as LuaValue};

use self::options::Options;
use self::result::Answer;
use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::roll::{notation_error, params};
use super::rules;
use super::sandbox::freeze;
use super::shared::{Look, Shared};
use super::value;
use crate::dice::notation::tree::{Node, NodeKind};
use crate::dice::{Expression, Params};
use crate::odds::{OddsError, of_expression};
use crate::rules::core::Value;
use crate::rules::odds::{Ordered, of_field, of_rule};

/// Steps that a question costs before any outcome is visited.
const STEPS_A_QUESTION: u64 = 1_000;

/// Steps that each byte of an answer costs, so that a script cannot collect answers without end.
const STEPS_A_BYTE: u64 = 5;

/// What to do where exact odds are too much work.
const TOO_MUCH: &str = "{ budget = 1e9 } behind the dice and their parameters allows so many steps; { sample = 100000 } \
                        samples";

/// An answer, paid for: it takes memory that the machine does not count.
fn charged(shared: &Shared, answer: Answer) -> mlua::Result<Answer> {
    const MOST_BYTES: usize = 32 << 20;
    let bytes = answer.bytes();
    if bytes > MOST_BYTES {
        let message = format!("these odds would take {} MB and may take {}", bytes >> 20, MOST_BYTES >> 20);
        return Err(ScriptError::new(ScriptErrorKind::Data, message).with_hint("ask for less dice").into());
    }
    shared.charge(STEPS_A_BYTE * bytes as u64)?;
    Ok(answer)
}

/// The odds of dice notation.
fn of_notation(shared: &Shared, text: &str, params: &Params, options: &Options) -> mlua::Result<Answer> {
    shared.charge(STEPS_A_QUESTION)?;
    let expression = Expression::parse(text).map_err(|error| notation_error(&error, text))?;
    let mut budget = options.work();
    if options.always_sample {
        budget.work = 0.0;
    }
    let odds = of_expression(&expression, params, &budget).map_err(|error| match error {
        OddsError::Notation(error) => notation_error(&error, text),
        OddsError::Stopped => shared.spent_error().into(),
        other => ScriptError::new(ScriptErrorKind::Runtime, other.to_string()).with_hint(TOO_MUCH).into(),
    })?;
    charged(shared, Answer::of_dice(odds, None).called(text))
}

/// The odds of what a function returns.
fn of_function(lua: &Lua, shared: &Shared, function: &Function, options: &Options) -> mlua::Result<Answer> {
    shared.charge(STEPS_A_QUESTION)?;
    let run = || visit::returned(lua, &shared.enter(function, ())?, "the function");
    charged(shared, visit::odds_of(shared, options, run)?)
}

/// The odds of either.
fn of(lua: &Lua, shared: &Shared, what: &LuaValue, given: &LuaValue, options: &Options) -> mlua::Result<Answer> {
    let parameters = || match given {
        LuaValue::Nil => params(None),
        LuaValue::Table(table) => params(Some(table.clone())),
        other => Err(failure(format!("the parameters of dice are a table, not {}", value::described(other)))),
    };
    match what {
        LuaValue::String(text) => of_notation(shared, &text.to_string_lossy(), &parameters()?, options),
        LuaValue::Integer(number) => of_notation(shared, &number.to_string(), &Params::new(), options),
        LuaValue::Function(_) if !given.is_nil() => Err(failure("a function takes no parameters of dice")),
        LuaValue::Function(function) => of_function(lua, shared, function, options),
        other => {
            let other = value::described(other);
            Err(failure(format!("odds are of dice notation or of a function that rolls, not of {other}")))
        }
    }
}

/// The odds of a field of a rule's outcome.
fn of_one_rule(
    lua: &Lua,
    shared: &Rc<Shared>,
    name: &str,
    given: &LuaValue,
    field: &str,
    options: &Options,
) -> mlua::Result<Answer> {
    shared.charge(STEPS_A_QUESTION)?;
    let arguments = rules::arguments(lua, name, given)?;
    let is_plain = shared.house.borrow().is_plain();
    if is_plain && options.sampling().is_none() {
        let house = shared.house.borrow();
        let found = of_rule(name, arguments, field, &house, &options.budget()).map_err(|error| {
            if shared.meter.spent().is_some() { shared.spent_error() } else { ScriptError::from(error) }
        })?;
        return charged(shared, visit::answer(found.distribution.rename(Ordered), None, Some(found.leaves)));
    }
    // The host draws sums in one step until a house rule looks at single dice.
    let (mut sampled, mut visited) = (None, None);
    let found = of_field::<ScriptError>(name, field, |take| {
        let run = || {
            let found = take(&shared.resolve(name, arguments.clone())?);
            // Single dice stand in lists; an element that is not there may be one that was not drawn.
            let may_be_dice = match found {
                Value::List(_) | Value::Map(_) => true,
                Value::Nil => field.contains('['),
                _ => false,
            };
            if may_be_dice && shared.draws_totals() {
                shared.look.set(Some(Look::Looked));
            }
            Ok(found)
        };
        let answer = visit::odds_of(shared, options, run)?;
        (sampled, visited) = (answer.sampled(), answer.visited);
        Ok(answer.values())
    })?;
    charged(shared, visit::answer(found.rename(Ordered), sampled, visited))
}

/// What `odds.sample` takes.
fn sample(lua: &Lua, shared: &Shared, given: &Table) -> mlua::Result<Answer> {
    let (mut what, mut rolls, mut seed, mut parameters) = (LuaValue::Nil, LuaValue::Nil, LuaValue::Nil, LuaValue::Nil);
    options::fields(given, "odds.sample", &["1", "of", "rolls", "seed", "params"], |name, value| {
        match name {
            "1" | "of" => what = value.clone(),
            "rolls" => rolls = value.clone(),
            "seed" => seed = value.clone(),
            _ => parameters = value.clone(),
        }
        Ok(())
    })?;
    of(lua, shared, &what, &parameters, &Options::of_sample(&rolls, &seed)?)
}

/// `odds(…)`.
fn call(lua: &Lua, shared: &Shared, given: &MultiValue) -> mlua::Result<Answer> {
    let argument = |at: usize| given.get(at).cloned().unwrap_or(LuaValue::Nil);
    let (what, second, third) = (argument(1), argument(2), argument(3));
    if let LuaValue::Function(function) = &what {
        return of_function(lua, shared, function, &Options::read(&second)?);
    }
    if let (LuaValue::String(text), LuaValue::Table(given), LuaValue::Nil) = (&what, &second, &third)
        && options::are_options(given)
        && !names_a_parameter(&text.to_string_lossy(), given)
    {
        return of(lua, shared, &what, &LuaValue::Nil, &Options::read(&second)?);
    }
    of(lua, shared, &what, &second, &Options::read(&third)?)
}

/// Whether dice notation reads one of these fields as a parameter: `$budget`.
fn names_a_parameter(text: &str, given: &Table) -> bool {
    fn named(node: &Node, given: &Table) -> bool {
        let mut found = match &node.kind {
            NodeKind::Parameter(name) => given.contains_key(name.as_str()).unwrap_or(false),
            _ => false,
        };
        node.each_child(&mut |child| found = found || named(child, given));
        found
    }
    let Ok(expression) = Expression::parse(text) else { return false };
    let tree = expression.tree();
    named(&tree.root, given) || tree.bindings.iter().any(|binding| named(&binding.value, given))
}

/// The function table `odds`.
pub(crate) fn table(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let odds = lua.create_table()?;
    let state = Rc::clone(shared);
    odds.raw_set("sample", lua.create_function(move |lua, given: Table| sample(lua, &state, &given))?)?;
    let state = Rc::clone(shared);
    let rule = move |lua: &Lua, (name, given, field, options): (String, LuaValue, Option<String>, LuaValue)| {
        let Some(field) = field else {
            return Err(failure(
                "odds.rule takes a rule, its arguments and a field: odds.rule(\"attack.roll\", { ac = 15 }, \"hit\")",
            ));
        };
        of_one_rule(lua, &state, &name, &given, &field, &Options::read(&options)?)
    };
    odds.raw_set("rule", lua.create_function(rule)?)?;
    let state = Rc::clone(shared);
    odds.raw_set("chain", lua.create_function(move |lua, given: Table| chain::play(lua, &state, &given))?)?;
    let state = Rc::clone(shared);
    let callable = lua.create_table()?;
    callable.raw_set("__call", lua.create_function(move |lua, given: MultiValue| call(lua, &state, &given))?)?;
    callable.raw_set("__metatable", false)?;
    callable.raw_set(
        "__index",
        lua.create_function(|_, (_, name): (LuaValue, LuaValue)| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            Err(failure(format!("odds has no \"{name}\"; there are odds.sample, odds.rule and odds.chain")))
        })?,
    )?;
    odds.set_metatable(Some(callable))?;
    freeze(&odds)?;
    Ok(odds)
}

/// Plain data as the label of a result.
fn label(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}
