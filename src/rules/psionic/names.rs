//! The names and numbers that the rules of psionics share: modes, range bands, scores, strengths, distances.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use compact_str::CompactString;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use crate::rules::core::{Natural, Whole};

/// The five ways to attack a mind (PSI-ATK-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttackMode {
    /// A: a cone; from attack strength 100 it reaches minds that are not psionic too.
    PsionicBlast,
    /// B.
    MindThrust,
    /// C.
    EgoWhip,
    /// D: strikes all psionically aware minds in a square.
    IdInsinuation,
    /// E: may kill; leaves its user Thought Shield or no defense at all.
    PsychicCrush,
}

impl AttackMode {
    /// All five, in the order of their letters.
    pub const ALL: [Self; 5] =
        [Self::PsionicBlast, Self::MindThrust, Self::EgoWhip, Self::IdInsinuation, Self::PsychicCrush];
}

/// The five ways to defend a mind (PSI-DEF-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DefenseMode {
    /// F.
    MindBlank,
    /// G: may be kept up while doing something else.
    ThoughtShield,
    /// H.
    MentalBarrier,
    /// I: covers all within 10 feet.
    IntellectFortress,
    /// J: covers all within 3 feet.
    TowerOfIronWill,
}

impl DefenseMode {
    /// All five, in the order of their letters.
    pub const ALL: [Self; 5] =
        [Self::MindBlank, Self::ThoughtShield, Self::MentalBarrier, Self::IntellectFortress, Self::TowerOfIronWill];
}

/// How far an attack goes, of three bands (PSI-ATK-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RangeBand {
    /// Full damage.
    Short,
    /// A fifth less damage.
    Medium,
    /// A fifth less damage, and the attacker's strength counts 25 less.
    Long,
}

/// Why the rules forbid something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Forbidden {
    /// Neither intelligence nor wisdom nor charisma is 16 or more (PSI-DET-01).
    #[serde(rename = "no_ability_16")]
    NoAbility16,
    /// Whoever is psionic already is not tested again (PSI-DET-04).
    AlreadyPsionic,
    /// The first defense mode must be Mind Blank (PSI-DEF-02).
    FirstMustBeMindBlank,
    /// More range can be bought for Mind Thrust, Ego Whip and Id Insinuation only (PSI-ATK-04).
    RangeNotExtendable,
    /// The mode has no such range: Psychic Crush has neither medium nor long (PSI-ATK-03).
    BandNotAvailable,
    /// The target is farther off than the mode reaches (PSI-ATK-04).
    OutOfRange,
    /// A pool holds less than the cost (PSI-DSC-05, PSI-OPS-04).
    InsufficientPsionicStrength,
    /// Too little attack strength for the mode: it may defend only (PSI-CMB-10).
    InsufficientAttackStrength,
    /// Too little defense strength for the mode (PSI-CMB-09).
    InsufficientDefenseStrength,
    /// With Psychic Crush there is no defense but Thought Shield or none (PSI-ATK-07).
    CrushLimitsDefense,
    /// A series begins with its weakest member (PSI-OPS-02).
    SeriesMustStartLowest,
    /// Only the last member of a series dissolves it (PSI-OPS-03).
    OnlyTheLeaderDissolves,
    /// A surprised side cannot begin psionic combat during surprise (PSI-CMB-02).
    SideIsSurprised,
}

/// A part of what the rules forbid: the reasons that one rule can give.
pub trait Reasons {
    /// Those that the rule gives, and no others.
    const GIVES: &'static [Forbidden];
}

/// In the schema of an outcome, a [`Forbidden`] that is one of these reasons: help and stubs name what the rule can give.
pub struct Only<R>(std::marker::PhantomData<R>);

impl<R: Reasons> JsonSchema for Only<R> {
    fn schema_name() -> Cow<'static, str> {
        "Forbidden".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Forbidden::json_schema(generator);
        let given: Vec<serde_json::Value> =
            R::GIVES.iter().filter_map(|reason| serde_json::to_value(reason).ok()).collect();
        if let Some(reasons) = schema.get_mut("oneOf").and_then(serde_json::Value::as_array_mut) {
            reasons.retain(|reason| reason.get("const").is_some_and(|name| given.contains(name)));
        }
        schema
    }
}

/// Names the reasons that a rule can give.
macro_rules! reasons {
    ($(#[$about:meta])* $name:ident: $($reason:ident),+) => {
        $(#[$about])*
        pub struct $name;
        impl $crate::rules::psionic::names::Reasons for $name {
            const GIVES: &'static [Forbidden] = &[$(Forbidden::$reason),+];
        }
    };
}
pub(super) use reasons;

/// An ability score.
pub type Score = Whole<1, 25>;

/// The three scores that count for psionics: natural ones, whatever items add (PSI-MOD-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Intelligence, natural.
    pub int: Score,
    /// Wisdom, natural.
    pub wis: Score,
    /// Charisma, natural.
    pub cha: Score,
}

impl Scores {
    /// Intelligence, wisdom, charisma.
    #[must_use]
    pub fn each(self) -> [i64; 3] {
        [self.int.get(), self.wis.get(), self.cha.get()]
    }

    /// Whether one of them is the 16 that psionics need (PSI-DET-01).
    #[must_use]
    pub fn suffice(self) -> bool {
        self.each().iter().any(|&score| score >= 16)
    }
}

/// The two pools of a psionic, as they are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pools {
    /// Attack strength left.
    pub attack_strength: Natural,
    /// Defense strength left.
    pub defense_strength: Natural,
}

/// A short text, such as a mind's name or the label of a row. Up to 24 bytes of it stand in place, so that a duel copies
/// names without asking for memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Label(CompactString);

impl Deref for Label {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<CompactString> for Label {
    fn from(text: CompactString) -> Self {
        Label(text)
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Label(text.into())
    }
}

impl PartialEq<str> for Label {
    fn eq(&self, other: &str) -> bool {
        &**self == other
    }
}

impl PartialEq<&str> for Label {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl JsonSchema for Label {
    fn schema_name() -> Cow<'static, str> {
        "Label".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// A distance of zero or more scale inches; fractions count.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Inches(f64);

impl Inches {
    /// The farthest that anybody asks about: a bound against absurd requests, not a rule.
    const FARTHEST: f64 = 1.0e9;

    /// The plain number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The distance, moved to the nearest bound when it is outside; what is no number counts as 0.
    #[must_use]
    pub fn clamped(inches: f64) -> Self {
        Inches(if inches.is_nan() { 0.0 } else { inches.clamp(0.0, Self::FARTHEST) })
    }
}

struct InchesVisitor;

impl Visitor<'_> for InchesVisitor {
    type Value = Inches;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a distance of 0 or more scale inches")
    }
    fn visit_f64<E: de::Error>(self, inches: f64) -> Result<Inches, E> {
        if (0.0..=Inches::FARTHEST).contains(&inches) {
            Ok(Inches(inches))
        } else {
            Err(E::invalid_value(de::Unexpected::Float(inches), &self))
        }
    }
}

impl<'de> Deserialize<'de> for Inches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(InchesVisitor)
    }
}

impl Serialize for Inches {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl JsonSchema for Inches {
    fn schema_name() -> Cow<'static, str> {
        "Inches".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0 })
    }
}
