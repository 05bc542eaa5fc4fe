//! Casting a spell while somebody strikes, and two spells at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{Modifier, NoOptions, Referee, Rule, RuleError, Whole};

/// What an attack on a caster at work does (MAN-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpellDisruption {
    /// It calls for a saving throw.
    #[default]
    Save,
    /// It spoils the spell.
    Auto,
}

/// The switches of a disrupted spell.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DisruptOptions {
    /// What an attack on a caster at work does (MAN-08).
    pub spell_disruption: SpellDisruption,
}

/// What `maneuver.disrupt_spell` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisruptArgs {
    /// How many hands the caster has free; one is needed.
    #[serde(default = "one_hand")]
    pub free_hands: Whole<0, 8>,
    /// Whether the caster can speak.
    #[serde(default = "crate::rules::core::yes")]
    pub can_speak: bool,
    /// Whether the caster is attacked on the very number of initiative on which the spell is cast.
    #[serde(default)]
    pub attacked_while_casting: bool,
    /// The number the caster's saving throw must reach; needed when the attack calls for one.
    #[serde(default)]
    pub save: Option<Whole<1, 40>>,
    /// Added to the saving throw.
    #[serde(default)]
    pub modifier: Modifier,
}

fn one_hand() -> Whole<0, 8> {
    Whole::clamped(1)
}

/// What becomes of a spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spell {
    /// It is cast.
    Cast,
    /// It is lost.
    Lost,
    /// It cannot be begun.
    NotCast,
}

/// Why a spell cannot be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CastFault {
    /// No hand is free.
    Hands,
    /// The caster cannot speak.
    Speech,
}

/// What becomes of a spell in combat.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisruptOutcome {
    /// Whether it can be begun.
    pub may_cast: bool,
    /// Why not; nothing when it can.
    pub reason: Option<CastFault>,
    /// What becomes of it.
    pub spell: Spell,
    /// The saving throw's die; nothing without a saving throw.
    pub roll: Option<i64>,
    /// Die and modifier.
    pub total: Option<i64>,
    /// Whether the saving throw was made.
    pub success: Option<bool>,
}

rule! {
    /// Tells whether a spell is cast, lost or not begun: casting takes a free hand and speech, and an attack on the
    /// caster's own number calls for a saving throw.
    ///
    /// What the saving throw is "based on" is garbled in the source; its number comes from the caller.
    pub struct DisruptSpell;
}

impl Rule for DisruptSpell {
    const NAME: &'static str = "maneuver.disrupt_spell";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-08"];
    const EXAMPLE: &'static str = "{ attacked_while_casting = true, save = 14 }";
    type Args = DisruptArgs;
    type Options = DisruptOptions;
    type Outcome = DisruptOutcome;

    fn resolve(
        args: DisruptArgs,
        options: DisruptOptions,
        referee: &mut Referee<'_>,
    ) -> Result<DisruptOutcome, RuleError> {
        let reason = if args.free_hands.get() < 1 {
            Some(CastFault::Hands)
        } else if !args.can_speak {
            Some(CastFault::Speech)
        } else {
            None
        };
        let unrolled = |spell| DisruptOutcome {
            may_cast: reason.is_none(),
            reason,
            spell,
            roll: None,
            total: None,
            success: None,
        };
        if reason.is_some() {
            return Ok(unrolled(Spell::NotCast));
        }
        if !args.attacked_while_casting {
            return Ok(unrolled(Spell::Cast));
        }
        if options.spell_disruption == SpellDisruption::Auto {
            return Ok(unrolled(Spell::Lost));
        }
        let save = args.save.ok_or_else(|| RuleError::missing("save"))?;
        referee.need(|| format!("at least {save}"));
        let roll = referee.d(20, "save")?;
        referee.modifier(args.modifier.get(), "to the save");
        let total = roll + args.modifier.get();
        let success = total >= save.get();
        let spell = if success { Spell::Cast } else { Spell::Lost };
        Ok(DisruptOutcome { roll: Some(roll), total: Some(total), success: Some(success), ..unrolled(spell) })
    }
}

/// One of two casters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Caster {
    /// The first.
    A,
    /// The second.
    B,
}

/// What `maneuver.spell_duel` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpellDuelArgs {
    /// The first caster's initiative, before any waiting.
    pub a_initiative: Modifier,
    /// The second caster's.
    pub b_initiative: Modifier,
    /// Who held back a spell for the other's number, when somebody did.
    #[serde(default)]
    pub delayed_by: Option<Caster>,
}

/// How a caster's spell stands in a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DuelSpell {
    /// It is cast.
    Cast,
    /// It may be lost to the other's: ask `maneuver.disrupt_spell`.
    AtRisk,
}

/// How both spells stand.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpellDuelOutcome {
    /// The first caster's spell.
    pub a: DuelSpell,
    /// The second caster's spell.
    pub b: DuelSpell,
}

rule! {
    /// Tells what becomes of two spells cast at once: both succeed, unless one caster had the better initiative and
    /// held back to strike while the other was casting.
    pub struct SpellDuel;
}

impl Rule for SpellDuel {
    const NAME: &'static str = "maneuver.spell_duel";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-08"];
    const EXAMPLE: &'static str = r#"{ a_initiative = 5, b_initiative = 4, delayed_by = "a" }"#;
    type Args = SpellDuelArgs;
    type Options = NoOptions;
    type Outcome = SpellDuelOutcome;

    fn resolve(args: SpellDuelArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SpellDuelOutcome, RuleError> {
        let SpellDuelArgs { a_initiative, b_initiative, delayed_by } = args;
        let stands = |threatened| if threatened { DuelSpell::AtRisk } else { DuelSpell::Cast };
        Ok(SpellDuelOutcome {
            a: stands(delayed_by == Some(Caster::B) && b_initiative > a_initiative),
            b: stands(delayed_by == Some(Caster::A) && a_initiative > b_initiative),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_gagged_caster_casts_nothing_and_an_attacked_one_saves() {
        assert_eq!(outcome::<DisruptSpell>(r#"{"can_speak":false}"#, &[]).reason, Some(CastFault::Speech));
        assert_eq!(outcome::<DisruptSpell>(r#"{"attacked_while_casting":true,"save":14}"#, &[13]).spell, Spell::Lost);
        let error = resolved("maneuver.disrupt_spell", r#"{"attacked_while_casting":true}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("save")));
    }

    #[test]
    fn the_slower_caster_gains_nothing_by_waiting() {
        let duel = outcome::<SpellDuel>(r#"{"a_initiative":3,"b_initiative":4,"delayed_by":"a"}"#, &[]);
        assert_eq!((duel.a, duel.b), (DuelSpell::Cast, DuelSpell::Cast));
    }
}
