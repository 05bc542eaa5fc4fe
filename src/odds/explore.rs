//! Every outcome of a piece of code that draws dice, by running it once for each.
//!
//! The code is run again and again. Each run replays the draws of the last one up to the place where the next untried
//! face stands, and goes on from there; so the code needs no knowledge of being explored, only to draw the same dice
//! whenever it has seen the same faces.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::rc::Rc;

use dashu_int::UBig;

use super::budget::Budget;
use super::distribution::Distribution;
use super::polynomial::Polynomial;
use super::weight::Weight;
use crate::dice::{DiceError, Die, Source};

/// What exploration found.
#[derive(Clone, Debug)]
pub struct Explored<T> {
    /// The results with their probabilities.
    pub distribution: Distribution<T>,
    /// How many outcomes were visited.
    pub leaves: u64,
}

/// Why exploration stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError<E: fmt::Debug + fmt::Display> {
    /// The code explored failed in one of its outcomes.
    #[error("{0}")]
    Failed(E),
    /// The code drew other dice after the same faces: it depends on something beside the dice.
    #[error(
        "the dice depend on more than the dice: draw {position} was {before} and is {now} after the same faces; \
         keep what it reads (counters, tables, time) the same for every run"
    )]
    Diverged {
        /// Which draw, counted from 1.
        position: usize,
        /// What was drawn there before.
        before: String,
        /// What was drawn there now.
        now: String,
    },
    /// One outcome drew more dice than allowed.
    #[error("an outcome drew more than {0} dice without coming to an end; does it roll until something happens?")]
    Endless(u32),
    /// There are more outcomes than allowed.
    #[error("there are more than {0} outcomes; draw fewer dice, or sums of dice where single ones do not matter")]
    TooMany(u64),
}

/// A product of chances, small as long as it can be.
#[derive(Clone, Debug)]
enum Product {
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

    fn big(&self) -> UBig {
        match self {
            Product::Small(own) => UBig::from(*own),
            Product::Big(own) => own.clone(),
        }
    }

    fn add(&mut self, other: &Product) {
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
struct Explorer {
    path: Vec<Choice>,
    depth: usize,
    draws: u32,
    fault: Option<Fault>,
    answers: HashMap<AskKey, Answers>,
    /// All products of totals met so far; few, since most outcomes draw the same dice.
    denominators: Vec<UBig>,
    steps: HashMap<(usize, UBig), usize>,
}

type AskKey = (Vec<i64>, u32, u32);

enum Fault {
    Diverged { position: usize, before: String, now: String },
    Endless(u32),
}

impl Explorer {
    fn new(draws: u32) -> Self {
        Explorer {
            path: Vec::new(),
            depth: 0,
            draws,
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
        if self.depth >= self.draws as usize {
            self.fault = Some(Fault::Endless(self.draws));
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

    /// The chance of the path as it stands, and the index of its denominator.
    fn leaf(&self) -> (Product, usize) {
        match self.path.last() {
            None => (Product::Small(1), 0),
            Some(last) => (last.chance.times(&last.answers.0[last.at].1), last.next_denominator),
        }
    }

    /// Goes to the next untried face; false when every one has been tried.
    fn advance(&mut self) -> bool {
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
        Polynomial::of_entries(faces.entries()).power(count).into_distribution(total)
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

/// Runs the code once for every outcome of its dice and returns its results with their exact probabilities.
///
/// A sum of equal dice ([`Source::sum`]) is one choice among its values, so a rule that looks only at sums has few
/// outcomes. The code must draw the same dice after the same faces.
pub fn explore<T, E>(
    budget: &Budget,
    run: impl FnMut(&mut dyn Source) -> Result<T, E>,
) -> Result<Explored<T>, ExploreError<E>>
where
    T: Ord + Hash,
    E: fmt::Debug + fmt::Display,
{
    let mut run = run;
    let mut explorer = Explorer::new(budget.draws);
    let mut found: HashMap<T, Vec<Option<Product>>> = HashMap::new();
    let mut leaves = 0u64;
    loop {
        let result = run(&mut explorer);
        match explorer.fault.take() {
            Some(Fault::Endless(draws)) => return Err(ExploreError::Endless(draws)),
            Some(Fault::Diverged { position, before, now }) => {
                return Err(ExploreError::Diverged { position, before, now });
            }
            None => {}
        }
        let value = result.map_err(ExploreError::Failed)?;
        if let Some(choice) = explorer.path.get(explorer.depth) {
            let (position, before) = (explorer.depth + 1, choice.ask.to_string());
            return Err(ExploreError::Diverged { position, before, now: "nothing".into() });
        }
        leaves += 1;
        let (chance, denominator) = explorer.leaf();
        let sums = found.entry(value).or_default();
        if sums.len() <= denominator {
            sums.resize(denominator + 1, None);
        }
        match &mut sums[denominator] {
            Some(sum) => sum.add(&chance),
            empty => *empty = Some(chance),
        }
        if !explorer.advance() {
            break;
        }
        if leaves >= budget.leaves {
            return Err(ExploreError::TooMany(budget.leaves));
        }
    }
    let (total, factors) = UBig::common(&explorer.denominators);
    let weights = found.into_iter().map(|(value, sums)| {
        let sums = sums.iter().zip(&factors).filter_map(|(sum, factor)| sum.as_ref().map(|sum| sum.big() * factor));
        (value, sums.fold(UBig::ZERO, |all, sum| all + sum))
    });
    Ok(Explored { distribution: Distribution::from_weights(weights, Some(total)), leaves })
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;

    fn fraction(n: i64, d: u64) -> RBig {
        RBig::from_parts(n.into(), d.into())
    }

    #[test]
    fn two_dice_have_thirty_six_outcomes_and_their_sum_eleven() {
        let single = explore(&Budget::default(), |dice| {
            Ok::<_, DiceError>(dice.draw(Die::Numbered(6), "a")? + dice.draw(Die::Numbered(6), "b")?)
        })
        .unwrap();
        let summed = explore(&Budget::default(), |dice| dice.sum(Die::Numbered(6), 2, "both")).unwrap();
        assert_eq!((single.leaves, summed.leaves), (36, 11));
        assert_eq!(single.distribution, summed.distribution);
        assert_eq!(single.distribution.probability(&7), fraction(1, 6));
    }

    #[test]
    fn outcomes_of_different_length_are_weighed_rightly() {
        let found = explore(&Budget::default(), |dice| {
            let first = dice.draw(Die::Numbered(6), "first")?;
            if first < 6 {
                return Ok::<_, DiceError>(first);
            }
            dice.draw(Die::Listed(&[1, 1, 2]), "again").map(|face| 6 + face)
        })
        .unwrap();
        assert_eq!(found.leaves, 7);
        assert_eq!(found.distribution.probability(&7), fraction(1, 9));
        assert!(found.distribution.is_whole());
    }

    #[test]
    fn a_sum_of_a_hundred_dice_is_one_choice() {
        let found = explore(&Budget::default(), |dice| dice.sum(Die::Numbered(6), 100, "hoard")).unwrap();
        assert_eq!(found.leaves, 501);
        assert_eq!(found.distribution.mean(), RBig::from(350));
    }

    #[test]
    fn code_that_remembers_earlier_runs_is_found_out() {
        let mut runs = 0;
        let error = explore(&Budget::default(), |dice| {
            runs += 1;
            dice.draw(Die::Numbered(if runs < 3 { 6 } else { 8 }), "odd")
        })
        .unwrap_err();
        assert!(matches!(error, ExploreError::Diverged { position: 1, .. }), "{error}");
        let mut runs = 0;
        let error = explore(&Budget::default(), |dice| {
            runs += 1;
            if runs == 2 { Ok(0) } else { dice.draw(Die::Numbered(6), "odd") }
        })
        .unwrap_err();
        assert!(error.to_string().contains("is nothing"), "{error}");
    }

    #[test]
    fn rolling_without_an_end_is_stopped() {
        let error = explore(&Budget::default(), |dice| {
            while dice.draw(Die::Numbered(6), "on and on")? != 7 {}
            Ok::<_, DiceError>(())
        })
        .unwrap_err();
        assert!(matches!(error, ExploreError::Endless(_)));
        let few = Budget { leaves: 100, ..Budget::default() };
        let error = explore(&few, |dice| dice.draw(Die::Numbered(1000), "many")).unwrap_err();
        assert!(matches!(error, ExploreError::TooMany(100)));
    }

    #[test]
    fn a_failing_outcome_is_the_codes_own_error() {
        let error = explore(&Budget::default(), |dice| {
            let face = dice.draw(Die::Numbered(6), "x").map_err(|error| error.to_string())?;
            if face == 4 { Err("four is unlucky".to_owned()) } else { Ok(face) }
        })
        .unwrap_err();
        assert!(matches!(error, ExploreError::Failed(text) if text == "four is unlucky"));
    }
}
