//! The scores of a stretch of ranks, by walking the values from the end of the ranks that is nearer.
//!
//! What is remembered on the way is how many dice of each group have come, as long as some that score are still to come:
//! once they are all there, the others fall below as they like, which is one product of powers. So the work grows with
//! the ranks that are looked at and with the kinds of dice, not with the dice that nobody keeps.
//!
//! Scores are kept as one long number each, whose chunks are the coefficients of their polynomial: to move them by a
//! face is to shift that number, to weigh them to multiply it by a short one.

use std::collections::HashMap;

use dashu_int::UBig;

use super::ranks::{Face, binomials};
use crate::odds::budget::Meter;
use crate::odds::error::OddsError;
use crate::odds::polynomial::Polynomial;

/// A walk over the values of independent dice.
pub(super) struct Walk<'w> {
    counts: &'w [u32],
    /// In the order of the walk.
    faces: Vec<&'w Face>,
    /// So many dice that come first score nothing; at `done` dice all that score are there.
    skip: u64,
    done: u64,
    /// Words of each chunk.
    words: usize,
    /// The greatest exponent of a kernel.
    greatest: i64,
    /// Whether exponents are counted down from the greatest: the dice that come first then have small ones.
    mirrored: bool,
}

/// Dice that have come, so many of each group, and what they score.
struct State {
    used: Vec<u32>,
    before: u64,
    scores: UBig,
    /// The states that more dice lead to, with how many of each group join.
    leads: Vec<(usize, Vec<u32>)>,
}

/// What one face brings: the powers of its weights, of the weights below it, and of its kernel.
struct Powers {
    here: Vec<Vec<UBig>>,
    below: Vec<Vec<UBig>>,
    all: Vec<Vec<UBig>>,
    kernels: Vec<(UBig, usize)>,
}

impl<'w> Walk<'w> {
    /// The walk for the ranks from `low` up to, not including, `high`; `faces` ascend, and the weight of all ways takes
    /// so many words.
    pub(super) fn new(counts: &'w [u32], faces: &'w [Face], (low, high): (u64, u64), words: usize) -> Self {
        let dice: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        let mut faces: Vec<&Face> = faces.iter().collect();
        let (skip, done) = if dice - low < high {
            faces.reverse();
            (dice - high, dice - low)
        } else {
            (low, high)
        };
        let greatest = faces.iter().map(|face| face.kernel.high()).max().unwrap_or(0);
        let exponent = |face: Option<&&Face>| face.map_or(0, |face| face.kernel.high());
        let mirrored = exponent(faces.first()) > exponent(faces.last());
        Walk { counts, faces, skip, done, words, greatest, mirrored }
    }

    /// About how many steps it takes.
    pub(super) fn steps(&self) -> f64 {
        let (mut states, mut leads) = (vec![1.0], vec![1.0]);
        for count in self.counts {
            let grow = |ways: &[f64], weight: fn(f64) -> f64| -> Vec<f64> {
                let len = (ways.len() + *count as usize).min(self.done as usize);
                (0..len)
                    .map(|total| {
                        let from = total.saturating_sub(*count as usize);
                        (from..=total.min(ways.len() - 1)).map(|t| ways[t] * weight((total - t) as f64)).sum()
                    })
                    .collect()
            };
            states = grow(&states, |_| 1.0);
            leads = grow(&leads, |joined| joined + 1.0);
        }
        let (states, leads): (f64, f64) = (states.iter().sum(), leads.iter().sum());
        let words = self.words as f64;
        let scores = 1.0 + self.greatest as f64 * (self.done - self.skip) as f64 / 2.0;
        let kernel = self.faces.iter().map(|face| face.kernel.len()).max().unwrap_or(1) as f64;
        let long = scores * words / 40.0 * if kernel > 1.0 { (kernel * words).sqrt() } else { 1.0 };
        self.faces.len() as f64 * (leads * (4.0 + 2.0 * long) + states * (4.0 + long * words / 2.0))
    }

    /// The scores with their weights.
    pub(super) fn scores(&self, meter: &Meter) -> Result<Polynomial, OddsError> {
        let mut states = self.states(meter)?;
        let choose: Vec<Vec<Vec<UBig>>> = self
            .counts
            .iter()
            .map(|count| {
                let most = self.done.saturating_sub(1).min(u64::from(*count));
                (0..=most).map(|used| binomials(u64::from(*count) - used, most)).collect()
            })
            .collect();
        let mut total = UBig::ZERO;
        let mut left: Vec<UBig> = (0..self.counts.len())
            .map(|group| self.faces.iter().fold(UBig::ZERO, |sum, face| sum + &face.weights[group]))
            .collect();
        for face in &self.faces {
            let all = left.clone();
            for (left, weight) in left.iter_mut().zip(&face.weights) {
                *left -= weight;
            }
            let powers = self.powers(face, &left, &all);
            // From the most dice to the fewest: what a state hands on is not met again with the same face.
            for at in (0..states.len()).rev() {
                meter.pause()?;
                self.meet(&mut states, at, &powers, &choose, &mut total);
            }
        }
        Ok(self.unpacked(&total))
    }

    /// All numbers of dice that may have come while some that score are missing, fewest first.
    fn states(&self, meter: &Meter) -> Result<Vec<State>, OddsError> {
        let mut found: Vec<(u64, Vec<u32>)> = vec![(0, Vec::new())];
        for count in self.counts {
            let more = |(total, used): &(u64, Vec<u32>)| {
                let most = u64::from(*count).min(self.done - 1 - total) as u32;
                let (total, used) = (*total, used.clone());
                (0..=most).map(move |own| (total + u64::from(own), [&used[..], &[own]].concat()))
            };
            found = found.iter().flat_map(more).collect();
        }
        found.sort();
        let places: HashMap<Vec<u32>, usize> =
            found.iter().enumerate().map(|(at, (_, used))| (used.clone(), at)).collect();
        let mut states = Vec::with_capacity(found.len());
        for (before, used) in found {
            meter.pause()?;
            let mut joining: Vec<(u64, Vec<u32>)> = vec![(before, Vec::new())];
            for (count, own) in self.counts.iter().zip(&used) {
                let more = |(total, joined): &(u64, Vec<u32>)| {
                    let most = u64::from(count - own).min(self.done - 1 - total) as u32;
                    let (total, joined) = (*total, joined.clone());
                    (0..=most).map(move |more| (total + u64::from(more), [&joined[..], &[more]].concat()))
                };
                joining = joining.iter().flat_map(more).collect();
            }
            let lead = |(_, joined): (u64, Vec<u32>)| {
                let to: Vec<u32> = used.iter().zip(&joined).map(|(used, joined)| used + joined).collect();
                (places[&to], joined)
            };
            let leads = joining.into_iter().map(lead).collect();
            let scores = if before == 0 { UBig::ONE } else { UBig::ZERO };
            states.push(State { used, before, scores, leads });
        }
        Ok(states)
    }

    fn powers(&self, face: &Face, below: &[UBig], all: &[UBig]) -> Powers {
        // Of each group at most `done` dice have come, so only the highest powers of what is left are needed.
        let row = |base: &UBig, from: u64, to: u64| -> Vec<UBig> {
            let mut power = base.pow(from as usize);
            let mut row = Vec::with_capacity((to - from) as usize + 1);
            for exponent in from..=to {
                if exponent > from {
                    power *= base;
                }
                row.push(power.clone());
            }
            row
        };
        let most = |count: &u32| (self.done - 1).min(u64::from(*count));
        let groups = || self.counts.iter().enumerate();
        let fewest = |count: &u32| u64::from(*count) - most(count);
        Powers {
            here: groups().map(|(group, count)| row(&face.weights[group], 0, most(count))).collect(),
            below: groups().map(|(group, count)| row(&below[group], fewest(count), u64::from(*count))).collect(),
            all: groups().map(|(group, count)| row(&all[group], fewest(count), u64::from(*count))).collect(),
            kernels: self.kernels(face),
        }
    }

    /// The powers of a face's kernel, each a number and how far it is shifted.
    fn kernels(&self, face: &Face) -> Vec<(UBig, usize)> {
        let kernel = if self.mirrored { face.kernel.mirrored(self.greatest) } else { face.kernel.clone() };
        let bits = 64 * self.words;
        let (base, shift) = (kernel.packed(bits), kernel.low() as usize * bits);
        let mut powers = vec![(UBig::ONE, 0)];
        for kept in 1..=(self.done - self.skip) as usize {
            let power = if base.is_one() { UBig::ONE } else { &powers[kept - 1].0 * &base };
            powers.push((power, kept * shift));
        }
        powers
    }

    /// How many of the dice that come as number `before` to `after` score.
    fn kept(&self, before: u64, after: u64) -> usize {
        after.min(self.done).saturating_sub(before.max(self.skip)) as usize
    }

    /// Lets the dice of one face join those that have come.
    fn meet(&self, states: &mut [State], at: usize, powers: &Powers, choose: &[Vec<Vec<UBig>>], total: &mut UBig) {
        let (lower, higher) = states.split_at_mut(at + 1);
        let state = &lower[at];
        if state.scores.is_zero() {
            return;
        }
        let scored = |ways: &UBig, (kernel, shift): &(UBig, usize)| {
            let weighed = if ways.is_one() { state.scores.clone() } else { &state.scores * ways };
            (if kernel.is_one() { weighed } else { weighed * kernel }) << *shift
        };
        let left = |group: usize| self.counts[group] - state.used[group];
        // All others fall here or below, less the ways in which too few fall here.
        let row = |rows: &[Vec<UBig>], group: usize, dice: u32| {
            rows[group][rows[group].len() - 1 - (self.counts[group] - dice) as usize].clone()
        };
        let groups = 0..self.counts.len();
        let mut enough = groups.clone().fold(UBig::ONE, |ways, group| ways * row(&powers.all, group, left(group)));
        for (to, joined) in &state.leads {
            let joins = joined.iter().enumerate();
            let ways = joins.clone().fold(UBig::ONE, |ways, (group, joined)| {
                let chosen = &choose[group][state.used[group] as usize][*joined as usize];
                if *joined == 0 { ways } else { ways * chosen * &powers.here[group][*joined as usize] }
            });
            if ways.is_zero() {
                continue;
            }
            let rest = joins
                .fold(ways.clone(), |ways, (group, joined)| ways * row(&powers.below, group, left(group) - joined));
            enough -= rest;
            if *to > at {
                let target = &mut higher[to - at - 1];
                target.scores += scored(&ways, &powers.kernels[self.kept(state.before, target.before)]);
            }
        }
        if !enough.is_zero() {
            *total += scored(&enough, &powers.kernels[self.kept(state.before, self.done)]);
        }
    }

    fn unpacked(&self, total: &UBig) -> Polynomial {
        let scores = Polynomial::unpacked(total, 64 * self.words);
        if self.mirrored { scores.mirrored(self.greatest * (self.done - self.skip) as i64) } else { scores }
    }
}
