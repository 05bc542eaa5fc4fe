//! Mind against defenseless mind: the results of Appendix C.
//! Source: first-edition PSI-DFL-02 to PSI-DFL-06.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::AttackMode;
use super::{Band, ByAttackMode, Lasting, PlainBand, TimeUnit, band_label, banded, keyed, open_bands, present};
use crate::rules::core::{
    Any, AnyTable, List, Natural, Positive, Referee, Rule, RuleError, Table, Whole, band_of, one_row_each, row_of,
};

/// What a letter costs a mind with mind bar: so much in all, half of it from each pool first (PSI-DFL-06).
const MIND_BAR_LOSS: i64 = 40;

// ---- figures ----

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

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Letter(letter) => write!(f, "{letter:?}"),
            Cell::Loss(loss) => write!(f, "{loss}"),
            Cell::Death(percent) => write!(f, "{percent}%"),
        }
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
        if let Some(letter) = Letter::ALL.into_iter().find(|letter| format!("{letter:?}") == text) {
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
    cells: ByAttackMode<Vec<Cell>>,
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
    let place = columns.iter().position(|band| band == column)?;
    band_of(rows, attack_strength)?.cells.of(attack_mode).get(place).copied()
}

/// How a letter lasts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LetterRow {
    letter: Letter,
    effect: Effect,
    #[serde(default)]
    lasts: Option<Lasting>,
    #[serde(default)]
    cured_by: Option<Vec<String>>,
    #[serde(default)]
    mistaken_for_dead_percent: Option<Whole<0, 100>>,
}

/// What the letters mean (PSI-DFL-04).
static LETTERS: Table<LetterRow> =
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

// ---- the rule ----

/// What mind bar does against the percentage of a Psychic Crush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MindBarAgainstCrush {
    /// Nothing: it turns letters, and a percentage is none.
    #[default]
    NoEffect,
    /// The percentage counts as a letter and costs strength instead.
    AsLetter,
}

/// The switches of an attack on a defenseless mind.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackDefenselessOptions {
    /// What mind bar does against the percentage of a Psychic Crush (PSI-DFL-06).
    pub mind_bar_against_crush: MindBarAgainstCrush,
}

/// A mind without defense.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Defender {
    /// Attack strength left.
    pub attack_strength: Natural,
    /// Defense strength left.
    pub defense_strength: Natural,
    /// Hit points left.
    pub hp: Any,
    /// The names of its attack modes, defense modes and disciplines, one of which may be lost.
    #[serde(default)]
    pub powers: List<String>,
    /// Whether it has the discipline mind bar.
    #[serde(default)]
    pub mind_bar: bool,
    /// Its psionic strength at the start of the segment; attack and defense strength together when absent.
    #[serde(default)]
    pub strength_at_start: Option<Natural>,
}

/// What `psionic.attack_defenseless` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackDefenselessArgs {
    /// The attacker's ATTACK strength at the start of the segment, before its own costs.
    pub attack_strength: Positive,
    /// The attack.
    pub attack_mode: AttackMode,
    /// The mind without defense.
    pub defender: Defender,
}

/// What befalls a defenseless mind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    #[default]
    None,
    /// Strength lost, then hit points.
    Loss,
    /// A letter turned by mind bar into a loss of strength.
    MindBarLoss,
    /// Confused: no psionics.
    Confused,
    /// Dazed: neither psionics nor anything else.
    Dazed,
    /// Idiocy until cured, psionics gone for good.
    Idiocy,
    /// Dead; raised, it has no psionics.
    Killed,
    /// One power gone for good, and dazed.
    PermanentLoss,
    /// In a coma.
    Coma,
    /// Controlled by the victor until released or saved.
    Robot,
    /// One power unusable for a time.
    Wounded,
}

/// What befalls the mind. Which fields are there depends on the effect.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AttackDefenselessOutcome {
    /// The attacker's row.
    pub row: String,
    /// The defender's column.
    pub column: String,
    /// What stands there: a number, a letter or a chance.
    pub cell: String,
    /// What it comes to.
    pub effect: Effect,
    /// The defender's attack strength now.
    pub attack_strength: i64,
    /// The defender's defense strength now.
    pub defense_strength: i64,
    /// The defender's hit points now.
    pub hp: i64,
    /// Of a loss: the hit points in it.
    pub hit_point_loss: Option<i64>,
    /// Of a chance of death: what d100 showed.
    pub roll: Option<i64>,
    /// How long it lasts, in `unit`.
    pub duration: Option<i64>,
    /// The unit of what lasts.
    pub unit: Option<TimeUnit>,
    /// The power lost for good; nothing when none was listed.
    pub lost: Option<String>,
    /// How long the loss dazes, in `unit`.
    pub dazed: Option<i64>,
    /// The power that cannot be used; nothing when none was listed.
    pub unusable: Option<String>,
    /// After how long, in `unit`, a robot saves against magic. That a failed save is followed by another after as long
    /// again is our reading.
    pub save_vs_magic_after: Option<i64>,
    /// Of a chance of death: whether it killed. True of K.
    pub killed: Option<bool>,
    /// Whether psionics are gone for good.
    pub psionics_lost: Option<bool>,
    /// Whether they are gone when the dead is raised.
    pub psionics_lost_if_raised: Option<bool>,
    /// What ends it, when time does not.
    pub cured_by: Option<Vec<String>>,
    /// False where psionics cannot be used.
    pub psionic_activity: Option<bool>,
    /// False where nothing can be done.
    pub any_activity: Option<bool>,
    /// In how many cases of a hundred the victim is taken for dead; rolled when somebody examines it.
    pub mistaken_for_dead_percent: Option<i64>,
}

impl AttackDefenselessOutcome {
    /// Takes from the pools in order, and what they cannot bear from hit points.
    fn lose(&mut self, loss: i64) {
        let from_defense = loss.min(self.defense_strength);
        let from_attack = (loss - from_defense).min(self.attack_strength);
        self.defense_strength -= from_defense;
        self.attack_strength -= from_attack;
        let rest = loss - from_defense - from_attack;
        self.hp -= rest;
        self.hit_point_loss = Some(rest);
    }

    /// Half from each pool, then whatever strength is left, then hit points.
    fn lose_behind_mind_bar(&mut self) {
        let from_attack = (MIND_BAR_LOSS / 2).min(self.attack_strength);
        let from_defense = (MIND_BAR_LOSS / 2).min(self.defense_strength);
        self.attack_strength -= from_attack;
        self.defense_strength -= from_defense;
        self.effect = Effect::MindBarLoss;
        self.lose(MIND_BAR_LOSS - from_attack - from_defense);
    }

    fn crush(&mut self, percent: i64, referee: &mut Referee<'_>) -> Result<(), RuleError> {
        referee.need(|| format!("{percent} or less on d100 kills"));
        let roll = referee.d(100, "psychic crush")?;
        let killed = roll <= percent;
        self.roll = Some(roll);
        self.killed = Some(killed);
        if killed {
            self.effect = Effect::Killed;
            self.psionics_lost_if_raised = Some(true);
        }
        Ok(())
    }

    fn suffer(&mut self, letter: Letter, powers: &[String], referee: &mut Referee<'_>) -> Result<(), RuleError> {
        let rows = referee.table(&LETTERS);
        let row = row_of(&rows, letter)?;
        self.effect = row.effect;
        self.cured_by.clone_from(&row.cured_by);
        self.mistaken_for_dead_percent = row.mistaken_for_dead_percent.map(Whole::get);
        let struck = matches!(letter, Letter::P | Letter::W).then(|| struck_power(powers, referee)).transpose()?;
        // A permanent loss dazes as D does.
        let lasts = if letter == Letter::P { &row_of(&rows, Letter::D)?.lasts } else { &row.lasts };
        let lasted = lasts.as_ref().map(|lasting| lasting.roll(referee)).transpose()?;
        self.unit = lasts.as_ref().map(|lasting| lasting.unit);
        match letter {
            Letter::P => (self.lost, self.dazed) = (struck.flatten(), lasted),
            Letter::W => (self.unusable, self.duration) = (struck.flatten(), lasted),
            Letter::R => self.save_vs_magic_after = lasted,
            _ => self.duration = lasted,
        }
        if matches!(letter, Letter::C | Letter::D) {
            self.psionic_activity = Some(false);
        }
        if letter == Letter::D {
            self.any_activity = Some(false);
        }
        if letter == Letter::I {
            self.psionics_lost = Some(true);
        }
        if letter == Letter::K {
            self.killed = Some(true);
            self.psionics_lost_if_raised = Some(true);
        }
        Ok(())
    }
}

/// The power that is struck: an even pick over all that are listed; none listed, no die.
fn struck_power(powers: &[String], referee: &mut Referee<'_>) -> Result<Option<String>, RuleError> {
    if powers.is_empty() {
        return Ok(None);
    }
    let roll = referee.d(powers.len() as u32, "power struck")?;
    Ok(Some(powers[roll as usize - 1].clone()))
}

/// Attacks a mind without defense: a number takes strength and then hit points, a percentage may kill, a letter maims.
///
/// The row is by the attacker's attack strength (not, as against the defended, by psionic strength), the column by the
/// defender's psionic strength at the start of the segment; below 10 counts as the first column. A mind with mind bar
/// that had strength at the start loses 40 instead of suffering a letter, and what strength it lacks comes off hit points
/// at once.
#[derive(JsonSchema)]
pub struct AttackDefenseless;

impl Rule for AttackDefenseless {
    const NAME: &'static str = "psionic.attack_defenseless";
    const SOURCE: &'static [&'static str] = &[
        "first-edition PSI-DFL-02",
        "first-edition PSI-DFL-03",
        "first-edition PSI-DFL-04",
        "first-edition PSI-DFL-05",
        "first-edition PSI-DFL-06",
    ];
    const EXAMPLE: &'static str = r#"{ attack_strength = 90, attack_mode = "mind_thrust", defender = { attack_strength = 120, defense_strength = 0, hp = 40, powers = { "ego_whip", "empathy" } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DEFENSELESS, &COLUMNS, &LETTERS];
    type Args = AttackDefenselessArgs;
    type Options = AttackDefenselessOptions;
    type Outcome = AttackDefenselessOutcome;

    fn resolve(
        args: AttackDefenselessArgs,
        options: AttackDefenselessOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackDefenselessOutcome, RuleError> {
        let AttackDefenselessArgs { attack_strength, attack_mode, defender } = args;
        let (attack, defense) = (defender.attack_strength.get(), defender.defense_strength.get());
        let at_start = defender.strength_at_start.map_or(attack + defense, Natural::get);
        let rows = referee.table(&DEFENSELESS);
        let row = present(band_of(&rows, attack_strength.get()), "the attacker")?;
        let columns = referee.table(&COLUMNS);
        let column = present(band_of(&columns, at_start), "the defender")?;
        let place = columns.iter().position(|band| band == column).unwrap_or_default();
        let cell = *present(row.cells.of(attack_mode).get(place), "the column")?;
        let mut outcome = AttackDefenselessOutcome {
            row: band_label(row),
            column: band_label(column),
            cell: cell.to_string(),
            attack_strength: attack,
            defense_strength: defense,
            hp: defender.hp.get(),
            ..Default::default()
        };
        let barred = defender.mind_bar && at_start > 0;
        match cell {
            Cell::Letter(_) if barred => outcome.lose_behind_mind_bar(),
            Cell::Death(_) if barred && options.mind_bar_against_crush == MindBarAgainstCrush::AsLetter => {
                outcome.lose_behind_mind_bar();
            }
            Cell::Letter(letter) => outcome.suffer(letter, &defender.powers, referee)?,
            Cell::Death(percent) => outcome.crush(percent, referee)?,
            Cell::Loss(loss) => {
                outcome.effect = Effect::Loss;
                outcome.lose(loss);
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn attack(strength: i64, mode: &str, defender: &str, dice: &[i64]) -> AttackDefenselessOutcome {
        let args = format!(r#"{{"attack_strength":{strength},"attack_mode":"{mode}","defender":{defender}}}"#);
        outcome::<AttackDefenseless>(&args, dice)
    }

    #[test]
    fn a_loss_takes_defense_then_attack_then_hit_points() {
        let hurt = attack(20, "id_insinuation", r#"{"attack_strength":10,"defense_strength":12,"hp":30}"#, &[]);
        assert_eq!((hurt.defense_strength, hurt.attack_strength, hurt.hp), (0, 0, 12));
        assert_eq!(hurt.hit_point_loss, Some(18));
    }

    #[test]
    fn a_hundred_belongs_to_the_fourth_row() {
        let defender = r#"{"attack_strength":200,"defense_strength":0,"hp":30}"#;
        assert_eq!(attack(100, "ego_whip", defender, &[]).row, "76-100");
        assert_eq!(attack(101, "ego_whip", defender, &[]).row, "101-125");
    }

    #[test]
    fn a_permanent_loss_picks_a_power_and_dazes() {
        let defender = r#"{"attack_strength":40,"defense_strength":0,"hp":30,"powers":["ego_whip","esp"]}"#;
        let hurt = attack(90, "mind_thrust", defender, &[2, 4]);
        assert_eq!((hurt.lost.as_deref(), hurt.dazed, hurt.unit), (Some("esp"), Some(4), Some(TimeUnit::Turns)));
    }

    #[test]
    fn mind_bar_turns_a_letter_into_forty_points() {
        let barred = r#"{"attack_strength":25,"defense_strength":5,"hp":50,"mind_bar":true}"#;
        let hurt = attack(130, "mind_thrust", barred, &[]);
        assert_eq!((hurt.effect, hurt.hp), (Effect::MindBarLoss, 40));
    }

    #[test]
    fn mind_bar_stops_a_crush_only_by_a_switch() {
        let barred = r#""defender":{"attack_strength":50,"defense_strength":0,"hp":50,"mind_bar":true}"#;
        let args = format!(r#"{{"attack_strength":20,"attack_mode":"psychic_crush",{barred}}}"#);
        assert_eq!(outcome::<AttackDefenseless>(&args, &[72]).killed, Some(true));
        let args = format!(
            r#"{{"attack_strength":20,"attack_mode":"psychic_crush",{barred},
                "options":{{"mind_bar_against_crush":"as_letter"}}}}"#
        );
        let turned = outcome::<AttackDefenseless>(&args, &[]);
        assert_eq!((turned.effect, turned.attack_strength), (Effect::MindBarLoss, 10));
    }

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
