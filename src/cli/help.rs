//! Help pages made from the rules' own definitions.

use std::fmt::Write as _;

use crate::nearest::nearest;
use crate::rules::Book;
use crate::rules::core::{FieldDescription, Holds, RuleEntry};

/// The least column at which the texts of a list stand.
const LEAST_COLUMN: usize = 30;

/// The page of a rule: summary, arguments, switches, outcome, example, source.
pub fn rule_page(entry: &RuleEntry) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "{}    {}", entry.name, entry.source.join(", "));
    let _ = writeln!(page, "\n{}", indented(&entry.summary(), 2));
    section(&mut page, "arguments", &entry.describe_arguments());
    section(&mut page, "options", &entry.describe_switches());
    section(&mut page, "outcome", &entry.describe_outcome());
    for table in entry.tables {
        let _ = writeln!(page, "\n  table {}    {}", table.name(), table.source());
    }
    let _ = writeln!(page, "\n  example\n    rules.{}{}", entry.name, entry.example);
    page
}

/// The page of a module: its rules, a line each.
pub fn module_page(module: &str) -> String {
    format!("{module}\n{}", list(rules_of(module)))
}

fn rules_of(module: &str) -> impl Iterator<Item = &'static RuleEntry> + Clone {
    Book::shared().entries().iter().filter(move |entry| entry.module() == module)
}

/// A list of rules: their names, and beside each the first sentence of its summary, clear of the longest name.
fn list<'e>(entries: impl Iterator<Item = &'e RuleEntry> + Clone) -> String {
    let longest = entries.clone().map(|entry| entry.name.len()).max().unwrap_or_default();
    let column = (longest + 4).max(LEAST_COLUMN);
    let lines = entries.map(|entry| {
        let text = indented(&first_sentence(&entry.summary()), column);
        format!("  {:width$}{}\n", entry.name, text.trim_start(), width = column - 2)
    });
    lines.collect()
}

/// All rules, by module.
pub fn all_rules() -> String {
    let pages: Vec<String> = Book::shared().modules().into_iter().map(module_page).collect();
    pages.join("\n")
}

/// What a person asked for.
pub enum Found {
    /// The whole book.
    All,
    /// One rule.
    Rule(&'static RuleEntry),
    /// A module.
    Module(&'static str),
    /// The rules that speak of all the words.
    Rules(Vec<&'static RuleEntry>),
}

impl Found {
    /// The rules, module by module.
    pub fn entries(&self) -> Vec<&'static RuleEntry> {
        match self {
            Found::All => Book::shared().modules().into_iter().flat_map(rules_of).collect(),
            Found::Rule(entry) => vec![entry],
            Found::Module(module) => rules_of(module).collect(),
            Found::Rules(entries) => entries.clone(),
        }
    }
}

/// The page for what a person asked: a rule, a module, or the rules that speak of all the words.
pub fn page(words: &str) -> Result<String, String> {
    Ok(match find(words)? {
        Found::All => all_rules(),
        Found::Rule(entry) => rule_page(entry),
        Found::Module(module) => module_page(module),
        Found::Rules(entries) => list(entries.into_iter()),
    })
}

/// The one search: by the name of a rule or module, or by words.
pub fn find(words: &str) -> Result<Found, String> {
    let book = Book::shared();
    let asked = words.trim().trim_start_matches("rules.");
    if asked.is_empty() || asked == "rules" {
        return Ok(Found::All);
    }
    if let Some(entry) = book.entry(asked) {
        return Ok(Found::Rule(entry));
    }
    if let Some(module) = book.modules().into_iter().find(|module| *module == asked) {
        return Ok(Found::Module(module));
    }
    let words: Vec<String> = asked.split_whitespace().map(str::to_lowercase).collect();
    let found: Vec<&RuleEntry> = book
        .entries()
        .iter()
        .filter(|entry| {
            let text = format!("{} {} {}", entry.name, entry.source.join(" "), entry.summary()).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        })
        .collect();
    if !found.is_empty() {
        return Ok(Found::Rules(found));
    }
    let names = book.entries().iter().map(|entry| entry.name).chain(book.modules());
    Err(match nearest(asked, names) {
        Some(near) => format!("nothing is called \"{asked}\"; the nearest is {near}"),
        None => format!("nothing is called \"{asked}\"; `rules` lists everything"),
    })
}

fn section(page: &mut String, title: &str, fields: &[FieldDescription]) {
    if fields.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n  {title}");
    write_fields(page, fields, 4);
}

fn write_fields(page: &mut String, fields: &[FieldDescription], indent: usize) {
    for field in fields {
        let presence = match (&field.default, field.required) {
            (Some(default), _) => format!(" (default {})", default.trim_matches('"')),
            (None, false) => " (optional)".into(),
            (None, true) => String::new(),
        };
        let _ = writeln!(page, "{:indent$}{}: {}{presence}", "", field.name, field.holds.words());
        if !field.about.is_empty() {
            let _ = writeln!(page, "{}", indented(&field.about, indent + 4));
        }
        write_choices(page, &field.holds, indent + 4);
        write_fields(page, field.holds.fields(), indent + 4);
    }
}

fn write_choices(page: &mut String, holds: &Holds, indent: usize) {
    match holds {
        Holds::OneOf(choices) => {
            for (name, about) in choices.iter().filter(|(_, about)| !about.is_empty()) {
                let _ = writeln!(page, "{:indent$}{name}: {about}", "");
            }
        }
        Holds::Either(several) => several.iter().for_each(|one| write_choices(page, one, indent)),
        _ => {}
    }
}

fn first_sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.find(". ") {
        Some(end) => line[..=end].to_owned(),
        None => line,
    }
}

/// Text in lines of at most 100 columns behind an indent; blank lines part paragraphs.
fn indented(text: &str, indent: usize) -> String {
    let mut out = String::new();
    for paragraph in text.split("\n\n") {
        if !out.is_empty() {
            out.push('\n');
        }
        let mut column = 0;
        for word in paragraph.split_whitespace() {
            let width = word.chars().count();
            if column > 0 && indent + column + 1 + width > 100 {
                out.push('\n');
                column = 0;
            }
            if column == 0 {
                out.extend(std::iter::repeat_n(' ', indent));
            } else {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += width;
        }
        out.push('\n');
    }
    out.trim_end().to_owned()
}
