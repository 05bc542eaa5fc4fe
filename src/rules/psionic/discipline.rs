//! Disciplines: how many, which, when they can be used and how well, and what they cost.
//! Source: first-edition PSI-DSC-01 to PSI-DSC-05.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::modes::NoArgs;
use super::names::{Forbidden, Only, reasons};
use super::{Band, banded, percentile_bands, present};
use crate::rules::core::names::alike;
use crate::rules::core::{AnyTable, List, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, band_of};

// ---- how many ----

/// A band of d100 and the disciplines it gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DisciplineCountRow {
    from: i64,
    to: Option<i64>,
    minor: Natural,
    major: Natural,
}
banded!(DisciplineCountRow);

/// How many disciplines (PSI-DSC-01).
static DISCIPLINE_COUNT: Table<DisciplineCountRow> = Table::new(
    "psionic_discipline_count",
    include_str!("../data/psionic_discipline_count.json"),
    percentile_bands::<DisciplineCountRow>,
);

/// How many disciplines.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisciplineCountOutcome {
    /// What d100 showed.
    pub roll: i64,
    /// Minor disciplines.
    pub minor: i64,
    /// Major disciplines.
    pub major: i64,
}

rule! {
    /// Rolls how many minor and major disciplines a psionic has.
    pub struct DisciplineCount;
}

impl Rule for DisciplineCount {
    const NAME: &'static str = "psionic.discipline_count";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DSC-01"];
    const EXAMPLE: &'static str = "{}";
    const TABLES: &'static [&'static dyn AnyTable] = &[&DISCIPLINE_COUNT];
    type Args = NoArgs;
    type Options = NoOptions;
    type Outcome = DisciplineCountOutcome;

    fn resolve(_: NoArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<DisciplineCountOutcome, RuleError> {
        let rows = referee.table(&DISCIPLINE_COUNT);
        let roll = referee.d(100, "disciplines")?;
        let row = present(band_of(&rows, roll), "the roll")?;
        Ok(DisciplineCountOutcome { roll, minor: row.minor.get(), major: row.major.get() })
    }
}

// ---- which ----

/// Minor or major.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    /// A minor discipline.
    Minor,
    /// A major discipline.
    Major,
}

/// A number on the die of disciplines.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DisciplineRow {
    rank: Rank,
    number: Positive,
    /// Nothing where the number is rolled again.
    #[serde(default)]
    name: Option<String>,
    /// The class that cannot have it.
    #[serde(default)]
    closed_to: Option<String>,
}

/// The disciplines by rank and number: secondary figures (PSI-DSC-02).
static DISCIPLINES: Table<DisciplineRow> =
    Table::new("psionic_disciplines", include_str!("../data/psionic_disciplines.json"), numbered_by_rank);

fn numbered_by_rank(rows: &[DisciplineRow]) -> Result<(), String> {
    for rank in [Rank::Minor, Rank::Major] {
        let numbers = rows.iter().filter(|row| row.rank == rank).map(|row| row.number.get());
        if !numbers.eq(1..=rows.iter().filter(|row| row.rank == rank).count() as i64) {
            return Err("the numbers of each rank must count up from 1 without gaps".into());
        }
    }
    Ok(())
}

/// What `psionic.roll_disciplines` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollDisciplinesArgs {
    /// The names on the die, one for each face. Minor and major disciplines have their own.
    #[serde(default)]
    pub table: Option<List<String>>,
    /// Instead of `table`: the shipped list of this rank. Its figures are secondary (see `psionic_disciplines`).
    #[serde(default)]
    pub rank: Option<Rank>,
    /// With `rank`: the character's class (`fighter`, `magic_user`, `cleric`, `thief` …), whose closed disciplines are
    /// rolled again.
    #[serde(default)]
    pub class: Option<String>,
    /// How many to roll.
    pub count: Natural,
    /// Names that are rolled again, closed to the class for instance.
    #[serde(default)]
    pub excluded: List<String>,
    /// Names the character has already; they are rolled again.
    #[serde(default)]
    pub known: List<String>,
}

/// The disciplines rolled.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollDisciplinesOutcome {
    /// Their names, in the order rolled.
    pub disciplines: Vec<String>,
    /// How often a die was rolled again.
    pub rerolls: i64,
}

impl RollDisciplinesArgs {
    /// The faces of the die: a name, or nothing where it is rolled again.
    fn faces(&self, referee: &Referee<'_>) -> Result<Vec<Option<String>>, RuleError> {
        match (&self.table, self.rank) {
            (Some(_), Some(_)) => Err(RuleError::invalid("rank", "stands instead of `table`; give one of them")),
            (None, None) => Err(RuleError::missing("table")),
            (Some(_), None) if self.class.is_some() => {
                Err(RuleError::invalid("class", "goes with `rank`; with `table` name what is closed in `excluded`"))
            }
            (Some(table), None) => Ok(table.iter().cloned().map(Some).collect()),
            (None, Some(rank)) => {
                let rows = referee.table(&DISCIPLINES);
                let closed = |row: &DisciplineRow| match (&self.class, &row.closed_to) {
                    (Some(class), Some(closed)) => alike(class, closed),
                    _ => false,
                };
                let rows = rows.iter().filter(|row| row.rank == rank);
                Ok(rows.map(|row| row.name.clone().filter(|_| !closed(row))).collect())
            }
        }
    }
}

rule! {
    /// Rolls disciplines on a die with a face for each: a repeat, and one that is closed or known, is rolled again.
    ///
    /// Fewer open names than wanted are refused, not rolled for without end.
    pub struct RollDisciplines;
}

impl Rule for RollDisciplines {
    const NAME: &'static str = "psionic.roll_disciplines";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DSC-02"];
    const EXAMPLE: &'static str = r#"{ rank = "minor", class = "thief", count = 3 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DISCIPLINES];
    type Args = RollDisciplinesArgs;
    type Options = NoOptions;
    type Outcome = RollDisciplinesOutcome;

    fn resolve(
        args: RollDisciplinesArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<RollDisciplinesOutcome, RuleError> {
        let mut faces = args.faces(referee)?;
        for face in &mut faces {
            face.take_if(|name| args.excluded.contains(name) || args.known.contains(name));
        }
        let mut open: Vec<&String> = faces.iter().flatten().collect();
        open.sort_unstable();
        open.dedup();
        if (open.len() as i64) < args.count.get() {
            let message = format!("must be {} at most: no more names are open", open.len());
            return Err(RuleError::invalid("count", message));
        }
        let mut outcome = RollDisciplinesOutcome { disciplines: Vec::new(), rerolls: 0 };
        while (outcome.disciplines.len() as i64) < args.count.get() {
            let roll = referee.d(faces.len() as u32, "discipline")?;
            match &faces[roll as usize - 1] {
                Some(name) if !outcome.disciplines.contains(name) => outcome.disciplines.push(name.clone()),
                _ => outcome.rerolls += 1,
            }
        }
        Ok(outcome)
    }
}

// ---- when and how well ----

/// What `psionic.usable_disciplines` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsableDisciplinesArgs {
    /// Experience level; of several classes the highest.
    pub level: Positive,
    /// Minor disciplines the character has.
    pub minor_disciplines: Natural,
    /// Major disciplines the character has.
    pub major_disciplines: Natural,
}

/// How many can be used.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UsableDisciplinesOutcome {
    /// All that can be used.
    pub usable: i64,
    /// Minor disciplines among them.
    pub minor_disciplines: i64,
    /// Major disciplines among them.
    pub major_disciplines: i64,
}

rule! {
    /// Counts the disciplines usable at a level: one at first and one more at each second level after, every minor one
    /// before any major one.
    pub struct UsableDisciplines;
}

impl Rule for UsableDisciplines {
    const NAME: &'static str = "psionic.usable_disciplines";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DSC-03"];
    const EXAMPLE: &'static str = "{ level = 5, minor_disciplines = 2, major_disciplines = 1 }";
    type Args = UsableDisciplinesArgs;
    type Options = NoOptions;
    type Outcome = UsableDisciplinesOutcome;

    fn resolve(
        args: UsableDisciplinesArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<UsableDisciplinesOutcome, RuleError> {
        let (minor, major) = (args.minor_disciplines.get(), args.major_disciplines.get());
        let usable = ((args.level.get() + 1) / 2).min(minor + major);
        let minor_disciplines = usable.min(minor);
        Ok(UsableDisciplinesOutcome { usable, minor_disciplines, major_disciplines: usable - minor_disciplines })
    }
}

/// What `psionic.discipline_mastery` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisciplineMasteryArgs {
    /// Experience level; of several classes the highest.
    pub level: Positive,
    /// Which discipline in the order they become usable, from 1.
    pub order: Positive,
}

/// How well a discipline is mastered.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisciplineMasteryOutcome {
    /// The level at which it becomes usable.
    pub gained_at: i64,
    /// Whether it is usable.
    pub usable: bool,
    /// The level of mastery; 0 before it is usable.
    pub mastery: i64,
}

rule! {
    /// Gives the level of mastery of a discipline: how many levels the character has had it, the first included.
    pub struct DisciplineMastery;
}

impl Rule for DisciplineMastery {
    const NAME: &'static str = "psionic.discipline_mastery";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DSC-04"];
    const EXAMPLE: &'static str = "{ level = 4, order = 2 }";
    type Args = DisciplineMasteryArgs;
    type Options = NoOptions;
    type Outcome = DisciplineMasteryOutcome;

    fn resolve(
        args: DisciplineMasteryArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<DisciplineMasteryOutcome, RuleError> {
        let gained_at = 2 * args.order.get() - 1;
        let mastery = (args.level.get() - gained_at + 1).max(0);
        Ok(DisciplineMasteryOutcome { gained_at, usable: mastery > 0, mastery })
    }
}

// ---- what it costs ----

/// How a discipline's cost comes off the pools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisciplineCost {
    /// In full off each pool.
    #[default]
    Each,
    /// Half off each, an odd point off attack strength.
    Split,
}

/// The switches of a discipline's cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PayDisciplineOptions {
    /// How the cost comes off the pools (PSI-DSC-05).
    pub discipline_cost: DisciplineCost,
}

/// What `psionic.pay_discipline` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PayDisciplineArgs {
    /// Attack strength left.
    pub attack_strength: Natural,
    /// Defense strength left.
    pub defense_strength: Natural,
    /// What the discipline costs.
    pub cost: Natural,
}

reasons! {
    /// Why the discipline cannot be paid for.
    CannotPay: InsufficientPsionicStrength
}

/// The pools after paying.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct PayDisciplineOutcome {
    /// Whether the pools hold the cost.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<CannotPay>>")]
    pub reason: Option<Forbidden>,
    /// Attack strength left.
    pub attack_strength: Option<i64>,
    /// Defense strength left.
    pub defense_strength: Option<i64>,
    /// Both together.
    pub psionic_strength: Option<i64>,
}

rule! {
    /// Pays for a discipline: the cost comes off attack strength and off defense strength, both of which must hold it.
    pub struct PayDiscipline;
}

impl Rule for PayDiscipline {
    const NAME: &'static str = "psionic.pay_discipline";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DSC-05"];
    const EXAMPLE: &'static str = "{ attack_strength = 50, defense_strength = 40, cost = 5 }";
    type Args = PayDisciplineArgs;
    type Options = PayDisciplineOptions;
    type Outcome = PayDisciplineOutcome;

    fn resolve(
        args: PayDisciplineArgs,
        options: PayDisciplineOptions,
        _: &mut Referee<'_>,
    ) -> Result<PayDisciplineOutcome, RuleError> {
        let cost = args.cost.get();
        let (from_attack, from_defense) = match options.discipline_cost {
            DisciplineCost::Each => (cost, cost),
            DisciplineCost::Split => (cost - cost / 2, cost / 2),
        };
        let attack = args.attack_strength.get() - from_attack;
        let defense = args.defense_strength.get() - from_defense;
        if attack < 0 || defense < 0 {
            let reason = Some(Forbidden::InsufficientPsionicStrength);
            return Ok(PayDisciplineOutcome { reason, ..Default::default() });
        }
        Ok(PayDisciplineOutcome {
            allowed: true,
            reason: None,
            attack_strength: Some(attack),
            defense_strength: Some(defense),
            psionic_strength: Some(attack + defense),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_discipline_just_gained_is_used_at_first_mastery() {
        assert_eq!(outcome::<DisciplineMastery>(r#"{"level":3,"order":2}"#, &[]).mastery, 1);
        assert_eq!(outcome::<DisciplineMastery>(r#"{"level":4,"order":2}"#, &[]).mastery, 2);
        assert!(!outcome::<DisciplineMastery>(r#"{"level":2,"order":2}"#, &[]).usable);
    }

    #[test]
    fn a_thief_rolls_domination_again_and_a_blank_number_too() {
        let rolled = outcome::<RollDisciplines>(r#"{"rank":"minor","class":"thief","count":1}"#, &[9, 23, 10]);
        assert_eq!((rolled.disciplines, rolled.rerolls), (vec!["empathy".to_owned()], 2));
        let fighter = outcome::<RollDisciplines>(r#"{"rank":"minor","class":"fighter","count":1}"#, &[9]);
        assert_eq!(fighter.disciplines, ["domination"]);
    }

    #[test]
    fn too_few_open_names_are_refused_before_any_die() {
        let args = r#"{"table":["a","b","b"],"known":["a"],"count":2}"#;
        assert_eq!(resolved("psionic.roll_disciplines", args, &[]).unwrap_err().field(), Some("count"));
    }

    #[test]
    fn the_cost_comes_off_both_pools_unless_it_is_split() {
        let args = r#"{"attack_strength":50,"defense_strength":40,"cost":5}"#;
        assert_eq!(outcome::<PayDiscipline>(args, &[]).psionic_strength, Some(80));
        let split = r#"{"attack_strength":3,"defense_strength":2,"cost":5,"options":{"discipline_cost":"split"}}"#;
        assert_eq!(outcome::<PayDiscipline>(split, &[]).psionic_strength, Some(0));
    }

    #[test]
    fn what_the_pools_do_not_hold_is_not_paid() {
        let args = r#"{"attack_strength":50,"defense_strength":4,"cost":5}"#;
        let unpaid = outcome::<PayDiscipline>(args, &[]);
        assert_eq!((unpaid.allowed, unpaid.reason), (false, Some(Forbidden::InsufficientPsionicStrength)));
    }
}
