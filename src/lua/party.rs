//! `party{…}`: several characters together.

use std::rc::Rc;

use mlua::{AnyUserData, Lua, MetaMethod, UserData, UserDataMethods, Value as LuaValue};
use serde::Serialize;

use super::character::{LuaCharacter, Person, answered, arguments, handle, name_of, no_field, plain};
use super::errors::{ScriptError, failure};
use super::shared::Shared;
use super::value;
use crate::rules::core::RuleError;
use crate::rules::level::Species;
use crate::world::{self, Draft};

/// How many members a party has.
const MOST_MEMBERS: usize = 1_000;

const PARTY_METHODS: [&str; 4] = ["award", "list", "members", "data"];

/// A party in a script's hands: the people themselves, not copies.
struct LuaParty {
    shared: Rc<Shared>,
    members: Vec<Rc<Person>>,
}

impl LuaParty {
    /// Shares an award: it happens to copies, which are taken over together.
    fn award(&self, args: world::PartyAwardArgs) -> Result<world::PartyAward, ScriptError> {
        let drafts: Result<Vec<Draft>, _> = {
            let world = self.shared.world.borrow();
            self.members.iter().map(|member| world.draft(member.id)).collect()
        };
        let mut drafts = drafts.map_err(RuleError::from)?;
        let mut copies: Vec<_> = drafts.iter_mut().map(|draft| &mut draft.character).collect();
        let outcome = self.shared.with_referee(|referee| world::award(&mut copies, args, referee))?;
        self.shared.world.borrow_mut().put_all(drafts).map_err(RuleError::from)?;
        Ok(outcome)
    }

    /// The handles of the members.
    fn handles(&self, lua: &Lua) -> mlua::Result<Vec<AnyUserData>> {
        self.members.iter().map(|member| handle(lua, member)).collect()
    }
}

/// A member as rules about groups take it: the name, and the kind where it matters to surprise.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
}

impl UserData for LuaParty {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("award", |lua, this, given: LuaValue| {
            answered(lua, "party:award", &this.award(arguments(lua, &given, "award")?)?)
        });
        methods.add_method("members", |lua, this, ()| lua.create_sequence_from(this.handles(lua)?));
        methods.add_method("list", |lua, this, ()| {
            let list = lua.create_table()?;
            for member in &this.members {
                member.look(|character| {
                    if !character.is_awake() {
                        return Ok(());
                    }
                    let elf = character.species() == Species::Elf;
                    list.raw_push(plain(lua, &Listed { name: character.name(), kind: elf.then_some("elf") })?)
                })?;
            }
            Ok(list)
        });
        methods.add_method("data", |lua, this, ()| {
            let list = lua.create_table()?;
            for member in &this.members {
                list.raw_push(member.look(|character| plain(lua, character))?)?;
            }
            Ok(list)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            let sheet = |member: &Rc<Person>| member.look(|character| Ok::<_, ScriptError>(character.sheet()));
            let sheets: Result<Vec<String>, ScriptError> = this.members.iter().map(sheet).collect();
            Ok(sheets?.join("\n"))
        });
        methods.add_meta_method(MetaMethod::Len, |_, this, ()| Ok(this.members.len()));
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: LuaValue| {
            let LuaValue::Integer(place) = key else {
                return Err(no_field("a party", &name_of(&key), &PARTY_METHODS, &[]));
            };
            let member = usize::try_from(place - 1).ok().and_then(|place| this.members.get(place));
            member.map_or(Ok(LuaValue::Nil), |member| handle(lua, member).map(LuaValue::UserData))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, _: (LuaValue, LuaValue)| -> mlua::Result<()> {
            Err(failure("a party is made with its members, party{ tam, ilse }; make another"))
        });
    }
}

/// The members that a script gives: a list of characters, each once.
fn members(given: &LuaValue) -> mlua::Result<Vec<Rc<Person>>> {
    let LuaValue::Table(list) = given else {
        return Err(failure(format!(
            "party takes a list of characters, party{{ tam, ilse }}, not {}",
            value::described(given)
        )));
    };
    let length = list.raw_len();
    if length == 0 || length > MOST_MEMBERS {
        return Err(failure(format!("a party has from 1 to {MOST_MEMBERS} members, not {length}")));
    }
    let mut members: Vec<Rc<Person>> = Vec::with_capacity(length);
    let mut names: Vec<String> = Vec::with_capacity(length);
    for place in 1..=length {
        let member: LuaValue = list.raw_get(place)?;
        let LuaValue::UserData(member) = &member else {
            let given = value::described(&member);
            return Err(failure(format!("member {place} of a party must be a character, character{{…}}, not {given}")));
        };
        let Ok(person) = member.borrow::<LuaCharacter>().map(|member| Rc::clone(&member.0)) else {
            return Err(failure(format!("member {place} of a party must be a character, character{{…}}")));
        };
        let name = person.look(|character| Ok::<_, ScriptError>(character.name().to_owned()))?;
        if names.contains(&name) {
            return Err(failure(format!("member {place} of a party must be another: \"{name}\" stands there twice")));
        }
        names.push(name);
        members.push(person);
    }
    Ok(members)
}

/// Puts `party` into the globals.
pub(crate) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let state = Rc::clone(shared);
    let party = lua.create_function(move |lua, given: LuaValue| {
        lua.create_userdata(LuaParty { shared: Rc::clone(&state), members: members(&given)? })
    })?;
    lua.globals().raw_set("party", party)
}
