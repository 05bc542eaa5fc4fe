//! What a failed save against Psionic Blast brings.
//! Source: first-edition PSI-NPB-04, PSI-NPB-05; Appendix D.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blast::BLAST;
use super::{Lasting, TimeUnit, keyed, present};
use crate::rules::core::{
    AnyTable, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, band_of, one_row_each, row_of,
};

// ---- figures ----

/// What a failed save brings (PSI-NPB-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlastEffect {
    /// Dead; can be raised.
    Death,
    /// In a coma.
    Coma,
    /// Asleep.
    Sleep,
    /// Stunned: 3 less on these saves, 4 more for others to hit.
    Stun,
    /// Confused as by the spell.
    Confuse,
    /// Enraged: must attack at once by blow or spell, without defense.
    Enrage,
    /// In panic, as by the fear spell of a 4th-level caster.
    Panic,
    /// Feebleminded: a total of 0 to 5, spells forgotten, neither attack nor defense.
    Feeblemind,
    /// Two forms of insanity until cured; insanity does not show at once.
    PermanentInsanity,
    /// Two forms of insanity for a time.
    TemporaryInsanity,
    /// One form of insanity for a time.
    MildInsanity,
}

impl BlastEffect {
    const ALL: [Self; 11] = [
        Self::Death,
        Self::Coma,
        Self::Sleep,
        Self::Stun,
        Self::Confuse,
        Self::Enrage,
        Self::Panic,
        Self::Feeblemind,
        Self::PermanentInsanity,
        Self::TemporaryInsanity,
        Self::MildInsanity,
    ];
}

/// How an effect lasts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlastEffectRow {
    effect: BlastEffect,
    #[serde(default)]
    lasts: Option<Lasting>,
    #[serde(default)]
    cured_by: Option<Vec<String>>,
    #[serde(default)]
    insanities: Option<Whole<0, 20>>,
}

/// How the effects of Psionic Blast last (PSI-NPB-05).
static BLAST_EFFECTS: Table<BlastEffectRow> =
    Table::new("psionic_blast_effects", include_str!("../data/psionic_blast_effects.json"), one_row_each);

keyed!(BlastEffectRow, effect: BlastEffect, BlastEffect::ALL);

// ---- the rule ----

/// What `psionic.blast_effect` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastEffectArgs {
    /// Intelligence and wisdom together, as they counted for the save.
    pub int_plus_wis: Natural,
}

/// What befalls the victim.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastEffectOutcome {
    /// What d100 showed.
    pub roll: i64,
    /// The effect.
    pub effect: BlastEffect,
    /// How long it lasts, in `unit`.
    pub duration: Option<i64>,
    /// The unit of the duration.
    pub unit: Option<TimeUnit>,
    /// What ends it, when time does not.
    pub cured_by: Option<Vec<String>>,
    /// How many forms of insanity to choose.
    pub insanities: Option<i64>,
}

rule! {
    /// Rolls what a failed save against Psionic Blast brings, by intelligence and wisdom together, and how long it
    /// lasts.
    pub struct BlastEffectRoll;
}

impl Rule for BlastEffectRoll {
    const NAME: &'static str = "psionic.blast_effect";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-NPB-04", "first-edition PSI-NPB-05"];
    const EXAMPLE: &'static str = "{ int_plus_wis = 22 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&BLAST, &BLAST_EFFECTS];
    type Args = BlastEffectArgs;
    type Options = NoOptions;
    type Outcome = BlastEffectOutcome;

    fn resolve(
        args: BlastEffectArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<BlastEffectOutcome, RuleError> {
        let rows = referee.table(&BLAST);
        let row = present(band_of(&rows, args.int_plus_wis.get()), "the total")?;
        let roll = referee.d(100, "effect of the blast")?;
        let effect = present(row.effects.iter().find(|effect| roll <= effect.to.get()), "the roll")?.effect;
        let rows = referee.table(&BLAST_EFFECTS);
        let details = row_of(&rows, effect)?;
        let duration = details.lasts.as_ref().map(|lasting| lasting.roll(referee)).transpose()?;
        Ok(BlastEffectOutcome {
            roll,
            effect,
            duration,
            unit: details.lasts.as_ref().map(|lasting| lasting.unit),
            cured_by: details.cured_by.clone(),
            insanities: details.insanities.map(Whole::get),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn temporary_insanity_lasts_two_to_twelve_weeks() {
        let effect = outcome::<BlastEffectRoll>(r#"{"int_plus_wis":30}"#, &[100, 6, 6]);
        assert_eq!((effect.effect, effect.duration), (BlastEffect::TemporaryInsanity, Some(12)));
        assert_eq!(effect.insanities, Some(2));
    }
}
