//! The exact odds of one pool whose numbers are all known.
//!
//! Operators that look at each die by itself change the law of one die ([`law`]). Keeps and drops leave a stretch of
//! ranks, and what dice of those ranks score is found by walking faces ([`ranks`]). The few rows of operators that fit
//! neither (a keep, a filter and again a keep) walk the ways the whole pool can fall ([`walk`]).

mod alone;
mod endless;
mod law;
mod ranks;
mod ranks_walk;
mod steps;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::UBig;

pub(crate) use self::law::{Fresh, Law, Single};
use self::ranks::Face;
pub(crate) use self::steps::{Placed, Step, Test, Tests};
use self::steps::{Plan, Scoring, ranks_kept};
use super::budget::Meter;
use super::distribution::Distribution;
use super::error::OddsError;
use super::polynomial::Polynomial;
use super::weight::Weight;
use crate::dice::Die;
use crate::dice::notation::check;
use crate::dice::notation::tree::{Span, Style};
use crate::dice::notation::{NotationError, NotationErrorKind, arithmetic};

/// A pool or group with known numbers, and what its work may cost.
pub(crate) struct Task<'t> {
    pub steps: &'t [Placed],
    pub span: Span,
    /// The most probability that explosions without an end may leave out.
    pub cut: f64,
    pub meter: &'t Meter,
}

/// The odds of a pool of equal dice.
pub(crate) fn of_pool(count: u32, die: Die<'_>, task: &Task<'_>) -> Result<Distribution<i64>, OddsError> {
    if count == 0 {
        return Ok(Distribution::constant(0));
    }
    task.meter.announce(|| format!("a die of {} faces", die.sides()), f64::from(die.sides()))?;
    if task.steps.is_empty() {
        return plain(count, die, task);
    }
    let fresh = Fresh::of(die);
    if let Some(sum) = endless::summed(count, &fresh, task)? {
        return Ok(sum);
    }
    let plan = Plan::of(task.steps);
    let cut = task.cut / f64::from(count);
    let later = &task.steps[plan.alone_before.len()..];
    let law = Law::of(&fresh).after(plan.alone_before, later, &fresh, cut)?;
    let explodes = |steps: &[Placed]| steps.iter().any(|(step, _)| step.is_explosion());
    let simple = plan.rest.is_empty() && !(law.is_clamped() && explodes(plan.alone_after));
    let law = if explodes(plan.joint) { law } else { law.without_raw_faces() };
    match plan.joint.split_first() {
        None => ranked(&[(count, law)], &[], &Kernels::scores(&plan.scoring), task),
        Some(((Step::Unique, span), run)) if simple && plan.alone_before.is_empty() && all_equal(&fresh) => {
            if count as usize > fresh.faces.len() {
                return Err(check::too_many_to_differ(u64::from(count), die, *span).into());
            }
            let kernels = Kernels::after(&plan, &fresh, cut);
            match ranks_kept(run, u64::from(count)) {
                Some(range) => different(count, &fresh, range, &kernels, task),
                None => walk::of_pool(count, &fresh, task, cut),
            }
        }
        Some(((Step::Explode(Style::Alone, cap, test), _), [])) if simple => {
            alone::summed(count, law, &fresh, (*cap, *test), &Kernels::after(&plan, &fresh, cut), task)
        }
        Some(((Step::Explode(Style::Alone, cap, test), _), run)) if simple && plan.alone_before.is_empty() => {
            if ranks_kept(run, 1).is_none() {
                return walk::of_pool(count, &fresh, task, cut);
            }
            alone::ranked(count, &fresh, (*cap, *test), run, &Kernels::after(&plan, &fresh, cut), task)
        }
        Some(_) if simple && ranks_kept(plan.joint, 1).is_some() => {
            ranked(&[(count, law)], plan.joint, &Kernels::after(&plan, &fresh, cut), task)
        }
        Some(_) => walk::of_pool(count, &fresh, task, cut),
    }
}

/// The odds of a group: independent members, alike ones counted together.
pub(crate) fn of_members(
    members: &[(u32, &Distribution<i64>)],
    task: &Task<'_>,
) -> Result<Distribution<i64>, OddsError> {
    let fresh = Fresh { faces: Vec::new(), total: UBig::ONE };
    let plan = Plan::of(task.steps);
    let mut groups = Vec::with_capacity(members.len());
    for (count, member) in members {
        let law = Law::of_member(member, task.steps);
        let later = &task.steps[plan.alone_before.len()..];
        groups.push((*count, law.after(plan.alone_before, later, &fresh, task.cut)?));
    }
    if plan.joint.is_empty() {
        return ranked(&groups, &[], &Kernels::scores(&plan.scoring), task);
    }
    if plan.rest.is_empty() {
        return ranked(&groups, plan.joint, &Kernels::after(&plan, &fresh, task.cut), task);
    }
    walk::of_members(&groups, task)
}

/// Whether all faces are different and equally likely.
fn all_equal(fresh: &Fresh) -> bool {
    fresh.faces.iter().all(|(_, weight)| weight.is_one())
}

/// The sum of dice without operators.
fn plain(count: u32, die: Die<'_>, task: &Task<'_>) -> Result<Distribution<i64>, OddsError> {
    if let Die::Numbered(sides) = die {
        let faces = Polynomial::flat(1, sides as usize);
        task.meter.announce(|| format!("the sum of {count}{die}"), faces.power_steps(count))?;
        return Ok(faces.power(count, task.meter)?.into_distribution(UBig::from(sides).pow(count as usize)));
    }
    ranked(&[(count, Law::of(&Fresh::of(die)))], &[], &Kernels::scores(&Scoring::default()), task)
}

/// What a kept die of each value scores.
pub(crate) struct Kernels<'k> {
    scoring: &'k Scoring,
    /// What each die meets after it is kept; nothing for most.
    after: Option<After<'k>>,
}

/// The operators that a die meets after it is kept, those behind them, a fresh die, and what may be cut off.
#[derive(Clone, Copy)]
struct After<'k> {
    steps: &'k [Placed],
    later: &'k [Placed],
    fresh: &'k Fresh,
    cut: f64,
}

/// The kernels of some values, over one total, with exponents made small: a score is `low + step·exponent`.
struct Scaled {
    kernels: BTreeMap<i64, Polynomial>,
    total: UBig,
    low: i64,
    step: i64,
}

impl<'k> Kernels<'k> {
    fn scores(scoring: &'k Scoring) -> Self {
        Kernels { scoring, after: None }
    }

    fn after(plan: &'k Plan<'k>, fresh: &'k Fresh, cut: f64) -> Self {
        let after = After { steps: plan.alone_after, later: plan.counts, fresh, cut };
        let after = (!plan.alone_after.is_empty()).then_some(after);
        Kernels { scoring: &plan.scoring, after }
    }

    /// The scores of one value, with their weights and total.
    fn of(&self, value: i64) -> Result<(Vec<(i64, UBig)>, UBig), OddsError> {
        let Some(After { steps, later, fresh, cut }) = self.after else {
            return Ok((vec![(self.scoring.score(value), UBig::ONE)], UBig::ONE));
        };
        let law = Law::certain(Single::face(value)).after(steps, later, fresh, cut)?;
        let mut scores: Vec<(i64, UBig)> = law.values();
        for (value, _) in &mut scores {
            *value = self.scoring.score(*value);
        }
        if !law.dropped.is_zero() {
            scores.push((0, law.dropped));
        }
        Ok((scores, law.total))
    }

    /// The kernels of these values. `most` dice may be kept.
    fn scaled(&self, values: &BTreeSet<i64>, most: u64, task: &Task<'_>) -> Result<Scaled, OddsError> {
        let mut scored = Vec::with_capacity(values.len());
        for value in values {
            scored.push((*value, self.of(*value)?));
        }
        let totals: Vec<UBig> = scored.iter().map(|(_, (_, total))| total.clone()).collect();
        let (total, factors) = UBig::common(&totals);
        let all = || scored.iter().flat_map(|(_, (scores, _))| scores.iter().map(|(score, _)| *score));
        let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        fits(low, high, most, task.span)?;
        let step = all().fold(0u64, |step, score| gcd(step, score.abs_diff(low))).max(1);
        let kernel = |scores: &[(i64, UBig)], factor: &UBig| {
            let mut kernel = Polynomial::zero();
            for (score, weight) in scores {
                let exponent = (score.abs_diff(low) / step) as i64;
                kernel.add_scaled(&Polynomial::monomial(exponent, weight * factor), &UBig::ONE, 0);
            }
            kernel
        };
        let span = high.abs_diff(low) / step;
        task.meter.announce(|| format!("values {low} to {high}"), span as f64 * (1.0 + most as f64))?;
        let kernels =
            scored.iter().zip(&factors).map(|((value, (scores, _)), factor)| (*value, kernel(scores, factor)));
        Ok(Scaled { kernels: kernels.collect(), total, low, step: step as i64 })
    }
}

/// Refuses sums that may not fit 64 bits.
fn fits(low: i64, high: i64, most: u64, span: Span) -> Result<(), NotationError> {
    let fit = |score: i64| i64::try_from(i128::from(score) * i128::from(most)).is_ok();
    let exponents = i128::from(high.abs_diff(low)) * i128::from(most);
    if fit(low) && fit(high) && i64::try_from(exponents).is_ok() { Ok(()) } else { Err(arithmetic::overflow(span)) }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Scaled {
    /// The polynomial of exponents as a distribution of scores of so many kept dice.
    fn distribution(&self, scores: Polynomial, kept: u64, total: UBig) -> Distribution<i64> {
        let base = self.low * kept as i64;
        scores.into_distribution(total).rename(|exponent| base + self.step * exponent)
    }
}

/// What independent dice score that a run of keeps and drops leaves. Dice may be dropped beforehand, by their law.
fn ranked(
    groups: &[(u32, Law)],
    run: &[Placed],
    kernels: &Kernels<'_>,
    task: &Task<'_>,
) -> Result<Distribution<i64>, OddsError> {
    let counts: Vec<u32> = groups.iter().map(|(count, _)| *count).collect();
    let dice: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    let laws: Vec<BTreeMap<i64, UBig>> = groups.iter().map(|(_, law)| law.values().into_iter().collect()).collect();
    let values: BTreeSet<i64> = laws.iter().flat_map(|law| law.keys().copied()).collect();
    if run.is_empty()
        && let Some(sum) = summed_sparsely(groups, &values, kernels, task)?
    {
        return Ok(sum);
    }
    let scaled = kernels.scaled(&values, dice, task)?;
    let faces: Vec<Face> = values
        .iter()
        .map(|value| Face {
            weights: laws.iter().map(|law| law.get(value).cloned().unwrap_or_default()).collect(),
            kernel: scaled.kernels[value].clone(),
        })
        .collect();
    let total = groups.iter().fold(UBig::ONE, |total, (count, law)| total * law.total.pow(*count as usize));
    let dropped: Vec<&UBig> = groups.iter().map(|(_, law)| &law.dropped).collect();
    let mut parts = Vec::new();
    for (present, weight) in presences(&counts, &dropped) {
        let present_dice: u64 = present.iter().map(|count| u64::from(*count)).sum();
        let (low, high) = ranks_kept(run, present_dice).unwrap_or((0, present_dice));
        let scores = ranks::kept(&present, faces.clone(), (low, high), task.meter)?;
        let kept = high - low;
        parts.push((weight, scaled.distribution(scores, kept, scaled.total.pow(kept as usize))));
    }
    if let [(weight, part)] = &parts[..]
        && weight.is_one()
    {
        let entries = part.entries().to_vec();
        return Ok(Distribution::from_sorted(entries, part.total() * total));
    }
    let parts: Vec<(UBig, &Distribution<i64>)> = parts.iter().map(|(weight, part)| (weight.clone(), part)).collect();
    Ok(Distribution::mix(&parts, &total))
}

/// How many dice of each group are left when some are dropped by their law, with the weight of the dropped ones.
fn presences(counts: &[u32], dropped: &[&UBig]) -> Vec<(Vec<u32>, UBig)> {
    let mut all = vec![(Vec::new(), UBig::ONE)];
    for (count, dropped) in counts.iter().zip(dropped) {
        let gone = if dropped.is_zero() { 0 } else { *count };
        let choose = ranks::binomials(u64::from(*count), u64::from(gone));
        let mut next = Vec::with_capacity(all.len() * choose.len());
        for (present, weight) in &all {
            let mut power = UBig::ONE;
            for (gone, ways) in choose.iter().enumerate() {
                let mut present: Vec<u32> = present.clone();
                present.push(count - gone as u32);
                next.push((present, weight * ways * &power));
                power *= *dropped;
            }
        }
        all = next;
    }
    all
}

/// A sum of dice whose values lie so far apart that a list from least to greatest would be mostly empty.
fn summed_sparsely(
    groups: &[(u32, Law)],
    values: &BTreeSet<i64>,
    kernels: &Kernels<'_>,
    task: &Task<'_>,
) -> Result<Option<Distribution<i64>>, OddsError> {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return Ok(None) };
    let step = values.iter().fold(0u64, |step, value| gcd(step, value.abs_diff(*first))).max(1);
    if kernels.after.is_some() || first.abs_diff(*last) / step <= 50 * values.len() as u64 + 1_000 {
        return Ok(None);
    }
    let dice: u64 = groups.iter().map(|(count, _)| u64::from(*count)).sum();
    fits(*first, *last, dice, task.span)?;
    let mut sum = Distribution::constant(0);
    for (count, law) in groups {
        let mut scores: Vec<(i64, UBig)> =
            law.values().into_iter().map(|(value, weight)| (kernels.scoring.score(value), weight)).collect();
        scores.push((0, law.dropped.clone()));
        let law = Distribution::from_weights(scores, Some(law.total.clone()));
        for _ in 0..*count {
            let pairs = sum.len() as f64 * law.len() as f64;
            task.meter.announce(|| format!("the sum of {dice} dice with faces far apart"), 4.0 * pairs)?;
            sum = sum.sum(&law).ok_or_else(|| arithmetic::overflow(task.span))?;
        }
    }
    Ok(Some(sum))
}

/// Dice that all differ.
fn different(
    count: u32,
    fresh: &Fresh,
    (low, high): (u64, u64),
    kernels: &Kernels<'_>,
    task: &Task<'_>,
) -> Result<Distribution<i64>, OddsError> {
    let values: BTreeSet<i64> = fresh.faces.iter().map(|(face, _)| *face).collect();
    let kept = high - low;
    let scaled = kernels.scaled(&values, kept, task)?;
    let steps = f64::from(count) * values.len() as f64 * (1.0 + kept as f64 * values.len() as f64 / 2.0);
    task.meter.announce(|| format!("{count} different dice of {}", values.len()), steps)?;
    let kernel: Vec<Polynomial> = scaled.kernels.values().cloned().collect();
    let scores = ranks::kept_of_different(count, &kernel, (low, high));
    let sets = ranks::binomials(values.len() as u64, u64::from(count)).pop().unwrap_or_default();
    let total = sets * scaled.total.pow(kept as usize);
    Ok(scaled.distribution(scores, kept, total))
}

/// The error of a row of operators that cannot be told exactly.
fn endless_walk(span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::Endless, span, "every face is rerolled, so it would never end")
}
