//! A request to resolve a rule and its answer, as `grog resolve --jsonl` and the golden cases speak them.

use serde::{Deserialize, Serialize};

use super::error::RuleError;
use super::house::House;
use super::referee::Referee;
use super::value::{Fields, Value};
use crate::dice::{Random, Recorder, Scripted, Seed, Source};

/// One request: `{"call":"check.roll","given":{…},"dice":[4,4,3]}`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The rule.
    pub call: String,
    /// Its arguments.
    #[serde(default)]
    pub given: Value,
    /// Dice to deal, in order. Without them dice are random.
    #[serde(default)]
    pub dice: Option<Vec<i64>>,
    /// The seed of random dice: a number or any text.
    #[serde(default)]
    pub seed: Option<SeedText>,
    /// Switches for this call; they are laid over those inside `given`.
    #[serde(default)]
    pub options: Value,
}

/// A seed as people give it: a number, or any text.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum SeedText {
    /// A number; the same seed as its decimal text.
    Number(u64),
    /// Any text.
    Text(String),
}

impl SeedText {
    /// The seed.
    #[must_use]
    pub fn seed(&self) -> Seed {
        match self {
            SeedText::Number(number) => Seed::from(*number),
            SeedText::Text(text) => Seed::of_text(text),
        }
    }
}

/// An answer: `{"ok":{…},"sides":[6,6,6],"unused":0}`.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The outcome.
    pub ok: Value,
    /// The faces of each die drawn, in order.
    pub sides: Vec<u32>,
    /// Dice given and not used.
    pub unused: usize,
}

/// An error answer: `{"error":"out_of_range","field":"score","message":"…"}`.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    /// The kind of error.
    pub error: String,
    /// The argument at fault, with its full path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A sentence for a person.
    pub message: String,
}

impl From<&RuleError> for Refusal {
    fn from(error: &RuleError) -> Self {
        Refusal {
            error: error.kind().name().to_owned(),
            field: error.field().map(str::to_owned),
            message: error.to_string(),
        }
    }
}

impl Request {
    /// The arguments with the request's own options laid over theirs.
    fn arguments(&self) -> Result<Value, RuleError> {
        let mut given = match &self.given {
            Value::Nil => Value::empty(),
            given => given.clone(),
        };
        match (&mut given, &self.options) {
            (_, Value::Nil) => {}
            (Value::Map(fields), Value::Map(Fields(own))) => {
                let mut options = match fields.remove("options") {
                    Some(Value::Map(options)) => options,
                    _ => Fields::default(),
                };
                for (name, value) in own {
                    options.set(name, value.clone());
                }
                fields.set("options", Value::Map(options));
            }
            _ => return Err(RuleError::bad_type("options", "must be a table")),
        }
        Ok(given)
    }

    /// Resolves the request with its own dice, or with `random` ones when it has neither dice nor a seed.
    pub fn answer(&self, house: &House, random: &mut dyn Source) -> Result<Answer, RuleError> {
        let arguments = self.arguments()?;
        if let Some(dice) = &self.dice {
            let mut source = Recorder::new(Scripted::new(dice.clone()));
            let ok = Referee::new(&mut source, house).resolve(&self.call, arguments)?;
            let sides = source.sides();
            return Ok(Answer { ok, sides, unused: source.into_parts().0.unused() });
        }
        let mut seeded = self.seed.as_ref().map(|seed| Random::new(seed.seed()));
        let source: &mut dyn Source = match &mut seeded {
            Some(seeded) => seeded,
            None => random,
        };
        let mut source = Recorder::new(source);
        let ok = Referee::new(&mut source, house).resolve(&self.call, arguments)?;
        Ok(Answer { ok, sides: source.sides(), unused: 0 })
    }
}
