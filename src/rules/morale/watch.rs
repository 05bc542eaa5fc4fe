//! When a morale check is due, from what has happened.
//! Source: combat-details MOR-02, MOR-06.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{Due, DueArgs};
use crate::rules::core::{List, Natural, NoOptions, Positive, Referee, Rule, RuleError};

/// Something that may call for a morale check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// The first meeting with the enemy; once in an encounter.
    FirstContact,
    /// Half of them, or half the hit points of a lone creature, are gone; once in an encounter.
    HalfStrength,
    /// A powerful enemy shows itself.
    PowerfulEnemy,
    /// Magic or the uncanny strikes fear.
    Fear,
    /// Their leader has fallen.
    LeaderFell,
    /// Allies near them have broken (MOR-06).
    AlliesBroke,
    /// Another turn of events that shakes them.
    Event,
}

/// What `morale.watch` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchArgs {
    /// How many they were at the start, or the hit points of a lone creature.
    pub start: Positive,
    /// How many they are now, or its hit points now; 0 to `start`.
    pub now: Natural,
    /// What has happened since the last look. Half strength is seen from the numbers and needs no mention.
    #[serde(default)]
    pub events: List<Trigger, 0, 100>,
    /// What they have been checked for before in this encounter.
    #[serde(default)]
    pub checked: List<Trigger, 0, 100>,
}

/// Whether a check is due.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WatchOutcome {
    /// Whether a check is due: one, however many reasons there are.
    pub due: bool,
    /// The reasons, each once; add them to `checked` the next time.
    pub triggers: SmallVec<[Trigger; 8]>,
}

rule! {
    /// Tells from numbers and events whether a morale check is due, and for what.
    ///
    /// First contact and half strength count once in an encounter, everything else each time it happens. Nobody is left
    /// to check when the last has fallen.
    pub struct Watch;
}

impl Rule for Watch {
    const NAME: &'static str = "morale.watch";
    const SOURCE: &'static [&'static str] = &["combat-details MOR-02", "combat-details MOR-06"];
    const EXAMPLE: &'static str =
        r#"{ start = 8, now = 4, events = { "leader_fell" }, checked = { "first_contact" } }"#;
    type Args = WatchArgs;
    type Options = NoOptions;
    type Outcome = WatchOutcome;

    fn resolve(args: WatchArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<WatchOutcome, RuleError> {
        let WatchArgs { start, now, events, checked } = args;
        let already_checked = checked.contains(&Trigger::HalfStrength);
        let half = referee.call::<Due>(DueArgs { start, now, already_checked })?.due;
        let mut triggers: SmallVec<[Trigger; 8]> = SmallVec::new();
        if now.get() > 0 {
            let seen = half.then_some(Trigger::HalfStrength);
            for trigger in events.into_iter().filter(|event| *event != Trigger::HalfStrength).chain(seen) {
                let over = trigger == Trigger::FirstContact && checked.contains(&Trigger::FirstContact);
                if !over && !triggers.contains(&trigger) {
                    triggers.push(trigger);
                }
            }
        }
        Ok(WatchOutcome { due: !triggers.is_empty(), triggers })
    }
}

#[cfg(test)]
mod tests {
    use super::{Trigger, Watch};
    use crate::rules::core::testing::outcome;

    fn triggers(args: &str) -> Vec<Trigger> {
        outcome::<Watch>(args, &[]).triggers.to_vec()
    }

    #[test]
    fn half_strength_is_seen_once() {
        assert_eq!(triggers(r#"{"start":8,"now":4}"#), [Trigger::HalfStrength]);
        assert!(triggers(r#"{"start":8,"now":5}"#).is_empty());
        assert!(triggers(r#"{"start":8,"now":3,"checked":["half_strength"]}"#).is_empty());
    }

    #[test]
    fn a_fallen_leader_counts_each_time_and_first_contact_once() {
        let args = r#"{"start":8,"now":8,"events":["first_contact","leader_fell","leader_fell"],
            "checked":["first_contact","leader_fell"]}"#;
        assert_eq!(triggers(args), [Trigger::LeaderFell]);
    }

    #[test]
    fn the_dead_do_not_flee() {
        assert!(triggers(r#"{"start":8,"now":0,"events":["leader_fell"]}"#).is_empty());
    }
}
