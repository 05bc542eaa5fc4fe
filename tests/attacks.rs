//! Scripts of strangers that try to harm the program. `tests/attacks/*.lua`: the first line says what must happen.
//!
//! `-- stop`: stopped by a budget. `-- deny`: prints `denied`. `-- safe`: ends by itself or with an error, in time and
//! within memory. After each the program lives, a new host works, and its memory is back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grognard::lua::voice::{Answers, Transcript};
use grognard::lua::{Host, Limits, ScriptError};
use grognard::rules::core::Value;

/// Steps for one attack: fewer than a host has by default, so that the test is quick where the build is slow.
const STEPS: u64 = 20_000_000;
/// Time on the clock for one attack.
const TIME: Duration = Duration::from_secs(2);
/// How much longer the end may take: a native that is inside its bounded work is not interrupted.
const GRACE: Duration = Duration::from_secs(3);
/// Megabytes that the program may grow by while one attack runs: the machine's own and as much again outside.
const MEGABYTES: usize = 160;

fn limits() -> Limits {
    Limits::default().with_time(TIME).with_instructions(STEPS)
}

/// A number of kilobytes from the system's account of this process.
fn kilobytes(field: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// Lets the peak be counted anew.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn attack(path: &Path) -> (Result<Value, ScriptError>, String, Duration, bool) {
    let heard = Transcript::default();
    let host = Host::builder().seed("attack").limits(limits()).voice(Answers::new("", heard.clone())).build().unwrap();
    let began = Instant::now();
    let result = host.run_file(path);
    (result, heard.text(), began.elapsed(), host.is_dead())
}

/// What is wrong with how an attack went, if anything.
fn fault(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).unwrap();
    forget_peak();
    let before = kilobytes("VmRSS:");
    let (result, heard, took, dead) = attack(path);
    let grown = kilobytes("VmHWM:").saturating_sub(before) >> 10;
    let shown = result.as_ref().map_or_else(ToString::to_string, ToString::to_string);
    eprintln!(
        "{:28} {took:>8.2?} {grown:>4} MB  {}",
        path.file_stem().unwrap().display(),
        shown.lines().next().unwrap()
    );
    if shown.contains("0x") {
        return Some(format!("shows an address: {shown}"));
    }
    if took > TIME + GRACE {
        return Some(format!("took {took:?}"));
    }
    if grown > MEGABYTES {
        return Some(format!("needed {grown} MB"));
    }
    match text.lines().next() {
        // The machine's own bound on depth stops recursion without a budget.
        Some("-- stop") => {
            let stopped = result
                .as_ref()
                .is_err_and(|error| (error.kind().is_budget() && dead) || error.message().contains("stack overflow"));
            (!stopped).then(|| format!("was not stopped: {shown}"))
        }
        Some("-- deny") => (!heard.contains("denied")).then(|| format!("was not denied: {shown}")),
        Some("-- safe") => None,
        other => Some(format!("says no way to end: {other:?}")),
    }
}

fn attacks() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "lua"));
    files.sort();
    files
}

#[test]
fn no_attack_harms_the_program() {
    let files = attacks();
    assert!(files.len() > 40, "only {} attacks found", files.len());
    let mut faults = Vec::new();
    for file in &files {
        if let Some(fault) = fault(file) {
            faults.push(format!("{} {fault}", file.display()));
        }
        let next = Host::builder().seed("after").build().unwrap();
        assert_eq!(next.run_text("after", "return 1 + 1").unwrap(), Value::Whole(2), "after {}", file.display());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
