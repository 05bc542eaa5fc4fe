//! Brewing, its chance of failure, and what failure brings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FIGURES, PotionXp, hundreds, value_of};
use crate::rules::core::{
    AnyTable, Band, DamageDice, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, band_row, only_row,
    unbroken_bands,
};

/// What `potion.failure_chance` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FailureChanceArgs {
    /// The potion's experience value; 200 for one that lists none.
    #[serde(default)]
    pub xp: Option<PotionXp>,
}

/// The switches of the chance of failure.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FailureChanceOptions {
    /// One chance for every potion, in percent, as the older book has it: what fails is then a potion of delusion. By
    /// the potion's experience value when left out.
    pub flat_chance: Option<Whole<5, 20>>,
}

/// The chance that brewing fails.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FailureChanceOutcome {
    /// In percent, at most 100.
    pub failure_chance: i64,
    /// Whether it is one chance for every potion; what fails is then a potion of delusion, and no mishap is rolled.
    pub flat: bool,
}

rule! {
    /// Tells how likely brewing fails: 2 in 100 for each 100 experience points of the potion or part.
    ///
    /// By a switch every potion has the same chance of 5 to 20 in 100, and those that fail are potions of delusion.
    pub struct FailureChance;
}

impl Rule for FailureChance {
    const NAME: &'static str = "potion.failure_chance";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-07"];
    const EXAMPLE: &'static str = "{ xp = 250 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES];
    type Args = FailureChanceArgs;
    type Options = FailureChanceOptions;
    type Outcome = FailureChanceOutcome;

    fn resolve(
        args: FailureChanceArgs,
        options: FailureChanceOptions,
        referee: &mut Referee<'_>,
    ) -> Result<FailureChanceOutcome, RuleError> {
        if let Some(chance) = options.flat_chance {
            return Ok(FailureChanceOutcome { failure_chance: chance.get(), flat: true });
        }
        let rows = referee.table(&FIGURES);
        let figures = only_row(&rows)?;
        let chance = figures.failure_percent.get() * hundreds(value_of(args.xp, figures));
        Ok(FailureChanceOutcome { failure_chance: chance.min(100), flat: false })
    }
}

/// What comes out of the cauldron.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BrewResult {
    /// The potion, as it should be.
    Success,
    /// An explosion hurts all within a radius, without a save.
    Explosion,
    /// A cloud of gas: those in it save against poison or die.
    PoisonGas,
    /// A mild poison that weakens who drinks it (our reading: the drinker, not those present), without a save.
    MildPoison,
    /// Ruined: nothing.
    Inert,
    /// Half as good as it should be.
    HalfStrength,
    /// Ruined: a potion of delusion.
    Delusion,
    /// Half as good again: in effect and duration, or in duration only where that suits better.
    Strong,
    /// A new formula: the effect is permanent, with possible side effects of the referee's choosing.
    Discovery,
}

/// What a save is made against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MishapSave {
    /// Poison.
    Poison,
}

/// What a failed save brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailedSave {
    /// Death.
    Death,
}

/// What a duration counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MishapUnit {
    /// Rounds.
    Rounds,
    /// Turns.
    Turns,
    /// Hours.
    Hours,
    /// Days.
    Days,
}

/// A mishap, by the roll that brings it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MishapRow {
    from: Option<i64>,
    to: Option<i64>,
    result: BrewResult,
    radius_feet: Option<Positive>,
    diameter_feet: Option<Positive>,
    damage: Option<DamageDice>,
    save: Option<MishapSave>,
    on_failed_save: Option<FailedSave>,
    strength_loss: Option<Positive>,
    dexterity_loss: Option<Positive>,
    duration: Option<DamageDice>,
    unit: Option<MishapUnit>,
    efficacy_percent: Option<Whole<0, 1_000>>,
    permanent: Option<bool>,
}

impl Band for MishapRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

fn check_mishaps(rows: &[MishapRow]) -> Result<(), String> {
    unbroken_bands(rows)?;
    if rows.iter().any(|row| row.duration.is_some() != row.unit.is_some()) {
        return Err("a duration and its unit must stand together".into());
    }
    Ok(())
}

static MISHAP: Table<MishapRow> =
    Table::new("potion_mishap", include_str!("../data/potion_mishap.json"), check_mishaps);

/// `potion.mishap` is asked nothing.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct MishapArgs {}

records! {
    common {
        /// How far an explosion reaches, in feet from its middle.
        pub radius_feet: Option<i64>,
        /// How wide a cloud is, in feet.
        pub diameter_feet: Option<i64>,
        /// Hit points lost.
        pub damage: Option<i64>,
        /// The save that those hit make; none where it is absent.
        pub save: Option<MishapSave>,
        /// What a failed save brings.
        pub on_failed_save: Option<FailedSave>,
        /// Points of strength lost for the duration.
        pub strength_loss: Option<i64>,
        /// Points of dexterity lost for the duration.
        pub dexterity_loss: Option<i64>,
        /// How long it lasts.
        pub duration: Option<i64>,
        /// What the duration counts.
        pub unit: Option<MishapUnit>,
        /// How good the potion is, in percent of what it should be.
        pub efficacy_percent: Option<i64>,
        /// Whether the potion's effect never ends.
        pub permanent: Option<bool>,
    }

    /// What a failed brewing brought. What a result does not have is absent.
    pub struct MishapOutcome {
        {
            /// What d100 showed.
            pub table_roll: i64,
            /// The mishap.
            pub result: BrewResult,
        } .. {}
    }

    /// How brewing went. What a result does not have is absent.
    pub struct BrewOutcome {
        {
            /// The chance of failure, in percent.
            pub failure_chance: i64,
            /// What d100 showed against it.
            pub roll: i64,
            /// What came out: `success`, or a mishap.
            pub result: BrewResult,
            /// What d100 showed on the mishap table.
            pub table_roll: Option<i64>,
        } .. {}
    }
}

impl BrewOutcome {
    /// A brewing that came to `result` unless a mishap says otherwise.
    fn of(failure_chance: i64, roll: i64, result: BrewResult, mishap: Option<MishapOutcome>) -> Self {
        let part = mishap.as_ref();
        BrewOutcome {
            failure_chance,
            roll,
            result: part.map_or(result, |mishap| mishap.result),
            table_roll: part.map(|mishap| mishap.table_roll),
            radius_feet: part.and_then(|mishap| mishap.radius_feet),
            diameter_feet: part.and_then(|mishap| mishap.diameter_feet),
            damage: part.and_then(|mishap| mishap.damage),
            save: part.and_then(|mishap| mishap.save),
            on_failed_save: part.and_then(|mishap| mishap.on_failed_save),
            strength_loss: part.and_then(|mishap| mishap.strength_loss),
            dexterity_loss: part.and_then(|mishap| mishap.dexterity_loss),
            duration: part.and_then(|mishap| mishap.duration),
            unit: part.and_then(|mishap| mishap.unit),
            efficacy_percent: part.and_then(|mishap| mishap.efficacy_percent),
            permanent: part.and_then(|mishap| mishap.permanent),
        }
    }
}

/// Rolls dice of a row, when it has any.
fn rolled(dice: Option<&DamageDice>, purpose: &str, referee: &mut Referee<'_>) -> Result<Option<i64>, RuleError> {
    let Some(dice) = dice else { return Ok(None) };
    Ok(Some(dice.roll(referee, purpose)?.sum + dice.modifier()))
}

rule! {
    /// Rolls d100 for what a failed brewing brings, and the dice of an explosion or a poison.
    pub struct Mishap;
}

impl Rule for Mishap {
    const NAME: &'static str = "potion.mishap";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-08"];
    const EXAMPLE: &'static str = "{}";
    const TABLES: &'static [&'static dyn AnyTable] = &[&MISHAP];
    type Args = MishapArgs;
    type Options = NoOptions;
    type Outcome = MishapOutcome;

    fn resolve(_: MishapArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<MishapOutcome, RuleError> {
        let table_roll = referee.d(100, "mishap")?;
        let rows = referee.table(&MISHAP);
        let row = band_row(&rows, table_roll)?;
        let damage = rolled(row.damage.as_ref(), "damage", referee)?;
        let duration = rolled(row.duration.as_ref(), "duration", referee)?;
        Ok(MishapOutcome {
            table_roll,
            result: row.result,
            radius_feet: row.radius_feet.map(Positive::get),
            diameter_feet: row.diameter_feet.map(Positive::get),
            damage,
            save: row.save,
            on_failed_save: row.on_failed_save,
            strength_loss: row.strength_loss.map(Positive::get),
            dexterity_loss: row.dexterity_loss.map(Positive::get),
            duration,
            unit: row.unit,
            efficacy_percent: row.efficacy_percent.map(Whole::get),
            permanent: row.permanent,
        })
    }
}

/// What `potion.brew` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrewArgs {
    /// The potion's experience value; 200 for one that lists none.
    #[serde(default)]
    pub xp: Option<PotionXp>,
}

/// The switches of brewing.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BrewOptions {
    /// One chance of failure for every potion, in percent; that of `potion.failure_chance` when left out.
    pub flat_chance: Option<Whole<5, 20>>,
}

rule! {
    /// Brews a potion: d100 against the chance of failure, and on failure a roll of its own on the mishap table.
    ///
    /// Where every potion has the same chance, one that fails is a potion of delusion, and no mishap is rolled.
    pub struct Brew;
}

impl Rule for Brew {
    const NAME: &'static str = "potion.brew";
    const SOURCE: &'static [&'static str] = &["first-edition POTION-07", "first-edition POTION-08"];
    const EXAMPLE: &'static str = "{ xp = 250 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&FIGURES, &MISHAP];
    type Args = BrewArgs;
    type Options = BrewOptions;
    type Outcome = BrewOutcome;

    fn resolve(args: BrewArgs, options: BrewOptions, referee: &mut Referee<'_>) -> Result<BrewOutcome, RuleError> {
        let asked = FailureChanceArgs { xp: args.xp };
        let FailureChanceOutcome { failure_chance, flat } = match options.flat_chance {
            None => referee.call::<FailureChance>(asked)?,
            flat_chance => referee.call_with::<FailureChance>(asked, FailureChanceOptions { flat_chance })?,
        };
        referee.need(|| format!("over {failure_chance} on d100"));
        let roll = referee.d(100, "brewing")?;
        let failed = roll <= failure_chance;
        let mishap = if failed && !flat { Some(referee.call::<Mishap>(MishapArgs {})?) } else { None };
        let result = if failed { BrewResult::Delusion } else { BrewResult::Success };
        Ok(BrewOutcome::of(failure_chance, roll, result, mishap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved_in};

    #[test]
    fn failure_is_two_in_a_hundred_for_each_hundred_points_and_never_over_certain() {
        for (xp, chance) in [(1, 2), (100, 2), (101, 4), (5001, 100), (1_000_000, 100)] {
            assert_eq!(outcome::<FailureChance>(&format!(r#"{{"xp":{xp}}}"#), &[]).failure_chance, chance);
        }
        assert_eq!(outcome::<FailureChance>("{}", &[]).failure_chance, 4);
    }

    #[test]
    fn one_over_the_chance_is_a_potion() {
        assert_eq!(outcome::<Brew>(r#"{"xp":250}"#, &[7]).result, BrewResult::Success);
        let failed = outcome::<Brew>(r#"{"xp":250}"#, &[6, 100]);
        assert_eq!((failed.result, failed.permanent), (BrewResult::Discovery, Some(true)));
    }

    #[test]
    fn at_one_chance_for_every_potion_a_failure_is_a_delusion() {
        // POTION-07: "a 5% to 20% failure percentage", and "those which are failures become delusion potions".
        let brew = |roll: i64| outcome::<Brew>(r#"{"xp":900,"options":{"flat_chance":5}}"#, &[roll]);
        assert_eq!((brew(5).result, brew(5).failure_chance, brew(5).table_roll), (BrewResult::Delusion, 5, None));
        assert_eq!(brew(6).result, BrewResult::Success);
        let mut house = House::new();
        house.set("potion.failure_chance.flat_chance", 20.into(), "a test").unwrap();
        let failed = resolved_in(&house, "potion.brew", r#"{"xp":250}"#, &[20]).unwrap();
        assert_eq!(failed.get("result").unwrap().to_string(), r#""delusion""#);
    }

    #[test]
    fn gas_kills_whom_the_save_fails() {
        let gas = outcome::<Mishap>("{}", &[3]);
        assert_eq!((gas.result, gas.diameter_feet), (BrewResult::PoisonGas, Some(10)));
        assert_eq!((gas.save, gas.on_failed_save), (Some(MishapSave::Poison), Some(FailedSave::Death)));
    }

    #[test]
    fn a_patched_mishap_table_changes_brewing() {
        let mut house = House::new();
        let rows = serde_json::from_str(r#"[{"result":"explosion","radius_feet":20,"damage":"1d4+1"}]"#).unwrap();
        house.patch("potion_mishap", rows, "a test").unwrap();
        let failed = resolved_in(&house, "potion.brew", r#"{"xp":250}"#, &[1, 50, 4]).unwrap();
        assert_eq!(failed.get("damage").unwrap().to_string(), "5");
    }
}
