//! The commands of `grog`: one file a command.

pub mod help;
pub mod interrupt;
pub mod jsonl;
pub mod lines;
pub mod odds;
pub mod output;
pub mod prompt;
pub mod reference;
pub mod resolve;
pub mod roll;
pub mod rules;
pub mod run;
pub mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A referee's engine for old-school tabletop play.
#[derive(Parser, Debug)]
#[command(name = "grog", version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(flatten)]
    prompt: prompt::PromptArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Roll dice
    Roll(roll::RollArgs),
    /// Exact odds of dice or of a rule
    Odds(odds::OddsArgs),
    /// Run a script: play an adventure
    Run(run::RunArgs),
    /// Resolve a rule of the book
    Resolve(resolve::ResolveArgs),
    /// List the rules, or show one
    Rules(rules::RulesArgs),
}

/// Runs what the command line asks for and gives the exit status: 0 done, 1 failed, 2 used wrongly.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let done = match cli.command {
        Some(Command::Roll(args)) => roll::run(args),
        Some(Command::Odds(args)) => odds::run(args),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::Resolve(args)) => resolve::run(args),
        Some(Command::Rules(args)) => rules::run(args),
        None => prompt::run(cli.prompt),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
