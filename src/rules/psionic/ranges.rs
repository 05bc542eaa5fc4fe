//! How far an attack mode goes, and what it covers.
//! Source: first-edition PSI-ATK-04 to PSI-ATK-06.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::modes::{AttackModeArgs, AttackModeStatistics, no_bought_range};
use super::names::{AttackMode, Forbidden, Inches, Only, RangeBand, reasons};
use crate::rules::core::{List, NoOptions, Referee, Rule, RuleError, Whole};

/// Measures at the table are decimal and a computer's are binary: a limit is inclusive, so a hair more passes.
pub(super) const HAIR: f64 = 1e-9;

// ---- bands ----

/// Where a target stands: in one of the bands or out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Within short range.
    Short,
    /// Within medium range.
    Medium,
    /// Within long range.
    Long,
    /// Farther than the mode goes.
    Out,
}

impl Reach {
    /// The band, when the target is in one.
    #[must_use]
    pub fn band(self) -> Option<RangeBand> {
        match self {
            Reach::Short => Some(RangeBand::Short),
            Reach::Medium => Some(RangeBand::Medium),
            Reach::Long => Some(RangeBand::Long),
            Reach::Out => None,
        }
    }
}

/// What `psionic.attack_range` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackRangeArgs {
    /// The mode.
    pub attack_mode: AttackMode,
    /// How far off the target is, in scale inches.
    pub distance: Inches,
    /// Bought range: two or three times the cost for two or three times the range.
    #[serde(default = "no_bought_range")]
    pub range_multiplier: Whole<1, 3>,
}

reasons! {
    /// Why the mode cannot be used so.
    RangeNotBought: RangeNotExtendable
}

/// In which band the target is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AttackRangeOutcome {
    /// Whether the mode can be used so.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<RangeNotBought>>")]
    pub reason: Option<Forbidden>,
    /// The band.
    pub range_band: Option<Reach>,
    /// What the attack costs, in attack strength.
    pub cost: Option<i64>,
}

rule! {
    /// Finds the range band of a target: the first of short, medium and long whose limit is not exceeded.
    pub struct AttackRange;
}

impl Rule for AttackRange {
    const NAME: &'static str = "psionic.attack_range";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-04"];
    const EXAMPLE: &'static str = r#"{ attack_mode = "mind_thrust", distance = 9.5, range_multiplier = 2 }"#;
    type Args = AttackRangeArgs;
    type Options = NoOptions;
    type Outcome = AttackRangeOutcome;

    fn resolve(
        args: AttackRangeArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackRangeOutcome, RuleError> {
        let AttackRangeArgs { attack_mode, distance, range_multiplier } = args;
        let mode = referee.call::<AttackModeStatistics>(AttackModeArgs { attack_mode, range_multiplier })?;
        if !mode.allowed {
            return Ok(AttackRangeOutcome { reason: mode.reason, ..Default::default() });
        }
        let limits = [(mode.short, Reach::Short), (mode.medium, Reach::Medium), (mode.long, Reach::Long)];
        let within = limits.into_iter().find(|(limit, _)| limit.is_some_and(|inches| distance.get() <= inches as f64));
        let range_band = Some(within.map_or(Reach::Out, |(_, band)| band));
        Ok(AttackRangeOutcome { allowed: true, reason: None, range_band, cost: mode.cost_per_segment })
    }
}

// ---- the cone of a blast ----

/// The cone of a blast in scale inches: across at its source, across at its end, and how far that is (PSI-ATK-05).
const CONE: (f64, f64, f64) = (0.5, 2.0, 6.0);

/// What `psionic.blast_cone` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastConeArgs {
    /// How far along the cone's middle the target is, in scale inches.
    pub distance: Inches,
    /// How far it is from that middle, in scale inches.
    pub offset: Inches,
}

/// Whether the blast strikes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastConeOutcome {
    /// How wide the cone is at that distance, in scale inches; past its end, how wide it would be.
    pub diameter: f64,
    /// Whether the target is inside: not past the end, and no farther from the middle than half the diameter.
    pub in_cone: bool,
}

rule! {
    /// Says whether a target is inside the cone of a Psionic Blast, which widens evenly from half an inch at its source
    /// to two inches at its end, six inches off.
    pub struct BlastCone;
}

impl Rule for BlastCone {
    const NAME: &'static str = "psionic.blast_cone";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-05"];
    const EXAMPLE: &'static str = "{ distance = 4, offset = 0.75 }";
    type Args = BlastConeArgs;
    type Options = NoOptions;
    type Outcome = BlastConeOutcome;

    fn resolve(args: BlastConeArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<BlastConeOutcome, RuleError> {
        let (near, far, end) = CONE;
        let distance = args.distance.get();
        let diameter = near + distance * ((far - near) / end);
        let in_cone = distance <= end && args.offset.get() <= diameter / 2.0 + HAIR;
        Ok(BlastConeOutcome { diameter, in_cone })
    }
}

// ---- the square of an insinuation ----

/// Half the side of the square, in scale inches (PSI-ATK-06).
const HALF_SQUARE: f64 = 1.0;

/// Somebody near the point aimed at.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AreaTarget {
    /// Its name.
    pub id: String,
    /// Whether it is psionic or otherwise sensitive.
    pub psionic_aware: bool,
    /// How far it is from the point, along one side of the square, in scale inches.
    pub dx: f64,
    /// How far it is from the point, along the other side, in scale inches.
    pub dy: f64,
}

/// What `psionic.id_insinuation_area` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IdInsinuationAreaArgs {
    /// All who may be in the area, friends among them.
    pub targets: List<AreaTarget>,
}

/// Who is attacked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IdInsinuationAreaOutcome {
    /// The names of those attacked; each resolves it with its own defense.
    pub affected: Vec<String>,
}

rule! {
    /// Lists whom an Id Insinuation strikes: all psionically aware minds in a square of two by two inches around the
    /// point aimed at, friends not spared.
    pub struct IdInsinuationArea;
}

impl Rule for IdInsinuationArea {
    const NAME: &'static str = "psionic.id_insinuation_area";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-06"];
    const EXAMPLE: &'static str = r#"{ targets = { { id = "seer", psionic_aware = true, dx = 1, dy = -0.5 } } }"#;
    type Args = IdInsinuationAreaArgs;
    type Options = NoOptions;
    type Outcome = IdInsinuationAreaOutcome;

    fn resolve(
        args: IdInsinuationAreaArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<IdInsinuationAreaOutcome, RuleError> {
        let inside = |offset: f64| offset.abs() <= HALF_SQUARE + HAIR;
        let struck = args.targets.into_iter().filter(|t| t.psionic_aware && inside(t.dx) && inside(t.dy));
        Ok(IdInsinuationAreaOutcome { affected: struck.map(|target| target.id).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_limit_belongs_to_the_nearer_band() {
        let band = |args: &str| outcome::<AttackRange>(args, &[]).range_band;
        assert_eq!(band(r#"{"attack_mode":"mind_thrust","distance":3}"#), Some(Reach::Short));
        assert_eq!(band(r#"{"attack_mode":"mind_thrust","distance":3.5}"#), Some(Reach::Medium));
        assert_eq!(band(r#"{"attack_mode":"psychic_crush","distance":5.5}"#), Some(Reach::Out));
    }

    #[test]
    fn the_cone_ends_at_six_inches() {
        assert!(outcome::<BlastCone>(r#"{"distance":6,"offset":1}"#, &[]).in_cone);
        assert!(!outcome::<BlastCone>(r#"{"distance":6.5,"offset":0}"#, &[]).in_cone);
    }

    #[test]
    fn a_distance_is_not_negative() {
        let error = resolved("psionic.blast_cone", r#"{"distance":-1,"offset":0}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (crate::rules::core::ErrorKind::OutOfRange, Some("distance")));
    }
}
