//! What is kept of independent dice by their rank. Walks faces, not dice: the cost grows with dice times faces, never
//! with the number of ways the dice can fall.

use std::collections::BTreeMap;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

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
    if counts.len() == 1 && (high == dice || low == 0) {
        if low == 0 {
            faces.reverse();
        }
        return highest(counts[0], &faces, high - low, meter);
    }
    between(counts, &faces, (low, high), meter)
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
        announce_power(&law, *count, meter)?;
        product = product.multiply(&law.power(*count));
    }
    Ok(product)
}

/// Announces the work of a power.
pub(crate) fn announce_power(law: &Polynomial, count: u32, meter: &Meter) -> Result<(), OddsError> {
    let length = law.len() as f64 * f64::from(count);
    // The weights of the power are as long as all of its dice together; eight words of a number cost about a step.
    let words = f64::from(count) * law.total().bit_len() as f64 / 64.0;
    let steps = length * (law.len() as f64).min(8.0) * (1.0 + words / 8.0);
    meter.announce(|| format!("the sum of {count} dice of {} values", law.len()), steps)
}

/// The `keep` highest of `count` equal dice.
///
/// Let t be the least value kept and a the number of dice above it. The dice above are free, `keep - a` at t are kept,
/// and at least that many are at t: with s = Σ over a of C(count, a)·T(count - a)·above^a·kernel(t)^(keep - a), where
/// T(n) weighs n dice at t or below, at most `count - keep` of them below. T(n) follows from T(n - 1), and the sum over
/// a is Horner's: only additions and small products.
fn highest(count: u32, faces: &[Face], keep: u64, meter: &Meter) -> Result<Polynomial, OddsError> {
    let n = u64::from(count);
    let span = faces.iter().map(|face| face.kernel.len()).max().unwrap_or(1).max(faces.len());
    let steps = faces.len() as f64 * keep as f64 * keep as f64 * span as f64 / 4.0 * (1.0 + n as f64 / 200.0);
    meter.announce(|| format!("the {keep} highest of {count} dice of {} values", faces.len()), steps)?;
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

/// Any stretch of ranks, any groups: walks the values upwards and remembers how many dice of each group have come.
fn between(counts: &[u32], faces: &[Face], (low, high): (u64, u64), meter: &Meter) -> Result<Polynomial, OddsError> {
    let states: f64 = counts.iter().map(|count| f64::from(*count) + 1.0).product();
    let spread = faces.iter().map(|face| face.kernel.len()).max().unwrap_or(1).max(faces.len()) as f64;
    let steps = states * states / 2.0 * faces.len() as f64 * (1.0 + spread * (high - low) as f64 / 4.0);
    let dice: u32 = counts.iter().sum();
    meter.announce(|| format!("the middle of {dice} dice of {} values", faces.len()), steps)?;
    let mut walked: BTreeMap<Vec<u32>, Polynomial> =
        BTreeMap::from([(vec![0; counts.len()], Polynomial::monomial(0, UBig::ONE))]);
    for (index, face) in faces.iter().enumerate() {
        let last = index + 1 == faces.len();
        let powers: Vec<Polynomial> = powers(&face.kernel, high - low);
        let mut next: BTreeMap<Vec<u32>, Polynomial> = BTreeMap::new();
        for (used, scores) in &walked {
            let before: u64 = used.iter().map(|used| u64::from(*used)).sum();
            for (joined, ways) in arrivals(counts, used, &face.weights, last) {
                let after: u64 = joined.iter().map(|joined| u64::from(*joined)).sum();
                let kept = after.min(high).saturating_sub(before.max(low));
                let sum = next.entry(joined).or_insert_with(Polynomial::zero);
                sum.add_scaled(&scores.multiply(&powers[kept as usize]), &ways, 0);
            }
        }
        walked = next;
    }
    Ok(walked.remove(counts).unwrap_or_else(Polynomial::zero))
}

/// The powers 0 … `most`.
fn powers(base: &Polynomial, most: u64) -> Vec<Polynomial> {
    let mut powers = vec![Polynomial::monomial(0, UBig::ONE)];
    for exponent in 0..most as usize {
        powers.push(powers[exponent].multiply(base));
    }
    powers
}

/// How many dice of each group may have come after one more value, and in how many ways the new ones are chosen.
fn arrivals(counts: &[u32], used: &[u32], weights: &[UBig], last: bool) -> Vec<(Vec<u32>, UBig)> {
    let mut ways: Vec<(Vec<u32>, UBig)> = vec![(Vec::new(), UBig::ONE)];
    for (group, (count, used)) in counts.iter().zip(used).enumerate() {
        let left = count - used;
        let choose = binomials(u64::from(left), u64::from(left));
        let mut own = Vec::new();
        let mut power = UBig::ONE;
        for (joined, choices) in choose.iter().enumerate() {
            if joined > 0 {
                power *= &weights[group];
            }
            if power.is_zero() {
                break;
            }
            if !last || joined == left as usize {
                own.push((used + joined as u32, choices * &power));
            }
        }
        ways = ways
            .iter()
            .flat_map(|(state, so_far)| {
                own.iter().map(move |(now, choices)| {
                    let mut state = state.clone();
                    state.push(*now);
                    (state, so_far * choices)
                })
            })
            .collect();
    }
    ways
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
        let meter = Meter::new(f64::INFINITY);
        for weights in [&[1, 1, 1, 1][..], &[3, 1, 2], &[1], &[2, 5]] {
            for count in 1..=5u32 {
                for keep in 1..u64::from(count) {
                    let low = u64::from(count) - keep;
                    let walked = between(&[count], &faces(weights), (low, u64::from(count)), &meter).unwrap();
                    let above = highest(count, &faces(weights), keep, &meter).unwrap();
                    assert_eq!(above.into_distribution(1u8.into()), walked.into_distribution(1u8.into()));
                }
            }
        }
    }
}
