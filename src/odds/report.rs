//! Odds as data for others: JSON and CSV.

use std::fmt::Write as _;

use dashu_int::UBig;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::distribution::Distribution;
use super::odds::{Odds, OddsValue};
use super::weight::Weight;
use crate::printable::escaped;

/// A fraction as `n/d` in lowest terms, whole numbers too: `1/1`.
#[must_use]
pub fn fraction(share: &dashu_ratio::RBig) -> String {
    format!("{}/{}", share.numerator(), share.denominator())
}

/// A distribution as JSON tells it: `[{"value":3,"p":"1/1296"},…]`.
struct Shares<'d, T>(&'d Distribution<T>);

#[derive(Serialize)]
struct Share<'v, T> {
    value: &'v T,
    p: String,
}

impl<T: Serialize> Serialize for Shares<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let total = self.0.total();
        serializer.collect_seq(
            self.0.entries().iter().map(|(value, weight)| Share { value, p: fraction(&weight.share(total)) }),
        )
    }
}

/// `{"distribution":[{"value":…,"p":"n/d"}]}`, and `"remainder"` where outcomes were cut off; numbers also have
/// `"mean"`, `"sd"`, `"min"` and `"max"`.
impl<T: Serialize> Serialize for Distribution<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("distribution", &Shares(self))?;
        if !self.is_whole() {
            map.serialize_entry("remainder", &UBig::share_float(&self.remainder()))?;
        }
        map.end()
    }
}

/// As a [`Distribution`]; a number also has `"mean"` (and exactly, `"mean_exact":"n/d"`), `"sd"`, `"min"`, `"max"`;
/// sampled odds say from how many rolls (`"sampled"`) and where the true mean lies (`"mean_interval":[low,high]`).
impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.value {
            OddsValue::Number(distribution) => {
                map.serialize_entry("distribution", &Shares(distribution))?;
                if let Some(mean) = self.mean() {
                    map.serialize_entry("mean", &UBig::share_float(&mean))?;
                    if self.mean_is_exact() {
                        map.serialize_entry("mean_exact", &fraction(&mean))?;
                    }
                }
                map.serialize_entry("sd", &distribution.sd())?;
                map.serialize_entry("min", &distribution.min())?;
                map.serialize_entry("max", &distribution.max())?;
            }
            OddsValue::List(distribution) => map.serialize_entry("distribution", &Shares(distribution))?,
        }
        if !self.remainder().is_zero() {
            map.serialize_entry("remainder", &UBig::share_float(&self.remainder()))?;
        }
        if let Some(trials) = self.sampled() {
            map.serialize_entry("sampled", &trials)?;
            if let Some(interval) = self.mean_interval() {
                map.serialize_entry("mean_interval", &[interval.low, interval.high])?;
            }
        }
        map.end()
    }
}

/// A distribution as CSV with a head line: `value,p,probability,at_most,at_least`. `p` is the exact fraction, the rest
/// are decimal. Lines end with `\n`.
#[must_use]
pub fn csv<T: std::fmt::Display>(distribution: &Distribution<T>) -> String {
    let mut text = String::from("value,p,probability,at_most,at_least\n");
    let total = distribution.total();
    let listed = distribution.listed();
    let mut below = UBig::ZERO;
    for (value, weight) in distribution.entries() {
        let at_least = (&listed - &below).float(total);
        below += weight;
        let share = fraction(&weight.share(total));
        let (p, at_most) = (weight.float(total), below.float(total));
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{},{share},{p},{at_most},{at_least}", csv_field(&value.to_string()));
    }
    text
}

/// Line breaks inside a value are shown, so that a value is a line.
fn csv_field(text: &str) -> String {
    let text = escaped(text);
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Expression, Params};
    use crate::odds::{Budget, of_expression};

    fn odds(text: &str) -> Odds {
        of_expression(&Expression::parse(text).unwrap(), &Params::new(), &Budget::default()).unwrap()
    }

    #[test]
    fn json_tells_values_with_exact_fractions() {
        let json = serde_json::to_string(&odds("2d2")).unwrap();
        let expected = r#"{"distribution":[{"value":2,"p":"1/4"},{"value":3,"p":"1/2"},{"value":4,"p":"1/4"}],"#;
        assert!(json.starts_with(expected), "{json}");
        assert!(json.ends_with(r#""mean":3.0,"mean_exact":"3/1","sd":0.7071067811865476,"min":2,"max":4}"#), "{json}");
    }

    #[test]
    fn json_says_what_was_cut_off_and_lists_stay_lists() {
        let json: serde_json::Value = serde_json::to_value(odds("1d6!")).unwrap();
        assert!(json["remainder"].as_f64().unwrap() < 1e-12);
        assert_eq!(json["mean_exact"], "21/5");
        let json = serde_json::to_string(&odds("2 x 1d1")).unwrap();
        assert_eq!(json, r#"{"distribution":[{"value":[1,1],"p":"1/1"}]}"#);
    }

    #[test]
    fn csv_has_a_line_a_value() {
        let text = csv(odds("1d2").number().unwrap());
        assert_eq!(text, "value,p,probability,at_most,at_least\n1,1/2,0.5,0.5,1\n2,1/2,0.5,1,0.5\n");
        let quoted = csv(&Distribution::<&str>::uniform(["a,b"]));
        assert!(quoted.ends_with("\"a,b\",1/1,1,1,1\n"), "{quoted}");
    }
}
