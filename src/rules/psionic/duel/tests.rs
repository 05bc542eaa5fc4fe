//! Rulings on whole duels.

use super::*;
use crate::rules::core::testing::{outcome, resolved, resolved_in};
use crate::rules::core::{House, Next, Referee, Value, Wrapper};

/// A mind with these strengths, 20 hit points, and what else it has.
fn mind(name: &str, side: &str, attack: i64, defense: i64, rest: &str) -> String {
    format!(
        r#"{{"name":"{name}","side":"{side}","attack_strength":{attack},"defense_strength":{defense},"hp":20{rest}}}"#
    )
}

fn duel(minds: &[String], rest: &str) -> String {
    format!(r#"{{"distance_inches":3,"minds":[{}]{rest}}}"#, minds.join(","))
}

const THRUST: &str = r#","attack_modes":["mind_thrust"],"defense_modes":["mind_blank"]"#;
const BARE: &str = r#","defense_modes":["mind_blank"]"#;

fn after<'a>(duel: &'a DuelOutcome, name: &str) -> &'a MindAfter {
    duel.minds.as_ref().unwrap().iter().find(|mind| mind.name == name).unwrap()
}

#[test]
fn a_segment_of_a_duel_is_the_books_segment() {
    let minds = [mind("a", "x", 60, 60, THRUST), mind("b", "y", 60, 60, THRUST)];
    let fought = outcome::<Duel>(&duel(&minds, r#","max_segments":1"#), &[]);
    let side = r#"{"attack_strength":60,"defense_strength":60,"hp":20,"attack_mode":"mind_thrust","defense_mode":"mind_blank"}"#;
    let segment =
        outcome::<super::super::segment::Segment>(&format!(r#"{{"distance_inches":3,"a":{side},"b":{side}}}"#), &[]);
    let (a, expected) = (after(&fought, "a"), segment.a.unwrap());
    assert_eq!((a.attack_strength, a.defense_strength), (expected.attack_strength, expected.defense_strength));
    assert_eq!(fought.result, Some(DuelEnd::BrokenOff));
}

#[test]
fn two_attackers_strike_one_who_pays_for_one_defense() {
    let one = [mind("a", "x", 60, 60, THRUST), mind("c", "y", 60, 60, BARE)];
    let two = [mind("a", "x", 60, 60, THRUST), mind("b", "x", 60, 60, THRUST), mind("c", "y", 60, 60, BARE)];
    let loss = |minds: &[String]| {
        60 - after(&outcome::<Duel>(&duel(minds, r#","max_segments":1"#), &[]), "c").defense_strength
    };
    // Mind Blank costs 1.
    assert_eq!(loss(&two), 1 + 2 * (loss(&one) - 1));
}

#[test]
fn whoever_only_defends_loses_in_the_end_and_hit_points_bear_the_rest() {
    let minds = [mind("a", "x", 200, 100, THRUST), mind("b", "y", 0, 10, BARE)];
    let fought = outcome::<Duel>(&duel(&minds, ""), &[]);
    assert_eq!((fought.result, fought.winner.as_deref()), (Some(DuelEnd::Won), Some("x")));
    assert!(after(&fought, "b").fate != Fate::Standing);
}

#[test]
fn a_duel_without_attacks_ends_in_its_first_segment() {
    let minds = [mind("a", "x", 60, 60, BARE), mind("b", "y", 60, 60, BARE)];
    let fought = outcome::<Duel>(&duel(&minds, ""), &[]);
    assert_eq!((fought.result, fought.segments), (Some(DuelEnd::NoAttacks), Some(1)));
    assert_eq!(after(&fought, "a").defense_strength, 60);
}

#[test]
fn the_distracted_only_defend_and_attack_again_next_round() {
    let distracted = format!(r#"{THRUST},"distractions":[{{"round":1,"segment":1}}]"#);
    let minds = [mind("a", "x", 60, 60, &distracted), mind("b", "y", 60, 60, BARE)];
    let fought = outcome::<Duel>(&duel(&minds, r#","max_segments":2"#), &[]);
    let events = fought.events.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].round, events[0].segment, fought.rounds), (2, 1, Some(2)));
}

#[test]
fn a_series_fights_through_its_leader_and_spends_what_it_received_first() {
    let minds = [mind("w", "x", 50, 50, THRUST), mind("s", "x", 60, 60, THRUST), mind("b", "y", 300, 300, BARE)];
    let fought = outcome::<Duel>(&duel(&minds, r#","series":[["w","s"]],"max_segments":1"#), &[]);
    let events = fought.events.as_ref().unwrap();
    assert!(events.iter().all(|event| event.attacker == "s"));
    // A fifth of 100 came over, half of it to attack: a thrust at 4 leaves the leader's own pool whole.
    assert_eq!(after(&fought, "s").attack_strength, 60);
    assert_eq!(after(&fought, "w").attack_strength, 50);
}

#[test]
fn what_a_letter_does_to_the_leader_strikes_the_whole_series() {
    // At attack strength 300 a blast kills, dazes or worse whoever stands open with nothing left.
    let blast = r#","attack_modes":["psionic_blast"],"defense_modes":["mind_blank"]"#;
    let minds = [mind("a", "x", 300, 300, blast), mind("w", "y", 0, 0, ""), mind("s", "y", 1, 0, "")];
    let text = duel(&minds, r#","distance_inches":1,"series":[["w","s"]],"max_segments":1"#).replacen(
        r#""distance_inches":3,"#,
        "",
        1,
    );
    let fought = (1..=4).find_map(|face| {
        [vec![], vec![face], vec![face, face]].into_iter().find_map(|dice| resolved("psionic.duel", &text, &dice).ok())
    });
    let fought: DuelOutcome = crate::rules::core::read(&fought.unwrap()).unwrap();
    assert_eq!(after(&fought, "w").fate, after(&fought, "s").fate);
    assert_eq!(fought.winner.as_deref(), Some("x"));
}

#[test]
fn an_unaffordable_announcement_of_a_strategy_comes_to_nothing() {
    struct Blast;
    impl Wrapper for Blast {
        fn wrap(&self, _: Value, _: Next<'_>, _: &mut Referee<'_>) -> Result<Value, crate::rules::core::RuleError> {
            Ok(serde_json::from_str(r#"{"attack_mode":"psionic_blast","target":"b","range_multiplier":1}"#).unwrap())
        }
    }
    let mut house = House::new();
    house.wrap("psionic.choose_attack", std::rc::Rc::new(Blast), "a test").unwrap();
    let poor = r#","attack_modes":["psionic_blast"],"defense_modes":["mind_blank"]"#;
    let text = duel(&[mind("a", "x", 10, 60, poor), mind("b", "y", 60, 60, BARE)], "");
    let fought = resolved_in(&house, "psionic.duel", &text, &[]).unwrap();
    let fought: DuelOutcome = crate::rules::core::read(&fought).unwrap();
    let events = fought.events.unwrap();
    assert_eq!(events[0].forbidden, Some(Forbidden::InsufficientAttackStrength));
    assert_eq!(fought.result, Some(DuelEnd::NoAttacks));
}

#[test]
fn minds_and_sides_are_checked_with_their_paths() {
    let one_side = duel(&[mind("a", "x", 1, 1, ""), mind("b", "x", 1, 1, "")], "");
    assert_eq!(resolved("psionic.duel", &one_side, &[]).unwrap_err().field(), Some("minds"));
    let twins = duel(&[mind("a", "x", 1, 1, ""), mind("a", "y", 1, 1, "")], "");
    assert_eq!(resolved("psionic.duel", &twins, &[]).unwrap_err().field(), Some("minds[2].name"));
    let linked = duel(&[mind("a", "x", 1, 1, ""), mind("b", "y", 1, 1, "")], r#","series":[["a","c"]]"#);
    assert_eq!(resolved("psionic.duel", &linked, &[]).unwrap_err().field(), Some("series[1][2]"));
}

#[test]
fn recovery_takes_the_hours_of_the_emptier_pool() {
    let minds = [mind("a", "x", 60, 60, THRUST), mind("b", "y", 60, 60, BARE)];
    let fought = outcome::<Duel>(&duel(&minds, r#","max_segments":5,"events":false"#), &[]);
    let a = after(&fought, "a");
    let hours = a.recovery_hours.unwrap();
    let recovered = |hours: i64| -> i64 {
        let args = format!(
            r#"{{"attack_strength":{},"defense_strength":{},"max_attack_strength":60,"max_defense_strength":60,
            "timeline":[{{"activity":"sleeping","minutes":{}}}]}}"#,
            a.attack_strength,
            a.defense_strength,
            hours * 60
        );
        let full = outcome::<super::super::recovery::Recover>(&args, &[]);
        full.attack_strength + full.defense_strength
    };
    assert_eq!(recovered(hours), 120);
    assert!(hours > 1 && recovered(hours - 1) < 120);
    assert!(fought.events.is_none());
}
