//! How long psionic combat takes: a segment and a duel natively, a duel whose choices are made in Lua.
//!
//!     cargo bench --bench psionic             all of them
//!     cargo bench --bench psionic -- Lua      those whose name holds the word

use std::hint::black_box;
use std::time::{Duration, Instant};

use grognard::dice::{Random, Seed};
use grognard::lua::{Host, Limits};
use grognard::rules::core::{House, Referee, Value, read};
use grognard::rules::psionic::duel::{Duel, DuelArgs};
use grognard::rules::psionic::segment::{Segment, SegmentArgs};

/// Rounds of each measurement; the median of them counts.
const ROUNDS: usize = 15;

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

/// Measures one thing and tells it, when it was asked for. The first run is not counted.
fn report(what: &str, aim: &str, steps: u32, run: impl FnMut()) {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if words.is_empty() || words.iter().any(|word| what.contains(word)) {
        println!("{what:66} {:>10.1?}   aim: {aim}", per_step(steps, run));
    }
}

fn args<T: serde::de::DeserializeOwned>(text: &str) -> T {
    let value: Value = serde_json::from_str(text).expect("it is JSON");
    read(&value).expect("they are arguments")
}

fn mind(name: &str, side: &str) -> String {
    format!(
        r#"{{"name":"{name}","side":"{side}","attack_strength":300,"defense_strength":300,"hp":40,
        "attack_modes":["mind_thrust","ego_whip"],"defense_modes":["mind_blank","mental_barrier"]}}"#
    )
}

fn duel_text() -> String {
    format!(
        r#"{{"distance_inches":5,"max_segments":10,"events":false,"minds":[{},{}]}}"#,
        mind("Vey", "a"),
        mind("Ulm", "b")
    )
}

fn natively() {
    const STEPS: u32 = 10_000;
    let house = House::new();
    let mut dice = Random::new(Seed::from(1));
    let side =
        r#""attack_strength":60,"defense_strength":60,"hp":40,"attack_mode":"ego_whip","defense_mode":"mind_blank""#;
    let segment: SegmentArgs = args(&format!(r#"{{"distance_inches":5,"a":{{{side}}},"b":{{{side}}}}}"#));
    report("psionic.segment, natively", "300 ns", STEPS, || {
        let mut referee = Referee::new(&mut dice, &house);
        for _ in 0..STEPS {
            black_box(referee.call::<Segment>(black_box(segment.clone())).expect("it resolves"));
        }
    });
    let duel: DuelArgs = args(&duel_text());
    report("psionic.duel of ten segments, natively", "-", STEPS / 10, || {
        let mut referee = Referee::new(&mut dice, &house);
        for _ in 0..STEPS / 10 {
            black_box(referee.call::<Duel>(black_box(duel.clone())).expect("it resolves"));
        }
    });
}

fn in_lua(what: &str, prepare: &str, aim: &str) {
    const TURNS: u32 = 1_000;
    let host = Host::builder().seed("bench").limits(Limits::default()).build().expect("a host can be made");
    host.run_text("bench", prepare).expect("the strategy stands");
    let mind = |name: &str, side: &str| {
        format!(
            "{{ name = '{name}', side = '{side}', attack_strength = 300, defense_strength = 300, hp = 40, \
             attack_modes = {{ 'mind_thrust', 'ego_whip' }}, defense_modes = {{ 'mind_blank', 'mental_barrier' }} }}"
        )
    };
    let text = format!(
        "local args = {{ distance_inches = 5, max_segments = 10, events = false, minds = {{ {}, {} }} }}\n\
         local duel = rules.psionic.duel\nfor i = 1, {TURNS} do duel(args) end",
        mind("Vey", "a"),
        mind("Ulm", "b"),
    );
    report(what, aim, TURNS, || {
        host.run_text("bench", &text).expect("it runs");
    });
}

fn main() {
    natively();
    in_lua("psionic.duel of ten segments from Lua, choices native", "", "-");
    in_lua(
        "the same, both minds' attacks chosen in Lua (20 choices)",
        "local answer = { Vey = { attack_mode = 'ego_whip', target = 'Ulm', range_multiplier = 1 }, \
         Ulm = { attack_mode = 'ego_whip', target = 'Vey', range_multiplier = 1 } }\n\
         house.wrap('psionic.choose_attack', function(me) return answer[me.mind] end)",
        "50 µs",
    );
    in_lua(
        "the same, attacks by @std/psionic: sparing (20 choices)",
        "local psionic = require '@std/psionic' psionic.play{ Vey = psionic.sparing, Ulm = psionic.sparing }",
        "-",
    );
    in_lua(
        "the same, attacks and defenses by @std/psionic (40 choices)",
        "local psionic = require '@std/psionic' \
         local both = psionic.both(psionic.sparing, psionic.behind('mental_barrier')) \
         psionic.play{ Vey = both, Ulm = both }",
        "-",
    );
}
