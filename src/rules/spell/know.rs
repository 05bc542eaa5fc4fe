//! Chance to Know: which spells of a level group a mage can ever comprehend, and what changes of intelligence do to it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::each_once;
use crate::rules::core::{
    AnyTable, Band, List, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, band_row, unbroken_bands,
};

/// An intelligence score that lets its owner be a mage.
pub type MageIntelligence = Whole<9, 25>;

/// What intelligence allows in each level group.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::rules) struct IntelligenceRow {
    from: Option<i64>,
    to: Option<i64>,
    /// Chance to Know, in percent.
    chance: Whole<1, 99>,
    /// How many spells of the group are known at least.
    minimum: Natural,
    /// How many may be known; nothing for no limit.
    maximum: Option<Natural>,
}

impl Band for IntelligenceRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

fn check_intelligence(rows: &[IntelligenceRow]) -> Result<(), String> {
    unbroken_bands(rows)?;
    match rows.iter().find(|row| row.maximum.is_some_and(|maximum| maximum < row.minimum)) {
        Some(row) => Err(format!("a maximum must not be under its minimum of {}", row.minimum)),
        None => Ok(()),
    }
}

pub(in crate::rules) static INTELLIGENCE: Table<IntelligenceRow> =
    Table::new("intelligence_spells", include_str!("../data/intelligence_spells.json"), check_intelligence);

/// What a mage brings to a check: the figures given, or those of the intelligence given.
struct Figures {
    chance: i64,
    minimum: i64,
    maximum: Option<i64>,
}

/// The row of the table for an intelligence, when one is given.
fn looked_up(int: Option<MageIntelligence>, referee: &Referee<'_>) -> Result<Option<Figures>, RuleError> {
    let Some(int) = int else { return Ok(None) };
    let rows = referee.table(&INTELLIGENCE);
    let row = band_row(&rows, int.get())?;
    let maximum = row.maximum.map(Natural::get);
    Ok(Some(Figures { chance: row.chance.get(), minimum: row.minimum.get(), maximum }))
}

/// Chance to Know at an intelligence, in percent.
pub(in crate::rules) fn chance_to_know(int: MageIntelligence, referee: &Referee<'_>) -> Result<i64, RuleError> {
    let rows = referee.table(&INTELLIGENCE);
    band_row(&rows, int.get()).map(|row| row.chance.get())
}

/// The chance given, or that of the intelligence given.
fn chance_of<const LEAST: i64, const GREATEST: i64>(
    chance: Option<Whole<LEAST, GREATEST>>,
    figures: Option<&Figures>,
) -> Result<i64, RuleError> {
    let looked_up = || figures.map(|figures| figures.chance);
    chance.map(Whole::get).or_else(looked_up).ok_or_else(|| RuleError::missing("chance"))
}

/// The maximum that counts: the one given, or that of the intelligence given; none when neither is.
pub(super) fn maximum_of<const LEAST: i64, const GREATEST: i64>(
    maximum: Option<Whole<LEAST, GREATEST>>,
    int: Option<MageIntelligence>,
    referee: &Referee<'_>,
) -> Result<Option<i64>, RuleError> {
    match maximum {
        Some(maximum) => Ok(Some(maximum.get())),
        None => Ok(looked_up(int, referee)?.and_then(|figures| figures.maximum)),
    }
}

/// Rolls Chance to Know for one spell, and counts the roll.
fn rolls_under(chance: i64, rolls: &mut i64, referee: &mut Referee<'_>) -> Result<bool, RuleError> {
    *rolls += 1;
    Ok(referee.d(100, "chance to know")? <= chance)
}

/// What the maximum of the level group limits (SPELL-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MaximumAppliesTo {
    /// Only spells that are learned; every spell of the group is checked.
    #[default]
    Learned,
    /// The checks: they end when as many are known, as written and in the 1985 variant (SPELL-22).
    Checks,
}

/// The switches of the check of a level group.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CheckGroupOptions {
    /// What the maximum limits (SPELL-04, SPELL-22).
    pub maximum_applies_to: MaximumAppliesTo,
    /// Whether checks stop once the minimum is met, so that the rest wait until each spell is found (SPELL-05).
    pub stop_at_minimum: bool,
}

/// What `spell.check_group` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckGroupArgs {
    /// The spells of the level group, in the order in which the player checks them.
    pub spells: List<String, 1>,
    /// Chance to Know in percent, 1 to 100. Without it, `int` is looked up.
    #[serde(default)]
    pub chance: Option<Whole<1, 100>>,
    /// How many spells are known at least; more than the group has means the whole group. Without it, `int` is looked up.
    #[serde(default)]
    pub minimum: Option<Natural>,
    /// How many may be known; not under the minimum. Without it, `int` is looked up; without both there is no limit.
    #[serde(default)]
    pub maximum: Option<Natural>,
    /// The mage's intelligence, for figures that are not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
    /// Spells known without a roll, such as Read Magic; they count toward minimum and maximum (SPELL-06).
    #[serde(default)]
    pub automatic: List<String>,
}

/// What a mage knows of a level group.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckGroupOutcome {
    /// The spells that can be comprehended, those without a roll first, then in the order in which they became known.
    pub known: Vec<String>,
    /// The spells that failed.
    pub failed: Vec<String>,
    /// The spells that were not checked.
    pub unchecked: Vec<String>,
    /// How many times d100 was rolled.
    pub rolls: i64,
    /// How many times the group was gone through: 1, and one for each return to the failed.
    pub passes: i64,
}

rule! {
    /// Checks a whole level group: d100 for each spell in the player's order, known at or under Chance to Know. If
    /// fewer than the minimum are known, the failed are tried again, one at a time, until the minimum is met.
    pub struct CheckGroup;
}

impl Rule for CheckGroup {
    const NAME: &'static str = "spell.check_group";
    const SOURCE: &'static [&'static str] = &[
        "first-edition SPELL-02",
        "first-edition SPELL-03",
        "first-edition SPELL-04",
        "first-edition SPELL-05",
        "first-edition SPELL-22",
        "first-edition RULING-03",
    ];
    const EXAMPLE: &'static str =
        r#"{ spells = { "read magic", "sleep", "shield", "jump" }, int = 16, automatic = { "read magic" } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&INTELLIGENCE];
    type Args = CheckGroupArgs;
    type Options = CheckGroupOptions;
    type Outcome = CheckGroupOutcome;

    fn resolve(
        args: CheckGroupArgs,
        options: CheckGroupOptions,
        referee: &mut Referee<'_>,
    ) -> Result<CheckGroupOutcome, RuleError> {
        each_once(&args.spells, "spells")?;
        each_once(&args.automatic, "automatic")?;
        let figures = looked_up(args.int, referee)?;
        let chance = chance_of(args.chance, figures.as_ref())?;
        let minimum = args.minimum.map(Natural::get).or(figures.as_ref().map(|figures| figures.minimum));
        let minimum = minimum.ok_or_else(|| RuleError::missing("minimum"))?;
        let maximum = args.maximum.map(Natural::get).or(figures.and_then(|figures| figures.maximum));
        if let Some(maximum) = maximum.filter(|maximum| *maximum < minimum) {
            let message = format!("must be at least the minimum, {minimum}, not {maximum}");
            return Err(RuleError::invalid("maximum", message));
        }
        referee.need(|| format!("{chance} or less on d100 for each spell (SPELL-02)"));

        let mut known = args.automatic.into_vec();
        let rolled: Vec<String> = args.spells.into_iter().filter(|spell| !known.contains(spell)).collect();
        let enough = minimum.min((known.len() + rolled.len()) as i64);
        let most = maximum.filter(|_| options.maximum_applies_to == MaximumAppliesTo::Checks);
        let (mut failed, mut unchecked, mut rolls) = (Vec::new(), Vec::new(), 0);
        for spell in rolled {
            let count = known.len() as i64;
            let ends = most.is_some_and(|most| count >= most) || (options.stop_at_minimum && count >= enough);
            if ends {
                unchecked.push(spell);
            } else if rolls_under(chance, &mut rolls, referee)? {
                known.push(spell);
            } else {
                failed.push(spell);
            }
        }
        let mut passes = 1;
        while (known.len() as i64) < enough {
            passes += 1;
            for spell in std::mem::take(&mut failed) {
                if (known.len() as i64) < enough && rolls_under(chance, &mut rolls, referee)? {
                    known.push(spell);
                } else {
                    failed.push(spell);
                }
            }
        }
        Ok(CheckGroupOutcome { known, failed, unchecked, rolls, passes })
    }
}

/// What `spell.check_spell` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckSpellArgs {
    /// Chance to Know in percent, 0 to 100. Without it, `int` is looked up.
    #[serde(default)]
    pub chance: Option<Whole<0, 100>>,
    /// The mage's intelligence, for a chance that is not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
}

/// Whether a spell can be comprehended.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckSpellOutcome {
    /// What d100 showed.
    pub roll: i64,
    /// Whether the mage can comprehend the spell, now and ever after.
    pub known: bool,
}

rule! {
    /// Checks one spell that was not there when its level group was checked. Only a mage below the maximum may
    /// (`spell.may_learn` tells).
    pub struct CheckSpell;
}

impl Rule for CheckSpell {
    const NAME: &'static str = "spell.check_spell";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-11", "first-edition RULING-03"];
    const EXAMPLE: &'static str = "{ chance = 45 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&INTELLIGENCE];
    type Args = CheckSpellArgs;
    type Options = NoOptions;
    type Outcome = CheckSpellOutcome;

    fn resolve(args: CheckSpellArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<CheckSpellOutcome, RuleError> {
        let chance = chance_of(args.chance, looked_up(args.int, referee)?.as_ref())?;
        referee.need(|| format!("{chance} or less on d100"));
        let roll = referee.d(100, "chance to know")?;
        Ok(CheckSpellOutcome { roll, known: roll <= chance })
    }
}

/// What `spell.intelligence_falls` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IntelligenceFallsArgs {
    /// The known spells of the level group, found or not, in the order in which the player checks them.
    pub known: List<String>,
    /// The new Chance to Know in percent, 0 to 99. Without it, `int` is looked up.
    #[serde(default)]
    pub chance: Option<Whole<0, 99>>,
    /// The new maximum. Without it, `int` is looked up.
    #[serde(default)]
    pub maximum: Option<Natural>,
    /// The new intelligence, for figures that are not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
}

/// What is left after a loss of intelligence.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IntelligenceFallsOutcome {
    /// The spells still known, in the order given.
    pub known: Vec<String>,
    /// The spells forgotten, in the order in which they were lost.
    pub forgotten: Vec<String>,
    /// How many times d100 was rolled.
    pub rolls: i64,
}

rule! {
    /// Checks known spells again at the new chance, in the player's order, and forgets those that fail, until the
    /// number fits the new maximum. Nothing is checked when it fits already; when one pass is not enough the round
    /// begins again.
    pub struct IntelligenceFalls;
}

impl Rule for IntelligenceFalls {
    const NAME: &'static str = "spell.intelligence_falls";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-20"];
    const EXAMPLE: &'static str = r#"{ known = { "sleep", "shield", "jump" }, chance = 55, maximum = 2 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&INTELLIGENCE];
    type Args = IntelligenceFallsArgs;
    type Options = NoOptions;
    type Outcome = IntelligenceFallsOutcome;

    fn resolve(
        args: IntelligenceFallsArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<IntelligenceFallsOutcome, RuleError> {
        each_once(&args.known, "known")?;
        let figures = looked_up(args.int, referee)?;
        let chance = chance_of(args.chance, figures.as_ref())?;
        if args.maximum.is_none() && figures.is_none() {
            return Err(RuleError::missing("maximum"));
        }
        let maximum = args.maximum.map(Natural::get).or(figures.and_then(|figures| figures.maximum));
        let mut known = args.known.into_vec();
        let most = maximum.map_or(known.len(), |maximum| maximum as usize);
        let (mut forgotten, mut rolls) = (Vec::new(), 0);
        while known.len() > most {
            let mut over = known.len() - most;
            for spell in std::mem::take(&mut known) {
                if over > 0 && !rolls_under(chance, &mut rolls, referee)? {
                    over -= 1;
                    forgotten.push(spell);
                } else {
                    known.push(spell);
                }
            }
        }
        Ok(IntelligenceFallsOutcome { known, forgotten, rolls })
    }
}

/// What `spell.intelligence_rises` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IntelligenceRisesArgs {
    /// The known spells of the level group.
    pub known: List<String>,
    /// Spells not yet known, in the order in which the player checks them.
    pub recheck: List<String>,
    /// The new Chance to Know in percent, 1 to 100. Without it, `int` is looked up.
    #[serde(default)]
    pub chance: Option<Whole<1, 100>>,
    /// The new maximum. Without it, `int` is looked up; without both there is no limit.
    #[serde(default)]
    pub maximum: Option<Natural>,
    /// The new intelligence, for figures that are not given.
    #[serde(default)]
    pub int: Option<MageIntelligence>,
}

/// What is known after a gain of intelligence.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IntelligenceRisesOutcome {
    /// The spells known, the new ones last.
    pub known: Vec<String>,
    /// The spells that failed again.
    pub failed: Vec<String>,
    /// The spells that were not checked because the maximum was reached.
    pub unchecked: Vec<String>,
    /// How many times d100 was rolled.
    pub rolls: i64,
}

rule! {
    /// Checks spells that are not known once more at the new chance, in the player's order, up to the new maximum.
    pub struct IntelligenceRises;
}

impl Rule for IntelligenceRises {
    const NAME: &'static str = "spell.intelligence_rises";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-21"];
    const EXAMPLE: &'static str = r#"{ known = { "sleep", "shield" }, recheck = { "jump", "light" }, int = 17 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&INTELLIGENCE];
    type Args = IntelligenceRisesArgs;
    type Options = NoOptions;
    type Outcome = IntelligenceRisesOutcome;

    fn resolve(
        args: IntelligenceRisesArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<IntelligenceRisesOutcome, RuleError> {
        each_once(&args.known, "known")?;
        each_once(&args.recheck, "recheck")?;
        if let Some(spell) = args.recheck.iter().find(|spell| args.known.contains(spell)) {
            let message = format!("names \"{spell}\", which is known already; give only spells that are not");
            return Err(RuleError::invalid("recheck", message));
        }
        let figures = looked_up(args.int, referee)?;
        let chance = chance_of(args.chance, figures.as_ref())?;
        let maximum = maximum_of(args.maximum, args.int, referee)?;
        let mut known = args.known.into_vec();
        let (mut failed, mut unchecked, mut rolls) = (Vec::new(), Vec::new(), 0);
        for spell in args.recheck {
            if maximum.is_some_and(|maximum| known.len() as i64 >= maximum) {
                unchecked.push(spell);
            } else if rolls_under(chance, &mut rolls, referee)? {
                known.push(spell);
            } else {
                failed.push(spell);
            }
        }
        Ok(IntelligenceRisesOutcome { known, failed, unchecked, rolls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn read_magic_needs_no_roll_and_counts_toward_the_minimum() {
        let args = r#"{"spells":["read magic","sleep","jump"],"chance":45,"minimum":2,"automatic":["read magic"]}"#;
        let checked = outcome::<CheckGroup>(args, &[46, 45]);
        assert_eq!(checked.known, ["read magic", "jump"]);
        assert_eq!((checked.rolls, checked.passes), (2, 1));
    }

    #[test]
    fn the_figures_of_an_intelligence_are_those_of_the_table() {
        let args = r#"{"spells":["a","b"],"int":12}"#;
        assert_eq!(outcome::<CheckGroup>(args, &[45, 46, 45]).known, ["a", "b"]);
        assert!(!outcome::<CheckSpell>(r#"{"int":9}"#, &[36]).known);
        let own = r#"{"int":9,"chance":50}"#;
        assert!(outcome::<CheckSpell>(own, &[50]).known, "a number given outright wins");
    }

    #[test]
    fn the_greatest_minds_have_no_maximum() {
        let args = r#"{"known":["a","b"],"recheck":["c"],"int":19}"#;
        assert_eq!(outcome::<IntelligenceRises>(args, &[95]).known, ["a", "b", "c"]);
        let args = r#"{"known":["a","b"],"chance":40,"int":19}"#;
        assert_eq!(outcome::<IntelligenceFalls>(args, &[]).rolls, 0);
    }

    #[test]
    fn losses_stop_as_soon_as_the_number_fits() {
        let args = r#"{"known":["a","b","c"],"chance":55,"maximum":2}"#;
        let fallen = outcome::<IntelligenceFalls>(args, &[55, 56]);
        assert_eq!((fallen.known, fallen.forgotten), (vec!["a".to_owned(), "c".to_owned()], vec!["b".to_owned()]));
    }

    #[test]
    fn a_spell_named_twice_is_refused_with_its_place() {
        let error = resolved("spell.check_group", r#"{"spells":["a","a"],"chance":45,"minimum":1}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("spells[2]"));
        let error = resolved("spell.check_group", r#"{"spells":["a"],"minimum":1}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("chance"));
    }
}
