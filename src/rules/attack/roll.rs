//! The roll to hit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{Modifier, NoOptions, Referee, Rule, RuleError};

/// The face that always misses (ATK-04).
const ALWAYS_MISSES: i64 = 1;
/// The face that always hits what can be hit (ATK-04).
const ALWAYS_HITS: i64 = 20;

/// What `attack.roll` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// The armor class to reach, ascending.
    pub ac: Modifier,
    /// The attack bonus of class and level, or of hit dice; `attack.bonus` gives it (ATK-02).
    #[serde(default)]
    pub attack_bonus: Modifier,
    /// The strength modifier in melee, the dexterity modifier for missiles (ATK-01).
    #[serde(default)]
    pub ability_mod: Modifier,
    /// The situation; `attack.modifiers` adds it up.
    #[serde(default)]
    pub modifier: Modifier,
    /// Whether the attacker is proficient with the weapon; without it the attack bonus does not count (PRF-01).
    #[serde(default = "crate::rules::core::yes")]
    pub proficient: bool,
    /// Whether the weapon cannot hurt the target at all, silver or magic being needed for instance (ATK-04).
    #[serde(default)]
    pub immune: bool,
}

impl RollArgs {
    /// A plain attack against this armor class, by somebody proficient and without bonuses; for struct updates:
    /// `RollArgs { attack_bonus, ..RollArgs::against(ac) }`.
    #[must_use]
    pub fn against(ac: i64) -> Self {
        RollArgs {
            ac: Modifier::clamped(ac),
            attack_bonus: Modifier::default(),
            ability_mod: Modifier::default(),
            modifier: Modifier::default(),
            proficient: true,
            immune: false,
        }
    }
}

/// How an attack went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything that counts added.
    pub total: i64,
    /// Whether it hits.
    pub hit: bool,
    /// Total less armor class: 0 or more would hit if naturals did not decide.
    pub margin: i64,
    /// A natural 20 that hit: `critical.hit` says what comes of it (CRT-01).
    pub critical_check: bool,
    /// A natural 1: `fumble.roll` says what comes of it (FUM-01).
    pub fumble_check: bool,
}

rule! {
    /// Rolls d20 to hit: attack bonus, ability modifier and situation are added, and the armor class must be reached.
    ///
    /// A natural 1 always misses and calls for a fumble check; a natural 20 always hits what the weapon can hurt and
    /// calls for a critical check. Without proficiency the attack bonus stays out, everything else counts.
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "attack.roll";
    const SOURCE: &'static [&'static str] =
        &["combat-details ATK-01", "combat-details ATK-04", "combat-details PRF-01"];
    const EXAMPLE: &'static str = "{ ac = 15, attack_bonus = 3, ability_mod = 1 }";
    type Args = RollArgs;
    type Options = NoOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        let ac = args.ac.get();
        let attack_bonus = if args.proficient { args.attack_bonus.get() } else { 0 };
        let added = attack_bonus + args.ability_mod.get() + args.modifier.get();
        referee.modifier(attack_bonus, "attack bonus (ATK-01)");
        referee.modifier(args.ability_mod.get(), "ability (ATK-01)");
        referee.modifier(args.modifier.get(), "situation");
        if !args.proficient {
            referee.note(|| "not proficient: the attack bonus stays out (PRF-01)".into());
        }
        referee.need(|| format!("at least {ac}: {} or more on the d20", ac - added));
        let roll = referee.d(20, "attack")?;
        let total = roll + added;
        if args.immune {
            referee.note(|| "this weapon cannot hurt the target (ATK-04)".into());
        }
        let hit = !args.immune && roll != ALWAYS_MISSES && (roll == ALWAYS_HITS || total >= ac);
        Ok(RollOutcome {
            roll,
            total,
            hit,
            margin: total - ac,
            critical_check: hit && roll == ALWAYS_HITS,
            fumble_check: roll == ALWAYS_MISSES,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Roll;
    use crate::rules::core::testing::outcome;

    #[test]
    fn reaching_the_armor_class_hits() {
        let args = r#"{"attack_bonus":3,"ability_mod":1,"ac":15}"#;
        assert!(outcome::<Roll>(args, &[11]).hit);
        assert!(!outcome::<Roll>(args, &[10]).hit);
    }

    #[test]
    fn natural_one_always_misses_and_may_fumble() {
        let missed = outcome::<Roll>(r#"{"attack_bonus":30,"ac":5}"#, &[1]);
        assert!(!missed.hit && missed.fumble_check && !missed.critical_check);
    }

    #[test]
    fn natural_twenty_hits_only_what_can_be_hit() {
        let hit = outcome::<Roll>(r#"{"ac":40}"#, &[20]);
        assert!(hit.hit && hit.critical_check);
        let harmless = outcome::<Roll>(r#"{"ac":5,"immune":true}"#, &[20]);
        assert!(!harmless.hit && !harmless.critical_check);
    }

    #[test]
    fn an_unfamiliar_weapon_loses_the_attack_bonus_only() {
        let args = r#"{"attack_bonus":3,"ability_mod":1,"modifier":-2,"ac":15,"proficient":false}"#;
        assert_eq!(outcome::<Roll>(args, &[14]).total, 13);
    }
}
