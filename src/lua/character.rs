//! `character{…}` and `party{…}`: people who carry the rules with them.
//!
//! ```lua
//! local tam = character{ name = "Tam", species = "halfling", classes = { { class = "thief", level = 5 } },
//!   max_hp = 18, scores = { dex = 16, str = 10 }, good_at = { climb_walls = "good" } }
//! tam.hp, tam.status, tam.dex, tam.awake           -- fields are read
//! tam:check("climb_walls", { difficulty = 3, circumstance = 1 })
//! tam:take_damage(9)   tam:heal(4)   tam:strain()   tam:bind{ delay = 1 }   tam:heal_spell()
//! tam:pass{ rounds = 3 }   tam:pass{ hours = 8 }
//! tam:award{ xp = 400, individual = { 50 } }   tam:train{ gold = 5400, trainer = true, class = "thief", new_class = "druid" }
//! tam:examine{ gold = 900, fees = { ["2"] = 100 }, class = "thief" }
//! tam:read_scroll{ spell_level = 6 }
//! tam:sheet()   tam:data()                          -- text for people; the plain table that `character` takes back
//! party{ tam, ilse }:award{ xp = 2700 }             -- also :list(), :members(), :data()
//! ```
//!
//! Fields are never set: a character changes by what happens to it. What fails leaves it as it was.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{AnyUserData, Lua, MetaMethod, UserData, UserDataMethods, Value as LuaValue};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::shared::Shared;
use super::value;
use crate::campaign::{self, Character};
use crate::nearest::nearest;
use crate::rules::ability::Ability;
use crate::rules::core::{Positive, Referee, RuleError, Value, read, write};

/// How many characters a host keeps at once: memory that a script makes it allocate.
const MOST_CHARACTERS: usize = 10_000;

/// How many members a party has.
const MOST_MEMBERS: usize = 1_000;

const CHARACTER_METHODS: [&str; 13] = [
    "check",
    "take_damage",
    "heal",
    "strain",
    "bind",
    "heal_spell",
    "pass",
    "award",
    "train",
    "examine",
    "read_scroll",
    "sheet",
    "data",
];

const PARTY_METHODS: [&str; 4] = ["award", "list", "members", "data"];

/// A character in a script's hands.
struct LuaCharacter {
    shared: Rc<Shared>,
    character: RefCell<Character>,
    /// Counted to know how many characters there are.
    _place: Rc<()>,
}

/// An argument table as a typed record; nothing is an empty table. `what` names the call in errors.
fn arguments<T: DeserializeOwned>(lua: &Lua, given: &LuaValue, what: &str) -> Result<T, ScriptError> {
    let table = match given {
        LuaValue::Nil => Value::empty(),
        LuaValue::Table(_) => value::from_lua(lua, given, what)?,
        other => {
            let message = format!("{what} takes a table, {what}{{ … }}, not {}", value::described(other));
            return Err(ScriptError::new(ScriptErrorKind::Rule, message));
        }
    };
    read(&table).map_err(|error| error.in_rule(what).into())
}

/// Hit points that a script names.
fn points(given: &LuaValue, what: &str) -> Result<Positive, ScriptError> {
    let whole = if let LuaValue::Integer(whole) = given { Positive::new(*whole) } else { None };
    whole.ok_or_else(|| {
        let message = format!("{what} takes a whole number of 1 or more, not {}", value::described(given));
        ScriptError::new(ScriptErrorKind::Rule, message)
    })
}

fn plain<T: Serialize>(lua: &Lua, outcome: &T) -> mlua::Result<LuaValue> {
    value::to_lua(lua, &write(outcome).map_err(ScriptError::from)?)
}

/// Refuses a name that neither a method nor a field has, naming the nearest.
fn no_field(of: &str, name: &str, methods: &[&str], fields: &[&str]) -> mlua::Error {
    let near = match nearest(name, methods.iter().chain(fields).copied()) {
        Some(near) if methods.contains(&near) => format!("did you mean :{near}(…)?"),
        Some(near) => format!("did you mean .{near}?"),
        None => format!("it has :{}", methods.join(", :")),
    };
    failure(format!("{of} has no \"{name}\"; {near}"))
}

fn name_of(key: &LuaValue) -> String {
    key.to_string().unwrap_or_default()
}

impl LuaCharacter {
    /// Something that only looks at the character.
    fn look<T>(
        &self,
        run: impl FnOnce(&Character, &mut Referee<'_>) -> Result<T, RuleError>,
    ) -> Result<T, ScriptError> {
        let character = self.character.borrow();
        self.shared.with_referee(|referee| run(&character, referee))
    }

    /// Something that changes the character: it happens to a copy, which takes the place of the old one when all went
    /// well. House rules that look at the character meanwhile see it as it was.
    fn change<T>(
        &self,
        run: impl FnOnce(&mut Character, &mut Referee<'_>) -> Result<T, RuleError>,
    ) -> Result<T, ScriptError> {
        let mut changed = self.character.borrow().clone();
        let outcome = self.shared.with_referee(|referee| run(&mut changed, referee))?;
        self.put(changed)?;
        Ok(outcome)
    }

    fn put(&self, changed: Character) -> Result<(), ScriptError> {
        let Ok(mut place) = self.character.try_borrow_mut() else {
            let message = "a character cannot change while a check of its own is being resolved";
            return Err(ScriptError::new(ScriptErrorKind::Runtime, message));
        };
        *place = changed;
        Ok(())
    }
}

impl UserData for LuaCharacter {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("check", |lua, this, (what, given): (LuaValue, LuaValue)| {
            let LuaValue::String(what) = &what else {
                let given = value::described(&what);
                return Err(failure(format!(
                    "check takes a skill or an ability, :check(\"climb_walls\"), not {given}"
                )));
            };
            let what = what.to_str()?;
            let args = if given.is_nil() { campaign::CheckArgs::default() } else { arguments(lua, &given, "check")? };
            plain(lua, &this.look(|character, referee| character.check(&what, args, referee))?)
        });
        methods.add_method("take_damage", |lua, this, damage: LuaValue| {
            let damage = points(&damage, "take_damage")?;
            plain(lua, &this.change(|character, referee| character.take_damage(damage, referee))?)
        });
        methods.add_method("heal", |lua, this, amount: LuaValue| {
            let amount = points(&amount, "heal")?;
            plain(lua, &this.change(|character, referee| character.heal(amount, referee))?)
        });
        methods.add_method("strain", |lua, this, ()| plain(lua, &this.change(Character::strain)?));
        methods.add_method("heal_spell", |lua, this, ()| plain(lua, &this.change(Character::heal_spell)?));
        methods.add_method("bind", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "bind")?;
            plain(lua, &this.change(|character, referee| character.bind(args, referee))?)
        });
        methods.add_method("pass", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "pass")?;
            plain(lua, &this.change(|character, referee| character.pass(args, referee))?)
        });
        methods.add_method("award", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "award")?;
            plain(lua, &this.change(|character, referee| character.award(args, referee))?)
        });
        methods.add_method("train", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "train")?;
            plain(lua, &this.change(|character, referee| character.train(args, referee))?)
        });
        methods.add_method("examine", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "examine")?;
            plain(lua, &this.change(|character, referee| character.examine(args, referee))?)
        });
        methods.add_method("read_scroll", |lua, this, given: LuaValue| {
            let args = arguments(lua, &given, "read_scroll")?;
            plain(lua, &this.look(|character, referee| character.read_scroll(args, referee))?)
        });
        methods.add_method("sheet", |_, this, ()| Ok(this.character.borrow().sheet()));
        methods.add_method("data", |lua, this, ()| plain(lua, &*this.character.borrow()));
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.character.borrow().sheet()));
        methods.add_meta_method(MetaMethod::Index, |lua, this, key: LuaValue| {
            let name = name_of(&key);
            if let Some(found) = this.character.borrow().field(&name) {
                return value::to_lua(lua, &found);
            }
            let abilities = Ability::ALL.map(Ability::name);
            let fields: Vec<&str> = Character::FIELDS.into_iter().chain(abilities).collect();
            Err(no_field("a character", &name, &CHARACTER_METHODS, &fields))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, (key, _): (LuaValue, LuaValue)| -> mlua::Result<()> {
            Err(failure(format!(
                "the {} of a character cannot be set; it changes by what happens: :take_damage(9), :heal(3), :award{{…}}",
                name_of(&key)
            )))
        });
    }
}

/// A party in a script's hands: the characters themselves, not copies.
struct LuaParty {
    shared: Rc<Shared>,
    members: Vec<AnyUserData>,
}

impl LuaParty {
    fn award(&self, args: campaign::PartyAwardArgs) -> mlua::Result<campaign::PartyAward> {
        let mut changed = Vec::with_capacity(self.members.len());
        for member in &self.members {
            changed.push(member.borrow::<LuaCharacter>()?.character.borrow().clone());
        }
        let outcome = self.shared.with_referee(|referee| campaign::award(&mut changed, args, referee))?;
        for (member, changed) in self.members.iter().zip(changed) {
            member.borrow::<LuaCharacter>()?.put(changed)?;
        }
        Ok(outcome)
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
            plain(lua, &this.award(arguments(lua, &given, "award")?)?)
        });
        methods.add_method("members", |lua, this, ()| lua.create_sequence_from(this.members.iter().cloned()));
        methods.add_method("list", |lua, this, ()| {
            let list = lua.create_table()?;
            for member in &this.members {
                let member = member.borrow::<LuaCharacter>()?;
                let character = member.character.borrow();
                if character.is_awake() {
                    let elf = character.species() == crate::rules::level::Species::Elf;
                    list.raw_push(plain(lua, &Listed { name: character.name(), kind: elf.then_some("elf") })?)?;
                }
            }
            Ok(list)
        });
        methods.add_method("data", |lua, this, ()| {
            let list = lua.create_table()?;
            for member in &this.members {
                list.raw_push(plain(lua, &*member.borrow::<LuaCharacter>()?.character.borrow())?)?;
            }
            Ok(list)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            let mut sheets = Vec::with_capacity(this.members.len());
            for member in &this.members {
                sheets.push(member.borrow::<LuaCharacter>()?.character.borrow().sheet());
            }
            Ok(sheets.join("\n"))
        });
        methods.add_meta_method(MetaMethod::Len, |_, this, ()| Ok(this.members.len()));
        methods.add_meta_method(MetaMethod::Index, |_, this, key: LuaValue| {
            let LuaValue::Integer(place) = key else {
                return Err(no_field("a party", &name_of(&key), &PARTY_METHODS, &[]));
            };
            let member = usize::try_from(place - 1).ok().and_then(|place| this.members.get(place));
            Ok(member.map_or(LuaValue::Nil, |member| LuaValue::UserData(member.clone())))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, _: (LuaValue, LuaValue)| -> mlua::Result<()> {
            Err(failure("a party is made with its members, party{ tam, ilse }; make another"))
        });
    }
}

/// The members that a script gives: a list of characters, each once.
fn members(given: &LuaValue) -> mlua::Result<Vec<AnyUserData>> {
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
    let mut members: Vec<AnyUserData> = Vec::with_capacity(length);
    let mut names: Vec<String> = Vec::with_capacity(length);
    for place in 1..=length {
        let member: LuaValue = list.raw_get(place)?;
        let LuaValue::UserData(member) = &member else {
            let given = value::described(&member);
            return Err(failure(format!("member {place} of a party must be a character, character{{…}}, not {given}")));
        };
        let Ok(name) = member.borrow::<LuaCharacter>().map(|member| member.character.borrow().name().to_owned()) else {
            return Err(failure(format!("member {place} of a party must be a character, character{{…}}")));
        };
        if names.contains(&name) {
            return Err(failure(format!("member {place} of a party must be another: \"{name}\" stands there twice")));
        }
        names.push(name);
        members.push(member.clone());
    }
    Ok(members)
}

/// Puts `character` and `party` into the globals.
pub(crate) fn install(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let globals = lua.globals();
    let state = Rc::clone(shared);
    let places = Rc::new(());
    let character = lua.create_function(move |lua, given: LuaValue| {
        let LuaValue::Table(_) = &given else {
            let given = value::described(&given);
            return Err(failure(format!("character takes a table, character{{ name = \"Tam\", … }}, not {given}")));
        };
        if Rc::strong_count(&places) > MOST_CHARACTERS {
            // Those that the script has dropped may still wait to be collected.
            lua.gc_collect()?;
            if Rc::strong_count(&places) > MOST_CHARACTERS {
                return Err(failure(format!("there are {MOST_CHARACTERS} characters already; no more can be kept")));
            }
        }
        let table = value::from_lua(lua, &given, "character")?;
        let character = state
            .with_referee(|referee| Character::read(&table, referee).map_err(|error| error.in_rule("character")))?;
        lua.create_userdata(LuaCharacter {
            shared: Rc::clone(&state),
            character: RefCell::new(character),
            _place: Rc::clone(&places),
        })
    })?;
    globals.raw_set("character", character)?;
    let state = Rc::clone(shared);
    let party = lua.create_function(move |lua, given: LuaValue| {
        lua.create_userdata(LuaParty { shared: Rc::clone(&state), members: members(&given)? })
    })?;
    globals.raw_set("party", party)
}
