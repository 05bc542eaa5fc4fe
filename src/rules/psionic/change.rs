//! What changes psionics later: scores that rise or fall, wishes, items.
//! Source: first-edition PSI-DET-05 to PSI-DET-07, PSI-MOD-01 to PSI-MOD-04.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blast::{ADJUSTMENTS, SaveModifier, adjustment};
use super::keyed;
use super::names::{AttackMode, Forbidden, Only, Pools, Score, Scores, reasons};
use super::potential::{ItemScores, StrengthBonus};
use crate::rules::core::{
    AnyTable, List, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of,
};

// ---- a permanent change of the scores ----

/// The strengths on record from when the last 16 was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StrengthRecord {
    /// Attack strength when psionics were lost.
    pub attack_strength: Natural,
    /// Defense strength when psionics were lost.
    pub defense_strength: Natural,
    /// The scores to which those strengths belong; without them the strengths come back as they are.
    #[serde(default)]
    pub scores: Option<Scores>,
}

/// What `psionic.adjust_strength` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AdjustStrengthArgs {
    /// The base that d100 gave when the character became psionic.
    pub base_roll: Whole<1, 100>,
    /// The natural scores before the change.
    pub old_scores: Scores,
    /// The natural scores after it.
    pub new_scores: Scores,
    /// The pools before the change.
    pub current: Pools,
    /// The record of a lost 16, as this rule gave it; when a restored 16 finds no record, the pools in `current` count
    /// as recorded.
    #[serde(default)]
    pub record: Option<StrengthRecord>,
}

reasons! {
    /// Why there is nothing to adjust.
    NotPsionic: NoAbility16
}

/// The strengths after a change of the scores.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct AdjustStrengthOutcome {
    /// Whether there was anything to adjust: not for someone without a 16 before and after.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<NotPsionic>>")]
    pub reason: Option<Forbidden>,
    /// Whether the character is psionic now.
    pub psionic: Option<bool>,
    /// Whether the last 16 went, and psionics with it, for as long as the change lasts.
    pub ability_lost: Option<bool>,
    /// Whether a 16 came back, and psionics with it.
    pub ability_restored: Option<bool>,
    /// The bonus that the pools had from the scores.
    pub old_bonus: Option<i64>,
    /// The bonus of the new scores.
    pub new_bonus: Option<i64>,
    /// By how much both pools moved.
    pub delta: Option<i64>,
    /// The most that attack strength now holds.
    pub max_attack_strength: Option<i64>,
    /// The most that defense strength now holds.
    pub max_defense_strength: Option<i64>,
    /// Attack strength now; it stops at 0.
    pub attack_strength: Option<i64>,
    /// Defense strength now; it stops at 0.
    pub defense_strength: Option<i64>,
    /// What to keep when psionics are lost, for the day a 16 is restored. Modes and disciplines stay on record too.
    pub record: Option<StrengthRecord>,
}

rule! {
    /// Refigures the strengths of a psionic whose scores changed for good, by age or otherwise: the same base, the new
    /// bonus, both pools moved by the difference.
    ///
    /// Without a 16 the ability is suspended and its strengths go on record; a restored 16 brings the recorded
    /// strengths back. The base is not rolled again.
    pub struct AdjustStrength;
}

impl Rule for AdjustStrength {
    const NAME: &'static str = "psionic.adjust_strength";
    const SOURCE: &'static [&'static str] =
        &["first-edition PSI-DET-05", "first-edition PSI-DET-06", "first-edition PSI-MOD-02"];
    const EXAMPLE: &'static str = "{ base_roll = 40, old_scores = { int = 17, wis = 17, cha = 16 }, \
        new_scores = { int = 17, wis = 17, cha = 17 }, current = { attack_strength = 10, defense_strength = 10 } }";
    type Args = AdjustStrengthArgs;
    type Options = NoOptions;
    type Outcome = AdjustStrengthOutcome;

    fn resolve(
        args: AdjustStrengthArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AdjustStrengthOutcome, RuleError> {
        let AdjustStrengthArgs { base_roll, old_scores, new_scores, current, record } = args;
        let Pools { attack_strength, defense_strength } = current;
        let had = old_scores.suffice();
        if !new_scores.suffice() {
            if !had {
                return Ok(AdjustStrengthOutcome { reason: Some(Forbidden::NoAbility16), ..Default::default() });
            }
            return Ok(AdjustStrengthOutcome {
                allowed: true,
                psionic: Some(false),
                ability_lost: Some(true),
                ability_restored: Some(false),
                record: Some(StrengthRecord { attack_strength, defense_strength, scores: Some(old_scores) }),
                ..Default::default()
            });
        }
        let now = StrengthRecord { attack_strength, defense_strength, scores: None };
        let (from, old_scores) = if had {
            (now, old_scores)
        } else {
            let kept = record.unwrap_or(now);
            (kept, kept.scores.unwrap_or(new_scores))
        };
        let (old_bonus, new_bonus) = (StrengthBonus::of(old_scores).total(), StrengthBonus::of(new_scores).total());
        let delta = new_bonus - old_bonus;
        referee.modifier(delta, "to both pools, by the change of the scores (PSI-DET-05)");
        let most = base_roll.get() + new_bonus;
        Ok(AdjustStrengthOutcome {
            allowed: true,
            reason: None,
            psionic: Some(true),
            ability_lost: Some(false),
            ability_restored: Some(!had),
            old_bonus: Some(old_bonus),
            new_bonus: Some(new_bonus),
            delta: Some(delta),
            max_attack_strength: Some(most),
            max_defense_strength: Some(most),
            attack_strength: Some((from.attack_strength.get() + delta).max(0)),
            defense_strength: Some((from.defense_strength.get() + delta).max(0)),
            record: None,
        })
    }
}

// ---- wishes ----

/// What a wish for psionics gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WishGrants {
    /// Psionics outright: strength, modes and disciplines are rolled next.
    #[default]
    Ability,
    /// The potential: the test still has to succeed.
    Check,
}

/// The switches of a wish.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WishOptions {
    /// What a wish for psionics gives (PSI-DET-07).
    pub wish_grants: WishGrants,
}

/// What is wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WishAction {
    /// Give psionics.
    Grant,
    /// Take psionics away.
    Remove,
    /// Make immune to attack modes.
    Immunity,
}

/// What `psionic.wish` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WishArgs {
    /// What is wished.
    pub action: WishAction,
    /// Intelligence, natural; for a grant.
    #[serde(default)]
    pub int: Option<Score>,
    /// Wisdom, natural; for a grant.
    #[serde(default)]
    pub wis: Option<Score>,
    /// Charisma, natural; for a grant.
    #[serde(default)]
    pub cha: Option<Score>,
    /// The attack modes to be immune to, each once; for an immunity.
    #[serde(default)]
    pub immune_to: Option<List<AttackMode, 0, 5>>,
}

reasons! {
    /// Why a wish cannot do it.
    WishInVain: NoAbility16
}

/// What the wish brings.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct WishOutcome {
    /// Whether the wish can do it.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<WishInVain>>")]
    pub reason: Option<Forbidden>,
    /// Of a grant: whether the wish gives psionics; not yet where the test for them still has to succeed.
    pub granted: Option<bool>,
    /// Of a grant: whether the test for psionics still has to succeed.
    pub check_required: Option<bool>,
    /// Of a removal: false.
    pub psionic: Option<bool>,
    /// Of an immunity: the modes.
    pub immune_to: Option<List<AttackMode, 0, 5>>,
    /// Of an immunity: how many wishes it takes, one for each mode.
    pub wishes: Option<i64>,
    /// Of an immunity: whether disciplines may still be used; not by one immune to all five modes.
    pub disciplines_usable: Option<bool>,
}

impl WishArgs {
    fn scores(&self) -> Result<Scores, RuleError> {
        let needed = |score: Option<Score>, name: &str| score.ok_or_else(|| RuleError::missing(name));
        Ok(Scores { int: needed(self.int, "int")?, wis: needed(self.wis, "wis")?, cha: needed(self.cha, "cha")? })
    }
}

/// The first mode of a list that stands there twice is an error at its place.
pub(super) fn each_once<M: PartialEq + Copy>(modes: &[M], field: &str) -> Result<(), RuleError> {
    match modes.iter().enumerate().find(|(place, mode)| modes[..*place].contains(mode)) {
        None => Ok(()),
        Some((place, _)) => {
            Err(RuleError::invalid(&format!("{field}[{}]", place + 1), "is there twice; name each mode once"))
        }
    }
}

rule! {
    /// A wish gives psionics to a creature with a 16, takes them away, or makes immune to one attack mode for each
    /// wish.
    pub struct Wish;
}

impl Rule for Wish {
    const NAME: &'static str = "psionic.wish";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-DET-07", "first-edition PSI-MOD-01"];
    const EXAMPLE: &'static str = r#"{ action = "immunity", immune_to = { "ego_whip" } }"#;
    type Args = WishArgs;
    type Options = WishOptions;
    type Outcome = WishOutcome;

    fn resolve(args: WishArgs, options: WishOptions, _: &mut Referee<'_>) -> Result<WishOutcome, RuleError> {
        match args.action {
            WishAction::Grant => {
                let allowed = args.scores()?.suffice();
                let checked = options.wish_grants == WishGrants::Check;
                Ok(WishOutcome {
                    allowed,
                    reason: (!allowed).then_some(Forbidden::NoAbility16),
                    granted: Some(allowed && !checked),
                    check_required: allowed.then_some(checked),
                    ..Default::default()
                })
            }
            WishAction::Remove => Ok(WishOutcome { allowed: true, psionic: Some(false), ..Default::default() }),
            WishAction::Immunity => {
                let modes = args.immune_to.ok_or_else(|| RuleError::missing("immune_to"))?;
                each_once(&modes, "immune_to")?;
                Ok(WishOutcome {
                    allowed: true,
                    wishes: Some(modes.len() as i64),
                    disciplines_usable: Some(modes.len() < AttackMode::ALL.len()),
                    immune_to: Some(modes),
                    ..Default::default()
                })
            }
        }
    }
}

// ---- items ----

/// An item that lends psionic strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StrengthItem {
    /// The helm of telepathy.
    HelmOfTelepathy,
    /// A dull gray ioun stone.
    DullGrayIounStone,
}

/// What an item lends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ItemRow {
    item: StrengthItem,
    strength: Natural,
    most: Natural,
}

/// Psionic strength from items (PSI-MOD-03).
static ITEMS: Table<ItemRow> = Table::new("psionic_items", include_str!("../data/psionic_items.json"), one_row_each);

keyed!(ItemRow, item: StrengthItem, [StrengthItem::HelmOfTelepathy, StrengthItem::DullGrayIounStone]);

/// What `psionic.item_strength` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ItemStrengthArgs {
    /// Whether a helm of telepathy is worn.
    #[serde(default)]
    pub helm_of_telepathy: bool,
    /// How many dull gray ioun stones there are.
    #[serde(default)]
    pub ioun_stones: Natural,
}

/// What the items lend.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ItemStrengthOutcome {
    /// Psionic strength in all. It is spent before one's own and recovers beside it at the same rate.
    pub bonus: i64,
    /// The half that is attack strength.
    pub attack_strength: i64,
    /// The half that is defense strength.
    pub defense_strength: i64,
    /// What the helm adds to saves against Psionic Blast.
    pub save_aid: i64,
}

rule! {
    /// Counts the strength that a helm of telepathy and dull gray ioun stones lend, half to each pool; stones give 50
    /// at most, the helm comes on top.
    pub struct ItemStrength;
}

impl Rule for ItemStrength {
    const NAME: &'static str = "psionic.item_strength";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-MOD-03"];
    const EXAMPLE: &'static str = "{ helm_of_telepathy = true, ioun_stones = 3 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&ITEMS, &ADJUSTMENTS];
    type Args = ItemStrengthArgs;
    type Options = NoOptions;
    type Outcome = ItemStrengthOutcome;

    fn resolve(
        args: ItemStrengthArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ItemStrengthOutcome, RuleError> {
        let rows = referee.table(&ITEMS);
        let lent = |item, count: i64| -> Result<i64, RuleError> {
            let row = row_of(&rows, item)?;
            Ok((row.strength.get() * count).min(row.most.get()))
        };
        let helm = lent(StrengthItem::HelmOfTelepathy, i64::from(args.helm_of_telepathy))?;
        let bonus = helm + lent(StrengthItem::DullGrayIounStone, args.ioun_stones.get())?;
        let save_aid = if args.helm_of_telepathy { adjustment(referee, SaveModifier::HelmOfTelepathy)? } else { 0 };
        let defense_strength = bonus / 2;
        Ok(ItemStrengthOutcome { bonus, attack_strength: bonus - defense_strength, defense_strength, save_aid })
    }
}

/// What `psionic.scores` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScoresArgs {
    /// The natural scores, permanent changes included.
    pub natural: Scores,
    /// What items add to them; passed over.
    #[serde(default)]
    pub items: ItemScores,
}

/// The scores that count.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ScoresOutcome {
    /// Intelligence.
    pub int: i64,
    /// Wisdom.
    pub wis: i64,
    /// Charisma.
    pub cha: i64,
    /// The bonus to each pool that these scores give (PSI-DET-03).
    pub bonus: i64,
}

rule! {
    /// Says which scores count for psionics: the natural ones. Stones and other items that raise scores do nothing.
    pub struct NaturalScores;
}

impl Rule for NaturalScores {
    const NAME: &'static str = "psionic.scores";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-MOD-04"];
    const EXAMPLE: &'static str = "{ natural = { int = 15, wis = 15, cha = 15 }, items = { int = 3 } }";
    type Args = ScoresArgs;
    type Options = NoOptions;
    type Outcome = ScoresOutcome;

    fn resolve(args: ScoresArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<ScoresOutcome, RuleError> {
        let [int, wis, cha] = args.natural.each();
        Ok(ScoresOutcome { int, wis, cha, bonus: StrengthBonus::of(args.natural).total() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_restored_sixteen_restores_the_recorded_strengths() {
        let lost = outcome::<AdjustStrength>(
            r#"{"base_roll":40,"old_scores":{"int":16,"wis":10,"cha":10},"new_scores":{"int":15,"wis":10,"cha":10},
                "current":{"attack_strength":30,"defense_strength":20}}"#,
            &[],
        );
        assert_eq!((lost.psionic, lost.ability_lost), (Some(false), Some(true)));
        let record = serde_json::to_string(&lost.record).unwrap();
        let back = outcome::<AdjustStrength>(
            &format!(
                r#"{{"base_roll":40,"old_scores":{{"int":15,"wis":10,"cha":10}},
                    "new_scores":{{"int":17,"wis":10,"cha":10}},
                    "current":{{"attack_strength":0,"defense_strength":0}},"record":{record}}}"#
            ),
            &[],
        );
        assert_eq!((back.ability_restored, back.delta), (Some(true), Some(1)));
        assert_eq!((back.attack_strength, back.defense_strength), (Some(31), Some(21)));
    }

    #[test]
    fn one_who_never_was_psionic_has_nothing_to_adjust() {
        let args = r#"{"base_roll":40,"old_scores":{"int":15,"wis":10,"cha":10},
            "new_scores":{"int":15,"wis":11,"cha":10},"current":{"attack_strength":0,"defense_strength":0}}"#;
        assert_eq!(outcome::<AdjustStrength>(args, &[]).reason, Some(Forbidden::NoAbility16));
    }

    #[test]
    fn a_wish_may_leave_the_check_to_be_made() {
        let args = r#"{"action":"grant","int":16,"wis":9,"cha":9,"options":{"wish_grants":"check"}}"#;
        assert_eq!(outcome::<Wish>(args, &[]).check_required, Some(true));
    }

    #[test]
    fn a_wish_wants_what_it_works_on() {
        let error = resolved("psionic.wish", r#"{"action":"grant","int":16,"wis":9}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("cha"));
        let twice = r#"{"action":"immunity","immune_to":["ego_whip","ego_whip"]}"#;
        assert_eq!(resolved("psionic.wish", twice, &[]).unwrap_err().field(), Some("immune_to[2]"));
    }

    #[test]
    fn six_stones_lend_no_more_than_five() {
        assert_eq!(outcome::<ItemStrength>(r#"{"ioun_stones":6}"#, &[]).bonus, 50);
        let both = outcome::<ItemStrength>(r#"{"helm_of_telepathy":true,"ioun_stones":5}"#, &[]);
        assert_eq!((both.bonus, both.save_aid), (90, 4));
    }
}
