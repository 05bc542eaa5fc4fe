//! Jousting: who can hit whom from the saddle, a pass with the lance, staying in the saddle.
//! Source: combat-details JST-01 to JST-07.

mod foot;
mod may_hit;
mod pass;
mod run;
mod unhorse;

pub use foot::{FootRound, FootStrike};
pub use may_hit::{MayHit, MayHitArgs, MayHitOutcome, Target, Weapon};
pub use pass::{JoustOrder, Pass, PassArgs, PassOptions, PassOutcome, Rider, Strike};
pub use run::{Run, RunArgs, RunEnd, RunOptions, RunOutcome};
pub use unhorse::{Seat, Unhorse, UnhorseArgs, UnhorseOutcome};
