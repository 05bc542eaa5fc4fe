//! Below zero hit points: bleeding, stabilizing, healing, death, the coma and the weakness after it.
//! Source: house-rules DYING-01 to DYING-11.

mod aftermath;
mod care;
mod outlook;
mod wounds;

pub use aftermath::*;
pub use care::*;
pub use outlook::*;
pub use wounds::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Any, ErrorKind, Referee, RuleError, Table, Whole};

/// Where somebody stands between health and death.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// At zero hit points or above.
    Ok,
    /// Below zero and losing blood.
    Bleeding,
    /// Below zero, the bleeding stopped.
    Stable,
    /// Dead.
    Dead,
}

/// The hit points at which something changes.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Thresholds {
    lowest_alive: Whole<-1_000, -1>,
    scarred_at: Whole<-1_000, -1>,
    lost_each_round: Whole<1, 100>,
}

fn one_row_of_thresholds(rows: &[Thresholds]) -> Result<(), String> {
    match rows {
        [row] if row.scarred_at < row.lowest_alive => {
            Err("scarred_at must not be below lowest_alive, where nobody survives to be scarred".into())
        }
        [_] => Ok(()),
        _ => Err(format!("there must be exactly one row, not {}", rows.len())),
    }
}

static THRESHOLDS: Table<Thresholds> = Table::new("dying", include_str!("../data/dying.json"), one_row_of_thresholds);

fn thresholds(referee: &Referee<'_>) -> Result<Thresholds, RuleError> {
    let rows = referee.table(&THRESHOLDS);
    rows.first()
        .copied()
        .ok_or_else(|| RuleError::general(ErrorKind::Invalid, "the table dying has no row; give it one"))
}

/// Hit points and status that go together.
#[derive(Clone, Copy, Debug)]
struct Condition {
    hp: i64,
    status: Status,
    lowest_hp: i64,
}

impl Condition {
    /// Reads the state of somebody alive: `ok` needs 0 hit points or more, `bleeding` and `stable` need them below zero
    /// and not yet deadly.
    fn read(hp: Any, status: Status, lowest_hp: Option<Any>, limits: Thresholds) -> Result<Self, RuleError> {
        let (hp, least) = (hp.get(), limits.lowest_alive.get());
        let lowest_hp = lowest_hp.map_or(hp, Whole::get);
        let fits = match status {
            Status::Dead => {
                return Err(RuleError::invalid(
                    "status",
                    "must be ok, bleeding or stable; nothing helps or harms the dead",
                ));
            }
            Status::Ok => hp >= 0,
            Status::Bleeding | Status::Stable => (least..0).contains(&hp),
        };
        if !fits {
            let message = format!(
                "does not go with {hp} hit points; ok needs 0 or more, bleeding and stable need {least} to -1, and less is death"
            );
            return Err(RuleError::invalid("status", message));
        }
        if lowest_hp > hp || lowest_hp < least {
            let message = format!("must be from {least} to the present {hp} hit points, not {lowest_hp}");
            return Err(RuleError::invalid("lowest_hp", message));
        }
        Ok(Condition { hp, status, lowest_hp })
    }

    /// Other hit points and status, the lowest point remembered.
    fn become_at(self, hp: i64, status: Status) -> Self {
        Condition { hp, status, lowest_hp: self.lowest_hp.min(hp) }
    }

    /// Whether a survivor is hideously scarred; the dead are past it (DYING-07).
    fn scarred(self, limits: Thresholds) -> bool {
        self.status != Status::Dead && self.lowest_hp <= limits.scarred_at.get()
    }
}

/// Whether somebody with these hit points and this status is awake, coma and weakness apart (DYING-01).
pub fn is_conscious(hp: i64, status: Status, referee: &Referee<'_>) -> bool {
    AtZero::of(referee).awake(Condition { hp, status, lowest_hp: hp })
}

/// Checks a state that somebody wrote down: hit points, status and lowest point must go together. The dead may have any.
pub fn check_state(hp: i64, status: Status, lowest_hp: Option<i64>, referee: &Referee<'_>) -> Result<(), RuleError> {
    if status == Status::Dead {
        return Ok(());
    }
    Condition::read(Any::clamped(hp), status, lowest_hp.map(Any::clamped), thresholds(referee)?).map(drop)
}

/// Declares the arguments of a rule about somebody's wounds: hit points, status and lowest point, then the rule's own.
macro_rules! wound_args {
    ($(#[$about:meta])* $name:ident $own:tt) => {
        records! {
            common {
                /// Hit points now; below zero one is bleeding or stable.
                pub hp: $crate::rules::core::Any,
                /// `ok` from 0 hit points, `bleeding` or `stable` from -1 to -10.
                pub status: $crate::rules::dying::Status,
                /// The lowest hit points reached so far; those of now when absent.
                #[serde(default)]
                pub lowest_hp: Option<$crate::rules::core::Any>,
            }
            $(#[$about])*
            pub struct $name { {} .. $own }
        }

        impl $name {
            fn condition(
                &self,
                limits: $crate::rules::dying::Thresholds,
            ) -> Result<$crate::rules::dying::Condition, $crate::rules::core::RuleError> {
                $crate::rules::dying::Condition::read(self.hp, self.status, self.lowest_hp, limits)
            }
        }
    };
}

/// Declares the outcome of such a rule: the same three fields and the scar, then the rule's own.
macro_rules! wound_outcome {
    ($(#[$about:meta])* $name:ident $own:tt) => {
        records! {
            common {
                /// Hit points after it.
                pub hp: i64,
                /// Status after it.
                pub status: $crate::rules::dying::Status,
                /// The lowest hit points reached so far.
                pub lowest_hp: i64,
                /// Whether a survivor is hideously scarred, having been at -8 or lower (DYING-07).
                pub scarred: bool,
            }
            $(#[$about])*
            pub struct $name { {} .. $own }
        }
    };
}

use {wound_args, wound_outcome};
