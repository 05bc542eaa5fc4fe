//! Where dice come from.

use std::fmt;

use super::expression::Expression;
use super::notation::NotationError;
use super::roll::{Params, RollValue};

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

    /// A face that a source gave, once this die can show it. Every face goes through here before it counts, since a
    /// program's own source may give anything.
    ///
    /// # Errors
    /// [`DiceError::WrongFace`] when the die has no such face.
    #[inline]
    pub fn checked(self, face: i64, purpose: &str) -> Result<i64, DiceError> {
        if self.shows(face) { Ok(face) } else { Err(self.wrong_face(face, 1, purpose)) }
    }

    /// A sum of `count` of these dice that a source gave, once they can come to it.
    ///
    /// # Errors
    /// [`DiceError::WrongFace`] when they cannot.
    #[inline]
    pub fn checked_sum(self, sum: i64, count: u32, purpose: &str) -> Result<i64, DiceError> {
        let (least, greatest) = (i128::from(self.least()), i128::from(self.greatest()));
        let bounds = least * i128::from(count)..=greatest * i128::from(count);
        if bounds.contains(&i128::from(sum)) { Ok(sum) } else { Err(self.wrong_face(sum, count, purpose)) }
    }

    #[cold]
    fn wrong_face(self, face: i64, count: u32, purpose: &str) -> DiceError {
        let dice = if count == 1 { self.to_string() } else { format!("{count}{self}") };
        DiceError::WrongFace { dice, face, purpose: purpose.to_owned() }
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
    /// A source gave a face that the die does not have, or a sum that the dice cannot come to.
    #[error("the source of dice gave {face} for {dice}, which cannot show it (for {purpose})")]
    WrongFace {
        /// The die or dice asked for.
        dice: String,
        /// What the source gave.
        face: i64,
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
        let mut total: i64 = 0;
        for _ in 0..count {
            let face = die.checked(self.draw(die, purpose)?, purpose)?;
            total =
                total.checked_add(face).ok_or_else(|| DiceError::Limit("the sum of the dice is too large".into()))?;
        }
        Ok(total)
    }

    /// Draws as many equal dice as `faces` has places, for somebody to whom their order does not matter: they stand
    /// ascending. A source may deal them as one set (exploration does), so ask for it only when nobody looks at the order.
    ///
    /// # Errors
    /// As [`Source::draw`].
    fn sorted(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.fill(die, purpose, faces)?;
        faces.sort_unstable();
        Ok(())
    }

    /// The value of an expression of which nothing else is wanted. A source that knows its odds may deal the value in
    /// one draw (exploration does); any other rolls its dice.
    ///
    /// # Errors
    /// As [`Expression::total`].
    fn value_of(&mut self, expression: &Expression, params: &Params) -> Result<RollValue, NotationError> {
        expression.total(self, params)
    }
}

/// A source behind a pointer is that source.
macro_rules! passed_through {
    ($($pointer:ty),*) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
                (**self).draw(die, purpose)
            }
            fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
                (**self).fill(die, purpose, faces)
            }
            fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
                (**self).sum(die, count, purpose)
            }
            fn sorted(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
                (**self).sorted(die, purpose, faces)
            }
            fn value_of(&mut self, expression: &Expression, params: &Params) -> Result<RollValue, NotationError> {
                (**self).value_of(expression, params)
            }
        }
    )*};
}

passed_through!(&mut S, Box<S>);

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
    fn a_big_pool_is_so_many_dice_in_all_and_for_each_face() {
        assert!(!D6.is_big_pool(2_047) && D6.is_big_pool(2_048));
        assert!(!Die::Numbered(100).is_big_pool(6_399) && Die::Numbered(100).is_big_pool(6_400));
        assert!(!Die::Numbered(u32::MAX).is_big_pool(u32::MAX));
    }
}
