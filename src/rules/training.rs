//! Training: levels without it, gold in place of experience, and what the guilds recognize.
//! Source: house-rules TRN-01 to TRN-03.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};

/// What `training.ready` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReadyArgs {
    /// Experience points now.
    pub xp: Natural,
    /// Experience points at which the next level begins.
    pub next_xp: Positive,
}

/// Whether a level is earned.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReadyOutcome {
    /// Whether the next level is earned by experience alone.
    pub may_advance: bool,
    /// Experience points short of it.
    pub xp_short: i64,
}

rule! {
    /// Says whether experience alone has earned the next level; no training is needed for that.
    pub struct Ready;
}

impl Rule for Ready {
    const NAME: &'static str = "training.ready";
    const SOURCE: &'static [&'static str] = &["house-rules TRN-01"];
    const EXAMPLE: &'static str = "{ xp = 19999, next_xp = 20000 }";
    type Args = ReadyArgs;
    type Options = NoOptions;
    type Outcome = ReadyOutcome;

    fn resolve(args: ReadyArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<ReadyOutcome, RuleError> {
        let xp_short = (args.next_xp.get() - args.xp.get()).max(0);
        Ok(ReadyOutcome { may_advance: xp_short == 0, xp_short })
    }
}

/// What half of is the most that gold can buy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GoldCap {
    /// Half of the whole step from the present level to the next.
    #[default]
    #[serde(alias = "step")]
    LevelXp,
    /// Half of what is still missing; the source's own example would not be allowed then.
    #[serde(alias = "xp_short")]
    Missing,
}

/// The switches of training.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TrainOptions {
    /// What gold may buy at most half of (TRN-02).
    pub gold_cap: GoldCap,
}

/// What `training.train` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TrainArgs {
    /// Experience points from the threshold of the present level to that of the next.
    pub level_xp: Positive,
    /// Experience points still missing; at most `level_xp`.
    pub xp_short: Natural,
    /// Gold pieces at hand.
    pub gold: Natural,
    /// Whether somebody is there to train the character.
    pub trainer: bool,
}

/// Why training ended as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrainReason {
    /// Nothing was missing.
    AlreadyEarned,
    /// Gold stood in for what was missing.
    Trained,
    /// Nobody to train with.
    NoTrainer,
    /// More is missing than gold may buy.
    OverCap,
    /// Not enough gold.
    NotEnoughGold,
}

/// How training went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TrainOutcome {
    /// The most experience that gold may buy.
    pub gold_limit: i64,
    /// Gold pieces spent; nothing unless the level is gained.
    pub gold_spent: i64,
    /// Gold pieces left.
    pub gold_remaining: i64,
    /// Whether the level is gained.
    pub advances: bool,
    /// Why.
    pub reason: TrainReason,
}

rule! {
    /// Buys missing experience from a trainer: 1 gold piece a point, up to half of what the level takes.
    ///
    /// Gold is spent only when it completes the level; treasure as such gives no experience.
    pub struct Train;
}

impl Rule for Train {
    const NAME: &'static str = "training.train";
    const SOURCE: &'static [&'static str] = &["house-rules TRN-02"];
    const EXAMPLE: &'static str = "{ level_xp = 10000, xp_short = 3000, gold = 5400, trainer = true }";
    type Args = TrainArgs;
    type Options = TrainOptions;
    type Outcome = TrainOutcome;

    fn resolve(args: TrainArgs, options: TrainOptions, _: &mut Referee<'_>) -> Result<TrainOutcome, RuleError> {
        let (level_xp, xp_short, gold) = (args.level_xp.get(), args.xp_short.get(), args.gold.get());
        if xp_short > level_xp {
            let message = format!("must be at most level_xp, {level_xp}, not {xp_short}");
            return Err(RuleError::out_of_range("xp_short", message));
        }
        let gold_limit = match options.gold_cap {
            GoldCap::LevelXp => level_xp / 2,
            GoldCap::Missing => xp_short / 2,
        };
        let reason = match () {
            () if xp_short == 0 => TrainReason::AlreadyEarned,
            () if !args.trainer => TrainReason::NoTrainer,
            () if xp_short > gold_limit => TrainReason::OverCap,
            () if xp_short > gold => TrainReason::NotEnoughGold,
            () => TrainReason::Trained,
        };
        let gold_spent = if reason == TrainReason::Trained { xp_short } else { 0 };
        let advances = matches!(reason, TrainReason::Trained | TrainReason::AlreadyEarned);
        Ok(TrainOutcome { gold_limit, gold_spent, gold_remaining: gold - gold_spent, advances, reason })
    }
}

/// The highest level that is asked about: a bound, not a rule.
const HIGHEST_LEVEL: i64 = 1_000;

/// What `training.recognized_level` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecognizedArgs {
    /// The character's level by experience.
    pub level: Whole<1, HIGHEST_LEVEL>,
    /// The last level gained with formal training; a new character's is 1.
    pub trained_level: Whole<1, HIGHEST_LEVEL>,
    /// The guild's examination fee of each level in gold pieces; every owed level must be there.
    #[serde(default)]
    pub fees: Option<BTreeMap<String, Natural>>,
}

/// What the guilds recognize.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecognizedOutcome {
    /// The level that counts with them.
    pub recognized: i64,
    /// The levels whose examinations are owed, lowest first.
    pub owed: Vec<i64>,
    /// What catching up costs, in gold pieces; only when fees were given.
    pub fee: Option<i64>,
}

rule! {
    /// Says which level the guilds recognize, and which examinations are owed to catch up.
    pub struct Recognized;
}

impl Rule for Recognized {
    const NAME: &'static str = "training.recognized_level";
    const SOURCE: &'static [&'static str] = &["house-rules TRN-03"];
    const EXAMPLE: &'static str = r#"{ level = 4, trained_level = 2, fees = { ["3"] = 500, ["4"] = 900 } }"#;
    type Args = RecognizedArgs;
    type Options = NoOptions;
    type Outcome = RecognizedOutcome;

    fn resolve(args: RecognizedArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<RecognizedOutcome, RuleError> {
        let (level, recognized) = (args.level.get(), args.trained_level.get());
        if recognized > level {
            let message = format!("must be at most the level, {level}, not {recognized}");
            return Err(RuleError::invalid("trained_level", message));
        }
        let owed: Vec<i64> = (recognized + 1..=level).collect();
        let fee = args.fees.map(|fees| {
            let fee_of = |level: &i64| {
                let fee = fees.get(&level.to_string()).map(|fee| fee.get());
                fee.ok_or_else(|| RuleError::missing(&level.to_string()).within("fees"))
            };
            owed.iter().map(fee_of).sum::<Result<i64, RuleError>>()
        });
        Ok(RecognizedOutcome { recognized, owed, fee: fee.transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn the_halfling_buys_her_last_three_thousand() {
        let trained = outcome::<Train>(r#"{"level_xp":10000,"xp_short":3000,"gold":5400,"trainer":true}"#, &[]);
        assert_eq!((trained.reason, trained.gold_remaining), (TrainReason::Trained, 2400));
    }

    #[test]
    fn otto_owes_five_examinations() {
        let recognized = outcome::<Recognized>(r#"{"level":7,"trained_level":2}"#, &[]);
        assert_eq!((recognized.recognized, recognized.owed), (2, vec![3, 4, 5, 6, 7]));
    }

    #[test]
    fn nothing_missing_costs_nothing_even_without_a_trainer() {
        let trained = outcome::<Train>(r#"{"level_xp":10,"xp_short":0,"gold":5,"trainer":false}"#, &[]);
        assert!(trained.advances && trained.gold_spent == 0);
    }
}
