//! What a line at the prompt means: dice, a short command, or Lua, in that order.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use super::complete::Completion;
use crate::cli::help;
use crate::cli::lines::Lines;
use crate::cli::output::{Done, Failure, color, line};
use crate::cli::run::DiceFrom;
use crate::cli::table::dice_by_hand;
use crate::dice::{Expression, Random, Seed};
use crate::lua::Host;
use crate::nearest::nearest;

/// Whether the prompt goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Read another line.
    Stay,
    /// The person leaves.
    Leave,
}

/// The short commands, with what they do.
const COMMANDS: [(&str, &str); 9] = [
    (":help NAME", "this page, or the page of a rule, a module, or words to look for"),
    (":rules WORDS", "lists the rules, or those that speak of the words"),
    ("why", "how the last result came about"),
    (":house", "the house rules in force, who made them, and where they fight"),
    (":switches WORDS", "the switches of the rules, with the values they have now"),
    (":dice ask", "you roll and type what the dice show (`:dice auto`: the program rolls)"),
    (":seed TEXT", "starts the dice again from a seed"),
    (":run FILE", "runs a script here"),
    (":quit", "leaves (Ctrl-D too)"),
];

/// Whether a line is a short command, which never goes on in a second line.
pub fn is_short(entry: &str) -> bool {
    let entry = entry.trim();
    entry.starts_with(':') || entry == "why"
}

/// A prompt session: the host, the person, and where dice come from.
pub struct Session {
    host: Rc<Host>,
    lines: Lines<Completion>,
    seed: RefCell<String>,
    dice: RefCell<DiceFrom>,
}

impl Session {
    /// A session on this host.
    pub fn new(host: Rc<Host>, lines: Lines<Completion>, seed: String, dice: DiceFrom) -> Self {
        Session { host, lines, seed: RefCell::new(seed), dice: RefCell::new(dice) }
    }

    /// The lines that the person types.
    pub fn lines(&self) -> &Lines<Completion> {
        &self.lines
    }

    /// Answers an entry.
    pub fn answer(&self, entry: &str) -> Result<Next, Failure> {
        let text = entry.trim();
        if is_short(text) {
            return self.command(text);
        }
        let before = self.host.results_traced();
        let printed =
            if Expression::looks_like_dice(text) { self.host.roll_text(text) } else { self.host.evaluate(entry) };
        let printed = printed.map_err(|error| Failure::Failed(error.to_string()))?;
        if let Some(shown) = printed.text {
            let resolved = self.host.results_traced() > before;
            if let Some(summary) = self.host.last_trace().and_then(|trace| trace.summary()).filter(|_| resolved) {
                line(&dim(&summary))?;
            }
            line(&shown)?;
        }
        Ok(Next::Stay)
    }

    fn command(&self, text: &str) -> Result<Next, Failure> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match name {
            ":quit" | ":q" | ":exit" => return Ok(Next::Leave),
            ":help" | ":h" | ":?" if rest.is_empty() => line(&help_page())?,
            ":help" | ":h" | ":?" | ":rules" => line(help::page(rest).map_err(failed)?.trim_end())?,
            "why" | ":why" => self.why()?,
            ":house" => line(house_page(&self.host).trim_end())?,
            ":switches" => line(&switch_page(&self.host, rest)?)?,
            ":dice" => self.choose_dice(rest)?,
            ":seed" => self.reseed(rest)?,
            ":run" => self.run_file(rest)?,
            _ => return Err(unknown_command(name)),
        }
        Ok(Next::Stay)
    }

    fn why(&self) -> Done {
        match self.host.last_trace() {
            Some(trace) if !trace.steps.is_empty() => line(trace.to_string().trim_end()),
            _ => line("there is no result yet; roll some dice or resolve a rule first"),
        }
    }

    fn choose_dice(&self, who: &str) -> Done {
        let dice = match who {
            "ask" => DiceFrom::Ask,
            "auto" => DiceFrom::Auto,
            _ => return Err(failed(":dice takes ask (you roll) or auto (the program rolls)".into())),
        };
        *self.dice.borrow_mut() = dice;
        self.set_source(dice);
        Ok(())
    }

    fn reseed(&self, seed: &str) -> Done {
        if seed.is_empty() {
            return line(&format!("seed {}", self.seed.borrow()));
        }
        seed.clone_into(&mut self.seed.borrow_mut());
        let dice = *self.dice.borrow();
        self.set_source(dice);
        Ok(())
    }

    fn set_source(&self, dice: DiceFrom) {
        match dice {
            DiceFrom::Ask => self.host.set_dice_by_hand(dice_by_hand(self.lines.clone())),
            DiceFrom::Auto => {
                drop(self.host.replace_source(Box::new(Random::new(Seed::of_text(&self.seed.borrow())))));
            }
        }
    }

    fn run_file(&self, file: &str) -> Done {
        if file.is_empty() {
            return Err(failed(":run takes a file, such as :run scripts/adventures/crypt.lua".into()));
        }
        let returned = self.host.run_file(std::path::Path::new(file));
        returned.map(drop).map_err(|error| Failure::Failed(error.to_string()))
    }
}

fn failed(problem: String) -> Failure {
    Failure::Failed(format!("error: {problem}"))
}

fn dim(text: &str) -> String {
    if color() { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
}

fn unknown_command(name: &str) -> Failure {
    let known = COMMANDS.iter().map(|(usage, _)| usage.split(' ').next().unwrap_or_default());
    failed(match nearest(name, known) {
        Some(near) => format!("there is no command {name}; the nearest is {near}"),
        None => format!("there is no command {name}; :help lists them"),
    })
}

fn help_page() -> String {
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

fn house_page(host: &Host) -> String {
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

fn switch_page(host: &Host, words: &str) -> Result<String, Failure> {
    let house = host.house();
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut rows = Vec::new();
    for path in crate::rules::Book::shared().switch_paths() {
        if words.iter().all(|word| path.contains(word)) {
            let value = house.switch(&path).map_err(|error| failed(error.to_string()))?;
            rows.push(format!("{path:44} {value}"));
        }
    }
    if rows.is_empty() {
        return Err(failed("no switch has these words in its name; :switches lists them all".into()));
    }
    Ok(rows.join("\n"))
}
