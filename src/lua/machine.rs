//! One Lua machine: its globals, its modules, and how texts become functions in it.

use std::cell::RefCell;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};

use mlua::chunk::Compiler;
use mlua::{Function, Lua, Table};

use super::errors::{ScriptError, ScriptErrorKind};
use super::report;
use super::require::{self, Modules, Place};
use super::sandbox;
use super::shape::Shapes;
use super::shared::Shared;
use super::{budget, character, house, odds, party, roll, rules, table_talk};

/// What a text is loaded and run with.
pub(crate) struct Machine {
    pub(crate) shared: Rc<Shared>,
    pub(crate) modules: RefCell<Modules>,
    /// The globals that all scripts of the machine share, read-only.
    globals: Table,
    /// Paths inside it are shown without it.
    pub(crate) shown_root: PathBuf,
    this: Weak<Machine>,
}

/// The longest name of a text; the machine cuts longer ones from the front.
pub(crate) const LONGEST_NAME: usize = 200;

impl Machine {
    /// A sealed machine with every global in place.
    pub(crate) fn new(shared: &Rc<Shared>, shown_root: PathBuf) -> Result<(Lua, Rc<Self>), ScriptError> {
        let lua = sandbox::machine()?;
        let made = Self::furnish(&lua, shared).map_err(|error| {
            ScriptError::new(
                ScriptErrorKind::Dead,
                format!("the machine does not start: {}", report::plain_text(&error)),
            )
        })?;
        let machine = Rc::new_cyclic(|this| Machine {
            shared: Rc::clone(shared),
            modules: RefCell::default(),
            globals: made,
            shown_root,
            this: this.clone(),
        });
        Ok((lua, machine))
    }

    fn furnish(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
        let globals = lua.globals();
        // The machine's shortcuts for these three give way to a real call, which is a step, whenever garbage is due; and
        // it paces its collections by the clock. Always a call, they cost the same in every run.
        lua.set_compiler(Compiler::new().set_disabled_builtins(["tostring", "string.char", "string.sub"]));
        shared.keep_guard(lua)?;
        sandbox::bound(lua)?;
        Shapes::install(lua)?;
        globals.raw_set("roll", roll::table(lua, shared)?)?;
        globals.raw_set("odds", odds::table(lua, shared)?)?;
        globals.raw_set("rules", rules::table(lua, shared)?)?;
        globals.raw_set("house", house::table(lua, shared)?)?;
        character::install(lua, shared)?;
        party::install(lua, shared)?;
        table_talk::install(lua, shared)?;
        sandbox::seal(lua)?;
        budget::install(lua, &shared.meter)?;
        Ok(globals)
    }

    /// An environment for a script at this place.
    pub(crate) fn environment(&self, lua: &Lua, place: &Place, keeps_lines: bool) -> mlua::Result<Table> {
        let environment = sandbox::environment(lua, &self.globals, keeps_lines)?;
        if let Some(this) = self.this.upgrade() {
            environment.raw_set("require", require::function(lua, &this, place)?)?;
        }
        Ok(environment)
    }

    /// The shared globals.
    pub(crate) fn globals(&self) -> &Table {
        &self.globals
    }

    /// A text as a function of this environment.
    pub(crate) fn load(&self, lua: &Lua, name: &str, text: &str, environment: &Table) -> Result<Function, ScriptError> {
        self.check_size(name, text.len())?;
        let name = shortened(name);
        self.shared.chunks.borrow_mut().remember(name, text);
        self.compile(lua, name, text, environment)
    }

    /// Compiles a text whose lines are remembered under another text of the same lines.
    pub(crate) fn compile(
        &self,
        lua: &Lua,
        name: &str,
        text: &str,
        environment: &Table,
    ) -> Result<Function, ScriptError> {
        let chunk = lua.load(text).set_name(format!("={name}")).set_mode(mlua::chunk::ChunkMode::Text);
        let function = chunk.set_environment(environment.clone()).into_function();
        function.map_err(|error| report::of_compiler(&self.shared, name, &error))
    }

    fn check_size(&self, name: &str, bytes: usize) -> Result<(), ScriptError> {
        let most = self.shared.meter.limits().source;
        if bytes > most {
            let message = format!("{name} is {} KB long; a script may be {} KB", bytes >> 10, most >> 10);
            return Err(ScriptError::new(ScriptErrorKind::File, message)
                .with_hint("split it into modules, and keep large data in files of their own"));
        }
        Ok(())
    }

    /// A file's path as scripts may see it: inside the folder that the program was started in, or else inside the pack.
    /// Where on this machine either lies is not theirs to know.
    pub(crate) fn shown(&self, file: &Path, root: &Path) -> String {
        let inside = file.strip_prefix(&self.shown_root).or_else(|_| file.strip_prefix(root));
        let name = file.file_name().map(Path::new);
        inside.ok().or(name).map_or_else(String::new, |path| path.display().to_string())
    }

    /// The text of a file, no longer than a script may be, without a byte order mark. A first line for the shell
    /// (`#!…`) is left blank. Errors call the file by the name shown.
    pub(crate) fn read_source(&self, file: &Path, shown: &str) -> Result<String, ScriptError> {
        let most = self.shared.meter.limits().source;
        let unreadable =
            |error: std::io::Error| ScriptError::new(ScriptErrorKind::File, format!("cannot read {shown}: {error}"));
        if file.is_dir() {
            let message = format!("{shown} is a folder");
            return Err(ScriptError::new(ScriptErrorKind::File, message).with_hint("name a script in it"));
        }
        let mut bytes = Vec::new();
        // One byte more than allowed is enough to know that it is too long; a device file would never end.
        let open = fs::File::open(file).map_err(unreadable)?;
        open.take(most as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        self.check_size(shown, bytes.len())?;
        let text = String::from_utf8(bytes)
            .map_err(|_| ScriptError::new(ScriptErrorKind::File, format!("{shown} is not UTF-8 text")))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        // Blank, so that all other lines keep their numbers.
        let shell = if text.starts_with("#!") { text.find('\n').unwrap_or(text.len()) } else { 0 };
        Ok(text[shell..].to_owned())
    }
}

/// A name that the machine does not cut: its end tells more than its beginning.
fn shortened(name: &str) -> &str {
    let mut start = name.len().saturating_sub(LONGEST_NAME);
    while !name.is_char_boundary(start) {
        start += 1;
    }
    &name[start..]
}
