//! `grog odds`: exact odds of dice notation and of rules, as figures and pictures.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::jsonl;
use super::output::{Done, Failure, json_line, line};
use super::resolve::refused;
use super::roll::{NotationRefusal, params, unreadable};
use crate::dice::{Expression, ExpressionCache, Params, Seed};
use crate::odds::plot::{Frame, exactness, histogram, histogram_of, overlay, summary};
use crate::odds::{
    Budget, Distribution, Odds, OddsError, OddsValue, Sampling, Series, csv, fraction, of_expression, svg,
};
use crate::rules::core::{House, Refusal, RuleError, Value};
use crate::rules::odds::{RuleOdds, of_rule};

/// Exact odds: `grog odds 4d6kh3`, or `grog odds --rule attack.roll '{"ac":15}' --of hit`.
#[derive(Args, Debug)]
pub struct OddsArgs {
    /// The dice, or with --rule the rule's arguments as JSON
    #[arg(required_unless_present_any = ["jsonl", "rule"])]
    expression: Option<String>,
    /// The odds of a rule instead of dice
    #[arg(long, value_name = "NAME", requires = "of")]
    rule: Option<String>,
    /// The field of the rule's outcome: hit, or sides[1].total
    #[arg(long, value_name = "FIELD", requires = "rule")]
    of: Option<String>,
    /// Other dice to set beside these
    #[arg(long, value_name = "EXPR", conflicts_with_all = ["rule", "jsonl"])]
    against: Option<String>,
    /// A parameter that the expression names with a dollar sign: --param str=2
    #[arg(long, value_name = "NAME=NUMBER")]
    param: Vec<String>,
    /// Sample so many rolls where exact odds would take too long
    #[arg(long, value_name = "ROLLS")]
    sample: Option<u64>,
    /// Allow so many steps of exact work: 1e9 is some seconds. A rule or function may have outcomes in proportion
    #[arg(long, value_name = "STEPS", value_parser = steps)]
    budget: Option<f64>,
    /// The seed of sampled rolls
    #[arg(long, default_value = "1")]
    seed: String,
    /// Write a picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a picture of dots to this file (needs a build with the feature `png`)
    #[arg(long, value_name = "FILE", conflicts_with = "jsonl")]
    png: Option<PathBuf>,
    /// Print value, probability and fraction, separated by commas
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
    /// Answer requests from standard input, one JSON object a line: {"expr","params"} or {"call","given","of"}, either with "budget"
    #[arg(long, conflicts_with_all = ["expression", "rule", "json", "csv", "svg"])]
    jsonl: bool,
}

impl OddsArgs {
    /// Whether a picture is to be written.
    fn draws(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    fn budget(&self) -> Budget {
        let sampling = self.sample.map(|trials| Sampling { trials, seed: Seed::of_text(&self.seed) });
        Budget { sampling, ..allowing(self.budget) }
    }
}

fn allowing(steps: Option<f64>) -> Budget {
    steps.map_or_else(Budget::default, |steps| Budget::default().allowing(steps))
}

/// A number of steps: `200000000`, `2e8`.
fn steps(text: &str) -> Result<f64, String> {
    let number: f64 = text.replace(['_', ','], "").parse().unwrap_or(f64::NAN);
    if number >= 1.0 { Ok(number) } else { Err("write a number of steps, such as 1e9".to_owned()) }
}

/// Runs the command.
pub fn run(args: OddsArgs) -> Done {
    let budget = args.budget();
    if args.jsonl {
        let mut cache = ExpressionCache::new(1_000);
        let house = House::new();
        return jsonl::serve(|request: Request| answer(&request, &mut cache, &house, &budget));
    }
    if let Some(rule) = &args.rule {
        return of_one_rule(&args, rule, &budget);
    }
    let text = args.expression.as_deref().unwrap_or_default();
    let params = params(&args.param)?;
    let odds = odds_of(text, &params, &budget)?;
    let other = match args.against.as_deref() {
        Some(text) => Some((text, odds_of(text, &params, &budget)?)),
        None => None,
    };
    if args.draws() {
        let mut series = vec![Series { name: text, distribution: numbers(text, &odds)? }];
        if let Some((name, odds)) = &other {
            series.push(Series { name, distribution: numbers(name, odds)? });
        }
        let title = other.as_ref().map_or_else(|| text.to_owned(), |(name, _)| format!("{text} and {name}"));
        draw(&args, &title, &series)?;
    }
    match (&args, other) {
        (OddsArgs { json: true, .. }, None) => json_line(&to_json(&odds)),
        (OddsArgs { csv: true, .. }, None) => line(table(&odds).trim_end()),
        (_, None) => show(&odds),
        (_, Some((against, second))) => compare((text, &odds), (against, &second), args.json),
    }
}

fn odds_of(text: &str, params: &Params, budget: &Budget) -> Result<Odds, Failure> {
    let expression = Expression::parse(text).map_err(|error| unreadable(&error, text))?;
    of_expression(&expression, params, budget).map_err(|error| match error {
        OddsError::Notation(error) => unreadable(&error, text),
        OddsError::TooMuch { ref estimate, .. } => Failure::Failed(format!("error: {error}\n  {}", more(*estimate))),
        other => Failure::Failed(format!("error: {other}")),
    })
}

/// How to get odds that are too much work.
fn more(estimate: f64) -> String {
    // Beyond some minutes of work nobody is helped by allowing it.
    if estimate > 1e10 {
        return "--sample 100000 samples them".to_owned();
    }
    format!("--budget {:.0e} allows so much work, --sample 100000 samples", 2.0 * estimate)
}

fn to_json(value: &impl Serialize) -> String {
    // Distributions are plain data, which always has a JSON form.
    serde_json::to_string(value).unwrap_or_default()
}

/// How large a picture fits the terminal; 80 columns in a pipe.
fn frame() -> Frame {
    match terminal_size::terminal_size() {
        // Two rows stay for the summary and the next prompt.
        Some((width, height)) => {
            Frame { width: usize::from(width.0), rows: usize::from(height.0).saturating_sub(3).max(8) }
        }
        None => Frame::default(),
    }
}

fn show(odds: &Odds) -> Done {
    line(&summary(odds))?;
    match &odds.value {
        OddsValue::Number(distribution) => line(histogram(distribution, frame()).trim_end()),
        OddsValue::List(distribution) => {
            line(histogram_of(&distribution.clone().rename(Value::from_iter), frame()).trim_end())
        }
    }
}

fn table(odds: &Odds) -> String {
    match &odds.value {
        OddsValue::Number(distribution) => csv(distribution),
        OddsValue::List(distribution) => csv(&distribution.clone().rename(Value::from_iter)),
    }
}

fn numbers<'o>(text: &str, odds: &'o Odds) -> Result<&'o Distribution<i64>, Failure> {
    odds.number()
        .ok_or_else(|| Failure::Failed(format!("error: {text} is a list, and lists have no order; use sum(…)")))
}

fn compare(first: (&str, &Odds), second: (&str, &Odds), json: bool) -> Done {
    let (a, b) = (numbers(first.0, first.1)?, numbers(second.0, second.1)?);
    let comparison = a.compare(b);
    if json {
        let shares = json!({
            "greater": fraction(&comparison.greater),
            "equal": fraction(&comparison.equal),
            "less": fraction(&comparison.less),
        });
        return json_line(&json!({ "first": first.1, "second": second.1, "first_is": shares }).to_string());
    }
    line(&format!("{}: {}", first.0, summary(first.1)))?;
    line(&format!("{}: {}", second.0, summary(second.1)))?;
    line(&format!(
        "{} is greater {}, equal {}, less {}",
        first.0,
        percent(&comparison.greater),
        percent(&comparison.equal),
        percent(&comparison.less)
    ))?;
    line(overlay((first.0, a), (second.0, b), frame()).trim_end())
}

fn percent(share: &dashu_ratio::RBig) -> String {
    format!("{:.2} %", 100.0 * share.to_f64().value())
}

/// Writes the pictures that are asked for.
fn draw(args: &OddsArgs, title: &str, series: &[Series<'_>]) -> Done {
    let picture = svg(title, series);
    if let Some(file) = &args.svg {
        write(file, picture.as_bytes())?;
    }
    if let Some(file) = &args.png {
        write(file, &dots(&picture)?)?;
    }
    Ok(())
}

/// The picture as a PNG.
#[cfg(feature = "png")]
fn dots(picture: &str) -> Result<Vec<u8>, Failure> {
    crate::odds::png(picture).map_err(|problem| Failure::Failed(format!("error: {problem}\n  --svg FILE writes one")))
}

/// Says how to get a PNG, in a build that draws none.
#[cfg(not(feature = "png"))]
fn dots(_: &str) -> Result<Vec<u8>, Failure> {
    Err(Failure::Usage(
        "error: this grog was built without PNG pictures\n  --svg FILE writes a picture that turns into a PNG anywhere, or \
         build with it: cargo install --path . --features png"
            .into(),
    ))
}

fn write(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

fn of_one_rule(args: &OddsArgs, rule: &str, budget: &Budget) -> Done {
    let text = args.expression.as_deref().unwrap_or("{}");
    let given: Value = serde_json::from_str(text).map_err(|problem| {
        Failure::Usage(format!("error: the arguments are not JSON: {problem}\n  write them like '{{\"ac\":15}}'"))
    })?;
    let field = args.of.as_deref().unwrap_or_default();
    let odds = of_rule(rule, given, field, &House::new(), budget).map_err(|error| refused(&error))?;
    if args.draws() {
        let name = format!("{rule} {field}");
        draw(args, &name, &[Series { name: &name, distribution: &whole_numbers(&name, &odds.distribution)? }])?;
    }
    if args.json {
        return json_line(&to_json(&odds.distribution));
    }
    let plainly = |value: Value| match value {
        Value::Nil => "nothing".to_owned(),
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    };
    if args.csv {
        return line(csv(&odds.distribution.rename(plainly)).trim_end());
    }
    let exact = exactness(&odds.distribution.remainder());
    line(&format!("{rule} {field} · {exact}, {} outcomes visited", odds.leaves))?;
    line(histogram_of(&odds.distribution.rename(plainly), frame()).trim_end())
}

/// The results of a rule as numbers, for a picture: it has a scale below.
fn whole_numbers(name: &str, odds: &Distribution<Value>) -> Result<Distribution<i64>, Failure> {
    if let Some((other, _)) = odds.entries().iter().find(|(value, _)| !matches!(value, Value::Whole(_))) {
        let message =
            format!("error: {name} may be {other}, and a picture shows whole numbers; take a field that is one");
        return Err(Failure::Failed(message));
    }
    let number = |value| if let Value::Whole(number) = value { number } else { 0 };
    Ok(odds.clone().rename(number))
}

/// A request of `grog odds --jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    #[serde(default)]
    expr: Option<String>,
    #[serde(default)]
    params: std::collections::BTreeMap<String, i64>,
    #[serde(default)]
    call: Option<String>,
    #[serde(default)]
    given: Value,
    #[serde(default)]
    of: String,
    /// Steps of exact work that this answer may take instead of the usual ones.
    #[serde(default)]
    budget: Option<f64>,
}

/// An answer: the odds of dice, or of a rule.
#[derive(Debug, Serialize)]
struct Answer {
    ok: Answered,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answered {
    Dice(Odds),
    Rule(crate::odds::Distribution<Value>),
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Refused {
    Notation(NotationRefusal),
    Rule(Refusal),
}

impl From<OddsError> for Refused {
    fn from(error: OddsError) -> Self {
        match error {
            OddsError::Notation(error) => Refused::Notation(error.into()),
            other => Refused::Rule(Refusal { error: "budget".into(), field: None, message: other.to_string() }),
        }
    }
}

impl From<RuleError> for Refused {
    fn from(error: RuleError) -> Self {
        Refused::Rule(Refusal::from(&error))
    }
}

fn answer(request: &Request, cache: &mut ExpressionCache, house: &House, budget: &Budget) -> Result<Answer, Refused> {
    let own = request.budget.map(|steps| budget.clone().allowing(steps));
    let budget = own.as_ref().unwrap_or(budget);
    if let Some(call) = &request.call {
        let given = if request.given == Value::Nil { Value::empty() } else { request.given.clone() };
        let RuleOdds { distribution, .. } = of_rule(call, given, &request.of, house, budget)?;
        return Ok(Answer { ok: Answered::Rule(distribution) });
    }
    let expression = cache.get(request.expr.as_deref().unwrap_or_default()).map_err(OddsError::Notation)?;
    let mut params = Params::default();
    for (name, number) in &request.params {
        params.set(name.as_str(), *number);
    }
    Ok(Answer { ok: Answered::Dice(of_expression(&expression, &params, budget)?) })
}
