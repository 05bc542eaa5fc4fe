//! Subduing damage: knocking out instead of killing, and waking up again.
//! Source: combat-details SUB-02, SUB-03. The attack itself is `attack.modifiers` and `damage.roll` (SUB-01).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Any, Natural, NoOptions, Positive, Referee, Rule, RuleError};
use super::damage;
pub use super::damage::Status;

/// What a blow is meant to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// To wound or kill.
    Lethal,
    /// To knock out.
    Subduing,
}

/// What `subdual.apply` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApplyArgs {
    /// Hit points before the blow; 0 is somebody who lies unconscious already.
    pub hp: Natural,
    /// What the blow is meant to do.
    pub kind: Kind,
    /// The damage of the blow, already halved if it is subduing (`damage.roll` does that).
    pub damage: Positive,
    /// Whether there was subduing damage before.
    #[serde(default)]
    pub subdued: bool,
}

/// How somebody is after the blow.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApplyOutcome {
    /// Hit points left: never below 0 for one who is knocked out, below 0 for one who is dying.
    pub hp: i64,
    /// How they are.
    pub status: Status,
    /// Whether there is subduing damage among what they have taken.
    pub subdued: bool,
}

rule! {
    /// Deals damage to somebody who may have been dealt subduing damage too.
    ///
    /// Whoever is brought to 0 or below with some subduing damage among it is knocked out at 0 and not dying, however
    /// the last blow was meant. At 0 already, every further blow is a killing one.
    pub struct Apply;
}

impl Rule for Apply {
    const NAME: &'static str = "subdual.apply";
    const SOURCE: &'static [&'static str] = &["combat-details SUB-02"];
    const EXAMPLE: &'static str = r#"{ hp = 5, kind = "lethal", damage = 9, subdued = true }"#;
    type Args = ApplyArgs;
    type Options = NoOptions;
    type Outcome = ApplyOutcome;

    fn resolve(args: ApplyArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ApplyOutcome, RuleError> {
        let ApplyArgs { hp, kind, damage, subdued } = args;
        let was_down = hp.get() == 0;
        let subdued = subdued || kind == Kind::Subduing && !was_down;
        let left = hp.get() - damage.get();
        if left <= 0 && subdued && !was_down {
            referee.note(|| "knocked out: there is subduing damage among it (SUB-02)".into());
            return Ok(ApplyOutcome { hp: 0, status: Status::Unconscious, subdued });
        }
        if was_down {
            referee.note(|| "already at 0: every further blow kills (SUB-02)".into());
        }
        let status = referee.call::<damage::State>(damage::StateArgs { hp: Any::clamped(left) })?.status;
        Ok(ApplyOutcome { hp: left, status, subdued })
    }
}

/// What `subdual.wake` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WakeArgs {
    /// Whether somebody tends to the sleeper.
    pub helped: bool,
}

/// The unit of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Rounds of combat.
    Rounds,
    /// Turns of exploration.
    Turns,
}

/// When somebody who was knocked out wakes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WakeOutcome {
    /// What `after` counts.
    pub unit: Unit,
    /// After how many of them they wake.
    pub after: i64,
    /// Hit points on waking.
    pub hp: i64,
}

rule! {
    /// Rolls when somebody who was knocked out wakes: after 1d4 turns alone, after 2d10 rounds with help.
    pub struct Wake;
}

impl Rule for Wake {
    const NAME: &'static str = "subdual.wake";
    const SOURCE: &'static [&'static str] = &["combat-details SUB-03"];
    const EXAMPLE: &'static str = "{ helped = true }";
    type Args = WakeArgs;
    type Options = NoOptions;
    type Outcome = WakeOutcome;

    fn resolve(args: WakeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<WakeOutcome, RuleError> {
        let (unit, after) = if args.helped {
            (Unit::Rounds, referee.total(2, 10, "rounds until waking")?.sum)
        } else {
            (Unit::Turns, referee.d(4, "turns until waking")?)
        };
        Ok(WakeOutcome { unit, after, hp: 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn applied(args: &str) -> (i64, Status, bool) {
        let ApplyOutcome { hp, status, subdued } = outcome::<Apply>(args, &[]);
        (hp, status, subdued)
    }

    #[test]
    fn a_sword_after_the_flat_of_the_blade_knocks_out() {
        assert_eq!(applied(r#"{"hp":5,"kind":"lethal","damage":9,"subdued":true}"#), (0, Status::Unconscious, true));
        assert_eq!(applied(r#"{"hp":5,"kind":"lethal","damage":9}"#), (-4, Status::Dying, false));
    }

    #[test]
    fn beating_one_who_lies_unconscious_kills() {
        assert_eq!(applied(r#"{"hp":0,"kind":"subduing","damage":1,"subdued":true}"#), (-1, Status::Dying, true));
    }

    #[test]
    fn help_wakes_sooner_and_one_hit_point_is_left_either_way() {
        let helped = outcome::<Wake>(r#"{"helped":true}"#, &[10, 2]);
        assert_eq!((helped.unit, helped.after, helped.hp), (Unit::Rounds, 12, 1));
        let alone = outcome::<Wake>(r#"{"helped":false}"#, &[3]);
        assert_eq!((alone.unit, alone.after, alone.hp), (Unit::Turns, 3, 1));
    }
}
