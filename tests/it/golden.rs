//! The golden cases of every module, through the same entry as `grog resolve --jsonl`.
//!
//! `tests/golden/MODULE.jsonl` holds them; modules that are not built yet are listed in `tests/golden_pending.txt`,
//! cases that contradict the source text in `tests/golden_disputed.txt`, each with its reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use grognard::dice::Scripted;
use grognard::rules::Book;
use grognard::rules::core::{House, Request, Value};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    call: String,
    given: Value,
    dice: Vec<i64>,
    sides: Vec<u32>,
    expect: Value,
}

fn tests_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The first words of the lines of a list, `#` comments left out.
fn listed(file: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(tests_dir().join(file)).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Whether an outcome holds what is expected: objects field by field, lists element by element, numbers by value, null
/// standing for an absent field.
fn holds(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Map(fields), Value::Map(_)) => {
            fields.0.iter().all(|(name, value)| holds(value, found.get(name).unwrap_or(&Value::Nil)))
        }
        (Value::List(expected), Value::List(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(e, f)| holds(e, f))
        }
        (Value::Number(e), Value::Number(f)) => (e - f).abs() < 1e-9,
        _ => expected == found,
    }
}

/// The field named is the argument at fault, or a part of the path to it.
fn at_fault(expected: Option<&Value>, path: Option<&str>) -> bool {
    let Some(Value::Text(expected)) = expected else { return true };
    let path = path.unwrap_or_default();
    path == expected.as_str() || path.split(['.', '[', ']']).any(|part| part == expected.as_str())
}

/// What is wrong with a case, if anything.
fn fault(case: &Case) -> Option<String> {
    let request = Request {
        call: case.call.clone(),
        given: case.given.clone(),
        dice: Some(case.dice.clone()),
        ..Request::default()
    };
    let result = request.answer(&House::new(), &mut Scripted::default());
    match (case.expect.get("error"), result) {
        (Some(Value::Text(kind)), Err(error)) => {
            let right =
                (kind == "*" || kind == error.kind().name()) && at_fault(case.expect.get("field"), error.field());
            (!right).then(|| format!("expected {}, got {}: {error}", case.expect, error.kind().name()))
        }
        (Some(_), Ok(answer)) => Some(format!("expected {}, got {}", case.expect, answer.ok)),
        (None, Err(error)) => Some(format!("expected {}, got {}: {error}", case.expect, error.kind().name())),
        (None, Ok(answer)) => {
            let right = holds(&case.expect, &answer.ok) && answer.sides == case.sides && answer.unused == 0;
            (!right).then(|| {
                format!(
                    "expected {} on {:?}, got {} on {:?}, {} unused",
                    case.expect, case.sides, answer.ok, answer.sides, answer.unused
                )
            })
        }
        (Some(_), Err(_)) => Some("the case's error kind is not text".into()),
    }
}

/// The rule modules that have golden files, with their cases.
fn modules() -> Vec<(String, Vec<Case>)> {
    let mut modules = Vec::new();
    for file in fs::read_dir(tests_dir().join("golden")).unwrap() {
        let path = file.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Notation and odds have their own requests, and their own tests.
        if module == "notation" || module == "odds" {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let cases = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        modules.push((module, cases));
    }
    modules.sort_by(|a, b| a.0.cmp(&b.0));
    modules
}

#[test]
fn every_golden_case_of_the_rules_built_holds() {
    let pending = listed("golden_pending.txt");
    let disputed = listed("golden_disputed.txt");
    let mut faults = Vec::new();
    let mut held = 0;
    for (_, cases) in modules() {
        for case in cases {
            if pending.contains(&case.call) || disputed.contains(&case.id) {
                continue;
            }
            match fault(&case) {
                None => held += 1,
                Some(fault) => faults.push(format!("{} {} {}: {fault}", case.id, case.call, case.given)),
            }
        }
    }
    assert!(faults.is_empty(), "{held} cases hold, {} do not:\n{}", faults.len(), faults.join("\n"));
    assert!(held > 0, "no golden case was run");
}

#[test]
fn a_rule_listed_as_pending_is_not_in_the_book() {
    let built: Vec<String> =
        listed("golden_pending.txt").into_iter().filter(|name| Book::shared().entry(name).is_some()).collect();
    assert!(built.is_empty(), "built, so take them off tests/golden_pending.txt: {}", built.join(", "));
}

#[test]
fn every_pending_rule_has_golden_cases_waiting() {
    let called: BTreeSet<String> = modules().into_iter().flat_map(|(_, cases)| cases).map(|case| case.call).collect();
    let stray: Vec<String> = listed("golden_pending.txt").into_iter().filter(|name| !called.contains(name)).collect();
    assert!(stray.is_empty(), "on tests/golden_pending.txt without a golden case: {}", stray.join(", "));
}

#[test]
fn every_disputed_case_exists() {
    let ids: BTreeSet<String> = modules().into_iter().flat_map(|(_, cases)| cases).map(|case| case.id).collect();
    // Those of notation are looked up where its cases are.
    for id in listed("golden_disputed.txt").into_iter().filter(|id| !id.starts_with("notation/")) {
        assert!(ids.contains(&id), "{id} is disputed and stands in no golden file");
    }
}

#[test]
fn the_cases_are_those_of_the_shared_folder_when_it_is_there() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/golden");
    let Ok(files) = fs::read_dir(shared) else { return };
    for file in files {
        let path = file.unwrap().path();
        let copy = tests_dir().join("golden").join(path.file_name().unwrap());
        assert_eq!(fs::read(&path).unwrap(), fs::read(&copy).unwrap_or_default(), "{} differs", copy.display());
    }
}
