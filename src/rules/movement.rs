//! Moving in combat: steps, engagement, running and its endurance, facing. Distances are in feet.
//! Source: combat-details MOV-01 to MOV-08, MEL-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Natural, NoOptions, Referee, Rule, RuleError, Whole};
use super::equipment::vehicle_instead;

/// The rounds for which somebody without a Constitution runs (MOV-04).
const ENDURANCE_WITHOUT_CON: i64 = 24;

/// The turning distance of most who walk (MOV-05).
const USUAL_TURNING: i64 = 5;

/// What running adds to a turning distance; the usual one becomes this (MOV-06).
const RUNNING_TURNING: i64 = 10;

/// What `movement.step` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StepArgs {
    /// The encounter movement of a round.
    pub rate: Natural,
    /// The distance to move now.
    pub distance: Natural,
    /// Whether the mover has attacked this round, which ends its movement.
    #[serde(default)]
    pub attacked: bool,
    /// What it has moved earlier this round.
    #[serde(default)]
    pub already_moved: Natural,
}

/// Why a step is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepReason {
    /// Nobody moves after attacking, until the next round.
    Attacked,
    /// More than is left of the round's movement.
    TooFar,
}

/// Whether the step is allowed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StepOutcome {
    /// Whether it is allowed.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<StepReason>,
    /// The movement left after it; a refused step leaves it untouched.
    pub remaining: i64,
}

rule! {
    /// Whether somebody may move so far now: up to the encounter movement each round, in one part or several, before
    /// attacking.
    pub struct Step;
}

impl Rule for Step {
    const NAME: &'static str = "movement.step";
    const SOURCE: &'static [&'static str] = &["combat-details MOV-01"];
    const EXAMPLE: &'static str = "{ rate = 40, distance = 25, already_moved = 10 }";
    type Args = StepArgs;
    type Options = NoOptions;
    type Outcome = StepOutcome;

    fn resolve(args: StepArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<StepOutcome, RuleError> {
        let left = if args.attacked { 0 } else { (args.rate.get() - args.already_moved.get()).max(0) };
        let after = left - args.distance.get();
        let reason = match (after < 0, args.attacked) {
            (false, _) => None,
            (true, true) => Some(StepReason::Attacked),
            (true, false) => Some(StepReason::TooFar),
        };
        let allowed = reason.is_none();
        Ok(StepOutcome { allowed, reason, remaining: if allowed { after } else { left } })
    }
}

/// What `movement.engaged` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EngagedArgs {
    /// The distance between the two.
    pub distance: Natural,
    /// How far the enemy's melee attacks reach, 5 to 60.
    #[serde(default = "usual_reach")]
    pub reach: Whole<5, 60>,
}

fn usual_reach() -> Whole<5, 60> {
    Whole::clamped(5)
}

/// Whether the two are engaged.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EngagedOutcome {
    /// Whether they are engaged.
    pub engaged: bool,
}

rule! {
    /// Whether an opponent so far away is engaged: within 5 feet, or within the reach of its melee attacks where that
    /// is more.
    pub struct Engaged;
}

impl Rule for Engaged {
    const NAME: &'static str = "movement.engaged";
    const SOURCE: &'static [&'static str] = &["combat-details MOV-02", "combat-details MEL-01"];
    const EXAMPLE: &'static str = "{ distance = 10, reach = 10 }";
    type Args = EngagedArgs;
    type Options = NoOptions;
    type Outcome = EngagedOutcome;

    fn resolve(args: EngagedArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<EngagedOutcome, RuleError> {
        Ok(EngagedOutcome { engaged: args.distance.get() <= args.reach.get() })
    }
}

/// What `movement.run` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunArgs {
    /// The encounter movement of a round.
    pub rate: Natural,
}

/// How far somebody runs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunOutcome {
    /// The distance of a round.
    pub distance: i64,
    /// Whether the runner may attack: only by a charge, which `maneuver.charge` decides.
    pub may_attack: bool,
}

rule! {
    /// Running: double the encounter movement, and no attack except by a charge.
    pub struct Run;
}

impl Rule for Run {
    const NAME: &'static str = "movement.run";
    const SOURCE: &'static [&'static str] = &["combat-details MOV-03"];
    const EXAMPLE: &'static str = "{ rate = 40 }";
    type Args = RunArgs;
    type Options = NoOptions;
    type Outcome = RunOutcome;

    fn resolve(args: RunArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<RunOutcome, RuleError> {
        Ok(RunOutcome { distance: 2 * args.rate.get(), may_attack: false })
    }
}

/// What `movement.endurance` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EnduranceArgs {
    /// Constitution, 1 to 30; left out for monsters that have none.
    #[serde(default)]
    pub con: Option<Whole<1, 30>>,
    /// The rounds run since the last rest.
    pub rounds_run: Natural,
    /// Full turns rested since then.
    #[serde(default)]
    pub turns_rested: Natural,
}

/// How long somebody can run on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EnduranceOutcome {
    /// The rounds that it can run when rested.
    pub limit: i64,
    /// The rounds left.
    pub remaining: i64,
    /// Whether it can only walk until it has rested a turn.
    pub exhausted: bool,
}

rule! {
    /// How long somebody can run: twice Constitution in rounds, 24 without one, then only after a turn's rest.
    ///
    /// A full turn's rest restores everything, also before exhaustion; less restores nothing.
    pub struct Endurance;
}

impl Rule for Endurance {
    const NAME: &'static str = "movement.endurance";
    const SOURCE: &'static [&'static str] = &["combat-details MOV-04"];
    const EXAMPLE: &'static str = "{ con = 12, rounds_run = 20 }";
    type Args = EnduranceArgs;
    type Options = NoOptions;
    type Outcome = EnduranceOutcome;

    fn resolve(args: EnduranceArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<EnduranceOutcome, RuleError> {
        let limit = args.con.map_or(ENDURANCE_WITHOUT_CON, |con| 2 * con.get());
        let run = if args.turns_rested.get() >= 1 { 0 } else { args.rounds_run.get() };
        let remaining = (limit - run).max(0);
        Ok(EnduranceOutcome { limit, remaining, exhausted: remaining == 0 })
    }
}

/// The grid of the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grid {
    /// Squares: a facing change is up to 90 degrees.
    #[default]
    Square,
    /// Hexes: a facing change is up to 60 degrees.
    Hex,
}

/// What `movement.turn` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TurnArgs {
    /// The angle of the facing change in degrees, 1 to 180.
    pub angle: Whole<1, 180>,
    /// The turning distance, 5 to 1000: what must be covered between facing changes. 5 unless something else is said.
    #[serde(default)]
    pub turning: Option<Whole<5, 1000>>,
    /// A vehicle by name instead of its turning distance: `wagon`, `longship` (see `vehicle.figures`).
    #[serde(default)]
    pub vehicle: Option<String>,
    /// The distance covered since the last facing change; left out for the first of the round, which is free.
    #[serde(default)]
    pub moved: Option<Natural>,
    /// Whether the mover is running: at most 60 degrees, and a turning distance 10 feet longer (5 becomes 10).
    #[serde(default)]
    pub running: bool,
    /// Whether it does not leave its spot this round: it turns freely (MOV-08).
    #[serde(default)]
    pub stationary: bool,
    /// Whether it is an incorporeal flier: it turns freely while moving (MOV-08).
    #[serde(default)]
    pub incorporeal: bool,
    /// The grid of the map.
    #[serde(default)]
    pub grid: Grid,
}

/// Why a facing change is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnReason {
    /// The angle is more than one facing change.
    TooSharp,
    /// The turning distance is not covered yet.
    TooSoon,
}

/// Whether the facing change is allowed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TurnOutcome {
    /// Whether it is allowed.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<TurnReason>,
    /// The turning distance that counts.
    pub turning: i64,
    /// The greatest angle of one facing change, in degrees.
    pub max_angle: i64,
}

rule! {
    /// Whether somebody may change its facing now: one change is up to 90 degrees, after the turning distance has been
    /// covered.
    ///
    /// An optional rule. The first change of a round is free, since the distance is one between changes.
    pub struct Turn;
}

impl Rule for Turn {
    const NAME: &'static str = "movement.turn";
    const SOURCE: &'static [&'static str] =
        &["combat-details MOV-05", "combat-details MOV-06", "combat-details MOV-08"];
    const EXAMPLE: &'static str = "{ angle = 60, moved = 10, running = true }";
    type Args = TurnArgs;
    type Options = NoOptions;
    type Outcome = TurnOutcome;

    fn resolve(args: TurnArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<TurnOutcome, RuleError> {
        let figures = vehicle_instead(args.vehicle.as_deref(), &[("turning", args.turning.is_some())], referee)?;
        let turning = match figures {
            Some(figures) => figures.turning.get(),
            None => args.turning.map_or(USUAL_TURNING, Whole::get),
        };
        if args.stationary || args.incorporeal {
            return Ok(TurnOutcome { allowed: true, reason: None, turning, max_angle: 180 });
        }
        let turning = match (args.running, turning) {
            (false, _) => turning,
            (true, USUAL_TURNING) => RUNNING_TURNING,
            (true, _) => turning + RUNNING_TURNING,
        };
        let max_angle = if args.running || args.grid == Grid::Hex { 60 } else { 90 };
        let reason = if args.angle.get() > max_angle {
            Some(TurnReason::TooSharp)
        } else if args.moved.is_some_and(|moved| moved.get() < turning) {
            Some(TurnReason::TooSoon)
        } else {
            None
        };
        Ok(TurnOutcome { allowed: reason.is_none(), reason, turning, max_angle })
    }
}

/// What `movement.sidestep` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SidestepArgs {
    /// Whether the mover is running.
    pub running: bool,
    /// A space of the map, 5 or 10.
    #[serde(default = "usual_space")]
    pub space: Whole<5, 10>,
}

fn usual_space() -> Whole<5, 10> {
    Whole::clamped(5)
}

/// Whether the sidestep is allowed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SidestepOutcome {
    /// Whether it is allowed; runners cannot.
    pub allowed: bool,
    /// The distance moved sideways.
    pub distance: i64,
}

rule! {
    /// Shifts one space sideways and keeps the facing, when walking only.
    pub struct Sidestep;
}

impl Rule for Sidestep {
    const NAME: &'static str = "movement.sidestep";
    const SOURCE: &'static [&'static str] = &["combat-details MOV-07"];
    const EXAMPLE: &'static str = "{ running = false }";
    type Args = SidestepArgs;
    type Options = NoOptions;
    type Outcome = SidestepOutcome;

    fn resolve(args: SidestepArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SidestepOutcome, RuleError> {
        let space = args.space.get();
        if space != 5 && space != 10 {
            return Err(RuleError::out_of_range("space", format!("must be 5 or 10 feet, not {space}")));
        }
        Ok(SidestepOutcome { allowed: !args.running, distance: if args.running { 0 } else { space } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_refused_step_leaves_the_movement_untouched() {
        let step = outcome::<Step>(r#"{"rate":40,"distance":41}"#, &[]);
        assert_eq!((step.reason, step.remaining), (Some(StepReason::TooFar), 40));
        let step = outcome::<Step>(r#"{"rate":40,"distance":31,"already_moved":10}"#, &[]);
        assert_eq!((step.allowed, step.remaining), (false, 30));
    }

    #[test]
    fn a_move_may_come_in_two_parts() {
        let step = outcome::<Step>(r#"{"rate":40,"distance":30,"already_moved":10}"#, &[]);
        assert_eq!((step.allowed, step.remaining), (true, 0));
    }

    #[test]
    fn nobody_moves_after_attacking() {
        let step = outcome::<Step>(r#"{"rate":40,"distance":5,"attacked":true}"#, &[]);
        assert_eq!((step.reason, step.remaining), (Some(StepReason::Attacked), 0));
        assert!(outcome::<Step>(r#"{"rate":40,"distance":0,"attacked":true}"#, &[]).allowed);
    }

    #[test]
    fn a_long_reach_engages_farther_off() {
        assert!(outcome::<Engaged>(r#"{"distance":10,"reach":10}"#, &[]).engaged);
        assert!(!outcome::<Engaged>(r#"{"distance":6}"#, &[]).engaged);
    }

    #[test]
    fn a_runner_is_spent_after_twice_its_constitution() {
        assert!(outcome::<Endurance>(r#"{"con":3,"rounds_run":6}"#, &[]).exhausted);
        assert_eq!(outcome::<Endurance>(r#"{"rounds_run":23}"#, &[]).remaining, 1);
        assert_eq!(outcome::<Endurance>(r#"{"con":10,"rounds_run":20,"turns_rested":1}"#, &[]).remaining, 20);
    }

    #[test]
    fn a_runner_turns_wide_and_a_spectre_as_it_likes() {
        let runner = outcome::<Turn>(r#"{"angle":60,"moved":19,"running":true,"turning":10}"#, &[]);
        assert_eq!((runner.reason, runner.turning), (Some(TurnReason::TooSoon), 20));
        assert_eq!(outcome::<Turn>(r#"{"angle":60,"moved":10,"running":true}"#, &[]).turning, 10);
        assert_eq!(outcome::<Turn>(r#"{"angle":60,"vehicle":"longship"}"#, &[]).turning, 25);
        assert!(outcome::<Turn>(r#"{"angle":180,"moved":0,"incorporeal":true,"running":true}"#, &[]).allowed);
    }

    #[test]
    fn on_hexes_a_right_angle_is_too_sharp() {
        let turn = outcome::<Turn>(r#"{"angle":90,"grid":"hex"}"#, &[]);
        assert_eq!((turn.reason, turn.max_angle), (Some(TurnReason::TooSharp), 60));
    }

    #[test]
    fn runners_do_not_sidestep() {
        let step = outcome::<Sidestep>(r#"{"running":true,"space":10}"#, &[]);
        assert_eq!((step.allowed, step.distance), (false, 0));
        assert_eq!(outcome::<Run>(r#"{"rate":40}"#, &[]).distance, 80);
    }
}
