//! Where dice come from.

use std::fmt;

/// One kind of die: what a source is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Die<'a> {
    /// Faces 1 to the number given, each equally likely. The number is at least 1.
    Numbered(u32),
    /// The faces listed, each equally likely, repeats counted. The list is not empty.
    Listed(&'a [i64]),
}

/// The fewest dice of a big pool, and the fewest for each face. Part of the seed contract.
const BIG_POOL: u32 = 2_048;
const DICE_A_FACE: u32 = 64;

impl Die<'static> {
    /// The Fudge die: -1, 0, 1.
    pub const FUDGE: Self = Die::Listed(&[-1, 0, 1]);
}

impl Die<'_> {
    /// How many faces the die has, repeats counted.
    #[must_use]
    pub fn sides(self) -> u32 {
        match self {
            Die::Numbered(sides) => sides,
            Die::Listed(faces) => u32::try_from(faces.len()).unwrap_or(u32::MAX),
        }
    }

    /// Whether so many of these dice are a big pool. Where nobody looks at its single dice, a random source draws how
    /// many of them show each face instead of throwing them one by one (see [`super::seed`]), and a record keeps their
    /// sum. At least 2,048 dice, and at least 64 for each face: from there on it is several times as fast.
    #[inline]
    #[must_use]
    pub fn is_big_pool(self, count: u32) -> bool {
        count >= BIG_POOL && count / DICE_A_FACE >= self.sides()
    }

    /// The face at a position from 0 to `sides() - 1`.
    #[must_use]
    pub fn face(self, index: u32) -> i64 {
        match self {
            Die::Numbered(_) => i64::from(index) + 1,
            Die::Listed(faces) => faces[index as usize],
        }
    }

    /// Whether the die can show this face.
    #[must_use]
    pub fn shows(self, face: i64) -> bool {
        match self {
            Die::Numbered(sides) => (1..=i64::from(sides)).contains(&face),
            Die::Listed(faces) => faces.contains(&face),
        }
    }

    /// The least face.
    #[must_use]
    pub fn least(self) -> i64 {
        match self {
            Die::Numbered(_) => 1,
            Die::Listed(faces) => faces.iter().copied().min().unwrap_or(0),
        }
    }

    /// The greatest face.
    #[must_use]
    pub fn greatest(self) -> i64 {
        match self {
            Die::Numbered(sides) => i64::from(sides),
            Die::Listed(faces) => faces.iter().copied().max().unwrap_or(0),
        }
    }
}

impl fmt::Display for Die<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Die::Numbered(sides) => write!(f, "d{sides}"),
            Die::Listed([-1, 0, 1]) => f.write_str("dF"),
            Die::Listed(faces) => {
                f.write_str("d[")?;
                for (i, face) in faces.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{face}")?;
                }
                f.write_str("]")
            }
        }
    }
}

/// Why a source gave no die.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiceError {
    /// A scripted or replayed list has no more dice.
    #[error("the dice ran out: {drawn} were given, and a {die} is needed for {purpose}")]
    RanOut {
        /// The die asked for.
        die: String,
        /// What it was for.
        purpose: String,
        /// How many were dealt before.
        drawn: usize,
    },
    /// A list holds a face that the die asked for does not have.
    #[error("a {die} cannot show {face} (die {position}, for {purpose})")]
    ImpossibleFace {
        /// The die asked for.
        die: String,
        /// The face given.
        face: i64,
        /// Which die of the list, counted from 1.
        position: usize,
        /// What it was for.
        purpose: String,
    },
    /// A replayed journal recorded another die at this place: script or rules have changed since.
    #[error("the journal has a d{recorded} where a {die} is asked for {purpose} (die {position})")]
    Diverged {
        /// The die asked for.
        die: String,
        /// Number of faces in the journal.
        recorded: u32,
        /// Which die, counted from 1.
        position: usize,
        /// What it was for.
        purpose: String,
    },
    /// A replayed journal recorded the sum of so many dice in one at this place, or a single die, and something else is
    /// asked for: script or rules have changed since.
    #[error("the journal has {recorded} {die} in one where {asked} {die} are asked for {purpose} (die {position})")]
    DivergedSum {
        /// The die asked for.
        die: String,
        /// How many are asked for in one.
        asked: u32,
        /// How many dice of the kind the journal has in one.
        recorded: u32,
        /// Which die, counted from 1.
        position: usize,
        /// What it was for.
        purpose: String,
    },
    /// Nobody is there to type what the dice show.
    #[error("no dice were typed for {0}: the input is closed")]
    InputClosed(String),
    /// A limit on the dice of one run was passed; the text says which.
    #[error("{0}")]
    Limit(String),
}

/// A source of dice: the one thing that every roll, rule and battle asks.
///
/// `purpose` says in a word what the die is for (`"attack"`, `"3d6"`); people who roll by hand see it, traces keep it.
pub trait Source {
    /// Draws one die and returns the face it shows.
    ///
    /// # Errors
    /// [`DiceError`] when the source has no die to give or would give an impossible face.
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError>;

    /// Draws as many equal dice as `faces` has places, in order.
    ///
    /// # Errors
    /// As [`Source::draw`].
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        for face in faces {
            *face = self.draw(die, purpose)?;
        }
        Ok(())
    }

    /// Draws `count` equal dice of which only the sum is wanted. A source may do this in one step (exploration does,
    /// and a random source for a [big pool](Die::is_big_pool)), so ask for it only when nobody looks at the single dice.
    ///
    /// What passes dice on from another source passes sums on too, big ones whole: a sum must not come out otherwise
    /// because somebody stands between.
    ///
    /// # Errors
    /// As [`Source::draw`].
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        let mut total = 0;
        for _ in 0..count {
            total += self.draw(die, purpose)?;
        }
        Ok(total)
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        (**self).draw(die, purpose)
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        (**self).fill(die, purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        (**self).sum(die, count, purpose)
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        (**self).draw(die, purpose)
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        (**self).fill(die, purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        (**self).sum(die, count, purpose)
    }
}

/// Deals a fixed list of faces, in order; for tests, golden cases and `--dice 4,4,3`.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    faces: Vec<i64>,
    dealt: usize,
}

impl Scripted {
    /// A source that deals these faces and then no more.
    #[must_use]
    pub fn new(faces: impl Into<Vec<i64>>) -> Self {
        Scripted { faces: faces.into(), dealt: 0 }
    }

    /// How many of the listed faces have not been dealt.
    #[must_use]
    pub fn unused(&self) -> usize {
        self.faces.len() - self.dealt
    }
}

impl Source for Scripted {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        let Some(&face) = self.faces.get(self.dealt) else {
            return Err(DiceError::RanOut { die: die.to_string(), purpose: purpose.to_owned(), drawn: self.dealt });
        };
        if !die.shows(face) {
            return Err(DiceError::ImpossibleFace {
                die: die.to_string(),
                face,
                position: self.dealt + 1,
                purpose: purpose.to_owned(),
            });
        }
        self.dealt += 1;
        Ok(face)
    }
}

/// What a [`Physical`] source asks the person at the table.
#[derive(Clone, Debug)]
pub struct DiceQuestion<'a> {
    /// The die to roll.
    pub die: Die<'a>,
    /// How many of it.
    pub count: usize,
    /// What the dice are for.
    pub purpose: &'a str,
    /// What was wrong with the last answer to this question, if there was one.
    pub problem: Option<&'a str>,
}

/// Asks the person at the table to roll real dice and type what they show.
///
/// The reader is given a [`DiceQuestion`] and returns the line typed, or `None` when nobody can answer any more. An
/// answer is the faces, separated by spaces or commas; a wrong one is asked again, saying what was wrong.
pub struct Physical<R> {
    reader: R,
}

impl<R: FnMut(&DiceQuestion<'_>) -> Option<String>> Physical<R> {
    /// A source that asks through `reader`.
    pub fn new(reader: R) -> Self {
        Physical { reader }
    }
}

/// Reads the faces a person typed for a number of equal dice, or says what is wrong with them.
fn typed_faces(line: &str, die: Die<'_>, faces: &mut [i64]) -> Result<(), String> {
    let mut words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
    let count = words.clone().count();
    if count != faces.len() {
        return Err(format!("{} {die} wanted, {count} typed", faces.len()));
    }
    for face in faces {
        let word = words.next().unwrap_or_default();
        let typed: i64 = word.parse().map_err(|_| format!("\"{word}\" is not a whole number"))?;
        if !die.shows(typed) {
            return Err(format!("a {die} cannot show {typed}"));
        }
        *face = typed;
    }
    Ok(())
}

impl<R: FnMut(&DiceQuestion<'_>) -> Option<String>> Source for Physical<R> {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        let mut face = [0];
        self.fill(die, purpose, &mut face)?;
        Ok(face[0])
    }

    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        if faces.is_empty() {
            return Ok(());
        }
        let mut problem: Option<String> = None;
        loop {
            let question = DiceQuestion { die, count: faces.len(), purpose, problem: problem.as_deref() };
            let Some(line) = (self.reader)(&question) else {
                return Err(DiceError::InputClosed(purpose.to_owned()));
            };
            match typed_faces(&line, die, faces) {
                Ok(()) => return Ok(()),
                Err(wrong) => problem = Some(wrong),
            }
        }
    }

    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        let mut faces = vec![0; count as usize];
        self.fill(die, purpose, &mut faces)?;
        Ok(faces.iter().sum())
    }
}

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
#[derive(Debug)]
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

    /// Takes the source and the record apart.
    pub fn into_parts(self) -> (S, Vec<Draw>) {
        (self.inner, self.draws)
    }
}

impl<S: Source> Source for Recorder<S> {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        let face = self.inner.draw(die, purpose)?;
        self.draws.push(Draw::single(die, face, purpose));
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
        self.draws.push(Draw { sides: die.sides(), count, face, purpose: purpose.to_owned() });
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
    use super::*;

    const D6: Die<'static> = Die::Numbered(6);

    #[test]
    fn scripted_dice_are_dealt_in_order_and_never_wrap() {
        let mut source = Scripted::new([4, 6]);
        assert_eq!(source.draw(D6, "test"), Ok(4));
        assert_eq!(source.draw(D6, "test"), Ok(6));
        assert!(matches!(source.draw(D6, "attack"), Err(DiceError::RanOut { drawn: 2, .. })));
        assert_eq!(source.unused(), 0);
    }

    #[test]
    fn an_impossible_face_is_refused_and_stays_undealt() {
        for face in [0, 7] {
            let mut source = Scripted::new([face]);
            assert!(matches!(source.draw(D6, "test"), Err(DiceError::ImpossibleFace { position: 1, .. })));
            assert_eq!(source.unused(), 1);
        }
    }

    #[test]
    fn a_fudge_die_shows_minus_one() {
        assert_eq!(Scripted::new([-1]).draw(Die::FUDGE, "test"), Ok(-1));
        assert!(Scripted::new([2]).draw(Die::FUDGE, "test").is_err());
    }

    #[test]
    fn a_wrong_answer_is_asked_again_with_the_reason() {
        let mut answers = ["7", "x", "3 4", "5"].into_iter();
        let mut problems = Vec::new();
        {
            let mut source = Physical::new(|question: &DiceQuestion<'_>| {
                problems.extend(question.problem.map(str::to_owned));
                answers.next().map(str::to_owned)
            });
            assert_eq!(source.draw(D6, "attack"), Ok(5));
        }
        assert_eq!(problems, ["a d6 cannot show 7", "\"x\" is not a whole number", "1 d6 wanted, 2 typed"]);
    }

    #[test]
    fn a_closed_input_is_an_error() {
        let mut source = Physical::new(|_: &DiceQuestion<'_>| None);
        assert_eq!(source.draw(D6, "attack"), Err(DiceError::InputClosed("attack".into())));
    }

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
    fn a_big_pool_is_so_many_dice_in_all_and_for_each_face() {
        assert!(!D6.is_big_pool(2_047) && D6.is_big_pool(2_048));
        assert!(!Die::Numbered(100).is_big_pool(6_399) && Die::Numbered(100).is_big_pool(6_400));
        assert!(!Die::Numbered(u32::MAX).is_big_pool(u32::MAX));
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
