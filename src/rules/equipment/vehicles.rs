//! The figures of wagons and ships.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Named, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, distinct_names, row_named,
};

/// On what a vehicle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VehicleKind {
    /// On land.
    Land,
    /// On water.
    Ship,
}

/// A vehicle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VehicleRow {
    /// Its name.
    pub vehicle: String,
    /// On what it moves.
    pub kind: VehicleKind,
    /// What each blow loses before it hurts (VEH-01).
    pub hardness: Natural,
    /// Hit points of each side (VEH-02).
    pub hp: Positive,
    /// The turning distance in feet (MOV-05).
    pub turning: Positive,
    /// Its movement in yards.
    pub move_yards: Natural,
    /// What it costs, in gold pieces.
    pub cost_gp: Natural,
    /// How long and wide it is.
    pub size: String,
    /// What it carries.
    pub cargo: String,
    /// How many it takes to sail or row it.
    #[serde(default)]
    pub crew: Option<Natural>,
    /// Miles in a day, under sail where it has any.
    #[serde(default)]
    pub miles_per_day: Option<Natural>,
    /// Miles in a day under oars, where it has both.
    #[serde(default)]
    pub miles_per_day_rowing: Option<Natural>,
}

impl Named for VehicleRow {
    fn name(&self) -> &str {
        &self.vehicle
    }
}

static VEHICLES: Table<VehicleRow> =
    Table::new("vehicles", include_str!("../data/basic_fantasy/vehicles.json"), distinct_names);

/// What `vehicle.figures` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VehicleArgs {
    /// The vehicle: `wagon`, `chariot`, `longship`.
    pub vehicle: String,
}

/// What a vehicle is like.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct VehicleOutcome {
    /// On what it moves.
    pub kind: VehicleKind,
    /// What each blow loses before it hurts (`vehicle.hit`).
    pub hardness: Natural,
    /// Hit points of each side (`vehicle.state`).
    pub hp: Positive,
    /// The turning distance in feet (`movement.turn`).
    pub turning: Positive,
    /// Its movement in yards.
    pub move_yards: i64,
    /// What it costs, in gold pieces.
    pub cost_gp: i64,
    /// How long and wide it is.
    pub size: String,
    /// What it carries.
    pub cargo: String,
    /// How many it takes to sail or row it; nothing on land.
    pub crew: Option<i64>,
    /// Miles in a day, under sail where it has any; nothing on land.
    pub miles_per_day: Option<i64>,
    /// Miles in a day under oars, where it has sails too.
    pub miles_per_day_rowing: Option<i64>,
}

rule! {
    /// Looks up the hardness, hit points, turning distance and the rest of a vehicle.
    pub struct VehicleFigures;
}

impl Rule for VehicleFigures {
    const NAME: &'static str = "vehicle.figures";
    const SOURCE: &'static [&'static str] = &["Basic Fantasy, vehicles"];
    const EXAMPLE: &'static str = r#"{ vehicle = "longship" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&VEHICLES];
    type Args = VehicleArgs;
    type Options = NoOptions;
    type Outcome = VehicleOutcome;

    fn resolve(args: VehicleArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<VehicleOutcome, RuleError> {
        let rows = referee.table(&VEHICLES);
        let row = row_named(&rows, "vehicle", "vehicle", &args.vehicle)?;
        Ok(VehicleOutcome {
            kind: row.kind,
            hardness: row.hardness,
            hp: row.hp,
            turning: row.turning,
            move_yards: row.move_yards.get(),
            cost_gp: row.cost_gp.get(),
            size: row.size.clone(),
            cargo: row.cargo.clone(),
            crew: row.crew.map(Natural::get),
            miles_per_day: row.miles_per_day.map(Natural::get),
            miles_per_day_rowing: row.miles_per_day_rowing.map(Natural::get),
        })
    }
}

/// The figures of the vehicle that stands in the place of figures of its own, when one is named. `given` says of each
/// of those whether it is given all the same, which is one too many.
pub(crate) fn vehicle_instead(
    vehicle: Option<&str>,
    given: &[(&str, bool)],
    referee: &mut Referee<'_>,
) -> Result<Option<VehicleOutcome>, RuleError> {
    let Some(vehicle) = vehicle else { return Ok(None) };
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        return Err(RuleError::invalid(name, format!("is the vehicle's own; give either vehicle or {name}")));
    }
    referee.call::<VehicleFigures>(VehicleArgs { vehicle: vehicle.to_owned() }).map(Some)
}

#[cfg(test)]
mod tests {
    use super::{VehicleFigures, VehicleKind};
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_longship_sails_and_rows_and_a_wagon_does_neither() {
        let longship = outcome::<VehicleFigures>(r#"{"vehicle":"longship"}"#, &[]);
        assert_eq!((longship.hardness.get(), longship.hp.get(), longship.miles_per_day_rowing), (9, 110, Some(24)));
        let wagon = outcome::<VehicleFigures>(r#"{"vehicle":"wagon"}"#, &[]);
        assert_eq!((wagon.kind, wagon.miles_per_day), (VehicleKind::Land, None));
    }

    #[test]
    fn an_unknown_vehicle_is_answered_with_the_nearest() {
        let error = resolved("vehicle.figures", r#"{"vehicle":"wagn"}"#, &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unknown);
        assert!(error.to_string().contains("wagon"), "{error}");
    }
}
