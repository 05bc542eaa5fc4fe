//! A whole joust, pass after pass.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Pass, PassArgs, PassOutcome, Rider, Seat, Weapon};
use crate::rules::core::{Natural, Referee, Rule, RuleError, Whole};

/// The switches of a whole joust. Those of a single pass are `joust.pass`'s.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunOptions {
    /// Passes after which the joust is broken off undecided.
    pub max_passes: Whole<1, 1_000>,
    /// Whether the squires hand up another lance after each pass in which one broke (JST-05). Without one a rider goes
    /// on with a sword.
    pub new_lances: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { max_passes: Whole::clamped(20), new_lances: true }
    }
}

/// What `joust.run` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunArgs {
    /// One rider.
    pub a: Rider,
    /// The other.
    pub b: Rider,
    /// Whether the lances are blunted: the damage is the same and counts as subduing (JST-07).
    #[serde(default)]
    pub blunted: bool,
    /// The first rider's hit points; without them only a fall ends the joust for that rider.
    #[serde(default)]
    pub a_hp: Option<Natural>,
    /// The second rider's hit points.
    #[serde(default)]
    pub b_hp: Option<Natural>,
}

/// What ended a joust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// One rider fell, or was brought to 0 hit points.
    Won,
    /// Both fell in the same pass; they go on on foot, by the ordinary rules (JST-07).
    BothDown,
    /// The passes ran out.
    Undecided,
}

/// How a joust went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunOutcome {
    /// What ended it.
    pub result: RunEnd,
    /// Who won; nothing unless one rider alone is left in the saddle.
    pub winner: Option<String>,
    /// How the first rider sits at the end.
    pub a_seat: Seat,
    /// How the second rider sits at the end.
    pub b_seat: Seat,
    /// The damage the first rider took.
    pub a_damage: i64,
    /// The damage the second rider took.
    pub b_damage: i64,
    /// Every pass, in order.
    pub passes: Vec<PassOutcome>,
}

rule! {
    /// Rides passes until one rider is left in the saddle, both are down, or the passes run out.
    ///
    /// A broken lance is replaced at the end of the run, if the squires have one; a rider without a lance draws a
    /// sword, which does not reach one who has a lance. Two swords strike at each other, without the charge.
    pub struct Run;
}

impl Rule for Run {
    const NAME: &'static str = "joust.run";
    const SOURCE: &'static [&'static str] =
        &["combat-details JST-01", "combat-details JST-05", "combat-details JST-06", "combat-details JST-07"];
    const EXAMPLE: &'static str = r#"{ a = { name = "Bran", attack_bonus = 3, str_mod = 1, ac = 17, save = 12, damage = "1d8" }, b = { name = "Odo", attack_bonus = 2, ac = 16, save = 13, damage = "1d8" }, blunted = true }"#;
    type Args = RunArgs;
    type Options = RunOptions;
    type Outcome = RunOutcome;

    fn resolve(args: RunArgs, options: RunOptions, referee: &mut Referee<'_>) -> Result<RunOutcome, RuleError> {
        let RunArgs { mut a, mut b, blunted, a_hp, b_hp } = args;
        let mut outcome = RunOutcome {
            result: RunEnd::Undecided,
            winner: None,
            a_seat: Seat::Seated,
            b_seat: Seat::Seated,
            a_damage: 0,
            b_damage: 0,
            passes: Vec::new(),
        };
        for _ in 0..options.max_passes.get() {
            let pass = referee.call::<Pass>(PassArgs { a: a.clone(), b: b.clone(), blunted })?;
            for strike in &pass.strikes {
                let by_a = strike.by == a.name;
                let (striker, seat, damage) = if by_a {
                    (&mut a, &mut outcome.b_seat, &mut outcome.b_damage)
                } else {
                    (&mut b, &mut outcome.a_seat, &mut outcome.a_damage)
                };
                *damage += strike.damage;
                *seat = strike.result.unwrap_or(*seat);
                if strike.lance_broken && !options.new_lances {
                    striker.weapon = Weapon::Sword;
                }
            }
            outcome.passes.push(pass);
            let down =
                |seat, damage, hp: Option<Natural>| seat != Seat::Seated || hp.is_some_and(|hp| damage >= hp.get());
            let a_down = down(outcome.a_seat, outcome.a_damage, a_hp);
            let b_down = down(outcome.b_seat, outcome.b_damage, b_hp);
            if a_down || b_down {
                outcome.result = if a_down && b_down { RunEnd::BothDown } else { RunEnd::Won };
                outcome.winner = match (a_down, b_down) {
                    (false, true) => Some(a.name),
                    (true, false) => Some(b.name),
                    _ => None,
                };
                break;
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, RunEnd, RunOutcome};
    use crate::rules::core::testing::outcome;

    fn joust(more: &str, dice: &[i64]) -> RunOutcome {
        let args = format!(
            r#"{{"a":{{"name":"Bran","attack_bonus":3,"str_mod":1,"ac":17,"save":12,"damage":"1d8"}},
                "b":{{"name":"Odo","attack_bonus":2,"ac":16,"save":13,"damage":"1d8"}}{more}}}"#
        );
        outcome::<Run>(&args, dice)
    }

    #[test]
    fn the_one_left_in_the_saddle_wins() {
        // Two misses, then Bran hits and Odo falls before he strikes.
        let ridden = joust("", &[2, 5, 12, 9, 5, 2, 10, 4, 12]);
        assert_eq!((ridden.result, ridden.winner.as_deref(), ridden.passes.len()), (RunEnd::Won, Some("Bran"), 2));
        assert_eq!(ridden.b_damage, 10);
    }

    #[test]
    fn two_who_fall_together_have_no_winner() {
        let ridden = joust("", &[3, 3, 10, 4, 5, 13, 2, 2]);
        assert_eq!((ridden.result, ridden.winner), (RunEnd::BothDown, None));
    }

    #[test]
    fn without_squires_a_broken_lance_leaves_a_sword_that_does_not_reach() {
        // Bran's lance breaks; in the second pass only Odo strikes, and misses.
        let ridden = joust(r#","options":{"new_lances":false,"max_passes":2}"#, &[5, 2, 1, 9, 5, 2, 9]);
        assert_eq!((ridden.result, ridden.passes[1].strikes.len()), (RunEnd::Undecided, 1));
        assert_eq!(ridden.passes[1].strikes[0].by, "Odo");
    }

    #[test]
    fn a_rider_out_of_hit_points_has_lost_in_the_saddle_too() {
        let ridden = joust(r#","b_hp":10"#, &[5, 2, 10, 4, 20, 2]);
        assert_eq!((ridden.winner.as_deref(), ridden.b_damage), (Some("Bran"), 10));
    }
}
