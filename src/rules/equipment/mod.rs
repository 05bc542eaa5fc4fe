//! What weapons, armor and vehicles are like: the figures that the combat chapter leaves to other books.
//! They are Basic Fantasy's, under the licence that lies beside them.

mod armor;
mod vehicles;
mod weapons;

pub use armor::{ArmorArgs, ArmorFigures, ArmorOutcome};
pub(crate) use vehicles::vehicle_instead;
pub use vehicles::{VehicleArgs, VehicleFigures, VehicleKind, VehicleOutcome};
pub use weapons::{WEAPONS, WeaponArgs, WeaponFigures, WeaponOutcome, WeaponRow, WeaponSize, weapon_name};
