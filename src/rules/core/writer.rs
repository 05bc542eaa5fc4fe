//! Turns typed records into plain data: one serde serializer that makes [`Value`]s.

use compact_str::CompactString;
use serde::ser::{self, Impossible, Serialize, Serializer};

use super::error::{ErrorKind, RuleError};
use super::value::{Fields, Value};

/// A typed record as plain data. Outcomes and arguments always succeed; a map with keys that are not text does not.
pub fn write<T: Serialize + ?Sized>(record: &T) -> Result<Value, RuleError> {
    record.serialize(Writer)
}

impl ser::Error for RuleError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        RuleError::general(ErrorKind::Invalid, message.to_string())
    }
}

struct Writer;

macro_rules! whole_numbers {
    ($($name:ident: $type:ty),*) => {$(
        fn $name(self, n: $type) -> Result<Value, RuleError> {
            Ok(Value::Whole(i64::from(n)))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = RuleError;
    type SerializeSeq = ListWriter;
    type SerializeTuple = ListWriter;
    type SerializeTupleStruct = ListWriter;
    type SerializeTupleVariant = Impossible<Value, RuleError>;
    type SerializeMap = MapWriter;
    type SerializeStruct = MapWriter;
    type SerializeStructVariant = Impossible<Value, RuleError>;

    whole_numbers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32);

    fn serialize_u64(self, n: u64) -> Result<Value, RuleError> {
        Ok(i64::try_from(n).map_or(Value::Number(n as f64), Value::Whole))
    }
    fn serialize_bool(self, yes: bool) -> Result<Value, RuleError> {
        Ok(Value::Bool(yes))
    }
    fn serialize_f32(self, x: f32) -> Result<Value, RuleError> {
        Ok(Value::number(f64::from(x)))
    }
    fn serialize_f64(self, x: f64) -> Result<Value, RuleError> {
        Ok(Value::number(x))
    }
    fn serialize_char(self, letter: char) -> Result<Value, RuleError> {
        Ok(Value::Text(CompactString::from_iter([letter])))
    }
    fn serialize_str(self, text: &str) -> Result<Value, RuleError> {
        Ok(Value::Text(text.into()))
    }
    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, RuleError> {
        Ok(bytes.iter().map(|&byte| i64::from(byte)).collect())
    }
    fn serialize_none(self) -> Result<Value, RuleError> {
        Ok(Value::Nil)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, inner: &T) -> Result<Value, RuleError> {
        inner.serialize(self)
    }
    fn serialize_unit(self) -> Result<Value, RuleError> {
        Ok(Value::Nil)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, RuleError> {
        Ok(Value::empty())
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<Value, RuleError> {
        Ok(Value::Text(CompactString::const_new(name)))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, inner: &T) -> Result<Value, RuleError> {
        inner.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        inner: &T,
    ) -> Result<Value, RuleError> {
        Ok(Value::Map(Fields(vec![(CompactString::const_new(name), inner.serialize(self)?)])))
    }
    fn serialize_seq(self, length: Option<usize>) -> Result<ListWriter, RuleError> {
        Ok(ListWriter(Vec::with_capacity(length.unwrap_or(0))))
    }
    fn serialize_tuple(self, length: usize) -> Result<ListWriter, RuleError> {
        self.serialize_seq(Some(length))
    }
    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<ListWriter, RuleError> {
        self.serialize_seq(Some(length))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, RuleError> {
        Err(ser::Error::custom(format_args!("the variant {name} is not plain data")))
    }
    fn serialize_map(self, length: Option<usize>) -> Result<MapWriter, RuleError> {
        Ok(MapWriter { fields: Vec::with_capacity(length.unwrap_or(0)), key: None })
    }
    fn serialize_struct(self, _: &'static str, length: usize) -> Result<MapWriter, RuleError> {
        self.serialize_map(Some(length))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, RuleError> {
        Err(ser::Error::custom(format_args!("the variant {name} is not plain data")))
    }
}

struct ListWriter(Vec<Value>);

impl ser::SerializeSeq for ListWriter {
    type Ok = Value;
    type Error = RuleError;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), RuleError> {
        self.0.push(item.serialize(Writer)?);
        Ok(())
    }
    fn end(self) -> Result<Value, RuleError> {
        Ok(Value::List(self.0))
    }
}

impl ser::SerializeTuple for ListWriter {
    type Ok = Value;
    type Error = RuleError;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), RuleError> {
        ser::SerializeSeq::serialize_element(self, item)
    }
    fn end(self) -> Result<Value, RuleError> {
        ser::SerializeSeq::end(self)
    }
}

impl ser::SerializeTupleStruct for ListWriter {
    type Ok = Value;
    type Error = RuleError;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, item: &T) -> Result<(), RuleError> {
        ser::SerializeSeq::serialize_element(self, item)
    }
    fn end(self) -> Result<Value, RuleError> {
        ser::SerializeSeq::end(self)
    }
}

struct MapWriter {
    fields: Vec<(CompactString, Value)>,
    key: Option<CompactString>,
}

impl ser::SerializeMap for MapWriter {
    type Ok = Value;
    type Error = RuleError;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), RuleError> {
        self.key = Some(match key.serialize(Writer)? {
            Value::Text(text) => text,
            Value::Whole(n) => CompactString::from(n.to_string()),
            other => return Err(ser::Error::custom(format_args!("a key must be text, not {}", other.described()))),
        });
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), RuleError> {
        let key = self.key.take().unwrap_or_default();
        self.fields.push((key, value.serialize(Writer)?));
        Ok(())
    }
    fn end(self) -> Result<Value, RuleError> {
        Ok(Value::Map(Fields(self.fields)))
    }
}

impl ser::SerializeStruct for MapWriter {
    type Ok = Value;
    type Error = RuleError;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), RuleError> {
        self.fields.push((CompactString::const_new(name), value.serialize(Writer)?));
        Ok(())
    }
    fn end(self) -> Result<Value, RuleError> {
        Ok(Value::Map(Fields(self.fields)))
    }
}
