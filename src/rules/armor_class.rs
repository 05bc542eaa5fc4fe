//! Ascending armor class, and attacks against it.
//! Source: house-rules AC-01 to AC-03.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Any, Modifier, NoOptions, Referee, Rule, RuleError, Whole};

/// What `armor_class.ascending` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AscendingArgs {
    /// Descending armor class: 10 is unarmored, lower is better.
    pub ac: Whole<-20, 20>,
}

/// An armor class on the ascending scale.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AscendingOutcome {
    /// Ascending armor class.
    pub aac: i64,
}

rule! {
    /// Turns a descending armor class into an ascending one: 20 less the armor class.
    pub struct Ascending;
}

impl Rule for Ascending {
    const NAME: &'static str = "armor_class.ascending";
    const SOURCE: &'static [&'static str] = &["house-rules AC-01"];
    const EXAMPLE: &'static str = "{ ac = 3 }";
    type Args = AscendingArgs;
    type Options = NoOptions;
    type Outcome = AscendingOutcome;

    fn resolve(args: AscendingArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<AscendingOutcome, RuleError> {
        Ok(AscendingOutcome { aac: 20 - args.ac.get() })
    }
}

/// What `armor_class.attack_bonus` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackBonusArgs {
    /// The roll that hits a descending armor class of 0.
    pub thac0: Whole<-20, 30>,
}

/// An attack bonus.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackBonusOutcome {
    /// Added to the d20; negative for a THAC0 over 20.
    pub attack_bonus: i64,
}

rule! {
    /// Turns a THAC0 into an attack bonus: 20 less the THAC0.
    pub struct AttackBonus;
}

impl Rule for AttackBonus {
    const NAME: &'static str = "armor_class.attack_bonus";
    const SOURCE: &'static [&'static str] = &["house-rules AC-02"];
    const EXAMPLE: &'static str = "{ thac0 = 16 }";
    type Args = AttackBonusArgs;
    type Options = NoOptions;
    type Outcome = AttackBonusOutcome;

    fn resolve(args: AttackBonusArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<AttackBonusOutcome, RuleError> {
        Ok(AttackBonusOutcome { attack_bonus: 20 - args.thac0.get() })
    }
}

/// What a natural 1 and 20 mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Naturals {
    /// Nothing special.
    #[default]
    None,
    /// A natural 1 misses, a natural 20 hits.
    #[serde(alias = "auto")]
    Automatic,
}

/// The switches of an attack.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackOptions {
    /// What a natural 1 and 20 mean; these house rules do not mention them.
    pub naturals: Naturals,
}

/// What `armor_class.attack` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackArgs {
    /// The attacker's bonus.
    pub attack_bonus: Any,
    /// The target's ascending armor class.
    pub aac: Any,
    /// Whatever else counts on the roll.
    #[serde(default)]
    pub modifier: Modifier,
}

/// How an attack went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// Roll, bonus and modifier.
    pub total: i64,
    /// Whether it hits.
    pub hit: bool,
}

rule! {
    /// Attacks an ascending armor class: d20, bonus and modifiers hit at that number or above.
    ///
    /// Where the combat chapter is in force, its `attack.roll` decides on naturals.
    pub struct Attack;
}

impl Rule for Attack {
    const NAME: &'static str = "armor_class.attack";
    const SOURCE: &'static [&'static str] = &["house-rules AC-03"];
    const EXAMPLE: &'static str = "{ attack_bonus = 4, aac = 17 }";
    type Args = AttackArgs;
    type Options = AttackOptions;
    type Outcome = AttackOutcome;

    fn resolve(
        args: AttackArgs,
        options: AttackOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackOutcome, RuleError> {
        referee.modifier(args.attack_bonus.get(), "attack bonus");
        referee.modifier(args.modifier.get(), "modifier");
        referee.need(|| format!("at least {}", args.aac));
        let roll = referee.d(20, "attack")?;
        let total = roll + args.attack_bonus.get() + args.modifier.get();
        let hit = match (options.naturals, roll) {
            (Naturals::Automatic, 1) => false,
            (Naturals::Automatic, 20) => true,
            _ => total >= args.aac.get(),
        };
        Ok(AttackOutcome { roll, total, hit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn plate_is_seventeen_and_plus_four_hits_it_on_thirteen() {
        assert_eq!(outcome::<Ascending>(r#"{"ac":3}"#, &[]).aac, 17);
        assert!(outcome::<Attack>(r#"{"attack_bonus":4,"aac":17}"#, &[13]).hit);
        assert!(!outcome::<Attack>(r#"{"attack_bonus":4,"aac":17}"#, &[12]).hit);
    }
}
