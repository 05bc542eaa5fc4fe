//! The golden cases that tell the odds of a rule's outcome.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dashu_ratio::RBig;
use grognard::odds::Budget;
use grognard::rules::Book;
use grognard::rules::core::{House, Value};
use grognard::rules::odds::of_rule;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    call: String,
    given: Value,
    of: String,
    distribution: Vec<Share>,
}

#[derive(Deserialize)]
struct Share {
    value: Value,
    p: String,
}

fn tests_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn listed(file: &str) -> Vec<String> {
    let text = fs::read_to_string(tests_dir().join(file)).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn fraction(text: &str) -> RBig {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    RBig::from_parts(numerator.parse().unwrap(), denominator.parse().unwrap())
}

/// What is wrong with a case, if anything.
fn fault(case: &Case) -> Option<String> {
    let odds = match of_rule(&case.call, case.given.clone(), &case.of, &House::new(), &Budget::default()) {
        Ok(odds) => odds,
        Err(error) => return Some(error.to_string()),
    };
    let expected: BTreeMap<String, RBig> =
        case.distribution.iter().map(|share| (share.value.to_json(), fraction(&share.p))).collect();
    let entries = odds.distribution.entries().iter();
    let found: BTreeMap<String, RBig> = entries
        .map(|(value, weight)| {
            let share = RBig::from_parts(weight.clone().into(), odds.distribution.total().clone());
            (value.to_json(), share)
        })
        .collect();
    (found != expected).then(|| format!("expected {expected:?}, got {found:?}"))
}

#[test]
fn every_golden_case_of_the_rules_built_has_its_odds() {
    let pending = listed("golden_pending.txt");
    let disputed = listed("golden_disputed.txt");
    let text = fs::read_to_string(tests_dir().join("golden/odds.jsonl")).unwrap();
    let (mut held, mut faults) = (0, Vec::new());
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        if pending.contains(&case.call) || disputed.contains(&case.id) {
            continue;
        }
        assert!(Book::shared().entry(&case.call).is_some(), "{} is neither built nor pending", case.call);
        match fault(&case) {
            None => held += 1,
            Some(fault) => faults.push(format!("{} {} of {}: {fault}", case.id, case.call, case.of)),
        }
    }
    assert!(faults.is_empty(), "{held} cases hold, {} do not:\n{}", faults.len(), faults.join("\n"));
    assert!(held > 0, "no golden case was run");
}
