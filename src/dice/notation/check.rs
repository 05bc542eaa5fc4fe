//! What the faces of the dice tell before any die falls: what can never end, and what no die can meet.

use super::error::{NotationError, NotationErrorKind};
use super::parser::{Parsed, unclear};
use super::tree::{
    Amount, Cap, Comparator, Comparison, Explosion, Function, Node, NodeKind, OperatorKind, Operators, Pool, Span,
    Style,
};
use super::unmet::check_marks;
use crate::dice::Die;

/// Refuses a pool for what is written in plain numbers.
pub(super) fn check_pool(pool: &Pool, span: Span, text: &str) -> Parsed<()> {
    // Most pools have nothing on them, or a selection: neither can go on for ever, nor count what no face meets.
    let matters = |kind: &OperatorKind| {
        !matches!(
            kind,
            OperatorKind::Keep(..) | OperatorKind::Drop(..) | OperatorKind::Sort(_) | OperatorKind::Label(_)
        )
    };
    if !pool.operators.iter().any(|operator| matters(&operator.kind)) {
        return Ok(());
    }
    let Some(die) = pool.sides.die() else { return Ok(()) };
    check_endings(&pool.operators, die, pool.count.written(), Amount::written)?;
    check_marks(&pool.operators, die, span, text)?;
    check_counts(&pool.operators, die, span, text)
}

/// Refuses what can never end. `known` gives the number of an amount, where it is known yet.
pub(crate) fn check_endings<'o>(
    operators: &'o Operators,
    die: Die<'_>,
    count: Option<i64>,
    mut known: impl FnMut(&'o Amount) -> Option<i64>,
) -> Parsed<()> {
    let mut clamped = Clamp::default();
    let mut selected = false;
    let mut left = operators.as_slice();
    while let [operator, behind @ ..] = left {
        left = behind;
        let run = OperatorKind::rerolls_in_a_row(operator, behind);
        if run > 0 {
            let all = std::iter::once(operator).chain(&behind[..run]);
            let tests: Vec<(Comparator, i64)> = all
                .filter_map(|operator| match &operator.kind {
                    OperatorKind::Reroll(_, when) => known(&when.number).map(|number| (when.comparator, number)),
                    _ => None,
                })
                .collect();
            let starts = tests.iter().any(|(comparator, number)| clamped.may_meet(*comparator, *number, die));
            if starts && tests.len() == run + 1 && faces_beyond(die, &tests).is_none() {
                let message = format!("every face of the {} is rerolled, so it would never end", short(die));
                return Err(NotationError::new(NotationErrorKind::Endless, operator.span, message)
                    .suggest(format!("ro{}{}", tests[0].0.text(), tests[0].1), "rerolls once"));
            }
            left = &behind[run..];
            continue;
        }
        match &operator.kind {
            OperatorKind::Keep(..) | OperatorKind::Drop(..) | OperatorKind::KeepIf(_) | OperatorKind::DropIf(_) => {
                selected = true;
            }
            OperatorKind::AtLeast(amount) => clamped = clamped.at_least(known(amount)),
            OperatorKind::AtMost(amount) => clamped = clamped.at_most(known(amount)),
            OperatorKind::Explode(explosion) if matches!(explosion.cap, Cap::Unlimited) => {
                let always = match &explosion.when {
                    None => die.least() == die.greatest(),
                    Some(when) => known(&when.number).is_some_and(|number| always_holds(when.comparator, number, die)),
                };
                if always {
                    let message = format!("every face of the {} explodes, so it would never end", short(die));
                    return Err(NotationError::new(NotationErrorKind::Endless, operator.span, message)
                        .suggest("!o", "explodes once")
                        .suggest("!{3}", "adds at most 3 dice"));
                }
            }
            OperatorKind::Reroll(Cap::Unlimited, when) => {
                let Some(number) = known(&when.number) else { continue };
                let starts = clamped.may_meet(when.comparator, number, die);
                if starts && always_holds(when.comparator, number, die) {
                    let message = format!("every face of the {} is rerolled, so it would never end", short(die));
                    let comparison = format!("{}{number}", when.comparator.text());
                    return Err(NotationError::new(NotationErrorKind::Endless, operator.span, message)
                        .suggest(format!("ro{comparison}"), "rerolls once")
                        .suggest(format!("r{{3}}{comparison}"), "rerolls at most 3 times"));
                }
            }
            OperatorKind::Unique if !selected => {
                let distinct = distinct_faces(die);
                if let Some(count) = count.filter(|count| *count > 0 && *count as u64 > distinct) {
                    return Err(too_many_to_differ(count as u64, die, operator.span));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The error of `u` on more dice than there are distinct faces.
pub(crate) fn too_many_to_differ(count: u64, die: Die<'_>, span: Span) -> NotationError {
    let distinct = distinct_faces(die);
    let message =
        format!("{count} dice cannot all differ; the number of different faces of a {} is {distinct}", short(die));
    NotationError::new(NotationErrorKind::Endless, span, message)
        .suggest(format!("{distinct}{}u", short(die)), "is the most that can differ")
}

/// A die's name, for a message: a long list of faces is cut.
pub(super) fn short(die: Die<'_>) -> String {
    match die {
        Die::Listed(faces) if faces.len() > 12 => "listed die".to_owned(),
        _ => die.to_string(),
    }
}

/// The clamps to the left of an operator, one after the other, as one pair of bounds; `None` where a number is not
/// known.
#[derive(Default)]
struct Clamp {
    least: Option<i64>,
    most: Option<i64>,
    unknown: bool,
}

impl Clamp {
    fn at_least(self, bound: Option<i64>) -> Self {
        let Some(bound) = bound else { return Clamp { unknown: true, ..self } };
        let least = Some(self.least.map_or(bound, |least| least.max(bound)));
        Clamp { least, most: self.most.map(|most| most.max(bound)), ..self }
    }

    fn at_most(self, bound: Option<i64>) -> Self {
        let Some(bound) = bound else { return Clamp { unknown: true, ..self } };
        let most = Some(self.most.map_or(bound, |most| most.min(bound)));
        Clamp { most, least: self.least.map(|least| least.min(bound)), ..self }
    }

    /// Whether some face, clamped, may meet the comparison.
    fn may_meet(&self, comparator: Comparator, number: i64, die: Die<'_>) -> bool {
        if self.unknown || (self.least.is_none() && self.most.is_none()) {
            return true;
        }
        let clamp = |face: i64| {
            let up = self.least.map_or(face, |least| face.max(least));
            self.most.map_or(up, |most| up.min(most))
        };
        let holds = |face: i64| comparator.holds(clamp(face), number);
        match die {
            Die::Listed(faces) => faces.iter().any(|&face| holds(face)),
            // Clamping keeps the order of faces, so the ends and the neighborhood of the number decide.
            Die::Numbered(sides) => [1, i64::from(sides)]
                .into_iter()
                .chain((-1..=1).map(|offset| number.saturating_add(offset)))
                .filter(|face| (1..=i64::from(sides)).contains(face))
                .any(holds),
        }
    }
}

/// How many different faces a die has.
pub(crate) fn distinct_faces(die: Die<'_>) -> u64 {
    match die {
        Die::Numbered(sides) => u64::from(sides),
        Die::Listed(faces) => {
            let mut sorted = faces.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.len() as u64
        }
    }
}

/// The least and the greatest face the comparison holds for (or does not hold for), if any.
pub(crate) fn faces_where(die: Die<'_>, comparator: Comparator, number: i64, holds: bool) -> Option<(i64, i64)> {
    let meets = |face: &i64| comparator.holds(*face, number) == holds;
    match die {
        Die::Listed(faces) => {
            let met = faces.iter().copied().filter(meets);
            Some((met.clone().min()?, met.max()?))
        }
        Die::Numbered(sides) => {
            // Among equal faces in a row a comparison changes only beside its number.
            let sides = i64::from(sides);
            let candidates = [1, 2, sides - 1, sides]
                .into_iter()
                .chain((-1..=1).map(|offset| number.saturating_add(offset)))
                .filter(|face| (1..=sides).contains(face))
                .filter(meets);
            Some((candidates.clone().min()?, candidates.max()?))
        }
    }
}

/// The least and the greatest face for which none of the comparisons holds, if any.
pub(crate) fn faces_beyond(die: Die<'_>, tests: &[(Comparator, i64)]) -> Option<(i64, i64)> {
    let free = |face: &i64| tests.iter().all(|(comparator, number)| !comparator.holds(*face, *number));
    let ends = |found: &mut dyn Iterator<Item = i64>| {
        found.fold(None, |ends: Option<(i64, i64)>, face| {
            let (low, high) = ends.unwrap_or((face, face));
            Some((low.min(face), high.max(face)))
        })
    };
    match die {
        Die::Listed(faces) => ends(&mut faces.iter().copied().filter(free)),
        Die::Numbered(sides) => {
            // Stretches of such faces end at the ends of the die or beside a number.
            let sides = i64::from(sides);
            let beside = tests.iter().flat_map(|(_, number)| (-1..=1).map(|offset| number.saturating_add(offset)));
            ends(&mut [1, sides].into_iter().chain(beside).filter(|face| (1..=sides).contains(face)).filter(free))
        }
    }
}

/// Whether the comparison holds for every face.
pub(crate) fn always_holds(comparator: Comparator, number: i64, die: Die<'_>) -> bool {
    faces_where(die, comparator, number, false).is_none()
}

/// The fewest dice that rolling the node draws, whatever falls, as far as written numbers tell.
pub(super) fn least_draws(node: &Node) -> u64 {
    let mut children = 0u64;
    match &node.kind {
        NodeKind::Call(Function::If, arguments) => {
            let least = |index: usize| arguments.get(index).map_or(0, least_draws);
            least(0).saturating_add(least(1).min(least(2)))
        }
        NodeKind::Repeat(count, body) => {
            let times = if let NodeKind::Number(times) = count.kind { times as u64 } else { 0 };
            least_draws(count).saturating_add(least_draws(body).saturating_mul(times))
        }
        _ => {
            node.each_child(&mut |child| children = children.saturating_add(least_draws(child)));
            let own = if let NodeKind::Pool(pool) = &node.kind { least_pool_draws(pool) } else { 0 };
            children.saturating_add(own)
        }
    }
}

/// The fewest dice of a pool itself: its first dice, and those that are certain to be rerolled or added.
fn least_pool_draws(pool: &Pool) -> u64 {
    let count = pool.count.written().unwrap_or(0).max(0) as u64;
    let Some(die) = pool.sides.die() else { return count };
    let mut each = 1u64;
    for operator in &pool.operators {
        let (cap, when) = match &operator.kind {
            OperatorKind::RerollBetter(when) => (&Cap::Once, when),
            OperatorKind::Reroll(cap, when) | OperatorKind::Explode(Explosion { cap, when: Some(when), .. }) => {
                (cap, when)
            }
            OperatorKind::Sort(_) | OperatorKind::Label(_) => continue,
            // What is to the right works on fewer dice, or on other values.
            _ => break,
        };
        let times = match cap {
            Cap::Unlimited => break,
            Cap::Once => 1,
            Cap::AtMost(amount) => amount.written().unwrap_or(0).max(0) as u64,
        };
        if when.number.written().is_some_and(|number| always_holds(when.comparator, number, die)) {
            each = each.saturating_add(times);
        }
    }
    count.saturating_mul(each)
}

/// Refuses a count whose written number no face can meet.
fn check_counts(operators: &Operators, die: Die<'_>, span: Span, text: &str) -> Parsed<()> {
    for operator in operators {
        match &operator.kind {
            OperatorKind::Explode(explosion) if explosion.style != Style::Alone => return Ok(()),
            OperatorKind::AtLeast(_) | OperatorKind::AtMost(_) => return Ok(()),
            OperatorKind::Count(Comparison { comparator, number: Amount::Number(number) }) => {
                if faces_where(die, *comparator, *number, true).is_some() {
                    return Ok(());
                }
                let uncounted = Span { end: operator.span.start, ..span }.of(text).trim_end();
                let written = operator.span.of(text);
                let message =
                    format!("a comparison on dice counts them, and no face of the {} is {written}", short(die));
                return Err(
                    unclear(operator.span, message).suggest(format!("({uncounted}){written}"), "compares the total")
                );
            }
            _ => {}
        }
    }
    Ok(())
}
