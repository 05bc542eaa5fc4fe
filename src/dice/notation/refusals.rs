//! What is refused, and what to write instead: the errors of the parser that need more than a line.

use super::error::{NotationError, NotationErrorKind};
use super::parser::{Parsed, Parser, syntax, unclear};
use super::tree::{Comparator, Function, Node, NodeKind, Operator, OperatorKind, Operators, Span};
use crate::nearest::nearest;

/// Whether the node is a pool or group that is counted, bare: not in brackets.
fn counted(node: &Node) -> Option<&Operators> {
    let operators = match &node.kind {
        NodeKind::Pool(pool) => &pool.operators,
        NodeKind::Group(group) => &group.operators,
        _ => return None,
    };
    operators.iter().any(|operator| matches!(operator.kind, OperatorKind::Count(_))).then_some(operators)
}

/// The counted pool that stands in the arithmetic of this node.
pub(super) fn counted_within(node: &Node) -> Option<&Node> {
    match &node.kind {
        NodeKind::Pool(_) | NodeKind::Group(_) => counted(node).map(|_| node),
        NodeKind::Sign(_, inner) => counted_within(inner),
        NodeKind::Power(base, exponent) => counted_within(base).or_else(|| counted_within(exponent)),
        NodeKind::Chain(chain) => {
            counted_within(&chain.first).or_else(|| chain.rest.iter().find_map(|(_, node)| counted_within(node)))
        }
        _ => None,
    }
}

impl Parser<'_> {
    /// How long the operator here is, with the comparison sign and the digits behind it.
    fn operator_length(&self) -> usize {
        let rest = &self.lexer.text[self.lexer.at..];
        let letters = self.operator_ahead().unwrap_or(0);
        letters + rest[letters..].bytes().take_while(|b| b.is_ascii_digit() || b"=<>".contains(b)).count()
    }

    /// The digits so many bytes on, with a sign; empty when there are none.
    pub(super) fn number_ahead(&self, offset: usize) -> &str {
        let rest = self.lexer.text.get(self.lexer.at + offset..).unwrap_or("");
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 { "" } else { &rest[..sign + digits] }
    }

    /// The text so many bytes on, up to where a bracket, a comma or the expression ends.
    pub(super) fn rest_after(&self, offset: usize) -> &str {
        let rest = self.lexer.text.get(self.lexer.at + offset..).unwrap_or("");
        let mut depth = 0;
        let end = rest.find(|letter| {
            match letter {
                '(' | '{' => depth += 1,
                ')' | '}' => depth -= 1,
                _ => {}
            }
            depth < 0 || (depth == 0 && matches!(letter, ',' | ';' | '#'))
        });
        rest[..end.unwrap_or(rest.len())].trim()
    }

    /// `==` where a single `=` is meant.
    pub(super) fn double_equal(&self, lead: &str, span: Span) -> NotationError {
        unclear(span, "`==` behind dice could count or compare")
            .suggest(format!("{lead}={}", self.rest_after(2)), "counts the dice that show it")
            .suggest(format!("({lead})={}", self.rest_after(2)), "compares the total")
    }

    /// `3d6x10`, `3d6 x 2`: nearly always a product; or words that begin with an x.
    #[cold]
    pub(super) fn times_or_words(&self, left: &Node, x: Span) -> NotationError {
        let dice = self.text(left.span);
        let rest = self.rest_after(1);
        if self.letters().len() > 1 && !rest.starts_with(['d', 'D']) {
            return self.words();
        }
        let error = syntax(left.span.to(x), "left of `x` stands how often to roll: a number or a bracket");
        let number = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        if !number {
            return error
                .suggest(format!("({dice}) x {rest}"), "rolls so often")
                .suggest(format!("{dice}*{rest}"), "multiplies");
        }
        error
            .suggest(format!("{dice}*{rest}"), "multiplies")
            .suggest(format!("{rest} x {dice}"), "rolls so often")
            .suggest(format!("({dice}) x {rest}"), "repeats the number")
    }

    /// A second comparison behind `left comparator right`, or a count as its right side.
    pub(super) fn chained(&self, left: &Node, comparator: Comparator, right: &Node) -> NotationError {
        let span = left.span.to(right.span);
        let (from, sign, to) = (self.text(left.span), comparator.text(), self.text(right.span));
        let rest = self.rest_after(0);
        let error = unclear(span, "comparisons do not chain");
        if rest.is_empty() {
            return error.suggest(format!("{from}{sign}({to})"), "compares with the successes");
        }
        error
            .suggest(format!("({from}{sign}{to}){rest}"), "compares first")
            .suggest(format!("{from}{sign}({to}{rest})"), "compares last")
    }

    fn sides_missing(&self, count: Span, d: Span) -> NotationError {
        let number = self.lexer.text[d.end as usize..].trim_start();
        let digits = &number[..number.bytes().take_while(u8::is_ascii_digit).count()];
        let sides = if digits.is_empty() { "6" } else { digits };
        syntax(count.to(d), "the number of sides is missing directly behind `d`")
            .suggest(format!("{}d{sides}", self.text(count)), "")
    }

    pub(super) fn fraction(&self, whole: Span) -> NotationError {
        let rest = &self.lexer.text[whole.end as usize + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let span = Span::new(whole.start as usize, whole.end as usize + 1 + digits);
        let error = syntax(span, "numbers are whole: only a factor behind `*` or `/` may have a fraction");
        let behind = rest[digits..].trim_start();
        match behind.strip_prefix('*').map(str::trim_start).filter(|factor| !factor.is_empty()) {
            Some(factor) if digits > 0 => error.suggest(format!("{factor}*{}", self.text(span)), "multiplies by it"),
            _ => error.suggest(self.text(whole), "is the whole number below"),
        }
    }

    pub(super) fn operand_missing(&mut self) -> NotationError {
        if self.lexer.at_end() {
            let end = self.lexer.text.trim_end().len();
            return syntax(
                Span::new(end.saturating_sub(1), end),
                "something is missing at the end: a number, dice or a bracket",
            );
        }
        let span = self.lexer.next_thing();
        syntax(span, format!("a number, dice or a bracket should stand where `{}` is", self.text(span)))
    }

    pub(super) fn unclosed(&mut self, start: usize, closing: u8) -> NotationError {
        let closing = closing as char;
        let opening = self.lexer.text[start..].chars().next().unwrap_or(closing);
        if self.lexer.at_end() {
            return syntax(
                Span::new(start, start + 1),
                format!("this `{opening}` is not closed: a `{closing}` is missing"),
            );
        }
        let span = self.lexer.next_thing();
        syntax(span, format!("a `{closing}` should stand where `{}` is", self.text(span)))
    }

    /// How many letters long the pool operator here is, when one is.
    pub(super) fn operator_ahead(&self) -> Option<usize> {
        let (a, b, c) = (self.lexer.peek(), self.lexer.ahead(1), self.lexer.ahead(2));
        let compares = |byte: u8| matches!(byte, b'=' | b'<' | b'>');
        let short = match a {
            b'!' => b != b'=',
            b'k' | b'd' | b'r' | b'f' => compares(b) || (a == b'k' && b.is_ascii_digit()),
            b'u' => !b.is_ascii_alphanumeric(),
            _ => false,
        };
        if short {
            return Some(1);
        }
        match (a, b, c) {
            (b'k', b'h' | b'l' | b'm', _)
            | (b'd', b'h' | b'l', _)
            | (b'r', b'o' | b'b' | b'r' | b'{', _)
            | (b's', b'a' | b'd' | b's', _)
            | (b'm', b'i' | b'a', b'0'..=b'9') => Some(2),
            (b'c', b's' | b'f', behind) if compares(behind) => Some(2),
            (b'm', b'i', b'n') | (b'm', b'a', b'x') => Some(3),
            _ => None,
        }
    }

    pub(super) fn operator_on_bracket(&self, node: &Node) -> NotationError {
        let length = self.operator_length();
        let letters = self.letters();
        if letters.len() > self.operator_ahead().unwrap_or(0) && !super::peers::are_marks(&letters.to_ascii_lowercase())
        {
            return self.words();
        }
        let written = &self.lexer.text[self.lexer.at..][..length];
        let span = Span::new(self.lexer.at, self.lexer.at + length);
        // `k3` alone is not clear itself.
        let clear = written.strip_prefix(['k', 'K']).filter(|number| number.starts_with(|c: char| c.is_ascii_digit()));
        let operator = &*clear.map_or_else(|| written.to_owned(), |number| format!("kh{number}"));
        if node.is_list() {
            return NotationError::new(NotationErrorKind::List, span, "of a list, only the highest or lowest are kept")
                .suggest(format!("{}kh1", self.text(node.span)), "keeps the highest");
        }
        let error = unclear(span, format!("brackets make one value of the dice, and `{operator}` works on dice"));
        match &node.kind {
            NodeKind::Bracket(inner) if matches!(inner.kind, NodeKind::Pool(_) | NodeKind::Group(_)) => {
                error.suggest(format!("({}{operator})", self.text(inner.span)), "works on the dice inside")
            }
            NodeKind::Bracket(inner) if operator.starts_with(['k', 'd', 'K', 'D']) => {
                self.meant(error, inner, operator)
            }
            _ => error.suggest(format!("(4d6{operator})"), "stands directly behind dice"),
        }
    }

    pub(super) fn unknown_name(&self, word: &str, span: Span) -> NotationError {
        let lower = word.to_ascii_lowercase();
        if lower == "d" {
            return syntax(span, "how many sides the die has is missing").suggest("d6", "").suggest("d%", "");
        }
        if Function::ALL.iter().any(|function| function.text() == lower) {
            let text = format!("{lower}(…)");
            return syntax(span, format!("the arguments of `{lower}` are missing")).suggest(text, "");
        }
        let error = NotationError::new(NotationErrorKind::UnknownName, span, format!("`{word}` is not a name here"));
        if let Some(near) = nearest(word, self.bindings().iter().map(|binding| binding.name.as_str())) {
            return error.suggest(near, "is bound above");
        }
        let error = error.suggest(format!("${word}"), "is passed beside the expression");
        let lead = self.lexer.text[..span.start as usize].trim_end();
        let before = lead.trim_end_matches(|c: char| c.is_whitespace() || "+-*/−–—×÷".contains(c));
        if before.is_empty()
            || before.ends_with(['(', '{', ',', ';', '=', '<', '>'])
            || super::words::open_brackets(before) > 0
        {
            return error;
        }
        let rest = self.lexer.text[span.start as usize..].trim_end();
        error.suggest(format!("{before} # {rest}"), "makes it a comment")
    }

    /// A count beside arithmetic reads as a comparison of the whole to one person and as a sum of successes to
    /// another.
    pub(super) fn refuse_count_beside(&self, node: &Node) -> Parsed<()> {
        let Some(pool) = counted_within(node) else { return Ok(()) };
        if std::ptr::eq(pool, node) {
            return Ok(());
        }
        let before = self.text(Span { end: pool.span.start, ..node.span });
        let after = self.text(Span { start: pool.span.end, ..node.span });
        let written = self.text(pool.span);
        let count = counted(pool)
            .and_then(|operators| operators.iter().find(|operator| matches!(operator.kind, OperatorKind::Count(_))))
            .map_or(pool.span, |operator| operator.span);
        let uncounted = self.text(Span { end: count.start, ..pool.span }).trim_end();
        Err(unclear(pool.span, "a count of dice stands beside arithmetic")
            .suggest(format!("{before}({written}){after}"), "counts")
            .suggest(format!("({before}{uncounted}{after}){}", self.text(count)), "compares"))
    }

    pub(super) fn faces_unreadable(&self, start: usize) -> NotationError {
        syntax(Span::new(start, self.lexer.at + 1), "faces are whole numbers and ranges, separated by commas")
            .suggest("d[1,1,2,3,5]", "lists faces")
            .suggest("d[0..9]", "has the faces 0 to 9")
    }

    /// A space between a mark and its comparison or cap: it could be the mark's, or a count of its own.
    pub(super) fn refuse_apart(&self, operators: &Operators, end: usize, start: usize) -> Parsed<()> {
        let Some(Operator { span: mark, kind: OperatorKind::Explode(explosion) }) = operators.last() else {
            return Ok(());
        };
        let (dice, mark_text) = (self.text(Span::new(start, mark.start as usize)), self.text(*mark));
        let apart = Span::new(mark.start as usize, self.lexer.at + 1);
        if self.lexer.peek() == b'{' {
            return Err(syntax(apart, "between a mark and its cap stands no space")
                .suggest(format!("{dice}{mark_text}{{…}}"), ""));
        }
        if explosion.when.is_some()
            || !(self.lexer.at_comparator() || self.lexer.ahead(1) == b'=' && self.lexer.peek() == b'!')
        {
            return Ok(());
        }
        let rest = &self.lexer.text[self.lexer.at..];
        let length = rest.bytes().take_while(|b| b"=<>!-".contains(b) || b.is_ascii_digit()).count();
        let comparison = &rest[..length];
        let pool = self.text(Span::new(start, end));
        let tight = if mark_text.ends_with('!') && comparison.starts_with('=') && !comparison.starts_with("==") {
            format!("{pool}={comparison}")
        } else {
            format!("{pool}{comparison}")
        };
        Err(unclear(apart, "a space stands between the mark and the comparison, which could be the mark's or not")
            .suggest(tight, "explodes on it")
            .suggest(format!("({pool}){comparison}"), "compares the total"))
    }

    pub(super) fn either(&self, mark: Span, start: usize, example: i64) -> NotationError {
        let written = self.text(mark);
        let compare = written.find(['=', '<', '>']).unwrap_or(written.len());
        let dice = self.text(Span::new(start, mark.start as usize));
        let (bare, comparison) = written.split_at(compare);
        unclear(mark, "`!c` with one comparison could explode on it or count it")
            .suggest(format!("{dice}{bare}={example}{comparison}"), "explodes on the greatest face and counts")
            .suggest(format!("{dice}{written}dl0"), "explodes on it and adds up")
    }

    pub(super) fn not_equal(&self, start: usize, at: usize, marks: usize) -> NotationError {
        let dice = self.text(Span::new(start, at)).trim_end();
        let rest = self.lexer.text[at + marks + 1..].trim_start();
        let number = &rest[..rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'-').count()];
        let mark = &"!!"[..marks];
        unclear(Span::new(at, at + marks + 1), "`!=` could explode or compare")
            .suggest(format!("{dice}<>{number}"), "counts what differs")
            .suggest(format!("{dice}{mark}=={number}"), "explodes on it")
    }

    /// `4d6d1`: drop the lowest, the highest, every 1, or roll so many dice?
    pub(super) fn drop_which(&self, start: usize) -> NotationError {
        let at = self.lexer.at;
        let dice = self.text(Span::new(start, at)).trim_end();
        let number = self.number_ahead(1);
        let span = Span::new(at, at + 1 + number.len());
        let one = if number.is_empty() { "1" } else { number };
        let error = unclear(span, format!("`d{number}` behind dice does not say which dice to drop"))
            .suggest(format!("{dice}dl{one}"), "drops the lowest")
            .suggest(format!("{dice}dh{one}"), "drops the highest")
            .suggest(format!("{dice}d={one}"), "drops what shows it");
        if number.is_empty() { error } else { error.suggest(format!("({dice})d{number}"), "rolls so many dice") }
    }

    /// `6#4d6kh3` repeats in other tools; here everything behind the `#` would be a comment and 6 the value.
    pub(super) fn refuse_dice_in_comment(&self, root: &Node) -> Parsed<()> {
        let NodeKind::Number(times) = root.kind else { return Ok(()) };
        let end = root.span.end as usize;
        let behind = &self.lexer.text[end..];
        let Some(comment) = behind.trim_start().strip_prefix('#').map(str::trim) else { return Ok(()) };
        let digits = comment.bytes().take_while(u8::is_ascii_digit).count();
        let dice = comment[digits..].strip_prefix(['d', 'D']);
        if !dice.is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit() || "%[(fF".contains(c))) {
            return Ok(());
        }
        let at = end + behind.len() - behind.trim_start().len();
        Err(unclear(Span::new(at, at + 1), format!("behind `#` all is a comment, so this is the number {times}"))
            .suggest(format!("{times} x {comment}"), "rolls so many times"))
    }

    /// What is wrong with a text that goes on behind a whole expression.
    pub(super) fn leftover(&mut self, before: &Node) -> NotationError {
        self.lexer.space();
        let span = self.lexer.next_thing();
        let thing = self.text(span).to_owned();
        match self.lexer.peek() {
            b')' | b']' | b'}' => syntax(span, format!("this `{thing}` was never opened")),
            b'x' if before.is_list() => {
                NotationError::new(NotationErrorKind::List, span, "lists do not nest: `x` stands once")
            }
            b'!' if self.lexer.ahead(1) == b'=' => {
                unclear(span, "`!=` could explode or compare").suggest("<>", "compares")
            }
            b'd' if matches!(before.kind, NodeKind::Number(_)) => self.sides_missing(before.span, span),
            _ if self.operator_ahead().is_some() => {
                let operator = &self.lexer.text[self.lexer.at..][..self.operator_length()];
                let letters = self.letters();
                if letters.len() > self.operator_ahead().unwrap_or(0)
                    && !super::peers::are_marks(&letters.to_ascii_lowercase())
                {
                    return self.words();
                }
                unclear(span, format!("`{operator}` works on dice, a group or a list, not on a number"))
                    .suggest(format!("{{{}, …}}kh1", self.text(before.span)), "chooses among several members")
            }
            b'0'..=b'9' if self.text(before.span).ends_with(['h', 'l', 'm', 'H', 'L', 'M']) => {
                let text = format!("{}{thing}", self.text(before.span));
                syntax(span, "the number stands directly behind its operator").suggest(text, "")
            }
            b'0'..=b'9' | b'd' | b'(' | b'{' => {
                let text = self.text(before.span).to_owned();
                syntax(span, format!("an operator is missing between `{text}` and `{thing}`"))
                    .suggest(format!("{text} + {thing}…"), "adds")
            }
            b';' => syntax(span, "only a named value ends in `;`")
                .suggest(format!("a := {}; a", self.text(before.span)), ""),
            b'a'..=b'z' | b'_' => self.words(),
            b':' | b',' if self.lexer.text[self.lexer.at + 1..].trim_start().starts_with(char::is_alphabetic) => {
                self.lexer.at += 1;
                self.lexer.space();
                self.words()
            }
            _ if thing.starts_with(char::is_alphabetic) || thing.starts_with(super::words::QUOTES) => self.words(),
            _ => syntax(span, format!("`{thing}` cannot stand here")),
        }
    }
}
