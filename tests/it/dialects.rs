//! Other tools' notations through the program: on the command line, a request a line, at the prompt, in Lua.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn grog(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grog"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn out(arguments: &[&str], input: &str) -> String {
    let output = grog(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_roll_in_a_dialect_says_ours_beside_it() {
    let said = out(&["roll", "--dialect", "avrae", "4d6k3", "--dice", "3,1,3,6"], "");
    assert_eq!(said, "4d6k3 in avrae is 4d6k=3 here\n4d6k=3 [3, (1), 3, (6)] = 6\n");
    let json = out(&["roll", "--dialect", "roll20", "4d6k3", "--dice", "3,1,3,6", "--json"], "");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["total"], &json["read_as"]), (&12.into(), &"4d6kh3".into()));
    let unknown = grog(&["roll", "--dialect", "avre", "4d6k3"], "");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8(unknown.stderr).unwrap().contains("the nearest is avrae"));
}

#[test]
fn a_request_names_its_dialect() {
    let requests = "{\"expr\":\"4d6k3\",\"dice\":[3,1,3,6],\"dialect\":\"avrae\"}\n\
                    {\"expr\":\"4d6k3\",\"dice\":[3,1,3,6],\"dialect\":\"roll20\"}\n\
                    {\"expr\":\"4d6k3\",\"dialect\":\"rol20\"}\n{\"expr\":\"4d6k3\"}\n";
    let answers = out(&["roll", "--jsonl"], requests);
    let answers: Vec<serde_json::Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["ok"]["total"], 6);
    assert_eq!(answers[0]["ok"]["read_as"], "4d6k=3");
    assert_eq!(answers[1]["ok"]["total"], 12);
    assert_eq!(answers[2]["error"], "unknown_name");
    assert!(answers[2]["message"].as_str().unwrap().contains("the nearest is roll20"));
    assert_eq!(answers[3]["error"], "unclear");
}

#[test]
fn the_prompt_and_lua_take_a_dialect() {
    let typed = ":dialect avrae\n3d1k1\n:dialect grognard\n2d1kh1\n\
                 roll(\"3d1k1\", { dialect = \"avrae\" }).read_as\nroll(\"3d1k1\", { dialect = \"roll20\" }).read_as\n\
                 roll(\"1d1+$n\", { n = 2 }).total\n";
    let said = out(&[], typed);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "dice are read as avrae writes them");
    assert!(lines[1].starts_with("3d1k=1 "), "{said}");
    assert!(said.contains("3d1k=1\"") || said.contains("\n3d1k=1\n"), "{said}");
    assert!(said.contains("3d1kh1"), "{said}");
    assert!(said.trim_end().ends_with('3'), "{said}");
}

#[test]
fn dice_may_begin_with_a_minus() {
    assert_eq!(out(&["roll", "-9d1"], ""), "-9d1 [1, 1, 1, 1, 1, 1, 1, 1, 1] = -9\n");
    assert_eq!(out(&["roll", "--dice", "3", "-d6"], ""), "-d6 [3] = -3\n");
    assert_eq!(out(&["roll", "--", "-d1"], ""), "-d1 [1] = -1\n");
    let slip = grog(&["roll", "--tims", "3"], "");
    assert_eq!(slip.status.code(), Some(2), "{}", String::from_utf8_lossy(&slip.stderr));
}
