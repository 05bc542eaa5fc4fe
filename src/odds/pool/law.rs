//! The law of one die: what it may have become after the operators that look at each die by itself.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::steps::{Placed, Step, Test, settled_above};
use crate::dice::Die;
use crate::dice::notation::tree::{Span, Style};
use crate::dice::notation::{NotationError, NotationErrorKind};
use crate::odds::distribution::Distribution;
use crate::odds::polynomial::Polynomial;
use crate::odds::weight::ratio;

/// How many dice one die may add: the notation's limit. What lies beyond is part of the remainder.
const MOST_ADDED: u64 = 1_000;

/// What a die counts and the face it shows; the two differ after a clamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Single {
    pub value: i64,
    pub raw: i64,
}

impl Single {
    pub(crate) fn face(face: i64) -> Self {
        Single { value: face, raw: face }
    }
}

/// The faces of a fresh die with their weights.
#[derive(Clone, Debug)]
pub(crate) struct Fresh {
    pub faces: Vec<(i64, UBig)>,
    pub total: UBig,
}

impl Fresh {
    pub(crate) fn of(die: Die<'_>) -> Self {
        let mut weights: BTreeMap<i64, u64> = BTreeMap::new();
        for index in 0..die.sides() {
            *weights.entry(die.face(index)).or_default() += 1;
        }
        let faces = weights.into_iter().map(|(face, weight)| (face, weight.into())).collect();
        Fresh { faces, total: die.sides().into() }
    }

    /// The weight of the faces for which something holds.
    pub(crate) fn weight(&self, holds: impl Fn(i64) -> bool) -> UBig {
        self.faces.iter().filter(|(face, _)| holds(*face)).fold(UBig::ZERO, |sum, (_, weight)| sum + weight)
    }

    /// The polynomial of the faces for which something holds, each moved by `shift`.
    pub(super) fn polynomial(&self, holds: impl Fn(i64) -> bool, shift: i64) -> Polynomial {
        let mut sum = Polynomial::zero();
        let one = UBig::ONE;
        for (face, weight) in self.faces.iter().filter(|(face, _)| holds(*face)) {
            sum.add_scaled(&Polynomial::monomial(*face, weight.clone()), &one, shift);
        }
        sum
    }
}

/// What a die may be, with weights that come, with `dropped`, to `total` or (cut off) less.
#[derive(Clone, Debug)]
pub(crate) struct Law {
    pub singles: BTreeMap<Single, UBig>,
    pub dropped: UBig,
    pub total: UBig,
}

fn put(singles: &mut BTreeMap<Single, UBig>, single: Single, weight: UBig) {
    if !weight.is_zero() {
        *singles.entry(single).or_default() += weight;
    }
}

impl Law {
    /// A die as it falls.
    pub(crate) fn of(fresh: &Fresh) -> Self {
        let singles = fresh.faces.iter().map(|(face, weight)| (Single::face(*face), weight.clone())).collect();
        Law { singles, dropped: UBig::ZERO, total: fresh.total.clone() }
    }

    /// A die that is this for certain.
    pub(crate) fn certain(single: Single) -> Self {
        Law { singles: BTreeMap::from([(single, UBig::ONE)]), dropped: UBig::ZERO, total: UBig::ONE }
    }

    /// A member of a group: a value with its weights. Where the operators treat all values alike that were cut off, one
    /// stands for them.
    pub(crate) fn of_member(member: &Distribution<i64>, steps: &[Placed]) -> Self {
        let entries = member.entries().iter();
        let singles = entries.map(|(value, weight)| (Single::face(*value), weight.clone())).collect();
        let mut law = Law { singles, dropped: UBig::ZERO, total: member.total().clone() };
        if let Some(sure) = member.sure_to().filter(|sure| settled_above(steps, **sure)) {
            put(&mut law.singles, Single::face(sure.saturating_add(1)), member.total() - member.listed());
        }
        law
    }

    /// The weights by value alone, ascending.
    pub(crate) fn values(&self) -> Vec<(i64, UBig)> {
        let mut values: Vec<(i64, UBig)> = Vec::with_capacity(self.singles.len());
        for (single, weight) in &self.singles {
            match values.last_mut() {
                Some((value, sum)) if *value == single.value => *sum += weight,
                _ => values.push((single.value, weight.clone())),
            }
        }
        values
    }

    /// Whether some die counts something else than it shows.
    pub(crate) fn is_clamped(&self) -> bool {
        self.singles.keys().any(|single| single.value != single.raw)
    }

    /// Applies operators that look at each die by itself. `cut` is the most that an explosion without an end may leave
    /// out, for one die; nothing is left out where the operators that follow (the rest of these, then `later`) treat it
    /// all alike.
    pub(crate) fn after(
        mut self,
        steps: &[Placed],
        later: &[Placed],
        fresh: &Fresh,
        cut: f64,
    ) -> Result<Self, NotationError> {
        for (at, placed) in steps.iter().enumerate() {
            let to_come = [&steps[at + 1..], later].concat();
            self.apply(*placed, &to_come, fresh, cut)?;
        }
        Ok(self)
    }

    /// The same without the raw faces, for when no explosion is to come: only it looks at them.
    pub(crate) fn without_raw_faces(mut self) -> Self {
        for (single, weight) in std::mem::take(&mut self.singles) {
            put(&mut self.singles, Single::face(single.value), weight);
        }
        self
    }

    /// Applies one operator and keeps the raw faces.
    pub(crate) fn after_one(mut self, placed: Placed, fresh: &Fresh, cut: f64) -> Result<Self, NotationError> {
        self.apply(placed, &[], fresh, cut)?;
        Ok(self)
    }

    fn apply(
        &mut self,
        (step, span): Placed,
        to_come: &[Placed],
        fresh: &Fresh,
        cut: f64,
    ) -> Result<(), NotationError> {
        match step {
            Step::KeepIf(test) => self.filter(|value| test.holds(value)),
            Step::DropIf(test) => self.filter(|value| !test.holds(value)),
            Step::AtLeast(bound) => self.clamp(|value| value.max(bound)),
            Step::AtMost(bound) => self.clamp(|value| value.min(bound)),
            Step::Reroll(None, test) => self.reroll(|value| test.holds(value), fresh, span)?,
            Step::RerollUntil(tests) => self.reroll(|value| tests.any_holds(value), fresh, span)?,
            Step::Reroll(Some(times), test) => (0..times.min(MOST_ADDED)).for_each(|_| self.reroll_once(test, fresh)),
            Step::RerollBetter(test) => self.reroll_better(test, fresh),
            Step::Explode(style, cap, test) => self.explode((style, cap, test), to_come, fresh, cut),
            // These look at all dice together, or at none.
            Step::Keep(..) | Step::Drop(..) | Step::Unique | Step::Count(_) | Step::Failures(_) | Step::Doubles(_) => {}
        }
        Ok(())
    }

    fn filter(&mut self, stays: impl Fn(i64) -> bool) {
        let dropped = &mut self.dropped;
        self.singles.retain(|single, weight| {
            let stays = stays(single.value);
            if !stays {
                *dropped += &*weight;
            }
            stays
        });
    }

    fn clamp(&mut self, clamp: impl Fn(i64) -> i64) {
        for (single, weight) in std::mem::take(&mut self.singles) {
            put(&mut self.singles, Single { value: clamp(single.value), raw: single.raw }, weight);
        }
    }

    fn scale(&mut self, factor: &UBig) {
        self.singles.values_mut().for_each(|weight| *weight *= factor);
        self.dropped *= factor;
        self.total *= factor;
    }

    /// Takes out the singles whose value is such; gives their weight.
    fn taken(&mut self, again: impl Fn(i64) -> bool) -> UBig {
        let mut taken = UBig::ZERO;
        self.singles.retain(|single, weight| {
            let holds = again(single.value);
            if holds {
                taken += &*weight;
            }
            !holds
        });
        taken
    }

    /// Rerolls while this holds of the value: what is left is a fresh die for which it does not.
    fn reroll(&mut self, again: impl Fn(i64) -> bool, fresh: &Fresh, span: Span) -> Result<(), NotationError> {
        let taken = self.taken(&again);
        if taken.is_zero() {
            return Ok(());
        }
        let ends = fresh.weight(|face| !again(face));
        if ends.is_zero() {
            let message = "every face is rerolled, so it would never end";
            return Err(NotationError::new(NotationErrorKind::Endless, span, message));
        }
        self.scale(&ends);
        for (face, weight) in fresh.faces.iter().filter(|(face, _)| !again(*face)) {
            put(&mut self.singles, Single::face(*face), &taken * weight);
        }
        Ok(())
    }

    /// Rerolls once. At most n times is this n times: a die that the test does not hold for stays.
    fn reroll_once(&mut self, test: Test, fresh: &Fresh) {
        let taken = self.taken(|value| test.holds(value));
        if taken.is_zero() {
            return;
        }
        self.scale(&fresh.total);
        for (face, weight) in &fresh.faces {
            put(&mut self.singles, Single::face(*face), &taken * weight);
        }
    }

    fn reroll_better(&mut self, test: Test, fresh: &Fresh) {
        let before = std::mem::take(&mut self.singles);
        self.dropped *= &fresh.total;
        self.total *= &fresh.total;
        for (single, weight) in before {
            if !test.holds(single.value) {
                put(&mut self.singles, single, weight * &fresh.total);
                continue;
            }
            for (face, chance) in &fresh.faces {
                // The first stands when both are equal.
                let better = if *face > single.value { Single::face(*face) } else { single };
                put(&mut self.singles, better, &weight * chance);
            }
        }
    }

    /// Adds the dice of an explosion; each die and what it caused become one chain.
    fn explode(&mut self, (style, cap, test): (Style, Option<u64>, Test), to_come: &[Placed], fresh: &Fresh, cut: f64) {
        let before = std::mem::take(&mut self.singles);
        let starts = before.iter().filter(|(single, _)| test.holds(single.raw));
        let starts = starts.fold(UBig::ZERO, |sum, (_, weight)| sum + weight);
        if starts.is_zero() || cap == Some(0) {
            for (single, weight) in before {
                put(&mut self.singles, Single::face(single.value), weight);
            }
            return;
        }
        let depth = Depth::of(cap, fresh, test, ratio(&starts, &self.total), cut);
        let less = i64::from(style == Style::Penetrate);
        let (added, added_total) = added(fresh, test, less, depth);
        if depth.cut
            && let Some(sure) = least_beyond(&before, fresh, test, less, depth).and_then(|least| least.checked_sub(1))
            && settled_above(to_come, sure)
        {
            put(&mut self.singles, Single::face(sure + 1), starts * (&added_total - added.total()));
        }
        self.dropped *= &added_total;
        self.total *= &added_total;
        let added = added.into_distribution(UBig::ONE);
        for (single, weight) in before {
            if !test.holds(single.raw) {
                put(&mut self.singles, Single::face(single.value), weight * &added_total);
                continue;
            }
            for (sum, chance) in added.entries() {
                put(&mut self.singles, Single::face(single.value.saturating_add(*sum)), &weight * chance);
            }
        }
    }
}

/// The least value of a chain that goes on beyond the depth; nothing where added dice may lower it.
fn least_beyond(before: &BTreeMap<Single, UBig>, fresh: &Fresh, test: Test, less: i64, depth: Depth) -> Option<i64> {
    let start = before.keys().filter(|single| test.holds(single.raw)).map(|single| single.value).min()?;
    let on = fresh.faces.iter().map(|(face, _)| face - less).filter(|face| test.holds(face + less)).min()?;
    let last = fresh.faces.first().map(|(face, _)| face - less)?;
    if on < 0 || last < 0 {
        return None;
    }
    start.checked_add(on.checked_mul(depth.dice as i64)?)?.checked_add(last)
}

/// How many dice an explosion may add to one die, and whether what goes on beyond that is cut off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    pub dice: u64,
    pub cut: bool,
}

impl Depth {
    /// The cap; without one, as many dice as leave out no more than `cut` when a die starts with chance `starts`.
    pub(crate) fn of(cap: Option<u64>, fresh: &Fresh, test: Test, starts: f64, cut: f64) -> Self {
        if let Some(cap) = cap.filter(|cap| *cap <= MOST_ADDED) {
            return Depth { dice: cap, cut: false };
        }
        let again = ratio(&fresh.weight(|face| test.holds(face)), &fresh.total);
        let mut left = starts * again;
        let mut dice = 1;
        while left > cut && dice < MOST_ADDED {
            left *= again;
            dice += 1;
        }
        Depth { dice, cut: true }
    }
}

/// The sum of the dice added to a die that explodes, each counting `less` less.
fn added(fresh: &Fresh, test: Test, less: i64, depth: Depth) -> (Polynomial, UBig) {
    let again = fresh.polynomial(|face| test.holds(face), -less);
    let ends = fresh.polynomial(|face| !test.holds(face), -less);
    let mut sum = if depth.cut { ends.clone() } else { fresh.polynomial(|_| true, -less) };
    let mut total = fresh.total.clone();
    for _ in 1..depth.dice {
        let mut next = again.multiply(&sum);
        next.add_scaled(&ends, &total, 0);
        sum = next;
        total *= &fresh.total;
    }
    (sum, total)
}
