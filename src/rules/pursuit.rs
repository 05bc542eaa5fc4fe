//! Evasion and pursuit: getting away, stumbling, losing the pursuers.
//! Source: combat-details PUR-01 to PUR-03.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Natural, NoOptions, Referee, Rule, RuleError, Whole};

/// What `pursuit.evade` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EvadeArgs {
    /// Whether those who want to get away are surprised.
    #[serde(default)]
    pub evaders_surprised: bool,
    /// Whether the others are.
    #[serde(default)]
    pub pursuers_surprised: bool,
    /// Whether there is a way out.
    #[serde(default = "crate::rules::core::yes")]
    pub way_out: bool,
}

/// How a group gets away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Evasion {
    /// At once, without a pursuit.
    Automatic,
    /// From its initiative number on.
    ByInitiative,
    /// Not in this round: it is surprised.
    None,
}

/// How the group gets away.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EvadeOutcome {
    /// Automatically, by initiative, or not in this round.
    pub result: Evasion,
}

rule! {
    /// Whether a group gets away: at once from a surprised one when it has a way out, otherwise from its initiative on.
    ///
    /// A surprised group loses the round, also where both are surprised.
    pub struct Evade;
}

impl Rule for Evade {
    const NAME: &'static str = "pursuit.evade";
    const SOURCE: &'static [&'static str] = &["combat-details PUR-01"];
    const EXAMPLE: &'static str = "{ pursuers_surprised = true }";
    type Args = EvadeArgs;
    type Options = NoOptions;
    type Outcome = EvadeOutcome;

    fn resolve(args: EvadeArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<EvadeOutcome, RuleError> {
        let result = match (args.evaders_surprised, args.pursuers_surprised && args.way_out) {
            (true, _) => Evasion::None,
            (false, true) => Evasion::Automatic,
            (false, false) => Evasion::ByInitiative,
        };
        Ok(EvadeOutcome { result })
    }
}

/// What `pursuit.stumble` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StumbleArgs {
    /// The number to reach on d20 to save against Death Ray, 1 to 40.
    pub save: Whole<1, 40>,
    /// The Dexterity modifier, -10 to 10.
    #[serde(default)]
    pub dex_mod: Whole<-10, 10>,
}

/// What a runner may do next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextRound {
    /// Anything, a double move included.
    Any,
    /// Stand up and make one full move, not a double one.
    FullMove,
}

/// Whether a runner falls.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StumbleOutcome {
    /// The d20.
    pub roll: i64,
    /// The roll with the Dexterity modifier.
    pub total: i64,
    /// Whether the saving throw succeeded.
    pub success: bool,
    /// Whether it falls here and moves no further this round.
    pub fallen: bool,
    /// What it may do next round.
    pub next_round: NextRound,
}

rule! {
    /// A runner's saving throw at a doorway, a hard turn and the like, where the Dungeon Master calls for it: a failure
    /// is a fall.
    pub struct Stumble;
}

impl Rule for Stumble {
    const NAME: &'static str = "pursuit.stumble";
    const SOURCE: &'static [&'static str] = &["combat-details PUR-02"];
    const EXAMPLE: &'static str = "{ save = 12, dex_mod = 1 }";
    type Args = StumbleArgs;
    type Options = NoOptions;
    type Outcome = StumbleOutcome;

    fn resolve(args: StumbleArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<StumbleOutcome, RuleError> {
        referee.modifier(args.dex_mod.get(), "for Dexterity");
        referee.need(|| format!("at least {}", args.save));
        let roll = referee.d(20, "save")?;
        let total = roll + args.dex_mod.get();
        let success = total >= args.save.get();
        let next_round = if success { NextRound::Any } else { NextRound::FullMove };
        Ok(StumbleOutcome { roll, total, success, fallen: !success, next_round })
    }
}

/// What `pursuit.lost` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LostArgs {
    /// Full rounds for which the pursuers have not seen their prey.
    pub rounds_unseen: Natural,
}

/// Whether the prey is away.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LostOutcome {
    /// Whether it has got away.
    pub evaded: bool,
}

rule! {
    /// Whether the pursuers have lost their prey: once it is out of sight for a full round.
    pub struct Lost;
}

impl Rule for Lost {
    const NAME: &'static str = "pursuit.lost";
    const SOURCE: &'static [&'static str] = &["combat-details PUR-03"];
    const EXAMPLE: &'static str = "{ rounds_unseen = 1 }";
    type Args = LostArgs;
    type Options = NoOptions;
    type Outcome = LostOutcome;

    fn resolve(args: LostArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<LostOutcome, RuleError> {
        Ok(LostOutcome { evaded: args.rounds_unseen.get() >= 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn evasion(args: &str) -> Evasion {
        outcome::<Evade>(args, &[]).result
    }

    #[test]
    fn the_surprised_are_left_behind_unless_the_door_is_barred() {
        assert_eq!(evasion(r#"{"pursuers_surprised":true}"#), Evasion::Automatic);
        assert_eq!(evasion(r#"{"pursuers_surprised":true,"way_out":false}"#), Evasion::ByInitiative);
        assert_eq!(evasion(r#"{"evaders_surprised":true,"pursuers_surprised":true}"#), Evasion::None);
        assert_eq!(evasion("{}"), Evasion::ByInitiative);
    }

    #[test]
    fn a_failed_save_is_a_fall_and_costs_the_double_move() {
        let fall = outcome::<Stumble>(r#"{"save":12,"dex_mod":1}"#, &[10]);
        assert_eq!((fall.fallen, fall.next_round), (true, NextRound::FullMove));
        assert!(outcome::<Stumble>(r#"{"save":12,"dex_mod":1}"#, &[11]).success);
    }

    #[test]
    fn a_full_round_out_of_sight_is_away() {
        assert!(outcome::<Lost>(r#"{"rounds_unseen":1}"#, &[]).evaded);
        assert!(!outcome::<Lost>(r#"{"rounds_unseen":0}"#, &[]).evaded);
    }
}
