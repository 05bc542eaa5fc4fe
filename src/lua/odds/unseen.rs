//! What explored scripts are given in the place of single dice, so that sums can be drawn in one step.
//!
//! Odds first run a function without drawing single dice: a roll has its total and nothing else, and lists of numbers in
//! the outcome of a rule are only a stand-in. Whoever looks at such a thing has looked at dice, and the function is
//! explored again with every die drawn singly.

use std::rc::Rc;

use mlua::{Lua, MetaMethod, UserData, UserDataMethods, Value as LuaValue};

use super::super::errors::failure;
use super::super::shared::{Look, Shared};
use super::super::value;
use crate::dice::RollValue;
use crate::rules::core::Value;

/// Dice that were not drawn singly: the stand-in of a list of numbers, or with `total` that of a whole roll.
pub(super) struct Unseen {
    shared: Rc<Shared>,
    pub(super) value: Option<RollValue>,
}

impl Unseen {
    /// Somebody looked: the run is void, and even a `pcall` does not save it.
    fn looked(&self) -> mlua::Error {
        if self.shared.look.get() == Some(Look::Totals) {
            self.shared.look.set(Some(Look::Looked));
        }
        failure("the single dice of a sum were not drawn")
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

impl UserData for Unseen {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: LuaValue| this.field(lua, &name));
        let looks = [MetaMethod::Len, MetaMethod::Iter, MetaMethod::ToString, MetaMethod::Call, MetaMethod::NewIndex];
        for look in looks {
            methods.add_meta_method(look, |_, this, ()| -> mlua::Result<()> { Err(this.looked()) });
        }
    }
}

/// A roll of which only the total was drawn.
pub(crate) fn roll(lua: &Lua, shared: &Rc<Shared>, value: RollValue) -> mlua::Result<LuaValue> {
    let roll = Unseen { shared: Rc::clone(shared), value: Some(value) };
    Ok(LuaValue::UserData(lua.create_userdata(roll)?))
}

/// The outcome of a rule that drew sums: dice stand in lists of numbers, so nobody may look into those.
pub(crate) fn outcome(lua: &Lua, shared: &Rc<Shared>, outcome: &Value) -> mlua::Result<LuaValue> {
    let unseen = lua.create_userdata(Unseen { shared: Rc::clone(shared), value: None })?;
    value::to_lua_with(lua, outcome, &|items| {
        let may_be_dice = items.iter().all(|item| matches!(item, Value::Whole(_)));
        may_be_dice.then(|| LuaValue::UserData(unseen.clone()))
    })
}
