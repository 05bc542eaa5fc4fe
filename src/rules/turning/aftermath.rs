//! What follows a turning: another attempt, the flight, the damage (TURN-05 to TURN-07).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt::AttemptResult;
use super::table::Level;
use crate::rules::core::{List, Natural, NoOptions, Positive, Referee, Rule, RuleError};

/// What `turning.retry` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetryArgs {
    /// How the last attempt went.
    pub last_result: AttemptResult,
    /// Full turns since then.
    pub turns_since: Natural,
}

/// Whether the cleric may try again.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetryOutcome {
    /// Whether the cleric may try again.
    pub allowed: bool,
}

rule! {
    /// Whether a cleric may try to turn again: next round after a success, a full turn after a failure or partial
    /// failure.
    ///
    /// After an attempt that was impossible nothing was rolled and nothing is lost.
    pub struct Retry;
}

impl Rule for Retry {
    const NAME: &'static str = "turning.retry";
    const SOURCE: &'static [&'static str] = &["combat-details TURN-05"];
    const EXAMPLE: &'static str = r#"{ last_result = "partial", turns_since = 1 }"#;
    type Args = RetryArgs;
    type Options = NoOptions;
    type Outcome = RetryOutcome;

    fn resolve(args: RetryArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<RetryOutcome, RuleError> {
        let locked_out = matches!(args.last_result, AttemptResult::Failure | AttemptResult::Partial);
        Ok(RetryOutcome { allowed: !locked_out || args.turns_since.get() >= 1 })
    }
}

/// `turning.flee_duration` is asked nothing.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FleeDurationArgs {}

/// How long turned undead stay away.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FleeDurationOutcome {
    /// The turns, 2 to 8.
    pub turns: i64,
}

rule! {
    /// Rolls 2d4 for the turns in which turned undead, unless cornered, flee at full speed and leave the cleric's
    /// company alone.
    pub struct FleeDuration;
}

impl Rule for FleeDuration {
    const NAME: &'static str = "turning.flee_duration";
    const SOURCE: &'static [&'static str] = &["combat-details TURN-06"];
    const EXAMPLE: &'static str = "{}";
    type Args = FleeDurationArgs;
    type Options = NoOptions;
    type Outcome = FleeDurationOutcome;

    fn resolve(_: FleeDurationArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<FleeDurationOutcome, RuleError> {
        Ok(FleeDurationOutcome { turns: referee.total(2, 4, "turns of flight")?.sum })
    }
}

/// What a D result does (TURN-07).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DResult {
    /// 1d8 damage for each level of the cleric, the survivors being turned.
    #[default]
    Damage,
    /// Destruction without dice.
    Destroy,
}

/// The switches of a blast.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlastOptions {
    /// What a D result does: the source says both.
    pub d_result: DResult,
}

/// What `turning.blast` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastArgs {
    /// The cleric's level, 1 to 20.
    pub level: Level,
    /// The hit points of each of the undead affected, at least one.
    pub hp: List<Positive, 1>,
}

/// One of the undead after the blast.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Blasted {
    /// The hit points left, 0 when destroyed.
    pub hp: i64,
    /// Whether it is destroyed.
    pub destroyed: bool,
    /// Whether it survives and is turned.
    pub turned: bool,
}

/// What a D result did.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastOutcome {
    /// The damage to each; nothing where they are destroyed without dice.
    pub damage: Option<i64>,
    /// The undead in the order given.
    pub results: Vec<Blasted>,
}

rule! {
    /// Rolls 1d8 per level of the cleric, once for all undead with a D result: those at zero are destroyed, the rest
    /// turned.
    pub struct Blast;
}

impl Rule for Blast {
    const NAME: &'static str = "turning.blast";
    const SOURCE: &'static [&'static str] = &["combat-details TURN-07"];
    const EXAMPLE: &'static str = "{ level = 11, hp = { 30, 60 } }";
    type Args = BlastArgs;
    type Options = BlastOptions;
    type Outcome = BlastOutcome;

    fn resolve(args: BlastArgs, options: BlastOptions, referee: &mut Referee<'_>) -> Result<BlastOutcome, RuleError> {
        let damage = match options.d_result {
            DResult::Damage => Some(referee.total(args.level.get() as u32, 8, "damage to the undead")?.sum),
            DResult::Destroy => None,
        };
        let blasted = |hp: &Positive| {
            let hp = damage.map_or(0, |damage| (hp.get() - damage).max(0));
            Blasted { hp, destroyed: hp == 0, turned: hp > 0 }
        };
        Ok(BlastOutcome { damage, results: args.hp.iter().map(blasted).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn one_roll_damages_them_all_and_turns_the_survivors() {
        let blast = outcome::<Blast>(r#"{"level":2,"hp":[9,10,16]}"#, &[8, 2]);
        assert_eq!(blast.damage, Some(10));
        assert_eq!(blast.results.iter().map(|each| each.hp).collect::<Vec<_>>(), [0, 0, 6]);
        assert!(blast.results[1].destroyed && blast.results[2].turned);
    }

    #[test]
    fn destruction_by_a_switch_needs_no_dice() {
        let args = r#"{"level":11,"hp":[100],"options":{"d_result":"destroy"}}"#;
        assert!(outcome::<Blast>(args, &[]).results[0].destroyed);
    }

    #[test]
    fn a_failure_bars_the_cleric_for_a_full_turn() {
        let allowed = |args: &str| outcome::<Retry>(args, &[]).allowed;
        assert!(allowed(r#"{"last_result":"success","turns_since":0}"#));
        assert!(!allowed(r#"{"last_result":"partial","turns_since":0}"#));
        assert!(allowed(r#"{"last_result":"failure","turns_since":1}"#));
    }

    #[test]
    fn turned_undead_stay_away_for_2d4_turns() {
        assert_eq!(outcome::<FleeDuration>("{}", &[4, 3]).turns, 7);
    }
}
