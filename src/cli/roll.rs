//! `grog roll`: dice notation, once, several times, or for each line of standard input.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::jsonl;
use super::output::{Done, Failure, color, colored_line, json_line, line};
use super::resolve::faces;
use crate::dice::notation::UnknownDialect;
use crate::dice::{
    Dialect, DiceError, Die, Expression, ExpressionCache, Limits, NotationError, NotationErrorKind, Params, Random,
    Recorder, Roll, Scripted, Seed, Source,
};
use crate::printable::escaped;
use crate::rules::core::SeedText;

/// Rolls dice: `grog roll 4d6kh3`.
#[derive(Args, Debug)]
pub struct RollArgs {
    /// The dice, such as 3d6+1 or 4d6kh3
    #[arg(required_unless_present = "jsonl", allow_hyphen_values = true)]
    expression: Option<String>,
    /// Roll so many times
    #[arg(long, value_name = "N", default_value_t = 1)]
    times: u32,
    /// Dice to deal instead of random ones, in order: 4,4,3
    #[arg(long, value_name = "FACES", allow_hyphen_values = true, conflicts_with = "times")]
    dice: Option<String>,
    /// The seed of random dice: a number or any text
    #[arg(long)]
    seed: Option<String>,
    /// A parameter that the expression names with a dollar sign: --param str=2
    #[arg(long, value_name = "NAME=NUMBER")]
    param: Vec<String>,
    /// Whose notation the dice are in: grognard, avrae or roll20
    #[arg(long, value_name = "NAME", default_value_t)]
    dialect: Dialect,
    /// Print one JSON value a roll
    #[arg(long)]
    json: bool,
    /// Answer requests from standard input, one JSON object a line: {"expr","params","dice","seed","dialect"}
    #[arg(long, conflicts_with_all = ["expression", "dice", "json", "times", "param"])]
    jsonl: bool,
}

/// Runs the command.
pub fn run(args: RollArgs) -> Done {
    let seed = args.seed.clone().unwrap_or_else(Seed::fresh_text);
    let mut random = Random::new(Seed::of_text(&seed));
    if args.jsonl {
        let mut cache = ExpressionCache::new(1_000);
        return jsonl::serve(|request: Request| answer(&request, args.dialect, &mut cache, &mut random));
    }
    let text = args.expression.as_deref().unwrap_or_default();
    if text.starts_with("--") && !text[2..].trim_start().starts_with(|c: char| c.is_ascii_digit() || "dD(".contains(c))
    {
        return Err(Failure::Usage(format!("error: grog roll has no option {text}; grog roll --help lists them")));
    }
    let expression =
        Expression::parse_in(text, &Limits::DEFAULT, args.dialect).map_err(|error| unreadable(&error, text))?;
    if args.dialect != Dialect::Grognard && !args.json {
        line(&format!("{} in {} is {expression} here", text.trim(), args.dialect))?;
    }
    let params = params(&args.param)?;
    if let Some(dice) = &args.dice {
        let mut scripted = Scripted::new(faces(dice)?);
        let roll = expression.roll(&mut scripted, &params).map_err(|error| unreadable(&error, text))?;
        if scripted.unused() > 0 {
            let unused = scripted.unused();
            return Err(Failure::Failed(format!(
                "error: {unused} dice more were given than {text} uses; take them away"
            )));
        }
        return show(&roll, args.json);
    }
    for _ in 0..args.times {
        let roll = expression.roll(&mut random, &params).map_err(|error| unreadable(&error, text))?;
        show(&roll, args.json)?;
    }
    Ok(())
}

fn show(roll: &Roll, json: bool) -> Done {
    match (json, color()) {
        (true, _) => json_line(&roll.json().to_string()),
        (false, true) => colored_line(&roll.ansi()),
        (false, false) => line(&roll.plain()),
    }
}

/// A notation error as a person at a terminal reads it.
pub fn unreadable(error: &NotationError, text: &str) -> Failure {
    let shown = error.pretty(text);
    // The first lines show the place, the rest says in words what the first line here says already.
    let place: Vec<String> = shown.lines().take(2).map(|line| format!("  {line}")).collect();
    Failure::Failed(format!("error: {}\n{}", escaped(&error.to_string()), place.join("\n")))
}

/// Reads parameters such as `--param str=2`.
pub fn params(given: &[String]) -> Result<Params, Failure> {
    let mut params = Params::default();
    for param in given {
        let read =
            param.split_once('=').and_then(|(name, number)| Some((name.trim_start_matches('$'), number.parse().ok()?)));
        let Some((name, number)) = read else {
            return Err(Failure::Usage(format!(
                "error: --param takes a name and a whole number such as str=2, not \"{param}\""
            )));
        };
        params.set(name, number);
    }
    Ok(params)
}

/// A request of `grog roll --jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    expr: String,
    #[serde(default)]
    params: std::collections::BTreeMap<String, i64>,
    #[serde(default)]
    dice: Option<Vec<i64>>,
    #[serde(default)]
    seed: Option<SeedText>,
    #[serde(default)]
    dialect: Option<String>,
}

#[derive(Debug, Serialize)]
struct Answer {
    ok: Roll,
    sides: Vec<u32>,
    unused: usize,
}

/// An error answer: the kind, what happened, and where in the text (bytes from, to).
#[derive(Debug, Serialize)]
pub struct NotationRefusal {
    error: &'static str,
    message: String,
    at: [u32; 2],
}

impl From<NotationError> for NotationRefusal {
    fn from(error: NotationError) -> Self {
        let span = error.span();
        NotationRefusal { error: error.kind().name(), message: error.to_string(), at: [span.start, span.end] }
    }
}

/// Dice of a request: scripted, seeded, or those of the whole run.
enum RequestDice<'a> {
    Scripted(Scripted),
    Seeded(Random),
    Shared(&'a mut Random),
}

impl RequestDice<'_> {
    fn source(&mut self) -> &mut dyn Source {
        match self {
            RequestDice::Scripted(source) => source,
            RequestDice::Seeded(source) => source,
            RequestDice::Shared(source) => *source,
        }
    }
}

impl Source for RequestDice<'_> {
    fn draw(&mut self, die: Die<'_>, purpose: &str) -> Result<i64, DiceError> {
        self.source().draw(die, purpose)
    }
    fn fill(&mut self, die: Die<'_>, purpose: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.source().fill(die, purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, purpose: &str) -> Result<i64, DiceError> {
        self.source().sum(die, count, purpose)
    }
}

fn answer(
    request: &Request,
    dialect: Dialect,
    cache: &mut ExpressionCache,
    random: &mut Random,
) -> Result<Answer, NotationRefusal> {
    let dialect = match &request.dialect {
        Some(name) => name.parse().map_err(|error: UnknownDialect| NotationRefusal {
            error: NotationErrorKind::UnknownName.name(),
            message: error.to_string(),
            at: [0, 0],
        })?,
        None => dialect,
    };
    let expression = cache.get_in(&request.expr, dialect)?;
    let mut params = Params::default();
    for (name, number) in &request.params {
        params.set(name.as_str(), *number);
    }
    let source = match (&request.dice, &request.seed) {
        (Some(dice), _) => RequestDice::Scripted(Scripted::new(dice.clone())),
        (None, Some(seed)) => RequestDice::Seeded(Random::new(seed.seed())),
        (None, None) => RequestDice::Shared(random),
    };
    let mut source = Recorder::new(source);
    let roll = expression.roll(&mut source, &params)?;
    let sides = source.sides();
    let unused = if let RequestDice::Scripted(scripted) = source.into_parts().0 { scripted.unused() } else { 0 };
    Ok(Answer { ok: roll, sides, unused })
}
