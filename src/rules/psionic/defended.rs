//! Mind against defended mind: what an attack does to defense strength.
//! Source: first-edition PSI-CMB-06 to PSI-CMB-09, PSI-CMB-12; Appendices A and B.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::modes::{DefenseModeArgs, DefenseModeStatistics};
use super::names::{AttackMode, DefenseMode, Forbidden, Label, Only, RangeBand, reasons};
use super::{Band, BandLabel, ByAttackMode, ByDefenseMode, banded, open_bands, present};
use crate::rules::core::{
    Any, AnyTable, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, band_of,
};

/// By how much long range lowers the attacker's strength for the table (PSI-CMB-06).
const LONG_RANGE: i64 = 25;

// ---- figures ----

/// Damage by attackers of a band of psionic strength.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DamageRow {
    from: i64,
    #[serde(default)]
    to: Option<i64>,
    damage: ByAttackMode<ByDefenseMode<Whole<0, 1_000>>>,
    #[serde(skip)]
    label: BandLabel,
}
banded!(DamageRow);

/// Damage at short range, without the mode's cost: Appendices A and B mended (PSI-CMB-07).
pub(super) static DAMAGE: Table<DamageRow> =
    Table::new("psionic_damage", include_str!("../data/psionic_damage.json"), open_bands::<DamageRow>);

/// A cell that Appendix A prints against Appendix B.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SlipRow {
    from: i64,
    attack_mode: AttackMode,
    defense_mode: DefenseMode,
    printed: Natural,
}

/// The sums that Appendix A prints where the mended table differs.
static SLIPS: Table<SlipRow> = Table::new(
    "psionic_appendix_a_slips",
    include_str!("../data/psionic_appendix_a_slips.json"),
    crate::rules::core::any_rows::<SlipRow>,
);

// ---- the loss ----

/// How the half of the lowest band is rounded at long range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HalfRounding {
    /// To nearest, a half up, as the fifth is.
    #[default]
    HalfUp,
    /// Down.
    Down,
}

/// The switches of an attack on a defended mind.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackDefendedOptions {
    /// How the half of the lowest band is rounded at long range (PSI-CMB-08).
    pub half_rounding: HalfRounding,
    /// Whether cells of Appendix A that contradict Appendix B are mended; if not, they stand as printed at short range.
    /// Cells without a legible figure are mended either way (PSI-CMB-07).
    pub appendix_a_errata: bool,
}

impl Default for AttackDefendedOptions {
    fn default() -> Self {
        AttackDefendedOptions { half_rounding: HalfRounding::HalfUp, appendix_a_errata: true }
    }
}

/// What `psionic.attack_defended` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackDefendedArgs {
    /// The attacker's psionic strength at the start of the segment, before its own costs.
    pub attacker_psionic_strength: Positive,
    /// The attack.
    pub attack_mode: AttackMode,
    /// The defense.
    pub defense_mode: DefenseMode,
    /// How far the attack goes.
    pub range_band: RangeBand,
}

reasons! {
    /// Why the mode cannot be used at the range.
    OutOfBand: BandNotAvailable
}

/// What the attack costs the defender.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AttackDefendedOutcome {
    /// Whether the mode can be used at that range.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<OutOfBand>>")]
    pub reason: Option<Forbidden>,
    /// The attacker's strength as the table counts it: 25 less at long range.
    pub effective_strength: Option<i64>,
    /// The row of the table.
    pub row: Option<Label>,
    /// Damage before the range is counted.
    pub short_range_damage: Option<i64>,
    /// Damage at that range.
    pub damage: Option<i64>,
    /// What the defense costs its user in any case.
    pub defense_mode_cost: Option<i64>,
    /// Damage and cost: what defense strength loses.
    pub defense_loss: Option<i64>,
}

/// Damage less its share for the range.
fn at_range(damage: i64, band: RangeBand, weakest: bool, half: HalfRounding) -> i64 {
    match (band, half) {
        (RangeBand::Short, _) => damage,
        (RangeBand::Long, HalfRounding::HalfUp) if weakest => (damage + 1) / 2,
        (RangeBand::Long, HalfRounding::Down) if weakest => damage / 2,
        // Four fifths, to nearest.
        (RangeBand::Medium | RangeBand::Long, _) => (8 * damage + 5) / 10,
    }
}

/// What an attack would do to defenses, by the mended table and the usual rounding: what a mind can guess before it
/// chooses.
pub(super) struct Foreseen<'a> {
    row: Option<&'a ByDefenseMode<Whole<0, 1_000>>>,
    band: RangeBand,
    weakest: bool,
}

impl<'a> Foreseen<'a> {
    /// Foresees an attack by a mind of this psionic strength.
    pub(super) fn of(rows: &'a [DamageRow], strength: i64, attack_mode: AttackMode, band: RangeBand) -> Self {
        let effective = if band == RangeBand::Long { strength - LONG_RANGE } else { strength };
        let row = band_of(rows, effective).map(|row| row.damage.of(attack_mode));
        Foreseen { row, band, weakest: is_weakest(rows, strength) }
    }

    /// The damage to a mind behind a defense.
    pub(super) fn damage(&self, defense_mode: DefenseMode) -> i64 {
        let full = self.row.map_or(0, |row| row.of(defense_mode).get());
        at_range(full, self.band, self.weakest, HalfRounding::HalfUp)
    }
}

/// Whether a strength falls into the lowest row.
fn is_weakest(rows: &[DamageRow], strength: i64) -> bool {
    rows.first().is_some_and(|first| first.to.is_none_or(|to| strength <= to))
}

rule! {
    /// Looks up what an attack costs a defended mind: the cost of its defense and the damage of the table, a fifth less
    /// at medium and long range.
    ///
    /// The row is by psionic strength, 25 less at long range; an attacker whose own strength is in the lowest row has
    /// the damage halved there instead. Psychic Crush has one range and does no damage of this kind: see
    /// `psionic.psychic_crush`.
    pub struct AttackDefended;
}

impl Rule for AttackDefended {
    const NAME: &'static str = "psionic.attack_defended";
    const SOURCE: &'static [&'static str] =
        &["first-edition PSI-CMB-06", "first-edition PSI-CMB-07", "first-edition PSI-CMB-08"];
    const EXAMPLE: &'static str = r#"{ attacker_psionic_strength = 60, attack_mode = "id_insinuation", defense_mode = "thought_shield", range_band = "short" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DAMAGE, &SLIPS];
    type Args = AttackDefendedArgs;
    type Options = AttackDefendedOptions;
    type Outcome = AttackDefendedOutcome;

    fn resolve(
        args: AttackDefendedArgs,
        options: AttackDefendedOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackDefendedOutcome, RuleError> {
        let AttackDefendedArgs { attacker_psionic_strength, attack_mode, defense_mode, range_band } = args;
        if attack_mode == AttackMode::PsychicCrush && range_band != RangeBand::Short {
            return Ok(AttackDefendedOutcome { reason: Some(Forbidden::BandNotAvailable), ..Default::default() });
        }
        let strength = attacker_psionic_strength.get();
        let effective = if range_band == RangeBand::Long { strength - LONG_RANGE } else { strength };
        let cost = referee.call::<DefenseModeStatistics>(DefenseModeArgs { defense_mode })?.cost_per_segment;
        let rows = referee.table(&DAMAGE);
        let row = present(band_of(&rows, effective), "the strength")?;
        let mut full = row.damage.of(attack_mode).of(defense_mode).get();
        if !options.appendix_a_errata && range_band == RangeBand::Short {
            let slips = referee.table(&SLIPS);
            let here = |slip: &&SlipRow| {
                (slip.from, slip.attack_mode, slip.defense_mode) == (row.from, attack_mode, defense_mode)
            };
            full = slips.iter().find(here).map_or(full, |slip| (slip.printed.get() - cost).max(0));
        }
        let damage = at_range(full, range_band, is_weakest(&rows, strength), options.half_rounding);
        referee.note(|| format!("row {}: damage {full}, at this range {damage}", row.label.of(row)));
        Ok(AttackDefendedOutcome {
            allowed: true,
            reason: None,
            effective_strength: Some(effective),
            row: Some(row.label.of(row)),
            short_range_damage: Some(full),
            damage: Some(damage),
            defense_mode_cost: Some(cost),
            defense_loss: Some(cost + damage),
        })
    }
}

/// What `psionic.apply_defense_loss` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApplyDefenseLossArgs {
    /// Defense strength left.
    pub defense_strength: Natural,
    /// Hit points left.
    pub hp: Any,
    /// What is lost.
    pub loss: Natural,
}

/// What is left.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApplyDefenseLossOutcome {
    /// Defense strength now.
    pub defense_strength: i64,
    /// Hit points now.
    pub hp: i64,
    /// How many hit points were lost.
    pub hit_point_loss: i64,
}

rule! {
    /// Takes a loss off defense strength; what that cannot bear comes off hit points, which may fall below 0.
    pub struct ApplyDefenseLoss;
}

impl Rule for ApplyDefenseLoss {
    const NAME: &'static str = "psionic.apply_defense_loss";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-CMB-09"];
    const EXAMPLE: &'static str = "{ defense_strength = 10, hp = 20, loss = 13 }";
    type Args = ApplyDefenseLossArgs;
    type Options = NoOptions;
    type Outcome = ApplyDefenseLossOutcome;

    fn resolve(
        args: ApplyDefenseLossArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<ApplyDefenseLossOutcome, RuleError> {
        let (defense, loss) = (args.defense_strength.get(), args.loss.get());
        let hit_point_loss = (loss - defense).max(0);
        Ok(ApplyDefenseLossOutcome {
            defense_strength: (defense - loss).max(0),
            hp: args.hp.get() - hit_point_loss,
            hit_point_loss,
        })
    }
}

// ---- Psychic Crush ----

/// What `psionic.psychic_crush` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PsychicCrushArgs {
    /// The chance of death against the victim's defense, in percent. The source leaves it out, so it is yours to give.
    #[serde(default)]
    pub percent: Option<Whole<0, 100>>,
}

/// What the crush does.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PsychicCrushOutcome {
    /// Whether there was a chance to go by.
    pub resolved: bool,
    /// What d100 showed.
    pub roll: Option<i64>,
    /// Whether the victim is dead.
    pub killed: bool,
    /// True when it is: raised or resurrected, it has no psionics.
    pub psionics_lost_if_raised: Option<bool>,
}

rule! {
    /// Rolls whether a Psychic Crush kills a defended mind, on a percentage that the source leaves to the referee.
    ///
    /// Without one it stays open; 0 is safe and rolls nothing. Its one other effect is the cost of the defense.
    pub struct PsychicCrush;
}

impl Rule for PsychicCrush {
    const NAME: &'static str = "psionic.psychic_crush";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-CMB-12", "first-edition PSI-ATK-07"];
    const EXAMPLE: &'static str = "{ percent = 5 }";
    type Args = PsychicCrushArgs;
    type Options = NoOptions;
    type Outcome = PsychicCrushOutcome;

    fn resolve(
        args: PsychicCrushArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<PsychicCrushOutcome, RuleError> {
        let percent = args.percent.map_or(0, Whole::get);
        let roll = if percent > 0 { Some(referee.d(100, "psychic crush")?) } else { None };
        let killed = roll.is_some_and(|roll| roll <= percent);
        let psionics_lost_if_raised = killed.then_some(true);
        Ok(PsychicCrushOutcome { resolved: args.percent.is_some(), roll, killed, psionics_lost_if_raised })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn attack(strength: i64, attack: &str, defense: &str, band: &str, options: &str) -> AttackDefendedOutcome {
        let args = format!(
            r#"{{"attacker_psionic_strength":{strength},"attack_mode":"{attack}","defense_mode":"{defense}",
                "range_band":"{band}"{options}}}"#
        );
        outcome::<AttackDefended>(&args, &[])
    }

    #[test]
    fn an_insinuation_of_sixty_costs_a_thought_shield_thirteen() {
        assert_eq!(attack(60, "id_insinuation", "thought_shield", "short", "").defense_loss, Some(13));
    }

    /// The damage of Appendix A's cells less a fifth, with the mode's cost, is what Appendix B prints.
    #[test]
    fn medium_range_gives_appendix_b() {
        let printed = [("mind_blank", 13), ("thought_shield", 15), ("mental_barrier", 13), ("intellect_fortress", 14)];
        for (defense, loss) in printed {
            assert_eq!(attack(90, "psionic_blast", defense, "medium", "").defense_loss, Some(loss), "{defense}");
        }
    }

    #[test]
    fn a_mind_of_twenty_five_does_half_at_long_range_and_one_of_twenty_six_four_fifths() {
        assert_eq!(attack(25, "ego_whip", "mind_blank", "long", "").damage, Some(4));
        assert_eq!(attack(26, "ego_whip", "mind_blank", "long", "").damage, Some(6));
        let down = r#","options":{"half_rounding":"down"}"#;
        assert_eq!(attack(25, "psionic_blast", "mind_blank", "long", down).damage, Some(1));
    }

    #[test]
    fn the_printed_cells_stand_behind_a_switch() {
        let printed = r#","options":{"appendix_a_errata":false}"#;
        assert_eq!(attack(130, "ego_whip", "mental_barrier", "short", printed).defense_loss, Some(12));
        assert_eq!(attack(130, "ego_whip", "mental_barrier", "short", "").defense_loss, Some(13));
        // Appendix B has no such slip.
        assert_eq!(attack(130, "ego_whip", "mental_barrier", "medium", printed).defense_loss, Some(11));
    }

    #[test]
    fn a_crush_has_no_medium_range() {
        let crush = attack(60, "psychic_crush", "mind_blank", "medium", "");
        assert_eq!((crush.allowed, crush.reason), (false, Some(Forbidden::BandNotAvailable)));
    }

    #[test]
    fn what_defense_cannot_bear_comes_off_hit_points() {
        let hurt = outcome::<ApplyDefenseLoss>(r#"{"defense_strength":10,"hp":2,"loss":13}"#, &[]);
        assert_eq!((hurt.defense_strength, hurt.hp, hurt.hit_point_loss), (0, -1, 3));
    }

    #[test]
    fn a_crush_without_a_percentage_stays_open() {
        let open = outcome::<PsychicCrush>("{}", &[]);
        assert!(!open.resolved && !open.killed);
        assert!(outcome::<PsychicCrush>(r#"{"percent":0}"#, &[]).resolved);
    }
}
