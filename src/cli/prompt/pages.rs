//! What the prompt tells about itself: its commands, the house rules, the switches.

use std::fmt::Write as _;

use crate::cli::output::Failure;
use crate::lua::Host;

/// The short commands, with what they do.
pub const COMMANDS: [(&str, &str); 15] = [
    ("help NAME", "this page, or the page of a rule, a module, or words to look for"),
    (":rules WORDS", "lists the rules, or those that speak of the words"),
    ("odds DICE", "the odds of dice; `odds d20+7 vs d20+3` sets two beside each other"),
    ("why", "how the last result came about"),
    ("undo", "takes the last entry back, dice too (`undo 3`: the last three)"),
    ("redo", "does the entry undone last again"),
    ("die 17 was 7", "the last entry again with its die of 17 at 7 (`die #2 was 7`: its second die)"),
    ("log", "all entries with their dice and what they changed"),
    (":house", "the house rules in force, who made them, and where they fight"),
    (":switches WORDS", "the switches of the rules, with the values they have now"),
    (":dice ask", "you roll and type what the dice show (`:dice auto`: the program rolls)"),
    (":dialect NAME", "reads dice as another tool writes them: avrae, roll20; grognard again"),
    (":seed TEXT", "starts the dice again from a seed"),
    (":run FILE", "runs a script here"),
    ("quit", "leaves (Ctrl-D too)"),
];

/// The commands as they are typed with a colon.
pub const NAMES: [&str; 14] = [
    ":help",
    ":rules",
    ":why",
    ":undo",
    ":redo",
    ":die",
    ":log",
    ":house",
    ":switches",
    ":dice",
    ":dialect",
    ":seed",
    ":run",
    ":quit",
];

/// The commands.
pub fn help_page() -> String {
    let mut page = String::from(
        "Type dice (3d6+1, 4d6kh3), a rule in Lua (rules.check.roll{ score = 12, difficulty = 3 }) or any Lua.\n\
         The value of a line is shown; Tab completes names; Ctrl-C stops a script.\n",
    );
    for (usage, about) in COMMANDS {
        let _ = write!(page, "\n  {usage:18} {about}");
    }
    page.push_str("\n\nHouse rules: house.set(\"opposed.contest.ties\", \"defender\"), house.wrap(\"critical.hit\", function(args, next) … end),\n\
         house.table(\"ego_save\", function(rows) … return rows end). At the table: say, ask, choose, confirm.");
    page
}

/// The house rules in force.
pub fn house_page(host: &Host) -> String {
    let house = host.house();
    if house.is_plain() {
        return "no house rules: everything is as the book has it".into();
    }
    let mut page = String::new();
    for change in house.changes() {
        let _ = writeln!(page, "{}: {} (by {})", change.subject, change.what, change.by);
    }
    for (subject, changes) in house.conflicts() {
        let authors: Vec<&str> = changes.iter().map(|change| change.by.as_str()).collect();
        let authors = authors.join(", then ");
        let _ = writeln!(page, "conflict: {subject} was changed by {authors}; the last one counts");
    }
    page
}

/// The switches that have the words in their names, with their values.
pub fn switch_page(host: &Host, words: &str) -> Result<String, Failure> {
    let house = host.house();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut rows: Vec<(String, String)> = Vec::new();
    for path in crate::rules::Book::shared().switch_paths() {
        if words.iter().all(|word| path.contains(word)) {
            let value = house.switch(&path).map_err(anyhow::Error::from)?;
            rows.push((path, value.to_string()));
        }
    }
    if rows.is_empty() {
        return Err(Failure::Failed("error: no switch has these words in its name; :switches lists them all".into()));
    }
    let width = rows.iter().map(|(path, _)| path.len()).max().unwrap_or_default();
    let rows: Vec<String> = rows.into_iter().map(|(path, value)| format!("{path:width$}  {value}")).collect();
    Ok(rows.join("\n"))
}
