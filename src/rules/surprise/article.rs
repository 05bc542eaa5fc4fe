//! Surprise in sixths: who surprises on how many faces of d6, and for how many segments.
//! Source: first-edition SURP-01 to SURP-07.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Named, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, distinct_names, row_named,
};

/// A chance to surprise: 0 to 6 faces of d6.
pub type InSix = Whole<0, 6>;

/// In how many of six anybody surprises (SURP-01).
const NORMAL: i64 = 2;
/// How far ahead of others an elf or halfling must be to move as silently as alone (SURP-02).
const FEET_AHEAD: i64 = 90;

/// What `surprise.chance_in_six` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChanceArgs {
    /// The chance of those who do nothing for it, 0 to 6; 2 when not given.
    #[serde(default = "normal")]
    pub base: InSix,
    /// Whether they are silent.
    #[serde(default)]
    pub silent: bool,
    /// Whether they are hidden or invisible.
    #[serde(default)]
    pub hidden: bool,
    /// 1 for each of the two that goes to an extreme, or any other addition; 0 when not given.
    #[serde(default)]
    pub extra: Natural,
}

impl Default for ChanceArgs {
    fn default() -> Self {
        ChanceArgs { base: normal(), silent: false, hidden: false, extra: Natural::default() }
    }
}

fn normal() -> InSix {
    InSix::clamped(NORMAL)
}

/// A chance to surprise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChanceOutcome {
    /// In how many of six, at most 6.
    pub in_six: i64,
}

rule! {
    /// Adds up a chance to surprise: 2 in 6, 1 more each for being silent and for being hidden or invisible, and more
    /// for an extreme of either.
    pub struct ChanceInSix;
}

impl Rule for ChanceInSix {
    const NAME: &'static str = "surprise.chance_in_six";
    const SOURCE: &'static [&'static str] = &["first-edition SURP-01"];
    const EXAMPLE: &'static str = "{ silent = true, hidden = true }";
    type Args = ChanceArgs;
    type Options = NoOptions;
    type Outcome = ChanceOutcome;

    fn resolve(args: ChanceArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ChanceOutcome, RuleError> {
        let (silent, hidden) = (i64::from(args.silent), i64::from(args.hidden));
        referee.modifier(silent, "silent (SURP-01)");
        referee.modifier(hidden, "hidden or invisible (SURP-01)");
        referee.modifier(args.extra.get(), "to an extreme (SURP-01)");
        Ok(ChanceOutcome { in_six: (args.base.get() + silent + hidden + args.extra.get()).min(6) })
    }
}

/// Races, as far as surprise tells them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SurpriseRace {
    /// An elf.
    Elf,
    /// A halfling.
    Halfling,
    /// Any other.
    Other,
}

/// Where the elf's and halfling's two points come from (SURP-05).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ElfReading {
    /// One for silence, one for being hidden; hiding adds nothing more.
    #[default]
    SilentAndHidden,
    /// Both for silence, one of them to an extreme; hiding adds another. The author decides against it.
    ExtraSilent,
}

/// What metal armor does to a halfling's stealth (SURP-02); an elf's it spoils.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HalflingArmor {
    /// It spoils it, as it does an elf's.
    #[default]
    Spoils,
    /// Nothing: the source names the elf only.
    Allowed,
}

/// The switches of racial stealth.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RaceChanceOptions {
    /// Where the two points come from.
    pub elf_reading: ElfReading,
    /// What metal armor does to a halfling's stealth.
    pub halfling_metal_armor: HalflingArmor,
}

/// What `surprise.race_chance` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RaceChanceArgs {
    /// The race.
    pub race: SurpriseRace,
    /// Whether nobody is within 90 feet but elves and halflings without metal armor.
    #[serde(default)]
    pub alone: bool,
    /// Feet ahead of all others; 90 or more will do like being alone.
    #[serde(default)]
    pub feet_ahead: Natural,
    /// Whether metal armor is worn.
    #[serde(default)]
    pub metal_armor: bool,
    /// Whether a door has to be opened; that loses the two points.
    #[serde(default)]
    pub opens_door: bool,
    /// Whether they are hidden or invisible besides.
    #[serde(default)]
    pub hidden: bool,
}

/// A chance to surprise, and what of it is the race's.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RaceChanceOutcome {
    /// In how many of six.
    pub in_six: i64,
    /// The race's own points: 2 or 0.
    pub racial_bonus: i64,
}

rule! {
    /// Tells an elf's or halfling's chance to surprise: two points more when alone or 90 feet ahead, not in metal armor
    /// and with no door to open. Being hidden counts as for anybody, unless it is in those two points.
    pub struct RaceChance;
}

impl Rule for RaceChance {
    const NAME: &'static str = "surprise.race_chance";
    const SOURCE: &'static [&'static str] =
        &["first-edition SURP-02", "first-edition SURP-03", "first-edition SURP-05"];
    const EXAMPLE: &'static str = r#"{ race = "elf", feet_ahead = 90 }"#;
    type Args = RaceChanceArgs;
    type Options = RaceChanceOptions;
    type Outcome = RaceChanceOutcome;

    fn resolve(
        args: RaceChanceArgs,
        options: RaceChanceOptions,
        referee: &mut Referee<'_>,
    ) -> Result<RaceChanceOutcome, RuleError> {
        let armor_spoils = match args.race {
            SurpriseRace::Halfling => options.halfling_metal_armor == HalflingArmor::Spoils,
            SurpriseRace::Elf | SurpriseRace::Other => true,
        };
        let stealthy = args.race != SurpriseRace::Other
            && (args.alone || args.feet_ahead.get() >= FEET_AHEAD)
            && !(args.metal_armor && armor_spoils)
            && !args.opens_door;
        let (hidden, extra) = match options.elf_reading {
            _ if !stealthy => (args.hidden, 0),
            ElfReading::SilentAndHidden => (true, 0),
            ElfReading::ExtraSilent => (args.hidden, 1),
        };
        let extra = Natural::clamped(extra);
        let chance = ChanceArgs { silent: stealthy, hidden, extra, ..ChanceArgs::default() };
        let in_six = referee.call::<ChanceInSix>(chance)?.in_six;
        Ok(RaceChanceOutcome { in_six, racial_bonus: if stealthy { 2 } else { 0 } })
    }
}

/// A creature that surprises better than most.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CreatureRow {
    creature: String,
    in_six: InSix,
}

impl Named for CreatureRow {
    fn name(&self) -> &str {
        &self.creature
    }
}

static CREATURES: Table<CreatureRow> =
    Table::new("surprise_creatures", include_str!("../data/surprise_creatures.json"), distinct_names);

/// The switches of a surprise roll.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RollOptions {
    /// The most segments a surprise lasts, 1 to 6; 6 is no cap. The source leaves a cap of 2 to the referee.
    pub most_segments: Whole<1, 6>,
}

impl Default for RollOptions {
    fn default() -> Self {
        RollOptions { most_segments: Whole::clamped(6) }
    }
}

/// What `surprise.roll_in_six` is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// In how many of six the others are surprised, 0 to 6. Without it, `creature` is looked up.
    #[serde(default)]
    pub in_six: Option<InSix>,
    /// The creature that surprises, such as `giant_owl`, `xorn`, `bugbear`, for a chance that is not given.
    #[serde(default)]
    pub creature: Option<String>,
}

/// Whether somebody is surprised.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// Whether they are.
    pub surprised: bool,
    /// For how many segments: what the die shows.
    pub segments: i64,
}

rule! {
    /// Rolls d6 for surprise: within the chance somebody is surprised, for as many segments as the die shows.
    pub struct RollInSix;
}

impl Rule for RollInSix {
    const NAME: &'static str = "surprise.roll_in_six";
    const SOURCE: &'static [&'static str] = &["first-edition SURP-04", "first-edition SURP-06"];
    const EXAMPLE: &'static str = "{ in_six = 2 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&CREATURES];
    type Args = RollArgs;
    type Options = RollOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, options: RollOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        let in_six = match (args.in_six, &args.creature) {
            (Some(in_six), _) => in_six.get(),
            (None, Some(creature)) => {
                row_named(&referee.table(&CREATURES), "creature", "creature", creature)?.in_six.get()
            }
            (None, None) => return Err(RuleError::missing("in_six")),
        };
        referee.need(|| format!("{in_six} or less on d6"));
        let face = referee.d(6, "surprise")?;
        let surprised = face <= in_six;
        Ok(RollOutcome { surprised, segments: if surprised { face.min(options.most_segments.get()) } else { 0 } })
    }
}

/// What `surprise.roll_both` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollBothArgs {
    /// In how many of six we surprise them, 0 to 6.
    pub we_surprise_in_six: InSix,
    /// In how many of six they surprise us, 0 to 6.
    pub they_surprise_in_six: InSix,
}

/// The side that is surprised in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SurprisedSide {
    /// Ours.
    Us,
    /// Theirs.
    Them,
}

/// How a meeting begins.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollBothOutcome {
    /// Segments for which our roll leaves us surprised, before the difference.
    pub us_raw: i64,
    /// Segments for which their roll leaves them surprised, before the difference.
    pub them_raw: i64,
    /// Who is surprised in the end, if anybody.
    pub surprised: Option<SurprisedSide>,
    /// For how many segments.
    pub segments: i64,
}

rule! {
    /// Both sides roll for surprise, we first; when both are surprised the difference counts. The source implies this
    /// and the rulebook states it.
    pub struct RollBoth;
}

impl Rule for RollBoth {
    const NAME: &'static str = "surprise.roll_both";
    const SOURCE: &'static [&'static str] = &["first-edition SURP-07"];
    const EXAMPLE: &'static str = "{ we_surprise_in_six = 4, they_surprise_in_six = 2 }";
    type Args = RollBothArgs;
    type Options = NoOptions;
    type Outcome = RollBothOutcome;

    fn resolve(args: RollBothArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RollBothOutcome, RuleError> {
        let mut roll = |in_six| {
            let args = RollArgs { in_six: Some(in_six), creature: None };
            referee.call::<RollInSix>(args).map(|rolled| rolled.segments)
        };
        let us_raw = roll(args.they_surprise_in_six)?;
        let them_raw = roll(args.we_surprise_in_six)?;
        let surprised = match us_raw - them_raw {
            0 => None,
            ours if ours > 0 => Some(SurprisedSide::Us),
            _ => Some(SurprisedSide::Them),
        };
        Ok(RollBothOutcome { us_raw, them_raw, surprised, segments: (us_raw - them_raw).abs() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    fn race(args: &str) -> (i64, i64) {
        let chance = outcome::<RaceChance>(args, &[]);
        (chance.in_six, chance.racial_bonus)
    }

    #[test]
    fn a_hidden_elf_gains_nothing_more_unless_elves_are_extra_silent() {
        assert_eq!(race(r#"{"race":"elf","alone":true,"hidden":true}"#), (4, 2));
        let other = r#"{"race":"elf","alone":true,"hidden":true,"options":{"elf_reading":"extra_silent"}}"#;
        assert_eq!(race(other), (5, 2));
    }

    #[test]
    fn ninety_feet_ahead_are_enough() {
        assert_eq!(race(r#"{"race":"halfling","feet_ahead":90}"#), (4, 2));
        assert_eq!(race(r#"{"race":"halfling","feet_ahead":89}"#), (2, 0));
    }

    #[test]
    fn metal_armor_spoils_an_elf_and_by_a_switch_not_a_halfling() {
        let armored = r#""alone":true,"metal_armor":true,"options":{"halfling_metal_armor":"allowed"}"#;
        assert_eq!(race(&format!(r#"{{"race":"elf",{armored}}}"#)), (2, 0));
        assert_eq!(race(&format!(r#"{{"race":"halfling",{armored}}}"#)), (4, 2));
        assert_eq!(race(r#"{"race":"halfling","alone":true,"metal_armor":true}"#), (2, 0));
    }

    #[test]
    fn an_invisible_man_is_hidden_like_anybody() {
        assert_eq!(race(r#"{"race":"other","hidden":true}"#), (3, 0));
    }

    #[test]
    fn a_giant_owl_surprises_on_five() {
        assert!(outcome::<RollInSix>(r#"{"creature":"giant_owl"}"#, &[5]).surprised);
        assert!(!outcome::<RollInSix>(r#"{"creature":"giant_owl"}"#, &[6]).surprised);
        assert_eq!(resolved("surprise.roll_in_six", "{}", &[]).unwrap_err().field(), Some("in_six"));
    }

    #[test]
    fn a_cap_shortens_the_surprise() {
        let args = r#"{"in_six":4,"options":{"most_segments":2}}"#;
        assert_eq!(outcome::<RollInSix>(args, &[4]).segments, 2);
    }

    #[test]
    fn mutual_surprise_leaves_the_difference() {
        let args = r#"{"we_surprise_in_six":4,"they_surprise_in_six":2}"#;
        let met = outcome::<RollBoth>(args, &[2, 1]);
        assert_eq!((met.surprised, met.segments), (Some(SurprisedSide::Us), 1));
        assert_eq!(outcome::<RollBoth>(args, &[2, 2]).surprised, None);
    }
}
