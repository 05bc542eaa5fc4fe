//! `house`: switches, tables, wrappers and new rules, each remembered with the line that made it.

use std::cell::{Cell, RefMut};
use std::rc::Rc;

use mlua::{Function, IntoLuaMulti, Lua, Table, Value as LuaValue};

use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::odds::unseen;
use super::report;
use super::sandbox::freeze;
use super::shape::{Shapes, strict};
use super::shared::Shared;
use super::value;
use crate::nearest::nearest;
use crate::rules::Book;
use crate::rules::core::{
    Change, ErrorKind, Fields, House, HouseRule, Next, Referee, RuleEntry, RuleError, Value, Wrapper,
};

/// How many changes a house remembers: memory that a script makes the host allocate.
const MOST_CHANGES: usize = 10_000;

/// The house rules, for a change. They do not change under a rule that is being resolved.
fn for_change(shared: &Shared) -> Result<RefMut<'_, House>, ScriptError> {
    if shared.look.get().is_some() {
        let message = "house rules cannot change while odds are worked out: the function runs for every outcome";
        return Err(ScriptError::new(ScriptErrorKind::Runtime, message).with_hint("change them before"));
    }
    let house = shared.house.try_borrow_mut().map_err(|_| {
        ScriptError::new(ScriptErrorKind::Runtime, "house rules cannot change while a rule is being resolved")
            .with_hint("change them before or after, outside of wrappers and rules")
    })?;
    if house.changes().len() >= MOST_CHANGES {
        let message = format!("there are {MOST_CHANGES} changes to the rules already; no more can be remembered");
        return Err(ScriptError::new(ScriptErrorKind::Runtime, message));
    }
    Ok(house)
}

/// A script's function that gives outcomes.
struct Outcomes {
    shared: Rc<Shared>,
    lua: mlua::WeakLua,
    function: Function,
    /// Whose it is, for messages: `the rule parley.offer`. Said once here, because a rule may be asked many times.
    whose: String,
    /// What it returns, for messages: `the outcome of the rule parley.offer`.
    outcome: String,
    /// How to mend it when it returns nothing.
    hint: &'static str,
    /// How many of its calls are under way, one inside another.
    under_way: Cell<u32>,
}

/// How deep one script may call itself, by way of the rules it calls. A rule in steps does so a few times; one that
/// calls the rule it wraps does so without end.
const DEEPEST: u32 = 24;

/// A call of a script that is under way.
struct UnderWay<'o>(&'o Cell<u32>);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Outcomes {
    fn new(lua: &Lua, shared: &Rc<Shared>, function: Function, whose: String, hint: &'static str) -> Self {
        let outcome = format!("the outcome of {whose}");
        Outcomes { shared: Rc::clone(shared), lua: lua.weak(), function, whose, outcome, hint, under_way: Cell::new(0) }
    }

    /// Begins a call.
    fn begin(&self) -> Result<UnderWay<'_>, ScriptError> {
        let depth = self.under_way.get();
        if depth >= DEEPEST {
            let message = format!("{} and what it calls go round {DEEPEST} deep; does one call itself?", self.whose);
            let hint = "a wrapper calls the rule it wraps by `next(args)`";
            return Err(ScriptError::new(ScriptErrorKind::Runtime, message).with_hint(hint));
        }
        self.under_way.set(depth + 1);
        Ok(UnderWay(&self.under_way))
    }

    /// Calls it, and takes what it returns as one piece of plain data.
    fn call(&self, lua: &Lua, arguments: impl IntoLuaMulti) -> Result<Value, ScriptError> {
        let _under_way = self.begin()?;
        let result: LuaValue = self.shared.enter_for(&self.function, arguments)?;
        if !matches!(result, LuaValue::Table(_)) {
            let message =
                format!("{} returned {}; it must return an outcome, a table", self.whose, value::described(&result));
            let error = ScriptError::new(ScriptErrorKind::Runtime, message);
            return Err(if result.is_nil() { error.with_hint(self.hint) } else { error });
        }
        value::outcome_from_lua(lua, &result, &self.outcome)
    }

    /// An error of the machine's while it was called.
    fn broken(&self, error: &mlua::Error) -> ScriptError {
        let message = format!("{}: {}", self.whose, report::plain_text(error));
        ScriptError::new(ScriptErrorKind::Runtime, message)
    }
}

/// A wrapper written in Lua.
struct LuaWrapper {
    script: Outcomes,
    /// Whether the function has a place for `next`: one that answers by itself is not given any.
    takes_next: bool,
    /// The rule, when it is one of the book.
    entry: Option<&'static RuleEntry>,
}

impl LuaWrapper {
    fn run(
        &self,
        args: &Value,
        next: Next<'_>,
        refused: &Cell<Option<RuleError>>,
        referee: &mut Referee<'_>,
    ) -> Result<Value, ScriptError> {
        let script = &self.script;
        let lua = script.lua.upgrade();
        let given = value::to_lua(&lua, args).map_err(|error| script.broken(&error))?;
        let outcome = script.shared.lent.lend(referee, || {
            if self.takes_next { self.with_next(&lua, (args, given), next, refused) } else { script.call(&lua, given) }
        })?;
        if let Some(entry) = self.entry {
            (entry.check_outcome)(&outcome).map_err(|error| {
                let message = format!("{} returned a malformed outcome: {error}", script.whose);
                ScriptError::new(ScriptErrorKind::Runtime, message)
            })?;
        }
        Ok(outcome)
    }

    fn with_next(
        &self,
        lua: &Lua,
        (args, given): (&Value, LuaValue),
        next: Next<'_>,
        refused: &Cell<Option<RuleError>>,
    ) -> Result<Value, ScriptError> {
        let script = &self.script;
        let called = lua.scope(|scope| {
            let inner = scope.create_function_mut(|lua, table: LuaValue| {
                if !matches!(table, LuaValue::Table(_)) {
                    let given = value::described(&table);
                    return Err(failure(format!("`next` takes the arguments, next(args), not {given}")));
                }
                let given = value::from_lua(lua, &table, "the arguments of `next`")?;
                let outcome = script.shared.with_referee(|referee| {
                    let outcome = next.resolve(given, referee);
                    if let Err(error) = &outcome
                        && error.kind() != ErrorKind::Script
                        && value::from_lua(lua, &table, "args").is_ok_and(|given| given.is_same_in_lua(args))
                    {
                        refused.set(Some(error.clone()));
                    }
                    outcome
                })?;
                let formed = self.entry.map(|entry| Shapes::of_outcome(lua, entry)).transpose()?;
                unseen::outcome(lua, &script.shared, &outcome, formed.as_deref())
            })?;
            Ok(script.call(lua, (given, inner)))
        });
        called.map_err(|error| script.broken(&error))?
    }
}

impl Wrapper for LuaWrapper {
    fn wrap(&self, args: Value, next: Next<'_>, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
        let refused = Cell::new(None);
        self.run(&args, next, &refused, referee).map_err(|error| match refused.take() {
            // The arguments went through as they came: they are the fault of who gave them, and stand in that line.
            Some(rules) if rules.to_string() == error.message() => rules,
            _ => self.script.shared.pass_on(error),
        })
    }
}

/// A rule written in Lua.
struct LuaRule {
    script: Outcomes,
    name: String,
    summary: String,
    arguments: Vec<String>,
    /// That of its arguments, so that one which is not declared is no silent nil.
    metatable: Table,
}

impl LuaRule {
    fn run(&self, args: &Value, referee: &mut Referee<'_>) -> Result<Value, ScriptError> {
        let Value::Map(Fields(fields)) = args else {
            let message = format!("{} takes a table of named arguments", self.name);
            return Err(ScriptError::new(ScriptErrorKind::Rule, message));
        };
        if let Some((unknown, _)) = fields.iter().find(|(name, _)| !self.arguments.iter().any(|known| name == known)) {
            let known = self.arguments.iter().map(String::as_str);
            let near = match nearest(unknown, known) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if self.arguments.is_empty() => "it takes none".to_owned(),
                None => format!("known are {}", self.arguments.join(", ")),
            };
            let message = format!("{}: unknown argument \"{unknown}\"; {near}", self.name);
            return Err(ScriptError::new(ScriptErrorKind::Rule, message));
        }
        let lua = self.script.lua.upgrade();
        let args = value::to_lua(&lua, args).map_err(|error| {
            ScriptError::new(ScriptErrorKind::Data, format!("{}: {}", self.name, report::plain_text(&error)))
        })?;
        if let LuaValue::Table(args) = &args {
            args.set_metatable(Some(self.metatable.clone())).map_err(|error| self.script.broken(&error))?;
        }
        self.script.shared.lent.lend(referee, || self.script.call(&lua, args))
    }
}

impl HouseRule for LuaRule {
    fn resolve(&self, args: Value, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
        self.run(&args, referee).map_err(|error| self.script.shared.pass_on(error))
    }
    fn summary(&self) -> String {
        self.summary.clone()
    }
    fn argument_names(&self) -> Vec<String> {
        self.arguments.clone()
    }
}

/// A field of the table that `house.rule` takes.
fn field<T: mlua::FromLua>(definition: &Table, name: &str, wanted: &str) -> mlua::Result<T> {
    definition.raw_get(name).map_err(|_| failure(format!("house.rule: {name} must be {wanted}")))
}

/// The names of the arguments: a list of names, or a table of names with what they mean.
fn argument_names(arguments: &Table) -> mlua::Result<Vec<String>> {
    let mut names = Vec::new();
    arguments.for_each(|key: LuaValue, value: LuaValue| {
        let name = if let LuaValue::String(_) = key { key } else { value };
        match name {
            LuaValue::String(name) => names.push(name.to_string_lossy()),
            _ => return Err(failure("house.rule: args is a list of names, { \"score\", \"bonus\" }")),
        }
        Ok(())
    })?;
    Ok(names)
}

const DEFINITION: [&str; 4] = ["name", "summary", "args", "resolve"];

fn rule(lua: &Lua, shared: &Rc<Shared>, definition: &Table) -> mlua::Result<()> {
    definition.for_each(|key: LuaValue, _: LuaValue| {
        let key = key.to_string().unwrap_or_default();
        if DEFINITION.contains(&key.as_str()) {
            return Ok(());
        }
        let near = match nearest(&key, DEFINITION) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("known are {}", DEFINITION.join(", ")),
        };
        Err(failure(format!("house.rule: unknown field \"{key}\"; {near}")))
    })?;
    let name: String = field(definition, "name", "text such as \"parley.offer\"")?;
    let arguments: Option<Table> = field(definition, "args", "a list of names")?;
    let function = field(definition, "resolve", "a function of the arguments")?;
    let arguments = arguments.map_or(Ok(Vec::new()), |names| argument_names(&names))?;
    let names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let metatable = Shapes::metatable(lua, &format!("{name} takes"), &names)?;
    let added = LuaRule {
        script: Outcomes::new(
            lua,
            shared,
            function,
            format!("the rule {name}"),
            "end it with `return` and the outcome",
        ),
        name: name.clone(),
        summary: field::<Option<String>>(definition, "summary", "text")?.unwrap_or_default(),
        arguments,
        metatable,
    };
    for_change(shared)?.add(&name, Rc::new(added), &report::caller(lua)).map_err(ScriptError::from)?;
    Ok(())
}

fn wrap(lua: &Lua, shared: &Rc<Shared>, name: &str, function: Function) -> mlua::Result<String> {
    let by = report::caller(lua);
    let hint = "end it with `return next(args)` or with the outcome you changed";
    let parameters = function.info();
    let wrapper = LuaWrapper {
        takes_next: parameters.is_vararg || parameters.num_params > 1,
        entry: Book::shared().entry(name),
        script: Outcomes::new(lua, shared, function, format!("the wrapper of {name} (by {by})"), hint),
    };
    let chain = for_change(shared)?.wrap(name, Rc::new(wrapper), &by).map_err(ScriptError::from)?;
    Ok(format!("{name} is now: {}", chain.join(" ← ")))
}

/// `house.table(name)` reads the rows, `house.table(name, rows)` replaces them, a function is given the old ones.
fn patch(lua: &Lua, shared: &Rc<Shared>, name: &str, rows: LuaValue) -> mlua::Result<LuaValue> {
    let now = shared.house.borrow().table_rows(name).map_err(ScriptError::from)?;
    let now = value::to_lua(lua, &now)?;
    let rows = match rows {
        LuaValue::Nil => return Ok(now),
        LuaValue::Function(change) => {
            let results = shared.enter(&change, now)?;
            match results.into_iter().next() {
                Some(rows @ LuaValue::Table(_)) => rows,
                _ => return Err(failure(format!("house.table: the function for {name} must return the rows"))),
            }
        }
        rows => rows,
    };
    let rows = value::from_lua(lua, &rows, "rows")?;
    for_change(shared)?.patch(name, rows, &report::caller(lua)).map_err(ScriptError::from)?;
    Ok(LuaValue::Nil)
}

/// Changes as a list of plain tables.
fn listed<'c>(lua: &Lua, changes: impl IntoIterator<Item = &'c Change>) -> mlua::Result<Table> {
    let list = lua.create_table()?;
    for change in changes {
        let row = lua.create_table()?;
        row.raw_set("subject", change.subject.as_str())?;
        row.raw_set("what", change.what.as_str())?;
        row.raw_set("by", change.by.as_str())?;
        list.raw_push(row)?;
    }
    Ok(list)
}

/// The table `house`.
pub(crate) fn table(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let house = lua.create_table()?;
    let with = |name: &str| (name.to_owned(), Rc::clone(shared));
    let (name, state) = with("set");
    house.raw_set(
        name,
        lua.create_function(move |lua, (path, value): (String, LuaValue)| {
            let value = value::from_lua(lua, &value, &path)?;
            for_change(&state)?.set(&path, value, &report::caller(lua)).map_err(ScriptError::from)?;
            Ok(())
        })?,
    )?;
    let (name, state) = with("get");
    house.raw_set(
        name,
        lua.create_function(move |lua, path: String| {
            let value = state.house.borrow().switch(&path).map_err(ScriptError::from)?;
            value::to_lua(lua, &value)
        })?,
    )?;
    let (name, state) = with("table");
    house.raw_set(
        name,
        lua.create_function(move |lua, (name, rows): (String, LuaValue)| patch(lua, &state, &name, rows))?,
    )?;
    let (name, state) = with("wrap");
    house.raw_set(
        name,
        lua.create_function(move |lua, (name, function): (String, Function)| wrap(lua, &state, &name, function))?,
    )?;
    let (name, state) = with("rule");
    house.raw_set(name, lua.create_function(move |lua, definition: Table| rule(lua, &state, &definition))?)?;
    let (name, state) = with("changes");
    house.raw_set(name, lua.create_function(move |lua, ()| listed(lua, state.house.borrow().changes()))?)?;
    let (name, state) = with("conflicts");
    house.raw_set(
        name,
        lua.create_function(move |lua, ()| {
            let list = lua.create_table()?;
            for (subject, changes) in state.house.borrow().conflicts() {
                let row = lua.create_table()?;
                row.raw_set("subject", subject)?;
                row.raw_set("changes", listed(lua, &changes)?)?;
                list.raw_push(row)?;
            }
            Ok(list)
        })?,
    )?;
    strict(lua, &house, "house")?;
    freeze(&house)?;
    Ok(house)
}
