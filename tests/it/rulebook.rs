//! What holds for every rule of the book, whatever it is about: texts, tables, examples, and the refusal of bad input.

use std::collections::BTreeSet;

use grognard::dice::{Random, Recorder, Seed};
use grognard::lua::Host;
use grognard::rules::Book;
use grognard::rules::core::{ErrorKind, FieldDescription, Holds, House, Referee, RuleEntry, RuleError, Value};

/// A rule's example as plain data.
fn example(host: &Host, entry: &RuleEntry) -> Value {
    let text = format!("return {}", entry.example);
    host.run_text(entry.name, &text).unwrap_or_else(|error| panic!("the example of {}: {error}", entry.name))
}

/// Resolves with dice of a fixed seed; also how many were drawn.
fn resolve(name: &str, args: Value) -> (Result<Value, RuleError>, usize) {
    let house = House::new();
    let mut source = Recorder::new(Random::new(Seed::of_text(name)));
    let result = Referee::new(&mut source, &house).resolve(name, args);
    let drawn = source.draws().len();
    (result, drawn)
}

#[test]
fn every_name_is_there_once() {
    let names: Vec<&str> = Book::shared().entries().iter().map(|entry| entry.name).collect();
    let unique: BTreeSet<&&str> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
}

#[test]
fn every_table_of_figures_reads_and_says_where_it_comes_from() {
    let tables = Book::shared().tables();
    assert!(!tables.is_empty());
    for table in tables {
        table.check_shipped().unwrap_or_else(|error| panic!("table {}: {error}", table.name()));
        assert!(!table.source().is_empty(), "table {} has no source", table.name());
    }
}

#[test]
fn no_two_tables_share_a_name() {
    let mut places = std::collections::BTreeMap::new();
    for table in Book::shared().entries().iter().flat_map(|entry| entry.tables) {
        let place = std::ptr::from_ref(*table).cast::<()>();
        let known = *places.entry(table.name()).or_insert(place);
        assert_eq!(known, place, "two tables are called {}: a patch would reach only one", table.name());
    }
}

#[test]
fn every_rule_argument_switch_and_outcome_field_has_a_text() {
    fn check(rule: &str, fields: &[FieldDescription], missing: &mut Vec<String>) {
        for field in fields {
            if field.about.is_empty() {
                missing.push(format!("{rule}: {}", field.name));
            }
            check(rule, field.holds.fields(), missing);
        }
    }
    let mut missing = Vec::new();
    for entry in Book::shared().entries() {
        if entry.summary().is_empty() {
            missing.push(format!("{} has no summary", entry.name));
        }
        check(entry.name, &entry.describe_arguments(), &mut missing);
        check(entry.name, &entry.describe_switches(), &mut missing);
        check(entry.name, &entry.describe_outcome(), &mut missing);
    }
    assert!(missing.is_empty(), "without a text:\n{}", missing.join("\n"));
}

#[test]
fn every_example_resolves() {
    let host = Host::builder().build().unwrap();
    for entry in Book::shared().entries() {
        let (result, _) = resolve(entry.name, example(&host, entry));
        result.unwrap_or_else(|error| panic!("the example of {}: {error}", entry.name));
    }
}

/// A way from the arguments to a field inside them.
#[derive(Clone)]
enum Step {
    Field(String),
    First,
}

/// The value with the one at the end of the path replaced; nothing when the path leads nowhere.
fn with(value: &Value, path: &[Step], new: &Value) -> Option<Value> {
    let Some((step, rest)) = path.split_first() else { return Some(new.clone()) };
    match (step, value) {
        (Step::Field(name), Value::Map(fields)) => {
            let inner = with(fields.get(name).unwrap_or(&Value::Nil), rest, new)?;
            let mut fields = fields.clone();
            fields.set(name, inner);
            Some(Value::Map(fields))
        }
        (Step::First, Value::List(items)) if !items.is_empty() => {
            let mut items = items.clone();
            items[0] = with(&items[0], rest, new)?;
            Some(Value::List(items))
        }
        _ => None,
    }
}

/// The values to try in place of a whole number, with the kind of error each must bring.
fn bad_numbers(least: Option<i64>, greatest: Option<i64>) -> Vec<(Value, ErrorKind)> {
    vec![
        (Value::Whole(least.map_or(i64::MIN, |least| least - 1)), ErrorKind::OutOfRange),
        (Value::Whole(greatest.map_or(i64::MAX, |greatest| greatest + 1)), ErrorKind::OutOfRange),
        (Value::Number(1e300), ErrorKind::OutOfRange),
        (Value::Number(least.unwrap_or(1) as f64 + 0.5), ErrorKind::BadType),
        (Value::Text("three".into()), ErrorKind::BadType),
        (Value::Bool(true), ErrorKind::BadType),
        (Value::Number(f64::NAN), ErrorKind::BadType),
        (Value::Number(f64::INFINITY), ErrorKind::BadType),
        (Value::List(vec![Value::Whole(1)]), ErrorKind::BadType),
    ]
}

/// Tries bad numbers in every whole-number field under a path, and its absence where it has to be there.
fn try_fields(entry: &RuleEntry, good: &Value, path: &[Step], fields: &[FieldDescription], tried: &mut usize) {
    for field in fields {
        let mut here = path.to_vec();
        here.push(Step::Field(field.name.clone()));
        try_value(entry, good, &here, &field.name, &field.holds, tried);
        if field.required
            && let Some(args) = with(good, &here, &Value::Nil)
        {
            expect(entry, args, ErrorKind::Missing, &field.name, "absent");
            *tried += 1;
        }
    }
}

fn try_value(entry: &RuleEntry, good: &Value, path: &[Step], name: &str, holds: &Holds, tried: &mut usize) {
    match holds {
        Holds::Whole { least, greatest } => {
            for (bad, kind) in bad_numbers(*least, *greatest) {
                if let Some(args) = with(good, path, &bad) {
                    expect(entry, args, kind, name, &bad.described());
                    *tried += 1;
                }
            }
        }
        Holds::Table(fields) => try_fields(entry, good, path, fields, tried),
        Holds::List(item) => {
            let mut first = path.to_vec();
            first.push(Step::First);
            try_value(entry, good, &first, name, item, tried);
        }
        _ => {}
    }
}

fn expect(entry: &RuleEntry, args: Value, kind: ErrorKind, field: &str, what: &str) {
    let (result, drawn) = resolve(entry.name, args);
    let error = match result {
        Err(error) => error,
        Ok(outcome) => panic!("{}: {field} {what} was taken, and gave {outcome}", entry.name),
    };
    assert_eq!(error.kind(), kind, "{}: {field} {what} gave: {error}", entry.name);
    let path = error.field().unwrap_or_default();
    let named = path.split(['.', '[', ']']).any(|part| part == field);
    assert!(named, "{}: {field} {what} is blamed on {path}: {error}", entry.name);
    assert_eq!(drawn, 0, "{}: dice fell before {field} {what} was refused", entry.name);
}

#[test]
fn every_bad_number_is_refused_by_name_before_a_die_falls() {
    let host = Host::builder().build().unwrap();
    let mut tried = 0;
    for entry in Book::shared().entries() {
        let good = example(&host, entry);
        try_fields(entry, &good, &[], &entry.describe_arguments(), &mut tried);
    }
    assert!(tried > 500, "only {tried} bad arguments were tried");
}

#[test]
fn an_unknown_argument_or_switch_names_the_nearest() {
    let host = Host::builder().build().unwrap();
    for entry in Book::shared().entries() {
        let mut args = example(&host, entry);
        if let Value::Map(fields) = &mut args {
            fields.set("zzzzzz", Value::Whole(1));
        }
        let error = resolve(entry.name, args).0.unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("zzzzzz")), "{}", entry.name);
        let mut args = example(&host, entry);
        if let Value::Map(fields) = &mut args {
            fields.set("options", serde_json::from_str(r#"{"zzzzzz":1}"#).unwrap());
        }
        let error = resolve(entry.name, args).0.unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("options.zzzzzz")), "{}", entry.name);
    }
}
