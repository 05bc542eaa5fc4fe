//! What a rule's schemas say, in a form that help, completion, stubs and the reference share.

use schemars::Schema;
use serde_json::{Map, Value as Json};

use super::rule::RuleEntry;

/// A field of a rule's arguments, switches or outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDescription {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Whether it has to be there (of an outcome's field: whether it always is).
    pub required: bool,
    /// What it is when it is not given, as JSON text; absent when there is no default.
    pub default: Option<String>,
    /// Its help text.
    pub about: String,
}

/// What a field can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// A whole number, with its bounds where it has them.
    Whole {
        /// The least.
        least: Option<i64>,
        /// The greatest.
        greatest: Option<i64>,
    },
    /// Any number.
    Number,
    /// Yes or no.
    YesNo,
    /// Text.
    Text,
    /// Dice such as `1d6+2`.
    Dice,
    /// One of these names, each with what it means.
    OneOf(Vec<(String, String)>),
    /// A list.
    List(Box<Holds>),
    /// A table with these fields.
    Table(Vec<FieldDescription>),
    /// A table from any names to values.
    Named(Box<Holds>),
    /// One of several.
    Either(Vec<Holds>),
    /// Any plain data.
    Anything,
}

impl Holds {
    /// In a few words: `whole 1 to 20`, `one of none, good, very_good`, `list of whole`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Holds::Whole { least: None, greatest: None } => "whole number".into(),
            Holds::Whole { least: Some(least), greatest: None } => format!("whole number, {least} or more"),
            Holds::Whole { least: None, greatest: Some(greatest) } => format!("whole number, {greatest} or less"),
            Holds::Whole { least: Some(least), greatest: Some(greatest) } => {
                format!("whole number, {least} to {greatest}")
            }
            Holds::Number => "number".into(),
            Holds::YesNo => "true or false".into(),
            Holds::Text => "text".into(),
            Holds::Dice => "dice, such as \"1d6+2\"".into(),
            Holds::OneOf(names) => names.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(" | "),
            Holds::List(item) => format!("list of {}", item.words()),
            Holds::Table(fields) => {
                let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
                format!("{{ {} }}", names.join(", "))
            }
            Holds::Named(item) => format!("table from names to {}", item.words()),
            Holds::Either(several) => several.iter().map(Holds::words).collect::<Vec<_>>().join(", or "),
            Holds::Anything => "any data".into(),
        }
    }

    /// The fields of the table this is, or of the tables in the list this is.
    #[must_use]
    pub fn fields(&self) -> &[FieldDescription] {
        match self {
            Holds::Table(fields) => fields,
            Holds::List(item) | Holds::Named(item) => item.fields(),
            _ => &[],
        }
    }
}

impl RuleEntry {
    /// The arguments, without `options`.
    #[must_use]
    pub fn describe_arguments(&self) -> Vec<FieldDescription> {
        described(&(self.args)())
    }

    /// The switches.
    #[must_use]
    pub fn describe_switches(&self) -> Vec<FieldDescription> {
        described(&(self.options)())
    }

    /// The fields of the outcome.
    #[must_use]
    pub fn describe_outcome(&self) -> Vec<FieldDescription> {
        described(&(self.outcome)())
    }
}

/// The fields that the schema of a record describes.
pub(crate) fn described(schema: &Schema) -> Vec<FieldDescription> {
    let Some(root) = schema.as_object() else { return Vec::new() };
    let definitions = root.get("$defs").and_then(Json::as_object);
    Reader { definitions }.fields(root)
}

struct Reader<'a> {
    definitions: Option<&'a Map<String, Json>>,
}

impl<'a> Reader<'a> {
    /// The schema that a reference points to, or the schema itself.
    fn target(&self, schema: &'a Map<String, Json>) -> &'a Map<String, Json> {
        let name = schema.get("$ref").and_then(Json::as_str).and_then(|path| path.rsplit('/').next());
        name.and_then(|name| self.definitions?.get(name)?.as_object()).unwrap_or(schema)
    }

    fn fields(&self, schema: &'a Map<String, Json>) -> Vec<FieldDescription> {
        let Some(properties) = schema.get("properties").and_then(Json::as_object) else { return Vec::new() };
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Json::as_array)
            .map(|names| names.iter().filter_map(Json::as_str).collect())
            .unwrap_or_default();
        let field = |(name, schema): (&String, &'a Json)| {
            let schema = schema.as_object()?;
            let target = self.target(schema);
            let about = schema.get("description").or_else(|| target.get("description"));
            let default = schema.get("default").filter(|default| !default.is_null());
            Some(FieldDescription {
                name: name.clone(),
                holds: self.holds(schema),
                required: required.contains(&name.as_str()),
                default: default.map(ToString::to_string),
                about: one_line(about.and_then(Json::as_str).unwrap_or_default()),
            })
        };
        properties.iter().filter_map(field).collect()
    }

    fn holds(&self, schema: &'a Map<String, Json>) -> Holds {
        let schema = self.target(schema);
        for several in ["anyOf", "oneOf"] {
            if let Some(alternatives) = schema.get(several).and_then(Json::as_array) {
                return self.either(alternatives);
            }
        }
        if let Some(names) = schema.get("enum").and_then(Json::as_array) {
            let names = names.iter().filter_map(Json::as_str).map(|name| (name.to_owned(), String::new()));
            return Holds::OneOf(names.collect());
        }
        if let Some(name) = schema.get("const").and_then(Json::as_str) {
            let about = schema.get("description").and_then(Json::as_str).unwrap_or_default();
            return Holds::OneOf(vec![(name.to_owned(), one_line(about))]);
        }
        let kind = match schema.get("type") {
            Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).find(|kind| *kind != "null"),
            Some(Json::String(kind)) => Some(kind.as_str()),
            _ => None,
        };
        match kind {
            Some("integer") => {
                let bound = |name: &str| schema.get(name).and_then(Json::as_i64);
                // Outcomes hold plain machine integers, whose own bounds say nothing to a reader.
                let plain = schema.contains_key("format");
                Holds::Whole {
                    least: bound("minimum").filter(|_| !plain),
                    greatest: bound("maximum").filter(|_| !plain),
                }
            }
            Some("number") => Holds::Number,
            Some("boolean") => Holds::YesNo,
            Some("string") if schema.get("format").and_then(Json::as_str) == Some("dice") => Holds::Dice,
            Some("string") => Holds::Text,
            Some("array") => {
                let item = schema.get("items").and_then(Json::as_object);
                Holds::List(Box::new(item.map_or(Holds::Anything, |item| self.holds(item))))
            }
            Some("object") if schema.contains_key("properties") => Holds::Table(self.fields(schema)),
            Some("object") => {
                let item = schema.get("additionalProperties").and_then(Json::as_object);
                item.map_or_else(|| Holds::Table(Vec::new()), |item| Holds::Named(Box::new(self.holds(item))))
            }
            _ => Holds::Anything,
        }
    }

    /// Alternatives; names come together in one list, and "or nothing" is what `required` says already.
    fn either(&self, alternatives: &'a [Json]) -> Holds {
        let mut names = Vec::new();
        let mut several = Vec::new();
        for alternative in alternatives.iter().filter_map(Json::as_object) {
            if alternative.get("type").and_then(Json::as_str) == Some("null") {
                continue;
            }
            match self.holds(alternative) {
                Holds::OneOf(more) => names.extend(more),
                other => several.push(other),
            }
        }
        if !names.is_empty() {
            several.push(Holds::OneOf(names));
        }
        if several.len() == 1 { several.remove(0) } else { Holds::Either(several) }
    }
}

/// A doc comment as running text.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::rules::Book;

    #[test]
    fn arguments_switches_and_outcome_are_described() {
        let entry = Book::shared().entry("check.roll").unwrap();
        let arguments = entry.describe_arguments();
        let named = |name: &str| arguments.iter().find(|field| field.name == name).unwrap();
        assert!(named("score").required && !named("bonus").required);
        assert_eq!(named("score").holds.words(), "whole number, 0 or more");
        assert_eq!(named("difficulty").holds.words(), "whole number, 1 to 1000, or \"average\" | \"hard\"");
        assert_eq!(named("good_at").holds.words(), "\"none\" | \"good\" | \"very_good\"");
        let switches = entry.describe_switches();
        assert_eq!(switches[0].name, "min_dice");
        assert_eq!(switches[0].holds.words(), "whole number, 0 to 1");
        let outcome = entry.describe_outcome();
        assert!(outcome.iter().any(|field| field.name == "rolls" && field.holds.words() == "list of whole number"));
        assert!(outcome.iter().all(|field| !field.about.is_empty()));
    }
}
