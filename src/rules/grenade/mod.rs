//! Grenade-like missiles: flasks of burning oil and of holy water, and where they land.
//! Source: combat-details GRE-01 to GRE-05.

mod holy_water;
mod oil;
mod resolve;
mod throw;

pub use holy_water::*;
pub use oil::*;
pub use resolve::{Content, FlaskTarget, Measured, Near, Resolve, ResolveArgs, ResolveOptions, ResolveOutcome};
pub use throw::*;

use serde::{Deserialize, Serialize};

use super::core::{DamageDice, Keyed, Referee, RuleError, Table, one_row_each, row_of};

/// What a flask can do to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Case {
    OilDirect,
    OilSplash,
    OilPool,
    HolyWaterDirect,
    HolyWaterSplash,
}

#[derive(Serialize, Deserialize)]
struct FlaskDamage {
    case: Case,
    damage: DamageDice,
}

impl Keyed for FlaskDamage {
    type Key = Case;
    const KEYS: &'static [Case] =
        &[Case::OilDirect, Case::OilSplash, Case::OilPool, Case::HolyWaterDirect, Case::HolyWaterSplash];
    fn key(&self) -> Case {
        self.case
    }
}

static FLASK_DAMAGE: Table<FlaskDamage> =
    Table::new("flask_damage", include_str!("../data/flask_damage.json"), one_row_each);

/// The dice of a case.
fn dice_of(case: Case, referee: &Referee<'_>) -> Result<DamageDice, RuleError> {
    row_of(&referee.table(&FLASK_DAMAGE), case).map(|row| row.damage.clone())
}

/// Rolls the damage of a case, never below 0.
fn damage(case: Case, purpose: &str, referee: &mut Referee<'_>) -> Result<i64, RuleError> {
    let dice = dice_of(case, referee)?;
    let rolled = dice.roll(referee, purpose)?;
    Ok((rolled.sum + dice.modifier()).max(0))
}
