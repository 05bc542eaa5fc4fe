//! The figures of weapons and ammunition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, DamageDice, Named, Natural, NoOptions, Referee, Rule, RuleError, Table, distinct_names, row_meant,
    row_named,
};

/// How big a weapon is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WeaponSize {
    /// For one hand.
    Small,
    /// For one hand or two.
    Medium,
    /// For two hands.
    Large,
}

/// A weapon or a piece of ammunition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WeaponRow {
    /// Its name.
    pub weapon: String,
    /// Other names that books give it.
    #[serde(default)]
    pub also: Vec<String>,
    /// Its kind: axes, bows, daggers, swords and so on.
    pub category: String,
    /// What it costs, in copper pieces; absent where it is not sold.
    #[serde(default)]
    pub cost_cp: Option<Natural>,
    /// How big it is; absent for ammunition.
    #[serde(default)]
    pub size: Option<WeaponSize>,
    /// What it weighs, in pounds; absent where that does not count.
    #[serde(default)]
    pub weight_lb: Option<Natural>,
    /// Its damage; absent where the ammunition has it.
    #[serde(default)]
    pub damage: Option<DamageDice>,
    /// Its damage in two hands, where that differs.
    #[serde(default)]
    pub damage_two_handed: Option<DamageDice>,
    /// What it shoots, the ordinary one first.
    #[serde(default)]
    pub ammunition: Vec<String>,
    /// Whether it is of silver.
    #[serde(default)]
    pub silver: bool,
}

impl Named for WeaponRow {
    fn name(&self) -> &str {
        &self.weapon
    }
    fn also(&self) -> &[String] {
        &self.also
    }
}

/// Every weapon and piece of ammunition: the names that all rules share.
pub static WEAPONS: Table<WeaponRow> =
    Table::new("weapons", include_str!("../data/basic_fantasy/weapons.json"), ammunition_known);

/// The name that all rules use for a weapon, however it is written; nothing for what is no weapon of the table.
pub fn weapon_name(name: &str, referee: &Referee<'_>) -> Option<String> {
    row_meant(&referee.table(&WEAPONS), name).map(|row| row.weapon.clone())
}

fn ammunition_known(rows: &[WeaponRow]) -> Result<(), String> {
    for row in rows {
        if row.damage.is_none() && row.ammunition.is_empty() {
            return Err(format!("{} must have damage or ammunition", row.weapon));
        }
        for shot in &row.ammunition {
            if rows.iter().all(|other| other.weapon != *shot || other.damage.is_none()) {
                return Err(format!("{} shoots {shot}, which has no row with damage", row.weapon));
            }
        }
    }
    distinct_names(rows)
}

/// What `weapon.figures` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaponArgs {
    /// The weapon or ammunition: `longsword`, `longbow`, `silver_dagger`, `bullet`.
    pub weapon: String,
    /// What it shoots, when that is not the ordinary kind: `silver_longbow_arrow`, `stone`.
    #[serde(default)]
    pub ammunition: Option<String>,
    /// Whether it is held in both hands.
    #[serde(default)]
    pub two_handed: bool,
}

/// What a weapon is like.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaponOutcome {
    /// The damage, of the ammunition where the weapon shoots it.
    pub damage: DamageDice,
    /// How big the weapon is; nothing for ammunition.
    pub size: Option<WeaponSize>,
    /// What the weapon costs, in copper pieces (100 to a gold piece); nothing where it is not sold.
    pub cost_cp: Option<i64>,
    /// What the weapon weighs, in pounds; nothing where that does not count.
    pub weight_lb: Option<i64>,
    /// Its kind.
    pub category: String,
    /// Whether what strikes is of silver.
    pub silver: bool,
}

rule! {
    /// Looks up the damage, size, cost and weight of a weapon.
    pub struct WeaponFigures;
}

impl Rule for WeaponFigures {
    const NAME: &'static str = "weapon.figures";
    const SOURCE: &'static [&'static str] = &["Basic Fantasy, weapons"];
    const EXAMPLE: &'static str = r#"{ weapon = "spear", two_handed = true }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&WEAPONS];
    type Args = WeaponArgs;
    type Options = NoOptions;
    type Outcome = WeaponOutcome;

    fn resolve(args: WeaponArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<WeaponOutcome, RuleError> {
        let rows = referee.table(&WEAPONS);
        let weapon = row_named(&rows, "weapon", "weapon", &args.weapon)?;
        let strikes = match (&args.ammunition, weapon.ammunition.first()) {
            (None, None) => weapon,
            (None, Some(ordinary)) => row_named(&rows, "ammunition", "ammunition", ordinary)?,
            (Some(wanted), Some(_)) => {
                let own = row_meant(&rows, wanted).filter(|row| weapon.ammunition.contains(&row.weapon));
                own.ok_or_else(|| {
                    let known = weapon.ammunition.join(" or ");
                    RuleError::invalid(
                        "ammunition",
                        format!("must be {known} for a {}, not \"{wanted}\"", weapon.weapon),
                    )
                })?
            }
            (Some(_), None) => {
                let message = format!("is for what shoots; leave it out for a {}", weapon.weapon);
                return Err(RuleError::invalid("ammunition", message));
            }
        };
        let two_handed = if args.two_handed { strikes.damage_two_handed.as_ref() } else { None };
        // The table's check leaves nothing without damage.
        let damage = two_handed.or(strikes.damage.as_ref()).cloned().ok_or_else(|| RuleError::missing("ammunition"))?;
        Ok(WeaponOutcome {
            damage,
            size: weapon.size,
            cost_cp: weapon.cost_cp.map(Natural::get),
            weight_lb: weapon.weight_lb.map(Natural::get),
            category: weapon.category.clone(),
            silver: strikes.silver,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::WeaponFigures;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn damage(args: &str) -> String {
        outcome::<WeaponFigures>(args, &[]).damage.to_string()
    }

    #[test]
    fn a_bow_does_what_its_arrow_does() {
        assert_eq!(damage(r#"{"weapon":"longbow"}"#), "1d8");
        let silver = outcome::<WeaponFigures>(r#"{"weapon":"longbow","ammunition":"silver_longbow_arrow"}"#, &[]);
        assert!(silver.silver);
        assert_eq!(damage(r#"{"weapon":"sling","ammunition":"stone"}"#), "1d3");
    }

    #[test]
    fn a_spear_does_more_in_two_hands() {
        assert_eq!(damage(r#"{"weapon":"spear"}"#), "1d6");
        assert_eq!(damage(r#"{"weapon":"spear","two_handed":true}"#), "1d8");
        assert_eq!(damage(r#"{"weapon":"mace","two_handed":true}"#), "1d8");
    }

    #[test]
    fn a_bow_does_not_shoot_stones_and_a_sword_nothing() {
        for args in [r#"{"weapon":"longbow","ammunition":"stone"}"#, r#"{"weapon":"mace","ammunition":"stone"}"#] {
            let error = resolved("weapon.figures", args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some("ammunition")));
        }
    }
}
