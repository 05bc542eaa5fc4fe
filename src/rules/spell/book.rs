//! Spell books: room in them, copying, the Write spell, casting from one in need.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SpellLevel;
use crate::rules::core::{
    AnyTable, Band, List, NoOptions, Positive, Referee, Rule, RuleError, Table, band_row, unbroken_bands,
};

/// What `spell.transcribe` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TranscribeArgs {
    /// The level of the spell found.
    pub spell_level: SpellLevel,
    /// Whether it was read with Read Magic; by default it was.
    #[serde(default = "crate::rules::core::yes")]
    pub read_magic: bool,
    /// Whether the mage can comprehend it; by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub comprehends: bool,
}

/// Why a spell is not copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TranscribeRefusal {
    /// It was not read with Read Magic first.
    NotRead,
    /// It failed Chance to Know.
    NotComprehended,
}

/// Whether and how fast a spell is copied.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TranscribeOutcome {
    /// Whether it can be copied.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<TranscribeRefusal>,
    /// Days of work, after which it can be memorized.
    pub days: Option<i64>,
}

rule! {
    /// Copies a found spell into the book: a day for each level of the spell, once it was read with Read Magic and if
    /// it can be comprehended. What becomes of the scroll the source does not say.
    pub struct Transcribe;
}

impl Rule for Transcribe {
    const NAME: &'static str = "spell.transcribe";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-10"];
    const EXAMPLE: &'static str = "{ spell_level = 3 }";
    type Args = TranscribeArgs;
    type Options = NoOptions;
    type Outcome = TranscribeOutcome;

    fn resolve(args: TranscribeArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<TranscribeOutcome, RuleError> {
        let reason = match (args.read_magic, args.comprehends) {
            (false, _) => Some(TranscribeRefusal::NotRead),
            (true, false) => Some(TranscribeRefusal::NotComprehended),
            (true, true) => None,
        };
        let allowed = reason.is_none();
        Ok(TranscribeOutcome { allowed, reason, days: allowed.then(|| args.spell_level.get()) })
    }
}

/// How many pages spells of a level take.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PagesRow {
    from: Option<i64>,
    to: Option<i64>,
    pages: Positive,
}

impl Band for PagesRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

static PAGES: Table<PagesRow> =
    Table::new("spell_book_pages", include_str!("../data/spell_book_pages.json"), unbroken_bands);

/// What `spell.pages_needed` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PagesNeededArgs {
    /// The level of the spell.
    pub spell_level: SpellLevel,
}

/// The pages of a spell.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PagesNeededOutcome {
    /// How many pages it takes.
    pub pages: i64,
}

rule! {
    /// Tells how many pages of a spell book a spell takes.
    pub struct PagesNeeded;
}

impl Rule for PagesNeeded {
    const NAME: &'static str = "spell.pages_needed";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-17"];
    const EXAMPLE: &'static str = "{ spell_level = 4 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&PAGES];
    type Args = PagesNeededArgs;
    type Options = NoOptions;
    type Outcome = PagesNeededOutcome;

    fn resolve(
        args: PagesNeededArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<PagesNeededOutcome, RuleError> {
        let rows = referee.table(&PAGES);
        let row = band_row(&rows, args.spell_level.get())?;
        Ok(PagesNeededOutcome { pages: row.pages.get() })
    }
}

/// What `spell.book_has_room` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BookHasRoomArgs {
    /// The levels of the spells in the book.
    pub spells: List<SpellLevel>,
    /// The level of the spell to add.
    pub add: SpellLevel,
    /// The pages of the book; 72, a standard one (encumbrance 450), when not given.
    #[serde(default = "standard_book")]
    pub capacity: Positive,
}

fn standard_book() -> Positive {
    Positive::clamped(72)
}

/// Whether a spell fits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BookHasRoomOutcome {
    /// Pages used.
    pub used: i64,
    /// Pages the new spell takes.
    pub needed: i64,
    /// Pages left before it; below 0 when the book holds more than it can.
    pub free: i64,
    /// Whether the new spell fits.
    pub fits: bool,
}

rule! {
    /// Tells whether a spell book has room for one more spell.
    pub struct BookHasRoom;
}

impl Rule for BookHasRoom {
    const NAME: &'static str = "spell.book_has_room";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-17"];
    const EXAMPLE: &'static str = "{ spells = { 1, 1, 1, 2, 3 }, add = 4 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&PAGES];
    type Args = BookHasRoomArgs;
    type Options = NoOptions;
    type Outcome = BookHasRoomOutcome;

    fn resolve(
        args: BookHasRoomArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<BookHasRoomOutcome, RuleError> {
        let mut used = 0;
        for &spell_level in &args.spells {
            used += referee.call::<PagesNeeded>(PagesNeededArgs { spell_level })?.pages;
        }
        let needed = referee.call::<PagesNeeded>(PagesNeededArgs { spell_level: args.add })?.pages;
        let free = args.capacity.get() - used;
        Ok(BookHasRoomOutcome { used, needed, free, fits: needed <= free })
    }
}

/// What `spell.inscribe` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InscribeArgs {
    /// Whether the spell passed Chance to Know; nothing when it was never rolled.
    #[serde(default)]
    pub chance_to_know: Option<bool>,
    /// Whether the mage can cast spells of its level.
    pub level_high_enough: bool,
}

/// What the Write spell brings.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct InscribeOutcome {
    /// Whether the spell is in the book: always.
    pub inscribed: bool,
    /// Whether Chance to Know is still to be rolled.
    pub roll_still_needed: bool,
    /// Whether the mage may memorize it.
    pub may_memorize: bool,
}

rule! {
    /// Enters a spell into the book with the Write spell, understood or not; memorizing it still hangs on Chance to
    /// Know and level.
    pub struct Inscribe;
}

impl Rule for Inscribe {
    const NAME: &'static str = "spell.inscribe";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-18"];
    const EXAMPLE: &'static str = "{ chance_to_know = true, level_high_enough = false }";
    type Args = InscribeArgs;
    type Options = NoOptions;
    type Outcome = InscribeOutcome;

    fn resolve(args: InscribeArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<InscribeOutcome, RuleError> {
        Ok(InscribeOutcome {
            inscribed: true,
            roll_still_needed: args.chance_to_know.is_none(),
            may_memorize: args.chance_to_know == Some(true) && args.level_high_enough,
        })
    }
}

/// What a spell is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpellSource {
    /// A scroll.
    Scroll,
    /// A spell book.
    SpellBook,
}

/// Who casts from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpellReader {
    /// A magic-user.
    MagicUser,
    /// An illusionist.
    Illusionist,
    /// A thief.
    Thief,
    /// An assassin.
    Assassin,
}

/// What `spell.may_cast_from` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayCastFromArgs {
    /// Scroll or spell book.
    pub source: SpellSource,
    /// Who casts.
    pub caster: SpellReader,
    /// Whether the caster can know the spell (Chance to Know); a scroll does not ask.
    pub can_know: bool,
}

/// Why a spell is not cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MayCastFromRefusal {
    /// The caster can never know the spell, and only a scroll forgives that.
    Unknowable,
    /// Thieves and assassins read scrolls, and a spell book is none.
    SpellBookIsNotAScroll,
}

/// Whether a spell may be cast straight from the writing.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayCastFromOutcome {
    /// Whether it may.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<MayCastFromRefusal>,
}

rule! {
    /// Tells who may cast straight from a scroll or, in need, from a spell book: an unknowable spell only from a
    /// scroll, and thieves and assassins never from a book.
    pub struct MayCastFrom;
}

impl Rule for MayCastFrom {
    const NAME: &'static str = "spell.may_cast_from";
    const SOURCE: &'static [&'static str] =
        &["first-edition SPELL-19", "first-edition SCROLL-02", "first-edition SCROLL-07"];
    const EXAMPLE: &'static str = r#"{ source = "spell_book", caster = "magic_user", can_know = true }"#;
    type Args = MayCastFromArgs;
    type Options = NoOptions;
    type Outcome = MayCastFromOutcome;

    fn resolve(args: MayCastFromArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<MayCastFromOutcome, RuleError> {
        let reason = match (args.source, args.caster) {
            (SpellSource::Scroll, _) => None,
            (SpellSource::SpellBook, SpellReader::Thief | SpellReader::Assassin) => {
                Some(MayCastFromRefusal::SpellBookIsNotAScroll)
            }
            (SpellSource::SpellBook, _) => (!args.can_know).then_some(MayCastFromRefusal::Unknowable),
        };
        Ok(MayCastFromOutcome { allowed: reason.is_none(), reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_spell_unread_is_not_copied_even_if_it_could_be_comprehended() {
        let refused = outcome::<Transcribe>(r#"{"spell_level":2,"read_magic":false}"#, &[]);
        assert_eq!((refused.reason, refused.days), (Some(TranscribeRefusal::NotRead), None));
    }

    #[test]
    fn sizes_mix_in_one_book() {
        let room = outcome::<BookHasRoom>(r#"{"spells":[9,9,9,9,9,9,9,4],"add":1}"#, &[]);
        assert_eq!((room.used, room.free, room.fits), (69, 3, true));
    }
}
