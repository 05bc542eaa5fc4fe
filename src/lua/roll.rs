//! `roll("3d6+1")`, and the plain fast calls `roll.d(20)` and `roll.sum(3, 6)`.

use std::cell::RefCell;
use std::rc::Rc;

use compact_str::CompactString;
use mlua::{Function, Lua, ObjectLike as _, Table, Value as LuaValue};

use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::odds::unseen;
use super::sandbox::{OWN_CHUNK, freeze};
use super::shape::Shapes;
use super::shared::{Shared, SharedSource};
use super::value;
use crate::dice::notation::UnknownDialect;
use crate::dice::roll::Fate;
use crate::dice::{
    Dialect, Die, ExpressionCache, Limits as NotationLimits, NotationError, Params, Recorder, Roll, RollValue,
    Source as _,
};
use crate::rules::core::{Fields, Step, Value};

/// Expressions kept read.
const CACHED: usize = 64;

/// Steps that a roll costs before any die: reading its text and building its table.
const STEPS_A_ROLL: u64 = 20;

/// A whole number that a plain call is given, from 1 on.
pub(crate) fn count(value: &LuaValue, what: &str) -> mlua::Result<u32> {
    let number = match value {
        LuaValue::Integer(number) => u32::try_from(*number).ok(),
        _ => None,
    };
    match number {
        Some(number) if number > 0 => Ok(number),
        _ => Err(failure(format!("{what} must be a whole number from 1 on, not {}", value::described(value)))),
    }
}

fn dice_error(error: &crate::dice::DiceError) -> mlua::Error {
    ScriptError::new(ScriptErrorKind::Rule, error.to_string()).into()
}

/// An error of notation, below the expression with the part at fault marked.
pub(crate) fn notation_error(error: &NotationError, text: &str) -> mlua::Error {
    let start = error.span().start as usize;
    let end = error.span().end as usize;
    let part = text.get(start..end).unwrap_or_default();
    let place = if part.is_empty() || part == text { String::new() } else { format!(" (at \"{part}\")") };
    ScriptError::new(ScriptErrorKind::Notation, format!("\"{text}\": {error}{place}")).into()
}

/// The error of a roll: of its notation, unless the script was stopped meanwhile.
pub(crate) fn roll_error(shared: &Shared, error: &NotationError, text: &str) -> mlua::Error {
    match shared.meter.spent() {
        Some(_) => shared.spent_error().into(),
        None => notation_error(error, text),
    }
}

/// A parameter's number: a whole number, or the total of an earlier roll.
fn parameter(given: &LuaValue) -> mlua::Result<Option<i64>> {
    let total = match given {
        LuaValue::Integer(number) => return Ok(Some(*number)),
        LuaValue::Table(roll) => roll.raw_get("total")?,
        LuaValue::UserData(unseen) => unseen.get("total")?,
        _ => LuaValue::Nil,
    };
    Ok(if let LuaValue::Integer(total) = total { Some(total) } else { None })
}

/// Whose notation a roll is in: `{ str = 2, dialect = "avrae" }`. Nothing where a parameter has that name.
fn dialect_named(given: &Table) -> mlua::Result<Option<Dialect>> {
    let LuaValue::String(name) = given.raw_get("dialect")? else { return Ok(None) };
    name.to_string_lossy().parse().map(Some).map_err(|error: UnknownDialect| failure(error.to_string()))
}

pub(crate) fn params(given: Option<Table>) -> mlua::Result<Params> {
    read_params(given, false)
}

fn read_params(given: Option<Table>, has_dialect: bool) -> mlua::Result<Params> {
    let mut params = Params::new();
    let Some(given) = given else { return Ok(params) };
    let mut names = 0;
    given.for_each(|name: LuaValue, number: LuaValue| {
        let LuaValue::String(name) = &name else {
            return Err(failure("the parameters of a roll are a table of names: roll(\"1d20+$str\", { str = 2 })"));
        };
        if has_dialect && name.as_bytes() == b"dialect" {
            return Ok(());
        }
        let Some(whole) = parameter(&number)? else {
            let name = name.to_string_lossy();
            return Err(failure(format!(
                "the parameter ${name} must be a whole number or an earlier roll, not {}",
                value::described(&number)
            )));
        };
        names += 1;
        if names > 1_000 {
            return Err(failure("a roll takes at most 1000 parameters"));
        }
        params.set(name.to_string_lossy(), whole);
        Ok(())
    })?;
    Ok(params)
}

/// A roll as a Lua table: `total`, `dice` (the faces in the order drawn), `sorted` (the same, ascending), `sides`,
/// `labels`, `text`, and `values` when the expression is a list.
fn roll_table(lua: &Lua, roll: &Roll, metatable: &Table, dice_shown: &Function) -> mlua::Result<LuaValue> {
    let list = |numbers: &mut dyn Iterator<Item = i64>| Value::List(numbers.map(Value::Whole).collect());
    let labels =
        roll.labels().iter().map(|label| (CompactString::from(label.label.as_str()), Value::Whole(label.total)));
    let mut fields = vec![
        (CompactString::const_new("total"), Value::Whole(roll.total())),
        (CompactString::const_new("dice"), list(&mut roll.dice().iter().map(|die| die.raw))),
        (CompactString::const_new("sorted"), list(&mut roll.sorted().into_iter())),
        (CompactString::const_new("sides"), list(&mut roll.dice().iter().map(|die| i64::from(die.sides)))),
        (CompactString::const_new("labels"), Value::Map(Fields(labels.collect()))),
        (CompactString::const_new("text"), Value::Text(roll.plain().into())),
    ];
    if roll.dialect() != Dialect::Grognard {
        fields.push((CompactString::const_new("read_as"), Value::Text(roll.tree().to_string().into())));
    }
    if let RollValue::List(values) = roll.value() {
        fields.push((CompactString::const_new("values"), list(&mut values.iter().copied())));
    }
    let table = value::to_lua(lua, &Value::Map(Fields(fields)))?;
    if let LuaValue::Table(table) = &table {
        mark_dice(lua, roll, &table.raw_get("dice")?, dice_shown)?;
        table.set_metatable(Some(metatable.clone()))?;
    }
    Ok(table)
}

/// Lets a list of faces show which of them were dropped, `(1)`, or rolled again, `1r`. Without such dice it is a list
/// like any other; so is one that a script has changed since.
fn mark_dice(lua: &Lua, roll: &Roll, dice: &Table, shown: &Function) -> mlua::Result<()> {
    const MOST_MARKED: usize = 1_000;
    if roll.dice().len() > MOST_MARKED || roll.dice().iter().all(|die| matches!(die.fate, Fate::Kept)) {
        return Ok(());
    }
    let marked = roll.dice().iter().map(|die| match die.fate {
        Fate::Kept => die.raw.to_string(),
        Fate::Dropped(_) => format!("({})", die.raw),
        Fate::Rerolled(_) => format!("{}r", die.raw),
    });
    let marked = format!("{{ {} }}", marked.collect::<Vec<_>>().join(", "));
    let plain = Value::List(roll.dice().iter().map(|die| Value::Whole(die.raw)).collect()).to_string();
    let metatable = lua.create_table()?;
    metatable.raw_set("marked", marked)?;
    metatable.raw_set("plain", plain)?;
    metatable.raw_set("__tostring", shown)?;
    metatable.raw_set("__metatable", false)?;
    freeze(&metatable)?;
    dice.set_metatable(Some(metatable))?;
    Ok(())
}

/// A list of faces as people read it, with the marks that [`mark_dice`] gave it.
fn dice_shown(lua: &Lua, dice: Table) -> mlua::Result<String> {
    let now = value::from_lua(lua, &LuaValue::Table(dice.clone()), "the dice")?.to_string();
    let Some(metatable) = dice.metatable() else { return Ok(now) };
    if metatable.raw_get::<String>("plain")? == now { metatable.raw_get("marked") } else { Ok(now) }
}

/// What a roll keeps from one call to the next.
struct Rolling {
    shared: Rc<Shared>,
    expressions: RefCell<ExpressionCache>,
    metatable: Table,
    dice_shown: Function,
}

impl Rolling {
    fn roll(&self, lua: &Lua, text: &str, given: Option<Table>) -> mlua::Result<LuaValue> {
        let dialect = given.as_ref().map(dialect_named).transpose()?.flatten();
        let params = read_params(given, dialect.is_some())?;
        let dialect = dialect.unwrap_or_default();
        let shared = &self.shared;
        shared.charge(STEPS_A_ROLL)?;
        let expression = self.expressions.borrow_mut().get_in(text, dialect);
        let expression = expression.map_err(|error| notation_error(&error, text))?;
        if shared.draws_totals() {
            return unseen::roll(lua, shared, &expression, params);
        }
        let mut source = SharedSource(shared);
        let roll = if shared.keeps_trace() {
            let mut recorder = Recorder::new(&mut source);
            let roll = expression.roll(&mut recorder, &params);
            shared.note_roll(text, recorder.draws());
            roll
        } else {
            expression.roll(&mut source, &params)
        };
        let roll = roll.map_err(|error| roll_error(shared, &error, text))?;
        roll_table(lua, &roll, &self.metatable, &self.dice_shown)
    }
}

/// What a roll has. `values` is nil unless the expression is a list.
const FIELDS: [&str; 7] = ["total", "dice", "sorted", "sides", "labels", "text", "values"];

/// A roll counts as its total: in sums, and beside another roll.
const ARITHMETIC: &str = "
local metatable = ...
local function total(value)
  if type(value) == 'number' then return value end
  if type(value) == 'table' and getmetatable(value) == metatable then return value.total end
  error('a roll counts as its total in arithmetic, and a ' .. type(value) .. ' is no number', 3)
end
metatable.__add = function(a, b) return total(a) + total(b) end
metatable.__sub = function(a, b) return total(a) - total(b) end
metatable.__mul = function(a, b) return total(a) * total(b) end
metatable.__div = function(a, b) return total(a) / total(b) end
metatable.__idiv = function(a, b) return total(a) // total(b) end
metatable.__mod = function(a, b) return total(a) % total(b) end
metatable.__pow = function(a, b) return total(a) ^ total(b) end
metatable.__unm = function(a) return -total(a) end
metatable.__eq = function(a, b) return total(a) == total(b) end
metatable.__lt = function(a, b) return total(a) < total(b) end
metatable.__le = function(a, b) return total(a) <= total(b) end
";

/// The metatable of rolls.
fn roll_metatable(lua: &Lua) -> mlua::Result<Table> {
    let metatable = Shapes::metatable(lua, "a roll has", &FIELDS)?;
    metatable.raw_set("__tostring", lua.create_function(|_, roll: Table| roll.raw_get::<LuaValue>("text"))?)?;
    metatable.raw_set("__type", "roll")?;
    lua.load(ARITHMETIC).set_name(OWN_CHUNK).call::<()>(&metatable)?;
    freeze(&metatable)?;
    Ok(metatable)
}

/// The function table `roll`.
pub(crate) fn table(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let metatable = roll_metatable(lua)?;
    let draws = u64::from(shared.meter.limits().draws_a_roll);
    let limits = NotationLimits { draws, ..NotationLimits::DEFAULT };
    let expressions = RefCell::new(ExpressionCache::with_limits(CACHED, limits));
    let dice_shown = lua.create_function(dice_shown)?;
    let rolling = Rolling { shared: Rc::clone(shared), expressions, metatable, dice_shown };

    let roll = lua.create_table()?;
    let state = Rc::clone(shared);
    let d = lua.create_function(move |_, sides: LuaValue| {
        let sides = count(&sides, "the sides of a die")?;
        let die = Die::Numbered(sides);
        let face = SharedSource(&state).draw(die, "roll").and_then(|face| die.checked(face, "roll"));
        let face = face.map_err(|error| dice_error(&error))?;
        state.note(|| Step::Draw { sides, face, purpose: "roll".to_owned() });
        Ok(face)
    })?;
    roll.raw_set("d", d)?;
    let state = Rc::clone(shared);
    let sum = lua.create_function(move |_, (number, sides): (LuaValue, LuaValue)| {
        let sides = count(&sides, "the sides of a die")?;
        let number = if number == LuaValue::Integer(0) { 0 } else { count(&number, "the number of dice")? };
        if number > state.meter.limits().draws_a_roll {
            let most = state.meter.limits().draws_a_roll;
            return Err(failure(format!("a roll draws at most {most} dice, not {number}")));
        }
        let die = Die::Numbered(sides);
        let total = SharedSource(&state).sum(die, number, "roll").and_then(|sum| die.checked_sum(sum, number, "roll"));
        let total = total.map_err(|error| dice_error(&error))?;
        state.note(|| Step::Sum { count: number, sides, total, purpose: "roll".to_owned() });
        Ok(total)
    })?;
    roll.raw_set("sum", sum)?;
    let call = lua.create_function(move |lua, (_, text, given): (LuaValue, LuaValue, Option<Table>)| match text {
        LuaValue::String(text) => rolling.roll(lua, &text.to_string_lossy(), given),
        LuaValue::Integer(number) => rolling.roll(lua, &number.to_string(), given),
        other => Err(failure(format!("roll takes dice notation such as \"3d6+1\", not {}", value::described(&other)))),
    })?;
    let callable = lua.create_table()?;
    callable.raw_set("__call", call)?;
    callable.raw_set("__metatable", false)?;
    callable.raw_set("__index", unknown_field(lua)?)?;
    roll.set_metatable(Some(callable))?;
    freeze(&roll)?;
    Ok(roll)
}

fn unknown_field(lua: &Lua) -> mlua::Result<mlua::Function> {
    lua.create_function(|_, (_, name): (LuaValue, LuaValue)| -> mlua::Result<()> {
        let name = name.to_string().unwrap_or_default();
        Err(failure(format!("roll has no \"{name}\"; there are roll.d(sides) and roll.sum(count, sides)")))
    })
}
