//! `odds.chain{…}`: play that goes on round after round, exactly.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Lua, MetaMethod, Table, UserData, UserDataFields, UserDataMethods, Value as LuaValue};

use super::super::errors::{ScriptError, ScriptErrorKind, failure};
use super::super::report;
use super::super::shared::Shared;
use super::super::value;
use super::options::{self, Options};
use super::result::Answer;
use super::visit::{self, Results, explored, returned};
use crate::nearest::nearest;
use crate::odds::{ChainError, Distribution, Odds, Weight, chain_of, fraction};
use crate::rules::core::Value;
use crate::rules::odds::Ordered;

use dashu_int::UBig;

/// What play came to.
pub(super) struct Played {
    shared: Rc<Shared>,
    ends: Distribution<Ordered>,
    rounds: Odds,
    mean_rounds: Option<dashu_ratio::RBig>,
    states: usize,
    cut: dashu_ratio::RBig,
}

/// What `odds.chain` takes.
struct Asked {
    start: LuaValue,
    step: Function,
    done: Function,
    options: Options,
}

fn asked(given: &Table) -> mlua::Result<Asked> {
    let (mut start, mut step, mut done) = (LuaValue::Nil, None, None);
    let mut options = Options::default();
    options::fields(given, "odds.chain", &["start", "step", "done", "outcomes", "budget"], |name, value| {
        match (name, value) {
            ("start", value) => start = value.clone(),
            ("step", LuaValue::Function(function)) => step = Some(function.clone()),
            ("done", LuaValue::Function(function)) => done = Some(function.clone()),
            ("outcomes", value) => options.allow(value)?,
            ("budget", value) => options.allow_work(value)?,
            (name, value) => {
                let value = value::described(value);
                return Err(failure(format!("odds.chain: {name} must be a function of the state, not {value}")));
            }
        }
        Ok(())
    })?;
    let (Some(step), Some(done)) = (step, done) else {
        return Err(failure(
            "odds.chain wants start = a state, step = a function from a state to the next, done = a function that says \
             whether a state is an end",
        ));
    };
    Ok(Asked { start, step, done, options })
}

fn refused(shared: &Shared, error: ChainError<ScriptError>) -> ScriptError {
    match error {
        ChainError::Round(error) => visit::refused(shared, error),
        other => ScriptError::new(ScriptErrorKind::Runtime, other.to_string())
            .with_hint("keep in a state only what later rounds look at; hit points in fives are fewer than in ones"),
    }
}

/// Plays from `start`, by `step` after `step`, until `done`.
pub(super) fn play(lua: &Lua, shared: &Rc<Shared>, given: &Table) -> mlua::Result<Played> {
    let Asked { start, step, done, options } = asked(given)?;
    let states = RefCell::new(Results::default());
    let start = states.borrow_mut().number(value::from_lua(lua, &start, "start")?)?;
    let given = |state: u32| {
        let state = states.borrow().value(state).clone();
        value::to_lua(lua, &state).map_err(|error| {
            ScriptError::new(ScriptErrorKind::Data, format!("a state of odds.chain: {}", report::plain_text(&error)))
        })
    };
    let is_done = |state: &u32| match shared.harmless(|| shared.enter(&done, given(*state)?))?.iter().next() {
        Some(LuaValue::Boolean(yes)) => Ok(*yes),
        other => {
            let other = other.map_or_else(|| "nothing".to_owned(), value::described);
            let message = format!("done returned {other}; it says true at an end and false before");
            Err(ScriptError::new(ScriptErrorKind::Runtime, message))
        }
    };
    let budget = options.budget();
    let played = chain_of(&budget, start, is_done, |left, state| {
        explored(shared, left, || {
            let next = returned(lua, &shared.enter(&step, given(*state)?)?, "step")?;
            if next == Value::Nil {
                let message = "step returned nothing; it returns the next state";
                return Err(ScriptError::new(ScriptErrorKind::Runtime, message));
            }
            states.borrow_mut().number(next)
        })
    });
    let played = played.map_err(|error| refused(shared, error))?;
    let ends = super::charged(shared, visit::answer(states.borrow().named(&played.ends), None, None))?;
    super::charged(shared, Answer::of_dice(Odds::of_numbers(played.rounds.clone(), None), None))?;
    Ok(Played {
        shared: Rc::clone(shared),
        ends: ends.ordered(),
        rounds: Odds::of_numbers(played.rounds, None),
        mean_rounds: played.mean_rounds,
        states: played.states,
        cut: played.cut,
    })
}

const FIELDS: [&str; 8] = ["ends", "rounds", "mean_rounds", "mean_rounds_exact", "states", "never", "remainder", "of"];

impl Played {
    /// The odds of a function of the state that play ended in.
    fn of(&self, lua: &Lua, function: &Function) -> mlua::Result<Answer> {
        let mut results = Results::default();
        let mut weights = Vec::with_capacity(self.ends.len());
        for (state, weight) in self.ends.entries() {
            let state = value::to_lua(lua, &state.0)?;
            let result = returned(lua, &self.shared.enter(function, state)?, "the function")?;
            weights.push((results.number(result)?, weight.clone()));
        }
        let total = Some(self.ends.total().clone());
        Ok(visit::answer(results.named(&Distribution::from_weights(weights, total)), None, None))
    }
}

impl UserData for Played {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("ends", |_, this| Ok(visit::answer(this.ends.clone(), None, None)));
        fields.add_field_method_get("rounds", |_, this| Ok(Answer::of_dice(this.rounds.clone(), None)));
        fields.add_field_method_get("mean_rounds", |_, this| Ok(this.mean_rounds.as_ref().map(UBig::share_float)));
        fields.add_field_method_get("mean_rounds_exact", |_, this| Ok(this.mean_rounds.as_ref().map(fraction)));
        fields.add_field_method_get("states", |_, this| Ok(this.states));
        fields.add_field_method_get("never", |_, this| Ok(UBig::share_float(&(this.ends.remainder() - &this.cut))));
        fields.add_field_method_get("remainder", |_, this| Ok(UBig::share_float(&this.cut)));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("of", |lua, this, function: Function| this.of(lua, &function));
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            let ends = visit::answer(this.ends.clone(), None, None);
            let rounds = Answer::of_dice(this.rounds.clone(), None);
            let states = this.states;
            Ok(format!("ends: {}\nrounds: {}\n{states} states visited", ends.headline(), rounds.headline()))
        });
        methods.add_meta_method(MetaMethod::Index, |_, _, name: LuaValue| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            let near = nearest(&name, FIELDS).map_or_else(|| FIELDS.join(", "), str::to_owned);
            Err(failure(format!("the odds of a chain have no \"{name}\"; there is {near}")))
        });
    }
}
