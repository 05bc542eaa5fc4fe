//! Combat maneuvers: blows with fist and foot, charges, cover, flanking, set weapons, casting under attack.
//! Source: combat-details MAN-03 to MAN-08.
//!
//! What a maneuver adds to an attack has one owner, `attack.modifiers`; the rules here say whether it may be made.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::attack::{Cover as Covered, Modifiers, ModifiersArgs};
use super::core::{
    AnyTable, Keyed, Modifier, Natural, NoOptions, Referee, Rolls, Rule, RuleError, Table, Whole, one_row_each, row_of,
};

/// The shortest run that is a charge, in feet (MAN-04).
const SHORTEST_CHARGE: i64 = 10;

/// An unarmed blow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Blow {
    /// With the fist.
    Punch,
    /// With the foot; harder to land (`kick` of `attack.modifiers`).
    Kick,
}

/// Armor as far as a fist is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Armor {
    /// None.
    None,
    /// Leather.
    Leather,
    /// Chain, plate or other metal.
    Metal,
}

/// What metal armor does to blows from those in no or leather armor (MAN-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetalArmor {
    /// It stops them.
    #[default]
    Negate,
    /// It stops them, and whoever struck takes the damage.
    Reflect,
    /// Nothing.
    Ignore,
}

/// A row of the table of blows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlowRow {
    /// The blow.
    pub blow: Blow,
    /// The faces of its die of damage.
    pub sides: Whole<2, 100>,
}

impl Keyed for BlowRow {
    type Key = Blow;
    const KEYS: &'static [Blow] = &[Blow::Punch, Blow::Kick];
    fn key(&self) -> Blow {
        self.blow
    }
}

static BRAWL: Table<BlowRow> = Table::new("brawl", include_str!("data/brawl.json"), one_row_each);

/// The switches of a blow.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BrawlOptions {
    /// What metal armor does to blows from those in no or leather armor (MAN-03).
    pub metal_armor: MetalArmor,
}

/// What `maneuver.brawl` is asked: a blow that has hit.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrawlArgs {
    /// Fist or foot.
    pub blow: Blow,
    /// What the attacker wears.
    pub own_armor: Armor,
    /// What the opponent wears.
    pub foe_armor: Armor,
    /// The attacker's strength modifier.
    #[serde(default)]
    pub str_mod: Modifier,
}

/// What a blow does.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BrawlOutcome {
    /// The die of damage; empty when the blow was stopped without effect.
    pub rolls: Rolls,
    /// Damage to the opponent; whether it is subduing is for the table to say.
    pub damage: i64,
    /// Damage to the attacker, where the armor throws the blow back.
    pub to_attacker: i64,
}

/// Rolls the damage of a punch (1d3) or a kick (1d4) that has hit, at least 1.
///
/// Metal armor stops the blows of those who wear no metal themselves.
#[derive(JsonSchema)]
pub struct Brawl;

impl Rule for Brawl {
    const NAME: &'static str = "maneuver.brawl";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-03"];
    const EXAMPLE: &'static str = r#"{ blow = "kick", own_armor = "none", foe_armor = "leather", str_mod = 1 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&BRAWL];
    type Args = BrawlArgs;
    type Options = BrawlOptions;
    type Outcome = BrawlOutcome;

    fn resolve(args: BrawlArgs, options: BrawlOptions, referee: &mut Referee<'_>) -> Result<BrawlOutcome, RuleError> {
        let clangs = args.foe_armor == Armor::Metal && args.own_armor != Armor::Metal;
        if clangs && options.metal_armor == MetalArmor::Negate {
            referee.note(|| "stopped by metal armor (MAN-03)".into());
            return Ok(BrawlOutcome { rolls: Rolls::new(), damage: 0, to_attacker: 0 });
        }
        let sides = row_of(&referee.table(&BRAWL), args.blow)?.sides;
        let rolled = referee.total(1, sides.get() as u32, "damage")?;
        referee.modifier(args.str_mod.get(), "for strength");
        let damage = (rolled.sum + args.str_mod.get()).max(1);
        if clangs && options.metal_armor == MetalArmor::Reflect {
            referee.note(|| "thrown back by metal armor (MAN-03)".into());
            return Ok(BrawlOutcome { rolls: rolled.rolls, damage: 0, to_attacker: damage });
        }
        Ok(BrawlOutcome { rolls: rolled.rolls, damage, to_attacker: 0 })
    }
}

/// Why a charge cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChargeFault {
    /// Less than 10 ft to run.
    TooShort,
    /// More than double movement.
    TooFar,
    /// The way is not straight.
    Straight,
    /// The way is not clear.
    Clear,
    /// The weapon does not lend itself to a charge.
    WeaponSuitable,
    /// The target was not in sight at the start.
    SightAtStart,
}

/// What `maneuver.charge` is asked. Distances are in feet.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChargeArgs {
    /// How far the charge goes, in feet.
    pub distance: Natural,
    /// The encounter movement of the one who charges, in feet a round.
    pub rate: Natural,
    /// Whether the way is mostly straight.
    #[serde(default = "yes")]
    pub straight: bool,
    /// Whether the way is clear.
    #[serde(default = "yes")]
    pub clear: bool,
    /// Whether the weapon suits: a spear, lance or pole arm, or the horns of a monster.
    #[serde(default = "yes")]
    pub weapon_suitable: bool,
    /// Whether the target was in sight at the start.
    #[serde(default = "yes")]
    pub sight_at_start: bool,
}

fn yes() -> bool {
    true
}

/// Whether the charge may be made and what it changes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChargeOutcome {
    /// Whether it may be made.
    pub allowed: bool,
    /// All that stands against it; empty when it may be made.
    pub reasons: SmallVec<[ChargeFault; 6]>,
    /// Added to the attack roll at its end.
    pub attack: i64,
    /// Added to the charger's own armor class for the round.
    pub ac: i64,
    /// What the damage of a hit is multiplied by.
    pub damage_multiplier: i64,
}

/// Tells whether a charge may be made, and what it changes: +2 to hit, -2 armor class for the round, double damage.
#[derive(JsonSchema)]
pub struct Charge;

impl Rule for Charge {
    const NAME: &'static str = "maneuver.charge";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-04"];
    const EXAMPLE: &'static str = "{ distance = 60, rate = 40 }";
    type Args = ChargeArgs;
    type Options = NoOptions;
    type Outcome = ChargeOutcome;

    fn resolve(args: ChargeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ChargeOutcome, RuleError> {
        let (distance, rate) = (args.distance.get(), args.rate.get());
        let reasons: SmallVec<[ChargeFault; 6]> = [
            (distance < SHORTEST_CHARGE, ChargeFault::TooShort),
            (distance > 2 * rate, ChargeFault::TooFar),
            (!args.straight, ChargeFault::Straight),
            (!args.clear, ChargeFault::Clear),
            (!args.weapon_suitable, ChargeFault::WeaponSuitable),
            (!args.sight_at_start, ChargeFault::SightAtStart),
        ]
        .into_iter()
        .filter_map(|(stands_against, fault)| stands_against.then_some(fault))
        .collect();
        if !reasons.is_empty() {
            return Ok(ChargeOutcome { allowed: false, reasons, attack: 0, ac: 0, damage_multiplier: 1 });
        }
        let charge = referee.call::<Modifiers>(ModifiersArgs { charging: true, ..ModifiersArgs::default() })?;
        Ok(ChargeOutcome {
            allowed: true,
            reasons,
            attack: charge.modifier,
            ac: charge.ac_change,
            damage_multiplier: charge.damage_multiplier,
        })
    }
}

/// What `maneuver.cover` answers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoverOutcome {
    /// What the cover takes off the attack roll, as a number of 0 or less.
    pub modifier: i64,
}

/// Tells what concealment or cover takes off an attack roll: 1 from a quarter, 4 from nine tenths, double behind hard
/// cover. Between two rows of the table the one reached counts.
#[derive(JsonSchema)]
pub struct Cover;

impl Rule for Cover {
    const NAME: &'static str = "maneuver.cover";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-05"];
    const EXAMPLE: &'static str = "{ percent = 50, hard = true }";
    type Args = Covered;
    type Options = NoOptions;
    type Outcome = CoverOutcome;

    fn resolve(args: Covered, _: NoOptions, referee: &mut Referee<'_>) -> Result<CoverOutcome, RuleError> {
        let cover = ModifiersArgs { cover: Some(args), ..ModifiersArgs::default() };
        Ok(CoverOutcome { modifier: referee.call::<Modifiers>(cover)?.modifier })
    }
}

/// What `maneuver.flank` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlankArgs {
    /// Whether two allies stand on opposite sides of the opponent.
    pub opposite_sides: bool,
    /// Whether both are within 5 ft of it.
    pub within_5_feet: bool,
}

/// Whether an opponent is flanked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlankOutcome {
    /// Whether it is.
    pub flanked: bool,
    /// What each of the two adds to melee attacks against it.
    pub modifier: i64,
}

/// Tells whether two allies flank an opponent, and what that adds to the melee attacks of each.
#[derive(JsonSchema)]
pub struct Flank;

impl Rule for Flank {
    const NAME: &'static str = "maneuver.flank";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-06"];
    const EXAMPLE: &'static str = "{ opposite_sides = true, within_5_feet = true }";
    type Args = FlankArgs;
    type Options = NoOptions;
    type Outcome = FlankOutcome;

    fn resolve(args: FlankArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<FlankOutcome, RuleError> {
        let flanking = args.opposite_sides && args.within_5_feet;
        let modifiers = referee.call::<Modifiers>(ModifiersArgs { flanking, ..ModifiersArgs::default() })?;
        Ok(FlankOutcome { flanked: flanking, modifier: modifiers.modifier })
    }
}

/// What `maneuver.set_weapon` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetWeaponArgs {
    /// The initiative of the one who sets the weapon.
    pub own_initiative: Modifier,
    /// The charger's initiative.
    pub charger_initiative: Modifier,
    /// Whether the weapon is a spear, a pole arm or the like.
    pub weapon_suitable: bool,
}

/// Why a weapon cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetWeaponFault {
    /// Not a weapon that can be set.
    Weapon,
    /// The charger is there first.
    Initiative,
}

/// Whether a weapon may be set against a charge.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetWeaponOutcome {
    /// Whether it may.
    pub allowed: bool,
    /// Why not; nothing when it may.
    pub reason: Option<SetWeaponFault>,
    /// What the damage of a hit on the charger is multiplied by.
    pub damage_multiplier: i64,
}

/// Tells whether a spear or pole arm is set in time against a charge; it then deals double damage.
#[derive(JsonSchema)]
pub struct SetWeapon;

impl Rule for SetWeapon {
    const NAME: &'static str = "maneuver.set_weapon";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-07"];
    const EXAMPLE: &'static str = "{ own_initiative = 4, charger_initiative = 4, weapon_suitable = true }";
    type Args = SetWeaponArgs;
    type Options = NoOptions;
    type Outcome = SetWeaponOutcome;

    fn resolve(args: SetWeaponArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<SetWeaponOutcome, RuleError> {
        let reason = if !args.weapon_suitable {
            Some(SetWeaponFault::Weapon)
        } else if args.own_initiative < args.charger_initiative {
            Some(SetWeaponFault::Initiative)
        } else {
            None
        };
        let set = ModifiersArgs { set_against_charge: reason.is_none(), ..ModifiersArgs::default() };
        let damage_multiplier = referee.call::<Modifiers>(set)?.damage_multiplier;
        Ok(SetWeaponOutcome { allowed: reason.is_none(), reason, damage_multiplier })
    }
}

/// What an attack on a caster at work does (MAN-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpellDisruption {
    /// It calls for a saving throw.
    #[default]
    Save,
    /// It spoils the spell.
    Auto,
}

/// The switches of a disrupted spell.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DisruptOptions {
    /// What an attack on a caster at work does (MAN-08).
    pub spell_disruption: SpellDisruption,
}

/// What `maneuver.disrupt_spell` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisruptArgs {
    /// How many hands the caster has free; one is needed.
    #[serde(default = "one_hand")]
    pub free_hands: Whole<0, 8>,
    /// Whether the caster can speak.
    #[serde(default = "yes")]
    pub can_speak: bool,
    /// Whether the caster is attacked on the very number of initiative on which the spell is cast.
    #[serde(default)]
    pub attacked_while_casting: bool,
    /// The number the caster's saving throw must reach; needed when the attack calls for one.
    #[serde(default)]
    pub save: Option<Whole<1, 40>>,
    /// Added to the saving throw.
    #[serde(default)]
    pub modifier: Modifier,
}

fn one_hand() -> Whole<0, 8> {
    Whole::clamped(1)
}

/// What becomes of a spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spell {
    /// It is cast.
    Cast,
    /// It is lost.
    Lost,
    /// It cannot be begun.
    NotCast,
}

/// Why a spell cannot be begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CastFault {
    /// No hand is free.
    Hands,
    /// The caster cannot speak.
    Speech,
}

/// What becomes of a spell in combat.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DisruptOutcome {
    /// Whether it can be begun.
    pub may_cast: bool,
    /// Why not; nothing when it can.
    pub reason: Option<CastFault>,
    /// What becomes of it.
    pub spell: Spell,
    /// The saving throw's die; nothing without a saving throw.
    pub roll: Option<i64>,
    /// Die and modifier.
    pub total: Option<i64>,
    /// Whether the saving throw was made.
    pub success: Option<bool>,
}

/// Tells whether a spell is cast, lost or not begun: casting takes a free hand and speech, and an attack on the
/// caster's own number calls for a saving throw.
///
/// What the saving throw is "based on" is garbled in the source; its number comes from the caller.
#[derive(JsonSchema)]
pub struct DisruptSpell;

impl Rule for DisruptSpell {
    const NAME: &'static str = "maneuver.disrupt_spell";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-08"];
    const EXAMPLE: &'static str = "{ attacked_while_casting = true, save = 14 }";
    type Args = DisruptArgs;
    type Options = DisruptOptions;
    type Outcome = DisruptOutcome;

    fn resolve(
        args: DisruptArgs,
        options: DisruptOptions,
        referee: &mut Referee<'_>,
    ) -> Result<DisruptOutcome, RuleError> {
        let reason = if args.free_hands.get() < 1 {
            Some(CastFault::Hands)
        } else if !args.can_speak {
            Some(CastFault::Speech)
        } else {
            None
        };
        let unrolled = |spell| DisruptOutcome {
            may_cast: reason.is_none(),
            reason,
            spell,
            roll: None,
            total: None,
            success: None,
        };
        if reason.is_some() {
            return Ok(unrolled(Spell::NotCast));
        }
        if !args.attacked_while_casting {
            return Ok(unrolled(Spell::Cast));
        }
        if options.spell_disruption == SpellDisruption::Auto {
            return Ok(unrolled(Spell::Lost));
        }
        let save = args.save.ok_or_else(|| RuleError::missing("save"))?;
        referee.need(|| format!("at least {save}"));
        let roll = referee.d(20, "save")?;
        referee.modifier(args.modifier.get(), "to the save");
        let total = roll + args.modifier.get();
        let success = total >= save.get();
        let spell = if success { Spell::Cast } else { Spell::Lost };
        Ok(DisruptOutcome { roll: Some(roll), total: Some(total), success: Some(success), ..unrolled(spell) })
    }
}

/// One of two casters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Caster {
    /// The first.
    A,
    /// The second.
    B,
}

/// What `maneuver.spell_duel` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpellDuelArgs {
    /// The first caster's initiative, before any waiting.
    pub a_initiative: Modifier,
    /// The second caster's.
    pub b_initiative: Modifier,
    /// Who held back a spell for the other's number, when somebody did.
    #[serde(default)]
    pub delayed_by: Option<Caster>,
}

/// How a caster's spell stands in a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DuelSpell {
    /// It is cast.
    Cast,
    /// It may be lost to the other's: ask `maneuver.disrupt_spell`.
    AtRisk,
}

/// How both spells stand.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpellDuelOutcome {
    /// The first caster's spell.
    pub a: DuelSpell,
    /// The second caster's spell.
    pub b: DuelSpell,
}

/// Tells what becomes of two spells cast at once: both succeed, unless one caster had the better initiative and held
/// back to strike while the other was casting.
#[derive(JsonSchema)]
pub struct SpellDuel;

impl Rule for SpellDuel {
    const NAME: &'static str = "maneuver.spell_duel";
    const SOURCE: &'static [&'static str] = &["combat-details MAN-08"];
    const EXAMPLE: &'static str = r#"{ a_initiative = 5, b_initiative = 4, delayed_by = "a" }"#;
    type Args = SpellDuelArgs;
    type Options = NoOptions;
    type Outcome = SpellDuelOutcome;

    fn resolve(args: SpellDuelArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SpellDuelOutcome, RuleError> {
        let SpellDuelArgs { a_initiative, b_initiative, delayed_by } = args;
        let stands = |threatened| if threatened { DuelSpell::AtRisk } else { DuelSpell::Cast };
        Ok(SpellDuelOutcome {
            a: stands(delayed_by == Some(Caster::B) && b_initiative > a_initiative),
            b: stands(delayed_by == Some(Caster::A) && a_initiative > b_initiative),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_fist_does_nothing_to_plate_unless_it_wears_a_gauntlet() {
        let stopped = outcome::<Brawl>(r#"{"blow":"punch","own_armor":"leather","foe_armor":"metal"}"#, &[]);
        assert_eq!((stopped.damage, stopped.to_attacker), (0, 0));
        let gauntlet = outcome::<Brawl>(r#"{"blow":"punch","own_armor":"metal","foe_armor":"metal"}"#, &[2]);
        assert_eq!(gauntlet.damage, 2);
    }

    #[test]
    fn a_weak_blow_still_does_a_point() {
        let weak = outcome::<Brawl>(r#"{"blow":"kick","own_armor":"none","foe_armor":"none","str_mod":-3}"#, &[2]);
        assert_eq!(weak.damage, 1);
    }

    #[test]
    fn all_that_stands_against_a_charge_is_named() {
        let charge = outcome::<Charge>(r#"{"distance":5,"rate":2,"clear":false}"#, &[]);
        assert_eq!(charge.reasons.as_slice(), [ChargeFault::TooShort, ChargeFault::TooFar, ChargeFault::Clear]);
        let charge = outcome::<Charge>(r#"{"distance":80,"rate":40}"#, &[]);
        assert_eq!((charge.allowed, charge.attack, charge.ac, charge.damage_multiplier), (true, 2, -2, 2));
    }

    #[test]
    fn hard_cover_doubles_the_row_reached() {
        assert_eq!(outcome::<Cover>(r#"{"percent":89,"hard":true}"#, &[]).modifier, -6);
        assert_eq!(outcome::<Cover>(r#"{"percent":24}"#, &[]).modifier, 0);
    }

    #[test]
    fn both_flankers_must_be_close() {
        assert_eq!(outcome::<Flank>(r#"{"opposite_sides":true,"within_5_feet":true}"#, &[]).modifier, 1);
        assert!(!outcome::<Flank>(r#"{"opposite_sides":true,"within_5_feet":false}"#, &[]).flanked);
    }

    #[test]
    fn a_weapon_set_too_late_is_no_help() {
        let late = outcome::<SetWeapon>(r#"{"own_initiative":3,"charger_initiative":4,"weapon_suitable":true}"#, &[]);
        assert_eq!((late.allowed, late.reason, late.damage_multiplier), (false, Some(SetWeaponFault::Initiative), 1));
    }

    #[test]
    fn a_gagged_caster_casts_nothing_and_an_attacked_one_saves() {
        assert_eq!(outcome::<DisruptSpell>(r#"{"can_speak":false}"#, &[]).reason, Some(CastFault::Speech));
        assert_eq!(outcome::<DisruptSpell>(r#"{"attacked_while_casting":true,"save":14}"#, &[13]).spell, Spell::Lost);
        let error = resolved("maneuver.disrupt_spell", r#"{"attacked_while_casting":true}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("save")));
    }

    #[test]
    fn the_slower_caster_gains_nothing_by_waiting() {
        let duel = outcome::<SpellDuel>(r#"{"a_initiative":3,"b_initiative":4,"delayed_by":"a"}"#, &[]);
        assert_eq!((duel.a, duel.b), (DuelSpell::Cast, DuelSpell::Cast));
    }
}
