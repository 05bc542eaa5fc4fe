//! Damage as an argument: `1d6+2` in text, or its parts in a table.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::ser::{Serialize, Serializer};

use super::error::RuleError;
use super::number::Whole;
use super::reader::read;
use super::referee::{Referee, Total};
use super::value::{Fields, Value};

/// Dice of damage: `count` dice of `sides` faces and a modifier, written `2d6+1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamageDice {
    /// How many dice.
    pub count: Whole<1, 100>,
    /// Faces of each.
    pub sides: Whole<2, 100>,
    /// Added once to their sum.
    pub modifier: Whole<-1_000, 1_000>,
}

impl DamageDice {
    /// The most the dice alone can show.
    #[must_use]
    pub fn greatest_roll(self) -> i64 {
        self.count.get() * self.sides.get()
    }

    /// Rolls the dice, without the modifier.
    pub fn roll(self, referee: &mut Referee<'_>, purpose: &str) -> Result<Total, RuleError> {
        referee.total(self.count.get() as u32, self.sides.get() as u32, purpose)
    }
}

impl fmt::Display for DamageDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}d{}", self.count, self.sides)?;
        if self.modifier.get() == 0 { Ok(()) } else { write!(f, "{:+}", self.modifier.get()) }
    }
}

/// The parts as a table.
#[derive(serde::Deserialize)]
struct Parts {
    count: Whole<1, 100>,
    sides: Whole<2, 100>,
    #[serde(default, rename = "mod")]
    modifier: Whole<-1_000, 1_000>,
}

impl From<Parts> for DamageDice {
    fn from(parts: Parts) -> Self {
        DamageDice { count: parts.count, sides: parts.sides, modifier: parts.modifier }
    }
}

struct DamageVisitor;

/// A whole number of plain digits at the beginning of a text, and the rest; nothing where no digit stands or the number
/// is beyond all bounds.
fn digits(text: &str) -> Option<(i64, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest.trim_start()))
}

/// `2d6+1` apart: count, sides, modifier, as they stand and unchecked.
fn split(text: &str) -> Option<(i64, i64, i64)> {
    let text = text.trim();
    let (count, rest) = if text.starts_with(['d', 'D']) { (1, text) } else { digits(text)? };
    let (sides, rest) = digits(rest.strip_prefix(['d', 'D'])?.trim_start())?;
    if rest.is_empty() {
        return Some((count, sides, 0));
    }
    let (modifier, rest_after) = digits(rest.strip_prefix(['+', '-', '−'])?.trim_start())?;
    let modifier = if rest.starts_with('+') { modifier } else { -modifier };
    rest_after.is_empty().then_some((count, sides, modifier))
}

impl<'de> Visitor<'de> for DamageVisitor {
    type Value = DamageDice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dice such as \"1d6+2\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<DamageDice, E> {
        let Some((count, sides, modifier)) = split(text) else {
            return Err(E::invalid_type(de::Unexpected::Str(text), &self));
        };
        if let (Some(count), Some(sides), Some(modifier)) = (Whole::new(count), Whole::new(sides), Whole::new(modifier))
        {
            return Ok(DamageDice { count, sides, modifier });
        }
        // What is out of bounds goes through the table form, which names the part and its bounds.
        let parts = [("count", count), ("sides", sides), ("mod", modifier)];
        let fields = parts.map(|(name, number)| (name.into(), Value::Whole(number)));
        let parts = read::<Parts>(&Value::Map(Fields(fields.into()))).map_err(RuleError::through_serde)?;
        Ok(parts.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DamageDice, A::Error> {
        Parts::deserialize(MapAccessDeserializer::new(map)).map(DamageDice::from)
    }
}

impl<'de> Deserialize<'de> for DamageDice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DamageVisitor)
    }
}

impl Serialize for DamageDice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for DamageDice {
    fn schema_name() -> Cow<'static, str> {
        "DamageDice".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "dice", "examples": ["1d6+2"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::{ErrorKind, RuleError};

    fn read_text(text: &str) -> Result<DamageDice, RuleError> {
        read(&Value::from(text))
    }

    #[test]
    fn text_and_table_say_the_same() {
        let table: Value = serde_json::from_str(r#"{"count":2,"sides":6,"mod":-1}"#).unwrap();
        assert_eq!(read_text("2d6-1").unwrap(), read::<DamageDice>(&table).unwrap());
        assert_eq!(read_text("d8").unwrap().to_string(), "1d8");
        assert_eq!(read_text(" 1D6 + 2 ").unwrap().to_string(), "1d6+2");
    }

    #[test]
    fn a_bound_names_the_part_at_fault() {
        for (text, field) in [("0d6", "count"), ("1d1", "sides"), ("101d6", "count")] {
            let error = read_text(text).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some(field)), "{text}");
        }
        for text in ["", "x", "2d", "3", "1d6kh1", "1d6+", "-1d6", "1 2d6", "2d6+-1"] {
            assert_eq!(read_text(text).unwrap_err().kind(), ErrorKind::BadType, "{text}");
        }
    }
}
