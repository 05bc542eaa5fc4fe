//! The target number of a skill and what makes it up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::ability::Ability;
use crate::rules::core::{
    AnyTable, Band, Modifier, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, band_row, unbroken_bands,
};

/// What a learned skill starts at (SKILL-02); an unlearned one starts at 0 (SKILL-08).
const LEARNED_BASE: i64 = 10;
/// For a skill that copies another class's ability (SKILL-05).
const OTHER_CLASS: i64 = -6;
/// What those who are no fighters take on strength skills (SKILL-04).
const WEAK_STRENGTH: i64 = -1;
/// The most that constitution gives those who are no fighters (SKILL-04).
const LEAST_TOUGH: i64 = 2;

/// The modifier of a range of scores.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AbilityRow {
    from: Option<i64>,
    to: Option<i64>,
    modifier: Modifier,
}

impl Band for AbilityRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

static ABILITY: Table<AbilityRow> =
    Table::new("proficiency_ability", include_str!("../data/proficiency_ability.json"), unbroken_bands);

/// What `proficiency.ability_modifier` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AbilityModifierArgs {
    /// The ability of the skill.
    pub ability: Ability,
    /// The score, 1 to 25.
    pub score: Whole<1, 25>,
    /// Whether the character is of the fighter group (fighter, paladin, ranger, barbarian); by default not.
    #[serde(default)]
    pub fighter: bool,
}

/// What an ability does to a skill.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AbilityModifierOutcome {
    /// The modifier to the target number.
    pub modifier: i64,
}

rule! {
    /// Tells what an ability score adds to a skill: those who are no fighters take 1 less on strength at any score, and
    /// get at most 2 from constitution.
    pub struct AbilityModifier;
}

impl Rule for AbilityModifier {
    const NAME: &'static str = "proficiency.ability_modifier";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-03", "first-edition SKILL-04"];
    const EXAMPLE: &'static str = r#"{ ability = "int", score = 15 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ABILITY];
    type Args = AbilityModifierArgs;
    type Options = NoOptions;
    type Outcome = AbilityModifierOutcome;

    fn resolve(
        args: AbilityModifierArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AbilityModifierOutcome, RuleError> {
        let rows = referee.table(&ABILITY);
        let listed = band_row(&rows, args.score.get())?.modifier.get();
        let modifier = match args.ability {
            Ability::Str if !args.fighter => listed + WEAK_STRENGTH,
            Ability::Con if !args.fighter => listed.min(LEAST_TOUGH),
            _ => listed,
        };
        Ok(AbilityModifierOutcome { modifier })
    }
}

/// How far somebody is with a skill; the referee sets difficulties for it (SKILL-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// No slot.
    Unlearned,
    /// One slot.
    Apprentice,
    /// Two slots.
    Journeyman,
    /// Three slots or more.
    Master,
}

/// What slots on a skill bring.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpecializationRow {
    from: Option<i64>,
    to: Option<i64>,
    /// What the row's first count of slots brings.
    bonus: Modifier,
    /// What each slot beyond the row's first brings.
    each_further: Modifier,
    tier: Tier,
}

impl Band for SpecializationRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

static SPECIALIZATION: Table<SpecializationRow> =
    Table::new("proficiency_specialization", include_str!("../data/proficiency_specialization.json"), unbroken_bands);

/// What `proficiency.target_number` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TargetNumberArgs {
    /// All slots spent on the skill; 0 for one never learned.
    pub slots: Whole<0, 1_000>,
    /// How easy (positive) or hard (negative) the skill is in itself, -20 to 20.
    #[serde(default)]
    pub skill_modifier: Whole<-20, 20>,
    /// Points from levels put into the skill; only a learned one has any (SKILL-07).
    #[serde(default)]
    pub level_points: Natural,
    /// The ability of the skill.
    pub ability: Ability,
    /// The score of that ability, 1 to 25.
    pub score: Whole<1, 25>,
    /// Whether the character is of the fighter group; by default not.
    #[serde(default)]
    pub fighter: bool,
    /// Whether the skill copies an ability of another class (SKILL-05).
    #[serde(default)]
    pub mimics_other_class: bool,
}

/// A target number and its parts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TargetNumberOutcome {
    /// 10 for a learned skill, 0 for an unlearned one.
    pub base: i64,
    /// The skill's own modifier.
    pub skill_modifier: i64,
    /// From further slots.
    pub specialization: i64,
    /// From levels.
    pub level_points: i64,
    /// From the ability.
    pub ability_modifier: i64,
    /// For copying another class's ability.
    pub class_penalty: i64,
    /// All together: what d20 must not exceed on an average task.
    pub target: i64,
    /// How far the character is with it.
    pub tier: Tier,
}

rule! {
    /// Adds up a skill's target number. Slots count all spent on the skill: the second brings 3, the third 2 more, each
    /// further one 1 more (the source's "two additional slots" are counted in all, since it calls three slots a
    /// master's).
    pub struct TargetNumber;
}

impl Rule for TargetNumber {
    const NAME: &'static str = "proficiency.target_number";
    const SOURCE: &'static [&'static str] = &[
        "first-edition SKILL-02",
        "first-edition SKILL-05",
        "first-edition SKILL-06",
        "first-edition SKILL-07",
        "first-edition SKILL-08",
        "first-edition SKILL-13",
    ];
    const EXAMPLE: &'static str = r#"{ slots = 1, skill_modifier = -3, ability = "int", score = 15 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ABILITY, &SPECIALIZATION];
    type Args = TargetNumberArgs;
    type Options = NoOptions;
    type Outcome = TargetNumberOutcome;

    fn resolve(
        args: TargetNumberArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<TargetNumberOutcome, RuleError> {
        let slots = args.slots.get();
        let level_points = args.level_points.get();
        if slots == 0 && level_points > 0 {
            return Err(RuleError::invalid(
                "level_points",
                "must be 0 for a skill without slots; learn the skill first",
            ));
        }
        let base = if slots == 0 { 0 } else { LEARNED_BASE };
        let rows = referee.table(&SPECIALIZATION);
        let row = band_row(&rows, slots)?;
        let specialization = row.bonus.get() + row.each_further.get() * (slots - row.from.unwrap_or(slots)).max(0);
        let ability = AbilityModifierArgs { ability: args.ability, score: args.score, fighter: args.fighter };
        let ability_modifier = referee.call::<AbilityModifier>(ability)?.modifier;
        let class_penalty = if args.mimics_other_class { OTHER_CLASS } else { 0 };
        let skill_modifier = args.skill_modifier.get();
        let parts = [
            (base, "for a learned skill (SKILL-02)"),
            (skill_modifier, "for the skill itself"),
            (specialization, "for further slots (SKILL-06)"),
            (level_points, "from levels (SKILL-07)"),
            (ability_modifier, "for the ability (SKILL-03)"),
            (class_penalty, "for copying another class's ability (SKILL-05)"),
        ];
        for (amount, reason) in parts {
            referee.modifier(amount, reason);
        }
        Ok(TargetNumberOutcome {
            base,
            skill_modifier,
            specialization,
            level_points,
            ability_modifier,
            class_penalty,
            target: parts.iter().map(|(amount, _)| amount).sum(),
            tier: row.tier,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn alchemy_starts_at_seven() {
        let args = r#"{"slots":1,"skill_modifier":-3,"ability":"int","score":11}"#;
        assert_eq!(outcome::<TargetNumber>(args, &[]).target, 7);
    }

    #[test]
    fn three_slots_make_a_master_and_each_further_one_adds_one() {
        for (slots, bonus, tier) in
            [(1, 0, Tier::Apprentice), (2, 3, Tier::Journeyman), (3, 5, Tier::Master), (6, 8, Tier::Master)]
        {
            let number = outcome::<TargetNumber>(&format!(r#"{{"slots":{slots},"ability":"cha","score":9}}"#), &[]);
            assert_eq!((number.specialization, number.tier), (bonus, tier), "{slots} slots");
        }
    }

    #[test]
    fn who_is_no_fighter_is_weak_at_any_strength() {
        let modifier = |args| outcome::<AbilityModifier>(args, &[]).modifier;
        assert_eq!(modifier(r#"{"ability":"str","score":10}"#), -1);
        assert_eq!(modifier(r#"{"ability":"str","score":12}"#), 0);
        assert_eq!(modifier(r#"{"ability":"con","score":18}"#), 2);
        assert_eq!(modifier(r#"{"ability":"con","score":18,"fighter":true}"#), 3);
    }

    #[test]
    fn points_on_an_unlearned_skill_are_refused() {
        let args = r#"{"slots":0,"level_points":1,"ability":"int","score":11}"#;
        assert_eq!(resolved("proficiency.target_number", args, &[]).unwrap_err().field(), Some("level_points"));
    }
}
