//! Answers what is typed: dice, odds, a short command, or Lua.

use std::cell::{Cell, RefCell};
use std::path::Path;

use super::machine::{Entry, Machine};
use super::pages::{NAMES, help_page, house_page, switch_page};
use super::past::Past;
use super::reading::{Meant, meant};
use crate::cli::help;
use crate::cli::lines::Lines;
use crate::cli::output::{Done, Failure, color, colored_line, complain, line};
use crate::cli::roll::unreadable;
use crate::cli::run::{DiceFrom, pack_folder, show_returned};
use crate::dice::Dialect;
use crate::dice::notation::{Reading, UnknownDialect, reads_in};
use crate::lua::{Host, Printed, ScriptError};
use crate::nearest::nearest;
use crate::printable::escaped_lines;
use crate::rules::Book;

use super::complete::Completion;

/// Whether the prompt goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Read another line.
    Stay,
    /// The person leaves.
    Leave,
}

/// A prompt session: the machine, the person, and where dice come from.
pub struct Session {
    machine: Machine,
    past: Past,
    lines: Lines<Completion>,
    seed: RefCell<String>,
    dice: Cell<DiceFrom>,
    dialect: Cell<Dialect>,
}

impl Session {
    /// A session with this machine.
    pub fn new(machine: Machine, lines: Lines<Completion>, seed: String, dice: DiceFrom) -> Self {
        machine.set_dice(dice, &seed);
        let past = Past::new(machine.dice().clone());
        Session { machine, past, lines, seed: RefCell::new(seed), dice: Cell::new(dice), dialect: Cell::default() }
    }

    /// The lines that the person types.
    pub fn lines(&self) -> &Lines<Completion> {
        &self.lines
    }

    /// Answers an entry.
    pub fn answer(&self, entry: &str) -> Result<Next, Failure> {
        match self.meant(entry) {
            Meant::Command(command) => self.command(&command),
            _ => self.done(entry).map(|()| Next::Stay),
        }
    }

    /// Rolls, prices or runs what was typed, as one entry of the journal, and shows what it came to.
    fn done(&self, entry: &str) -> Done {
        let host = self.machine.host();
        let before = host.results_traced();
        // Another machine may have taken over since the last line.
        host.set_dialect(self.dialect.get());
        let printed = match self.meant(entry) {
            Meant::NoDice(text, error) => return Err(unreadable(&error, text)),
            Meant::Word(word) if !host.knows(word) => return Err(unknown_word(word, &host)),
            Meant::Dice(text) => self.past.keep(&host, entry, || host.roll_text(text)),
            Meant::Odds(text, against) => host.odds_text(text, against),
            Meant::Word(_) | Meant::Script | Meant::Command(_) => self.past.keep(&host, entry, || self.script(entry)),
        };
        let printed = printed.map_err(|error| Failure::Failed(error.to_string()))?;
        if let Some(shown) = printed.text {
            let resolved = host.results_traced() > before;
            if let Some(summary) = host.last_trace().and_then(|trace| trace.summary()).filter(|_| resolved) {
                dim_line(&summary)?;
            }
            line(&shown)?;
        }
        Ok(())
    }

    /// What an entry is meant as; in another tool's notation what it reads is dice.
    fn meant<'t>(&self, entry: &'t str) -> Meant<'t> {
        let dialect = self.dialect.get();
        let text = entry.trim();
        if dialect == Dialect::Grognard || text.starts_with(':') {
            return meant(entry);
        }
        match reads_in(text, dialect) {
            Reading::Dice => Meant::Dice(text),
            Reading::OnlyDice(error) => Meant::NoDice(text, error),
            Reading::NotDice => meant(entry),
        }
    }

    fn script(&self, text: &str) -> Result<Printed, ScriptError> {
        self.machine.keeping(|host| host.evaluate(text), |host| Entry::Typed(text.to_owned(), host.lines_read()))
    }

    /// After an entry: a machine whose budget is spent gives way to another, which is told.
    pub fn recover(&self) -> Done {
        if let Some(told) = self.machine.recover(self.dice.get())? {
            complain(&told);
        }
        Ok(())
    }

    fn command(&self, text: &str) -> Result<Next, Failure> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match name {
            ":quit" | ":q" | ":exit" => return Ok(Next::Leave),
            ":help" | ":h" | ":?" if rest.is_empty() => line(&help_page())?,
            ":help" | ":h" | ":?" | ":rules" => line(help::page(rest).map_err(failed)?.trim_end())?,
            ":why" => self.why()?,
            ":undo" => self.undo(rest)?,
            ":redo" => line(&self.past.redo(&self.machine.host()).map_err(|error| failed(error.to_string()))?)?,
            ":die" => self.misread(rest)?,
            ":log" => line(self.past.log().trim_end())?,
            ":house" => line(house_page(&self.machine.host()).trim_end())?,
            ":switches" => line(&switch_page(&self.machine.host(), rest)?)?,
            ":dice" => self.choose_dice(rest)?,
            ":dialect" => self.choose_dialect(rest)?,
            ":seed" => self.reseed(rest)?,
            ":run" => self.run_file(rest)?,
            _ => return Err(unknown_command(name)),
        }
        Ok(Next::Stay)
    }

    fn why(&self) -> Done {
        match self.machine.host().last_trace() {
            Some(trace) if !trace.steps.is_empty() => line(trace.to_string().trim_end()),
            _ => line("there is no result yet; roll some dice or resolve a rule first"),
        }
    }

    fn undo(&self, count: &str) -> Done {
        let count = match count {
            "" => Some(1),
            count => count.parse().ok().filter(|count| *count > 0),
        };
        let Some(count) = count else { return Err(failed("undo takes a number of entries from 1: undo 3".into())) };
        let told = self.past.undo(&self.machine.host(), count).map_err(|error| failed(error.to_string()))?;
        line(told.trim_end())
    }

    /// A die that was misread: the entry happens once more with what it really showed.
    fn misread(&self, text: &str) -> Done {
        let parts = text.split_once(" was ").map(|(which, was)| (which.trim(), was.trim().parse::<i64>()));
        let Some((which, Ok(was))) = parts else {
            return Err(failed(
                "a die is corrected by what it showed, die 17 was 7, or by its place, die #2 was 7".into(),
            ));
        };
        let again = self.past.with_die(which, was).map_err(failed)?;
        dim_line(&format!("{} once more, {} at {was}", again.text.trim(), again.die))?;
        self.past.happen_again(&self.machine.host(), &again, || self.redone(&again.text))
    }

    /// An entry of the journal once more.
    fn redone(&self, text: &str) -> Done {
        match text.strip_prefix(":run ") {
            Some(file) => self.run_file(file.trim()),
            None => self.done(text),
        }
    }

    fn choose_dice(&self, who: &str) -> Done {
        self.dice.set(match who {
            "ask" => DiceFrom::Ask,
            "auto" => DiceFrom::Auto,
            _ => return Err(failed(":dice takes ask (you roll) or auto (the program rolls)".into())),
        });
        self.machine.set_dice(self.dice.get(), &self.seed.borrow());
        Ok(())
    }

    fn choose_dialect(&self, name: &str) -> Done {
        if !name.is_empty() {
            self.dialect.set(name.parse().map_err(|error: UnknownDialect| failed(error.to_string()))?);
        }
        line(&format!("dice are read as {} writes them", self.dialect.get()))
    }

    fn reseed(&self, seed: &str) -> Done {
        if seed.is_empty() {
            return line(&format!("seed {}", self.seed.borrow()));
        }
        seed.clone_into(&mut self.seed.borrow_mut());
        self.machine.set_dice(self.dice.get(), seed);
        Ok(())
    }

    fn run_file(&self, file: &str) -> Done {
        if file.is_empty() {
            return Err(failed(":run takes a file, such as :run scripts/adventures/crypt.lua".into()));
        }
        let path = Path::new(file);
        let pack = pack_folder(path);
        let ran = || Entry::Ran(path.to_owned(), pack.clone());
        let run = || self.machine.keeping(|host| host.run_in(path, &pack), |_| ran());
        let returned = self.past.keep(&self.machine.host(), &format!(":run {file}"), run);
        show_returned(path, returned.map_err(|error| Failure::Failed(error.to_string()))?)
    }
}

fn failed(problem: String) -> Failure {
    Failure::Failed(format!("error: {problem}"))
}

fn dim_line(text: &str) -> Done {
    if color() { colored_line(&format!("\x1b[2m{}\x1b[0m", escaped_lines(text))) } else { line(text) }
}

fn unknown_command(name: &str) -> Failure {
    failed(match nearest(name, NAMES) {
        Some(near) => format!("there is no command {name}; the nearest is {near}"),
        None => format!("there is no command {name}; :help lists them"),
    })
}

/// A word that stands for nothing: Lua would answer it with silence.
fn unknown_word(word: &str, host: &Host) -> Failure {
    let globals = host.globals_names();
    let book = Book::shared();
    let names = ["help", "odds", "why", "quit"].into_iter().chain(globals.iter().map(String::as_str));
    let names = names.chain(book.modules()).chain(book.entries().iter().map(|entry| entry.name));
    failed(match nearest(word, names) {
        Some(near) => format!("nothing is called \"{word}\"; the nearest is {near}"),
        None => format!("nothing is called \"{word}\"; help lists what can be typed"),
    })
}
