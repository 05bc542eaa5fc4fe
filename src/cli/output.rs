//! Where a command's results go, and what a failure looks like.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

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
        // Nothing is left to do when standard error is closed as well.
        let _ = writeln!(io::stderr(), "{text}");
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

/// What every command returns.
pub type Done = Result<(), Failure>;

/// Writes a line to standard output; a closed pipe is an error like any other, never a panic.
pub fn line(text: &str) -> Done {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Whether standard output takes color: a terminal, and `NO_COLOR` not set to anything.
pub fn color() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
