//! Records of dice: keeping what fell, and dealing it again.

use super::source::{DiceError, Die, Source};

/// One die that was drawn, or the dice of a big pool of which only the sum was.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Draw {
    /// Number of faces, repeats counted.
    pub sides: u32,
    /// How many dice: 1, or those of a [big pool](Die::is_big_pool). Written only when it is not 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u32,
    /// The face shown; of a big pool the sum.
    pub face: i64,
    /// What it was for.
    pub purpose: String,
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_one(count: &u32) -> bool {
    *count == 1
}

impl Draw {
    fn single(die: Die<'_>, face: i64, purpose: &str) -> Self {
        Draw { sides: die.sides(), count: 1, face, purpose: purpose.to_owned() }
    }
}

/// Passes dice on from another source and keeps a list of them.
#[derive(Clone, Debug)]
pub struct Recorder<S> {
    inner: S,
    draws: Vec<Draw>,
}

impl<S: Source> Recorder<S> {
    /// Records what `inner` deals.
    pub fn new(inner: S) -> Self {
        Recorder { inner, draws: Vec::new() }
    }

    /// The dice dealt so far, in order.
    pub fn draws(&self) -> &[Draw] {
        &self.draws
    }

    /// The number of faces of every die dealt so far, in order; each die of a big pool counts.
    pub fn sides(&self) -> Vec<u32> {
        self.draws.iter().flat_map(|draw| std::iter::repeat_n(draw.sides, draw.count as usize)).collect()
    }

    pub(super) fn source(&self) -> &S {
        &self.inner
    }

    pub(super) fn source_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    /// Takes the record, and begins a new one.
    pub(super) fn take_draws(&mut self) -> Vec<Draw> {
        std::mem::take(&mut self.draws)
    }

    /// Writes down a die that came from elsewhere.
    pub(super) fn note(&mut self, die: Die<'_>, face: i64, purpose: &str) {
        self.draws.push(Draw::single(die, face, purpose));
    }

    /// Writes down the sum of a big pool that came from elsewhere.
    pub(super) fn note_sum(&mut self, die: Die<'_>, count: u32, sum: i64, purpose: &str) {
        self.draws.push(Draw { sides: die.sides(), count, face: sum, purpose: purpose.to_owned() });
    }

    /// Takes the source and the record apart.
    pub fn into_parts(self) -> (S, Vec<Draw>) {
        (self.inner, self.draws)
    }
}

impl<S: Source> Source for Recorder<S> {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        let face = self.inner.draw(die, purpose)?;
        self.note(die, face, purpose);
        Ok(face)
    }

    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.inner.fill(die, purpose, faces)?;
        self.draws.extend(faces.iter().map(|&face| Draw::single(die, face, purpose)));
        Ok(())
    }

    /// A record holds single dice, whatever the inner source could do in one step, except of a big pool: its sum is not
    /// that of dice drawn singly, so it is passed on whole and written down as one entry of so many dice.
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        if !die.is_big_pool(count) {
            return (0..count).try_fold(0, |sum, _| Ok(sum + self.draw(die, purpose)?));
        }
        let face = self.inner.sum(die, count, purpose)?;
        self.note_sum(die, count, face, purpose);
        Ok(face)
    }
}

/// Deals a recorded list again and refuses when other dice are asked for than those recorded.
#[derive(Clone, Debug)]
pub struct Replay {
    draws: Vec<Draw>,
    dealt: usize,
}

impl Replay {
    /// A source that deals the dice of a record.
    #[must_use]
    pub fn new(draws: Vec<Draw>) -> Self {
        Replay { draws, dealt: 0 }
    }

    /// How many recorded dice have not been dealt.
    #[must_use]
    pub fn unused(&self) -> usize {
        dice_of(&self.draws[self.dealt..])
    }

    /// The next entry, if it is of so many dice of this kind and they can come to what it says.
    fn next(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        let drawn = || dice_of(&self.draws[..self.dealt]);
        let Some(draw) = self.draws.get(self.dealt) else {
            return Err(DiceError::RanOut { die: die.to_string(), purpose: purpose.to_owned(), drawn: drawn() });
        };
        let (die_name, position, purpose) = (|| die.to_string(), || drawn() + 1, || purpose.to_owned());
        if draw.sides != die.sides() {
            let recorded = draw.sides;
            return Err(DiceError::Diverged { die: die_name(), recorded, position: position(), purpose: purpose() });
        }
        if draw.count != count {
            let recorded = draw.count;
            return Err(DiceError::DivergedSum {
                die: die_name(),
                asked: count,
                recorded,
                position: position(),
                purpose: purpose(),
            });
        }
        let face = draw.face;
        let possible = if count == 1 {
            die.shows(face)
        } else {
            let ends = [die.least(), die.greatest()].map(|face| i128::from(face) * i128::from(count));
            (ends[0]..=ends[1]).contains(&i128::from(face))
        };
        if !possible {
            return Err(DiceError::ImpossibleFace { die: die_name(), face, position: position(), purpose: purpose() });
        }
        self.dealt += 1;
        Ok(face)
    }
}

/// How many dice these entries are.
fn dice_of(draws: &[Draw]) -> usize {
    draws.iter().map(|draw| draw.count as usize).sum()
}

impl Source for Replay {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.next(die, 1, purpose)
    }

    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        // A script may have recorded the single dice of a big pool: then they are here.
        let whole = self.draws.get(self.dealt).is_some_and(|draw| draw.count > 1);
        if whole {
            return self.next(die, count, purpose);
        }
        (0..count).try_fold(0, |sum, _| Ok(sum + self.next(die, 1, purpose)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::Scripted;
    use super::*;

    const D6: Die<'static> = Die::Numbered(6);

    #[test]
    fn a_record_replays_to_the_same_dice_and_notices_another_die() {
        let mut recorder = Recorder::new(Scripted::new([4, 19]));
        recorder.draw(D6, "damage").unwrap();
        recorder.draw(Die::Numbered(20), "attack").unwrap();
        let (_, draws) = recorder.into_parts();
        let mut replay = Replay::new(draws);
        assert_eq!(replay.draw(D6, "damage"), Ok(4));
        assert!(matches!(replay.draw(D6, "attack"), Err(DiceError::Diverged { recorded: 20, .. })));
        assert_eq!(replay.draw(Die::Numbered(20), "attack"), Ok(19));
    }

    #[test]
    fn a_recorded_sum_of_a_big_pool_replays_to_itself_and_to_nothing_else() {
        let mut recorder = Recorder::new(Scripted::new(vec![4; 2_051]));
        assert_eq!(recorder.sum(D6, 2_048, "hoard"), Ok(8_192));
        assert_eq!(recorder.sum(D6, 3, "damage"), Ok(12));
        assert_eq!(recorder.sides(), vec![6; 2_051]);
        let (scripted, draws) = recorder.into_parts();
        assert_eq!(scripted.unused(), 0);
        assert_eq!(draws.iter().map(|draw| draw.count).collect::<Vec<_>>(), [2_048, 1, 1, 1]);

        let mut replay = Replay::new(draws.clone());
        assert_eq!(replay.unused(), 2_051);
        assert!(matches!(replay.draw(D6, "hoard"), Err(DiceError::DivergedSum { asked: 1, recorded: 2_048, .. })));
        assert!(matches!(replay.sum(D6, 2_049, "hoard"), Err(DiceError::DivergedSum { asked: 2_049, .. })));
        assert!(matches!(replay.sum(Die::Numbered(8), 2_048, "hoard"), Err(DiceError::Diverged { recorded: 6, .. })));
        assert_eq!(replay.sum(D6, 2_048, "hoard"), Ok(8_192));
        assert_eq!(replay.sum(D6, 3, "damage"), Ok(12));
        assert!(matches!(replay.draw(D6, "hoard"), Err(DiceError::RanOut { drawn: 2_051, .. })));

        let impossible = vec![Draw { face: 2_047, ..draws[0].clone() }];
        assert!(matches!(Replay::new(impossible).sum(D6, 2_048, "hoard"), Err(DiceError::ImpossibleFace { .. })));
        let mut single = Replay::new(vec![draws[1].clone(); 2_048]);
        assert_eq!(single.sum(D6, 2_048, "hoard"), Ok(8_192));
    }

    #[test]
    fn a_record_of_single_dice_is_written_as_ever() {
        let draw = Draw { sides: 6, count: 1, face: 4, purpose: "damage".to_owned() };
        let text = serde_json::to_string(&draw).unwrap();
        assert_eq!(text, r#"{"sides":6,"face":4,"purpose":"damage"}"#);
        assert_eq!(serde_json::from_str::<Draw>(&text).unwrap(), draw);
        let sum = Draw { count: 2_048, face: 8_192, ..draw };
        let text = serde_json::to_string(&sum).unwrap();
        assert_eq!(serde_json::from_str::<Draw>(&text).unwrap(), sum);
    }
}
