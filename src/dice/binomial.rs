//! Big pools: how many of many equal dice show each face, drawn without throwing the dice.
//!
//! Of `n` dice with `s` faces the number that shows the first face is binomial with probability `1/s`; of the others,
//! the number that shows the second is binomial with probability `1/(s-1)`; and so on. Drawing those numbers has
//! exactly the law of throwing the dice, and takes `s - 1` steps however many dice there are.
//!
//! A binomial number is drawn in one of two ways. Where few successes are expected, the chances of 0, 1, 2 … are taken
//! off one uniform number until it is used up (inversion). Elsewhere a number is proposed from a simple density that
//! lies above the binomial one, and accepted with the ratio of the two (W. Hörmann, "The generation of binomial random
//! variates", Journal of Statistical Computation and Simulation 46, 1993: algorithm BTRS, transformed rejection with
//! squeeze). A test below checks what rejection stands on, that the proposal covers the law everywhere.
//!
//! All of this is part of the seed contract: a change of one operation moves dice. Floating-point numbers are only
//! added, multiplied, divided and rooted, which IEEE 754 settles to the bit; logarithms and exponentials come from the
//! `libm` crate, never from the platform.

use super::seed::Random;
use super::source::Die;

/// Where fewer successes are expected than this, inversion; from here on, rejection, whose constants need as many.
const FEW: f64 = 10.0;

/// Inversion ends here and begins anew. With fewer than [`FEW`] expected, a count this high has a chance below 10⁻⁵⁰;
/// what gets here is the rounding of the chances before.
const FAR: u32 = 150;

/// The sum of a big pool. Where all faces fit, so must the sum: `count` times the farthest face from 0 fits 64 bits.
pub(super) fn sum(random: &mut Random, die: Die<'_>, count: u32) -> i64 {
    let sides = die.sides();
    let mut left = count;
    let mut total = 0;
    for index in 0..sides - 1 {
        if left == 0 {
            return total;
        }
        let shown = binomial(random, left, 1, sides - index);
        total += i64::from(shown) * die.face(index);
        left -= shown;
    }
    total + i64::from(left) * die.face(sides - 1)
}

/// How many of `trials` succeed when each does so with probability `part / whole`, which is at most 1; `whole` is not 0.
fn binomial(random: &mut Random, trials: u32, part: u32, whole: u32) -> u32 {
    let rest = whole - part;
    if part > rest {
        // Both ways count the rarer outcome.
        return trials - binomial(random, trials, rest, whole);
    }
    if part == 0 {
        return 0;
    }
    let chance = f64::from(part) / f64::from(whole);
    if f64::from(trials) * chance < FEW {
        return inverted(random, trials, chance);
    }
    Proposal::new(trials, chance).draw(random)
}

/// Inversion, for a chance of at most 1/2.
fn inverted(random: &mut Random, trials: u32, chance: f64) -> u32 {
    let odds = chance / (1.0 - chance);
    let none = libm::exp(f64::from(trials) * libm::log1p(-chance));
    loop {
        let mut left = random.unit();
        let mut here = none;
        for count in 0..=trials.min(FAR) {
            if left < here {
                return count;
            }
            left -= here;
            here *= f64::from(trials - count) / (f64::from(count) + 1.0) * odds;
        }
    }
}

/// The proposal of the rejection: with `u` uniform between -1/2 and 1/2 and `margin = 1/2 - |u|`, the whole part of
/// `(2 * bend / margin + width) * u + center`.
struct Proposal {
    law: Law,
    center: f64,
    width: f64,
    bend: f64,
    /// The proposal's density at its peak, in units of the law's.
    height: f64,
    /// What lies below this may be accepted without a look at the law, except in the far tails.
    squeeze: f64,
}

/// From this margin on, the squeeze holds.
const SQUEEZED: f64 = 0.07;

impl Proposal {
    /// The proposal for a chance of at most 1/2 and at least [`FEW`] successes expected. The constants are Hörmann's.
    fn new(trials: u32, chance: f64) -> Self {
        let mean = f64::from(trials) * chance;
        let deviation = (mean * (1.0 - chance)).sqrt();
        let width = 1.15 + 2.53 * deviation;
        Proposal {
            law: Law::new(trials, chance),
            center: mean + 0.5,
            width,
            bend: -0.0873 + 0.0248 * width + 0.01 * chance,
            height: (2.83 + 5.1 / width) * deviation,
            squeeze: 0.92 - 4.2 / width,
        }
    }

    fn draw(&self, random: &mut Random) -> u32 {
        // The law at its peak; most proposals are accepted without it.
        let mut peak = None;
        loop {
            let at = random.unit() - 0.5;
            let height = random.unit();
            let margin = 0.5 - at.abs();
            let count = self.proposed(at, margin);
            // A margin of 0 proposes minus infinity.
            if !(0.0..=self.law.trials).contains(&count) {
                continue;
            }
            if margin >= SQUEEZED && height <= self.squeeze {
                return count as u32;
            }
            let peak = *peak.get_or_insert_with(|| self.law.log(self.law.mode()));
            if libm::log(height * self.height / self.slope(margin)) <= self.law.log(count) - peak {
                return count as u32;
            }
        }
    }

    fn proposed(&self, at: f64, margin: f64) -> f64 {
        ((2.0 * self.bend / margin + self.width) * at + self.center).floor()
    }

    /// How fast the number proposed grows with `u`: the inverse of the proposal's density.
    fn slope(&self, margin: f64) -> f64 {
        self.bend / (margin * margin) + self.width
    }
}

/// A binomial law, for the ratios of its chances.
struct Law {
    trials: f64,
    chance: f64,
    /// The trials and two more, split as the chance splits them.
    successes: f64,
    failures: f64,
}

impl Law {
    fn new(trials: u32, chance: f64) -> Self {
        let trials = f64::from(trials);
        let successes = (trials + 2.0) * chance;
        Law { trials, chance, successes, failures: (trials + 2.0) - successes }
    }

    /// The most likely count.
    fn mode(&self) -> f64 {
        ((self.trials + 1.0) * self.chance).floor()
    }

    /// The logarithm of the chance of a count, up to a constant of the law.
    ///
    /// Factorials by Stirling's formula, `ln k! = (k + 1/2) ln(k + 1) - (k + 1) + ln √2π + rest(k)`, and every
    /// logarithm taken of a number relative to its share of the trials: so the large terms cancel on paper and not in
    /// the machine, where with a million trials they would take eight digits with them.
    fn log(&self, count: f64) -> f64 {
        let failed = self.trials - count;
        let beyond = (count + 1.0) - self.successes;
        -(count + 0.5) * libm::log1p(beyond / self.successes)
            - (failed + 0.5) * libm::log1p(-beyond / self.failures)
            - rest(count)
            - rest(failed)
    }
}

/// What Stirling's formula in `k + 1` leaves of `ln k!`, for whole `k` from 0, to within 10⁻¹².
fn rest(count: f64) -> f64 {
    /// For 0 to 9, where the series below falls short.
    const FIRST: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_093,
        0.016_644_691_189_821_193,
        0.013_876_128_823_070_748,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_096,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if let Some(known) = FIRST.get(count as usize) {
        return *known;
    }
    let inverse = 1.0 / (count + 1.0);
    let square = inverse * inverse;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - square / 1680.0) * square) * square) * inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Seed;

    /// Laws on both sides of the switch between the two ways, from the smallest to the largest.
    const LAWS: [(u32, u32, u32); 22] = [
        (1, 1, 2),
        (5, 1, 3),
        (19, 1, 2),
        (20, 1, 2),
        (21, 1, 2),
        (29, 1, 3),
        (30, 1, 3),
        (31, 2, 3),
        (40, 3, 4),
        (99, 1, 10),
        (100, 1, 10),
        (101, 1, 10),
        (1_000, 1, 1_000),
        (9_999, 1, 1_000),
        (10_000, 1, 1_000),
        (10_001, 1, 1_000),
        (1_000, 999, 1_000),
        (1_000, 1, 2),
        (1_000_000, 1, 1_000_000),
        (1_000_000, 1, 6),
        (1_000_000, 1, 2),
        (u32::MAX, 1, 3),
    ];

    fn random(text: &str) -> Random {
        Random::new(Seed::of_text(text))
    }

    /// The chances of the counts from a first one on, as far as they matter: each from the one before by the ratio of
    /// two binomial chances, which needs no factorial and no logarithm.
    fn chances(trials: u32, chance: f64) -> (u32, Vec<f64>) {
        let n = f64::from(trials);
        let mode = ((n + 1.0) * chance).floor().min(n) as u32;
        let odds = chance / (1.0 - chance);
        let up = |k: u32| (n - f64::from(k)) / (f64::from(k) + 1.0) * odds;
        let mut below = Vec::new();
        let (mut k, mut here) = (mode, 1.0);
        while k > 0 && here > 1e-20 {
            k -= 1;
            here /= up(k);
            below.push(here);
        }
        let first = k;
        let mut all: Vec<f64> = below.into_iter().rev().chain([1.0]).collect();
        let (mut k, mut here) = (mode, 1.0);
        while k < trials && here > 1e-20 {
            here *= up(k);
            k += 1;
            all.push(here);
        }
        let sum: f64 = all.iter().sum();
        for chance in &mut all {
            *chance /= sum;
        }
        (first, all)
    }

    /// Chi-square of observed counts against their chances, rare ones gathered, in deviations from what is expected
    /// of it.
    fn surprise(observed: &[u32], chances: &[f64], samples: u32) -> f64 {
        let (mut square, mut cells) = (0.0, -1.0);
        let (mut seen, mut expected) = (0.0, 0.0);
        let mut left = f64::from(samples);
        for (&count, chance) in observed.iter().zip(chances) {
            seen += f64::from(count);
            expected += chance * f64::from(samples);
            // What is left must stay enough for a cell of its own.
            if expected >= 20.0 && left - expected >= 20.0 {
                square += (seen - expected) * (seen - expected) / expected;
                cells += 1.0;
                left -= expected;
                (seen, expected) = (0.0, 0.0);
            }
        }
        square += (seen - expected) * (seen - expected) / expected.max(1e-300);
        if cells < 0.5 { 0.0 } else { (square - cells) / (2.0 * cells).sqrt() }
    }

    #[test]
    fn counts_follow_the_binomial_law() {
        let samples = 40_000;
        for (trials, part, whole) in LAWS {
            let chance = f64::from(part) / f64::from(whole);
            let (first, chances) = chances(trials, chance);
            let mut observed = vec![0; chances.len()];
            let mut random = random("law");
            for _ in 0..samples {
                let count = binomial(&mut random, trials, part, whole);
                observed[(count - first) as usize] += 1;
            }
            let surprise = surprise(&observed, &chances, samples);
            assert!(surprise.abs() < 4.5, "{trials} at {part}/{whole}: {surprise}");
        }
    }

    #[test]
    fn means_and_variances_are_those_of_the_law() {
        let samples = 40_000_u32;
        for (trials, part, whole) in LAWS {
            let chance = f64::from(part) / f64::from(whole);
            let mean = f64::from(trials) * chance;
            let variance = mean * (1.0 - chance);
            let (mut sum, mut squares) = (0.0, 0.0);
            let mut random = random("moments");
            for _ in 0..samples {
                let off = f64::from(binomial(&mut random, trials, part, whole)) - mean;
                sum += off;
                squares += off * off;
            }
            let samples = f64::from(samples);
            let off = sum / samples / (variance / samples).sqrt();
            assert!(off.abs() < 4.5, "{trials} at {part}/{whole}: the mean is {off} deviations off");
            let kurtosis = 3.0 + (1.0 - 6.0 * chance * (1.0 - chance)) / variance;
            let spread = ((kurtosis - 1.0).max(0.0) / samples).sqrt();
            let off = squares / samples / variance - 1.0;
            assert!(off.abs() < 4.5 * spread + 1e-9, "{trials} at {part}/{whole}: the variance is off by {off}");
        }
    }

    #[test]
    fn what_is_sure_is_sure() {
        let mut random = random("sure");
        for trials in [0, 1, 30, 1_000_000, u32::MAX] {
            assert_eq!(binomial(&mut random, trials, 0, 6), 0);
            assert_eq!(binomial(&mut random, trials, 6, 6), trials);
            assert!(binomial(&mut random, trials, 1, 2) <= trials);
        }
        assert_eq!(binomial(&mut random, 0, 1, 6), 0);
    }

    /// Rejection draws the law exactly when the proposal lies above it everywhere and the squeeze below it.
    #[test]
    fn the_proposal_covers_the_law_and_the_squeeze_stays_below_it() {
        for (trials, part, whole) in LAWS {
            let chance = f64::from(part.min(whole - part)) / f64::from(whole);
            if f64::from(trials) * chance < FEW {
                continue;
            }
            let proposal = Proposal::new(trials, chance);
            let peak = proposal.law.log(proposal.law.mode());
            for step in 1..20_000 {
                let at = f64::from(step) / 20_000.0 - 0.5;
                let margin = 0.5 - at.abs();
                let count = proposal.proposed(at, margin);
                if !(0.0..=proposal.law.trials).contains(&count) {
                    continue;
                }
                let share = (proposal.law.log(count) - peak).exp() * proposal.slope(margin) / proposal.height;
                assert!(share <= 1.0, "{trials} at {chance}: {count} would need {share} of the proposals");
                assert!(margin < SQUEEZED || share >= proposal.squeeze, "{trials} at {chance}: {count} is squeezed");
            }
        }
    }

    #[test]
    fn chances_by_logarithms_are_those_by_plain_ratios() {
        for (trials, part, whole) in LAWS {
            let chance = f64::from(part) / f64::from(whole);
            let law = Law::new(trials, chance);
            let (first, chances) = chances(trials, chance);
            let peak = law.log(law.mode());
            let at_peak = chances[law.mode() as usize - first as usize];
            for (index, chance_here) in chances.iter().enumerate().filter(|(_, chance)| **chance > 1e-15) {
                let count = f64::from(first + index as u32);
                let ratio = (law.log(count) - peak).exp() * at_peak / chance_here;
                assert!((ratio - 1.0).abs() < 1e-8, "{trials} at {chance}: {count} is {ratio} times as likely");
            }
        }
    }

    #[test]
    fn stirlings_rest_goes_over_into_its_series_smoothly() {
        let mut factorial = 0.0;
        for count in 0_u32..30 {
            let k = f64::from(count);
            factorial += k.max(1.0).ln();
            let stirling = (k + 0.5) * (k + 1.0).ln() - (k + 1.0) + 0.5 * std::f64::consts::TAU.ln();
            assert!((factorial - stirling - rest(k)).abs() < 1e-12, "{count}");
        }
    }
}
