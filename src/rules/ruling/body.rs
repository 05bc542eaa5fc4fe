//! Hit points, death and experience in the rulebooks' examples.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    Any, AnyTable, Keyed, Natural, NoOptions, Positive, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of,
};
use crate::rules::fraction::Fraction;

/// Hit points at which a character is dead (RULING-15).
const DEAD_AT: i64 = -10;

/// What `ruling.constitution_hit_points` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConstitutionArgs {
    /// The level.
    pub level: Positive,
    /// The most hit dice of the class: 9 for a fighter.
    pub max_hit_dice: Whole<1, 100>,
    /// What constitution gives each die, -3 to 7.
    pub bonus_per_hit_die: Whole<-3, 7>,
    /// Hit dice at first level: 1, or 2 for rangers and monks.
    #[serde(default = "one")]
    pub dice_at_first_level: Whole<1, 2>,
}

fn one() -> Whole<1, 2> {
    Whole::clamped(1)
}

/// What constitution gives.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConstitutionOutcome {
    /// Hit dice at that level.
    pub hit_dice: i64,
    /// Hit points from constitution in all.
    pub bonus_hit_points: i64,
}

rule! {
    /// Works out hit points from constitution: the bonus is for each hit die, not for each level, and stops with the
    /// last die. (The source gives 27 to both its examples; with +4 a die it is 36.)
    pub struct ConstitutionHitPoints;
}

impl Rule for ConstitutionHitPoints {
    const NAME: &'static str = "ruling.constitution_hit_points";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-05"];
    const EXAMPLE: &'static str = "{ level = 10, max_hit_dice = 9, bonus_per_hit_die = 3 }";
    type Args = ConstitutionArgs;
    type Options = NoOptions;
    type Outcome = ConstitutionOutcome;

    fn resolve(args: ConstitutionArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<ConstitutionOutcome, RuleError> {
        let hit_dice = (args.level.get() + args.dice_at_first_level.get() - 1).min(args.max_hit_dice.get());
        Ok(ConstitutionOutcome { hit_dice, bonus_hit_points: hit_dice * args.bonus_per_hit_die.get() })
    }
}

/// The switches of unconsciousness.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ConsciousnessOptions {
    /// The hit points at which a character falls unconscious from the one blow that brought it so low: 0, or down to -3.
    pub unconscious_at: Whole<-3, 0>,
}

impl Default for ConsciousnessOptions {
    fn default() -> Self {
        ConsciousnessOptions { unconscious_at: Whole::clamped(0) }
    }
}

/// What `ruling.consciousness` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConsciousnessArgs {
    /// Hit points now, below 0 if need be.
    pub hp: Any,
    /// Whether they are the work of the blow that brought the character to 0 or below; by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub same_blow: bool,
}

/// How somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Consciousness {
    /// Awake.
    Conscious,
    /// Unconscious, and losing a hit point a round.
    Unconscious,
    /// Dead.
    Dead,
}

/// Whether somebody is awake, unconscious or dead.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConsciousnessOutcome {
    /// Which.
    pub status: Consciousness,
    /// Rounds until death without help, when unconscious.
    pub rounds_to_death: Option<i64>,
}

rule! {
    /// Tells whether a character is awake, unconscious (at 0 or below, losing a hit point a round) or dead (at -10).
    pub struct ConsciousnessRuling;
}

impl Rule for ConsciousnessRuling {
    const NAME: &'static str = "ruling.consciousness";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-15"];
    const EXAMPLE: &'static str = "{ hp = -2 }";
    type Args = ConsciousnessArgs;
    type Options = ConsciousnessOptions;
    type Outcome = ConsciousnessOutcome;

    fn resolve(
        args: ConsciousnessArgs,
        options: ConsciousnessOptions,
        _: &mut Referee<'_>,
    ) -> Result<ConsciousnessOutcome, RuleError> {
        let hp = args.hp.get();
        let falls_at = if args.same_blow { options.unconscious_at.get() } else { 0 };
        let status = match hp {
            hp if hp <= DEAD_AT => Consciousness::Dead,
            hp if hp <= falls_at => Consciousness::Unconscious,
            _ => Consciousness::Conscious,
        };
        let rounds_to_death = (status == Consciousness::Unconscious).then_some(hp - DEAD_AT);
        Ok(ConsciousnessOutcome { status, rounds_to_death })
    }
}

/// The walking dead that the spell makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnimatedKind {
    /// From bones.
    Skeleton,
    /// From a corpse.
    Zombie,
}

/// The dice of one kind of animated dead.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AnimatedRow {
    kind: AnimatedKind,
    dice: Whole<1, 100>,
    sides: Whole<2, 100>,
}

impl Keyed for AnimatedRow {
    type Key = AnimatedKind;
    const KEYS: &'static [AnimatedKind] = &[AnimatedKind::Skeleton, AnimatedKind::Zombie];
    fn key(&self) -> AnimatedKind {
        self.kind
    }
}

static ANIMATED: Table<AnimatedRow> =
    Table::new("animated_dead", include_str!("../data/animated_dead.json"), one_row_each);

/// What further hit dice of the creature become (RULING-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnimateReading {
    /// A hit point each.
    #[default]
    Flat,
    /// A die each, as the rulebook has it.
    Dice,
}

/// The switches of animated dead.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AnimateDeadOptions {
    /// What further hit dice of the creature become.
    pub reading: AnimateReading,
}

/// What `ruling.animate_dead` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AnimateDeadArgs {
    /// Skeleton or zombie.
    pub kind: AnimatedKind,
    /// Hit dice the creature had in life, 1 to 1,000.
    pub creature_hit_dice: Whole<1, 1_000>,
}

/// The hit points of animated dead.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AnimateDeadOutcome {
    /// Dice rolled.
    pub dice: i64,
    /// Hit points added to them.
    pub add: i64,
    /// Hit points.
    pub hp: i64,
}

rule! {
    /// Rolls hit points for the animated dead of a large creature: the usual dice, and a hit point for each hit die
    /// above one.
    pub struct AnimateDead;
}

impl Rule for AnimateDead {
    const NAME: &'static str = "ruling.animate_dead";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-11"];
    const EXAMPLE: &'static str = r#"{ kind = "skeleton", creature_hit_dice = 11 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ANIMATED];
    type Args = AnimateDeadArgs;
    type Options = AnimateDeadOptions;
    type Outcome = AnimateDeadOutcome;

    fn resolve(
        args: AnimateDeadArgs,
        options: AnimateDeadOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AnimateDeadOutcome, RuleError> {
        let rows = referee.table(&ANIMATED);
        let row = row_of(&rows, args.kind)?;
        let further = args.creature_hit_dice.get() - 1;
        let (dice, add) = match options.reading {
            AnimateReading::Flat => (row.dice.get(), further),
            AnimateReading::Dice => (row.dice.get() + further, 0),
        };
        let rolled = referee.total(dice as u32, row.sides.get() as u32, "hit points")?;
        Ok(AnimateDeadOutcome { dice, add, hp: rolled.sum + add })
    }
}

/// What `ruling.assassination_experience` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssassinationArgs {
    /// The award for a victim of that level.
    pub victim_award: Natural,
    /// The award for levels that the victim was above the assassin.
    pub level_award: Natural,
    /// Experience for the kill as for anybody.
    pub kill_xp: Natural,
    /// How hard the mission was: 0 or more, `0.5` or `"1/2"` for a simple one, which surprise in an ordinary fight counts
    /// as and which is meant when it is not given.
    #[serde(default = "simple_mission")]
    pub multiplier: Fraction,
}

fn simple_mission() -> Fraction {
    Fraction::new(1u8, 2u8).unwrap_or_else(|| Fraction::whole(1))
}

/// Experience for an assassination.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssassinationOutcome {
    /// For the assassination, a part of a point dropped.
    pub assassination_xp: i64,
    /// With the kill.
    pub total_xp: i64,
}

rule! {
    /// Works out experience for an assassination: both awards times the mission's factor, and the kill on top.
    pub struct AssassinationExperience;
}

impl Rule for AssassinationExperience {
    const NAME: &'static str = "ruling.assassination_experience";
    const SOURCE: &'static [&'static str] = &["first-edition RULING-10"];
    const EXAMPLE: &'static str = "{ victim_award = 1000, level_award = 100, kill_xp = 2400 }";
    type Args = AssassinationArgs;
    type Options = NoOptions;
    type Outcome = AssassinationOutcome;

    fn resolve(args: AssassinationArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<AssassinationOutcome, RuleError> {
        let award = (args.victim_award.get() + args.level_award.get()).unsigned_abs();
        let earned = Fraction::new(award, 1u8).map(|award| award.times(&args.multiplier).floor());
        // Half of what a number holds, so that the kill still fits on top.
        let assassination_xp = earned.and_then(|earned| i64::try_from(earned).ok()).filter(|xp| *xp < i64::MAX / 2);
        let assassination_xp = assassination_xp.ok_or_else(|| {
            RuleError::out_of_range("multiplier", "makes more points than can be counted; give a smaller one")
        })?;
        Ok(AssassinationOutcome { assassination_xp, total_xp: assassination_xp + args.kill_xp.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_tenth_level_fighter_has_nine_dice_of_constitution() {
        let bonus = |die| {
            let args = format!(r#"{{"level":10,"max_hit_dice":9,"bonus_per_hit_die":{die}}}"#);
            outcome::<ConstitutionHitPoints>(&args, &[]).bonus_hit_points
        };
        assert_eq!((bonus(3), bonus(4)), (27, 36));
    }

    #[test]
    fn eight_less_ten_is_not_dead() {
        let fallen = outcome::<ConsciousnessRuling>(r#"{"hp":-2}"#, &[]);
        assert_eq!((fallen.status, fallen.rounds_to_death), (Consciousness::Unconscious, Some(8)));
        assert_eq!(outcome::<ConsciousnessRuling>(r#"{"hp":-10}"#, &[]).status, Consciousness::Dead);
    }

    #[test]
    fn only_the_one_blow_lets_a_character_stand_below_zero() {
        let status = |same_blow| {
            let args = format!(r#"{{"hp":-2,"same_blow":{same_blow},"options":{{"unconscious_at":-3}}}}"#);
            outcome::<ConsciousnessRuling>(&args, &[]).status
        };
        assert_eq!(status(true), Consciousness::Conscious);
        assert_eq!(status(false), Consciousness::Unconscious);
    }

    #[test]
    fn a_fire_giants_skeleton_has_a_die_and_ten() {
        let dead = outcome::<AnimateDead>(r#"{"kind":"skeleton","creature_hit_dice":11}"#, &[5]);
        assert_eq!((dead.dice, dead.add, dead.hp), (1, 10, 15));
    }

    #[test]
    fn a_simple_mission_halves_the_awards_and_drops_the_half() {
        let args = r#""victim_award":1001,"level_award":100,"kill_xp":2400"#;
        let xp = |rest| outcome::<AssassinationExperience>(&format!("{{{args}{rest}}}"), &[]).assassination_xp;
        assert_eq!(xp(""), 550);
        assert_eq!(xp(r#","multiplier":2"#), 2202);
        assert_eq!(xp(r#","multiplier":"3/4""#), 825);
    }

    #[test]
    fn a_factor_beyond_counting_is_refused() {
        let args = r#"{"victim_award":1000,"level_award":0,"kill_xp":0,"multiplier":"99999999999999999999"}"#;
        let error = resolved("ruling.assassination_experience", args, &[]).unwrap_err();
        assert_eq!(error.field(), Some("multiplier"));
    }
}
