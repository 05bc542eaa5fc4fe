//! `grog run`: plays an adventure or runs any script.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::interrupt;
use super::lines::{Lines, without_mark};
use super::output::{Done, Failure, Out, complain, json_line, line, unless_reader_gone};
use super::table::{Table, dice_by_hand};
use crate::dice::Seed;
use crate::lua::voice::Answers;
use crate::lua::{Host, Limits, Returned};
use crate::rules::core::Value;

/// Where dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiceFrom {
    /// The program rolls
    #[default]
    Auto,
    /// You roll and type what the dice show
    Ask,
}

/// Runs a script: `grog run scripts/adventures/crypt.lua`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The script
    file: PathBuf,
    /// The seed of the dice: a number or any text
    #[arg(long)]
    seed: Option<String>,
    /// Answer the script's questions from this file, one answer a line
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Who rolls the dice
    #[arg(long, value_enum, default_value_t)]
    dice: DiceFrom,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print what the script returns as one JSON value; without it only a text or a number is printed
    #[arg(long)]
    json: bool,
}

/// What scripts may spend.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LimitArgs {
    /// Stop a script that works longer than this; time spent waiting for a person does not count
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// Stop a script that holds more memory than this
    #[arg(long, value_name = "MB")]
    memory_limit: Option<usize>,
}

impl LimitArgs {
    /// The limits of a host.
    pub fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = Limits::default();
        if let Some(seconds) = self.time_limit {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
            let time = time.ok_or_else(|| {
                Failure::Usage(format!("error: --time-limit takes seconds such as 10 or 0.5, not {seconds}"))
            })?;
            limits = limits.with_time(time);
        }
        if let Some(megabytes) = self.memory_limit {
            if megabytes == 0 {
                return Err(Failure::Usage("error: --memory-limit takes megabytes such as 64, not 0".into()));
            }
            limits = limits.with_megabytes(megabytes);
        }
        Ok(limits)
    }
}

/// Runs the command.
pub fn run(args: RunArgs) -> Done {
    unless_reader_gone(play(args))
}

fn play(args: RunArgs) -> Done {
    let limits = args.limits.limits()?;
    let seed = args.seed.clone().unwrap_or_else(Seed::fresh_text);
    let lines: Lines<()> = Lines::standard(None);
    let mut builder = Host::builder().seed(&seed).limits(limits);
    if args.dice == DiceFrom::Ask {
        builder = builder.dice_by_hand(dice_by_hand(lines.clone()));
    }
    builder = match &args.answers {
        None => builder.voice(Table::new(lines)),
        Some(file) => {
            let text = fs::read_to_string(file).map_err(|problem| {
                Failure::Usage(format!("error: cannot read the answers in {}: {problem}", file.display()))
            })?;
            builder.voice(Answers::new(without_mark(&text), Out))
        }
    };
    let host = builder.build().map_err(|error| Failure::Failed(error.to_string()))?;
    interrupt::stops(host.stop_handle());
    if args.seed.is_none() && args.dice == DiceFrom::Auto {
        complain(&format!("seed {seed}"));
    }
    let returned = host.run_in(&args.file, &pack_folder(&args.file));
    let returned = returned.map_err(|error| Failure::Failed(error.to_string()))?;
    if !args.json {
        return show_returned(&args.file, returned);
    }
    match returned {
        Returned::Nothing => json_line(&Value::Nil.to_json()),
        Returned::Data(value) => json_line(&value.to_json()),
        Returned::Other(what) => {
            Err(Failure::Failed(format!("error: {} returned {what}, which JSON cannot hold", args.file.display())))
        }
    }
}

/// Shows what a script returned: a text or a number. A record is for programs (what it has to tell people a script has
/// said), and a function for other scripts: whoever runs the file by itself is told that they were returned to nobody.
pub fn show_returned(file: &Path, returned: Returned) -> Done {
    let (what, instead) = match returned {
        Returned::Nothing | Returned::Data(Value::Nil) => return Ok(()),
        Returned::Data(Value::Text(text)) => return line(&text),
        Returned::Data(Value::List(_) | Value::Map(_)) => ("a table".to_owned(), "`grog run --json` prints it"),
        Returned::Data(value) => return line(&value.to_string()),
        Returned::Other(what) => (what, "is it a module that another script requires?"),
    };
    complain(&format!("{} returned {what} and nobody asked for it; {instead}", file.display()));
    Ok(())
}

/// The folder that a script's `require` stays in: the nearest one at or above it that holds a `grog.json`, and the
/// script's own folder where there is none.
pub fn pack_folder(script: &Path) -> PathBuf {
    let own = script.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(whole) = own.canonicalize() else { return own.to_owned() };
    let pack = whole.ancestors().find(|folder| folder.join("grog.json").is_file());
    pack.map_or_else(|| own.to_owned(), Path::to_owned)
}
