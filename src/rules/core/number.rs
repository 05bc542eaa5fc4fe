//! Whole numbers and lists with bounds: a bound is said once, and appears in the error, the schema and the docs.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A whole number from `LEAST` to `GREATEST`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Whole<const LEAST: i64, const GREATEST: i64>(i64);

/// The widest number a rule takes where the rule itself sets no bound: far from any overflow.
pub const UNBOUNDED: i64 = 1_000_000_000;

/// Any whole number (up to a thousand million either way).
pub type Any = Whole<{ -UNBOUNDED }, UNBOUNDED>;
/// A whole number of zero or more.
pub type Natural = Whole<0, UNBOUNDED>;
/// A whole number of one or more.
pub type Positive = Whole<1, UNBOUNDED>;
/// A modifier to a roll or a score, of either sign.
pub type Modifier = Any;

impl<const LEAST: i64, const GREATEST: i64> Whole<LEAST, GREATEST> {
    /// The number, when it is within the bounds.
    #[must_use]
    pub const fn new(number: i64) -> Option<Self> {
        if LEAST <= number && number <= GREATEST { Some(Whole(number)) } else { None }
    }

    /// The number, moved to the nearest bound when it is outside.
    #[must_use]
    #[inline]
    pub const fn clamped(number: i64) -> Self {
        if number < LEAST {
            Whole(LEAST)
        } else if number > GREATEST {
            Whole(GREATEST)
        } else {
            Whole(number)
        }
    }

    /// The plain number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// Zero, or the bound nearest to it.
impl<const LEAST: i64, const GREATEST: i64> Default for Whole<LEAST, GREATEST> {
    fn default() -> Self {
        Self::clamped(0)
    }
}

impl<const LEAST: i64, const GREATEST: i64> From<Whole<LEAST, GREATEST>> for i64 {
    fn from(whole: Whole<LEAST, GREATEST>) -> i64 {
        whole.0
    }
}

impl<const LEAST: i64, const GREATEST: i64> fmt::Display for Whole<LEAST, GREATEST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Says the bounds in words.
struct Bounds {
    least: i64,
    greatest: i64,
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.greatest) {
            (l, g) if l <= -UNBOUNDED && g >= UNBOUNDED => f.write_str("a whole number"),
            (l, g) if g >= UNBOUNDED => write!(f, "a whole number of {l} or more"),
            (l, g) if l <= -UNBOUNDED => write!(f, "a whole number of {g} or less"),
            (l, g) => write!(f, "a whole number from {l} to {g}"),
        }
    }
}

struct WholeVisitor<const LEAST: i64, const GREATEST: i64>;

impl<const LEAST: i64, const GREATEST: i64> Visitor<'_> for WholeVisitor<LEAST, GREATEST> {
    type Value = Whole<LEAST, GREATEST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Bounds { least: LEAST, greatest: GREATEST }, f)
    }
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        Whole::new(number).ok_or_else(|| E::invalid_value(de::Unexpected::Signed(number), &self))
    }
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        i64::try_from(number)
            .ok()
            .and_then(Whole::new)
            .ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }
}

impl<'de, const LEAST: i64, const GREATEST: i64> Deserialize<'de> for Whole<LEAST, GREATEST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(WholeVisitor)
    }
}

impl<const LEAST: i64, const GREATEST: i64> Serialize for Whole<LEAST, GREATEST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

impl<const LEAST: i64, const GREATEST: i64> JsonSchema for Whole<LEAST, GREATEST> {
    fn schema_name() -> Cow<'static, str> {
        format!("Whole_{LEAST}_{GREATEST}").into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "integer" });
        if LEAST > -UNBOUNDED {
            schema.insert("minimum".into(), LEAST.into());
        }
        if GREATEST < UNBOUNDED {
            schema.insert("maximum".into(), GREATEST.into());
        }
        schema
    }
}

/// A list with at least `LEAST` and at most `GREATEST` entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T, const LEAST: usize = 0, const GREATEST: usize = 10_000>(Vec<T>);

impl<T, const LEAST: usize, const GREATEST: usize> List<T, LEAST, GREATEST> {
    /// The entries, when there are as many as the bounds ask for.
    #[must_use]
    pub fn new(entries: Vec<T>) -> Option<Self> {
        (LEAST..=GREATEST).contains(&entries.len()).then_some(List(entries))
    }

    /// The entries as a plain vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const GREATEST: usize> Default for List<T, 0, GREATEST> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<T, const LEAST: usize, const GREATEST: usize> Deref for List<T, LEAST, GREATEST> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const LEAST: usize, const GREATEST: usize> IntoIterator for List<T, LEAST, GREATEST> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T, const LEAST: usize, const GREATEST: usize> IntoIterator for &'a List<T, LEAST, GREATEST> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

struct ListVisitor<T, const LEAST: usize, const GREATEST: usize>(PhantomData<T>);

impl<T, const LEAST: usize, const GREATEST: usize> ListVisitor<T, LEAST, GREATEST> {
    fn refuse<E: de::Error>(length: usize) -> E {
        let wanted = match (LEAST, GREATEST) {
            (least, 10_000) => format!("a list of at least {least}"),
            (0, greatest) => format!("a list of at most {greatest}"),
            (least, greatest) => format!("a list of {least} to {greatest}"),
        };
        E::invalid_length(length, &wanted.as_str())
    }
}

impl<'de, T: Deserialize<'de>, const LEAST: usize, const GREATEST: usize> Visitor<'de>
    for ListVisitor<T, LEAST, GREATEST>
{
    type Value = List<T, LEAST, GREATEST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        // The length is held against the bound first, so that an absurd list costs nothing.
        if let Some(length) = seq.size_hint()
            && !(LEAST..=GREATEST).contains(&length)
        {
            return Err(Self::refuse(length));
        }
        let mut entries = Vec::with_capacity(seq.size_hint().unwrap_or(0));
        while let Some(entry) = seq.next_element()? {
            entries.push(entry);
        }
        let length = entries.len();
        List::new(entries).ok_or_else(|| Self::refuse(length))
    }
}

impl<'de, T: Deserialize<'de>, const LEAST: usize, const GREATEST: usize> Deserialize<'de>
    for List<T, LEAST, GREATEST>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

impl<T: Serialize, const LEAST: usize, const GREATEST: usize> Serialize for List<T, LEAST, GREATEST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<T: JsonSchema, const LEAST: usize, const GREATEST: usize> JsonSchema for List<T, LEAST, GREATEST> {
    fn schema_name() -> Cow<'static, str> {
        format!("List_{LEAST}_{GREATEST}_of_{}", T::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "array", "items": generator.subschema_for::<T>() });
        if LEAST > 0 {
            schema.insert("minItems".into(), LEAST.into());
        }
        if GREATEST < 10_000 {
            schema.insert("maxItems".into(), GREATEST.into());
        }
        schema
    }
}
