//! What was done at the prompt, and the way back: undo, redo, the log, and a die that was misread.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use crate::dice::{DiceError, Die, Draw, Random, Source, Tray};
use crate::lua::Host;
use crate::world::{Change, Entry, Journal, JournalError, Record};

/// Who rolls the dice of a prompt.
pub enum Hand {
    /// The program, from a seed.
    Program(Random),
    /// A person, who types what real dice show.
    Person(Box<dyn Source>),
}

impl Hand {
    fn source(&mut self) -> &mut dyn Source {
        match self {
            Hand::Program(random) => random,
            Hand::Person(person) => person,
        }
    }
}

impl Source for Hand {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.source().draw(die, purpose)
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.source().fill(die, purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        self.source().sum(die, count, purpose)
    }
}

/// Where the program's dice are; nothing while a person rolls.
type Position = Option<Random>;

/// The dice of a prompt: its machine draws from them, its journal sets them back.
#[derive(Clone)]
pub struct Dice(Rc<RefCell<Tray<Hand>>>);

impl Dice {
    /// Dice from this hand.
    pub fn new(hand: Hand) -> Self {
        Dice(Rc::new(RefCell::new(Tray::new(hand))))
    }

    /// From here on another hand rolls.
    pub fn pass_to(&self, hand: Hand) {
        *self.0.borrow_mut().source_mut() = hand;
    }

    fn position(&self) -> Position {
        match self.0.borrow().source() {
            Hand::Program(random) => Some(random.clone()),
            Hand::Person(_) => None,
        }
    }

    fn set_back(&self, position: &Position) {
        if let (Hand::Program(random), Some(position)) = (self.0.borrow_mut().source_mut(), position) {
            random.clone_from(position);
        }
    }
}

impl Source for Dice {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.0.borrow_mut().draw(die, purpose)
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.0.borrow_mut().fill(die, purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        self.0.borrow_mut().sum(die, count, purpose)
    }
}

/// What was done since the prompt opened.
pub struct Past {
    dice: Dice,
    journal: RefCell<Journal>,
    /// Where the dice were before and after each entry.
    positions: RefCell<Vec<(Position, Position)>>,
}

/// An entry that is to happen again with one die changed.
pub struct Again {
    /// What was typed.
    pub text: String,
    /// The die, as it is told: `the d20 (attack)`.
    pub die: String,
    faces: Vec<i64>,
    before: Position,
    stands: bool,
}

impl Past {
    /// Nothing done yet, with these dice.
    pub fn new(dice: Dice) -> Self {
        Past { dice, journal: RefCell::default(), positions: RefCell::default() }
    }

    /// Does what was typed, as one entry: on an error nothing has happened, and the dice are where they were.
    pub fn keep<T, E>(&self, host: &Host, text: &str, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let before = self.dice.position();
        self.dice.0.borrow_mut().take_draws();
        let done = host.as_one(run);
        let draws = self.dice.0.borrow_mut().take_draws();
        match done {
            Ok((value, changes)) => {
                if !(draws.is_empty() && changes.is_empty()) {
                    let entry = Entry { text: text.to_owned(), draws, changes, undone: false };
                    self.journal.borrow_mut().keep(entry);
                    self.positions.borrow_mut().push((before, self.dice.position()));
                }
                Ok(value)
            }
            Err(error) => {
                self.dice.set_back(&before);
                Err(error)
            }
        }
    }

    /// Takes the last entries back and says what that gave back.
    pub fn undo(&self, host: &Host, count: usize) -> Result<String, JournalError> {
        let indices = host.change_world(|world| self.journal.borrow_mut().undo(count, world))?;
        let journal = self.journal.borrow();
        let mut told = String::new();
        for &index in &indices {
            self.dice.set_back(&self.positions.borrow()[index].0);
            let entry = &journal.entries()[index];
            let _ = write!(told, "undone: {}", first_line(&entry.text));
            for change in &entry.changes {
                let _ = write!(told, " · {}", back(change));
            }
            match entry.draws.len() {
                0 => {}
                1 => told.push_str(" · the die is where it was"),
                _ => told.push_str(" · the dice are where they were"),
            }
            told.push('\n');
        }
        Ok(told)
    }

    /// Does the entry undone last again, with the dice it had.
    pub fn redo(&self, host: &Host) -> Result<String, JournalError> {
        let index = host.change_world(|world| self.journal.borrow_mut().redo(world))?;
        self.dice.set_back(&self.positions.borrow()[index].1);
        let journal = self.journal.borrow();
        let entry = &journal.entries()[index];
        let mut told = format!("done again: {}", first_line(&entry.text));
        for change in &entry.changes {
            let _ = write!(told, " · {}", forth(change));
        }
        Ok(told)
    }

    /// Every entry with its dice and what it changed.
    pub fn log(&self) -> String {
        let mut page = String::new();
        for (number, entry) in (1..).zip(self.journal.borrow().entries()) {
            let _ = write!(page, "{number:>3}  {}", first_line(&entry.text));
            if !entry.draws.is_empty() {
                let dice: Vec<String> = entry.draws.iter().take(MOST_DICE_TOLD).map(shown).collect();
                let more = if entry.draws.len() > MOST_DICE_TOLD { ", …" } else { "" };
                let _ = write!(page, "  [{}{more}]", dice.join(", "));
            }
            for change in &entry.changes {
                let _ = write!(page, " · {}", forth(change));
            }
            page.push_str(if entry.undone { "  (undone)\n" } else { "\n" });
        }
        if page.is_empty() { "nothing was rolled or changed yet\n".to_owned() } else { page }
    }

    /// Finds the die of the last entry that is meant (`17`, the one that showed 17, or `#2`, the second) and makes the
    /// entry ready to happen again with another face of it. The last entry is the one undone last, when nothing was
    /// done since.
    pub fn with_die(&self, which: &str, was: i64) -> Result<Again, String> {
        let journal = self.journal.borrow();
        let undone = journal.next_redo();
        let Some(index) = undone.or_else(|| journal.last()) else { return Err("no dice have fallen yet".to_owned()) };
        let entry = &journal.entries()[index];
        let place = place_of(&entry.draws, which)?;
        let draw = &entry.draws[place];
        let mut faces: Vec<i64> = entry.draws.iter().map(|draw| draw.face).collect();
        faces[place] = was;
        let (text, die) = (entry.text.clone(), named(draw));
        Ok(Again { text, die, faces, before: self.positions.borrow()[index].0.clone(), stands: undone.is_none() })
    }

    /// Lets an entry happen again with its changed dice: what it did is taken back first, and comes back when the new
    /// way fails.
    pub fn happen_again<T, E>(&self, host: &Host, again: &Again, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let now = self.dice.position();
        if again.stands {
            // It is the last entry that stands, so it can be taken back.
            let _ = host.change_world(|world| self.journal.borrow_mut().undo(1, world));
        }
        self.dice.set_back(&again.before);
        self.dice.0.borrow_mut().put(again.faces.iter().copied());
        let done = run();
        self.dice.0.borrow_mut().clear();
        if done.is_err() {
            self.dice.set_back(&now);
            if again.stands {
                let _ = host.change_world(|world| self.journal.borrow_mut().redo(world));
            }
        }
        done
    }
}

/// So many dice of an entry are told in the log.
const MOST_DICE_TOLD: usize = 12;

/// The place of the die that is meant among those that fell.
fn place_of(draws: &[Draw], which: &str) -> Result<usize, String> {
    let fell = || {
        let dice: Vec<String> = (1..).zip(draws).map(|(number, draw)| format!("#{number} {}", shown(draw))).collect();
        if dice.is_empty() { "no dice fell".to_owned() } else { format!("the dice were {}", dice.join(", ")) }
    };
    if let Some(number) = which.strip_prefix('#') {
        let place = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        return place
            .filter(|place| *place < draws.len())
            .ok_or_else(|| format!("there is no die {which}: {}", fell()));
    }
    let face: i64 = which
        .parse()
        .map_err(|_| format!("a die is meant by what it showed (17) or by its place (#2), not {which}"))?;
    let mut places = draws.iter().enumerate().filter(|(_, draw)| draw.face == face).map(|(place, _)| place);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (None, _) => Err(format!("no die showed {face}: {}", fell())),
        (Some(_), Some(_)) => Err(format!("several dice showed {face}; say which by its place: {}", fell())),
    }
}

fn shown(draw: &Draw) -> String {
    match draw.count {
        1 => format!("d{} {}", draw.sides, draw.face),
        count => format!("{count}d{} {}", draw.sides, draw.face),
    }
}

fn named(draw: &Draw) -> String {
    if draw.purpose.is_empty() {
        format!("the d{}", draw.sides)
    } else {
        format!("the d{} ({})", draw.sides, draw.purpose)
    }
}

fn first_line(text: &str) -> String {
    match text.trim().split_once('\n') {
        Some((first, _)) => format!("{first} …"),
        None => text.trim().to_owned(),
    }
}

/// What an undone change comes back to.
fn back(change: &Change) -> String {
    match (change.before.as_deref(), change.after.as_deref()) {
        (Some(Record::Character(was)), Some(Record::Character(is))) if was.hp() != is.hp() => {
            format!("{} is at {} again", was.name(), was.hp())
        }
        (Some(Record::Character(was)), _) => format!("{} is as before", was.name()),
        (None, Some(Record::Character(is))) => format!("{} is gone", is.name()),
        (None, None) => String::new(),
    }
}

/// What a change made.
fn forth(change: &Change) -> String {
    match (change.before.as_deref(), change.after.as_deref()) {
        (Some(Record::Character(was)), Some(Record::Character(is))) if was.hp() != is.hp() => {
            format!("{} {} → {}", is.name(), was.hp(), is.hp())
        }
        (Some(_), Some(Record::Character(is))) => format!("{} changes", is.name()),
        (None, Some(Record::Character(is))) => format!("{} joins", is.name()),
        (Some(Record::Character(was)), None) => format!("{} goes", was.name()),
        (None, None) => String::new(),
    }
}
