//! For the tests of rules: resolve with scripted dice, all of which must be used.

use super::error::RuleError;
use super::house::House;
use super::reader::read;
use super::referee::Referee;
use super::rule::Rule;
use super::value::Value;
use crate::dice::Scripted;

/// Resolves a rule by name on JSON arguments with these dice.
pub(crate) fn resolved(name: &str, args: &str, dice: &[i64]) -> Result<Value, RuleError> {
    resolved_in(&House::new(), name, args, dice)
}

/// The same with house rules in force.
pub(crate) fn resolved_in(house: &House, name: &str, args: &str, dice: &[i64]) -> Result<Value, RuleError> {
    let mut source = Scripted::new(dice);
    let args: Value = serde_json::from_str(args).unwrap();
    let outcome = Referee::new(&mut source, house).resolve(name, args)?;
    assert_eq!(source.unused(), 0, "{name} left dice unused");
    Ok(outcome)
}

/// The typed outcome of a rule that resolves.
pub(crate) fn outcome<R: Rule>(args: &str, dice: &[i64]) -> R::Outcome {
    let value = resolved(R::NAME, args, dice).unwrap_or_else(|error| panic!("{error}"));
    read(&value).unwrap_or_else(|error| panic!("{error}"))
}
