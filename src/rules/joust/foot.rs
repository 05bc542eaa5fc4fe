//! The end of a joust on foot, when both riders have fallen (JST-07).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pass::initiatives;
use super::{Rider, UnhorseOutcome};
use crate::rules::attack::{ModifiersArgs, Resolve, ResolveArgs, ResolveOptions, TableRolls};
use crate::rules::core::{Modifier, Referee, RuleError, Whole};
use crate::rules::critical::Effects;
use crate::rules::damage;

/// One blow on foot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FootStrike {
    /// Who struck.
    pub by: String,
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
    /// Whether it hit.
    pub hit: bool,
    /// A natural 20 that hit.
    pub critical_check: bool,
    /// A natural 1.
    pub fumble_check: bool,
    /// The damage, 0 when it missed.
    pub damage: i64,
    /// Whether the damage is subduing.
    pub subduing: bool,
}

/// One round on foot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FootRound {
    /// The initiative of each fighter, by name.
    pub initiative: BTreeMap<String, i64>,
    /// The blows in the order in which they fell.
    pub strikes: Vec<FootStrike>,
}

/// A rider who has fallen and fights on.
pub(super) struct Fighter<'a> {
    rider: &'a Rider,
    /// Hit points left.
    pub hp: i64,
    /// Damage taken on foot.
    pub damage: i64,
    prone: Effects,
    stunned: Effects,
    stunned_rounds: i64,
    loses_dex_bonus: bool,
}

impl<'a> Fighter<'a> {
    /// A rider with so many hit points left, as the fall left them.
    pub fn fallen(rider: &'a Rider, hp: i64, fall: Option<&UnhorseOutcome>) -> Self {
        Fighter {
            rider,
            hp,
            damage: 0,
            prone: fall.map_or_else(Effects::default, |fall| fall.prone),
            stunned: fall.map_or_else(Effects::default, |fall| fall.stunned),
            stunned_rounds: fall.map_or(0, |fall| fall.stunned_rounds),
            loses_dex_bonus: fall.is_some_and(|fall| fall.loses_dex_bonus),
        }
    }

    /// Whether the fighter has no hit points left.
    pub fn is_out(&self) -> bool {
        self.hp <= 0
    }

    /// Getting up is the move of the fighter's first turn.
    fn rise(&mut self) {
        self.prone = Effects::default();
    }

    /// What the fall still changes in this round, counted from 1.
    fn effects(&self, round: i64) -> Effects {
        if round <= self.stunned_rounds { self.prone.and(self.stunned) } else { self.prone }
    }

    /// The armor class in this round, against a blow in melee.
    fn armor_class(&self, round: i64) -> i64 {
        let effects = self.effects(round);
        let slow = round <= self.stunned_rounds && self.loses_dex_bonus;
        let dexterity = if slow { self.rider.dex_mod.get().max(0) } else { 0 };
        self.rider.ac.get() + effects.ac.unwrap_or(0) + effects.ac_melee.unwrap_or(0) - dexterity
    }

    /// One blow at the foe; to subdue, with the flat of the blade.
    fn strike(
        &self,
        foe: &mut Fighter<'_>,
        round: i64,
        subduing: bool,
        referee: &mut Referee<'_>,
    ) -> Result<FootStrike, RuleError> {
        let hindered = self.effects(round).attack.unwrap_or(0);
        let blow = ResolveArgs {
            ac: Modifier::clamped(foe.armor_class(round)),
            damage: self.rider.foot_damage.as_ref().unwrap_or(&self.rider.damage).clone(),
            kind: damage::Kind::Melee,
            attack_bonus: self.rider.attack_bonus,
            str_mod: self.rider.str_mod,
            dex_mod: self.rider.dex_mod,
            magic_bonus: Whole::default(),
            modifier: Modifier::clamped(self.rider.modifier.get() + hindered),
            critical_modifier: Whole::default(),
            situation: ModifiersArgs { subduing, ..ModifiersArgs::default() },
            proficient: true,
            immune: false,
            target: None,
        };
        let options = ResolveOptions { table_rolls: TableRolls::Neither, ..ResolveOptions::default() };
        let struck = referee.call_with::<Resolve>(blow, options)?;
        foe.damage += struck.damage;
        foe.hp -= struck.damage;
        Ok(FootStrike {
            by: self.rider.name.clone(),
            roll: struck.roll,
            total: struck.total,
            hit: struck.hit,
            critical_check: struck.critical_check,
            fumble_check: struck.fumble_check,
            damage: struck.damage,
            subduing: struck.subduing,
        })
    }
}

/// Fights one round: initiative, then a blow each, unless the first ends it. Equal numbers strike together.
pub(super) fn fight_round<'a>(
    a: &mut Fighter<'a>,
    b: &mut Fighter<'a>,
    round: i64,
    subduing: bool,
    referee: &mut Referee<'_>,
) -> Result<FootRound, RuleError> {
    let [of_a, of_b] = initiatives(a.rider, b.rider, referee)?;
    let initiative = BTreeMap::from([(a.rider.name.clone(), of_a), (b.rider.name.clone(), of_b)]);
    let (first, second) = if of_b > of_a { (b, a) } else { (a, b) };
    let together = of_a == of_b;
    first.rise();
    if together {
        second.rise();
    }
    let mut strikes = vec![first.strike(second, round, subduing, referee)?];
    if together || !second.is_out() {
        second.rise();
        strikes.push(second.strike(first, round, subduing, referee)?);
    }
    Ok(FootRound { initiative, strikes })
}
