//! `!c`: explosions whose added dice stand alone.

use std::collections::BTreeSet;

use dashu_int::UBig;

use super::law::Depth;
use super::ranks::{self, Face, binomials};
use super::steps::ranks_kept;
use super::{Fresh, Kernels, Law, Placed, Task, Test};
use crate::odds::distribution::Distribution;
use crate::odds::error::OddsError;
use crate::odds::polynomial::Polynomial;
use crate::odds::weight::ratio;

/// All dice count: each first die brings a bundle of its own, and bundles are independent.
pub(super) fn summed(
    count: u32,
    law: Law,
    fresh: &Fresh,
    (cap, test): (Option<u64>, Test),
    kernels: &Kernels<'_>,
    task: &Task<'_>,
) -> Result<Distribution<i64>, OddsError> {
    let again = ratio(&fresh.weight(|face| test.holds(face)), &fresh.total);
    let depth = Depth::of(cap, fresh, test, 1.0, task.cut / f64::from(count));
    let mut values: BTreeSet<i64> = law.singles.keys().map(|single| single.value).collect();
    values.extend(fresh.faces.iter().map(|(face, _)| *face));
    values.insert(0);
    let most = u64::from(count) * (depth.dice + 1);
    // Bundles differ in size, so scores are not moved to start at 0 but counted as they are.
    let scaled = kernels.scaled(&values, most, task)?;
    let span = scaled.kernels.values().map(Polynomial::len).max().unwrap_or(1) as f64 + values.len() as f64;
    let steps = span * span * depth.dice as f64 * depth.dice as f64;
    task.meter
        .announce(|| format!("an explosion of up to {} dice", depth.dice), if again > 0.0 { steps } else { 0.0 })?;
    let score = |value: i64| {
        let kernel = scaled.kernels[&value].clone();
        let entries = kernel.into_distribution(scaled.total.clone());
        let entries = entries.rename(|exponent| scaled.low + scaled.step * exponent);
        Polynomial::of_entries(entries.entries())
    };
    let faces = |explodes: bool| {
        let mut sum = Polynomial::zero();
        for (face, weight) in fresh.faces.iter().filter(|(face, _)| test.holds(*face) == explodes) {
            sum.add_scaled(&score(*face), weight, 0);
        }
        sum
    };
    let (on, end) = (faces(true), faces(false));
    let link = &fresh.total * &scaled.total;
    let (mut added, mut added_total) = (Polynomial::monomial(0, UBig::ONE), UBig::ONE);
    for die in 0..depth.dice {
        let mut next = if die == 0 && depth.cut { Polynomial::zero() } else { on.multiply(&added) };
        next.add_scaled(&end, &added_total, 0);
        added = next;
        added_total *= &link;
    }
    let (mut bundle, mut bundle_on) = (Polynomial::zero(), Polynomial::zero());
    for (single, weight) in &law.singles {
        let kind = if test.holds(single.raw) { &mut bundle_on } else { &mut bundle };
        kind.add_scaled(&score(single.value), weight, 0);
    }
    bundle.add_scaled(&Polynomial::monomial(0, UBig::ONE), &(&law.dropped * &scaled.total), 0);
    let mut whole = bundle_on.multiply(&added);
    whole.add_scaled(&bundle, &added_total, 0);
    task.meter.announce(|| format!("the sum of {count} bundles of dice"), whole.power_steps(count))?;
    let total = law.total * &scaled.total * added_total;
    Ok(whole.power(count, task.meter)?.into_distribution(total.pow(count as usize)))
}

/// Some of the dice are kept by rank. Of the first dice and those they added, so many show faces that explode and so
/// many others; given these two numbers, all are independent.
pub(super) fn ranked(
    count: u32,
    fresh: &Fresh,
    (cap, test): (Option<u64>, Test),
    run: &[Placed],
    kernels: &Kernels<'_>,
    task: &Task<'_>,
) -> Result<Distribution<i64>, OddsError> {
    let depth = Depth::of(cap, fresh, test, 1.0, task.cut / f64::from(count));
    let values: BTreeSet<i64> = fresh.faces.iter().map(|(face, _)| *face).collect();
    let scaled = kernels.scaled(&values, u64::from(count) * (depth.dice + 1), task)?;
    let faces: Vec<Face> = fresh
        .faces
        .iter()
        .map(|(face, weight)| {
            let (on, end) = if test.holds(*face) { (weight.clone(), UBig::ZERO) } else { (UBig::ZERO, weight.clone()) };
            Face { weights: vec![on, end], kernel: scaled.kernels[face].clone() }
        })
        .collect();
    // One die that comes to an end after j explosions, j up to the depth, over total^(depth + 1).
    let mut run_lengths = Polynomial::zero();
    for j in 0..=depth.dice {
        let rest = fresh.total.pow((depth.dice - j) as usize);
        run_lengths.add_scaled(&Polynomial::monomial(j as i64, rest), &UBig::ONE, 0);
    }
    let total = fresh.total.pow((depth.dice as usize + 1) * count as usize);
    let choose = binomials(u64::from(count), u64::from(count));
    let explodes = fresh.weight(|face| test.holds(face));
    let ends = fresh.weight(|face| !test.holds(face));
    let mut parts = Vec::new();
    let mut left_out = 0.0;
    for capped in 0..=if depth.cut { 0 } else { count } {
        // Dice that the cap stopped show nothing but faces that explode.
        let ending = count - capped;
        let lengths = run_lengths.power(ending, task.meter)?.into_distribution(UBig::ONE);
        for (exploded, ways) in lengths.entries().iter().rev() {
            let on = *exploded as u64 + u64::from(capped) * (depth.dice + 1);
            let ways = ways * &choose[capped as usize];
            let weight = &ways * explodes.pow(on as usize) * ends.pow(ending as usize);
            let chance = ratio(&weight, &total);
            if depth.cut && left_out + chance <= task.cut {
                left_out += chance;
                continue;
            }
            let dice = on + u64::from(ending);
            let Some((low, high)) = ranks_kept(run, dice) else { continue };
            if weight == UBig::ZERO {
                continue;
            }
            let scores = ranks::kept(&[on as u32, ending], faces.clone(), (low, high), task.meter)?;
            let kept = high - low;
            parts.push((ways, scaled.distribution(scores, kept, scaled.total.pow(kept as usize))));
        }
    }
    let parts: Vec<(UBig, &Distribution<i64>)> = parts.iter().map(|(ways, part)| (ways.clone(), part)).collect();
    Ok(Distribution::mix(&parts, &total))
}
