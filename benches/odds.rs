//! How long exact odds take: of an expression, from its tree, with nothing remembered; of code that draws dice, natively,
//! through a rule and through a script. Wanted through a script: 300 thousand outcomes a second.

use divan::counter::ItemsCount;
use grognard::dice::{DiceError, Die, Expression, Params};
use grognard::lua::Host;
use grognard::odds::{Budget, explore, of_expression};
use grognard::rules::core::{House, Value};
use grognard::rules::odds::of_rule;

fn main() {
    divan::main();
}

#[divan::bench(args = [
    "4d6kh3", "100d6", "20d20kh3", "40d6kh10", "100d6kh50", "1000d6", "100d6>=5", "10d10!{9}kh5", "20d20kh10", "100d6!",
    "10d6!kh3", "sum((6 x 4d6kh3)kh1)", "6 x 4d6kh3", "12d10!c=10>=8", "10d6km4", "10d20u",
    "d6+d6+d6+d6+d6+d6+d6+d6+d6+d6+d6+d6+d6+d6+d6+d6", "4d6kh3+4d6kh3+4d6kh3+4d6kh3+4d6kh3+4d6kh3",
    "{d12,d12,d10,d10,d8,d8,d6,d6}kh2", "max(3d6+2d8,4d6kh3+1d12)",
])]
fn exact(bencher: divan::Bencher, text: &str) {
    let expression = Expression::parse(text).expect("the expressions above can be read");
    let (params, budget) = (Params::new(), Budget::default());
    bencher.bench(|| of_expression(&expression, &params, &budget).map_err(|error| error.to_string()));
}

/// For comparison: sums of so many equal laws by term after term in plain machine words, as a program does that knows
/// its question beforehand: sixteen d6, and six times `4d6kh3` with its law known.
#[divan::bench(args = [(16, &[1u128; 6][..]), (6, &[1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21][..])])]
fn reference_convolution(bencher: divan::Bencher, (count, law): (u32, &[u128])) {
    bencher.bench(|| {
        (0..count).fold(vec![1u128], |sum, _| {
            let mut next = vec![0u128; sum.len() + law.len() - 1];
            for (i, a) in sum.iter().enumerate() {
                for (j, b) in law.iter().enumerate() {
                    next[i + j] += a * b;
                }
            }
            next
        })
    });
}

/// Three dice of 100: a million outcomes.
#[divan::bench(sample_count = 3)]
fn a_million_leaves() -> u64 {
    let explored = explore(&Budget::default(), |dice| {
        let mut sum = 0;
        for _ in 0..3 {
            sum += dice.draw(Die::Numbered(100), "die")?;
        }
        Ok::<_, DiceError>(sum)
    });
    explored.map_or(0, |explored| explored.leaves)
}

/// The first face of three dice of a check: all 216 outcomes, since single dice are looked at.
#[divan::bench]
fn leaves_of_a_rule(bencher: divan::Bencher) {
    let given: Value = serde_json::from_str(r#"{"score":12,"difficulty":3}"#).expect("the arguments above are JSON");
    let (house, budget) = (House::default(), Budget::default());
    let explored = || of_rule("check.roll", given.clone(), "rolls[1]", &house, &budget).map_or(0, |odds| odds.leaves);
    bencher.counter(ItemsCount::new(explored())).bench_local(explored);
}

/// Two dice of 100 in a function of a script: ten thousand outcomes, each a call into Lua and two out of it.
#[divan::bench(sample_count = 10)]
fn leaves_through_lua(bencher: divan::Bencher) {
    in_lua(bencher, "return odds(function() return roll.d(100) + roll.d(100) end).visited");
}

/// The same with notation, which makes a table of each roll.
#[divan::bench(sample_count = 10)]
fn leaves_through_lua_of_notation(bencher: divan::Bencher) {
    in_lua(bencher, r#"return odds(function() return roll("d100").total + roll("d100").total end).visited"#);
}

/// A rule called from a script for each outcome.
#[divan::bench(sample_count = 10)]
fn leaves_through_lua_of_a_rule(bencher: divan::Bencher) {
    let call = "rules.attack.roll{ ac = 15, attack_bonus = roll.d(20) }.hit";
    in_lua(bencher, &format!("return odds(function() return {call} end).visited"));
}

fn in_lua(bencher: divan::Bencher, script: &str) {
    let host = Host::builder().build().expect("a host can be made");
    let visited = match host.run_text("bench", script).expect("the script runs") {
        Value::Whole(visited) => visited as u64,
        other => panic!("visited is a number, not {other:?}"),
    };
    bencher.counter(ItemsCount::new(visited)).bench_local(|| host.run_text("bench", script).is_ok());
}
