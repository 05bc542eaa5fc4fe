//! What explored scripts are given in the place of single dice, so that sums can be drawn in one step.
//!
//! Odds first run a function without drawing single dice: a roll has its total and nothing else, and lists of numbers in
//! the outcome of a rule are only a stand-in. Whoever looks at such a thing has looked at dice, and the function is
//! explored again with every die drawn singly.

use std::rc::Rc;

use mlua::{Lua, MetaMethod, UserData, UserDataMethods, Value as LuaValue};

use super::super::errors::failure;
use super::super::shape::{Formed, Shape};
use super::super::shared::{Look, Shared};
use super::super::value;
use crate::dice::RollValue;
use crate::rules::core::Value;

/// Dice that were not drawn singly: the stand-in of a whole roll, or of a list of numbers.
pub(crate) struct Unseen {
    shared: Rc<Shared>,
    /// What the roll came to; nothing for a list.
    pub(super) value: Option<RollValue>,
    /// The list, as the rule told it without its single dice.
    list: Vec<Value>,
}

impl Unseen {
    /// Somebody looked: the run is void, and even a `pcall` does not save it.
    fn looked(&self) -> mlua::Error {
        if self.shared.look.get() == Some(Look::Totals) {
            self.shared.look.set(Some(Look::Looked));
        }
        failure("the single dice of a sum were not drawn")
    }

    /// The list that this stands for, to be passed on unseen; nothing for a roll.
    pub(crate) fn list(&self) -> Option<&[Value]> {
        self.value.is_none().then_some(self.list.as_slice())
    }

    fn field(&self, lua: &Lua, name: &LuaValue) -> mlua::Result<LuaValue> {
        let name = name.as_string().map(mlua::LuaString::to_string_lossy).unwrap_or_default();
        match (name.as_str(), &self.value) {
            ("total", Some(RollValue::Number(total))) => Ok(LuaValue::Integer(*total)),
            ("total", Some(RollValue::List(values))) => Ok(LuaValue::Integer(values.iter().sum())),
            ("values", Some(RollValue::List(values))) => {
                Ok(LuaValue::Table(lua.create_sequence_from(values.iter().copied())?))
            }
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
    match &unseen.value {
        Some(RollValue::Number(total)) => Ok(*total as f64),
        Some(RollValue::List(values)) => Ok(values.iter().sum::<i64>() as f64),
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

/// A roll of which only the total was drawn.
pub(crate) fn roll(lua: &Lua, shared: &Rc<Shared>, value: RollValue) -> mlua::Result<LuaValue> {
    let roll = Unseen { shared: Rc::clone(shared), value: Some(value), list: Vec::new() };
    Ok(LuaValue::UserData(lua.create_userdata(roll)?))
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
        let stand_in = || Unseen { shared: Rc::clone(shared), value: None, list: items.to_vec() };
        may_be_dice.then(|| lua.create_userdata(stand_in()).map(LuaValue::UserData))
    }
}
