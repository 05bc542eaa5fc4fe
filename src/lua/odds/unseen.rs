//! What explored scripts are given in the place of single dice, so that sums can be drawn in one step.
//!
//! Odds first run a function without drawing single dice: a roll has its total or its dice in ascending order, whichever
//! is asked for first, and lists of numbers in the outcome of a rule are only a stand-in. Whoever looks at such a thing has
//! looked at dice, and the function is explored again with every die drawn singly.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, MetaMethod, UserData, UserDataMethods, Value as LuaValue};

use super::super::errors::failure;
use super::super::roll::roll_error;
use super::super::shape::{Formed, Shape};
use super::super::shared::{Look, Shared, SharedSource};
use super::super::value;
use crate::dice::{Expression, NotationError, Params, RollValue, Scripted, Source as _};
use crate::rules::core::Value;

/// Dice that were not drawn singly: the stand-in of a whole roll, or of a list of numbers.
pub(crate) struct Unseen {
    shared: Rc<Shared>,
    dice: Dice,
}

/// What was not drawn singly.
enum Dice {
    /// A roll of which only the total was drawn.
    Rolled(RollValue),
    /// A roll of one pool, of which nothing is drawn before somebody asks.
    Pool(Pool),
    /// A list, as the rule told it without its single dice.
    List(Vec<Value>),
}

/// One pool, and what is done with dice whose order does not matter to it.
struct Pool {
    expression: Arc<Expression>,
    params: Params,
    drawn: RefCell<Option<Drawn>>,
}

/// What was drawn of a pool.
#[derive(Clone)]
struct Drawn {
    value: RollValue,
    /// The dice, ascending, where they were asked for.
    sorted: Option<Rc<[i64]>>,
}

impl Pool {
    fn drawn(&self, shared: &Shared, sorted: bool) -> mlua::Result<Drawn> {
        if let Some(drawn) = &*self.drawn.borrow() {
            return Ok(drawn.clone());
        }
        let failed = |error: &NotationError| roll_error(shared, error, self.expression.text());
        let drawn = if let Some((die, count)) = self.expression.lone_pool().filter(|_| sorted) {
            let mut faces = vec![0; count as usize];
            let text = self.expression.text();
            let dealt = SharedSource(shared).sorted(die, text, &mut faces);
            dealt.map_err(|error| failed(&NotationError::no_die(&error, text)))?;
            let value = self.expression.total(&mut Scripted::new(faces.as_slice()), &self.params);
            Drawn { value: value.map_err(|error| failed(&error))?, sorted: Some(faces.into()) }
        } else {
            let value = SharedSource(shared).value_of(&self.expression, &self.params);
            Drawn { value: value.map_err(|error| failed(&error))?, sorted: None }
        };
        self.drawn.replace(Some(drawn.clone()));
        Ok(drawn)
    }
}

impl Unseen {
    /// Somebody looked: the run is void, and even a `pcall` does not save it.
    fn looked(&self) -> mlua::Error {
        self.looked_at(Look::Looked)
    }

    fn looked_at(&self, how: Look) -> mlua::Error {
        if let Some(Look::Totals | Look::Sorted | Look::LookedSorted) = self.shared.look.get() {
            self.shared.look.set(Some(how));
        }
        failure("the single dice of a sum were not drawn")
    }

    /// The list that this stands for, to be passed on unseen; nothing for a roll.
    pub(crate) fn list(&self) -> Option<&[Value]> {
        if let Dice::List(list) = &self.dice { Some(list) } else { None }
    }

    /// What the roll came to; nothing for a list.
    pub(super) fn value(&self) -> mlua::Result<Option<RollValue>> {
        match &self.dice {
            Dice::Rolled(value) => Ok(Some(value.clone())),
            Dice::Pool(pool) => pool.drawn(&self.shared, false).map(|drawn| Some(drawn.value)),
            Dice::List(_) => Ok(None),
        }
    }

    /// The dice of a pool, ascending.
    fn sorted(&self) -> mlua::Result<Rc<[i64]>> {
        let Dice::Pool(pool) = &self.dice else { return Err(self.looked()) };
        // Once the total is drawn, dice that come to it have to be drawn instead.
        pool.drawn(&self.shared, true)?.sorted.ok_or_else(|| self.looked_at(Look::LookedSorted))
    }

    fn field(&self, lua: &Lua, name: &LuaValue) -> mlua::Result<LuaValue> {
        let name = name.as_string().map(mlua::LuaString::to_string_lossy).unwrap_or_default();
        let list = |values: &[i64]| lua.create_sequence_from(values.iter().copied()).map(LuaValue::Table);
        match name.as_str() {
            "total" => match self.value()? {
                Some(value) => Ok(LuaValue::Integer(value.numbers().iter().sum())),
                None => Err(self.looked()),
            },
            "values" => match self.value()? {
                Some(RollValue::List(values)) => list(&values),
                Some(RollValue::Number(_)) => Ok(LuaValue::Nil),
                None => Err(self.looked()),
            },
            "sorted" => list(&self.sorted()?),
            _ => Err(self.looked()),
        }
    }
}

/// What a value counts for in arithmetic: a roll for its total.
fn number(value: &LuaValue) -> mlua::Result<f64> {
    let unseen = match value {
        LuaValue::Integer(whole) => return Ok(*whole as f64),
        LuaValue::Number(number) => return Ok(*number),
        LuaValue::UserData(data) => data.borrow::<Unseen>().ok(),
        _ => None,
    };
    let Some(unseen) = unseen else {
        let other = value.type_name();
        return Err(failure(format!("a roll counts as its total in arithmetic, and a {other} is no number")));
    };
    match unseen.value()? {
        Some(value) => Ok(value.numbers().iter().sum::<i64>() as f64),
        None => Err(unseen.looked()),
    }
}

/// Arithmetic of two values, one of them a roll.
type Reckoned = fn(f64, f64) -> f64;

/// The arithmetic of rolls, as Luau reckons with their totals.
const ARITHMETIC: [(MetaMethod, Reckoned); 7] = [
    (MetaMethod::Add, |a, b| a + b),
    (MetaMethod::Sub, |a, b| a - b),
    (MetaMethod::Mul, |a, b| a * b),
    (MetaMethod::Div, |a, b| a / b),
    (MetaMethod::IDiv, |a, b| (a / b).floor()),
    (MetaMethod::Mod, |a, b| a - (a / b).floor() * b),
    (MetaMethod::Pow, f64::powf),
];

impl UserData for Unseen {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        for (method, reckon) in ARITHMETIC {
            methods
                .add_meta_function(method, move |_, (a, b): (LuaValue, LuaValue)| Ok(reckon(number(&a)?, number(&b)?)));
        }
        methods.add_meta_function(MetaMethod::Unm, |_, a: LuaValue| Ok(-number(&a)?));
        methods.add_meta_function(MetaMethod::Eq, |_, (a, b): (LuaValue, LuaValue)| {
            Ok(number(&a)?.total_cmp(&number(&b)?).is_eq())
        });
        methods.add_meta_function(MetaMethod::Lt, |_, (a, b): (LuaValue, LuaValue)| Ok(number(&a)? < number(&b)?));
        methods.add_meta_function(MetaMethod::Le, |_, (a, b): (LuaValue, LuaValue)| Ok(number(&a)? <= number(&b)?));
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: LuaValue| this.field(lua, &name));
        let looks = [MetaMethod::Len, MetaMethod::Iter, MetaMethod::ToString, MetaMethod::Call, MetaMethod::NewIndex];
        for look in looks {
            methods.add_meta_method(look, |_, this, ()| -> mlua::Result<()> { Err(this.looked()) });
        }
    }
}

/// A roll whose dice are not drawn singly.
pub(crate) fn roll(
    lua: &Lua,
    shared: &Rc<Shared>,
    expression: &Arc<Expression>,
    params: Params,
) -> mlua::Result<LuaValue> {
    let dice = if expression.lone_pool().is_some() {
        let pool = Pool { expression: Arc::clone(expression), params, drawn: RefCell::new(None) };
        if shared.look.get() == Some(Look::Sorted) {
            pool.drawn(shared, true)?;
        }
        Dice::Pool(pool)
    } else {
        let value = SharedSource(shared).value_of(expression, &params);
        Dice::Rolled(value.map_err(|error| roll_error(shared, &error, expression.text()))?)
    };
    Ok(LuaValue::UserData(lua.create_userdata(Unseen { shared: Rc::clone(shared), dice })?))
}

/// The outcome of a rule as a script is given it. Where sums were drawn, dice stand in lists of numbers, so nobody may
/// look into those.
pub(crate) fn outcome(
    lua: &Lua,
    shared: &Rc<Shared>,
    outcome: &Value,
    formed: Option<&Formed>,
) -> mlua::Result<LuaValue> {
    let Some(formed) = formed else { return plain_outcome(lua, shared, outcome) };
    if !shared.draws_totals() {
        return value::to_shaped_lua(lua, outcome, formed);
    }
    value::to_lua_with(lua, outcome, (&formed.shape, &formed.metatables), &stand_ins(lua, shared))
}

/// The outcome of a rule of which no fields are known.
fn plain_outcome(lua: &Lua, shared: &Rc<Shared>, outcome: &Value) -> mlua::Result<LuaValue> {
    if !shared.draws_totals() {
        return value::to_lua(lua, outcome);
    }
    value::to_lua_with(lua, outcome, (&Shape::Plain, &lua.create_table()?), &stand_ins(lua, shared))
}

/// What stands in the place of a list that may be one of dice.
fn stand_ins(lua: &Lua, shared: &Rc<Shared>) -> impl Fn(&[Value]) -> Option<mlua::Result<LuaValue>> {
    |items| {
        let may_be_dice = items.iter().all(|item| matches!(item, Value::Whole(_)));
        let stand_in = || Unseen { shared: Rc::clone(shared), dice: Dice::List(items.to_vec()) };
        may_be_dice.then(|| lua.create_userdata(stand_in()).map(LuaValue::UserData))
    }
}
