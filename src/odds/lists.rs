//! The odds of lists: `6 x 4d6kh3`.

use std::rc::Rc;

use dashu_int::UBig;

use super::budget::Meter;
use super::distribution::Distribution;
use super::expression::{Found, Known, Reading};
use super::numbers::keep_step;
use super::pool::{Placed, Step};
use crate::dice::notation::tree::{End, Function, Node, NodeKind};
use crate::dice::notation::{NotationError, NotationErrorKind};

/// Independent, equal members, of which some are kept.
pub(super) struct ListLaw {
    pub count: u32,
    pub member: Known,
    pub keeps: Vec<Placed>,
}

/// The lists that a node may be, with their weights (its count and its keeps may be computed) and the total of them.
pub(super) fn of<'e>(reading: &mut Reading<'e>, node: &'e Node) -> Found<(Vec<(UBig, ListLaw)>, UBig)> {
    match &node.kind {
        NodeKind::Repeat(times, body) => {
            let counts = reading.number(times)?;
            let member = if counts.max().is_some_and(|most| *most > 0) {
                reading.number(body)?
            } else {
                Rc::new(Distribution::constant(0))
            };
            let mut lists = Vec::new();
            for (count, weight) in counts.entries() {
                let count = member_count(*count, reading, times)?;
                lists.push((weight.clone(), ListLaw { count, member: member.clone(), keeps: Vec::new() }));
            }
            Ok((lists, counts.total().clone()))
        }
        NodeKind::KeepMembers(keep) => {
            let numbers = reading.amount(&keep.number)?;
            let (inner, total) = of(reading, &keep.list)?;
            let mut lists = Vec::new();
            for (number, chance) in numbers.entries() {
                let step = keep_step(keep.end, *number, node.span)?;
                for (weight, list) in &inner {
                    let mut keeps = list.keeps.clone();
                    keeps.push(step);
                    let list = ListLaw { count: list.count, member: list.member.clone(), keeps };
                    lists.push((chance * weight, list));
                }
            }
            Ok((lists, total * numbers.total()))
        }
        NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) => of(reading, inner),
        // The order of members has no part in the odds.
        NodeKind::Call(Function::Sort, arguments) if arguments.len() == 1 => of(reading, &arguments[0]),
        _ => {
            let member = reading.number(node)?;
            Ok((vec![(UBig::ONE, ListLaw { count: 1, member, keeps: Vec::new() })], UBig::ONE))
        }
    }
}

fn member_count(count: i64, reading: &Reading<'_>, times: &Node) -> Result<u32, NotationError> {
    if count < 0 {
        let message = format!("nothing can be done {count} times");
        return Err(NotationError::new(NotationErrorKind::OutOfRange, times.span, message));
    }
    let most = reading.limits.members;
    if count as u64 > most {
        let message = format!("a list has at most {most} members, not {count}");
        return Err(NotationError::new(NotationErrorKind::Limit, times.span, message));
    }
    Ok(count as u32)
}

/// The odds of whole lists, members in ascending order.
pub(super) fn joint<'e>(reading: &mut Reading<'e>, node: &'e Node) -> Found<Distribution<Vec<i64>>> {
    let (lists, total) = of(reading, node)?;
    let mut parts = Vec::with_capacity(lists.len());
    for (weight, list) in &lists {
        parts.push((weight.clone(), multisets(list, reading.meter)?));
    }
    let parts: Vec<(UBig, &Distribution<Vec<i64>>)> =
        parts.iter().map(|(weight, part)| (weight.clone(), part)).collect();
    Ok(Distribution::mix(&parts, &total))
}

/// So many independent, equal members in ascending order.
pub(super) fn ascending(count: u32, member: Distribution<i64>, meter: &Meter) -> Found<Distribution<Vec<i64>>> {
    multisets(&ListLaw { count, member: Rc::new(member), keeps: Vec::new() }, meter)
}

/// Every ascending list of members with its weight.
fn multisets(list: &ListLaw, meter: &Meter) -> Found<Distribution<Vec<i64>>> {
    let (n, faces) = (f64::from(list.count), list.member.len() as f64);
    let ways = (1..=list.count).fold(1.0, |ways, k| ways * (faces - 1.0 + f64::from(k)) / f64::from(k));
    meter.announce(|| format!("all lists of {} members", list.count), ways * (4.0 + n))?;
    let mut found: Vec<(Vec<i64>, UBig)> = Vec::new();
    let mut members = Vec::with_capacity(list.count as usize);
    extend(list, (0, list.count), UBig::ONE, &mut members, &mut found, meter)?;
    let total = list.member.total().pow(list.count as usize);
    Ok(Distribution::from_weights(found, Some(total)))
}

/// Goes on with the values from `value` upwards, `left` members to come.
fn extend(
    list: &ListLaw,
    (value, left): (usize, u32),
    weight: UBig,
    members: &mut Vec<i64>,
    found: &mut Vec<(Vec<i64>, UBig)>,
    meter: &Meter,
) -> Found<()> {
    if left == 0 {
        found.push((kept(members, &list.keeps), weight));
        return meter.pause();
    }
    let Some((number, chance)) = list.member.entries().get(value) else { return Ok(()) };
    let before = members.len();
    let mut weight = weight;
    for repeats in 0..=left {
        if repeats > 0 {
            members.push(*number);
            // One member more of this value: `left` over `repeats` grows by this factor.
            weight = weight * (left - repeats + 1) / repeats * chance;
        }
        extend(list, (value + 1, left - repeats), weight.clone(), members, found, meter)?;
    }
    members.truncate(before);
    Ok(())
}

fn kept(ascending: &[i64], keeps: &[Placed]) -> Vec<i64> {
    let mut kept = ascending;
    for (step, _) in keeps {
        kept = match *step {
            Step::Keep(End::Lowest, number) => &kept[..kept.len().min(number as usize)],
            Step::Keep(_, number) => &kept[kept.len() - kept.len().min(number as usize)..],
            _ => kept,
        };
    }
    kept.to_vec()
}
