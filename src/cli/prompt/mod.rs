//! `grog` without a command: the prompt.

mod command;
mod complete;
mod machine;
mod pages;
mod past;
mod reading;

use std::cell::Cell;
use std::io::{self, IsTerminal as _};

use clap::Args;

use self::command::{Next, Session};
use self::complete::Completion;
use self::machine::Machine;
use self::reading::goes_on;
use super::lines::{Lines, Typed, history_file};
use super::output::{Done, Failure, complain, line, unless_reader_gone};
use super::run::{DiceFrom, LimitArgs};
use crate::dice::Seed;

/// What the prompt takes from the command line.
#[derive(Args, Debug, Default)]
pub struct PromptArgs {
    /// The seed of the dice: a number or any text
    #[arg(long)]
    seed: Option<String>,
    /// Who rolls the dice
    #[arg(long, value_enum, default_value_t)]
    dice: DiceFrom,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Opens the prompt and stays until the person leaves.
pub fn run(args: PromptArgs) -> Done {
    let seed = args.seed.unwrap_or_else(Seed::fresh_text);
    let limits = args.limits.limits()?;
    let completion = Completion::default();
    let lines = Lines::standard(Some(completion.clone()));
    let machine = Machine::new(limits, lines.clone(), completion.clone());
    let machine = machine.map_err(|error| Failure::Failed(error.to_string()))?;
    if let Some(file) = history_file()
        && let Err(problem) = lines.keep_history(&file)
    {
        complain(&format!("the history cannot be kept in {}: {problem}", file.display()));
    }
    if lines.is_terminal() {
        line(&format!("Grognard {} · seed {seed} · :help for help", env!("CARGO_PKG_VERSION")))?;
    }
    let session = Session::new(machine, lines.clone(), seed, args.dice);
    let failed = converse(&session, &completion)?;
    if failed && !lines.is_terminal() { Err(Failure::Silent) } else { Ok(()) }
}

/// Reads and answers until the person leaves. Whether something failed on the way.
fn converse(session: &Session, completion: &Completion) -> Result<bool, Failure> {
    let lines = session.lines();
    let failed = Cell::new(false);
    let mut first = true;
    loop {
        completion.switch(true);
        let typed = read_entry(lines);
        completion.switch(false);
        // A file that is fed to the prompt may begin with a line for the shell.
        let for_the_shell = |entry: &str| first && entry.starts_with("#!");
        match typed {
            Typed::Line(entry) if entry.trim().is_empty() || for_the_shell(&entry) => {}
            Typed::Line(entry) => match answered(session, &entry)? {
                Answered::Well => {}
                Answered::Badly => failed.set(true),
                Answered::Farewell => return Ok(failed.get()),
            },
            Typed::Interrupted if io::stdin().is_terminal() => line("(:quit or Ctrl-D leaves)")?,
            Typed::Interrupted => return Err(Failure::Silent),
            Typed::Closed => return Ok(failed.get()),
            Typed::Unreadable(problem) => {
                complain(&format!("error: {problem}"));
                failed.set(true);
                // A terminal that cannot be read stays so; a bad line in a pipe is passed over.
                if lines.is_terminal() {
                    return Ok(true);
                }
            }
        }
        first = false;
    }
}

/// How an entry was answered.
enum Answered {
    Well,
    Badly,
    Farewell,
}

fn answered(session: &Session, entry: &str) -> Result<Answered, Failure> {
    if let Err(problem) = session.lines().remember(entry) {
        complain(&format!("this line is not kept in the history: {problem}"));
    }
    let answer = session.answer(entry);
    unless_reader_gone(Ok(()))?;
    let answered = match answer {
        Ok(Next::Stay) => Answered::Well,
        Ok(Next::Leave) => Answered::Farewell,
        Err(Failure::Failed(problem) | Failure::Usage(problem)) => {
            complain(&problem);
            Answered::Badly
        }
        Err(other) => return Err(other),
    };
    session.recover()?;
    Ok(answered)
}

/// Reads lines until they make a whole: an open bracket, block or text asks for another line. An empty line ends it.
fn read_entry(lines: &Lines<Completion>) -> Typed {
    let mut entry = match lines.read("> ") {
        Typed::Line(line) => line,
        other => return other,
    };
    while goes_on(&entry) {
        match lines.read("… ") {
            Typed::Line(line) if line.trim().is_empty() && lines.is_terminal() => break,
            Typed::Line(line) => {
                entry.push('\n');
                entry.push_str(&line);
            }
            Typed::Closed => break,
            other => return other,
        }
    }
    Typed::Line(entry)
}
