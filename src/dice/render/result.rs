//! What a roll came to in words, and the comment that was written behind it.

use crate::dice::Roll;
use crate::dice::notation::tree::{Node, NodeKind, Operator, OperatorKind};

/// The longest comment that stays in the printed line, in characters.
const LONGEST_COMMENT: usize = 200;

/// What the numbers of a result count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Number,
    Successes,
    /// 1 is yes, 0 is no.
    Answer,
}

fn counts(operators: &[Operator]) -> bool {
    operators.iter().any(|operator| matches!(operator.kind, OperatorKind::Count(_)))
}

fn unit(node: &Node) -> Unit {
    match &node.kind {
        NodeKind::Pool(pool) if counts(&pool.operators) => Unit::Successes,
        NodeKind::Group(group) if counts(&group.operators) => Unit::Successes,
        NodeKind::Compare(..) => Unit::Answer,
        NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Repeat(_, inner) => unit(inner),
        NodeKind::KeepMembers(keep) => unit(&keep.list),
        NodeKind::Chain(chain) => {
            let operands = || std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, operand)| operand));
            // Successes that are given beside those rolled are numbers.
            let given = |node: &Node| matches!(node.kind, NodeKind::Number(_) | NodeKind::Parameter(_));
            let adds = chain.rest.iter().all(|(operator, _)| matches!(operator.text(), "+" | "-"));
            let any = operands().any(|node| unit(node) == Unit::Successes);
            let all = operands().all(|node| given(node) || unit(node) == Unit::Successes);
            if adds && any && all { Unit::Successes } else { Unit::Number }
        }
        _ => Unit::Number,
    }
}

/// What the roll came to: `12`, `3 successes`, `yes`.
pub(super) fn result(roll: &Roll) -> String {
    let numbers = roll.value().numbers();
    match unit(&roll.tree().root) {
        Unit::Answer if !numbers.is_empty() => {
            let answers: Vec<&str> = numbers.iter().map(|number| if *number == 0 { "no" } else { "yes" }).collect();
            answers.join(", ")
        }
        Unit::Successes if !numbers.is_empty() => {
            let ending = if numbers == [1] { "" } else { "es" };
            format!("{} success{ending}", roll.value())
        }
        _ => roll.value().to_string(),
    }
}

/// The comment, when there is one.
pub(super) fn comment(roll: &Roll) -> Option<String> {
    let behind = roll.text().get(roll.tree().root.span.end as usize..)?;
    let comment = behind.trim_start().strip_prefix('#')?.trim();
    (!comment.is_empty()).then(|| comment.chars().take(LONGEST_COMMENT).collect())
}
