//! The pages in `docs/coverage/` name rules, golden files and tests that exist, and leave out no entry that a rule or a
//! golden case cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use grognard::rules::Book;

const BOOKS: [&str; 3] = ["first-edition", "combat-details", "house-rules"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A row of a page: the entry and its cells.
struct Entry {
    id: String,
    carried_by: String,
    tests: String,
}

fn entries(book: &str) -> Vec<Entry> {
    let page = fs::read_to_string(root().join("docs/coverage").join(format!("{book}.md"))).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| entry |"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 4, "{book}: {row}");
        Entry { id: cells[0].into(), carried_by: cells[2].into(), tests: cells[3].into() }
    })
    .collect()
}

/// What stands between backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The names of all functions marked as tests.
fn tests_in_the_sources() -> BTreeSet<String> {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    rust_files(&root().join("tests"), &mut files);
    let mut names = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap();
        for marked in text.split("#[test]").skip(1) {
            if let Some(name) = marked.split("fn ").nth(1).and_then(|rest| rest.split('(').next()) {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

/// The entries of a book that a golden file holds cases of.
fn cited_by_golden(file: &str, book: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("tests/golden").join(file)).unwrap();
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .filter_map(|line| {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let of_book = case["id"].as_str()?.split('/').next()? == book;
            of_book.then(|| case["rule"].as_str().map(str::to_owned))?
        })
        .collect()
}

#[test]
fn every_function_named_is_in_the_book() {
    for book in BOOKS {
        for entry in entries(book) {
            let functions: Vec<&str> = quoted(&entry.carried_by).filter(|name| name.contains('.')).collect();
            for name in &functions {
                assert!(Book::shared().entry(name).is_some(), "{book} {}: there is no rule {name}", entry.id);
            }
            // What no function carries is answered in a sentence.
            assert!(
                !functions.is_empty() || entry.carried_by.ends_with('.'),
                "{book} {}: nothing answers it",
                entry.id
            );
        }
    }
}

#[test]
fn every_test_and_golden_file_named_is_there_and_about_the_entry() {
    let tests = tests_in_the_sources();
    for book in BOOKS {
        let mut cited: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for entry in entries(book) {
            for name in quoted(&entry.tests) {
                if name.strip_suffix(".jsonl").is_some() {
                    let cited = cited.entry(name.to_owned()).or_insert_with(|| cited_by_golden(name, book));
                    assert!(cited.contains(&entry.id), "{book} {}: {name} has no case of it", entry.id);
                } else {
                    assert!(tests.contains(name), "{book} {}: there is no test {name}", entry.id);
                }
            }
        }
    }
}

#[test]
fn no_entry_that_is_cited_is_left_out() {
    for book in BOOKS {
        let listed: BTreeSet<String> = entries(book).into_iter().map(|entry| entry.id).collect();
        assert!(listed.len() >= 50, "{book} has {} entries", listed.len());
        for rule in Book::shared().entries() {
            for source in rule.source {
                if let Some((of, id)) = source.split_once(' ').filter(|(of, _)| *of == book) {
                    assert!(listed.contains(id), "{} cites {of} {id}, which its page leaves out", rule.name);
                }
            }
        }
        for file in fs::read_dir(root().join("tests/golden")).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            if file.strip_suffix(".jsonl").is_some() {
                let left_out: Vec<String> = cited_by_golden(&file, book).difference(&listed).cloned().collect();
                assert!(left_out.is_empty(), "{file} has cases of {left_out:?}, which the page of {book} leaves out");
            }
        }
    }
}
