//! The rows of `docs/coming-from.md` run.

use grognard::dice::notation::Dialect;
use grognard::dice::{Expression, Limits};

const PAGE: &str = include_str!("../../docs/coming-from.md");

/// The rows of the tables under a heading: what stands in backquotes in each cell, nothing where a cell has none.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(heading)).expect(heading);
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = |row: &str| row.trim_matches('|').split('|').map(quoted).collect();
    rows.map(cells).collect()
}

fn quoted(cell: &str) -> String {
    cell.split('`').nth(1).unwrap_or_default().to_owned()
}

fn printed(text: &str, dialect: Dialect) -> String {
    let read = Expression::parse_in(text, &Limits::DEFAULT, dialect);
    read.unwrap_or_else(|error| panic!("{text} in {dialect}: {error}")).to_string()
}

/// The first cell is read in the dialect and prints as the second, which prints as itself.
fn reads(heading: &str, dialect: Dialect) {
    let rows = rows(heading);
    assert!(rows.len() > 10, "{heading} has {} rows", rows.len());
    for row in rows {
        assert_eq!(printed(&row[0], dialect), row[1], "{} in {dialect}", row[0]);
        assert_eq!(printed(&row[1], Dialect::Grognard), row[1]);
    }
}

#[test]
fn spellings_that_are_read_as_they_stand_are_what_the_page_says() {
    reads("Read as it stands", Dialect::Grognard);
}

#[test]
fn dialects_are_what_the_page_says() {
    reads("`--dialect avrae`", Dialect::Avrae);
    reads("`--dialect roll20`", Dialect::Roll20);
}

#[test]
fn what_is_refused_names_the_readings_on_the_page() {
    let rows = rows("Refused");
    assert!(rows.len() > 10);
    for row in rows {
        let error = Expression::parse(&row[0]).expect_err(&row[0]);
        let suggested: Vec<&str> = error.suggestions().iter().map(|suggestion| suggestion.text.as_str()).collect();
        for reading in row[1..].iter().filter(|reading| !reading.is_empty()) {
            assert!(suggested.contains(&reading.as_str()), "{} suggests {suggested:?}, not {reading}", row[0]);
            printed(reading, Dialect::Grognard);
        }
        for (dialect, reading) in [(Dialect::Roll20, &row[1]), (Dialect::Avrae, &row[2])] {
            if !reading.is_empty() {
                assert_eq!(printed(&row[0], dialect), *reading, "{} in {dialect}", row[0]);
            }
        }
    }
}
