//! Operators and dice whose numbers are all known: what a roll would refuse is refused here, in the same words.

use super::pool::{Placed, Step, Test, Tests};
use crate::dice::Die;
use crate::dice::notation::tree::{Amount, Cap, Comparator, End, OperatorKind, Operators, Span, Style};
use crate::dice::notation::{Limits, NotationError, NotationErrorKind, check};

/// A number of dice, refused where a roll would refuse it.
pub(super) fn dice_count(count: i64, limits: &Limits, span: Span) -> Result<u32, NotationError> {
    if count < 0 {
        let message = format!("the number of dice is {count}, less than 0");
        return Err(NotationError::new(NotationErrorKind::OutOfRange, span, message)
            .suggest("(max(0, …))d6", "rolls no dice instead"));
    }
    let most = limits.draws.min(u64::from(u32::MAX));
    if count as u64 > most {
        let message = format!("a roll draws at most {most} dice");
        return Err(NotationError::new(NotationErrorKind::Limit, span, message));
    }
    Ok(count as u32)
}

pub(super) fn too_many_sides(span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::Limit, span, format!("a die has at most {} sides", u32::MAX))
}

pub(super) fn numbered(sides: i64, span: Span) -> Result<Die<'static>, NotationError> {
    if sides < 1 {
        let message = format!("a die has at least one side, not {sides}");
        return Err(NotationError::new(NotationErrorKind::OutOfRange, span, message)
            .suggest("d(max(1, …))", "has one side instead"));
    }
    u32::try_from(sides).map(Die::Numbered).map_err(|_| too_many_sides(span))
}

/// Refuses what can never end, now that every number is known.
pub(super) fn check_known(
    operators: &Operators,
    die: Die<'_>,
    count: u32,
    numbers: &[i64],
) -> Result<(), NotationError> {
    let amounts = operators.iter().flat_map(|operator| {
        let (cap, number) = operator.kind.amounts();
        [cap, number].into_iter().flatten()
    });
    let known: Vec<(&Amount, i64)> = amounts.zip(numbers.iter().copied()).collect();
    check::check_endings(operators, die, Some(i64::from(count)), |wanted| {
        known.iter().find(|(amount, _)| std::ptr::eq(*amount, wanted)).map(|(_, number)| *number)
    })
}

fn not_negative(number: i64, span: Span, what: &str) -> Result<u64, NotationError> {
    u64::try_from(number).map_err(|_| {
        let message = format!("the number of dice to {what} is {number}, less than 0");
        NotationError::new(NotationErrorKind::OutOfRange, span, message).suggest("max(0, …)", "stays at 0 or more")
    })
}

/// Operators with their numbers. A bare `!` explodes on the greatest face.
pub(super) fn placed(operators: &Operators, numbers: &[i64], greatest: i64) -> Result<Vec<Placed>, NotationError> {
    let mut numbers = numbers.iter().copied();
    let mut next = || numbers.next().unwrap_or(0);
    let mut steps = Vec::with_capacity(operators.len());
    let mut left = operators.as_slice();
    while let [operator, behind @ ..] = left {
        left = behind;
        let span = operator.span;
        let run = OperatorKind::rerolls_in_a_row(operator, behind);
        if run > 0 {
            let whens = std::iter::once(operator).chain(&behind[..run]).filter_map(|operator| match &operator.kind {
                OperatorKind::Reroll(_, when) => Some(when.comparator),
                _ => None,
            });
            let tests = Tests::new(whens.map(|comparator| Test { comparator, number: next() }));
            steps.push((Step::RerollUntil(tests.ok_or_else(|| too_many_rerolls(span))?), span));
            left = &behind[run..];
            continue;
        }
        let mut cap = |cap: &Cap| match cap {
            Cap::Unlimited => Ok(None),
            Cap::Once => Ok(Some(1)),
            Cap::AtMost(_) => not_negative(next(), span, "add or reroll").map(Some),
        };
        let step = match &operator.kind {
            OperatorKind::Explode(explosion) => {
                let cap = cap(&explosion.cap)?;
                let test = match &explosion.when {
                    Some(when) => Test { comparator: when.comparator, number: next() },
                    None => Test { comparator: Comparator::Equal, number: greatest },
                };
                // A chain shown as one die has the odds of a chain.
                let style = if explosion.style == Style::Compound { Style::Chain } else { explosion.style };
                Step::Explode(style, cap, test)
            }
            OperatorKind::Reroll(limit, when) => {
                let cap = cap(limit)?;
                Step::Reroll(cap, Test { comparator: when.comparator, number: next() })
            }
            OperatorKind::Keep(end, _) => Step::Keep(*end, not_negative(next(), span, "keep")?),
            OperatorKind::Drop(end, _) => Step::Drop(*end, not_negative(next(), span, "drop")?),
            OperatorKind::KeepIf(when) => Step::KeepIf(Test { comparator: when.comparator, number: next() }),
            OperatorKind::DropIf(when) => Step::DropIf(Test { comparator: when.comparator, number: next() }),
            OperatorKind::RerollBetter(when) => {
                Step::RerollBetter(Test { comparator: when.comparator, number: next() })
            }
            OperatorKind::Count(when) => Step::Count(Test { comparator: when.comparator, number: next() }),
            OperatorKind::Failures(when) => Step::Failures(Test { comparator: when.comparator, number: next() }),
            OperatorKind::Doubles(when) => Step::Doubles(Test { comparator: when.comparator, number: next() }),
            OperatorKind::AtLeast(_) => Step::AtLeast(next()),
            OperatorKind::AtMost(_) => Step::AtMost(next()),
            OperatorKind::Unique => Step::Unique,
            OperatorKind::Critical(..) => {
                next();
                continue;
            }
            OperatorKind::Sort(_) | OperatorKind::Label(_) => continue,
        };
        steps.push((step, span));
    }
    Ok(steps)
}

fn too_many_rerolls(span: Span) -> NotationError {
    let message = format!("at most {} rerolls stand in a row", Tests::MOST);
    NotationError::new(NotationErrorKind::Limit, span, message)
}

/// A keep of list members as a step.
pub(super) fn keep_step(end: End, number: i64, span: Span) -> Result<Placed, NotationError> {
    Ok((Step::Keep(end, not_negative(number, span, "keep")?), span))
}
