//! Scripts about characters: the heist plays unattended, the house rules for arguments do what they say, and composite
//! rules have odds.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use grognard::lua::Host;
use grognard::rules::core::Value;
use serde_json::Value as Json;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grog"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const HEIST: [&str; 4] = ["run", "scripts/adventures/heist.lua", "--answers", "scripts/adventures/heist.answers"];

#[test]
fn the_heist_plays_unattended_to_the_morning_after() {
    let output = run(&[&HEIST[..], &["--seed", "11"]].concat());
    assert!(output.status.success(), "{}\n{}", out(&output), err(&output));
    let told = out(&output);
    for scene in
        ["over the wall", "five tumblers", "The lid rises", "says the guard", "falls 20 feet", "bleeds", "binds"]
    {
        assert!(told.contains(scene), "nothing is told of \"{scene}\":\n{told}");
    }
    assert!(told.contains("Wren learns") && told.contains("Osk learns"), "{told}");
    assert_eq!(out(&run(&[&HEIST[..], &["--seed", "11"]].concat())), told, "the same seed tells the same story");
}

/// A host in which this house rule is in force.
fn with_house_rule(name: &str) -> Host {
    let host = Host::builder().seed("a house").build().unwrap();
    let file: PathBuf = root().join("scripts/house_rules").join(name);
    let told = host.run_file(&file).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(told, Value::Text(_)), "{name} says what is in force");
    host
}

fn answer(host: &Host, code: &str) -> String {
    host.run_text("test", code).unwrap_or_else(|error| panic!("{error}")).to_string()
}

#[test]
fn each_house_rule_for_an_argument_settles_it() {
    let book = Host::builder().seed("a house").build().unwrap();
    let tam = r#"local tam = character{ name = "Tam", species = "halfling", max_hp = 18,
        classes = { { class = "thief", xp = 17000 } } } "#;
    let falls = format!("{tam} tam:take_damage(90) return tam.status");
    let trains = format!("{tam} return tam:train{{ gold = 5400 }}.reason");
    let dice = r#"return rules.check.dice{ difficulty = 1, good_at = "very_good" }.dice"#;
    let bound = r#"return rules.dying.outlook{ hp = -10, status = "bleeding", bound_after = 0 }.death"#;
    let cases = [
        ("nothing_is_certain.lua", dice, "0", "1"),
        ("last_breath.lua", &falls, "\"dead\"", "\"bleeding\""),
        ("quick_hands.lua", bound, "\"1/1\"", "\"2/3\""),
        ("honest_tuition.lua", &trains, "\"trained\"", "\"over_cap\""),
        ("no_standoffs.lua", r#"return house.get("opposed.contest.ties")"#, "\"standoff\"", "\"higher_score\""),
        ("jammed_locks.lua", r#"return house.get("skill.task.on_failure")"#, "\"continue\"", "\"reset\""),
    ];
    for (file, code, by_the_book, in_the_house) in cases {
        assert_eq!(answer(&book, code), by_the_book, "{file}");
        assert_eq!(answer(&with_house_rule(file), code), in_the_house, "{file}");
    }
}

#[test]
fn composite_rules_have_odds_on_the_command_line() {
    let odds = |rule: &str, args: &str, of: &str| -> Json {
        let output = run(&["odds", "--rule", rule, args, "--of", of, "--json"]);
        assert!(output.status.success(), "{rule}: {}", err(&output));
        serde_json::from_str(&out(&output)).unwrap()
    };
    let chance = |odds: &Json, value: Json| -> String {
        let entries = odds["distribution"].as_array().unwrap();
        let entry = entries.iter().find(|entry| entry["value"] == value);
        entry.map(|entry| entry["p"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    // Three dice under 12 succeed five times in eight; two of two attempts 25 times in 64.
    let task = odds("skill.task", r#"{"score":12,"difficulty":3,"successes_needed":2,"max_attempts":2}"#, "complete");
    assert_eq!(chance(&task, Json::Bool(true)), "25/64");
    // Two goblins of 2 act with 3 on one die against one of 1: from the best margins down.
    let sides = r#"{"sides":[{"name":"goblins","scores":[2,2]},{"name":"rat","score":1}]}"#;
    let contest = odds("opposed.contest", sides, "winner");
    assert_eq!((chance(&contest, "goblins".into()), chance(&contest, "rat".into())), ("13/18".into(), "1/6".into()));
    let guards = r#"{"guards":[{"attack_bonus":8},{"attack_bonus":5},{"attack_bonus":2}]}"#;
    assert_eq!(chance(&odds("guard.bonus", guards, "ac_bonus"), 7.into()), "1/1");
    let outlook = r#"{"hp":-8,"status":"bleeding","bound_after":0}"#;
    assert_eq!(chance(&odds("dying.outlook", outlook, "death"), "1/3".into()), "1/1");
}

mod characters {
    use super::*;

    const TAM: &str = r#"local tam = character{ name = "Tam", species = "halfling", max_hp = 18,
        scores = { str = 10, dex = 16, con = 13, int = 12, wis = 11 },
        classes = { { class = "fighter", level = 3 }, { class = "thief", xp = 17000 } },
        good_at = { open_locks = "very_good" }, skill_bonus = { open_locks = 2 } } "#;

    fn host() -> Host {
        Host::builder().seed("characters").build().unwrap()
    }

    fn told(code: &str) -> String {
        answer(&host(), &format!("{TAM}{code}"))
    }

    fn refused(code: &str) -> String {
        host().run_text("test", &format!("{TAM}{code}")).unwrap_err().message().to_owned()
    }

    #[test]
    fn fields_are_read_and_verbs_change_them() {
        assert_eq!(
            told("return { tam.hp, tam.status, tam.dex, tam.awake, tam.lowest_hp == nil }"),
            r#"{ 18, "ok", 16, true, true }"#
        );
        assert_eq!(
            told("tam:take_damage(20) return { tam.hp, tam.status, tam.lowest_hp }"),
            r#"{ -2, "bleeding", -2 }"#
        );
        assert_eq!(told("tam:take_damage(20) tam:pass{ rounds = 3 } return tam.hp"), "-5");
        assert_eq!(told("tam:take_damage(5) tam:heal(3) return tam.hp"), "16");
        assert_eq!(told("return tam:check('open_locks').success"), "true");
        assert_eq!(told("return tam:read_scroll{ spell_level = 1 }.result"), "\"not_allowed\"");
        assert_eq!(told("return tam:train{ gold = 5400, class = 'thief' }.gold_remaining"), "2400");
        assert_eq!(told("return tam:sheet():sub(1, 34)"), "\"Tam, halfling fighter 3 / thief 5\\n\"");
        assert_eq!(told("return tostring(tam) == tam:sheet()"), "true");
    }

    #[test]
    fn its_data_makes_the_same_character_again() {
        let code =
            "tam:take_damage(20) tam:bind() local again = character(tam:data()) return again:sheet() == tam:sheet()";
        assert_eq!(told(code), "true");
    }

    #[test]
    fn a_party_shares_an_award_among_the_living() {
        let code = "local ilse = character{ name = 'Ilse', max_hp = 4, species = 'elf', classes = { { class = 'magic_user' } } }
            local two = party{ tam, ilse }
            local award = two:award{ xp = 2701 }
            return { award.each, award.remainder, tam.classes[1].xp, ilse.classes[1].xp, #two, two[2].name, two:list()[2].kind }";
        assert_eq!(told(code), r#"{ 1350, 1, 4925, 1350, 2, "Ilse", "elf" }"#);
        assert_eq!(told("return rules.surprise.check{ members = party{ tam }:list() }.any ~= nil"), "true");
    }

    #[test]
    fn what_fails_leaves_the_character_as_it_was() {
        let code = "house.wrap('dying.coma', function() error('no coma here') end)
            tam:take_damage(19) local ok = pcall(function() tam:bind() end) return { ok, tam.hp, tam.status }";
        assert_eq!(told(code), r#"{ false, -1, "bleeding" }"#);
    }

    #[test]
    fn a_house_rule_sees_the_character_it_acts_on() {
        let code = "house.wrap('dying.damage', function(args, next)
              if tam.species == 'halfling' then args.damage = math.max(1, args.damage - 2) end
              return next(args)
            end)
            tam:take_damage(5) return tam.hp";
        assert_eq!(told(code), "15");
    }

    #[test]
    fn errors_name_the_nearest_and_the_way_out() {
        let cases = [
            ("tam:chek('str')", "a character has no \"chek\"; did you mean :check(…)?"),
            ("return tam.satus", "did you mean .status?"),
            ("tam.hp = 30", "hp must be at most max_hp, 18, not 30"),
            ("tam:take_damage(0)", "take_damage takes a whole number of 1 or more, not 0"),
            ("tam:take_damage(2.5)", "not 2.5"),
            ("tam:check('open_lokcs')", "did you mean \"open_locks\"?"),
            ("tam:check('str', { dificulty = 3 })", "did you mean \"difficulty\"?"),
            ("tam:pass{ rounds = 1, hours = 1 }", "give one of the two"),
            ("tam:train{ gold = 1 }", "class must say which, of fighter, thief"),
            ("character{ name = 'X' }", "is missing"),
            (
                "character{ name = 'X', max_hp = 1, classes = { { class = 'thief', xp = -1 } } }",
                "classes[1].xp must be",
            ),
            ("character 'Tam'", "character takes a table"),
            ("party{ tam, tam }", "stands there twice"),
            ("party{ 1 }", "member 1 of a party must be a character"),
            ("party{ tam }:awrd{ xp = 1 }", "did you mean :award(…)?"),
            ("character.x = 1", "function"),
        ];
        for (code, wanted) in cases {
            let message = refused(code);
            assert!(message.contains(wanted), "{code}: {message}");
        }
    }
}
