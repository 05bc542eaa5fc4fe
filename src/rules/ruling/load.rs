//! What is carried: encumbrance, and what a backpack holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Band, List, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, unbroken_bands,
};

/// The most pounds that are asked about: a bound against absurd requests.
const MOST_POUNDS: f64 = 1_000_000.0;
/// By the other book, each so many pounds cost movement (RULING-02).
const POUNDS_A_STEP: f64 = 35.0;
/// And so many inches each.
const INCHES_A_STEP: i64 = 3;

/// A range of loads, in pounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LoadRow {
    from: Option<i64>,
    to: Option<i64>,
}

impl Band for LoadRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

static LOADS: Table<LoadRow> =
    Table::new("encumbrance_bands", include_str!("../data/encumbrance_bands.json"), unbroken_bands);

/// Which book's bands count (RULING-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EncumbranceSource {
    /// The players' book: bands that end at 35, 70 and 105 pounds.
    #[default]
    Phb,
    /// The oriental book: each 35 pounds beyond the first cost 3 inches of movement.
    Oa,
}

/// The switches of encumbrance.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EncumbranceOptions {
    /// Which book's bands count.
    pub source: EncumbranceSource,
}

/// What `ruling.encumbrance` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EncumbranceArgs {
    /// The load in pounds, 0 to 1,000,000, fractions allowed; 10 coins weigh a pound.
    pub pounds: f64,
}

/// How a load burdens.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct EncumbranceOutcome {
    /// The band, 0 the lightest (players' book).
    pub band: Option<i64>,
    /// The band in words (players' book).
    pub label: Option<String>,
    /// Inches of movement lost (oriental book).
    pub move_reduction_inches: Option<i64>,
}

rule! {
    /// Tells how a load burdens. Nobody has 50 pounds free.
    pub struct Encumbrance;
}

impl Rule for Encumbrance {
    const NAME: &'static str = "ruling.encumbrance";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-02"];
    const EXAMPLE: &'static str = "{ pounds = 42.5 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&LOADS];
    type Args = EncumbranceArgs;
    type Options = EncumbranceOptions;
    type Outcome = EncumbranceOutcome;

    fn resolve(
        args: EncumbranceArgs,
        options: EncumbranceOptions,
        referee: &mut Referee<'_>,
    ) -> Result<EncumbranceOutcome, RuleError> {
        let pounds = args.pounds;
        if !(0.0..=MOST_POUNDS).contains(&pounds) {
            let message = format!("must be a number from 0 to {MOST_POUNDS}, not {pounds}");
            return Err(RuleError::out_of_range("pounds", message));
        }
        if options.source == EncumbranceSource::Oa {
            let steps = (pounds / POUNDS_A_STEP).ceil() as i64 - 1;
            let move_reduction_inches = Some(INCHES_A_STEP * steps.max(0));
            return Ok(EncumbranceOutcome { move_reduction_inches, ..EncumbranceOutcome::default() });
        }
        let rows = referee.table(&LOADS);
        // Bands end at whole pounds, so that a part of one counts as the next.
        let whole = pounds.ceil() as i64;
        let band = rows.iter().position(|row| row.to.is_none_or(|to| whole <= to)).unwrap_or(rows.len());
        let label = rows.get(band).map(|row| match (row.from.map(|from| from - 1), row.to) {
            (None, Some(to)) => format!("up to {to}"),
            (Some(over), Some(to)) => format!("over {over} to {to}"),
            (Some(over), None) => format!("over {over}"),
            (None, None) => "any".to_owned(),
        });
        Ok(EncumbranceOutcome { band: Some(band as i64), label, move_reduction_inches: None })
    }
}

/// Things in a backpack.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PackedItem {
    /// What they are.
    pub name: String,
    /// What one takes, in gold pieces of weight.
    pub each: Whole<0, 1_000_000>,
    /// How many; one when not given.
    #[serde(default = "one")]
    pub count: Whole<1, 1_000_000>,
}

fn one() -> Whole<1, 1_000_000> {
    Whole::clamped(1)
}

/// What `ruling.backpack_load` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BackpackLoadArgs {
    /// The things in it or lashed to it.
    pub items: List<PackedItem>,
    /// What it holds, in gold pieces of weight; 400 when not given. Record sheets print 300.
    #[serde(default = "backpack")]
    pub capacity: Positive,
}

fn backpack() -> Positive {
    Positive::clamped(400)
}

/// Whether a backpack holds it all.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BackpackLoadOutcome {
    /// All together, in gold pieces of weight.
    pub total: i64,
    /// Whether it fits.
    pub fits: bool,
}

rule! {
    /// Tells whether a backpack holds a load: 400 gold pieces of weight. A single thing in an otherwise empty pack fits
    /// even when it counts for more, as a spell book does.
    pub struct BackpackLoad;
}

impl Rule for BackpackLoad {
    const NAME: &'static str = "ruling.backpack_load";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-18"];
    const EXAMPLE: &'static str =
        r#"{ items = { { name = "torch", each = 25, count = 7 }, { name = "rope", each = 75 } } }"#;
    type Args = BackpackLoadArgs;
    type Options = NoOptions;
    type Outcome = BackpackLoadOutcome;

    fn resolve(args: BackpackLoadArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<BackpackLoadOutcome, RuleError> {
        let total = args.items.iter().map(|item| item.each.get() * item.count.get()).sum();
        let things: i64 = args.items.iter().map(|item| item.count.get()).sum();
        Ok(BackpackLoadOutcome { total, fits: total <= args.capacity.get() || things == 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn nobody_has_fifty_pounds_free() {
        let band = |pounds| outcome::<Encumbrance>(&format!(r#"{{"pounds":{pounds}}}"#), &[]).band;
        assert_eq!([band("35"), band("35.1"), band("70"), band("105.5")], [Some(0), Some(1), Some(1), Some(3)]);
    }

    #[test]
    fn each_further_thirty_five_pounds_cost_three_inches_by_the_other_book() {
        let lost = |pounds| {
            let args = format!(r#"{{"pounds":{pounds},"options":{{"source":"oa"}}}}"#);
            outcome::<Encumbrance>(&args, &[]).move_reduction_inches
        };
        assert_eq!([lost("0"), lost("35"), lost("35.5"), lost("105")], [Some(0), Some(0), Some(3), Some(6)]);
    }

    #[test]
    fn no_load_is_negative_or_endless() {
        for pounds in ["-1", "1e7"] {
            let args = format!(r#"{{"pounds":{pounds}}}"#);
            assert_eq!(resolved("ruling.encumbrance", &args, &[]).unwrap_err().field(), Some("pounds"));
        }
    }

    #[test]
    fn a_spell_book_squeezes_into_an_empty_pack() {
        let book = r#"{"name":"spell book","each":450}"#;
        assert!(outcome::<BackpackLoad>(&format!(r#"{{"items":[{book}]}}"#), &[]).fits);
        let with = format!(r#"{{"items":[{book},{{"name":"candle","each":5}}]}}"#);
        assert!(!outcome::<BackpackLoad>(&with, &[]).fits);
    }
}
