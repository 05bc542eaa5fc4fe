//! One thing has one name in every rule: over all tables, and over all names that arguments, switches and outcomes list.

use std::collections::{BTreeMap, BTreeSet};

use grognard::dice::Scripted;
use grognard::rules::Book;
use grognard::rules::core::names::alike;
use grognard::rules::core::{AnyTable, ErrorKind, FieldDescription, Holds, House, Referee, Value};

/// Every text of some rows, with the field that it stands in.
fn texts(value: &Value, field: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Text(text) => found.push((field.to_owned(), text.to_string())),
        Value::List(items) => items.iter().for_each(|item| texts(item, field, found)),
        Value::Map(fields) => fields.0.iter().for_each(|(name, value)| texts(value, name, found)),
        _ => {}
    }
}

/// The texts of a table, each with its field.
fn table_texts(table: &dyn AnyTable) -> Vec<(String, String)> {
    let mut found = Vec::new();
    texts(&table.rows().unwrap(), "", &mut found);
    found
}

/// Every name that fields list, each with the path of its field.
fn listed(path: &str, fields: &[FieldDescription], found: &mut Vec<(String, String)>) {
    fn of(path: &str, holds: &Holds, found: &mut Vec<(String, String)>) {
        match holds {
            Holds::OneOf(names) => found.extend(names.iter().map(|(name, _)| (path.to_owned(), name.clone()))),
            Holds::List(item) | Holds::Named(item) => of(path, item, found),
            Holds::Table(fields) => listed(path, fields, found),
            Holds::Either(several) => several.iter().for_each(|holds| of(path, holds, found)),
            _ => {}
        }
    }
    for field in fields {
        of(&format!("{path}.{}", field.name), &field.holds, found);
    }
}

/// Where each name stands: in tables, arguments, switches and outcomes. Letters and figures are no names.
fn all_names() -> BTreeMap<String, String> {
    let mut found = Vec::new();
    for table in Book::shared().tables() {
        found.extend(table_texts(table).into_iter().map(|(field, text)| (format!("{}.{field}", table.name()), text)));
    }
    for entry in Book::shared().entries() {
        listed(&format!("{} takes", entry.name), &entry.describe_arguments(), &mut found);
        listed(&format!("{} switches", entry.name), &entry.describe_switches(), &mut found);
        listed(&format!("{} answers", entry.name), &entry.describe_outcome(), &mut found);
    }
    let is_name = |text: &str| text.len() > 2 && text.chars().filter(|letter| letter.is_alphabetic()).count() > 2;
    found.into_iter().filter(|(_, text)| is_name(text)).map(|(place, text)| (text, place)).collect()
}

#[test]
fn no_two_rules_spell_a_name_differently() {
    let names = all_names();
    assert!(names.len() > 500, "only {} names", names.len());
    let by_sound = names.keys().fold(BTreeMap::<String, Vec<&String>>::new(), |mut all, name| {
        let sound = name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        all.entry(sound).or_default().push(name);
        all
    });
    let differing: Vec<String> = by_sound
        .values()
        .filter(|spellings| spellings.len() > 1)
        .map(|spellings| {
            let told: Vec<String> = spellings.iter().map(|name| format!("\"{name}\" in {}", names[*name])).collect();
            told.join(", ")
        })
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// The values of some fields over all tables of the book.
fn values_of(field: &str, of_tables: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let tables = Book::shared().tables().into_iter().filter(|table| of_tables(table.name()));
    let texts = tables.flat_map(table_texts).filter(|(name, _)| name == field);
    texts.map(|(_, text)| text).collect()
}

#[test]
fn every_table_of_weapons_takes_its_names_from_the_one_list() {
    let weapons = values_of("weapon", |table| table == "weapons");
    // Kinds of weapons that shoot alike, and flasks, which are goods.
    let others = ["bow", "thrown", "oil_or_holy_water"];
    for name in values_of("weapon", |table| table != "weapons") {
        assert!(weapons.contains(&name) || others.contains(&name.as_str()), "\"{name}\" is no weapon of the list");
    }
    let rates = values_of("weapon", |table| table == "rate_of_fire");
    for rate in values_of("rate", |table| table == "missile_weapons") {
        assert!(rates.contains(&rate), "\"{rate}\" has no rate of fire");
    }
}

#[test]
fn every_table_of_classes_names_them_alike() {
    // The full lists of classes; a table that leaves one out is about fewer of them.
    let known = values_of("class", |table| table.ends_with("_class_experience") || table.starts_with("proficiency_"));
    assert!(known.len() > 10, "{known:?}");
    let others = ["normal_man"];
    for name in values_of("class", |_| true).into_iter().chain(values_of("closed_to", |_| true)) {
        assert!(known.contains(&name) || others.contains(&name.as_str()), "\"{name}\" is no class of the lists");
    }
}

fn resolved(call: &str, given: &str, dice: &[i64]) -> Result<Value, (ErrorKind, String)> {
    let args = serde_json::from_str(given).unwrap();
    let house = House::new();
    let result = Referee::new(&mut Scripted::new(dice), &house).resolve(call, args);
    result.map_err(|error| (error.kind(), error.field().unwrap_or_default().to_owned()))
}

/// The text, with the name in it written in other ways.
fn spellings(name: &str) -> [String; 4] {
    let title = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    let title: Vec<String> = title.collect();
    [name.to_uppercase(), name.replace('_', " "), name.replace('_', "-"), title.join(" ")]
}

#[test]
fn every_rule_reads_names_in_any_case_with_spaces_or_hyphens() {
    let cases: [(&str, &str, &str, &[i64]); 12] = [
        ("weapon.figures", r#"{"weapon":"NAME"}"#, "two_handed_sword", &[]),
        (
            "weapon.may_use",
            r#"{"class":"druid","kind":"weapon","name":"NAME","hands":1,"melee":true}"#,
            "hand_axe",
            &[],
        ),
        ("weapon.proficiency_slots", r#"{"class":"NAME","level":1}"#, "magic_user", &[]),
        ("missile.weapon_ranges", r#"{"weapon":"NAME"}"#, "light_crossbow", &[]),
        ("missile.reload", r#"{"weapon":"NAME"}"#, "heavy_crossbow", &[]),
        ("class.level", r#"{"class":"NAME","xp":9000}"#, "magic_user", &[]),
        ("class.limit", r#"{"class":"NAME","species":"half_orc","scores":{}}"#, "cleric", &[]),
        ("armor.figures", r#"{"armor":"NAME"}"#, "chain_mail", &[]),
        ("morale.archetype", r#"{"name":"NAME"}"#, "very_brave", &[]),
        ("vehicle.figures", r#"{"vehicle":"NAME"}"#, "large_galley", &[]),
        ("psionic.attack_mode", r#"{"attack_mode":"NAME"}"#, "ego_whip", &[]),
        ("skill.check", r#"{"skill":"NAME","scores":{"dex":12,"int":9,"wis":9}}"#, "hide_in_shadows", &[1, 1, 1, 1]),
    ];
    for (call, given, name, dice) in cases {
        let plain =
            resolved(call, &given.replace("NAME", name), dice).unwrap_or_else(|fault| panic!("{call}: {fault:?}"));
        for spelling in spellings(name) {
            assert!(alike(&spelling, name));
            let read = resolved(call, &given.replace("NAME", &spelling), dice);
            assert_eq!(read.as_ref(), Ok(&plain), "{call}: {spelling}");
        }
        let (kind, _) = resolved(call, &given.replace("NAME", "xyzzy"), &[]).unwrap_err();
        assert_eq!(kind, ErrorKind::Unknown, "{call}");
    }
}

#[test]
fn a_switch_of_the_house_is_read_like_any_name() {
    let mut house = House::new();
    house.set("dying.damage.at_zero", Value::from("Unconscious"), "a test").unwrap();
    house.set("psionic.segment.attack_costs", Value::from("after losses"), "a test").unwrap();
    assert!(house.set("dying.damage.at_zero", Value::from("asleep"), "a test").is_err());
}
