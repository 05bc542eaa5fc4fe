//! Characters: a check from Lua, an award to a party, the outlook of somebody who bleeds. Machines differ and are noisy;
//! look at the ratios to the plain references measured in the same run.
//!
//!     cargo bench --bench campaign

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use grognard::dice::{Random, Seed};
use grognard::lua::Host;
use grognard::rules::core::{House, Natural, Referee, Value};
use grognard::world::{Character, PartyAwardArgs, award};

/// Rounds of each measurement; the median of them counts.
const ROUNDS: usize = 15;

/// The median time of a call of `run`, which does `steps` of the thing measured, for each step.
fn per_step(steps: u32, mut run: impl FnMut()) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed() / steps
        })
        .collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

fn report(what: &str, time: Duration, aim: &str) {
    println!("{what:44} {time:>10.1?}   aim: {aim}");
}

const TAM: &str = r#"{ "name": "Tam", "species": "halfling", "max_hp": 18,
    "scores": { "str": 10, "dex": 16, "con": 13, "int": 12, "wis": 11 },
    "classes": [{ "class": "fighter", "level": 3 }, { "class": "thief", "level": 5 }], "good_at": { "climb_walls": "good" } }"#;

/// The time of one turn of a Lua loop with this body, less an empty loop.
fn in_lua(prepare: &str, body: &str) -> Duration {
    const TURNS: u32 = 50_000;
    let host = Host::builder().seed("bench").build().expect("a host can be made");
    let looped = |body: &str| format!("{prepare}\nfor i = 1, {TURNS} do {body} end");
    let (full, empty) = (looped(body), looped(""));
    let run = |text: &str| {
        host.run_text("bench", text).expect("the script runs");
    };
    per_step(TURNS, || run(&full)).saturating_sub(per_step(TURNS, || run(&empty)))
}

fn main() {
    let make = r#"local tam = character{ name = "Tam", species = "halfling", max_hp = 18, scores = { str = 10, dex = 16 },
        classes = { { class = "thief", level = 5 } }, good_at = { climb_walls = "good" } }"#;
    report("tam:check(\"climb_walls\") from Lua", in_lua(make, "tam:check('climb_walls')"), "1.5 µs");
    let plain = in_lua("local check = rules.check.roll", "check{ score = 13, difficulty = 3 }");
    report("  beside it: rules.check.roll{…} from Lua", plain, "-");
    report("tam.hp from Lua", in_lua(make, "local hp = tam.hp"), "-");

    let house = House::new();
    let mut source = Random::new(Seed::of_text("bench"));
    let table: Value = serde_json::from_str(TAM).expect("a character");
    let tam = Character::read(&table, &mut Referee::new(&mut source, &house)).expect("a character");
    let party = vec![tam; 8];
    let time = per_step(1_000, || {
        for _ in 0..1_000 {
            let mut members = party.clone();
            let args = PartyAwardArgs { xp: Natural::clamped(2_700), individual: BTreeMap::default() };
            black_box(
                award(&mut members.iter_mut().collect::<Vec<_>>(), args, &mut Referee::new(&mut source, &house))
                    .expect("an award"),
            );
        }
    });
    report("an award to 8 characters of two classes", time, "20 µs");
    let time = per_step(100, || {
        for _ in 0..100 {
            let args: Value =
                serde_json::from_str(r#"{"hp":-5,"status":"bleeding","bound_after":1}"#).expect("arguments");
            black_box(Referee::new(&mut source, &house).resolve("dying.outlook", args).expect("an outlook"));
        }
    });
    report("dying.outlook", time, "1 ms");
}
