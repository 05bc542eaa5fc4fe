//! How strength comes back.
//! Source: first-edition PSI-REC-01 to PSI-REC-03.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keyed;
use crate::rules::core::{
    AnyTable, List, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of,
};

/// What somebody does for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Fighting, climbing, running.
    HardExertion,
    /// Walking and the like.
    Walking,
    /// Sitting and talking or reading.
    Sitting,
    /// Resting or meditating.
    Resting,
    /// Sleeping.
    Sleeping,
    /// On the Astral Plane, moving by thought.
    AstralMoving,
    /// On the Astral Plane, adrift with no thought of moving.
    AstralFloating,
}

impl Activity {
    const ALL: [Self; 7] = [
        Self::HardExertion,
        Self::Walking,
        Self::Sitting,
        Self::Resting,
        Self::Sleeping,
        Self::AstralMoving,
        Self::AstralFloating,
    ];
}

/// What an activity gives back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecoveryRow {
    activity: Activity,
    strength_per_hour: Whole<0, 1_000>,
}

/// Psionic strength regained in an hour, by activity (PSI-REC-01, PSI-REC-03).
static RECOVERY: Table<RecoveryRow> =
    Table::new("psionic_recovery", include_str!("../data/psionic_recovery.json"), one_row_each);

keyed!(RecoveryRow, activity: Activity, Activity::ALL);

/// How many full hours of an activity give back the greater of two losses, half of what each hour gives going to each
/// pool; nothing where the activity gives nothing.
pub(super) fn hours_to_regain(
    losses: [i64; 2],
    activity: Activity,
    referee: &Referee<'_>,
) -> Result<Option<i64>, RuleError> {
    let lost = losses.into_iter().fold(0, i64::max);
    let rows = referee.table(&RECOVERY);
    let rate = row_of(&rows, activity)?.strength_per_hour.get();
    Ok(match (lost, rate) {
        (0, _) => Some(0),
        (_, 0) => None,
        (lost, rate) => Some((2 * lost + rate - 1) / rate),
    })
}

/// A stretch of time with one activity.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Stretch {
    /// What is done.
    pub activity: Activity,
    /// For how many minutes.
    pub minutes: Positive,
    /// Whether psionics are used meanwhile; that spoils the hour. A discipline that runs on without cost does not.
    #[serde(default)]
    pub psionic_activity: bool,
}

/// What `psionic.recover` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecoverArgs {
    /// Attack strength left.
    pub attack_strength: Natural,
    /// Defense strength left.
    pub defense_strength: Natural,
    /// The most attack strength.
    pub max_attack_strength: Natural,
    /// The most defense strength.
    pub max_defense_strength: Natural,
    /// What is done, in order; hours count from its start.
    pub timeline: List<Stretch>,
    /// A half point for each pool left over from an earlier rest, as this rule gave it.
    #[serde(default)]
    pub carried_half_point: Whole<0, 1>,
}

/// The pools after the time.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecoverOutcome {
    /// Full hours.
    pub hours: i64,
    /// Psionic strength regained in fact, both pools together.
    pub recovered: i64,
    /// Attack strength now.
    pub attack_strength: i64,
    /// Defense strength now.
    pub defense_strength: i64,
    /// 1 when each pool has half a point to come.
    pub carried_half_point: i64,
}

/// Gains, counted in half points for each pool, of full hours.
struct Hours {
    full: i64,
    half_points: i64,
    /// Minutes of the hour that has begun, and the worst rate in it.
    minutes: i64,
    worst: i64,
}

impl Hours {
    fn spend(&mut self, mut minutes: i64, rate: i64) {
        if self.minutes > 0 {
            let taken = minutes.min(60 - self.minutes);
            self.minutes += taken;
            self.worst = self.worst.min(rate);
            minutes -= taken;
            if self.minutes == 60 {
                self.full += 1;
                self.half_points += self.worst;
                self.minutes = 0;
            }
        }
        if minutes > 0 {
            self.full += minutes / 60;
            self.half_points += minutes / 60 * rate;
            self.minutes = minutes % 60;
            self.worst = rate;
        }
    }
}

rule! {
    /// Gives strength back for full hours of rest, half to each pool up to its most; the least favorable activity of an
    /// hour rules it, and psionic activity spoils it.
    ///
    /// A share that a full pool cannot take is lost. Where an hour's points do not halve, the half point is carried.
    pub struct Recover;
}

impl Rule for Recover {
    const NAME: &'static str = "psionic.recover";
    const SOURCE: &'static [&'static str] =
        &["first-edition PSI-REC-01", "first-edition PSI-REC-02", "first-edition PSI-REC-03"];
    const EXAMPLE: &'static str = r#"{ attack_strength = 10, defense_strength = 20, max_attack_strength = 100, max_defense_strength = 100, timeline = { { activity = "sleeping", minutes = 480 } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&RECOVERY];
    type Args = RecoverArgs;
    type Options = NoOptions;
    type Outcome = RecoverOutcome;

    fn resolve(args: RecoverArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RecoverOutcome, RuleError> {
        let pools = [
            ("attack_strength", args.attack_strength.get(), args.max_attack_strength.get()),
            ("defense_strength", args.defense_strength.get(), args.max_defense_strength.get()),
        ];
        if let Some((pool, now, most)) = pools.into_iter().find(|(_, now, most)| now > most) {
            return Err(RuleError::invalid(pool, format!("must be at most max_{pool}, {most}, not {now}")));
        }
        let rows = referee.table(&RECOVERY);
        let carried = args.carried_half_point.get();
        let mut hours = Hours { full: 0, half_points: carried, minutes: 0, worst: 0 };
        for stretch in &args.timeline {
            let row = row_of(&rows, stretch.activity)?;
            let rate = if stretch.psionic_activity { 0 } else { row.strength_per_hour.get() };
            hours.spend(stretch.minutes.get(), rate);
        }
        let gain = hours.half_points / 2;
        let [attack, defense] = pools.map(|(_, now, most)| (now + gain).min(most));
        Ok(RecoverOutcome {
            hours: hours.full,
            recovered: attack + defense - args.attack_strength.get() - args.defense_strength.get(),
            attack_strength: attack,
            defense_strength: defense,
            carried_half_point: hours.half_points % 2,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    fn rested(timeline: &str) -> RecoverOutcome {
        let args = format!(
            r#"{{"attack_strength":10,"defense_strength":20,"max_attack_strength":100,"max_defense_strength":100,
                "timeline":{timeline}}}"#
        );
        outcome::<Recover>(&args, &[])
    }

    #[test]
    fn a_minute_of_exertion_spoils_the_hour() {
        let mixed = r#"[{"activity":"sleeping","minutes":59},{"activity":"hard_exertion","minutes":1},
            {"activity":"sleeping","minutes":61}]"#;
        let rest = rested(mixed);
        assert_eq!((rest.hours, rest.recovered), (2, 12));
    }

    #[test]
    fn less_than_an_hour_counts_for_nothing() {
        assert_eq!(rested(r#"[{"activity":"sleeping","minutes":59}]"#).recovered, 0);
        assert_eq!(rested(r#"[{"activity":"sleeping","minutes":30},{"activity":"sleeping","minutes":30}]"#).hours, 1);
    }

    #[test]
    fn two_hours_of_walking_give_three_to_each_pool() {
        let walk = rested(r#"[{"activity":"walking","minutes":60},{"activity":"walking","minutes":60}]"#);
        assert_eq!((walk.attack_strength, walk.defense_strength, walk.carried_half_point), (13, 23, 0));
        assert_eq!(rested(r#"[{"activity":"walking","minutes":60}]"#).carried_half_point, 1);
    }

    #[test]
    fn psionic_activity_spoils_the_hour() {
        assert_eq!(rested(r#"[{"activity":"sleeping","minutes":60,"psionic_activity":true}]"#).recovered, 0);
    }

    #[test]
    fn a_pool_above_its_most_makes_no_sense() {
        let args = r#"{"attack_strength":11,"defense_strength":0,"max_attack_strength":10,"max_defense_strength":10,
            "timeline":[]}"#;
        assert_eq!(resolved("psionic.recover", args, &[]).unwrap_err().field(), Some("attack_strength"));
    }
}
