//! `odds` in scripts: exact for notation, rules and functions that roll; sampled and saying so; chains of rounds.

use grognard::dice::Scripted;
use grognard::lua::{Host, Limits, ScriptErrorKind};
use grognard::rules::core::Value;

fn host() -> Host {
    Host::builder().seed("lua odds").build().unwrap()
}

/// What a prompt line prints.
fn shown(line: &str) -> String {
    host().evaluate(line).map_or_else(|error| error.to_string(), |printed| printed.text.unwrap_or_default())
}

fn value(text: &str) -> Value {
    host().run_text("test", text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn refusal(text: &str) -> String {
    host().run_text("test", text).expect_err(text).to_string()
}

#[test]
fn notation_at_the_prompt_shows_its_summary_and_a_histogram() {
    let text = shown("odds \"4d6kh3\"");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "mean 12.24 · sd 2.85 · 3 to 18 · exact");
    assert_eq!(lines.len(), 17, "{text}");
    assert!(lines[1].starts_with(" 3 ▍") && lines[1].ends_with("0.08 %"), "{text}");
    assert!(lines[11].starts_with("13 ██") && lines[11].ends_with("13.3 %"), "{text}");
}

#[test]
fn the_contest_of_ogre_and_fighter_reads_as_people_say_it() {
    let text = shown(
        r#"odds(function() return rules.opposed.contest{ sides = { {name="ogre", score=19}, {name="fighter", score=17} } }.winner end)"#,
    );
    assert_eq!(text, "ogre 62.0 % · fighter 30.5 % · nobody 7.5 %   exact, 441 outcomes visited");
}

/// Notation, the same dice in a function, and many random rolls must tell one story.
#[test]
fn exploring_a_function_agrees_with_notation_and_with_sampling() {
    let pairs = [
        ("3d6", "roll.sum(3, 6)"),
        ("3d6", "roll('3d6')"),
        ("3d6+1", "roll('3d6').total + 1"),
        ("4d6kh3", "roll('4d6kh3').total"),
        ("2d20kh1", "math.max(roll.d(20), roll.d(20))"),
        ("d6-d6", "roll.d(6) - roll.d(6)"),
        ("(1d4)d6", "roll.sum(roll.d(4), 6)"),
        ("3d6>=5", "roll('3d6>=5').total"),
    ];
    for (notation, code) in pairs {
        let script = format!(
            r#"
            local exact = odds("{notation}")
            local explored = odds(function() return {code} end)
            assert(exact:csv() == explored:csv(), explored:csv())
            assert(exact.mean_exact == explored.mean_exact)
            local rolled = odds.sample{{ function() return {code} end, rolls = 4000, seed = "agreement" }}
            assert(rolled.sampled == 4000 and explored.sampled == nil)
            assert(math.abs(rolled.mean - exact.mean) < 6 * exact.sd / math.sqrt(4000), rolled.mean)
            return exact.mean_exact"#
        );
        value(&script);
    }
    assert_eq!(value("return odds('4d6kh3').mean_exact"), Value::from("15869/1296"));
}

#[test]
fn sums_that_nobody_looks_into_are_one_draw_and_the_others_are_single_dice() {
    let visited = |code: &str| value(&format!("return odds(function() {code} end).visited"));
    assert_eq!(visited("return roll.sum(3, 6)"), Value::Whole(16));
    assert_eq!(visited("return roll('3d6').total"), Value::Whole(16));
    assert_eq!(visited("return rules.check.roll{ score = 12, difficulty = 3 }.success"), Value::Whole(16));
    // Whoever looks at the dice, by whatever way, gets all of them.
    assert_eq!(visited("return roll('3d6').dice[1]"), Value::Whole(216));
    assert_eq!(
        visited("local ok, die = pcall(function() return roll('3d6').dice[1] end) return die"),
        Value::Whole(216)
    );
    assert_eq!(visited("return #rules.check.roll{ score = 12, difficulty = 3 }.rolls"), Value::Whole(216));
    assert_eq!(
        visited("for _, die in ipairs(rules.check.roll{ score = 12, difficulty = 3 }.rolls) do return die end"),
        Value::Whole(216)
    );
    assert_eq!(visited("return tostring(roll('2d6'))"), Value::Whole(36));
    let first_die = "return (odds(function() return rules.check.roll{ score = 12, difficulty = 3 }.rolls[1] end):p(6))";
    assert_eq!(value(first_die), Value::number(1.0 / 6.0));
}

#[test]
fn dice_whose_order_does_not_matter_are_visited_as_sets() {
    let found = |code: &str, what: &str| value(&format!("local found = odds(function() {code} end) return {what}"));
    let visited = |code: &str| found(code, "found.visited");
    assert_eq!(visited("return roll('8d6').sorted[1]"), Value::Whole(1_287));
    assert_eq!(found("return roll('8d6').sorted[1]", "select(2, found:p(6))"), Value::from("1/1679616"));
    // What else is read of the same roll comes from the same dice, in whatever order it is asked for.
    assert_eq!(visited("local r = roll('4d6kh3') return r.sorted[4] == 6 and r.total or 0"), Value::Whole(126));
    assert_eq!(visited("local r = roll('4d6kh3') return r.total > 9 and r.sorted[4] or 0"), Value::Whole(126));
    assert_eq!(
        found(
            "local r = roll('4d6kh3') return r.total > 0 and r - r.sorted[2] - r.sorted[3] - r.sorted[4]",
            "found.max"
        ),
        Value::Whole(0)
    );
    // Other rolls keep their sums.
    assert_eq!(visited("return roll('4d6').sorted[2] + roll('10d6').total"), Value::Whole(126 * 51));
    // Dice in their order, and dice that bring more, are looked at one by one.
    assert_eq!(visited("local r = roll('3d6') return r.sorted[1] + r.dice[1]"), Value::Whole(216));
    assert_eq!(visited("return roll('2d6ro=1').sorted[1]"), Value::Whole(25 + 2 * 30 + 36));
    assert_eq!(
        value("local r = roll('3d6') local s = r.sorted return s[1] <= s[2] and s[2] <= s[3]"),
        Value::Bool(true)
    );
}

/// An outcome that rolls on with many faces has more ways than can be visited: as many as may be are, and it is told
/// what was left out.
#[test]
fn loops_that_most_faces_go_on_with_are_cut_by_mass() {
    let found = |code: &str, what: &str| {
        value(&format!("local found = odds(function() {code} end, {{ outcomes = 20000 }}) return {what}"))
    };
    let until_six = "local n = 0 repeat n += 1 until roll.d(6) == 6 return n";
    assert_eq!(found(until_six, "select(2, found:p(2))"), Value::from("5/36"));
    assert_eq!(found(until_six, "found.remainder > 0 and found.remainder < 0.5"), Value::Bool(true));
    let text = shown(&format!("odds(function() {until_six} end, {{ outcomes = 20000 }})"));
    assert!(text.contains("exact but for") && text.contains("cut off"), "{text}");
    let named =
        shown("odds(function() repeat local d = roll.d(6) until d > 4 return 'done' end, { outcomes = 20000 })");
    assert!(named.contains("exact but for") && named.contains("cut off"), "{named}");
    // Rare outcomes have all their ways, and go as far as they need.
    let until_not_one = "local n = 0 repeat n += 1 until roll.d(20) > 1 return n";
    assert_eq!(found(until_not_one, "found.remainder < 1e-12"), Value::Bool(true));
}

#[test]
fn a_rules_odds_are_those_of_calling_it() {
    let text = r#"
        local asked = odds.rule("check.roll", { score = 12, difficulty = 3 }, "success")
        local called = odds(function() return rules.check.roll{ score = 12, difficulty = 3 }.success end)
        local _, exact = asked:p(true)
        assert(asked:csv() == called:csv())
        return exact"#;
    assert_eq!(value(text), Value::from("5/8"));
    let sampled =
        r#"odds.rule("check.roll", { score = 12, difficulty = 3 }, "success", { outcomes = 2, sample = 900 })"#;
    assert_eq!(value(&format!("return {sampled}.sampled")), Value::Whole(900));
    let unknown = refusal(r#"odds.rule("check.roll", { score = 12, difficulty = 3 }, "sucess")"#);
    assert!(unknown.contains("success"), "{unknown}");
}

#[test]
fn a_wrapped_rule_counts_with_the_dice_that_its_wrapper_rolls() {
    let text = r#"
        house.wrap("check.roll", function(args, next)
          local check = next(args)
          if not check.success and roll.d(6) == 6 then check.success = true end
          return check
        end)
        local asked = odds.rule("check.roll", { score = 12, difficulty = 3 }, "success")
        local called = odds(function() return rules.check.roll{ score = 12, difficulty = 3 }.success end)
        local _, exact = called:p(true)
        local _, same = asked:p(true)
        assert(exact == same)
        return exact"#;
    // Five in eight, and a sixth of the rest.
    assert_eq!(value(text), Value::from("11/16"));
}

#[test]
fn a_wrapper_that_looks_at_no_die_leaves_sums_whole_and_one_that_does_sees_every_die() {
    let visited = |change: &str| {
        let text = format!(
            r#"
            house.wrap("check.roll", function(args, next)
              local check = next(args)
              {change}
              return check
            end)
            return odds(function() return rules.check.roll{{ score = 12, difficulty = 3 }}.success end).visited"#
        );
        value(&text)
    };
    assert_eq!(visited("check.margin += 1"), Value::Whole(16));
    assert_eq!(visited("if check.rolls[1] == 6 then check.success = false end"), Value::Whole(216));
    let triples = r#"
        house.wrap("check.roll", function(args, next)
          local check = next(args)
          local first = check.rolls[1]
          local alike = true
          for _, die in check.rolls do alike = alike and die == first end
          if alike then check.success = true end
          return check
        end)
        local _, exact = odds.rule("check.roll", { score = 4, difficulty = 3 }, "success"):p(true)
        return exact"#;
    // Under 4 there is 1, 1, 1 alone, which is one of the six triples.
    assert_eq!(value(triples), Value::from("1/36"));
    let first_die = r#"
        house.wrap("check.roll", function(args, next) return next(args) end)
        local _, exact = odds.rule("check.roll", { score = 12, difficulty = 3 }, "rolls[1]"):p(6)
        return exact"#;
    assert_eq!(value(first_die), Value::from("1/6"));
}

#[test]
fn rolling_without_an_end_is_refused_and_so_are_too_many_outcomes() {
    let endless = refusal("odds(function() repeat until roll.d(6) == 7 end)");
    assert!(endless.contains("more than 1000 dice") && endless.contains("odds.chain"), "{endless}");
    let many = refusal("odds(function() local s = 0 for _ = 1, 12 do s += roll.d(20) end return s end)");
    assert!(many.contains("about 4e15 outcomes") && many.contains("sample"), "{many}");
    let few = refusal("odds(function() return roll.d(20) end, { outcomes = 10 })");
    assert!(few.contains("10 may be visited"), "{few}");
    let sampled =
        shown("odds(function() local s = 0 for _ = 1, 12 do s += roll.d(20) end return s end, { sample = 2000 })");
    assert!(sampled.contains("2000 rolls, mean ±"), "{sampled}");
}

#[test]
fn sampled_labels_say_how_far_they_may_be_off() {
    let text = shown("odds.sample{ function() return if roll.d(4) == 1 then 'hit' else 'miss' end, rolls = 1000 }");
    assert!(text.contains("miss 7") && text.contains("1000 rolls, each ± 2."), "{text}");
    let inside = value(
        "local o = odds.sample{ of = function() return roll.d(4) end, rolls = 2000 }
         local low, high = o:interval('=', 1)
         return low < 0.25 and 0.25 < high and high - low < 0.05",
    );
    assert_eq!(inside, Value::Bool(true));
}

#[test]
fn a_function_that_changes_what_lies_outside_it_is_found_out() {
    let other_dice = refusal("local n = 0 odds(function() n += 1 return roll.d(n < 3 and 6 or 8) end)");
    assert!(other_dice.contains("draw 1 was d6 and is d8"), "{other_dice}");
    let other_result = refusal("local n = 0 odds(function() n += 1 return roll.d(6) + n end)");
    assert!(other_result.contains("outside itself"), "{other_result}");
}

#[test]
fn nobody_is_spoken_to_and_no_rule_changes_while_odds_are_worked_out() {
    for code in ["say('hello')", "ask('who?')", "confirm('sure?')", "secret('x')", "choose('x', { 'a' })"] {
        let error = host().run_text("test", &format!("odds(function() {code} return roll.d(6) end)")).unwrap_err();
        assert_eq!(error.kind(), ScriptErrorKind::Voice, "{error}");
        assert!(error.to_string().contains("while odds are worked out"), "{error}");
    }
    let house = refusal("odds(function() house.set('opposed.contest.ties', 'defender') end)");
    assert!(house.contains("house rules cannot change"), "{house}");
}

#[test]
fn the_tables_own_dice_come_back_whatever_happens() {
    let host = Host::builder().source(Box::new(Scripted::new([4, 5]))).build().unwrap();
    host.run_text("test", "odds(function() return roll.d(6) end)").unwrap();
    assert_eq!(host.run_text("test", "return roll.d(6)"), Ok(Value::Whole(4)));
    host.run_text("test", "odds(function() roll.d(6) error('no') end)").unwrap_err();
    host.run_text("test", "pcall(odds, function() roll.d(6) error('no') end)").unwrap();
    assert_eq!(host.run_text("test", "say = nil return roll.d(6)"), Ok(Value::Whole(5)));
}

#[test]
fn an_error_in_an_explored_function_shows_its_own_line() {
    let error =
        host().run_text("fights.lua", "odds(function()\n  local x = roll.d(6)\n  return x.hp.y\nend)").unwrap_err();
    assert_eq!(error.parts().line, Some(3), "{error}");
}

#[test]
fn budgets_hold_while_odds_are_worked_out() {
    let host = Host::builder().limits(Limits::default().with_instructions(200_000)).build().unwrap();
    let error = host.run_text("test", "odds(function() while true do end end)").unwrap_err();
    assert_eq!(error.kind(), ScriptErrorKind::Instructions, "{error}");
    assert!(host.is_dead());
    for huge in ["roll.d(4000000000)", "roll.sum(90000, 6)"] {
        let error = refusal(&format!("odds(function() return {huge} end)"));
        assert!(error.contains("outcomes") || error.contains("steps"), "{error}");
    }
}

#[test]
fn results_are_numbers_or_labels_and_never_fractions() {
    assert_eq!(
        shown("odds(function() return roll.d(4) == 1 end)"),
        "false 75.0 % · true 25.0 %   exact, 4 outcomes visited"
    );
    let tables = "local o = odds(function() return { hit = roll.d(2) == 1 } end) return (o:p({ hit = true }))";
    assert_eq!(value(tables), Value::Number(0.5));
    assert!(refusal("odds(function() return roll.d(2) / 4 end)").contains("whole numbers"));
    assert!(refusal("odds(function() return 1, 2 end)").contains("2 values"));
    assert!(refusal("return odds(function() return 'a' end).mean").contains("labels (a)"));
    assert!(refusal("return odds('3d6').maen").contains("did you mean \"mean\""));
    assert!(refusal("odds('3d6', nil, { samples = 3 })").contains("did you mean \"sample\""));
    assert!(refusal("odds({})").contains("dice notation or of a function"));
    assert!(refusal("odds('3d')").contains("3d"));
}

#[test]
fn every_question_to_an_answer_is_answered() {
    let text = r#"
        local o = odds("2d6")
        local p, exact = o:p(">=", 10)
        assert(exact == "1/6" and math.abs(p - 1 / 6) < 1e-12)
        assert(select(2, o:p(7)) == "1/6" and select(2, o:p("<>", 7)) == "5/6")
        assert(select(2, o:cdf(7)) == "7/12")
        assert(o.mean == 7 and o.min == 2 and o.max == 12 and o.median == 7 and o.mode == 7 and o.remainder == 0)
        assert(o:percentile(90) == 10 and o:percentile(0) == 2 and o:percentile(100) == 12)
        local c = o:compare(odds("1d12"))
        assert(c.exact.greater == "1/2" and c.exact.equal == "1/12" and c.exact.less == "5/12")
        assert(math.abs(c.less + c.equal + c.greater - 1) < 1e-12)
        assert(#o:values() == 11 and o:values()[1] == 2)
        assert(o:data()[6].value == 7 and o:data()[6].exact == "1/6")
        assert(string.find(o:svg("two dice"), "two dice", 1, true))
        assert(string.find(o:csv(), "7,1/6,", 1, true))
        assert(#string.split(o:plot(40), "\n") == 12)
        assert(string.find(o:plot(60, odds("1d12")), "2d6", 1, true))
        assert(odds("1d20+$str", { str = 2 }).max == 22)
        assert(odds("6 x 4d6kh3").kind == "lists")
        local some = odds("2 x 1d6"):p("=", 6)
        assert(math.abs(some - 11 / 36) < 1e-12)
        return true"#;
    assert_eq!(value(text), Value::Bool(true));
}

/// One hits with 1 in 2, the other with 1 in 3, both at once; a hit kills. Of rounds in which somebody dies (2 in 3),
/// half are the first's alone, a quarter the other's, a quarter both.
#[test]
fn a_duel_comes_out_as_solved_by_hand() {
    let text = r#"
        local duel = odds.chain{
          start = { a = true, b = true },
          step = function(s)
            local a, b = roll.d(2) == 1, roll.d(3) == 1
            return { b = s.b and not a, a = s.a and not b }
          end,
          done = function(s) return not (s.a and s.b) end,
        }
        local ends = duel:of(function(s) return if s.a then "first" elseif s.b then "second" else nil end)
        local function exact(of) return (select(2, ends:p(of))) end
        assert(exact("first") == "1/2" and exact("second") == "1/4" and exact(nil) == "1/4", tostring(ends))
        assert(duel.mean_rounds == 1.5 and duel.mean_rounds_exact == "3/2" and duel.never == 0 and duel.states == 4)
        assert(select(2, duel.rounds:p(2)) == "2/9")
        assert(duel.rounds.remainder > 0 and duel.rounds.remainder < 1e-12)
        return tostring(duel)"#;
    let Value::Text(text) = value(text) else { panic!("no text") };
    assert!(text.contains("rounds: mean 1.50") && text.contains("exact but for"), "{text}");
}

#[test]
fn chains_say_what_is_wrong_with_them() {
    assert!(refusal("odds.chain{ start = 1, step = function(s) return s end }").contains("done"));
    let nothing = refusal("odds.chain{ start = 1, step = function() end, done = function() return false end }");
    assert!(nothing.contains("step returned nothing"), "{nothing}");
    let unsure = refusal("odds.chain{ start = 1, step = function(s) return s end, done = function() end }");
    assert!(unsure.contains("done returned nothing"), "{unsure}");
    let endless = "odds.chain{ start = 0, outcomes = 500, step = function(s) return s + roll.d(2) end, done = function() return false end }";
    let endless = refusal(endless);
    assert!(endless.contains("500"), "{endless}");
    let round = value(
        "return odds.chain{ start = 0, step = function(s) return s end, done = function() return false end }.never",
    );
    assert_eq!(round, Value::Whole(1));
}

#[test]
fn the_value_of_notation_is_one_draw_and_rolls_without_end_have_odds() {
    let found = |code: &str, what: &str| value(&format!("local found = odds(function() {code} end) return {what}"));
    assert_eq!(found("return roll('4d6kh3').total", "found.visited"), Value::Whole(16));
    assert_eq!(
        found("return roll('40d6kh10').total + roll('d6').total", "found.mean_exact"),
        found_mean("40d6kh10+d6")
    );
    for code in [
        "return roll('1d6!').total",
        "return roll('d6r=1')",
        "return roll('3d6!').total >= 10",
        // Single dice, and loops of the script's own.
        "return roll('1d6!').dice[1]",
        "local n = 0 repeat n += 1 until roll.d(6) < 6 return n",
        "local n = 0 while roll('2d6').total == 12 do n += 1 end return n",
    ] {
        assert_eq!(found(code, "found.remainder < 1e-11"), Value::Bool(true), "{code}");
    }
    assert_eq!(found("return roll('d6r=1')", "select(2, found:p(6))"), Value::from("1/5"));
    let sixes = "local n = 0 repeat n += 1 until roll.d(6) < 6 return n";
    assert_eq!(found(sixes, "select(2, found:p(3))"), Value::from("5/216"));
}

fn found_mean(text: &str) -> Value {
    value(&format!("return odds('{text}').mean_exact"))
}

#[test]
fn more_work_may_be_allowed_where_it_is_too_much() {
    let wide = "3d[1..1200]*(1d1200)";
    assert!(refusal(&format!("odds('{wide}', nil, {{ budget = 1000 }})")).contains("budget = 1e9"), "{wide}");
    assert_eq!(value("return odds('4d6kh3', { budget = 1e9 }).mean_exact"), Value::from("15869/1296"));
    // A parameter of the same name stays a parameter.
    assert_eq!(value("return odds('1d6+$budget', { budget = 4 }).min"), Value::Whole(5));
    assert!(refusal("odds('4d6kh3', nil, { budget = 'much' })").contains("number of steps"));
}
