//! Completion at the prompt: globals, modules, rules, and the arguments of the rule being typed.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::lua::Host;
use crate::rules::Book;

/// What the line editor asks for the rest of a name. It learns the host once there is one.
#[derive(Clone, Default)]
pub struct Completion {
    host: Rc<RefCell<Weak<Host>>>,
    on: Rc<Cell<bool>>,
}

impl Completion {
    /// Completes from this host's names.
    pub fn learn(&self, host: &Rc<Host>) {
        *self.host.borrow_mut() = Rc::downgrade(host);
    }

    /// Completes at the prompt, and not in answers to a script's questions.
    pub fn switch(&self, on: bool) {
        self.on.set(on);
    }
}

/// Where the word under the cursor begins: letters, digits, `_`, `.` and `:` belong to it.
fn word_start(typed: &str) -> usize {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    typed.char_indices().rev().take_while(|(_, c)| belongs(*c)).last().map_or(typed.len(), |(at, _)| at)
}

/// The rule whose argument table is open where the text ends: `rules.check.roll{ score = 12, ` is in `check.roll`.
fn open_rule(typed: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, letter) in typed.char_indices().rev() {
        match letter {
            '}' => depth += 1,
            '{' if depth > 0 => depth -= 1,
            '{' => {
                let before = typed[..at].trim_end().trim_end_matches('(');
                let name = &before[word_start(before)..];
                return name.strip_prefix("rules.").filter(|name| Book::shared().entry(name).is_some());
            }
            _ => {}
        }
    }
    None
}

/// The completions of a line up to the cursor: where the word begins, and the whole words that fit.
fn completions(typed: &str, host: Option<&Host>) -> (usize, Vec<Pair>) {
    let start = word_start(typed);
    let word = &typed[start..];
    let bare = ["why", "help ", "quit"];
    if word.starts_with(':') || (start == 0 && !word.is_empty() && bare.iter().any(|name| name.starts_with(word))) {
        let known = [":help ", ":rules ", ":house", ":switches ", ":dice ", ":dialect ", ":seed ", ":run ", ":quit"];
        let known = known.iter().chain(&bare);
        return (start, pairs(known.filter(|name| name.starts_with(word)).map(|name| (*name).to_owned())));
    }
    if matches!(typed[..start].trim(), ":help" | "help" | ":rules") {
        let names = Book::shared().entries().iter().map(|entry| entry.name).chain(Book::shared().modules());
        return (start, pairs(names.filter(|name| name.starts_with(word)).map(str::to_owned)));
    }
    if !word.contains('.')
        && let Some(entry) = open_rule(&typed[..start]).and_then(|name| Book::shared().entry(name))
    {
        let names = entry.argument_names().into_iter().filter(|name| name.starts_with(word));
        let arguments: Vec<Pair> = pairs(names.map(|name| format!("{name} = ")));
        if !arguments.is_empty() {
            return (start, arguments);
        }
    }
    (start, host.map(|host| pairs(host.complete(word).into_iter())).unwrap_or_default())
}

fn pairs(names: impl Iterator<Item = String>) -> Vec<Pair> {
    names.map(|name| Pair { display: name.trim_end().to_owned(), replacement: name }).collect()
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        if !self.on.get() {
            return Ok((position, Vec::new()));
        }
        let host = self.host.borrow().upgrade();
        Ok(completions(&line[..position], host.as_deref()))
    }
}

impl Hinter for Completion {
    type Hint = String;
}
impl Highlighter for Completion {}
impl Validator for Completion {}
impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(typed: &str) -> Vec<String> {
        completions(typed, None).1.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn arguments_of_the_open_rule_complete() {
        assert_eq!(words("rules.check.roll{ sc"), ["score = "]);
        assert_eq!(words("local r = rules.check.roll{ score = 12, good"), ["good_at = "]);
        assert!(words("rules.check.roll{ scores = { 1, 2 } }; sc").is_empty());
        assert_eq!(words("rules.check.roll({ sc"), ["score = "]);
    }

    #[test]
    fn commands_and_help_pages_complete() {
        assert_eq!(words(":sw"), [":switches "]);
        assert_eq!(words(":help check.c"), ["check.combine"]);
        assert_eq!(words("help check.c"), ["check.combine"]);
        assert_eq!(words("wh"), ["why"]);
    }
}
