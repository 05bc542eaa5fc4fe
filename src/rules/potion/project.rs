//! A potion from the wish for it to the bottle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Brew, BrewArgs, BrewOutcome, BrewResult, Brewer, BrewingCost, BrewingCostArgs, FailureChance, FailureChanceArgs,
    HireAlchemist, HireAlchemistArgs, LaboratoryCost, LaboratoryCostArgs, PotionXp, Requirements, RequirementsArgs,
    ResearchFormula, ResearchFormulaArgs,
};
use crate::rules::core::{Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};
use crate::rules::spell::MageIntelligence;

/// A month of upkeep; months begun count whole. The source names no length, so this is our reading.
const DAYS_A_MONTH: i64 = 30;
/// A week of research.
const DAYS_A_WEEK: i64 = 7;

/// What `potion.project` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProjectArgs {
    /// The brewer's class.
    pub class: Brewer,
    /// The brewer's level.
    pub level: Positive,
    /// Whether it is a potion of healing; by default not.
    #[serde(default)]
    pub healing: bool,
    /// The potion's experience value; 200 for one that lists none.
    #[serde(default)]
    pub xp: Option<PotionXp>,
    /// The potion's value in gold pieces, for a bought ingredient.
    #[serde(default)]
    pub gp_value: Option<Natural>,
    /// Whether the special ingredient is bought for each brewing; by default the brewer has it.
    #[serde(default)]
    pub buy_ingredient: bool,
    /// Whether the formula is known already; by default it is searched for.
    #[serde(default)]
    pub formula_known: bool,
    /// The searcher's Chance to Know in percent. Without it, `int` is looked up.
    #[serde(default)]
    pub learn_chance: Option<Whole<0, 100>>,
    /// The searcher's intelligence.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
    /// Whether a full dose is there as a sample.
    #[serde(default)]
    pub sample: bool,
    /// Whether commune or contact other plane helps with the formula.
    #[serde(default)]
    pub divination: bool,
    /// After how many weeks the search for the formula is given up, 1 to 10,000; 52 when not given.
    #[serde(default = "a_year")]
    pub max_weeks: Whole<1, 10_000>,
    /// Whether an alchemist is in the brewer's pay already; otherwise one is hired where one is needed.
    #[serde(default)]
    pub alchemist: bool,
    /// For how many months an alchemist is hired; a year when not given.
    #[serde(default)]
    pub months: Option<Natural>,
    /// Whether the laboratory stands already, so that only its upkeep is paid.
    #[serde(default)]
    pub laboratory: bool,
    /// What the laboratory cost or costs to set up, 200 to 1,000 gold pieces.
    pub workshop_cost: Whole<200, 1_000>,
    /// How often it is brewed until a bottle is worth keeping, 1 to 100; once when not given.
    #[serde(default = "once")]
    pub attempts: Whole<1, 100>,
}

fn a_year() -> Whole<1, 10_000> {
    Whole::clamped(52)
}

fn once() -> Whole<1, 100> {
    Whole::clamped(1)
}

/// Why there is no potion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProjectRefusal {
    /// Class or level do not allow it.
    MayNotBrew,
    /// An alchemist takes no post of less than a year.
    LessThanAYear,
}

/// What a project cost, in gold pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectCost {
    /// The alchemist's hiring bonus and wages.
    pub alchemist: i64,
    /// The laboratory: setting it up and upkeep.
    pub laboratory: i64,
    /// The search for the formula.
    pub formula: i64,
    /// The brewings.
    pub brewing: i64,
    /// Bought ingredients.
    pub ingredients: i64,
    /// All of it.
    pub total: i64,
}

/// How it went; only `allowed` and `reason` when it could not begin.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ProjectOutcome {
    /// Whether it can be begun.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<ProjectRefusal>,
    /// Whether the formula is known now.
    pub formula: Option<bool>,
    /// The chance of each check for the formula, in percent; nothing where none was rolled for.
    pub formula_chance: Option<i64>,
    /// The chance that a brewing fails, in percent.
    pub failure_chance: Option<i64>,
    /// What is in the bottle at the end; nothing where it never came to brewing.
    pub bottle: Option<BrewResult>,
    /// Whether that is a potion worth keeping: as it should be, half as strong, stronger, or a discovery.
    pub success: Option<bool>,
    /// Days of work in all.
    pub days: Option<i64>,
    /// What it cost.
    pub cost: Option<ProjectCost>,
    /// Each brewing, its mishap with it.
    pub brews: Option<Vec<BrewOutcome>>,
}

/// Whether a bottle is worth keeping.
fn worth_keeping(result: BrewResult) -> bool {
    matches!(result, BrewResult::Success | BrewResult::HalfStrength | BrewResult::Strong | BrewResult::Discovery)
}

impl ProjectArgs {
    fn research(&self) -> ResearchFormulaArgs {
        ResearchFormulaArgs {
            xp: self.xp,
            learn_chance: self.learn_chance,
            int: self.int,
            sample: self.sample,
            divination: self.divination,
            max_weeks: self.max_weeks,
        }
    }

    /// What the laboratory costs for so many days.
    fn laboratory_for(&self, days: i64, referee: &mut Referee<'_>) -> Result<i64, RuleError> {
        let months = (days + DAYS_A_MONTH - 1) / DAYS_A_MONTH;
        let (workshop_cost, months_in_use) = (self.workshop_cost, Natural::clamped(months));
        let whole = referee.call::<LaboratoryCost>(LaboratoryCostArgs { workshop_cost, months_in_use })?;
        Ok(if self.laboratory { whole.upkeep_per_month * months } else { whole.total })
    }
}

rule! {
    /// Follows a potion from formula to bottle: alchemist and laboratory, the search for the formula, then brewings
    /// until a bottle is worth keeping or the attempts run out. Dice fall in that order.
    ///
    /// Each step is settled by its own rule, so that house rules on those count here. What an explosion does to the
    /// laboratory the source does not say; the next attempt goes on.
    pub struct Project;
}

impl Rule for Project {
    const NAME: &'static str = "potion.project";
    const SOURCE: &'static [&'static str] = &[
        "first-edition POTION-01",
        "first-edition POTION-02",
        "first-edition POTION-03",
        "first-edition POTION-05",
        "first-edition POTION-06",
        "first-edition POTION-07",
        "first-edition POTION-09",
    ];
    const EXAMPLE: &'static str =
        r#"{ class = "magic_user", level = 9, xp = 250, int = 16, workshop_cost = 500, alchemist = true }"#;
    type Args = ProjectArgs;
    type Options = NoOptions;
    type Outcome = ProjectOutcome;

    fn resolve(args: ProjectArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ProjectOutcome, RuleError> {
        if !args.formula_known && args.learn_chance.is_none() && args.int.is_none() {
            return Err(RuleError::missing("learn_chance"));
        }
        if args.buy_ingredient && args.gp_value.is_none() {
            return Err(RuleError::missing("gp_value"));
        }
        let refused = |reason| Ok(ProjectOutcome { reason: Some(reason), ..Default::default() });
        let asked = RequirementsArgs { class: args.class, level: args.level, healing: args.healing };
        let requirements = referee.call::<Requirements>(asked)?;
        if !requirements.may_brew {
            return refused(ProjectRefusal::MayNotBrew);
        }
        let mut cost = ProjectCost::default();
        if requirements.alchemist_needed == Some(true) && !args.alchemist {
            let hired = referee.call::<HireAlchemist>(HireAlchemistArgs { months: args.months })?;
            if !hired.allowed {
                return refused(ProjectRefusal::LessThanAYear);
            }
            cost.alchemist = hired.total.unwrap_or(0);
        }
        let failure_chance = referee.call::<FailureChance>(FailureChanceArgs { xp: args.xp })?.failure_chance;
        let mut outcome = ProjectOutcome {
            allowed: true,
            formula: Some(true),
            failure_chance: Some(failure_chance),
            ..Default::default()
        };
        let mut days = 0;
        if !args.formula_known {
            let found = referee.call::<ResearchFormula>(args.research())?;
            days += found.weeks * DAYS_A_WEEK;
            cost.formula = found.cost;
            (outcome.formula, outcome.formula_chance) = (Some(found.success), found.chance);
        }
        let mut brews = Vec::new();
        while outcome.formula == Some(true) && brews.len() < args.attempts.get() as usize {
            let (xp, gp_value, buy_ingredient) = (args.xp, args.gp_value, args.buy_ingredient);
            let making = referee.call::<BrewingCost>(BrewingCostArgs { xp, gp_value, buy_ingredient })?;
            days += making.days;
            cost.brewing += making.base_cost;
            cost.ingredients += making.ingredient_cost;
            let brew = referee.call::<Brew>(BrewArgs { xp })?;
            // A switch of brewing may have set its own chance.
            outcome.failure_chance = Some(brew.failure_chance);
            let kept = worth_keeping(brew.result);
            (outcome.bottle, outcome.success) = (Some(brew.result), Some(kept));
            brews.push(brew);
            if kept {
                break;
            }
        }
        cost.laboratory = args.laboratory_for(days, referee)?;
        cost.total = cost.alchemist + cost.laboratory + cost.formula + cost.brewing + cost.ingredients;
        let success = outcome.success.unwrap_or(false);
        Ok(ProjectOutcome { success: Some(success), days: Some(days), cost: Some(cost), brews: Some(brews), ..outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};

    fn project(rest: &str, dice: &[i64]) -> ProjectOutcome {
        outcome::<Project>(&format!(r#"{{"class":"magic_user","workshop_cost":500,"xp":250{rest}}}"#), dice)
    }

    #[test]
    fn a_known_formula_and_a_standing_laboratory_cost_the_brewing_and_a_month() {
        let brewed = project(r#","level":12,"formula_known":true,"laboratory":true"#, &[7]);
        let expected = ProjectCost { laboratory: 50, brewing: 250, total: 300, ..Default::default() };
        assert_eq!((brewed.cost, brewed.days, brewed.success), (Some(expected), Some(3), Some(true)));
        assert_eq!((brewed.failure_chance, brewed.bottle), (Some(6), Some(BrewResult::Success)));
    }

    #[test]
    fn the_chance_told_is_the_one_that_was_brewed_at() {
        // POTION-07, the flat chance: set for brewing alone, it is still the chance of the project.
        let mut house = House::new();
        house.set("potion.brew.flat_chance", 20.into(), "a test").unwrap();
        let args =
            r#"{"class":"magic_user","workshop_cost":500,"xp":250,"level":12,"formula_known":true,"laboratory":true}"#;
        let brewed = resolved_in(&house, "potion.project", args, &[20]).unwrap();
        assert_eq!(brewed.get("failure_chance"), Some(&20.into()));
        assert_eq!(brewed.get("bottle"), Some(&"delusion".into()));
    }

    #[test]
    fn below_twelfth_level_an_alchemist_is_hired_for_a_year() {
        let hired = project(r#","level":9,"formula_known":true"#, &[5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 100]);
        assert!(hired.cost.unwrap().alchemist > 50, "wages come on top of the bonus");
        assert_eq!(hired.cost.unwrap().laboratory, 550);
        let short = project(r#","level":9,"formula_known":true,"months":11"#, &[]);
        assert_eq!((short.allowed, short.reason), (false, Some(ProjectRefusal::LessThanAYear)));
        assert_eq!(project(r#","level":6,"int":16"#, &[]).reason, Some(ProjectRefusal::MayNotBrew));
    }

    #[test]
    fn attempts_go_on_until_a_bottle_is_worth_keeping() {
        let twice = project(
            r#","level":12,"formula_known":true,"attempts":3,"buy_ingredient":true,"gp_value":400"#,
            &[1, 60, 50],
        );
        let cost = twice.cost.unwrap();
        assert_eq!((twice.brews.unwrap().len(), cost.brewing, cost.ingredients), (2, 500, 192));
    }

    #[test]
    fn without_a_formula_nothing_is_brewed() {
        let lost = project(r#","level":12,"learn_chance":50,"max_weeks":2"#, &[1, 100]);
        assert_eq!((lost.formula, lost.bottle, lost.success), (Some(false), None, Some(false)));
        assert_eq!(lost.cost.unwrap().formula, 500);
        assert_eq!(
            resolved("potion.project", r#"{"class":"cleric","level":9,"workshop_cost":500}"#, &[]).unwrap_err().field(),
            Some("learn_chance")
        );
    }
}
