//! Missile fire: ranges, point-blank shots, rates of fire, shots that stray into a melee.
//! Source: combat-details MIS-01 to MIS-05; the weapons' ranges are Basic Fantasy's.

mod range;
mod reload;
mod shoot;
mod stray;
mod weapons;

pub use range::{PointBlank, Range, RangeArgs, RangeBand, RangeOptions, RangeOutcome};
pub use reload::{Reload, ReloadArgs, ReloadOutcome};
pub use shoot::{Shoot, ShootArgs, ShootFault, ShootOutcome};
pub use stray::{Ally, Stray, StrayArgs, StrayOptions, StrayOutcome, Try};
pub use weapons::{WeaponRanges, WeaponRangesArgs, WeaponRangesOutcome};
