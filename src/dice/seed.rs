//! Seeds and the random source: part of the contract that the same seed gives the same dice on every machine.
//!
//! The contract, version 1:
//! - A seed is text; a number is its decimal text. Its 256 bits are the SHA-256 of `grognard seed 1`, a zero byte and
//!   the text, read as four little-endian words, and they are the starting state of xoshiro256++.
//! - A die of `n` faces takes one 64-bit output `x` and shows the face at index `x * n / 2^64`, unless the low half of
//!   that product is below `2^64 mod n`, in which case the output is thrown away and the next one taken (no bias).
//! - A sum of dice at whose faces nobody looks ([`Source::sum`], as [`Expression::total`] asks it for a pool without
//!   operators) is that of the dice thrown one by one, unless they are a big pool ([`Die::is_big_pool`]: at least 2,048
//!   dice, and at least 64 for each face). Of a big pool is drawn how many dice show the first face, how many of the
//!   others the second, and so on, the last face taking the rest: each a binomial number with probability one to the
//!   number of faces left, none when no dice are left. A uniform number is the upper 53 bits of an output over 2^53.
//!   With `n` dice left and probability `p` the number comes by inversion of one uniform number when `np` is below 10
//!   and else by Hörmann's rejection BTRS, two uniform numbers a proposal; `binomial.rs` is its exact text.
//! - Stream `i` of a seed with words `a b c d` starts from four outputs of `SplitMix64` whose state is
//!   `(a ^ c) + mix((b ^ d) + i)`, with `mix` one `SplitMix64` output.
//!
//! So a sum of a big pool is not that of its dice drawn singly from the same seed, though it follows the same law.
//!
//! The committed sequences in `tests/` hold it.
//!
//! [`Expression::total`]: super::Expression::total

use std::fmt;

use hmac_sha256::Hash;
use rand::rngs::SysRng;
use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::binomial;
use super::source::{DiceError, Die, Source};

/// Where a random source starts. Same seed, same dice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed {
    words: [u64; 4],
}

/// One output of `SplitMix64` from this state.
fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Seed {
    /// The seed of a text. `Seed::of_text("42")` and `Seed::from(42)` are the same.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let mut hash = Hash::new();
        hash.update(b"grognard seed 1\0");
        hash.update(text.as_bytes());
        let bytes = hash.finalize();
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(chunk);
            *word = u64::from_le_bytes(eight);
        }
        Seed { words }
    }

    /// A separate stream of this seed: one for each fight, each mod. Independent of how many threads ask.
    #[must_use]
    pub fn stream(self, index: u64) -> Self {
        let [a, b, c, d] = self.words;
        let mut state = (a ^ c).wrapping_add(split_mix((b ^ d).wrapping_add(index)));
        let mut words = [0; 4];
        for word in &mut words {
            *word = split_mix(state);
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
        Seed { words }
    }

    /// A short text that nobody chose, for a session without a seed; show it, so that the session can be repeated.
    #[must_use]
    pub fn fresh_text() -> String {
        let mut bytes = [0; 4];
        // Without an entropy source the session still works, and its seed is shown all the same.
        if SysRng.try_fill_bytes(&mut bytes).is_err() {
            bytes = std::process::id().to_le_bytes();
        }
        format!("{:06x}", u32::from_le_bytes(bytes) & 0x00FF_FFFF)
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Seed::of_text(&number.to_string())
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({:016x}…)", self.words[0])
    }
}

/// The random source: a seeded generator and nothing else.
#[derive(Clone, Debug)]
pub struct Random {
    generator: Xoshiro256PlusPlus,
}

impl Random {
    /// A source that starts at this seed.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(seed.words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        Random { generator: Xoshiro256PlusPlus::from_seed(bytes) }
    }

    /// A whole number from 0 to `bound - 1`, without bias. `bound` is at least 1.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.generator.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.generator.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A number from 0 up to, not including, 1: a multiple of 2⁻⁵³, each equally likely.
    #[inline]
    pub(super) fn unit(&mut self) -> f64 {
        (self.generator.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// One die with faces 1 to `sides` (at least 1): the plain fast call.
    #[inline]
    pub fn d(&mut self, sides: u32) -> i64 {
        self.below(u64::from(sides)) as i64 + 1
    }
}

impl Source for Random {
    #[inline]
    fn draw(&mut self, die: Die<'_>, _purpose: &str) -> Result<i64, DiceError> {
        Ok(match die {
            Die::Numbered(sides) => self.d(sides),
            Die::Listed(faces) => faces[self.below(faces.len() as u64) as usize],
        })
    }

    #[inline]
    fn fill(&mut self, die: Die<'_>, _purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        match die {
            Die::Numbered(sides) => faces.iter_mut().for_each(|face| *face = self.d(sides)),
            Die::Listed(list) => {
                for face in faces {
                    *face = list[self.below(list.len() as u64) as usize];
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn sum(&mut self, die: Die<'_>, count: u32, _purpose: &str) -> Result<i64, DiceError> {
        if die.is_big_pool(count) {
            return Ok(binomial::sum(self, die, count));
        }
        Ok(match die {
            Die::Numbered(sides) => (0..count).map(|_| self.d(sides)).sum(),
            Die::Listed(list) => (0..count).map(|_| list[self.below(list.len() as u64) as usize]).sum(),
        })
    }
}
