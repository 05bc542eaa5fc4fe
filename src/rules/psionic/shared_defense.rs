//! Defenses that cover others.
//! Source: first-edition PSI-DEF-04.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defended::{AttackDefended, AttackDefendedArgs, DAMAGE};
use super::modes::{DEFENSE_MODES, DefenseModeArgs, DefenseModeStatistics};
use super::names::{AttackMode, DefenseMode, RangeBand};
use super::ranges::HAIR;
use crate::rules::core::{AnyTable, List, Positive, Referee, Rule, RuleError};

/// What an area defense offers those inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AreaDefense {
    /// Itself, when it is better than one's own mode.
    #[default]
    AreaOrOwn,
    /// The best mode that anybody inside the radius uses.
    BestInRadius,
}

/// The switches of a shared defense.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SharedDefenseOptions {
    /// What an area defense offers those inside it (PSI-DEF-04).
    pub area_defense: AreaDefense,
}

/// Somebody who may defend.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Individual {
    /// Its name.
    pub id: String,
    /// Its own defense mode, if any.
    #[serde(default)]
    pub mode: Option<DefenseMode>,
    /// Where it stands, in feet.
    pub x: f64,
    /// Where it stands, in feet.
    pub y: f64,
}

/// What `psionic.shared_defense` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SharedDefenseArgs {
    /// The attacker's psionic strength.
    pub attacker_strength: Positive,
    /// The attack.
    pub attack_mode: AttackMode,
    /// The name of the one attacked, among `individuals`.
    pub target: String,
    /// All who defend or may be covered, each with a name of its own.
    pub individuals: List<Individual, 0, 1_000>,
}

/// The defense that counts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SharedDefenseOutcome {
    /// The best mode that covers the target; nothing when none does.
    pub mode: Option<DefenseMode>,
    /// The damage of the attack on it, at short range and without the mode's cost.
    pub damage: Option<i64>,
    /// What the target itself pays: the cost of its own mode, nothing for a neighbor's.
    pub own_cost: i64,
}

impl SharedDefenseArgs {
    /// The one attacked.
    fn attacked(&self) -> Result<&Individual, RuleError> {
        for (place, one) in self.individuals.iter().enumerate() {
            if self.individuals[..place].iter().any(|other| other.id == one.id) {
                let message = "is the name of another; give each its own";
                return Err(RuleError::invalid(&format!("individuals[{}].id", place + 1), message));
            }
        }
        self.individuals.iter().find(|one| one.id == self.target).ok_or_else(|| {
            let names: Vec<&str> = self.individuals.iter().map(|one| one.id.as_str()).collect();
            let message = format!("target \"{}\" is not among the individuals: {}", self.target, names.join(", "));
            RuleError::unknown("target", message)
        })
    }
}

rule! {
    /// Finds the defense of somebody who may stand in another's Intellect Fortress or Tower of Iron Will: that or its
    /// own, whichever lets less damage through. Of equal ones the cheaper is named.
    pub struct SharedDefense;
}

impl Rule for SharedDefense {
    const NAME: &'static str = "psionic.shared_defense";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DEF-04"];
    const EXAMPLE: &'static str = r#"{ attacker_strength = 60, attack_mode = "psionic_blast", target = "t", individuals = { { id = "t", mode = "mind_blank", x = 0, y = 0 }, { id = "h", mode = "intellect_fortress", x = 10, y = 0 } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DEFENSE_MODES, &DAMAGE];
    type Args = SharedDefenseArgs;
    type Options = SharedDefenseOptions;
    type Outcome = SharedDefenseOutcome;

    fn resolve(
        args: SharedDefenseArgs,
        options: SharedDefenseOptions,
        referee: &mut Referee<'_>,
    ) -> Result<SharedDefenseOutcome, RuleError> {
        let attacked = args.attacked()?;
        let mut modes: Vec<(DefenseMode, DefenseModeFigures)> = Vec::with_capacity(DefenseMode::ALL.len());
        for defense_mode in DefenseMode::ALL {
            let row = referee.call::<DefenseModeStatistics>(DefenseModeArgs { defense_mode })?;
            modes.push((defense_mode, DefenseModeFigures { cost: row.cost_per_segment, radius: row.radius_feet }));
        }
        let figures = |mode: DefenseMode| modes.iter().find(|(known, _)| *known == mode).map(|(_, figures)| *figures);
        let covers = |holder: &Individual, other: &Individual| {
            let radius = holder.mode.and_then(figures).map_or(0, |figures| figures.radius);
            radius > 0 && (holder.x - other.x).hypot(holder.y - other.y) <= radius as f64 + HAIR
        };
        let mut offered: Vec<DefenseMode> = attacked.mode.into_iter().collect();
        for holder in args.individuals.iter().filter(|holder| covers(holder, attacked)) {
            offered.extend(holder.mode);
            if options.area_defense == AreaDefense::BestInRadius {
                offered.extend(args.individuals.iter().filter(|one| covers(holder, one)).filter_map(|one| one.mode));
            }
        }
        let mut best: Option<(i64, i64, DefenseMode)> = None;
        for mode in DefenseMode::ALL.into_iter().filter(|mode| offered.contains(mode)) {
            let attack = AttackDefendedArgs {
                attacker_psionic_strength: args.attacker_strength,
                attack_mode: args.attack_mode,
                defense_mode: mode,
                range_band: RangeBand::Short,
            };
            let through = referee.call::<AttackDefended>(attack)?;
            let (damage, cost) = (through.damage.unwrap_or(0), through.defense_mode_cost.unwrap_or(0));
            if best.is_none_or(|(least, cheapest, _)| (damage, cost) < (least, cheapest)) {
                best = Some((damage, cost, mode));
            }
        }
        Ok(SharedDefenseOutcome {
            mode: best.map(|(_, _, mode)| mode),
            damage: best.map(|(damage, _, _)| damage),
            own_cost: attacked.mode.and_then(figures).map_or(0, |figures| figures.cost),
        })
    }
}

/// Cost and radius of a defense mode.
#[derive(Clone, Copy)]
struct DefenseModeFigures {
    cost: i64,
    radius: i64,
}

#[cfg(test)]
mod tests {
    use crate::rules::core::testing::resolved;

    #[test]
    fn the_target_must_be_there() {
        let args = r#"{"attacker_strength":60,"attack_mode":"ego_whip","target":"t","individuals":[]}"#;
        assert_eq!(resolved("psionic.shared_defense", args, &[]).unwrap_err().field(), Some("target"));
    }
}
