//! Touch attacks: armor does not help, quickness does.
//! Source: combat-details TCH-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::armor::{Rulebook, UNARMORED, unarmored};
use super::attack::{self, TableRolls};
use super::core::{AnyTable, Modifier, Referee, Rule, RuleError};

/// The switches of a touch attack.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackOptions {
    /// Which naturals call for a roll on the tables of critical hits and misses.
    pub table_rolls: TableRolls,
}

/// What `touch.attack` is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackArgs {
    /// The attacker's attack bonus.
    pub attack_bonus: Modifier,
    /// The attacker's Strength modifier; the better of it and Dexterity counts.
    pub str_mod: Modifier,
    /// The attacker's Dexterity modifier.
    pub dex_mod: Modifier,
    /// Everything else that counts on the roll.
    pub modifier: Modifier,
    /// The target's Dexterity modifier.
    pub target_dex_mod: Modifier,
    /// The armor class of an unarmored man, ascending; the combat chapter's 11 when left out.
    pub unarmored_ac: Option<Modifier>,
}

/// How a touch attack went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackOutcome {
    /// The d20.
    pub roll: i64,
    /// The roll with everything that counts.
    pub total: i64,
    /// The armor class to reach: unarmored, with Dexterity.
    pub touch_ac: i64,
    /// Whether it touches.
    pub hit: bool,
    /// Whether a roll on the table of critical hits is due.
    pub critical_check: bool,
    /// Whether a roll on the table of critical misses is due.
    pub fumble_check: bool,
}

rule! {
    /// A touch attack: attack bonus and the better of Strength and Dexterity, against an armor class that ignores
    /// armor.
    ///
    /// Shields count as armor, the target's Dexterity does not.
    pub struct Attack;
}

impl Rule for Attack {
    const NAME: &'static str = "touch.attack";
    const SOURCE: &'static [&'static str] = &["combat-details TCH-01"];
    const EXAMPLE: &'static str = "{ attack_bonus = 2, str_mod = 1, dex_mod = 3 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&UNARMORED];
    type Args = AttackArgs;
    type Options = AttackOptions;
    type Outcome = AttackOutcome;

    fn resolve(
        args: AttackArgs,
        options: AttackOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackOutcome, RuleError> {
        let bare = args.unarmored_ac.map_or_else(|| unarmored(Rulebook::CombatDetails, referee), Ok)?;
        let touch_ac = bare.get() + args.target_dex_mod.get();
        let attack = attack::RollArgs {
            attack_bonus: args.attack_bonus,
            ability_mod: args.str_mod.max(args.dex_mod),
            modifier: args.modifier,
            ..attack::RollArgs::against(touch_ac)
        };
        let attack = referee.call::<attack::Roll>(attack)?;
        Ok(AttackOutcome {
            roll: attack.roll,
            total: attack.total,
            touch_ac,
            hit: attack.hit,
            critical_check: options.table_rolls.critical_check(&attack),
            fumble_check: options.table_rolls.fumble_check(&attack),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved_in};

    #[test]
    fn the_better_ability_counts() {
        let touch = outcome::<Attack>(r#"{"attack_bonus":2,"str_mod":1,"dex_mod":3}"#, &[6]);
        assert_eq!((touch.total, touch.touch_ac, touch.hit), (11, 11, true));
    }

    #[test]
    fn armor_is_ignored_and_dexterity_is_not() {
        let touch = outcome::<Attack>(r#"{"attack_bonus":2,"target_dex_mod":2}"#, &[10]);
        assert_eq!((touch.touch_ac, touch.hit), (13, false));
    }

    #[test]
    fn a_campaign_may_keep_the_tables_for_weapons() {
        let mut house = House::new();
        house.set("touch.attack.table_rolls", "neither".into(), "a test").unwrap();
        let touch = resolved_in(&house, "touch.attack", "{}", &[20]).unwrap();
        assert_eq!(touch.get("critical_check"), Some(&false.into()));
        assert!(outcome::<Attack>("{}", &[20]).critical_check);
    }
}
