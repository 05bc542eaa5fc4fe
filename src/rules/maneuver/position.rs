//! Where attacker and target stand: cover, concealment, flanking.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::attack::{Cover as Covered, Modifiers, ModifiersArgs};
use crate::rules::core::{NoOptions, Referee, Rule, RuleError};

/// What `maneuver.cover` answers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoverOutcome {
    /// What the cover takes off the attack roll, as a number of 0 or less.
    pub modifier: i64,
}

rule! {
    /// Tells what concealment or cover takes off an attack roll: 1 from a quarter, 4 from nine tenths, double behind
    /// hard cover. Between two rows of the table the one reached counts.
    pub struct Cover;
}

impl Rule for Cover {
    const NAME: &'static str = "maneuver.cover";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-05"];
    const EXAMPLE: &'static str = "{ percent = 50, hard = true }";
    type Args = Covered;
    type Options = NoOptions;
    type Outcome = CoverOutcome;

    fn resolve(args: Covered, _: NoOptions, referee: &mut Referee<'_>) -> Result<CoverOutcome, RuleError> {
        let cover = ModifiersArgs { cover: Some(args), ..ModifiersArgs::default() };
        Ok(CoverOutcome { modifier: referee.call::<Modifiers>(cover)?.modifier })
    }
}

/// What `maneuver.flank` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlankArgs {
    /// Whether two allies stand on opposite sides of the opponent.
    pub opposite_sides: bool,
    /// Whether both are within 5 ft of it.
    pub within_5_feet: bool,
}

/// Whether an opponent is flanked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlankOutcome {
    /// Whether it is.
    pub flanked: bool,
    /// What each of the two adds to melee attacks against it.
    pub modifier: i64,
}

rule! {
    /// Tells whether two allies flank an opponent, and what that adds to the melee attacks of each.
    pub struct Flank;
}

impl Rule for Flank {
    const NAME: &'static str = "maneuver.flank";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-06"];
    const EXAMPLE: &'static str = "{ opposite_sides = true, within_5_feet = true }";
    type Args = FlankArgs;
    type Options = NoOptions;
    type Outcome = FlankOutcome;

    fn resolve(args: FlankArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<FlankOutcome, RuleError> {
        let flanking = args.opposite_sides && args.within_5_feet;
        let modifiers = referee.call::<Modifiers>(ModifiersArgs { flanking, ..ModifiersArgs::default() })?;
        Ok(FlankOutcome { flanked: flanking, modifier: modifiers.modifier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn hard_cover_doubles_the_row_reached() {
        assert_eq!(outcome::<Cover>(r#"{"percent":89,"hard":true}"#, &[]).modifier, -6);
        assert_eq!(outcome::<Cover>(r#"{"percent":24}"#, &[]).modifier, 0);
    }

    #[test]
    fn both_flankers_must_be_close() {
        assert_eq!(outcome::<Flank>(r#"{"opposite_sides":true,"within_5_feet":true}"#, &[]).modifier, 1);
        assert!(!outcome::<Flank>(r#"{"opposite_sides":true,"within_5_feet":false}"#, &[]).flanked);
    }
}
