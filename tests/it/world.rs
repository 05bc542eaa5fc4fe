//! The world under scripts: odds leave it as it was, what fails changes nothing, and every change has a way back.

use grognard::lua::{Host, ScriptError};
use grognard::rules::core::Value;
use grognard::world::World;

/// Two people, and a party of both.
const PEOPLE: &str = r#"
    tam = character{ name = "Tam", species = "halfling", max_hp = 18,
      scores = { str = 10, dex = 16, con = 13, int = 12, wis = 11, cha = 9 },
      classes = { { class = "fighter", level = 3 }, { class = "thief", xp = 17000 } }, good_at = { climb_walls = "good" } }
    ilse = character{ name = "Ilse", max_hp = 12, classes = { { class = "magic_user", level = 3 } } }
    both = party{ tam, ilse }"#;

/// What each verb needs to have happened before, and the verb.
const VERBS: [(&str, &str); 14] = [
    ("", "tam:take_damage(9)"),
    ("", "tam:take_damage(20)"),
    ("tam:take_damage(5)", "tam:heal(3)"),
    ("tam:take_damage(20)", "tam:heal(30)"),
    ("tam:take_damage(20)", "tam:bind()"),
    ("tam:take_damage(20) tam:bind()", "tam:strain()"),
    ("tam:take_damage(22)", "tam:heal_spell()"),
    ("tam:take_damage(20)", "tam:pass{ rounds = 2 }"),
    ("", "tam:award{ xp = 4000 }"),
    ("", "tam:train{ gold = 5400, class = 'thief' }"),
    ("", "tam:examine{ gold = 9000, class = 'thief', fees = { ['2'] = 10, ['3'] = 10, ['4'] = 10, ['5'] = 10 } }"),
    ("", "both:award{ xp = 9000, individual = { Ilse = { 50 } } }"),
    ("", "tam.hp = 4"),
    ("", "newcomer = character{ name = 'Odo', max_hp = 8, classes = { { class = 'cleric' } } }"),
];

fn host() -> Host {
    let host = Host::builder().seed("the bridge at dusk").build().unwrap();
    host.evaluate(PEOPLE).unwrap();
    host
}

fn hp(host: &Host, who: &str) -> Value {
    host.evaluate(&format!("{who}.hp")).unwrap().value.unwrap()
}

#[test]
fn odds_over_every_verb_leave_the_world_as_it_was() {
    let odds = [
        "odds.sample{ of = function() VERB return 1 end, rolls = 3 }",
        "odds.chain{ start = 0, step = function(n) VERB return n + 1 end, done = function(n) return n == 1 end }",
        "odds(function() roll.d(4) VERB return 1 end, { sample = 10 })",
    ];
    for (before, verb) in VERBS {
        for question in odds {
            let host = host();
            host.evaluate(before).unwrap();
            let world = host.world().clone();
            let question = question.replace("VERB", verb);
            host.evaluate(&question).unwrap_or_else(|error| panic!("{question}: {error}"));
            assert_eq!(*host.world(), world, "{question}");
            assert_eq!(
                format!("{:?}", host.world().records().collect::<Vec<_>>()),
                format!("{:?}", world.records().collect::<Vec<_>>()),
                "{question}"
            );
        }
    }
}

#[test]
fn every_verb_has_a_way_back_and_forth() {
    for (before, verb) in VERBS {
        let host = host();
        host.evaluate(before).unwrap();
        let start = host.world().clone();
        let (_, changes) = host.as_one(|| host.evaluate(verb)).unwrap();
        assert!(!changes.is_empty(), "{verb} changed nothing");
        let after = host.world().clone();
        assert_ne!(after, start, "{verb}");
        host.change_world(|world| world.undo(&changes));
        assert_eq!(*host.world(), start, "{verb} undone");
        host.change_world(|world| world.redo(&changes));
        assert_eq!(*host.world(), after, "{verb} redone");
    }
}

#[test]
fn a_script_error_halfway_changes_nobody() {
    for (before, verb) in VERBS {
        let host = host();
        host.evaluate(before).unwrap();
        let start: World = host.world().clone();
        let line = format!("{verb} error('the candle goes out')");
        let error: ScriptError = host.as_one(|| host.evaluate(&line)).unwrap_err();
        assert!(error.to_string().contains("the candle goes out"), "{error}");
        assert_eq!(*host.world(), start, "{line}");
    }
}

#[test]
fn exact_odds_of_a_wound_hurt_nobody() {
    let host = host();
    let answer = host.evaluate("odds(function() tam:take_damage(roll.d(6) + 14) return tam.status end)").unwrap();
    let text = answer.text.unwrap();
    assert!(text.contains("ok 66.7 %") && text.contains("bleeding 33.3 %"), "{text}");
    assert_eq!(hp(&host, "tam"), Value::Whole(18));
}

#[test]
fn a_handle_whose_making_was_undone_says_so() {
    let host = host();
    let make = "odo = character{ name = 'Odo', max_hp = 8, classes = { { class = 'cleric' } } }";
    let (_, changes) = host.as_one(|| host.evaluate(make)).unwrap();
    host.change_world(|world| world.undo(&changes));
    for line in ["odo.hp", "odo:take_damage(1)", "odo:sheet()", "odo.hp = 3", "party{ odo }"] {
        let error = host.evaluate(line).unwrap_err().to_string();
        assert!(error.contains("somebody is gone"), "{line}: {error}");
    }
    host.change_world(|world| world.redo(&changes));
    assert_eq!(hp(&host, "odo"), Value::Whole(8));
}

#[test]
fn the_word_of_the_dm_is_held_against_the_sheet_and_taken() {
    let host = host();
    let told = |line: &str| host.evaluate(line).unwrap().text.unwrap_or_default();
    told("tam:take_damage(20)");
    assert_eq!(told("tam.status"), "bleeding");
    told("tam.hp = 8");
    assert_eq!(told("tam.status .. tam.hp"), "ok8");
    told("tam.ac = 15 tam.dex = 17");
    assert_eq!(told("tam.ac + tam.dex"), "32");
    for (line, wanted) in [
        ("tam.hp = 19", "hp must be at most max_hp, 18, not 19"),
        ("tam.hp = 'many'", "hp must be a whole number"),
        ("tam.hit = 3", "hit"),
        ("tam.awake = true", "awake"),
    ] {
        let error = host.evaluate(line).unwrap_err().to_string();
        assert!(error.contains(wanted), "{line}: {error}");
    }
    assert_eq!(told("tam.hp"), "8");
}

#[test]
fn a_member_of_a_party_is_the_same_somebody() {
    let host = host();
    let line = "local seen = { [tam] = 'here' } return seen[both[1]], both[1] == tam, seen[both:members()[1]]";
    assert_eq!(host.evaluate(line).unwrap().text.unwrap(), "here, true, here");
}

#[test]
fn people_nobody_holds_make_room_for_others() {
    let host = host();
    host.run_text(
        "crowd",
        "for i = 1, 25000 do character{ name = 'x', max_hp = 1, classes = { { class = 'thief' } } } end",
    )
    .unwrap();
    assert!(host.world().len() <= 10_000);
    assert_eq!(hp(&host, "ilse"), Value::Whole(12));
}

#[test]
fn a_house_rule_that_hurts_whom_it_judges_is_refused_and_changes_nobody() {
    let host = host();
    host.evaluate("house.wrap('dying.damage', function(args, next) tam.hp = 3 return next(args) end)").unwrap();
    let start = host.world().clone();
    let error = host.as_one(|| host.evaluate("tam:take_damage(2)")).unwrap_err().to_string();
    assert!(error.contains("changed while another change"), "{error}");
    assert_eq!(*host.world(), start);
}
