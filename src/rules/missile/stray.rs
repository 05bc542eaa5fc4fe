//! Shots that miss into a melee.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::attack::{Roll, RollArgs};
use crate::rules::core::{List, Modifier, Referee, Rule, RuleError, Whole};

/// The switches of a stray shot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StrayOptions {
    /// How many allies are tried at most; three is the source's advice (MIS-05).
    pub max_tries: Whole<1, 20>,
}

impl Default for StrayOptions {
    fn default() -> Self {
        StrayOptions { max_tries: Whole::clamped(3) }
    }
}

/// An ally in the way.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ally {
    /// Who.
    pub name: String,
    /// The ally's armor class, ascending.
    pub ac: Modifier,
}

/// What `missile.stray` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StrayArgs {
    /// The shooter's attack bonus, as if the ally were the target.
    pub attack_bonus: Modifier,
    /// Everything else that the shooter adds: dexterity, range.
    #[serde(default)]
    pub modifier: Modifier,
    /// The allies who may be hit, in the order in which they are tried; the referee of the table picks them.
    pub allies: List<Ally>,
}

/// One ally tried.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Try {
    /// Who.
    pub name: String,
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
    /// Whether the shot hits this ally.
    pub hit: bool,
    /// A natural 20 that hit; no critical is rolled for a stray shot.
    pub critical_check: bool,
    /// A natural 1; no fumble is rolled for a stray shot.
    pub fumble_check: bool,
}

/// Where a stray shot goes.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StrayOutcome {
    /// The allies tried, in order.
    pub tries: Vec<Try>,
    /// Who is hit; nothing when nobody is.
    pub hit: Option<String>,
}

rule! {
    /// Rolls a shot that missed into a melee against allies of the shooter, one after the other, until one is hit.
    ///
    /// Not for flasks, which scatter. The dice are the referee's, also for monsters' shots.
    pub struct Stray;
}

impl Rule for Stray {
    const NAME: &'static str = "missile.stray";
    const SOURCE: &'static [&'static str] = &["combat-details MIS-05"];
    const EXAMPLE: &'static str =
        r#"{ attack_bonus = 2, allies = { { name = "Bran", ac = 17 }, { name = "Odo", ac = 14 } } }"#;
    type Args = StrayArgs;
    type Options = StrayOptions;
    type Outcome = StrayOutcome;

    fn resolve(args: StrayArgs, options: StrayOptions, referee: &mut Referee<'_>) -> Result<StrayOutcome, RuleError> {
        let StrayArgs { attack_bonus, modifier, allies } = args;
        let mut tries = Vec::new();
        for Ally { name, ac } in allies.into_iter().take(options.max_tries.get() as usize) {
            referee.note(|| format!("the stray shot at {name} (MIS-05)"));
            let shot = RollArgs { attack_bonus, modifier, ..RollArgs::against(ac.get()) };
            let shot = referee.call::<Roll>(shot)?;
            let hit = shot.hit.then(|| name.clone());
            tries.push(Try {
                name,
                roll: shot.roll,
                total: shot.total,
                hit: shot.hit,
                critical_check: shot.critical_check,
                fumble_check: shot.fumble_check,
            });
            if hit.is_some() {
                return Ok(StrayOutcome { tries, hit });
            }
        }
        Ok(StrayOutcome { tries, hit: None })
    }
}

#[cfg(test)]
mod tests {
    use super::Stray;
    use crate::rules::core::testing::outcome;

    const FOUR: &str = r#""attack_bonus":2,"allies":[{"name":"Uric","ac":17},{"name":"Lucul","ac":14},
        {"name":"Harbek","ac":12},{"name":"mule","ac":11}]"#;

    #[test]
    fn the_first_ally_hit_ends_the_stray_shot() {
        let stray = outcome::<Stray>(&format!("{{{FOUR}}}"), &[14, 12]);
        assert_eq!((stray.tries.len(), stray.hit.as_deref()), (2, Some("Lucul")));
    }

    #[test]
    fn the_fourth_ally_is_safe_unless_the_table_says_otherwise() {
        assert_eq!(outcome::<Stray>(&format!("{{{FOUR}}}"), &[2, 2, 2]).hit, None);
        let four = format!(r#"{{{FOUR},"options":{{"max_tries":4}}}}"#);
        assert_eq!(outcome::<Stray>(&four, &[2, 2, 2, 9]).hit.as_deref(), Some("mule"));
    }
}
