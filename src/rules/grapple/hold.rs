//! The grab, and what the holder tries with an opponent in hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::escape::SaveMod;
use super::{Check, CheckArgs, CheckOptions, Escape, EscapeArgs, EscapeOutcome, GrappleTies, Side, Wrestler};
use crate::rules::attack::TableRolls;
use crate::rules::core::{Modifier, Natural, Referee, Rule, RuleError, Whole};
use crate::rules::touch;

/// Rolls a touch attack of one wrestler on another; spare limbs help (GRP-11).
fn touched(
    attacker: &Wrestler,
    defender: &Wrestler,
    unarmored_ac: Option<Modifier>,
    table_rolls: Option<TableRolls>,
    referee: &mut Referee<'_>,
) -> Result<touch::AttackOutcome, RuleError> {
    let args = touch::AttackArgs {
        attack_bonus: attacker.attack_bonus,
        str_mod: attacker.str_mod,
        dex_mod: attacker.dex_mod,
        modifier: Modifier::clamped(attacker.extra_limbs.get()),
        target_dex_mod: defender.dex_mod,
        unarmored_ac,
    };
    match table_rolls {
        Some(table_rolls) => referee.call_with::<touch::Attack>(args, touch::AttackOptions { table_rolls }),
        None => referee.call::<touch::Attack>(args),
    }
}

/// The switches of a grab.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StartOptions {
    /// Who prevails when both totals of the grapple check are equal; that of `grapple.check` when left out (GRP-02).
    pub grapple_ties: Option<GrappleTies>,
    /// Which naturals of the touch call for a roll on the tables; that of `touch.attack` when left out.
    pub table_rolls: Option<TableRolls>,
}

/// What `grapple.start` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StartArgs {
    /// The one who grabs.
    pub attacker: Wrestler,
    /// The one to be grabbed.
    pub defender: Wrestler,
    /// The armor class of an unarmored man, ascending; the combat chapter's 11 when left out.
    #[serde(default)]
    pub unarmored_ac: Option<Modifier>,
}

/// How a grab went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StartOutcome {
    /// The touch attack.
    pub touch: touch::AttackOutcome,
    /// Whether it touched; the attacker then stands in the defender's space.
    pub grabbed: bool,
    /// The attacker's roll of the grapple check; nothing without a grab.
    pub attacker: Option<Side>,
    /// The defender's.
    pub defender: Option<Side>,
    /// Whether both totals were equal; nothing without a grab.
    pub tie: Option<bool>,
    /// Whether the hold stands.
    pub held: bool,
    /// Whether a roll on the table of critical hits is due.
    pub critical_check: bool,
    /// Whether a roll on the table of critical misses is due.
    pub fumble_check: bool,
}

rule! {
    /// Grabs an opponent: a touch attack, and if it touches the contest for the hold.
    pub struct Start;
}

impl Rule for Start {
    const NAME: &'static str = "grapple.start";
    const SOURCE: &'static [&'static str] =
        &["combat-details GRP-01", "combat-details GRP-02", "combat-details GRP-11"];
    const EXAMPLE: &'static str = "{ attacker = { attack_bonus = 2, str_mod = 1 }, defender = { attack_bonus = 1 } }";
    type Args = StartArgs;
    type Options = StartOptions;
    type Outcome = StartOutcome;

    fn resolve(args: StartArgs, options: StartOptions, referee: &mut Referee<'_>) -> Result<StartOutcome, RuleError> {
        let StartArgs { attacker, defender, unarmored_ac } = args;
        let touch = touched(&attacker, &defender, unarmored_ac, options.table_rolls, referee)?;
        let (critical_check, fumble_check) = (touch.critical_check, touch.fumble_check);
        let mut outcome = StartOutcome {
            grabbed: touch.hit,
            touch,
            attacker: None,
            defender: None,
            tie: None,
            held: false,
            critical_check,
            fumble_check,
        };
        if outcome.grabbed {
            let args = CheckArgs { attacker, defender };
            let check = match options.grapple_ties {
                Some(grapple_ties) => referee.call_with::<Check>(args, CheckOptions { grapple_ties })?,
                None => referee.call::<Check>(args)?,
            };
            outcome.attacker = Some(check.attacker);
            outcome.defender = Some(check.defender);
            outcome.tie = Some(check.tie);
            outcome.held = check.held;
        }
        Ok(outcome)
    }
}

/// The switches of what a holder tries.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HoldOptions {
    /// Which naturals of the attack roll call for a roll on the tables; that of `touch.attack` when left out.
    pub table_rolls: Option<TableRolls>,
}

/// What `grapple.move` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveArgs {
    /// The holder's encounter movement, in feet a round.
    pub rate: Natural,
    /// Whether the holder is strong enough to carry or drag the held; that is for the table to say.
    pub strong_enough: bool,
    /// The holder.
    #[serde(default)]
    pub attacker: Wrestler,
    /// The held.
    #[serde(default)]
    pub defender: Wrestler,
    /// The armor class of an unarmored man, ascending; the combat chapter's 11 when left out.
    #[serde(default)]
    pub unarmored_ac: Option<Modifier>,
}

/// Whether the held was moved.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MoveOutcome {
    /// Whether they move.
    pub moved: bool,
    /// How far they may, in feet.
    pub distance: i64,
    /// What the d20 showed; nothing when the holder is too weak to try.
    pub roll: Option<i64>,
    /// The roll with everything added.
    pub total: Option<i64>,
    /// Whether a roll on the table of critical hits is due.
    pub critical_check: bool,
    /// Whether a roll on the table of critical misses is due.
    pub fumble_check: bool,
}

rule! {
    /// Drags the held along, up to half speed, when the holder is strong enough and an attack roll succeeds.
    ///
    /// The source does not say against which armor class; read as that of a touch.
    pub struct Move;
}

impl Rule for Move {
    const NAME: &'static str = "grapple.move";
    const SOURCE: &'static [&'static str] = &["combat-details GRP-05"];
    const EXAMPLE: &'static str = "{ rate = 40, strong_enough = true, attacker = { attack_bonus = 2 } }";
    type Args = MoveArgs;
    type Options = HoldOptions;
    type Outcome = MoveOutcome;

    fn resolve(args: MoveArgs, options: HoldOptions, referee: &mut Referee<'_>) -> Result<MoveOutcome, RuleError> {
        if !args.strong_enough {
            referee.note(|| "not strong enough to drag the held (GRP-05)".into());
            return Ok(MoveOutcome {
                moved: false,
                distance: 0,
                roll: None,
                total: None,
                critical_check: false,
                fumble_check: false,
            });
        }
        let touch = touched(&args.attacker, &args.defender, args.unarmored_ac, options.table_rolls, referee)?;
        Ok(MoveOutcome {
            moved: touch.hit,
            distance: if touch.hit { args.rate.get() / 2 } else { 0 },
            roll: Some(touch.roll),
            total: Some(touch.total),
            critical_check: touch.critical_check,
            fumble_check: touch.fumble_check,
        })
    }
}

/// What the held does about a failed attempt to take something away (GRP-06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// Nothing.
    #[default]
    None,
    /// Tries to turn the hold round, with an attack roll.
    Pin,
    /// Tries to get loose, with a saving throw.
    Escape,
}

/// Who is pinned after the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pinned {
    /// The one who held.
    Attacker,
}

/// What `grapple.take` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TakeArgs {
    /// The holder, who takes.
    pub attacker: Wrestler,
    /// The held; the answer `escape` needs the saving throw.
    pub defender: Wrestler,
    /// What the held does when the attempt fails.
    #[serde(default)]
    pub answer: Response,
    /// The armor class of an unarmored man, ascending; the combat chapter's 11 when left out.
    #[serde(default)]
    pub unarmored_ac: Option<Modifier>,
}

/// How the attempt went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TakeOutcome {
    /// What the holder's d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
    /// Whether the object was taken.
    pub taken: bool,
    /// What the held did about a failed attempt; nothing when there was no answer.
    pub answer: Option<Response>,
    /// The attack roll of an answering pin.
    pub pin: Option<touch::AttackOutcome>,
    /// Who is pinned now: the holder, after an answer that hit.
    pub pinned: Option<Pinned>,
    /// The saving throw of an answering escape.
    pub escape: Option<EscapeOutcome>,
    /// Whether the held got loose; nothing unless they tried.
    pub escaped: Option<bool>,
    /// Whether a roll on the table of critical hits is due for the holder.
    pub critical_check: bool,
    /// Whether a roll on the table of critical misses is due for the holder.
    pub fumble_check: bool,
}

rule! {
    /// Takes something from the held, by an attack roll; if it fails, the held may answer at once with a pin or an
    /// escape.
    ///
    /// Attack rolls are held against the armor class of a touch; an answering escape takes its saving throw (GRP-08).
    pub struct Take;
}

impl Rule for Take {
    const NAME: &'static str = "grapple.take";
    const SOURCE: &'static [&'static str] = &["combat-details GRP-06", "combat-details GRP-08"];
    const EXAMPLE: &'static str =
        r#"{ attacker = { attack_bonus = 2 }, defender = { attack_bonus = 1, save = 12 }, answer = "escape" }"#;
    type Args = TakeArgs;
    type Options = HoldOptions;
    type Outcome = TakeOutcome;

    fn resolve(args: TakeArgs, options: HoldOptions, referee: &mut Referee<'_>) -> Result<TakeOutcome, RuleError> {
        let TakeArgs { attacker, defender, answer, unarmored_ac } = args;
        let escape = if answer == Response::Escape {
            Some(defender.escape_from_one().map_err(|error| error.within("defender"))?)
        } else {
            None
        };
        let touch = touched(&attacker, &defender, unarmored_ac, options.table_rolls, referee)?;
        let mut outcome = TakeOutcome {
            roll: touch.roll,
            total: touch.total,
            taken: touch.hit,
            answer: None,
            pin: None,
            pinned: None,
            escape: None,
            escaped: None,
            critical_check: touch.critical_check,
            fumble_check: touch.fumble_check,
        };
        if outcome.taken || answer == Response::None {
            return Ok(outcome);
        }
        outcome.answer = Some(answer);
        if let Some(escape) = escape {
            let escape = referee.call::<Escape>(escape)?;
            outcome.escaped = Some(escape.success);
            outcome.escape = Some(escape);
        } else {
            let pin = touched(&defender, &attacker, unarmored_ac, options.table_rolls, referee)?;
            outcome.pinned = pin.hit.then_some(Pinned::Attacker);
            outcome.pin = Some(pin);
        }
        Ok(outcome)
    }
}

impl Wrestler {
    /// What this wrestler's escape from one holder asks of `grapple.escape`.
    pub(super) fn escape_from_one(&self) -> Result<EscapeArgs, RuleError> {
        let bounded = |modifier: Modifier, name| {
            let wanted = "must be a whole number from -10 to 20 for an escape, not";
            SaveMod::new(modifier.get()).ok_or_else(|| RuleError::out_of_range(name, format!("{wanted} {modifier}")))
        };
        Ok(EscapeArgs {
            save: self.save.ok_or_else(|| RuleError::missing("save"))?,
            str_mod: bounded(self.str_mod, "str_mod")?,
            dex_mod: bounded(self.dex_mod, "dex_mod")?,
            holder_is_held: false,
            extra_limbs: self.extra_limbs,
            holders: Whole::clamped(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House};

    const PAIR: &str = r#""attacker":{"attack_bonus":2,"str_mod":1},"defender":{"attack_bonus":1}"#;

    #[test]
    fn a_touch_that_misses_is_no_grab_and_no_contest() {
        let grab = outcome::<Start>(&format!("{{{PAIR}}}"), &[7]);
        assert!(!grab.grabbed && !grab.held && grab.attacker.is_none());
    }

    #[test]
    fn a_grab_is_a_hold_when_the_contest_is_won() {
        let grab = outcome::<Start>(&format!("{{{PAIR}}}"), &[8, 10, 5]);
        assert!(grab.grabbed && grab.held);
        assert_eq!(grab.attacker.map(|side| side.total), Some(13));
    }

    #[test]
    fn the_campaigns_ties_reach_the_grab() {
        let mut house = House::new();
        house.set("grapple.check.grapple_ties", "attacker".into(), "a test").unwrap();
        let even = r#"{"attacker":{},"defender":{}}"#;
        let grab = resolved_in(&house, "grapple.start", even, &[11, 10, 10]).unwrap();
        assert_eq!(grab.get("held"), Some(&true.into()));
        let own = r#"{"attacker":{},"defender":{},"options":{"grapple_ties":"defender"}}"#;
        let grab = resolved_in(&house, "grapple.start", own, &[11, 10, 10]).unwrap();
        assert_eq!(grab.get("held"), Some(&false.into()));
    }

    #[test]
    fn a_natural_one_misses_and_the_switch_says_whether_it_fumbles() {
        let strong = r#""attacker":{"attack_bonus":20},"defender":{}"#;
        let grab = outcome::<Start>(&format!("{{{strong}}}"), &[1]);
        assert!(!grab.grabbed && grab.fumble_check);
        let grab = outcome::<Start>(&format!(r#"{{{strong},"options":{{"table_rolls":"neither"}}}}"#), &[1]);
        assert!(!grab.grabbed && !grab.fumble_check);
    }

    #[test]
    fn the_too_weak_do_not_roll() {
        let drag = outcome::<Move>(r#"{"rate":40,"strong_enough":false}"#, &[]);
        assert_eq!((drag.moved, drag.roll), (false, None));
        let drag = outcome::<Move>(r#"{"rate":45,"strong_enough":true,"attacker":{"attack_bonus":2}}"#, &[9]);
        assert_eq!((drag.moved, drag.distance), (true, 22));
    }

    #[test]
    fn a_failed_grasp_for_the_weapon_may_end_with_the_holder_pinned() {
        let pair = r#""attacker":{"attack_bonus":2},"defender":{"attack_bonus":1,"str_mod":1,"save":12}"#;
        let pin = outcome::<Take>(&format!(r#"{{{pair},"answer":"pin"}}"#), &[8, 9]);
        assert_eq!((pin.taken, pin.pinned), (false, Some(Pinned::Attacker)));
        let escape = outcome::<Take>(&format!(r#"{{{pair},"answer":"escape"}}"#), &[8, 11]);
        assert_eq!(escape.escaped, Some(true));
        assert_eq!(outcome::<Take>(&format!("{{{pair}}}"), &[8]).answer, None);
    }

    #[test]
    fn an_answering_escape_needs_its_save_before_any_die() {
        let error = resolved("grapple.take", r#"{"attacker":{},"defender":{},"answer":"escape"}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("defender.save")));
    }
}
