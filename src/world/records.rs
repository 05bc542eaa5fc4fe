//! The world: records under ids, and transactions that keep what was there before.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::character::Character;
use crate::rules::core::{ErrorKind, RuleError};

/// How many records a world holds: a bound on what a script can make it keep.
const MOST_RECORDS: usize = 10_000;

/// What a record is known by. An id is never given twice in a world, so an id of a record that is gone stays so; in
/// another world it is nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    place: u32,
    birth: u64,
    world: u64,
}

impl Id {
    /// A number that stands for nobody else in this world, from 1.
    #[must_use]
    pub fn number(self) -> u64 {
        self.birth
    }
}

/// Something that lasts.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Record {
    /// Somebody with classes.
    Character(Character),
}

/// What one record was before something happened, and is after; nothing where it was not there.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which record.
    pub id: Id,
    /// As it was.
    pub before: Option<Arc<Record>>,
    /// As it is.
    pub after: Option<Arc<Record>>,
}

/// Why the world cannot do what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The record was removed, undone, or belongs to another world.
    #[error("that somebody is gone: what made them was undone or ended; make them again")]
    Gone,
    /// Another change to the same record was made while this one was being worked out.
    #[error(
        "somebody changed while another change to them was being worked out; let a house rule return what it wants instead"
    )]
    ChangedMeanwhile,
    /// The world holds as many records as it can.
    #[error("there are {MOST_RECORDS} characters already; no more can be kept")]
    Full,
}

/// A record and what the open transactions know of it.
#[derive(Clone, Debug, Default)]
struct Slot {
    birth: u64,
    record: Option<Arc<Record>>,
    /// The transaction in which the record was last written down as it was before; 0 for none.
    kept_in: u64,
}

/// A record as it was before its first change in a transaction.
#[derive(Clone, Debug)]
struct Before {
    place: u32,
    birth: u64,
    record: Option<Arc<Record>>,
    kept_in: u64,
}

/// Everything that lasts: plain data under ids, changed only inside transactions.
///
/// Outside a transaction a change is one of its own. Transactions nest; what an inner one keeps belongs to the outer
/// one, and what either rolls back is exactly as it was.
#[derive(Clone, Debug)]
pub struct World {
    /// Tells the ids of this world, and of its copies, from those of another.
    number: u64,
    slots: Vec<Slot>,
    /// Places without a record, the last one freed on top.
    free: Vec<u32>,
    births: u64,
    transactions: u64,
    open: Vec<Transaction>,
    log: Vec<Before>,
}

/// An open transaction, as [`World::begin`] hands it out. Given back to [`World::commit`] or [`World::roll_back`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a transaction that is begun has to be committed or rolled back"]
pub struct Transaction {
    number: u64,
    from: usize,
}

/// Worlds are equal when they hold the same records at the same places.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        self.records().eq(other.records())
    }
}

impl Default for World {
    fn default() -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        World {
            number: MADE.fetch_add(1, Ordering::Relaxed),
            slots: Vec::new(),
            free: Vec::new(),
            births: 0,
            transactions: 0,
            open: Vec::new(),
            log: Vec::new(),
        }
    }
}

impl World {
    /// A world with nobody in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn id(&self, place: u32, birth: u64) -> Id {
        Id { place, birth, world: self.number }
    }

    // ---- reading ----

    /// The records with their ids, in the order of their places.
    pub fn records(&self) -> impl Iterator<Item = (Id, &Record)> {
        self.slots.iter().enumerate().filter_map(|(place, slot)| {
            let record = slot.record.as_deref()?;
            Some((self.id(place as u32, slot.birth), record))
        })
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether nobody is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record of an id.
    ///
    /// # Errors
    /// When it is gone.
    #[inline]
    pub fn record(&self, id: Id) -> Result<&Arc<Record>, WorldError> {
        let slot = self.slots.get(id.place as usize).filter(|slot| slot.birth == id.birth && id.world == self.number);
        slot.and_then(|slot| slot.record.as_ref()).ok_or(WorldError::Gone)
    }

    /// The character of an id.
    ///
    /// # Errors
    /// When it is gone.
    #[inline]
    pub fn character(&self, id: Id) -> Result<&Character, WorldError> {
        match &**self.record(id)? {
            Record::Character(character) => Ok(character),
        }
    }

    // ---- changing ----

    /// Takes a new record in.
    ///
    /// # Errors
    /// When the world is full.
    pub fn add(&mut self, record: Record) -> Result<Id, WorldError> {
        if self.len() >= MOST_RECORDS {
            return Err(WorldError::Full);
        }
        let place = self.free.last().copied().unwrap_or(self.slots.len() as u32);
        if place as usize == self.slots.len() {
            self.slots.push(Slot::default());
        } else {
            self.free.pop();
        }
        self.births += 1;
        self.keep(place);
        let slot = &mut self.slots[place as usize];
        (slot.birth, slot.record) = (self.births, Some(Arc::new(record)));
        Ok(self.id(place, self.births))
    }

    /// Lets a record go.
    ///
    /// # Errors
    /// When it is gone already.
    pub fn remove(&mut self, id: Id) -> Result<(), WorldError> {
        self.record(id)?;
        self.keep(id.place);
        self.slots[id.place as usize].record = None;
        self.free.push(id.place);
        Ok(())
    }

    /// A copy to work a change out on, while house rules may look at the record as it is. [`World::put`] takes it back.
    ///
    /// # Errors
    /// When the record is gone.
    pub fn draft(&self, id: Id) -> Result<Draft, WorldError> {
        let was = Arc::clone(self.record(id)?);
        let Record::Character(character) = &*was;
        let character = character.clone();
        Ok(Draft { id, was, character })
    }

    /// Takes a worked-out change over.
    ///
    /// # Errors
    /// When the record is gone, or was changed since the draft was made; the world stays as it is.
    pub fn put(&mut self, draft: Draft) -> Result<(), WorldError> {
        self.put_all([draft])
    }

    /// Takes several worked-out changes over, all or none.
    ///
    /// # Errors
    /// As [`World::put`].
    pub fn put_all(&mut self, drafts: impl IntoIterator<Item = Draft>) -> Result<(), WorldError> {
        let drafts: smallvec::SmallVec<[Draft; 1]> = drafts.into_iter().collect();
        for draft in &drafts {
            if !Arc::ptr_eq(self.record(draft.id)?, &draft.was) {
                return Err(WorldError::ChangedMeanwhile);
            }
        }
        for draft in drafts {
            self.keep(draft.id.place);
            self.slots[draft.id.place as usize].record = Some(Arc::new(Record::Character(draft.character)));
        }
        Ok(())
    }

    /// Lets something happen to a character: on a copy, which takes the character's place when all went well.
    ///
    /// # Errors
    /// When the character is gone, and the error of what was to happen; nothing has changed then.
    pub fn change<T, E: From<WorldError>>(
        &mut self,
        id: Id,
        happen: impl FnOnce(&mut Character) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut draft = self.draft(id)?;
        let told = happen(&mut draft.character)?;
        self.put(draft)?;
        Ok(told)
    }

    /// Writes down what a place holds, unless the innermost transaction has done so.
    #[inline]
    fn keep(&mut self, place: u32) {
        let Some(transaction) = self.open.last() else { return };
        let slot = &mut self.slots[place as usize];
        if slot.kept_in < transaction.number {
            self.log.push(Before { place, birth: slot.birth, record: slot.record.clone(), kept_in: slot.kept_in });
            slot.kept_in = transaction.number;
        }
    }

    // ---- transactions ----

    /// Begins a transaction.
    pub fn begin(&mut self) -> Transaction {
        self.transactions += 1;
        let transaction = Transaction { number: self.transactions, from: self.log.len() };
        self.open.push(transaction);
        transaction
    }

    /// Ends a transaction and keeps what happened in it: a change for each record that is another now, in the order in
    /// which they were first touched. Transactions begun inside and not ended end with it.
    pub fn commit(&mut self, transaction: Transaction) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for before in &self.log[transaction.from..] {
            let slot = &self.slots[before.place as usize];
            if !seen.insert(before.place) {
                continue;
            }
            let same = slot.birth == before.birth && slot.record == before.record;
            if !same {
                let was = before.record.clone();
                // A place that was freed and filled again is two records: one that went, one that came.
                if slot.birth != before.birth && was.is_some() {
                    let id = self.id(before.place, before.birth);
                    changes.push(Change { id, before: was, after: None });
                    let id = self.id(before.place, slot.birth);
                    changes.push(Change { id, before: None, after: slot.record.clone() });
                } else {
                    let id = self.id(before.place, slot.birth);
                    changes.push(Change { id, before: was, after: slot.record.clone() });
                }
            }
        }
        // Somebody who came and went within it was never there for anybody outside.
        changes.retain(|change| change.before.is_some() || change.after.is_some());
        self.close(transaction);
        if self.open.is_empty() {
            self.log.clear();
        }
        changes
    }

    /// Ends a transaction as if it had never begun.
    pub fn roll_back(&mut self, transaction: Transaction) {
        while self.log.len() > transaction.from {
            let Some(before) = self.log.pop() else { break };
            let slot = &mut self.slots[before.place as usize];
            *slot = Slot { birth: before.birth, record: before.record, kept_in: before.kept_in };
        }
        self.close(transaction);
        self.reckon_free();
    }

    fn close(&mut self, transaction: Transaction) {
        while self.open.last().is_some_and(|open| open.number >= transaction.number) {
            self.open.pop();
        }
    }

    /// Places without a record, after places came and went in another order than they are given out in.
    fn reckon_free(&mut self) {
        while self.slots.last().is_some_and(|slot| slot.record.is_none()) {
            self.slots.pop();
        }
        let empty = |(place, slot): (usize, &Slot)| slot.record.is_none().then_some(place as u32);
        self.free.clear();
        self.free.extend(self.slots.iter().enumerate().rev().filter_map(empty));
    }

    /// Puts changes of the past back: `before` of each, the last change first. What is overwritten is what those changes
    /// made, so the same list with [`World::redo`] comes back to it.
    pub fn undo(&mut self, changes: &[Change]) {
        for change in changes.iter().rev() {
            self.set(change.id, change.before.clone());
        }
        self.reckon_free();
    }

    /// Makes undone changes again.
    pub fn redo(&mut self, changes: &[Change]) {
        for change in changes {
            self.set(change.id, change.after.clone());
        }
        self.reckon_free();
    }

    fn set(&mut self, id: Id, record: Option<Arc<Record>>) {
        if self.slots.len() <= id.place as usize {
            self.slots.resize_with(id.place as usize + 1, Slot::default);
        }
        self.keep(id.place);
        let slot = &mut self.slots[id.place as usize];
        (slot.birth, slot.record) = (id.birth, record);
    }
}

/// A change that is being worked out on a copy.
#[derive(Clone, Debug)]
pub struct Draft {
    id: Id,
    was: Arc<Record>,
    /// The copy.
    pub character: Character,
}

impl From<WorldError> for RuleError {
    fn from(error: WorldError) -> Self {
        RuleError::general(ErrorKind::Invalid, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{halfling, with_dice};
    use super::*;
    use crate::rules::core::{House, Positive};

    fn hurt(world: &mut World, id: Id, damage: i64) -> Result<(), RuleError> {
        world.change(id, |somebody| {
            with_dice(&House::new(), &[], |referee| somebody.take_damage(Positive::clamped(damage), referee)).map(drop)
        })
    }

    fn tam_in_a_world() -> (World, Id) {
        let mut world = World::new();
        let tam = world.add(Record::Character(halfling())).unwrap();
        (world, tam)
    }

    #[test]
    fn a_transaction_rolled_back_was_never_there() {
        let (mut world, tam) = tam_in_a_world();
        let before = world.clone();
        let transaction = world.begin();
        hurt(&mut world, tam, 9).unwrap();
        let other = world.add(Record::Character(halfling())).unwrap();
        world.remove(tam).unwrap();
        world.roll_back(transaction);
        assert_eq!(world, before);
        assert_eq!(world.character(tam).unwrap().hp(), 18);
        assert_eq!(world.character(other), Err(WorldError::Gone));
    }

    #[test]
    fn an_id_is_never_given_twice() {
        let (mut world, tam) = tam_in_a_world();
        world.remove(tam).unwrap();
        let next = world.add(Record::Character(halfling())).unwrap();
        assert_eq!((next.place, world.character(tam)), (tam.place, Err(WorldError::Gone)));
        assert!(world.character(next).is_ok());
    }

    #[test]
    fn an_id_of_another_world_is_nobodys() {
        let ((here, tam), (there, _)) = (tam_in_a_world(), tam_in_a_world());
        assert!(here.character(tam).is_ok() && here.clone().character(tam).is_ok());
        assert_eq!(there.character(tam), Err(WorldError::Gone));
    }

    #[test]
    fn changes_are_undone_and_made_again() {
        let (mut world, tam) = tam_in_a_world();
        let start = world.clone();
        let transaction = world.begin();
        hurt(&mut world, tam, 3).unwrap();
        hurt(&mut world, tam, 3).unwrap();
        let ilse = world.add(Record::Character(halfling())).unwrap();
        let changes = world.commit(transaction);
        assert_eq!(changes.len(), 2);
        let after = world.clone();
        world.undo(&changes);
        assert_eq!(world, start);
        assert_eq!(world.character(ilse), Err(WorldError::Gone));
        world.redo(&changes);
        assert_eq!(world, after);
        assert_eq!(world.character(ilse).unwrap().hp(), 18);
    }

    #[test]
    fn an_inner_transaction_belongs_to_the_outer_one() {
        let (mut world, tam) = tam_in_a_world();
        let start = world.clone();
        let outer = world.begin();
        hurt(&mut world, tam, 1).unwrap();
        let kept = world.begin();
        hurt(&mut world, tam, 1).unwrap();
        assert_eq!(world.commit(kept).len(), 1);
        let lost = world.begin();
        hurt(&mut world, tam, 5).unwrap();
        world.roll_back(lost);
        assert_eq!(world.character(tam).unwrap().hp(), 16);
        hurt(&mut world, tam, 1).unwrap();
        let changes = world.commit(outer);
        assert_eq!(changes.len(), 1);
        world.undo(&changes);
        assert_eq!(world, start);
    }

    #[test]
    fn what_changes_nothing_is_no_change() {
        let (mut world, tam) = tam_in_a_world();
        let transaction = world.begin();
        world.change(tam, |_| Ok::<_, WorldError>(())).unwrap();
        let passing = world.add(Record::Character(halfling())).unwrap();
        world.remove(passing).unwrap();
        assert_eq!(world.commit(transaction), []);
    }

    #[test]
    fn a_draft_is_refused_when_its_record_changed_meanwhile() {
        let (mut world, tam) = tam_in_a_world();
        let draft = world.draft(tam).unwrap();
        hurt(&mut world, tam, 4).unwrap();
        assert_eq!(world.put(draft), Err(WorldError::ChangedMeanwhile));
        assert_eq!(world.character(tam).unwrap().hp(), 14);
    }

    #[test]
    fn an_error_halfway_changes_nothing() {
        let (mut world, tam) = tam_in_a_world();
        let before = world.clone();
        let failed = world.change(tam, |somebody| {
            with_dice(&House::new(), &[], |referee| somebody.take_damage(Positive::clamped(9), referee))?;
            Err::<(), _>(RuleError::missing("courage"))
        });
        assert!(failed.is_err());
        assert_eq!(world, before);
    }

    #[test]
    fn a_full_world_takes_nobody_in() {
        let mut world = World::new();
        let tam = halfling();
        for _ in 0..MOST_RECORDS {
            world.add(Record::Character(tam.clone())).unwrap();
        }
        assert_eq!(world.add(Record::Character(tam)), Err(WorldError::Full));
    }
}
