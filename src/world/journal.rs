//! The journal: what was done at the table, entry by entry, and the way back.

use thiserror::Error;

use super::records::{Change, World};
use crate::dice::Draw;

/// What one command did.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The command, as it was typed.
    pub text: String,
    /// The dice that fell, in order.
    pub draws: Vec<Draw>,
    /// Each record that is another now, before and after.
    pub changes: Vec<Change>,
    /// Whether it was taken back.
    pub undone: bool,
}

/// Why there is no way back or forth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// So much was not done.
    #[error("there are only {0} entries to undo; `log` lists them")]
    TooFarBack(usize),
    /// Nothing was done.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// Nothing was undone, or something else was done since.
    #[error("there is nothing to redo: undone entries can be redone until something else is done")]
    NothingToRedo,
}

/// The entries of a session, oldest first. What was undone stays in it, marked.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    entries: Vec<Entry>,
    /// The undone entries that can be redone, the next one last.
    redoable: Vec<usize>,
}

impl Journal {
    /// All entries, undone ones too.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Keeps an entry; what was undone before it cannot be redone any more. Returns its index.
    pub fn keep(&mut self, entry: Entry) -> usize {
        self.redoable.clear();
        self.entries.push(entry);
        self.entries.len() - 1
    }

    /// The index of the last entry that holds, if there is one.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        self.entries.iter().rposition(|entry| !entry.undone)
    }

    /// The index of the entry undone last, if it can be redone.
    #[must_use]
    pub fn next_redo(&self) -> Option<usize> {
        self.redoable.last().copied()
    }

    /// Takes back the last `count` entries that hold, the last one first. Returns their indices in that order.
    ///
    /// # Errors
    /// When there are not so many; nothing is taken back then.
    pub fn undo(&mut self, count: usize, world: &mut World) -> Result<Vec<usize>, JournalError> {
        let standing = self.entries.iter().enumerate().rev().filter(|(_, entry)| !entry.undone);
        let indices: Vec<usize> = standing.map(|(index, _)| index).take(count).collect();
        match indices.len() {
            0 => return Err(JournalError::NothingToUndo),
            fewer if fewer < count => return Err(JournalError::TooFarBack(fewer)),
            _ => {}
        }
        for &index in &indices {
            let entry = &mut self.entries[index];
            world.undo(&entry.changes);
            entry.undone = true;
            self.redoable.push(index);
        }
        Ok(indices)
    }

    /// Does the entry that was undone last again. Returns its index.
    ///
    /// # Errors
    /// When nothing was undone since something was last done.
    pub fn redo(&mut self, world: &mut World) -> Result<usize, JournalError> {
        let index = self.redoable.pop().ok_or(JournalError::NothingToRedo)?;
        let entry = &mut self.entries[index];
        world.redo(&entry.changes);
        entry.undone = false;
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{halfling, with_dice};
    use super::super::records::{Id, Record};
    use super::*;
    use crate::rules::core::{House, Positive};

    fn blow(journal: &mut Journal, world: &mut World, id: Id, damage: i64) {
        let transaction = world.begin();
        world
            .change(id, |tam| {
                with_dice(&House::new(), &[], |referee| tam.take_damage(Positive::clamped(damage), referee))
            })
            .unwrap();
        let changes = world.commit(transaction);
        journal.keep(Entry { text: format!("take_damage({damage})"), draws: Vec::new(), changes, undone: false });
    }

    fn three_blows() -> (Journal, World, Id) {
        let (mut journal, mut world) = (Journal::default(), World::new());
        let tam = world.add(Record::Character(halfling())).unwrap();
        for damage in [1, 2, 50] {
            blow(&mut journal, &mut world, tam, damage);
        }
        (journal, world, tam)
    }

    #[test]
    fn the_record_before_is_restored_not_the_amount_given_back() {
        let (mut journal, mut world, tam) = three_blows();
        let hp = |world: &World| world.character(tam).unwrap().hp();
        assert_eq!(hp(&world), -35);
        assert_eq!(journal.undo(2, &mut world), Ok(vec![2, 1]));
        assert_eq!(hp(&world), 17);
        assert_eq!(journal.redo(&mut world), Ok(1));
        assert_eq!(hp(&world), 15);
        assert_eq!(journal.undo(3, &mut world), Err(JournalError::TooFarBack(2)));
        assert_eq!(hp(&world), 15);
    }

    #[test]
    fn what_is_done_anew_ends_the_way_forth_and_undone_entries_stay_visible() {
        let (mut journal, mut world, tam) = three_blows();
        journal.undo(1, &mut world).unwrap();
        blow(&mut journal, &mut world, tam, 5);
        assert_eq!(journal.redo(&mut world), Err(JournalError::NothingToRedo));
        let marks: Vec<bool> = journal.entries().iter().map(|entry| entry.undone).collect();
        assert_eq!(marks, [false, false, true, false]);
        assert_eq!(journal.undo(3, &mut world), Ok(vec![3, 1, 0]));
        assert_eq!(journal.undo(1, &mut world), Err(JournalError::NothingToUndo));
        assert_eq!(world.character(tam).unwrap().hp(), 18);
    }
}
