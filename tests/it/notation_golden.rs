//! The golden cases of dice notation: rolls with scripted dice, and refusals.

use grognard::dice::{Expression, NotationErrorKind, Params, Recorder, RollValue, Scripted};
use serde::Deserialize;

const CASES: &str = include_str!("../golden/notation.jsonl");

#[derive(Deserialize)]
struct Case {
    id: String,
    expr: String,
    #[serde(default)]
    dice: Option<Vec<i64>>,
    #[serde(default)]
    sides: Option<Vec<u32>>,
    #[serde(default)]
    total: Option<RollValue>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    params: std::collections::BTreeMap<String, i64>,
    why: String,
}

/// Cases that a later ruling overrides, with the reason.
const DISPUTED: &str = include_str!("../golden_disputed.txt");

pub fn is_disputed(id: &str) -> bool {
    DISPUTED.lines().any(|line| line.split_whitespace().next() == Some(id))
}

fn cases() -> impl Iterator<Item = Case> {
    let all = CASES.lines().map(|line| serde_json::from_str(line).expect("a golden case is JSON of the known shape"));
    all.filter(|case: &Case| !is_disputed(&case.id))
}

/// What is wrong with the way the case is rolled, if anything is.
fn roll(case: &Case, wanted: &RollValue) -> Result<(), String> {
    let dice = case.dice.clone().unwrap_or_default();
    let params: Params = case.params.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    let expression = Expression::parse(&case.expr).map_err(|error| error.to_string())?;
    let mut source = Recorder::new(Scripted::new(dice.clone()));
    let roll = expression.roll(&mut source, &params).map_err(|error| error.to_string())?;
    let (source, draws) = source.into_parts();
    let sides: Vec<u32> = draws.iter().map(|draw| draw.sides).collect();
    if roll.value() != wanted || roll.root().value != *wanted {
        return Err(format!("comes to {}, not {wanted}", roll.value()));
    }
    if source.unused() > 0 {
        return Err(format!("{} dice are left", source.unused()));
    }
    if case.sides.as_ref().is_some_and(|wanted| *wanted != sides) {
        return Err(format!("rolled dice of these sides: {sides:?}"));
    }
    let traced: Vec<i64> = roll.dice().iter().map(|die| die.raw).collect();
    if traced != dice {
        return Err(format!("the trace has {traced:?}"));
    }
    let mut source = Scripted::new(dice);
    let total = expression.total(&mut source, &params).map_err(|error| error.to_string())?;
    if total != *wanted || source.unused() > 0 {
        return Err(format!("without a trace it comes to {total}, {} dice left", source.unused()));
    }
    let bounds = expression.bounds(&params).map_err(|error| format!("bounds: {error}"))?;
    let outside = |number: &i64| {
        bounds.least.is_some_and(|least| *number < least) || bounds.greatest.is_some_and(|most| *number > most)
    };
    if wanted.numbers().iter().any(outside) {
        return Err(format!("{wanted} lies outside of {bounds:?}"));
    }
    let printed = expression.to_string();
    match Expression::parse(&printed) {
        Ok(again) if again.to_string() == printed => Ok(()),
        Ok(again) => Err(format!("prints {printed}, which prints {again}")),
        Err(error) => Err(format!("prints {printed}, which is refused: {error}")),
    }
}

/// What is wrong with the way the case is refused, if anything is.
fn refuse(case: &Case) -> Result<(), String> {
    let params: Params = case.params.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    let dice = case.dice.clone().unwrap_or_default();
    let mut source = Scripted::new(dice.clone());
    let answer = Expression::parse(&case.expr).and_then(|expression| expression.roll(&mut source, &params));
    let error = match answer {
        Ok(roll) => return Err(format!("is not refused, it comes to {}", roll.value())),
        Err(error) => error,
    };
    if error.kind() == NotationErrorKind::Dice {
        return Err(format!("is refused only for its dice: {error}"));
    }
    if error.to_string().contains('\n') {
        return Err(format!("the message has more than one line: {error}"));
    }
    Ok(())
}

#[test]
fn every_disputed_case_of_notation_exists() {
    let disputed = DISPUTED.lines().filter_map(|line| line.split_whitespace().next());
    for id in disputed.filter(|id| id.starts_with("notation/")) {
        assert!(CASES.contains(&format!("\"{id}\"")), "{id} is disputed and stands in no golden file");
    }
}

#[test]
fn rolls_come_to_what_the_golden_cases_say() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for case in cases() {
        let Some(total) = &case.total else { continue };
        count += 1;
        if let Err(reason) = roll(&case, total) {
            wrong.push(format!("{} {:.60} ({}): {reason}", case.id, case.expr, case.why));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 150, "only {count} cases roll");
}

#[test]
fn what_the_golden_cases_refuse_is_refused() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for case in cases() {
        if case.error.is_none() {
            continue;
        }
        count += 1;
        if let Err(reason) = refuse(&case) {
            wrong.push(format!("{} {:.60} ({}): {reason}", case.id, case.expr, case.why));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 80, "only {count} cases are refused");
}
