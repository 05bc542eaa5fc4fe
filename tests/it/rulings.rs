//! The rulings on rulebook examples: `scripts/analyses/rulings.lua` is the readable test, this runs it.

use std::path::Path;

use grognard::lua::Host;
use grognard::lua::voice::{Answers, Transcript};
use grognard::rules::core::Value;

#[test]
fn every_ruling_is_as_the_rules_give_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/analyses/rulings.lua");
    let transcript = Transcript::default();
    let host = Host::builder().seed("rulings").voice(Answers::new("", transcript.clone())).build().unwrap();
    let outcome = host.run_file(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outcome.get("failures"), None, "{}", transcript.text());
    let Some(Value::List(ids)) = outcome.get("rulings") else { panic!("{outcome}") };
    // Of nineteen, three are readings without a figure.
    assert_eq!(ids.len(), 16);
    let text = transcript.text();
    assert!(text.contains("16 rulings, 16 as the rules give them."), "{text}");
}

/// A ruling that the rules do not bear out is told with what they give.
#[test]
fn a_wrong_ruling_is_told() {
    let script =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/analyses/rulings.lua")).unwrap();
    let wrong = script.replace("same(\"+3 a die\", bonus(3), 27)", "same(\"+3 a die\", bonus(3), 30)");
    assert_ne!(script, wrong);
    let outcome = Host::builder().build().unwrap().run_text("rulings.lua", &wrong).unwrap();
    let failures = outcome.get("failures").unwrap_or_else(|| panic!("{outcome}")).to_string();
    assert!(failures.contains("RULING-05") && failures.contains("the rules give 27, not 30"), "{failures}");
}
