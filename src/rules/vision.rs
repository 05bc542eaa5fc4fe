//! Sight in the dark.
//! Source: house-rules VIS-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{NoOptions, Referee, Rule, RuleError};

/// What `vision.mode` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModeArgs {
    /// Whether the rulebook lists the species with infravision.
    pub infravision_listed: bool,
    /// Whether the spell is on the creature.
    #[serde(default)]
    pub infravision_spell: bool,
}

/// How a creature sees.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModeOutcome {
    /// Sees warmth in full darkness.
    pub infravision: bool,
    /// Sees well in dim light, like a cat, and not in darkness.
    pub low_light: bool,
}

rule! {
    /// Says how a creature sees: no species has infravision, those listed with it see in dim light; the spell still
    /// works.
    pub struct Mode;
}

impl Rule for Mode {
    const NAME: &'static str = "vision.mode";
    const SOURCE: &'static [&'static str] = &["house-rules VIS-01"];
    const EXAMPLE: &'static str = "{ infravision_listed = true }";
    type Args = ModeArgs;
    type Options = NoOptions;
    type Outcome = ModeOutcome;

    fn resolve(args: ModeArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<ModeOutcome, RuleError> {
        Ok(ModeOutcome { infravision: args.infravision_spell, low_light: args.infravision_listed })
    }
}
