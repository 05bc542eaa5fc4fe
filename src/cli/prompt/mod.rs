//! `grog` without a command: the prompt.

mod command;
mod complete;

use std::cell::Cell;
use std::rc::Rc;

use clap::Args;

use self::command::{Next, Session};
use self::complete::Completion;
use super::lines::{Lines, Typed, history_file};
use super::output::{Done, Failure, line};
use super::run::DiceFrom;
use super::table::{Table, dice_by_hand};
use crate::dice::Seed;
use crate::lua::Host;

/// What the prompt takes from the command line.
#[derive(Args, Debug, Default)]
pub struct PromptArgs {
    /// The seed of the dice: a number or any text
    #[arg(long)]
    seed: Option<String>,
    /// Who rolls the dice
    #[arg(long, value_enum, default_value_t)]
    dice: DiceFrom,
}

/// Opens the prompt and stays until the person leaves.
pub fn run(args: PromptArgs) -> Done {
    let seed = args.seed.unwrap_or_else(Seed::fresh_text);
    let completion = Completion::default();
    let lines = Lines::standard(Some(completion.clone()));
    let builder = Host::builder().seed(&seed).voice(Table::new(lines.clone())).root(".");
    let builder = match args.dice {
        DiceFrom::Auto => builder,
        DiceFrom::Ask => builder.dice_by_hand(dice_by_hand(lines.clone())),
    };
    let host = Rc::new(builder.build().map_err(|error| Failure::Failed(error.to_string()))?);
    host.set_tracing(true);
    completion.learn(&host);
    let stop = host.stop_handle();
    // Without the handler Ctrl-C would end the prompt; a second handler cannot be set and there is none.
    let _ = ctrlc::set_handler(move || stop.stop());

    let history = history_file();
    if let Some(file) = &history {
        lines.load_history(file);
    }
    if lines.is_terminal() {
        line(&format!("Grognard {} · seed {seed} · :help for help", env!("CARGO_PKG_VERSION")))?;
    }
    let session = Session::new(host, lines.clone(), seed, args.dice);
    let failed = converse(&session, &completion)?;
    if let Some(file) = &history
        && let Err(problem) = lines.save_history(file)
    {
        eprintln!("the history cannot be kept in {}: {problem}", file.display());
    }
    if failed && !lines.is_terminal() { Err(Failure::Silent) } else { Ok(()) }
}

/// Reads and answers until the person leaves. Whether something failed on the way.
fn converse(session: &Session, completion: &Completion) -> Result<bool, Failure> {
    let lines = session.lines();
    let failed = Cell::new(false);
    loop {
        completion.switch(true);
        let typed = read_entry(lines);
        completion.switch(false);
        match typed {
            Typed::Line(entry) if entry.trim().is_empty() => {}
            Typed::Line(entry) => {
                lines.remember(&entry);
                match session.answer(&entry) {
                    Ok(Next::Stay) => {}
                    Ok(Next::Leave) => return Ok(failed.get()),
                    Err(Failure::Failed(problem) | Failure::Usage(problem)) => {
                        eprintln!("{problem}");
                        failed.set(true);
                    }
                    Err(other) => return Err(other),
                }
            }
            Typed::Interrupted => line("(:quit or Ctrl-D leaves)")?,
            Typed::Closed => return Ok(failed.get()),
            Typed::Unreadable(problem) => {
                eprintln!("error: {problem}");
                failed.set(true);
                // A terminal that cannot be read stays so; a bad line in a pipe is passed over.
                if lines.is_terminal() {
                    return Ok(true);
                }
            }
        }
    }
}

/// Reads lines until they make a whole: an open bracket, block or text asks for another line. An empty line ends it.
fn read_entry(lines: &Lines<Completion>) -> Typed {
    let mut entry = match lines.read("> ") {
        Typed::Line(line) => line,
        other => return other,
    };
    while !command::is_short(&entry) && Host::is_incomplete(&entry) {
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
