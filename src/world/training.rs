//! Training: levels bought with gold, classes begun, examinations owed (TRN-01 to 03, MC-01, MC-02).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::character::{Character, ClassLevel};
use crate::rules::ability::{Ability, Scores};
use crate::rules::class::{self, ClassLevelArgs, Threshold};
use crate::rules::core::{Natural, Positive, Referee, RuleError, Whole};
use crate::rules::multiclass::{NewClass, NewClassArgs, NewClassOutcome};
use crate::rules::training::{self, Recognized, RecognizedArgs, Train, TrainReason};

/// How somebody trains.
#[derive(Clone, Debug, Deserialize)]
pub struct TrainArgs {
    /// Gold pieces at hand.
    pub gold: Natural,
    /// Whether somebody is there to train the character.
    #[serde(default = "crate::rules::core::yes")]
    pub trainer: bool,
    /// The class, where there are several.
    #[serde(default)]
    pub class: Option<String>,
    /// A class to begin while training for the level (MC-02); it starts at level 1 without experience.
    #[serde(default)]
    pub new_class: Option<String>,
    /// The least scores that the new class asks for, by ability; the rulebooks' are not among the figures here.
    #[serde(default)]
    pub minimums: Scores,
    /// Whether somebody is there to teach the new class.
    #[serde(default = "crate::rules::core::yes")]
    pub teacher: bool,
}

/// Why training ended as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LevelReason {
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
    /// The species rises no further in the class (LVL-01), or the class ends.
    LevelLimit,
}

impl From<TrainReason> for LevelReason {
    fn from(reason: TrainReason) -> Self {
        match reason {
            TrainReason::AlreadyEarned => LevelReason::AlreadyEarned,
            TrainReason::Trained => LevelReason::Trained,
            TrainReason::NoTrainer => LevelReason::NoTrainer,
            TrainReason::OverCap => LevelReason::OverCap,
            TrainReason::NotEnoughGold => LevelReason::NotEnoughGold,
        }
    }
}

/// How training went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Trained {
    /// The class that was trained.
    pub class: String,
    /// Whether the level is gained.
    pub advances: bool,
    /// Why.
    pub reason: LevelReason,
    /// The level now.
    pub level: i64,
    /// Gold pieces spent.
    pub gold_spent: i64,
    /// Gold pieces left.
    pub gold_remaining: i64,
    /// Hit points gained.
    pub hp_gained: i64,
    /// The level that the guilds recognize now.
    pub recognized: i64,
    /// Whether the new class was begun and what stood in the way; nothing where none was asked for.
    pub new_class: Option<NewClassOutcome>,
}

/// An examination of the guild, to catch up with levels gained without training.
#[derive(Clone, Debug, Deserialize)]
pub struct ExamineArgs {
    /// Gold pieces at hand.
    pub gold: Natural,
    /// The fee of each level in gold pieces, by its number as text; every owed level must be there. The source names no
    /// sums.
    pub fees: BTreeMap<String, Natural>,
    /// The class, where there are several.
    #[serde(default)]
    pub class: Option<String>,
}

/// How an examination ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExamineReason {
    /// The fees are paid and every level is recognized.
    Recognized,
    /// Every level was recognized before.
    NothingOwed,
    /// Not enough gold for all that is owed.
    NotEnoughGold,
}

/// What an examination came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Examined {
    /// The class.
    pub class: String,
    /// How it ended.
    pub reason: ExamineReason,
    /// The levels that were owed before, lowest first.
    pub owed: Vec<i64>,
    /// What they cost together, in gold pieces.
    pub fee: i64,
    /// Gold pieces left.
    pub gold_remaining: i64,
    /// The level that the guilds recognize now.
    pub recognized: i64,
}

impl Character {
    /// Trains with gold in place of missing experience (TRN-02). A level gained with a trainer is recognized where the
    /// one before it was (TRN-03).
    pub fn train(&mut self, args: TrainArgs, referee: &mut Referee<'_>) -> Result<Trained, RuleError> {
        let index = self.class_index(args.class.as_deref())?;
        let level = self.classes[index].level;
        let begins = self.threshold(index, level, referee)?.xp.unwrap_or(0);
        let next = self.threshold(index, level + 1, referee)?;
        let limited = self.limit(index, referee)?;
        let gold = args.gold.get();
        let next_xp = next.xp.filter(|_| limited.may_advance);
        let trained = match next_xp {
            None => None,
            Some(next_xp) => Some(referee.call::<Train>(training::TrainArgs {
                level_xp: Positive::clamped(next_xp - begins),
                xp_short: Natural::clamped((next_xp - self.classes[index].xp).max(0)),
                gold: args.gold,
                trainer: args.trainer,
            })?),
        };
        let advances = trained.as_ref().is_some_and(|trained| trained.advances);
        // Asked before any die falls. Who rises without a trainer is not in training: no occasion for another class.
        let new_class = self.may_begin(&args, advances && args.trainer, referee)?;
        let (Some(next_xp), Some(trained)) = (next_xp, trained) else {
            return Ok(self.trained(index, LevelReason::LevelLimit, (0, gold), None, new_class));
        };
        let purse = (trained.gold_spent, trained.gold_remaining);
        if !trained.advances {
            return Ok(self.trained(index, trained.reason.into(), purse, None, new_class));
        }
        let hp_gained = self.rise(index, &next, referee)?;
        let own = &mut self.classes[index];
        own.xp = own.xp.max(next_xp);
        if args.trainer && own.recognized == level {
            own.recognized = own.level;
        }
        if let (Some(class), true) = (args.new_class, new_class.as_ref().is_some_and(|begun| begun.allowed)) {
            let class = class::name_in(self.rulebook, &class, referee);
            self.classes.push(ClassLevel { class, level: 1, xp: 0, recognized: 1, bonus_percent: None });
        }
        Ok(self.trained(index, trained.reason.into(), purse, Some(hp_gained), new_class))
    }

    fn trained(
        &self,
        index: usize,
        reason: LevelReason,
        purse: (i64, i64),
        risen: Option<i64>,
        new_class: Option<NewClassOutcome>,
    ) -> Trained {
        let own = &self.classes[index];
        Trained {
            class: own.class.clone(),
            advances: risen.is_some(),
            reason,
            level: own.level,
            gold_spent: purse.0,
            gold_remaining: purse.1,
            hp_gained: risen.unwrap_or(0),
            recognized: own.recognized,
            new_class,
        }
    }

    /// Whether the new class that is asked for may be begun (MC-01, MC-02); nothing where none is asked for. One that the
    /// rulebook does not know or that the character has already is an error.
    fn may_begin(
        &self,
        args: &TrainArgs,
        training_for_level: bool,
        referee: &mut Referee<'_>,
    ) -> Result<Option<NewClassOutcome>, RuleError> {
        let Some(class) = &args.new_class else { return Ok(None) };
        let (name, rulebook, scores) = (&self.name, self.rulebook, self.scores);
        let class = &class::name_in(rulebook, class, referee);
        if self.classes.iter().any(|own| own.class == *class) {
            return Err(RuleError::invalid("new_class", format!("must be another; {name} is a {class} already")));
        }
        let unknown = |ability: &Ability| args.minimums.get(*ability).is_some() && scores.get(*ability).is_none();
        if let Some(ability) = Ability::ALL.iter().find(|ability| unknown(ability)) {
            let message = format!("asks for {}, and {name} has no such score", ability.name());
            return Err(RuleError::invalid("minimums", message));
        }
        let first = ClassLevelArgs { rulebook, class: class.clone(), level: Whole::clamped(1) };
        referee.call::<Threshold>(first).map_err(|error| error.within("new_class"))?;
        let limit = class::LimitArgs { rulebook, species: self.species, class: class.clone(), scores };
        let species_allowed = referee.call::<class::Limit>(limit)?.allowed;
        let minimums = args.minimums;
        let teacher = args.teacher;
        let asked = NewClassArgs { training_for_level, teacher, species_allowed, minimums, scores };
        referee.call::<NewClass>(asked).map(Some)
    }

    /// Pays the guild's fees for every level gained without training, which is recognized from then on (TRN-03). Half a
    /// payment buys nothing.
    pub fn examine(&mut self, args: ExamineArgs, referee: &mut Referee<'_>) -> Result<Examined, RuleError> {
        let index = self.class_index(args.class.as_deref())?;
        let own = &mut self.classes[index];
        let due = referee.call::<Recognized>(RecognizedArgs {
            level: Whole::clamped(own.level),
            trained_level: Whole::clamped(own.recognized),
            fees: Some(args.fees),
        })?;
        let (fee, gold) = (due.fee.unwrap_or(0), args.gold.get());
        let reason = match () {
            () if due.owed.is_empty() => ExamineReason::NothingOwed,
            () if fee > gold => ExamineReason::NotEnoughGold,
            () => ExamineReason::Recognized,
        };
        let paid = reason == ExamineReason::Recognized;
        if paid {
            own.recognized = own.level;
        }
        Ok(Examined {
            class: own.class.clone(),
            reason,
            owed: due.owed,
            fee,
            gold_remaining: if paid { gold - fee } else { gold },
            recognized: own.recognized,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{halfling, read_json, with_dice};
    use super::*;
    use crate::rules::core::{ErrorKind, House, Value, read};
    use crate::rules::multiclass::NewClassReason;

    fn gold(pieces: i64, class: Option<&str>) -> TrainArgs {
        TrainArgs {
            gold: Natural::clamped(pieces),
            trainer: true,
            class: class.map(str::to_owned),
            new_class: None,
            minimums: Scores::default(),
            teacher: true,
        }
    }

    #[test]
    fn the_halfling_buys_the_sixth_level_of_a_thief() {
        let mut tam = halfling();
        let trained = with_dice(&House::new(), &[4], |referee| tam.train(gold(5_400, Some("thief")), referee)).unwrap();
        assert_eq!((trained.advances, trained.gold_spent, trained.gold_remaining), (true, 3_000, 2_400));
        // A d6 of 4 and one for Constitution. Levels 2 to 5 were never examined.
        assert_eq!((trained.level, trained.hp_gained, trained.recognized), (6, 5, 1));
        assert_eq!((tam.max_hp, tam.classes[1].xp), (23, 20_000));
    }

    #[test]
    fn a_character_of_several_classes_says_which_is_trained() {
        let mut tam = halfling();
        let error = with_dice(&House::new(), &[], |referee| tam.train(gold(1, None), referee)).unwrap_err();
        assert_eq!(error.field(), Some("class"));
        let error = with_dice(&House::new(), &[], |referee| tam.train(gold(1, Some("thif")), referee)).unwrap_err();
        assert!(error.to_string().contains("did you mean \"thief\"?"), "{error}");
    }

    #[test]
    fn the_gold_cap_of_the_house_forbids_the_halflings_purchase() {
        let mut house = House::new();
        house.set("training.train.gold_cap", Value::from("missing"), "a test").unwrap();
        let mut tam = halfling();
        let trained = with_dice(&house, &[], |referee| tam.train(gold(5_400, Some("thief")), referee)).unwrap();
        assert_eq!((trained.advances, trained.reason), (false, LevelReason::OverCap));
        let fighter = halfling().train_at_limit();
        assert_eq!(fighter, LevelReason::LevelLimit);
    }

    #[test]
    fn a_new_class_is_begun_in_training_and_at_no_other_time() {
        let learn = |class: &str, pieces: i64, dice: &[i64]| {
            let mut tam = halfling();
            let args = TrainArgs {
                new_class: Some(class.to_owned()),
                minimums: read(&serde_json::from_str::<Value>(r#"{"wis":9}"#).unwrap()).unwrap(),
                ..gold(pieces, Some("thief"))
            };
            let trained = with_dice(&House::new(), dice, |referee| tam.train(args, referee)).unwrap();
            (trained.new_class.unwrap(), tam.classes)
        };
        let (begun, classes) = learn("druid", 5_400, &[4]);
        assert!(begun.allowed && classes.len() == 3, "{begun:?}");
        assert_eq!((classes[2].level, classes[2].xp, classes[2].recognized), (1, 0, 1));
        let (refused, classes) = learn("druid", 10, &[]);
        assert_eq!((refused.reasons, classes.len()), (vec![NewClassReason::NotTraining], 2));
        // No halfling is a cleric.
        assert_eq!(learn("cleric", 5_400, &[4]).0.reasons, [NewClassReason::Species]);
    }

    #[test]
    fn a_class_is_not_begun_twice_and_must_be_one_of_the_rulebook() {
        for (class, kind) in [("fighter", ErrorKind::Invalid), ("fightr", ErrorKind::Unknown)] {
            let mut tam = halfling();
            let args = TrainArgs { new_class: Some(class.to_owned()), ..gold(5_400, Some("thief")) };
            let error = with_dice(&House::new(), &[], |referee| tam.train(args, referee)).unwrap_err();
            assert_eq!(error.kind(), kind, "{error}");
            assert_eq!(tam, halfling());
        }
    }

    #[test]
    fn a_minimum_in_a_score_that_is_not_known_is_refused_before_a_die_falls() {
        let text = r#"{"name":"Rook","max_hp":8,"classes":[{"class":"fighter"}],"scores":{"str":12}}"#;
        let mut rook = read_json(text).unwrap();
        let args = TrainArgs {
            new_class: Some("thief".to_owned()),
            minimums: read(&serde_json::from_str::<Value>(r#"{"dex":9}"#).unwrap()).unwrap(),
            ..gold(100_000, None)
        };
        let error = with_dice(&House::new(), &[], |referee| rook.train(args, referee)).unwrap_err();
        assert_eq!(error.field(), Some("minimums"));
        assert_eq!(rook, read_json(text).unwrap());
    }

    #[test]
    fn an_examination_recognizes_all_levels_or_none() {
        let mut tam = halfling();
        let mut examine = |pieces: i64| {
            let fees = [("2", 100), ("3", 200), ("4", 300), ("5", 400)];
            let fees = fees.map(|(level, fee)| (level.to_owned(), Natural::clamped(fee))).into();
            let args = ExamineArgs { gold: Natural::clamped(pieces), fees, class: Some("thief".to_owned()) };
            with_dice(&House::new(), &[], |referee| tam.examine(args, referee)).unwrap()
        };
        let poor = examine(999);
        assert_eq!((poor.reason, poor.recognized, poor.gold_remaining), (ExamineReason::NotEnoughGold, 1, 999));
        let paid = examine(1_100);
        assert_eq!((paid.reason, paid.owed, paid.gold_remaining), (ExamineReason::Recognized, vec![2, 3, 4, 5], 100));
        assert_eq!((examine(5).reason, examine(5).recognized), (ExamineReason::NothingOwed, 5));
    }

    impl Character {
        fn train_at_limit(mut self) -> LevelReason {
            self.classes[0].level = 4;
            let args = gold(100_000, Some("fighter"));
            with_dice(&House::new(), &[], |referee| self.train(args, referee)).unwrap().reason
        }
    }
}
