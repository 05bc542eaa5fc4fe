//! The rulebook in a Rust program: a rule of one's own that stands on a rule of the book.
//!
//!     cargo run --no-default-features --example rule_of_my_own

use std::error::Error;

use grognard::dice::Scripted;
use grognard::rules::check::{self, Difficulty, GoodAt};
use grognard::rules::core::{House, Modifier, Natural, NoOptions, Referee, Rule, RuleError, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What leaping a chasm asks.
#[derive(Serialize, Deserialize, JsonSchema)]
struct LeapArgs {
    /// How nimble the leaper is.
    dexterity: Natural,
}

/// How the leap went.
#[derive(Serialize, Deserialize, JsonSchema)]
struct LeapOutcome {
    /// Whether the leaper stands on the other side.
    across: bool,
    /// Feet fallen, when not.
    fallen: i64,
}

grognard::rule! {
    /// Leaps a chasm: a hard check on dexterity; who fails it falls 1d6 times 10 feet.
    struct Leap;
}

impl Rule for Leap {
    const NAME: &'static str = "chasm.leap";
    const SOURCE: &'static [&'static str] = &["this program"];
    const EXAMPLE: &'static str = "{ dexterity = 13 }";
    type Args = LeapArgs;
    type Options = NoOptions;
    type Outcome = LeapOutcome;

    fn resolve(args: LeapArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<LeapOutcome, RuleError> {
        // Other rules are called through the referee, so that house rules on them act here too.
        let check = referee.call::<check::Roll>(check::RollArgs {
            score: args.dexterity,
            difficulty: Difficulty::Named("hard".into()),
            circumstance: Whole::default(),
            good_at: GoodAt::None,
            bonus: Modifier::default(),
        })?;
        let fallen = if check.success { 0 } else { 10 * referee.d(6, "depth of the chasm")? };
        Ok(LeapOutcome { across: check.success, fallen })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let house = House::new();
    let mut dice = Scripted::new([5, 6, 3, 4, 2]);
    let dexterity = Natural::clamped(13);
    let leap = Referee::new(&mut dice, &house).call::<Leap>(LeapArgs { dexterity })?;
    println!("across: {}, fallen: {} feet", leap.across, leap.fallen);
    Ok(())
}
