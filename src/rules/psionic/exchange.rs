//! What a mind had to stand in a segment of psionic combat, whichever table it came from.
//! Source: first-edition PSI-CMB-05, PSI-DFL-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TimeUnit;
use super::defended::AttackDefendedOutcome;
use super::defenseless::{AttackDefenselessOutcome, Effect};

/// What a mind had to stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeKind {
    /// Neither attacked nor defending.
    #[default]
    None,
    /// Defending against nothing: the mode's cost alone.
    ModeOnly,
    /// Attacked and defended.
    Defended,
    /// Attacked without defense.
    Defenseless,
}

/// What a mind had to stand. Which fields are there depends on the kind; they mean what they mean in
/// `psionic.attack_defended` and `psionic.attack_defenseless`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Against {
    /// Whether it was attacked and defended.
    pub kind: ExchangeKind,
    /// Hit points lost.
    pub hit_point_loss: i64,
    /// The attacker's strength as the table counts it.
    pub effective_strength: Option<i64>,
    /// The attacker's row.
    pub row: Option<String>,
    /// Damage before the range is counted.
    pub short_range_damage: Option<i64>,
    /// Damage at the range.
    pub damage: Option<i64>,
    /// The cost of the defense.
    pub defense_mode_cost: Option<i64>,
    /// What defense strength, and then hit points, had to bear.
    pub defense_loss: Option<i64>,
    /// Of a Psychic Crush on a defended mind: whether there was a chance to go by.
    pub crush_resolved: Option<bool>,
    /// The defenseless mind's column.
    pub column: Option<String>,
    /// The result of Appendix C.
    pub cell: Option<String>,
    /// What it comes to.
    pub effect: Option<Effect>,
    /// What d100 showed for a Psychic Crush.
    pub roll: Option<i64>,
    /// How long it lasts, in `unit`.
    pub duration: Option<i64>,
    /// The unit of what lasts.
    pub unit: Option<TimeUnit>,
    /// The power lost for good.
    pub lost: Option<String>,
    /// How long the loss dazes, in `unit`.
    pub dazed: Option<i64>,
    /// The power that cannot be used.
    pub unusable: Option<String>,
    /// After how long, in `unit`, a robot saves against magic.
    pub save_vs_magic_after: Option<i64>,
    /// Whether it was killed.
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
    /// In how many cases of a hundred it is taken for dead.
    pub mistaken_for_dead_percent: Option<i64>,
}

impl From<AttackDefenselessOutcome> for Against {
    fn from(attack: AttackDefenselessOutcome) -> Self {
        Against {
            kind: ExchangeKind::Defenseless,
            hit_point_loss: attack.hit_point_loss.unwrap_or(0),
            row: Some(attack.row),
            column: Some(attack.column),
            cell: Some(attack.cell),
            effect: Some(attack.effect),
            roll: attack.roll,
            duration: attack.duration,
            unit: attack.unit,
            lost: attack.lost,
            dazed: attack.dazed,
            unusable: attack.unusable,
            save_vs_magic_after: attack.save_vs_magic_after,
            killed: attack.killed,
            psionics_lost: attack.psionics_lost,
            psionics_lost_if_raised: attack.psionics_lost_if_raised,
            cured_by: attack.cured_by,
            psionic_activity: attack.psionic_activity,
            any_activity: attack.any_activity,
            mistaken_for_dead_percent: attack.mistaken_for_dead_percent,
            ..Default::default()
        }
    }
}

impl From<AttackDefendedOutcome> for Against {
    fn from(attack: AttackDefendedOutcome) -> Self {
        Against {
            kind: ExchangeKind::Defended,
            effective_strength: attack.effective_strength,
            row: attack.row,
            short_range_damage: attack.short_range_damage,
            damage: attack.damage,
            defense_mode_cost: attack.defense_mode_cost,
            defense_loss: attack.defense_loss,
            ..Default::default()
        }
    }
}
