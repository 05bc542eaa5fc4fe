//! `grog rules`: the rulebook's contents and help pages.

use clap::Args;

use super::help;
use super::output::{Done, Failure, json_line, line};

/// Lists the rules, or shows the page of one, of a module, or of all that speak of some words.
#[derive(Args, Debug)]
pub struct RulesArgs {
    /// A rule, a module, or words to look for
    words: Vec<String>,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: RulesArgs) -> Done {
    let words = args.words.join(" ");
    if args.json {
        return json_line(
            &super::reference::json(&words).map_err(|problem| Failure::Failed(format!("error: {problem}")))?,
        );
    }
    let page = help::page(&words).map_err(|problem| Failure::Failed(format!("error: {problem}")))?;
    line(page.trim_end())
}
