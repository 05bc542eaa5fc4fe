//! `grog resolve`: one rule, once or for each line of standard input.

use clap::Args;

use super::jsonl;
use super::output::{Done, Failure, json_line, line};
use crate::dice::{Random, Seed};
use crate::rules::core::{House, Refusal, Request, RuleError, SeedText, Value};

/// Resolves a rule: `grog resolve check.roll '{"score":12,"difficulty":3}'`.
#[derive(Args, Debug)]
pub struct ResolveArgs {
    /// The rule, such as check.roll
    #[arg(required_unless_present = "jsonl")]
    name: Option<String>,
    /// Its arguments as JSON
    #[arg(default_value = "{}")]
    args: String,
    /// Dice to deal instead of random ones, in order: 4,4,3
    #[arg(long, value_name = "FACES", allow_hyphen_values = true)]
    dice: Option<String>,
    /// The seed of random dice: a number or any text
    #[arg(long)]
    seed: Option<String>,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
    /// Answer requests from standard input, one JSON object a line: {"call","given","dice","seed","options"}
    #[arg(long, conflicts_with_all = ["name", "dice", "json"])]
    jsonl: bool,
}

/// Reads `4,4,3` (or `4 4 3`).
pub fn faces(text: &str) -> Result<Vec<i64>, Failure> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| {
            word.parse().map_err(|_| {
                Failure::Usage(format!("error: --dice takes faces such as 4,4,3; \"{word}\" is no number"))
            })
        })
        .collect()
}

/// Runs the command.
pub fn run(args: ResolveArgs) -> Done {
    let seed = args.seed.clone().unwrap_or_else(Seed::fresh_text);
    let mut random = Random::new(Seed::of_text(&seed));
    let house = House::new();
    if args.jsonl {
        return jsonl::serve(|request: Request| {
            request.answer(&house, &mut random).map_err(|error| Refusal::from(&error))
        });
    }
    let given: Value = serde_json::from_str(&args.args).map_err(|problem| {
        Failure::Usage(format!(
            "error: the arguments are not JSON: {problem}\n  write them like '{{\"score\":12,\"difficulty\":3}}'"
        ))
    })?;
    let request = Request {
        call: args.name.unwrap_or_default(),
        given,
        dice: args.dice.as_deref().map(faces).transpose()?,
        seed: Some(SeedText::Text(seed)),
        options: Value::Nil,
    };
    let answer = request.answer(&house, &mut random).map_err(|error| refused(&error))?;
    if answer.unused > 0 {
        let used = answer.sides.len();
        return Err(Failure::Failed(format!(
            "error: {}: {} dice were given and the rule uses {used}; take {} away",
            request.call,
            used + answer.unused,
            answer.unused
        )));
    }
    if args.json { json_line(&answer.ok.to_json()) } else { line(&answer.ok.to_string()) }
}

/// A rule's refusal as a command's failure.
pub fn refused(error: &RuleError) -> Failure {
    Failure::Failed(format!("error: {error}"))
}
