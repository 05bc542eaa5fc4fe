//! Marks whose comparison no face can meet: they would silently do nothing.

use super::error::NotationError;
use super::parser::{Parsed, unclear};
use super::tree::{Amount, Comparator, Comparison, Explosion, Operator, OperatorKind, Operators, Span, Style};
use crate::dice::Die;
use crate::dice::notation::check::{faces_where, short};

/// Refuses an explosion or a reroll whose written number no face can meet, and a failure or a double that no die can.
pub(super) fn check_marks(operators: &Operators, die: Die<'_>, span: Span, text: &str) -> Parsed<()> {
    // Behind a clamp a die may count what it cannot show, behind an explosion a chain.
    let (mut clamped, mut chained) = (false, false);
    for operator in operators {
        let (when, on_faces) = match &operator.kind {
            OperatorKind::Explode(Explosion { when, style, .. }) => {
                chained |= *style != Style::Alone;
                (when.as_ref(), true)
            }
            OperatorKind::Reroll(_, when) | OperatorKind::RerollBetter(when) => (Some(when), !clamped),
            OperatorKind::Failures(when) | OperatorKind::Doubles(when) => (Some(when), !clamped && !chained),
            OperatorKind::AtLeast(_) | OperatorKind::AtMost(_) => {
                clamped = true;
                continue;
            }
            _ => continue,
        };
        if let Some(Comparison { comparator, number: Amount::Number(number) }) = when
            && on_faces
            && faces_where(die, *comparator, *number, true).is_none()
        {
            return Err(does_nothing(operator, (*comparator, *number), die, span, text));
        }
    }
    Ok(())
}

/// The nearest comparison that some face meets.
fn met((comparator, number): (Comparator, i64), die: Die<'_>) -> String {
    let (least, greatest) = (die.least(), die.greatest());
    match comparator {
        Comparator::Greater | Comparator::AtLeast => format!(">={greatest}"),
        Comparator::Less | Comparator::AtMost => format!("<={least}"),
        _ => format!("={}", number.clamp(least, greatest)),
    }
}

#[cold]
fn does_nothing(operator: &Operator, when: (Comparator, i64), die: Die<'_>, pool: Span, text: &str) -> NotationError {
    let written = operator.span.of(text);
    let mark = written.split(['=', '<', '>']).next().unwrap_or(written);
    let comparison = written[mark.len()..].trim_start_matches("==");
    let comparison =
        if written[mark.len()..].starts_with("==") { format!("={comparison}") } else { comparison.to_owned() };
    let before = Span { end: operator.span.start, ..pool }.of(text).trim_end();
    let met = met(when, die);
    let message = format!("no face of the {} is {comparison}, so `{written}` would do nothing", short(die));
    let error = unclear(operator.span, message);
    let OperatorKind::Explode(explosion) = &operator.kind else {
        return error.suggest(format!("{before}{mark}{met}"), "does it on what the die can show");
    };
    let greatest = format!("={}", die.greatest());
    let bare = matches!(mark, "!" | "!!");
    let double = |met: &str| format!("{mark}{}{met}", if bare && met.starts_with('=') { "=" } else { "" });
    let total = (format!("({before}{mark}){comparison}"), "compares the total");
    if explosion.style == Style::Alone {
        return error.suggest(total.0, total.1);
    }
    // A chain goes up, so a count of chains may ask for more than a face.
    let counts = matches!(when.0, Comparator::Greater | Comparator::AtLeast);
    let error = if counts {
        error.suggest(format!("{before}{}{comparison}", double(&greatest)), "explodes on the greatest face and counts")
    } else {
        error.suggest(format!("{before}{}", double(&met)), "explodes on what the die can show")
    };
    error.suggest(total.0, total.1)
}
