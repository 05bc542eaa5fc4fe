//! A whole joust, pass after pass.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::foot::{Fighter, fight_round};
use super::{FootRound, Pass, PassArgs, PassOutcome, Rider, Seat, UnhorseOutcome, Weapon};
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
    /// Rounds after which a fight on foot is broken off undecided (JST-07).
    pub max_foot_rounds: Whole<1, 1_000>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { max_passes: Whole::clamped(20), new_lances: true, max_foot_rounds: Whole::clamped(100) }
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
    /// The first rider's hit points; without them only a fall ends the joust for that rider, and nobody fights on on
    /// foot.
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
    /// One is left: in the saddle, or on foot where both fell.
    Won,
    /// Both fell in the same pass, and neither is left to win: both are out, or their hit points were not given, without
    /// which they cannot fight on on foot.
    BothDown,
    /// The passes ran out, or the rounds on foot.
    Undecided,
}

/// How a joust went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunOutcome {
    /// What ended it.
    pub result: RunEnd,
    /// Who won; nothing unless one alone is left.
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
    /// Every round on foot, in order; none unless both fell in the same pass and can go on.
    pub on_foot: Vec<FootRound>,
}

rule! {
    /// Rides passes until one rider is left in the saddle; where both fall in one pass they go on on foot, until one is
    /// left (JST-07).
    ///
    /// On foot both fight by the ordinary rules, without the tables of critical hits and misses, and with the flat of
    /// the blade if the lances were blunted. Who is stunned is so for its rounds, and who lies prone gets up when the
    /// turn comes. Out is who was knocked out or has no hit points left.
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
            on_foot: Vec::new(),
        };
        let mut falls: [Option<UnhorseOutcome>; 2] = [None, None];
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
                falls[usize::from(by_a)] = strike.save.clone().or(falls[usize::from(by_a)].take());
                if strike.lance_broken && !options.new_lances {
                    striker.weapon = Weapon::Sword;
                }
            }
            outcome.passes.push(pass);
            let down =
                |seat, damage, hp: Option<Natural>| seat != Seat::Seated || hp.is_some_and(|hp| damage >= hp.get());
            let a_down = down(outcome.a_seat, outcome.a_damage, a_hp);
            let b_down = down(outcome.b_seat, outcome.b_damage, b_hp);
            if a_down && b_down {
                on_foot([&a, &b], [a_hp, b_hp], &falls, blunted, options, &mut outcome, referee)?;
                break;
            }
            if a_down || b_down {
                outcome.won_by(if a_down { b.name } else { a.name });
                break;
            }
        }
        Ok(outcome)
    }
}

impl RunOutcome {
    fn won_by(&mut self, name: String) {
        self.result = RunEnd::Won;
        self.winner = Some(name);
    }

    /// One may have won when the other is out.
    fn settle(&mut self, [a, b]: [&Rider; 2], [a_out, b_out]: [bool; 2]) {
        match (a_out, b_out) {
            (true, false) => self.won_by(b.name.clone()),
            (false, true) => self.won_by(a.name.clone()),
            _ => self.result = RunEnd::BothDown,
        }
    }
}

/// Goes on after both fell in one pass: who is out has lost, and two who are not fight on on foot.
fn on_foot(
    riders: [&Rider; 2],
    hp: [Option<Natural>; 2],
    falls: &[Option<UnhorseOutcome>; 2],
    blunted: bool,
    options: RunOptions,
    outcome: &mut RunOutcome,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
    let left =
        [(hp[0], outcome.a_damage), (hp[1], outcome.b_damage)].map(|(hp, damage)| hp.map(|hp| hp.get() - damage));
    let out = |seat, left: Option<i64>| seat == Seat::KnockedOut || left.is_some_and(|left| left <= 0);
    let outs = [out(outcome.a_seat, left[0]), out(outcome.b_seat, left[1])];
    let ([Some(a_left), Some(b_left)], [false, false]) = (left, outs) else {
        outcome.settle(riders, outs);
        return Ok(());
    };
    let mut a = Fighter::fallen(riders[0], a_left, falls[0].as_ref());
    let mut b = Fighter::fallen(riders[1], b_left, falls[1].as_ref());
    outcome.result = RunEnd::Undecided;
    for round in 1..=options.max_foot_rounds.get() {
        outcome.on_foot.push(fight_round(&mut a, &mut b, round, blunted, referee)?);
        if a.is_out() || b.is_out() {
            outcome.settle(riders, [a.is_out(), b.is_out()]);
            break;
        }
    }
    outcome.a_damage += a.damage;
    outcome.b_damage += b.damage;
    Ok(())
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
    fn two_who_fall_together_go_on_on_foot_until_one_is_left() {
        // JST-07. Both are unhorsed and prone: 10 and 8 points, saves failed by a little. Bran is quicker, gets up and hits the one
        // who lies there; Odo gets up and misses; then Bran ends it.
        let dice = [3, 3, 10, 4, 12, 15, 4, 11, 5, 2, 8, 5, 10, 5, 2, 12, 5];
        let fought = joust(r#","a_hp":30,"b_hp":20"#, &dice);
        assert_eq!((fought.result, fought.winner.as_deref()), (RunEnd::Won, Some("Bran")));
        assert_eq!((fought.passes.len(), fought.on_foot.len()), (1, 2));
        // A total of 12 misses armor class 16 and hits the 12 of one who lies prone.
        assert!(fought.on_foot[0].strikes[0].hit && !fought.on_foot[0].strikes[1].hit);
        assert_eq!((fought.a_damage, fought.b_damage), (8, 22));
    }

    #[test]
    fn a_blow_on_foot_tells_its_naturals_and_whether_it_subdues() {
        // JST-07: a natural 1 and a natural 20 call for the tables, which are the host's here; the flat of the blade
        // after blunted lances does half of 5 (SUB-01).
        let dice = [3, 3, 10, 4, 12, 15, 4, 11, 5, 2, 1, 20, 5];
        let fought = joust(r#","a_hp":30,"b_hp":20,"blunted":true,"options":{"max_foot_rounds":1}"#, &dice);
        let [one, twenty] = &fought.on_foot[0].strikes[..] else { panic!("two blows, not {:?}", fought.on_foot) };
        assert!(one.fumble_check && !one.critical_check && !one.hit);
        assert!(twenty.critical_check && !twenty.fumble_check && twenty.subduing);
        assert_eq!((fought.result, twenty.damage), (RunEnd::Undecided, 2));
    }

    #[test]
    fn of_two_who_fall_together_the_one_who_is_not_knocked_out_has_won() {
        let fought = joust(r#","a_hp":30,"b_hp":30"#, &[3, 3, 10, 4, 2, 15, 4, 11]);
        assert_eq!((fought.winner.as_deref(), fought.on_foot.len()), (Some("Bran"), 0));
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
