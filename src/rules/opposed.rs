//! Opposed checks: all sides roll the same number of d6, and the one most under its score wins.
//! Source: house-rules OPP-01 to OPP-06.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::{self, Combine, CombineArgs, MOST_DICE, Rounding, Tail};
use super::core::{List, Natural, NoOptions, Referee, Rolls, Rule, RuleError, Whole, names};

/// The faces of the dice of a contest.
const FACES: i64 = 6;

/// The switches of the number of dice.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DiceOptions {
    /// The fewest dice of a contest, 1 to 3; with 3 all ordinary people roll 3 dice (OPP-01).
    pub min_dice: Whole<1, 3>,
}

impl Default for DiceOptions {
    fn default() -> Self {
        DiceOptions { min_dice: Whole::clamped(1) }
    }
}

/// What `opposed.dice` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DiceArgs {
    /// The scores of all sides, two or more; a group's is its combined score (OPP-04).
    pub scores: List<Natural, 2>,
}

/// How many dice a contest takes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DiceOutcome {
    /// The number of d6 that every side rolls.
    pub dice: i64,
}

rule! {
    /// Counts the d6 of a contest: the fewest whose greatest sum reaches the highest score.
    pub struct Dice;
}

impl Rule for Dice {
    const NAME: &'static str = "opposed.dice";
    const SOURCE: &'static [&'static str] = &["house-rules OPP-01"];
    const EXAMPLE: &'static str = "{ scores = { 17, 19 } }";
    type Args = DiceArgs;
    type Options = DiceOptions;
    type Outcome = DiceOutcome;

    fn resolve(args: DiceArgs, options: DiceOptions, referee: &mut Referee<'_>) -> Result<DiceOutcome, RuleError> {
        let highest = args.scores.iter().map(|score| score.get()).max().unwrap_or(0);
        referee.note(|| format!("the highest score is {highest} (OPP-01)"));
        Ok(DiceOutcome { dice: Rounding::Up.divide(highest, FACES).max(options.min_dice.get()) })
    }
}

/// What becomes of a contest in which the best margins are equal (OPP-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// A stand-off: the contest goes on next round.
    #[default]
    Standoff,
    /// The tied side with the highest score wins; if several have it, a stand-off.
    HigherScore,
    /// The defender wins if it is among the tied; if not, a stand-off.
    Defender,
}

/// The switches of a contest.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ContestOptions {
    /// What becomes of a tie (OPP-03).
    pub ties: Ties,
    /// The fewest dice of a contest, 1 to 3; that of `opposed.dice` when absent (OPP-01).
    pub min_dice: Option<Whole<1, 3>>,
    /// What the fourth and later members add to a group's score; that of `check.combine` when absent (CHK-04).
    pub tail: Option<Tail>,
    /// How a group's score is rounded; that of `check.combine` when absent (CHK-04).
    pub rounding: Option<Rounding>,
}

/// How the scores of one group are combined, where it differs from the contest's.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GroupOptions {
    /// What the fourth and later members add (CHK-04).
    pub tail: Option<Tail>,
    /// How the sum is rounded (CHK-04).
    pub rounding: Option<Rounding>,
}

/// A side of a contest, as it enters.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Contestant {
    /// The side's name, its own in this contest.
    pub name: String,
    /// The score of somebody who acts alone. The sides need not test the same characteristic (OPP-05).
    #[serde(default)]
    pub score: Option<Natural>,
    /// The scores of a group, instead of `score`; they are combined (OPP-04).
    #[serde(default)]
    pub scores: Option<List<Natural, 1>>,
    /// How this group's scores are combined, where it differs from the contest's switches.
    #[serde(default)]
    pub options: GroupOptions,
}

/// What `opposed.contest` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContestArgs {
    /// The sides, two or more, in the order in which they roll.
    pub sides: List<Contestant, 2>,
    /// The name of the side that wins ties under `ties = "defender"`.
    #[serde(default)]
    pub defender: Option<String>,
}

/// What a contest comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContestResult {
    /// One side won.
    Win,
    /// Nobody did: the contest goes on next round.
    Standoff,
}

/// A side of a contest, once it has rolled.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContestSide {
    /// The side's name.
    pub name: String,
    /// The score it stands with; a group's combined score.
    pub score: i64,
    /// What its dice showed, in order.
    pub rolls: Rolls,
    /// Their sum.
    pub total: i64,
    /// Score less total: positive is under.
    pub margin: i64,
}

/// How a contest went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ContestOutcome {
    /// The number of d6 that every side rolled.
    pub dice: i64,
    /// The sides, in the order given.
    pub sides: Vec<ContestSide>,
    /// A win or a stand-off.
    pub result: ContestResult,
    /// The name of the winner; nothing in a stand-off.
    pub winner: Option<String>,
    /// The names of the sides that share the best margin; empty when one side alone has it.
    pub tied: Vec<String>,
    /// The best margin less the next best; 0 in a tie.
    pub winning_margin: i64,
}

rule! {
    /// Lets two or more sides contend: each rolls the same number of d6, and the best margin under its score wins.
    ///
    /// Least over wins when all are over. Nothing succeeds or fails without dice here: they are counted so that the
    /// highest score reaches their sum, and the weaker side may still lose by least (OPP-02). More than two sides are
    /// settled the same way, and only a tie at the top matters.
    pub struct Contest;
}

impl Rule for Contest {
    const NAME: &'static str = "opposed.contest";
    const SOURCE: &'static [&'static str] =
        &["house-rules OPP-02", "house-rules OPP-03", "house-rules OPP-04", "house-rules OPP-05"];
    const EXAMPLE: &'static str =
        r#"{ sides = { { name = "goblins", scores = { 8, 8, 8, 8 } }, { name = "warrior", score = 17 } } }"#;
    type Args = ContestArgs;
    type Options = ContestOptions;
    type Outcome = ContestOutcome;

    fn resolve(
        args: ContestArgs,
        options: ContestOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ContestOutcome, RuleError> {
        check_names(&args, options.ties)?;
        let ContestArgs { sides: contestants, defender } = args;
        let mut scores = Vec::with_capacity(contestants.len());
        for (index, contestant) in contestants.iter().enumerate() {
            let score = score_of(contestant, options, referee);
            scores.push(score.map_err(|error| error.within_element(index).within("sides"))?);
        }
        let dice = count_dice(&scores, options, referee)?;
        if dice > MOST_DICE {
            let message =
                format!("make {dice} dice; a contest takes at most {MOST_DICE}, scores to {}", MOST_DICE * FACES);
            return Err(RuleError::out_of_range("sides", message));
        }
        let mut sides = Vec::with_capacity(contestants.len());
        for (contestant, score) in contestants.into_iter().zip(scores) {
            let name = contestant.name;
            let rolled = referee.total(dice as u32, FACES as u32, &format!("contest of {name}"))?;
            let (rolls, total) = (rolled.rolls, rolled.sum);
            sides.push(ContestSide { name, score: score.get(), rolls, total, margin: score.get() - total });
        }
        Ok(settled(dice, sides, options.ties, defender.as_deref()))
    }
}

/// Each side has its own name, and the defender is one of them.
fn check_names(args: &ContestArgs, ties: Ties) -> Result<(), RuleError> {
    let known = || args.sides.iter().map(|side| side.name.as_str());
    names::distinct("sides", known())?;
    match args.defender.as_deref() {
        None if ties == Ties::Defender => Err(RuleError::missing("defender")),
        Some(defender) if known().all(|name| name != defender) => {
            Err(names::not_among("defender", "side", defender, &known().collect::<Vec<_>>()))
        }
        _ => Ok(()),
    }
}

/// The score a side stands with: its own, or its members' combined.
fn score_of(contestant: &Contestant, options: ContestOptions, referee: &mut Referee<'_>) -> Result<Natural, RuleError> {
    match (contestant.score, &contestant.scores) {
        (Some(score), None) => Ok(score),
        (None, Some(scores)) => {
            let own = contestant.options;
            let house = referee.options::<Combine>();
            let combine = check::CombineOptions {
                tail: own.tail.or(options.tail).unwrap_or(house.tail),
                rounding: own.rounding.or(options.rounding).unwrap_or(house.rounding),
            };
            let combined = referee.call_with::<Combine>(CombineArgs { scores: scores.clone() }, combine)?.score;
            Ok(Natural::clamped(combined))
        }
        (None, None) => Err(RuleError::missing("score")),
        (Some(_), Some(_)) => Err(RuleError::invalid("scores", "does not go with score: give one of the two")),
    }
}

fn count_dice(scores: &[Natural], options: ContestOptions, referee: &mut Referee<'_>) -> Result<i64, RuleError> {
    let scores = List::new(scores.to_vec()).ok_or_else(|| RuleError::out_of_range("sides", "must be two or more"))?;
    let count = match options.min_dice {
        Some(min_dice) => referee.call_with::<Dice>(DiceArgs { scores }, DiceOptions { min_dice })?,
        None => referee.call::<Dice>(DiceArgs { scores })?,
    };
    Ok(count.dice)
}

/// Who wins, once all have rolled.
fn settled(dice: i64, sides: Vec<ContestSide>, on_tie: Ties, defender: Option<&str>) -> ContestOutcome {
    let best = sides.iter().map(|side| side.margin).max().unwrap_or(0);
    let leaders: Vec<&ContestSide> = sides.iter().filter(|side| side.margin == best).collect();
    let next = sides.iter().map(|side| side.margin).filter(|margin| *margin < best).max();
    let winner = match (&leaders[..], on_tie) {
        ([alone], _) => Some(alone.name.clone()),
        (_, Ties::Standoff) => None,
        (tied, Ties::HigherScore) => {
            let highest = tied.iter().map(|side| side.score).max();
            let mut with_it = tied.iter().filter(|side| Some(side.score) == highest);
            with_it.next().filter(|_| with_it.next().is_none()).map(|side| side.name.clone())
        }
        (tied, Ties::Defender) => {
            tied.iter().find(|side| Some(side.name.as_str()) == defender).map(|side| side.name.clone())
        }
    };
    let is_tie = leaders.len() > 1;
    let tied = if is_tie { leaders.iter().map(|side| side.name.clone()).collect() } else { Vec::new() };
    let winning_margin = if is_tie { 0 } else { best - next.unwrap_or(best) };
    let result = if winner.is_some() { ContestResult::Win } else { ContestResult::Standoff };
    ContestOutcome { dice, sides, result, winner, tied, winning_margin }
}

/// How an earlier contest ended for the one who would try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LastResult {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Undecided.
    Standoff,
}

/// What `opposed.retry` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetryArgs {
    /// How the last contest ended for the one who would try again.
    pub last_result: LastResult,
    /// Whether circumstances have changed since; the DM says so.
    #[serde(default)]
    pub circumstances_changed: bool,
}

/// Why somebody may or may not try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RetryReason {
    /// A stand-off is not lost: the contest goes on.
    ContestContinues,
    /// There is nothing left to contest.
    AlreadyWon,
    /// Lost, but things are different now.
    CircumstancesChanged,
    /// Lost, and nothing has changed.
    Lost,
}

/// Whether somebody may try again.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetryOutcome {
    /// Whether the contest may be tried again.
    pub allowed: bool,
    /// Why.
    pub reason: RetryReason,
}

rule! {
    /// Says whether a contest may be tried again: a lost one only when circumstances have changed.
    pub struct Retry;
}

impl Rule for Retry {
    const NAME: &'static str = "opposed.retry";
    const SOURCE: &'static [&'static str] = &["house-rules OPP-06"];
    const EXAMPLE: &'static str = r#"{ last_result = "lost", circumstances_changed = true }"#;
    type Args = RetryArgs;
    type Options = NoOptions;
    type Outcome = RetryOutcome;

    fn resolve(args: RetryArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<RetryOutcome, RuleError> {
        let (allowed, reason) = match (args.last_result, args.circumstances_changed) {
            (LastResult::Standoff, _) => (true, RetryReason::ContestContinues),
            (LastResult::Won, _) => (false, RetryReason::AlreadyWon),
            (LastResult::Lost, true) => (true, RetryReason::CircumstancesChanged),
            (LastResult::Lost, false) => (false, RetryReason::Lost),
        };
        Ok(RetryOutcome { allowed, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House, Value};

    const OGRE: &str = r#""sides":[{"name":"ogre","score":19},{"name":"fighter","score":17}]"#;
    /// The ogre rolls 12 and the fighter 10: both seven under.
    const EVEN: [i64; 8] = [4, 4, 3, 1, 4, 3, 2, 1];

    #[test]
    fn the_fighter_breaks_out_of_the_ogres_grip() {
        let contest = outcome::<Contest>(&format!("{{{OGRE}}}"), &[4, 4, 4, 3, 2, 2, 2, 1]);
        assert_eq!((contest.dice, contest.winner.as_deref(), contest.winning_margin), (4, Some("fighter"), 6));
    }

    #[test]
    fn four_goblins_combine_to_sixteen_and_win() {
        let args = r#"{"sides":[{"name":"goblins","scores":[8,8,8,8]},{"name":"warrior","score":17}]}"#;
        let contest = outcome::<Contest>(args, &[4, 3, 3, 5, 5, 5]);
        assert_eq!((contest.sides[0].score, contest.winner.as_deref()), (16, Some("goblins")));
    }

    #[test]
    fn equal_margins_are_a_standoff_unless_a_switch_says_otherwise() {
        let winner = |more: &str| outcome::<Contest>(&format!("{{{OGRE}{more}}}"), &EVEN).winner;
        assert_eq!(winner(""), None);
        assert_eq!(winner(r#","options":{"ties":"higher_score"}"#).as_deref(), Some("ogre"));
        assert_eq!(winner(r#","defender":"fighter","options":{"ties":"defender"}"#).as_deref(), Some("fighter"));
    }

    #[test]
    fn a_tie_without_the_defender_stays_a_standoff() {
        let sides = r#""sides":[{"name":"a","score":9},{"name":"b","score":9},{"name":"c","score":9}]"#;
        let args = format!(r#"{{{sides},"defender":"c","options":{{"ties":"defender"}}}}"#);
        let contest = outcome::<Contest>(&args, &[1, 1, 1, 1, 2, 2]);
        assert_eq!((contest.result, contest.tied.len(), contest.winning_margin), (ContestResult::Standoff, 2, 0));
    }

    #[test]
    fn the_defender_must_be_named_and_known() {
        let missing = format!(r#"{{{OGRE},"options":{{"ties":"defender"}}}}"#);
        let unknown = format!(r#"{{{OGRE},"defender":"oger"}}"#);
        for (args, kind) in [(missing, ErrorKind::Missing), (unknown, ErrorKind::Unknown)] {
            let error = resolved("opposed.contest", &args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (kind, Some("defender")));
        }
    }

    #[test]
    fn a_side_has_a_score_or_the_scores_of_a_group() {
        let both = r#"{"sides":[{"name":"a","score":9},{"name":"b","score":9,"scores":[9]}]}"#;
        let neither = r#"{"sides":[{"name":"a","score":9},{"name":"b"}]}"#;
        let cases = [(both, ErrorKind::Invalid, "sides[2].scores"), (neither, ErrorKind::Missing, "sides[2].score")];
        for (args, kind, field) in cases {
            let error = resolved("opposed.contest", args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (kind, Some(field)));
        }
    }

    #[test]
    fn an_absurd_score_is_refused_before_the_dice() {
        let args = r#"{"sides":[{"name":"a","score":6001},{"name":"b","score":9}]}"#;
        assert_eq!(resolved("opposed.contest", args, &[]).unwrap_err().kind(), ErrorKind::OutOfRange);
    }

    #[test]
    fn the_campaigns_switches_on_dice_and_combining_reach_the_contest() {
        let mut house = House::new();
        house.set("opposed.dice.min_dice", Value::Whole(3), "test").unwrap();
        house.set("check.combine.tail", Value::from("flat2"), "test").unwrap();
        let args = r#"{"sides":[{"name":"a","scores":[4,4,4,4]},{"name":"b","score":5}]}"#;
        let contest = resolved_in(&house, "opposed.contest", args, &[1, 1, 1, 1, 1, 2]).unwrap();
        assert_eq!(contest.get("dice"), Some(&Value::Whole(3)));
        let Some(Value::List(sides)) = contest.get("sides") else { panic!("no sides") };
        // 4 + 2 + 1 + 2, where the book's quarter would add 1.
        assert_eq!(sides[0].get("score"), Some(&Value::Whole(9)));
    }

    #[test]
    fn only_a_lost_contest_waits_for_a_change() {
        let allowed = |args: &str| outcome::<Retry>(args, &[]).allowed;
        assert!(!allowed(r#"{"last_result":"lost"}"#));
        assert!(allowed(r#"{"last_result":"lost","circumstances_changed":true}"#));
        assert!(allowed(r#"{"last_result":"standoff"}"#));
        assert!(!allowed(r#"{"last_result":"won"}"#));
    }
}
