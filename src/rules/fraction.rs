//! Exact fractions as arguments: `0.45`, `"9/20"`, `13.5`.

use std::borrow::Cow;
use std::fmt;

use dashu_int::UBig;
use dashu_int::ops::Gcd;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// The most characters of a fraction in text: a bound against absurd requests.
const LONGEST_TEXT: usize = 40;

/// A fraction of zero or more, in lowest terms, shown as `9/20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: UBig,
    denominator: UBig,
}

impl Fraction {
    /// `numerator / denominator` in lowest terms; nothing for a denominator of 0.
    #[must_use]
    pub fn new(numerator: impl Into<UBig>, denominator: impl Into<UBig>) -> Option<Self> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        if denominator == UBig::ZERO {
            return None;
        }
        let shared = (&numerator).gcd(&denominator);
        Some(Fraction { numerator: numerator / &shared, denominator: denominator / shared })
    }

    /// A whole number.
    #[must_use]
    pub fn whole(number: u32) -> Self {
        Fraction { numerator: number.into(), denominator: UBig::ONE }
    }

    /// The fraction that text stands for: a decimal (`0.45`) or two whole numbers (`9/20`).
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &str| if part.is_empty() || !digits(part) { None } else { part.parse::<UBig>().ok() };
        if text.len() > LONGEST_TEXT {
            return None;
        }
        if let Some((numerator, denominator)) = text.split_once('/') {
            return Self::new(number(numerator.trim())?, number(denominator.trim())?);
        }
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let joined = number(&format!("{whole}{decimals}"))?;
        Self::new(joined, UBig::from(10u8).pow(decimals.len()))
    }

    /// The product with another.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let numerator = &self.numerator * &other.numerator;
        let denominator = &self.denominator * &other.denominator;
        let shared = (&numerator).gcd(&denominator);
        Fraction { numerator: numerator / &shared, denominator: denominator / shared }
    }

    /// The whole part.
    #[must_use]
    pub fn floor(&self) -> UBig {
        &self.numerator / &self.denominator
    }

    /// Whether it is more than 1.
    #[must_use]
    pub fn exceeds_one(&self) -> bool {
        self.numerator > self.denominator
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.numerator.to_f64().value() / self.denominator.to_f64().value()
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

struct FractionVisitor;

impl Visitor<'_> for FractionVisitor {
    type Value = Fraction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of 0 or more, such as 0.45 or \"9/20\"")
    }
    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Fraction, E> {
        let whole = u64::try_from(number).ok().and_then(|number| Fraction::new(number, 1u8));
        whole.ok_or_else(|| E::invalid_value(de::Unexpected::Signed(number), &self))
    }
    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Fraction, E> {
        Fraction::new(number, 1u8).ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
    }
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Fraction, E> {
        // The shortest decimal that names the number is what was typed: 0.1 is a tenth, not the float nearest to it.
        Fraction::of_text(&number.to_string()).ok_or_else(|| E::invalid_value(de::Unexpected::Float(number), &self))
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Fraction, E> {
        if let Some(fraction) = Fraction::of_text(text) {
            return Ok(fraction);
        }
        let below = text.trim().strip_prefix('-').and_then(Fraction::of_text).is_some();
        let found = de::Unexpected::Str(text);
        Err(if below { E::invalid_value(found, &self) } else { E::invalid_type(found, &self) })
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FractionVisitor)
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Fraction {
    fn schema_name() -> Cow<'static, str> {
        "Fraction".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "number", "minimum": 0 },
            { "type": "string", "examples": ["0.45", "9/20"] },
        ] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::{ErrorKind, Value, read};

    fn shown(value: impl Into<Value>) -> String {
        read::<Fraction>(&value.into()).map_or_else(|error| error.kind().name().to_owned(), |read| read.to_string())
    }

    #[test]
    fn decimals_fractions_and_numbers_are_read_exactly() {
        assert_eq!(shown("0.45"), "9/20");
        assert_eq!(shown("18/40"), "9/20");
        assert_eq!(shown("9"), "9/1");
        assert_eq!(shown(".5"), "1/2");
        assert_eq!(shown(Value::Number(0.1)), "1/10");
        assert_eq!(shown(0), "0/1");
    }

    #[test]
    fn what_is_no_fraction_is_refused() {
        for text in ["", ".", "half", "1/0", "1e3", "1/2/3", "0x1"] {
            assert_eq!(shown(text), "bad_type", "{text}");
        }
        assert_eq!(shown("-0.5"), "out_of_range");
        assert_eq!(shown(Value::Number(-0.5)), "out_of_range");
        assert_eq!(read::<Fraction>(&Value::Bool(true)).unwrap_err().kind(), ErrorKind::BadType);
    }

    #[test]
    fn products_stay_in_lowest_terms() {
        let share = Fraction::of_text("0.55").unwrap().times(&Fraction::of_text("0.45").unwrap());
        assert_eq!(share.to_string(), "99/400");
        assert!(!share.exceeds_one());
        assert_eq!(Fraction::whole(3).times(&Fraction::of_text("0.5").unwrap()).floor(), UBig::ONE);
    }
}
