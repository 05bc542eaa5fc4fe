//! Making potions: who may, what it costs, the formula, the brewing and its mishaps.
//! Source: first-edition POTION-01 to POTION-09.

mod brew;
mod cost;
mod formula;
mod project;

pub use brew::*;
pub use cost::*;
pub use formula::*;
pub use project::*;

use serde::{Deserialize, Serialize};

use super::core::{DamageDice, Natural, Positive, Table, Whole, one_row};

/// The single figures of potion making.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FiguresRow {
    /// The level from which a magic-user, or a cleric for healing, may brew.
    brewer_level: Positive,
    /// The level from which a magic-user needs no alchemist.
    alone_level: Positive,
    /// An alchemist's bonus on hiring, in gold pieces.
    hiring_bonus: DamageDice,
    /// An alchemist's wages, in gold pieces a month.
    wages_a_month: Natural,
    /// The shortest hire, in months.
    least_months: Natural,
    /// Upkeep of a laboratory a month, in percent of what it cost.
    upkeep_percent: Natural,
    /// The experience value of a potion that lists none.
    usual_xp: Positive,
    /// Chance of failure for each 100 points or part.
    failure_percent: Natural,
    /// What each 100 points or part take from the chance to find a formula.
    research_penalty: Natural,
    /// Weeks of research before the first check.
    research_weeks: DamageDice,
}

static FIGURES: Table<FiguresRow> = Table::new("potion_figures", include_str!("../data/potion_figures.json"), one_row);

/// The experience value of a potion: 1 to 1,000,000.
pub type PotionXp = Whole<1, 1_000_000>;

/// The experience value given, or that of a potion that lists none.
fn value_of(xp: Option<PotionXp>, figures: &FiguresRow) -> i64 {
    xp.map_or(figures.usual_xp.get(), PotionXp::get)
}

/// How many hundreds, a part of one counting whole.
fn hundreds(xp: i64) -> i64 {
    xp.div_euclid(100) + i64::from(xp % 100 != 0)
}
