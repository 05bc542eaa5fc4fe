//! Finding a potion's formula.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FIGURES, PotionXp, hundreds, value_of};
use crate::rules::core::{AnyTable, NoOptions, Referee, Rule, RuleError, Whole, only_row};
use crate::rules::spell::{INTELLIGENCE, MageIntelligence, chance_to_know};

/// The most weeks a search is followed: a bound against absurd requests, not a rule.
const MOST_WEEKS: i64 = 10_000;

/// What `potion.research_formula` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResearchFormulaArgs {
    /// The potion's experience value; 200 for one that lists none.
    #[serde(default)]
    pub xp: Option<PotionXp>,
    /// The searcher's Chance to Know in percent, 0 to 100, as for spells. Without it, `int` is looked up.
    #[serde(default)]
    pub learn_chance: Option<Whole<0, 100>>,
    /// The searcher's intelligence, for a chance that is not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
    /// Whether a full dose is there as a sample: a week less, and no penalty.
    #[serde(default)]
    pub sample: bool,
    /// Whether commune or contact other plane helps: sure success in the shortest time.
    #[serde(default)]
    pub divination: bool,
    /// After how many weeks the search is given up, 1 to 10,000; 52 when not given.
    #[serde(default = "a_year")]
    pub max_weeks: Whole<1, MOST_WEEKS>,
}

fn a_year() -> Whole<1, MOST_WEEKS> {
    Whole::clamped(52)
}

/// How the search went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResearchFormulaOutcome {
    /// Weeks of work.
    pub weeks: i64,
    /// Gold pieces spent, an alchemist's wages apart.
    pub cost: i64,
    /// Whether the formula was found.
    pub success: bool,
    /// The chance of each check, in percent, from 0; nothing with divination.
    pub chance: Option<i64>,
}

rule! {
    /// Searches for a potion's formula: 1d3+1 weeks at the experience value in gold pieces each, then d100 against
    /// Chance to Know less 2 for each 100 points or part; after a failure another week and another check, until it is
    /// found or given up. A search given up before the first check is due makes none.
    pub struct ResearchFormula;
}

impl Rule for ResearchFormula {
    const NAME: &'static str = "potion.research_formula";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-05"];
    const EXAMPLE: &'static str = "{ xp = 250, learn_chance = 65 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES, &INTELLIGENCE];
    type Args = ResearchFormulaArgs;
    type Options = NoOptions;
    type Outcome = ResearchFormulaOutcome;

    fn resolve(
        args: ResearchFormulaArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ResearchFormulaOutcome, RuleError> {
        let rows = referee.table(&FIGURES);
        let figures = only_row(&rows)?;
        let xp = value_of(args.xp, figures);
        let learn_chance = match (args.learn_chance, args.int) {
            (Some(chance), _) => chance.get(),
            (None, Some(int)) => chance_to_know(int, referee)?,
            (None, None) => return Err(RuleError::missing("learn_chance")),
        };
        let dice = &figures.research_weeks;
        let rolled = if args.divination { dice.least_roll() } else { dice.roll(referee, "weeks of research")?.sum };
        let due = rolled + dice.modifier() - i64::from(args.sample);
        let given_up = args.max_weeks.get();
        let mut weeks = due.clamp(0, given_up);
        let outcome = |weeks, success, chance| Ok(ResearchFormulaOutcome { weeks, cost: xp * weeks, success, chance });
        if args.divination {
            return outcome(weeks, due <= given_up, None);
        }
        let penalty = if args.sample { 0 } else { figures.research_penalty.get() * hundreds(xp) };
        referee.modifier(-penalty, "for the potion's experience value (POTION-05)");
        let chance = (learn_chance - penalty).max(0);
        if due > given_up {
            return outcome(weeks, false, Some(chance));
        }
        referee.need(|| format!("{chance} or less on d100"));
        loop {
            if referee.d(100, "formula")? <= chance {
                return outcome(weeks, true, Some(chance));
            }
            if weeks >= given_up {
                return outcome(weeks, false, Some(chance));
            }
            weeks += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_failed_check_costs_another_week() {
        let found = outcome::<ResearchFormula>(r#"{"xp":250,"learn_chance":65}"#, &[1, 60, 59]);
        assert_eq!((found.weeks, found.cost, found.success, found.chance), (3, 750, true, Some(59)));
    }

    #[test]
    fn a_sample_saves_a_week_and_the_penalty() {
        let found = outcome::<ResearchFormula>(r#"{"xp":250,"learn_chance":65,"sample":true}"#, &[2, 65]);
        assert_eq!((found.weeks, found.chance, found.success), (2, Some(65), true));
    }

    #[test]
    fn an_intelligence_can_stand_for_the_chance() {
        let found = outcome::<ResearchFormula>(r#"{"xp":250,"int":16}"#, &[1, 59]);
        assert_eq!((found.chance, found.success), (Some(59), true));
    }

    #[test]
    fn divination_needs_no_dice() {
        let found = outcome::<ResearchFormula>(r#"{"learn_chance":0,"divination":true}"#, &[]);
        assert_eq!((found.weeks, found.cost, found.success, found.chance), (2, 400, true, None));
    }

    #[test]
    fn a_hopeless_search_ends_when_it_is_given_up() {
        let args = r#"{"xp":1000,"learn_chance":15,"max_weeks":3}"#;
        let searched = outcome::<ResearchFormula>(args, &[1, 1, 1]);
        assert_eq!((searched.weeks, searched.success, searched.chance), (3, false, Some(0)));
        let searched = outcome::<ResearchFormula>(args, &[3]);
        assert_eq!((searched.weeks, searched.success), (3, false), "the first check was due in the fourth week");
    }
}
