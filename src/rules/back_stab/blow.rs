//! The blow itself: multiplier, bonus to hit, the target's armor class, damage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Band, DamageDice, Modifier, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole,
    band_row, unbroken_bands,
};

/// To hit with surprise from behind (STAB-02).
const SURPRISE_BONUS: i64 = 4;
/// To hit with further blows in the same surprise (STAB-04).
const FURTHER_BONUS: i64 = 2;
/// The worst armor class: no armor at all, descending.
const NO_ARMOR: i64 = 10;

/// What a range of levels brings.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StabRow {
    from: i64,
    to: i64,
    multiplier: Positive,
    extra_to_hit: Natural,
    least_roll: Natural,
}

impl Band for StabRow {
    fn from(&self) -> Option<i64> {
        Some(self.from)
    }
    fn to(&self) -> Option<i64> {
        Some(self.to)
    }
}

fn check_stabs(rows: &[StabRow]) -> Result<(), String> {
    unbroken_bands(rows)?;
    match rows.iter().find(|row| row.to < row.from) {
        Some(row) => Err(format!("a row must not end at {} before it begins at {}", row.to, row.from)),
        None => Ok(()),
    }
}

static STAB: Table<StabRow> = Table::new("back_stab", include_str!("../data/back_stab.json"), check_stabs);

/// What a level brings.
struct Grade {
    multiplier: i64,
    extra_to_hit: i64,
    least_roll: i64,
}

/// The grade of a level; beyond the last row, as many levels as that row spans add one to everything.
fn grade(level: Positive, referee: &Referee<'_>) -> Result<Grade, RuleError> {
    let rows = referee.table(&STAB);
    let row = band_row(&rows, level.get())?;
    let beyond = (level.get() - row.to).max(0);
    let span = row.to - row.from + 1;
    let steps = beyond.div_euclid(span) + i64::from(beyond % span != 0);
    Ok(Grade {
        multiplier: row.multiplier.get() + steps,
        extra_to_hit: row.extra_to_hit.get() + steps,
        least_roll: row.least_roll.get() + steps,
    })
}

/// What `back_stab.multiplier` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MultiplierArgs {
    /// The thief's level.
    pub level: Positive,
}

/// By how much a back stab is multiplied.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MultiplierOutcome {
    /// The factor.
    pub multiplier: i64,
}

rule! {
    /// Tells by how much a thief's back stab is multiplied: 2 at first, and 1 more for each further four levels (beyond
    /// 16th the source is silent and the pattern goes on).
    pub struct Multiplier;
}

impl Rule for Multiplier {
    const NAME: &'static str = "back_stab.multiplier";
    const SOURCE: &'static [&'static str] = &["first-edition STAB-01"];
    const EXAMPLE: &'static str = "{ level = 9 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&STAB];
    type Args = MultiplierArgs;
    type Options = NoOptions;
    type Outcome = MultiplierOutcome;

    fn resolve(args: MultiplierArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<MultiplierOutcome, RuleError> {
        Ok(MultiplierOutcome { multiplier: grade(args.level, referee)?.multiplier })
    }
}

/// The switches of a back stab's attack.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackOptions {
    /// To hit from behind without surprise: 4, or down to 0. The source is not plain; 2 would be by analogy with further
    /// blows (STAB-03).
    pub rear_bonus: Whole<0, 4>,
    /// Whether the bonus of a back stab grows with the multiplier, as the source recommends (STAB-12).
    pub scaling_to_hit: bool,
}

impl Default for AttackOptions {
    fn default() -> Self {
        AttackOptions { rear_bonus: Whole::clamped(4), scaling_to_hit: false }
    }
}

/// What `back_stab.attack` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackArgs {
    /// The thief's level.
    pub level: Positive,
    /// Whether the target is surprised; by default yes. Who is aware of the thief is not.
    #[serde(default = "crate::rules::core::yes")]
    pub surprise: bool,
    /// Whether the blow comes from behind; by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub behind: bool,
    /// Whether the target has a back and can be surprised at all (an otyugh, slime or mold has none); by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub target_has_back: bool,
    /// Which blow of this surprise it is; the first when not given.
    #[serde(default = "first")]
    pub attack_number: Positive,
}

fn first() -> Positive {
    Positive::clamped(1)
}

/// Why a blow is no back stab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoBackStab {
    /// The target has no back, or nothing surprises it.
    NoBack,
    /// The blow does not come from behind.
    NotBehind,
    /// The target is not surprised.
    NotSurprised,
    /// It is not the first blow of the surprise.
    NotFirstAttack,
}

/// What a blow gets.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackOutcome {
    /// Whether it is a back stab.
    pub back_stab: bool,
    /// Why not.
    pub reason: Option<NoBackStab>,
    /// To hit.
    pub to_hit_bonus: i64,
    /// The factor of the weapon's damage; 1 for no back stab.
    pub damage_multiplier: i64,
}

rule! {
    /// Tells what a thief's blow gets: with surprise and from behind, 4 to hit and the multiplier, on the first blow
    /// only; further blows of the same surprise get 2 to hit, and a blow from behind without surprise its bonus and no
    /// multiplier.
    pub struct Attack;
}

impl Rule for Attack {
    const NAME: &'static str = "back_stab.attack";
    const SOURCE: &'static [&'static str] = &[
        "first-edition STAB-02",
        "first-edition STAB-03",
        "first-edition STAB-04",
        "first-edition STAB-06",
        "first-edition STAB-12",
        "first-edition RULING-01",
    ];
    const EXAMPLE: &'static str = "{ level = 9 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&STAB];
    type Args = AttackArgs;
    type Options = AttackOptions;
    type Outcome = AttackOutcome;

    fn resolve(
        args: AttackArgs,
        options: AttackOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackOutcome, RuleError> {
        let no_stab = |reason, to_hit_bonus| {
            referee.modifier(to_hit_bonus, "to hit, no back stab");
            Ok(AttackOutcome { back_stab: false, reason: Some(reason), to_hit_bonus, damage_multiplier: 1 })
        };
        if !args.target_has_back {
            return no_stab(NoBackStab::NoBack, 0);
        }
        if !args.behind {
            return no_stab(NoBackStab::NotBehind, 0);
        }
        if !args.surprise {
            return no_stab(NoBackStab::NotSurprised, options.rear_bonus.get());
        }
        if args.attack_number.get() > 1 {
            return no_stab(NoBackStab::NotFirstAttack, FURTHER_BONUS);
        }
        let damage_multiplier = referee.call::<Multiplier>(MultiplierArgs { level: args.level })?.multiplier;
        let scaling = if options.scaling_to_hit { grade(args.level, referee)?.extra_to_hit } else { 0 };
        referee.modifier(SURPRISE_BONUS, "to hit, surprise from behind (STAB-02)");
        referee.modifier(scaling, "to hit, for the level (STAB-12)");
        Ok(AttackOutcome { back_stab: true, reason: None, to_hit_bonus: SURPRISE_BONUS + scaling, damage_multiplier })
    }
}

/// What `back_stab.rear_armor_class` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RearArmorClassArgs {
    /// The target's armor class from the front, descending, -10 to 10.
    pub ac: Whole<-10, 10>,
    /// What dexterity betters of it, 0 to 6.
    #[serde(default)]
    pub dex_ac_bonus: Whole<0, 6>,
    /// What a shield betters of it, 0 to 6.
    #[serde(default)]
    pub shield_ac_bonus: Whole<0, 6>,
}

/// An armor class from behind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RearArmorClassOutcome {
    /// Descending, at most 10.
    pub ac: i64,
}

rule! {
    /// Tells a target's armor class from behind, where dexterity and shield do not count.
    pub struct RearArmorClass;
}

impl Rule for RearArmorClass {
    const NAME: &'static str = "back_stab.rear_armor_class";
    const SOURCE: &'static [&'static str] = &["first-edition STAB-05"];
    const EXAMPLE: &'static str = "{ ac = 5, dex_ac_bonus = 1, shield_ac_bonus = 1 }";
    type Args = RearArmorClassArgs;
    type Options = NoOptions;
    type Outcome = RearArmorClassOutcome;

    fn resolve(
        args: RearArmorClassArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<RearArmorClassOutcome, RuleError> {
        referee.modifier(args.dex_ac_bonus.get(), "dexterity lost from behind");
        referee.modifier(args.shield_ac_bonus.get(), "shield lost from behind");
        let ac = args.ac.get() + args.dex_ac_bonus.get() + args.shield_ac_bonus.get();
        Ok(RearArmorClassOutcome { ac: ac.min(NO_ARMOR) })
    }
}

/// What the multiplier touches (STAB-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Multiply {
    /// The weapon's dice alone; bonuses are added afterwards.
    #[default]
    Weapon,
    /// Bonuses as well.
    All,
}

/// The switches of a back stab's damage.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DamageOptions {
    /// What the multiplier touches.
    pub multiply: Multiply,
    /// Whether the weapon's roll counts as at least 2 from 5th level, 3 from 9th and so on, as the source recommends
    /// (STAB-14). With several dice it is their sum that is held up; a blow that is not multiplied is no back stab.
    pub minimum_roll: bool,
}

/// What `back_stab.damage` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamageArgs {
    /// The weapon's dice, in any notation; a modifier of theirs counts as a bonus.
    pub weapon: DamageDice,
    /// The factor, as `back_stab.attack` says; 1 for no back stab.
    pub multiplier: Positive,
    /// Bonuses of strength, magic and the like; 0 when not given.
    #[serde(default)]
    pub flat_bonus: Modifier,
    /// The thief's level, needed for the least roll.
    #[serde(default)]
    pub level: Option<Positive>,
}

/// Damage of a back stab.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DamageOutcome {
    /// What the weapon's dice showed together.
    pub weapon_roll: i64,
    /// What they count as.
    pub counted_roll: i64,
    /// The damage.
    pub damage: i64,
}

rule! {
    /// Rolls a back stab's damage: the weapon's dice times the multiplier, bonuses after it.
    ///
    /// The dice are rolled once and what they come to is multiplied, whatever their notation: dice added by an
    /// explosion count, dropped ones do not.
    pub struct Damage;
}

impl Rule for Damage {
    const NAME: &'static str = "back_stab.damage";
    const SOURCE: &'static [&'static str] = &["first-edition STAB-08", "first-edition STAB-14"];
    const EXAMPLE: &'static str = r#"{ weapon = "1d8", multiplier = 3, flat_bonus = 1 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&STAB];
    type Args = DamageArgs;
    type Options = DamageOptions;
    type Outcome = DamageOutcome;

    fn resolve(
        args: DamageArgs,
        options: DamageOptions,
        referee: &mut Referee<'_>,
    ) -> Result<DamageOutcome, RuleError> {
        let multiplier = args.multiplier.get();
        let least = match (options.minimum_roll, args.level) {
            (false, _) => 0,
            (true, None) => return Err(RuleError::missing("level")),
            (true, Some(level)) => grade(level, referee)?.least_roll,
        };
        let weapon_roll = args.weapon.roll(referee, "damage")?.sum;
        let counted_roll = if multiplier > 1 { weapon_roll.max(least) } else { weapon_roll };
        let bonus = args.weapon.modifier() + args.flat_bonus.get();
        referee.note(|| format!("the weapon's roll counts {counted_roll}, times {multiplier}"));
        referee.modifier(bonus, "bonuses to damage");
        let damage = match options.multiply {
            Multiply::Weapon => counted_roll * multiplier + bonus,
            Multiply::All => (counted_roll + bonus) * multiplier,
        };
        Ok(DamageOutcome { weapon_roll, counted_roll, damage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};

    #[test]
    fn the_multiplier_grows_by_one_each_four_levels_without_end() {
        for (level, multiplier) in [(1, 2), (4, 2), (5, 3), (16, 5), (17, 6), (20, 6), (21, 7)] {
            let args = format!(r#"{{"level":{level}}}"#);
            assert_eq!(outcome::<Multiplier>(&args, &[]).multiplier, multiplier, "level {level}");
        }
    }

    #[test]
    fn without_surprise_a_blow_from_behind_has_its_bonus_and_no_multiplier() {
        let blow = outcome::<Attack>(r#"{"level":9,"surprise":false}"#, &[]);
        assert_eq!((blow.to_hit_bonus, blow.damage_multiplier, blow.reason), (4, 1, Some(NoBackStab::NotSurprised)));
        let house_two = outcome::<Attack>(r#"{"level":9,"surprise":false,"options":{"rear_bonus":2}}"#, &[]);
        assert_eq!(house_two.to_hit_bonus, 2);
    }

    #[test]
    fn from_the_front_surprise_is_no_back_stab() {
        let blow = outcome::<Attack>(r#"{"level":9,"behind":false}"#, &[]);
        assert_eq!((blow.back_stab, blow.to_hit_bonus, blow.reason), (false, 0, Some(NoBackStab::NotBehind)));
    }

    #[test]
    fn further_blows_of_a_surprise_get_two() {
        let blow = outcome::<Attack>(r#"{"level":9,"attack_number":2,"options":{"scaling_to_hit":true}}"#, &[]);
        assert_eq!((blow.to_hit_bonus, blow.damage_multiplier), (2, 1));
    }

    #[test]
    fn a_changed_multiplier_table_changes_the_attack() {
        let mut house = House::new();
        let rows = r#"[{"from":1,"to":20,"multiplier":9,"extra_to_hit":0,"least_roll":1}]"#;
        house.patch("back_stab", serde_json::from_str(rows).unwrap(), "a test").unwrap();
        let blow = resolved_in(&house, "back_stab.attack", r#"{"level":1}"#, &[]).unwrap();
        assert_eq!(blow.get("damage_multiplier").unwrap().to_string(), "9");
    }

    #[test]
    fn what_any_notation_came_to_is_multiplied_without_its_modifier() {
        let stab = |weapon: &str, dice: &[i64]| {
            outcome::<Damage>(&format!(r#"{{"weapon":"{weapon}","multiplier":2}}"#), dice).damage
        };
        assert_eq!(stab("1d6!+1", &[6, 3]), 19);
        assert_eq!(stab("2d6kh1+1", &[4, 5]), 11);
    }

    #[test]
    fn bonuses_come_after_the_multiplier_unless_switched() {
        let args = r#""weapon":"1d8+1","multiplier":2,"flat_bonus":1"#;
        assert_eq!(outcome::<Damage>(&format!("{{{args}}}"), &[5]).damage, 12);
        let all = format!(r#"{{{args},"options":{{"multiply":"all"}}}}"#);
        assert_eq!(outcome::<Damage>(&all, &[5]).damage, 14);
    }

    #[test]
    fn a_least_roll_needs_the_level_and_holds_for_back_stabs_only() {
        let options = r#""options":{"minimum_roll":true}"#;
        let without = format!(r#"{{"weapon":"1d8","multiplier":4,{options}}}"#);
        assert_eq!(resolved("back_stab.damage", &without, &[1]).unwrap_err().field(), Some("level"));
        let plain = format!(r#"{{"weapon":"1d8","multiplier":1,"level":9,{options}}}"#);
        assert_eq!(outcome::<Damage>(&plain, &[1]).damage, 1);
        let sum = format!(r#"{{"weapon":"2d4","multiplier":4,"level":9,{options}}}"#);
        assert_eq!(outcome::<Damage>(&sum, &[1, 1]).counted_roll, 3);
    }
}
