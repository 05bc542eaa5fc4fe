//! What a character learns: awards and the levels that they earn (XP-01 to 04, TRN-01, LVL-01, MC-03).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::character::Character;
use crate::rules::class::{self, ClassLevelArgs, PrimeArgs, PrimeBonus, Threshold, ThresholdOutcome};
use crate::rules::core::{List, Natural, Positive, Referee, RuleError, Whole};
use crate::rules::experience::{ClassShare, Split, SplitArgs, Total, TotalArgs};
use crate::rules::level::{Limit, LimitArgs};
use crate::rules::multiclass::{HitPointsArgs, LevelHitPoints};
use crate::rules::training::{Ready, ReadyArgs};

/// What a character is awarded.
#[derive(Clone, Debug, Deserialize)]
pub struct AwardArgs {
    /// The general award, in experience points.
    pub xp: Natural,
    /// Individual awards on top of it (XP-01).
    #[serde(default)]
    pub individual: List<Natural, 0, 1_000>,
}

/// What a class makes of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClassAward {
    /// The class.
    pub class: String,
    /// Its part of the award.
    pub base: i64,
    /// Its bonus for high prime requisites.
    pub bonus: i64,
    /// Experience points in the class now.
    pub xp: i64,
    /// The level now.
    pub level: i64,
    /// Levels gained by the award.
    pub levels_gained: i64,
    /// Hit points gained with them.
    pub hp_gained: i64,
}

/// What a character makes of an award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Award {
    /// The whole award, before it is split.
    pub total: i64,
    /// What each class made of it.
    pub classes: Vec<ClassAward>,
    /// Points that could not be divided evenly or that no class could use; nobody's (XP-02, XP-04).
    pub remainder: i64,
}

impl Character {
    pub(super) fn threshold(
        &self,
        index: usize,
        level: i64,
        referee: &mut Referee<'_>,
    ) -> Result<ThresholdOutcome, RuleError> {
        let class = self.classes[index].class.clone();
        referee.call::<Threshold>(ClassLevelArgs { rulebook: self.rulebook, class, level: Whole::clamped(level) })
    }

    /// The limit that holds for a class: the rulebook's for the species, none for a human (LVL-01).
    pub(super) fn limit(&self, index: usize, referee: &mut Referee<'_>) -> Result<Limited, RuleError> {
        let own = &self.classes[index];
        let args = class::LimitArgs {
            rulebook: self.rulebook,
            species: self.species,
            class: own.class.clone(),
            scores: self.scores,
        };
        let limit = referee.call::<class::Limit>(args)?.limit.and_then(Positive::new);
        let args = LimitArgs { species: self.species, level: Positive::clamped(own.level), limit };
        let holds = referee.call::<Limit>(args)?;
        Ok(Limited { limit: holds.limit, may_advance: holds.may_advance })
    }

    /// A class as the split sees it: its bonus, and the room up to where the level of its limit begins.
    fn share(&self, index: usize, limited: &Limited, referee: &mut Referee<'_>) -> Result<ClassShare, RuleError> {
        let own = &self.classes[index];
        let class = own.class.clone();
        let bonus_percent = if let Some(percent) = own.bonus_percent {
            percent
        } else {
            let args = PrimeArgs { rulebook: self.rulebook, class: class.clone(), scores: self.scores };
            referee.call::<PrimeBonus>(args)?.bonus_percent
        };
        let room = match limited.limit {
            None => None,
            Some(_) if !limited.may_advance => Some(0),
            Some(limit) => self.threshold(index, limit, referee)?.xp.map(|begins| (begins - own.xp).max(0)),
        };
        Ok(ClassShare { class, bonus_percent: Whole::clamped(bonus_percent), room: room.map(Natural::clamped) })
    }

    /// Takes a level: its hit die, or the fixed gain beyond the dice. Returns the hit points gained.
    pub(super) fn rise(
        &mut self,
        index: usize,
        gives: &ThresholdOutcome,
        referee: &mut Referee<'_>,
    ) -> Result<i64, RuleError> {
        let gain = if gives.rolls {
            let con_mod = self.con_mod(referee)?;
            referee.call::<LevelHitPoints>(HitPointsArgs { hit_die: gives.hit_die, con_mod })?.gain
        } else {
            gives.fixed_gain
        };
        self.classes[index].level += 1;
        self.max_hp += gain;
        // The gain is health, not healing: it is there for whoever stands.
        if self.hp >= 0 && self.is_alive() {
            self.hp += gain;
        }
        Ok(gain)
    }

    /// Rises as far as experience has earned and the limit allows; levels and hit points gained.
    fn rise_as_earned(
        &mut self,
        index: usize,
        limit: Option<i64>,
        referee: &mut Referee<'_>,
    ) -> Result<(i64, i64), RuleError> {
        let (mut levels, mut hp) = (0, 0);
        while limit.is_none_or(|limit| self.classes[index].level < limit) {
            let (level, xp) = (self.classes[index].level, self.classes[index].xp);
            let next = self.threshold(index, level + 1, referee)?;
            let Some(next_xp) = next.xp.filter(|_| level < 1_000) else { break };
            let args = ReadyArgs { xp: Natural::clamped(xp), next_xp: Positive::clamped(next_xp) };
            if !referee.call::<Ready>(args)?.may_advance {
                break;
            }
            hp += self.rise(index, &next, referee)?;
            levels += 1;
        }
        Ok((levels, hp))
    }

    /// Takes an award: split evenly among the classes, each with its own bonus and limit; levels that experience has
    /// earned come without training, and unrecognized (XP-01 to 04, TRN-01, TRN-03).
    pub fn award(&mut self, args: AwardArgs, referee: &mut Referee<'_>) -> Result<Award, RuleError> {
        let AwardArgs { xp, individual } = args;
        let individual = List::new(individual.into_vec()).unwrap_or_default();
        let total = referee.call::<Total>(TotalArgs { general: xp, individual })?.total;
        let mut limits = Vec::with_capacity(self.classes.len());
        let mut shares = Vec::with_capacity(self.classes.len());
        for index in 0..self.classes.len() {
            let limited = self.limit(index, referee)?;
            shares.push(self.share(index, &limited, referee)?);
            limits.push(limited.limit);
        }
        let shares = List::new(shares).ok_or_else(|| RuleError::missing("classes"))?;
        let split = referee.call::<Split>(SplitArgs { xp: Natural::clamped(total), classes: shares })?;
        let mut classes = Vec::with_capacity(self.classes.len());
        for (index, (share, limit)) in split.shares.into_iter().zip(limits).enumerate() {
            self.classes[index].xp += share.total;
            let (levels_gained, hp_gained) = self.rise_as_earned(index, limit, referee)?;
            let own = &self.classes[index];
            classes.push(ClassAward {
                class: share.class,
                base: share.base,
                bonus: share.bonus,
                xp: own.xp,
                level: own.level,
                levels_gained,
                hp_gained,
            });
        }
        Ok(Award { total, classes, remainder: split.remainder })
    }
}

/// The limit of a class, when one holds, and whether the next level is open.
pub(super) struct Limited {
    pub(super) limit: Option<i64>,
    pub(super) may_advance: bool,
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{halfling, read_json, with_dice};
    use super::*;
    use crate::rules::core::House;

    fn xp(points: i64) -> AwardArgs {
        AwardArgs { xp: Natural::clamped(points), individual: List::default() }
    }

    #[test]
    fn an_award_is_split_and_each_class_has_its_own_bonus() {
        let mut tam = halfling();
        let award = with_dice(&House::new(), &[], |referee| tam.award(xp(1_001), referee)).unwrap();
        let shares: Vec<(i64, i64)> = award.classes.iter().map(|class| (class.base, class.bonus)).collect();
        // Dexterity 16 earns the thief a tenth; Strength 10 earns the fighter nothing.
        assert_eq!((shares, award.remainder), (vec![(500, 0), (500, 50)], 1));
    }

    #[test]
    fn what_a_class_at_its_limit_cannot_use_goes_to_the_other() {
        let mut tam = halfling();
        // A halfling is a fighter of the fourth level at most, which begins at 7,750.
        let award = with_dice(&House::new(), &[8, 3], |referee| tam.award(xp(8_000), referee)).unwrap();
        let (fighter, thief) = (&award.classes[0], &award.classes[1]);
        assert_eq!((fighter.base, fighter.xp, fighter.level), (3_500, 7_750, 4));
        assert_eq!((thief.base, thief.bonus, thief.level), (4_500, 450, 6));
    }

    #[test]
    fn levels_come_without_training_and_the_guilds_take_no_notice() {
        let mut fighter =
            read_json(r#"{"name":"Rook","max_hp":8,"classes":[{"class":"fighter"}],"scores":{"con":16}}"#).unwrap();
        let award = with_dice(&House::new(), &[5, 1], |referee| fighter.award(xp(4_300), referee)).unwrap();
        assert_eq!((award.classes[0].level, award.classes[0].hp_gained, fighter.hp), (3, 10, 18));
        assert_eq!(fighter.classes[0].recognized, 1);
    }

    #[test]
    fn a_rise_beyond_the_dice_gives_a_fixed_gain() {
        let text = r#"{"name":"Lord","max_hp":60,"classes":[{"class":"fighter","level":9}],"scores":{"con":16}}"#;
        let mut lord = read_json(text).unwrap();
        let award = with_dice(&House::new(), &[], |referee| lord.award(xp(250_000), referee)).unwrap();
        assert_eq!((award.classes[0].level, award.classes[0].hp_gained), (10, 3));
    }
}
