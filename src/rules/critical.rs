//! Critical hits: what a natural 20 that hits brings beyond plain damage.
//! Source: combat-details CRT-01 to CRT-03.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{
    AnyTable, Band, DamageDice, NoOptions, Positive, Referee, Rolls, Rule, RuleError, Table, Whole, band_of,
    unbroken_bands,
};
use super::damage::LEAST_DAMAGE;

/// What a critical roll comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CriticalResult {
    /// Damage as rolled.
    Regular,
    /// The most the dice can show, and the modifier.
    Maximum,
    /// The dice as rolled, the most they can show, and the modifier once.
    Critical,
}

/// A band of the critical roll.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HitRow {
    from: i64,
    to: i64,
    result: CriticalResult,
    /// Whether a condition is rolled as well.
    condition: bool,
}

impl Band for HitRow {
    fn from(&self) -> Option<i64> {
        Some(self.from)
    }
    fn to(&self) -> Option<i64> {
        Some(self.to)
    }
}

/// Critical hits by d20; totals outside use the nearest row.
pub static CRITICAL_HIT: Table<HitRow> =
    Table::new("critical_hit", include_str!("data/critical_hit.json"), unbroken_bands);

/// What a condition changes. Only what it changes is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Effects {
    /// To hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attack: Option<i64>,
    /// To saving throws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saves: Option<i64>,
    /// To checks against a DC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<i64>,
    /// To armor class, against all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ac: Option<i64>,
    /// To armor class, in melee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ac_melee: Option<i64>,
    /// To armor class, against missiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ac_missile: Option<i64>,
    /// To initiative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiative: Option<i64>,
}

impl Effects {
    /// Both at once: what changes the same thing adds up.
    #[must_use]
    pub fn and(self, other: Effects) -> Effects {
        let sum = |one: Option<i64>, two: Option<i64>| match (one, two) {
            (Some(one), Some(two)) => Some(one + two),
            (one, two) => one.or(two),
        };
        Effects {
            attack: sum(self.attack, other.attack),
            saves: sum(self.saves, other.saves),
            checks: sum(self.checks, other.checks),
            ac: sum(self.ac, other.ac),
            ac_melee: sum(self.ac_melee, other.ac_melee),
            ac_missile: sum(self.ac_missile, other.ac_missile),
            initiative: sum(self.initiative, other.initiative),
        }
    }
}

/// What a condition of this name changes; nothing where the table has none of the name.
pub fn effects_of(condition: &str, referee: &Referee<'_>) -> Effects {
    let rows = referee.table(&CRITICAL_CONDITION);
    rows.iter().find(|row| row.condition == condition).map_or_else(Effects::default, |row| row.effects)
}

/// A row of the conditions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConditionRow {
    number: i64,
    /// Its name; a house may add its own.
    condition: String,
    effects: Effects,
}

fn numbered_from_one(rows: &[ConditionRow]) -> Result<(), String> {
    let in_order = rows.iter().zip(1..).all(|(row, number)| row.number == number);
    if in_order && rows.len() >= 2 { Ok(()) } else { Err("two or more rows must be numbered 1, 2, 3 …".into()) }
}

/// The conditions by number; the die has as many faces as the table has rows, four as it ships.
pub static CRITICAL_CONDITION: Table<ConditionRow> =
    Table::new("critical_condition", include_str!("data/critical_condition.json"), numbered_from_one);

/// What `critical.condition` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConditionArgs {
    /// The number of the condition, 1 to 4.
    pub number: Positive,
}

/// A condition and what it changes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConditionOutcome {
    /// The condition: `disarmed` (the primary weapon is knocked away), `shaken`, `prone` or `blinded`, or one that the
    /// house added to the table.
    pub condition: String,
    /// What it changes.
    pub effects: Effects,
}

rule! {
    /// Looks up the condition of this number.
    ///
    /// The source gives no durations: disarmed and prone last until remedied, shaken and blinded as long as the DM
    /// says.
    pub struct Condition;
}

impl Rule for Condition {
    const NAME: &'static str = "critical.condition";
    const SOURCE: &'static [&'static str] = &["combat-details CRT-03"];
    const EXAMPLE: &'static str = "{ number = 3 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&CRITICAL_CONDITION];
    type Args = ConditionArgs;
    type Options = NoOptions;
    type Outcome = ConditionOutcome;

    fn resolve(args: ConditionArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ConditionOutcome, RuleError> {
        let number = args.number.get();
        let rows = referee.table(&CRITICAL_CONDITION);
        let Some(row) = rows.iter().find(|row| row.number == number) else {
            let message = format!("must be a whole number from 1 to {}, not {number}", rows.len());
            return Err(RuleError::out_of_range("number", message));
        };
        Ok(ConditionOutcome { condition: row.condition.clone(), effects: row.effects })
    }
}

/// What `critical.hit` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitArgs {
    /// The damage of the hit, its modifier included: "1d6+2".
    pub damage: DamageDice,
    /// Added to the critical roll, -40 to 40. The source does not say which modifiers count; its printed chances hold
    /// for none (CRT-01).
    #[serde(default)]
    pub modifier: Whole<-40, 40>,
}

/// What a critical hit does.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll and its modifier.
    pub total: i64,
    /// Which damage it does.
    pub result: CriticalResult,
    /// The damage dice, in order; empty for maximum damage, which needs none.
    pub rolls: Rolls,
    /// The damage, 1 or more.
    pub damage: i64,
    /// The condition it leaves, if any.
    pub condition: Option<String>,
    /// What the condition changes.
    pub effects: Effects,
}

rule! {
    /// Rolls what becomes of a natural 20 that hit: regular, maximum or critical damage, and a condition on the last
    /// row.
    ///
    /// Maximum damage is the most the dice can show and the modifier; critical damage is the dice as rolled, the most
    /// they can show, and the modifier once (CRT-02). Of dice that explode without an end the most is that of the dice
    /// without those added: 6 of `1d6!`.
    pub struct Hit;
}

impl Rule for Hit {
    const NAME: &'static str = "critical.hit";
    const SOURCE: &'static [&'static str] =
        &["combat-details CRT-01", "combat-details CRT-02", "combat-details CRT-03"];
    const EXAMPLE: &'static str = r#"{ damage = "1d6+2" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&CRITICAL_HIT, &CRITICAL_CONDITION];
    type Args = HitArgs;
    type Options = NoOptions;
    type Outcome = HitOutcome;

    fn resolve(args: HitArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<HitOutcome, RuleError> {
        let HitArgs { damage: dice, modifier } = args;
        let roll = referee.d(20, "critical")?;
        referee.modifier(modifier.get(), "to the critical roll");
        let total = roll + modifier.get();
        let rows = referee.table(&CRITICAL_HIT);
        // The table's check leaves at least one row, so that the fallback is never read.
        let (result, leaves_condition) =
            band_of(&rows, total).map_or((CriticalResult::Regular, false), |row| (row.result, row.condition));
        referee.note(|| format!("{total} is {result:?} damage (CRT-01)"));
        let mut rolls = Rolls::new();
        let mut sum = dice.modifier();
        if result != CriticalResult::Maximum {
            let rolled = dice.roll(referee, "damage")?;
            rolls = rolled.rolls;
            sum += rolled.sum;
        }
        if result != CriticalResult::Regular {
            sum += dice.greatest_roll();
        }
        let mut outcome = HitOutcome {
            roll,
            total,
            result,
            rolls,
            damage: sum.max(LEAST_DAMAGE),
            condition: None,
            effects: Effects::default(),
        };
        if leaves_condition {
            let faces = referee.table(&CRITICAL_CONDITION).len() as u32;
            let number = Positive::clamped(referee.d(faces, "condition")?);
            let left = referee.call::<Condition>(ConditionArgs { number })?;
            outcome.condition = Some(left.condition);
            outcome.effects = left.effects;
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House, Next, Value, Wrapper};

    const SWORD: &str = r#"{"damage":"1d6+2"}"#;

    #[test]
    fn maximum_damage_of_1d6_plus_2_is_eight_and_needs_no_dice() {
        let hit = outcome::<Hit>(SWORD, &[13]);
        assert_eq!((hit.result, hit.damage), (CriticalResult::Maximum, 8));
    }

    #[test]
    fn critical_damage_of_a_three_is_eleven() {
        assert_eq!(outcome::<Hit>(SWORD, &[17, 3]).damage, 11);
        // Two dice: 5 + 8, and the modifier once.
        assert_eq!(outcome::<Hit>(r#"{"damage":"2d4+1"}"#, &[16, 2, 3]).damage, 14);
    }

    #[test]
    fn the_most_of_any_notation_is_that_of_its_dice_and_of_no_exploding_ones() {
        let maximum = |damage: &str| outcome::<Hit>(&format!(r#"{{"damage":"{damage}"}}"#), &[13]).damage;
        assert_eq!([maximum("1d6!+2"), maximum("2d6kh1"), maximum("d8r=1+2"), maximum("2d4!o")], [8, 6, 10, 16]);
        // Rolled it explodes all the same: 6 + 3, and 6.
        assert_eq!(outcome::<Hit>(r#"{"damage":"1d6!"}"#, &[17, 6, 3]).damage, 15);
    }

    #[test]
    fn a_hit_does_at_least_one_point() {
        assert_eq!(outcome::<Hit>(r#"{"damage":"1d4-3"}"#, &[2, 1]).damage, 1);
    }

    #[test]
    fn totals_outside_the_table_use_its_ends() {
        assert_eq!(outcome::<Hit>(r#"{"damage":"1d6","modifier":-5}"#, &[3, 4]).result, CriticalResult::Regular);
        let hit = outcome::<Hit>(r#"{"damage":"1d6","modifier":5}"#, &[19, 3, 4]);
        assert_eq!((hit.condition.as_deref(), hit.effects.initiative), (Some("blinded"), Some(-2)));
    }

    #[test]
    fn a_house_rule_on_the_condition_reaches_the_critical_hit() {
        let mut house = House::new();
        let rows = r#"[{"number":1,"condition":"stunned","effects":{"attack":-9}},
            {"number":2,"condition":"prone","effects":{}}]"#;
        house.patch("critical_condition", serde_json::from_str(rows).unwrap(), "test").unwrap();
        // Two rows, so that a d2 is rolled.
        let hit = resolved_in(&house, "critical.hit", SWORD, &[20, 4, 1]).unwrap();
        assert_eq!(hit.get("condition"), Some(&Value::from("stunned")));
        assert_eq!(hit.get("effects").and_then(|effects| effects.get("attack")), Some(&Value::Whole(-9)));
        assert!(house.patch("critical_condition", Value::List(Vec::new()), "test").is_err());
    }

    struct AlwaysProne;

    impl Wrapper for AlwaysProne {
        fn wrap(&self, _: Value, next: Next<'_>, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
            next.resolve(serde_json::from_str(r#"{"number":3}"#).unwrap(), referee)
        }
    }

    #[test]
    fn a_wrapper_around_the_condition_takes_part_in_the_critical_hit() {
        let mut house = House::new();
        house.wrap("critical.condition", Rc::new(AlwaysProne), "test").unwrap();
        let hit = resolved_in(&house, "critical.hit", SWORD, &[20, 4, 1]).unwrap();
        assert_eq!(hit.get("condition"), Some(&Value::from("prone")));
    }

    #[test]
    fn there_are_four_conditions() {
        assert_eq!(outcome::<Condition>(r#"{"number":1}"#, &[]).effects, Effects::default());
        for args in [r#"{"number":0}"#, r#"{"number":5}"#] {
            let error = resolved("critical.condition", args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("number")));
        }
    }
}
