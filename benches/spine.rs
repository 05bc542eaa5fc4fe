//! What the table waits for: calls from Lua, a host, the program's start, the prompt's memory. Each figure stands beside
//! a plain reference measured in the same run, since machines differ and are noisy; look at the ratios.
//!
//!     cargo bench --bench spine

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grognard::lua::{Host, Limits};

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

fn report(what: &str, time: Duration, reference: &str, reference_time: Duration, aim: &str) {
    let ratio = time.as_secs_f64() / reference_time.as_secs_f64();
    println!("{what:42} {time:>10.1?}   {ratio:6.2} × {reference} ({reference_time:.1?})   aim: {aim}");
}

fn host() -> Host {
    Host::builder().seed("bench").limits(Limits::default()).build().expect("a host can be made")
}

/// The time of one turn of a Lua loop with this body, less an empty loop.
fn in_lua(host: &Host, prepare: &str, body: &str) -> Duration {
    const TURNS: u32 = 100_000;
    let looped = |body: &str| format!("{prepare}\nfor i = 1, {TURNS} do {body} end");
    let full = looped(body);
    let empty = looped("");
    let run = |text: &str| {
        host.run_text("bench", text).expect("the script runs");
    };
    per_step(TURNS, || run(&full)).saturating_sub(per_step(TURNS, || run(&empty)))
}

/// A bare mlua function of one integer, in a machine with nothing else.
fn bare_call(arguments: &str) -> Duration {
    const TURNS: u32 = 100_000;
    let lua = mlua::Lua::new();
    let one = lua.create_function(|_, sides: i64| Ok(black_box(sides))).expect("a function");
    let table = lua.create_function(|lua, _: mlua::Table| lua.create_table()).expect("a function");
    lua.globals().set("bare", one).expect("a global");
    lua.globals().set("bare_table", table).expect("a global");
    let chunk = |body: &str| {
        let text = format!("local bare, bare_table = bare, bare_table for i = 1, {TURNS} do {body} end");
        lua.load(text).into_function().expect("it compiles")
    };
    let (full, empty) = (chunk(arguments), chunk(""));
    let run = |function: &mlua::Function| function.call::<()>(()).expect("it runs");
    per_step(TURNS, || run(&full)).saturating_sub(per_step(TURNS, || run(&empty)))
}

fn calls_from_lua() {
    let host = host();
    let bare = bare_call("bare(20)");
    report("roll.d(20) from Lua", in_lua(&host, "local d = roll.d", "d(20)"), "bare mlua function", bare, "1.3 ×");
    report(
        "roll.sum(3, 6) from Lua",
        in_lua(&host, "local sum = roll.sum", "sum(3, 6)"),
        "bare mlua function",
        bare,
        "-",
    );
    let bare_table = bare_call("bare_table({ score = 12, difficulty = 3 })");
    let check = in_lua(&host, "local check = rules.check.roll", "check{ score = 12, difficulty = 3 }");
    report("rules.check.roll{…} from Lua", check, "bare mlua function, table in and out", bare_table, "2 µs");
    let text = in_lua(&host, "", "roll('4d6kh3')");
    report("roll('4d6kh3') from Lua", text, "bare mlua function, table in and out", bare_table, "-");
}

fn making_a_host() {
    let empty = per_step(1, || drop(black_box(mlua::Lua::new())));
    report("a new host", per_step(1, || drop(black_box(host()))), "bare mlua machine", empty, "5 ms");
}

fn starting_the_program() {
    let start = |program: &str, arguments: &[&str]| {
        per_step(1, || {
            let status = Command::new(program).args(arguments).stdout(Stdio::null()).stdin(Stdio::null()).status();
            assert!(status.expect("it starts").success());
        })
    };
    let nothing = start("true", &[]);
    report(
        "grog roll 3d6, start to exit",
        start(env!("CARGO_BIN_EXE_grog"), &["roll", "3d6"]),
        "true",
        nothing,
        "15 ms",
    );
}

/// Resident memory of a prompt that has answered a few lines, in megabytes; only where the system tells.
fn prompt_memory() {
    use std::io::{BufRead, BufReader, Write};
    let mut grog = Command::new(env!("CARGO_BIN_EXE_grog"))
        .args(["--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the prompt starts");
    let mut input = grog.stdin.take().expect("its input");
    let mut output = BufReader::new(grog.stdout.take().expect("its output"));
    input.write_all(b"rules.check.roll{ score = 12, difficulty = 3 }\n'done'\n").expect("it listens");
    let mut line = String::new();
    while !line.contains("done") {
        line.clear();
        if output.read_line(&mut line).expect("it answers") == 0 {
            break;
        }
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", grog.id())).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).map(str::trim);
    println!("{:42} {:>10}   aim: 40 MB", "the prompt's resident memory", resident.unwrap_or("unknown here"));
    drop(input);
    let _ = grog.wait();
}

fn main() {
    calls_from_lua();
    making_a_host();
    starting_the_program();
    prompt_memory();
}
