//! Ctrl-C, and the signals that end the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::lua::StopHandle;

/// Whether Ctrl-C was pressed since somebody last asked.
static PRESSED: AtomicBool = AtomicBool::new(false);
/// Whose script Ctrl-C stops.
static RUNNING: Mutex<Option<StopHandle>> = Mutex::new(None);

/// From now on Ctrl-C stops the scripts of this host instead of ending the program, and a wait for a line.
pub fn stops(host: StopHandle) {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).replace(host);
    // A second handler cannot be set, and the first does the same. Without any, Ctrl-C ends the program, which is what a
    // person wants all the same.
    let _ = ctrlc::set_handler(|| {
        PRESSED.store(true, Ordering::Relaxed);
        if let Some(host) = &*RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
            host.stop();
        }
    });
}

/// Whether Ctrl-C was pressed since this was last asked.
pub fn was_pressed() -> bool {
    PRESSED.swap(false, Ordering::Relaxed)
}

/// Gives the terminal back as it was found when somebody ends the program (SIGTERM) or closes its window (SIGHUP): a
/// line that is being edited has it changed. For a program that stands at a terminal, before it starts any thread.
#[cfg(unix)]
pub fn gives_terminal_back() {
    use std::io::{self, Write as _};

    use nix::sys::signal::{SigSet, Signal};
    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};

    let Ok(found) = tcgetattr(io::stdin()) else { return };
    let signals = SigSet::from_iter([Signal::SIGTERM, Signal::SIGHUP]);
    // Blocked in all threads that are started from here, so that the one below takes them.
    if signals.thread_block().is_err() {
        return;
    }
    std::thread::spawn(move || {
        let Ok(signal) = signals.wait() else { return };
        // The window may be gone; then there is nothing to give back.
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &found);
        // The editor asks for pasted text to be marked, and the line it edits is not ended.
        let _ = writeln!(io::stderr(), "\u{1b}[?2004l");
        std::process::exit(128 + signal as i32);
    });
}

/// Other systems restore their console themselves.
#[cfg(not(unix))]
pub fn gives_terminal_back() {}
