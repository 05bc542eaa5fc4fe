//! Damage as an argument: dice in text, `1d6+2` or any other notation, or the parts of a plain pool in a table.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::ser::{Serialize, Serializer};

use super::error::RuleError;
use super::noted_dice::Noted;
use super::number::Whole;
use super::reader::read;
use super::referee::{Referee, Rolls, Total};
use super::value::{Fields, Value};

/// Dice of damage and a modifier: `2d6+1`, `2d6kh1`, `1d6!-1`.
///
/// A number added to all the rest or taken off is the modifier; what else is written are the dice. So whoever doubles
/// the dice of `1d6!+2` doubles what `1d6!` came to, as with `1d6+2`.
#[derive(Clone, Debug)]
pub struct DamageDice {
    dice: Dice,
    modifier: Whole<-1_000, 1_000>,
}

/// The dice without the modifier.
#[derive(Clone, Debug)]
enum Dice {
    /// `2d6`.
    Pool { count: Whole<1, 100>, sides: Whole<2, 100> },
    /// Whatever else can be written.
    Noted(Arc<Noted>),
}

impl DamageDice {
    /// Added once to what the dice come to.
    #[must_use]
    pub fn modifier(&self) -> i64 {
        self.modifier.get()
    }

    /// The same dice with another modifier.
    #[must_use]
    pub fn with_modifier(&self, modifier: i64) -> Self {
        DamageDice { dice: self.dice.clone(), modifier: Whole::clamped(modifier) }
    }

    /// The most the dice alone can show. Where dice explode without an end there is no most: it is then that of the
    /// dice without those added, 6 of `1d6!`.
    #[must_use]
    pub fn greatest_roll(&self) -> i64 {
        match &self.dice {
            Dice::Pool { count, sides } => count.get() * sides.get(),
            Dice::Noted(noted) => noted.greatest(),
        }
    }

    /// The least the dice alone can show; as with [`greatest_roll`](Self::greatest_roll), added dice do not count.
    #[must_use]
    pub fn least_roll(&self) -> i64 {
        match &self.dice {
            Dice::Pool { count, .. } => count.get(),
            Dice::Noted(noted) => noted.least(),
        }
    }

    /// Rolls the dice, without the modifier.
    pub fn roll(&self, referee: &mut Referee<'_>, purpose: &str) -> Result<Total, RuleError> {
        match &self.dice {
            Dice::Pool { count, sides } => referee.total(count.get() as u32, sides.get() as u32, purpose),
            Dice::Noted(noted) => noted.roll(referee, purpose),
        }
    }

    /// Rolls the dice so many times over and adds them up, without the modifier.
    pub fn roll_times(&self, times: i64, referee: &mut Referee<'_>, purpose: &str) -> Result<Total, RuleError> {
        match &self.dice {
            Dice::Pool { count, sides } => referee.total((times * count.get()) as u32, sides.get() as u32, purpose),
            Dice::Noted(noted) => {
                let mut all = Total { rolls: Rolls::new(), sum: 0 };
                for _ in 0..times {
                    let rolled = noted.roll(referee, purpose)?;
                    all.rolls.extend(rolled.rolls);
                    all.sum += rolled.sum;
                }
                Ok(all)
            }
        }
    }
}

/// Two that print alike are the same dice.
impl PartialEq for DamageDice {
    fn eq(&self, other: &Self) -> bool {
        match (&self.dice, &other.dice) {
            (Dice::Pool { count, sides }, Dice::Pool { count: others, sides: of_others }) => {
                (count, sides, self.modifier) == (others, of_others, other.modifier)
            }
            _ => self.to_string() == other.to_string(),
        }
    }
}

impl Eq for DamageDice {}

impl fmt::Display for DamageDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.dice, self.modifier.get()) {
            (Dice::Pool { count, sides }, _) => write!(f, "{count}d{sides}")?,
            (Dice::Noted(noted), 0) => return write!(f, "{noted}"),
            (Dice::Noted(noted), _) => noted.write_before_modifier(f)?,
        }
        if self.modifier.get() == 0 { Ok(()) } else { write!(f, "{:+}", self.modifier.get()) }
    }
}

/// The parts of a plain pool as a table.
#[derive(serde::Deserialize)]
struct Parts {
    count: Whole<1, 100>,
    sides: Whole<2, 100>,
    #[serde(default, rename = "mod")]
    modifier: Whole<-1_000, 1_000>,
}

impl From<Parts> for DamageDice {
    fn from(parts: Parts) -> Self {
        let Parts { count, sides, modifier } = parts;
        DamageDice { dice: Dice::Pool { count, sides }, modifier }
    }
}

/// A plain pool whose parts are still unchecked.
fn pool_of(count: i64, sides: i64, modifier: i64) -> Result<DamageDice, RuleError> {
    if let (Some(count), Some(sides), Some(modifier)) = (Whole::new(count), Whole::new(sides), Whole::new(modifier)) {
        return Ok(DamageDice { dice: Dice::Pool { count, sides }, modifier });
    }
    // What is out of bounds goes through the table form, which names the part and its bounds.
    let parts = [("count", count), ("sides", sides), ("mod", modifier)];
    let fields = parts.map(|(name, number)| (name.into(), Value::Whole(number)));
    read::<Parts>(&Value::Map(Fields(fields.into()))).map(DamageDice::from)
}

/// A whole number of plain digits at the beginning of a text, and the rest; nothing where no digit stands or the number
/// is beyond all bounds.
fn digits(text: &str) -> Option<(i64, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest.trim_start()))
}

/// `2d6+1` apart: count, sides, modifier, as they stand and unchecked. Most damage is written so, and needs no more.
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

impl FromStr for DamageDice {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        if let Some((count, sides, modifier)) = split(text) {
            return pool_of(count, sides, modifier);
        }
        let (noted, modifier) = Noted::read(text)?;
        if let Some((count, sides)) = noted.plain_pool() {
            return pool_of(count, sides, modifier);
        }
        let modifier = read::<Whole<-1_000, 1_000>>(&Value::Whole(modifier)).map_err(|error| error.within("mod"))?;
        Ok(DamageDice { dice: Dice::Noted(Arc::new(noted)), modifier })
    }
}

struct DamageVisitor;

impl<'de> Visitor<'de> for DamageVisitor {
    type Value = DamageDice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("dice such as \"1d6+2\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<DamageDice, E> {
        text.parse().map_err(RuleError::through_serde)
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
        json_schema!({ "type": "string", "format": "dice", "examples": ["1d6+2", "2d6kh1", "1d6!"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Scripted;
    use crate::rules::core::{ErrorKind, House, RuleError};

    fn read_text(text: &str) -> Result<DamageDice, RuleError> {
        read(&Value::from(text))
    }

    fn rolled(text: &str, dice: &[i64]) -> (Vec<i64>, i64) {
        let (mut source, house) = (Scripted::new(dice), House::default());
        let total = read_text(text).unwrap().roll(&mut Referee::new(&mut source, &house), "damage").unwrap();
        assert_eq!(source.unused(), 0, "{text}");
        (total.rolls.to_vec(), total.sum)
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
        for (text, field) in [("0d6", "count"), ("1d1", "sides"), ("101d6", "count"), ("2+101d6", "count")] {
            let error = read_text(text).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some(field)), "{text}");
        }
        for text in ["1d6!+1001", "2d6kh1-2000"] {
            assert_eq!(read_text(text).unwrap_err().field(), Some("mod"), "{text}");
        }
        for text in ["", "x", "2d", "1d6+", "1 2d6", "6 x 1d6", "1d20+$str", "1d6/0", "1d6k3"] {
            assert_eq!(read_text(text).unwrap_err().kind(), ErrorKind::BadType, "{text}");
        }
        for text in ["3000d6kh1", "1d4000000kh1", "1d6*1000000"] {
            assert_eq!(read_text(text).unwrap_err().kind(), ErrorKind::OutOfRange, "{text}");
        }
    }

    #[test]
    fn an_error_of_notation_says_what_to_write_instead() {
        let error = read_text("4d6k3").unwrap_err().to_string();
        assert!(error.contains("kh3"), "{error}");
        let error = read_text("6 x 1d6").unwrap_err().to_string();
        assert!(error.contains("sum(6x1d6)"), "{error}");
    }

    #[test]
    fn any_notation_is_dice_and_a_modifier() {
        let read = |text: &str| {
            let dice = read_text(text).unwrap();
            (dice.to_string(), dice.modifier(), dice.least_roll(), dice.greatest_roll())
        };
        assert_eq!(read("2d6kh1"), ("2d6kh1".into(), 0, 1, 6));
        assert_eq!(read("1d6! + 2 # fire"), ("1d6!+2".into(), 2, 1, 6));
        assert_eq!(read("2 + 1d6!"), ("1d6!+2".into(), 2, 1, 6));
        assert_eq!(read("d8r=1+2"), ("d8r=1+2".into(), 2, 2, 8));
        assert_eq!(read("1d6+1+1"), ("1d6+2".into(), 2, 1, 6));
        assert_eq!(read("d%"), ("1d100".into(), 0, 1, 100));
        assert_eq!(read("1d8+1d6-1"), ("1d8+1d6-1".into(), -1, 2, 14));
        assert_eq!(read("10-1d6"), ("10-1d6".into(), 0, 4, 9));
        assert_eq!(read("{1d8,1d6}kh1+1"), ("{1d8,1d6}kh1+1".into(), 1, 1, 8));
        assert_eq!(read("5d6>=5"), ("5d6>=5".into(), 0, 0, 5));
        assert_eq!(read("3"), ("3".into(), 0, 3, 3));
    }

    #[test]
    fn what_is_printed_reads_back_as_the_same_dice() {
        for text in ["2d6", "1d6!+2", "5d6>=5", "a:=1d6;a*2", "1d6*2>=7", "max(1d6,1d8)", "-1d4", "2^1d4", "d8[fire]+1"]
        {
            for modifier in [0, 3, -3] {
                let dice = read_text(text).unwrap().with_modifier(modifier);
                let back: DamageDice = dice.to_string().parse().unwrap();
                assert_eq!((back.modifier(), &back), (modifier, &back.clone()), "{text}");
                assert_eq!(back.greatest_roll(), dice.greatest_roll(), "{text} {modifier}");
                assert_eq!(back.to_string().parse::<DamageDice>().unwrap(), back, "{text} {modifier}");
                let json = serde_json::to_string(&back).unwrap();
                assert_eq!(serde_json::from_str::<DamageDice>(&json).unwrap(), back, "{json}");
            }
        }
    }

    #[test]
    fn all_the_dice_that_fell_are_told_in_order() {
        assert_eq!(rolled("2d6kh1+3", &[2, 5]), (vec![2, 5], 5));
        assert_eq!(rolled("1d6!", &[6, 6, 1]), (vec![6, 6, 1], 13));
        assert_eq!(rolled("d8r=1", &[1, 4]), (vec![1, 4], 4));
        assert_eq!(rolled("3", &[]), (vec![], 3));
    }

    #[test]
    fn dice_rolled_over_and_over_add_up() {
        let (mut source, house) = (Scripted::new([6, 2, 3]), House::default());
        let dice = read_text("1d6!").unwrap();
        let total = dice.roll_times(2, &mut Referee::new(&mut source, &house), "burning").unwrap();
        assert_eq!((total.rolls.to_vec(), total.sum), (vec![6, 2, 3], 11));
    }
}
