//! The floors of the house: a floor imports only floors below it, and the lower ones never name the Lua machine.

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up.
const FLOORS: [&str; 7] = ["dice", "odds", "rules", "world", "battle", "lua", "cli"];
/// Floors that know nothing of Lua.
const WITHOUT_LUA: [&str; 5] = ["dice", "odds", "rules", "world", "battle"];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file, comments left out.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The floors that a piece of code names: `crate::rules`, `grognard::rules`, `crate::{rules, …}`.
fn floors_named(code: &str) -> Vec<&'static str> {
    let mut named: Vec<&'static str> = Vec::new();
    for root in ["crate::", "grognard::"] {
        for (at, _) in code.match_indices(root) {
            let rest = code[at + root.len()..].trim_start();
            let parts: Vec<&str> = match rest.strip_prefix('{') {
                // A grouped import: the first word of each part of the outer group.
                Some(group) => {
                    let mut depth = 1;
                    let end = group.find(|c| {
                        depth += match c {
                            '{' => 1,
                            '}' => -1,
                            _ => 0,
                        };
                        depth == 0
                    });
                    group[..end.unwrap_or(group.len())].split(',').collect()
                }
                None => vec![rest],
            };
            for part in parts {
                let part = part.trim_start();
                let word = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                named.extend(FLOORS.into_iter().filter(|floor| *floor == word));
            }
        }
    }
    named
}

#[test]
fn no_import_runs_upwards() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    let mut faults = Vec::new();
    for (height, floor) in FLOORS.iter().enumerate() {
        let mut files = Vec::new();
        rust_files(&source.join(floor), &mut files);
        for file in files {
            seen += 1;
            let code = code(&file);
            for named in floors_named(&code) {
                if FLOORS.iter().position(|other| *other == named).unwrap() > height {
                    faults.push(format!("{} imports {named} from above", file.display()));
                }
            }
            if WITHOUT_LUA.contains(floor) && code.contains("mlua") {
                faults.push(format!("{} names mlua", file.display()));
            }
        }
    }
    assert!(seen > 10, "only {seen} files found: the test looks in the wrong place");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rules_neither_print_nor_read_a_clock_nor_hold_a_generator() {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules"), &mut files);
    for file in files {
        // Answers to requests without dice of their own are seeded where they arrive, not inside a rule.
        if file.ends_with("core/answer.rs") {
            continue;
        }
        let code = code(&file);
        for banned in ["println!", "print!", "eprintln!", "std::time", "Instant", "Xoshiro", "dice::Random"] {
            assert!(!code.contains(banned), "{} has {banned}", file.display());
        }
    }
}

#[test]
fn a_grouped_import_is_seen() {
    assert_eq!(floors_named("use crate::{dice::Die, lua::{Host}};"), ["dice", "lua"]);
    assert_eq!(floors_named("grognard::rules::Book"), ["rules"]);
    assert!(floors_named("use super::core::Rule;").is_empty());
}
