//! A mage's studies as one state: level groups, books, research; asked and moved on by one rule.
//! Source: first-edition SPELL-01 to SPELL-21.

mod actions;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AtMaximum, LearnOptions, MageIntelligence, SpellLevel};
use crate::rules::core::{List, Natural, Positive, Referee, Rule, RuleError};

/// What a mage knows of a level group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// The level of its spells.
    pub spell_level: SpellLevel,
    /// Spells that passed Chance to Know, learned or not.
    #[serde(default)]
    pub passed: List<String>,
    /// Spells that failed it.
    #[serde(default)]
    pub failed: List<String>,
    /// Spells that are learned; all of them passed.
    #[serde(default)]
    pub learned: List<String>,
}

/// A spell in a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenSpell {
    /// The spell.
    pub spell: String,
    /// Its level.
    pub spell_level: SpellLevel,
}

/// A spell book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpellBook {
    /// Its pages; 72, a standard one, when not given.
    #[serde(default = "standard_pages")]
    pub pages: Positive,
    /// What is written in it.
    #[serde(default)]
    pub spells: List<WrittenSpell>,
}

fn standard_pages() -> Positive {
    Positive::clamped(72)
}

/// Research in progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Project {
    /// The spell that is to be made.
    pub spell: String,
    /// Its level, as the referee sets it.
    pub spell_level: SpellLevel,
    /// Weeks of work that count.
    #[serde(default)]
    pub weeks: Natural,
    /// Gold pieces spent on it so far.
    #[serde(default)]
    pub spent: Natural,
    /// Gold pieces paid beyond the weekly cost.
    #[serde(default)]
    pub extra_gold: Natural,
}

/// A mage: a record that goes in, and comes out as the action leaves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mage {
    /// Intelligence.
    pub int: MageIntelligence,
    /// Level.
    pub level: Positive,
    /// The mage levels that first cast spells of level 1, 2, 3 and so on, rising.
    pub access: List<Positive, 1, 9>,
    /// Gold pieces at hand.
    #[serde(default)]
    pub gold: Natural,
    /// Days of study so far.
    #[serde(default)]
    pub days: Natural,
    /// The level groups that were checked, whole or in part.
    #[serde(default)]
    pub groups: List<Group, 0, 9>,
    /// The spell books.
    #[serde(default)]
    pub books: List<SpellBook, 0, 100>,
    /// Research in progress.
    #[serde(default)]
    pub research: Option<Project>,
}

/// What the mage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Asks whether `spell` can be learned, when, for how much and with what chance; nothing changes.
    Ask,
    /// Checks a level group: `spell_level`, `spells`, `automatic`.
    CheckGroup,
    /// Learns `spell`, which is checked first where it never was.
    Learn,
    /// Copies a found `spell` into a book with room; it is checked first where it never was.
    Transcribe,
    /// Works a week at the research of `spell`, which begins with its first week.
    ResearchWeek,
    /// Was kept from research for `days`.
    Interrupted,
    /// Gives the research up.
    GiveUp,
    /// Gains levels up to `new_level`.
    GainLevel,
    /// Has another intelligence for good: `new_int`. What falls away or is checked again follows.
    ChangeInt,
}

/// What `spell.study` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyArgs {
    /// The mage as last answered.
    pub mage: Mage,
    /// What the mage does.
    pub action: Action,
    /// The spell, for asking, learning, transcribing and for the first week of research.
    #[serde(default)]
    pub spell: Option<String>,
    /// The spell's level; needed wherever a spell or a group is named.
    #[serde(default)]
    pub spell_level: Option<SpellLevel>,
    /// The spells of the group in the order in which the player checks them.
    #[serde(default)]
    pub spells: List<String>,
    /// Spells of the group known without a roll.
    #[serde(default)]
    pub automatic: List<String>,
    /// The spell that the player would lose at the maximum, where the player chooses.
    #[serde(default)]
    pub give_up: Option<String>,
    /// Whether a found spell was read with Read Magic.
    #[serde(default = "crate::rules::core::yes")]
    pub read_magic: bool,
    /// Gold pieces for research beyond the weekly cost, paid with the first week.
    #[serde(default)]
    pub extra_gold: Natural,
    /// Whether a library lies within a day's travel.
    #[serde(default = "crate::rules::core::yes")]
    pub library: bool,
    /// Whether what is researched can be reached at all.
    #[serde(default = "crate::rules::core::yes")]
    pub possible: bool,
    /// Days of interruption.
    #[serde(default)]
    pub days: Natural,
    /// The level gained.
    #[serde(default)]
    pub new_level: Option<Positive>,
    /// The new intelligence.
    #[serde(default)]
    pub new_int: Option<MageIntelligence>,
}

/// Why the mage cannot do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StudyRefusal {
    /// The mage cannot cast spells of that level yet.
    LevelTooLow,
    /// The spell failed Chance to Know.
    FailedChanceToKnow,
    /// The maximum of the level group is reached.
    AtMaximum,
    /// The spell is learned already.
    AlreadyLearned,
    /// The group was checked already.
    AlreadyChecked,
    /// The found spell was not read with Read Magic.
    NotRead,
    /// The spell is in a book already.
    AlreadyWritten,
    /// No book has room.
    NoRoom,
    /// There is not enough gold.
    TooLittleGold,
    /// Another spell is being researched.
    OtherResearch,
    /// Nothing is being researched.
    NoResearch,
}

/// What came of it. Fields that an action does not speak of are absent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StudyOutcome {
    /// Whether the mage can do it; of `ask`, whether the spell can be learned.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<StudyRefusal>,
    /// The mage now; unchanged when it is not allowed.
    pub mage: Mage,
    /// Whether it went well: the spell was comprehended, the research bore fruit.
    pub success: Option<bool>,
    /// The chance in percent: Chance to Know, 100 or 0 where it was rolled; of research, each week's.
    pub chance: Option<i64>,
    /// Days it takes: of `ask`, to copy the spell.
    pub days: Option<i64>,
    /// Pages the spell takes.
    pub pages: Option<i64>,
    /// Gold pieces spent.
    pub gold: Option<i64>,
    /// Weeks of research that count; of `ask`, how many there would be before the first check.
    pub weeks: Option<i64>,
    /// The weekly chance of research, in percent; only of `ask`.
    pub research_chance: Option<i64>,
    /// Spells lost or forgotten.
    pub lost: Option<Vec<String>>,
    /// Spells newly comprehended.
    pub gained: Option<Vec<String>>,
    /// Level groups that are to be checked now.
    pub groups_to_check: Option<Vec<i64>>,
    /// New spells that come with the level.
    pub new_spells: Option<i64>,
}

/// The switches of study.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StudyOptions {
    /// What happens when the maximum is reached; when not set, as `spell.learn` has it.
    pub at_maximum: Option<AtMaximum>,
}

rule! {
    /// Keeps a mage's studies: takes the mage's record and one action, and gives the record back as the action leaves
    /// it.
    ///
    /// Each action is settled by the rules for it (`spell.check_group`, `spell.check_spell`, `spell.learn`,
    /// `spell.transcribe`, `spell.book_has_room`, `spell.research_week_cost`, `spell.research_chance`,
    /// `spell.research_setback`, `spell.gain_level`, `spell.intelligence_falls`, `spell.intelligence_rises`), so that
    /// house rules on them count here. A spell that research has made is comprehended and learned by whoever made it.
    pub struct Study;
}

impl Rule for Study {
    const NAME: &'static str = "spell.study";
    const SOURCE: &'static [&'static str] = &[
        "first-edition SPELL-01",
        "first-edition SPELL-02",
        "first-edition SPELL-08",
        "first-edition SPELL-10",
        "first-edition SPELL-12",
        "first-edition SPELL-16",
        "first-edition SPELL-17",
        "first-edition SPELL-20",
        "first-edition SPELL-21",
    ];
    const EXAMPLE: &'static str = r#"{ mage = { int = 16, level = 3, access = { 1, 3, 5, 7, 9, 12, 14, 16, 18 }, gold = 900, books = { {} }, groups = { { spell_level = 1, passed = { "sleep" }, failed = { "jump" } } } }, action = "ask", spell = "sleep", spell_level = 1 }"#;
    type Args = StudyArgs;
    type Options = StudyOptions;
    type Outcome = StudyOutcome;

    fn resolve(args: StudyArgs, options: StudyOptions, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let learning = options.at_maximum.map(|at_maximum| LearnOptions { at_maximum });
        actions::Desk { args: &args, mage: args.mage.clone(), learning }.settled(referee)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    const MAGE: &str = r#"{"int":16,"level":3,"access":[1,3,5,7,9,12,14,16,18],"gold":2000,"books":[{"pages":3}],
        "groups":[{"spell_level":1,"passed":["sleep"],"failed":["jump"]}]}"#;

    fn study(rest: &str, dice: &[i64]) -> StudyOutcome {
        outcome::<Study>(&format!(r#"{{"mage":{MAGE},{rest}}}"#), dice)
    }

    fn again(mage: &Mage, rest: &str, dice: &[i64]) -> StudyOutcome {
        let mage = serde_json::to_string(mage).unwrap();
        outcome::<Study>(&format!(r#"{{"mage":{mage},{rest}}}"#), dice)
    }

    #[test]
    fn asking_tells_the_chance_and_changes_nothing() {
        let asked = study(r#""action":"ask","spell":"shield","spell_level":1"#, &[]);
        // Intelligence 16 knows 65 of 100.
        assert_eq!((asked.allowed, asked.chance, asked.days, asked.pages), (true, Some(65), Some(1), Some(3)));
        let failed = study(r#""action":"ask","spell":"jump","spell_level":1"#, &[]);
        assert_eq!((failed.reason, failed.chance), (Some(StudyRefusal::FailedChanceToKnow), Some(0)));
        let far = study(r#""action":"ask","spell":"fly","spell_level":3"#, &[]);
        assert_eq!(far.reason, Some(StudyRefusal::LevelTooLow));
        assert_eq!(serde_json::to_value(&asked.mage).unwrap(), serde_json::to_value(&far.mage).unwrap());
    }

    #[test]
    fn a_spell_never_rolled_is_checked_before_it_is_learned() {
        let learned = study(r#""action":"learn","spell":"shield","spell_level":1"#, &[65]);
        assert_eq!(learned.success, Some(true));
        assert_eq!(&learned.mage.groups[0].learned[..], ["shield".to_owned()]);
        let failed = study(r#""action":"learn","spell":"shield","spell_level":1"#, &[66]);
        assert_eq!((failed.allowed, failed.success), (true, Some(false)));
        assert!(failed.mage.groups[0].failed.contains(&"shield".to_owned()));
        // What passed long ago rolls nothing.
        assert_eq!(study(r#""action":"learn","spell":"sleep","spell_level":1"#, &[]).success, Some(true));
    }

    #[test]
    fn a_found_spell_never_rolled_is_checked_before_it_is_copied() {
        let shield = r#""action":"transcribe","spell":"shield","spell_level":1"#;
        let written = study(shield, &[65]);
        assert_eq!((written.allowed, written.success, written.days), (true, Some(true), Some(1)));
        assert_eq!(written.mage.books[0].spells.len(), 1);
        assert!(written.mage.groups[0].passed.contains(&"shield".to_owned()));
        let failed = study(shield, &[66]);
        assert_eq!((failed.allowed, failed.reason, failed.success), (true, None, Some(false)));
        assert!(failed.mage.groups[0].failed.contains(&"shield".to_owned()) && failed.mage.books[0].spells.is_empty());
        // What stands in the way is told before a die falls: not read, failed long ago, no room.
        let unread = study(r#""action":"transcribe","spell":"shield","spell_level":1,"read_magic":false"#, &[]);
        assert_eq!(unread.reason, Some(StudyRefusal::NotRead));
        let jump = study(r#""action":"transcribe","spell":"jump","spell_level":1"#, &[]);
        assert_eq!(jump.reason, Some(StudyRefusal::FailedChanceToKnow));
        let full = again(&study(r#""action":"transcribe","spell":"sleep","spell_level":1"#, &[]).mage, shield, &[]);
        assert_eq!(full.reason, Some(StudyRefusal::NoRoom));
    }

    #[test]
    fn a_book_takes_spells_until_its_pages_are_full() {
        let written = study(r#""action":"transcribe","spell":"sleep","spell_level":1"#, &[]);
        assert_eq!((written.days, written.mage.days.get(), written.pages), (Some(1), 1, Some(3)));
        let mut mage = written.mage;
        mage.groups = List::new(vec![Group {
            spell_level: SpellLevel::clamped(1),
            passed: List::new(vec!["sleep".into(), "shield".into()]).unwrap(),
            failed: List::default(),
            learned: List::default(),
        }])
        .unwrap();
        let full = again(&mage, r#""action":"transcribe","spell":"shield","spell_level":1"#, &[]);
        assert_eq!(full.reason, Some(StudyRefusal::NoRoom));
        let twice = again(&mage, r#""action":"transcribe","spell":"sleep","spell_level":1"#, &[]);
        assert_eq!(twice.reason, Some(StudyRefusal::AlreadyWritten));
    }

    #[test]
    fn research_is_paid_by_the_week_and_rolled_from_the_week_of_its_level() {
        let first = study(r#""action":"research_week","spell":"lamp","spell_level":2"#, &[1]);
        // 200 a level with a library and 100 a level for each point of the die.
        let spent = first.gold.unwrap();
        assert_eq!((first.weeks, first.success), (Some(1), Some(false)));
        assert_eq!(first.mage.gold.get(), 2000 - spent);
        let chance = first.chance.unwrap();
        let second = again(&first.mage, r#""action":"research_week""#, &[1, chance]);
        assert_eq!(second.success, Some(true));
        assert!(second.mage.research.is_none());
        assert!(second.mage.groups.iter().any(|group| group.learned.contains(&"lamp".to_owned())));
        let late = again(&first.mage, r#""action":"research_week""#, &[1, chance + 1]);
        assert_eq!((late.success, late.weeks), (Some(false), Some(2)));
    }

    #[test]
    fn an_interruption_costs_a_week_a_day_and_another_spell_waits() {
        let first = study(r#""action":"research_week","spell":"lamp","spell_level":2"#, &[1]);
        assert_eq!(again(&first.mage, r#""action":"interrupted","days":3"#, &[]).weeks, Some(0));
        let other = again(&first.mage, r#""action":"research_week","spell":"torch","spell_level":1"#, &[]);
        assert_eq!(other.reason, Some(StudyRefusal::OtherResearch));
        assert!(again(&first.mage, r#""action":"give_up""#, &[]).mage.research.is_none());
        assert_eq!(study(r#""action":"give_up""#, &[]).reason, Some(StudyRefusal::NoResearch));
    }

    #[test]
    fn a_week_that_cannot_be_paid_is_not_worked() {
        let mage = MAGE.replace(r#""gold":2000"#, r#""gold":10"#);
        let args = format!(r#"{{"mage":{mage},"action":"research_week","spell":"lamp","spell_level":2}}"#);
        let poor = outcome::<Study>(&args, &[1]);
        assert_eq!((poor.reason, poor.mage.gold.get()), (Some(StudyRefusal::TooLittleGold), 10));
    }

    #[test]
    fn a_level_opens_its_group_and_brings_a_spell() {
        let up = study(r#""action":"gain_level","new_level":5"#, &[]);
        assert_eq!((up.groups_to_check, up.new_spells), (Some(vec![3]), Some(2)));
        assert_eq!(up.mage.level.get(), 5);
    }

    #[test]
    fn a_rise_of_intelligence_checks_the_failed_again() {
        let wiser = study(r#""action":"change_int","new_int":18"#, &[85]);
        assert_eq!(wiser.gained, Some(vec!["jump".to_owned()]));
        assert_eq!(wiser.mage.int.get(), 18);
        assert_eq!(study(r#""action":"change_int","new_int":15"#, &[]).lost, Some(vec![]));
    }

    #[test]
    fn what_an_action_needs_is_asked_for_by_name() {
        let missing = |rest: &str| {
            let args = format!(r#"{{"mage":{MAGE},{rest}}}"#);
            resolved("spell.study", &args, &[]).unwrap_err().field().map(str::to_owned)
        };
        assert_eq!(missing(r#""action":"ask","spell_level":1"#).as_deref(), Some("spell"));
        assert_eq!(missing(r#""action":"gain_level""#).as_deref(), Some("new_level"));
        assert_eq!(missing(r#""action":"check_group","spell_level":1"#).as_deref(), Some("spells"));
    }
}
