//! The prompt's machine, and what it takes to have another when a script has spent the budget of one.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use super::complete::Completion;
use super::past::{Dice, Hand};
use crate::cli::interrupt;
use crate::cli::lines::Lines;
use crate::cli::output::Failure;
use crate::cli::run::DiceFrom;
use crate::cli::table::{Table, dice_by_hand};
use crate::dice::{Random, Scripted, Seed, Source};
use crate::lua::voice::Nobody;
use crate::lua::{Definition, Host, Limits, Named, ScriptError};
use crate::rules::core::Value;
use crate::world::Id;

/// So many names are told one by one.
const MOST_TOLD: usize = 12;

/// The longest text that a new machine takes over under its name.
const LONGEST_KEPT: usize = 1_000;

/// Something typed whose effect lasts: it changed the house rules, or defined a function.
#[derive(Clone, Debug)]
pub enum Entry {
    /// Lines of Lua, and the number that they had.
    Typed(String, u32),
    /// A file, and the folder of its pack.
    Ran(PathBuf, PathBuf),
}

/// What lasts of a host, to be compared.
#[derive(PartialEq)]
struct Lasting {
    changes: Vec<String>,
    definitions: Vec<Definition>,
}

fn changes(host: &Host) -> Vec<String> {
    host.house().changes().iter().map(|change| format!("{} ({})", change.subject, change.what)).collect()
}

impl Lasting {
    fn of(host: &Host) -> Self {
        Lasting { changes: changes(host), definitions: host.definitions() }
    }
}

/// The machine that the prompt speaks to.
pub struct Machine {
    host: RefCell<Rc<Host>>,
    /// What has to be done again in a new machine, in order.
    lasting: RefCell<Vec<Entry>>,
    dice: Dice,
    limits: Limits,
    lines: Lines<Completion>,
    completion: Completion,
}

impl Machine {
    /// The first machine of a session.
    pub fn new(limits: Limits, lines: Lines<Completion>, completion: Completion) -> Result<Self, ScriptError> {
        let host = Rc::new(bare(limits)?);
        let dice = Dice::new(Hand::Program(Random::new(Seed::from(1))));
        let machine = Machine {
            host: RefCell::new(Rc::clone(&host)),
            lasting: RefCell::default(),
            dice,
            limits,
            lines,
            completion,
        };
        machine.seat(&host);
        Ok(machine)
    }

    /// The host that answers now.
    pub fn host(&self) -> Rc<Host> {
        Rc::clone(&self.host.borrow())
    }

    /// The dice that every machine of the session draws from.
    pub fn dice(&self) -> &Dice {
        &self.dice
    }

    /// Dice from here on.
    pub fn set_dice(&self, dice: DiceFrom, seed: &str) {
        self.dice.pass_to(match dice {
            DiceFrom::Ask => Hand::Person(dice_by_hand(self.lines.clone())),
            DiceFrom::Auto => Hand::Program(Random::new(Seed::of_text(seed))),
        });
        self.hand_dice_to(&self.host(), dice);
    }

    /// Lets a host draw from the session's dice.
    fn hand_dice_to(&self, host: &Host, dice: DiceFrom) {
        let tray = Box::new(self.dice.clone());
        match dice {
            // The time that a person takes is not the script's.
            DiceFrom::Ask => host.set_dice_by_hand(tray),
            DiceFrom::Auto => drop(host.replace_source(tray)),
        }
    }

    /// Runs something typed, and keeps it when it has an effect that lasts.
    pub fn keeping<T>(&self, run: impl FnOnce(&Host) -> T, entry: impl FnOnce(&Host) -> Entry) -> T {
        let host = self.host();
        let before = Lasting::of(&host);
        let done = run(&host);
        // A script that spent the budget would spend it again.
        if !host.is_dead() && Lasting::of(&host) != before {
            self.lasting.borrow_mut().push(entry(&host));
        }
        done
    }

    /// Lets this host speak at the table and be stopped by Ctrl-C.
    fn seat(&self, host: &Rc<Host>) {
        host.set_tracing(true);
        host.replace_voice(Box::new(Table::new(self.lines.clone())));
        self.completion.learn(host);
        interrupt::stops(host.stop_handle());
    }

    /// When a script has spent the budget, builds another machine that knows what the old one knew, as far as that can
    /// be had again. Says what came of it; nothing when the machine lives.
    ///
    /// # Errors
    /// When no machine can be built.
    pub fn recover(&self, dice: DiceFrom) -> Result<Option<String>, Failure> {
        let old = self.host();
        if !old.is_dead() {
            return Ok(None);
        }
        let (names, was, lines) = (old.named(), changes(&old), old.lines_read());
        let people = old.people_named();
        let world = old.change_world(std::mem::take);
        // The old machine goes first: the new one may need as much memory.
        drop(old);
        let failed = |error: ScriptError| Failure::Failed(error.to_string());
        self.host.replace(Rc::new(bare(self.limits).map_err(failed)?));
        let host = self.rebuilt().map_err(failed)?;
        host.count_lines_from(lines + 1);
        let lost = take_over(&host, &names);
        // Those whom the repeated lines made are others; these are the ones to whom everything happened.
        host.change_world(|fresh| *fresh = world);
        let lost: Vec<String> = lost.into_iter().filter(|name| !seated_again(&host, &people, name)).collect();
        self.hand_dice_to(&host, dice);
        let told = told(&changes(&host), was, names.len() - lost.len(), lost);
        self.seat(&host);
        self.host.replace(host);
        Ok(Some(told))
    }

    /// A machine in which everything that lasts has been done again: without dice, and without a word.
    fn rebuilt(&self) -> Result<Rc<Host>, ScriptError> {
        loop {
            let host = bare(self.limits)?;
            let fatal = self.lasting.borrow().iter().position(|entry| {
                // What fails now is missing afterwards, which is told.
                let _ = match entry {
                    Entry::Typed(text, line) => {
                        host.count_lines_from(*line);
                        host.evaluate(text).map(drop)
                    }
                    Entry::Ran(file, root) => host.run_in(file, root).map(drop),
                };
                host.is_dead()
            });
            match fatal {
                None => return Ok(Rc::new(host)),
                Some(at) => drop(self.lasting.borrow_mut().remove(at)),
            }
        }
    }
}

fn no_dice() -> Box<dyn Source> {
    Box::new(Scripted::new([]))
}

/// A host without dice and without a voice, in the folder that the program was started in.
fn bare(limits: Limits) -> Result<Host, ScriptError> {
    Host::builder().source(no_dice()).voice(Nobody).limits(limits).root(".").build()
}

/// Gives a new host the plain values that the old one had under names, and takes away what stands there for anything
/// that the old one changed since. Returns the names that are lost.
fn take_over(host: &Host, names: &[(String, Named)]) -> Vec<String> {
    let functions: Vec<String> = host.definitions().into_iter().map(|(name, _)| name).collect();
    let is_kept = |(name, named): &(String, Named)| match named {
        Named::Function => functions.contains(name),
        Named::Plain(Value::Text(text)) if text.len() > LONGEST_KEPT => false,
        Named::Plain(value) => host.name(name, value).is_ok(),
        Named::Other => false,
    };
    let (kept, lost): (Vec<_>, Vec<_>) = names.iter().cloned().partition(is_kept);
    for (name, _) in host.named() {
        if !kept.iter().any(|(other, _)| *other == name) {
            // Its value would be that of long ago.
            let _ = host.name(&name, &Value::Nil);
        }
    }
    lost.into_iter().map(|(name, _)| name).collect()
}

/// Lets a name stand for the person of the world that it stood for.
fn seated_again(host: &Host, people: &[(String, Id)], name: &str) -> bool {
    people.iter().any(|(other, id)| other == name && host.name_person(name, *id).is_ok())
}

/// What a new machine has kept and lost, in a sentence.
fn told(kept: &[String], was: Vec<String>, names: usize, mut lost: Vec<String>) -> String {
    lost.extend(was.into_iter().filter(|change| !kept.contains(change)));
    let counted = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{number} {what}s")),
    };
    let kept: Vec<String> = [counted(kept.len(), "house rule"), counted(names, "name")].into_iter().flatten().collect();
    let mut told = "a new machine is in place".to_owned();
    if !kept.is_empty() {
        told = format!("{told}; kept: {}", kept.join(" and "));
    }
    if !lost.is_empty() {
        let more = lost.len().saturating_sub(MOST_TOLD);
        lost.truncate(MOST_TOLD);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        told = format!("{told}; lost: {}{more}", lost.join(", "));
    }
    told
}
