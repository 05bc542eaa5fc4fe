//! Wagons and ships: hitting them, what the damage does, repairs in the field.
//! Source: combat-details VEH-01 to VEH-03. Vehicles' own figures stand in another chapter: they are arguments here, or
//! those that `vehicle.figures` has for a name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Natural, NoOptions, Positive, Referee, Rolls, Rule, RuleError};
use super::equipment::{VehicleKind, vehicle_instead};

/// The armor class of every vehicle, ascending (VEH-01).
const ARMOR_CLASS: i64 = 11;

/// The part of its hit points to which a vehicle is repaired in the field, in percent (VEH-03).
const FIELD_REPAIR: i64 = 90;

/// The most dice of one repair: a bound against absurd requests, not a rule.
const MOST_DICE: i64 = 10_000;

/// What `vehicle.hit` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitArgs {
    /// The damage rolled.
    pub damage: Natural,
    /// The vehicle's hardness.
    #[serde(default)]
    pub hardness: Option<Natural>,
    /// A vehicle by name instead of its hardness: `wagon`, `longship` (see `vehicle.figures`).
    #[serde(default)]
    pub vehicle: Option<String>,
}

/// What goes through.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HitOutcome {
    /// The armor class that the attack had to reach.
    pub ac: i64,
    /// The damage to the vehicle.
    pub damage: i64,
}

rule! {
    /// What a hit does to a vehicle: the damage above its hardness. Its armor class is 11.
    pub struct Hit;
}

impl Rule for Hit {
    const NAME: &'static str = "vehicle.hit";
    const SOURCE: &'static [&'static str] = &["combat-details VEH-01"];
    const EXAMPLE: &'static str = r#"{ damage = 8, vehicle = "wagon" }"#;
    type Args = HitArgs;
    type Options = NoOptions;
    type Outcome = HitOutcome;

    fn resolve(args: HitArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<HitOutcome, RuleError> {
        let figures = vehicle_instead(args.vehicle.as_deref(), &[("hardness", args.hardness.is_some())], referee)?;
        let hardness = match (figures, args.hardness) {
            (Some(figures), _) => figures.hardness.get(),
            (None, Some(hardness)) => hardness.get(),
            (None, None) => return Err(RuleError::missing("hardness")),
        };
        Ok(HitOutcome { ac: ARMOR_CLASS, damage: (args.damage.get() - hardness).max(0) })
    }
}

/// How fast a damaged vehicle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Full speed.
    Full,
    /// Half speed.
    Half,
    /// It does not move.
    None,
}

/// What is wrong with a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing that counts.
    Sound,
    /// A broken wheel or a breached hull.
    Damaged,
    /// It does not move any more.
    Immobilized,
    /// It goes down.
    Sinking,
}

/// What `vehicle.state` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateArgs {
    /// The hit points listed for a side, 1 or more.
    #[serde(default)]
    pub listed_hp: Option<Positive>,
    /// The damage that this side has taken.
    pub taken: Natural,
    /// On land or on water.
    #[serde(default)]
    pub kind: Option<VehicleKind>,
    /// A vehicle by name instead of both: `wagon`, `longship` (see `vehicle.figures`).
    #[serde(default)]
    pub vehicle: Option<String>,
}

/// How the vehicle is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateOutcome {
    /// How fast it is.
    pub speed: Speed,
    /// What is wrong with it.
    pub status: Status,
}

rule! {
    /// What damage on one side does: as much as the listed hit points halves the speed, twice as much stops it and
    /// sinks a ship.
    ///
    /// Each side is counted for itself; the worst one decides.
    pub struct State;
}

impl Rule for State {
    const NAME: &'static str = "vehicle.state";
    const SOURCE: &'static [&'static str] = &["combat-details VEH-02"];
    const EXAMPLE: &'static str = r#"{ taken = 130, vehicle = "longship" }"#;
    type Args = StateArgs;
    type Options = NoOptions;
    type Outcome = StateOutcome;

    fn resolve(args: StateArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<StateOutcome, RuleError> {
        let given = [("listed_hp", args.listed_hp.is_some()), ("kind", args.kind.is_some())];
        let (listed_hp, kind) = match vehicle_instead(args.vehicle.as_deref(), &given, referee)? {
            Some(figures) => (figures.hp.get(), figures.kind),
            None => (
                args.listed_hp.ok_or_else(|| RuleError::missing("listed_hp"))?.get(),
                args.kind.ok_or_else(|| RuleError::missing("kind"))?,
            ),
        };
        let (speed, status) = match (args.taken.get() / listed_hp, kind) {
            (0, _) => (Speed::Full, Status::Sound),
            (1, _) => (Speed::Half, Status::Damaged),
            (_, VehicleKind::Land) => (Speed::None, Status::Immobilized),
            (_, VehicleKind::Ship) => (Speed::None, Status::Sinking),
        };
        Ok(StateOutcome { speed, status })
    }
}

/// What `vehicle.repair` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RepairArgs {
    /// The hit points of the sound vehicle, 1 or more.
    pub max_hp: Positive,
    /// Its hit points now, 0 to `max_hp`.
    pub hp: Natural,
    /// How many work on it, 1 or more.
    pub crew: Positive,
    /// For how many hours, 1 or more; crew times hours is at most 10,000.
    pub hours: Positive,
}

/// How the repair went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RepairOutcome {
    /// A d4 for each of the crew and each hour; none where a repair cannot help.
    pub rolls: Rolls,
    /// What repairs in the field can reach.
    pub cap: i64,
    /// The hit points after it.
    pub hp: i64,
}

rule! {
    /// Repairs a vehicle in the field: 1d4 for each of the crew and each hour, up to nine tenths. The rest needs a
    /// yard.
    ///
    /// A repair that cannot help, at or above nine tenths, rolls nothing and takes nothing away.
    pub struct Repair;
}

impl Rule for Repair {
    const NAME: &'static str = "vehicle.repair";
    const SOURCE: &'static [&'static str] = &["combat-details VEH-03"];
    const EXAMPLE: &'static str = "{ max_hp = 60, hp = 20, crew = 3, hours = 2 }";
    type Args = RepairArgs;
    type Options = NoOptions;
    type Outcome = RepairOutcome;

    fn resolve(args: RepairArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RepairOutcome, RuleError> {
        let (max_hp, hp) = (args.max_hp.get(), args.hp.get());
        if hp > max_hp {
            return Err(RuleError::out_of_range("hp", format!("must be a whole number from 0 to {max_hp}, not {hp}")));
        }
        let dice = args.crew.get() * args.hours.get();
        if dice > MOST_DICE {
            let message = format!("times crew must be at most {MOST_DICE}, not {dice}; repair in several parts");
            return Err(RuleError::out_of_range("hours", message));
        }
        let cap = max_hp * FIELD_REPAIR / 100;
        if hp >= cap {
            return Ok(RepairOutcome { rolls: Rolls::new(), cap, hp });
        }
        let rolled = referee.total(dice as u32, 4, "repair")?;
        Ok(RepairOutcome { rolls: rolled.rolls, cap, hp: (hp + rolled.sum).min(cap) })
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House, Next, Value, Wrapper};

    #[test]
    fn a_name_stands_for_the_figures_and_not_beside_them() {
        // A wagon's hardness is 6; a longship has 110 hit points a side.
        assert_eq!(outcome::<Hit>(r#"{"damage":8,"vehicle":"wagon"}"#, &[]).damage, 2);
        assert_eq!(outcome::<State>(r#"{"taken":220,"vehicle":"longship"}"#, &[]).status, Status::Sinking);
        let both = resolved("vehicle.hit", r#"{"damage":8,"vehicle":"wagon","hardness":5}"#, &[]).unwrap_err();
        assert_eq!((both.kind(), both.field()), (ErrorKind::Invalid, Some("hardness")));
        let neither = resolved("vehicle.state", r#"{"taken":8,"listed_hp":5}"#, &[]).unwrap_err();
        assert_eq!((neither.kind(), neither.field()), (ErrorKind::Missing, Some("kind")));
    }

    /// A house rule that takes a vehicle's hit points away.
    struct Hollow;

    impl Wrapper for Hollow {
        fn wrap(&self, args: Value, next: Next<'_>, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
            let mut figures = next.resolve(args, referee)?;
            if let Value::Map(fields) = &mut figures {
                fields.set("hp", 0.into());
            }
            Ok(figures)
        }
    }

    #[test]
    fn a_house_rule_cannot_leave_a_vehicle_without_hit_points() {
        let mut house = House::new();
        house.wrap("vehicle.figures", Rc::new(Hollow), "a test").unwrap();
        let error = resolved_in(&house, "vehicle.state", r#"{"taken":1,"vehicle":"wagon"}"#, &[]).unwrap_err();
        assert!(error.to_string().contains("hp"), "{error}");
    }

    #[test]
    fn only_what_exceeds_the_hardness_goes_through() {
        assert_eq!(outcome::<Hit>(r#"{"damage":8,"hardness":5}"#, &[]).damage, 3);
        assert_eq!(outcome::<Hit>(r#"{"damage":4,"hardness":5}"#, &[]).damage, 0);
    }

    #[test]
    fn twice_the_listed_hit_points_sink_a_ship_and_stop_a_wagon() {
        let status = |args: &str| outcome::<State>(args, &[]).status;
        assert_eq!(status(r#"{"listed_hp":40,"taken":39,"kind":"ship"}"#), Status::Sound);
        assert_eq!(status(r#"{"listed_hp":40,"taken":79,"kind":"ship"}"#), Status::Damaged);
        assert_eq!(status(r#"{"listed_hp":40,"taken":80,"kind":"ship"}"#), Status::Sinking);
        assert_eq!(status(r#"{"listed_hp":40,"taken":200,"kind":"land"}"#), Status::Immobilized);
    }

    #[test]
    fn field_repair_stops_at_nine_tenths_and_never_harms() {
        assert_eq!(outcome::<Repair>(r#"{"max_hp":60,"hp":50,"crew":2,"hours":1}"#, &[4, 4]).hp, 54);
        for hp in [54, 55] {
            let args = format!(r#"{{"max_hp":60,"hp":{hp},"crew":2,"hours":1}}"#);
            assert_eq!(outcome::<Repair>(&args, &[]).hp, hp);
        }
    }

    #[test]
    fn absurd_crews_are_refused() {
        let args = r#"{"max_hp":60,"hp":1,"crew":1000000000,"hours":1000000000}"#;
        let error = resolved("vehicle.repair", args, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("hours")));
    }
}
