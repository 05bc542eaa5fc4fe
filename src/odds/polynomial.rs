//! Polynomials with whole coefficients: the sums of dice. The exponent is the value, the coefficient its weight.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

use super::budget::Meter;
use super::distribution::Distribution;
use super::error::OddsError;

/// A product of longer numbers than so many words is made of pieces, so that it can be broken off between them.
const PIECE: usize = 100_000;

/// Σ `weights[i]`·x^(`low` + i).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polynomial {
    low: i64,
    weights: Vec<UBig>,
}

impl Polynomial {
    /// 0.
    pub(crate) fn zero() -> Self {
        Polynomial { low: 0, weights: Vec::new() }
    }

    /// c·x^value.
    pub(crate) fn monomial(value: i64, weight: UBig) -> Self {
        if weight.is_zero() { Self::zero() } else { Polynomial { low: value, weights: vec![weight] } }
    }

    /// x^low + … , so many terms.
    pub(crate) fn flat(low: i64, terms: usize) -> Self {
        Polynomial { low, weights: vec![UBig::ONE; terms] }
    }

    /// From the coefficients of `low` and the exponents after it.
    pub(crate) fn from_low(low: i64, weights: Vec<UBig>) -> Self {
        Polynomial { low, weights }
    }

    /// Each exponent whose coefficient is not 0, with it.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (i64, &UBig)> {
        let terms = self.weights.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        terms.map(|(at, weight)| (self.low + at as i64, weight))
    }

    /// From values in ascending order. The span from least to greatest must fit memory: callers look first.
    pub(crate) fn of_entries(entries: &[(i64, UBig)]) -> Self {
        let (Some((low, _)), Some((high, _))) = (entries.first(), entries.last()) else { return Self::zero() };
        let mut weights = vec![UBig::ZERO; (high - low) as usize + 1];
        for (value, weight) in entries {
            weights[(value - low) as usize].clone_from(weight);
        }
        Polynomial { low: *low, weights }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.weights.is_empty()
    }

    /// From the least exponent to the greatest.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The least exponent.
    pub(crate) fn low(&self) -> i64 {
        self.low
    }

    /// The greatest exponent.
    pub(crate) fn high(&self) -> i64 {
        self.low + self.len() as i64 - 1
    }

    /// The same with every exponent taken away from `from`.
    pub(crate) fn mirrored(&self, from: i64) -> Self {
        Polynomial { low: from - self.high(), weights: self.weights.iter().rev().cloned().collect() }
    }

    /// As one long number whose chunks of so many bits are the coefficients, from the least exponent on.
    pub(crate) fn packed(&self, bits: usize) -> UBig {
        match &self.weights[..] {
            [] => UBig::ZERO,
            [weight] => weight.clone(),
            weights => UBig::from_chunks(weights.iter(), bits),
        }
    }

    /// From one long number whose chunks are the coefficients, from the exponent 0 on.
    pub(crate) fn unpacked(number: &UBig, bits: usize) -> Self {
        let mut weights = number.to_chunks(bits).into_vec();
        let end = weights.iter().rposition(|weight| !weight.is_zero()).map_or(0, |last| last + 1);
        weights.truncate(end);
        let low = weights.iter().position(|weight| !weight.is_zero()).unwrap_or(0);
        Polynomial { low: low as i64, weights: weights.split_off(low) }
    }

    /// All weights together.
    pub(crate) fn total(&self) -> UBig {
        self.weights.iter().sum()
    }

    /// The exponent and coefficient of a polynomial of one term.
    fn single(&self) -> Option<(i64, &UBig)> {
        match &self.weights[..] {
            [weight] => Some((self.low, weight)),
            _ => None,
        }
    }

    pub(crate) fn into_distribution(self, total: UBig) -> Distribution<i64> {
        let low = self.low;
        let entries = self.weights.into_iter().enumerate();
        let entries = entries.filter(|(_, weight)| !weight.is_zero()).map(|(i, weight)| (low + i as i64, weight));
        Distribution::from_sorted(entries.collect(), total)
    }

    /// Adds another, times a factor and moved by a number of exponents.
    pub(crate) fn add_scaled(&mut self, other: &Polynomial, factor: &UBig, shift: i64) {
        if other.is_zero() || factor.is_zero() {
            return;
        }
        let low = other.low + shift;
        self.make_room(low, low + other.len() as i64);
        let start = (low - self.low) as usize;
        for (own, weight) in self.weights[start..].iter_mut().zip(&other.weights) {
            if factor.is_one() {
                *own += weight;
            } else if !weight.is_zero() {
                *own += weight * factor;
            }
        }
    }

    /// Makes the exponents from `low` up to, not including, `end` part of the list.
    fn make_room(&mut self, low: i64, end: i64) {
        if self.weights.is_empty() {
            self.low = low;
        }
        if low < self.low {
            let missing = (self.low - low) as usize;
            self.weights.splice(0..0, std::iter::repeat_n(UBig::ZERO, missing));
            self.low = low;
        }
        let len = (end - self.low) as usize;
        if self.weights.len() < len {
            self.weights.resize(len, UBig::ZERO);
        }
    }

    /// The product.
    pub(crate) fn multiply(&self, other: &Polynomial) -> Polynomial {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        let (long, short) = if self.len() >= other.len() { (self, other) } else { (other, self) };
        if let Some((value, weight)) = short.single() {
            let mut product = Self::zero();
            product.add_scaled(long, weight, value);
            return product;
        }
        let low = self.low + other.low;
        let weights = if let Some(flat) = short.shared() {
            long.windows(short.len(), flat)
        } else if short.len() >= 24 {
            long.packed_product(short)
        } else {
            long.plain_product(short)
        };
        Polynomial { low, weights }
    }

    /// The product of what may be long. Its work is announced by the caller.
    pub(crate) fn multiply_within(&self, other: &Polynomial, meter: &Meter) -> Result<Polynomial, OddsError> {
        meter.pause()?;
        let (long, short) = if self.len() >= other.len() { (self, other) } else { (other, self) };
        let terms = (PIECE / product_words(self, other)).max(24);
        if long.len() <= terms || short.shared().is_some() {
            return Ok(self.multiply(other));
        }
        let mut product = Self::zero();
        for left in long.pieces(terms) {
            for right in short.pieces(terms) {
                meter.pause()?;
                product.add_scaled(&left.multiply(&right), &UBig::ONE, 0);
            }
        }
        Ok(product)
    }

    /// The polynomial in pieces of so many terms.
    fn pieces(&self, terms: usize) -> impl Iterator<Item = Polynomial> {
        let piece = move |(at, weights): (usize, &[UBig])| Polynomial {
            low: self.low + (at * terms) as i64,
            weights: weights.to_vec(),
        };
        self.weights.chunks(terms).enumerate().map(piece)
    }

    /// About how many steps a product takes.
    pub(crate) fn product_steps(&self, other: &Polynomial) -> f64 {
        let (long, short) = if self.len() >= other.len() { (self, other) } else { (other, self) };
        let (a, b) = (long.len() as f64, short.len() as f64);
        let words = product_words(self, other) as f64;
        if short.len() <= 1 {
            return a * (1.0 + words / 8.0);
        }
        if short.shared().is_some() {
            return (a + b) * (1.0 + words);
        }
        if short.len() < 24 {
            return a * b * (1.0 + words / 8.0) + (a + b) * words;
        }
        let (a, b) = (a * words, b * words);
        // As measured: the library's multiplication, as good as it is on pieces of the greatest length.
        a * b.min(PIECE as f64).sqrt() / 40.0 * (b / PIECE as f64).max(1.0) + a + b
    }

    /// About how many steps a power takes: its coefficients have to be written down at least, and are as long as all
    /// of its weights together.
    pub(crate) fn power_steps(&self, exponent: u32) -> f64 {
        let length = self.len() as f64 * f64::from(exponent);
        let words = 1.0 + f64::from(exponent) * self.total().bit_len() as f64 / 64.0;
        let work = if self.shared().is_some() {
            2.0
        } else if self.recurs(exponent) {
            let terms = self.weights.iter().filter(|weight| !weight.is_zero()).count();
            terms as f64 * (1.0 + words / 30.0)
        } else {
            let half = length * words / 4.0;
            half * half.min(PIECE as f64).sqrt() / 40.0 * (half / PIECE as f64).max(1.0) / length
        };
        length * (work + words)
    }

    /// The coefficient that all terms share.
    fn shared(&self) -> Option<&UBig> {
        let (first, rest) = self.weights.split_first()?;
        rest.iter().all(|weight| weight == first).then_some(first)
    }

    /// The product with 1 + x + … + x^(len-1), times a factor: a sum that slides along.
    fn windows(&self, len: usize, factor: &UBig) -> Vec<UBig> {
        let mut sum = UBig::ZERO;
        let mut product = Vec::with_capacity(self.len() + len - 1);
        for i in 0..self.len() + len - 1 {
            if let Some(weight) = self.weights.get(i) {
                sum += weight;
            }
            if i >= len {
                sum -= &self.weights[i - len];
            }
            product.push(if factor.is_one() { sum.clone() } else { &sum * factor });
        }
        product
    }

    fn plain_product(&self, short: &Polynomial) -> Vec<UBig> {
        let mut product = vec![UBig::ZERO; self.len() + short.len() - 1];
        for (i, a) in short.weights.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (own, b) in product[i..].iter_mut().zip(&self.weights) {
                if a.is_one() {
                    *own += b;
                } else if !b.is_zero() {
                    *own += a * b;
                }
            }
        }
        product
    }

    /// The product by way of two long numbers whose chunks are the coefficients: the big-number library multiplies
    /// long numbers far better than term by term.
    fn packed_product(&self, short: &Polynomial) -> Vec<UBig> {
        let bits = 64 * product_words(self, short);
        let product = UBig::from_chunks(self.weights.iter(), bits) * UBig::from_chunks(short.weights.iter(), bits);
        let mut weights = product.to_chunks(bits).into_vec();
        weights.resize(self.len() + short.len() - 1, UBig::ZERO);
        weights
    }

    /// The power, by the recurrence that its logarithmic derivative gives: each coefficient from the last few by small
    /// multiplications and one exact division.
    pub(crate) fn power(&self, exponent: u32, meter: &Meter) -> Result<Polynomial, OddsError> {
        match (exponent, self.single()) {
            (0, _) => return Ok(Polynomial::monomial(0, UBig::ONE)),
            (1, _) => return Ok(self.clone()),
            (_, None) if self.is_zero() => return Ok(Self::zero()),
            (_, Some((value, weight))) => {
                return Ok(Polynomial::monomial(value * i64::from(exponent), weight.pow(exponent as usize)));
            }
            _ => {}
        }
        let low = self.low * i64::from(exponent);
        if let Some(flat) = self.shared() {
            let mut weights = flat_power(self.len(), exponent, meter)?;
            if !flat.is_one() {
                let scale = flat.pow(exponent as usize);
                for weight in &mut weights {
                    *weight *= &scale;
                }
            }
            return Ok(Polynomial { low, weights });
        }
        if self.recurs(exponent) {
            return Ok(Polynomial { low, weights: recurrence(&self.weights, exponent, meter)? });
        }
        self.squared_power(exponent, meter)
    }

    /// Whether the recurrence is worth it, which divides by the first coefficient and multiplies by all. It is while
    /// those are small, and again where the power's coefficients are long: there squaring takes many times the memory
    /// besides.
    fn recurs(&self, exponent: u32) -> bool {
        let terms = self.weights.iter().filter(|weight| !weight.is_zero()).count();
        let bits = self.weights.iter().map(BitTest::bit_len).max().unwrap_or(0);
        let length = self.len().saturating_mul(exponent as usize);
        // A coefficient times a place, both ways, must fit the 128 bits of the recurrence's factors.
        if self.weights.first().is_none_or(UBig::is_zero) || bits + length.bit_len() > 125 {
            return false;
        }
        // As measured: a term takes 30 ns and one more for each word of the coefficient; squaring takes 2,000 a word.
        let words = bits * exponent as usize / 64;
        (terms <= 40 && bits <= 32) || terms * (30 + words) < 2_000 * words
    }

    /// The power by repeated squaring.
    fn squared_power(&self, exponent: u32, meter: &Meter) -> Result<Polynomial, OddsError> {
        let mut result = Polynomial::monomial(0, UBig::ONE);
        for bit in (0..32 - exponent.leading_zeros()).rev() {
            result = result.multiply_within(&result, meter)?;
            if exponent >> bit & 1 == 1 {
                result = result.multiply_within(self, meter)?;
            }
        }
        Ok(result)
    }
}

/// The words that a coefficient of a product may take.
fn product_words(a: &Polynomial, b: &Polynomial) -> usize {
    let widest = |polynomial: &Polynomial| polynomial.weights.iter().map(BitTest::bit_len).max().unwrap_or(0);
    let terms = a.len().min(b.len());
    (widest(a) + widest(b) + (usize::BITS - terms.leading_zeros()) as usize).div_ceil(64).max(1)
}

/// The coefficients of (1 + x + … + x^(sides-1))^count.
///
/// With Q the power, (1-x)(1-x^s)·Q' = n·Q·((1-x^s) - s·x^(s-1)·(1-x)), so that
/// k·q[k] = (k-1+n)·q[k-1] + (k-s-n·s)·q[k-s] + (n·s-n-(k-s-1))·q[k-s-1]. The list is a palindrome: half is computed.
fn flat_power(sides: usize, count: u32, meter: &Meter) -> Result<Vec<UBig>, OddsError> {
    let (s, n) = (sides as i64, i64::from(count));
    let length = (sides - 1) * count as usize + 1;
    let half = length.div_ceil(2);
    let mut q: Vec<UBig> = Vec::with_capacity(length);
    q.push(UBig::ONE);
    for k in 1..half {
        meter.pause()?;
        let at = k as i64;
        let mut sum = IBig::from(&q[k - 1] * (at - 1 + n) as u64);
        if k >= sides {
            sum += IBig::from(at - s - n * s) * &q[k - sides];
        }
        if k > sides {
            sum += IBig::from(n * s - n - (at - s - 1)) * &q[k - sides - 1];
        }
        q.push(divided(sum, k as u64));
    }
    for k in half..length {
        q.push(q[length - 1 - k].clone());
    }
    Ok(q)
}

/// k·p[0]·q[k] = Σ over j of (n·j - (k-j))·p[j]·q[k-j]. The first coefficient must not be 0, and the factors must fit:
/// see [`Polynomial::recurs`].
fn recurrence(p: &[UBig], count: u32, meter: &Meter) -> Result<Vec<UBig>, OddsError> {
    let n = i64::from(count);
    let small: Vec<(usize, i128)> = p
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, weight)| !weight.is_zero())
        .map(|(j, weight)| (j, i128::try_from(weight).unwrap_or(i128::MAX)))
        .collect();
    let length = (p.len() - 1) * count as usize + 1;
    let mut q: Vec<UBig> = Vec::with_capacity(length);
    q.push(p[0].pow(count as usize));
    for k in 1..length {
        meter.pause()?;
        let mut sum = IBig::ZERO;
        for &(j, weight) in small.iter().take_while(|(j, _)| *j <= k) {
            let factor = i128::from(n * j as i64 - (k - j) as i64) * weight;
            sum += IBig::from(factor) * &q[k - j];
        }
        let divided_by_k = divided(sum, k as u64);
        q.push(if p[0].is_one() { divided_by_k } else { divided_by_k / &p[0] });
    }
    Ok(q)
}

/// An exact quotient that is known not to be negative.
fn divided(sum: IBig, by: u64) -> UBig {
    let (_, magnitude) = sum.into_parts();
    magnitude / by
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(low: i64, weights: &[u64]) -> Polynomial {
        Polynomial { low, weights: weights.iter().map(|&weight| weight.into()).collect() }
    }

    /// The power by plain multiplication, as a check on the recurrences.
    fn plain(polynomial: &Polynomial, exponent: u32) -> Vec<UBig> {
        let one = Polynomial::monomial(0, UBig::ONE);
        (0..exponent).fold(one, |power, _| Polynomial { low: 0, weights: power.plain_product(polynomial) }).weights
    }

    #[test]
    fn a_power_is_repeated_multiplication() {
        let meter = Meter::unlimited();
        for weights in [&[1, 1, 1, 1, 1, 1][..], &[2, 2, 2], &[1, 0, 3, 5], &[7, 1, 4], &[3, 0, 0, 1], &[1, 1]] {
            let polynomial = of(-1, weights);
            for exponent in [0, 1, 2, 3, 7, 20] {
                let power = polynomial.power(exponent, &meter).unwrap();
                assert_eq!(power.weights, plain(&polynomial, exponent), "{weights:?}^{exponent}");
                assert_eq!(power.low, -i64::from(exponent));
                assert_eq!(polynomial.squared_power(exponent, &meter).unwrap().weights, power.weights);
            }
        }
    }

    /// The law of an exploding die: many terms, long coefficients.
    #[test]
    fn a_power_of_long_coefficients_is_repeated_multiplication() {
        let weights: Vec<u64> = (0..60).map(|i| if i % 6 == 5 { 0 } else { 6_u64.pow(20 - i / 6) }).collect();
        let polynomial = of(1, &weights);
        assert!(polynomial.recurs(40));
        let meter = Meter::unlimited();
        let power = |exponent| polynomial.power(exponent, &meter).unwrap();
        assert_eq!(power(40).weights, polynomial.squared_power(40, &meter).unwrap().weights);
        assert_eq!(power(2).weights, plain(&polynomial, 2));
        let wide = Polynomial { low: 0, weights: vec![UBig::ONE << 110, UBig::ONE, UBig::ONE << 120] };
        assert!(!wide.recurs(40));
    }

    #[test]
    fn every_way_to_multiply_agrees() {
        let a = of(2, &(0..60).map(|i| i * i % 17).collect::<Vec<_>>());
        let b = of(-3, &(0..40).map(|i| i * 7 % 11 + 1).collect::<Vec<_>>());
        assert_eq!(a.packed_product(&b), a.plain_product(&b));
        assert_eq!(a.multiply(&b), b.multiply(&a));
        assert_eq!(a.windows(5, &3u8.into()), a.plain_product(&of(0, &[3; 5])));
    }

    #[test]
    fn a_product_in_pieces_is_the_product() {
        let long =
            Polynomial { low: 3, weights: (1..6_000u32).map(|i| UBig::from(i) << (i as usize % 3_000)).collect() };
        let short = Polynomial { low: -1, weights: (1..300u32).map(|i| UBig::from(i * i) << 1_700).collect() };
        assert_eq!(long.multiply_within(&short, &Meter::unlimited()).unwrap(), long.multiply(&short));
    }

    #[test]
    fn adding_makes_room_on_both_sides() {
        let mut sum = of(5, &[1]);
        sum.add_scaled(&of(0, &[1, 2]), &3u8.into(), 2);
        sum.add_scaled(&of(0, &[4]), &UBig::ONE, 7);
        assert_eq!(sum, of(2, &[3, 6, 0, 1, 0, 4]));
    }
}
