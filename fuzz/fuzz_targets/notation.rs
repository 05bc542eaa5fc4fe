//! Any text to the notation parser: it never panics, and what it reads prints back to the same text.
#![no_main]

use grognard::dice::{Expression, Limits, Params, Random, Seed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let limits = Limits { draws: 2_000, members: 50, ..Limits::DEFAULT };
    let Ok(expression) = Expression::parse_with(text, &limits) else { return };
    let printed = expression.to_string();
    match Expression::parse_with(&printed, &limits) {
        Ok(again) => assert_eq!(again.to_string(), printed, "{text:?} prints in two ways"),
        Err(error) => panic!("{text:?} prints {printed:?}, which is refused: {error}"),
    }
    let params: Params = [("str", 3), ("n", -2)].into_iter().collect();
    let _ = expression.total(&mut Random::new(Seed::from(1)), &params);
});
