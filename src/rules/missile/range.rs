//! The range of a shot.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::weapons::{WeaponRanges, WeaponRangesArgs};
use crate::rules::attack::{Modifiers, ModifiersArgs};
use crate::rules::core::{
    AnyTable, Keyed, Modifier, Natural, Positive, Referee, Rule, RuleError, Table, one_row_each, row_of,
};

/// Within this distance in feet a shot is at point-blank range (MIS-02).
pub(super) const POINT_BLANK_FEET: i64 = 5;
/// How far a target is, in the terms of missile fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RangeBand {
    /// Up to the weapon's short range.
    Short,
    /// Beyond short, up to medium range.
    Medium,
    /// Beyond medium, up to long range.
    Long,
    /// Beyond long range: the shot cannot be made.
    Beyond,
    /// Within 5 ft of a foe who sees the shooter and can strike.
    PointBlank,
    /// Within 5 ft of a foe who cannot: the penalty falls away.
    PointBlankFree,
}

/// A row of the table of range modifiers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RangeRow {
    /// The range: short, medium, long or point blank.
    pub range_band: RangeBand,
    /// What it adds to the attack roll.
    pub modifier: Modifier,
}

impl Keyed for RangeRow {
    type Key = RangeBand;
    const KEYS: &'static [RangeBand] = &[RangeBand::Short, RangeBand::Medium, RangeBand::Long, RangeBand::PointBlank];
    fn key(&self) -> RangeBand {
        self.range_band
    }
}

static MISSILE_RANGE: Table<RangeRow> =
    Table::new("missile_range", include_str!("../data/missile_range.json"), one_row_each);

/// How the point-blank penalty and the bonus for short range go together (MIS-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PointBlank {
    /// The penalty stands instead of the range's modifier.
    #[default]
    Replaces,
    /// The penalty comes on top of the range's modifier.
    Adds,
}

/// The switches of a range.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RangeOptions {
    /// How the point-blank penalty and the bonus for short range go together (MIS-02).
    pub point_blank: PointBlank,
}

/// What `missile.range` is asked. Distances are in feet.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct RangeArgs {
    /// How far the target is, in feet.
    pub distance: Natural,
    /// Greatest distance of short range, in feet.
    #[serde(default)]
    pub short: Option<Positive>,
    /// Greatest distance of medium range, in feet; at least the short one.
    #[serde(default)]
    pub medium: Option<Positive>,
    /// Greatest distance of long range, in feet; at least the medium one.
    #[serde(default)]
    pub long: Option<Positive>,
    /// A weapon instead of its three ranges: `longbow`, `sling`, `ballista` (see `missile.weapon_ranges`).
    #[serde(default)]
    pub weapon: Option<String>,
    /// Whether the shooter is behind the target; counts only within 5 ft (MIS-02).
    #[serde(default)]
    pub behind: bool,
    /// Whether the target has not noticed the shooter.
    #[serde(default)]
    pub undetected: bool,
    /// Whether the target is kept from striking at the shooter.
    #[serde(default)]
    pub distracted: bool,
}

/// What a range does to a shot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RangeOutcome {
    /// Whether the shot can be made at all.
    pub possible: bool,
    /// The range.
    pub range_band: RangeBand,
    /// What it adds to the attack roll; nothing when the shot cannot be made.
    pub modifier: Option<i64>,
}

/// The three ranges of the shot: as given, or the weapon's. A range that an engine has not is 0.
fn three_ranges(args: &RangeArgs, referee: &mut Referee<'_>) -> Result<[i64; 3], RuleError> {
    if let Some(weapon) = &args.weapon {
        let given = [("short", args.short), ("medium", args.medium), ("long", args.long)];
        if let Some((name, _)) = given.iter().find(|(_, range)| range.is_some()) {
            return Err(RuleError::invalid(name, "is the weapon's own; give either weapon or the three ranges"));
        }
        let ranges = referee.call::<WeaponRanges>(WeaponRangesArgs { weapon: weapon.clone() })?;
        return Ok([ranges.short, ranges.medium, ranges.long].map(|range| range.unwrap_or(0)));
    }
    let given = |range: Option<Positive>, name| range.map(Positive::get).ok_or_else(|| RuleError::missing(name));
    let (short, medium, long) = (given(args.short, "short")?, given(args.medium, "medium")?, given(args.long, "long")?);
    if medium < short {
        return Err(RuleError::out_of_range(
            "medium",
            format!("must be at least the short range {short}, not {medium}"),
        ));
    }
    if long < medium {
        return Err(RuleError::out_of_range("long", format!("must be at least the medium range {medium}, not {long}")));
    }
    Ok([short, medium, long])
}

rule! {
    /// Tells what the distance of a shot adds to its attack roll, and whether it can be made.
    ///
    /// Short range +1, medium 0, long -2, nothing beyond. Within 5 ft the penalty is 5, unless the target is
    /// distracted, or the shooter is behind it and undetected: then the range counts as usual, with 2 more from behind.
    /// Farther away the bonus for shooting from behind is that of `attack.modifiers` and not counted here.
    pub struct Range;
}

impl Rule for Range {
    const NAME: &'static str = "missile.range";
    const SOURCE: &'static [&'static str] = &["combat-details MIS-01", "combat-details MIS-02"];
    const EXAMPLE: &'static str = r"{ distance = 60, short = 50, medium = 100, long = 150 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&MISSILE_RANGE];
    type Args = RangeArgs;
    type Options = RangeOptions;
    type Outcome = RangeOutcome;

    fn resolve(args: RangeArgs, options: RangeOptions, referee: &mut Referee<'_>) -> Result<RangeOutcome, RuleError> {
        let [short, medium, long] = three_ranges(&args, referee)?;
        let distance = args.distance.get();
        let usual = match distance {
            distance if distance <= short => RangeBand::Short,
            distance if distance <= medium => RangeBand::Medium,
            distance if distance <= long => RangeBand::Long,
            _ => return Ok(RangeOutcome { possible: false, range_band: RangeBand::Beyond, modifier: None }),
        };
        let rows = referee.table(&MISSILE_RANGE);
        let modifier_of = |band| row_of(&rows, band).map(|row| row.modifier.get());
        let usual_modifier = modifier_of(usual)?;
        if distance > POINT_BLANK_FEET {
            referee.modifier(usual_modifier, "for the range (MIS-01)");
            return Ok(RangeOutcome { possible: true, range_band: usual, modifier: Some(usual_modifier) });
        }
        if args.distracted || (args.behind && args.undetected) {
            let rear = ModifiersArgs { from_behind: args.behind, ..ModifiersArgs::default() };
            let behind = referee.call::<Modifiers>(rear)?.modifier;
            referee.modifier(usual_modifier, "for the range: the target cannot strike at the shooter (MIS-02)");
            let modifier = Some(usual_modifier + behind);
            return Ok(RangeOutcome { possible: true, range_band: RangeBand::PointBlankFree, modifier });
        }
        let penalty = modifier_of(RangeBand::PointBlank)?;
        let under_it = if options.point_blank == PointBlank::Adds { usual_modifier } else { 0 };
        referee.modifier(penalty, "at point-blank range (MIS-02)");
        referee.modifier(under_it, "for the range (MIS-01)");
        Ok(RangeOutcome { possible: true, range_band: RangeBand::PointBlank, modifier: Some(penalty + under_it) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn the_last_foot_of_a_range_belongs_to_it() {
        let band = |distance| {
            let args = format!(r#"{{"distance":{distance},"short":50,"medium":100,"long":150}}"#);
            let range = outcome::<Range>(&args, &[]);
            (range.range_band, range.modifier)
        };
        assert_eq!(band(50), (RangeBand::Short, Some(1)));
        assert_eq!(band(100), (RangeBand::Medium, Some(0)));
        assert_eq!(band(150), (RangeBand::Long, Some(-2)));
        assert_eq!(band(151), (RangeBand::Beyond, None));
    }

    #[test]
    fn an_unnoticed_shooter_behind_the_target_has_plus_three_at_arms_length() {
        let free = outcome::<Range>(r#"{"distance":5,"weapon":"shortbow","behind":true,"undetected":true}"#, &[]);
        assert_eq!((free.range_band, free.modifier), (RangeBand::PointBlankFree, Some(3)));
        let noticed = outcome::<Range>(r#"{"distance":5,"weapon":"shortbow","behind":true}"#, &[]);
        assert_eq!((noticed.range_band, noticed.modifier), (RangeBand::PointBlank, Some(-5)));
    }

    #[test]
    fn beyond_arms_length_the_rear_bonus_is_not_the_ranges() {
        let shot = outcome::<Range>(r#"{"distance":6,"weapon":"shortbow","behind":true,"undetected":true}"#, &[]);
        assert_eq!(shot.modifier, Some(1));
    }

    #[test]
    fn a_weapon_stands_for_its_three_ranges() {
        let shot = outcome::<Range>(r#"{"distance":200,"weapon":"longbow"}"#, &[]);
        assert_eq!(shot.range_band, RangeBand::Long);
        let shot = outcome::<Range>(r#"{"distance":60,"weapon":"trebuchet"}"#, &[]);
        assert_eq!(shot.range_band, RangeBand::Medium);
        assert!(!outcome::<Range>(r#"{"distance":10,"weapon":"battering_ram"}"#, &[]).possible);
    }

    #[test]
    fn ranges_that_shrink_or_contradict_the_weapon_are_refused() {
        let fault = |args| {
            let error = resolved("missile.range", args, &[]).unwrap_err();
            (error.kind(), error.field().unwrap_or_default().to_owned())
        };
        assert_eq!(
            fault(r#"{"distance":1,"short":50,"medium":40,"long":90}"#),
            (ErrorKind::OutOfRange, "medium".into())
        );
        assert_eq!(fault(r#"{"distance":1,"short":50,"medium":60,"long":59}"#), (ErrorKind::OutOfRange, "long".into()));
        assert_eq!(fault(r#"{"distance":1,"short":5,"weapon":"sling"}"#), (ErrorKind::Invalid, "short".into()));
        assert_eq!(fault(r#"{"distance":1,"weapon":"slingg"}"#), (ErrorKind::Unknown, "weapon".into()));
        assert_eq!(fault(r#"{"distance":1,"short":5,"long":9}"#), (ErrorKind::Missing, "medium".into()));
    }
}
