//! A whole wrestling bout.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Escape, EscapeOutcome, Start, StartArgs, StartOutcome, Wrestler};
use crate::rules::core::{Modifier, Natural, Referee, Rule, RuleError, Whole};
use crate::rules::maneuver::{Armor, Blow, Brawl, BrawlArgs};

/// The switches of a bout. Those of the grab, the blows and the escape are their own rules'.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BoutOptions {
    /// Rounds after which the bout is left as it stands.
    pub max_rounds: Whole<1, 1_000>,
    /// Whether the attacker grabs again after an escape.
    pub grab_again: bool,
}

impl Default for BoutOptions {
    fn default() -> Self {
        BoutOptions { max_rounds: Whole::clamped(10), grab_again: false }
    }
}

/// What `grapple.bout` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BoutArgs {
    /// The one who grabs.
    pub attacker: Wrestler,
    /// The one to be held; escapes need the saving throw.
    pub defender: Wrestler,
    /// Whether the holder strikes with the fist each round after that of the grab.
    #[serde(default = "crate::rules::core::yes")]
    pub strike: bool,
    /// What the attacker wears, for the blows.
    #[serde(default = "none")]
    pub attacker_armor: Armor,
    /// What the defender wears.
    #[serde(default = "none")]
    pub defender_armor: Armor,
    /// The defender's hit points; without them blows do not end the bout.
    #[serde(default)]
    pub defender_hp: Option<Natural>,
    /// The armor class of an unarmored man, ascending; the combat chapter's 11 when left out.
    #[serde(default)]
    pub unarmored_ac: Option<Modifier>,
}

fn none() -> Armor {
    Armor::None
}

/// How a bout stands at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoutEnd {
    /// The hold stands.
    Held,
    /// The defender got loose.
    Escaped,
    /// No grab became a hold.
    NotHeld,
    /// The defender is out of hit points.
    Out,
}

/// One round of a bout.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BoutRound {
    /// The grab; nothing while the hold stands.
    pub grab: Option<StartOutcome>,
    /// The damage of the holder's blow; nothing when there was none.
    pub blow: Option<i64>,
    /// The defender's escape; nothing when there was no hold to escape.
    pub escape: Option<EscapeOutcome>,
}

/// How a bout went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BoutOutcome {
    /// How it stands at its end.
    pub result: BoutEnd,
    /// The damage the defender took.
    pub damage: i64,
    /// The damage that metal armor threw back at the attacker.
    pub to_attacker: i64,
    /// Every round, in order.
    pub rounds: Vec<BoutRound>,
}

rule! {
    /// Wrestles round after round: the attacker grabs, or strikes without a roll while the hold stands; then the held
    /// tries to escape.
    pub struct Bout;
}

impl Rule for Bout {
    const NAME: &'static str = "grapple.bout";
    const SOURCE: &'static [&'static str] =
        &["combat-details GRP-01", "combat-details GRP-04", "combat-details GRP-08", "combat-details MAN-03"];
    const EXAMPLE: &'static str =
        "{ attacker = { attack_bonus = 3, str_mod = 2 }, defender = { attack_bonus = 1, save = 12 }, defender_hp = 6 }";
    type Args = BoutArgs;
    type Options = BoutOptions;
    type Outcome = BoutOutcome;

    fn resolve(args: BoutArgs, options: BoutOptions, referee: &mut Referee<'_>) -> Result<BoutOutcome, RuleError> {
        let escape = args.defender.escape_from_one().map_err(|error| error.within("defender"))?;
        let mut outcome = BoutOutcome { result: BoutEnd::NotHeld, damage: 0, to_attacker: 0, rounds: Vec::new() };
        for _ in 0..options.max_rounds.get() {
            let mut round = BoutRound::default();
            if outcome.result != BoutEnd::Held {
                let grab = referee.call::<Start>(StartArgs {
                    attacker: args.attacker.clone(),
                    defender: args.defender.clone(),
                    unarmored_ac: args.unarmored_ac,
                })?;
                if grab.held {
                    outcome.result = BoutEnd::Held;
                }
                round.grab = Some(grab);
            } else if args.strike {
                let blow = referee.call::<Brawl>(BrawlArgs {
                    blow: Blow::Punch,
                    own_armor: args.attacker_armor,
                    foe_armor: args.defender_armor,
                    str_mod: args.attacker.str_mod,
                })?;
                outcome.damage += blow.damage;
                outcome.to_attacker += blow.to_attacker;
                round.blow = Some(blow.damage);
            }
            let out = args.defender_hp.is_some_and(|hp| outcome.damage >= hp.get());
            if out {
                outcome.result = BoutEnd::Out;
            } else if outcome.result == BoutEnd::Held {
                let loose = referee.call::<Escape>(escape.clone())?;
                if loose.free {
                    outcome.result = BoutEnd::Escaped;
                }
                round.escape = Some(loose);
            }
            outcome.rounds.push(round);
            if out || outcome.result == BoutEnd::Escaped && !options.grab_again {
                break;
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bout, BoutEnd, BoutOutcome};
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn bout(more: &str, dice: &[i64]) -> BoutOutcome {
        outcome::<Bout>(&format!(r#"{{"attacker":{{"attack_bonus":2}},"defender":{{"save":12}}{more}}}"#), dice)
    }

    #[test]
    fn the_holder_strikes_until_the_held_gets_loose() {
        // Grab 12 touches, 15 beats 10, no escape; a blow of 3, then the escape.
        let wrestled = bout("", &[10, 13, 10, 5, 3, 12]);
        assert_eq!((wrestled.result, wrestled.damage, wrestled.rounds.len()), (BoutEnd::Escaped, 3, 2));
    }

    #[test]
    fn blows_end_it_when_hit_points_run_out() {
        let wrestled = bout(r#","defender_hp":3"#, &[10, 13, 10, 5, 3]);
        assert_eq!(wrestled.result, BoutEnd::Out);
    }

    #[test]
    fn a_bout_ends_as_it_stands_when_the_rounds_run_out() {
        let wrestled = bout(r#","options":{"max_rounds":2}"#, &[2, 3]);
        assert_eq!((wrestled.result, wrestled.rounds.len()), (BoutEnd::NotHeld, 2));
        let again = bout(r#","options":{"max_rounds":2,"grab_again":true}"#, &[10, 13, 10, 12, 10, 13, 10, 5]);
        assert_eq!(again.result, BoutEnd::Held);
    }

    #[test]
    fn the_save_is_asked_for_before_the_first_grab() {
        let error = resolved("grapple.bout", r#"{"attacker":{},"defender":{}}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("defender.save")));
    }
}
