//! A whole attack, natively and from Lua, beside the dice it draws.
//!
//!     cargo bench --bench combat

use std::hint::black_box;
use std::time::{Duration, Instant};

use grognard::dice::{Die, Random, Seed, Source};
use grognard::lua::Host;
use grognard::rules::attack::{Resolve, ResolveArgs};
use grognard::rules::core::{House, Referee, Value, read};

const ROUNDS: usize = 15;
const TURNS: u32 = 100_000;

/// The median time of one turn.
fn per_turn(mut turn: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..TURNS {
                turn();
            }
            start.elapsed() / TURNS
        })
        .collect();
    times.sort_unstable();
    times[ROUNDS / 2]
}

fn main() {
    let house = House::new();
    let mut source = Random::new(Seed::of_text("bench"));
    let json = r#"{"ac":15,"damage":"1d8","attack_bonus":3,"str_mod":1}"#;
    let args: ResolveArgs = read(&serde_json::from_str::<Value>(json).expect("it is JSON")).expect("they fit");

    // A hit draws two dice and a miss one, so the plain dice are a d20 and a d8 at every second turn.
    let mut hits = false;
    let dice = per_turn(|| {
        hits = !hits;
        black_box(source.draw(Die::Numbered(20), "attack")).ok();
        if hits {
            black_box(source.draw(Die::Numbered(8), "damage")).ok();
        }
    });
    let native = per_turn(|| {
        let outcome = Referee::new(&mut source, &house).call::<Resolve>(black_box(args.clone()));
        black_box(outcome).ok();
    });
    println!(
        "attack.resolve natively      {native:>10.1?}   its dice {dice:.1?}   beyond them {:.1?}   aim: 60 ns",
        native.saturating_sub(dice)
    );

    let host = Host::builder().seed("bench").build().expect("a host");
    let run = |body: &str| {
        let text = format!("local resolve = rules.attack.resolve for i = 1, {TURNS} do {body} end");
        let mut times: Vec<Duration> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                host.run_text("bench", &text).expect("it runs");
                start.elapsed() / TURNS
            })
            .collect();
        times.sort_unstable();
        times[ROUNDS / 2]
    };
    let empty = run("");
    let called = run("resolve{ ac = 15, damage = '1d8', attack_bonus = 3, str_mod = 1 }").saturating_sub(empty);
    println!("attack.resolve from Lua      {called:>10.1?}   aim: 2.5 µs");
}
