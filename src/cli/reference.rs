//! The rulebook as data: names, sources, arguments, switches and outcomes.

use serde_json::{Value as Json, json};

use super::help::find;
use crate::rules::core::{FieldDescription, RuleEntry};

/// The rules that a person asked for, as one JSON text: a list of records. The search is that of the pages.
pub fn json(words: &str) -> Result<String, String> {
    let matching: Vec<Json> = find(words)?.entries().into_iter().map(record).collect();
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
