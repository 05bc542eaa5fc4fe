//! The odds of what gathers values: pools, groups and sums of lists, over all numbers that their operators may have.

use std::rc::Rc;

use dashu_int::UBig;

use super::budget::Meter;
use super::distribution::Distribution;
use super::expression::{Found, Known, Reading};
use super::lists;
use super::numbers::{check_known, dice_count, numbered, placed, too_many_sides};
use super::pool::{self, Task};
use crate::dice::notation::tree::{Amount, Group, Node, Operators, Pool, Sides, Span};

impl<'e> Reading<'e> {
    /// The odds of the numbers that an amount may be.
    pub(super) fn amount(&mut self, amount: &'e Amount) -> Found<Known> {
        match amount {
            Amount::Implied => Ok(Rc::new(Distribution::constant(1))),
            Amount::Number(number) => Ok(Rc::new(Distribution::constant(*number))),
            Amount::Computed(node) => self.number(node),
        }
    }

    /// The numbers of operators, a cap before its comparison.
    fn operator_amounts(&mut self, operators: &'e Operators, amounts: &mut Vec<Known>) -> Found<()> {
        for operator in operators {
            let (cap, number) = operator.kind.amounts();
            for amount in [cap, number].into_iter().flatten() {
                amounts.push(self.amount(amount)?);
            }
        }
        Ok(())
    }

    /// The odds of a pool.
    pub(super) fn pool(&mut self, pool: &'e Pool, span: Span) -> Found<Distribution<i64>> {
        let mut amounts = vec![self.amount(&pool.count)?];
        if let Sides::Computed(sides) = &pool.sides {
            amounts.push(self.number(sides)?);
        }
        self.operator_amounts(&pool.operators, &mut amounts)?;
        let (meter, limits, cut) = (self.meter, self.limits, self.cut);
        over_all(&amounts, meter, |numbers| {
            let (count, mut rest) = (numbers[0], &numbers[1..]);
            let count = dice_count(count, limits, span)?;
            let die = if let Sides::Computed(_) = pool.sides {
                let sides = rest[0];
                rest = &rest[1..];
                numbered(sides, span)?
            } else {
                pool.sides.die().ok_or_else(|| too_many_sides(span))?
            };
            check_known(&pool.operators, die, count, rest)?;
            let steps = placed(&pool.operators, rest, die.greatest())?;
            pool::of_pool(count, die, &Task { steps: &steps, span, cut, meter })
        })
    }

    /// The odds of a group.
    pub(super) fn group(&mut self, group: &'e Group, span: Span) -> Found<Distribution<i64>> {
        let mut amounts = Vec::new();
        self.operator_amounts(&group.operators, &mut amounts)?;
        let mut members: Vec<(u32, Known)> = Vec::new();
        for member in &group.members {
            let member = self.number(member)?;
            match members.iter_mut().find(|(_, known)| **known == *member) {
                Some((count, _)) => *count += 1,
                None => members.push((1, member)),
            }
        }
        let (meter, cut) = (self.meter, self.cut);
        over_all(&amounts, meter, |numbers| {
            let steps = placed(&group.operators, numbers, 0)?;
            members_odds(&members, &Task { steps: &steps, span, cut, meter })
        })
    }

    /// The odds of `sum(list)`.
    pub(super) fn sum_of_list(&mut self, list: &'e Node, span: Span) -> Found<Distribution<i64>> {
        let (lists, total) = lists::of(self, list)?;
        let task = |steps| Task { steps, span, cut: self.cut, meter: self.meter };
        let mut sums = Vec::new();
        for (weight, list) in &lists {
            let members = [(list.count, list.member.clone())];
            sums.push((weight.clone(), members_odds(&members, &task(&list.keeps))?));
        }
        let parts: Vec<(UBig, &Distribution<i64>)> = sums.iter().map(|(weight, sum)| (weight.clone(), sum)).collect();
        Ok(Distribution::mix(&parts, &total))
    }
}

/// The odds of members, alike ones counted.
fn members_odds(members: &[(u32, Known)], task: &Task<'_>) -> Found<Distribution<i64>> {
    let members: Vec<(u32, &Distribution<i64>)> =
        members.iter().filter(|(count, _)| *count > 0).map(|(count, member)| (*count, &**member)).collect();
    if members.is_empty() {
        return Ok(Distribution::constant(0));
    }
    pool::of_members(&members, task)
}

/// Mixes what `odds` tells for all numbers that some amounts may have together.
fn over_all(
    amounts: &[Known],
    meter: &Meter,
    odds: impl Fn(&[i64]) -> Found<Distribution<i64>>,
) -> Found<Distribution<i64>> {
    if amounts.iter().all(|amount| amount.len() == 1 && amount.is_whole()) {
        let numbers: Vec<i64> = amounts.iter().filter_map(|amount| amount.min().copied()).collect();
        return odds(&numbers);
    }
    let mut ways: Vec<(Vec<i64>, UBig)> = vec![(Vec::new(), UBig::ONE)];
    let mut total = UBig::ONE;
    for amount in amounts {
        let count = ways.len() as f64 * amount.len() as f64;
        meter.announce(|| format!("{count} combinations of computed numbers"), count)?;
        total *= amount.total();
        let longer = |(numbers, weight): &(Vec<i64>, UBig)| {
            let (numbers, weight) = (numbers.clone(), weight.clone());
            amount.entries().iter().map(move |(number, chance)| {
                let mut numbers = numbers.clone();
                numbers.push(*number);
                (numbers, &weight * chance)
            })
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    let mut parts = Vec::with_capacity(ways.len());
    for (numbers, weight) in ways {
        parts.push((weight, odds(&numbers)?));
    }
    let size: usize = parts.iter().map(|(_, part)| part.len()).sum();
    meter.announce(|| "mixing".into(), 4.0 * size as f64)?;
    let parts: Vec<(UBig, &Distribution<i64>)> = parts.iter().map(|(weight, part)| (weight.clone(), part)).collect();
    Ok(Distribution::mix(&parts, &total))
}
