//! Every outcome of a piece of code that draws dice, by running it once for each.
//!
//! The code is run again and again. Each run replays the draws of the last one up to the place where the next untried
//! face stands, and goes on from there; so the code needs no knowledge of being explored, only to draw the same dice
//! whenever it has seen the same faces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::rc::Rc;

use dashu_int::UBig;

use super::budget::Budget;
use super::distribution::Distribution;
use super::error::rounded;
use super::explorer::{Explorer, Fault, Product};
use super::weight::Weight;
use crate::dice::{DiceError, Die, Expression, NotationError, Params, RollValue, Source};

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
    /// The code gave another result for the same faces: it remembers earlier runs.
    #[error(
        "the same dice gave two different results: it changes something outside itself that later runs read; \
         keep what it counts inside it"
    )]
    Remembers,
    /// One outcome drew more dice than allowed.
    #[error("an outcome drew more than {0} dice without coming to an end; does it roll until something happens?")]
    Endless(u32),
    /// Whoever was asked whether to go on said no.
    #[error("the odds were broken off before they were known")]
    Stopped,
    /// There are more outcomes than allowed.
    #[error(
        "there are about {} outcomes, and {limit} may be visited; draw fewer dice, or sums of dice where single ones \
         do not matter", rounded(*.estimate)
    )]
    TooMany {
        /// How many outcomes may be visited.
        limit: u64,
        /// About how many there are, judged by the part that was visited.
        estimate: f64,
    },
    /// The sum of so many dice is too much work.
    #[error("the sums of {dice} would take about {} steps; draw fewer dice", rounded(*.estimate))]
    TooMuch {
        /// The dice, as notation.
        dice: String,
        /// About how many steps of exact arithmetic.
        estimate: f64,
    },
}

/// What the runs came to so far.
struct Tally<T> {
    /// The weights of each result, by the index of their denominator.
    found: HashMap<T, Vec<(usize, Product)>>,
    leaves: u64,
}

/// Steps of work that an outcome costs beside what the code does.
const STEPS_AN_OUTCOME: u64 = 10;

impl<T: Ord + Hash> Tally<T> {
    fn new() -> Self {
        Tally { found: HashMap::new(), leaves: 0 }
    }

    /// Takes the result of a run in. Returns whether another outcome is left.
    fn take<E>(&mut self, explorer: &mut Explorer, result: Result<T, E>) -> Result<bool, ExploreError<E>>
    where
        E: fmt::Debug + fmt::Display,
    {
        let limit = explorer.budget.leaves;
        if !explorer.goes_on(STEPS_AN_OUTCOME) {
            return Err(ExploreError::Stopped);
        }
        let value = settled(explorer, result)?;
        self.leaves += 1;
        if let Some(value) = value {
            let (chance, denominator, _) = explorer.leaf();
            let sums = self.found.entry(value).or_default();
            match sums.binary_search_by_key(&denominator, |(own, _)| *own) {
                Ok(at) => sums[at].1.add(&chance),
                Err(at) => sums.insert(at, (denominator, chance)),
            }
        }
        let look = self.leaves >= limit || (self.leaves >= 1_024 && self.leaves.is_power_of_two());
        let part = if look { explorer.visited_part() } else { 1.0 };
        let seems_endless = look && explorer.is_cutting() && self.found.is_empty();
        if !explorer.advance() {
            return Ok(false);
        }
        let estimate = if look { self.leaves as f64 / part } else { 0.0 };
        if seems_endless {
            return Err(ExploreError::Endless(explorer.budget.draws));
        }
        // The estimate is rough, so hopeless cases alone are given up early.
        if self.leaves >= limit || estimate > 1_000.0 * limit as f64 {
            if explorer.is_cutting() {
                return Err(ExploreError::Endless(explorer.budget.draws));
            }
            return Err(ExploreError::TooMany { limit, estimate: estimate.max(limit as f64 + 1.0) });
        }
        Ok(true)
    }

    fn finished(self, explorer: &Explorer) -> Explored<T> {
        let (total, factors) = UBig::common(&explorer.denominators);
        let weights = self.found.into_iter().map(|(value, sums)| {
            let sums = sums.iter().map(|(denominator, sum)| sum.big() * &factors[*denominator]);
            (value, sums.fold(UBig::ZERO, |all, sum| all + sum))
        });
        Explored { distribution: Distribution::from_weights(weights, Some(total)), leaves: self.leaves }
    }
}

/// Where outcomes have to be cut off, the first round leaves out what is less likely than this.
const FIRST_CUT: f64 = 0.1;
/// How many times less likely outcomes the next round may take in.
const MOST_DEEPER: f64 = 100.0;

/// An exploration in rounds: one, where every outcome comes to an end; else one after the other, each of which takes in
/// less likely outcomes, as far as there is need and the budget reaches.
struct Rounds<T> {
    tally: Tally<T>,
    /// What the last full round found, and where it cut off.
    best: Option<(Explored<T>, f64)>,
}

impl<T: Ord + Hash> Rounds<T> {
    fn new() -> Self {
        Rounds { tally: Tally::new(), best: None }
    }

    /// Takes the result of a run in. Returns what was found when no run is left.
    fn take<E>(&mut self, explorer: &mut Explorer, result: Result<T, E>) -> Result<Option<Explored<T>>, ExploreError<E>>
    where
        E: fmt::Debug + fmt::Display,
    {
        match self.tally.take(explorer, result) {
            Ok(true) => Ok(None),
            Ok(false) => {
                let deeper = self.deeper(explorer);
                let tally = std::mem::replace(&mut self.tally, Tally::new());
                if deeper.is_none() && tally.found.is_empty() {
                    return Err(ExploreError::Endless(explorer.budget.draws));
                }
                let found = tally.finished(explorer);
                let Some(deeper) = deeper else { return Ok(Some(found)) };
                self.best = explorer.cut().map(|cut| (found, cut));
                explorer.begin_cutting(deeper);
                Ok(None)
            }
            Err(ExploreError::Endless(_)) if !explorer.is_cutting() => {
                explorer.begin_cutting(FIRST_CUT.max(explorer.negligible()));
                self.tally = Tally::new();
                Ok(None)
            }
            Err(ExploreError::Endless(draws)) => match self.best.take() {
                Some((found, _)) if !found.distribution.is_empty() => Ok(Some(found)),
                _ => Err(ExploreError::Endless(draws)),
            },
            Err(error) => Err(error),
        }
    }

    /// Where the next round cuts off; nothing when none is needed or it would visit more outcomes than it may.
    fn deeper(&self, explorer: &Explorer) -> Option<f64> {
        let (cut, negligible) = (explorer.cut()?, explorer.negligible());
        if cut <= negligible {
            return None;
        }
        // Each round says how fast outcomes grow more as less likely ones come in: at most in proportion.
        let visited = self.tally.leaves as f64;
        let growth = self
            .best
            .as_ref()
            .map_or(1.0, |(before, at)| ((visited / before.leaves as f64).ln() / (at / cut).ln()).clamp(0.05, 1.0));
        let room = 0.8 * explorer.budget.leaves as f64 / visited;
        let times = room.powf(1.0 / growth).min(MOST_DEEPER);
        (times >= 2.0).then_some((cut / times).max(negligible))
    }
}

/// The result of a run, unless it drew what it must not; nothing when it is one that is cut off.
fn settled<T, E>(explorer: &mut Explorer, result: Result<T, E>) -> Result<Option<T>, ExploreError<E>>
where
    E: fmt::Debug + fmt::Display,
{
    match explorer.fault.take() {
        Some(Fault::Endless(draws)) => return Err(ExploreError::Endless(draws)),
        Some(Fault::Diverged { position, before, now }) => {
            return Err(ExploreError::Diverged { position, before, now });
        }
        Some(Fault::TooMany(estimate)) => {
            return Err(ExploreError::TooMany { limit: explorer.budget.leaves, estimate });
        }
        Some(Fault::TooMuch { dice, estimate }) => return Err(ExploreError::TooMuch { dice, estimate }),
        Some(Fault::Stopped) => return Err(ExploreError::Stopped),
        None => {}
    }
    if explorer.lost {
        return Ok(None);
    }
    let value = match result {
        Ok(value) => value,
        // So long a row of dice that some limit stopped it, which is not what was asked about.
        Err(_) if !explorer.is_cutting() && explorer.leaf().2 < explorer.negligible() => {
            return Err(ExploreError::Endless(explorer.budget.draws));
        }
        Err(error) => return Err(ExploreError::Failed(error)),
    };
    if let Some((position, before)) = explorer.unasked() {
        return Err(ExploreError::Diverged { position, before, now: "nothing".into() });
    }
    Ok(Some(value))
}

/// Runs the code once for every outcome of its dice and returns its results with their exact probabilities.
///
/// A sum of equal dice ([`Source::sum`]) is one choice among its values, the value of an expression
/// ([`Source::value_of`]) one among those that it can have, so code that looks only at totals has few outcomes. The code
/// must draw the same dice after the same faces.
///
/// Where an outcome rolls on without an end (as long as sixes fall), the outcomes that are less likely than a thousandth of
/// the budget's remainder are cut off, and the distribution has a remainder. Where that would leave more outcomes than may be
/// visited (until a six falls), likelier ones are cut off too, as few as the budget allows.
pub fn explore<T, E>(
    budget: &Budget,
    run: impl FnMut(&mut dyn Source) -> Result<T, E>,
) -> Result<Explored<T>, ExploreError<E>>
where
    T: Ord + Hash,
    E: fmt::Debug + fmt::Display,
{
    let mut run = run;
    let mut explorer = Explorer::new(budget);
    let mut rounds = Rounds::new();
    loop {
        let result = run(&mut explorer);
        if let Some(found) = rounds.take(&mut explorer, result)? {
            return Ok(found);
        }
    }
}

/// An exploration of code that keeps its source of dice for itself instead of being handed one for each run: a script
/// whose host owns the dice.
pub struct Exploration(Rc<RefCell<Explorer>>);

impl Exploration {
    /// Begins an exploration.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Exploration(Rc::new(RefCell::new(Explorer::new(budget))))
    }

    /// The dice that the code must draw while it is visited.
    #[must_use]
    pub fn source(&self) -> Box<dyn Source> {
        Box::new(Handed(Rc::clone(&self.0)))
    }

    /// As [`explore`]. The first outcome is visited once more at the end, to find out code that remembers.
    pub fn visit<T, E>(self, run: impl FnMut() -> Result<T, E>) -> Result<Explored<T>, ExploreError<E>>
    where
        T: Ord + Hash + Clone,
        E: fmt::Debug + fmt::Display,
    {
        let mut run = run;
        let mut rounds = Rounds::new();
        let mut first = None;
        let found = loop {
            let result = run();
            if rounds.tally.leaves == 0 {
                first = result.as_ref().ok().cloned();
            }
            if let Some(found) = rounds.take(&mut self.0.borrow_mut(), result)? {
                break found;
            }
        };
        self.0.borrow_mut().begin_again();
        let again = run();
        let again = settled(&mut self.0.borrow_mut(), again)?;
        // An outcome that is cut off has no result to compare.
        match (first, again) {
            (Some(first), Some(again)) if first != again => Err(ExploreError::Remembers),
            _ => Ok(found),
        }
    }
}

/// The explored dice, in the hands of the code.
struct Handed(Rc<RefCell<Explorer>>);

impl Source for Handed {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.0.borrow_mut().draw(die, purpose)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        self.0.borrow_mut().sum(die, count, purpose)
    }
    fn sorted(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.0.borrow_mut().sorted(die, purpose, faces)
    }
    fn value_of(&mut self, expression: &Expression, params: &Params) -> Result<RollValue, NotationError> {
        self.0.borrow_mut().value_of(expression, params)
    }
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
        assert!(matches!(error, ExploreError::TooMany { limit: 100, .. }));
    }

    #[test]
    fn how_many_outcomes_there_are_is_judged_by_the_part_visited() {
        let few = Budget { leaves: 5_000, ..Budget::default() };
        let error =
            explore(&few, |dice| (0..6).map(|_| dice.draw(Die::Numbered(6), "many")).sum::<Result<i64, DiceError>>())
                .unwrap_err();
        let ExploreError::TooMany { estimate, .. } = error else { panic!("{error}") };
        assert!((46_000.0..48_000.0).contains(&estimate), "{estimate}");
    }

    #[test]
    fn dice_with_more_faces_than_may_be_visited_are_refused_unbuilt() {
        let error = explore(&Budget::default(), |dice| dice.draw(Die::Numbered(u32::MAX), "moon")).unwrap_err();
        assert!(matches!(error, ExploreError::TooMany { .. }));
        let error = explore(&Budget::default(), |dice| dice.sum(Die::Numbered(6), 90_000, "hoard")).unwrap_err();
        assert!(matches!(error, ExploreError::TooMuch { .. }), "{error}");
    }

    #[test]
    fn a_source_kept_by_the_code_is_explored_all_the_same() {
        let exploration = Exploration::new(&Budget::default());
        let mut dice = exploration.source();
        let found = exploration.visit(|| dice.sum(Die::Numbered(6), 2, "both")).unwrap();
        assert_eq!((found.leaves, found.distribution.probability(&7)), (11, fraction(1, 6)));
        let exploration = Exploration::new(&Budget::default());
        let mut dice = exploration.source();
        let mut runs = 0;
        let counted = exploration.visit(|| {
            runs += 1;
            dice.draw(Die::Numbered(6), "one").map(|face| face + runs)
        });
        assert!(matches!(counted, Err(ExploreError::Remembers)));
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
