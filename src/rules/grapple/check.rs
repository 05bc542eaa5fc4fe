//! The contest for the hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GRAPPLE_SIZE, Wrestler};
use crate::rules::core::{AnyTable, Referee, Rule, RuleError, row_of};

/// Who prevails when both totals are equal (GRP-02).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrappleTies {
    /// The defender: there is no hold.
    #[default]
    Defender,
    /// The attacker: the hold stands.
    Attacker,
}

/// The switches of a grapple check.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CheckOptions {
    /// Who prevails when both totals are equal (GRP-02).
    pub grapple_ties: GrappleTies,
}

/// What `grapple.check` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckArgs {
    /// The one who has grabbed.
    pub attacker: Wrestler,
    /// The one who is grabbed.
    pub defender: Wrestler,
}

/// One side's roll.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
}

/// How the contest went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// The attacker's roll.
    pub attacker: Side,
    /// The defender's roll.
    pub defender: Side,
    /// Whether both totals were equal.
    pub tie: bool,
    /// Whether the hold stands.
    pub held: bool,
    /// The attacker's total less the defender's.
    pub margin: i64,
}

rule! {
    /// Rolls the contest that follows a grab: each side d20, attack bonus, the better of strength and dexterity, size
    /// and spare limbs; the hold stands when the attacker's total is higher.
    pub struct Check;
}

impl Rule for Check {
    const NAME: &'static str = "grapple.check";
    const SOURCE: &'static [&'static str] =
        &["combat-details GRP-02", "combat-details GRP-03", "combat-details GRP-11"];
    const EXAMPLE: &'static str = r#"{ attacker = { attack_bonus = 2, str_mod = 1 }, defender = { size = "small" } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&GRAPPLE_SIZE];
    type Args = CheckArgs;
    type Options = CheckOptions;
    type Outcome = CheckOutcome;

    fn resolve(args: CheckArgs, options: CheckOptions, referee: &mut Referee<'_>) -> Result<CheckOutcome, RuleError> {
        let attacker = rolled(&args.attacker, "attacker's grapple", referee)?;
        let defender = rolled(&args.defender, "defender's grapple", referee)?;
        let margin = attacker.total - defender.total;
        let held = margin > 0 || margin == 0 && options.grapple_ties == GrappleTies::Attacker;
        Ok(CheckOutcome { attacker, defender, tie: margin == 0, held, margin })
    }
}

/// One side's d20 and what counts for it.
fn rolled(wrestler: &Wrestler, purpose: &str, referee: &mut Referee<'_>) -> Result<Side, RuleError> {
    let size = row_of(&referee.table(&GRAPPLE_SIZE), wrestler.size)?.modifier.get();
    referee.modifier(wrestler.attack_bonus.get(), "attack bonus (GRP-02)");
    referee.modifier(wrestler.better_mod(), "the better of strength and dexterity (GRP-02)");
    referee.modifier(size, "size (GRP-03)");
    referee.modifier(wrestler.extra_limbs.get(), "spare limbs (GRP-11)");
    let roll = referee.d(20, purpose)?;
    let total = roll + wrestler.attack_bonus.get() + wrestler.better_mod() + size + wrestler.extra_limbs.get();
    Ok(Side { roll, total })
}

#[cfg(test)]
mod tests {
    use super::Check;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_tie_is_no_hold_unless_the_table_says_so() {
        let even = r#""attacker":{},"defender":{}"#;
        let tied = outcome::<Check>(&format!("{{{even}}}"), &[10, 10]);
        assert!(tied.tie && !tied.held);
        let tied = outcome::<Check>(&format!(r#"{{{even},"options":{{"grapple_ties":"attacker"}}}}"#), &[10, 10]);
        assert!(tied.tie && tied.held);
    }

    #[test]
    fn six_spare_legs_outweigh_a_poor_roll() {
        let spider = outcome::<Check>(r#"{"attacker":{"extra_limbs":6},"defender":{}}"#, &[5, 10]);
        assert_eq!((spider.attacker.total, spider.held), (11, true));
    }

    #[test]
    fn size_weighs_four_either_way() {
        let args = r#"{"attacker":{"size":"large"},"defender":{"size":"small"}}"#;
        assert_eq!(outcome::<Check>(args, &[10, 10]).margin, 8);
    }
}
