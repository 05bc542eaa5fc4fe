//! Who deals the dice of house rules, and what wrappers may not change.

use std::rc::Rc;

use grognard::dice::{Random, Recorder, Replay, Scripted, Seed};
use grognard::lua::Host;
use grognard::odds::Budget;
use grognard::rules::Book;
use grognard::rules::core::{House, Next, Referee, RuleError, Value, Wrapper};
use grognard::rules::odds::of_rule;

/// A host whose own dice nobody may draw.
fn host_without_dice(code: &str) -> Host {
    let host = Host::builder().source(Box::new(Scripted::new([]))).build().unwrap();
    host.run_text("house rules", code).unwrap();
    host
}

fn data(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// A blow that hits on 11 or more: half of all.
const EVEN: &str = r#"{"ac":11}"#;

/// The same at chance: the wrapper spoils half of the hits.
const SPOILED: &str = "house.wrap('attack.roll', function(args, next)
  local outcome = next(args)
  if roll.d(2) == 1 then outcome.hit = false end
  return outcome
end)";

fn share_of_hits(house: &House) -> String {
    let odds = of_rule("attack.roll", data(EVEN), "hit", house, &Budget::default()).unwrap();
    odds.distribution.p(|hit| *hit == Value::Bool(true)).to_string()
}

#[test]
fn exact_odds_from_rust_count_the_dice_of_wrappers_in_lua() {
    let plain = share_of_hits(&House::new());
    let host = host_without_dice(SPOILED);
    for _ in 0..3 {
        let spoiled = share_of_hits(&host.house());
        let halved = match plain.as_str() {
            "1/2" => "1/4",
            other => panic!("{other} of the blows hit"),
        };
        assert_eq!(spoiled, halved);
    }
}

#[test]
fn exact_odds_from_lua_are_the_same() {
    let host = host_without_dice(SPOILED);
    let asked = "return (odds.rule('attack.roll', { ac = 11 }, 'hit'):p(true))";
    assert_eq!(host.run_text("odds", asked).unwrap(), Value::Number(0.25));
}

/// Rolls in Rust, before and after.
struct NativeRolls;

impl Wrapper for NativeRolls {
    fn wrap(&self, args: Value, next: Next<'_>, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
        referee.d(4, "before")?;
        let outcome = next.resolve(args, referee)?;
        referee.d(6, "after")?;
        Ok(outcome)
    }
}

/// Every way in which a script rolls, inside one another.
const EVERY_WAY: &str = "
house.rule{ name = 'test.luck', args = {}, resolve = function() return { luck = roll.d(12) + rules.check.dice{ difficulty = 2 }.dice } end }
house.wrap('check.dice', function(args, next) roll.d(3) return next(args) end)
house.wrap('check.roll', function(args, next)
  roll.d(8)
  local outcome = next(args)
  outcome.luck = rules.test.luck{}.luck
  roll('2d10')
  roll.sum(2, 100)
  return outcome
end)
house.wrap('check.roll', function(args, next) local outcome = next(args) roll.d(30) return outcome end)";

fn check_at_two() -> Value {
    data(r#"{"score":12,"difficulty":2}"#)
}

#[test]
fn the_referee_who_is_called_deals_every_die_of_every_layer() {
    let host = host_without_dice(EVERY_WAY);
    let mut plain = Recorder::new(Random::new(Seed::from(7)));
    Referee::new(&mut plain, &House::new()).resolve("check.roll", check_at_two()).unwrap();
    let own = plain.sides();

    let mut random = Recorder::new(Random::new(Seed::from(7)));
    let outcome = Referee::new(&mut random, &host.house()).resolve("check.roll", check_at_two()).unwrap();
    let sides = random.sides();
    let after = [12, 3, 10, 10, 100, 100, 30];
    assert!(sides.starts_with(&[8]) && sides.ends_with(&after), "{sides:?}");
    assert!(own.iter().all(|die| sides.contains(die)), "{sides:?}");

    let draws = random.into_parts().1;
    let faces: Vec<i64> = draws.iter().map(|draw| draw.face).collect();
    let mut replayed = Replay::new(draws);
    let again = Referee::new(&mut replayed, &host.house()).resolve("check.roll", check_at_two()).unwrap();
    assert_eq!((again.to_json(), replayed.unused()), (outcome.to_json(), 0));

    let mut scripted = Scripted::new(faces.clone());
    let again = Referee::new(&mut scripted, &host.house()).resolve("check.roll", check_at_two()).unwrap();
    assert_eq!((again.to_json(), scripted.unused()), (outcome.to_json(), 0));

    let host = Host::builder().source(Box::new(Scripted::new(faces))).build().unwrap();
    host.run_text("house rules", EVERY_WAY).unwrap();
    assert_eq!(host.resolve("check.roll", check_at_two()).unwrap().to_json(), outcome.to_json());
}

#[test]
fn wrappers_in_rust_and_in_lua_share_the_referee() {
    let host = host_without_dice("");
    let mut house = House::new();
    house.wrap("check.roll", Rc::new(NativeRolls), "a program").unwrap();
    let mut dice = Recorder::new(Random::new(Seed::from(3)));
    Referee::new(&mut dice, &house).resolve("check.roll", check_at_two()).unwrap();
    let sides = dice.sides();
    assert_eq!((sides.first(), sides.last()), (Some(&4), Some(&6)));
    assert!(host.house().is_plain());
}

#[test]
fn a_trace_holds_the_dice_of_scripts_wherever_it_is_kept() {
    let host = host_without_dice(EVERY_WAY);
    let trace = std::cell::RefCell::default();
    let mut dice = Random::new(Seed::from(7));
    let house = host.house();
    Referee::new(&mut dice, &house).tracing(&trace).resolve("check.roll", check_at_two()).unwrap();
    let text = trace.borrow().to_string();
    for wanted in ["test.luck", "2d10", "roll: d30 shows", "roll: 2d100", "house rule: wrapper (by house rules:"] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    assert!(!text.contains("no house rule took part"));
    assert!(host.last_trace().is_none());
}

#[test]
fn odds_inside_a_wrapper_are_worked_out_apart() {
    let code = "house.wrap('check.dice', function(args, next)
      local even = odds(function() return roll.d(4) > 2 end):p(true)
      local outcome = next(args)
      outcome.even, outcome.chance = even, odds(function() return next(args).dice end).mean
      outcome.die = roll.d(6)
      return outcome
    end)";
    let host = host_without_dice(code);
    let mut dice = Scripted::new([5]);
    let outcome = Referee::new(&mut dice, &host.house()).resolve("check.dice", data(r#"{"difficulty":3}"#)).unwrap();
    assert_eq!(outcome.get("even"), Some(&Value::Number(0.5)));
    assert_eq!(outcome.get("die"), Some(&Value::Whole(5)));
    assert_eq!(outcome.get("chance"), Some(&Value::Whole(3)));
}

/// The outcome of a rule on its example, as JSON, or the error's text.
fn of_example(rule: &str, args: &Value, house: &House, seed: u64) -> String {
    let mut dice = Random::new(Seed::from(seed));
    let outcome = Referee::new(&mut dice, house).resolve(rule, args.clone());
    outcome.map_or_else(|error| error.to_string(), |outcome| outcome.to_json())
}

#[test]
fn an_identity_wrapper_changes_nothing() {
    let wrapped = host_without_dice("");
    for entry in Book::shared().entries() {
        let wrap = format!("house.wrap('{}', function(args, next) return next(args) end)", entry.name);
        wrapped.run_text("identity", &wrap).unwrap();
    }
    let (house, plain) = (wrapped.house(), House::new());
    let mut faults = Vec::new();
    for entry in Book::shared().entries() {
        let args = wrapped.run_text(entry.name, &format!("return {}", entry.example)).unwrap();
        for seed in 0..8 {
            let (without, with) =
                (of_example(entry.name, &args, &plain, seed), of_example(entry.name, &args, &house, seed));
            if without != with {
                faults.push(format!("{}:\n  {without}\n  {with}", entry.name));
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{} rules:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn what_a_wrapper_adds_stands_behind() {
    let host = host_without_dice(
        "house.wrap('check.roll', function(args, next) local o = next(args) o.a_note = { 'x' } return o end)",
    );
    let mut dice = Random::new(Seed::from(1));
    let plain = of_example("check.roll", &check_at_two(), &House::new(), 1);
    let outcome = Referee::new(&mut dice, &host.house()).resolve("check.roll", check_at_two()).unwrap();
    let wanted = format!("{},\"a_note\":[\"x\"]}}", plain.trim_end_matches('}'));
    assert_eq!(outcome.to_json(), wanted);
}

#[test]
fn many_honest_wrappers_are_no_loop() {
    let wrap = |count: u32| {
        let code = format!(
            "for i = 1, {count} do house.wrap('check.dice', function(args, next) local o = next(args) o.dice += 1 return o end) end"
        );
        host_without_dice(&code).resolve("check.dice", data(r#"{"difficulty":3}"#))
    };
    for count in [1, 24, 25, 40, 60] {
        let outcome = wrap(count).unwrap_or_else(|error| panic!("{count}: {error}"));
        assert_eq!(outcome.get("dice"), Some(&Value::Whole(3 + i64::from(count))));
    }
}
