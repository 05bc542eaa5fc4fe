//! Tables of the API raise on what they have not; scripts and programs get errors in their own lines.

use std::fs;

use grognard::dice::{DiceError, Die, Expression, Params, Scripted, Source};
use grognard::lua::{Host, ScriptErrorKind};
use grognard::rules::Book;
use grognard::rules::core::{House, Referee, Value};

fn host() -> Host {
    Host::builder().seed("strict").build().unwrap()
}

fn host_with(dice: &[i64]) -> Host {
    Host::builder().source(Box::new(Scripted::new(dice))).build().unwrap()
}

/// What a script returns or why it fails.
fn told(host: &Host, code: &str) -> String {
    host.run_text("it.lua", code).map_or_else(|error| error.message().to_owned(), |value| value.to_string())
}

#[test]
fn a_field_that_a_table_has_not_raises_and_names_the_nearest() {
    let tam = "local tam = character{ name = 'Tam', classes = { { class = 'thief', level = 5 } }, max_hp = 18 } ";
    for (code, wanted) in [
        ("return rules.attack.roll{ ac = 11 }.hits", "attack.roll answers hit, not hits"),
        ("return rules.check.roll{ score = 12, difficulty = 3 }.sucess", "check.roll answers success, not sucess"),
        ("return roll('3d6').tota", "a roll has total, not tota"),
        ("return house.sett", "house has set, not sett"),
        ("return house.sett('x', 1)", "house has set, not sett"),
        ("return require('@std/tables').pic", "@std/tables has pick, not pic"),
        ("return tam:take_damage(3).statu", "take_damage answers status, not statu"),
        ("return (odds(function() return rules.attack.roll{ ac = 11 }.hits end))", "attack.roll answers hit, not hits"),
        (
            "house.wrap('attack.roll', function(a, next) return { hit = next(a).hitt } end) rules.attack.roll{ ac = 11 }",
            "attack.roll answers hit, not hitt",
        ),
        (
            "house.rule{ name = 'a.b', args = { 'score' }, resolve = function(args) return { x = args.scor } end } rules.a.b{}",
            "a.b takes score, not scor",
        ),
    ] {
        let message = told(&host(), &format!("{tam}{code}"));
        assert!(message.contains(wanted), "{code}: {message}");
    }
    let error = host().run_text("it.lua", "local x = 1\nreturn rules.attack.roll{ ac = 11 }.hits").unwrap_err();
    assert_eq!((error.parts().file.as_deref(), error.parts().line), (Some("it.lua"), Some(2)));
}

#[test]
fn a_field_that_is_declared_and_empty_is_nil() {
    let host = host();
    for entry in Book::shared().entries() {
        let fields = entry.describe_outcome();
        let reads: Vec<String> = fields.iter().map(|field| format!("local _ = x[\"{}\"]", field.name)).collect();
        let code = format!("local x = rules.{} {}\n{}\nreturn true", entry.name, entry.example, reads.join("\n"));
        assert_eq!(host.run_text(entry.name, &code).unwrap(), Value::Bool(true), "{}", entry.name);
    }
}

#[test]
fn outcomes_stay_plain_data_and_print_as_they_are_declared() {
    let host = host();
    for entry in Book::shared().entries() {
        let value = host.run_text(entry.name, &format!("return rules.{} {}", entry.name, entry.example)).unwrap();
        let Value::Map(fields) = &value else { continue };
        let declared: Vec<String> = entry.describe_outcome().into_iter().map(|field| field.name).collect();
        let places: Vec<_> = fields.0.iter().map(|(name, _)| declared.iter().position(|known| known == name)).collect();
        assert!(places.is_sorted(), "{}: {value}", entry.name);
    }
    let code = "local x = rules.check.roll{ score = 12, difficulty = 3 }
      x.note = 'mine'
      local copy = table.clone(x)
      local count = 0
      for name in copy do count += 1 end
      return { copy.note, count > 3, `{x}` == tostring(x), string.find(`{x}`, 'success = ') ~= nil }";
    assert_eq!(told(&host, code), r#"{ "mine", true, true, true }"#);
}

#[test]
fn a_roll_counts_as_its_total() {
    let host = host_with(&[5, 2, 2]);
    let code = "local a, b, c = roll('1d8'), roll('1d6'), roll('1d4')
      return { 12 - a, a + b, a * 2, -a, a // b, a > b, a <= b, b == c, `{a - 1}` }";
    assert_eq!(told(&host, code), r#"{ 7, 7, 10, -5, 2, true, false, true, "4" }"#);
    let message = told(&host_with(&[5]), "return roll('1d8') + {}");
    assert!(message.contains("a roll counts as its total in arithmetic, and a table is no number"), "{message}");
    let visited = "local o = odds(function() return 20 - roll('8d6') end) return { o.visited, o.mean }";
    assert_eq!(told(&host, visited), "{ 41, -8 }");
}

#[test]
fn a_bad_argument_stands_in_the_callers_line_through_any_wrappers() {
    let host = host();
    for _ in 0..3 {
        host.run_text("mod.lua", "house.wrap('check.roll', function(args, next)\n  return next(args)\nend)").unwrap();
    }
    let call = "local x = 1\nreturn rules.check.roll{ scor = 12, difficulty = 3 }";
    let error = host.run_text("mine.lua", call).unwrap_err();
    assert_eq!((error.parts().file.as_deref(), error.parts().line), (Some("mine.lua"), Some(2)), "{error}");
    assert_eq!(error.kind(), ScriptErrorKind::Rule);
    // What the mod itself breaks is the mod's fault.
    host.run_text(
        "mod.lua",
        "house.wrap('check.roll', function(args, next)\n  args.score = 'x' return next(args)\nend)",
    )
    .unwrap();
    let error = host.run_text("mine.lua", "return rules.check.roll{ score = 12, difficulty = 3 }").unwrap_err();
    assert_eq!(error.parts().file.as_deref(), Some("mod.lua"), "{error}");
}

#[test]
fn a_rule_of_the_house_is_a_house_rule_that_took_part() {
    let host = host();
    host.set_tracing(true);
    host.run_text("luck", "house.rule{ name = 'test.luck', resolve = function() return { luck = roll.d(6) } end }")
        .unwrap();
    host.run_text("it", "return rules.test.luck{}").unwrap();
    let trace = host.last_trace().unwrap().to_string();
    assert!(trace.contains("house rule: rule test.luck (by luck:1)"), "{trace}");
    assert!(!trace.contains("no house rule took part"), "{trace}");
}

#[test]
fn all_that_a_character_misses_is_named_at_once_and_names_are_plain() {
    let message = told(&host(), "character{ ac = 12 }");
    assert!(message.contains("name is missing, and so are classes and max_hp"), "{message}");
    let message = told(&host(), "character{ name = 'x', max_hp = 3 }");
    assert!(message.ends_with("classes is missing"), "{message}");
    for name in ["\\27[2J", "a\\nb", "a\\rb", "\\7"] {
        let code = format!("character{{ name = \"{name}\", classes = {{ {{ class = 'thief' }} }}, max_hp = 3 }}");
        let message = told(&host(), &code);
        assert!(message.contains("name must be one line of plain text"), "{message}");
    }
}

/// A program's own dice.
struct Always(i64);

impl Source for Always {
    fn draw(&mut self, _: Die<'_>, _: &str) -> Result<i64, DiceError> {
        Ok(self.0)
    }
}

#[test]
fn faces_that_a_die_has_not_are_refused_wherever_they_are_drawn() {
    for face in [7, 0, -1, i64::MAX, i64::MIN] {
        for text in ["1d6", "3d6", "4d6kh3", "1d6!", "2d6r=1", "{d6,d6}kh1", "3d6>3", "(1d6)d6"] {
            let expression = Expression::parse(text).unwrap();
            assert!(expression.roll(&mut Always(face), &Params::new()).is_err(), "{text} {face}");
            assert!(expression.total(&mut Always(face), &Params::new()).is_err(), "{text} {face}");
        }
        let house = House::new();
        let mut source = Always(face);
        let mut referee = Referee::new(&mut source, &house);
        assert!(referee.d(6, "test").is_err() && referee.pool(3, 6, "test").is_err());
        assert!(referee.total(1, 6, "test").is_err() && referee.total(3, 6, "test").is_err());
        let mut referee = referee.only_totals();
        assert!(referee.total(3, 6, "test").is_err());
        let host = Host::builder().source(Box::new(Always(face))).build().unwrap();
        for code in [
            "return roll.d(6)",
            "return roll.sum(3, 6)",
            "return roll('3d6')",
            "return rules.check.roll{ score = 9, difficulty = 3 }",
        ] {
            let error = host.run_text("dice", code).unwrap_err();
            assert!(error.message().contains("the source of dice gave"), "{code}: {error}");
        }
    }
}

#[test]
fn a_function_of_another_host_is_refused() {
    let (one, other) = (host(), host());
    one.run_text("hook", "function hook() return 1 end").unwrap();
    let hook = one.function("hook").unwrap();
    assert_eq!(one.call(&hook, &[]).unwrap(), Value::Whole(1));
    assert!(other.call(&hook, &[]).unwrap_err().message().contains("hook belongs to another host"));
    drop(one);
    assert!(other.call(&hook, &[]).unwrap_err().message().contains("hook belongs to another host"));
}

#[test]
fn the_walls_of_a_pack_do_not_depend_on_who_loads_it() {
    let folder = std::env::temp_dir().join(format!("grognard walls {}", std::process::id()));
    let pack = folder.join("pack/parts");
    fs::create_dir_all(&pack).unwrap();
    fs::write(folder.join("secret.lua"), "return { word = 'mellon' }").unwrap();
    fs::write(folder.join("main.lua"), "return require('./pack/init')").unwrap();
    fs::write(folder.join("pack/grog.json"), r#"{ "name": "pack" }"#).unwrap();
    fs::write(folder.join("pack/shared.lua"), "return { word = 'friend' }").unwrap();
    fs::write(folder.join("pack/init.lua"), "return require('./parts/door')").unwrap();
    fs::write(pack.join("door.lua"), "return { require('../shared').word, (pcall(require, '../../secret')) }").unwrap();
    for (root, file) in [(&folder, "main.lua"), (&folder, "pack/init.lua"), (&folder.join("pack"), "pack/init.lua")] {
        let host = Host::builder().root(root).build().unwrap();
        assert_eq!(host.run_file(&folder.join(file)).unwrap().to_string(), r#"{ "friend", false }"#, "{file}");
    }
    fs::write(folder.join("pack/grog.json"), r#"{ "nam": "pack" }"#).unwrap();
    let host = Host::builder().root(&folder).build().unwrap();
    let error = host.run_file(&folder.join("main.lua")).unwrap_err();
    assert!(error.message().contains("grog.json") && error.message().contains("did you mean \"name\"?"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}
