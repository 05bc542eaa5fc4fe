//! Classes by the rulebooks: experience of the levels, limits of the species, prime requisites, spell levels.
//! The house rules leave these figures to the rulebooks (house-rules XP-03, TRN-01, LVL-01, SCR-01).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ability::{Ability, Scores};
use super::core::names::meant;
use super::core::{
    AnyTable, List, Named, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, TableRows, Whole, any_rows,
    distinct_names, row_meant, row_named,
};
use super::level::Species;
use super::multiclass::HitDie;

/// The highest level that is asked about: a bound, not a rule.
const HIGHEST_LEVEL: i64 = 1_000;

/// A rulebook whose figures the program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rulebook {
    /// OSRIC 2.x: nine classes, their experience, limits and prime requisites.
    #[default]
    Osric,
    /// Basic Fantasy, 4th edition: four classes and their experience.
    BasicFantasy,
    /// The first edition, from secondary sources: experience, and limits of four classes.
    FirstEdition,
}

/// A class by a rulebook.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassRow {
    class: String,
    hit_die: HitDie,
    rolled_levels: Whole<1, HIGHEST_LEVEL>,
    fixed_gain: Whole<0, 20>,
    thresholds: List<Natural, 1, 100>,
    #[serde(default)]
    after: Option<Positive>,
    #[serde(default)]
    spell_levels_at: List<Positive, 0, 9>,
}

impl Named for ClassRow {
    fn name(&self) -> &str {
        &self.class
    }
}

impl ClassRow {
    /// The experience at which a level begins; nothing above the highest.
    fn threshold(&self, level: i64) -> Option<i64> {
        let listed = self.thresholds.len() as i64;
        if level <= listed {
            return self.thresholds.get(level as usize - 1).map(|xp| xp.get());
        }
        let last = self.thresholds.last().map_or(0, |xp| xp.get());
        self.after.map(|step| last + step.get() * (level - listed))
    }

    /// The level that this much experience has earned.
    fn level(&self, xp: i64) -> i64 {
        let listed = self.thresholds.iter().take_while(|threshold| threshold.get() <= xp).count() as i64;
        let last = self.thresholds.last().map_or(0, |last| last.get());
        let beyond = self.after.filter(|_| xp > last).map_or(0, |step| (xp - last) / step.get());
        (listed + beyond).min(HIGHEST_LEVEL)
    }
}

fn rising_classes(rows: &[ClassRow]) -> Result<(), String> {
    distinct_names(rows)?;
    for row in rows {
        let rises = row.thresholds.windows(2).all(|pair| pair[0] < pair[1]);
        if row.thresholds[0].get() != 0 || !rises {
            return Err(format!("the thresholds of {} must begin at 0 and rise", row.class));
        }
    }
    Ok(())
}

static OSRIC_CLASSES: Table<ClassRow> =
    Table::new("osric_class_experience", include_str!("data/osric/class_experience.json"), rising_classes);
static BASIC_FANTASY_CLASSES: Table<ClassRow> = Table::new(
    "basic_fantasy_class_experience",
    include_str!("data/basic_fantasy/class_experience.json"),
    rising_classes,
);
static FIRST_EDITION_CLASSES: Table<ClassRow> = Table::new(
    "first_edition_class_experience",
    include_str!("data/first_edition/class_experience.json"),
    rising_classes,
);

const CLASS_TABLES: &[&dyn AnyTable] = &[&OSRIC_CLASSES, &BASIC_FANTASY_CLASSES, &FIRST_EDITION_CLASSES];

fn classes(rulebook: Rulebook, referee: &Referee<'_>) -> TableRows<ClassRow> {
    referee.table(match rulebook {
        Rulebook::Osric => &OSRIC_CLASSES,
        Rulebook::BasicFantasy => &BASIC_FANTASY_CLASSES,
        Rulebook::FirstEdition => &FIRST_EDITION_CLASSES,
    })
}

/// The class that is meant, as the rows of a table of the rulebook spell it. One that has no row there must at least be a
/// class of the book.
fn known_class<'a>(
    rulebook: Rulebook,
    class: &str,
    rows: impl Iterator<Item = &'a str> + Clone,
    referee: &Referee<'_>,
) -> Result<Option<&'a str>, RuleError> {
    match meant(class, rows) {
        Some(class) => Ok(Some(class)),
        None => row_named(&classes(rulebook, referee), "class", "class", class).map(|_| None),
    }
}

/// A class as the rulebook's table spells it, however it is written here; as given where the table does not know it.
pub fn name_in(rulebook: Rulebook, class: &str, referee: &Referee<'_>) -> String {
    row_meant(&classes(rulebook, referee), class).map_or_else(|| class.to_owned(), |row| row.class.clone())
}

// ---- experience of the levels ----

/// What `class.level` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LevelArgs {
    /// Whose figures count.
    #[serde(default)]
    pub rulebook: Rulebook,
    /// The class, one of the rulebook's table: `fighter`, `thief`, `magic_user` and so on.
    pub class: String,
    /// Experience points in the class.
    pub xp: Natural,
}

/// The level that experience has earned.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LevelOutcome {
    /// The level, from 1.
    pub level: i64,
    /// Experience points at which the next level begins; nothing when there is none.
    pub next_xp: Option<i64>,
}

rule! {
    /// Says which level experience has earned in a class.
    pub struct Level;
}

impl Rule for Level {
    const NAME: &'static str = "class.level";
    const SOURCE: &'static [&'static str] = &["house-rules TRN-01"];
    const EXAMPLE: &'static str = r#"{ class = "thief", xp = 17000 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = CLASS_TABLES;
    type Args = LevelArgs;
    type Options = NoOptions;
    type Outcome = LevelOutcome;

    fn resolve(args: LevelArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<LevelOutcome, RuleError> {
        let rows = classes(args.rulebook, referee);
        let row = row_named(&rows, "class", "class", &args.class)?;
        let level = row.level(args.xp.get());
        Ok(LevelOutcome { level, next_xp: row.threshold(level + 1) })
    }
}

/// What `class.threshold` and `class.spell_level` are asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClassLevelArgs {
    /// Whose figures count.
    #[serde(default)]
    pub rulebook: Rulebook,
    /// The class, one of the rulebook's table.
    pub class: String,
    /// The level.
    pub level: Whole<1, HIGHEST_LEVEL>,
}

/// What a level takes and gives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ThresholdOutcome {
    /// Experience points at which the level begins; nothing when the class does not rise so far.
    pub xp: Option<i64>,
    /// The class's hit die: 4, 6, 8, 10 or 12 sides.
    pub hit_die: HitDie,
    /// Whether the hit die is rolled for this level.
    pub rolls: bool,
    /// The hit points that the level gives where it is not.
    pub fixed_gain: i64,
}

rule! {
    /// Says where a level of a class begins, and what it gives in hit points: a hit die, or beyond them a fixed gain.
    pub struct Threshold;
}

impl Rule for Threshold {
    const NAME: &'static str = "class.threshold";
    const SOURCE: &'static [&'static str] = &["house-rules TRN-02", "house-rules MC-03"];
    const EXAMPLE: &'static str = r#"{ class = "thief", level = 6 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = CLASS_TABLES;
    type Args = ClassLevelArgs;
    type Options = NoOptions;
    type Outcome = ThresholdOutcome;

    fn resolve(args: ClassLevelArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ThresholdOutcome, RuleError> {
        let rows = classes(args.rulebook, referee);
        let row = row_named(&rows, "class", "class", &args.class)?;
        let level = args.level.get();
        let rolls = level <= row.rolled_levels.get();
        let fixed_gain = if rolls { 0 } else { row.fixed_gain.get() };
        Ok(ThresholdOutcome { xp: row.threshold(level), hit_die: row.hit_die, rolls, fixed_gain })
    }
}

/// The highest spells of a class.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpellLevelOutcome {
    /// The highest spell level that the class can cast; 0 for none, and where the rulebook's figures are not known.
    pub max_level: i64,
}

rule! {
    /// Says up to which spell level a class can cast.
    pub struct SpellLevel;
}

impl Rule for SpellLevel {
    const NAME: &'static str = "class.spell_level";
    const SOURCE: &'static [&'static str] = &["house-rules SCR-01"];
    const EXAMPLE: &'static str = r#"{ class = "magic_user", level = 5 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = CLASS_TABLES;
    type Args = ClassLevelArgs;
    type Options = NoOptions;
    type Outcome = SpellLevelOutcome;

    fn resolve(args: ClassLevelArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<SpellLevelOutcome, RuleError> {
        let rows = classes(args.rulebook, referee);
        let row = row_named(&rows, "class", "class", &args.class)?;
        let open = row.spell_levels_at.iter().filter(|at| at.get() <= args.level.get()).count();
        Ok(SpellLevelOutcome { max_level: open as i64 })
    }
}

// ---- limits of the species ----

/// How far a species rises in a class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LimitRow {
    species: Species,
    class: String,
    #[serde(default)]
    minimums: Scores,
    #[serde(default)]
    limit: Option<Positive>,
}

static OSRIC_LIMITS: Table<LimitRow> =
    Table::new("osric_level_limits", include_str!("data/osric/level_limits.json"), any_rows);
static FIRST_EDITION_LIMITS: Table<LimitRow> =
    Table::new("first_edition_level_limits", include_str!("data/first_edition/level_limits.json"), any_rows);

/// Whether all minimums are met; an ability without a score meets none.
fn meets(scores: &Scores, minimums: &Scores) -> bool {
    let unmet = |ability: &Ability| {
        minimums.get(*ability).is_some_and(|minimum| scores.get(*ability).is_none_or(|score| score < minimum))
    };
    !Ability::ALL.iter().any(unmet)
}

/// What `class.limit` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LimitArgs {
    /// Whose figures count.
    #[serde(default)]
    pub rulebook: Rulebook,
    /// The species.
    pub species: Species,
    /// The class.
    pub class: String,
    /// The ability scores: for some species a high one raises the limit.
    #[serde(default)]
    pub scores: Scores,
}

/// What a rulebook says of a species in a class.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LimitOutcome {
    /// Whether the class is open to the species. Where the figures say nothing of the class, it is.
    pub allowed: bool,
    /// The highest level; nothing when there is no limit, or none is known. `level.limit` says whether it holds.
    pub limit: Option<i64>,
}

rule! {
    /// Gives the rulebook's limit for a species in a class. Basic Fantasy limits no levels.
    pub struct Limit;
}

impl Rule for Limit {
    const NAME: &'static str = "class.limit";
    const SOURCE: &'static [&'static str] = &["house-rules LVL-01", "house-rules MC-01"];
    const EXAMPLE: &'static str = r#"{ species = "dwarf", class = "fighter", scores = { str = 17 } }"#;
    const TABLES: &'static [&'static dyn AnyTable] =
        &[&OSRIC_LIMITS, &FIRST_EDITION_LIMITS, &OSRIC_CLASSES, &BASIC_FANTASY_CLASSES, &FIRST_EDITION_CLASSES];
    type Args = LimitArgs;
    type Options = NoOptions;
    type Outcome = LimitOutcome;

    fn resolve(args: LimitArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<LimitOutcome, RuleError> {
        let rows = match args.rulebook {
            Rulebook::Osric => referee.table(&OSRIC_LIMITS),
            Rulebook::FirstEdition => referee.table(&FIRST_EDITION_LIMITS),
            Rulebook::BasicFantasy => {
                known_class(args.rulebook, &args.class, std::iter::empty(), referee)?;
                return Ok(LimitOutcome { allowed: true, limit: None });
            }
        };
        let class = known_class(args.rulebook, &args.class, rows.iter().map(|row| &*row.class), referee)?;
        let of_class = || rows.iter().filter(|row| Some(&*row.class) == class);
        let mut own = of_class().filter(|row| row.species == args.species).peekable();
        if own.peek().is_none() {
            let allowed = args.species == Species::Human || of_class().next().is_none();
            return Ok(LimitOutcome { allowed, limit: None });
        }
        let row = own.find(|row| meets(&args.scores, &row.minimums));
        Ok(LimitOutcome { allowed: row.is_some(), limit: row.and_then(|row| row.limit).map(Positive::get) })
    }
}

// ---- prime requisites ----

/// What earns a class its bonus.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PrimeRow {
    class: String,
    minimums: Scores,
    percent: Whole<0, 100>,
}

static OSRIC_PRIMES: Table<PrimeRow> =
    Table::new("osric_prime_requisites", include_str!("data/osric/prime_requisites.json"), any_rows);

/// What `class.prime_bonus` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PrimeArgs {
    /// Whose figures count. Only OSRIC's are known; the others give no bonus.
    #[serde(default)]
    pub rulebook: Rulebook,
    /// The class.
    pub class: String,
    /// The ability scores.
    #[serde(default)]
    pub scores: Scores,
}

/// The bonus for high prime requisites.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PrimeOutcome {
    /// In percent of the class's share of experience.
    pub bonus_percent: i64,
}

rule! {
    /// Gives the experience bonus that a class earns by high prime requisites.
    pub struct PrimeBonus;
}

impl Rule for PrimeBonus {
    const NAME: &'static str = "class.prime_bonus";
    const SOURCE: &'static [&'static str] = &["house-rules XP-03"];
    const EXAMPLE: &'static str = r#"{ class = "fighter", scores = { str = 16 } }"#;
    const TABLES: &'static [&'static dyn AnyTable] =
        &[&OSRIC_PRIMES, &OSRIC_CLASSES, &BASIC_FANTASY_CLASSES, &FIRST_EDITION_CLASSES];
    type Args = PrimeArgs;
    type Options = NoOptions;
    type Outcome = PrimeOutcome;

    fn resolve(args: PrimeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<PrimeOutcome, RuleError> {
        if args.rulebook != Rulebook::Osric {
            known_class(args.rulebook, &args.class, std::iter::empty(), referee)?;
            return Ok(PrimeOutcome { bonus_percent: 0 });
        }
        let rows = referee.table(&OSRIC_PRIMES);
        let class = known_class(args.rulebook, &args.class, rows.iter().map(|row| &*row.class), referee)?;
        let mut earned = rows.iter().filter(|row| Some(&*row.class) == class && meets(&args.scores, &row.minimums));
        Ok(PrimeOutcome { bonus_percent: earned.next().map_or(0, |row| row.percent.get()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House};

    #[test]
    fn a_step_of_ten_thousand_leads_to_the_sixth_level_of_a_thief() {
        let begins = |level: i64| outcome::<Threshold>(&format!(r#"{{"class":"thief","level":{level}}}"#), &[]).xp;
        assert_eq!((begins(5), begins(6)), (Some(10_000), Some(20_000)));
    }

    #[test]
    fn levels_go_on_beyond_the_list_where_the_book_says_so() {
        let level = |class: &str, xp: i64| {
            let found = outcome::<Level>(&format!(r#"{{"class":"{class}","xp":{xp}}}"#), &[]);
            (found.level, found.next_xp)
        };
        assert_eq!(level("fighter", 0), (1, Some(1_900)));
        assert_eq!(level("fighter", 749_999), (10, Some(750_000)));
        assert_eq!(level("fighter", 750_000), (11, Some(1_000_000)));
        assert_eq!(level("fighter", 1_249_999), (12, Some(1_250_000)));
        assert_eq!(level("assassin", 9_000_000), (15, None));
    }

    #[test]
    fn hit_dice_end_and_a_fixed_gain_follows() {
        let tenth = outcome::<Threshold>(r#"{"class":"fighter","level":10}"#, &[]);
        assert_eq!((tenth.hit_die.sides(), tenth.rolls, tenth.fixed_gain), (10, false, 3));
        let tenth = outcome::<Threshold>(r#"{"class":"fighter","level":10,"rulebook":"basic_fantasy"}"#, &[]);
        assert_eq!((tenth.hit_die.sides(), tenth.rolls, tenth.fixed_gain), (8, false, 2));
    }

    #[test]
    fn a_fifth_level_magic_user_casts_third_level_spells() {
        assert_eq!(outcome::<SpellLevel>(r#"{"class":"magic_user","level":5}"#, &[]).max_level, 3);
        assert_eq!(outcome::<SpellLevel>(r#"{"class":"thief","level":5}"#, &[]).max_level, 0);
    }

    #[test]
    fn strength_lets_a_dwarf_rise_higher_as_a_fighter() {
        let limit = |args: &str| outcome::<Limit>(args, &[]);
        assert_eq!(limit(r#"{"species":"dwarf","class":"fighter","scores":{"str":17}}"#).limit, Some(8));
        assert_eq!(limit(r#"{"species":"dwarf","class":"fighter"}"#).limit, Some(7));
        assert_eq!(limit(r#"{"species":"dwarf","class":"thief"}"#).limit, None);
        assert!(!limit(r#"{"species":"dwarf","class":"paladin"}"#).allowed);
        assert!(limit(r#"{"species":"human","class":"paladin"}"#).allowed);
        assert!(limit(r#"{"species":"dwarf","class":"assassin","rulebook":"first_edition"}"#).allowed);
    }

    #[test]
    fn every_prime_requisite_must_be_high() {
        let percent = |scores: &str| {
            outcome::<PrimeBonus>(&format!(r#"{{"class":"paladin","scores":{scores}}}"#), &[]).bonus_percent
        };
        assert_eq!((percent(r#"{"str":16,"wis":16}"#), percent(r#"{"str":18,"wis":15}"#)), (10, 0));
    }

    #[test]
    fn a_house_may_put_its_own_class_into_the_table() {
        let error = resolved("class.level", r#"{"class":"theif","xp":0}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("class")));
        assert!(error.to_string().contains("did you mean \"thief\"?"), "{error}");
        let mut house = House::new();
        let rows = r#"[{"class":"ratcatcher","hit_die":6,"rolled_levels":9,"fixed_gain":1,"thresholds":[0,900]}]"#;
        house.patch("osric_class_experience", serde_json::from_str(rows).unwrap(), "a test").unwrap();
        let level = resolved_in(&house, "class.level", r#"{"class":"ratcatcher","xp":900}"#, &[]).unwrap();
        assert_eq!(level.to_string(), "{ level = 2 }");
        let falling = rows.replace("[0,900]", "[0,900,800]");
        assert!(house.patch("osric_class_experience", serde_json::from_str(&falling).unwrap(), "a test").is_err());
    }
}
