//! What an operator does once its numbers are known, and how a row of them is taken apart.

use std::hash::Hash;

use crate::dice::notation::tree::{Comparator, End, Span, Style};

/// A comparison with a known number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Test {
    pub comparator: Comparator,
    pub number: i64,
}

impl Test {
    pub(crate) fn holds(self, value: i64) -> bool {
        self.comparator.holds(value, self.number)
    }
}

/// An operator with known numbers. `None` for a cap: no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Keep(End, u64),
    Drop(End, u64),
    KeepIf(Test),
    DropIf(Test),
    /// The test decides on raw faces.
    Explode(Style, Option<u64>, Test),
    Reroll(Option<u64>, Test),
    /// Rerolls without a cap, in a row: until no test holds.
    RerollUntil(Tests),
    RerollBetter(Test),
    AtLeast(i64),
    AtMost(i64),
    Unique,
    Count(Test),
    Failures(Test),
    Doubles(Test),
}

/// The tests of rerolls in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tests {
    tests: [Option<Test>; Tests::MOST],
}

impl Tests {
    /// So many rerolls may stand in a row.
    pub(crate) const MOST: usize = 8;

    /// Nothing when there are more than so many.
    pub(crate) fn new(all: impl IntoIterator<Item = Test>) -> Option<Self> {
        let mut tests = [None; Tests::MOST];
        for (index, test) in all.into_iter().enumerate() {
            *tests.get_mut(index)? = Some(test);
        }
        Some(Tests { tests })
    }

    pub(crate) fn any_holds(&self, value: i64) -> bool {
        self.tests.iter().flatten().any(|test| test.holds(value))
    }
}

/// A step and the text of its operator.
pub(crate) type Placed = (Step, Span);

impl Step {
    /// Whether it looks at the dice together, so that one die's fate hangs on the others.
    fn is_joint(self) -> bool {
        matches!(self, Step::Keep(..) | Step::Drop(..) | Step::Unique | Step::Explode(Style::Alone, ..))
    }

    fn is_count(self) -> bool {
        matches!(self, Step::Count(_) | Step::Failures(_) | Step::Doubles(_))
    }

    pub(crate) fn is_explosion(self) -> bool {
        matches!(self, Step::Explode(..))
    }
}

/// What the dice that are left come to: their sum, or successes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scoring {
    count: Option<Test>,
    failures: Vec<Test>,
    doubles: Vec<Test>,
}

impl Scoring {
    /// What one die of this value adds.
    pub(crate) fn score(&self, value: i64) -> i64 {
        let Some(count) = self.count else { return value };
        let success = count.holds(value);
        let matching = |tests: &[Test]| tests.iter().filter(|test| test.holds(value)).count() as i64;
        i64::from(success) + if success { matching(&self.doubles) } else { 0 } - matching(&self.failures)
    }
}

/// Whether all values above a number fare alike under the operators that are still to come: one of them can then stand
/// for all, also for those that were never worked out.
pub(crate) fn settled_above(later: &[Placed], number: i64) -> bool {
    let beyond = number.saturating_add(1);
    let mut settled = false;
    for (step, _) in later {
        match step {
            Step::Keep(..) | Step::Drop(..) => {}
            Step::KeepIf(test) | Step::DropIf(test) if test.number <= number => {
                if test.holds(beyond) == matches!(step, Step::DropIf(_)) {
                    return true;
                }
            }
            Step::AtMost(bound) if *bound <= number => return true,
            Step::AtLeast(bound) if *bound <= number => {}
            Step::Count(test) | Step::Failures(test) | Step::Doubles(test) if test.number <= number => settled = true,
            _ => return false,
        }
    }
    settled
}

/// A row of operators taken apart: those each die meets alone, a run of joint ones, again those each die meets alone,
/// and what counts in the end. `rest` is not empty when joint operators come in more than one run.
#[derive(Debug)]
pub(crate) struct Plan<'s> {
    pub alone_before: &'s [Placed],
    pub joint: &'s [Placed],
    pub alone_after: &'s [Placed],
    pub rest: &'s [Placed],
    pub counts: &'s [Placed],
    pub scoring: Scoring,
}

impl<'s> Plan<'s> {
    pub(crate) fn of(steps: &'s [Placed]) -> Self {
        let counting = steps.iter().position(|(step, _)| step.is_count()).unwrap_or(steps.len());
        let (dice, counts) = steps.split_at(counting);
        let mut scoring = Scoring::default();
        for (step, _) in counts {
            match step {
                Step::Count(test) => scoring.count = Some(*test),
                Step::Failures(test) => scoring.failures.push(*test),
                Step::Doubles(test) => scoring.doubles.push(*test),
                _ => {}
            }
        }
        let run = |steps: &'s [Placed], joint: bool| {
            let end = steps.iter().position(|(step, _)| step.is_joint() != joint).unwrap_or(steps.len());
            steps.split_at(end)
        };
        let (alone_before, dice) = run(dice, false);
        let (joint, dice) = run(dice, true);
        let (alone_after, rest) = run(dice, false);
        Plan { alone_before, joint, alone_after, rest, counts, scoring }
    }
}

/// The ranks (from 0, ascending) that a run of keeps and drops leaves of so many dice: from the first up to, not
/// including, the second. Nothing when the run holds anything else.
pub(crate) fn ranks_kept(run: &[Placed], dice: u64) -> Option<(u64, u64)> {
    let (mut low, mut high) = (0, dice);
    for (step, _) in run {
        let present = high - low;
        match *step {
            Step::Keep(end, number) => {
                let surplus = present.saturating_sub(number);
                let (from_low, from_high) = match end {
                    End::Highest => (surplus, 0),
                    End::Lowest => (0, surplus),
                    // One low, one high, one low, …
                    End::Middle => (surplus.div_ceil(2), surplus / 2),
                };
                low += from_low;
                high -= from_high;
            }
            Step::Drop(End::Lowest, number) => low += number.min(present),
            Step::Drop(_, number) => high -= number.min(present),
            _ => return None,
        }
    }
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(run: &[Step], dice: u64) -> (u64, u64) {
        let placed: Vec<Placed> = run.iter().map(|step| (*step, Span::default())).collect();
        ranks_kept(&placed, dice).unwrap()
    }

    #[test]
    fn keeps_and_drops_in_a_row_leave_a_stretch_of_ranks() {
        assert_eq!(kept(&[Step::Keep(End::Highest, 3)], 4), (1, 4));
        assert_eq!(kept(&[Step::Drop(End::Lowest, 1), Step::Drop(End::Highest, 1)], 3), (1, 2));
        assert_eq!(kept(&[Step::Keep(End::Middle, 1)], 4), (2, 3));
        assert_eq!(kept(&[Step::Keep(End::Highest, 9)], 4), (0, 4));
        assert_eq!(kept(&[Step::Drop(End::Highest, 9)], 4), (0, 0));
    }
}
