//! Climbing, diving and floating. Distances are in feet a round.
//! Source: combat-details FLY-02 to FLY-04. FLY-01, altitude and depth, is the table's bookkeeping.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Natural, NoOptions, Positive, Referee, Rule, RuleError, UNBOUNDED, Whole};

/// The climb for each turning distance flown forward (FLY-02).
const CLIMB_EACH_TURNING: i64 = 10;

/// What `flight.climb` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClimbArgs {
    /// The distance flown forward.
    pub forward: Natural,
    /// The turning distance, 5 or more.
    pub turning: Whole<5, UNBOUNDED>,
}

/// How far a winged flier climbs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClimbOutcome {
    /// The greatest climb.
    pub climb: i64,
}

rule! {
    /// How far a winged flier can climb: 10 feet for each whole turning distance flown forward.
    ///
    /// The source points to a figure for the flier's class of maneuverability, read as the turning distance.
    pub struct Climb;
}

impl Rule for Climb {
    const NAME: &'static str = "flight.climb";
    const SOURCE: &'static [&'static str] = &["combat-details FLY-02"];
    const EXAMPLE: &'static str = "{ forward = 60, turning = 15 }";
    type Args = ClimbArgs;
    type Options = NoOptions;
    type Outcome = ClimbOutcome;

    fn resolve(args: ClimbArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<ClimbOutcome, RuleError> {
        Ok(ClimbOutcome { climb: CLIMB_EACH_TURNING * (args.forward.get() / args.turning.get()) })
    }
}

/// What `flight.dive` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DiveArgs {
    /// Normal movement, 1 or more.
    pub rate: Positive,
    /// The distance moved horizontally this round.
    pub horizontal: Natural,
}

/// How a winged flier loses height.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DiveOutcome {
    /// Whether it stalls, having moved less than a third of its speed horizontally.
    pub stalled: bool,
    /// The dive that a stall forces on it for one round; 0 without one.
    pub forced_dive: i64,
    /// The longest dive it may choose.
    pub max_dive: i64,
}

rule! {
    /// How far a winged flier can dive, up to twice its movement, and whether it stalls and must.
    pub struct Dive;
}

impl Rule for Dive {
    const NAME: &'static str = "flight.dive";
    const SOURCE: &'static [&'static str] = &["combat-details FLY-03"];
    const EXAMPLE: &'static str = "{ rate = 120, horizontal = 39 }";
    type Args = DiveArgs;
    type Options = NoOptions;
    type Outcome = DiveOutcome;

    fn resolve(args: DiveArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<DiveOutcome, RuleError> {
        let rate = args.rate.get();
        let stalled = 3 * args.horizontal.get() < rate;
        let max_dive = 2 * rate;
        Ok(DiveOutcome { stalled, forced_dive: if stalled { max_dive } else { 0 }, max_dive })
    }
}

/// What `flight.float` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FloatArgs {
    /// Normal movement.
    pub rate: Natural,
}

/// How a floater rises and sinks.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FloatOutcome {
    /// The greatest climb, half its movement rounded down.
    pub climb: i64,
    /// The greatest descent, unless it has lost the power to float.
    pub descend: i64,
}

rule! {
    /// How far a floater (a balloon, a flying carpet, the fly spell) can climb and descend without moving forward.
    pub struct Float;
}

impl Rule for Float {
    const NAME: &'static str = "flight.float";
    const SOURCE: &'static [&'static str] = &["combat-details FLY-04"];
    const EXAMPLE: &'static str = "{ rate = 120 }";
    type Args = FloatArgs;
    type Options = NoOptions;
    type Outcome = FloatOutcome;

    fn resolve(args: FloatArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<FloatOutcome, RuleError> {
        Ok(FloatOutcome { climb: args.rate.get() / 2, descend: args.rate.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_climb_takes_whole_turning_distances() {
        assert_eq!(outcome::<Climb>(r#"{"forward":19,"turning":10}"#, &[]).climb, 10);
    }

    #[test]
    fn less_than_a_third_of_the_speed_stalls() {
        let stalled = outcome::<Dive>(r#"{"rate":100,"horizontal":33}"#, &[]);
        assert_eq!((stalled.stalled, stalled.forced_dive), (true, 200));
        assert!(!outcome::<Dive>(r#"{"rate":120,"horizontal":40}"#, &[]).stalled);
    }

    #[test]
    fn floaters_rise_at_half_speed() {
        let floater = outcome::<Float>(r#"{"rate":35}"#, &[]);
        assert_eq!((floater.climb, floater.descend), (17, 35));
    }
}
