//! Words behind dice, and groups of one member: what people most often mean by them.

use super::error::NotationError;
use super::parser::{Parser, syntax};
use super::tree::{Amount, Arithmetic, Group, Node, NodeKind, Operators, Pool, Sides, Span};

/// Dice of a pool or a group that a suggestion writes out.
const WRITTEN_OUT: i64 = 24;

/// Quotation marks, which people set round a comment.
pub(super) const QUOTES: [char; 9] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»'];

/// The number of `vs 15`, `against 15`, `dc 15`.
fn compared(words: &str) -> Option<&str> {
    let (versus, number) = words.split_once(char::is_whitespace)?;
    let versus = versus.trim_end_matches('.').to_ascii_lowercase();
    let number = number.trim();
    let known = ["vs", "versus", "against", "dc"].contains(&versus.as_str());
    (known && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// How many brackets of a text are still open.
pub(super) fn open_brackets(text: &str) -> usize {
    text.bytes().fold(0, |open: usize, byte| match byte {
        b'(' | b'{' => open + 1,
        b')' | b'}' => open.saturating_sub(1),
        _ => open,
    })
}

impl Parser<'_> {
    /// Words where an operator or the end should be: a comment, or, where the expression goes on behind them, a label.
    #[cold]
    pub(super) fn words(&self) -> NotationError {
        let at = self.lexer.at;
        let span = self.lexer.next_thing();
        let error = syntax(span, format!("`{}` is not part of dice notation here", self.text(span)));
        let lead = self.lexer.text[..at].trim_end_matches(|c: char| c.is_whitespace() || ":,".contains(c));
        let rest = self.lexer.text[at..].trim_end();
        let length = rest.find(|c: char| "+*/^%=<>(){}[],;#-".contains(c)).unwrap_or(rest.len());
        let (words, tail) = rest.split_at(length);
        let words = words.trim().trim_matches(QUOTES);
        let label = format!("{lead}[{words}]{}{tail}", if tail.starts_with([')', '}', ',', ';']) { "" } else { " " });
        let comment = format!("{lead} # {}", rest.trim_matches(QUOTES));
        if open_brackets(lead) > 0 {
            return error.suggest(label.trim_end(), "makes it a label");
        }
        if tail.starts_with(['+', '-', '*', '/']) {
            return error.suggest(label, "makes it a label").suggest(comment, "makes a comment of the rest");
        }
        let error = error.suggest(comment, "makes it a comment");
        match compared(words) {
            Some(number) => error.suggest(format!("({lead})>={number}"), "compares"),
            None => error,
        }
    }

    /// Adds what is meant by an operator on a value that was made of dice: the same on the dice, or on dice written out
    /// as members.
    pub(super) fn meant(&self, error: NotationError, inner: &Node, operator: &str) -> NotationError {
        let text = self.text(inner.span);
        match &inner.kind {
            NodeKind::Pool(_) => error.suggest(format!("{text}{operator}"), "works on the dice"),
            NodeKind::Group(group) if group.members.len() > 1 => {
                error.suggest(format!("{text}{operator}"), "works on the members")
            }
            NodeKind::Bracket(within) => self.meant(error, within, operator),
            NodeKind::Chain(chain) => {
                if let Some(dice) = single_dice(inner) {
                    let members = dice.iter().map(|sides| format!("d{sides}")).collect::<Vec<_>>().join(",");
                    return error.suggest(format!("{{{members}}}{operator}"), "works on the single dice");
                }
                let behind = self.text(Span { start: chain.first.span.end, ..inner.span });
                let constants = chain.rest.iter().all(|(_, operand)| matches!(operand.kind, NodeKind::Number(_)));
                match &chain.first.kind {
                    NodeKind::Pool(pool) if constants && pool.count.written() != Some(1) => {
                        let dice = self.text(chain.first.span);
                        error.suggest(format!("{dice}{operator}{behind}"), "works on the dice")
                    }
                    _ => error.suggest(format!("{{{text}, …}}{operator}"), "chooses among several members"),
                }
            }
            _ => error.suggest(format!("{{{text}, …}}{operator}"), "chooses among several members"),
        }
    }
}

/// The sides of the single dice that a sum of plain pools has, when it is one of few dice.
fn single_dice(node: &Node) -> Option<Vec<i64>> {
    let NodeKind::Chain(chain) = &node.kind else { return None };
    let mut dice = Vec::new();
    let operands = chain.rest.iter().map(|(sign, operand)| (*sign, operand));
    for (sign, operand) in std::iter::once((Arithmetic::Add, &chain.first)).chain(operands) {
        let NodeKind::Pool(pool) = &operand.kind else { return None };
        let (Sides::Number(sides), Some(count)) = (&pool.sides, pool.count.written()) else { return None };
        if sign != Arithmetic::Add || !pool.operators.is_empty() || !(0..=WRITTEN_OUT).contains(&count) {
            return None;
        }
        dice.extend(std::iter::repeat_n(*sides, count as usize));
    }
    (2..=WRITTEN_OUT as usize).contains(&dice.len()).then_some(dice)
}

/// A group of one member as Roll20 means it: its operators work on the dice of the member. `None` for members that are
/// no dice.
pub(super) fn on_its_dice(member: &Node, operators: &Operators) -> Option<NodeKind> {
    if let NodeKind::Pool(pool) = &member.kind {
        let mut pool = pool.clone();
        pool.operators.extend(operators.iter().cloned());
        return Some(NodeKind::Pool(pool));
    }
    let die = |sides: &i64| {
        let pool = Pool { count: Amount::Implied, sides: Sides::Number(*sides), operators: Operators::new() };
        Node { span: member.span, kind: NodeKind::Pool(Box::new(pool)) }
    };
    let members: Vec<Node> = single_dice(member)?.iter().map(die).collect();
    Some(NodeKind::Group(Box::new(Group { members, operators: operators.clone() })))
}
