//! What a character tries: checks of skills and abilities, scrolls.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::character::Character;
use crate::rules::ability::{Ability, Scores};
use crate::rules::check::{Difficulty, GoodAt, Roll, RollArgs};
use crate::rules::class::{ClassLevelArgs, SpellLevel};
use crate::rules::core::names::alike;
use crate::rules::core::{Modifier, Natural, Referee, RuleError, Whole};
use crate::rules::dying::{Weakness, WeaknessArgs};
use crate::rules::scroll::over_level::{Cast, CastArgs, CastOutcome};
use crate::rules::skill::{self, Check, CheckOutcome, Grade};

/// The class that casts from scrolls (SCR-01).
const SCROLL_CLASS: &str = "magic_user";

/// How a check differs from an ordinary one.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CheckArgs {
    /// How hard it is, in dice or by name; `hard` for a skill, `average` for an ability.
    #[serde(default)]
    pub difficulty: Option<Difficulty>,
    /// Dice added by missing tools or stress, or (negative) taken away by time or help (CHK-05).
    #[serde(default)]
    pub circumstance: Whole<-1_000, 1_000>,
    /// Added to the number to stay under, beside the class bonus of the character.
    #[serde(default)]
    pub bonus: Modifier,
}

/// What reading a scroll is asked.
#[derive(Clone, Debug, Deserialize)]
pub struct ReadScrollArgs {
    /// The spell level of the scroll.
    pub spell_level: Whole<1, 9>,
    /// The highest spell level that the reader can cast, where it is not the rulebook's for the level.
    #[serde(default)]
    pub max_level: Option<Whole<1, 9>>,
}

/// What a list of skills holds for one, however it is written.
fn entry<'a, T>(skills: &'a BTreeMap<String, T>, what: &str) -> Option<&'a T> {
    skills.get(what).or_else(|| skills.iter().find(|(skill, _)| alike(skill, what)).map(|(_, value)| value))
}

impl Character {
    /// Refuses what only the waking can do.
    fn needs_waking(&self) -> Result<(), RuleError> {
        if self.is_awake() {
            return Ok(());
        }
        let message = format!("must be awake for that; {} is {}", self.name, self.state_in_words());
        Err(RuleError::invalid("status", message))
    }

    /// The scores as they are now: weakness after a coma takes strength and dexterity away (DYING-09).
    pub fn scores_now(&self, referee: &mut Referee<'_>) -> Result<Scores, RuleError> {
        let mut scores = self.scores;
        if self.weakness > 0 {
            let args = WeaknessArgs {
                str: scores.str.unwrap_or_default(),
                dex: scores.dex.unwrap_or_default(),
                penalty: Some(Natural::clamped(self.weakness)),
            };
            let weakened = referee.call::<Weakness>(args)?;
            scores.str = scores.str.map(|_| Natural::clamped(weakened.str));
            scores.dex = scores.dex.map(|_| Natural::clamped(weakened.dex));
        }
        Ok(scores)
    }

    fn good_at(&self, what: &str) -> GoodAt {
        match entry(&self.good_at, what) {
            None => GoodAt::None,
            Some(Grade::Good) => GoodAt::Good,
            Some(Grade::VeryGood) => GoodAt::VeryGood,
        }
    }

    /// Tries a skill (`climb_walls`) or an ability (`str`), with what the character is good at and its class's bonus.
    pub fn check(&self, what: &str, args: CheckArgs, referee: &mut Referee<'_>) -> Result<CheckOutcome, RuleError> {
        self.needs_waking()?;
        let scores = self.scores_now(referee)?;
        let CheckArgs { difficulty, circumstance, bonus } = args;
        let good_at = self.good_at(what);
        let class_bonus = entry(&self.skill_bonus, what).copied().unwrap_or(0) + bonus.get();
        let ability = Ability::ALL.into_iter().find(|ability| alike(ability.name(), what));
        let Some(ability) = ability else {
            let difficulty = difficulty.unwrap_or_else(|| Difficulty::Named("hard".into()));
            // A negative bonus is no class's: it lowers the scores instead of the bonus that the rule takes.
            let scores = if class_bonus < 0 { lowered(scores, class_bonus) } else { scores };
            let class_bonus = Natural::clamped(class_bonus);
            let skill = what.to_owned();
            return referee.call::<Check>(skill::CheckArgs {
                skill,
                scores,
                difficulty,
                circumstance,
                good_at,
                class_bonus,
                class: None,
            });
        };
        let score = scores.needed(ability, "scores")?;
        let rolled = referee.call::<Roll>(RollArgs {
            score: Natural::clamped(score),
            difficulty: difficulty.unwrap_or_else(|| Difficulty::Named("average".into())),
            circumstance,
            good_at,
            bonus: Modifier::clamped(class_bonus),
        })?;
        Ok(CheckOutcome {
            skill: what.to_owned(),
            score,
            dice: rolled.dice,
            target: rolled.target,
            automatic: rolled.automatic,
            rolls: rolled.rolls,
            total: rolled.total,
            success: rolled.success,
            margin: rolled.margin,
        })
    }

    /// Casts from a scroll: without risk up to the reader's own spell level, above it at a risk (SCR-01, SCR-02).
    pub fn read_scroll(&self, args: ReadScrollArgs, referee: &mut Referee<'_>) -> Result<CastOutcome, RuleError> {
        self.needs_waking()?;
        let spell_level = args.spell_level;
        let Some(class) = self.classes.iter().find(|class| class.class == SCROLL_CLASS) else {
            let max_level = args.max_level.unwrap_or(Whole::clamped(1));
            return referee.call::<Cast>(CastArgs { magic_user: false, max_level, spell_level });
        };
        let max_level = if let Some(max_level) = args.max_level {
            max_level
        } else {
            let level = Whole::clamped(class.level);
            let asked = ClassLevelArgs { rulebook: self.rulebook, class: class.class.clone(), level };
            let known = referee.call::<SpellLevel>(asked)?.max_level;
            // The figures of this rulebook may be missing: then somebody must say.
            Whole::new(known).ok_or_else(|| RuleError::missing("max_level"))?
        };
        referee.call::<Cast>(CastArgs { magic_user: true, max_level, spell_level })
    }
}

/// All scores lower by a penalty, none below 0.
fn lowered(scores: Scores, penalty: i64) -> Scores {
    let lower = |score: Option<Natural>| score.map(|score| Natural::clamped(score.get() + penalty));
    Scores {
        str: lower(scores.str),
        dex: lower(scores.dex),
        con: lower(scores.con),
        int: lower(scores.int),
        wis: lower(scores.wis),
        cha: lower(scores.cha),
    }
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{HALFLING, halfling, read_json, with_dice};
    use super::*;
    use crate::rules::core::{ErrorKind, House, Value};
    use crate::rules::scroll::over_level::CastResult;

    fn checked(who: &Character, what: &str, args: CheckArgs, dice: &[i64]) -> CheckOutcome {
        with_dice(&House::new(), dice, |referee| who.check(what, args, referee)).unwrap()
    }

    #[test]
    fn training_takes_dice_away_and_the_class_adds_its_bonus() {
        // Very Good At locks: two dice instead of four; the mean of 12 and 16, and 2 for the class.
        let lock = checked(&halfling(), "open_locks", CheckArgs::default(), &[]);
        assert_eq!((lock.dice, lock.score, lock.target, lock.success), (2, 14, 16, true));
        let climb = checked(&halfling(), "climb_walls", CheckArgs::default(), &[4, 4, 4]);
        assert_eq!((climb.dice, climb.target, climb.margin), (3, 13, Some(1)));
    }

    #[test]
    fn an_ability_is_an_average_task_unless_said_otherwise() {
        let lift = checked(&halfling(), "str", CheckArgs::default(), &[3, 3, 3]);
        assert_eq!((lift.dice, lift.score, lift.success), (3, 10, true));
        let args = CheckArgs { difficulty: Some(Difficulty::Named("hard".into())), ..CheckArgs::default() };
        assert_eq!(checked(&halfling(), "str", args, &[3, 3, 3, 3]).dice, 4);
    }

    #[test]
    fn a_penalty_counts_for_a_skill_too() {
        let args = CheckArgs { bonus: Modifier::clamped(-3), ..CheckArgs::default() };
        let climb = checked(&halfling(), "climb_walls", args, &[4, 4, 4]);
        assert_eq!((climb.target, climb.success), (10, false));
    }

    #[test]
    fn whoever_has_just_woken_has_no_strength_to_climb() {
        let mut weak = halfling();
        weak.weakness = 24;
        let climb = checked(&weak, "climb_walls", CheckArgs::default(), &[]);
        assert_eq!((climb.score, climb.success), (0, false));
    }

    #[test]
    fn the_comatose_try_nothing() {
        let mut out = halfling();
        out.coma_hours = 3;
        let tried = with_dice(&House::new(), &[], |referee| out.check("str", CheckArgs::default(), referee));
        assert_eq!(tried.unwrap_err().kind(), ErrorKind::Invalid);
    }

    #[test]
    fn a_switch_of_the_house_reaches_the_check() {
        let mut house = House::new();
        house.set("check.roll.min_dice", Value::Whole(1), "a test").unwrap();
        let easy = CheckArgs { difficulty: Some(Difficulty::Dice(Whole::clamped(1))), ..CheckArgs::default() };
        let dice = with_dice(&house, &[], |referee| halfling().check("open_locks", easy, referee)).unwrap().dice;
        assert_eq!(dice, 1);
    }

    #[test]
    fn a_fifth_level_magic_user_risks_a_sixth_level_scroll() {
        let reader = read_json(r#"{"name":"Reader","max_hp":9,"classes":[{"class":"magic_user","level":5}]}"#).unwrap();
        let args = ReadScrollArgs { spell_level: Whole::clamped(6), max_level: None };
        let cast = |dice: i64| {
            with_dice(&House::new(), &[dice], |referee| reader.read_scroll(args.clone(), referee)).unwrap().result
        };
        assert_eq!([cast(15), cast(75), cast(76)], [CastResult::Backfire, CastResult::Fizzle, CastResult::Success]);
        let thief = read_json(HALFLING).unwrap();
        let cast = with_dice(&House::new(), &[], |referee| thief.read_scroll(args.clone(), referee)).unwrap();
        assert_eq!(cast.result, CastResult::NotAllowed);
    }
}
