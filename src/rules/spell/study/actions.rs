//! What each action of a mage's studies comes to.

use super::{Action, Group, Mage, Project, SpellBook, StudyArgs, StudyOutcome, StudyRefusal, WrittenSpell};
use crate::rules::core::{List, Natural, Referee, RuleError, Whole};
use crate::rules::spell::{
    BookHasRoom, BookHasRoomArgs, CheckGroup, CheckGroupArgs, CheckSpell, CheckSpellArgs, GainLevel, GainLevelArgs,
    IntelligenceFalls, IntelligenceFallsArgs, IntelligenceRises, IntelligenceRisesArgs, Learn, LearnArgs, LearnOptions,
    MayLearn, MayLearnArgs, PagesNeeded, PagesNeededArgs, ResearchChance, ResearchChanceArgs, ResearchSetback,
    ResearchWeekCost, SetbackArgs, SpellLevel, Transcribe, TranscribeArgs, TranscribeRefusal, WeekCostArgs,
    chance_to_know,
};

/// A week has seven days.
const DAYS_A_WEEK: i64 = 7;

/// The mage at work.
pub(super) struct Desk<'a> {
    pub(super) args: &'a StudyArgs,
    pub(super) mage: Mage,
    pub(super) learning: Option<LearnOptions>,
}

/// A list with one entry more.
fn with<T: Clone>(list: &[T], entry: T) -> Vec<T> {
    let mut all = list.to_vec();
    all.push(entry);
    all
}

fn listed<T, const GREATEST: usize>(entries: Vec<T>, field: &str) -> Result<List<T, 0, GREATEST>, RuleError> {
    List::new(entries).ok_or_else(|| RuleError::invalid(field, format!("can hold {GREATEST} entries and no more")))
}

impl Desk<'_> {
    /// Does what is asked.
    pub(super) fn settled(self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        match self.args.action {
            Action::Ask => self.ask(referee),
            Action::CheckGroup => self.check_group(referee),
            Action::Learn => self.learn(referee),
            Action::Transcribe => self.transcribe(referee),
            Action::ResearchWeek => self.research_week(referee),
            Action::Interrupted => self.interrupted(referee),
            Action::GiveUp => Ok(self.give_up()),
            Action::GainLevel => self.gain_level(referee),
            Action::ChangeInt => self.change_int(referee),
        }
    }

    // ---- what the actions share ----

    /// It was done; the mage as it stands now.
    fn done(self) -> StudyOutcome {
        StudyOutcome {
            allowed: true,
            reason: None,
            mage: self.mage,
            success: None,
            chance: None,
            days: None,
            pages: None,
            gold: None,
            weeks: None,
            research_chance: None,
            lost: None,
            gained: None,
            groups_to_check: None,
            new_spells: None,
        }
    }

    /// It cannot be done; the mage as given.
    fn refused(self, reason: StudyRefusal) -> StudyOutcome {
        let mage = self.args.mage.clone();
        StudyOutcome { allowed: false, reason: Some(reason), ..Desk { mage, ..self }.done() }
    }

    fn named(&self) -> Result<(String, SpellLevel), RuleError> {
        let spell = self.args.spell.clone().ok_or_else(|| RuleError::missing("spell"))?;
        Ok((spell, self.level()?))
    }

    fn level(&self) -> Result<SpellLevel, RuleError> {
        self.args.spell_level.ok_or_else(|| RuleError::missing("spell_level"))
    }

    /// Whether the mage casts spells of a level.
    fn casts(&self, spell_level: SpellLevel) -> bool {
        self.mage.access.get(spell_level.get() as usize - 1).is_some_and(|level| *level <= self.mage.level)
    }

    fn group(&self, spell_level: SpellLevel) -> Group {
        let found = self.mage.groups.iter().find(|group| group.spell_level == spell_level);
        found.cloned().unwrap_or_else(|| Group {
            spell_level,
            passed: List::default(),
            failed: List::default(),
            learned: List::default(),
        })
    }

    fn keep(&mut self, group: Group) -> Result<(), RuleError> {
        let mut groups: Vec<Group> =
            self.mage.groups.iter().filter(|other| other.spell_level != group.spell_level).cloned().collect();
        groups.push(group);
        groups.sort_by_key(|group| group.spell_level);
        self.mage.groups = listed(groups, "mage.groups")?;
        Ok(())
    }

    fn pay(&mut self, gold: i64) -> bool {
        let left = self.mage.gold.get() - gold;
        if left >= 0 {
            self.mage.gold = Natural::clamped(left);
        }
        left >= 0
    }

    fn spend_days(&mut self, days: i64) {
        self.mage.days = Natural::clamped(self.mage.days.get() + days);
    }

    // ---- the actions ----

    fn ask(self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let (spell, spell_level) = self.named()?;
        let group = self.group(spell_level);
        let room = MayLearnArgs {
            learned: Natural::clamped(group.learned.len() as i64),
            maximum: None,
            int: Some(self.mage.int),
        };
        let reason = if group.learned.contains(&spell) {
            Some(StudyRefusal::AlreadyLearned)
        } else if !self.casts(spell_level) {
            Some(StudyRefusal::LevelTooLow)
        } else if group.failed.contains(&spell) {
            Some(StudyRefusal::FailedChanceToKnow)
        } else {
            (!referee.call::<MayLearn>(room)?.may_learn).then_some(StudyRefusal::AtMaximum)
        };
        let chance = match () {
            () if group.passed.contains(&spell) => 100,
            () if group.failed.contains(&spell) => 0,
            () => chance_to_know(self.mage.int, referee)?,
        };
        let copied = TranscribeArgs { spell_level, read_magic: true, comprehends: true };
        let research = ResearchChanceArgs {
            spell_level,
            int: Whole::clamped(self.mage.int.get()),
            level: self.mage.level,
            extra_gold: self.args.extra_gold,
        };
        let pages = referee.call::<PagesNeeded>(PagesNeededArgs { spell_level })?.pages;
        let days = referee.call::<Transcribe>(copied)?.days;
        let research_chance = Some(referee.call::<ResearchChance>(research)?.chance);
        let weeks = Some(spell_level.get());
        let told = self.done();
        Ok(StudyOutcome {
            allowed: reason.is_none(),
            reason,
            chance: Some(chance),
            days,
            pages: Some(pages),
            weeks,
            research_chance,
            ..told
        })
    }

    fn check_group(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let spell_level = self.level()?;
        let spells = List::new(self.args.spells.to_vec()).ok_or_else(|| RuleError::missing("spells"))?;
        if !self.casts(spell_level) {
            return Ok(self.refused(StudyRefusal::LevelTooLow));
        }
        if self.mage.groups.iter().any(|group| group.spell_level == spell_level) {
            return Ok(self.refused(StudyRefusal::AlreadyChecked));
        }
        let checked = referee.call::<CheckGroup>(CheckGroupArgs {
            spells,
            chance: None,
            minimum: None,
            maximum: None,
            int: Some(self.mage.int),
            automatic: self.args.automatic.clone(),
        })?;
        let gained = checked.known.clone();
        self.keep(Group {
            spell_level,
            passed: listed(checked.known, "spells")?,
            failed: listed(checked.failed, "spells")?,
            learned: List::default(),
        })?;
        Ok(StudyOutcome { gained: Some(gained), ..self.done() })
    }

    fn learn(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let (spell, spell_level) = self.named()?;
        let mut group = self.group(spell_level);
        let hindrance = [
            (group.learned.contains(&spell), StudyRefusal::AlreadyLearned),
            (!self.casts(spell_level), StudyRefusal::LevelTooLow),
            (group.failed.contains(&spell), StudyRefusal::FailedChanceToKnow),
        ];
        if let Some((_, reason)) = hindrance.into_iter().find(|(stands, _)| *stands) {
            return Ok(self.refused(reason));
        }
        if !group.passed.contains(&spell) {
            match self.comprehends(group, &spell, referee)? {
                None => return Ok(self.refused(StudyRefusal::AtMaximum)),
                Some(false) => return Ok(StudyOutcome { success: Some(false), ..self.done() }),
                Some(true) => group = self.group(spell_level),
            }
        }
        let args = LearnArgs {
            learned: group.learned,
            new: spell,
            maximum: None,
            int: Some(self.mage.int),
            give_up: self.args.give_up.clone(),
        };
        let learned = match self.learning {
            Some(options) => referee.call_with::<Learn>(args, options)?,
            None => referee.call::<Learn>(args)?,
        };
        if !learned.allowed {
            return Ok(self.refused(StudyRefusal::AtMaximum));
        }
        group.learned = listed(learned.learned, "mage.groups.learned")?;
        self.keep(group)?;
        let lost = learned.lost.into_iter().collect();
        Ok(StudyOutcome { success: Some(true), lost: Some(lost), ..self.done() })
    }

    /// Rolls whether the mage comprehends a spell that was never rolled for, and keeps it with its group; nothing where the
    /// mage may not roll: only one below the maximum may check a spell that was never there (SPELL-11).
    fn comprehends(
        &mut self,
        mut group: Group,
        spell: &str,
        referee: &mut Referee<'_>,
    ) -> Result<Option<bool>, RuleError> {
        let learned = Natural::clamped(group.learned.len() as i64);
        let room = MayLearnArgs { learned, maximum: None, int: Some(self.mage.int) };
        if !referee.call::<MayLearn>(room)?.may_learn {
            return Ok(None);
        }
        let check = CheckSpellArgs { chance: None, int: Some(self.mage.int) };
        let known = referee.call::<CheckSpell>(check)?.known;
        let (list, field) =
            if known { (&mut group.passed, "mage.groups.passed") } else { (&mut group.failed, "mage.groups.failed") };
        *list = listed(with(list, spell.to_owned()), field)?;
        self.keep(group)?;
        Ok(Some(known))
    }

    fn transcribe(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let (spell, spell_level) = self.named()?;
        let group = self.group(spell_level);
        // A spell that nobody ever rolled for is rolled for before it is copied (SPELL-11); what is known to be in the way
        // comes before the die.
        let rolled = group.passed.contains(&spell) || group.failed.contains(&spell);
        let comprehends = group.passed.contains(&spell) || !rolled;
        let copying = TranscribeArgs { spell_level, read_magic: self.args.read_magic, comprehends };
        let copied = referee.call::<Transcribe>(copying)?;
        if let Some(reason) = copied.reason {
            return Ok(self.refused(match reason {
                TranscribeRefusal::NotRead => StudyRefusal::NotRead,
                TranscribeRefusal::NotComprehended => StudyRefusal::FailedChanceToKnow,
            }));
        }
        if self.mage.books.iter().any(|book| book.spells.iter().any(|written| written.spell == spell)) {
            return Ok(self.refused(StudyRefusal::AlreadyWritten));
        }
        let Some((place, pages)) = self.book_with_room(spell_level, referee)? else {
            return Ok(self.refused(StudyRefusal::NoRoom));
        };
        if !rolled {
            match self.comprehends(group, &spell, referee)? {
                None => return Ok(self.refused(StudyRefusal::AtMaximum)),
                Some(false) => return Ok(StudyOutcome { success: Some(false), ..self.done() }),
                Some(true) => {}
            }
        }
        let mut books: Vec<SpellBook> = self.mage.books.to_vec();
        let book = &mut books[place];
        book.spells = listed(with(&book.spells, WrittenSpell { spell, spell_level }), "mage.books.spells")?;
        self.mage.books = listed(books, "mage.books")?;
        self.spend_days(copied.days.unwrap_or(0));
        let success = (!rolled).then_some(true);
        Ok(StudyOutcome { success, days: copied.days, pages: Some(pages), ..self.done() })
    }

    /// The first book in which a spell of this level fits, and the pages that it takes.
    fn book_with_room(&self, add: SpellLevel, referee: &mut Referee<'_>) -> Result<Option<(usize, i64)>, RuleError> {
        for (place, book) in self.mage.books.iter().enumerate() {
            let levels = book.spells.iter().map(|written| written.spell_level).collect();
            let spells = listed(levels, "mage.books.spells")?;
            let room = referee.call::<BookHasRoom>(BookHasRoomArgs { spells, add, capacity: book.pages })?;
            if room.fits {
                return Ok(Some((place, room.needed)));
            }
        }
        Ok(None)
    }

    /// The project worked at, begun when there is none; nothing when the mage is at another.
    fn project(&self) -> Result<Option<Project>, RuleError> {
        match &self.mage.research {
            Some(project) if self.args.spell.as_ref().is_some_and(|spell| *spell != project.spell) => Ok(None),
            Some(project) => Ok(Some(project.clone())),
            None => {
                let (spell, spell_level) = self.named()?;
                let (weeks, spent) = (Natural::default(), Natural::default());
                Ok(Some(Project { spell, spell_level, weeks, spent, extra_gold: self.args.extra_gold }))
            }
        }
    }

    fn research_week(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let Some(mut project) = self.project()? else { return Ok(self.refused(StudyRefusal::OtherResearch)) };
        let spell_level = project.spell_level;
        let begins = self.mage.research.is_none();
        let learned = self.group(spell_level).learned;
        if learned.contains(&project.spell) {
            return Ok(self.refused(StudyRefusal::AlreadyLearned));
        }
        let learned = Natural::clamped(learned.len() as i64);
        let room = MayLearnArgs { learned, maximum: None, int: Some(self.mage.int) };
        if !referee.call::<MayLearn>(room)?.may_learn {
            return Ok(self.refused(StudyRefusal::AtMaximum));
        }
        let week = WeekCostArgs { spell_level, library: self.args.library };
        let extra = if begins { project.extra_gold.get() } else { 0 };
        let cost = referee.call::<ResearchWeekCost>(week)?.total + extra;
        if !self.pay(cost) {
            return Ok(self.refused(StudyRefusal::TooLittleGold));
        }
        self.spend_days(DAYS_A_WEEK);
        project.weeks = Natural::clamped(project.weeks.get() + 1);
        project.spent = Natural::clamped(project.spent.get() + cost);
        let int = Whole::clamped(self.mage.int.get());
        let (level, extra_gold) = (self.mage.level, project.extra_gold);
        let chance = referee.call::<ResearchChance>(ResearchChanceArgs { spell_level, int, level, extra_gold })?.chance;
        let mut success = false;
        // The first check falls at the end of the week that equals the spell's level (SPELL-16).
        if project.weeks.get() >= spell_level.get() {
            referee.need(|| format!("{chance} or less on d100"));
            success = referee.d(100, "research")? <= chance && self.args.possible;
        }
        let weeks = Some(project.weeks.get());
        if success {
            let mut group = self.group(spell_level);
            if !group.passed.contains(&project.spell) {
                group.passed = listed(with(&group.passed, project.spell.clone()), "mage.groups.passed")?;
            }
            group.learned = listed(with(&group.learned, project.spell), "mage.groups.learned")?;
            self.keep(group)?;
        }
        self.mage.research = if success { None } else { Some(self.project_after(project.weeks, project.spent)?) };
        let (gold, chance) = (Some(cost), Some(chance));
        Ok(StudyOutcome { success: Some(success), chance, gold, weeks, days: Some(DAYS_A_WEEK), ..self.done() })
    }

    /// The project with these weeks and this gold in it.
    fn project_after(&self, weeks: Natural, spent: Natural) -> Result<Project, RuleError> {
        let project = self.project()?.ok_or_else(|| RuleError::missing("spell"))?;
        Ok(Project { weeks, spent, ..project })
    }

    fn interrupted(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let Some(mut project) = self.mage.research.take() else { return Ok(self.refused(StudyRefusal::NoResearch)) };
        let days = self.args.days;
        let setback = SetbackArgs { weeks_done: project.weeks, days_interrupted: days };
        project.weeks = Natural::clamped(referee.call::<ResearchSetback>(setback)?.weeks_done);
        let weeks = Some(project.weeks.get());
        self.spend_days(days.get());
        self.mage.research = Some(project);
        Ok(StudyOutcome { weeks, ..self.done() })
    }

    fn give_up(mut self) -> StudyOutcome {
        match self.mage.research.take() {
            None => self.refused(StudyRefusal::NoResearch),
            Some(project) => {
                let (gold, weeks) = (Some(project.spent.get()), Some(project.weeks.get()));
                StudyOutcome { gold, weeks, ..self.done() }
            }
        }
    }

    fn gain_level(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let new_level = self.args.new_level.ok_or_else(|| RuleError::missing("new_level"))?;
        let access = List::new(self.mage.access.to_vec()).ok_or_else(|| RuleError::missing("mage.access"))?;
        let old_level = Natural::clamped(self.mage.level.get());
        let gained = referee.call::<GainLevel>(GainLevelArgs { old_level, new_level, access })?;
        self.mage.level = new_level;
        let (groups, spells) = (Some(gained.groups_to_check), Some(gained.new_spells));
        Ok(StudyOutcome { groups_to_check: groups, new_spells: spells, ..self.done() })
    }

    fn change_int(mut self, referee: &mut Referee<'_>) -> Result<StudyOutcome, RuleError> {
        let new_int = self.args.new_int.ok_or_else(|| RuleError::missing("new_int"))?;
        let (rises, falls) = (new_int > self.mage.int, new_int < self.mage.int);
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        for mut group in self.mage.groups.clone() {
            let (known, int) = (group.passed.clone(), Some(new_int));
            if rises {
                let args = IntelligenceRisesArgs { known, recheck: group.failed, chance: None, maximum: None, int };
                let now = referee.call::<IntelligenceRises>(args)?;
                gained.extend(now.known.iter().filter(|spell| !group.passed.contains(spell)).cloned());
                group.passed = listed(now.known, "mage.groups.passed")?;
                let failed = now.failed.into_iter().chain(now.unchecked).collect();
                group.failed = listed(failed, "mage.groups.failed")?;
            } else if falls {
                let args = IntelligenceFallsArgs { known, chance: None, maximum: None, int };
                let now = referee.call::<IntelligenceFalls>(args)?;
                let kept = group.learned.iter().filter(|spell| !now.forgotten.contains(spell)).cloned().collect();
                group.learned = listed(kept, "mage.groups.learned")?;
                let failed = group.failed.iter().chain(&now.forgotten).cloned().collect();
                group.failed = listed(failed, "mage.groups.failed")?;
                group.passed = listed(now.known, "mage.groups.passed")?;
                lost.extend(now.forgotten);
            }
            self.keep(group)?;
        }
        self.mage.int = new_int;
        Ok(StudyOutcome { gained: Some(gained), lost: Some(lost), ..self.done() })
    }
}
