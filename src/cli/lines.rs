//! Lines that a person types: with editing and history at a terminal, plain from a pipe.

use std::cell::RefCell;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor, Helper};

use super::interrupt;

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

/// Where lines come from. Clones share it, so that a question asked by a script and the prompt itself do not fight over
/// the terminal.
pub struct Lines<H: Helper> {
    from: From<H>,
}

enum From<H: Helper> {
    Terminal(Rc<RefCell<Edited<H>>>),
    Pipe(Rc<RefCell<Pipe>>),
}

/// A line editor, and the file that its history is kept in.
struct Edited<H: Helper> {
    editor: Editor<H, FileHistory>,
    history: Option<PathBuf>,
}

impl<H: Helper> Clone for Lines<H> {
    fn clone(&self) -> Self {
        let from = match &self.from {
            From::Terminal(edited) => From::Terminal(Rc::clone(edited)),
            From::Pipe(pipe) => From::Pipe(Rc::clone(pipe)),
        };
        Lines { from }
    }
}

impl<H: Helper> Lines<H> {
    /// Lines from standard input: edited when both ends are a terminal.
    pub fn standard(helper: Option<H>) -> Self {
        let pipe = || Lines { from: From::Pipe(Rc::default()) };
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return pipe();
        }
        interrupt::gives_terminal_back();
        let config = Config::builder().auto_add_history(false).max_history_size(5_000);
        let config = config.map(rustyline::config::Builder::build).unwrap_or_default();
        let Ok(mut editor) = Editor::with_config(config) else { return pipe() };
        editor.set_helper(helper);
        Lines { from: From::Terminal(Rc::new(RefCell::new(Edited { editor, history: None }))) }
    }

    /// Whether a person sits at a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self.from, From::Terminal(_))
    }

    /// Shows the prompt (at a terminal only) and reads a line.
    pub fn read(&self, prompt: &str) -> Typed {
        match &self.from {
            From::Pipe(pipe) => pipe.borrow_mut().read(),
            From::Terminal(edited) => match edited.borrow_mut().editor.readline(prompt) {
                Ok(line) => Typed::Line(line),
                Err(ReadlineError::Interrupted) => Typed::Interrupted,
                Err(ReadlineError::Eof) => Typed::Closed,
                Err(problem) => Typed::Unreadable(problem.to_string()),
            },
        }
    }

    /// Keeps an entry, which may have several lines, in the history, and in its file at once: whatever ends the program,
    /// and whoever else writes there, no line is lost.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remember(&self, entry: &str) -> anyhow::Result<()> {
        let From::Terminal(edited) = &self.from else { return Ok(()) };
        let Edited { editor, history } = &mut *edited.borrow_mut();
        let kept = editor.add_history_entry(entry).and_then(|_| match history {
            Some(file) => editor.append_history(file),
            None => Ok(()),
        });
        Ok(kept?)
    }

    /// Takes up the history of earlier sessions, and keeps that of this one in the same file.
    ///
    /// # Errors
    /// When the file cannot be made or read.
    pub fn keep_history(&self, file: &Path) -> anyhow::Result<()> {
        let From::Terminal(edited) = &self.from else { return Ok(()) };
        let Edited { editor, history } = &mut *edited.borrow_mut();
        begin_history(file)?;
        editor.load_history(file)?;
        *history = Some(file.to_owned());
        Ok(())
    }
}

/// Makes the file where there is none. Two sessions may do so at the same time, and only one of them makes it.
fn begin_history(file: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        // The editor's mark of a file whose entries may have several lines.
        Ok(mut made) => made.write_all(b"#V2\n"),
        Err(problem) if problem.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(problem) => Err(problem),
    }
}

/// How often a wait for a line looks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(40);

/// Lines from a pipe or a file. A thread of its own waits for them, because nothing ends a wait for input from within.
#[derive(Default)]
struct Pipe {
    reader: Option<Reader>,
    /// A line was asked for, and whoever did so has gone away since.
    asked: bool,
}

struct Reader {
    ask: Sender<()>,
    lines: Receiver<Typed>,
}

impl Reader {
    fn start() -> Self {
        let (ask, asked) = channel();
        let (give, lines) = channel();
        thread::spawn(move || {
            let mut first = true;
            while asked.recv().is_ok() {
                let line = read_plain(std::mem::take(&mut first));
                if give.send(line).is_err() {
                    return;
                }
            }
        });
        Reader { ask, lines }
    }
}

impl Pipe {
    fn read(&mut self) -> Typed {
        // What was pressed before is over.
        interrupt::was_pressed();
        let reader = self.reader.get_or_insert_with(Reader::start);
        if !self.asked && reader.ask.send(()).is_err() {
            return Typed::Closed;
        }
        self.asked = true;
        loop {
            match reader.lines.recv_timeout(LOOK) {
                Ok(line) => {
                    self.asked = false;
                    return line;
                }
                Err(RecvTimeoutError::Timeout) if interrupt::was_pressed() => return Typed::Interrupted,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Typed::Closed,
            }
        }
    }
}

fn read_plain(first: bool) -> Typed {
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
        Ok(line) if first => Typed::Line(without_mark(&line).to_owned()),
        Ok(line) => Typed::Line(line),
        Err(_) => Typed::Unreadable("the line is not UTF-8 text".into()),
    }
}

/// A text without the byte order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Where the history is kept: `$XDG_STATE_HOME/grognard/history`, or under `~/.local/state`. Nothing without a home.
pub fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("grognard").join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(history: &Path) -> Lines<()> {
        let config = Config::builder().auto_add_history(false).build();
        let editor = Editor::with_config(config).unwrap();
        let lines = Lines { from: From::Terminal(Rc::new(RefCell::new(Edited { editor, history: None }))) };
        lines.keep_history(history).unwrap();
        lines
    }

    #[test]
    fn sessions_that_share_a_history_lose_no_line_however_they_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/history");
        let (one, other) = (session(&file), session(&file));
        one.remember("3d6").unwrap();
        other.remember("function f()\n  return 1\nend").unwrap();
        one.remember("d20").unwrap();
        other.remember("say 'a \\\\ b'").unwrap();
        // Neither is ended in any way; the file is whole all the same.
        let later = session(&file);
        let From::Terminal(edited) = &later.from else { panic!("no terminal") };
        let found: Vec<String> = edited.borrow().editor.history().into_iter().cloned().collect();
        assert_eq!(found, ["3d6", "function f()\n  return 1\nend", "d20", "say 'a \\\\ b'"]);
    }

    #[test]
    fn a_history_that_cannot_be_kept_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("taken");
        fs::write(&file, "").unwrap();
        let config = Config::builder().build();
        let editor = Editor::with_config(config).unwrap();
        let lines: Lines<()> = Lines { from: From::Terminal(Rc::new(RefCell::new(Edited { editor, history: None }))) };
        assert!(lines.keep_history(&file.join("history")).is_err());
        assert!(lines.remember("3d6").is_ok());
    }
}
