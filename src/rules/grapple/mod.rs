//! Grappling: the grab, the hold, what holder and held may do, and getting loose.
//! Source: combat-details GRP-01 to GRP-11.
//!
//! A creature with more than two grasping limbs adds 1 for each further one to its attack rolls, grapple checks and
//! escapes (GRP-11). A large flier's carrying off and the automatic touch of a wight are parts of a bout.

mod actions;
mod bout;
mod check;
mod escape;
mod hold;

pub use actions::{Action, May, MayArgs, MayOutcome, Role};
pub use bout::{Bout, BoutArgs, BoutEnd, BoutOptions, BoutOutcome, BoutRound, Carry, Flier, TouchAttack};
pub use check::{Check, CheckArgs, CheckOptions, CheckOutcome, GrappleTies, Side};
pub use escape::{
    Capacity, CapacityArgs, CapacityOutcome, Escape, EscapeArgs, EscapeOutcome, HeldAc, HeldAcArgs, HeldAcOutcome,
};

pub use hold::{
    HoldOptions, Move, MoveArgs, MoveOutcome, Pinned, Response, Start, StartArgs, StartOptions, StartOutcome, Take,
    TakeArgs, TakeOutcome,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Keyed, Modifier, Table, Whole, one_row_each};

/// How big a wrestler is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// Smaller than a man: halflings, goblins.
    Small,
    /// Of a man's size.
    #[default]
    Medium,
    /// Bigger: ogres, horses.
    Large,
}

/// What a size adds to a grapple check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SizeRow {
    /// The size.
    pub size: Size,
    /// Added to the grapple check.
    pub modifier: Modifier,
}

impl Keyed for SizeRow {
    type Key = Size;
    const KEYS: &'static [Size] = &[Size::Small, Size::Medium, Size::Large];
    fn key(&self) -> Size {
        self.size
    }
}

static GRAPPLE_SIZE: Table<SizeRow> =
    Table::new("grapple_size", include_str!("../data/grapple_size.json"), one_row_each);

/// Somebody who wrestles.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Wrestler {
    /// The attack bonus of class and level, or of hit dice.
    pub attack_bonus: Modifier,
    /// The strength modifier; the better of it and dexterity's counts.
    pub str_mod: Modifier,
    /// The dexterity modifier; also makes the wrestler harder to touch.
    pub dex_mod: Modifier,
    /// Grasping limbs beyond two (GRP-11).
    pub extra_limbs: Whole<0, 20>,
    /// The size (GRP-03).
    pub size: Size,
    /// The saving throw against Death Ray that an escape must reach; only escapes need it (GRP-08).
    pub save: Option<Whole<1, 40>>,
}

impl Wrestler {
    /// The better of the strength and dexterity modifiers.
    fn better_mod(&self) -> i64 {
        self.str_mod.max(self.dex_mod).get()
    }
}
