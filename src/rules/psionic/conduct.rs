//! What psionic combat allows: when it takes place, what fits into a segment, when it ends.
//! Source: first-edition PSI-ATK-07, PSI-DEF-06, PSI-DSC-06, PSI-CMB-01 to PSI-CMB-04, PSI-CMB-11.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{AttackMode, DefenseMode, Forbidden, Only, reasons};
use crate::rules::core::{Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};

/// A round has ten segments.
const SEGMENTS_A_ROUND: i64 = 10;

// ---- when ----

/// What `psionic.combat_segments` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CombatSegmentsArgs {
    /// Whether it begins during surprise.
    #[serde(default)]
    pub in_surprise: bool,
    /// How many segments the surprise lasts; needed during surprise.
    #[serde(default)]
    pub surprise_segments: Option<Positive>,
    /// Whether the side that begins it is surprised. Where both are and the difference counts, the side with no segment
    /// left to lose is not.
    #[serde(default)]
    pub initiator_side_surprised: bool,
}

reasons! {
    /// Why psionic combat cannot begin.
    CannotBegin: SideIsSurprised
}

/// The segments of psionic combat.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CombatSegmentsOutcome {
    /// Whether it can begin.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<CannotBegin>>")]
    pub reason: Option<Forbidden>,
    /// The first segment of it.
    pub first_segment: Option<i64>,
    /// How many segments it has at most.
    pub segments: i64,
    /// False: psionic combat begins on the first segment whoever won initiative.
    pub initiative_matters: bool,
}

rule! {
    /// Says when psionic combat takes place: from the first segment of the round whatever the initiative, or through
    /// every segment of a surprise, begun by a side that is not surprised.
    ///
    /// Those whom it draws in lose the action they had declared; that bystanders keep theirs is our reading.
    pub struct CombatSegments;
}

impl Rule for CombatSegments {
    const NAME: &'static str = "psionic.combat_segments";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-CMB-01", "first-edition PSI-CMB-02"];
    const EXAMPLE: &'static str = "{ in_surprise = true, surprise_segments = 2 }";
    type Args = CombatSegmentsArgs;
    type Options = NoOptions;
    type Outcome = CombatSegmentsOutcome;

    fn resolve(
        args: CombatSegmentsArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<CombatSegmentsOutcome, RuleError> {
        let fought = |segments: i64| CombatSegmentsOutcome {
            allowed: segments > 0,
            reason: (segments == 0).then_some(Forbidden::SideIsSurprised),
            first_segment: (segments > 0).then_some(1),
            segments,
            initiative_matters: false,
        };
        match args.surprise_segments {
            _ if !args.in_surprise => Ok(fought(SEGMENTS_A_ROUND)),
            _ if args.initiator_side_surprised => Ok(fought(0)),
            Some(segments) => Ok(fought(segments.get())),
            None => Err(RuleError::missing("surprise_segments")),
        }
    }
}

/// What `psionic.combat_ends` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CombatEndsArgs {
    /// The segment just fought.
    pub segment: Whole<1, SEGMENTS_A_ROUND>,
    /// Whether either side attacked psionically in it.
    pub any_attack: bool,
}

/// Whether the exchange is over.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CombatEndsOutcome {
    /// Whether it is over. In surprise it also ends with the surprise.
    pub ends: bool,
}

rule! {
    /// Says whether psionic combat ends: after the tenth segment, or after one in which neither side attacked.
    pub struct CombatEnds;
}

impl Rule for CombatEnds {
    const NAME: &'static str = "psionic.combat_ends";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-CMB-11"];
    const EXAMPLE: &'static str = "{ segment = 3, any_attack = true }";
    type Args = CombatEndsArgs;
    type Options = NoOptions;
    type Outcome = CombatEndsOutcome;

    fn resolve(args: CombatEndsArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<CombatEndsOutcome, RuleError> {
        Ok(CombatEndsOutcome { ends: !args.any_attack || args.segment.get() >= SEGMENTS_A_ROUND })
    }
}

// ---- the defense beside a crush ----

/// What `psionic.psychic_crush_defense` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PsychicCrushDefenseArgs {
    /// The attacker's own defense mode, if any.
    #[serde(default)]
    pub defense_mode: Option<DefenseMode>,
}

reasons! {
    /// Why a defense cannot stand beside Psychic Crush.
    NotBesideCrush: CrushLimitsDefense
}

/// Whether it goes together.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PsychicCrushDefenseOutcome {
    /// Whether the user of Psychic Crush may defend so.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<NotBesideCrush>>")]
    pub reason: Option<Forbidden>,
}

/// Whether a mode may stand beside Psychic Crush: Thought Shield or none.
fn stands_beside_crush(defense_mode: Option<DefenseMode>) -> bool {
    matches!(defense_mode, None | Some(DefenseMode::ThoughtShield))
}

rule! {
    /// Says whether the user of Psychic Crush may defend with a mode: only with Thought Shield, or not at all.
    pub struct PsychicCrushDefense;
}

impl Rule for PsychicCrushDefense {
    const NAME: &'static str = "psionic.psychic_crush_defense";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-07"];
    const EXAMPLE: &'static str = r#"{ defense_mode = "thought_shield" }"#;
    type Args = PsychicCrushDefenseArgs;
    type Options = NoOptions;
    type Outcome = PsychicCrushDefenseOutcome;

    fn resolve(
        args: PsychicCrushDefenseArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<PsychicCrushDefenseOutcome, RuleError> {
        let allowed = stands_beside_crush(args.defense_mode);
        Ok(PsychicCrushDefenseOutcome { allowed, reason: (!allowed).then_some(Forbidden::CrushLimitsDefense) })
    }
}

// ---- what fits into a segment ----

/// What `psionic.may_act` is asked: all that a creature means to do in one segment.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayActArgs {
    /// Its attack mode.
    #[serde(default)]
    pub attack_mode: Option<AttackMode>,
    /// Its defense mode; one a segment.
    #[serde(default)]
    pub defense_mode: Option<DefenseMode>,
    /// How many disciplines it uses.
    #[serde(default)]
    pub disciplines: Natural,
    /// Whether it moves, a segment's worth.
    #[serde(default)]
    pub r#move: bool,
    /// Whether it does something that is not psionic: fights, casts a spell.
    #[serde(default)]
    pub other_action: bool,
    /// Whether it did something that is not psionic earlier in the round.
    #[serde(default)]
    pub other_action_this_round: bool,
    /// Whether Thought Shield was taken in the first segment and has been the only defense of the round.
    #[serde(default)]
    pub thought_shield_from_segment_1: bool,
    /// Whether a blow has hurt it this round, or a spell damaged or affected it; a miss does not distract.
    #[serde(default)]
    pub distracted: bool,
}

/// Why a creature may not do all that at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Conduct {
    /// Distracted: only defense is left for the round (PSI-CMB-04).
    Distracted,
    /// With an attack mode goes nothing but a defense (PSI-CMB-03, PSI-DSC-06).
    AttackExcludesOtherActivity,
    /// Never two disciplines at once (PSI-DSC-06).
    TwoDisciplines,
    /// Acting otherwise bars psionic attacks for the whole round (PSI-DEF-06).
    NoPsionicAttackAfterOtherAction,
    /// With Psychic Crush there is no defense but Thought Shield or none (PSI-ATK-07).
    CrushLimitsDefense,
    /// Only Thought Shield, from the first segment on, stays up while acting otherwise (PSI-DEF-06).
    OnlyThoughtShieldAllowsOtherAction,
    /// Beside a defense there is one other thing to do (PSI-CMB-03).
    OneOtherActionOnly,
}

/// Whether it all fits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayActOutcome {
    /// Whether it all fits into the segment.
    pub allowed: bool,
    /// Why not; the first reason of several.
    pub reason: Option<Conduct>,
}

impl MayActArgs {
    /// Asks for a psionic attack and nothing else; which one does not matter to what hinders it.
    pub(super) fn attacking(distracted: bool) -> Self {
        MayActArgs {
            attack_mode: Some(AttackMode::MindThrust),
            defense_mode: None,
            disciplines: Natural::clamped(0),
            r#move: false,
            other_action: false,
            other_action_this_round: false,
            thought_shield_from_segment_1: false,
            distracted,
        }
    }

    /// The first reason against it.
    fn hindrance(&self) -> Option<Conduct> {
        let attacks = self.attack_mode.is_some();
        let disciplines = self.disciplines.get();
        let others = disciplines + i64::from(self.r#move) + i64::from(self.other_action);
        let shielded = self.defense_mode == Some(DefenseMode::ThoughtShield) && self.thought_shield_from_segment_1;
        let checks = [
            (self.distracted && (attacks || others > 0), Conduct::Distracted),
            (attacks && others > 0, Conduct::AttackExcludesOtherActivity),
            (disciplines > 1, Conduct::TwoDisciplines),
            (attacks && self.other_action_this_round, Conduct::NoPsionicAttackAfterOtherAction),
            (
                self.attack_mode == Some(AttackMode::PsychicCrush) && !stands_beside_crush(self.defense_mode),
                Conduct::CrushLimitsDefense,
            ),
            (
                self.other_action && self.defense_mode.is_some() && !shielded,
                Conduct::OnlyThoughtShieldAllowsOtherAction,
            ),
            (others > 1, Conduct::OneOtherActionOnly),
        ];
        checks.into_iter().find(|(stands, _)| *stands).map(|(_, reason)| reason)
    }
}

rule! {
    /// Says whether what a creature means to do fits into a segment: a defense and one thing more, which is an attack,
    /// a discipline or a segment of movement.
    ///
    /// Under Thought Shield taken in the first segment the one thing may be anything but a psionic attack. A discipline
    /// goes with any defense. Resting in place is no action.
    pub struct MayAct;
}

impl Rule for MayAct {
    const NAME: &'static str = "psionic.may_act";
    const SOURCE: &'static [&'static str] = &[
        "first-edition PSI-CMB-03",
        "first-edition PSI-CMB-04",
        "first-edition PSI-DEF-06",
        "first-edition PSI-DSC-06",
    ];
    const EXAMPLE: &'static str = r#"{ attack_mode = "ego_whip", defense_mode = "mental_barrier" }"#;
    type Args = MayActArgs;
    type Options = NoOptions;
    type Outcome = MayActOutcome;

    fn resolve(args: MayActArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<MayActOutcome, RuleError> {
        let reason = args.hindrance();
        Ok(MayActOutcome { allowed: reason.is_none(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    fn hindrance(args: &str) -> Option<Conduct> {
        outcome::<MayAct>(args, &[]).reason
    }

    #[test]
    fn the_distracted_still_defend() {
        assert_eq!(hindrance(r#"{"distracted":true,"defense_mode":"mind_blank"}"#), None);
        assert_eq!(hindrance(r#"{"distracted":true,"attack_mode":"ego_whip"}"#), Some(Conduct::Distracted));
    }

    #[test]
    fn thought_shield_lets_its_user_fight() {
        let fighting = |rest: &str| hindrance(&format!(r#"{{"other_action":true,{rest}}}"#));
        let shield = r#""defense_mode":"thought_shield","thought_shield_from_segment_1":true"#;
        assert_eq!(fighting(shield), None);
        let late = r#""defense_mode":"thought_shield""#;
        assert_eq!(fighting(late), Some(Conduct::OnlyThoughtShieldAllowsOtherAction));
    }

    #[test]
    fn an_attack_leaves_room_for_a_defense_only() {
        let moving = r#"{"attack_mode":"ego_whip","move":true}"#;
        assert_eq!(hindrance(moving), Some(Conduct::AttackExcludesOtherActivity));
        assert_eq!(hindrance(r#"{"disciplines":2}"#), Some(Conduct::TwoDisciplines));
    }

    #[test]
    fn a_surprised_side_cannot_begin() {
        let begun = outcome::<CombatSegments>(r#"{"in_surprise":true,"initiator_side_surprised":true}"#, &[]);
        assert_eq!((begun.allowed, begun.reason), (false, Some(Forbidden::SideIsSurprised)));
        let error = resolved("psionic.combat_segments", r#"{"in_surprise":true}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("surprise_segments"));
    }

    #[test]
    fn ten_segments_or_a_quiet_one_end_it() {
        assert!(outcome::<CombatEnds>(r#"{"segment":10,"any_attack":true}"#, &[]).ends);
        assert!(outcome::<CombatEnds>(r#"{"segment":1,"any_attack":false}"#, &[]).ends);
        assert!(!outcome::<CombatEnds>(r#"{"segment":9,"any_attack":true}"#, &[]).ends);
    }
}
