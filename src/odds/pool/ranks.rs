//! What is kept of independent dice by their rank. Walks faces, not dice: the cost grows with dice times faces, never
//! with the number of ways the dice can fall.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::ranks_walk;
use crate::odds::budget::Meter;
use crate::odds::error::OddsError;
use crate::odds::polynomial::Polynomial;

/// One value that dice can have: what a kept die of it scores.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    /// The weight of the value for one die of each group.
    pub weights: Vec<UBig>,
    /// The score of a die of this value that is kept.
    pub kernel: Polynomial,
}

/// The row of binomials `n` over 0 … `n` over `most`.
pub(crate) fn binomials(n: u64, most: u64) -> Vec<UBig> {
    let mut row = vec![UBig::ONE];
    for k in 1..=most.min(n) {
        let next = &row[k as usize - 1] * (n - k + 1) / k;
        row.push(next);
    }
    row
}

/// The scores, added up, of the dice whose rank is from `low` up to, not including, `high`; `counts` says how many dice
/// each group has, `faces` stand in ascending order.
pub(crate) fn kept(
    counts: &[u32],
    mut faces: Vec<Face>,
    (low, high): (u64, u64),
    meter: &Meter,
) -> Result<Polynomial, OddsError> {
    let dice: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    if low >= high || (low == 0 && high == dice) {
        return whole(counts, &faces, high > low, meter);
    }
    let words = words(counts, &faces, high - low);
    let walked = ranks_walk::Walk::new(counts, &faces, (low, high), words);
    if counts.len() == 1 && (high == dice || low == 0) {
        let steps = highest_steps(counts[0], &faces, high - low, words);
        if steps < walked.steps() {
            if low == 0 {
                faces.reverse();
            }
            meter.announce(|| described(counts, &faces), steps)?;
            return highest(counts[0], &faces, high - low, meter);
        }
    }
    meter.announce(|| described(counts, &faces), walked.steps())?;
    walked.scores(meter)
}

fn described(counts: &[u32], faces: &[Face]) -> String {
    let dice: u32 = counts.iter().sum();
    format!("what is kept of {dice} dice of {} values", faces.len())
}

/// How many words the weight of all ways together takes.
fn words(counts: &[u32], faces: &[Face], kept: u64) -> usize {
    let group = |(group, count): (usize, &u32)| {
        let weight = faces.iter().fold(UBig::ZERO, |sum, face| sum + &face.weights[group]);
        weight.bit_len() * *count as usize
    };
    let dice: usize = counts.iter().enumerate().map(group).sum();
    let kernel = faces.iter().map(|face| face.kernel.total().bit_len() - 1).max().unwrap_or(0);
    (dice + kernel * kept as usize + 1).div_ceil(64)
}

/// All dice kept, or none.
fn whole(counts: &[u32], faces: &[Face], scored: bool, meter: &Meter) -> Result<Polynomial, OddsError> {
    let mut product = Polynomial::monomial(0, UBig::ONE);
    let one = Polynomial::monomial(0, UBig::ONE);
    for (group, count) in counts.iter().enumerate() {
        let mut law = Polynomial::zero();
        for face in faces {
            law.add_scaled(if scored { &face.kernel } else { &one }, &face.weights[group], 0);
        }
        let what = || format!("the sum of {count} dice of {} values", law.len());
        meter.announce(what, law.power_steps(*count))?;
        let power = law.power(*count, meter)?;
        meter.announce(what, product.product_steps(&power))?;
        product = product.multiply_within(&power, meter)?;
    }
    Ok(product)
}

/// About how many steps [`highest`] takes.
fn highest_steps(count: u32, faces: &[Face], keep: u64, words: usize) -> f64 {
    let span = faces.iter().map(|face| face.kernel.len()).max().unwrap_or(1).max(faces.len()) as f64;
    let keep = keep as f64;
    faces.len() as f64 * keep * (keep * span / 4.0 * (1.0 + words as f64 / 4.0) + f64::from(count).sqrt())
}

/// The `keep` highest of `count` equal dice.
///
/// Let t be the least value kept and a the number of dice above it. The dice above are free, `keep - a` at t are kept,
/// and at least that many are at t: with s = Σ over a of C(count, a)·T(count - a)·above^a·kernel(t)^(keep - a), where
/// T(n) weighs n dice at t or below, at most `count - keep` of them below. T(n) follows from T(n - 1), and the sum over
/// a is Horner's: only additions and small products.
fn highest(count: u32, faces: &[Face], keep: u64, meter: &Meter) -> Result<Polynomial, OddsError> {
    let n = u64::from(count);
    let below_kept = n - keep;
    let choose = binomials(n, n);
    let mut above = Polynomial::zero();
    let mut below = faces.iter().fold(UBig::ZERO, |sum, face| sum + &face.weights[0]);
    let mut total = Polynomial::zero();
    for face in faces.iter().rev() {
        let weight = &face.weights[0];
        below -= weight;
        let here = &below + weight;
        // T for the fewest dice: all at t or below, not all below.
        let mut at_or_below = here.pow(below_kept as usize + 1) - below.pow(below_kept as usize + 1);
        let mut low_power = below.pow(below_kept as usize + 1);
        let mut scores = Polynomial::zero();
        let mut kernel_power = Polynomial::monomial(0, UBig::ONE);
        let mut overflow = UBig::ONE;
        for a in (0..keep).rev() {
            meter.pause()?;
            if a + 1 < keep {
                scores = scores.multiply(&above);
                kernel_power = kernel_power.multiply(&face.kernel);
                // One die more: n - 1 dice hold just `below_kept` below and the new one is below too.
                let dice = n - a;
                overflow = &overflow * (dice - 1) / (dice - 1 - below_kept);
                low_power *= weight;
                let falls = &overflow * &low_power;
                at_or_below = at_or_below * &here - falls;
            }
            scores.add_scaled(&kernel_power, &(&choose[a as usize] * &at_or_below), 0);
        }
        total.add_scaled(&scores.multiply(&face.kernel), &UBig::ONE, 0);
        above.add_scaled(&face.kernel, weight, 0);
    }
    Ok(total)
}

/// Of `count` dice that all differ, each set of faces equally likely: the scores of those with rank from `low` up to
/// `high`. The weights come to the number of sets, faces over count.
pub(crate) fn kept_of_different(count: u32, kernels: &[Polynomial], (low, high): (u64, u64)) -> Polynomial {
    let mut chosen: Vec<Polynomial> = vec![Polynomial::zero(); count as usize + 1];
    chosen[0] = Polynomial::monomial(0, UBig::ONE);
    for kernel in kernels {
        for rank in (0..count as usize).rev() {
            let scores =
                if (low..high).contains(&(rank as u64)) { chosen[rank].multiply(kernel) } else { chosen[rank].clone() };
            chosen[rank + 1].add_scaled(&scores, &UBig::ONE, 0);
        }
    }
    chosen.pop().unwrap_or_else(Polynomial::zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faces with these weights, each worth its place plus one.
    fn faces(weights: &[u64]) -> Vec<Face> {
        let face = |(i, weight): (usize, &u64)| Face {
            weights: vec![(*weight).into()],
            kernel: Polynomial::monomial(i as i64 + 1, UBig::ONE),
        };
        weights.iter().enumerate().map(face).collect()
    }

    #[test]
    fn walking_from_above_is_walking_all_ranks() {
        let meter = Meter::unlimited();
        for weights in [&[1, 1, 1, 1][..], &[3, 1, 2], &[1], &[2, 5]] {
            for count in 1..=5u32 {
                for keep in 1..u64::from(count) {
                    let low = u64::from(count) - keep;
                    let (faces, ranks) = (faces(weights), (low, u64::from(count)));
                    let walked = ranks_walk::Walk::new(&[count], &faces, ranks, 1).scores(&meter).unwrap();
                    let above = highest(count, &faces, keep, &meter).unwrap();
                    assert_eq!(above.into_distribution(1u8.into()), walked.into_distribution(1u8.into()));
                }
            }
        }
    }
}
