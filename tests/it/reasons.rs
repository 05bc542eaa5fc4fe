//! What a rule forbids it gives a reason for: each reason that its outcome lists can be given, and it gives no other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use grognard::dice::{Random, Scripted, Seed};
use grognard::rules::Book;
use grognard::rules::core::{FieldDescription, Holds, House, Referee, Value};

/// The fields of outcomes that tell why something is not done.
const FIELDS: [&str; 3] = ["reason", "reasons", "attack_not_used"];

/// Reasons by the path of their field: `psionic.segment a.attack_not_used`.
type Reasons = BTreeMap<String, BTreeSet<String>>;

/// The names that a field of this kind lists.
fn names(holds: &Holds) -> BTreeSet<String> {
    match holds {
        Holds::OneOf(names) => names.iter().map(|(name, _)| name.clone()).collect(),
        Holds::List(item) => names(item),
        Holds::Either(several) => several.iter().flat_map(names).collect(),
        _ => BTreeSet::new(),
    }
}

fn listed(path: &str, fields: &[FieldDescription], found: &mut Reasons) {
    for field in fields {
        let names = names(&field.holds);
        if FIELDS.contains(&field.name.as_str()) && !names.is_empty() {
            found.insert(format!("{path}{}", field.name), names);
        }
        listed(&format!("{path}{}.", field.name), field.holds.fields(), found);
    }
}

fn all_listed() -> Reasons {
    let mut found = Reasons::new();
    for entry in Book::shared().entries() {
        listed(&format!("{} ", entry.name), &entry.describe_outcome(), &mut found);
    }
    found
}

/// The reasons in an outcome; the elements of a list are all of one kind.
fn given(path: &str, outcome: &Value, found: &mut Reasons) {
    match outcome {
        Value::Map(fields) => {
            for (name, value) in &fields.0 {
                let here = format!("{path}{name}");
                match value {
                    Value::Text(reason) if FIELDS.contains(&name.as_str()) => {
                        found.entry(here).or_default().insert(reason.to_string());
                    }
                    Value::List(several) if FIELDS.contains(&name.as_str()) => {
                        let texts = several.iter().filter_map(|reason| match reason {
                            Value::Text(text) => Some(text.to_string()),
                            _ => None,
                        });
                        found.entry(here).or_default().extend(texts);
                    }
                    other => given(&format!("{here}."), other, found),
                }
            }
        }
        Value::List(items) => items.iter().for_each(|item| given(path, item, found)),
        _ => {}
    }
}

/// The golden cases that end in an outcome, then the cases here.
fn cases() -> Vec<(String, Value, Option<Vec<i64>>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut all = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines().filter(|line| !line.is_empty()) {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let (Some(call), given) = (case["call"].as_str(), case["given"].clone()) else { continue };
            if Book::shared().entry(call).is_some() && case["expect"].get("error").is_none() {
                let dice = serde_json::from_value(case["dice"].clone()).unwrap();
                all.push((call.to_owned(), serde_json::from_value(given).unwrap(), dice));
            }
        }
    }
    for line in include_str!("reasons.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (call, args) = line.split_once(' ').unwrap();
        all.push((call.to_owned(), serde_json::from_str(args).unwrap_or_else(|error| panic!("{line}: {error}")), None));
    }
    all
}

#[test]
fn every_reason_listed_can_be_given_and_no_other_is() {
    let listed = all_listed();
    assert!(listed.len() > 30, "only {} fields list reasons", listed.len());
    let mut found = Reasons::new();
    let house = House::new();
    // A series is put in order unless a switch keeps it as given: only then can it stand wrongly.
    let mut given_order = House::new();
    given_order.set("psionic.series.order", Value::from("given"), "a test").unwrap();
    for (call, args, dice) in cases() {
        let outcome = match dice {
            Some(dice) => Referee::new(&mut Scripted::new(dice), &house).resolve(&call, args),
            None => Referee::new(&mut Random::new(Seed::of_text(&call)), &given_order).resolve(&call, args),
        };
        let outcome = outcome.unwrap_or_else(|error| panic!("{call}: {error}"));
        given(&format!("{call} "), &outcome, &mut found);
    }
    let mut faults = Vec::new();
    for (field, names) in &listed {
        let given = found.remove(field).unwrap_or_default();
        faults.extend(given.difference(names).map(|reason| format!("{field} gives {reason}, which it does not list")));
        faults.extend(names.difference(&given).map(|reason| format!("{field} lists {reason}, and no case gives it")));
    }
    faults.extend(found.keys().map(|field| format!("{field} lists no reasons")));
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
