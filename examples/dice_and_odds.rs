//! Dice and exact odds in a Rust program, without rules, scripts or the command line.
//!
//!     cargo run --no-default-features --example dice_and_odds

use std::error::Error;

use grognard::dice::{Expression, Params, Random, Scripted, Seed};
use grognard::odds::{Budget, fraction, of_expression};

fn main() -> Result<(), Box<dyn Error>> {
    // What is written once is read once; then it is rolled, dealt known dice, or priced.
    let ability = Expression::parse("4d6kh3")?;
    let none = Params::new();

    let mut dice = Random::new(Seed::of_text("the bridge at dusk"));
    println!("rolled   {}", ability.roll(&mut dice, &none)?);

    // A source that deals what it is told: real dice from the table, or a test.
    let mut dealt = Scripted::new([6, 1, 5, 3]);
    println!("dealt    {}", ability.roll(&mut dealt, &none)?);

    let odds = of_expression(&ability, &none, &Budget::default())?;
    println!("18       {}", fraction(&odds.p(|total| total == 18)));
    println!("over 14  {}", fraction(&odds.p(|total| total > 14)));
    Ok(())
}
