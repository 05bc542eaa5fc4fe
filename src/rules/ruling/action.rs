//! Acting: in surprise, in hiding, while casting, at a door, under spells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};

/// The level from which characters can radiate good or evil (RULING-06).
const RADIATES_FROM: i64 = 8;
/// Ready missiles fly at so many times the normal rate in surprise (RULING-07).
const READY_RATE: i64 = 3;

/// What `ruling.polymorph_checks` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PolymorphArgs {
    /// Whether the one to be changed agrees.
    pub willing: bool,
}

/// A roll that a change of form asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PolymorphCheck {
    /// A saving throw; made, it stops the change and all further rolls.
    SavingThrow,
    /// A system shock roll.
    SystemShock,
}

/// The rolls that a change of form asks for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PolymorphOutcome {
    /// In order.
    pub checks: Vec<PolymorphCheck>,
}

rule! {
    /// Tells what somebody rolls who is to be polymorphed: system shock, and a saving throw before it for the
    /// unwilling.
    pub struct PolymorphChecks;
}

impl Rule for PolymorphChecks {
    const NAME: &'static str = "ruling.polymorph_checks";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-04"];
    const EXAMPLE: &'static str = "{ willing = true }";
    type Args = PolymorphArgs;
    type Options = NoOptions;
    type Outcome = PolymorphOutcome;

    fn resolve(args: PolymorphArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<PolymorphOutcome, RuleError> {
        let save = (!args.willing).then_some(PolymorphCheck::SavingThrow);
        Ok(PolymorphOutcome { checks: save.into_iter().chain([PolymorphCheck::SystemShock]).collect() })
    }
}

/// What `ruling.detect_evil` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DetectEvilArgs {
    /// The character's level.
    pub level: Positive,
    /// Whether the character is strongly aligned and does not stray.
    pub strongly_aligned: bool,
    /// Whether the character is intent upon fitting actions.
    pub acting_on_it: bool,
}

/// Whether a character can be detected.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DetectEvilOutcome {
    /// Whether the character might radiate good or evil; whether it does is the referee's.
    pub may_radiate: bool,
}

rule! {
    /// Tells whether Detect Evil can find a character at all: of 8th level or higher, strongly aligned, and intent on
    /// it.
    pub struct DetectEvil;
}

impl Rule for DetectEvil {
    const NAME: &'static str = "ruling.detect_evil";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-06"];
    const EXAMPLE: &'static str = "{ level = 8, strongly_aligned = true, acting_on_it = true }";
    type Args = DetectEvilArgs;
    type Options = NoOptions;
    type Outcome = DetectEvilOutcome;

    fn resolve(args: DetectEvilArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<DetectEvilOutcome, RuleError> {
        let may_radiate = args.level.get() >= RADIATES_FROM && args.strongly_aligned && args.acting_on_it;
        Ok(DetectEvilOutcome { may_radiate })
    }
}

/// Which book's missiles fly (RULING-07, RULING-13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MissileSource {
    /// The later book: three times the normal rate when ready, the normal rate otherwise.
    #[default]
    Later,
    /// The earlier book: one shot a segment.
    Earlier,
}

/// How often the later book's rate counts (RULING-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RatePer {
    /// In each segment of surprise.
    #[default]
    Segment,
    /// Once for the whole surprise.
    Surprise,
}

/// The switches of missiles in surprise.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SurpriseMissilesOptions {
    /// Which book's missiles fly.
    pub source: MissileSource,
    /// How often the later book's rate counts.
    #[serde(alias = "rate_applies_per")]
    pub per: RatePer,
}

/// What `ruling.surprise_missiles` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SurpriseMissilesArgs {
    /// Shots in an ordinary round.
    pub rate_of_fire: Positive,
    /// Whether the weapon was ready.
    pub ready: bool,
    /// Segments of surprise; 1 when not given.
    #[serde(default = "one")]
    pub segments: Positive,
}

fn one() -> Positive {
    Positive::clamped(1)
}

/// Shots in surprise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SurpriseMissilesOutcome {
    /// How many.
    pub shots: i64,
}

rule! {
    /// Counts missiles in surprise: three times the normal rate when ready, otherwise the normal one, in each segment.
    pub struct SurpriseMissiles;
}

impl Rule for SurpriseMissiles {
    const NAME: &'static str = "ruling.surprise_missiles";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-07", "first-edition RULING-13"];
    const EXAMPLE: &'static str = "{ rate_of_fire = 2, ready = true }";
    type Args = SurpriseMissilesArgs;
    type Options = SurpriseMissilesOptions;
    type Outcome = SurpriseMissilesOutcome;

    fn resolve(
        args: SurpriseMissilesArgs,
        options: SurpriseMissilesOptions,
        _: &mut Referee<'_>,
    ) -> Result<SurpriseMissilesOutcome, RuleError> {
        let segments = args.segments.get();
        let rate = args.rate_of_fire.get() * if args.ready { READY_RATE } else { 1 };
        let shots = match (options.source, options.per) {
            (MissileSource::Earlier, _) => segments,
            (MissileSource::Later, RatePer::Segment) => rate * segments,
            (MissileSource::Later, RatePer::Surprise) => rate,
        };
        Ok(SurpriseMissilesOutcome { shots })
    }
}

/// What `ruling.surprise_spell` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SurpriseSpellArgs {
    /// The spell's casting time, in segments.
    pub casting_segments: Positive,
    /// Segments of surprise.
    pub surprise_segments: Natural,
}

/// Whether a spell is done in time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SurpriseSpellOutcome {
    /// Whether it is finished within the surprise.
    pub completes: bool,
    /// Whether a blow after the surprise can still spoil it.
    pub can_be_spoiled_afterwards: bool,
}

rule! {
    /// Tells whether a spell begun in surprise is finished there; then nothing can spoil it.
    pub struct SurpriseSpell;
}

impl Rule for SurpriseSpell {
    const NAME: &'static str = "ruling.surprise_spell";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-08"];
    const EXAMPLE: &'static str = "{ casting_segments = 1, surprise_segments = 1 }";
    type Args = SurpriseSpellArgs;
    type Options = NoOptions;
    type Outcome = SurpriseSpellOutcome;

    fn resolve(args: SurpriseSpellArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SurpriseSpellOutcome, RuleError> {
        let completes = args.casting_segments.get() <= args.surprise_segments.get();
        Ok(SurpriseSpellOutcome { completes, can_be_spoiled_afterwards: !completes })
    }
}

/// What `ruling.hide_in_shadows` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HideInShadowsArgs {
    /// Whether anybody watches, directly or indirectly.
    pub observed: bool,
    /// Whether the thief moves.
    pub moving: bool,
}

/// What comes of hiding.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HideInShadowsOutcome {
    /// Whether the thief may try: always, however foolish.
    pub attempt_allowed: bool,
    /// Whether it succeeds; nothing when it is to be rolled.
    pub succeeds: Option<bool>,
    /// Whether a thief who was hidden is found by moving.
    pub reveals: bool,
    /// Whether the thief is seen.
    pub seen: bool,
}

rule! {
    /// Tells what comes of hiding in shadows: under observation the attempt fails and is seen, and moving gives away
    /// who was hidden; unobserved it is an ordinary attempt, still or moving.
    pub struct HideInShadows;
}

impl Rule for HideInShadows {
    const NAME: &'static str = "ruling.hide_in_shadows";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-09"];
    const EXAMPLE: &'static str = "{ observed = false, moving = false }";
    type Args = HideInShadowsArgs;
    type Options = NoOptions;
    type Outcome = HideInShadowsOutcome;

    fn resolve(args: HideInShadowsArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<HideInShadowsOutcome, RuleError> {
        Ok(HideInShadowsOutcome {
            attempt_allowed: true,
            succeeds: args.observed.then_some(false),
            reveals: args.observed && args.moving,
            seen: args.observed,
        })
    }
}

/// What `ruling.cast_and_move` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastAndMoveArgs {
    /// Whether a spell is cast this round.
    pub casts: bool,
    /// Whether the caster moves this round; ten feet apart counts as in reach and needs no move.
    pub moves: bool,
    /// Whether the caster flies; by default not.
    #[serde(default)]
    pub flying: bool,
}

/// Whether both go together.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastAndMoveOutcome {
    /// Whether the round is allowed.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<CastAndMoveRefusal>,
}

/// Why a round is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CastAndMoveRefusal {
    /// Nobody casts and walks in one round.
    CastingAndMoving,
}

rule! {
    /// Tells whether somebody may cast and move in one round: only flying.
    pub struct CastAndMove;
}

impl Rule for CastAndMove {
    const NAME: &'static str = "ruling.cast_and_move";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-14"];
    const EXAMPLE: &'static str = "{ casts = true, moves = true, flying = true }";
    type Args = CastAndMoveArgs;
    type Options = NoOptions;
    type Outcome = CastAndMoveOutcome;

    fn resolve(args: CastAndMoveArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<CastAndMoveOutcome, RuleError> {
        let allowed = args.flying || !(args.casts && args.moves);
        let reason = (!allowed).then_some(CastAndMoveRefusal::CastingAndMoving);
        Ok(CastAndMoveOutcome { allowed, reason })
    }
}

/// What `ruling.hear_noise` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HearNoiseArgs {
    /// What d20 must not exceed, 0 to 20, as the referee has it for the listener.
    pub target: Whole<0, 20>,
}

/// The die of listening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HearNoiseDie {
    /// A d20.
    D20,
}

/// Whether something is heard.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HearNoiseOutcome {
    /// The die: d20.
    pub die: HearNoiseDie,
    /// What it showed.
    pub roll: i64,
    /// Whether something is heard, if there is anything.
    pub heard: bool,
}

rule! {
    /// Listens at a door, on d20 and not on d6.
    pub struct HearNoise;
}

impl Rule for HearNoise {
    const NAME: &'static str = "ruling.hear_noise";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-17"];
    const EXAMPLE: &'static str = "{ target = 3 }";
    type Args = HearNoiseArgs;
    type Options = NoOptions;
    type Outcome = HearNoiseOutcome;

    fn resolve(args: HearNoiseArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<HearNoiseOutcome, RuleError> {
        referee.need(|| format!("{} or less on d20", args.target));
        let roll = referee.d(20, "hear noise")?;
        Ok(HearNoiseOutcome { die: HearNoiseDie::D20, roll, heard: roll <= args.target.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn the_unwilling_save_before_the_shock() {
        let checks = outcome::<PolymorphChecks>(r#"{"willing":false}"#, &[]).checks;
        assert_eq!(checks, [PolymorphCheck::SavingThrow, PolymorphCheck::SystemShock]);
    }

    #[test]
    fn characters_below_eighth_level_never_radiate() {
        let args = |level| format!(r#"{{"level":{level},"strongly_aligned":true,"acting_on_it":true}}"#);
        assert!(!outcome::<DetectEvil>(&args(7), &[]).may_radiate);
        assert!(outcome::<DetectEvil>(&args(8), &[]).may_radiate);
    }

    #[test]
    fn the_multiplied_rate_counts_for_each_segment_unless_switched() {
        let shots = |rest| {
            let args = format!(r#"{{"rate_of_fire":2,"ready":true,"segments":2{rest}}}"#);
            outcome::<SurpriseMissiles>(&args, &[]).shots
        };
        assert_eq!(shots(""), 12);
        assert_eq!(shots(r#","options":{"per":"surprise"}"#), 6);
        assert_eq!(shots(r#","options":{"rate_applies_per":"surprise"}"#), 6);
    }

    #[test]
    fn a_thief_watched_is_seen_still_or_moving() {
        let hidden = |args| outcome::<HideInShadows>(args, &[]);
        let still = hidden(r#"{"observed":true,"moving":false}"#);
        assert_eq!((still.succeeds, still.seen, still.reveals), (Some(false), true, false));
        let unseen = hidden(r#"{"observed":false,"moving":true}"#);
        assert_eq!((unseen.succeeds, unseen.seen), (None, false));
    }

    #[test]
    fn nobody_casts_and_walks() {
        let walking = outcome::<CastAndMove>(r#"{"casts":true,"moves":true}"#, &[]);
        assert_eq!((walking.allowed, walking.reason), (false, Some(CastAndMoveRefusal::CastingAndMoving)));
    }
}
