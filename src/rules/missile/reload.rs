//! Rates of fire and loading.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::weapons::{RATE_OF_FIRE, WeaponRanges, WeaponRangesArgs};
use crate::rules::core::{AnyTable, Natural, NoOptions, Referee, Rule, RuleError, row_named};
use crate::rules::equipment::{WEAPONS, weapon_name};

/// What `missile.reload` is asked: a weapon or its rate of fire.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReloadArgs {
    /// The weapon: `bow`, `sling`, `thrown`, `light_crossbow`, `heavy_crossbow`, or one that `missile.weapon_ranges`
    /// knows.
    #[serde(default)]
    pub weapon: Option<String>,
    /// The rate of fire instead of a weapon: `1`, or `1/6` for one attack in six rounds.
    #[serde(default)]
    pub rate_of_fire: Option<String>,
    /// Rounds spent on loading since the last shot.
    #[serde(default)]
    pub reload_rounds: Natural,
    /// A number of rounds to count the shots of, when the weapon is loaded at their start.
    #[serde(default)]
    pub rounds: Option<Natural>,
}

/// How far the loading of a weapon is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReloadOutcome {
    /// One shot in so many rounds.
    pub period: i64,
    /// Rounds between two shots that go into loading alone.
    pub reload_needed: i64,
    /// Whether enough rounds have gone into loading.
    pub loaded: bool,
    /// Shots in the given rounds, loaded at the start; nothing when no rounds are given.
    pub shots: Option<i64>,
}

/// `1` or `1/n` as a number of rounds.
fn period_of_rate(rate: &str) -> Result<i64, RuleError> {
    let period = match rate.trim() {
        "1" => Some(1),
        rate => rate.strip_prefix("1/").filter(|n| n.bytes().all(|b| b.is_ascii_digit())).and_then(|n| n.parse().ok()),
    };
    period.filter(|period: &i64| (1..=1_000).contains(period)).ok_or_else(|| {
        let message = format!("must be \"1\" or \"1/n\" with n from 1 to 1000, such as \"1/6\", not \"{rate}\"");
        RuleError::invalid("rate_of_fire", message)
    })
}

/// The rounds from one shot of a weapon to the next.
fn period_of_weapon(weapon: &str, referee: &mut Referee<'_>) -> Result<i64, RuleError> {
    let rates = referee.table(&RATE_OF_FIRE);
    let name = weapon_name(weapon, referee);
    let unknown = match row_named(&rates, "missile weapon", "weapon", name.as_deref().unwrap_or(weapon)) {
        Ok(rate) => return Ok(rate.period.get()),
        Err(unknown) => unknown,
    };
    match referee.call::<WeaponRanges>(WeaponRangesArgs { weapon: weapon.to_owned() }) {
        Ok(ranges) => ranges.period.ok_or_else(|| {
            RuleError::invalid("weapon", format!("must be something that shoots; {weapon} has no rate of fire"))
        }),
        Err(_) => Err(unknown),
    }
}

rule! {
    /// Tells how many rounds of loading a missile weapon takes between shots, and how many shots that leaves.
    ///
    /// Most shoot every round, a light crossbow every second, a heavy one every third, siege engines by their fraction;
    /// the rounds between are spent on loading and nothing else. A second weapon that was loaded beforehand is asked
    /// for on its own (MIS-04).
    pub struct Reload;
}

impl Rule for Reload {
    const NAME: &'static str = "missile.reload";
    const SOURCE: &'static [&'static str] = &["combat-details MIS-03", "combat-details MIS-04"];
    const EXAMPLE: &'static str = r#"{ weapon = "light_crossbow", rounds = 5 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&RATE_OF_FIRE, &WEAPONS];
    type Args = ReloadArgs;
    type Options = NoOptions;
    type Outcome = ReloadOutcome;

    fn resolve(args: ReloadArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ReloadOutcome, RuleError> {
        let period = match (&args.weapon, &args.rate_of_fire) {
            (Some(_), Some(_)) => {
                return Err(RuleError::invalid(
                    "rate_of_fire",
                    "is the weapon's own; give either weapon or rate_of_fire",
                ));
            }
            (None, None) => return Err(RuleError::missing("weapon")),
            (None, Some(rate)) => period_of_rate(rate)?,
            (Some(weapon), None) => period_of_weapon(weapon, referee)?,
        };
        let reload_needed = period - 1;
        Ok(ReloadOutcome {
            period,
            reload_needed,
            loaded: args.reload_rounds.get() >= reload_needed,
            shots: args.rounds.map(|rounds| (rounds.get() + period - 1) / period),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House};

    #[test]
    fn whoever_slows_bows_slows_every_bow() {
        let mut house = House::new();
        let rows = r#"[{"weapon":"bow","period":2},{"weapon":"sling","period":1},{"weapon":"thrown","period":1}]"#;
        house.patch("rate_of_fire", serde_json::from_str(rows).unwrap(), "a test").unwrap();
        for bow in ["bow", "longbow", "Short Bow"] {
            let args = format!(r#"{{"weapon":"{bow}"}}"#);
            let reload = resolved_in(&house, "missile.reload", &args, &[]).unwrap();
            assert_eq!(reload.get("period"), Some(&2.into()), "{bow}");
        }
    }

    #[test]
    fn a_heavy_crossbow_shoots_every_third_round() {
        let reload = outcome::<Reload>(r#"{"weapon":"heavy_crossbow","rounds":7}"#, &[]);
        assert_eq!((reload.period, reload.reload_needed, reload.shots), (3, 2, Some(3)));
        assert_eq!(outcome::<Reload>(r#"{"weapon":"ballista","rounds":8}"#, &[]).shots, Some(2));
        assert_eq!(outcome::<Reload>(r#"{"weapon":"longbow","rounds":8}"#, &[]).shots, Some(8));
    }

    #[test]
    fn a_rate_is_one_in_so_many() {
        assert_eq!(outcome::<Reload>(r#"{"rate_of_fire":"1"}"#, &[]).period, 1);
        for rate in ["2", "1/0", "1/", "1/-2", "6/1", "", "1/x"] {
            let args = format!(r#"{{"rate_of_fire":"{rate}"}}"#);
            assert_eq!(resolved("missile.reload", &args, &[]).unwrap_err().kind(), ErrorKind::Invalid, "{rate}");
        }
    }
}
