//! Gaining levels and learning spells up to the maximum.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::each_once;
use super::know::{INTELLIGENCE, MageIntelligence, maximum_of};
use crate::rules::core::{AnyTable, List, Natural, NoOptions, Positive, Referee, Rule, RuleError};

/// What `spell.gain_level` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GainLevelArgs {
    /// The level before; 0 for a mage who is just made.
    pub old_level: Natural,
    /// The level now, above the old one.
    pub new_level: Positive,
    /// The mage levels that first cast spells of level 1, 2, 3 and so on, rising: `{ 1, 3, 5, 7, 9, 12, 14, 16, 18 }`.
    pub access: List<Positive, 1, 100>,
}

/// What a new level brings.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GainLevelOutcome {
    /// The spell levels whose groups are to be checked now.
    pub groups_to_check: Vec<i64>,
    /// New spells, assigned or chosen as the referee rules and subject to Chance to Know: one for each level beyond
    /// the first.
    pub new_spells: i64,
}

rule! {
    /// Tells which level groups open when a mage gains levels, and how many new spells come with them.
    ///
    /// A group is checked when the mage can first cast spells of its level. If the spell offered fails its Chance to
    /// Know, whether there is another offer is the referee's choice.
    pub struct GainLevel;
}

impl Rule for GainLevel {
    const NAME: &'static str = "spell.gain_level";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-01", "first-edition SPELL-09"];
    const EXAMPLE: &'static str = "{ old_level = 2, new_level = 3, access = { 1, 3, 5, 7, 9, 12, 14, 16, 18 } }";
    type Args = GainLevelArgs;
    type Options = NoOptions;
    type Outcome = GainLevelOutcome;

    fn resolve(args: GainLevelArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<GainLevelOutcome, RuleError> {
        let (old, new) = (args.old_level.get(), args.new_level.get());
        if new <= old {
            let message = format!("must be above the old level, {old}, not {new}");
            return Err(RuleError::invalid("new_level", message));
        }
        if args.access.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(RuleError::invalid("access", "must rise from spell level to spell level"));
        }
        let opened = args.access.iter().zip(1..).filter(|(level, _)| (old + 1..=new).contains(&level.get()));
        Ok(GainLevelOutcome {
            groups_to_check: opened.map(|(_, spell_level)| spell_level).collect(),
            new_spells: new - old.max(1),
        })
    }
}

/// What `spell.may_learn` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayLearnArgs {
    /// How many spells of the level group are learned.
    pub learned: Natural,
    /// How many may be. Without it, `int` is looked up.
    #[serde(default)]
    pub maximum: Option<Natural>,
    /// The mage's intelligence, for a maximum that is not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
}

/// Whether there is room.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayLearnOutcome {
    /// Whether one more spell of the group may be learned.
    pub may_learn: bool,
}

rule! {
    /// Tells whether the mage has learned fewer spells of a level group than the maximum.
    pub struct MayLearn;
}

impl Rule for MayLearn {
    const NAME: &'static str = "spell.may_learn";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-08"];
    const EXAMPLE: &'static str = "{ learned = 5, maximum = 6 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&INTELLIGENCE];
    type Args = MayLearnArgs;
    type Options = NoOptions;
    type Outcome = MayLearnOutcome;

    fn resolve(args: MayLearnArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<MayLearnOutcome, RuleError> {
        if args.maximum.is_none() && args.int.is_none() {
            return Err(RuleError::missing("maximum"));
        }
        let maximum = maximum_of(args.maximum, args.int, referee)?;
        Ok(MayLearnOutcome { may_learn: maximum.is_none_or(|maximum| args.learned.get() < maximum) })
    }
}

/// What happens when a spell is learned with the maximum reached (SPELL-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AtMaximum {
    /// One learned spell is lost at random, Read Magic not excepted.
    #[default]
    LoseRandom,
    /// One learned spell of the player's choice is lost: `give_up`.
    LoseChoice,
    /// Nothing is learned, as written.
    Refuse,
}

/// The switches of learning.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LearnOptions {
    /// What happens when the maximum is reached.
    pub at_maximum: AtMaximum,
}

/// What `spell.learn` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LearnArgs {
    /// The learned spells of the level group.
    pub learned: List<String>,
    /// The spell to learn.
    pub new: String,
    /// How many spells of the group may be learned. Without it, `int` is looked up.
    #[serde(default)]
    pub maximum: Option<Positive>,
    /// The mage's intelligence, for a maximum that is not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
    /// The spell the player would lose, where the player chooses.
    #[serde(default)]
    pub give_up: Option<String>,
}

/// What is learned afterwards.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LearnOutcome {
    /// Whether the rules let the mage learn it.
    pub allowed: bool,
    /// Why not: `at_maximum`.
    pub reason: Option<LearnRefusal>,
    /// The learned spells, the new one last.
    pub learned: Vec<String>,
    /// The spell lost for it.
    pub lost: Option<String>,
    /// Whether the new spell was learned.
    pub accepted: bool,
}

/// Why a spell is not learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LearnRefusal {
    /// The maximum of the level group is reached.
    AtMaximum,
}

rule! {
    /// Learns a new spell; at the maximum another is lost for it, or it is refused.
    pub struct Learn;
}

impl Rule for Learn {
    const NAME: &'static str = "spell.learn";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-08"];
    const EXAMPLE: &'static str = r#"{ learned = { "read magic", "sleep", "shield" }, new = "jump", maximum = 3 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&INTELLIGENCE];
    type Args = LearnArgs;
    type Options = LearnOptions;
    type Outcome = LearnOutcome;

    fn resolve(args: LearnArgs, options: LearnOptions, referee: &mut Referee<'_>) -> Result<LearnOutcome, RuleError> {
        each_once(&args.learned, "learned")?;
        if args.learned.contains(&args.new) {
            let message = format!("\"{}\" is learned already; give a spell that is not", args.new);
            return Err(RuleError::invalid("new", message));
        }
        if let Some(spell) = args.give_up.as_ref().filter(|spell| !args.learned.contains(spell)) {
            let known: Vec<&str> = args.learned.iter().map(String::as_str).collect();
            return Err(RuleError::unknown_among("give_up", "learned spell", spell, &known));
        }
        if args.maximum.is_none() && args.int.is_none() {
            return Err(RuleError::missing("maximum"));
        }
        let maximum = maximum_of(args.maximum, args.int, referee)?;
        let full = maximum.is_some_and(|maximum| args.learned.len() as i64 >= maximum);
        let mut learned = args.learned.into_vec();
        let lost = match options.at_maximum {
            _ if !full => None,
            AtMaximum::Refuse => {
                let reason = Some(LearnRefusal::AtMaximum);
                return Ok(LearnOutcome { allowed: false, reason, learned, lost: None, accepted: false });
            }
            AtMaximum::LoseChoice => Some(args.give_up.ok_or_else(|| RuleError::missing("give_up"))?),
            // With a single spell there is nothing to roll.
            AtMaximum::LoseRandom if learned.len() == 1 => learned.first().cloned(),
            AtMaximum::LoseRandom => {
                let place = referee.d(learned.len() as u32, "spell lost")?;
                learned.get(place as usize - 1).cloned()
            }
        };
        learned.retain(|spell| Some(spell) != lost.as_ref());
        learned.push(args.new);
        Ok(LearnOutcome { allowed: true, reason: None, learned, lost, accepted: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn the_second_group_opens_at_third_level() {
        let access = "[1,3,5,7,9,12,14,16,18]";
        let args = format!(r#"{{"old_level":2,"new_level":3,"access":{access}}}"#);
        let gained = outcome::<GainLevel>(&args, &[]);
        assert_eq!((gained.groups_to_check, gained.new_spells), (vec![2], 1));
    }

    #[test]
    fn a_new_mage_checks_the_first_group_and_has_a_book_instead_of_a_new_spell() {
        let gained = outcome::<GainLevel>(r#"{"old_level":0,"new_level":1,"access":[1,3]}"#, &[]);
        assert_eq!((gained.groups_to_check, gained.new_spells), (vec![1], 0));
    }

    #[test]
    fn no_level_gained_or_a_falling_list_of_levels_is_refused() {
        for (args, field) in [
            (r#"{"old_level":3,"new_level":3,"access":[1,3]}"#, "new_level"),
            (r#"{"old_level":3,"new_level":4,"access":[3,1]}"#, "access"),
        ] {
            assert_eq!(resolved("spell.gain_level", args, &[]).unwrap_err().field(), Some(field));
        }
    }

    #[test]
    fn at_the_maximum_a_spell_is_lost_at_random() {
        let learned = outcome::<Learn>(r#"{"learned":["read magic","sleep"],"new":"jump","maximum":2}"#, &[1]);
        assert_eq!(
            (learned.learned, learned.lost.as_deref()),
            (vec!["sleep".into(), "jump".into()], Some("read magic"))
        );
    }

    #[test]
    fn a_choice_is_asked_for_only_when_something_must_go() {
        let options = r#""options":{"at_maximum":"lose_choice"}"#;
        let full = format!(r#"{{"learned":["sleep"],"new":"jump","maximum":1,{options}}}"#);
        assert_eq!(resolved("spell.learn", &full, &[]).unwrap_err().field(), Some("give_up"));
        let room = format!(r#"{{"learned":["sleep"],"new":"jump","maximum":2,{options}}}"#);
        assert!(outcome::<Learn>(&room, &[]).accepted);
    }
}
