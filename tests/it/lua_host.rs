//! The host as a program sees it: running, the prompt, errors, house rules, embedding.

use std::time::Duration;

use grognard::dice::Scripted;
use grognard::lua::voice::{Answers, Transcript};
use grognard::lua::{Host, Limits, ScriptErrorKind};
use grognard::rules::Book;
use grognard::rules::core::Value;

fn host_with(dice: &[i64]) -> Host {
    Host::builder().source(Box::new(Scripted::new(dice))).build().unwrap()
}

fn host() -> Host {
    Host::builder().seed("lua host").build().unwrap()
}

/// What a prompt line prints.
fn shown(host: &Host, line: &str) -> String {
    host.evaluate(line).map_or_else(|error| error.to_string(), |printed| printed.text.unwrap_or_default())
}

#[test]
fn the_example_of_every_rule_runs_in_lua() {
    let host = host();
    let mut faults = Vec::new();
    for entry in Book::shared().entries() {
        let call = format!("return rules.{} {}", entry.name, entry.example);
        if let Err(error) = host.run_text(entry.name, &call) {
            faults.push(error.to_string());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_prompt_line_is_an_expression_or_statements_and_globals_stay() {
    let host = host();
    assert_eq!(shown(&host, "1 + 1"), "2");
    assert_eq!(shown(&host, "= 1 + 1"), "2");
    assert_eq!(shown(&host, "x = 5"), "");
    assert_eq!(shown(&host, "x"), "5");
    assert_eq!(shown(&host, "function f() return g() end"), "");
    assert_eq!(shown(&host, "function g() return 1 end"), "");
    assert_eq!(shown(&host, "f()"), "1");
    assert_eq!(shown(&host, "function g() return 2 end"), "");
    assert_eq!(shown(&host, "f()"), "2");
    assert_eq!(shown(&host, "1, 'a', { 2 }"), "1, a, { 2 }");
    assert_eq!(shown(&host, "nil"), "");
    assert_eq!(shown(&host, "local y = 3 return y"), "3");
    assert_eq!(shown(&host, "_G.x"), "5");
}

#[test]
fn rolls_print_their_dice() {
    let host = host_with(&[4, 1, 6]);
    assert_eq!(shown(&host, "roll('3d6+1')"), "3d6 [4, 1, 6] + 1 = 12");
    let host = host_with(&[4, 1, 6, 20, 3, 4]);
    assert_eq!(host.roll_text("3d6+1").unwrap().text.unwrap(), "3d6 [4, 1, 6] + 1 = 12");
    assert_eq!(shown(&host, "roll.d(20)"), "20");
    assert_eq!(shown(&host, "roll.sum(2, 6)"), "7");
}

#[test]
fn rolls_have_fields_and_take_parameters() {
    let host = host_with(&[4, 6, 2]);
    let code = "local r = roll('2d6[fire]+$str', { str = 3 }) return { r.total, r.dice, r.labels, tostring(r), roll('3 x 1').values }";
    let value = host.run_text("rolls", code).unwrap();
    assert_eq!(
        value.to_string(),
        r#"{ 13, { 4, 6 }, { fire = 10 }, "2d6[fire] [4, 6] + $str (3) = 13", { 1, 1, 1 } }"#
    );
}

#[test]
fn a_roll_refuses_what_is_no_roll() {
    let host = host();
    for (line, wanted) in [
        ("roll()", "roll takes dice notation such as \"3d6+1\", not nothing"),
        ("roll('3d6+')", "\"3d6+\""),
        ("roll.d(0)", "the sides of a die must be a whole number from 1 on, not 0"),
        ("roll.d(2.5)", "not 2.5"),
        ("roll.d('20')", "not text \"20\""),
        ("roll.sum(-1, 6)", "the number of dice must be a whole number"),
        ("roll.sum(1000000000, 6)", "a roll draws at most 100000 dice"),
        ("roll.e(3)", "roll has no \"e\""),
        ("roll('1d6', { [1] = 2 })", "parameters of a roll are a table of names"),
        ("roll('1d6+$a', { a = 1.5 })", "$a must be a whole number or an earlier roll, not 1.5"),
        ("roll.d(1e300)", "must be a whole number"),
    ] {
        let message = host.evaluate(line).unwrap_err().message().to_owned();
        assert!(message.contains(wanted), "{line}: {message}");
    }
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let host = host();
    assert!(shown(&host, "rules.check.rol{}").contains("there is no rule \"check.rol\"; the nearest is check.roll"));
    assert!(shown(&host, "rules.chek.roll{}").contains("the nearest is rules.check"));
    let shown = shown(&host, "rules.check.roll{ scor = 12, difficulty = 3 }");
    let wanted = "error: check.roll: unknown argument \"scor\"; did you mean \"score\"?\n  1 | rules.check.roll{ scor = 12, difficulty = 3 }\n    |                   ^^^^";
    assert_eq!(shown, wanted);
}

#[test]
fn a_fraction_for_a_whole_number_is_an_error() {
    let host = host();
    let error = host.evaluate("rules.check.roll{ score = 2.5, difficulty = 3 }").unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::Rule);
    assert!(error.message().contains("score must be a whole number"), "{}", error.message());
}

#[test]
fn a_switch_set_at_the_prompt_takes_part_and_is_named_in_the_trace() {
    let host = host();
    host.set_tracing(true);
    shown(&host, "house.set('check.dice.min_dice', 1)");
    assert_eq!(shown(&host, "house.get('check.dice.min_dice')"), "1");
    assert_eq!(shown(&host, "rules.check.dice{ difficulty = 1, good_at = 'good' }.dice"), "1");
    let trace = host.last_trace().unwrap().to_string();
    assert!(trace.contains("switch min_dice = 1 (by prompt line 1)"), "{trace}");
    assert!(shown(&host, "house.set('check.dice.min_dic', 1)").contains("did you mean \"min_dice\"?"));
    assert!(shown(&host, "house.set('check.dice.min_dice', 7)").contains("min_dice must be"));
    assert_eq!(shown(&host, "#house.changes()"), "1");
    assert_eq!(shown(&host, "house.changes()[1].by"), "prompt line 1");
}

#[test]
fn a_wrapper_changes_an_outcome_and_is_named_in_the_trace() {
    let host = host_with(&[6, 6, 6]);
    host.set_tracing(true);
    let wrap = "house.wrap('check.roll', function(args, next)\n  args.bonus = 10\n  local done = next(args)\n  done.note = 'kind'\n  return done\nend)";
    assert_eq!(shown(&host, wrap), "check.roll is now: native ← prompt line 1");
    let value = host.run_text("t", "return rules.check.roll{ score = 8, difficulty = 3 }").unwrap();
    assert_eq!(value.get("target"), Some(&Value::Whole(18)));
    assert_eq!(value.get("note"), Some(&Value::Text("kind".into())));
    let trace = host.last_trace().unwrap().to_string();
    assert!(trace.contains("house rule: wrapper (by prompt line 1)"), "{trace}");
}

#[test]
fn wrappers_chain_and_see_calls_that_come_from_inside_other_rules() {
    let host = host_with(&[1, 2, 3, 4, 5]);
    shown(&host, "house.wrap('check.dice', function(args, next) local o = next(args) o.dice += 1 return o end)");
    let chain =
        shown(&host, "house.wrap('check.dice', function(args, next) local o = next(args) o.dice += 1 return o end)");
    assert_eq!(chain, "check.dice is now: native ← prompt line 1 ← prompt line 2");
    let value = host.resolve("check.roll", serde_json::from_str(r#"{"score":16,"difficulty":3}"#).unwrap()).unwrap();
    assert_eq!(value.get("total"), Some(&Value::Whole(15)));
}

#[test]
fn a_wrapper_draws_from_the_same_dice_and_the_same_trace() {
    let host = host_with(&[2, 3, 4, 5]);
    host.set_tracing(true);
    shown(&host, "house.wrap('check.roll', function(args, next) args.bonus = roll.d(6) return next(args) end)");
    assert_eq!(shown(&host, "rules.check.roll{ score = 10, difficulty = 3 }.target"), "12");
    let trace = host.last_trace().unwrap().to_string();
    assert!(trace.contains("roll: d6 shows 2") && trace.contains("3d6 show 3, 4, 5"), "{trace}");
}

#[test]
fn a_wrapper_that_returns_nonsense_is_named() {
    for (body, wanted) in [
        ("next(args)", "the wrapper of check.dice (by prompt line 1) returned nothing"),
        ("return 5", "(by prompt line 1) returned 5"),
        ("return { dice = 'x' }", "(by prompt line 1) returned a malformed outcome: dice must be"),
        ("return {}", "returned a malformed outcome: dice is missing"),
        (
            "return { dice = 1, f = print }",
            "the outcome of the wrapper of check.dice (by prompt line 1).f is a function",
        ),
        ("error('no luck')", "no luck"),
        ("error({ code = 1 })", "the script raised { code = 1 }"),
        ("return next(5)", "`next` takes the arguments, next(args), not 5"),
        ("return next({ difficultie = 1 })", "unknown argument \"difficultie\""),
        (
            "house.set('check.dice.min_dice', 1) return next(args)",
            "house rules cannot change while a rule is being resolved",
        ),
        ("return rules.check.dice(args)", "deep; does one call itself?"),
    ] {
        let host = host();
        shown(&host, &format!("house.wrap('check.dice', function(args, next) {body} end)"));
        let error = host.evaluate("rules.check.dice{ difficulty = 3 }").unwrap_err();
        assert!(error.message().contains(wanted), "{body}: {error}");
        assert!(!host.is_dead());
    }
}

#[test]
fn a_wrapper_that_keeps_next_cannot_call_it_later() {
    let host = host();
    shown(&host, "house.wrap('check.dice', function(args, next) kept = next return next(args) end)");
    shown(&host, "rules.check.dice{ difficulty = 3 }");
    assert!(shown(&host, "kept({ difficulty = 3 })").contains("`next` was kept and called later"));
}

#[test]
fn the_place_of_an_error_in_a_wrapper_is_the_wrappers() {
    let host = host();
    host.run_text("mods/x.lua", "\nhouse.wrap('check.dice', function(args, next)\n  return next(nil .. 'x')\nend)")
        .unwrap();
    let error = host.evaluate("rules.check.dice{ difficulty = 3 }").unwrap_err();
    assert_eq!(error.parts().file.as_deref(), Some("mods/x.lua"));
    assert_eq!(error.parts().line, Some(3));
    assert_eq!(shown(&host, "house.changes()[1].by"), "mods/x.lua:2");
}

#[test]
fn a_new_rule_is_callable_wrappable_and_checks_its_arguments() {
    let host = host_with(&[4, 5]);
    let rule = "house.rule{ name = 'parley.offer', summary = 'Haggles.', args = { 'price', 'bonus' }, resolve = function(args) return { price = args.price - roll.d(6) } end }";
    assert_eq!(shown(&host, rule), "");
    assert_eq!(shown(&host, "rules.parley.offer{ price = 10 }.price"), "6");
    assert!(
        shown(&host, "rules.parley.offer{ prise = 10 }")
            .contains("unknown argument \"prise\"; did you mean \"price\"?")
    );
    assert!(shown(&host, "rules.parley.ofer{}").contains("the nearest is parley.offer"));
    shown(&host, "house.wrap('parley.offer', function(args, next) local o = next(args) o.price += 100 return o end)");
    assert_eq!(shown(&host, "rules.parley.offer{ price = 10 }.price"), "105");
    assert!(shown(&host, rule).contains("there is a rule \"parley.offer\" already"));
    assert!(shown(&host, "house.rule{ nam = 'a.b' }").contains("did you mean \"name\"?"));
    assert!(shown(&host, "house.rule{ name = 'a.b' }").contains("resolve must be a function"));
    assert_eq!(host.complete("rules.parley."), ["rules.parley.offer"]);
}

#[test]
fn two_authors_of_one_switch_are_a_conflict() {
    let host = host();
    host.run_text("a.lua", "house.set('check.dice.min_dice', 1)").unwrap();
    host.run_text("b.lua", "house.set('check.dice.min_dice', 0)").unwrap();
    assert_eq!(shown(&host, "house.conflicts()[1].subject"), "switch check.dice.min_dice");
    assert_eq!(shown(&host, "house.conflicts()[1].changes[2].by"), "b.lua:1");
}

#[test]
fn errors_show_file_line_and_callers() {
    let host = host();
    let error = host
        .run_text("crypt.lua", "local function open()\n  local door\n  return door.lock\nend\n\nopen()")
        .unwrap_err();
    insta::assert_snapshot!(error.to_string(), @r"
    error: attempt to index nil with 'lock'
      --> crypt.lua:3
      3 |   return door.lock
        |               ^^^^
      called from crypt.lua:6
    ");
}

#[test]
fn whatever_is_raised_is_reported_readably() {
    for (code, wanted) in [
        ("error('plain')", "plain"),
        ("error('plain', 0)", "plain"),
        ("error(nil)", "the script raised nothing: error(nil)"),
        ("error({ code = 1 })", "the script raised { code = 1 }"),
        ("error({ message = 'told', code = 1 })", "told"),
        ("error(setmetatable({}, { __tostring = function() return 'shown' end }))", "shown"),
        ("error(setmetatable({}, { __tostring = function() error('x') end }))", "an error whose __tostring fails"),
        ("error(print)", "the script raised a function"),
        ("error(5)", "5"),
        ("local t = {} t.t = t error(t)", "the script raised a table"),
        ("coroutine.wrap(function() error({ code = 2 }) end)()", "the script raised { code = 2 }"),
        ("coroutine.wrap(function() rules.check.roll{} end)()", "score is missing"),
        ("pcall(rules.check.roll, {}) error('after')", "after"),
        ("local ok, e = pcall(rules.check.roll, {}) error(e)", "score is missing"),
    ] {
        let host = host();
        let error = host.run_text("raise.lua", &format!("\n{code}")).unwrap_err();
        assert!(error.message().contains(wanted), "{code}: {error}");
        assert!(!error.to_string().contains("0x"), "{code}: {error}");
        assert_eq!(error.parts().file.as_deref(), Some("raise.lua"), "{code}");
        assert_eq!(error.parts().line, Some(2), "{code}");
    }
}

#[test]
fn errors_of_natives_are_text_to_scripts_that_catch_them() {
    let host = host();
    let code = "local ok, e = pcall(rules.check.roll, { score = 1.5, difficulty = 1 })\nreturn { type(e), 'caught ' .. e, tostring(e) }";
    let value = host.run_text("catch.lua", code).unwrap();
    let Value::List(parts) = value else { panic!("{value}") };
    assert_eq!(parts[0], "string".into());
    assert!(
        parts[1].to_string().contains("caught catch.lua:1: check.roll: score must be a whole number"),
        "{}",
        parts[1]
    );
    let code = "local ok, e = pcall(function()\n rules.check.rol{} end) return e";
    assert!(host.run_text("catch.lua", code).unwrap().to_string().contains("catch.lua:2: there is no rule"));
    let code = "return select(2, xpcall(rules.check.roll, function(e) return 'seen: ' .. e end, {}))";
    assert!(host.run_text("catch.lua", code).unwrap().to_string().contains("seen: "));
    let code = "local co = coroutine.create(function() rules.check.roll{} end) local ok, e = coroutine.resume(co) return 'co: ' .. e";
    assert!(host.run_text("catch.lua", code).unwrap().to_string().contains("co: catch.lua:1: check.roll"));
}

#[test]
fn syntax_errors_mark_their_line_and_name_the_luau_way() {
    let host = host();
    let error = host.run_text("old.lua", "local x = 1\ngoto done\n::done::").unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::Syntax);
    assert_eq!(error.parts().line, Some(2));
    assert!(error.parts().hint.as_deref().unwrap().contains("continue"));
    let error = host.evaluate("x = 6 & 3").unwrap_err();
    assert!(error.to_string().contains("bit32.band"), "{error}");
    assert!(error.to_string().contains("1 | x = 6 & 3"), "{error}");
}

#[test]
fn what_is_said_is_heard_and_questions_are_answered() {
    let heard = Transcript::default();
    let answers = Answers::new("Grond\n2\nyes\n", heard.clone());
    let host = Host::builder().voice(answers).build().unwrap();
    let code = "print('a', 1, { x = 2 })\nsecret(nil)\nlocal name = ask('Who?')\nlocal plan, place = choose('What?', { 'Hold', 'Run' })\nreturn { name, plan, place, confirm('Sure?') }";
    assert_eq!(host.run_text("talk.lua", code).unwrap().to_string(), r#"{ "Grond", "Run", 2, true }"#);
    assert!(heard.text().starts_with("a 1 { x = 2 }\nnil\n"), "{}", heard.text());
    let error = host.run_text("talk.lua", "\nask 'More?'").unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::Voice);
    assert!(error.message().contains("the answers ran out: 3 were given, and \"More?\" is asked"), "{error}");
    assert_eq!(error.parts().line, Some(2));
}

#[test]
fn a_stop_ends_the_script_and_not_the_host() {
    let host = host();
    let stop = host.stop_handle();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stop.stop();
    });
    let error = host.evaluate("while true do pcall(function() while true do end end) end").unwrap_err();
    stopper.join().unwrap();
    assert_eq!(error.kind(), ScriptErrorKind::Stopped);
    assert!(!host.is_dead());
    assert_eq!(shown(&host, "1 + 1"), "2");
}

#[test]
fn a_spent_budget_leaves_a_dead_host_that_says_so() {
    let host = Host::builder().limits(Limits::default().with_instructions(10_000)).build().unwrap();
    let error = host.evaluate("while true do end").unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::Instructions);
    assert!(host.is_dead());
    assert_eq!(host.evaluate("1").unwrap_err().kind(), ScriptErrorKind::Dead);
    assert_eq!(host.resolve("check.dice", Value::empty()).unwrap_err().kind(), ScriptErrorKind::Dead);
}

#[test]
fn the_step_of_the_stop_is_the_same_every_time() {
    let count = |limit: u64| {
        let heard = Transcript::default();
        let host = Host::builder()
            .voice(Answers::new("", heard.clone()))
            .limits(Limits::default().with_instructions(limit))
            .build()
            .unwrap();
        let code = "local n = 0 while true do n += 1 local t = { n, tostring(n) } if n % 100 == 0 then say(n) end end";
        assert_eq!(host.run_text("count", code).unwrap_err().kind(), ScriptErrorKind::Instructions);
        heard.text()
    };
    let first = count(100_000);
    assert!(first.lines().count() > 50, "{first}");
    assert_eq!(first, count(100_000));
}

#[test]
fn garbage_is_no_reason_to_stop() {
    let host = Host::builder().limits(Limits::default().with_megabytes(16)).build().unwrap();
    let code = "local kept = table.create(1000, 0) for i = 1, 3000 do local s = string.rep('x', 200000 + i) kept[i % 10 + 1] = #s end return true";
    assert_eq!(host.run_text("garbage", code).unwrap(), true.into());
}

#[test]
fn a_program_gives_functions_and_calls_functions() {
    let host = host();
    host.register("armor_of", |arguments| match arguments.as_slice() {
        [Value::Text(name)] if name == "goblin" => Ok(Value::Whole(13)),
        _ => Err("no armor is known".to_owned()),
    })
    .unwrap();
    assert_eq!(shown(&host, "armor_of('goblin')"), "13");
    assert!(shown(&host, "armor_of('x')").contains("armor_of: no armor is known"));
    assert!(shown(&host, "armor_of(print)").contains("argument 1 of armor_of is a function"));
    assert!(host.register("armor_of", |_| Ok(Value::Nil)).is_err());
    assert!(host.register("not a name", |_| Ok(Value::Nil)).is_err());
    host.run_text("hooks.lua", "hooks = { on_hit = function(n) return { n = n + 1 } end }").unwrap();
    let hook = host.function("hooks.on_hit").unwrap();
    assert_eq!(host.call(&hook, &[Value::Whole(4)]).unwrap().to_string(), "{ n = 5 }");
    assert!(host.function("hooks.on_mis").is_err());
    assert!(host.function("hooks").is_err());
}

#[test]
fn names_complete() {
    let host = host();
    assert!(host.globals_names().contains(&"say".to_owned()));
    assert_eq!(host.complete("rules.check.r"), ["rules.check.roll"]);
    assert_eq!(host.complete("hous"), ["house"]);
    shown(&host, "my_hero = { hp = 3 }");
    assert_eq!(host.complete("my_hero.h"), ["my_hero.hp"]);
    assert_eq!(host.complete("my_h"), ["my_hero"]);
}

#[test]
fn standard_modules_work() {
    let host = host_with(&[2, 4, 5, 5, 2]);
    let code = r#"
        local tables = require "@std/tables"
        local test = require "@std/test"
        test.describe("tables", function()
          test.it("pick by place", function() test.expect(tables.pick{ "a", "b", "c" }).to_be("b") end)
          test.it("weigh", function() test.expect(tables.weighted{ { 3, "goblins" }, { 1, "an ogre" } }).to_be("an ogre") end)
          test.it("go by bands", function()
            local found, rolled = tables.banded("2d6", { { 2, "low" }, { 9, "middle" }, { 12, "high" } })
            test.expect(found).to_be("high")
            test.expect({ total = rolled.total, dice = rolled.dice }).to_equal{ total = 10, dice = { 5, 5 } }
          end)
          test.it("refuse nonsense", function()
            test.expect(function() tables.weighted{ "x" } end).to_fail("row 1 must be")
            test.expect(function() tables.pick{} end).to_fail("at least one entry")
          end)
        end)
        local went = test.finish()
        test.it("notices a difference", function() test.expect({ a = { 1 } }).to_equal{ a = { 2 } } end)
        local ok, problem = pcall(test.finish)
        return { went.passed, problem }
    "#;
    let value = host.run_text("std.lua", code).unwrap();
    let shown = value.to_string();
    assert!(shown.starts_with("{ 4, ") && shown.contains("it.a.1 is 1, expected 2"), "{shown}");
}

#[test]
fn an_earlier_roll_can_be_a_parameter() {
    let host = Host::builder().source(Box::new(Scripted::new([3, 4]))).build().unwrap();
    let code = "local strength = roll('1d4') return roll('1d6+$str', { str = strength }).total";
    assert_eq!(host.run_text("parameter", code).unwrap(), Value::Whole(7));
    let error = host.run_text("parameter", "return roll('1d6+$str', { str = 'much' })").unwrap_err();
    assert!(error.message().contains("must be a whole number or an earlier roll"), "{}", error.message());
}

#[test]
fn dice_show_which_of_them_were_dropped_or_rolled_again() {
    let host = host_with(&[1, 5, 3, 4, 1, 5, 3, 6, 4, 1, 5, 3, 4]);
    let printed = |line: &str| host.evaluate(line).unwrap().text.unwrap_or_default();
    assert_eq!(printed("roll('4d6kh3').dice"), "{ (1), 5, 3, 4 }");
    assert_eq!(printed("roll('2d6r=1').dice"), "{ 1r, 5, 3 }");
    assert_eq!(printed("roll('2d6').dice"), "{ 6, 4 }");
    // A list that a script has put in order is no longer as the dice fell, and data stays data.
    let sorted = "do local kept = roll('4d6kh3') table.sort(kept.dice) say(kept.dice) x = kept.dice end";
    host.evaluate(sorted).unwrap();
    assert_eq!(printed("x"), "{ 1, 3, 4, 5 }");
    assert_eq!(host.evaluate("x").unwrap().value.unwrap().to_string(), "{ 1, 3, 4, 5 }");
}
