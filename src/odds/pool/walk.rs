//! Walks the ways a whole pool can fall: for rows of operators in which dice hang together more than once. The cost
//! grows fast with the number of dice, so the budget decides.

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::law::Depth;
use super::{Fresh, Law, Placed, Plan, Single, Step, Task, Test, endless_walk};
use crate::dice::notation::NotationError;
use crate::dice::notation::check;
use crate::dice::notation::tree::{End, Span, Style};
use crate::odds::distribution::Distribution;
use crate::odds::error::OddsError;
use crate::odds::weight::Weight;

/// Dice as they stand, with the chance of it. Where the order does not matter they are sorted, so that equal pools
/// meet.
struct Walk<'w> {
    pools: HashMap<Vec<Single>, RBig>,
    ordered: bool,
    fresh: &'w Fresh,
    task: &'w Task<'w>,
    cut: f64,
}

/// The odds of a pool.
pub(super) fn of_pool(count: u32, fresh: &Fresh, task: &Task<'_>, cut: f64) -> Result<Distribution<i64>, OddsError> {
    let mut walk = Walk { pools: HashMap::new(), ordered: order_matters(task.steps), fresh, task, cut };
    walk.fall(&[(count, Law::of(fresh))])?;
    walk.take(task.steps)
}

/// The odds of a group: filters, keeps and drops, which never look at the order of equal members.
pub(super) fn of_members(groups: &[(u32, Law)], task: &Task<'_>) -> Result<Distribution<i64>, OddsError> {
    let fresh = Fresh { faces: Vec::new(), total: UBig::ONE };
    let mut walk = Walk { pools: HashMap::new(), ordered: false, fresh: &fresh, task, cut: task.cut };
    walk.fall(groups)?;
    walk.take(task.steps)
}

/// Equal values with different faces under them: a clamp, then a choice among equals, then an explosion.
fn order_matters(steps: &[Placed]) -> bool {
    let clamp = |(step, _): &Placed| matches!(step, Step::AtLeast(_) | Step::AtMost(_));
    let choice = |(step, _): &Placed| matches!(step, Step::Keep(..) | Step::Drop(..) | Step::Unique);
    let Some(clamped) = steps.iter().position(clamp) else { return false };
    let Some(chosen) = steps[clamped..].iter().position(choice) else { return false };
    steps[clamped + chosen..].iter().any(|(step, _)| step.is_explosion())
}

fn share(weight: &UBig, total: &UBig) -> RBig {
    RBig::from_parts(weight.clone().into(), total.clone())
}

impl Walk<'_> {
    fn sorted(&self, mut pool: Vec<Single>) -> Vec<Single> {
        if !self.ordered {
            pool.sort_unstable();
        }
        pool
    }

    fn announce(&self, factor: usize) -> Result<(), OddsError> {
        let dice = self.pools.keys().next().map_or(1, |pool| pool.len() + 1);
        let steps = self.pools.len() as f64 * factor as f64 * (4.0 + dice as f64);
        self.task.meter.announce(|| "walking all ways this pool can fall".into(), steps)
    }

    /// Lets the first dice fall.
    fn fall(&mut self, groups: &[(u32, Law)]) -> Result<(), OddsError> {
        // The number of pools is known beforehand: so many dice over so many faces.
        let steps = groups.iter().fold(1.0, |pools, (count, law)| {
            let (n, faces) = (f64::from(*count), law.singles.len() as f64);
            let ways = if self.ordered {
                faces.powf(n)
            } else {
                (1..=*count).fold(1.0, |ways, k| ways * (faces - 1.0 + f64::from(k)) / f64::from(k))
            };
            pools * ways * (4.0 + n)
        });
        self.task.meter.announce(|| "walking all ways this pool can fall".into(), steps)?;
        self.pools = HashMap::from([(Vec::new(), RBig::ONE)]);
        for (count, law) in groups {
            let outcomes: Vec<(Vec<Single>, RBig)> = law
                .singles
                .iter()
                .map(|(single, weight)| (vec![*single], share(weight, &law.total)))
                .chain((!law.dropped.is_zero()).then(|| (Vec::new(), share(&law.dropped, &law.total))))
                .collect();
            for _ in 0..*count {
                let mut next = HashMap::new();
                for (pool, chance) in &self.pools {
                    for (joined, weight) in &outcomes {
                        let mut pool = pool.clone();
                        pool.extend(joined);
                        *next.entry(self.sorted(pool)).or_insert(RBig::ZERO) += chance * weight;
                    }
                }
                self.pools = next;
            }
        }
        Ok(())
    }

    /// Applies the operators and adds up.
    fn take(mut self, steps: &[Placed]) -> Result<Distribution<i64>, OddsError> {
        let plan = Plan::of(steps);
        for (step, span) in steps {
            match *step {
                Step::Count(_) | Step::Failures(_) | Step::Doubles(_) => break,
                Step::Keep(End::Middle, number) => self.drop_each(|present| {
                    let surplus = present.saturating_sub(number as usize);
                    (surplus.div_ceil(2), surplus / 2)
                }),
                Step::Keep(End::Lowest, number) => {
                    self.drop_each(|present| (0, present.saturating_sub(number as usize)));
                }
                Step::Keep(End::Highest, number) => {
                    self.drop_each(|present| (present.saturating_sub(number as usize), 0));
                }
                Step::Drop(End::Lowest, number) => self.drop_each(|present| (present.min(number as usize), 0)),
                Step::Drop(_, number) => self.drop_each(|present| (0, present.min(number as usize))),
                Step::Unique => self.differ(*span)?,
                Step::Explode(Style::Alone, cap, test) => self.explode_alone(cap, test)?,
                _ => self.each_alone((*step, *span))?,
            }
        }
        let mut sums: Vec<(i64, RBig)> = Vec::with_capacity(self.pools.len());
        for (pool, chance) in self.pools {
            let mut sum = 0i64;
            for single in pool {
                let score = plan.scoring.score(single.value);
                sum = crate::dice::notation::arithmetic::add(sum, score, self.task.span)?;
            }
            sums.push((sum, chance));
        }
        let totals: Vec<UBig> = sums.iter().map(|(_, chance)| chance.denominator().clone()).collect();
        let (total, factors) = UBig::common(&totals);
        let weights = sums.into_iter().zip(&factors).map(|((sum, chance), factor)| {
            let (_, numerator) = chance.into_parts().0.into_parts();
            (sum, numerator * factor)
        });
        Ok(Distribution::from_weights(weights, Some(total)))
    }

    /// Drops so many from the low and the high end. Of equal dice the later goes.
    fn drop_each(&mut self, ends: impl Fn(usize) -> (usize, usize)) {
        let mut next = HashMap::with_capacity(self.pools.len());
        for (mut pool, chance) in self.pools.drain() {
            let (low, high) = ends(pool.len());
            for _ in 0..low {
                if let Some(least) = pool.iter().map(|single| single.value).min() {
                    pool.iter().rposition(|single| single.value == least).map(|at| pool.remove(at));
                }
            }
            for _ in 0..high {
                if let Some(most) = pool.iter().map(|single| single.value).max() {
                    pool.iter().rposition(|single| single.value == most).map(|at| pool.remove(at));
                }
            }
            *next.entry(pool).or_insert(RBig::ZERO) += chance;
        }
        self.pools = next;
    }

    /// Replaces each die by what it becomes, one after the other; `becomes` is asked once for each kind of die.
    fn each(
        &mut self,
        becomes: impl Fn(Single) -> Result<Vec<(Vec<Single>, RBig)>, OddsError>,
    ) -> Result<(), OddsError> {
        let mut known: HashMap<Single, Vec<(Vec<Single>, RBig)>> = HashMap::new();
        for single in self.pools.keys().flatten() {
            if !known.contains_key(single) {
                known.insert(*single, becomes(*single)?);
            }
        }
        self.announce(known.values().map(Vec::len).max().unwrap_or(1))?;
        let mut next: HashMap<Vec<Single>, RBig> = HashMap::new();
        for (pool, chance) in &self.pools {
            let mut partial: HashMap<Vec<Single>, RBig> = HashMap::from([(Vec::new(), chance.clone())]);
            for single in pool {
                let outcomes = &known[single];
                let work = partial.len() as f64 * outcomes.len() as f64;
                self.task.meter.announce(|| "walking all ways this pool can fall".into(), 4.0 * work)?;
                let mut grown = HashMap::new();
                for (so_far, chance) in &partial {
                    for (singles, weight) in outcomes {
                        let mut pool = so_far.clone();
                        pool.extend(singles);
                        *grown.entry(self.sorted(pool)).or_insert(RBig::ZERO) += chance * weight;
                    }
                }
                partial = grown;
            }
            for (pool, chance) in partial {
                *next.entry(pool).or_insert(RBig::ZERO) += chance;
            }
        }
        self.pools = next;
        Ok(())
    }

    fn each_alone(&mut self, step: Placed) -> Result<(), OddsError> {
        let (fresh, cut) = (self.fresh, self.cut);
        let after = |single: Single| -> Result<Vec<(Vec<Single>, RBig)>, OddsError> {
            let law = Law::certain(single).after_one(step, fresh, cut)?;
            let stays = law.singles.iter().map(|(single, weight)| (vec![*single], share(weight, &law.total)));
            let goes = (!law.dropped.is_zero()).then(|| (Vec::new(), share(&law.dropped, &law.total)));
            Ok(stays.chain(goes).collect())
        };
        self.each(after)
    }

    fn explode_alone(&mut self, cap: Option<u64>, test: Test) -> Result<(), OddsError> {
        let fresh = self.fresh;
        let depth = Depth::of(cap, fresh, test, 1.0, self.cut);
        let runs = runs(fresh, test, depth, self.ordered);
        self.each(|single| {
            if !test.holds(single.raw) || depth.dice == 0 {
                return Ok(vec![(vec![single], RBig::ONE)]);
            }
            let with_run = |(run, chance): &(Vec<Single>, RBig)| {
                (std::iter::once(single).chain(run.iter().copied()).collect(), chance.clone())
            };
            Ok(runs.iter().map(with_run).collect())
        })
    }

    /// Rerolls each die that equals an earlier one. Which of several dice moves on first does not change the odds of
    /// where all come to stand, so sorted pools serve as well.
    fn differ(&mut self, span: Span) -> Result<(), OddsError> {
        let fresh = self.fresh;
        self.announce(fresh.faces.len())?;
        let mut next: HashMap<Vec<Single>, RBig> = HashMap::new();
        for (pool, chance) in &self.pools {
            if pool.len() > fresh.faces.len() {
                return Err(too_many(pool.len(), fresh, span).into());
            }
            let mut partial: HashMap<Vec<Single>, RBig> = HashMap::from([(Vec::new(), chance.clone())]);
            for single in pool {
                let mut grown = HashMap::new();
                for (seen, chance) in partial {
                    let repeats = |value: i64| seen.iter().any(|other: &Single| other.value == value);
                    let mut put = |single: Single, chance: RBig| {
                        let mut pool = seen.clone();
                        pool.push(single);
                        *grown.entry(pool).or_insert(RBig::ZERO) += chance;
                    };
                    if !repeats(single.value) {
                        put(*single, chance);
                        continue;
                    }
                    let open = fresh.weight(|face| !repeats(face));
                    if open.is_zero() {
                        return Err(endless_walk(span).into());
                    }
                    for (face, weight) in fresh.faces.iter().filter(|(face, _)| !repeats(*face)) {
                        put(Single::face(*face), &chance * share(weight, &open));
                    }
                }
                partial = grown;
                let work = partial.len() as f64 * pool.len() as f64;
                self.task.meter.announce(|| "walking all ways these dice can differ".into(), work)?;
            }
            for (pool, chance) in partial {
                *next.entry(self.sorted(pool)).or_insert(RBig::ZERO) += chance;
            }
        }
        self.pools = next;
        Ok(())
    }
}

/// The dice that an exploding die adds: all runs up to a depth, equal ones put together where order does not matter.
fn runs(fresh: &Fresh, test: Test, depth: Depth, ordered: bool) -> Vec<(Vec<Single>, RBig)> {
    let mut ended: HashMap<Vec<Single>, RBig> = HashMap::new();
    let mut going: HashMap<Vec<Single>, RBig> = HashMap::from([(Vec::new(), RBig::ONE)]);
    for die in 1..=depth.dice {
        let mut next = HashMap::new();
        for (run, chance) in &going {
            for (face, weight) in &fresh.faces {
                let mut run = run.clone();
                run.push(Single::face(*face));
                if !ordered {
                    run.sort_unstable();
                }
                let on = test.holds(*face);
                let stopped = die == depth.dice;
                if on && stopped && depth.cut {
                    continue;
                }
                let to = if on && !stopped { &mut next } else { &mut ended };
                *to.entry(run).or_insert(RBig::ZERO) += chance * share(weight, &fresh.total);
            }
        }
        going = next;
    }
    ended.into_iter().collect()
}

fn too_many(dice: usize, fresh: &Fresh, span: Span) -> NotationError {
    let faces: Vec<i64> = fresh.faces.iter().map(|(face, _)| *face).collect();
    check::too_many_to_differ(dice as u64, crate::dice::Die::Listed(&faces), span)
}
