//! A whole round of turning: the attempt, the damage of a D result, how long the turned stay away.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::aftermath::{Blast, BlastArgs, FleeDuration, FleeDurationArgs};
use super::attempt::{Attempt, AttemptArgs, AttemptOutcome, Group, GroupResult};
use super::table::{Level, Undead, column};
use crate::rules::core::{List, NoOptions, Positive, Referee, Rule, RuleError, Whole};

/// Undead of one type, with the hit points of each.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Horde {
    /// Their type; one of the nine of the table.
    #[serde(default, rename = "type")]
    pub kind: Option<Undead>,
    /// The hit dice of each, when they are not their type's or the table does not name them.
    #[serde(default)]
    pub hd: Option<Positive>,
    /// The hit points of each creature. The first of the list are the first to be affected.
    pub hp: List<Positive, 1>,
}

/// What `turning.round` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RoundArgs {
    /// The cleric's level, 1 to 20.
    pub level: Level,
    /// The cleric's Wisdom modifier, -10 to 10; it counts on the roll and on the hit dice.
    #[serde(default)]
    pub wis_mod: Whole<-10, 10>,
    /// The undead present, at least one group, in any order.
    pub undead: List<Horde, 1>,
    /// Whether an evil cleric commands them instead (TURN-08).
    #[serde(default)]
    pub evil: bool,
}

/// How one creature fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Not affected.
    Stays,
    /// Flees.
    Turned,
    /// Obeys.
    Commanded,
    /// Destroyed.
    Destroyed,
}

/// One creature after the round.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Fated {
    /// How it fared.
    pub fate: Fate,
    /// Its hit points, 0 when it is destroyed.
    pub hp: i64,
}

/// A group after the round.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FatedHorde {
    /// Its place in the argument, counted from 1.
    pub place: i64,
    /// Its creatures, in the order given.
    pub creatures: Vec<Fated>,
}

/// How a round of turning went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RoundOutcome {
    /// The attempt.
    pub attempt: AttemptOutcome,
    /// The groups, weakest first as they were affected.
    pub groups: Vec<FatedHorde>,
    /// The damage of a D result, the same for all; nothing where there was none.
    pub damage: Option<i64>,
    /// For how many turns at least those who flee stay away; nothing where nobody flees.
    pub flee_turns: Option<i64>,
}

rule! {
    /// Turns a mixed group for one round, creature by creature: the attempt, the damage of a D result rolled once for
    /// all, and how long those who flee stay away.
    pub struct Round;
}

impl Rule for Round {
    const NAME: &'static str = "turning.round";
    const SOURCE: &'static [&'static str] = &[
        "combat-details TURN-02",
        "combat-details TURN-03",
        "combat-details TURN-04",
        "combat-details TURN-06",
        "combat-details TURN-07",
    ];
    const EXAMPLE: &'static str = r#"{ level = 11, wis_mod = 1, undead = { { type = "ghoul", hp = { 9, 14 } }, { type = "skeleton", hp = { 4, 4, 6 } } } }"#;
    type Args = RoundArgs;
    type Options = NoOptions;
    type Outcome = RoundOutcome;

    fn resolve(args: RoundArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RoundOutcome, RuleError> {
        let RoundArgs { level, wis_mod, undead, evil } = args;
        let mut hordes = Vec::with_capacity(undead.len());
        for (at, horde) in undead.into_iter().enumerate() {
            let kind = column(horde.kind, horde.hd).map_err(|error| error.within_element(at).within("undead"))?;
            let hit_dice = horde.hd.map_or_else(|| kind.hit_dice(), Whole::get);
            hordes.push((hit_dice, kind, at, horde));
        }
        // The order in which turning.attempt affects them, so that its groups and these go side by side.
        hordes.sort_by_key(|(hit_dice, kind, ..)| (*hit_dice, *kind));
        let groups = hordes.iter().map(|(_, _, _, horde)| Group {
            kind: horde.kind,
            hd: horde.hd,
            count: Positive::clamped(horde.hp.len() as i64),
        });
        let undead = List::new(groups.collect()).ok_or_else(|| RuleError::missing("undead"))?;
        let attempt = referee.call::<Attempt>(AttemptArgs { level, wis_mod, undead, evil })?;

        let mut groups = Vec::with_capacity(hordes.len());
        let mut blasted = Vec::new();
        for ((_, _, at, horde), tried) in hordes.iter().zip(&attempt.groups) {
            let affected = usize::try_from(tried.affected).unwrap_or(0).min(horde.hp.len());
            let fate = match tried.result {
                GroupResult::Commanded => Fate::Commanded,
                GroupResult::Turned | GroupResult::Damaged => Fate::Turned,
                GroupResult::Failed | GroupResult::NotReached | GroupResult::NoEffect => Fate::Stays,
            };
            let mut creatures: Vec<Fated> =
                horde.hp.iter().map(|hp| Fated { fate: Fate::Stays, hp: hp.get() }).collect();
            creatures[..affected].iter_mut().for_each(|creature| creature.fate = fate);
            if tried.result == GroupResult::Damaged {
                blasted.extend((0..affected).map(|creature| (groups.len(), creature)));
            }
            groups.push(FatedHorde { place: *at as i64 + 1, creatures });
        }
        let damage = if blasted.is_empty() { None } else { blast(level, &blasted, &mut groups, referee)? };
        let flees = groups.iter().flat_map(|horde| &horde.creatures).any(|creature| creature.fate == Fate::Turned);
        let flee_turns = if flees { Some(referee.call::<FleeDuration>(FleeDurationArgs {})?.turns) } else { None };
        Ok(RoundOutcome { attempt, groups, damage, flee_turns })
    }
}

/// Blasts the creatures at these places, by group and place in it, all by one roll.
fn blast(
    level: Level,
    places: &[(usize, usize)],
    groups: &mut [FatedHorde],
    referee: &mut Referee<'_>,
) -> Result<Option<i64>, RuleError> {
    let hp = places.iter().map(|&(group, creature)| Positive::clamped(groups[group].creatures[creature].hp));
    let hp = List::new(hp.collect()).ok_or_else(|| RuleError::out_of_range("undead", "must be fewer creatures"))?;
    let blast = referee.call::<Blast>(BlastArgs { level, hp })?;
    for (&(group, creature), blasted) in places.iter().zip(&blast.results) {
        let fate = if blasted.destroyed { Fate::Destroyed } else { Fate::Turned };
        groups[group].creatures[creature] = Fated { fate, hp: blasted.hp };
    }
    Ok(blast.damage)
}

#[cfg(test)]
mod tests {
    use super::{Fate, Round};
    use crate::rules::core::testing::outcome;

    fn fates(args: &str, dice: &[i64]) -> Vec<Vec<Fate>> {
        let round = outcome::<Round>(args, dice);
        round.groups.iter().map(|group| group.creatures.iter().map(|creature| creature.fate).collect()).collect()
    }

    #[test]
    fn three_zombies_of_six_flee_for_a_while() {
        let args = r#"{"level":3,"undead":[{"type":"zombie","hp":[5,5,5,5,5,5]}]}"#;
        let round = outcome::<Round>(args, &[13, 3, 4, 2, 3]);
        let turned = round.groups[0].creatures.iter().filter(|creature| creature.fate == Fate::Turned).count();
        assert_eq!((turned, round.flee_turns, round.damage), (3, Some(5), None));
    }

    #[test]
    fn skeletons_before_a_great_cleric_are_blasted_and_ghouls_come_after_them() {
        // Level 11: D against skeletons, 2 against ghouls; d20, 2d6 hit dice, 11d8 of damage, 2d4 turns.
        let args = r#"{"level":11,"undead":[{"type":"ghoul","hp":[9]},{"type":"skeleton","hp":[4,40]}]}"#;
        let dice = [[5, 4, 4].as_slice(), &[1; 11], &[2, 2]].concat();
        let found = fates(args, &dice);
        assert_eq!(found, [vec![Fate::Destroyed, Fate::Turned], vec![Fate::Turned]]);
        assert_eq!(outcome::<Round>(args, &dice).groups[0].place, 2);
    }

    #[test]
    fn a_failed_turning_leaves_all_where_they_are() {
        let args = r#"{"level":1,"undead":[{"type":"zombie","hp":[5]}]}"#;
        assert_eq!(fates(args, &[5]), [vec![Fate::Stays]]);
        assert_eq!(outcome::<Round>(args, &[5]).flee_turns, None);
    }

    #[test]
    fn the_commanded_do_not_flee() {
        let args = r#"{"level":11,"evil":true,"undead":[{"type":"skeleton","hp":[5]}]}"#;
        assert_eq!(fates(args, &[3, 3]), [vec![Fate::Commanded]]);
    }
}
