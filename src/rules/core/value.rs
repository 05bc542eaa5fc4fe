//! Plain data: what goes into a rule and comes out of it, whoever asks (Lua, JSON, a journal, a wrapper).

use std::fmt;

use compact_str::CompactString;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A piece of plain data. Whole numbers stay whole; a fraction is a [`Value::Number`].
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing: null, nil, an absent field.
    #[default]
    Nil,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Whole(i64),
    /// A number that is not whole (or too large to be a [`Value::Whole`]).
    Number(f64),
    /// Text.
    Text(CompactString),
    /// A list.
    List(Vec<Value>),
    /// Named fields, in the order they were given.
    Map(Fields),
}

/// Named fields in order. Small: lookups walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(pub Vec<(CompactString, Value)>);

impl Fields {
    /// The field of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Sets a field, in place when it is there already.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.into(), value)),
        }
    }

    /// Takes a field out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(key, _)| key == name)?;
        Some(self.0.remove(at).1)
    }
}

impl Value {
    /// The field of this name, when this is a map that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(fields) => fields.get(name),
            _ => None,
        }
    }

    /// Adds the fields that another piece of data has and this one has not, inside lists and tables too.
    pub(crate) fn add_missing(&mut self, other: Value) {
        match (self, other) {
            (Value::Map(fields), Value::Map(Fields(others))) => {
                for (name, other) in others {
                    match fields.0.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, value)) => value.add_missing(other),
                        None => fields.0.push((name, other)),
                    }
                }
            }
            (Value::List(items), Value::List(others)) => {
                for (item, other) in items.iter_mut().zip(others) {
                    item.add_missing(other);
                }
            }
            _ => {}
        }
    }

    /// Whether some data is the same once it has been in Lua, where a table has no order, nothing is an absent field, and
    /// an empty list is an empty table.
    #[cfg(feature = "lua")]
    pub(crate) fn is_same_in_lua(&self, other: &Value) -> bool {
        let filled = |fields: &Fields| fields.0.iter().filter(|(_, value)| *value != Value::Nil).count();
        match (self, other) {
            (Value::Map(fields), Value::Map(others)) => {
                let same = |(name, value): &(CompactString, Value)| {
                    *value == Value::Nil || others.get(name).is_some_and(|other| value.is_same_in_lua(other))
                };
                filled(fields) == filled(others) && fields.0.iter().all(same)
            }
            (Value::List(items), Value::List(others)) => {
                items.len() == others.len() && items.iter().zip(others).all(|(item, other)| item.is_same_in_lua(other))
            }
            (Value::List(items), Value::Map(fields)) | (Value::Map(fields), Value::List(items)) => {
                items.is_empty() && filled(fields) == 0
            }
            (one, other) => one == other,
        }
    }

    /// A number as data: whole when it is whole and exact.
    #[must_use]
    pub fn number(number: f64) -> Self {
        // 2^53: beyond it a float no longer tells neighboring whole numbers apart.
        if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
            Value::Whole(number as i64)
        } else {
            Value::Number(number)
        }
    }

    /// An empty map.
    #[must_use]
    pub fn empty() -> Self {
        Value::Map(Fields::default())
    }

    /// What it is, for messages: `nothing`, `true`, `12`, `text "x"`, `a list`, `a table`.
    #[must_use]
    pub fn described(&self) -> String {
        match self {
            Value::Nil => "nothing".into(),
            Value::Bool(yes) => yes.to_string(),
            Value::Whole(n) => n.to_string(),
            Value::Number(x) => x.to_string(),
            Value::Text(text) if text.chars().count() > 40 => {
                format!("text \"{}…\"", text.chars().take(40).collect::<String>())
            }
            Value::Text(text) => format!("text \"{text}\""),
            Value::List(_) => "a list".into(),
            Value::Map(_) => "a table".into(),
        }
    }

    /// One line of compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serialising plain data into a string cannot fail; a NaN becomes null.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Shown the way a Lua script would write it: `{ success = true, rolls = { 2, 3, 4 } }`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => f.write_str("nil"),
            Value::Bool(yes) => write!(f, "{yes}"),
            Value::Whole(n) => write!(f, "{n}"),
            Value::Number(x) => write!(f, "{x}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::List(items) if items.is_empty() => f.write_str("{}"),
            Value::List(items) => {
                f.write_str("{ ")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(" }")
            }
            Value::Map(Fields(fields)) => {
                let mut shown = fields.iter().filter(|(_, value)| *value != Value::Nil).peekable();
                if shown.peek().is_none() {
                    return f.write_str("{}");
                }
                f.write_str("{ ")?;
                for (i, (key, value)) in shown.enumerate() {
                    write!(f, "{}{} = {value}", if i > 0 { ", " } else { "" }, ShownKey(key))?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// A key as Lua writes it: bare when it is a name, `["in brackets"]` otherwise.
struct ShownKey<'a>(&'a str);

impl fmt::Display for ShownKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && self.0.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if name { f.write_str(self.0) } else { write!(f, "[{:?}]", self.0) }
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Value::Bool(yes)
    }
}
impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Value::Whole(n)
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}
impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text.into())
    }
}
impl<V: Into<Value>> FromIterator<V> for Value {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Nil => serializer.serialize_unit(),
            Value::Bool(yes) => serializer.serialize_bool(*yes),
            Value::Whole(n) => serializer.serialize_i64(*n),
            Value::Number(x) => serializer.serialize_f64(*x),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Map(Fields(fields)) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key.as_str(), value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl schemars::JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "any plain data" })
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain data")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }
    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }
    fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Whole(n))
    }
    fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
        Ok(i64::try_from(n).map_or(Value::Number(n as f64), Value::Whole))
    }
    fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
        Ok(Value::number(x))
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Fields::default();
        while let Some((key, value)) = map.next_entry::<CompactString, Value>()? {
            if fields.get(&key).is_some() {
                return Err(de::Error::custom(format!("the field \"{key}\" stands there twice")));
            }
            fields.0.push((key, value));
        }
        Ok(Value::Map(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn json_goes_in_and_out_unchanged() {
        let text = r#"{"score":12,"share":0.5,"names":["a","b"],"none":null,"yes":true}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(value.to_json(), text);
    }

    #[test]
    fn a_whole_float_is_whole_and_a_fraction_is_not() {
        assert_eq!(serde_json::from_str::<Value>("12.0").unwrap(), Value::Whole(12));
        assert_eq!(serde_json::from_str::<Value>("12.5").unwrap(), Value::Number(12.5));
    }

    #[test]
    fn it_prints_as_lua_would_write_it() {
        let value: Value = serde_json::from_str(r#"{"success":true,"rolls":[2,3],"none":null,"a b":"x"}"#).unwrap();
        assert_eq!(value.to_string(), r#"{ success = true, rolls = { 2, 3 }, ["a b"] = "x" }"#);
    }

    #[test]
    fn a_field_given_twice_is_refused() {
        assert!(serde_json::from_str::<Value>(r#"{"a":1,"a":2}"#).is_err());
    }
}
