//! What is likely to become of somebody below zero: exact chances of death, of scars, of hours out (DYING-02 to 10).

use dashu_int::UBig;
use dashu_ratio::RBig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::aftermath::{COMA, Coma, ComaArgs, ComaFigures, Recover, RecoverArgs};
use super::care::{Stabilize, StabilizeArgs};
use super::wounds::{Bleed, BleedArgs};
use super::{Condition, Status, THRESHOLDS, thresholds, wound_args};
use crate::odds::{Budget, ChainError, ExploreError, chain, explore};
use crate::rules::core::{
    Any, AnyTable, ErrorKind, House, Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole,
};
use crate::rules::fraction::Fraction;

/// More rounds than any wound bleeds: the lowest hit points of the table are never below -1,000.
const UNTIL_THE_END: i64 = 10_000;

wound_args! {
    /// What `dying.outlook` is asked.
    OutlookArgs {
        /// The rounds that go by before somebody begins to bind the wounds; without it nobody does.
        #[serde(default)]
        pub bound_after: Option<Natural>,
        /// The Constitution modifier, -10 to 10, for the coma.
        #[serde(default)]
        pub con_mod: Whole<-10, 10>,
    }
}

/// How likely a length of coma is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HoursOut {
    /// Hours of coma.
    pub hours: i64,
    /// The exact chance of living and lying in a coma so long.
    pub chance: Fraction,
}

/// What is likely to become of the victim. Chances are exact and over everything that can happen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OutlookOutcome {
    /// The chance of death.
    pub death: Fraction,
    /// The chance of living.
    pub survival: Fraction,
    /// The chance of living with hideous scars (DYING-07).
    pub scarred: Fraction,
    /// Each length of coma that can follow, shortest first, with its chance; empty when no coma is due.
    pub hours_out: Vec<HoursOut>,
    /// The mean hours of coma of those who live; nothing when nobody does, 0 when no coma is due.
    pub mean_hours_out: Option<Fraction>,
    /// The mean hours of weakness after waking; nothing when no coma is due, or when it may never end.
    pub mean_hours_weak: Option<Fraction>,
}

/// One way it can end: hours of coma for a survivor, and whether there are scars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum End {
    Dead,
    Alive { hours: i64, scarred: bool },
}

rule! {
    /// Tells what is likely to become of somebody below zero, when the wounds are bound after some rounds or never.
    ///
    /// Every outcome of the dice is visited through `dying.bleed`, `dying.stabilize`, `dying.coma` and `dying.recover`,
    /// so house rules on them count. No dice are rolled.
    pub struct Outlook;
}

impl Outlook {
    /// Lets the victim's wounds take their course with these dice.
    fn course(args: &OutlookArgs, victim: Condition, referee: &mut Referee<'_>) -> Result<End, RuleError> {
        let (hp, status) = (args.hp, args.status);
        let lowest_hp = Some(Any::clamped(victim.lowest_hp));
        let (status, scarred) = match (victim.status, args.bound_after) {
            (Status::Bleeding, Some(delay)) => {
                let cared = referee.call::<Stabilize>(StabilizeArgs { hp, status, lowest_hp, delay })?;
                (cared.status, cared.scarred)
            }
            (Status::Bleeding, None) => {
                let rounds = Positive::clamped(UNTIL_THE_END);
                let bled = referee.call::<Bleed>(BleedArgs { hp, status, lowest_hp, rounds })?;
                (bled.status, bled.scarred)
            }
            (status, _) => (status, victim.scarred(thresholds(referee)?)),
        };
        if status == Status::Dead {
            return Ok(End::Dead);
        }
        let coma_due = victim.lowest_hp < 0;
        let hours = if coma_due { referee.call::<Coma>(ComaArgs { con_mod: args.con_mod })?.hours } else { 0 };
        Ok(End::Alive { hours, scarred })
    }

    /// The mean hours until nothing is left of the weakness.
    fn mean_hours_weak(weakness: i64, house: &House) -> Result<Option<Fraction>, RuleError> {
        let recovery = chain(
            &Budget::default(),
            weakness,
            |weakness| *weakness == 0,
            |weakness, dice| {
                let args = RecoverArgs { penalty: Some(Natural::clamped(*weakness)), hours: Natural::clamped(1) };
                Ok::<_, RuleError>(Referee::new(dice, house).call::<Recover>(args)?.penalty)
            },
        );
        match recovery {
            Ok(recovery) => recovery.mean_rounds.map(as_fraction).transpose(),
            Err(ChainError::Round(ExploreError::Failed(error))) => Err(error),
            Err(other) => Err(RuleError::general(ErrorKind::Dice, other.to_string())),
        }
    }
}

/// An exact share as a fraction.
fn as_fraction(share: RBig) -> Result<Fraction, RuleError> {
    let (numerator, denominator) = share.into_parts();
    let fraction = Fraction::new(numerator.into_parts().1, denominator);
    fraction.ok_or_else(|| RuleError::general(ErrorKind::Dice, "a chance came out as a part of nothing"))
}

impl Rule for Outlook {
    const NAME: &'static str = "dying.outlook";
    const SOURCE: &'static [&'static str] =
        &["house-rules DYING-02", "house-rules DYING-03", "house-rules DYING-07", "house-rules DYING-08"];
    const EXAMPLE: &'static str = r#"{ hp = -8, status = "bleeding", bound_after = 0 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS, &COMA];
    type Args = OutlookArgs;
    type Options = NoOptions;
    type Outcome = OutlookOutcome;

    fn resolve(args: OutlookArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<OutlookOutcome, RuleError> {
        let victim = args.condition(thresholds(referee)?)?;
        let house = referee.house();
        let explored = explore(&Budget::default(), |dice| {
            Self::course(&args, victim, &mut Referee::new(dice, house).only_totals())
        });
        let ends = match explored {
            Ok(explored) => explored.distribution,
            Err(ExploreError::Failed(error)) => return Err(error),
            Err(other) => return Err(RuleError::general(ErrorKind::Dice, other.to_string())),
        };
        let chance = |holds: &dyn Fn(&End) -> bool| as_fraction(ends.p(holds));
        let mut hours_out: Vec<HoursOut> = Vec::new();
        let (mut hour_weight, mut living) = (UBig::ZERO, UBig::ZERO);
        for (end, weight) in ends.entries() {
            let End::Alive { hours, .. } = end else { continue };
            living += weight;
            hour_weight += weight * UBig::from(hours.unsigned_abs());
            if *hours > 0 && hours_out.iter().all(|known| known.hours != *hours) {
                let same = chance(&|end| matches!(end, End::Alive { hours: other, .. } if other == hours))?;
                hours_out.push(HoursOut { hours: *hours, chance: same });
            }
        }
        hours_out.sort_by_key(|out| out.hours);
        let mean_hours_weak = if hours_out.is_empty() {
            None
        } else {
            Self::mean_hours_weak(ComaFigures::of(referee)?.waking_weakness.get(), house)?
        };
        Ok(OutlookOutcome {
            death: chance(&|end| *end == End::Dead)?,
            survival: chance(&|end| *end != End::Dead)?,
            scarred: chance(&|end| matches!(end, End::Alive { scarred: true, .. }))?,
            hours_out,
            mean_hours_out: Fraction::new(hour_weight, living),
            mean_hours_weak,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::Value;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};

    fn outlook(state: &str) -> OutlookOutcome {
        outcome::<Outlook>(state, &[])
    }

    #[test]
    fn care_at_once_saves_down_to_minus_seven_and_nobody_at_minus_ten() {
        let death = |hp: i64| {
            let args = format!(r#"{{"hp":{hp},"status":"bleeding","bound_after":0}}"#);
            outlook(&args).death.to_string()
        };
        assert_eq!([-7, -8, -9, -10].map(death), ["0/1", "1/3", "2/3", "1/1"]);
    }

    #[test]
    fn a_house_where_care_stops_the_blood_first_saves_more() {
        let mut house = House::new();
        house.set("dying.stabilize.stabilize_order", Value::from("stabilize_first"), "a test").unwrap();
        let args = r#"{"hp":-10,"status":"bleeding","bound_after":0}"#;
        let found = resolved_in(&house, "dying.outlook", args, &[]).unwrap();
        assert_eq!(found.get("death"), Some(&Value::from("2/3")));
    }

    #[test]
    fn nobody_lives_whom_nobody_binds() {
        let alone = outlook(r#"{"hp":-1,"status":"bleeding"}"#);
        assert_eq!((alone.death.to_string(), alone.hours_out.len()), ("1/1".into(), 0));
        assert!(alone.mean_hours_out.is_none() && alone.mean_hours_weak.is_none());
    }

    #[test]
    fn every_round_of_waiting_costs_as_much_as_a_hit_point() {
        let waited = outlook(r#"{"hp":-5,"status":"bleeding","bound_after":3}"#);
        let at_once = outlook(r#"{"hp":-8,"status":"bleeding","bound_after":0}"#);
        assert_eq!((&waited.death, &waited.scarred), (&at_once.death, &at_once.scarred));
        // Whoever is bound from -8 on and lives is scarred.
        assert_eq!(at_once.scarred, at_once.survival);
    }

    #[test]
    fn scars_begin_where_the_third_round_of_care_ends_at_minus_eight() {
        let scarred =
            |hp: i64| outlook(&format!(r#"{{"hp":{hp},"status":"bleeding","bound_after":0}}"#)).scarred.to_string();
        assert_eq!([-4, -5, -6, -7].map(scarred), ["0/1", "1/3", "2/3", "1/1"]);
    }

    #[test]
    fn hours_out_are_two_dice_and_their_chances_are_those_of_living() {
        let stable = outlook(r#"{"hp":-3,"status":"stable","con_mod":0}"#);
        assert_eq!(stable.hours_out.len(), 11);
        assert_eq!(stable.hours_out[5].chance.to_string(), "1/6");
        assert_eq!(stable.mean_hours_out.unwrap().to_string(), "7/1");
        let weak = stable.mean_hours_weak.unwrap().to_f64();
        assert!((12.0..13.0).contains(&weak), "{weak}");
        let hardy = outlook(r#"{"hp":-8,"status":"bleeding","bound_after":0,"con_mod":3}"#);
        // Two, three and four on the dice are all the one hour that is the least: 6 of 36, for the two thirds who live.
        assert_eq!((hardy.hours_out[0].hours, hardy.hours_out[0].chance.to_string()), (1, "1/9".into()));
    }

    #[test]
    fn the_hale_have_nothing_to_fear_and_the_dead_no_outlook() {
        let hale = outlook(r#"{"hp":3,"status":"ok"}"#);
        assert_eq!((hale.death.to_string(), hale.mean_hours_out.unwrap().to_string()), ("0/1".into(), "0/1".into()));
        assert!(resolved("dying.outlook", r#"{"hp":-11,"status":"dead"}"#, &[]).is_err());
    }
}
