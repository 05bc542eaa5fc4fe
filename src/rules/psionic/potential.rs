//! Who is psionic, and how strong at first.
//! Source: first-edition PSI-VOC-01, PSI-DET-01 to PSI-DET-04, PSI-MOD-04.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{Forbidden, Only, Pools, Score, Scores, reasons};
use crate::rules::core::names::meant;
use crate::rules::core::{List, Modifier, NoOptions, Referee, Rule, RuleError};

// ---- the sum of the pools ----

/// The strength of a mind.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TotalStrengthOutcome {
    /// Attack strength and defense strength together.
    pub psionic_strength: i64,
}

rule! {
    /// Adds attack strength and defense strength to psionic strength: always what is left now, never a stored figure.
    pub struct TotalStrength;
}

impl Rule for TotalStrength {
    const NAME: &'static str = "psionic.total_strength";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-VOC-01"];
    const EXAMPLE: &'static str = "{ attack_strength = 60, defense_strength = 55 }";
    type Args = Pools;
    type Options = NoOptions;
    type Outcome = TotalStrengthOutcome;

    fn resolve(args: Pools, _: NoOptions, _: &mut Referee<'_>) -> Result<TotalStrengthOutcome, RuleError> {
        Ok(TotalStrengthOutcome { psionic_strength: args.attack_strength.get() + args.defense_strength.get() })
    }
}

// ---- the gate ----

/// The switches of eligibility.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EligibleOptions {
    /// The races that may be psionic. The source is sure of humans only; dwarves and halflings are the next step,
    /// elves its rarity.
    pub races: List<String>,
}

impl Default for EligibleOptions {
    fn default() -> Self {
        EligibleOptions { races: List::new(vec!["human".into()]).unwrap_or_default() }
    }
}

/// What items add to scores; it counts for nothing here.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ItemScores {
    /// Added to intelligence.
    pub int: Modifier,
    /// Added to wisdom.
    pub wis: Modifier,
    /// Added to charisma.
    pub cha: Modifier,
}

/// What `psionic.eligible` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EligibleArgs {
    /// The race, as the switch `races` spells it.
    pub race: String,
    /// Intelligence, natural.
    pub int: Score,
    /// Wisdom, natural.
    pub wis: Score,
    /// Charisma, natural.
    pub cha: Score,
    /// What items add to the scores; passed over, since natural scores count (PSI-MOD-04).
    #[serde(default)]
    pub items: ItemScores,
}

/// Why somebody may not be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ineligible {
    /// The race is not among those that may be psionic.
    Race,
    /// No score of 16.
    Ability,
}

/// Whether somebody may be tested.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EligibleOutcome {
    /// Whether the character may be tested for psionics.
    pub eligible: bool,
    /// Why not.
    pub reason: Option<Ineligible>,
}

rule! {
    /// Says whether a starting character may be tested for psionics: an allowed race, and intelligence, wisdom or
    /// charisma of 16 or more, natural.
    pub struct Eligible;
}

impl Rule for Eligible {
    const NAME: &'static str = "psionic.eligible";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DET-01", "first-edition PSI-MOD-04"];
    const EXAMPLE: &'static str = r#"{ race = "human", int = 16, wis = 10, cha = 9 }"#;
    type Args = EligibleArgs;
    type Options = EligibleOptions;
    type Outcome = EligibleOutcome;

    fn resolve(
        args: EligibleArgs,
        options: EligibleOptions,
        _: &mut Referee<'_>,
    ) -> Result<EligibleOutcome, RuleError> {
        let EligibleArgs { race, int, wis, cha, items: _ } = args;
        if race.is_empty() {
            return Err(RuleError::missing("race"));
        }
        let reason = if meant(&race, options.races.iter().map(String::as_str)).is_none() {
            Some(Ineligible::Race)
        } else if !(Scores { int, wis, cha }).suffice() {
            Some(Ineligible::Ability)
        } else {
            None
        };
        Ok(EligibleOutcome { eligible: reason.is_none(), reason })
    }
}

// ---- the test ----

/// When fractions of a point are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fraction {
    /// From the sum of the three additions.
    #[default]
    Sum,
    /// From each addition by itself.
    Each,
}

/// The switches of the test.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TestPotentialOptions {
    /// When fractions are dropped (PSI-DET-02).
    pub fraction: Fraction,
}

reasons! {
    /// Why the test does not take place.
    NoTest: NoAbility16
}

/// How the test went.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct TestPotentialOutcome {
    /// Whether a score of 16 or more let the test take place.
    pub allowed: bool,
    /// Why it did not.
    #[schemars(with = "Option<Only<NoTest>>")]
    pub reason: Option<Forbidden>,
    /// What d100 showed.
    pub roll: Option<i64>,
    /// What the scores add, with its half points.
    pub modifier: Option<f64>,
    /// The roll and the modifier, fractions dropped.
    pub total: Option<i64>,
    /// Whether the total reached 100.
    pub psionic: Option<bool>,
}

/// Half points for each point above 16: of intelligence, wisdom, charisma (PSI-DET-02).
const HALF_POINTS: [i64; 3] = [5, 3, 1];

rule! {
    /// Rolls d100 for psionics: 2.5 more for each point of intelligence above 16, 1.5 of wisdom, 0.5 of charisma; 100
    /// or more makes a psionic.
    pub struct TestPotential;
}

impl Rule for TestPotential {
    const NAME: &'static str = "psionic.test_potential";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DET-02"];
    const EXAMPLE: &'static str = "{ int = 17, wis = 16, cha = 12 }";
    type Args = Scores;
    type Options = TestPotentialOptions;
    type Outcome = TestPotentialOutcome;

    fn resolve(
        args: Scores,
        options: TestPotentialOptions,
        referee: &mut Referee<'_>,
    ) -> Result<TestPotentialOutcome, RuleError> {
        if !args.suffice() {
            return Ok(TestPotentialOutcome { reason: Some(Forbidden::NoAbility16), ..Default::default() });
        }
        // Counted in half points, to stay exact.
        let halves = args.each().into_iter().zip(HALF_POINTS).map(|(score, halves)| halves * (score - 16).max(0));
        let sum: i64 = halves.clone().sum();
        let whole = match options.fraction {
            Fraction::Sum => sum.div_euclid(2),
            Fraction::Each => halves.map(|term| term.div_euclid(2)).sum(),
        };
        referee.need(|| format!("at least {} on d100, for 100 with the scores", 100 - whole));
        let roll = referee.d(100, "psionic potential")?;
        referee.modifier(whole, "scores above 16, fractions dropped (PSI-DET-02)");
        let total = roll + whole;
        Ok(TestPotentialOutcome {
            allowed: true,
            reason: None,
            roll: Some(roll),
            modifier: Some(sum as f64 / 2.0),
            total: Some(total),
            psionic: Some(total >= 100),
        })
    }
}

// ---- the first strengths ----

/// What the scores add to the base of both pools (PSI-DET-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StrengthBonus {
    /// A point for each point above 12.
    pub points: i64,
    /// 1; 2 when exactly two scores exceed 16; 4 when all three do.
    pub multiplier: i64,
}

impl StrengthBonus {
    /// The bonus of these scores. The printed most, 72, holds for scores to 18; higher ones go past it, since the source
    /// states no cap.
    pub fn of(scores: Scores) -> Self {
        let points = scores.each().iter().map(|score| (score - 12).max(0)).sum();
        let multiplier = match scores.each().iter().filter(|&&score| score > 16).count() {
            3 => 4,
            2 => 2,
            _ => 1,
        };
        StrengthBonus { points, multiplier }
    }

    /// Points times multiplier.
    pub fn total(self) -> i64 {
        self.points * self.multiplier
    }
}

reasons! {
    /// Why there is no strength to roll.
    NoStrength: NoAbility16
}

/// The strengths of a new psionic.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct StartingStrengthOutcome {
    /// Whether a score of 16 or more lets the character be psionic.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<NoStrength>>")]
    pub reason: Option<Forbidden>,
    /// What d100 showed. Keep it: later changes of the scores need it (PSI-DET-05).
    pub base_roll: Option<i64>,
    /// A point for each point of intelligence, wisdom and charisma above 12.
    pub bonus_points: Option<i64>,
    /// 2 when two of the scores exceed 16, 4 when all three do, else 1.
    pub multiplier: Option<i64>,
    /// Points times multiplier.
    pub strength_bonus: Option<i64>,
    /// Base and bonus; also the most the pool holds.
    pub attack_strength: Option<i64>,
    /// Base and bonus; also the most the pool holds.
    pub defense_strength: Option<i64>,
    /// Both together.
    pub psionic_strength: Option<i64>,
}

rule! {
    /// Rolls the strengths of a new psionic: d100 and a bonus for the scores, the same for attack and for defense.
    pub struct StartingStrength;
}

impl Rule for StartingStrength {
    const NAME: &'static str = "psionic.starting_strength";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DET-03", "first-edition PSI-VOC-01"];
    const EXAMPLE: &'static str = "{ int = 17, wis = 17, cha = 16 }";
    type Args = Scores;
    type Options = NoOptions;
    type Outcome = StartingStrengthOutcome;

    fn resolve(args: Scores, _: NoOptions, referee: &mut Referee<'_>) -> Result<StartingStrengthOutcome, RuleError> {
        if !args.suffice() {
            return Ok(StartingStrengthOutcome { reason: Some(Forbidden::NoAbility16), ..Default::default() });
        }
        let bonus = StrengthBonus::of(args);
        let base = referee.d(100, "base strength")?;
        referee.modifier(bonus.total(), "scores above 12 (PSI-DET-03)");
        let strength = base + bonus.total();
        Ok(StartingStrengthOutcome {
            allowed: true,
            reason: None,
            base_roll: Some(base),
            bonus_points: Some(bonus.points),
            multiplier: Some(bonus.multiplier),
            strength_bonus: Some(bonus.total()),
            attack_strength: Some(strength),
            defense_strength: Some(strength),
            psionic_strength: Some(2 * strength),
        })
    }
}

// ---- the test after a rise ----

/// What `psionic.retest_potential` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetestPotentialArgs {
    /// The natural scores before the change.
    pub old_scores: Scores,
    /// The natural scores after it.
    pub new_scores: Scores,
    /// Whether the character is psionic already.
    #[serde(default)]
    pub psionic: bool,
}

reasons! {
    /// Why nobody is tested.
    NoRetest: AlreadyPsionic
}

/// How the new test went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RetestPotentialOutcome {
    /// Whether this is a character to test: not for one that is psionic already.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<NoRetest>>")]
    pub reason: Option<Forbidden>,
    /// Whether a rise to or with a 16 gave occasion for a roll.
    pub tested: bool,
    /// The total of the roll.
    pub total: Option<i64>,
    /// Whether the character is psionic now.
    pub psionic: bool,
}

rule! {
    /// Tests again when intelligence, wisdom or charisma rises for good: a whole new roll with the new scores.
    ///
    /// A rise of one with a fall of another is a rise; without a 16 among the new scores there is no roll.
    pub struct RetestPotential;
}

impl Rule for RetestPotential {
    const NAME: &'static str = "psionic.retest_potential";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DET-04"];
    const EXAMPLE: &'static str =
        "{ old_scores = { int = 15, wis = 10, cha = 10 }, new_scores = { int = 16, wis = 10, cha = 10 } }";
    type Args = RetestPotentialArgs;
    type Options = NoOptions;
    type Outcome = RetestPotentialOutcome;

    fn resolve(
        args: RetestPotentialArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<RetestPotentialOutcome, RuleError> {
        let RetestPotentialArgs { old_scores, new_scores, psionic } = args;
        let untested = |allowed: bool| RetestPotentialOutcome {
            allowed,
            reason: (!allowed).then_some(Forbidden::AlreadyPsionic),
            tested: false,
            total: None,
            psionic,
        };
        if psionic {
            return Ok(untested(false));
        }
        let rose = old_scores.each().iter().zip(new_scores.each()).any(|(old, new)| new > *old);
        if !rose || !new_scores.suffice() {
            return Ok(untested(true));
        }
        let test = referee.call::<TestPotential>(new_scores)?;
        let psionic = test.psionic.unwrap_or_default();
        Ok(RetestPotentialOutcome { allowed: true, reason: None, tested: test.allowed, total: test.total, psionic })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn three_eighteens_need_a_ninety_one() {
        let args = r#"{"int":18,"wis":18,"cha":18}"#;
        assert_eq!(outcome::<TestPotential>(args, &[90]).psionic, Some(false));
        assert_eq!(outcome::<TestPotential>(args, &[91]).psionic, Some(true));
    }

    #[test]
    fn without_a_sixteen_no_die_is_rolled() {
        let args = r#"{"int":15,"wis":15,"cha":15}"#;
        assert_eq!(outcome::<TestPotential>(args, &[]).reason, Some(Forbidden::NoAbility16));
        assert_eq!(
            resolved("psionic.starting_strength", args, &[]).unwrap().to_string(),
            r#"{ allowed = false, reason = "no_ability_16" }"#
        );
    }

    #[test]
    fn strength_runs_from_ten_to_three_hundred_forty_four() {
        let least = outcome::<StartingStrength>(r#"{"int":16,"wis":3,"cha":3}"#, &[1]);
        let most = outcome::<StartingStrength>(r#"{"int":18,"wis":18,"cha":18}"#, &[100]);
        assert_eq!((least.psionic_strength, most.psionic_strength), (Some(10), Some(344)));
    }

    #[test]
    fn dropping_each_fraction_costs_a_point() {
        let each = r#"{"int":17,"wis":10,"cha":17,"options":{"fraction":"each"}}"#;
        assert_eq!(outcome::<TestPotential>(each, &[97]).total, Some(99));
        assert_eq!(outcome::<TestPotential>(r#"{"int":17,"wis":10,"cha":17}"#, &[97]).total, Some(100));
    }

    #[test]
    fn whoever_is_psionic_is_not_tested_again() {
        let args =
            r#"{"old_scores":{"int":16,"wis":9,"cha":9},"new_scores":{"int":17,"wis":9,"cha":9},"psionic":true}"#;
        let outcome = outcome::<RetestPotential>(args, &[]);
        assert_eq!((outcome.allowed, outcome.reason), (false, Some(Forbidden::AlreadyPsionic)));
        assert!(outcome.psionic);
    }

    #[test]
    fn a_score_below_one_is_no_score() {
        let error = resolved("psionic.eligible", r#"{"race":"human","int":0,"wis":10,"cha":10}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("int"));
    }
}
