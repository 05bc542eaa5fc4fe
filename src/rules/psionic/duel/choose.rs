//! What a mind does in a segment: a rule for the attack and one for the defense, so that a table can put strategies of
//! its own in their place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::rules::core::{AnyTable, List, Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};
use crate::rules::psionic::appendix_c::{COLUMNS, Cell, DEFENSELESS, Letter, foreseen_cell};
use crate::rules::psionic::defended::{DAMAGE, Foreseen};
use crate::rules::psionic::modes::{ATTACK_MODES, DEFENSE_MODES, no_bought_range};
use crate::rules::psionic::{AttackMode, DefenseMode, Inches, Label, RangeBand};

/// What putting a mind out of the fight is worth, in points of strength: more than any loss.
const OUT: i64 = 1_000;
/// What a power that cannot be used for weeks is worth, in points of strength.
const WOUND: i64 = 40;

/// A foe as a mind sees it: how strong it is and how far, not what it knows.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Foe {
    /// Its name.
    pub name: Label,
    /// Attack strength at the start of the segment.
    pub attack_strength: Natural,
    /// Defense strength at the start of the segment.
    pub defense_strength: Natural,
    /// How far it is, in scale inches.
    #[serde(default)]
    pub distance_inches: Inches,
}

/// What `psionic.choose_attack` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseAttackArgs {
    /// Whose choice it is.
    pub mind: Label,
    /// Its attack strength at the start of the segment.
    pub attack_strength: Natural,
    /// Its defense strength at the start of the segment.
    pub defense_strength: Natural,
    /// The attack modes it can use.
    pub attack_modes: List<AttackMode, 0, 5>,
    /// Of a Psychic Crush on a defended mind: the chance of death in percent, where the referee has set one.
    #[serde(default)]
    pub crush_percent: Option<Whole<0, 100>>,
    /// The foes that can be attacked.
    pub foes: List<Foe>,
    /// The round of the duel.
    #[serde(default = "first")]
    pub round: Positive,
    /// The segment of the round.
    #[serde(default = "first")]
    pub segment: Positive,
}

fn first() -> Positive {
    Positive::clamped(1)
}

/// The attack that is announced; without a mode there is none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseAttackOutcome {
    /// The mode.
    pub attack_mode: Option<AttackMode>,
    /// The name of the foe it is aimed at.
    pub target: Option<Label>,
    /// Bought range: two or three times the cost for two or three times the range.
    #[serde(default = "no_bought_range")]
    pub range_multiplier: Whole<1, 3>,
}

/// How good an attack looks.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Prospect {
    /// Whether it leaves the foe without strength or out of the fight.
    finishes: bool,
    /// What it is worth in points of the foe's strength.
    worth: i64,
    cost: i64,
}

impl Prospect {
    /// Finishing comes first, then the most for each point of cost.
    fn beats(self, other: Self) -> bool {
        if self.finishes != other.finishes {
            return self.finishes;
        }
        self.worth * other.cost > other.worth * self.cost
    }
}

/// What an open mind stands to suffer.
fn worth_of(cell: Cell) -> (bool, i64) {
    match cell {
        Cell::Letter(Letter::W) => (false, WOUND),
        Cell::Letter(_) => (true, OUT),
        Cell::Death(percent) => (false, percent * OUT / 100),
        Cell::Loss(loss) => (false, loss),
    }
}

impl ChooseAttackArgs {
    /// What an attack promises: against a mind that can still pay for a defense, what the best of the five would cost
    /// it; against an open one, what Appendix C says.
    fn prospect(
        &self,
        foe: &Foe,
        mode: AttackMode,
        (band, cost): (RangeBand, i64),
        referee: &Referee<'_>,
    ) -> Option<Prospect> {
        let strength = self.attack_strength.get() + self.defense_strength.get();
        let left = foe.defense_strength.get();
        let defenses = referee.table(&DEFENSE_MODES);
        let mut payable = defenses.iter().filter(|defense| defense.cost.get() <= left).peekable();
        if payable.peek().is_none() {
            let (rows, columns) = (referee.table(&DEFENSELESS), referee.table(&COLUMNS));
            let theirs = foe.attack_strength.get() + left;
            let cell = foreseen_cell(&rows, &columns, self.attack_strength.get(), mode, theirs)?;
            let (finishes, worth) = worth_of(cell);
            return Some(Prospect { finishes, worth, cost });
        }
        if mode == AttackMode::PsychicCrush {
            let worth = self.crush_percent.map_or(0, |percent| percent.get() * OUT / 100);
            return Some(Prospect { finishes: false, worth, cost });
        }
        let rows = referee.table(&DAMAGE);
        let foreseen = Foreseen::of(&rows, strength, mode, band);
        let worth = payable.map(|defense| defense.cost.get() + foreseen.damage(defense.mode)).min()?;
        Some(Prospect { finishes: worth >= left, worth, cost })
    }
}

rule! {
    /// Chooses a mind's attack for a segment: the foe and mode that cost the foe most for each point spent, whatever
    /// defense it takes; what finishes a foe comes first.
    ///
    /// It guesses from the tables and knows nothing of the foes' modes. A table that wants another strategy wraps this
    /// rule; `@std/psionic` has some. More range is bought only where the foe is out of range otherwise.
    pub struct ChooseAttack;
}

impl Rule for ChooseAttack {
    const NAME: &'static str = "psionic.choose_attack";
    const SOURCE: &'static [&'static str] =
        &["first-edition PSI-CMB-05", "first-edition PSI-CMB-10", "first-edition PSI-ATK-04"];
    const EXAMPLE: &'static str = r#"{ mind = "Vey", attack_strength = 60, defense_strength = 60, attack_modes = { "mind_thrust", "ego_whip" }, foes = { { name = "Ulm", attack_strength = 50, defense_strength = 50, distance_inches = 3 } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ATTACK_MODES, &DEFENSE_MODES, &DAMAGE, &DEFENSELESS, &COLUMNS];
    type Args = ChooseAttackArgs;
    type Options = NoOptions;
    type Outcome = ChooseAttackOutcome;

    fn resolve(
        args: ChooseAttackArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ChooseAttackOutcome, RuleError> {
        let modes = referee.table(&ATTACK_MODES);
        let mut best: Option<(Prospect, usize, AttackMode, i64)> = None;
        for (place, foe) in args.foes.iter().enumerate() {
            for row in modes.iter().filter(|row| args.attack_modes.contains(&row.mode())) {
                let reach = (1..=3).find_map(|times| row.at(foe.distance_inches.get(), times).map(|at| (times, at)));
                let Some((times, at)) = reach.filter(|(_, (_, cost))| *cost <= args.attack_strength.get()) else {
                    continue;
                };
                let Some(prospect) = args.prospect(foe, row.mode(), at, referee).filter(|seen| seen.worth > 0) else {
                    continue;
                };
                if best.is_none_or(|(other, ..)| prospect.beats(other)) {
                    best = Some((prospect, place, row.mode(), times));
                }
            }
        }
        Ok(match best {
            None => ChooseAttackOutcome { attack_mode: None, target: None, range_multiplier: no_bought_range() },
            Some((_, place, mode, times)) => ChooseAttackOutcome {
                attack_mode: Some(mode),
                target: args.foes.get(place).map(|foe| foe.name.clone()),
                range_multiplier: Whole::clamped(times),
            },
        })
    }
}

/// An attack that was announced against a mind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Announcement {
    /// The mode.
    pub attack_mode: AttackMode,
    /// The attacker's psionic strength at the start of the segment.
    pub psionic_strength: Natural,
    /// How far the attack goes.
    pub range_band: RangeBand,
}

/// What `psionic.choose_defense` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseDefenseArgs {
    /// Whose choice it is.
    pub mind: Label,
    /// Its defense strength at the start of the segment.
    pub defense_strength: Natural,
    /// The defense modes it can use.
    pub defense_modes: List<DefenseMode, 0, 5>,
    /// The attack it announced itself, if any.
    #[serde(default)]
    pub attack_mode: Option<AttackMode>,
    /// The attacks announced against it.
    pub attacks: List<Announcement>,
}

/// The defense that is chosen; without a mode there is none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChooseDefenseOutcome {
    /// The mode.
    pub defense_mode: Option<DefenseMode>,
}

rule! {
    /// Chooses a mind's defense once the attacks are announced: of the modes it can pay for, the one whose cost and
    /// damage together are least, the cheaper of two that are alike. Nothing is spent where nobody attacks.
    ///
    /// Beside a Psychic Crush only Thought Shield comes into question. A table that wants another strategy wraps this
    /// rule.
    pub struct ChooseDefense;
}

impl Rule for ChooseDefense {
    const NAME: &'static str = "psionic.choose_defense";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-CMB-05", "first-edition PSI-ATK-07"];
    const EXAMPLE: &'static str = r#"{ mind = "Ulm", defense_strength = 50, defense_modes = { "mind_blank", "mental_barrier" }, attacks = { { attack_mode = "mind_thrust", psionic_strength = 120, range_band = "short" } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DEFENSE_MODES, &DAMAGE];
    type Args = ChooseDefenseArgs;
    type Options = NoOptions;
    type Outcome = ChooseDefenseOutcome;

    fn resolve(
        args: ChooseDefenseArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ChooseDefenseOutcome, RuleError> {
        if args.attacks.is_empty() {
            return Ok(ChooseDefenseOutcome { defense_mode: None });
        }
        let (modes, rows) = (referee.table(&DEFENSE_MODES), referee.table(&DAMAGE));
        let crushes = args.attack_mode == Some(AttackMode::PsychicCrush);
        let open_to = |mode| args.defense_modes.contains(&mode) && (!crushes || mode == DefenseMode::ThoughtShield);
        let coming: SmallVec<[Foreseen<'_>; 4]> = args
            .attacks
            .iter()
            .filter(|attack| attack.attack_mode != AttackMode::PsychicCrush)
            .map(|attack| Foreseen::of(&rows, attack.psionic_strength.get(), attack.attack_mode, attack.range_band))
            .collect();
        let loss = |mode| -> i64 { coming.iter().map(|attack| attack.damage(mode)).sum() };
        let best = modes
            .iter()
            .filter(|row| open_to(row.mode))
            .filter(|row| row.cost.get() <= args.defense_strength.get())
            .min_by_key(|row| (row.cost.get() + loss(row.mode), row.cost.get()));
        Ok(ChooseDefenseOutcome { defense_mode: best.map(|row| row.mode) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    fn attack(rest: &str, defense: i64, distance: i64) -> ChooseAttackOutcome {
        outcome::<ChooseAttack>(
            &format!(
                r#"{{"mind":"Vey","attack_strength":60,"defense_strength":60{rest},
                "foes":[{{"name":"Ulm","attack_strength":50,"defense_strength":{defense},"distance_inches":{distance}}}]}}"#
            ),
            &[],
        )
    }

    fn defense(rest: &str) -> Option<DefenseMode> {
        let args = format!(
            r#"{{"mind":"Ulm","defense_strength":50,"attacks":[{{"attack_mode":"id_insinuation",
            "psionic_strength":60,"range_band":"short"}}]{rest}}}"#
        );
        outcome::<ChooseDefense>(&args, &[]).defense_mode
    }

    #[test]
    fn range_is_bought_only_where_it_is_needed() {
        let modes = r#","attack_modes":["mind_thrust"]"#;
        assert_eq!(attack(modes, 50, 9).range_multiplier.get(), 1);
        assert_eq!(attack(modes, 50, 10).range_multiplier.get(), 2);
        assert_eq!(attack(modes, 50, 27).range_multiplier.get(), 3);
        assert_eq!(attack(modes, 50, 28).attack_mode, None);
    }

    #[test]
    fn a_crush_without_a_chance_is_kept_for_open_minds() {
        let crush = r#","attack_modes":["psychic_crush"]"#;
        assert_eq!(attack(crush, 50, 3).attack_mode, None);
        assert_eq!(attack(crush, 0, 3).attack_mode, Some(AttackMode::PsychicCrush));
        assert_eq!(
            attack(r#","attack_modes":["psychic_crush"],"crush_percent":5"#, 50, 3).target.as_deref(),
            Some("Ulm")
        );
    }

    #[test]
    fn the_defense_is_the_one_that_costs_least_in_all() {
        // By the book at strength 60: Id Insinuation costs Thought Shield 13 and Mind Blank more than the Barrier.
        let three = r#","defense_modes":["mind_blank","thought_shield","mental_barrier"]"#;
        let chosen = defense(three).unwrap();
        let loss = |mode: DefenseMode| {
            use crate::rules::psionic::defended::AttackDefended;
            let args = format!(
                r#"{{"attacker_psionic_strength":60,"attack_mode":"id_insinuation","defense_mode":{},"range_band":"short"}}"#,
                serde_json::to_string(&mode).unwrap()
            );
            outcome::<AttackDefended>(&args, &[]).defense_loss.unwrap()
        };
        let least = [DefenseMode::MindBlank, DefenseMode::ThoughtShield, DefenseMode::MentalBarrier].map(loss);
        assert_eq!(loss(chosen), least.into_iter().min().unwrap());
    }

    #[test]
    fn whoever_crushes_has_thought_shield_or_nothing() {
        let crushing = r#","attack_mode":"psychic_crush","defense_modes":["mind_blank","tower_of_iron_will"]"#;
        assert_eq!(defense(crushing), None);
        let shielded = r#","attack_mode":"psychic_crush","defense_modes":["mind_blank","thought_shield"]"#;
        assert_eq!(defense(shielded), Some(DefenseMode::ThoughtShield));
    }

    #[test]
    fn nothing_is_spent_on_a_defense_against_nobody() {
        let args = r#"{"mind":"Ulm","defense_strength":50,"defense_modes":["mind_blank"],"attacks":[]}"#;
        assert_eq!(outcome::<ChooseDefense>(args, &[]).defense_mode, None);
    }
}
