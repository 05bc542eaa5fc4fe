//! Blows with fist and foot, and what armor does to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Keyed, Modifier, Referee, Rolls, Rule, RuleError, Table, Whole, one_row_each, row_of,
};

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

static BRAWL: Table<BlowRow> = Table::new("brawl", include_str!("../data/brawl.json"), one_row_each);

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

rule! {
    /// Rolls the damage of a punch (1d3) or a kick (1d4) that has hit, at least 1.
    ///
    /// Metal armor stops the blows of those who wear no metal themselves.
    pub struct Brawl;
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

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
}
