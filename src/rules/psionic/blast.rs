//! Psionic Blast on minds that are not psionic: the saving throw.
//! Source: first-edition PSI-NPB-01 to PSI-NPB-03, PSI-DEF-05; Appendix D.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blast_effect::BlastEffect;
use super::modes::DEFENSE_MODES;
use super::names::DefenseMode;
use super::{Band, banded, keyed, open_bands, present};
use crate::rules::core::names::{self, holds};
use crate::rules::core::{
    AnyTable, List, Modifier, Named, Natural, Referee, Rule, RuleError, Table, Whole, band_of, one_row_each, row_meant,
    row_of,
};

/// The power on the list that has its own figure.
const ESP: &str = "esp";
/// The least attack strength at which a blast reaches minds that are not psionic (PSI-NPB-01).
const LEAST_STRENGTH: i64 = 100;
/// The highest total of intelligence and wisdom that the feebleminded count as having (PSI-NPB-03).
const FEEBLEMINDED: i64 = 5;

// ---- figures ----

/// An effect up to a figure of d100.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EffectUpTo {
    pub(super) effect: BlastEffect,
    pub(super) to: Whole<1, 100>,
}

/// A row of Appendix D: a band of intelligence and wisdom together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlastRow {
    from: i64,
    #[serde(default)]
    to: Option<i64>,
    save: Whole<0, 30>,
    /// What Appendix D prints for the save where it differs from the body.
    #[serde(default)]
    appendix_save: Option<Whole<0, 30>>,
    pub(super) effects: Vec<EffectUpTo>,
}
banded!(BlastRow);

/// Saves and effects of Psionic Blast (PSI-NPB-02, PSI-NPB-04).
pub(super) static BLAST: Table<BlastRow> =
    Table::new("psionic_blast", include_str!("../data/psionic_blast.json"), whole_rows_of_d100);

fn whole_rows_of_d100(rows: &[BlastRow]) -> Result<(), String> {
    open_bands(rows)?;
    let whole = |row: &&BlastRow| {
        row.effects.is_sorted_by(|a, b| a.to < b.to) && row.effects.last().is_some_and(|last| last.to.get() == 100)
    };
    match rows.iter().find(|row| !whole(row)) {
        None => Ok(()),
        Some(row) => Err(format!("the effects of the row from {} must rise to 100", row.from)),
    }
}

/// What bears on a save against Psionic Blast (PSI-NPB-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SaveModifier {
    /// At medium range of the blast.
    MediumRange,
    /// At long range of the blast.
    LongRange,
    /// A magic-user.
    MagicUser,
    /// A cleric.
    Cleric,
    /// An elf.
    Elf,
    /// Within 10 feet of an Intellect Fortress.
    IntellectFortress,
    /// Under the spell mind blank.
    MindBlankSpell,
    /// A dwarf.
    Dwarf,
    /// A halfling.
    Halfling,
    /// Wearing a helm of telepathy; a save made stuns the attacker.
    HelmOfTelepathy,
    /// Within 3 feet of a Tower of Iron Will.
    TowerOfIronWill,
    /// Having the discipline mind bar.
    MindBar,
    /// Panicked.
    Panicked,
    /// Enraged.
    Enraged,
    /// Confused.
    Confused,
    /// Hopeless.
    Hopeless,
    /// Stunned.
    Stunned,
    /// Using a power or spell that is related to psionics.
    UsingPsionicPower,
    /// Using ESP; counts instead of the power.
    UsingEsp,
    /// Feebleminded: the total counts as 0 to 5.
    Feebleminded,
    /// Insane: cannot be attacked.
    Insane,
}

impl SaveModifier {
    /// Those whose figure stands in the table of adjustments.
    const TABULATED: [Self; 17] = [
        Self::MediumRange,
        Self::LongRange,
        Self::MagicUser,
        Self::Cleric,
        Self::Elf,
        Self::MindBlankSpell,
        Self::Dwarf,
        Self::Halfling,
        Self::HelmOfTelepathy,
        Self::MindBar,
        Self::Panicked,
        Self::Enraged,
        Self::Confused,
        Self::Hopeless,
        Self::Stunned,
        Self::UsingPsionicPower,
        Self::UsingEsp,
    ];

    /// Its name, as arguments spell it.
    fn name(self) -> &'static str {
        match self {
            Self::MediumRange => "medium range",
            Self::LongRange => "long range",
            Self::MagicUser => "magic-user",
            Self::Cleric => "cleric",
            Self::Elf => "elf",
            Self::IntellectFortress => "Intellect Fortress",
            Self::MindBlankSpell => "the spell mind blank",
            Self::Dwarf => "dwarf",
            Self::Halfling => "halfling",
            Self::HelmOfTelepathy => "helm of telepathy",
            Self::TowerOfIronWill => "Tower of Iron Will",
            Self::MindBar => "mind bar",
            Self::Panicked => "panicked",
            Self::Enraged => "enraged",
            Self::Confused => "confused",
            Self::Hopeless => "hopeless",
            Self::Stunned => "stunned",
            Self::UsingPsionicPower => "using a psionics-related power",
            Self::UsingEsp => "using ESP",
            Self::Feebleminded => "feebleminded",
            Self::Insane => "insane",
        }
    }
}

/// The figure of a modifier.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AdjustmentRow {
    modifier: SaveModifier,
    value: Modifier,
}

/// Adjustments of saves against Psionic Blast (PSI-NPB-03).
pub(super) static ADJUSTMENTS: Table<AdjustmentRow> =
    Table::new("psionic_blast_adjustments", include_str!("../data/psionic_blast_adjustments.json"), one_row_each);

keyed!(AdjustmentRow, modifier: SaveModifier, SaveModifier::TABULATED);

/// A power or spell on the list of those related to psionics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RelatedPowerRow {
    power: String,
    /// As a list prints it together with others: `detect_evil_good`.
    #[serde(default)]
    also: Vec<String>,
    /// Whether any sort of it counts, whatever else stands in the name: `improved_invisibility`.
    #[serde(default)]
    any_sort: bool,
}

impl Named for RelatedPowerRow {
    fn name(&self) -> &str {
        &self.power
    }
    fn also(&self) -> &[String] {
        &self.also
    }
}

/// The row of a power, however it is written; any sort of it where the list says so.
fn related<'a>(rows: &'a [RelatedPowerRow], power: &str) -> Option<&'a RelatedPowerRow> {
    row_meant(rows, power).or_else(|| rows.iter().find(|row| row.any_sort && holds(power, &row.power)))
}

/// The powers and spells related to psionics (PSI-NPB-03).
static RELATED_POWERS: Table<RelatedPowerRow> =
    Table::new("psionic_related_powers", include_str!("../data/psionic_related_powers.json"), powers_once);

/// No power twice; what is printed for two of them may stand with both.
fn powers_once(rows: &[RelatedPowerRow]) -> Result<(), String> {
    names::distinct("rows", rows.iter().map(|row| &*row.power)).map_err(|error| error.to_string())
}

/// What a modifier adds to the save.
pub(super) fn adjustment(referee: &Referee<'_>, modifier: SaveModifier) -> Result<i64, RuleError> {
    let area = match modifier {
        SaveModifier::IntellectFortress => DefenseMode::IntellectFortress,
        SaveModifier::TowerOfIronWill => DefenseMode::TowerOfIronWill,
        // What they do is not a figure.
        SaveModifier::Feebleminded | SaveModifier::Insane => return Ok(0),
        _ => {
            let rows = referee.table(&ADJUSTMENTS);
            return Ok(row_of(&rows, modifier)?.value.get());
        }
    };
    let rows = referee.table(&DEFENSE_MODES);
    Ok(row_of(&rows, area)?.save_aid.get())
}

// ---- the save ----

/// Which table gives the save for a total of 18 to 21.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SaveTable {
    /// The body's: 12, as the column falls by two throughout.
    #[default]
    Body,
    /// Appendix D's: 20.
    Appendix,
}

/// The switches of the save.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BlastSaveOptions {
    /// Which table gives the save where the two differ (PSI-NPB-02).
    pub save_table: SaveTable,
}

/// What `psionic.blast_save` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlastSaveArgs {
    /// The attacker's attack strength, before it pays for the blast.
    pub attack_strength: Natural,
    /// The victim's intelligence.
    pub int: Whole<0, 25>,
    /// The victim's wisdom; `psionic.monster_wisdom` rolls it for monsters.
    pub wis: Whole<0, 25>,
    /// What bears on the save, each once; they add up.
    #[serde(default)]
    pub modifiers: List<SaveModifier>,
    /// The bonus of rings, cloaks and other items that protect against all forms of attack.
    #[serde(default)]
    pub protection: Natural,
    /// Powers and spells related to psionics that the victim is using (`detect_magic`, `esp`, any invisibility …): they
    /// count as `using_psionic_power`, ESP as `using_esp`. One that is not on the list is unknown: leave it out.
    #[serde(default)]
    pub using: List<String>,
}

/// Why a blast does not reach somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unaffected {
    /// The attacker's attack strength is below 100.
    #[serde(rename = "attack_strength_below_100")]
    AttackStrengthBelow100,
    /// The insane cannot be attacked.
    Insane,
}

/// How the save went.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BlastSaveOutcome {
    /// Whether the blast reaches the victim at all.
    pub affected: bool,
    /// Why not.
    pub reason: Option<Unaffected>,
    /// Intelligence and wisdom together, as they count.
    pub int_plus_wis: Option<i64>,
    /// The number needed.
    pub target: Option<i64>,
    /// All modifiers together.
    pub modifier: Option<i64>,
    /// What d20 showed.
    pub roll: Option<i64>,
    /// Roll and modifier.
    pub total: Option<i64>,
    /// Whether the total reached the target.
    pub saved: Option<bool>,
    /// For how many rounds a helm of telepathy stuns the attacker.
    pub attacker_stunned_rounds: Option<i64>,
}

impl BlastSaveArgs {
    /// The modifiers that count: each once, what is being used included, ESP instead of the power.
    fn counted(&self, referee: &Referee<'_>) -> Result<Vec<SaveModifier>, RuleError> {
        super::change::each_once(&self.modifiers, "modifiers")?;
        let mut counted = self.modifiers.to_vec();
        if counted.contains(&SaveModifier::MediumRange) && counted.contains(&SaveModifier::LongRange) {
            return Err(RuleError::invalid("modifiers", "must not hold medium_range and long_range together"));
        }
        if !self.using.is_empty() {
            let rows = referee.table(&RELATED_POWERS);
            for (place, power) in self.using.iter().enumerate() {
                let row = related(&rows, power).ok_or_else(|| {
                    let known: Vec<&str> = rows.iter().map(|row| &*row.power).collect();
                    RuleError::unknown_among(&format!("using[{}]", place + 1), "power", power, &known)
                })?;
                let esp = row.power == ESP;
                let modifier = if esp { SaveModifier::UsingEsp } else { SaveModifier::UsingPsionicPower };
                if !counted.contains(&modifier) {
                    counted.push(modifier);
                }
            }
        }
        if counted.contains(&SaveModifier::UsingEsp) {
            counted.retain(|modifier| *modifier != SaveModifier::UsingPsionicPower);
        }
        Ok(counted)
    }
}

rule! {
    /// Saves against a Psionic Blast: d20 and modifiers against a number by intelligence and wisdom together.
    ///
    /// Only from attack strength 100 does a blast reach minds that are not psionic. No face saves or fails by itself.
    /// ESP is on the list of related powers too; its own figure replaces theirs.
    pub struct BlastSave;
}

impl Rule for BlastSave {
    const NAME: &'static str = "psionic.blast_save";
    const SOURCE: &'static [&'static str] = &[
        "first-edition PSI-NPB-01",
        "first-edition PSI-NPB-02",
        "first-edition PSI-NPB-03",
        "first-edition PSI-DEF-05",
    ];
    const EXAMPLE: &'static str =
        r#"{ attack_strength = 120, int = 10, wis = 10, modifiers = { "dwarf", "medium_range" } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&BLAST, &ADJUSTMENTS, &DEFENSE_MODES, &RELATED_POWERS];
    type Args = BlastSaveArgs;
    type Options = BlastSaveOptions;
    type Outcome = BlastSaveOutcome;

    fn resolve(
        args: BlastSaveArgs,
        options: BlastSaveOptions,
        referee: &mut Referee<'_>,
    ) -> Result<BlastSaveOutcome, RuleError> {
        let counted = args.counted(referee)?;
        let spared = |reason| Ok(BlastSaveOutcome { reason: Some(reason), ..Default::default() });
        if args.attack_strength.get() < LEAST_STRENGTH {
            return spared(Unaffected::AttackStrengthBelow100);
        }
        if counted.contains(&SaveModifier::Insane) {
            return spared(Unaffected::Insane);
        }
        let mut sum = args.int.get() + args.wis.get();
        if counted.contains(&SaveModifier::Feebleminded) {
            sum = sum.min(FEEBLEMINDED);
        }
        let rows = referee.table(&BLAST);
        let row = present(band_of(&rows, sum), "the total")?;
        let printed = row.appendix_save.filter(|_| options.save_table == SaveTable::Appendix);
        let target = printed.unwrap_or(row.save).get();
        let mut modifier = args.protection.get();
        referee.modifier(modifier, "protection items (PSI-NPB-03)");
        for counts in &counted {
            let value = adjustment(referee, *counts)?;
            referee.modifier(value, counts.name());
            modifier += value;
        }
        referee.need(|| format!("at least {target} on d20 and modifiers"));
        let roll = referee.d(20, "save against psionic blast")?;
        let total = roll + modifier;
        let saved = total >= target;
        let helmed = saved && counted.contains(&SaveModifier::HelmOfTelepathy);
        let attacker_stunned_rounds = if helmed { Some(referee.d(4, "rounds the attacker is stunned")?) } else { None };
        Ok(BlastSaveOutcome {
            affected: true,
            reason: None,
            int_plus_wis: Some(sum),
            target: Some(target),
            modifier: Some(modifier),
            roll: Some(roll),
            total: Some(total),
            saved: Some(saved),
            attacker_stunned_rounds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn save(rest: &str, dice: &[i64]) -> BlastSaveOutcome {
        outcome::<BlastSave>(&format!(r#"{{"attack_strength":120,"int":10,"wis":10{rest}}}"#), dice)
    }

    #[test]
    fn the_body_and_the_appendix_differ_for_a_total_of_twenty() {
        assert_eq!(save("", &[12]).saved, Some(true));
        assert_eq!(save(r#","options":{"save_table":"appendix"}"#, &[12]).target, Some(20));
    }

    #[test]
    fn a_blast_of_ninety_nine_reaches_nobody() {
        let weak = outcome::<BlastSave>(r#"{"attack_strength":99,"int":3,"wis":3}"#, &[]);
        assert_eq!(weak.reason, Some(Unaffected::AttackStrengthBelow100));
    }

    #[test]
    fn the_insane_are_spared_and_the_feebleminded_are_not() {
        assert_eq!(save(r#","modifiers":["insane"]"#, &[]).reason, Some(Unaffected::Insane));
        let feeble = save(r#","modifiers":["feebleminded"]"#, &[19]);
        assert_eq!((feeble.target, feeble.saved), (Some(20), Some(false)));
    }

    #[test]
    fn a_helm_stuns_the_attacker_when_the_save_is_made() {
        let helm = r#","modifiers":["helm_of_telepathy"]"#;
        assert_eq!(save(helm, &[8, 3]).attacker_stunned_rounds, Some(3));
        assert_eq!(save(helm, &[7]).attacker_stunned_rounds, None);
    }

    #[test]
    fn esp_replaces_the_other_powers_in_use() {
        assert_eq!(save(r#","using":["esp","detect_magic"]"#, &[17]).modifier, Some(-5));
        assert_eq!(save(r#","using":["detect_magic"]"#, &[17]).modifier, Some(-4));
    }

    #[test]
    fn a_power_is_known_as_the_source_writes_it_and_another_is_an_error() {
        let spellings = ["Detect Magic", "detect evil/good", "Astral Protection/Spell", "true seeing"];
        let invisible = ["invisibility", "Improved Invisibility", "Invisibility, 10' radius", "psionic-invisibility"];
        for power in spellings.into_iter().chain(invisible) {
            let args = format!(r#","using":["{power}"]"#);
            assert_eq!(save(&args, &[17]).modifier, Some(-4), "{power}");
        }
        assert_eq!(save(r#","using":["E.S.P."]"#, &[17]).modifier, Some(-5));
        let args = r#"{"attack_strength":120,"int":10,"wis":10,"using":["esp","magic_missile"]}"#;
        let error = resolved("psionic.blast_save", args, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("using[2]")));
    }

    #[test]
    fn nobody_stands_at_two_ranges() {
        let args = r#"{"attack_strength":120,"int":10,"wis":10,"modifiers":["medium_range","long_range"]}"#;
        assert_eq!(resolved("psionic.blast_save", args, &[]).unwrap_err().field(), Some("modifiers"));
    }
}
