//! What the situation adds to an attack.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{AnyTable, Modifier, NoOptions, Referee, Rule, RuleError, Table, Whole};

/// A situation that changes an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Situation {
    /// The opponent cannot be seen (MAN-01).
    TargetInvisible,
    /// From behind (MAN-02).
    FromBehind,
    /// With an ally on the opposite side of the opponent (MAN-06).
    Flanking,
    /// A kick (MAN-03).
    Kick,
    /// With the flat of the blade (SUB-01).
    Subduing,
    /// At somebody who flees (DIS-01).
    PartingShot,
    /// At the end of a charge (MAN-04).
    Charging,
    /// With a weapon set against a charge (MAN-07).
    SetAgainstCharge,
    /// With two weapons, the primary one (MAN-09).
    TwoWeaponsPrimary,
    /// With two weapons, the secondary one (MAN-09).
    TwoWeaponsSecondary,
}

impl Situation {
    const ALL: [Situation; 10] = [
        Situation::TargetInvisible,
        Situation::FromBehind,
        Situation::Flanking,
        Situation::Kick,
        Situation::Subduing,
        Situation::PartingShot,
        Situation::Charging,
        Situation::SetAgainstCharge,
        Situation::TwoWeaponsPrimary,
        Situation::TwoWeaponsSecondary,
    ];

    /// For the trace.
    fn reason(self) -> &'static str {
        match self {
            Situation::TargetInvisible => "invisible opponent (MAN-01)",
            Situation::FromBehind => "from behind (MAN-02)",
            Situation::Flanking => "flanking (MAN-06)",
            Situation::Kick => "kick (MAN-03)",
            Situation::Subduing => "flat of the blade (SUB-01)",
            Situation::PartingShot => "parting shot (DIS-01)",
            Situation::Charging => "charge (MAN-04)",
            Situation::SetAgainstCharge => "set against a charge (MAN-07)",
            Situation::TwoWeaponsPrimary => "primary of two weapons (MAN-09)",
            Situation::TwoWeaponsSecondary => "secondary of two weapons (MAN-09)",
        }
    }
}

/// What a situation changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SituationRow {
    /// The situation.
    pub situation: Situation,
    /// Added to the roll to hit.
    pub modifier: i64,
    /// Added to the attacker's own armor class for the round.
    pub ac_change: i64,
    /// What the damage of a hit is multiplied by.
    pub damage_multiplier: Whole<1, 4>,
}

fn every_situation_once(rows: &[SituationRow]) -> Result<(), String> {
    for situation in Situation::ALL {
        if rows.iter().filter(|row| row.situation == situation).count() != 1 {
            return Err(format!("there must be one row for {situation:?}"));
        }
    }
    Ok(())
}

/// What each situation changes.
pub static SITUATIONS: Table<SituationRow> =
    Table::new("attack_modifiers", include_str!("../data/attack_modifiers.json"), every_situation_once);

/// How much of a target is hidden, and what that costs the attacker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConcealmentRow {
    /// From this share of the target hidden.
    pub percent: Whole<1, 100>,
    /// The modifier to hit when it is merely hidden.
    pub modifier: i64,
}

fn rising_percent(rows: &[ConcealmentRow]) -> Result<(), String> {
    let rising = rows.windows(2).all(|pair| pair[0].percent < pair[1].percent);
    if rising && !rows.is_empty() { Ok(()) } else { Err("there must be rows, with rising percent".into()) }
}

/// Cover and concealment by the share of the target hidden.
pub static CONCEALMENT: Table<ConcealmentRow> =
    Table::new("concealment", include_str!("../data/concealment.json"), rising_percent);

/// Cover or concealment of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cover {
    /// How much of the target is hidden, 0 to 100.
    pub percent: Whole<0, 100>,
    /// Whether something hard hides it; doubles the penalty.
    #[serde(default)]
    pub hard: bool,
}

impl Cover {
    /// The modifier to hit: that of the last row of [`CONCEALMENT`] reached, 0 below the
    /// first; twice that behind hard cover (MAN-05).
    #[must_use]
    pub fn modifier(self, referee: &Referee<'_>) -> i64 {
        let rows = referee.table(&CONCEALMENT);
        let reached = rows.iter().rev().find(|row| row.percent.get() <= self.percent.get());
        reached.map_or(0, |row| if self.hard { 2 * row.modifier } else { row.modifier })
    }
}

/// Which of two weapons strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Hand {
    /// The weapon of the main hand.
    Primary,
    /// The weapon of the other hand.
    Secondary,
}

/// What `attack.modifiers` is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ModifiersArgs {
    /// The opponent is invisible to the attacker (MAN-01).
    pub target_invisible: bool,
    /// The attack comes from behind (MAN-02).
    pub from_behind: bool,
    /// The attack is a sneak attack, which has its own rule: the bonus for being behind is left out (MAN-02).
    pub sneak_attack: bool,
    /// The attacker and an ally flank the opponent, in melee (MAN-06).
    pub flanking: bool,
    /// The attack is a kick (MAN-03).
    pub kick: bool,
    /// The attack is made to subdue (SUB-01).
    pub subduing: bool,
    /// The attack is a parting shot at somebody who flees (DIS-01).
    pub parting_shot: bool,
    /// The attack ends a charge (MAN-04).
    pub charging: bool,
    /// The weapon is set against a charging opponent (MAN-07).
    pub set_against_charge: bool,
    /// Which weapon strikes, for somebody who fights with two (MAN-09).
    pub two_weapons: Option<Hand>,
    /// Cover or concealment of the opponent (MAN-05).
    pub cover: Option<Cover>,
    /// Anything else the situation adds to the roll, such as the adjustment of the weapon in hand against the opponent's
    /// armor (RULING-12).
    pub modifier: Modifier,
}

/// The sum of what the situation changes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModifiersOutcome {
    /// To add to the roll to hit.
    pub modifier: i64,
    /// To add to the attacker's own armor class for the round.
    pub ac_change: i64,
    /// What the damage of a hit is multiplied by.
    pub damage_multiplier: i64,
}

rule! {
    /// Adds up what the situation does to an attack: to the roll, to the attacker's armor class, to the damage.
    ///
    /// All modifiers add up, multipliers multiply. The bonus for an attack from behind is left out of a sneak attack.
    pub struct Modifiers;
}

impl Rule for Modifiers {
    const NAME: &'static str = "attack.modifiers";
    const SOURCE: &'static [&'static str] = &[
        "combat-details DIS-01",
        "combat-details MAN-01",
        "combat-details MAN-02",
        "combat-details MAN-03",
        "combat-details MAN-04",
        "combat-details MAN-05",
        "combat-details MAN-06",
        "combat-details MAN-07",
        "combat-details MAN-09",
        "combat-details SUB-01",
        "first-edition RULING-12",
    ];
    const EXAMPLE: &'static str = "{ from_behind = true, cover = { percent = 50 } }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&SITUATIONS, &CONCEALMENT];
    type Args = ModifiersArgs;
    type Options = NoOptions;
    type Outcome = ModifiersOutcome;

    fn resolve(args: ModifiersArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ModifiersOutcome, RuleError> {
        let mut sum = ModifiersOutcome { modifier: 0, ac_change: 0, damage_multiplier: 1 };
        if args == ModifiersArgs::default() {
            // Most blows are struck in no special situation: no row can apply.
            return Ok(sum);
        }
        let rows = referee.table(&SITUATIONS);
        for row in rows.iter().filter(|row| applies(row.situation, &args)) {
            referee.modifier(row.modifier, row.situation.reason());
            sum.modifier += row.modifier;
            sum.ac_change += row.ac_change;
            sum.damage_multiplier *= row.damage_multiplier.get();
        }
        if let Some(cover) = args.cover {
            let modifier = cover.modifier(referee);
            referee.modifier(modifier, "cover or concealment (MAN-05)");
            sum.modifier += modifier;
        }
        referee.modifier(args.modifier.get(), "otherwise (RULING-12)");
        sum.modifier += args.modifier.get();
        Ok(sum)
    }
}

fn applies(situation: Situation, args: &ModifiersArgs) -> bool {
    match situation {
        Situation::TargetInvisible => args.target_invisible,
        Situation::FromBehind => args.from_behind && !args.sneak_attack,
        Situation::Flanking => args.flanking,
        Situation::Kick => args.kick,
        Situation::Subduing => args.subduing,
        Situation::PartingShot => args.parting_shot,
        Situation::Charging => args.charging,
        Situation::SetAgainstCharge => args.set_against_charge,
        Situation::TwoWeaponsPrimary => args.two_weapons == Some(Hand::Primary),
        Situation::TwoWeaponsSecondary => args.two_weapons == Some(Hand::Secondary),
    }
}

#[cfg(test)]
mod tests {
    use super::Modifiers;
    use crate::rules::core::testing::outcome;

    fn modifier(args: &str) -> i64 {
        outcome::<Modifiers>(args, &[]).modifier
    }

    #[test]
    fn modifiers_add_up() {
        assert_eq!(modifier("{}"), 0);
        assert_eq!(modifier(r#"{"cover":{"percent":90,"hard":true},"flanking":true}"#), -7);
        assert_eq!(modifier(r#"{"target_invisible":true,"subduing":true,"two_weapons":"secondary"}"#), -13);
    }

    #[test]
    fn a_weapons_own_adjustment_against_armor_is_added() {
        // RULING-12: the adjustment of the weapon really held.
        assert_eq!(modifier(r#"{"modifier":-3}"#), -3);
        assert_eq!(modifier(r#"{"modifier":2,"flanking":true}"#), 3);
    }

    #[test]
    fn behind_counts_once_with_a_sneak_attack() {
        assert_eq!(modifier(r#"{"from_behind":true}"#), 2);
        assert_eq!(modifier(r#"{"from_behind":true,"sneak_attack":true}"#), 0);
    }

    #[test]
    fn between_two_rows_of_cover_the_one_reached_counts() {
        for (percent, expected) in [(0, 0), (24, 0), (25, -1), (49, -1), (89, -3), (90, -4), (100, -4)] {
            assert_eq!(modifier(&format!(r#"{{"cover":{{"percent":{percent}}}}}"#)), expected, "{percent}%");
        }
    }

    #[test]
    fn a_charge_doubles_damage_and_lowers_the_guard() {
        let charge = outcome::<Modifiers>(r#"{"charging":true}"#, &[]);
        assert_eq!((charge.modifier, charge.ac_change, charge.damage_multiplier), (2, -2, 2));
        let set = outcome::<Modifiers>(r#"{"set_against_charge":true}"#, &[]);
        assert_eq!((set.modifier, set.ac_change, set.damage_multiplier), (0, 0, 2));
    }
}
