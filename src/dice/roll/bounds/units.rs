//! What is known of the dice of a pool, or the members of a group, between two operators.

use super::interval::{END, Interval};
use crate::dice::Die;
use crate::dice::notation::check;
use crate::dice::notation::tree::{Cap, Comparator, Explosion, OperatorKind, Style};

/// The state of a pool or group between two operators.
pub(super) struct Units<'e> {
    pub die: Option<Die<'e>>,
    pub faces: Interval,
    /// What one unit counts.
    pub value: Interval,
    /// How many units there are.
    pub count: Interval,
    pub clamped: bool,
    /// Whether each die still counts what it shows, any of its faces.
    pub plain: bool,
    pub differing: bool,
    /// The sum, where it is known better than from count and value.
    pub sum: Option<Interval>,
    /// The successes, once counted.
    pub tally: Option<Interval>,
}

fn opposite(comparator: Comparator) -> Comparator {
    match comparator {
        Comparator::Equal => Comparator::Different,
        Comparator::Different => Comparator::Equal,
        Comparator::Less => Comparator::AtLeast,
        Comparator::AtMost => Comparator::Greater,
        Comparator::Greater => Comparator::AtMost,
        Comparator::AtLeast => Comparator::Less,
    }
}

impl Units<'_> {
    /// The sum of the units that there are.
    pub(super) fn total(&self) -> Interval {
        let plain = self.count.times(self.value);
        let Some(die) = self.die.filter(|_| self.differing && self.count.low == self.count.high) else { return plain };
        // Dice that all differ: the least so many distinct faces, and the greatest.
        let count = usize::try_from(self.count.low).unwrap_or(usize::MAX);
        if count as u64 > check::distinct_faces(die) || count > 100_000 {
            return plain;
        }
        let distinct: Vec<i128> = match die {
            Die::Numbered(sides) => {
                let (sides, count) = (i128::from(sides), count as i128);
                let least = count * (count + 1) / 2;
                return Interval::new(least, count * (sides + 1) - least);
            }
            Die::Listed(faces) => {
                let mut distinct: Vec<i128> = faces.iter().map(|&face| i128::from(face)).collect();
                distinct.sort_unstable();
                distinct.dedup();
                distinct
            }
        };
        let least = distinct.iter().take(count).sum();
        Interval::new(least, distinct.iter().rev().take(count).sum())
    }

    /// What the units for which the comparison holds (or does not) may count; `None` when there are none.
    fn where_holds(&self, comparator: Comparator, number: Interval, holds: bool) -> Option<Interval> {
        if let (Some(die), true, true) = (self.die, self.plain, number.low == number.high)
            && let Ok(number) = i64::try_from(number.low)
        {
            let (low, high) = check::faces_where(die, comparator, number, holds)?;
            return Some(Interval::new(i128::from(low), i128::from(high)));
        }
        self.value.where_holds(if holds { comparator } else { opposite(comparator) }, number)
    }

    fn raw_where(&self, comparator: Comparator, number: Interval, holds: bool) -> Option<Interval> {
        if let (Some(die), true) = (self.die, number.low == number.high)
            && let Ok(number) = i64::try_from(number.low)
        {
            let (low, high) = check::faces_where(die, comparator, number, holds)?;
            return Some(Interval::new(i128::from(low), i128::from(high)));
        }
        self.faces.where_holds(if holds { comparator } else { opposite(comparator) }, number)
    }

    /// How many units may meet a comparison.
    fn matches(&self, comparator: Comparator, number: Interval) -> Interval {
        if self.where_holds(comparator, number, true).is_none() {
            Interval::NONE
        } else if self.where_holds(comparator, number, false).is_none() {
            self.count
        } else {
            Interval::new(0, self.count.high)
        }
    }

    fn keep(&mut self, count: Interval) {
        self.count = count;
        self.sum = None;
    }

    fn keep_where(&mut self, comparator: Comparator, number: Interval, holds: bool) {
        let kept = self.where_holds(comparator, number, holds);
        let rest = self.where_holds(comparator, number, !holds);
        let count = match (kept, rest) {
            (None, _) => Interval::NONE,
            (_, None) => self.count,
            _ => Interval::new(0, self.count.high),
        };
        self.value = kept.unwrap_or(self.value);
        self.plain = false;
        self.keep(count);
    }

    pub(super) fn apply(&mut self, kind: &OperatorKind, cap: Option<Interval>, number: Interval) {
        let left = |number: Interval| {
            Interval::new((self.count.low - number.high).max(0), (self.count.high - number.low).max(0))
        };
        match kind {
            OperatorKind::Keep(..) => self.keep(self.count.at_most(number)),
            OperatorKind::Drop(..) => self.keep(left(number)),
            OperatorKind::KeepIf(when) => self.keep_where(when.comparator, number, true),
            OperatorKind::DropIf(when) => self.keep_where(when.comparator, number, false),
            OperatorKind::AtLeast(_) => self.clamp(self.value.at_least(number)),
            OperatorKind::AtMost(_) => self.clamp(self.value.at_most(number)),
            OperatorKind::Reroll(limit, when) => self.reroll(limit, cap, when.comparator, number),
            OperatorKind::RerollBetter(when) => {
                if self.where_holds(when.comparator, number, true).is_some() {
                    self.value.high = self.value.high.max(self.faces.high);
                    self.changed();
                }
            }
            OperatorKind::Unique => {
                self.value = if self.clamped { self.value.with(self.faces) } else { self.value };
                self.changed();
                self.differing = !self.clamped;
            }
            OperatorKind::Explode(explosion) => self.explode(explosion, cap, number),
            OperatorKind::Count(when) => self.tally = Some(self.matches(when.comparator, number)),
            OperatorKind::Failures(when) => {
                let matches = self.matches(when.comparator, number);
                self.tally = self.tally.map(|tally| tally.plus(matches.negated()));
            }
            OperatorKind::Doubles(when) => {
                let matches = self.matches(when.comparator, number);
                let Some(tally) = self.tally else { return };
                let doubled = Interval::new(if tally.low == self.count.low { matches.low } else { 0 }, matches.high);
                self.tally = Some(tally.plus(doubled));
            }
            OperatorKind::Sort(_) | OperatorKind::Label(_) | OperatorKind::Critical(..) => {}
        }
    }

    fn changed(&mut self) {
        self.plain = false;
        self.differing = false;
        self.sum = None;
    }

    fn clamp(&mut self, value: Interval) {
        self.value = value;
        self.clamped = true;
        self.changed();
    }

    fn reroll(&mut self, limit: &Cap, cap: Option<Interval>, comparator: Comparator, number: Interval) {
        if self.where_holds(comparator, number, true).is_none() {
            return;
        }
        let never = cap.is_some_and(|cap| cap.high == 0);
        if never {
            return;
        }
        let stays = self.where_holds(comparator, number, false);
        let falls = match limit {
            Cap::Unlimited => self.raw_where(comparator, number, false),
            Cap::Once | Cap::AtMost(_) => Some(self.faces),
        };
        let may_not = cap.is_some_and(|cap| cap.low == 0).then_some(self.value);
        let all = [stays, falls, may_not].into_iter().flatten().reduce(Interval::with);
        self.value = all.unwrap_or(self.value);
        self.changed();
    }

    /// Rerolls without an end that stand in a row: the die is rolled until no comparison holds.
    pub(super) fn reroll_until(&mut self, tests: &[(Comparator, Interval)]) {
        let [(comparator, number)] = tests else {
            let known = |(comparator, number): &(Comparator, Interval)| {
                let number = (number.low == number.high).then(|| i64::try_from(number.low).ok()).flatten()?;
                Some((*comparator, number))
            };
            let may = tests.iter().any(|(comparator, number)| self.where_holds(*comparator, *number, true).is_some());
            let stays = tests
                .iter()
                .try_fold(self.value, |value, (comparator, number)| value.where_holds(opposite(*comparator), *number));
            let known: Option<Vec<(Comparator, i64)>> = tests.iter().map(known).collect();
            let falls = match (self.die, known) {
                (Some(die), Some(known)) => {
                    check::faces_beyond(die, &known).map(|(low, high)| Interval::new(i128::from(low), i128::from(high)))
                }
                _ => Some(self.faces),
            };
            if may {
                self.value = [stays, falls].into_iter().flatten().reduce(Interval::with).unwrap_or(self.value);
                self.changed();
            }
            return;
        };
        self.reroll(&Cap::Unlimited, None, *comparator, *number);
    }

    fn explode(&mut self, explosion: &Explosion, cap: Option<Interval>, number: Interval) {
        let most = match explosion.cap {
            Cap::Unlimited => END,
            Cap::Once => 1,
            Cap::AtMost(_) => cap.map_or(0, |cap| cap.high),
        };
        let (meets, rest) = match &explosion.when {
            Some(when) => {
                (self.raw_where(when.comparator, number, true), self.raw_where(when.comparator, number, false))
            }
            // Of computed sides any number may turn out to be the greatest face.
            None if self.die.is_none() => (Some(self.faces), Some(self.faces)),
            None => {
                let greatest = Interval::new(self.faces.high, self.faces.high);
                (Some(greatest), self.raw_where(Comparator::Less, greatest, true))
            }
        };
        let Some(meets) = meets else { return };
        if most == 0 {
            return;
        }
        let less = i128::from(explosion.style == Style::Penetrate);
        let first_meets = if self.clamped { Some(self.value) } else { self.value.and(meets) };
        let first_rest = if self.clamped { Some(self.value) } else { rest.and_then(|rest| self.value.and(rest)) };
        let mut value = first_rest;
        if let Some(first) = first_meets {
            // The caps between the least and the greatest lie between their chains.
            let fewest = cap.map_or(most, |cap| cap.low.max(1));
            let added = chain(meets, rest, most, less).with(chain(meets, rest, fewest, less));
            let whole = first.plus(added);
            value = Some(value.map_or(whole, |value| value.with(whole)));
            if cap.is_some_and(|cap| cap.low == 0) {
                value = value.map(|value| value.with(first));
            }
        }
        let value = value.unwrap_or(self.value);
        let value = Interval::new(value.low.max(-END), value.high.min(END));
        if explosion.style == Style::Alone {
            let sum = self.count.times(value);
            self.value = self.value.with(self.faces);
            let high = self.count.high.saturating_mul(most.saturating_add(1)).min(END);
            self.count = Interval::new(self.count.low, high);
            self.changed();
            self.sum = Some(sum);
            return;
        }
        self.value = value;
        self.clamped = true;
        self.changed();
    }
}

/// What one die or more, added to a die, add up to.
fn chain(meets: Interval, rest: Option<Interval>, most: i128, less: i128) -> Interval {
    let low_link = meets.low - less;
    let high_link = meets.high - less;
    let mut ends = Vec::new();
    // So many dice, of which all but the last explode again; the last does not, unless the cap is reached.
    let mut link = |dice: i128, last: Interval| {
        let run = |link: i128| link.saturating_mul(dice - 1).clamp(-END, END);
        ends.push(run(low_link) + last.low - less);
        ends.push(run(high_link) + last.high - less);
    };
    if let Some(rest) = rest {
        link(1, rest);
        if most >= END || most > 2 {
            link(if most >= END { END } else { most - 1 }, rest);
        }
    }
    if most < END {
        link(most, rest.map_or(meets, |rest| rest.with(meets)));
    }
    Interval::around(ends).map_or(Interval::NONE, |all| Interval::new(all.low.max(-END), all.high.min(END)))
}
