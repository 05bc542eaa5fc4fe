//! Where a command's results go, and what a failure looks like.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::printable::{escaped_json, escaped_lines};

/// Whether the reader of our output went away. Scripts may catch the error and go on; the command ends all the same.
static READER_GONE: AtomicBool = AtomicBool::new(false);

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The script or the rule failed (exit status 1); the text is for standard error.
    Failed(String),
    /// The command was used wrongly (exit status 2).
    Usage(String),
    /// Something failed and has been reported already (exit status 1).
    Silent,
    /// The reader of our output went away; nothing more to say.
    ClosedPipe,
}

impl Failure {
    /// Tells standard error and gives the exit status.
    pub fn report(self) -> ExitCode {
        let (text, code) = match self {
            Failure::ClosedPipe => return ExitCode::SUCCESS,
            Failure::Silent => return ExitCode::from(1),
            Failure::Failed(text) => (text, 1),
            Failure::Usage(text) => (text, 2),
        };
        complain(&text);
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Failed(format!("error: cannot write the result: {error}")),
        }
    }
}

/// An error that only goes to a person: what was tried, and why it failed.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure::Failed(format!("error: {error:#}"))
    }
}

/// What every command returns.
pub type Done = Result<(), Failure>;

/// Standard output. It remembers a reader who went away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Out;

impl Out {
    fn noted<T>(result: io::Result<T>) -> io::Result<T> {
        if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            READER_GONE.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::noted(io::stdout().write(bytes))
    }
    fn flush(&mut self) -> io::Result<()> {
        Self::noted(io::stdout().flush())
    }
}

/// What a command came to: nothing that a script made of it counts once the reader of the output is gone.
pub fn unless_reader_gone(done: Done) -> Done {
    if READER_GONE.load(Ordering::Relaxed) { Err(Failure::ClosedPipe) } else { done }
}

/// Writes text and a line break at once; a closed pipe is an error like any other, never a panic.
fn write_line(text: &str) -> io::Result<()> {
    let mut whole = String::with_capacity(text.len() + 1);
    whole.push_str(text);
    whole.push('\n');
    Out.write_all(whole.as_bytes())?;
    Out.flush()
}

/// Writes text, one line or several, to standard output. What would steer a terminal is shown instead.
pub fn line(text: &str) -> Done {
    Ok(say(text)?)
}

/// As [`line()`], for those who tell what went wrong in their own way.
pub fn say(text: &str) -> io::Result<()> {
    write_line(&escaped_lines(text))
}

/// Writes text that holds colors of ours; what is of others in it has been escaped.
pub fn colored_line(text: &str) -> Done {
    Ok(write_line(text)?)
}

/// Writes a JSON text.
pub fn json_line(json: &str) -> Done {
    Ok(write_line(&escaped_json(json))?)
}

/// Tells standard error.
pub fn complain(text: &str) {
    // Nothing is left to do when standard error is closed as well.
    let _ = writeln!(io::stderr(), "{}", escaped_lines(text));
}

/// Whether standard output takes color: a terminal, and `NO_COLOR` not set to anything.
pub fn color() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
