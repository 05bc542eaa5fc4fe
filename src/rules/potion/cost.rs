//! Who may brew, and what alchemist, laboratory and brewing cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FIGURES, PotionXp, hundreds, value_of};
use crate::rules::check::Rounding;
use crate::rules::core::{AnyTable, Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole, only_row};

/// The class of somebody who wants to brew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Brewer {
    /// A magic-user: any potion.
    MagicUser,
    /// A cleric: potions of healing.
    Cleric,
    /// Any other class: none.
    Other,
}

/// What `potion.requirements` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RequirementsArgs {
    /// The class.
    pub class: Brewer,
    /// The level.
    pub level: Positive,
    /// Whether it is a potion of healing; by default not.
    #[serde(default)]
    pub healing: bool,
}

/// Whether somebody may brew.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RequirementsOutcome {
    /// Whether the rules allow it.
    pub may_brew: bool,
    /// Whether an alchemist is needed; nothing for those who may not brew.
    pub alchemist_needed: Option<bool>,
}

rule! {
    /// Tells who may brew: magic-users from 7th level, with an alchemist until 12th; clerics from 7th (the author
    /// presumes) for healing, always with one. A laboratory, the special ingredient and the making come on top.
    pub struct Requirements;
}

impl Rule for Requirements {
    const NAME: &'static str = "potion.requirements";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-01"];
    const EXAMPLE: &'static str = r#"{ class = "magic_user", level = 7 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES];
    type Args = RequirementsArgs;
    type Options = NoOptions;
    type Outcome = RequirementsOutcome;

    fn resolve(
        args: RequirementsArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<RequirementsOutcome, RuleError> {
        let rows = referee.table(&FIGURES);
        let figures = only_row(&rows)?;
        let of_class = match args.class {
            Brewer::MagicUser => true,
            Brewer::Cleric => args.healing,
            Brewer::Other => false,
        };
        let may_brew = of_class && args.level >= figures.brewer_level;
        let alchemist_needed = args.class != Brewer::MagicUser || args.level < figures.alone_level;
        Ok(RequirementsOutcome { may_brew, alchemist_needed: may_brew.then_some(alchemist_needed) })
    }
}

/// What `potion.hire_alchemist` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HireAlchemistArgs {
    /// Months assured; 12, the least an alchemist takes, when not given.
    #[serde(default)]
    pub months: Option<Natural>,
}

/// Why no alchemist comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HireRefusal {
    /// Less than a year is assured.
    LessThanAYear,
}

/// What an alchemist costs, in gold pieces; only `allowed` and `reason` when none comes.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct HireAlchemistOutcome {
    /// Whether an alchemist takes the post.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<HireRefusal>,
    /// The bonus on hiring.
    pub bonus: Option<i64>,
    /// The wages of all months.
    pub wages: Option<i64>,
    /// Both together.
    pub total: Option<i64>,
}

rule! {
    /// Hires an alchemist: a rolled bonus and monthly wages, for at least a year.
    pub struct HireAlchemist;
}

impl Rule for HireAlchemist {
    const NAME: &'static str = "potion.hire_alchemist";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-02"];
    const EXAMPLE: &'static str = "{ months = 18 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES];
    type Args = HireAlchemistArgs;
    type Options = NoOptions;
    type Outcome = HireAlchemistOutcome;

    fn resolve(
        args: HireAlchemistArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<HireAlchemistOutcome, RuleError> {
        let rows = referee.table(&FIGURES);
        let figures = only_row(&rows)?;
        let months = args.months.unwrap_or(figures.least_months);
        if months < figures.least_months {
            let reason = Some(HireRefusal::LessThanAYear);
            return Ok(HireAlchemistOutcome { reason, ..HireAlchemistOutcome::default() });
        }
        let wages = figures.wages_a_month.get() * months.get();
        let dice = &figures.hiring_bonus;
        let bonus = dice.roll(referee, "hiring bonus")?.sum + dice.modifier();
        Ok(HireAlchemistOutcome {
            allowed: true,
            reason: None,
            bonus: Some(bonus),
            wages: Some(wages),
            total: Some(bonus + wages),
        })
    }
}

/// What `potion.laboratory_cost` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LaboratoryCostArgs {
    /// What setting it up costs, as the referee judges, 200 to 1,000 gold pieces.
    pub workshop_cost: Whole<200, 1_000>,
    /// Months in use, the only ones with upkeep. The summary of the source charges a whole year.
    pub months_in_use: Natural,
}

/// What a laboratory costs, in gold pieces.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LaboratoryCostOutcome {
    /// Upkeep of a month, to the nearest gold piece.
    pub upkeep_per_month: i64,
    /// Setting up and upkeep.
    pub total: i64,
}

rule! {
    /// Works out what a laboratory costs: setting it up, and a tenth of that for each month in use.
    pub struct LaboratoryCost;
}

impl Rule for LaboratoryCost {
    const NAME: &'static str = "potion.laboratory_cost";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-03"];
    const EXAMPLE: &'static str = "{ workshop_cost = 500, months_in_use = 12 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES];
    type Args = LaboratoryCostArgs;
    type Options = NoOptions;
    type Outcome = LaboratoryCostOutcome;

    fn resolve(
        args: LaboratoryCostArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<LaboratoryCostOutcome, RuleError> {
        let rows = referee.table(&FIGURES);
        let workshop = args.workshop_cost.get();
        let upkeep_per_month = Rounding::Nearest.divide(workshop * only_row(&rows)?.upkeep_percent.get(), 100);
        Ok(LaboratoryCostOutcome { upkeep_per_month, total: workshop + upkeep_per_month * args.months_in_use.get() })
    }
}

/// The switches of brewing's cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BrewingCostOptions {
    /// What the special ingredient costs, in percent of the potion's value: 24, or 25 as the source's summary has it.
    pub ingredient_percent: Whole<0, 10_000>,
}

impl Default for BrewingCostOptions {
    fn default() -> Self {
        BrewingCostOptions { ingredient_percent: Whole::clamped(24) }
    }
}

/// What `potion.brewing_cost` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrewingCostArgs {
    /// The potion's experience value; 200 for one that lists none.
    #[serde(default)]
    pub xp: Option<PotionXp>,
    /// The potion's value in gold pieces, for the ingredient.
    #[serde(default)]
    pub gp_value: Option<Natural>,
    /// Whether the special ingredient is bought; by default not.
    #[serde(default)]
    pub buy_ingredient: bool,
}

/// What brewing costs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrewingCostOutcome {
    /// The experience value that counts.
    pub xp: i64,
    /// Days of work.
    pub days: i64,
    /// The making, in gold pieces.
    pub base_cost: i64,
    /// The ingredient, in gold pieces, to the nearest.
    pub ingredient_cost: i64,
    /// Both together.
    pub total_cost: i64,
}

rule! {
    /// Works out what brewing takes: the experience value in gold pieces, a day for each 100 of it or part, and the
    /// special ingredient where it can be bought.
    pub struct BrewingCost;
}

impl Rule for BrewingCost {
    const NAME: &'static str = "potion.brewing_cost";
    const SOURCE: &'static [&'static str] =
        &["first-edition POTION-04", "first-edition POTION-06", "first-edition POTION-09"];
    const EXAMPLE: &'static str = "{ xp = 250, gp_value = 400, buy_ingredient = true }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES];
    type Args = BrewingCostArgs;
    type Options = BrewingCostOptions;
    type Outcome = BrewingCostOutcome;

    fn resolve(
        args: BrewingCostArgs,
        options: BrewingCostOptions,
        referee: &mut Referee<'_>,
    ) -> Result<BrewingCostOutcome, RuleError> {
        let rows = referee.table(&FIGURES);
        let xp = value_of(args.xp, only_row(&rows)?);
        let ingredient_cost = if args.buy_ingredient {
            let value = args.gp_value.ok_or_else(|| RuleError::missing("gp_value"))?.get();
            Rounding::Nearest.divide(value * options.ingredient_percent.get(), 100)
        } else {
            0
        };
        let days = hundreds(xp);
        Ok(BrewingCostOutcome { xp, days, base_cost: xp, ingredient_cost, total_cost: xp + ingredient_cost })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_magic_user_brews_alone_from_twelfth_level_and_a_cleric_never() {
        let needed = |args| outcome::<Requirements>(args, &[]).alchemist_needed;
        assert_eq!(needed(r#"{"class":"magic_user","level":11}"#), Some(true));
        assert_eq!(needed(r#"{"class":"magic_user","level":12}"#), Some(false));
        assert_eq!(needed(r#"{"class":"cleric","level":15,"healing":true}"#), Some(true));
        assert_eq!(needed(r#"{"class":"magic_user","level":6}"#), None);
    }

    #[test]
    fn no_alchemist_comes_for_less_than_a_year() {
        let refused = outcome::<HireAlchemist>(r#"{"months":11}"#, &[]);
        assert_eq!((refused.allowed, refused.reason), (false, Some(HireRefusal::LessThanAYear)));
        let hired = outcome::<HireAlchemist>("{}", &[10; 10]);
        assert_eq!(hired.total, Some(3700));
    }

    #[test]
    fn two_hundred_and_fifty_points_take_three_days() {
        let brewing = outcome::<BrewingCost>(r#"{"xp":250}"#, &[]);
        assert_eq!((brewing.days, brewing.total_cost), (3, 250));
        assert_eq!(outcome::<BrewingCost>("{}", &[]).xp, 200);
    }

    #[test]
    fn a_bought_ingredient_needs_the_potions_value() {
        let error = resolved("potion.brewing_cost", r#"{"buy_ingredient":true}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("gp_value"));
    }

    #[test]
    fn upkeep_goes_to_the_nearest_gold_piece() {
        let lab = outcome::<LaboratoryCost>(r#"{"workshop_cost":255,"months_in_use":2}"#, &[]);
        assert_eq!((lab.upkeep_per_month, lab.total), (26, 307));
    }
}
