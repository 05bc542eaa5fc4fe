//! Appendix C as data: its cells by rows and columns, and what its letters mean.
//! Source: first-edition PSI-DFL-02, PSI-DFL-04.

use std::fmt;
use std::str::FromStr;

use compact_str::{CompactString, ToCompactString};
use serde::{Deserialize, Serialize};

use super::defenseless::Effect;
use super::names::{AttackMode, Label};
use super::{Band, BandLabel, ByAttackMode, Lasting, PlainBand, banded, keyed, open_bands};
use crate::rules::core::{Table, Whole, band_of, one_row_each};

/// A letter result (PSI-DFL-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Letter {
    /// Confused.
    C,
    /// Dazed.
    D,
    /// Idiocy.
    I,
    /// Killed.
    K,
    /// A power lost for good.
    P,
    /// In a coma.
    S,
    /// A robot.
    R,
    /// Wounded: a power lost for a time.
    W,
}

impl Letter {
    const ALL: [Self; 8] = [Self::C, Self::D, Self::I, Self::K, Self::P, Self::S, Self::R, Self::W];
}

/// A cell of Appendix C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Cell {
    /// A letter.
    Letter(Letter),
    /// So much strength lost.
    Loss(i64),
    /// A chance of death in percent.
    Death(i64),
}

impl Letter {
    fn name(self) -> &'static str {
        match self {
            Letter::C => "C",
            Letter::D => "D",
            Letter::I => "I",
            Letter::K => "K",
            Letter::P => "P",
            Letter::S => "S",
            Letter::R => "R",
            Letter::W => "W",
        }
    }
}

impl Cell {
    /// The cell as the book prints it, without the way through `format!`: a mind may be struck in every segment.
    pub(super) fn label(self) -> Label {
        match self {
            Cell::Letter(letter) => CompactString::const_new(letter.name()).into(),
            Cell::Loss(loss) => loss.to_compact_string().into(),
            Cell::Death(percent) => {
                let mut label = percent.to_compact_string();
                label.push('%');
                label.into()
            }
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label())
    }
}

impl From<Cell> for String {
    fn from(cell: Cell) -> String {
        cell.to_string()
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("a cell is a letter, a number such as 40 or a chance such as 72%, not \"{text}\"");
        if let Some(letter) = Letter::ALL.into_iter().find(|letter| letter.name() == text) {
            return Ok(Cell::Letter(letter));
        }
        let (digits, percent) = text.strip_suffix('%').map_or((text, false), |digits| (digits, true));
        let number: u16 = digits.parse().map_err(|_| wrong())?;
        match (percent, i64::from(number)) {
            (true, number) if number > 100 => Err(wrong()),
            (true, number) => Ok(Cell::Death(number)),
            (false, number) => Ok(Cell::Loss(number)),
        }
    }
}

impl TryFrom<String> for Cell {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Results of attackers with attack strength in a band.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DefenselessRow {
    from: i64,
    #[serde(default)]
    to: Option<i64>,
    pub(super) cells: ByAttackMode<Vec<Cell>>,
    #[serde(skip)]
    pub(super) label: BandLabel,
}
banded!(DefenselessRow);

/// Appendix C (PSI-DFL-02).
pub(super) static DEFENSELESS: Table<DefenselessRow> =
    Table::new("psionic_defenseless", include_str!("../data/psionic_defenseless.json"), even_rows);

fn even_rows(rows: &[DefenselessRow]) -> Result<(), String> {
    open_bands(rows)?;
    let length = rows[0].cells.of(AttackMode::PsionicBlast).len();
    let even = |row: &DefenselessRow| AttackMode::ALL.iter().all(|mode| row.cells.of(*mode).len() == length);
    match rows.iter().find(|row| !even(row)) {
        None => Ok(()),
        Some(row) => Err(format!("the row from {} must have {length} cells for each mode", row.from)),
    }
}

/// The columns of Appendix C, by the defender's psionic strength.
pub(super) static COLUMNS: Table<PlainBand> = Table::new(
    "psionic_defenseless_columns",
    include_str!("../data/psionic_defenseless_columns.json"),
    open_bands::<PlainBand>,
);

/// The cell for attack strength, mode and the defender's psionic strength: what a mind can guess before it attacks.
pub(super) fn foreseen_cell(
    rows: &[DefenselessRow],
    columns: &[PlainBand],
    attack_strength: i64,
    attack_mode: AttackMode,
    defender_strength: i64,
) -> Option<Cell> {
    let column = band_of(columns, defender_strength)?;
    let place = columns.iter().position(|band| std::ptr::eq(band, column))?;
    band_of(rows, attack_strength)?.cells.of(attack_mode).get(place).copied()
}

/// How a letter lasts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LetterRow {
    letter: Letter,
    pub(super) effect: Effect,
    #[serde(default)]
    pub(super) lasts: Option<Lasting>,
    #[serde(default)]
    pub(super) cured_by: Option<Vec<String>>,
    #[serde(default)]
    pub(super) mistaken_for_dead_percent: Option<Whole<0, 100>>,
}

/// What the letters mean (PSI-DFL-04).
pub(super) static LETTERS: Table<LetterRow> =
    Table::new("psionic_letters", include_str!("../data/psionic_letters.json"), each_letter);

keyed!(LetterRow, letter: Letter, Letter::ALL);

fn each_letter(rows: &[LetterRow]) -> Result<(), String> {
    one_row_each(rows)?;
    let endless = |row: &&LetterRow| row.lasts.is_none() && !matches!(row.letter, Letter::I | Letter::K | Letter::P);
    match rows.iter().find(endless) {
        None => Ok(()),
        Some(row) => Err(format!("the letter {:?} must say how long it lasts", row.letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::Cell;

    #[test]
    fn cells_read_and_print_as_the_book_has_them() {
        for text in ["W", "40", "72%", "0%"] {
            assert_eq!(text.parse::<Cell>().unwrap().to_string(), text);
        }
        for text in ["w", "101%", "-5", "", "X"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }
}
