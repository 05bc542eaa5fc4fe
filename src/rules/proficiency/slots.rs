//! Slots and points: how many, what a skill costs, whose skill it is, what a level adds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, ErrorKind, List, Named, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, distinct_names,
    row_named,
};

/// The slots of a class.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SlotsRow {
    class: String,
    initial: Natural,
    levels_per_slot: Positive,
}

impl Named for SlotsRow {
    fn name(&self) -> &str {
        &self.class
    }
}

static SLOTS: Table<SlotsRow> =
    Table::new("proficiency_slots", include_str!("../data/proficiency_slots.json"), distinct_names);

/// One of a character's classes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClassSlots {
    /// Its name.
    pub class: String,
    /// Slots at first level; without it, the class is looked up.
    #[serde(default)]
    pub initial: Option<Natural>,
    /// A further slot each so many levels; without it, the class is looked up.
    #[serde(default)]
    pub levels_per_slot: Option<Positive>,
}

/// What `proficiency.slots` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlotsArgs {
    /// The character's classes.
    pub classes: List<ClassSlots, 1, 20>,
    /// Slots for intelligence, counted once however many classes; 0 when not given.
    #[serde(default)]
    pub intelligence_bonus: Natural,
    /// The level reached, in the class with the fastest rate, to count the slots gained by then as well.
    #[serde(default)]
    pub level: Option<Positive>,
}

/// A character's slots.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlotsOutcome {
    /// Slots at the start.
    pub initial: i64,
    /// A further slot each so many levels.
    pub levels_per_slot: i64,
    /// All slots at the level asked for; nothing when none was.
    pub slots: Option<i64>,
}

rule! {
    /// Counts skill slots: those of all classes together and those for intelligence at the start, further ones at the
    /// rate of the fastest class.
    ///
    /// With a level, also how many there are by then: one more every so many levels after the first.
    pub struct Slots;
}

impl Rule for Slots {
    const NAME: &'static str = "proficiency.slots";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-01"];
    const EXAMPLE: &'static str =
        r#"{ classes = { { class = "fighter" }, { class = "thief" } }, intelligence_bonus = 2 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&SLOTS];
    type Args = SlotsArgs;
    type Options = NoOptions;
    type Outcome = SlotsOutcome;

    fn resolve(args: SlotsArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<SlotsOutcome, RuleError> {
        let rows = referee.table(&SLOTS);
        let mut initial = args.intelligence_bonus.get();
        let mut levels_per_slot = i64::MAX;
        for (at, class) in args.classes.iter().enumerate() {
            let figures = match (class.initial, class.levels_per_slot) {
                (Some(initial), Some(rate)) => (initial, rate),
                (own_initial, own_rate) => {
                    let row = row_named(&rows, "class", "class", &class.class)
                        .map_err(|error| error.within_element(at).within("classes"))?;
                    (own_initial.unwrap_or(row.initial), own_rate.unwrap_or(row.levels_per_slot))
                }
            };
            initial += figures.0.get();
            levels_per_slot = levels_per_slot.min(figures.1.get());
        }
        let slots = args.level.map(|level| initial + (level.get() - 1) / levels_per_slot);
        Ok(SlotsOutcome { initial, levels_per_slot, slots })
    }
}

/// Which skills of other classes cost a slot more (SKILL-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NonClassSurcharge {
    /// Those that copy abilities of a class.
    #[default]
    ClassLikeOnly,
    /// All.
    All,
    /// None: the rule is optional.
    None,
}

/// The switches of a skill's cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SlotCostOptions {
    /// Which skills of other classes cost a slot more.
    pub non_class_surcharge: NonClassSurcharge,
}

/// What `proficiency.slot_cost` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlotCostArgs {
    /// Whether it is a skill of the character's class, as `proficiency.is_class_skill` tells.
    pub class_skill: bool,
    /// Whether it copies abilities of a class; by default not.
    #[serde(default)]
    pub replicates_class_ability: bool,
}

/// The cost of a skill.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SlotCostOutcome {
    /// How many slots it costs to learn.
    pub slots: i64,
}

rule! {
    /// Tells how many slots a skill costs: one, and one more for a skill of another class, where that rule is used.
    pub struct SlotCost;
}

impl Rule for SlotCost {
    const NAME: &'static str = "proficiency.slot_cost";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-14"];
    const EXAMPLE: &'static str = "{ class_skill = false, replicates_class_ability = true }";
    type Args = SlotCostArgs;
    type Options = SlotCostOptions;
    type Outcome = SlotCostOutcome;

    fn resolve(
        args: SlotCostArgs,
        options: SlotCostOptions,
        _: &mut Referee<'_>,
    ) -> Result<SlotCostOutcome, RuleError> {
        let applies = match options.non_class_surcharge {
            NonClassSurcharge::ClassLikeOnly => args.replicates_class_ability,
            NonClassSurcharge::All => true,
            NonClassSurcharge::None => false,
        };
        Ok(SlotCostOutcome { slots: if applies && !args.class_skill { 2 } else { 1 } })
    }
}

/// The letters of the groups of classes.
const GROUP_LETTERS: &str = "FMCTBK";

/// The groups a class belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GroupsRow {
    class: String,
    groups: String,
}

impl Named for GroupsRow {
    fn name(&self) -> &str {
        &self.class
    }
}

/// The first letter that stands for no group.
fn stray_letter(groups: &str) -> Option<char> {
    groups.chars().find(|letter| !GROUP_LETTERS.contains(*letter))
}

fn check_groups(rows: &[GroupsRow]) -> Result<(), String> {
    distinct_names(rows)?;
    match rows.iter().find(|row| row.groups.is_empty() || stray_letter(&row.groups).is_some()) {
        Some(row) => Err(format!("the groups of {} must be letters of {GROUP_LETTERS}", row.class)),
        None => Ok(()),
    }
}

static GROUPS: Table<GroupsRow> =
    Table::new("proficiency_class_groups", include_str!("../data/proficiency_class_groups.json"), check_groups);

/// What `proficiency.is_class_skill` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IsClassSkillArgs {
    /// The character's class: fighter, paladin, ranger, barbarian, `magic_user`, cleric, druid, thief, bard, monk, or
    /// another that a house rule put into the table.
    pub class: String,
    /// The letters a skill is marked with: F fighter, M magic-user, C cleric, T thief, B bard, K monk; `FM` for two.
    pub groups: String,
}

/// Whose skill it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IsClassSkillOutcome {
    /// Whether it is a skill of the class.
    pub class_skill: bool,
}

rule! {
    /// Tells whether a skill belongs to a class: paladins count as clerics too, rangers as magic-users, barbarians and
    /// monks as thieves, druids as fighters.
    pub struct IsClassSkill;
}

impl Rule for IsClassSkill {
    const NAME: &'static str = "proficiency.is_class_skill";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-15"];
    const EXAMPLE: &'static str = r#"{ class = "paladin", groups = "C" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&GROUPS];
    type Args = IsClassSkillArgs;
    type Options = NoOptions;
    type Outcome = IsClassSkillOutcome;

    fn resolve(
        args: IsClassSkillArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<IsClassSkillOutcome, RuleError> {
        let rows = referee.table(&GROUPS);
        let row = row_named(&rows, "class", "class", &args.class)?;
        if args.groups.is_empty() {
            let message = format!("must hold at least one letter of {GROUP_LETTERS}");
            return Err(RuleError::out_of_range("groups", message));
        }
        if let Some(letter) = stray_letter(&args.groups) {
            let message = format!("unknown group \"{letter}\"; groups are the letters {GROUP_LETTERS}");
            return Err(RuleError::unknown("groups", message));
        }
        Ok(IsClassSkillOutcome { class_skill: args.groups.chars().any(|letter| row.groups.contains(letter)) })
    }
}

/// What `proficiency.assign_level_points` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssignLevelPointsArgs {
    /// The highest level in any class before.
    pub old_highest_level: Positive,
    /// The highest level in any class now.
    pub new_highest_level: Positive,
    /// The skills owned.
    pub known: List<String>,
    /// The skills newly acquired with this level; they take no points yet.
    #[serde(default)]
    pub newly_acquired: List<String>,
    /// The skills that get the points, a point for each time they are named.
    pub assign: List<String>,
}

/// Why points are not assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AssignRefusal {
    /// One of the skills was newly acquired.
    NewlyAcquiredSkill,
}

/// What became of the points; only `allowed` and `reason` when they may not be assigned so.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AssignLevelPointsOutcome {
    /// Whether they may be assigned so.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<AssignRefusal>,
    /// Points gained.
    pub points: Option<i64>,
    /// Points assigned.
    pub assigned: Option<i64>,
    /// Points lost because they were not assigned.
    pub lost: Option<i64>,
}

rule! {
    /// Assigns the points of new levels: one for each new highest level, each adding 1 to a skill owned before that
    /// level. Points not assigned are lost.
    pub struct AssignLevelPoints;
}

impl Rule for AssignLevelPoints {
    const NAME: &'static str = "proficiency.assign_level_points";
    const SOURCE: &'static [&'static str] = &["first-edition SKILL-07"];
    const EXAMPLE: &'static str =
        r#"{ old_highest_level = 3, new_highest_level = 4, known = { "ride", "swim" }, assign = { "swim" } }"#;
    type Args = AssignLevelPointsArgs;
    type Options = NoOptions;
    type Outcome = AssignLevelPointsOutcome;

    fn resolve(
        args: AssignLevelPointsArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<AssignLevelPointsOutcome, RuleError> {
        let owned = |skill: &String| args.known.contains(skill) || args.newly_acquired.contains(skill);
        if let Some((at, skill)) = args.assign.iter().enumerate().find(|(_, skill)| !owned(skill)) {
            let known: Vec<&str> = args.known.iter().map(String::as_str).collect();
            let error = RuleError::unknown_among("assign", "owned skill", skill, &known);
            return Err(RuleError::general(ErrorKind::Unknown, error.to_string()).within_element(at).within("assign"));
        }
        // A second class that reaches a level already reached gains nothing.
        let points = (args.new_highest_level.get() - args.old_highest_level.get()).max(0);
        let assigned = args.assign.len() as i64;
        if assigned > points {
            let message = format!("must name at most {points}, a skill for each point gained, not {assigned}");
            return Err(RuleError::invalid("assign", message));
        }
        if args.assign.iter().any(|skill| args.newly_acquired.contains(skill)) {
            let reason = Some(AssignRefusal::NewlyAcquiredSkill);
            return Ok(AssignLevelPointsOutcome { reason, ..AssignLevelPointsOutcome::default() });
        }
        Ok(AssignLevelPointsOutcome {
            allowed: true,
            reason: None,
            points: Some(points),
            assigned: Some(assigned),
            lost: Some(points - assigned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn two_classes_add_their_slots_and_keep_the_faster_rate() {
        let slots =
            outcome::<Slots>(r#"{"classes":[{"class":"fighter"},{"class":"cleric"}],"intelligence_bonus":1}"#, &[]);
        assert_eq!((slots.initial, slots.levels_per_slot), (6, 3));
    }

    #[test]
    fn further_slots_come_every_so_many_levels_after_the_first() {
        // SKILL-01: the initial slots of both classes, then one at the rate of the fastest class.
        let classes = r#""classes":[{"class":"fighter"},{"class":"cleric"}]"#;
        let slots = |level: i64| outcome::<Slots>(&format!(r#"{{{classes},"level":{level}}}"#), &[]).slots;
        assert_eq!([1, 3, 4, 6, 7].map(slots), [5, 5, 6, 6, 7].map(Some));
        assert_eq!(outcome::<Slots>(&format!("{{{classes}}}"), &[]).slots, None);
    }

    #[test]
    fn a_class_without_figures_needs_them_given() {
        let error = resolved("proficiency.slots", r#"{"classes":[{"class":"wizzard"}]}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("classes[1].class")));
        let given = r#"{"classes":[{"class":"bard","initial":3,"levels_per_slot":4}]}"#;
        assert_eq!(outcome::<Slots>(given, &[]).initial, 3);
    }

    #[test]
    fn a_class_like_skill_of_another_class_costs_two_slots() {
        let args = r#"{"class_skill":false,"replicates_class_ability":true}"#;
        assert_eq!(outcome::<SlotCost>(args, &[]).slots, 2);
    }

    #[test]
    fn druids_are_fighters_and_fighters_no_druids() {
        assert!(outcome::<IsClassSkill>(r#"{"class":"druid","groups":"F"}"#, &[]).class_skill);
        assert!(!outcome::<IsClassSkill>(r#"{"class":"fighter","groups":"C"}"#, &[]).class_skill);
    }

    #[test]
    fn letters_that_mark_no_group_are_refused() {
        for groups in ["", "X", "f", "FX"] {
            let args = format!(r#"{{"class":"fighter","groups":"{groups}"}}"#);
            assert_eq!(resolved("proficiency.is_class_skill", &args, &[]).unwrap_err().field(), Some("groups"));
        }
    }

    #[test]
    fn a_newly_acquired_skill_takes_no_point() {
        let levels = r#""old_highest_level":3,"new_highest_level":4,"known":["ride","swim"]"#;
        let refused =
            outcome::<AssignLevelPoints>(&format!(r#"{{{levels},"newly_acquired":["swim"],"assign":["swim"]}}"#), &[]);
        assert_eq!((refused.allowed, refused.reason), (false, Some(AssignRefusal::NewlyAcquiredSkill)));
        let error =
            resolved("proficiency.assign_level_points", &format!(r#"{{{levels},"assign":["ride","swim"]}}"#), &[]);
        assert_eq!(error.unwrap_err().field(), Some("assign"));
    }

    #[test]
    fn both_points_of_two_levels_may_go_into_one_skill() {
        let args = r#"{"old_highest_level":3,"new_highest_level":5,"known":["ride"],"assign":["ride","ride"]}"#;
        assert_eq!(outcome::<AssignLevelPoints>(args, &[]).assigned, Some(2));
    }
}
