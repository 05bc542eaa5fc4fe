//! The dice tray: a source that remembers what fell, can be set back, and deals faces that were put into it first.

use std::collections::VecDeque;

use super::record::{Draw, Recorder};
use super::source::{DiceError, Die, Source};

/// Deals the faces put into it, in order, and then those of another source; keeps a record of all.
///
/// With a source that can be copied (a seeded [`Random`](super::Random)) a copy of the tray is a position: put back, it
/// deals the same dice again. That is how what happened at a table is taken back, or played again with one die changed.
///
/// ```
/// use grognard::dice::{Die, Random, Seed, Source, Tray};
///
/// let mut tray = Tray::new(Random::new(Seed::of_text("the bridge at dusk")));
/// let before = tray.clone();
/// let first = tray.draw(Die::Numbered(20), "attack")?;
/// tray = before;
/// assert_eq!(tray.draw(Die::Numbered(20), "attack")?, first);
///
/// tray.put([7]);
/// assert_eq!(tray.draw(Die::Numbered(20), "attack")?, 7);
/// # Ok::<(), grognard::dice::DiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tray<S> {
    first: VecDeque<i64>,
    then: Recorder<S>,
}

impl<S: Source> Tray<S> {
    /// An empty tray before this source.
    pub fn new(then: S) -> Self {
        Tray { first: VecDeque::new(), then: Recorder::new(then) }
    }

    /// Puts faces into the tray, behind those that lie there.
    pub fn put(&mut self, faces: impl IntoIterator<Item = i64>) {
        self.first.extend(faces);
    }

    /// Takes out what lies in the tray and was not dealt.
    pub fn clear(&mut self) -> usize {
        let left = self.first.len();
        self.first.clear();
        left
    }

    /// The source behind the tray.
    pub fn source(&self) -> &S {
        self.then.source()
    }

    /// The source behind the tray, to be set back or exchanged.
    pub fn source_mut(&mut self) -> &mut S {
        self.then.source_mut()
    }

    /// What fell since the tray was made or last asked, in order.
    pub fn take_draws(&mut self) -> Vec<Draw> {
        self.then.take_draws()
    }
}

impl<S: Source> Source for Tray<S> {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        let Some(&face) = self.first.front() else { return self.then.draw(die, purpose) };
        if !die.shows(face) {
            let (die, purpose, position) = (die.to_string(), purpose.to_owned(), self.then.draws().len() + 1);
            return Err(DiceError::ImpossibleFace { die, face, position, purpose });
        }
        self.first.pop_front();
        self.then.note(die, face, purpose);
        Ok(face)
    }

    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        if self.first.is_empty() {
            return self.then.fill(die, purpose, faces);
        }
        faces.iter_mut().try_for_each(|face| self.draw(die, purpose).map(|drawn| *face = drawn))
    }

    /// A face in the tray stands for a single die, but for the sum of a big pool, which is put in as one.
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        if self.first.is_empty() {
            return self.then.sum(die, count, purpose);
        }
        if !die.is_big_pool(count) {
            return (0..count).try_fold(0, |sum, _| Ok(sum + self.draw(die, purpose)?));
        }
        let sum = self.first[0];
        let possible = i64::from(count) * die.least()..=i64::from(count) * die.greatest();
        if !possible.contains(&sum) {
            let (die, purpose, position) = (format!("{count}{die}"), purpose.to_owned(), self.then.draws().len() + 1);
            return Err(DiceError::ImpossibleFace { die, face: sum, position, purpose });
        }
        self.first.pop_front();
        self.then.note_sum(die, count, sum, purpose);
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Random, Seed};

    const D20: Die<'static> = Die::Numbered(20);

    #[test]
    fn what_was_put_in_comes_first_and_an_impossible_face_stays_there() {
        let mut tray = Tray::new(Random::new(Seed::from(1)));
        tray.put([12, 3]);
        assert!(matches!(tray.draw(Die::Numbered(6), "damage"), Err(DiceError::ImpossibleFace { face: 12, .. })));
        assert_eq!(tray.draw(D20, "attack"), Ok(12));
        let mut two = [0; 2];
        tray.fill(Die::Numbered(6), "damage", &mut two).unwrap();
        assert_eq!(two[0], 3);
        let draws = tray.take_draws();
        assert_eq!(draws.iter().map(|draw| draw.sides).collect::<Vec<_>>(), [20, 6, 6]);
        assert_eq!(tray.take_draws(), []);
    }

    #[test]
    fn a_copy_is_a_position() {
        let mut tray = Tray::new(Random::new(Seed::from(7)));
        tray.draw(D20, "attack").unwrap();
        let mut before = tray.clone();
        let faces: Vec<_> = (0..20).map(|_| tray.draw(D20, "attack").unwrap()).collect();
        assert_eq!(faces, (0..20).map(|_| before.draw(D20, "attack").unwrap()).collect::<Vec<_>>());
    }

    #[test]
    fn the_sum_of_a_big_pool_is_put_in_as_one() {
        let mut tray = Tray::new(Random::new(Seed::from(7)));
        let sum = tray.sum(Die::Numbered(6), 100_000, "rain").unwrap();
        let draws = tray.take_draws();
        tray.put(draws.iter().map(|draw| draw.face));
        assert_eq!(tray.sum(Die::Numbered(6), 100_000, "rain"), Ok(sum));
        assert_eq!(tray.clear(), 0);
    }
}
