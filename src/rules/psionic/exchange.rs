//! What a mind had to stand in a segment of psionic combat, whichever table it came from.
//! Source: first-edition PSI-CMB-05, PSI-DFL-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TimeUnit;
use super::defended::AttackDefendedOutcome;
use super::defenseless::Effect;
use super::names::Label;

/// What a mind had to stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExchangeKind {
    /// Neither attacked nor defending.
    #[default]
    None,
    /// Defending against nothing: the mode's cost alone.
    ModeOnly,
    /// Attacked and defended.
    Defended,
    /// Attacked without defense.
    Defenseless,
}

records! {
    common {
        /// Of a Psychic Crush: what d100 showed.
        pub roll: Option<i64>,
        /// How long it lasts, in `unit`.
        pub duration: Option<i64>,
        /// The unit of what lasts.
        pub unit: Option<TimeUnit>,
        /// The power lost for good; nothing when none was listed.
        pub lost: Option<String>,
        /// How long the loss dazes, in `unit`.
        pub dazed: Option<i64>,
        /// The power that cannot be used; nothing when none was listed.
        pub unusable: Option<String>,
        /// After how long, in `unit`, a robot saves against magic. That a failed save is followed by another after as long
        /// again is our reading.
        pub save_vs_magic_after: Option<i64>,
        /// Whether it was killed: of a chance of death, and of K.
        pub killed: Option<bool>,
        /// Whether psionics are gone for good.
        pub psionics_lost: Option<bool>,
        /// Whether they are gone when the dead is raised.
        pub psionics_lost_if_raised: Option<bool>,
        /// What ends it, when time does not.
        pub cured_by: Option<Vec<String>>,
        /// False where psionics cannot be used.
        pub psionic_activity: Option<bool>,
        /// False where nothing can be done.
        pub any_activity: Option<bool>,
        /// In how many cases of a hundred the victim is taken for dead; rolled when somebody examines it.
        pub mistaken_for_dead_percent: Option<i64>,
    }

    /// What befalls the mind. Which fields are there depends on the effect.
    #[derive(Default)]
    pub struct AttackDefenselessOutcome {
        {
            /// The attacker's row.
            pub row: Label,
            /// The defender's column.
            pub column: Label,
            /// What stands there: a number, a letter or a chance.
            pub cell: Label,
            /// What it comes to.
            pub effect: Effect,
            /// The defender's attack strength now.
            pub attack_strength: i64,
            /// The defender's defense strength now.
            pub defense_strength: i64,
            /// The defender's hit points now.
            pub hp: i64,
            /// Of a loss: the hit points in it.
            pub hit_point_loss: Option<i64>,
        } .. {}
    }

    /// What a mind had to stand. Which fields are there depends on the kind; they mean what they mean in
    /// `psionic.attack_defended` and `psionic.attack_defenseless`.
    #[derive(Default)]
    pub struct Against {
        {
            /// Whether it was attacked and defended.
            pub kind: ExchangeKind,
            /// Hit points lost.
            pub hit_point_loss: i64,
            /// The attacker's strength as the table counts it.
            pub effective_strength: Option<i64>,
            /// The attacker's row.
            pub row: Option<Label>,
            /// Damage before the range is counted.
            pub short_range_damage: Option<i64>,
            /// Damage at the range.
            pub damage: Option<i64>,
            /// The cost of the defense.
            pub defense_mode_cost: Option<i64>,
            /// What defense strength, and then hit points, had to bear.
            pub defense_loss: Option<i64>,
            /// Of a Psychic Crush on a defended mind: whether there was a chance to go by.
            pub crush_resolved: Option<bool>,
            /// The defenseless mind's column.
            pub column: Option<Label>,
            /// The result of Appendix C.
            pub cell: Option<Label>,
            /// What it comes to.
            pub effect: Option<Effect>,
        } .. {}
    }
}

impl Against {
    /// Takes down an attack that met no defense.
    pub(super) fn undefended(&mut self, attack: AttackDefenselessOutcome) {
        self.kind = ExchangeKind::Defenseless;
        self.hit_point_loss = attack.hit_point_loss.unwrap_or(0);
        self.row = Some(attack.row);
        self.column = Some(attack.column);
        self.cell = Some(attack.cell);
        self.effect = Some(attack.effect);
        self.roll = attack.roll;
        self.duration = attack.duration;
        self.unit = attack.unit;
        self.lost = attack.lost;
        self.dazed = attack.dazed;
        self.unusable = attack.unusable;
        self.save_vs_magic_after = attack.save_vs_magic_after;
        self.killed = attack.killed;
        self.psionics_lost = attack.psionics_lost;
        self.psionics_lost_if_raised = attack.psionics_lost_if_raised;
        self.cured_by = attack.cured_by;
        self.psionic_activity = attack.psionic_activity;
        self.any_activity = attack.any_activity;
        self.mistaken_for_dead_percent = attack.mistaken_for_dead_percent;
    }
}

impl Against {
    /// Takes down an attack that met a defense.
    pub(super) fn defended(&mut self, attack: AttackDefendedOutcome) {
        self.kind = ExchangeKind::Defended;
        self.effective_strength = attack.effective_strength;
        self.row = attack.row;
        self.short_range_damage = attack.short_range_damage;
        self.damage = attack.damage;
        self.defense_mode_cost = attack.defense_mode_cost;
        self.defense_loss = attack.defense_loss;
    }
}
