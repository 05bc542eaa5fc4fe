//! The rulebook as data: names, sources, arguments, switches and outcomes.

use serde_json::{Value as Json, json};

use crate::rules::Book;
use crate::rules::core::{FieldDescription, RuleEntry};

/// The rules that match, as one JSON text: a list of records.
pub fn json(words: &str) -> Result<String, String> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let matching: Vec<Json> = Book::shared()
        .entries()
        .iter()
        .filter(|entry| {
            let text = format!("{} {}", entry.name, entry.summary()).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        })
        .map(record)
        .collect();
    if matching.is_empty() {
        return Err(format!("no rule speaks of \"{}\"", words.join(" ")));
    }
    Ok(Json::from(matching).to_string())
}

fn record(entry: &RuleEntry) -> Json {
    json!({
        "name": entry.name,
        "source": entry.source,
        "summary": entry.summary(),
        "arguments": fields(&entry.describe_arguments()),
        "options": fields(&entry.describe_switches()),
        "outcome": fields(&entry.describe_outcome()),
        "tables": entry.tables.iter().map(|table| table.name()).collect::<Vec<_>>(),
        "example": entry.example,
    })
}

fn fields(described: &[FieldDescription]) -> Json {
    let field = |field: &FieldDescription| {
        json!({
            "name": field.name,
            "holds": field.holds.words(),
            "required": field.required,
            "default": field.default.as_deref().and_then(|text| serde_json::from_str::<Json>(text).ok()),
            "about": field.about,
        })
    };
    described.iter().map(field).collect()
}
