//! The caster's level of a scroll, and who may read it.
//! Source: first-edition SCROLL-01 to SCROLL-03, SCROLL-08.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{NoOptions, Positive, Referee, Rule, RuleError, Whole};

/// The least caster's level of a scroll (SCROLL-03).
const LEAST_CASTER_LEVEL: i64 = 6;
/// The level at which thieves read scrolls (SCROLL-01).
const THIEF_READS_AT: i64 = 10;
/// The level at which assassins do, being thieves of two levels less (SCROLL-08).
const ASSASSIN_READS_AT: i64 = THIEF_READS_AT + 2;

/// What `scroll.effective_level` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EffectiveLevelArgs {
    /// The level that first casts the spell, in the class the spell is of.
    pub minimum_level: Positive,
    /// The caster's level, when the scroll states one.
    #[serde(default)]
    pub stated_level: Option<Positive>,
}

/// The caster's level of a scroll.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EffectiveLevelOutcome {
    /// The level at which the scroll's spell works.
    pub caster_level: i64,
}

rule! {
    /// Tells at what caster's level a scroll works: one above the level that first casts the spell, at least 6, unless
    /// the scroll states another.
    pub struct EffectiveLevel;
}

impl Rule for EffectiveLevel {
    const NAME: &'static str = "scroll.effective_level";
    const SOURCE: &'static [&'static str] = &["first-edition SCROLL-03"];
    const EXAMPLE: &'static str = "{ minimum_level = 7 }";
    type Args = EffectiveLevelArgs;
    type Options = NoOptions;
    type Outcome = EffectiveLevelOutcome;

    fn resolve(
        args: EffectiveLevelArgs,
        _: NoOptions,
        _: &mut Referee<'_>,
    ) -> Result<EffectiveLevelOutcome, RuleError> {
        let usual = (args.minimum_level.get() + 1).max(LEAST_CASTER_LEVEL);
        Ok(EffectiveLevelOutcome { caster_level: args.stated_level.map_or(usual, Positive::get) })
    }
}

/// A class that may want to read a scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScrollReader {
    /// Thieves, from 10th level.
    Thief,
    /// Assassins, from 12th level.
    Assassin,
    /// Fighters.
    Fighter,
    /// Paladins.
    Paladin,
    /// Rangers.
    Ranger,
    /// Cavaliers.
    Cavalier,
    /// Barbarians.
    Barbarian,
    /// Clerics.
    Cleric,
    /// Druids.
    Druid,
    /// Magic-users.
    MagicUser,
    /// Illusionists.
    Illusionist,
    /// Monks.
    Monk,
    /// Bards.
    Bard,
    /// Acrobats.
    Acrobat,
    /// Any other.
    Other,
}

/// What stands on a scroll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScrollKind {
    /// Spells of magic-users.
    #[default]
    MagicUser,
    /// Spells of illusionists.
    Illusionist,
    /// Spells of druids.
    Druid,
    /// Spells of clerics.
    Cleric,
    /// A protection.
    Protection,
}

/// What `scroll.may_read` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayReadArgs {
    /// The reader's class.
    pub class: ScrollReader,
    /// The reader's level in it.
    pub level: Positive,
    /// What stands on the scroll.
    pub kind: ScrollKind,
    /// The reader's intelligence; it limits nothing (SCROLL-02).
    #[serde(default)]
    pub int: Option<Whole<1, 25>>,
    /// The level of the spell; it limits nothing (SCROLL-02).
    #[serde(default)]
    pub spell_level: Option<Whole<1, 9>>,
}

/// Why a scroll may not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MayReadRefusal {
    /// The thief's or assassin's level is too low.
    Level,
    /// Clerical scrolls are closed to thieves and assassins.
    Clerical,
    /// The class reads no scrolls of this kind by this rule.
    Class,
    /// It is of the reader's own class, and read by the rules of that class (`spell.may_cast_from`,
    /// `scroll.cast_above_level`), which are not asked here.
    OwnClassRules,
}

/// Whether a scroll is of the class that its reader casts spells in.
fn of_own_class(class: ScrollReader, kind: ScrollKind) -> bool {
    matches!(
        (class, kind),
        (ScrollReader::MagicUser, ScrollKind::MagicUser)
            | (ScrollReader::Illusionist, ScrollKind::Illusionist)
            | (ScrollReader::Druid, ScrollKind::Druid)
            | (ScrollReader::Cleric, ScrollKind::Cleric)
    )
}

/// Whether a scroll may be read.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayReadOutcome {
    /// Whether it may.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<MayReadRefusal>,
}

rule! {
    /// Tells what scrolls those may read who are no spell-users: protections anybody; thieves from 10th level and
    /// assassins from 12th all but clerical ones, whatever their intelligence. Spell-users read scrolls of their own
    /// class by the rules of that class, which are not asked here.
    pub struct MayRead;
}

impl Rule for MayRead {
    const NAME: &'static str = "scroll.may_read";
    const SOURCE: &'static [&'static str] =
        &["first-edition SCROLL-01", "first-edition SCROLL-02", "first-edition SCROLL-08"];
    const EXAMPLE: &'static str = r#"{ class = "thief", level = 10, kind = "druid" }"#;
    type Args = MayReadArgs;
    type Options = NoOptions;
    type Outcome = MayReadOutcome;

    fn resolve(args: MayReadArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<MayReadOutcome, RuleError> {
        let reads_at = match args.class {
            ScrollReader::Thief => Some(THIEF_READS_AT),
            ScrollReader::Assassin => Some(ASSASSIN_READS_AT),
            _ => None,
        };
        let reason = match (args.kind, reads_at) {
            (ScrollKind::Protection, _) => None,
            (kind, None) if of_own_class(args.class, kind) => Some(MayReadRefusal::OwnClassRules),
            (_, None) => Some(MayReadRefusal::Class),
            (ScrollKind::Cleric, _) => Some(MayReadRefusal::Clerical),
            (_, Some(level)) => (args.level.get() < level).then_some(MayReadRefusal::Level),
        };
        Ok(MayReadOutcome { allowed: reason.is_none(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_fireball_is_cast_as_by_a_sixth_level_magic_user() {
        assert_eq!(outcome::<EffectiveLevel>(r#"{"minimum_level":5}"#, &[]).caster_level, 6);
        assert_eq!(outcome::<EffectiveLevel>(r#"{"minimum_level":1,"stated_level":2}"#, &[]).caster_level, 2);
    }

    #[test]
    fn thieves_read_at_ten_and_assassins_at_twelve() {
        let reason = |args| outcome::<MayRead>(args, &[]).reason;
        assert_eq!(reason(r#"{"class":"thief","level":9,"kind":"illusionist"}"#), Some(MayReadRefusal::Level));
        assert_eq!(reason(r#"{"class":"thief","level":10,"kind":"illusionist","int":3,"spell_level":9}"#), None);
        assert_eq!(reason(r#"{"class":"assassin","level":11,"kind":"druid"}"#), Some(MayReadRefusal::Level));
        assert_eq!(reason(r#"{"class":"fighter","level":20,"kind":"druid"}"#), Some(MayReadRefusal::Class));
        assert_eq!(reason(r#"{"class":"fighter","level":1,"kind":"protection"}"#), None);
    }

    #[test]
    fn a_spell_user_is_sent_to_the_rules_of_the_class_for_its_own_scrolls() {
        let reason = |args: &str| outcome::<MayRead>(args, &[]).reason;
        for class in ["magic_user", "illusionist", "druid", "cleric"] {
            let args = format!(r#"{{"class":"{class}","level":1,"kind":"{class}"}}"#);
            assert_eq!(reason(&args), Some(MayReadRefusal::OwnClassRules), "{class}");
        }
        let other = r#"{"class":"cleric","level":9,"kind":"magic_user"}"#;
        assert_eq!(reason(other), Some(MayReadRefusal::Class));
    }
}
