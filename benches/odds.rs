//! How long the exact odds of an expression take, from its tree, with nothing remembered.

use grognard::dice::{DiceError, Die, Expression, Params};
use grognard::odds::{Budget, explore, of_expression};

fn main() {
    divan::main();
}

#[divan::bench(args = [
    "4d6kh3", "100d6", "20d20kh3", "40d6kh10", "100d6kh50", "1000d6", "100d6>=5", "10d10!{9}kh5", "20d20kh10", "100d6!",
    "10d6!kh3", "sum((6 x 4d6kh3)kh1)", "6 x 4d6kh3", "12d10!c=10>=8", "10d6km4", "10d20u",
])]
fn exact(bencher: divan::Bencher, text: &str) {
    let expression = Expression::parse(text).expect("the expressions above can be read");
    let (params, budget) = (Params::new(), Budget::default());
    bencher.bench(|| of_expression(&expression, &params, &budget).map_err(|error| error.to_string()));
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
