//! The states that repeated play can come to, found round by round.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::Hash;

use super::budget::Budget;
use super::chain::{ChainError, Link};
use super::explore::{ExploreError, Explored};
use super::weight::Weight;

/// States that are still visited once hardly anybody is in play: most play that has an end has come to all by then, and
/// is told exactly.
const SPARE: usize = 300;

/// Links followed to see who is in play; beyond, play is too wide to tell and every state is visited.
const FOLLOWED: usize = 20_000_000;

/// The states found so far, each with where it leads once that is known.
struct Found<S> {
    index: HashMap<S, usize>,
    states: Vec<S>,
    links: Vec<Option<Link>>,
    leaves: u64,
    /// About how often play comes to each, in all rounds followed.
    arrivals: Vec<f64>,
    /// How many states were looked at.
    seen: usize,
}

/// Visits every state that can be reached. Where play comes to ever new states and hardly anybody is left in it, those
/// not yet visited, and those that hardly anybody comes to, are [`Link::Lost`].
pub(super) fn visit<S, E>(
    budget: &Budget,
    start: S,
    mut done: impl FnMut(&S) -> Result<bool, E>,
    mut explored: impl FnMut(&Budget, &S) -> Result<Explored<S>, ExploreError<E>>,
) -> Result<(Vec<S>, Vec<Link>), ChainError<E>>
where
    S: Clone + Ord + Hash,
    E: fmt::Debug + fmt::Display,
{
    let mut found = Found {
        index: HashMap::from([(start.clone(), 0)]),
        states: vec![start],
        links: vec![None],
        leaves: 0,
        arrivals: vec![1.0],
        seen: 0,
    };
    let mut playing = BTreeMap::from([(0, 1.0)]);
    let (mut followed, mut spare) = (0, None);
    while found.seen < found.states.len() {
        let spent = *spare.get_or_insert(found.seen);
        let hardly_any = followed < FOLLOWED && playing.values().sum::<f64>() < budget.remainder * 1e-3;
        if hardly_any && found.seen >= spent + SPARE {
            found.forget_unlikely(budget.remainder * 1e-2);
            break;
        }
        if !hardly_any {
            spare = None;
        }
        // Those of this round, or one more where nobody is followed.
        let round: Vec<usize> = if hardly_any || followed >= FOLLOWED {
            (0..found.links.len()).filter(|state| found.links[*state].is_none()).take(1).collect()
        } else {
            playing.keys().copied().filter(|state| found.links[*state].is_none()).collect()
        };
        for state in round {
            found.look(state, budget, &mut done, &mut explored)?;
        }
        if !hardly_any && followed < FOLLOWED {
            playing = found.after(&playing, &mut followed);
        }
    }
    let links = found.links.into_iter().map(|link| link.unwrap_or(Link::Lost)).collect();
    Ok((found.states, links))
}

impl<S: Clone + Ord + Hash> Found<S> {
    /// Finds out where a state leads.
    fn look<E: fmt::Debug + fmt::Display>(
        &mut self,
        at: usize,
        budget: &Budget,
        done: &mut impl FnMut(&S) -> Result<bool, E>,
        explored: &mut impl FnMut(&Budget, &S) -> Result<Explored<S>, ExploreError<E>>,
    ) -> Result<(), ChainError<E>> {
        self.seen += 1;
        let state = self.states[at].clone();
        if done(&state).map_err(ExploreError::Failed)? {
            self.links[at] = Some(Link::End);
            return Ok(());
        }
        let leaves = self.leaves;
        let left = Budget { leaves: budget.leaves.saturating_sub(leaves), ..budget.clone() };
        let round = explored(&left, &state).map_err(|error| match error {
            ExploreError::TooMany { estimate, .. } => {
                ExploreError::TooMany { limit: budget.leaves, estimate: estimate + leaves as f64 }
            }
            other => other,
        })?;
        self.leaves += round.leaves;
        let next = round.distribution;
        let mut leads = Vec::with_capacity(next.len());
        for (state, weight) in next.entries() {
            let known = if let Some(known) = self.index.get(state) {
                *known
            } else {
                self.index.insert(state.clone(), self.states.len());
                self.states.push(state.clone());
                self.links.push(None);
                self.arrivals.push(0.0);
                self.states.len() - 1
            };
            leads.push((known, weight.share(next.total())));
        }
        if self.states.len() as u64 > budget.leaves {
            return Err(ChainError::TooManyStates(budget.leaves));
        }
        self.links[at] = Some(Link::Leads(leads));
        Ok(())
    }

    /// Gives up states that hardly anybody comes to.
    fn forget_unlikely(&mut self, least: f64) {
        for (link, arrivals) in self.links.iter_mut().zip(&self.arrivals) {
            if *arrivals < least && !matches!(link, Some(Link::End)) {
                *link = None;
            }
        }
    }

    /// Those in play after one more round, about.
    fn after(&mut self, playing: &BTreeMap<usize, f64>, followed: &mut usize) -> BTreeMap<usize, f64> {
        let mut next = BTreeMap::new();
        for (state, share) in playing {
            if let Some(Link::Leads(leads)) = &self.links[*state] {
                *followed += leads.len();
                for (to, chance) in leads {
                    *next.entry(*to).or_insert(0.0) += share * chance.to_f64().value();
                }
            }
        }
        for (state, share) in &next {
            self.arrivals[*state] += share;
        }
        next.retain(|state, _| !matches!(self.links[*state], Some(Link::End)));
        next
    }
}
