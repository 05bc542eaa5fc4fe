//! Lines that a person types: with editing and history at a terminal, plain from a pipe.

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor, Helper};

/// What came of asking for a line.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// A line, without its end.
    Line(String),
    /// Ctrl-C at an empty or half-typed line.
    Interrupted,
    /// The end of the input.
    Closed,
    /// Input that could not be read; the text says why.
    Unreadable(String),
}

/// Where lines come from. Clones share the editor, so that a question asked by a script and the prompt itself do not
/// fight over the terminal.
pub struct Lines<H: Helper> {
    editor: Option<Rc<RefCell<Editor<H, FileHistory>>>>,
}

impl<H: Helper> Clone for Lines<H> {
    fn clone(&self) -> Self {
        Lines { editor: self.editor.clone() }
    }
}

impl<H: Helper> Lines<H> {
    /// Lines from standard input: edited when it is a terminal.
    pub fn standard(helper: Option<H>) -> Self {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Lines { editor: None };
        }
        let config = Config::builder().auto_add_history(false).max_history_size(5_000);
        let config = config.map(rustyline::config::Builder::build).unwrap_or_default();
        let editor = Editor::with_config(config).ok().map(|mut editor| {
            editor.set_helper(helper);
            Rc::new(RefCell::new(editor))
        });
        Lines { editor }
    }

    /// Whether a person sits at a terminal.
    pub fn is_terminal(&self) -> bool {
        self.editor.is_some()
    }

    /// Shows the prompt (at a terminal only) and reads a line.
    pub fn read(&self, prompt: &str) -> Typed {
        let Some(editor) = &self.editor else { return read_plain() };
        match editor.borrow_mut().readline(prompt) {
            Ok(line) => Typed::Line(line),
            Err(ReadlineError::Interrupted) => Typed::Interrupted,
            Err(ReadlineError::Eof) => Typed::Closed,
            Err(problem) => Typed::Unreadable(problem.to_string()),
        }
    }

    /// Keeps an entry, which may have several lines, in the history.
    pub fn remember(&self, entry: &str) {
        if let Some(editor) = &self.editor {
            // An entry that cannot be kept is only missing when a person presses the up key.
            let _ = editor.borrow_mut().add_history_entry(entry);
        }
    }

    /// Takes up the history of earlier sessions; a file that is not there yet is an empty history.
    pub fn load_history(&self, file: &Path) {
        if let Some(editor) = &self.editor {
            let _ = editor.borrow_mut().load_history(file);
        }
    }

    /// Writes the history for later sessions.
    pub fn save_history(&self, file: &Path) -> Result<(), String> {
        let Some(editor) = &self.editor else { return Ok(()) };
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|problem| problem.to_string())?;
        }
        editor.borrow_mut().save_history(file).map_err(|problem| problem.to_string())
    }
}

fn read_plain() -> Typed {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut bytes) {
        Ok(0) => return Typed::Closed,
        Ok(_) => {}
        Err(problem) => return Typed::Unreadable(problem.to_string()),
    }
    while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        bytes.pop();
    }
    match String::from_utf8(bytes) {
        Ok(line) => Typed::Line(line),
        Err(_) => Typed::Unreadable("the line is not UTF-8 text".into()),
    }
}

/// Where the history is kept: `$XDG_STATE_HOME/grognard/history`, or under `~/.local/state`. Nothing without a home.
pub fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("grognard").join("history"))
}
