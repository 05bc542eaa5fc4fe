//! The attempt itself: one roll and one budget of hit dice for all undead present (TURN-02 to TURN-04, TURN-08).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::table::{Level, Lookup, LookupArgs, Need, TURN_UNDEAD, Undead, column};
use crate::rules::core::{AnyTable, List, NoOptions, Positive, Referee, Rule, RuleError, Whole};

/// Undead of one type.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// Their type; one of the nine of the table.
    #[serde(default, rename = "type")]
    pub kind: Option<Undead>,
    /// The hit dice of each, when they are not their type's or the table does not name them. They say in which order
    /// groups are affected and what each creature takes from the hit dice rolled.
    #[serde(default)]
    pub hd: Option<Positive>,
    /// How many there are.
    #[serde(default = "one")]
    pub count: Positive,
}

fn one() -> Positive {
    Positive::clamped(1)
}

/// What `turning.attempt` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttemptArgs {
    /// The cleric's level, 1 to 20.
    pub level: Level,
    /// The cleric's Wisdom modifier, -10 to 10; it counts on the roll and on the hit dice.
    #[serde(default)]
    pub wis_mod: Whole<-10, 10>,
    /// The undead present, at least one group, in any order.
    pub undead: List<Group, 1>,
    /// Whether an evil cleric commands them instead (TURN-08).
    #[serde(default)]
    pub evil: bool,
}

/// How a group fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GroupResult {
    /// Some or all of them flee.
    Turned,
    /// Some or all of them suffer the damage of `turning.blast`.
    Damaged,
    /// Some or all of them obey.
    Commanded,
    /// The roll missed their number while hit dice remained.
    Failed,
    /// The hit dice ran out before them.
    NotReached,
    /// This cleric cannot affect them.
    NoEffect,
}

/// A group after the attempt.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TriedGroup {
    /// Their type, or that of the column for their hit dice.
    #[serde(rename = "type")]
    pub kind: Undead,
    /// What the table says: `No`, a number, `T` or `D`.
    pub need: Need,
    /// How they fared.
    pub result: GroupResult,
    /// How many are affected.
    pub affected: i64,
    /// How many there are.
    pub present: i64,
}

/// How an attempt went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptResult {
    /// Some are affected, and no roll missed.
    Success,
    /// Some are affected, and a type whose turn came was missed.
    Partial,
    /// The roll missed them all.
    Failure,
    /// None of them can be affected by this cleric; nothing was tried and nothing is lost.
    Impossible,
}

/// Who is turned.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttemptOutcome {
    /// The d20; nothing where no type present has a number.
    pub roll: Option<i64>,
    /// The roll with the Wisdom modifier.
    pub total: Option<i64>,
    /// The hit dice that can be affected, 2d6 and the Wisdom modifier; nothing where nobody is affected.
    pub hd_budget: Option<i64>,
    /// The groups, weakest first.
    pub groups: Vec<TriedGroup>,
    /// How it went as a whole.
    pub result: AttemptResult,
    /// Whether the cleric may not try again for a full turn (TURN-05).
    pub locked_out: bool,
    /// Whether the cleric may try again next round, on those that were left (TURN-05).
    pub may_retry: bool,
}

rule! {
    /// A cleric brandishes the holy symbol: d20 and Wisdom modifier against the table, then 2d6 and Wisdom modifier hit
    /// dice are affected, the weakest first.
    ///
    /// One roll and one budget serve for all. At least one creature is affected when the roll succeeds; hit dice left
    /// over are lost. Types that are turned or damaged without a number need no d20, types that cannot be affected need
    /// no dice at all. A partial failure is a type whose number the roll missed while hit dice remained. Hit dice
    /// decide who is weakest, and among equals the table's order.
    pub struct Attempt;
}

impl Rule for Attempt {
    const NAME: &'static str = "turning.attempt";
    const SOURCE: &'static [&'static str] = &[
        "combat-details TURN-02",
        "combat-details TURN-03",
        "combat-details TURN-04",
        "combat-details TURN-07",
        "combat-details TURN-08",
    ];
    const EXAMPLE: &'static str = r#"{ level = 3, wis_mod = 1, undead = { { type = "zombie", count = 6 } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&TURN_UNDEAD];
    type Args = AttemptArgs;
    type Options = NoOptions;
    type Outcome = AttemptOutcome;

    fn resolve(args: AttemptArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<AttemptOutcome, RuleError> {
        let mut present = looked_up(&args, referee)?;
        present.sort_by_key(|group| (group.hit_dice, group.kind));
        let wisdom = args.wis_mod.get();
        let roll = if present.iter().any(|group| matches!(group.need, Need::Roll(_))) {
            referee.modifier(wisdom, "to the roll, for Wisdom");
            Some(referee.d(20, "turning")?)
        } else {
            None
        };
        let total = roll.map(|roll| roll + wisdom);
        let hd_budget = if present.iter().any(|group| group.passed(total)) {
            referee.modifier(wisdom, "to the hit dice, for Wisdom");
            Some(referee.total(2, 6, "hit dice turned")?.sum + wisdom)
        } else {
            None
        };
        let groups = affected(&present, total, hd_budget, args.evil);
        let result = result_of(&groups);
        let left = groups.iter().any(|group| group.need != Need::No && group.affected < group.present);
        Ok(AttemptOutcome {
            roll,
            total,
            hd_budget,
            groups,
            result,
            locked_out: matches!(result, AttemptResult::Failure | AttemptResult::Partial),
            may_retry: result == AttemptResult::Success && left,
        })
    }
}

/// A group with its cell of the table.
struct Present {
    kind: Undead,
    hit_dice: i64,
    count: i64,
    need: Need,
}

impl Present {
    /// Whether the roll is good enough for them, hit dice aside.
    fn passed(&self, total: Option<i64>) -> bool {
        match self.need {
            Need::No => false,
            Need::Roll(number) => total.is_some_and(|total| total >= number.get()),
            Need::Turned | Need::Damaged => true,
        }
    }
}

fn looked_up(args: &AttemptArgs, referee: &mut Referee<'_>) -> Result<Vec<Present>, RuleError> {
    let mut present = Vec::with_capacity(args.undead.len());
    for (at, group) in args.undead.iter().enumerate() {
        let kind = column(group.kind, group.hd).map_err(|error| error.within_element(at).within("undead"))?;
        let lookup = LookupArgs { level: args.level, kind: Some(kind), hd: None };
        let need = referee.call::<Lookup>(lookup)?.result;
        let hit_dice = group.hd.map_or_else(|| kind.hit_dice(), Whole::get);
        present.push(Present { kind, hit_dice, count: group.count.get(), need });
    }
    Ok(present)
}

/// Spends the hit dice, weakest first.
fn affected(present: &[Present], total: Option<i64>, budget: Option<i64>, evil: bool) -> Vec<TriedGroup> {
    let mut left = budget.unwrap_or(0);
    let mut nobody_yet = true;
    let mut tried = Vec::with_capacity(present.len());
    for group in present {
        let (affected, result) = if group.need == Need::No {
            (0, GroupResult::NoEffect)
        } else if !group.passed(total) {
            // Without a budget nobody passed, and every number that was missed was tried.
            (0, if budget.is_none() || left > 0 { GroupResult::Failed } else { GroupResult::NotReached })
        } else {
            let least = i64::from(nobody_yet);
            let affected = (left.max(0) / group.hit_dice).clamp(least, group.count);
            left -= affected * group.hit_dice;
            nobody_yet = false;
            let result = match (affected, evil, group.need) {
                (0, _, _) => GroupResult::NotReached,
                (_, true, _) => GroupResult::Commanded,
                (_, false, Need::Damaged) => GroupResult::Damaged,
                (_, false, _) => GroupResult::Turned,
            };
            (affected, result)
        };
        tried.push(TriedGroup { kind: group.kind, need: group.need, result, affected, present: group.count });
    }
    tried
}

fn result_of(groups: &[TriedGroup]) -> AttemptResult {
    let missed = groups.iter().any(|group| group.result == GroupResult::Failed);
    let some = groups.iter().any(|group| group.affected > 0);
    match (some, missed) {
        (true, false) => AttemptResult::Success,
        (true, true) => AttemptResult::Partial,
        (false, true) => AttemptResult::Failure,
        (false, false) => AttemptResult::Impossible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    fn counts(args: &str, dice: &[i64]) -> Vec<(Undead, i64)> {
        outcome::<Attempt>(args, dice).groups.iter().map(|group| (group.kind, group.affected)).collect()
    }

    #[test]
    fn seven_hit_dice_turn_three_zombies() {
        let args = r#"{"level":3,"undead":[{"type":"zombie","count":6}]}"#;
        assert_eq!(counts(args, &[13, 3, 4]), [(Undead::Zombie, 3)]);
        assert!(outcome::<Attempt>(args, &[13, 3, 4]).may_retry);
    }

    #[test]
    fn the_weakest_go_first_whatever_the_order() {
        let args = r#"{"level":5,"undead":[{"type":"wight","count":2},{"type":"skeleton","count":2}]}"#;
        assert_eq!(counts(args, &[17, 4, 4]), [(Undead::Skeleton, 2), (Undead::Wight, 1)]);
    }

    #[test]
    fn a_type_missed_while_hit_dice_remain_is_a_partial_failure() {
        let args = r#"{"level":5,"undead":[{"type":"wight"},{"type":"skeleton","count":2}]}"#;
        let tried = outcome::<Attempt>(args, &[16, 6, 6]);
        assert_eq!((tried.result, tried.locked_out), (AttemptResult::Partial, true));
    }

    #[test]
    fn a_type_that_the_hit_dice_do_not_reach_was_not_tried() {
        let args = r#"{"level":5,"undead":[{"type":"wight"},{"type":"skeleton","count":20}]}"#;
        let tried = outcome::<Attempt>(args, &[16, 6, 6]);
        assert_eq!(tried.groups[1].result, GroupResult::NotReached);
        assert_eq!((tried.result, tried.may_retry), (AttemptResult::Success, true));
    }

    #[test]
    fn at_least_one_goes_even_on_a_negative_budget() {
        let args = r#"{"level":3,"wis_mod":-3,"undead":[{"type":"zombie","count":2}]}"#;
        assert_eq!(counts(args, &[20, 1, 1]), [(Undead::Zombie, 1)]);
    }

    #[test]
    fn the_impossible_costs_neither_dice_nor_the_next_attempt() {
        let tried = outcome::<Attempt>(r#"{"level":1,"undead":[{"hd":4}]}"#, &[]);
        assert_eq!((tried.result, tried.locked_out), (AttemptResult::Impossible, false));
        assert_eq!(tried.groups[0].kind, Undead::Wight);
    }

    #[test]
    fn an_evil_cleric_commands_even_what_would_be_blasted() {
        let args = r#"{"level":11,"evil":true,"undead":[{"type":"skeleton"}]}"#;
        assert_eq!(outcome::<Attempt>(args, &[3, 4]).groups[0].result, GroupResult::Commanded);
    }

    #[test]
    fn a_group_without_type_or_hit_dice_is_named_by_its_place() {
        let error = resolved("turning.attempt", r#"{"level":3,"undead":[{"hd":1},{}]}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("undead[2].type"));
    }
}
