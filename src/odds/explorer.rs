//! The dice of an exploration: a source that deals, run after run, each way that dice can fall.

use std::collections::HashMap;
use std::sync::Arc;

use dashu_int::UBig;

use super::asks::{Answers, Ask, Asked};
use super::budget::{Budget, Meter};
use super::error::OddsError;
use super::weight::ratio;
use crate::dice::{DiceError, Die, Expression, NotationError, Params, RollValue, Source};

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

/// Where outcomes are cut off, they may draw so many times as many dice.
const MORE_DRAWS: u32 = 10;

/// One place where the runs part.
struct Choice {
    ask: Ask,
    answers: Arc<Answers>,
    /// Which answer is being tried.
    at: usize,
    /// The chance of coming here, exactly over the denominator with this index, and about.
    chance: Product,
    denominator: usize,
    share: f64,
    /// The denominator behind this place.
    next_denominator: usize,
}

/// The source that an explored piece of code draws from.
pub(super) struct Explorer {
    path: Vec<Choice>,
    depth: usize,
    pub(super) budget: Budget,
    pub(super) meter: Meter,
    pub(super) fault: Option<Fault>,
    /// Outcomes less likely than this are cut off; none are unless rolling has no end.
    cut: Option<f64>,
    /// Whether this run is one that is cut off.
    pub(super) lost: bool,
    answers: HashMap<AskKey, Arc<Answers>>,
    /// All products of totals met so far; few, since most outcomes draw the same dice.
    pub(super) denominators: Vec<UBig>,
    steps: HashMap<(usize, UBig), usize>,
}

/// A die by its faces or sides, how many of it, and whether they are sorted instead of added up.
type AskKey = (Vec<i64>, u32, u32, bool);

/// Why the dice stopped.
pub(super) enum Fault {
    Diverged { position: usize, before: String, now: String },
    Endless(u32),
    TooMany(f64),
    TooMuch { dice: String, estimate: f64 },
    Stopped,
}

impl Explorer {
    pub(super) fn new(budget: &Budget) -> Self {
        Explorer {
            path: Vec::new(),
            depth: 0,
            budget: budget.clone(),
            meter: Meter::new(budget),
            fault: None,
            cut: None,
            lost: false,
            answers: HashMap::new(),
            denominators: vec![UBig::ONE],
            steps: HashMap::new(),
        }
    }

    /// Begins anew, this time without outcomes that are less likely than this.
    pub(super) fn begin_cutting(&mut self, cut: f64) {
        let (cut, answers) = (Some(cut), std::mem::take(&mut self.answers));
        *self = Explorer { cut, answers, ..Explorer::new(&self.budget) };
    }

    /// Goes back to the first outcome.
    pub(super) fn begin_again(&mut self) {
        match self.cut {
            Some(cut) => self.begin_cutting(cut),
            None => *self = Explorer { answers: std::mem::take(&mut self.answers), ..Explorer::new(&self.budget) },
        }
    }

    /// Outcomes less likely than this are cut off, when any are.
    pub(super) fn cut(&self) -> Option<f64> {
        self.cut
    }

    /// What need not be looked at: outcomes so unlikely that all of them together hardly count.
    pub(super) fn negligible(&self) -> f64 {
        self.budget.remainder * 1e-3
    }

    /// Whether the exploration may go on, for so many steps more.
    pub(super) fn goes_on(&self, steps: u64) -> bool {
        self.meter.goes_on(steps).is_ok()
    }

    pub(super) fn is_cutting(&self) -> bool {
        self.cut.is_some()
    }

    /// The possible answers to a question about plain dice.
    fn answers(&mut self, (die, count, sorted): (Die<'_>, u32, bool)) -> Result<Arc<Answers>, OddsError> {
        let key: AskKey = match die {
            Die::Numbered(sides) => (Vec::new(), sides, count, sorted),
            Die::Listed(faces) => (faces.to_vec(), 0, count, sorted),
        };
        if let Some(known) = self.answers.get(&key) {
            return Ok(Arc::clone(known));
        }
        let answers = if sorted {
            Answers::of_sorted(die, count, &self.meter)?
        } else {
            Answers::of_sum(die, count, &self.meter)?
        };
        let answers = Arc::new(answers);
        self.answers.insert(key, Arc::clone(&answers));
        Ok(answers)
    }

    /// The answer of this run to a question. Of an expression whose place is new, the answers are brought along.
    fn ask(&mut self, asked: Asked<'_>, law: Option<Arc<Answers>>) -> Result<i64, DiceError> {
        if self.fault.is_some() || self.lost {
            return Err(stopped());
        }
        if let Some(choice) = self.path.get(self.depth) {
            if !choice.ask.is(asked) {
                let (before, now) = (choice.ask.to_string(), asked.to_ask().to_string());
                return self.stop(Fault::Diverged { position: self.depth + 1, before, now });
            }
            self.depth += 1;
            return Ok(choice.answers.values[choice.at].0);
        }
        let more = if self.cut.is_some() { MORE_DRAWS } else { 1 };
        if self.depth >= self.budget.draws.saturating_mul(more) as usize {
            return self.stop(Fault::Endless(self.budget.draws));
        }
        let (chance, denominator, share) = self.leaf();
        if self.cut.is_some_and(|cut| share < cut) {
            self.lost = true;
            return Err(stopped());
        }
        if let Some(fault) = self.too_wide(asked) {
            return self.stop(fault);
        }
        let answers = match (law, asked.dice()) {
            (Some(law), _) => Ok(law),
            (None, Some(dice)) => self.answers(dice),
            (None, None) => Err(OddsError::Stopped),
        };
        let answers = match answers {
            Ok(answers) => answers,
            Err(OddsError::TooMuch { estimate, .. }) => {
                return self.stop(Fault::TooMuch { dice: asked.to_ask().to_string(), estimate });
            }
            Err(OddsError::Stopped) => return self.stop(Fault::Stopped),
            // A sum of faces that does not fit 64 bits.
            Err(other) => return Err(DiceError::Limit(other.to_string())),
        };
        let next_denominator = self.denominator_behind(denominator, &answers.total);
        let first = answers.values[0].0;
        self.path.push(Choice { ask: asked.to_ask(), answers, at: 0, chance, denominator, share, next_denominator });
        self.depth += 1;
        Ok(first)
    }

    fn stop<T>(&mut self, fault: Fault) -> Result<T, DiceError> {
        self.fault = Some(fault);
        Err(stopped())
    }

    /// The index of a denominator times a total.
    fn denominator_behind(&mut self, denominator: usize, total: &UBig) -> usize {
        let step = (denominator, total.clone());
        if let Some(&known) = self.steps.get(&step) {
            return known;
        }
        let product = &self.denominators[denominator] * total;
        let known = self.denominators.iter().position(|other| *other == product).unwrap_or_else(|| {
            self.denominators.push(product);
            self.denominators.len() - 1
        });
        self.steps.insert(step, known);
        known
    }

    /// Whether one place alone has more answers than may be visited.
    fn too_wide(&self, asked: Asked<'_>) -> Option<Fault> {
        let (die, count, sorted) = asked.dice()?;
        let (sides, number) = (f64::from(die.sides()), f64::from(count));
        let values = if sorted {
            (1..=count).fold(1.0, |ways, k| ways * (sides - 1.0 + f64::from(k)) / f64::from(k))
        } else {
            (die.greatest() as f64 - die.least() as f64).min(sides - 1.0) * number + 1.0
        };
        (values > self.budget.leaves as f64).then_some(Fault::TooMany(values))
    }

    /// The first place that this run should have come to and did not, counted from 1, and what was drawn there.
    pub(super) fn unasked(&self) -> Option<(usize, String)> {
        self.path.get(self.depth).map(|choice| (self.depth + 1, choice.ask.to_string()))
    }

    /// The part of the tree that was visited, were all outcomes equally many behind each face.
    pub(super) fn visited_part(&self) -> f64 {
        let (mut part, mut width) = (0.0, 1.0);
        for choice in &self.path {
            width /= choice.answers.values.len() as f64;
            part += choice.at as f64 * width;
        }
        part + width
    }

    /// The chance of the path as it stands, the index of its denominator, and about how much that is.
    pub(super) fn leaf(&self) -> (Product, usize, f64) {
        match self.path.last() {
            None => (Product::Small(1), 0, 1.0),
            Some(last) => {
                let weight = &last.answers.values[last.at].1;
                let share = last.share * ratio(weight, &last.answers.total);
                (last.chance.times(weight), last.next_denominator, share)
            }
        }
    }

    /// Goes to the next untried face; false when every one has been tried.
    pub(super) fn advance(&mut self) -> bool {
        self.depth = 0;
        self.lost = false;
        while let Some(last) = self.path.last_mut() {
            last.at += 1;
            if last.at < last.answers.values.len() {
                debug_assert!(last.denominator < self.denominators.len());
                return true;
            }
            self.path.pop();
        }
        false
    }
}

fn stopped() -> DiceError {
    DiceError::Limit("exploration stops here".into())
}

impl Source for Explorer {
    fn draw(&mut self, die: Die<'_>, _purpose: &str) -> Result<i64, DiceError> {
        self.ask(Asked::Die(die), None)
    }

    fn sum(&mut self, die: Die<'_>, count: u32, _purpose: &str) -> Result<i64, DiceError> {
        match count {
            0 => Ok(0),
            1 => self.ask(Asked::Die(die), None),
            _ => self.ask(Asked::Sum(die, count), None),
        }
    }

    fn sorted(&mut self, die: Die<'_>, _purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        match faces {
            [] => return Ok(()),
            [face] => *face = self.ask(Asked::Die(die), None)?,
            faces => {
                let set = self.ask(Asked::Sorted(die, faces.len() as u32), None)?;
                // The place that was just answered.
                if let Some(choice) = self.path.get(self.depth - 1) {
                    faces.copy_from_slice(&choice.answers.sets[set as usize]);
                }
            }
        }
        Ok(())
    }

    /// One draw of the value, by its odds, where they can be told.
    fn value_of(&mut self, expression: &Expression, params: &Params) -> Result<RollValue, NotationError> {
        if expression.is_list() {
            return expression.total(self, params);
        }
        let asked = Asked::Notation(expression, params);
        let again = self.path.get(self.depth).is_some_and(|choice| choice.ask.is(asked));
        let known = self.fault.is_some() || self.lost || again;
        let law = if known { Ok(None) } else { self.budget.laws.of(expression, params, &self.budget).map(Some) };
        let answered = match law {
            Ok(Some(None)) => return expression.total(self, params),
            Ok(Some(Some(law))) if law.is_certain() => Ok(law.values[0].0),
            Ok(law) => self.ask(asked, law.flatten()),
            Err(_) => self.stop(Fault::Stopped),
        };
        answered.map(RollValue::Number).map_err(|error| NotationError::no_die(&error, expression.text()))
    }
}
