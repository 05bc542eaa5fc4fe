//! Several classes: who may take a new one, and hit points of a level.
//! Source: house-rules MC-01 to MC-03.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use super::ability::{Ability, Scores};
use super::core::{NoOptions, Referee, Rule, RuleError, Whole};

/// What `multiclass.new_class` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NewClassArgs {
    /// Whether the character is in training to rise a level: the only occasion (MC-02).
    pub training_for_level: bool,
    /// Whether there is somebody to teach the class (MC-02).
    pub teacher: bool,
    /// Whether the rulebook allows the species this class (MC-01).
    pub species_allowed: bool,
    /// The least scores that the class asks for, by ability.
    #[serde(default)]
    pub minimums: Scores,
    /// The character's scores; each one with a minimum must be there.
    #[serde(default)]
    pub scores: Scores,
}

/// What stands in the way of a new class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NewClassReason {
    /// The character is not training for a level.
    NotTraining,
    /// There is nobody who teaches the class.
    NoTeacher,
    /// The class is closed to the species.
    Species,
    /// Strength is below the minimum.
    #[serde(rename = "minimum_STR")]
    MinimumStr,
    /// Dexterity is below the minimum.
    #[serde(rename = "minimum_DEX")]
    MinimumDex,
    /// Constitution is below the minimum.
    #[serde(rename = "minimum_CON")]
    MinimumCon,
    /// Intelligence is below the minimum.
    #[serde(rename = "minimum_INT")]
    MinimumInt,
    /// Wisdom is below the minimum.
    #[serde(rename = "minimum_WIS")]
    MinimumWis,
    /// Charisma is below the minimum.
    #[serde(rename = "minimum_CHA")]
    MinimumCha,
}

impl NewClassReason {
    fn below_minimum(ability: Ability) -> Self {
        match ability {
            Ability::Str => NewClassReason::MinimumStr,
            Ability::Dex => NewClassReason::MinimumDex,
            Ability::Con => NewClassReason::MinimumCon,
            Ability::Int => NewClassReason::MinimumInt,
            Ability::Wis => NewClassReason::MinimumWis,
            Ability::Cha => NewClassReason::MinimumCha,
        }
    }
}

/// Whether a class may be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewClassOutcome {
    /// Whether it may.
    pub allowed: bool,
    /// Everything in the way; empty when it may.
    pub reasons: Vec<NewClassReason>,
}

rule! {
    /// Says whether a character may start a new class. Every species may, humans included, where its minimums are met.
    pub struct NewClass;
}

impl Rule for NewClass {
    const NAME: &'static str = "multiclass.new_class";
    const SOURCE: &'static [&'static str] = &["house-rules MC-01", "house-rules MC-02"];
    const EXAMPLE: &'static str = "{ training_for_level = true, teacher = true, species_allowed = true, \
        minimums = { int = 9 }, scores = { int = 12 } }";
    type Args = NewClassArgs;
    type Options = NoOptions;
    type Outcome = NewClassOutcome;

    fn resolve(args: NewClassArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<NewClassOutcome, RuleError> {
        let mut reasons = Vec::new();
        let conditions = [
            (args.training_for_level, NewClassReason::NotTraining),
            (args.teacher, NewClassReason::NoTeacher),
            (args.species_allowed, NewClassReason::Species),
        ];
        reasons.extend(conditions.iter().filter(|(met, _)| !met).map(|(_, reason)| *reason));
        for ability in Ability::ALL {
            let Some(minimum) = args.minimums.get(ability) else { continue };
            if args.scores.needed(ability, "scores")? < minimum {
                reasons.push(NewClassReason::below_minimum(ability));
            }
        }
        Ok(NewClassOutcome { allowed: reasons.is_empty(), reasons })
    }
}

/// A class's hit die: 4, 6, 8, 10 or 12 sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HitDie(u32);

impl HitDie {
    const KINDS: [u32; 5] = [4, 6, 8, 10, 12];

    /// Its number of sides.
    pub fn sides(self) -> u32 {
        self.0
    }
}

struct HitDieVisitor;

impl Visitor<'_> for HitDieVisitor {
    type Value = HitDie;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hit die of 4, 6, 8, 10 or 12 sides")
    }
    fn visit_i64<E: de::Error>(self, sides: i64) -> Result<HitDie, E> {
        let kind = HitDie::KINDS.into_iter().find(|kind| i64::from(*kind) == sides);
        kind.map(HitDie).ok_or_else(|| E::invalid_value(de::Unexpected::Signed(sides), &self))
    }
}

impl<'de> Deserialize<'de> for HitDie {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(HitDieVisitor)
    }
}

impl JsonSchema for HitDie {
    fn schema_name() -> Cow<'static, str> {
        "HitDie".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 4, "maximum": 12 })
    }
}

/// What `multiclass.level_hit_points` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitPointsArgs {
    /// The hit die of the class that advances: 4, 6, 8, 10 or 12.
    pub hit_die: HitDie,
    /// The constitution modifier.
    #[serde(default)]
    pub con_mod: Whole<-10, 10>,
}

/// Hit points of a level.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitPointsOutcome {
    /// What the die showed.
    pub roll: i64,
    /// Hit points gained, at least 1.
    pub gain: i64,
}

rule! {
    /// Rolls the hit points of a level: the hit die of the class that advanced, whole, whatever the number of classes.
    pub struct LevelHitPoints;
}

impl Rule for LevelHitPoints {
    const NAME: &'static str = "multiclass.level_hit_points";
    const SOURCE: &'static [&'static str] = &["house-rules MC-03"];
    const EXAMPLE: &'static str = "{ hit_die = 10, con_mod = 2 }";
    type Args = HitPointsArgs;
    type Options = NoOptions;
    type Outcome = HitPointsOutcome;

    fn resolve(args: HitPointsArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<HitPointsOutcome, RuleError> {
        let roll = referee.d(args.hit_die.sides(), "hit points")?;
        referee.modifier(args.con_mod.get(), "constitution");
        Ok(HitPointsOutcome { roll, gain: (roll + args.con_mod.get()).max(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn every_reason_is_reported_in_order() {
        let args = r#"{"training_for_level":false,"teacher":false,"species_allowed":false,
            "minimums":{"wis":9,"int":9},"scores":{"wis":8,"int":8}}"#;
        let reasons = outcome::<NewClass>(args, &[]).reasons;
        assert_eq!(
            reasons,
            [
                NewClassReason::NotTraining,
                NewClassReason::NoTeacher,
                NewClassReason::Species,
                NewClassReason::MinimumInt,
                NewClassReason::MinimumWis,
            ]
        );
    }

    #[test]
    fn a_level_gives_at_least_one_hit_point() {
        assert_eq!(outcome::<LevelHitPoints>(r#"{"hit_die":4,"con_mod":-3}"#, &[1]).gain, 1);
    }
}
