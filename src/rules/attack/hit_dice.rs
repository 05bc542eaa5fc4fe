//! A monster's hit dice as an argument: `3`, `"3+2"`, `"1-1"`, `"1/2"`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::rules::core::{Natural, UNBOUNDED};

/// Parts of a hit die that small monsters have: 1/2, 1/4, 1/8.
const FRACTIONS: [i64; 3] = [2, 4, 8];

/// Hit dice: a count with points more or fewer, or a part of one die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitDice {
    /// So many whole dice, and hit points added to (or taken from) their sum.
    Dice {
        /// How many dice, 0 or more.
        count: i64,
        /// Points added, negative when taken away.
        points: i64,
    },
    /// One of this many parts of a die: 2, 4 or 8.
    Part(i64),
}

impl HitDice {
    /// The row of a table by hit dice: points more or fewer do not count, but 1-1 and lower is less than one hit die,
    /// 0 here (ATK-03).
    #[must_use]
    pub fn counted(self) -> i64 {
        match self {
            HitDice::Part(_) => 0,
            HitDice::Dice { count: 1, points } if points < 0 => 0,
            HitDice::Dice { count, .. } => count,
        }
    }

    /// Reads the text form; nothing when it is none.
    fn of_text(text: &str) -> Option<Self> {
        let text = text.trim().replace('−', "-");
        if let Some((one, parts)) = text.split_once('/') {
            let parts = number(parts)?;
            return (number(one)? == 1 && FRACTIONS.contains(&parts)).then_some(HitDice::Part(parts));
        }
        let (count, points) = match text.find(['+', '-']) {
            None => (number(&text)?, 0),
            Some(at) => {
                let sign = if text[at..].starts_with('-') { -1 } else { 1 };
                (number(&text[..at])?, sign * number(&text[at + 1..])?)
            }
        };
        Some(HitDice::Dice { count, points })
    }
}

/// Digits as a number; one past every bound counts as the bound and one, so that it is refused as too great.
fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(UNBOUNDED + 1).min(UNBOUNDED + 1))
}

impl fmt::Display for HitDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HitDice::Part(parts) => write!(f, "1/{parts}"),
            HitDice::Dice { count, points: 0 } => write!(f, "{count}"),
            HitDice::Dice { count, points } => write!(f, "{count}{points:+}"),
        }
    }
}

impl Serialize for HitDice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            HitDice::Dice { count, points: 0 } => serializer.serialize_i64(*count),
            other => serializer.collect_str(other),
        }
    }
}

struct HitDiceVisitor;

impl Visitor<'_> for HitDiceVisitor {
    type Value = HitDice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hit dice: a whole number of 0 or more, or text such as \"3+2\", \"1-1\" or \"1/2\"")
    }
    fn visit_i64<E: de::Error>(self, count: i64) -> Result<HitDice, E> {
        match Natural::new(count) {
            Some(count) => Ok(HitDice::Dice { count: count.get(), points: 0 }),
            None => Err(E::invalid_value(de::Unexpected::Signed(count), &self)),
        }
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<HitDice, E> {
        match HitDice::of_text(text) {
            Some(HitDice::Dice { count, points }) if count.max(points.abs()) > UNBOUNDED => {
                Err(E::invalid_value(de::Unexpected::Str(text), &self))
            }
            Some(dice) => Ok(dice),
            None => Err(E::custom(format_args!(
                "must be hit dice such as 3, \"3+2\", \"1-1\" or \"1/2\" (1/4, 1/8), not \"{text}\""
            ))),
        }
    }
}

impl<'de> Deserialize<'de> for HitDice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HitDiceVisitor)
    }
}

impl JsonSchema for HitDice {
    fn schema_name() -> Cow<'static, str> {
        "HitDice".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "string", "examples": ["3+2", "1-1", "1/2"] },
        ] })
    }
}

#[cfg(test)]
mod tests {
    use super::HitDice;
    use crate::rules::core::{ErrorKind, Value, read, write};

    fn counted(text: &str) -> i64 {
        read::<HitDice>(&Value::from(text)).unwrap().counted()
    }

    #[test]
    fn points_more_or_fewer_do_not_count_but_one_less_one_is_under_a_die() {
        let figures = [("3+2", 3), ("3-1", 3), ("1+1", 1), ("2-1", 2), ("1-1", 0), ("1-2", 0), ("1/8", 0), ("0", 0)];
        for (text, expected) in figures {
            assert_eq!(counted(text), expected, "{text}");
        }
    }

    #[test]
    fn hit_dice_are_written_as_they_are_read() {
        for value in [Value::Whole(3), Value::from("3+2"), Value::from("1-1"), Value::from("1/4")] {
            assert_eq!(write(&read::<HitDice>(&value).unwrap()).unwrap(), value);
        }
    }

    #[test]
    fn what_is_no_hit_dice_figure_is_refused() {
        let kinds = [
            (Value::from("lots"), ErrorKind::Invalid),
            (Value::from("1/3"), ErrorKind::Invalid),
            (Value::from("-1"), ErrorKind::Invalid),
            (Value::from("3+"), ErrorKind::Invalid),
            (Value::from("99999999999999999999"), ErrorKind::OutOfRange),
            (Value::from(-1), ErrorKind::OutOfRange),
            (Value::Number(2.5), ErrorKind::BadType),
        ];
        for (value, kind) in kinds {
            assert_eq!(read::<HitDice>(&value).unwrap_err().kind(), kind, "{value}");
        }
    }
}
