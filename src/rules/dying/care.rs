//! What makes it better: bandages, healing magic, the Heal spell (DYING-03, 04, 11).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AtZero, Bleed, BleedArgs, Condition, Status, THRESHOLDS, thresholds, wound_args, wound_outcome};
use crate::rules::core::{Any, AnyTable, Natural, Positive, Referee, Rule, RuleError, Whole};

/// Whether the last round of care still costs blood (DYING-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StabilizeOrder {
    /// It does: the victim bleeds in each round of care.
    #[default]
    BleedFirst,
    /// It does not: the last round of care stops the bleeding before the loss.
    StabilizeFirst,
}

/// The switches of stabilizing.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StabilizeOptions {
    /// Whether the last round of care still costs blood.
    pub stabilize_order: StabilizeOrder,
}

wound_args! {
    /// What `dying.stabilize` is asked.
    StabilizeArgs {
        /// Rounds that go by before somebody begins, 0 or more.
        #[serde(default)]
        pub delay: Natural,
    }
}

wound_outcome! {
    /// How the victim is after the care.
    StabilizeOutcome {
        /// The rounds of care that were needed; nothing when the victim died before it began.
        pub rounds: Option<i64>,
        /// The rounds that went by, the delay included, until the bleeding stopped or the victim died.
        pub elapsed: i64,
    }
}

rule! {
    /// Somebody spends 1d3 rounds on a bleeding victim's wounds, who bleeds on meanwhile and may die under the bandage.
    ///
    /// No hit points come back. Each loss is a `dying.bleed`.
    pub struct Stabilize;
}

impl Stabilize {
    /// Lets the victim bleed; also the round in which it died.
    fn bleed(victim: Condition, rounds: i64, referee: &mut Referee<'_>) -> Result<(Condition, Option<i64>), RuleError> {
        if rounds == 0 {
            return Ok((victim, None));
        }
        let args = BleedArgs {
            hp: Any::clamped(victim.hp),
            status: victim.status,
            lowest_hp: Some(Any::clamped(victim.lowest_hp)),
            rounds: Positive::clamped(rounds),
        };
        let bled = referee.call::<Bleed>(args)?;
        Ok((Condition { hp: bled.hp, status: bled.status, lowest_hp: bled.lowest_hp }, bled.death_round))
    }
}

impl Rule for Stabilize {
    const NAME: &'static str = "dying.stabilize";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-03"];
    const EXAMPLE: &'static str = r#"{ hp = -3, status = "bleeding", delay = 1 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS];
    type Args = StabilizeArgs;
    type Options = StabilizeOptions;
    type Outcome = StabilizeOutcome;

    fn resolve(
        args: StabilizeArgs,
        options: StabilizeOptions,
        referee: &mut Referee<'_>,
    ) -> Result<StabilizeOutcome, RuleError> {
        let limits = thresholds(referee)?;
        let victim = args.condition(limits)?;
        if victim.status != Status::Bleeding {
            return Err(RuleError::invalid("status", "must be bleeding; only the bleeding can be stabilized"));
        }
        let delay = args.delay.get();
        let answer = |victim: Condition, rounds, elapsed| StabilizeOutcome {
            hp: victim.hp,
            status: victim.status,
            lowest_hp: victim.lowest_hp,
            scarred: victim.scarred(limits),
            rounds,
            elapsed,
        };
        let (victim, died) = Self::bleed(victim, delay, referee)?;
        if let Some(died) = died {
            return Ok(answer(victim, None, died));
        }
        let rounds = referee.d(3, "rounds of care")?;
        let losses = match options.stabilize_order {
            StabilizeOrder::BleedFirst => rounds,
            StabilizeOrder::StabilizeFirst => rounds - 1,
        };
        let (victim, died) = Self::bleed(victim, losses, referee)?;
        Ok(match died {
            Some(died) => answer(victim, Some(rounds), delay + died),
            None => answer(victim.become_at(victim.hp, Status::Stable), Some(rounds), delay + rounds),
        })
    }
}

/// The switches of healing.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HealOptions {
    /// What exactly zero hit points mean; when not set, as `dying.damage` has it.
    pub at_zero: Option<AtZero>,
}

wound_args! {
    /// What `dying.heal` is asked.
    HealArgs {
        /// Full hit points, 1 or more and not below those of now.
        pub max_hp: Positive,
        /// The hit points that the magic gives back, 1 or more.
        pub amount: Positive,
    }
}

wound_outcome! {
    /// How the victim is after the healing.
    HealOutcome {
        /// Whether a coma is due, since the victim had been below zero: `dying.coma` says how long.
        pub coma_due: bool,
        /// Whether the hit points allow it to be awake. Coma and weakness are not counted here.
        pub conscious: bool,
    }
}

rule! {
    /// Gives hit points back by magic, which stops bleeding at once even where they stay below zero.
    ///
    /// Even full hit points leave the coma and the weakness after it.
    pub struct Heal;
}

/// Refuses a maximum that the hit points exceed.
fn full_at_least(max_hp: Positive, hp: i64) -> Result<(), RuleError> {
    if max_hp.get() < hp {
        let message = format!("must be at least the present {hp} hit points, not {max_hp}");
        return Err(RuleError::invalid("max_hp", message));
    }
    Ok(())
}

impl Rule for Heal {
    const NAME: &'static str = "dying.heal";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-04"];
    const EXAMPLE: &'static str = r#"{ hp = -5, status = "bleeding", max_hp = 20, amount = 3 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS];
    type Args = HealArgs;
    type Options = HealOptions;
    type Outcome = HealOutcome;

    fn resolve(args: HealArgs, options: HealOptions, referee: &mut Referee<'_>) -> Result<HealOutcome, RuleError> {
        let limits = thresholds(referee)?;
        let before = args.condition(limits)?;
        full_at_least(args.max_hp, before.hp)?;
        let hp = (before.hp + args.amount.get()).min(args.max_hp.get());
        let status = if hp < 0 { Status::Stable } else { Status::Ok };
        let after = before.become_at(hp, status);
        Ok(HealOutcome {
            hp,
            status,
            lowest_hp: after.lowest_hp,
            scarred: after.scarred(limits),
            coma_due: before.hp < 0,
            conscious: options.at_zero.unwrap_or_else(|| AtZero::of(referee)).awake(after),
        })
    }
}

/// The switches of a Heal spell.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HealSpellOptions {
    /// Whether the spell takes the scars away with everything else.
    pub heal_clears_scars: bool,
}

impl Default for HealSpellOptions {
    fn default() -> Self {
        HealSpellOptions { heal_clears_scars: true }
    }
}

/// What `dying.heal_spell` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HealSpellArgs {
    /// Full hit points, 1 or more.
    pub max_hp: Positive,
    /// Status now; the spell does not raise the dead.
    pub status: Status,
    /// Hit points now. The spell never leaves fewer.
    #[serde(default)]
    pub hp: Option<Any>,
}

/// How somebody is after a Heal spell.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HealSpellOutcome {
    /// The d4 short of full hit points.
    pub roll: i64,
    /// Hit points now, at least 1.
    pub hp: i64,
    /// Status now.
    pub status: Status,
    /// What is left of the weakness: nothing.
    pub penalty: i64,
    /// Hours of coma left: none.
    pub coma_hours: i64,
    /// Whether the scars are gone too.
    pub clears_scars: bool,
}

rule! {
    /// A Heal spell ends bleeding, coma and weakness and gives full hit points less 1d4: at least 1, and never fewer
    /// than before.
    pub struct HealSpell;
}

impl Rule for HealSpell {
    const NAME: &'static str = "dying.heal_spell";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-11"];
    const EXAMPLE: &'static str = r#"{ max_hp = 30, status = "stable" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS];
    type Args = HealSpellArgs;
    type Options = HealSpellOptions;
    type Outcome = HealSpellOutcome;

    fn resolve(
        args: HealSpellArgs,
        options: HealSpellOptions,
        referee: &mut Referee<'_>,
    ) -> Result<HealSpellOutcome, RuleError> {
        if args.status == Status::Dead {
            return Err(RuleError::invalid("status", "must be ok, bleeding or stable; Heal does not raise the dead"));
        }
        if let Some(hp) = args.hp {
            Condition::read(hp, args.status, None, thresholds(referee)?)?;
            full_at_least(args.max_hp, hp.get())?;
        }
        let roll = referee.d(4, "short of full hit points")?;
        let before = args.hp.map_or(1, Whole::get);
        let hp = (args.max_hp.get() - roll).max(1).max(before);
        Ok(HealSpellOutcome {
            roll,
            hp,
            status: Status::Ok,
            penalty: 0,
            coma_hours: 0,
            clears_scars: options.heal_clears_scars,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::House;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};

    #[test]
    fn an_unlucky_victim_dies_under_the_bandage() {
        let cared = outcome::<Stabilize>(r#"{"hp":-9,"status":"bleeding"}"#, &[3]);
        assert_eq!((cared.status, cared.rounds, cared.elapsed), (Status::Dead, Some(3), 2));
    }

    #[test]
    fn the_last_round_of_care_may_come_before_the_loss() {
        let args = r#"{"hp":-10,"status":"bleeding","options":{"stabilize_order":"stabilize_first"}}"#;
        assert_eq!(outcome::<Stabilize>(args, &[1]).status, Status::Stable);
    }

    #[test]
    fn help_that_comes_too_late_rolls_nothing() {
        let cared = outcome::<Stabilize>(r#"{"hp":-3,"status":"bleeding","delay":20}"#, &[]);
        assert_eq!((cared.status, cared.rounds, cared.elapsed), (Status::Dead, None, 8));
    }

    #[test]
    fn healing_stops_the_bleeding_and_leaves_the_coma() {
        let args = r#"{"hp":-5,"status":"bleeding","max_hp":20,"amount":AMOUNT}"#;
        let healed = outcome::<Heal>(&args.replace("AMOUNT", "3"), &[]);
        assert_eq!((healed.hp, healed.status, healed.coma_due), (-2, Status::Stable, true));
        let healed = outcome::<Heal>(&args.replace("AMOUNT", "30"), &[]);
        assert_eq!((healed.hp, healed.status, healed.coma_due), (20, Status::Ok, true));
    }

    #[test]
    fn whoever_is_healed_to_zero_is_as_awake_as_one_who_falls_to_it() {
        let args = r#"{"hp":-3,"status":"bleeding","max_hp":20,"amount":3}"#;
        assert!(outcome::<Heal>(args, &[]).conscious);
        let mut house = House::new();
        house.set("dying.damage.at_zero", "unconscious".into(), "a test").unwrap();
        let conscious = |args: &str| resolved_in(&house, "dying.heal", args, &[]).unwrap().get("conscious").cloned();
        assert_eq!(conscious(args), Some(false.into()));
        let own = args.replace("\"amount\":3", r#""amount":3,"options":{"at_zero":"ok"}"#);
        assert_eq!(conscious(&own), Some(true.into()));
    }

    #[test]
    fn a_maximum_below_the_present_hit_points_makes_no_sense() {
        let error = resolved("dying.heal", r#"{"hp":9,"status":"ok","max_hp":8,"amount":1}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("max_hp"));
    }

    #[test]
    fn the_heal_spell_never_takes_hit_points_away() {
        let args = r#"{"max_hp":30,"status":"ok","hp":29}"#;
        assert_eq!(outcome::<HealSpell>(args, &[4]).hp, 29);
        assert_eq!(outcome::<HealSpell>(r#"{"max_hp":3,"status":"bleeding"}"#, &[4]).hp, 1);
    }
}
