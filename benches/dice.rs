//! How fast dice fall: `cargo bench --bench dice`.
//!
//! One core, no trace. The figures wanted: parsed once, `d20` 60, `4d6kh3` 30 and `100d6` 4 million rolls a second;
//! read and rolled, `4d6kh3` 8 million a second; `1000000d6` under 5 microseconds. The hand-written loop is the
//! reference: the notation takes at most four times as long.

use divan::{Bencher, black_box, counter::ItemsCount};
use grognard::dice::{Expression, Params, Random, Seed};

fn main() {
    divan::main();
}

/// Rolls in one measured step, so that the clock's own cost disappears.
const ROLLS: u64 = 1_000;

fn totals(bencher: Bencher, text: &str) {
    let expression = Expression::parse(text).expect("the bench's text is notation");
    let params = Params::new();
    let mut random = Random::new(Seed::from(1));
    bencher.counter(ItemsCount::new(ROLLS)).bench_local(|| {
        for _ in 0..ROLLS {
            black_box(expression.total(&mut random, &params).ok());
        }
    });
}

#[divan::bench(args = ["d20", "d20+5", "3d6", "4d6kh3", "2d20kl1", "100d6"])]
fn parsed_once(bencher: Bencher, text: &str) {
    totals(bencher, text);
}

#[divan::bench(args = ["4d6r=1kh3", "3d6!", "10d10>=8f=1", "2d6+1d8*2", "6 x 4d6kh3", "{2d6,1d10}kh1"])]
fn parsed_once_any_shape(bencher: Bencher, text: &str) {
    totals(bencher, text);
}

#[divan::bench(args = ["d20", "4d6kh3", "2d6+1d8*2", "6 x 4d6kh3"])]
fn parse_and_roll(bencher: Bencher, text: &str) {
    let params = Params::new();
    let mut random = Random::new(Seed::from(1));
    bencher.counter(ItemsCount::new(ROLLS)).bench_local(|| {
        for _ in 0..ROLLS {
            let total = Expression::parse(black_box(text)).and_then(|read| read.total(&mut random, &params));
            black_box(total.ok());
        }
    });
}

#[divan::bench]
fn hand_written_4d6kh3(bencher: Bencher) {
    let mut random = Random::new(Seed::from(1));
    bencher.counter(ItemsCount::new(ROLLS)).bench_local(|| {
        for _ in 0..ROLLS {
            let dice = [random.d(6), random.d(6), random.d(6), random.d(6)];
            black_box(dice.iter().sum::<i64>() - dice.iter().min().unwrap_or(&0));
        }
    });
}

#[divan::bench(args = ["3d6+1", "4d6kh3", "6 x 4d6kh3"])]
fn with_trace(bencher: Bencher, text: &str) {
    let expression = Expression::parse(text).expect("the bench's text is notation");
    let params = Params::new();
    let mut random = Random::new(Seed::from(1));
    bencher.counter(ItemsCount::new(ROLLS)).bench_local(|| {
        for _ in 0..ROLLS {
            black_box(expression.roll(&mut random, &params).ok());
        }
    });
}

#[divan::bench(args = ["10000d6", "1000000d6"])]
fn big_pool(bencher: Bencher, text: &str) {
    let expression = Expression::parse(text).expect("the bench's text is notation");
    let params = Params::new();
    let mut random = Random::new(Seed::from(1));
    bencher.bench_local(|| black_box(expression.total(&mut random, &params).ok()));
}
