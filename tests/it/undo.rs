//! The way back at the prompt: what was typed last is taken back, dice and all, and done again.

use std::io::Write as _;
use std::process::{Command, Stdio};

const TAM: &str = r#"tam = character{ name = "Tam", max_hp = 18, classes = { { class = "fighter", level = 3 } } }"#;

/// What the prompt answers to these lines: standard output, and what it complains of.
fn prompt(lines: &[&str]) -> (String, String) {
    let mut grog = Command::new(env!("CARGO_BIN_EXE_grog"))
        .args(["--seed", "yew", "--time-limit", "0.5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    grog.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    let output = grog.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn told(lines: &[&str]) -> Vec<String> {
    let (out, err) = prompt(lines);
    assert_eq!(err, "", "{out}");
    out.lines().map(str::to_owned).collect()
}

#[test]
fn an_undone_roll_falls_again_as_it_fell() {
    let lines = told(&["4d6", "undo", "4d6"]);
    assert_eq!(lines[0], lines[2]);
    assert_eq!(lines[1], "undone: 4d6 · the dice are where they were");
}

#[test]
fn what_was_undone_is_told_and_done_again() {
    let lines =
        told(&[TAM, "tam:take_damage(9)", "tam.hp", "undo", "tam.hp", "redo", "tam.hp", "undo 2", "redo", "tam.hp"]);
    let wanted = [
        "9",
        "undone: tam:take_damage(9) · Tam is at 18 again",
        "18",
        "done again: tam:take_damage(9) · Tam 18 → 9",
        "9",
        "undone: tam:take_damage(9) · Tam is at 18 again",
    ];
    for line in wanted {
        assert!(lines.iter().any(|told| told == line), "{line} is not in {lines:#?}");
    }
    assert!(lines.iter().any(|told| told.starts_with("undone: tam = character") && told.ends_with("Tam is gone")));
    assert_eq!(lines.last().unwrap(), "18");
}

#[test]
fn an_entry_that_fails_has_not_happened() {
    let (out, err) =
        prompt(&[TAM, "4d6", "undo", "tam:take_damage(roll.d(6)) error('the candle goes out')", "tam.hp", "4d6"]);
    assert!(err.contains("the candle goes out"), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    let [.., first, _, hp, again] = lines[..] else { panic!("{out}") };
    assert_eq!((hp, first), ("18", again));
}

#[test]
fn a_die_that_was_misread_carries_its_consequences_through() {
    let blow = "rules.attack.roll{ ac = 13, attack_bonus = 1 }.hit";
    let deal = |face: &str| vec!["d20".to_owned(), format!("die #1 was {face}"), "log".to_owned()];
    let lines = deal("7");
    let lines = told(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(lines[1].contains("d20 once more") && lines[2] == "d20 [7] = 7", "{lines:#?}");
    assert!(lines[3].ends_with("(undone)") && lines[4].contains("[d20 7]"), "{lines:#?}");
    for (face, hit) in [("12", "true"), ("11", "false")] {
        let lines = told(&[blow, &format!("die #1 was {face}")]);
        assert_eq!(lines.last().unwrap(), hit);
    }
    // After an undo it is the undone entry that is meant, and dice beyond it fall as they would have fallen.
    let (out, _) = prompt(&["2d6", "4d8", "undo 2", "2d6", "4d8"]);
    let plain: Vec<&str> = out.lines().collect();
    let changed = told(&["2d6", "undo", "die #2 was 1", "4d8"]);
    assert!(changed[3].starts_with("2d6 [") && changed[3].contains(", 1]"), "{changed:#?}");
    assert_ne!(plain[0], "");
}

#[test]
fn a_die_is_refused_when_it_cannot_be_meant_or_show_that() {
    let (out, err) = prompt(&[
        TAM,
        "tam:take_damage(roll.d(6))",
        "tam.hp",
        "die #1 was 7",
        "tam.hp",
        "die 9 was 1",
        "die #2 was 1",
        "die x was 1",
        "undo 9",
        "redo",
    ]);
    for wanted in [
        "cannot show 7",
        "no die showed 9: the dice were #1 d6",
        "there is no die #2",
        "by what it showed (17)",
        "there are only 2 entries to undo",
        "there is nothing to redo",
    ] {
        assert!(err.contains(wanted), "{wanted}: {err}");
    }
    let hp: Vec<&str> = out.lines().filter(|line| line.parse::<i64>().is_ok()).collect();
    assert_eq!(hp.len(), 2, "{out}");
    assert_eq!(hp[0], hp[1]);
}

#[test]
fn people_outlive_the_machine() {
    let (out, err) = prompt(&[TAM, "tam:take_damage(5)", "while true do end", "tam.hp", "undo", "tam.hp"]);
    assert!(err.contains("a new machine is in place"), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    let [.., before, undone, after] = lines[..] else { panic!("{out}") };
    assert_eq!((before, after), ("13", "18"));
    assert!(undone.contains("Tam is at 18 again"), "{undone}");
}
