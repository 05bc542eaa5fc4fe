//! A whole wrestling bout.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Escape, EscapeArgs, EscapeOutcome, Move, MoveArgs, MoveOutcome, Size, Start, StartArgs, StartOutcome, Wrestler,
};
use crate::rules::core::{DamageDice, Modifier, Natural, Referee, Rule, RuleError, Whole};
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

/// Which of two wrestlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flier {
    /// The one who grabs.
    Attacker,
    /// The one who is held.
    Defender,
}

/// Somebody who would carry the other off through the air.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Carry {
    /// Who; a large creature.
    pub by: Flier,
    /// Its movement in the air, in feet a round.
    pub rate: Natural,
}

/// A touch attack, such as a wight's.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TouchAttack {
    /// The damage of each touch; without it touches are only counted, for what else they bring.
    pub damage: Option<DamageDice>,
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
    /// The attacker's hit points; without them touches and what armor throws back do not end the bout.
    #[serde(default)]
    pub attacker_hp: Option<Natural>,
    /// A touch attack of the defender's: whoever wrestles with such a creature suffers it each round, without a roll
    /// (GRP-11).
    #[serde(default)]
    pub touch: Option<TouchAttack>,
    /// A large flier of the two, who tries to carry the other off while the hold stands (GRP-11): the attacker instead of
    /// striking, the defender instead of escaping.
    #[serde(default)]
    pub carry: Option<Carry>,
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
    /// The attacker is out of hit points.
    AttackerOut,
    /// Both are out of hit points in the same round.
    BothOut,
    /// One carried the other off.
    CarriedOff,
}

/// One round of a bout.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BoutRound {
    /// The grab; nothing while the hold stands.
    pub grab: Option<StartOutcome>,
    /// The damage of the holder's blow; nothing when there was none.
    pub blow: Option<i64>,
    /// The attempt to carry the other off; nothing when there was none.
    pub carry: Option<MoveOutcome>,
    /// The damage of the defender's touch, 0 for one that only counts; nothing when there was none.
    pub touch: Option<i64>,
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
    /// How many touches the attacker suffered.
    pub touches: i64,
    /// The damage of those touches.
    pub touch_damage: i64,
    /// Every round, in order.
    pub rounds: Vec<BoutRound>,
}

rule! {
    /// Wrestles round after round: the attacker grabs, or strikes without a roll while the hold stands; then the held
    /// tries to escape.
    ///
    /// A large flier may carry the other off: the source names no roll for it, read as the one for moving somebody held.
    /// Whoever wrestles with a creature of touch attacks suffers one each round.
    pub struct Bout;
}

impl Rule for Bout {
    const NAME: &'static str = "grapple.bout";
    const SOURCE: &'static [&'static str] = &[
        "combat-details GRP-01",
        "combat-details GRP-04",
        "combat-details GRP-05",
        "combat-details GRP-08",
        "combat-details GRP-11",
        "combat-details MAN-03",
    ];
    const EXAMPLE: &'static str =
        "{ attacker = { attack_bonus = 3, str_mod = 2 }, defender = { attack_bonus = 1, save = 12 }, defender_hp = 6 }";
    type Args = BoutArgs;
    type Options = BoutOptions;
    type Outcome = BoutOutcome;

    fn resolve(args: BoutArgs, options: BoutOptions, referee: &mut Referee<'_>) -> Result<BoutOutcome, RuleError> {
        let escape = args.defender.escape_from_one().map_err(|error| error.within("defender"))?;
        check_flier(&args)?;
        let mut outcome = BoutOutcome {
            result: BoutEnd::NotHeld,
            damage: 0,
            to_attacker: 0,
            touches: 0,
            touch_damage: 0,
            rounds: Vec::new(),
        };
        for _ in 0..options.max_rounds.get() {
            let mut round = BoutRound::default();
            grab_or_strike(&args, &mut outcome, &mut round, referee)?;
            suffer_touch(&args, &mut outcome, &mut round, referee)?;
            let done = |damage: i64, hp: Option<Natural>| hp.is_some_and(|hp| damage >= hp.get());
            let attacker_out = done(outcome.to_attacker + outcome.touch_damage, args.attacker_hp);
            match (attacker_out, done(outcome.damage, args.defender_hp)) {
                (true, true) => outcome.result = BoutEnd::BothOut,
                (true, false) => outcome.result = BoutEnd::AttackerOut,
                (false, true) => outcome.result = BoutEnd::Out,
                (false, false) if outcome.result == BoutEnd::Held => {
                    struggle(&args, &escape, &mut outcome, &mut round, referee)?;
                }
                (false, false) => {}
            }
            outcome.rounds.push(round);
            match outcome.result {
                BoutEnd::Out | BoutEnd::AttackerOut | BoutEnd::BothOut | BoutEnd::CarriedOff => break,
                BoutEnd::Escaped if !options.grab_again => break,
                _ => {}
            }
        }
        Ok(outcome)
    }
}

/// Only large creatures carry somebody off.
fn check_flier(args: &BoutArgs) -> Result<(), RuleError> {
    let Some(carry) = args.carry else { return Ok(()) };
    let (name, flier) = match carry.by {
        Flier::Attacker => ("attacker", &args.attacker),
        Flier::Defender => ("defender", &args.defender),
    };
    if flier.size == Size::Large {
        return Ok(());
    }
    let message = format!("must be a large creature to carry another off; give the {name} size = \"large\"");
    Err(RuleError::invalid("by", message).within("carry"))
}

/// The attacker's part of a round: a grab, or what a holder does.
fn grab_or_strike(
    args: &BoutArgs,
    outcome: &mut BoutOutcome,
    round: &mut BoutRound,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
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
    } else if args.carry.is_some_and(|carry| carry.by == Flier::Attacker) {
        carry_off(args, outcome, round, referee)?;
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
    Ok(())
}

/// The touch that whoever wrestles with such a creature suffers each round (GRP-11).
fn suffer_touch(
    args: &BoutArgs,
    outcome: &mut BoutOutcome,
    round: &mut BoutRound,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
    let Some(touch) = &args.touch else { return Ok(()) };
    let damage = match &touch.damage {
        Some(dice) => (dice.roll(referee, "touch")?.sum + dice.modifier()).max(0),
        None => 0,
    };
    outcome.touches += 1;
    outcome.touch_damage += damage;
    round.touch = Some(damage);
    Ok(())
}

/// The held's part of a round: to carry the holder off, or to get loose.
fn struggle(
    args: &BoutArgs,
    escape: &EscapeArgs,
    outcome: &mut BoutOutcome,
    round: &mut BoutRound,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
    if args.carry.is_some_and(|carry| carry.by == Flier::Defender) {
        return carry_off(args, outcome, round, referee);
    }
    let loose = referee.call::<Escape>(escape.clone())?;
    if loose.free {
        outcome.result = BoutEnd::Escaped;
    }
    round.escape = Some(loose);
    Ok(())
}

/// The flier's attempt, as somebody held is moved (GRP-05, GRP-11).
fn carry_off(
    args: &BoutArgs,
    outcome: &mut BoutOutcome,
    round: &mut BoutRound,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
    let Some(Carry { by, rate }) = args.carry else { return Ok(()) };
    let (flier, other) = match by {
        Flier::Attacker => (&args.attacker, &args.defender),
        Flier::Defender => (&args.defender, &args.attacker),
    };
    let carried = referee.call::<Move>(MoveArgs {
        rate,
        strong_enough: true,
        attacker: flier.clone(),
        defender: other.clone(),
        unarmored_ac: args.unarmored_ac,
    })?;
    if carried.moved {
        outcome.result = BoutEnd::CarriedOff;
    }
    round.carry = Some(carried);
    Ok(())
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
    fn a_large_flier_carries_the_other_off_as_holder_or_held() {
        let flown = |by: &str, dice: &[i64]| {
            let args = format!(
                r#"{{"attacker":{{"attack_bonus":2,"size":"large"}},"defender":{{"save":12,"size":"large"}},
                    "carry":{{"by":"{by}","rate":120}}}}"#
            );
            outcome::<Bout>(&args, dice)
        };
        // GRP-11. The grab holds and no escape; the first attempt misses, so does the escape; the second hits.
        let off = flown("attacker", &[10, 13, 10, 5, 2, 5, 15]);
        assert_eq!((off.result, off.rounds.len(), off.damage), (BoutEnd::CarriedOff, 3, 0));
        assert_eq!(off.rounds[2].carry.as_ref().map(|carry| carry.distance), Some(60));
        // The held flies off with the holder in tow, in place of an escape.
        let towed = flown("defender", &[10, 13, 10, 12]);
        assert_eq!((towed.result, towed.rounds.len()), (BoutEnd::CarriedOff, 1));
    }

    #[test]
    fn nobody_of_a_mans_size_carries_another_off() {
        let args = r#"{"attacker":{},"defender":{"save":12},"carry":{"by":"attacker","rate":120}}"#;
        let error = resolved("grapple.bout", args, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some("carry.by")));
    }

    #[test]
    fn whoever_wrestles_with_a_touch_suffers_it_every_round() {
        // GRP-11. Held, touched for 4, no escape; a blow of 3, touched for 2: 6 of 6 hit points.
        let drained = bout(r#","touch":{"damage":"1d4"},"attacker_hp":6"#, &[10, 13, 10, 4, 5, 3, 2]);
        assert_eq!((drained.result, drained.touches, drained.touch_damage), (BoutEnd::AttackerOut, 2, 6));
        // The blow that ends it is a wrestling attack as well, and is answered by the touch.
        let both = bout(r#","touch":{"damage":"1d4"},"attacker_hp":6,"defender_hp":3"#, &[10, 13, 10, 4, 5, 3, 2]);
        assert_eq!((both.result, both.damage, both.touch_damage), (BoutEnd::BothOut, 3, 6));
        // A grab that fails is a wrestling attack too.
        let counted = bout(r#","touch":{},"options":{"max_rounds":3}"#, &[2, 3, 4]);
        assert_eq!((counted.touches, counted.touch_damage), (3, 0));
    }

    #[test]
    fn the_save_is_asked_for_before_the_first_grab() {
        let error = resolved("grapple.bout", r#"{"attacker":{},"defender":{}}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("defender.save")));
    }
}
