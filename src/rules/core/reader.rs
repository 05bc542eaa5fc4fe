//! Reads typed arguments out of plain data, and says exactly what is wrong with them.
//!
//! One serde deserializer over [`Value`]: it knows the path it is at, tells missing, wrongly typed, out of bounds and
//! unknown apart, and suggests the nearest name. Fields that are nil count as absent.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};

use super::error::{ErrorKind, RuleError};
use super::names::meant;
use super::value::{Fields, Value};
use crate::nearest::nearest;

/// Reads a typed record from plain data. Unknown fields are errors that name the nearest known one.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, RuleError> {
    T::deserialize(Reader { value, strict: true })
}

/// Reads a typed record and passes over fields it does not know; for outcomes that a wrapper has added to.
pub fn read_known<T: DeserializeOwned>(value: &Value) -> Result<T, RuleError> {
    T::deserialize(Reader { value, strict: false })
}

/// Says what stands in place of the thing wanted.
fn instead(wanted: &dyn std::fmt::Display, found: &Value) -> String {
    format!("must be {wanted}, not {}", found.described())
}

/// An unknown name: the sentence, with the nearest known name or the whole list when nothing is near.
pub(crate) fn unknown_name(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {what} \"{name}\"; did you mean \"{near}\"?"),
        None if known.is_empty() => format!("unknown {what} \"{name}\"; there are none to give"),
        None => format!("unknown {what} \"{name}\"; known are {}", known.join(", ")),
    }
}

impl de::Error for RuleError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        RuleError::of_custom(&message.to_string())
    }
    fn invalid_type(found: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        RuleError::general(ErrorKind::BadType, format!("must be {wanted}, not {}", shown(found)))
    }
    fn invalid_value(found: de::Unexpected<'_>, wanted: &dyn de::Expected) -> Self {
        RuleError::general(ErrorKind::OutOfRange, format!("must be {wanted}, not {}", shown(found)))
    }
    fn invalid_length(length: usize, wanted: &dyn de::Expected) -> Self {
        RuleError::general(ErrorKind::OutOfRange, format!("must be {wanted}, not {length}"))
    }
    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        RuleError::general(ErrorKind::Unknown, unknown_name("choice", name, known))
    }
    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        RuleError::unknown(name, unknown_name("argument", name, known))
    }
    fn missing_field(name: &'static str) -> Self {
        RuleError::missing(name)
    }
    fn duplicate_field(name: &'static str) -> Self {
        RuleError::invalid(name, "is given twice")
    }
}

fn shown(found: de::Unexpected<'_>) -> String {
    match found {
        de::Unexpected::Bool(yes) => yes.to_string(),
        de::Unexpected::Unsigned(n) => n.to_string(),
        de::Unexpected::Signed(n) => n.to_string(),
        de::Unexpected::Float(x) => x.to_string(),
        de::Unexpected::Str(text) => format!("text \"{text}\""),
        de::Unexpected::Unit | de::Unexpected::Option => "nothing".into(),
        de::Unexpected::Seq => "a list".into(),
        de::Unexpected::Map => "a table".into(),
        other => other.to_string(),
    }
}

/// The deserializer: one place in a piece of plain data.
#[derive(Clone, Copy)]
struct Reader<'a> {
    value: &'a Value,
    strict: bool,
}

impl<'a> Reader<'a> {
    fn at(self, value: &'a Value) -> Self {
        Reader { value, strict: self.strict }
    }

    fn bad_type(self, wanted: &dyn std::fmt::Display) -> RuleError {
        RuleError::general(ErrorKind::BadType, instead(wanted, self.value))
    }

    fn whole<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Whole(n) => visitor.visit_i64(*n),
            Value::Number(x) if x.is_finite() && x.fract() == 0.0 => {
                Err(RuleError::general(ErrorKind::OutOfRange, instead(&Wanted(&visitor), self.value)))
            }
            _ => Err(self.bad_type(&Wanted(&visitor))),
        }
    }
}

/// A visitor's own words for what it wants.
struct Wanted<'a, V>(&'a V);

impl<'de, V: Visitor<'de>> std::fmt::Display for Wanted<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }
}

macro_rules! whole_numbers {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
            self.whole(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = RuleError;

    whole_numbers!(deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Nil => visitor.visit_unit(),
            Value::Bool(yes) => visitor.visit_bool(*yes),
            Value::Whole(n) => visitor.visit_i64(*n),
            Value::Number(x) => visitor.visit_f64(*x),
            Value::Text(text) => visitor.visit_str(text),
            Value::List(items) => visitor.visit_seq(Elements { reader: self, items, next: 0 }),
            Value::Map(fields) => visitor.visit_map(Named::new(self, fields, None)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Bool(yes) => visitor.visit_bool(*yes),
            _ => Err(self.bad_type(&"true or false")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Whole(n) => visitor.visit_f64(*n as f64),
            Value::Number(x) if x.is_finite() => visitor.visit_f64(*x),
            _ => Err(self.bad_type(&"a number")),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Text(text) => visitor.visit_str(text),
            _ => Err(self.bad_type(&"text")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Nil => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Nil => visitor.visit_unit(),
            _ => Err(self.bad_type(&"nothing")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, RuleError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::List(items) => visitor.visit_seq(Elements { reader: self, items, next: 0 }),
            // An empty Lua table does not say whether it is a list.
            Value::Map(Fields(fields)) if fields.is_empty() => {
                visitor.visit_seq(Elements { reader: self, items: &[], next: 0 })
            }
            _ => Err(self.bad_type(&"a list")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, RuleError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Map(fields) => visitor.visit_map(Named::new(self, fields, None)),
            _ => Err(self.bad_type(&"a table")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RuleError> {
        match self.value {
            Value::Map(fields) => visitor.visit_map(Named::new(self, fields, Some(known))),
            _ => Err(self.bad_type(&"a table")),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, RuleError> {
        let Value::Text(text) = self.value else {
            return Err(self.bad_type(&format_args!("one of {}", known.join(", "))));
        };
        let Some(name) = meant(text, known.iter().copied()) else {
            return Err(RuleError::general(ErrorKind::Unknown, unknown_name("choice", text, known)));
        };
        let name: StrDeserializer<'_, RuleError> = name.into_deserializer();
        visitor.visit_enum(name)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, RuleError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { i128 u128 bytes byte_buf unit_struct tuple_struct }
}

/// The elements of a list, each read with its place in the path.
struct Elements<'a> {
    reader: Reader<'a>,
    items: &'a [Value],
    next: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = RuleError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, RuleError> {
        let Some(item) = self.items.get(self.next) else { return Ok(None) };
        let read = seed.deserialize(self.reader.at(item)).map_err(|error| error.within_element(self.next))?;
        self.next += 1;
        Ok(Some(read))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.next)
    }
}

/// The fields of a map, each read with its name in the path. With `known`, other names are errors.
struct Named<'a> {
    reader: Reader<'a>,
    fields: std::slice::Iter<'a, (compact_str::CompactString, Value)>,
    known: Option<&'static [&'static str]>,
    current: Option<(&'a str, &'a Value)>,
}

impl<'a> Named<'a> {
    fn new(reader: Reader<'a>, fields: &'a Fields, known: Option<&'static [&'static str]>) -> Self {
        Named { reader, fields: fields.0.iter(), known, current: None }
    }
}

impl<'de> MapAccess<'de> for Named<'_> {
    type Error = RuleError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, RuleError> {
        for (key, value) in self.fields.by_ref() {
            if *value == Value::Nil {
                continue;
            }
            if let Some(known) = self.known
                && !known.contains(&key.as_str())
            {
                if self.reader.strict {
                    return Err(RuleError::unknown(key, unknown_name("argument", key, known)));
                }
                continue;
            }
            self.current = Some((key, value));
            let name: StrDeserializer<'_, RuleError> = key.as_str().into_deserializer();
            return seed.deserialize(name).map(Some).map_err(|error| error.within(key));
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, RuleError> {
        let (key, value) = self.current.take().unwrap_or(("", &Value::Nil));
        seed.deserialize(self.reader.at(value)).map_err(|error| error.within(key))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::rules::core::Whole;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Mood {
        Calm,
        VeryAngry,
    }

    #[derive(Debug, Deserialize)]
    struct Side {
        score: Whole<0, 30>,
        #[serde(default)]
        mood: Option<Mood>,
    }

    #[derive(Debug, Deserialize)]
    struct Args {
        sides: Vec<Side>,
        #[serde(default)]
        loud: bool,
    }

    fn read_json(text: &str) -> Result<Args, RuleError> {
        read(&serde_json::from_str(text).unwrap())
    }

    fn fault(text: &str) -> (ErrorKind, String, String) {
        let error = read_json(text).unwrap_err();
        (error.kind(), error.field().unwrap_or_default().to_owned(), error.to_string())
    }

    #[test]
    fn a_full_record_is_read() {
        let args = read_json(r#"{"sides":[{"score":12,"mood":"very_angry"},{"score":3.0}],"loud":true}"#).unwrap();
        assert_eq!(args.sides[0].mood, Some(Mood::VeryAngry));
        assert_eq!(args.sides[1].score.get(), 3);
        assert!(args.loud);
    }

    #[test]
    fn a_choice_is_read_in_any_case_and_with_spaces_or_hyphens() {
        for mood in ["very_angry", "Very Angry", "VERY-ANGRY", "veryAngry"] {
            let args = read_json(&format!(r#"{{"sides":[{{"score":12,"mood":"{mood}"}}]}}"#)).unwrap();
            assert_eq!(args.sides[0].mood, Some(Mood::VeryAngry), "{mood}");
        }
    }

    #[test]
    fn each_fault_has_its_kind_its_path_and_a_way_out() {
        let cases = [
            (r"{}", ErrorKind::Missing, "sides", "sides is missing"),
            (r#"{"sides":null}"#, ErrorKind::Missing, "sides", "sides is missing"),
            (r#"{"sides":[{"score":1},{}]}"#, ErrorKind::Missing, "sides[2].score", "sides[2].score is missing"),
            (
                r#"{"sides":[{"score":31}]}"#,
                ErrorKind::OutOfRange,
                "sides[1].score",
                "sides[1].score must be a whole number from 0 to 30, not 31",
            ),
            (
                r#"{"sides":[{"score":12.5}]}"#,
                ErrorKind::BadType,
                "sides[1].score",
                "sides[1].score must be a whole number from 0 to 30, not 12.5",
            ),
            (
                r#"{"sides":[{"score":"12"}]}"#,
                ErrorKind::BadType,
                "sides[1].score",
                "sides[1].score must be a whole number from 0 to 30, not text \"12\"",
            ),
            (r#"{"sides":7}"#, ErrorKind::BadType, "sides", "sides must be a list, not 7"),
            (r#"{"sides":[],"loud":1}"#, ErrorKind::BadType, "loud", "loud must be true or false, not 1"),
            (
                r#"{"sides":[{"scor":1}]}"#,
                ErrorKind::Unknown,
                "sides[1].scor",
                "unknown argument \"scor\"; did you mean \"score\"?",
            ),
            (
                r#"{"sides":[{"score":1,"mood":"angry"}]}"#,
                ErrorKind::Unknown,
                "sides[1].mood",
                "unknown choice \"angry\"; known are calm, very_angry",
            ),
            (r#"{"sides":[{"score":1e300}]}"#, ErrorKind::OutOfRange, "sides[1].score", "sides[1].score must be"),
        ];
        for (text, kind, field, message) in cases {
            let found = fault(text);
            assert_eq!((found.0, found.1.as_str()), (kind, field), "{text}");
            assert!(found.2.starts_with(message), "{text}: {}", found.2);
        }
    }
}
