//! Spell research: what a week costs, the chance, setbacks, and the whole project.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SpellLevel;
use crate::rules::core::{
    AnyTable, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, one_row, only_row,
};

/// The most weeks a project is followed: a bound against absurd requests, not a rule.
const MOST_WEEKS: i64 = 10_000;

/// An extra sum for each spell level and the base chance it buys.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FundingRow {
    /// Gold pieces for each spell level.
    extra_gold: Natural,
    /// Percent.
    base: Whole<0, 100>,
}

fn check_funding(rows: &[FundingRow]) -> Result<(), String> {
    if rows.first().is_none_or(|row| row.extra_gold.get() != 0) {
        return Err("the first row must be for no extra gold".into());
    }
    if rows.windows(2).any(|pair| pair[0].extra_gold >= pair[1].extra_gold) {
        return Err("extra gold must rise from row to row".into());
    }
    Ok(())
}

static FUNDING: Table<FundingRow> =
    Table::new("spell_research_funding", include_str!("../data/spell_research_funding.json"), check_funding);

/// What research costs, in gold pieces a week for each spell level.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CostRow {
    /// With a library (or a shrine) at hand.
    library: Natural,
    /// Without.
    no_library: Natural,
    /// For each point of the materials die.
    materials: Natural,
    /// The faces of the materials die.
    materials_die: Whole<2, 100>,
}

static COST: Table<CostRow> =
    Table::new("spell_research_cost", include_str!("../data/spell_research_cost.json"), one_row);

/// What `spell.research_chance` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResearchChanceArgs {
    /// The level of the spell, as the referee sets it.
    pub spell_level: SpellLevel,
    /// The mage's intelligence. For a cleric the source names none; wisdom and cleric level stand in best.
    pub int: Whole<1, 25>,
    /// The mage's level.
    pub level: Positive,
    /// Gold pieces spent beyond the weekly cost; 0 when not given.
    #[serde(default)]
    pub extra_gold: Natural,
}

/// The chance of research.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResearchChanceOutcome {
    /// The base chance that the money buys, in percent.
    pub base: i64,
    /// The chance each week, in percent, from 0 to 100.
    pub chance: i64,
}

rule! {
    /// Works out the weekly chance of success in research: base, intelligence and mage level, less twice the spell's
    /// level.
    pub struct ResearchChance;
}

impl Rule for ResearchChance {
    const NAME: &'static str = "spell.research_chance";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-15"];
    const EXAMPLE: &'static str = "{ spell_level = 3, int = 16, level = 9, extra_gold = 6000 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FUNDING];
    type Args = ResearchChanceArgs;
    type Options = NoOptions;
    type Outcome = ResearchChanceOutcome;

    fn resolve(
        args: ResearchChanceArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ResearchChanceOutcome, RuleError> {
        let ResearchChanceArgs { spell_level, int, level, extra_gold } = args;
        let rows = referee.table(&FUNDING);
        let bought = rows.iter().rev().find(|row| row.extra_gold.get() * spell_level.get() <= extra_gold.get());
        let base = bought.map_or(0, |row| row.base.get());
        referee.modifier(base, "percent, base (SPELL-15)");
        referee.modifier(int.get(), "intelligence");
        referee.modifier(level.get(), "mage level");
        referee.modifier(-2 * spell_level.get(), "twice the spell's level");
        let chance = (base + int.get() + level.get() - 2 * spell_level.get()).clamp(0, 100);
        Ok(ResearchChanceOutcome { base, chance })
    }
}

/// How the week's materials are rolled (SPELL-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Materials {
    /// One die a week, times the spell's level.
    #[default]
    OneDie,
    /// A die for each spell level.
    DiePerLevel,
}

/// The switches of a week's cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WeekCostOptions {
    /// How materials are rolled.
    pub materials: Materials,
}

/// What `spell.research_week_cost` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeekCostArgs {
    /// The level of the spell.
    pub spell_level: SpellLevel,
    /// Whether a library (for a cleric a shrine) lies within a day's travel; by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub library: bool,
}

/// What a week of research costs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeekCostOutcome {
    /// The fixed part, in gold pieces.
    pub base: i64,
    /// The materials, in gold pieces; the lack of a library does not multiply them.
    pub materials: i64,
    /// Both together.
    pub total: i64,
}

rule! {
    /// Rolls what a week of research costs: a fixed sum for each spell level, ten times as much without a library, and
    /// materials.
    pub struct ResearchWeekCost;
}

impl Rule for ResearchWeekCost {
    const NAME: &'static str = "spell.research_week_cost";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-14"];
    const EXAMPLE: &'static str = "{ spell_level = 3 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&COST];
    type Args = WeekCostArgs;
    type Options = WeekCostOptions;
    type Outcome = WeekCostOutcome;

    fn resolve(
        args: WeekCostArgs,
        options: WeekCostOptions,
        referee: &mut Referee<'_>,
    ) -> Result<WeekCostOutcome, RuleError> {
        let spell_level = args.spell_level.get();
        let rows = referee.table(&COST);
        let figures = only_row(&rows)?;
        let a_level = if args.library { figures.library } else { figures.no_library };
        let (dice, factor) = match options.materials {
            Materials::OneDie => (1, spell_level),
            Materials::DiePerLevel => (spell_level, 1),
        };
        let rolled = referee.total(dice as u32, figures.materials_die.get() as u32, "materials")?.sum;
        let base = a_level.get() * spell_level;
        let materials = figures.materials.get() * rolled * factor;
        Ok(WeekCostOutcome { base, materials, total: base + materials })
    }
}

/// What `spell.research_setback` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetbackArgs {
    /// Weeks of research done.
    pub weeks_done: Natural,
    /// Days on which it was interrupted.
    pub days_interrupted: Natural,
}

/// What is left of the work.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetbackOutcome {
    /// Weeks that still count.
    pub weeks_done: i64,
}

rule! {
    /// Sets research back a week for each interrupted day, never below nothing.
    pub struct ResearchSetback;
}

impl Rule for ResearchSetback {
    const NAME: &'static str = "spell.research_setback";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-13"];
    const EXAMPLE: &'static str = "{ weeks_done = 3, days_interrupted = 1 }";
    type Args = SetbackArgs;
    type Options = NoOptions;
    type Outcome = SetbackOutcome;

    fn resolve(args: SetbackArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SetbackOutcome, RuleError> {
        Ok(SetbackOutcome { weeks_done: (args.weeks_done.get() - args.days_interrupted.get()).max(0) })
    }
}

/// How often the extra gold is paid (SPELL-15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExtraPaid {
    /// Once for the project.
    #[default]
    Once,
    /// Every week.
    Weekly,
}

/// The switches of a research project.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResearchOptions {
    /// How materials are rolled; when not set, as `spell.research_week_cost` has it.
    pub materials: Option<Materials>,
    /// How often the extra gold is paid.
    pub extra_paid: ExtraPaid,
}

/// What `spell.research` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResearchArgs {
    /// The level of the spell, as the referee sets it.
    pub spell_level: SpellLevel,
    /// The mage's intelligence.
    pub int: Whole<1, 25>,
    /// The mage's level.
    pub level: Positive,
    /// Gold pieces spent beyond the weekly cost; 0 when not given.
    #[serde(default)]
    pub extra_gold: Natural,
    /// Whether a library (for a cleric a shrine) lies within a day's travel; by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub library: bool,
    /// After how many weeks the mage gives up, 1 to 10,000.
    pub weeks: Whole<1, MOST_WEEKS>,
    /// Whether the goal can be reached; if not, it looks no different from bad luck. By default it can.
    #[serde(default = "crate::rules::core::yes")]
    pub possible: bool,
    /// Whether the mage spends too little; then there is never success, and it looks no different from bad luck.
    #[serde(default)]
    pub underfunded: bool,
    /// Whether the mage has the maximum of spells of this level group already; then there is no research.
    #[serde(default)]
    pub at_maximum: bool,
    /// The highest spell level the mage can cast, for `can_cast`.
    #[serde(default)]
    pub highest_spell_level: Option<Whole<0, 9>>,
}

/// Why there is no research.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResearchRefusal {
    /// The mage has the maximum of spells of this level group.
    AtMaximum,
}

/// How a research project went; only `allowed` and `reason` when there was none.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ResearchOutcome {
    /// Whether the mage may research the spell at all.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<ResearchRefusal>,
    /// Whether the spell was made.
    pub success: Option<bool>,
    /// Weeks of work.
    pub weeks: Option<i64>,
    /// Gold pieces spent.
    pub spent: Option<i64>,
    /// The chance each week, in percent.
    pub chance: Option<i64>,
    /// Whether the mage could cast the spell: one of too high a level can be made and not cast. Only when
    /// `highest_spell_level` was given.
    pub can_cast: Option<bool>,
}

rule! {
    /// Follows a research project week by week: each week is paid, and from the end of the week that equals the spell's
    /// level on d100 is rolled against the chance, until success or until the mage gives up.
    pub struct Research;
}

impl Rule for Research {
    const NAME: &'static str = "spell.research";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-12", "first-edition SPELL-16"];
    const EXAMPLE: &'static str = "{ spell_level = 3, int = 16, level = 9, weeks = 6 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FUNDING, &COST];
    type Args = ResearchArgs;
    type Options = ResearchOptions;
    type Outcome = ResearchOutcome;

    fn resolve(
        args: ResearchArgs,
        options: ResearchOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ResearchOutcome, RuleError> {
        let ResearchArgs { spell_level, int, level, extra_gold, library, .. } = args;
        if args.at_maximum {
            return Ok(ResearchOutcome { reason: Some(ResearchRefusal::AtMaximum), ..ResearchOutcome::default() });
        }
        let chance = ResearchChanceArgs { spell_level, int, level, extra_gold };
        let chance = referee.call::<ResearchChance>(chance)?.chance;
        let attainable = args.possible && !args.underfunded;
        let (mut weeks, mut success) = (0, false);
        let mut spent = if options.extra_paid == ExtraPaid::Once { extra_gold.get() } else { 0 };
        while weeks < args.weeks.get() && !success {
            weeks += 1;
            let week = WeekCostArgs { spell_level, library };
            let cost = match options.materials {
                Some(materials) => referee.call_with::<ResearchWeekCost>(week, WeekCostOptions { materials })?,
                None => referee.call::<ResearchWeekCost>(week)?,
            };
            spent += cost.total;
            if options.extra_paid == ExtraPaid::Weekly {
                spent += extra_gold.get();
            }
            if weeks >= spell_level.get() {
                referee.need(|| format!("{chance} or less on d100"));
                success = referee.d(100, "research")? <= chance && attainable;
            }
        }
        Ok(ResearchOutcome {
            allowed: true,
            reason: None,
            success: Some(success),
            weeks: Some(weeks),
            spent: Some(spent),
            chance: Some(chance),
            can_cast: args.highest_spell_level.map(|highest| spell_level.get() <= highest.get()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved_in};

    const THIRD: &str = r#""spell_level":3,"int":16,"level":9"#;

    #[test]
    fn the_chance_of_a_first_level_spell_rises_by_ten_for_each_two_thousand() {
        for (extra, base) in [(0, 10), (2000, 20), (3999, 20), (4000, 30), (6000, 40), (8000, 50), (80_000, 50)] {
            let args = format!(r#"{{"spell_level":1,"int":15,"level":1,"extra_gold":{extra}}}"#);
            assert_eq!(outcome::<ResearchChance>(&args, &[]).base, base, "{extra}");
        }
    }

    #[test]
    fn extra_gold_can_be_paid_every_week() {
        let args = format!(r#"{{{THIRD},"weeks":6,"extra_gold":6000,"options":{{"extra_paid":"weekly"}}}}"#);
        let project = outcome::<Research>(&args, &[1, 1, 1, 39]);
        assert_eq!((project.success, project.spent), (Some(true), Some(20_700)));
    }

    #[test]
    fn too_little_money_looks_like_bad_luck() {
        let args = format!(r#"{{{THIRD},"weeks":4,"underfunded":true}}"#);
        let project = outcome::<Research>(&args, &[1, 1, 1, 1, 1, 1]);
        assert_eq!((project.success, project.weeks), (Some(false), Some(4)));
    }

    #[test]
    fn a_spell_of_too_high_a_level_can_be_made_and_not_cast() {
        let args = format!(r#"{{{THIRD},"weeks":3,"highest_spell_level":2}}"#);
        let project = outcome::<Research>(&args, &[1, 1, 1, 1]);
        assert_eq!((project.success, project.can_cast), (Some(true), Some(false)));
    }

    #[test]
    fn a_mage_at_the_maximum_does_not_research() {
        let project = outcome::<Research>(&format!(r#"{{{THIRD},"weeks":3,"at_maximum":true}}"#), &[]);
        assert_eq!((project.allowed, project.reason), (false, Some(ResearchRefusal::AtMaximum)));
        assert_eq!(project.weeks, None);
    }

    #[test]
    fn a_project_follows_the_campaigns_switch_for_materials() {
        let mut house = House::new();
        house.set("spell.research_week_cost.materials", "die_per_level".into(), "a test").unwrap();
        let args = r#"{"spell_level":2,"int":16,"level":9,"weeks":2}"#;
        let project = resolved_in(&house, "spell.research", args, &[1, 2, 3, 4, 1]).unwrap();
        assert_eq!(project.get("spent").unwrap().to_string(), (800 + 1000).to_string());
    }
}
