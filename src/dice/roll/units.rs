//! Dice or chains on their way to a number, and what selects and counts among them. Pools and groups share it.

use smallvec::SmallVec;

use crate::dice::notation::tree::{Comparator, End};

/// One value that is kept, dropped and counted as one: a die, a chain, or a member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// What it counts.
    pub value: i64,
    /// The face its first die shows, before clamps.
    pub raw: i64,
    /// The draw index of its first die, or the index of the member.
    pub id: u32,
}

pub(super) type Units = SmallVec<[Unit; 8]>;

/// The ids that an operator dropped; empty when nobody keeps a trace.
pub(super) type Dropped = Vec<u32>;

/// How many units are dropped from the low end and from the high end to keep so many of `present`.
pub(super) fn ends_to_drop(end: End, keep: usize, present: usize) -> (usize, usize) {
    let surplus = present.saturating_sub(keep);
    match end {
        End::Highest => (surplus, 0),
        End::Lowest => (0, surplus),
        // One low, one high, one low, …
        End::Middle => (surplus.div_ceil(2), surplus / 2),
    }
}

/// Keeps so many from an end. Of equal units the later is dropped.
pub(super) fn keep(units: &mut Units, end: End, number: i64, note: bool) -> Dropped {
    let number = usize::try_from(number).unwrap_or(0);
    let (low, high) = ends_to_drop(end, number, units.len());
    let mut dropped = drop_end(units, low, true, note);
    dropped.extend(drop_end(units, high, false, note));
    dropped
}

/// Drops so many from an end. Of equal units the later is dropped.
pub(super) fn drop(units: &mut Units, end: End, number: i64, note: bool) -> Dropped {
    drop_end(units, usize::try_from(number).unwrap_or(0), end == End::Lowest, note)
}

fn drop_end(units: &mut Units, number: usize, low: bool, note: bool) -> Dropped {
    let number = number.min(units.len());
    if number == 0 {
        return Dropped::new();
    }
    if number < units.len() {
        let mut order: SmallVec<[u32; 16]> = (0..units.len() as u32).collect();
        order.select_nth_unstable_by(number - 1, |&a, &b| {
            let (left, right) = (units[a as usize].value, units[b as usize].value);
            let by_value = if low { left.cmp(&right) } else { right.cmp(&left) };
            by_value.then(b.cmp(&a))
        });
        let goes = &mut order[..number];
        goes.sort_unstable();
        let mut goes = goes.iter().copied().peekable();
        let mut index = 0;
        let mut dropped = Dropped::new();
        units.retain(|unit| {
            let here = index;
            index += 1;
            if goes.next_if_eq(&here).is_none() {
                return true;
            }
            if note {
                dropped.push(unit.id);
            }
            false
        });
        return dropped;
    }
    let dropped = if note { units.iter().map(|unit| unit.id).collect() } else { Dropped::new() };
    units.clear();
    dropped
}

/// Keeps the units for which the comparison is as wanted.
pub(super) fn keep_where(units: &mut Units, comparator: Comparator, number: i64, wanted: bool, note: bool) -> Dropped {
    let mut dropped = Dropped::new();
    units.retain(|unit| {
        let stays = comparator.holds(unit.value, number) == wanted;
        if !stays && note {
            dropped.push(unit.id);
        }
        stays
    });
    dropped
}

/// A count in progress: what a success is, and how it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    comparator: Comparator,
    number: i64,
    /// Successes less failures so far.
    pub total: i64,
}

impl Tally {
    /// Counts the units for which the comparison holds; `each` is told the id of every one.
    pub(super) fn new(units: &Units, comparator: Comparator, number: i64, each: impl FnMut(u32)) -> Self {
        let total = matching(units, |value| comparator.holds(value, number), each);
        Tally { comparator, number, total }
    }

    /// Takes one off for each match.
    pub(super) fn failures(&mut self, units: &Units, comparator: Comparator, number: i64, each: impl FnMut(u32)) {
        self.total -= matching(units, |value| comparator.holds(value, number), each);
    }

    /// Adds one for each success that matches.
    pub(super) fn doubles(&mut self, units: &Units, comparator: Comparator, number: i64, each: impl FnMut(u32)) {
        let success = *self;
        let holds = |value| success.comparator.holds(value, success.number) && comparator.holds(value, number);
        self.total += matching(units, holds, each);
    }
}

fn matching(units: &Units, holds: impl Fn(i64) -> bool, mut each: impl FnMut(u32)) -> i64 {
    let matches = units.iter().filter(|unit| holds(unit.value));
    matches.map(|unit| each(unit.id)).count() as i64
}
