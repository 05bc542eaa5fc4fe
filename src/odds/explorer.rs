//! The dice of an exploration: a source that deals, run after run, each way that dice can fall.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use dashu_int::UBig;

use super::budget::Budget;
use super::distribution::Distribution;
use super::polynomial::Polynomial;
use crate::dice::{DiceError, Die, Source};

/// A product of chances, small as long as it can be.
#[derive(Clone, Debug)]
pub(super) enum Product {
    Small(u128),
    Big(UBig),
}

impl Product {
    fn times(&self, factor: &UBig) -> Product {
        if let (Product::Small(own), Ok(factor)) = (self, u128::try_from(factor))
            && let Some(product) = own.checked_mul(factor)
        {
            return Product::Small(product);
        }
        Product::Big(self.big() * factor)
    }

    pub(super) fn big(&self) -> UBig {
        match self {
            Product::Small(own) => UBig::from(*own),
            Product::Big(own) => own.clone(),
        }
    }

    pub(super) fn add(&mut self, other: &Product) {
        if let (Product::Small(own), Product::Small(other)) = (&*self, other)
            && let Some(sum) = own.checked_add(*other)
        {
            *self = Product::Small(sum);
            return;
        }
        *self = Product::Big(self.big() + other.big());
    }
}

/// What was asked at one place.
#[derive(Clone, Debug, PartialEq)]
enum Ask {
    /// A die with faces 1 to a number.
    Numbered(u32),
    /// A die with these faces.
    Listed(Rc<[i64]>),
    /// The sum of so many equal dice.
    Sum(Box<Ask>, u32),
}

impl Ask {
    fn of(die: Die<'_>) -> Self {
        match die {
            Die::Numbered(sides) => Ask::Numbered(sides),
            Die::Listed(faces) => Ask::Listed(faces.into()),
        }
    }

    /// Whether this is the question now asked again; without building a new one.
    fn is(&self, die: Die<'_>, count: Option<u32>) -> bool {
        match (self, die, count) {
            (Ask::Numbered(sides), Die::Numbered(asked), None) => *sides == asked,
            (Ask::Listed(faces), Die::Listed(asked), None) => **faces == *asked,
            (Ask::Sum(inner, times), _, Some(asked)) => *times == asked && inner.is(die, None),
            _ => false,
        }
    }
}

/// As notation: `d6`, `3d6`, `d[1,1,2]`.
impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Numbered(sides) => Die::Numbered(*sides).fmt(f),
            Ask::Listed(faces) => Die::Listed(faces).fmt(f),
            Ask::Sum(die, count) => write!(f, "{count}{die}"),
        }
    }
}

/// Possible answers at one place, each with its weight, and what the weights come to.
type Answers = Rc<(Vec<(i64, UBig)>, UBig)>;

/// One place where the runs part.
struct Choice {
    ask: Ask,
    answers: Answers,
    /// Which answer is being tried.
    at: usize,
    /// The chance of coming here, and the index of its denominator.
    chance: Product,
    denominator: usize,
    /// The denominator behind this place.
    next_denominator: usize,
}

/// The source that an explored piece of code draws from.
pub(super) struct Explorer {
    path: Vec<Choice>,
    depth: usize,
    pub(super) budget: Budget,
    pub(super) fault: Option<Fault>,
    answers: HashMap<AskKey, Answers>,
    /// All products of totals met so far; few, since most outcomes draw the same dice.
    pub(super) denominators: Vec<UBig>,
    steps: HashMap<(usize, UBig), usize>,
}

type AskKey = (Vec<i64>, u32, u32);

/// Why the dice stopped.
pub(super) enum Fault {
    Diverged { position: usize, before: String, now: String },
    Endless(u32),
    TooMany(f64),
    TooMuch { dice: String, estimate: f64 },
}

impl Explorer {
    pub(super) fn new(budget: &Budget) -> Self {
        Explorer {
            path: Vec::new(),
            depth: 0,
            budget: budget.clone(),
            fault: None,
            answers: HashMap::new(),
            denominators: vec![UBig::ONE],
            steps: HashMap::new(),
        }
    }

    fn answers(&mut self, die: Die<'_>, count: Option<u32>) -> Answers {
        let key: AskKey = match die {
            Die::Numbered(sides) => (Vec::new(), sides, count.unwrap_or(u32::MAX)),
            Die::Listed(faces) => (faces.to_vec(), 0, count.unwrap_or(u32::MAX)),
        };
        self.answers.entry(key).or_insert_with(|| Rc::new(sums(die, count.unwrap_or(1)))).clone()
    }

    fn ask(&mut self, die: Die<'_>, count: Option<u32>) -> Result<i64, DiceError> {
        if self.fault.is_some() {
            return Err(stopped());
        }
        if let Some(choice) = self.path.get(self.depth) {
            if !choice.ask.is(die, count) {
                let (before, now) = (choice.ask.to_string(), asked(die, count).to_string());
                self.fault = Some(Fault::Diverged { position: self.depth + 1, before, now });
                return Err(stopped());
            }
            self.depth += 1;
            return Ok(choice.answers.0[choice.at].0);
        }
        if self.depth >= self.budget.draws as usize {
            self.fault = Some(Fault::Endless(self.budget.draws));
            return Err(stopped());
        }
        if let Some(fault) = self.too_wide(die, count) {
            self.fault = Some(fault);
            return Err(stopped());
        }
        let answers = self.answers(die, count);
        let (chance, denominator) = self.leaf();
        let step = (denominator, answers.1.clone());
        let next_denominator = if let Some(&known) = self.steps.get(&step) {
            known
        } else {
            let product = &self.denominators[denominator] * &answers.1;
            let known = self.denominators.iter().position(|other| *other == product).unwrap_or_else(|| {
                self.denominators.push(product);
                self.denominators.len() - 1
            });
            self.steps.insert(step, known);
            known
        };
        let first = answers.0[0].0;
        self.path.push(Choice { ask: asked(die, count), answers, at: 0, chance, denominator, next_denominator });
        self.depth += 1;
        Ok(first)
    }

    /// Whether one place alone has more answers than may be visited, or ones that take too long to weigh.
    fn too_wide(&self, die: Die<'_>, count: Option<u32>) -> Option<Fault> {
        let (sides, count) = (f64::from(die.sides()), f64::from(count.unwrap_or(1)));
        let values = (die.greatest() as f64 - die.least() as f64).min(sides - 1.0) * count + 1.0;
        if values > self.budget.leaves as f64 {
            return Some(Fault::TooMany(values));
        }
        // The last squaring multiplies two halves of the values; weights are as long as all faces together.
        let estimate = values * values / 4.0 * (1.0 + count * sides.log2() / 64.0);
        let long = count > 1.0 && estimate > self.budget.work;
        long.then(|| Fault::TooMuch { dice: asked(die, Some(count as u32)).to_string(), estimate })
    }

    /// The first place that this run should have come to and did not, counted from 1, and what was drawn there.
    pub(super) fn unasked(&self) -> Option<(usize, String)> {
        self.path.get(self.depth).map(|choice| (self.depth + 1, choice.ask.to_string()))
    }

    /// The part of the tree that was visited, were all outcomes equally many behind each face.
    pub(super) fn visited_part(&self) -> f64 {
        let (mut part, mut width) = (0.0, 1.0);
        for choice in &self.path {
            width /= choice.answers.0.len() as f64;
            part += choice.at as f64 * width;
        }
        part + width
    }

    /// The chance of the path as it stands, and the index of its denominator.
    pub(super) fn leaf(&self) -> (Product, usize) {
        match self.path.last() {
            None => (Product::Small(1), 0),
            Some(last) => (last.chance.times(&last.answers.0[last.at].1), last.next_denominator),
        }
    }

    /// Goes to the next untried face; false when every one has been tried.
    pub(super) fn advance(&mut self) -> bool {
        self.depth = 0;
        while let Some(last) = self.path.last_mut() {
            last.at += 1;
            if last.at < last.answers.0.len() {
                debug_assert!(last.denominator < self.denominators.len());
                return true;
            }
            self.path.pop();
        }
        false
    }
}

fn asked(die: Die<'_>, count: Option<u32>) -> Ask {
    match count {
        None => Ask::of(die),
        Some(count) => Ask::Sum(Box::new(Ask::of(die)), count),
    }
}

fn stopped() -> DiceError {
    DiceError::Limit("exploration stops here".into())
}

/// The sums of equal dice with their weights.
fn sums(die: Die<'_>, count: u32) -> (Vec<(i64, UBig)>, UBig) {
    let faces: Distribution<i64> = match die {
        Die::Numbered(sides) => Distribution::uniform(1..=i64::from(sides)),
        Die::Listed(faces) => Distribution::uniform(faces.iter().copied()),
    };
    let sum = if count == 1 {
        faces
    } else {
        let total = faces.total().pow(count as usize);
        Polynomial::of_entries(faces.entries()).power(count, &super::budget::Meter::unlimited()).unwrap().into_distribution(total)
    };
    (sum.entries().to_vec(), sum.total().clone())
}

impl Source for Explorer {
    fn draw(&mut self, die: Die<'_>, _purpose: &str) -> Result<i64, DiceError> {
        self.ask(die, None)
    }

    fn sum(&mut self, die: Die<'_>, count: u32, _purpose: &str) -> Result<i64, DiceError> {
        match count {
            0 => Ok(0),
            1 => self.ask(die, None),
            _ => self.ask(die, Some(count)),
        }
    }
}
