//! Rolls one pool: its dice, and its operators from left to right.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::evaluate::{Evaluation, Numbers, Rolled, count, no_die, select, total};
use super::trace::{Fate, Kind, Origin, RolledDie, Trace};
use super::units::{Tally, Unit, Units};
use super::{Quick, RollValue};
use crate::dice::notation::check;
use crate::dice::notation::tree::{
    Amount, Cap, Comparator, Critical, Explosion, Operator, OperatorKind, Operators, Pool, Sides, Span, Style,
};
use crate::dice::notation::{NotationError, NotationErrorKind, arithmetic};
use crate::dice::{Die, Source};

/// Faces beyond this are added one by one, checked: sources may add up without looking.
const SAFE_FACE: i64 = 1 << 40;

/// Rerolls in a row: each with its comparison.
type RerollTests<'o> = SmallVec<[(&'o Operator, Comparator, i64); 2]>;

/// What an operator needs to know of its pool.
#[derive(Clone, Copy)]
struct Dice<'e> {
    die: Die<'e>,
    /// The pool's text: what its dice are for.
    span: Span,
}

impl<'e, S: Source + ?Sized, T: Trace> Evaluation<'e, S, T> {
    /// Rolls a pool.
    pub(super) fn pool(&mut self, pool: &'e Pool, span: Span) -> Rolled<(i64, T::Node)> {
        if !T::KEEPS
            && let Some(value) = self.quick_pool(pool, span)?
        {
            return Ok((value, self.trace.node(span, || RollValue::Number(value), || Kind::Leaf)));
        }
        let mut computed = Vec::new();
        let count = self.amount(&pool.count, &mut computed)?;
        if count < 0 {
            let message = format!("the number of dice is {count}, less than 0");
            return Err(NotationError::new(NotationErrorKind::OutOfRange, span, message)
                .suggest("(max(0, …))d6", "rolls no dice instead"));
        }
        let die = self.die(&pool.sides, span, &mut computed)?;
        let numbers = self.numbers(&pool.operators, &mut computed)?;
        // What is written in plain numbers was held against the faces when the text was read.
        if !computed.is_empty() && !pool.operators.is_empty() {
            check_known(&pool.operators, die, count, &numbers)?;
        }
        self.may_draw(count as u64, span)?;
        let first = self.drawn as u32;
        let (value, sorted, counted) = if !T::KEEPS && pool.operators.is_empty() && adds_up_safely(die) {
            self.drawn += count as u64;
            let (count, purpose) = (count as u32, span.of(self.text));
            let sum = self.source.sum(die, count, purpose).and_then(|sum| die.checked_sum(sum, count, purpose));
            let sum = sum.map_err(|error| no_die(&error, span))?;
            (sum, None, false)
        } else {
            let mut units = self.first_dice(die, count as usize, span)?;
            let tally = self.operate(&pool.operators, Dice { die, span }, numbers, &mut units)?;
            self.trace.settle(&units);
            let sorted = pool.operators.iter().rev().find_map(|operator| match operator.kind {
                OperatorKind::Sort(order) => Some(order),
                _ => None,
            });
            (total(&units, tally, span)?, sorted, tally.is_some())
        };
        self.labels(&pool.operators, value);
        let fallen = self.drawn as u32 - first;
        let kind = || Kind::Pool { computed, first, dice: fallen, sorted, counted };
        Ok((value, self.trace.node(span, || RollValue::Number(value), kind)))
    }

    /// Rolls a pool of a common shape, without a trace.
    fn quick_pool(&mut self, pool: &'e Pool, span: Span) -> Rolled<Option<i64>> {
        let quick = Quick::of_pool(pool, span, 0);
        let Some(draws) = quick.draws() else { return Ok(None) };
        self.may_draw(draws, span)?;
        let value = quick.total(self.text, self.source).transpose()?;
        self.drawn += draws;
        Ok(value)
    }

    /// The die of a pool; computed sides are rolled.
    fn die(&mut self, sides: &'e Sides, span: Span, computed: &mut Vec<T::Node>) -> Rolled<Die<'e>> {
        if let Some(die) = sides.die() {
            return Ok(die);
        }
        let number = match sides {
            Sides::Number(number) => *number,
            Sides::Computed(node) => {
                let (value, rolled) = self.number(node)?;
                computed.push(rolled);
                value
            }
            Sides::Percent | Sides::Fudge | Sides::Listed(_) => 0,
        };
        if number < 1 {
            let message = format!("a die has at least one side, not {number}");
            return Err(NotationError::new(NotationErrorKind::OutOfRange, span, message)
                .suggest("d(max(1, …))", "has one side instead"));
        }
        u32::try_from(number).map(Die::Numbered).map_err(|_| {
            let message = format!("a die has at most {} sides", u32::MAX);
            NotationError::new(NotationErrorKind::Limit, span, message)
        })
    }

    /// The first dice of a pool, all of them.
    fn first_dice(&mut self, die: Die<'_>, count: usize, span: Span) -> Rolled<Units> {
        let mut faces: SmallVec<[i64; 16]> = SmallVec::from_elem(0, count);
        self.source.fill(die, span.of(self.text), &mut faces).map_err(|error| no_die(&error, span))?;
        let mut units = Units::with_capacity(count);
        for face in faces {
            let face = die.checked(face, span.of(self.text)).map_err(|error| no_die(&error, span))?;
            let id = self.drawn as u32;
            self.drawn += 1;
            self.note_die(die, face, face, Origin::First, id);
            units.push(Unit { value: face, raw: face, id });
        }
        Ok(units)
    }

    /// Writes down the die with this draw index or, with `chain` another index, one that belongs to that chain.
    fn note_die(&mut self, die: Die<'_>, raw: i64, value: i64, origin: Origin, chain: u32) {
        if !T::KEEPS {
            return;
        }
        let draw = self.drawn as u32 - 1;
        let head = chain == draw;
        self.trace.die(RolledDie {
            raw,
            value,
            sides: die.sides(),
            draw,
            chain,
            chain_value: if head { value } else { 0 },
            links: u32::from(head),
            origin,
            fate: Fate::Kept,
            changed_by: None,
            counted: 0,
            mark: None,
        });
    }

    /// Works the operators from left to right.
    fn operate(
        &mut self,
        operators: &'e Operators,
        dice: Dice<'e>,
        numbers: Numbers,
        units: &mut Units,
    ) -> Rolled<Option<Tally>> {
        let first = units.first().map_or(0, |unit| unit.id);
        let mut numbers = numbers.into_iter();
        let mut tally = None;
        for (index, operator) in operators.iter().enumerate() {
            self.step(units.len() as u64, operator.span)?;
            let (cap, amount) = operator.kind.amounts();
            let cap = cap.and_then(|_| numbers.next());
            let number = if amount.is_some() { numbers.next().unwrap_or(0) } else { 0 };
            if let Some(dropped) = select(operator, number, units, T::KEEPS) {
                if T::KEEPS {
                    self.trace.settle(units);
                    self.trace.dropped(first, dropped, operator.span);
                }
                continue;
            }
            if let OperatorKind::Reroll(Cap::Unlimited, when) = &operator.kind {
                let behind = &operators[index + 1..];
                let run = OperatorKind::rerolls_in_a_row(operator, behind);
                let mut tests: RerollTests<'_> = SmallVec::new();
                tests.push((operator, when.comparator, number));
                for (operator, number) in behind[..run].iter().zip(numbers.as_slice()) {
                    if let OperatorKind::Reroll(_, when) = &operator.kind {
                        tests.push((operator, when.comparator, *number));
                    }
                }
                units.iter_mut().try_for_each(|unit| self.reroll_until(&tests, dice, unit))?;
                continue;
            }
            let trace = &mut self.trace;
            count(operator, number, units, &mut tally, |id, by| trace.counted(id, by));
            self.roll_more(operator, dice, cap, number, units)?;
        }
        Ok(tally)
    }

    /// The operators that roll dice or change values.
    fn roll_more(
        &mut self,
        operator: &Operator,
        dice: Dice<'_>,
        cap: Option<i64>,
        number: i64,
        units: &mut Units,
    ) -> Rolled<()> {
        match &operator.kind {
            OperatorKind::Explode(explosion) => {
                let when = match &explosion.when {
                    Some(when) => (when.comparator, number),
                    None => (Comparator::Equal, dice.die.greatest()),
                };
                let cap = cap_number(&explosion.cap, cap);
                if explosion.style == Style::Alone {
                    return self.explode_alone(operator, dice, cap, when, units);
                }
                units.iter_mut().try_for_each(|unit| self.explode(operator, explosion, dice, cap, when, unit))
            }
            OperatorKind::Reroll(limit, when) => {
                let cap = cap_number(limit, cap);
                for unit in units {
                    let mut times = 0;
                    while times < cap && when.comparator.holds(unit.value, number) {
                        self.reroll(operator, dice, unit)?;
                        times += 1;
                    }
                }
                Ok(())
            }
            OperatorKind::RerollBetter(when) => {
                for unit in units {
                    if when.comparator.holds(unit.value, number) {
                        self.reroll_better(operator, dice, unit)?;
                    }
                }
                Ok(())
            }
            OperatorKind::AtLeast(_) => {
                self.clamp(operator, units, |value| value.max(number));
                Ok(())
            }
            OperatorKind::AtMost(_) => {
                self.clamp(operator, units, |value| value.min(number));
                Ok(())
            }
            OperatorKind::Critical(critical, when) => {
                self.mark(*critical, when.comparator, number, units);
                Ok(())
            }
            OperatorKind::Unique => self.differ(operator, dice, units),
            _ => Ok(()),
        }
    }

    /// Rolls one die again until no comparison of a row of rerolls holds.
    fn reroll_until(&mut self, tests: &RerollTests<'_>, dice: Dice<'_>, unit: &mut Unit) -> Rolled<()> {
        while let Some((operator, ..)) =
            tests.iter().find(|(_, comparator, number)| comparator.holds(unit.value, *number))
        {
            self.reroll(operator, dice, unit)?;
        }
        Ok(())
    }

    /// Marks what the comparison holds for, where the roll is shown.
    fn mark(&mut self, critical: Critical, comparator: Comparator, number: i64, units: &Units) {
        for unit in units.iter().filter(|unit| comparator.holds(unit.value, number)) {
            self.trace.marked(unit.id, critical);
        }
    }

    fn clamp(&mut self, operator: &Operator, units: &mut Units, bound: impl Fn(i64) -> i64) {
        for unit in units {
            let value = bound(unit.value);
            if value != unit.value {
                unit.value = value;
                self.trace.changed(unit.id, value, operator.span);
            }
        }
    }

    fn may_add(&self, added: u64, operator: &Operator) -> Rolled<()> {
        if added < self.limits.added {
            return Ok(());
        }
        let message = format!("more than {} dice would be added to one die", self.limits.added);
        Err(NotationError::new(NotationErrorKind::Limit, operator.span, message).suggest("!{10}", "stops at 10"))
    }

    /// Adds dice to one die while its last raw face asks for it.
    fn explode(
        &mut self,
        operator: &Operator,
        explosion: &Explosion,
        dice: Dice<'_>,
        cap: u64,
        when: (Comparator, i64),
        unit: &mut Unit,
    ) -> Rolled<()> {
        let less = i64::from(explosion.style == Style::Penetrate);
        let compound = explosion.style == Style::Compound;
        let mut face = unit.raw;
        let mut to = unit.id;
        let mut added = 0;
        while added < cap && when.0.holds(face, when.1) {
            self.may_add(added, operator)?;
            face = self.draw(dice.die, dice.span)?;
            added += 1;
            let counts = arithmetic::subtract(face, less, dice.span)?;
            unit.value = arithmetic::add(unit.value, counts, dice.span)?;
            self.note_die(dice.die, face, counts, Origin::Added { to, by: operator.span, compound }, unit.id);
            to = self.drawn as u32 - 1;
        }
        Ok(())
    }

    /// Adds dice that stand alone, each behind the die that caused it.
    fn explode_alone(
        &mut self,
        operator: &Operator,
        dice: Dice<'_>,
        cap: u64,
        when: (Comparator, i64),
        units: &mut Units,
    ) -> Rolled<()> {
        let mut all = Units::with_capacity(units.len());
        for unit in units.drain(..) {
            all.push(unit);
            let mut last = unit;
            let mut added = 0;
            while added < cap && when.0.holds(last.raw, when.1) {
                self.may_add(added, operator)?;
                let face = self.draw(dice.die, dice.span)?;
                added += 1;
                let id = self.drawn as u32 - 1;
                let origin = Origin::Added { to: last.id, by: operator.span, compound: false };
                self.note_die(dice.die, face, face, origin, id);
                last = Unit { value: face, raw: face, id };
                all.push(last);
            }
        }
        *units = all;
        Ok(())
    }

    /// Rolls one die again; the new face stands.
    fn reroll(&mut self, operator: &Operator, dice: Dice<'_>, unit: &mut Unit) -> Rolled<()> {
        let face = self.draw(dice.die, dice.span)?;
        let id = self.drawn as u32 - 1;
        self.trace.rerolled(unit.id, operator.span);
        self.note_die(dice.die, face, face, Origin::Replaces { die: unit.id, by: operator.span }, id);
        *unit = Unit { value: face, raw: face, id };
        Ok(())
    }

    /// Rolls one die again; the better of the two stands, the first one when they are equal.
    fn reroll_better(&mut self, operator: &Operator, dice: Dice<'_>, unit: &mut Unit) -> Rolled<()> {
        let before = *unit;
        let face = self.draw(dice.die, dice.span)?;
        let id = self.drawn as u32 - 1;
        self.note_die(dice.die, face, face, Origin::Replaces { die: before.id, by: operator.span }, id);
        let better = face > before.value;
        self.trace.rerolled(if better { before.id } else { id }, operator.span);
        if better {
            *unit = Unit { value: face, raw: face, id };
        }
        Ok(())
    }

    /// Rolls each die that equals an earlier one again until it differs.
    fn differ(&mut self, operator: &Operator, dice: Dice<'_>, units: &mut Units) -> Rolled<()> {
        if units.len() as u64 > check::distinct_faces(dice.die) {
            return Err(check::too_many_to_differ(units.len() as u64, dice.die, operator.span));
        }
        let mut seen = HashSet::with_capacity(units.len());
        for unit in units {
            while !seen.insert(unit.value) {
                self.reroll(operator, dice, unit)?;
            }
        }
        Ok(())
    }
}

/// Whether even a million dice of this kind cannot overflow.
fn adds_up_safely(die: Die<'_>) -> bool {
    match die {
        Die::Numbered(_) => true,
        Die::Listed(_) => die.least() > -SAFE_FACE && die.greatest() < SAFE_FACE,
    }
}

fn cap_number(cap: &Cap, computed: Option<i64>) -> u64 {
    match cap {
        Cap::Unlimited => u64::MAX,
        Cap::Once => 1,
        Cap::AtMost(_) => computed.unwrap_or(0) as u64,
    }
}

/// Refuses what can never end, now that every number is known; what was written in plain numbers was refused by the
/// parser.
fn check_known(operators: &Operators, die: Die<'_>, count: i64, numbers: &Numbers) -> Rolled<()> {
    let mut known: SmallVec<[(&Amount, i64); 4]> = SmallVec::new();
    let mut left = numbers.iter().copied();
    for operator in operators {
        let (cap, amount) = operator.kind.amounts();
        for amount in [cap, amount].into_iter().flatten() {
            known.push((amount, left.next().unwrap_or(0)));
        }
    }
    check::check_endings(operators, die, Some(count), |wanted| {
        known.iter().find(|(amount, _)| std::ptr::eq(*amount, wanted)).map(|(_, number)| *number)
    })
}
