//! Damage of a hit, and what hit points at or below zero mean.
//! Source: combat-details DMG-01, DMG-02, SUB-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Any, DamageDice, NoOptions, Referee, Rolls, Rule, RuleError, Whole};

/// The least damage that any hit does (DMG-01).
pub(super) const LEAST_DAMAGE: i64 = 1;

/// How a blow is struck, for the strength that goes into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Hand to hand.
    Melee,
    /// A thrown weapon.
    Thrown,
    /// A sling.
    Sling,
    /// A bow: strength does not count.
    Bow,
    /// A crossbow: strength does not count.
    Crossbow,
}

impl Kind {
    /// Whether the strength modifier goes into the damage.
    #[must_use]
    pub fn strength_counts(self) -> bool {
        !matches!(self, Kind::Bow | Kind::Crossbow)
    }
}

/// What `damage.roll` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// The weapon's damage: "1d8".
    pub damage: DamageDice,
    /// How the blow is struck.
    pub kind: Kind,
    /// The strength modifier, -10 to 20; with a bow or a crossbow neither bonus nor penalty counts.
    #[serde(default)]
    pub str_mod: Whole<-10, 20>,
    /// The weapon's magic bonus, negative when cursed, -10 to 10.
    #[serde(default)]
    pub magic_bonus: Whole<-10, 10>,
    /// What the damage is multiplied by, 1 to 4: 2 for a charge; `attack.modifiers` gives it.
    #[serde(default = "once")]
    pub multiplier: Whole<1, 4>,
    /// Whether the blow is meant to subdue: half damage, rounded down (SUB-01).
    #[serde(default)]
    pub subduing: bool,
}

fn once() -> Whole<1, 4> {
    Whole::clamped(1)
}

/// The damage of a hit.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// What the dice showed, in order.
    pub rolls: Rolls,
    /// The damage, 1 or more.
    pub damage: i64,
}

rule! {
    /// Rolls the damage of a hit: the weapon's dice, strength unless shot with a bow or crossbow, and magic.
    ///
    /// A multiplier multiplies dice and modifiers together, a blow to subdue halves what comes out, and every hit does
    /// at least 1 point, whatever the penalties.
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "damage.roll";
    const SOURCE: &'static [&'static str] = &["combat-details DMG-01", "combat-details SUB-01"];
    const EXAMPLE: &'static str = r#"{ damage = "1d8", kind = "melee", str_mod = 2 }"#;
    type Args = RollArgs;
    type Options = NoOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        let RollArgs { damage: dice, kind, str_mod, magic_bonus, multiplier, subduing } = args;
        let strength = if kind.strength_counts() { str_mod.get() } else { 0 };
        let rolled = dice.roll(referee, "damage")?;
        referee.modifier(dice.modifier(), "of the weapon");
        referee.modifier(strength, "strength (DMG-01)");
        referee.modifier(magic_bonus.get(), "magic (DMG-01)");
        let mut sum = (rolled.sum + dice.modifier() + strength + magic_bonus.get()) * multiplier.get();
        if multiplier.get() > 1 {
            referee.note(|| format!("times {multiplier}"));
        }
        if subduing {
            referee.note(|| "halved, to subdue (SUB-01)".into());
            sum = sum.div_euclid(2);
        }
        Ok(RollOutcome { rolls: rolled.rolls, damage: sum.max(LEAST_DAMAGE) })
    }
}

/// What exactly 0 hit points mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AtZero {
    /// Unconscious, as the combat chapter has it (DMG-02).
    #[default]
    Unconscious,
    /// Still on one's feet, as the house rules of dying have it; for campaigns that use both.
    Ok,
}

/// The switches of the state of the wounded.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StateOptions {
    /// What exactly 0 hit points mean (DMG-02).
    pub at_zero: AtZero,
}

/// What `damage.state` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateArgs {
    /// Hit points now, of any sign.
    pub hp: Any,
}

/// How somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// On one's feet.
    Ok,
    /// Unconscious.
    Unconscious,
    /// Dying.
    Dying,
}

/// The state that hit points mean.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateOutcome {
    /// How somebody with these hit points is.
    pub status: Status,
}

rule! {
    /// Says what hit points mean: at 0 unconscious, below 0 dying. What dying means is `dying.damage`'s to say.
    pub struct State;
}

impl Rule for State {
    const NAME: &'static str = "damage.state";
    const SOURCE: &'static [&'static str] = &["combat-details DMG-02"];
    const EXAMPLE: &'static str = "{ hp = 0 }";
    type Args = StateArgs;
    type Options = StateOptions;
    type Outcome = StateOutcome;

    fn resolve(args: StateArgs, options: StateOptions, _: &mut Referee<'_>) -> Result<StateOutcome, RuleError> {
        let status = match (args.hp.get(), options.at_zero) {
            (..0, _) => Status::Dying,
            (0, AtZero::Unconscious) => Status::Unconscious,
            _ => Status::Ok,
        };
        Ok(StateOutcome { status })
    }
}

#[cfg(test)]
mod tests {
    use super::{Roll, State, Status};
    use crate::rules::core::testing::outcome;

    fn damage(more: &str, die: i64) -> i64 {
        outcome::<Roll>(&format!(r#"{{"damage":"1d8",{more}}}"#), &[die]).damage
    }

    #[test]
    fn strength_goes_into_all_but_bows_and_crossbows() {
        for (kind, expected) in [("melee", 7), ("thrown", 7), ("sling", 7), ("bow", 5), ("crossbow", 5)] {
            assert_eq!(damage(&format!(r#""kind":"{kind}","str_mod":2"#), 5), expected, "{kind}");
        }
        assert_eq!(damage(r#""kind":"bow","str_mod":-3,"magic_bonus":1"#, 5), 6);
    }

    #[test]
    fn double_damage_doubles_the_modifiers_too() {
        assert_eq!(damage(r#""kind":"melee","str_mod":2,"multiplier":2"#, 5), 14);
    }

    #[test]
    fn subduing_halves_downwards_and_a_hit_does_at_least_one_point() {
        assert_eq!(damage(r#""kind":"melee","subduing":true"#, 7), 3);
        assert_eq!(damage(r#""kind":"melee","subduing":true"#, 1), 1);
        assert_eq!(damage(r#""kind":"melee","str_mod":-10,"multiplier":2"#, 1), 1);
    }

    #[test]
    fn zero_is_unconscious_unless_the_campaign_keeps_it_standing() {
        let status = |args: &str| outcome::<State>(args, &[]).status;
        assert_eq!(status(r#"{"hp":1}"#), Status::Ok);
        assert_eq!(status(r#"{"hp":0}"#), Status::Unconscious);
        assert_eq!(status(r#"{"hp":-1}"#), Status::Dying);
        assert_eq!(status(r#"{"hp":0,"options":{"at_zero":"ok"}}"#), Status::Ok);
        assert_eq!(status(r#"{"hp":-1,"options":{"at_zero":"ok"}}"#), Status::Dying);
    }
}
