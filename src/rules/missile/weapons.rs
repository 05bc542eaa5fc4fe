//! The figures of missile weapons and siege engines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, DamageDice, Modifier, Named, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole,
    distinct_names, row_meant, row_named,
};
use crate::rules::equipment::{WEAPONS, weapon_name};

/// The ranges of a missile weapon.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WeaponRow {
    /// The weapon's name.
    pub weapon: String,
    /// Greatest distance of short range, in feet.
    pub short: Positive,
    /// Greatest distance of medium range, in feet.
    pub medium: Positive,
    /// Greatest distance of long range, in feet.
    pub long: Positive,
    /// The row of the table of rates by which it shoots; its own name when not given.
    #[serde(default)]
    pub rate: Option<String>,
}

impl Named for WeaponRow {
    fn name(&self) -> &str {
        &self.weapon
    }
}

/// The ranges of missile weapons.
pub static MISSILE_WEAPONS: Table<WeaponRow> =
    Table::new("missile_weapons", include_str!("../data/basic_fantasy/missile_ranges.json"), growing_ranges);

fn growing_ranges(rows: &[WeaponRow]) -> Result<(), String> {
    match rows.iter().find(|row| row.short > row.medium || row.medium > row.long) {
        Some(row) => Err(format!("the ranges of {} must grow from short to long", row.weapon)),
        None => distinct_names(rows),
    }
}

/// A siege engine. What an engine has not is absent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EngineRow {
    /// The engine's name.
    pub engine: String,
    /// What it costs, in gold pieces.
    pub cost_gp: Natural,
    /// One attack in so many rounds.
    #[serde(default)]
    pub period: Option<Whole<1, 1_000>>,
    /// The modifier of its attack roll.
    #[serde(default)]
    pub attack: Option<Modifier>,
    /// Its damage.
    #[serde(default)]
    pub damage: Option<DamageDice>,
    /// Greatest distance of short range, in feet.
    #[serde(default)]
    pub short: Option<Positive>,
    /// Greatest distance of medium range, in feet.
    #[serde(default)]
    pub medium: Option<Positive>,
    /// Greatest distance of long range, in feet.
    #[serde(default)]
    pub long: Option<Positive>,
}

impl Named for EngineRow {
    fn name(&self) -> &str {
        &self.engine
    }
}

/// Siege engines.
pub static SIEGE_ENGINES: Table<EngineRow> =
    Table::new("siege_engines", include_str!("../data/basic_fantasy/siege_engines.json"), distinct_names);

/// A row of the table of rates of fire.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RateRow {
    /// A weapon, or a kind of weapons that shoot alike: `bow`, `thrown`.
    pub weapon: String,
    /// One shot in so many rounds.
    pub period: Whole<1, 1_000>,
}

impl Named for RateRow {
    fn name(&self) -> &str {
        &self.weapon
    }
}

/// How often missile weapons shoot.
pub static RATE_OF_FIRE: Table<RateRow> =
    Table::new("rate_of_fire", include_str!("../data/rate_of_fire.json"), distinct_names);

/// What `missile.weapon_ranges` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaponRangesArgs {
    /// A missile weapon or siege engine: `longbow`, `light_crossbow`, `dagger`, `ballista`.
    pub weapon: String,
}

/// How far a weapon reaches.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaponRangesOutcome {
    /// Greatest distance of short range in feet; nothing for an engine that has none.
    pub short: Option<i64>,
    /// Greatest distance of medium range in feet; nothing for what does not shoot.
    pub medium: Option<i64>,
    /// Greatest distance of long range in feet; nothing for what does not shoot.
    pub long: Option<i64>,
    /// One shot in so many rounds; nothing for an engine that does not attack.
    pub period: Option<i64>,
    /// What the weapon itself adds to its attack roll: the penalty of a siege engine, 0 for others.
    pub attack: i64,
}

rule! {
    /// Looks up how far a missile weapon or siege engine shoots, and how often.
    pub struct WeaponRanges;
}

impl Rule for WeaponRanges {
    const NAME: &'static str = "missile.weapon_ranges";
    const SOURCE: &'static [&'static str] = &["combat-details MIS-01", "Basic Fantasy, missile weapon ranges"];
    const EXAMPLE: &'static str = r#"{ weapon = "longbow" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&MISSILE_WEAPONS, &SIEGE_ENGINES, &RATE_OF_FIRE, &WEAPONS];
    type Args = WeaponRangesArgs;
    type Options = NoOptions;
    type Outcome = WeaponRangesOutcome;

    fn resolve(
        args: WeaponRangesArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<WeaponRangesOutcome, RuleError> {
        let engines = referee.table(&SIEGE_ENGINES);
        if let Ok(engine) = row_named(&engines, "engine", "weapon", &args.weapon) {
            return Ok(WeaponRangesOutcome {
                short: engine.short.map(Positive::get),
                medium: engine.medium.map(Positive::get),
                long: engine.long.map(Positive::get),
                period: engine.period.map(Whole::get),
                attack: engine.attack.map_or(0, Modifier::get),
            });
        }
        let weapons = referee.table(&MISSILE_WEAPONS);
        let name = weapon_name(&args.weapon, referee).unwrap_or(args.weapon);
        let weapon = row_named(&weapons, "missile weapon", "weapon", &name)?;
        let rates = referee.table(&RATE_OF_FIRE);
        let rate = row_meant(&rates, weapon.rate.as_ref().unwrap_or(&weapon.weapon));
        Ok(WeaponRangesOutcome {
            short: Some(weapon.short.get()),
            medium: Some(weapon.medium.get()),
            long: Some(weapon.long.get()),
            // One shot a round unless the table of rates says otherwise (MIS-03).
            period: Some(rate.map_or(1, |rate| rate.period.get())),
            attack: 0,
        })
    }
}
