//! The adventures of mind and lance play to their ends, the same way each time, and strategies in Lua act on duels.

use std::process::{Command, Output};

use grognard::lua::{Host, Limits};

fn played(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_grog"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

/// What an adventure tells with its answers and this seed, which it tells twice.
fn told(adventure: &str, seed: &str) -> String {
    let (script, answers) =
        (format!("scripts/adventures/{adventure}.lua"), format!("scripts/adventures/{adventure}.answers"));
    let arguments = ["run", &script, "--answers", &answers, "--seed", seed];
    let (first, second) = (played(&arguments), played(&arguments));
    let complaints = String::from_utf8_lossy(&first.stderr).into_owned();
    assert!(first.status.success(), "{complaints}");
    assert_eq!(first.stdout, second.stdout);
    String::from_utf8(first.stdout).unwrap()
}

#[test]
fn the_duel_in_the_well_plays_to_its_end_the_same_way_each_time() {
    let story = told("duel", "3");
    for scene in ["Sorrel unrolls the scroll", "the third of the circle", "hit points", "The end."] {
        assert!(story.contains(scene), "nothing of \"{scene}\" in:\n{story}");
    }
    // The series fights through its last member alone, whatever it comes to.
    assert!(!story.contains("1.1  the first of the circle:"), "{story}");
}

#[test]
fn the_tournament_has_one_champion_after_seven_bouts() {
    let story = told("tournament", "5");
    assert!(story.contains("takes the purse"), "{story}");
    let through = story.matches(" wins; ").count() + story.matches(" goes on.").count();
    assert_eq!(through, 7, "{story}");
}

/// A duel of two equals, told by its events, after a line of Lua.
fn duel_after(line: &str) -> String {
    let host = Host::builder().seed("duel").limits(Limits::default()).build().unwrap();
    let mind = |name: &str, side: &str| {
        format!(
            "{{ name = '{name}', side = '{side}', attack_strength = 60, defense_strength = 60, hp = 20, \
             attack_modes = {{ 'mind_thrust', 'id_insinuation' }}, \
             defense_modes = {{ 'mind_blank', 'thought_shield' }} }}"
        )
    };
    let text = format!(
        "local psionic = require '@std/psionic'\n{line}\n\
         local duel = rules.psionic.duel{{ distance_inches = 3, max_segments = 1, minds = {{ {}, {} }} }}\n\
         local told = ''\n\
         for _, event in duel.events do told ..= `{{event.attacker}}:{{event.attack_mode}}:{{event.defense_mode}} ` end\n\
         error(`it went: {{told}}`)",
        mind("Vey", "a"),
        mind("Ulm", "b"),
    );
    host.run_text("duel.lua", &text).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_strategy_in_lua_acts_for_its_own_mind_only() {
    let patient = duel_after("psionic.play{ Vey = psionic.patient }");
    assert!(!patient.contains("Vey:") && patient.contains("Ulm:"), "{patient}");
    let sparing = duel_after("psionic.play{ Vey = psionic.sparing, Ulm = psionic.storm }");
    assert!(sparing.contains("Vey:mind_thrust") && sparing.contains("Ulm:id_insinuation"), "{sparing}");
    let shielded = duel_after("psionic.play{ Ulm = psionic.behind('thought_shield') }");
    let on_ulm = shielded.split_whitespace().find(|word| word.starts_with("Vey:")).unwrap_or_default();
    assert!(on_ulm.ends_with(":thought_shield"), "{shielded}");
}

#[test]
fn a_strategy_with_an_unknown_part_is_refused_by_name() {
    let refused = duel_after("psionic.play{ Vey = { atack = function() return {} end } }");
    assert!(refused.contains("\"atack\""), "{refused}");
}
