//! `require`: modules that ship with the program, and files beside the script. Nothing outside its folder.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use mlua::{Lua, Value as LuaValue};

use super::errors::{ScriptError, ScriptErrorKind, failure};
use super::machine::Machine;
use super::pack;
use super::sandbox::freeze;
use super::shape::strict;

/// The modules that ship with the program.
const STANDARD: [(&str, &str); 4] = [
    ("fight", include_str!("../../stdlib/fight.lua")),
    ("psionic", include_str!("../../stdlib/psionic.lua")),
    ("tables", include_str!("../../stdlib/tables.lua")),
    ("test", include_str!("../../stdlib/test.lua")),
];

/// Where a script stands, and the folder that it may read modules from.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The folder of the script, without links.
    pub(crate) folder: PathBuf,
    /// The outermost folder, without links.
    pub(crate) root: PathBuf,
}

/// A module that was required: being read, or read.
enum Module {
    Running,
    Ready(LuaValue),
}

/// The modules of one machine.
#[derive(Default)]
pub(crate) struct Modules {
    known: HashMap<String, Module>,
    /// Who waits for whom, for naming a circle.
    running: Vec<String>,
}

fn refuse(message: impl Into<String>) -> mlua::Error {
    ScriptError::new(ScriptErrorKind::File, message).into()
}

/// The files that a name may stand for, in order.
fn candidates(path: &Path) -> [PathBuf; 4] {
    let with = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    [with(".lua"), with(".luau"), path.join("init.lua"), path.join("init.luau")]
}

/// The file that a relative name stands for. It exists, and lies inside the root with all links followed.
fn find(machine: &Machine, place: &Place, name: &str) -> mlua::Result<PathBuf> {
    let relative = Path::new(name);
    if relative.components().any(|part| matches!(part, Component::Prefix(_) | Component::RootDir)) {
        return Err(failure("require takes no absolute paths; write \"./NAME\" for a file beside this one"));
    }
    let top = match machine.shown(&place.root, &place.root) {
        here if here.is_empty() => "the folder of this script".to_owned(),
        folder => folder,
    };
    let outside = || refuse(format!("require \"{name}\" leads outside of {top}"));
    let mut depth = place.folder.strip_prefix(&place.root).map_or(0, |inside| inside.components().count());
    for part in relative.components() {
        match part {
            Component::ParentDir => depth = depth.checked_sub(1).ok_or_else(outside)?,
            Component::Normal(_) => depth += 1,
            _ => {}
        }
    }
    // Beside the script first; a pack of scripts may also name its parts from the top, where no `..` leads.
    let climbs = relative.components().any(|part| part == Component::ParentDir);
    let from_the_top = (!climbs).then(|| place.root.join(relative));
    let wanted = std::iter::once(place.folder.join(relative)).chain(from_the_top);
    let found = wanted.flat_map(|path| candidates(&path)).find(|file| file.is_file());
    let file = found.ok_or_else(|| refuse(format!("there is no module \"{name}\" beside this script or in {top}")))?;
    let real = file.canonicalize().map_err(|error| refuse(format!("require \"{name}\": {error}")))?;
    if real.starts_with(&place.root) { Ok(real) } else { Err(outside()) }
}

/// What a module is, before it is read.
struct Found {
    /// Its one name, for the cache.
    key: String,
    /// The name that errors call it by.
    shown: String,
    text: String,
    place: Place,
    standard: bool,
}

fn standard(name: &str, place: &Place) -> mlua::Result<Found> {
    let known = STANDARD.iter().find(|(known, _)| *known == name);
    let Some((_, text)) = known else {
        let names = STANDARD.map(|(known, _)| format!("@std/{known}")).join(", ");
        return Err(refuse(format!("there is no module \"@std/{name}\"; there are {names}")));
    };
    let shown = format!("@std/{name}");
    Ok(Found { key: shown.clone(), shown, text: (*text).to_owned(), place: place.clone(), standard: true })
}

fn beside(machine: &Machine, name: &str, place: &Place) -> mlua::Result<Found> {
    let file = find(machine, place, name)?;
    let shown = machine.shown(&file, &place.root);
    let text = machine.read_source(&file, &shown)?;
    let folder = file.parent().map_or_else(|| place.folder.clone(), Path::to_path_buf);
    let root = pack::wall(&folder, &place.root)?;
    let place = Place { folder, root };
    Ok(Found { key: file.display().to_string(), shown, text, place, standard: false })
}

fn find_module(machine: &Machine, name: &str, place: &Place) -> mlua::Result<Found> {
    if let Some(name) = name.strip_prefix("@std/") {
        return standard(name, place);
    }
    if name.starts_with("./") || name.starts_with("../") {
        return beside(machine, name, place);
    }
    let message = format!("require \"{name}\": a module is named \"./NAME\" (a file beside this one) or \"@std/NAME\"");
    Err(refuse(message))
}

/// Loads a module once; whoever asks again gets the same value.
fn require(lua: &Lua, machine: &Machine, name: &str, place: &Place) -> mlua::Result<LuaValue> {
    let found = find_module(machine, name, place)?;
    {
        let mut modules = machine.modules.borrow_mut();
        match modules.known.get(&found.key) {
            Some(Module::Ready(value)) => return Ok(value.clone()),
            Some(Module::Running) => {
                let circle = modules.running.join(" → ");
                return Err(refuse(format!("modules require each other in a circle: {circle} → {}", found.shown)));
            }
            None => {}
        }
        modules.known.insert(found.key.clone(), Module::Running);
        modules.running.push(found.shown.clone());
    }
    let result = run(lua, machine, &found);
    let mut modules = machine.modules.borrow_mut();
    modules.running.pop();
    match &result {
        Ok(value) => modules.known.insert(found.key, Module::Ready(value.clone())),
        Err(_) => modules.known.remove(&found.key),
    };
    result
}

fn run(lua: &Lua, machine: &Machine, found: &Found) -> mlua::Result<LuaValue> {
    let environment = machine.environment(lua, &found.place, false)?;
    let function = machine.load(lua, &found.shown, &found.text, &environment)?;
    let results = machine.shared.enter(&function, ())?;
    let value = results.into_iter().next().unwrap_or(LuaValue::Nil);
    if value.is_nil() {
        return Err(refuse(format!("the module {} returned nothing; end it with `return {{ … }}`", found.shown)));
    }
    if found.standard
        && let LuaValue::Table(table) = &value
    {
        if table.metatable().is_none() {
            strict(lua, table, &found.shown)?;
        }
        freeze(table)?;
    }
    Ok(value)
}

/// The `require` of scripts at this place.
pub(crate) fn function(lua: &Lua, machine: &Rc<Machine>, place: &Place) -> mlua::Result<mlua::Function> {
    let machine = Rc::downgrade(machine);
    let place = place.clone();
    lua.create_function(move |lua, name: LuaValue| {
        let LuaValue::String(name) = name else {
            return Err(failure("require takes the name of a module, such as \"./party\" or \"@std/tables\""));
        };
        let name = name.to_string_lossy();
        match machine.upgrade() {
            Some(machine) => require(lua, &machine, &name, &place),
            None => Err(failure("the host is gone")),
        }
    })
}
