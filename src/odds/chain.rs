//! Repeated play: from a state, by dice, to the next, until it is over. Exact results without playing.
//!
//! Every state that can be reached is visited once. What the play ends in is then a system of linear equations over
//! exact fractions; states that cannot return to each other are solved one after the other, so only true loops cost.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::Hash;

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;

use super::budget::Budget;
use super::chain_visit::visit;
use super::distribution::Distribution;
use super::explore::{ExploreError, Explored, explore};
use super::weight::{Weight, ratio};
use crate::dice::Source;

/// Where repeated play ends, and when.
#[derive(Clone, Debug)]
pub struct ChainOdds<S> {
    /// The states it ends in. The remainder is the exact probability that it never ends, with what was cut off.
    pub ends: Distribution<S>,
    /// The exact probability of coming to a state that was cut off: where play comes to ever new states, those that
    /// hardly anybody comes to are not visited. 0 for most.
    pub cut: RBig,
    /// The number of rounds until it ends; cut off where less than the budget's remainder is left.
    pub rounds: Distribution<i64>,
    /// The exact mean number of rounds; none when play may go on for ever.
    pub mean_rounds: Option<RBig>,
    /// How many states were visited.
    pub states: usize,
}

/// Why a chain has no odds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError<E: fmt::Debug + fmt::Display> {
    /// A round could not be explored.
    #[error(transparent)]
    Round(#[from] ExploreError<E>),
    /// There are more states than the budget has leaves, or their equations are too many.
    #[error("play can come to more than {0} states; keep in a state only what later rounds look at")]
    TooManyStates(u64),
    /// The states that return to each other are too many to solve exactly.
    #[error(
        "{states} states return to each other, and solving them would take about {estimate:.0e} steps of {budget:.0e}"
    )]
    TooMuch {
        /// How many states there are in the largest loop.
        states: usize,
        /// About how many steps it would take.
        estimate: f64,
        /// How many are allowed.
        budget: f64,
    },
}

/// One state: where it leads, that it is an end, or that it is so unlikely that nobody looked.
pub(super) enum Link {
    End,
    Leads(Vec<(usize, RBig)>),
    Lost,
}

impl Link {
    fn leads(&self) -> &[(usize, RBig)] {
        match self {
            Link::End | Link::Lost => &[],
            Link::Leads(leads) => leads,
        }
    }
}

/// The exact odds of playing `round` after `round` from `start` until `done`.
///
/// A round is explored: it runs once for every outcome of its dice, so it must depend on nothing but the state and the
/// dice.
pub fn chain<S, E>(
    budget: &Budget,
    start: S,
    done: impl Fn(&S) -> bool,
    round: impl FnMut(&S, &mut dyn Source) -> Result<S, E>,
) -> Result<ChainOdds<S>, ChainError<E>>
where
    S: Clone + Ord + Hash,
    E: fmt::Debug + fmt::Display,
{
    let mut round = round;
    chain_of(budget, start, |state| Ok(done(state)), |left, state| explore(left, |dice| round(state, dice)))
}

/// As [`chain`], for rounds that are explored in a way of their own and an end that may fail to be judged: `explored`
/// is given what is left of the budget and a state, and tells the states after it.
pub fn chain_of<S, E>(
    budget: &Budget,
    start: S,
    done: impl FnMut(&S) -> Result<bool, E>,
    explored: impl FnMut(&Budget, &S) -> Result<Explored<S>, ExploreError<E>>,
) -> Result<ChainOdds<S>, ChainError<E>>
where
    S: Clone + Ord + Hash,
    E: fmt::Debug + fmt::Display,
{
    let (states, links) = visit(budget, start, done, explored)?;
    let components = components(&links);
    let largest = components.iter().map(Vec::len).max().unwrap_or(0);
    let ends = links.iter().filter(|link| matches!(link, Link::End)).count();
    // Elimination is cubic, and its fractions grow with the loop.
    let estimate = (largest as f64).powi(3) * (1.0 + largest as f64 / 8.0) + links.len() as f64 * ends as f64;
    if largest > 1 && estimate > budget.work {
        return Err(ChainError::TooMuch { states: largest, estimate, budget: budget.work });
    }
    let visits = visits(&links, &components);
    let mut ended: Vec<(usize, RBig)> = Vec::new();
    let (mut mean_rounds, mut cut) = (RBig::ZERO, RBig::ZERO);
    for (state, visits) in visits.iter().enumerate() {
        match (&links[state], visits) {
            (Link::End, Some(visits)) => ended.push((state, visits.clone())),
            (Link::Leads(_), Some(visits)) => mean_rounds += visits,
            (Link::Lost, Some(visits)) => cut += visits,
            (_, None) => {}
        }
    }
    let denominators: Vec<UBig> = ended.iter().map(|(_, chance)| chance.denominator().clone()).collect();
    let (total, factors) = UBig::common(&denominators);
    let weights = ended.into_iter().zip(&factors).map(|((state, chance), factor)| {
        let (_, numerator) = chance.into_parts().0.into_parts();
        (states[state].clone(), numerator * factor)
    });
    let ends = Distribution::from_weights(weights, Some(total));
    let rounds = rounds(&links, UBig::share_float(&ends.remainder()), budget);
    let mean_rounds = ends.is_whole().then_some(mean_rounds);
    Ok(ChainOdds { ends, cut, rounds, mean_rounds, states: states.len() })
}

/// The groups of states that return to each other, in the order play comes to them (Tarjan's, without recursion).
fn components(links: &[Link]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let leads = |state: usize| links[state].leads();
    let (mut order, mut lowest) = (vec![UNSEEN; links.len()], vec![UNSEEN; links.len()]);
    let (mut open, mut on_stack) = (Vec::new(), vec![false; links.len()]);
    let mut found = Vec::new();
    let mut seen = 0;
    // Each frame: a state and how many of its successors were looked at.
    let mut frames = vec![(0, 0)];
    while let Some((state, at)) = frames.pop() {
        if at == 0 {
            order[state] = seen;
            lowest[state] = seen;
            seen += 1;
            open.push(state);
            on_stack[state] = true;
        } else {
            let (before, _) = leads(state)[at - 1];
            if on_stack[before] {
                lowest[state] = lowest[state].min(lowest[before]);
            }
        }
        if let Some((next, _)) = leads(state).get(at) {
            frames.push((state, at + 1));
            if order[*next] == UNSEEN {
                frames.push((*next, 0));
            }
            continue;
        }
        if lowest[state] == order[state] {
            let at = open.iter().rposition(|other| *other == state).unwrap_or(0);
            let component = open.split_off(at);
            for state in &component {
                on_stack[*state] = false;
            }
            found.push(component);
        }
    }
    found.reverse();
    found
}

/// The mean number of visits to each state; for an end, the probability of ending there. Nothing for a state in a loop
/// that nothing leaves: play goes round there for ever.
fn visits(links: &[Link], components: &[Vec<usize>]) -> Vec<Option<RBig>> {
    let mut inflow: Vec<RBig> = vec![RBig::ZERO; links.len()];
    inflow[0] = RBig::ONE;
    let mut visits = vec![None; links.len()];
    for component in components {
        let Some(solved) = solve(links, component, &inflow) else { continue };
        for (state, visits_here) in component.iter().zip(solved) {
            if let Link::Leads(leads) = &links[*state] {
                for (next, chance) in leads.iter().filter(|(next, _)| !component.contains(next)) {
                    inflow[*next] += chance * &visits_here;
                }
            }
            visits[*state] = Some(visits_here);
        }
    }
    visits
}

/// Visits v of a component: v = inflow + Pᵀ·v, by elimination. Nothing when no way leads out.
fn solve(links: &[Link], component: &[usize], inflow: &[RBig]) -> Option<Vec<RBig>> {
    let place: HashMap<usize, usize> = component.iter().enumerate().map(|(place, state)| (*state, place)).collect();
    let n = component.len();
    // Row i: the coefficients of (I - Pᵀ)·v = inflow, sparse.
    let mut rows: Vec<BTreeMap<usize, RBig>> = (0..n).map(|i| BTreeMap::from([(i, RBig::ONE)])).collect();
    let mut right: Vec<RBig> = component.iter().map(|state| inflow[*state].clone()).collect();
    for (column, state) in component.iter().enumerate() {
        if let Link::Leads(leads) = &links[*state] {
            for (next, chance) in leads {
                if let Some(row) = place.get(next) {
                    *rows[*row].entry(column).or_insert(RBig::ZERO) -= chance;
                }
            }
        }
    }
    for pivot in 0..n {
        let head = rows[pivot].get(&pivot).filter(|head| !head.is_zero())?.clone();
        let (pivot_row, pivot_right) = (rows[pivot].clone(), right[pivot].clone());
        for row in pivot + 1..n {
            let Some(entry) = rows[row].remove(&pivot).filter(|entry| !entry.is_zero()) else { continue };
            let factor = entry / &head;
            for (column, value) in pivot_row.range(pivot + 1..) {
                *rows[row].entry(*column).or_insert(RBig::ZERO) -= value * &factor;
            }
            right[row] -= &pivot_right * &factor;
        }
    }
    for pivot in (0..n).rev() {
        let known =
            rows[pivot].range(pivot + 1..).fold(RBig::ZERO, |sum, (column, value)| sum + value * &right[*column]);
        right[pivot] = (&right[pivot] - known) / rows[pivot].get(&pivot)?;
    }
    Some(right)
}

/// Beyond so many bits of denominator the rounds are counted on in fixed point.
const EXACT_BITS: usize = 1_024;
/// Bits behind the point then.
const FIXED_BITS: u32 = 96;

/// Those in play after some rounds, by state.
type Playing<W> = BTreeMap<usize, W>;

/// How many rounds play takes: forward, round by round, until less than the budget's remainder is left in play beside
/// what never ends. The first rounds are exact; long play goes on in fixed point, rounded down, so that probabilities
/// are never too high and what rounding loses is part of the remainder.
fn rounds(links: &[Link], never: f64, budget: &Budget) -> Distribution<i64> {
    let leads: Vec<&[(usize, RBig)]> = links.iter().map(Link::leads).collect();
    let denominators: Vec<UBig> =
        leads.iter().copied().flatten().map(|(_, chance)| chance.denominator().clone()).collect();
    let (common, _) = UBig::common(&denominators);
    let is_end = |state: &usize| matches!(links[*state], Link::End);
    let mut playing: Playing<UBig> = BTreeMap::from([(0, UBig::ONE)]);
    let mut total = UBig::ONE;
    let mut ended: Vec<(i64, UBig)> = Vec::new();
    for round in 0.. {
        let (over, on): (Playing<UBig>, Playing<UBig>) = playing.into_iter().partition(|(state, _)| is_end(state));
        playing = on;
        ended.push((round, over.values().fold(UBig::ZERO, |sum, weight| sum + weight)));
        let left = playing.values().fold(UBig::ZERO, |sum, weight| sum + weight);
        if left.is_zero() || ratio(&left, &total) - never < budget.remainder {
            return Distribution::from_weights(ended, Some(total));
        }
        if total.bit_len() > EXACT_BITS {
            break;
        }
        // Each round multiplies the total by the common denominator, so that all weights stay whole.
        let mut next: Playing<UBig> = BTreeMap::new();
        for (state, weight) in &playing {
            for (to, chance) in leads[*state] {
                let (_, numerator) = chance.numerator().clone().into_parts();
                *next.entry(*to).or_default() += weight * numerator * (&common / chance.denominator());
            }
        }
        playing = next;
        total *= &common;
        for (_, weight) in &mut ended {
            *weight *= &common;
        }
    }
    let fixed = |weight: &UBig| u128::try_from((weight << FIXED_BITS as usize) / &total).unwrap_or(1 << FIXED_BITS);
    let mut ended: Vec<(i64, u128)> = ended.iter().map(|(round, weight)| (*round, fixed(weight))).collect();
    let playing: Playing<u128> = playing.iter().map(|(state, weight)| (*state, fixed(weight))).collect();
    fixed_rounds(links, playing, &mut ended, never, budget);
    let weights = ended.into_iter().map(|(round, weight)| (round, weight.into()));
    Distribution::from_weights(weights, Some(UBig::ONE << FIXED_BITS as usize))
}

/// Goes on in fixed point.
fn fixed_rounds(links: &[Link], playing: Playing<u128>, ended: &mut Vec<(i64, u128)>, never: f64, budget: &Budget) {
    let whole = |chance: &RBig| {
        let (_, numerator) = chance.numerator().clone().into_parts();
        u64::try_from((numerator << 64) / chance.denominator()).unwrap_or(u64::MAX)
    };
    let chances: Vec<Vec<(usize, u64)>> =
        links.iter().map(|link| link.leads().iter().map(|(to, chance)| (*to, whole(chance))).collect()).collect();
    let one = 2f64.powi(FIXED_BITS as i32);
    let mut now = vec![0u128; links.len()];
    for (state, weight) in playing {
        now[state] = weight;
    }
    let mut steps = 0.0;
    for round in ended.len() as i64.. {
        let mut next = vec![0u128; links.len()];
        for (weight, chances) in now.iter().zip(&chances).filter(|(weight, _)| **weight > 0) {
            let (high, low) = (weight >> 64, weight & u128::from(u64::MAX));
            for (to, chance) in chances {
                let chance = u128::from(*chance);
                next[*to] += high * chance + ((low * chance) >> 64);
            }
            steps += chances.len() as f64;
        }
        let over = next.iter_mut().zip(links).filter(|(_, link)| matches!(link, Link::End));
        ended.push((round, over.map(|(weight, _)| std::mem::take(weight)).sum()));
        let left: u128 = next.iter().sum();
        if left as f64 / one - never < budget.remainder || steps > budget.work {
            return;
        }
        now = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{DiceError, Die};

    fn fraction(n: i64, d: u64) -> RBig {
        RBig::from_parts(n.into(), d.into())
    }

    fn odds<S: Clone + Ord + Hash>(
        start: S,
        done: impl Fn(&S) -> bool,
        round: impl FnMut(&S, &mut dyn Source) -> Result<S, DiceError>,
    ) -> ChainOdds<S> {
        chain(&Budget::default(), start, done, round).unwrap()
    }

    #[test]
    fn waiting_for_a_six_takes_six_rolls() {
        let waited = odds(0, |face| *face == 6, |_, dice| dice.draw(Die::Numbered(6), "six"));
        assert_eq!(waited.ends.probability(&6), RBig::ONE);
        assert_eq!(waited.mean_rounds, Some(RBig::from(6)));
        assert_eq!(waited.rounds.probability(&2), fraction(5, 36));
        assert!(waited.rounds.remainder() < fraction(1, 1_000_000_000_000));
    }

    /// Gambler's ruin with stakes 3 and 4 on even chances: 3 out of 7.
    #[test]
    fn a_ruined_gambler_is_ruined_as_often_as_the_books_say() {
        let played = odds(
            3,
            |purse| *purse == 0 || *purse == 7,
            |purse, dice| Ok(purse + if dice.draw(Die::Numbered(2), "coin")? == 1 { 1 } else { -1 }),
        );
        assert_eq!(played.ends.probability(&7), fraction(3, 7));
        assert_eq!(played.mean_rounds, Some(RBig::from(12)));
        assert_eq!(played.states, 8);
    }

    #[test]
    fn a_duel_ends_after_as_many_rounds_as_it_must() {
        // Two fighters of 3 hit points; each round the loser of a coin toss takes one.
        let duel = odds(
            (3, 3),
            |(a, b)| *a == 0 || *b == 0,
            |(a, b), dice| Ok(if dice.draw(Die::Numbered(2), "coin")? == 1 { (a - 1, *b) } else { (*a, b - 1) }),
        );
        assert!(duel.rounds.is_whole());
        assert_eq!((duel.rounds.min(), duel.rounds.max()), (Some(&3), Some(&5)));
        assert_eq!(duel.mean_rounds, Some(duel.rounds.mean()));
    }

    #[test]
    fn play_that_may_go_on_for_ever_says_how_likely_that_is() {
        let lost = odds(
            0,
            |state| *state == 1,
            |state, dice| {
                if *state == 2 { Ok(2) } else { Ok(dice.draw(Die::Numbered(4), "fork")?.min(3) % 3) }
            },
        );
        // From 0: 1 with 1/4, 2 (for ever) with 1/4, again with 1/2.
        assert_eq!(lost.ends.probability(&1), fraction(1, 2));
        assert_eq!(lost.ends.remainder(), fraction(1, 2));
        assert_eq!(lost.mean_rounds, None);
    }

    #[test]
    fn rare_ends_are_waited_for_without_growing_numbers() {
        let rare = odds(0, |face| *face == 1, |_, dice| Ok(i64::from(dice.draw(Die::Numbered(100), "rare")? == 100)));
        assert_eq!(rare.mean_rounds, Some(RBig::from(100)));
        assert!(rare.rounds.remainder() < fraction(1, 1_000_000_000_000));
        assert!((UBig::share_float(&rare.rounds.mean()) - 100.0).abs() < 1e-6);
        assert_eq!(rare.rounds.median(), Some(&69));
    }

    /// The sixes in a row, counted: there is no last state.
    #[test]
    fn play_that_comes_to_ever_new_states_is_cut_off_and_says_so() {
        let counted = odds(
            (0, true),
            |(_, on)| !on,
            |(sixes, _), dice| {
                let six = dice.draw(Die::Numbered(6), "again")? == 6;
                Ok((sixes + i64::from(six), six))
            },
        );
        assert_eq!(counted.ends.probability(&(2, false)), fraction(5, 216));
        assert!(!counted.cut.is_zero() && counted.cut < fraction(1, 1_000_000_000_000));
        assert_eq!(counted.ends.remainder(), counted.cut);
        // A purse that drifts down, without a limit above: its states return to each other.
        let purse = odds(
            1,
            |purse| *purse == 0,
            |purse, dice| Ok(purse + if dice.draw(Die::Numbered(6), "coin")? == 6 { 1 } else { -1 }),
        );
        assert!(purse.cut < fraction(1, 1_000_000_000_000));
    }

    #[test]
    fn play_that_is_over_takes_no_round() {
        let over = odds(1, |_| true, |_, dice| dice.draw(Die::Numbered(6), "none"));
        assert_eq!(over.rounds.probability(&0), RBig::ONE);
        assert_eq!(over.mean_rounds, Some(RBig::ZERO));
    }
}
