//! The attack and defense modes: how many, which, and what each costs and reaches.
//! Source: first-edition PSI-ATK-01 to PSI-ATK-04, PSI-DEF-01 to PSI-DEF-03.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::each_once;
use super::names::{AttackMode, DefenseMode, Forbidden, Label, Only, RangeBand, reasons};
use super::{Band, banded, keyed, percentile_bands, present};
use crate::rules::core::{
    AnyTable, List, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, band_of, one_row_each, row_of,
};

// ---- how many ----

/// A band of d100 and the number of modes it gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CountRow {
    from: i64,
    to: Option<i64>,
    modes: Whole<0, 5>,
}
banded!(CountRow);

/// How many attack modes (PSI-ATK-01).
static ATTACK_MODE_COUNT: Table<CountRow> = Table::new(
    "psionic_attack_mode_count",
    include_str!("../data/psionic_attack_mode_count.json"),
    percentile_bands::<CountRow>,
);

/// How many defense modes (PSI-DEF-01).
static DEFENSE_MODE_COUNT: Table<CountRow> = Table::new(
    "psionic_defense_mode_count",
    include_str!("../data/psionic_defense_mode_count.json"),
    percentile_bands::<CountRow>,
);

/// Nothing is asked: only dice decide.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct NoArgs {}

/// How many modes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModeCountOutcome {
    /// What d100 showed.
    pub roll: i64,
    /// The number of modes.
    pub count: i64,
}

fn count_modes(
    table: &'static Table<CountRow>,
    purpose: &str,
    referee: &mut Referee<'_>,
) -> Result<ModeCountOutcome, RuleError> {
    let rows = referee.table(table);
    let roll = referee.d(100, purpose)?;
    let count = present(band_of(&rows, roll), "the roll")?.modes.get();
    Ok(ModeCountOutcome { roll, count })
}

rule! {
    /// Rolls how many attack modes a psionic has: one to five.
    pub struct AttackModeCount;
}

impl Rule for AttackModeCount {
    const NAME: &'static str = "psionic.attack_mode_count";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-01"];
    const EXAMPLE: &'static str = "{}";
    const TABLES: &'static [&'static dyn AnyTable] = &[&ATTACK_MODE_COUNT];
    type Args = NoArgs;
    type Options = NoOptions;
    type Outcome = ModeCountOutcome;

    fn resolve(_: NoArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ModeCountOutcome, RuleError> {
        count_modes(&ATTACK_MODE_COUNT, "attack modes", referee)
    }
}

rule! {
    /// Rolls how many defense modes a psionic has: two to five.
    pub struct DefenseModeCount;
}

impl Rule for DefenseModeCount {
    const NAME: &'static str = "psionic.defense_mode_count";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DEF-01"];
    const EXAMPLE: &'static str = "{}";
    const TABLES: &'static [&'static dyn AnyTable] = &[&DEFENSE_MODE_COUNT];
    type Args = NoArgs;
    type Options = NoOptions;
    type Outcome = ModeCountOutcome;

    fn resolve(_: NoArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ModeCountOutcome, RuleError> {
        count_modes(&DEFENSE_MODE_COUNT, "defense modes", referee)
    }
}

// ---- which ----

/// Says what is wrong with a choice: another number of modes than was rolled, or a mode twice.
fn check_choice<M: PartialEq + Copy>(modes: &[M], count: i64) -> Result<(), RuleError> {
    each_once(modes, "modes")?;
    if modes.len() as i64 != count {
        let message = format!("must name {count}, as many as `count` says, not {}", modes.len());
        return Err(RuleError::invalid("modes", message));
    }
    Ok(())
}

/// What `psionic.choose_attack_modes` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseAttackModesArgs {
    /// How many modes the dice gave.
    pub count: Whole<1, 5>,
    /// The modes chosen, each once, any of the five.
    pub modes: List<AttackMode>,
}

/// The modes chosen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseAttackModesOutcome {
    /// The modes; they stay for good.
    pub modes: List<AttackMode>,
}

rule! {
    /// Chooses attack modes: as many different ones as the dice gave, freely.
    pub struct ChooseAttackModes;
}

impl Rule for ChooseAttackModes {
    const NAME: &'static str = "psionic.choose_attack_modes";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-02"];
    const EXAMPLE: &'static str = r#"{ count = 2, modes = { "mind_thrust", "ego_whip" } }"#;
    type Args = ChooseAttackModesArgs;
    type Options = NoOptions;
    type Outcome = ChooseAttackModesOutcome;

    fn resolve(
        args: ChooseAttackModesArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<ChooseAttackModesOutcome, RuleError> {
        check_choice(&args.modes, args.count.get())?;
        Ok(ChooseAttackModesOutcome { modes: args.modes })
    }
}

/// What `psionic.choose_defense_modes` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseDefenseModesArgs {
    /// How many modes the dice gave.
    pub count: Whole<2, 5>,
    /// The modes chosen, each once, Mind Blank first.
    pub modes: List<DefenseMode>,
}

reasons! {
    /// Why the modes cannot be chosen so.
    DefenseRefused: FirstMustBeMindBlank
}

/// The modes chosen.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseDefenseModesOutcome {
    /// Whether the choice is one the rules allow.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<DefenseRefused>>")]
    pub reason: Option<Forbidden>,
    /// The modes; they stay for good.
    pub modes: Option<List<DefenseMode>>,
}

rule! {
    /// Chooses defense modes: as many different ones as the dice gave, Mind Blank first.
    pub struct ChooseDefenseModes;
}

impl Rule for ChooseDefenseModes {
    const NAME: &'static str = "psionic.choose_defense_modes";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DEF-02"];
    const EXAMPLE: &'static str = r#"{ count = 2, modes = { "mind_blank", "tower_of_iron_will" } }"#;
    type Args = ChooseDefenseModesArgs;
    type Options = NoOptions;
    type Outcome = ChooseDefenseModesOutcome;

    fn resolve(
        args: ChooseDefenseModesArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<ChooseDefenseModesOutcome, RuleError> {
        check_choice(&args.modes, args.count.get())?;
        if args.modes.first() != Some(&DefenseMode::MindBlank) {
            let reason = Some(Forbidden::FirstMustBeMindBlank);
            return Ok(ChooseDefenseModesOutcome { allowed: false, reason, modes: None });
        }
        Ok(ChooseDefenseModesOutcome { allowed: true, reason: None, modes: Some(args.modes) })
    }
}

// ---- what each costs and reaches ----

/// The statistics of an attack mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttackModeRow {
    mode: AttackMode,
    letter: Label,
    cost: Positive,
    short: Positive,
    #[serde(default)]
    medium: Option<Positive>,
    #[serde(default)]
    long: Option<Positive>,
    range_can_be_bought: bool,
}

impl AttackModeRow {
    /// In which band a target at a distance is, and what the attack costs, when `times` the range is bought; nothing out
    /// of range, or where no more range can be bought.
    pub(super) fn at(&self, inches: f64, times: i64) -> Option<(RangeBand, i64)> {
        if times > 1 && !self.range_can_be_bought {
            return None;
        }
        let reaches = |limit: Option<Positive>| limit.is_some_and(|limit| inches <= (limit.get() * times) as f64);
        let bands =
            [(Some(self.short), RangeBand::Short), (self.medium, RangeBand::Medium), (self.long, RangeBand::Long)];
        let (_, band) = bands.into_iter().find(|(limit, _)| reaches(*limit))?;
        Some((band, self.cost.get() * times))
    }

    /// The mode whose row this is.
    pub(super) fn mode(&self) -> AttackMode {
        self.mode
    }
}

/// Cost and ranges of the attack modes (PSI-ATK-03).
pub(super) static ATTACK_MODES: Table<AttackModeRow> =
    Table::new("psionic_attack_modes", include_str!("../data/psionic_attack_modes.json"), all_attack_modes);

keyed!(AttackModeRow, mode: AttackMode, AttackMode::ALL);

fn all_attack_modes(rows: &[AttackModeRow]) -> Result<(), String> {
    one_row_each(rows)?;
    let far = |range: Option<Positive>| range.map_or(i64::MAX, Positive::get);
    match rows.iter().find(|r| r.short.get() > far(r.medium) || far(r.medium) > far(r.long)) {
        None => Ok(()),
        Some(row) => Err(format!("the ranges of mode {} must grow from short to long", row.letter)),
    }
}

/// What `psionic.attack_mode` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackModeArgs {
    /// The mode.
    pub attack_mode: AttackMode,
    /// Bought range: two or three times the cost for two or three times the range. Mind Thrust, Ego Whip and Id
    /// Insinuation only.
    #[serde(default = "no_bought_range")]
    pub range_multiplier: Whole<1, 3>,
}

/// The range multiplier of an attack whose range nobody bought.
pub(super) fn no_bought_range() -> Whole<1, 3> {
    Whole::clamped(1)
}

reasons! {
    /// Why the mode cannot be used so.
    RangeRefused: RangeNotExtendable
}

/// The statistics of an attack mode.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AttackModeOutcome {
    /// Whether the mode can be used so.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<RangeRefused>>")]
    pub reason: Option<Forbidden>,
    /// The mode's letter, A to E.
    pub letter: Option<Label>,
    /// What it costs a segment, in attack strength.
    pub cost_per_segment: Option<i64>,
    /// Short range reaches so many scale inches.
    pub short: Option<i64>,
    /// Medium range, when the mode has one.
    pub medium: Option<i64>,
    /// Long range, when the mode has one.
    pub long: Option<i64>,
}

rule! {
    /// Looks up an attack mode: its cost for a segment and its three ranges, all of which grow when range is bought.
    ///
    /// The source leaves open whether bought range stretches all three bands or only the last; all three do here.
    pub struct AttackModeStatistics;
}

impl Rule for AttackModeStatistics {
    const NAME: &'static str = "psionic.attack_mode";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ATK-03", "first-edition PSI-ATK-04"];
    const EXAMPLE: &'static str = r#"{ attack_mode = "ego_whip", range_multiplier = 3 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ATTACK_MODES];
    type Args = AttackModeArgs;
    type Options = NoOptions;
    type Outcome = AttackModeOutcome;

    fn resolve(args: AttackModeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<AttackModeOutcome, RuleError> {
        let rows = referee.table(&ATTACK_MODES);
        let row = row_of(&rows, args.attack_mode)?;
        let times = args.range_multiplier.get();
        if times > 1 && !row.range_can_be_bought {
            return Ok(AttackModeOutcome { reason: Some(Forbidden::RangeNotExtendable), ..Default::default() });
        }
        let stretched = |range: Positive| range.get() * times;
        Ok(AttackModeOutcome {
            allowed: true,
            reason: None,
            letter: Some(row.letter.clone()),
            cost_per_segment: Some(row.cost.get() * times),
            short: Some(stretched(row.short)),
            medium: row.medium.map(stretched),
            long: row.long.map(stretched),
        })
    }
}

/// The statistics of a defense mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DefenseModeRow {
    pub(super) mode: DefenseMode,
    letter: Label,
    pub(super) cost: Positive,
    radius_feet: Natural,
    /// What non-psionics inside add to saves against Psionic Blast.
    pub(super) save_aid: Natural,
}

/// Cost and area of the defense modes (PSI-DEF-03).
pub(super) static DEFENSE_MODES: Table<DefenseModeRow> =
    Table::new("psionic_defense_modes", include_str!("../data/psionic_defense_modes.json"), one_row_each);

keyed!(DefenseModeRow, mode: DefenseMode, DefenseMode::ALL);

/// What `psionic.defense_mode` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DefenseModeArgs {
    /// The mode.
    pub defense_mode: DefenseMode,
}

/// The statistics of a defense mode.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DefenseModeOutcome {
    /// The mode's letter, F to J.
    pub letter: Label,
    /// What it costs a segment, in defense strength.
    pub cost_per_segment: i64,
    /// The radius it covers, in feet; 0 covers its user only.
    pub radius_feet: i64,
    /// What non-psionics inside add to saves against Psionic Blast.
    pub save_aid: i64,
}

rule! {
    /// Looks up a defense mode: its cost for a segment, its radius, and how far it helps the saves of others.
    pub struct DefenseModeStatistics;
}

impl Rule for DefenseModeStatistics {
    const NAME: &'static str = "psionic.defense_mode";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DEF-03"];
    const EXAMPLE: &'static str = r#"{ defense_mode = "intellect_fortress" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DEFENSE_MODES];
    type Args = DefenseModeArgs;
    type Options = NoOptions;
    type Outcome = DefenseModeOutcome;

    fn resolve(
        args: DefenseModeArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<DefenseModeOutcome, RuleError> {
        let rows = referee.table(&DEFENSE_MODES);
        let row = row_of(&rows, args.defense_mode)?;
        Ok(DefenseModeOutcome {
            letter: row.letter.clone(),
            cost_per_segment: row.cost.get(),
            radius_feet: row.radius_feet.get(),
            save_aid: row.save_aid.get(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn trebled_range_costs_three_times_as_much() {
        let whip = outcome::<AttackModeStatistics>(r#"{"attack_mode":"ego_whip","range_multiplier":3}"#, &[]);
        assert_eq!((whip.cost_per_segment, whip.long), (Some(21), Some(36)));
    }

    #[test]
    fn nobody_buys_range_for_a_blast() {
        let blast = outcome::<AttackModeStatistics>(r#"{"attack_mode":"psionic_blast","range_multiplier":2}"#, &[]);
        assert_eq!((blast.allowed, blast.reason), (false, Some(Forbidden::RangeNotExtendable)));
    }

    #[test]
    fn the_first_defense_is_mind_blank() {
        let args = r#"{"count":2,"modes":["thought_shield","mind_blank"]}"#;
        assert_eq!(outcome::<ChooseDefenseModes>(args, &[]).reason, Some(Forbidden::FirstMustBeMindBlank));
    }

    #[test]
    fn a_choice_names_each_mode_once_and_as_many_as_rolled() {
        let fault = |args| resolved("psionic.choose_attack_modes", args, &[]).unwrap_err();
        assert_eq!(fault(r#"{"count":2,"modes":["ego_whip","ego_whip"]}"#).field(), Some("modes[2]"));
        assert_eq!(fault(r#"{"count":2,"modes":["ego_whip"]}"#).field(), Some("modes"));
        assert_eq!(fault(r#"{"count":1,"modes":["mind_blank"]}"#).field(), Some("modes[1]"));
    }

    #[test]
    fn ninety_six_gives_all_five_attack_modes() {
        assert_eq!(outcome::<AttackModeCount>("{}", &[95]).count, 4);
        assert_eq!(outcome::<AttackModeCount>("{}", &[96]).count, 5);
        assert_eq!(outcome::<DefenseModeCount>("{}", &[25]).count, 2);
    }
}
