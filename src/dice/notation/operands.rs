//! Reads operands: numbers, brackets, parameters, names and calls, with their labels.

use compact_str::CompactString;

use super::dialect::Dialect;
use super::error::{NotationError, NotationErrorKind};
use super::parser::{Parsed, Parser, syntax};
use super::tree::{Amount, End, Function, KeepMembers, Label, Node, NodeKind, Span};
use crate::nearest::nearest;

impl Parser<'_> {
    /// One operand; a space is not next.
    pub(super) fn primary(&mut self) -> Parsed<Node> {
        let start = self.lexer.at;
        match self.lexer.peek() {
            b'0'..=b'9' => {
                let number = self.lexer.digits(false)?;
                let span = self.span_from(start);
                self.lexer.space();
                if self.at_pool() {
                    return self.pool(start, Amount::Number(number));
                }
                self.lexer.at = span.end as usize;
                if self.lexer.peek() == b'.' {
                    return Err(self.fraction(span));
                }
                self.labels(Node { span, kind: NodeKind::Number(number) })
            }
            b'd' if self.at_pool() => self.pool(start, Amount::Implied),
            b'(' => self.bracket(start),
            b'{' => self.group(start),
            b'$' => self.parameter(start),
            b'[' if self.dialect == Dialect::Roll20 && self.lexer.ahead(1) == b'[' => self.inline(start),
            b'a'..=b'z' | b'_' => self.named(start),
            _ => Err(self.operand_missing()),
        }
    }

    /// Whether a `d` that begins dice is here.
    fn at_pool(&self) -> bool {
        self.lexer.peek() == b'd' && matches!(self.lexer.ahead(1), b'0'..=b'9' | b'%' | b'f' | b'[' | b'(')
    }

    /// `( … )`: a value, the count of a pool, or a list of which members are kept.
    fn bracket(&mut self, start: usize) -> Parsed<Node> {
        self.enter(start)?;
        self.lexer.at += 1;
        let inner = self.expression()?;
        self.lexer.space();
        if self.lexer.peek() == b',' {
            return self.set(start, inner);
        }
        if !self.lexer.take(b')') {
            return Err(self.unclosed(start, b')'));
        }
        self.leave();
        let span = self.span_from(start);
        self.lexer.space();
        if self.at_pool() {
            self.expect_number(&inner)?;
            return self.pool(start, Amount::Computed(Box::new(inner)));
        }
        self.lexer.at = span.end as usize;
        let mut node = self.labels(Node { span, kind: NodeKind::Bracket(Box::new(inner)) })?;
        while node.is_list() && self.keep_members_ahead() {
            node = self.keep_members(node)?;
            node = self.labels(node)?;
        }
        let end = self.lexer.at;
        self.lexer.space();
        if self.operator_ahead().is_some() {
            return Err(self.operator_on_bracket(&node));
        }
        self.lexer.at = end;
        Ok(node)
    }

    /// `(a, b, c)kh2`, `(a,)`: a group as others write it; its first member has been read, a comma is next.
    fn set(&mut self, start: usize, first: Node) -> Parsed<Node> {
        let mut members = vec![first];
        while self.lexer.take(b',') {
            self.lexer.space();
            if self.lexer.peek() == b')' {
                break;
            }
            members.push(self.expression()?);
            self.lexer.space();
        }
        if !self.lexer.take(b')') {
            return Err(self.unclosed(start, b')'));
        }
        self.leave();
        self.group_of(start, members)
    }

    /// `[[1d20+5]]`: a roll within a line of Roll20's.
    fn inline(&mut self, start: usize) -> Parsed<Node> {
        self.enter(start)?;
        self.lexer.at += 2;
        let inner = self.expression()?;
        self.lexer.space();
        if self.lexer.peek() != b']' || self.lexer.ahead(1) != b']' {
            return Err(self.unclosed(start, b']'));
        }
        self.lexer.at += 2;
        self.leave();
        let span = self.span_from(start);
        self.labels(Node { span, kind: NodeKind::Bracket(Box::new(inner)) })
    }

    /// What stands between brackets; the opening one is next, the closing one is passed.
    pub(super) fn bracketed(&mut self) -> Parsed<Node> {
        let start = self.lexer.at;
        self.enter(start)?;
        self.lexer.at += 1;
        let inner = self.expression()?;
        self.lexer.space();
        if !self.lexer.take(b')') {
            return Err(self.unclosed(start, b')'));
        }
        self.leave();
        Ok(inner)
    }

    fn keep_members_ahead(&mut self) -> bool {
        let end = self.lexer.at;
        self.lexer.space();
        let keep = self.lexer.peek() == b'k' && matches!(self.lexer.ahead(1), b'h' | b'l');
        self.lexer.at = if keep { self.lexer.at } else { end };
        keep
    }

    fn keep_members(&mut self, list: Node) -> Parsed<Node> {
        let end = if self.lexer.ahead(1) == b'l' { End::Lowest } else { End::Highest };
        self.lexer.at += 2;
        let number = self.optional_amount()?;
        let span = Span { start: list.span.start, end: self.lexer.at as u32 };
        Ok(Node { span, kind: NodeKind::KeepMembers(Box::new(KeepMembers { list, end, number })) })
    }

    fn parameter(&mut self, start: usize) -> Parsed<Node> {
        self.lexer.at += 1;
        let name = self.lexer.word();
        if name.is_empty() {
            let span = Span::new(start, start + 1);
            return Err(syntax(span, "a name should follow `$`").suggest("$str", "is the parameter str"));
        }
        self.lexer.at += name.len();
        self.labels(Node { span: self.span_from(start), kind: NodeKind::Parameter(CompactString::new(name)) })
    }

    /// A function call or a bound name.
    fn named(&mut self, start: usize) -> Parsed<Node> {
        let word = self.lexer.word();
        let span = Span::new(start, start + word.len());
        self.lexer.at += word.len();
        self.lexer.space();
        if self.lexer.peek() == b'(' {
            let node = self.call(word, span)?;
            return self.labels(node);
        }
        self.lexer.at = span.end as usize;
        if let Some(index) = self.bindings().iter().position(|binding| binding.name == word) {
            return self.labels(Node { span, kind: NodeKind::Name(index as u32) });
        }
        Err(self.unknown_name(word, span))
    }

    fn call(&mut self, word: &str, span: Span) -> Parsed<Node> {
        let lower = word.to_ascii_lowercase();
        if matches!(lower.as_str(), "floor" | "ceil" | "round") {
            return self.rounded(&lower, span.start as usize);
        }
        let Some(function) = Function::ALL.into_iter().find(|function| function.text() == lower) else {
            let error =
                NotationError::new(NotationErrorKind::UnknownName, span, format!("there is no function `{word}`"));
            return Err(match nearest(&lower, Function::ALL.into_iter().map(Function::text)) {
                Some(near) => error.suggest(format!("{near}(…)"), ""),
                None if lower == "pow" => error.suggest("a^b", "is the power"),
                None => error.suggest("min, max, abs, if, sum, sort, floor, ceil, round", ""),
            });
        };
        let arguments = self.separated(b')')?;
        let span = Span { start: span.start, end: self.lexer.at as u32 };
        self.check_arguments(function, &arguments, span)?;
        Ok(Node { span, kind: NodeKind::Call(function, arguments) })
    }

    fn check_arguments(&self, function: Function, arguments: &[Node], span: Span) -> Parsed<()> {
        let (right, wanted) = match function {
            Function::Min | Function::Max => (!arguments.is_empty(), "one argument or more"),
            Function::Abs => (arguments.len() == 1, "one argument"),
            Function::If => (arguments.len() == 3, "three arguments: if(condition, then, else)"),
            Function::Sum | Function::Sort => (arguments.len() == 1, "one argument, a list"),
        };
        if !right {
            let message = format!("`{}` takes {wanted}; {} given", function.text(), arguments.len());
            let example = match function {
                Function::If => "if(1d20>10, 1d8, 0)",
                Function::Abs => "abs(1d6-1d6)",
                Function::Sum => "sum(3 x 2d6)",
                Function::Sort => "sort(3 x 2d6)",
                Function::Min => "min(1d6, 4)",
                Function::Max => "max(1d6, 4)",
            };
            return Err(syntax(span, message).suggest(example, ""));
        }
        if !matches!(function, Function::Sum | Function::Sort) {
            return arguments.iter().try_for_each(|argument| self.expect_number(argument));
        }
        let argument = &arguments[0];
        if argument.is_list() {
            return Ok(());
        }
        let text = self.text(argument.span);
        let message = format!("`{}` takes a list, made with `x`; `{text}` is a number already", function.text());
        Err(NotationError::new(NotationErrorKind::List, argument.span, message)
            .suggest(format!("{}(3 x {text})", function.text()), ""))
    }

    /// Expressions between commas up to the closing sign, which is passed; the opening one is next.
    pub(super) fn separated(&mut self, closing: u8) -> Parsed<Vec<Node>> {
        let start = self.lexer.at;
        self.enter(start)?;
        self.lexer.at += 1;
        let mut nodes = Vec::new();
        self.lexer.space();
        if !self.lexer.take(closing) {
            loop {
                nodes.push(self.expression()?);
                self.lexer.space();
                if self.lexer.take(closing) {
                    break;
                }
                if !self.lexer.take(b',') {
                    return Err(self.unclosed(start, closing));
                }
            }
        }
        self.leave();
        Ok(nodes)
    }

    /// Puts the labels that follow round a node.
    fn labels(&mut self, mut node: Node) -> Parsed<Node> {
        loop {
            let end = self.lexer.at;
            self.lexer.space();
            if self.lexer.peek() != b'[' {
                self.lexer.at = end;
                return Ok(node);
            }
            let label = self.label()?;
            let span = Span { start: node.span.start, end: self.lexer.at as u32 };
            node = Node { span, kind: NodeKind::Labeled(Box::new(node), label) };
        }
    }

    /// `[fire]`; the bracket is next.
    pub(super) fn label(&mut self) -> Parsed<Label> {
        let start = self.lexer.at;
        let rest = &self.lexer.text[start + 1..];
        let Some(length) = rest.find(']') else {
            return Err(syntax(Span::new(start, start + 1), "this `[` is not closed: a `]` is missing"));
        };
        self.lexer.at = start + length + 2;
        let label = rest[..length].trim();
        if label.is_empty() || label.contains('[') {
            return Err(syntax(self.span_from(start), "a label is a word or two in brackets").suggest("[fire]", ""));
        }
        Ok(Label(CompactString::new(label)))
    }
}
