//! Leaving a melee: flight and its parting shots, or an orderly withdrawal.
//! Source: combat-details DIS-01 and DIS-02.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attack::{self, TableRolls};
use super::core::{List, Modifier, Natural, NoOptions, Referee, Rule, RuleError};

/// What `disengage.leave` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeaveArgs {
    /// The encounter movement of a round, in feet.
    pub rate: Natural,
    /// How far away somebody moves, in feet.
    pub distance: Natural,
    /// Whether it turns its back.
    pub turned_away: bool,
}

/// How somebody leaves a melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Leaving {
    /// Running for it.
    Flee,
    /// Backing off.
    Withdraw,
}

/// What leaving costs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeaveOutcome {
    /// Flight or withdrawal.
    pub result: Leaving,
    /// Whether every opponent engaged gets a parting shot: `disengage.parting_shots`.
    pub parting_shots: bool,
    /// Whether one may still attack later in the round.
    pub may_attack_later: bool,
}

rule! {
    /// How somebody leaves a melee: backing away at up to half speed is a withdrawal, anything else a flight that draws
    /// shots.
    ///
    /// The source describes only turning away at more than half speed and backing off at half or less; the two
    /// combinations between them count as flight.
    pub struct Leave;
}

impl Rule for Leave {
    const NAME: &'static str = "disengage.leave";
    const SOURCE: &'static [&'static str] = &["combat-details DIS-01", "combat-details DIS-02"];
    const EXAMPLE: &'static str = "{ rate = 40, distance = 20, turned_away = false }";
    type Args = LeaveArgs;
    type Options = NoOptions;
    type Outcome = LeaveOutcome;

    fn resolve(args: LeaveArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<LeaveOutcome, RuleError> {
        let withdraws = !args.turned_away && 2 * args.distance.get() <= args.rate.get();
        let result = if withdraws { Leaving::Withdraw } else { Leaving::Flee };
        Ok(LeaveOutcome { result, parting_shots: !withdraws, may_attack_later: withdraws })
    }
}

/// The switches of parting shots.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PartingShotsOptions {
    /// Which naturals call for a roll on the tables of critical hits and misses.
    pub table_rolls: TableRolls,
}

/// An opponent left behind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Foe {
    /// Who it is.
    pub name: String,
    /// Its attack bonus.
    pub attack_bonus: Modifier,
    /// Everything else that counts on its roll, the bonus of the parting shot aside.
    #[serde(default)]
    pub modifier: Modifier,
}

/// What `disengage.parting_shots` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartingShotsArgs {
    /// The armor class of whoever flees, ascending.
    pub ac: Modifier,
    /// The opponents with whom it was engaged.
    pub foes: List<Foe>,
}

/// One opponent's parting shot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shot {
    /// Who it is.
    pub name: String,
    /// The d20.
    pub roll: i64,
    /// The roll with everything that counts.
    pub total: i64,
    /// Whether it hits.
    pub hit: bool,
    /// Whether a roll on the table of critical hits is due.
    pub critical_check: bool,
    /// Whether a roll on the table of critical misses is due.
    pub fumble_check: bool,
}

/// The parting shots.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartingShotsOutcome {
    /// One shot for each opponent, in the order given.
    pub shots: Vec<Shot>,
}

rule! {
    /// Every opponent engaged with somebody who flees makes one melee attack at +2, even after all its attacks of the
    /// round.
    ///
    /// Creatures with several attacks make one of them.
    pub struct PartingShots;
}

impl Rule for PartingShots {
    const NAME: &'static str = "disengage.parting_shots";
    const SOURCE: &'static [&'static str] = &["combat-details DIS-01"];
    const EXAMPLE: &'static str = r#"{ ac = 14, foes = { { name = "goblin", attack_bonus = 1 } } }"#;
    type Args = PartingShotsArgs;
    type Options = PartingShotsOptions;
    type Outcome = PartingShotsOutcome;

    fn resolve(
        args: PartingShotsArgs,
        options: PartingShotsOptions,
        referee: &mut Referee<'_>,
    ) -> Result<PartingShotsOutcome, RuleError> {
        let PartingShotsArgs { ac, foes } = args;
        let situation = attack::ModifiersArgs { parting_shot: true, ..Default::default() };
        let bonus = referee.call::<attack::Modifiers>(situation)?.modifier;
        let mut shots = Vec::with_capacity(foes.len());
        for Foe { name, attack_bonus, modifier } in foes {
            referee.note(|| format!("the parting shot of {name}"));
            let modifier = Modifier::clamped(modifier.get() + bonus);
            let shot = attack::RollArgs { attack_bonus, modifier, ..attack::RollArgs::against(ac.get()) };
            let shot = referee.call::<attack::Roll>(shot)?;
            shots.push(Shot {
                name,
                roll: shot.roll,
                total: shot.total,
                hit: shot.hit,
                critical_check: options.table_rolls.critical_check(&shot),
                fumble_check: options.table_rolls.fumble_check(&shot),
            });
        }
        Ok(PartingShotsOutcome { shots })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn leaving(args: &str) -> Leaving {
        outcome::<Leave>(args, &[]).result
    }

    #[test]
    fn only_backing_off_at_half_speed_draws_no_shots() {
        assert_eq!(leaving(r#"{"rate":40,"distance":20,"turned_away":false}"#), Leaving::Withdraw);
        assert_eq!(leaving(r#"{"rate":35,"distance":18,"turned_away":false}"#), Leaving::Flee);
        assert_eq!(leaving(r#"{"rate":40,"distance":10,"turned_away":true}"#), Leaving::Flee);
    }

    #[test]
    fn each_foe_shoots_once_at_plus_two() {
        let args =
            r#"{"ac":14,"foes":[{"name":"g1","attack_bonus":1},{"name":"tiger","attack_bonus":5,"modifier":-1}]}"#;
        let shots = outcome::<PartingShots>(args, &[11, 7]).shots;
        assert_eq!((shots[0].total, shots[0].hit), (14, true));
        assert_eq!((shots[1].total, shots[1].hit), (13, false));
    }

    #[test]
    fn natural_one_misses_and_natural_twenty_hits() {
        let args = r#"{"ac":2,"foes":[{"name":"g1","attack_bonus":1},{"name":"g2","attack_bonus":1}]}"#;
        let shots = outcome::<PartingShots>(args, &[1, 20]).shots;
        assert!(!shots[0].hit && shots[0].fumble_check);
        assert!(shots[1].hit && shots[1].critical_check);
    }
}
