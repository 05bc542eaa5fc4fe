//! Reads a text into a tree: bindings, and operators between operands from the loosest to the tightest. Operands are read
//! in `operands`, pools and what stands on them in `operators`.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::check::least_draws;
use super::dialect::Dialect;
use super::error::{NotationError, NotationErrorKind};
use super::lexer::{Lexer, Sighted};
use super::limits::Limits;
use super::refusals::counted_within;
use super::tree::{Arithmetic, Binding, Chain, Comparator, Function, Node, NodeKind, Sign, Span, Tree};

pub(super) type Parsed<T> = Result<T, NotationError>;

/// However high a host sets the limit, a parser that calls itself must stop somewhere.
const DEEPEST: u32 = 128;

pub(super) struct Parser<'t> {
    pub lexer: Lexer<'t>,
    pub limits: &'t Limits,
    pub dialect: Dialect,
    bindings: Vec<Binding>,
    depth: u32,
}

/// Reads a whole text. How many dice it draws is left to [`check_draws`].
pub(crate) fn parse(text: &str, limits: &Limits, dialect: Dialect) -> Parsed<Tree> {
    read(text, limits, dialect).map_err(|error| error.placed_in(text))
}

fn read(text: &str, limits: &Limits, dialect: Dialect) -> Parsed<Tree> {
    check_length(text, limits)?;
    let mut parser = Parser { lexer: Lexer::new(text), limits, dialect, bindings: Vec::new(), depth: 0 };
    while parser.binding()? {}
    if parser.lexer.at_end() {
        return Err(syntax(Span::new(0, text.trim_end().len()), "there is nothing to roll").suggest("3d6", ""));
    }
    let root = parser.expression()?;
    if !parser.lexer.at_end() && !parser.comment_of_dialect() {
        return Err(parser.leftover(&root));
    }
    parser.refuse_dice_in_comment(&root)?;
    Ok(Tree { bindings: parser.bindings, root })
}

/// Refuses more dice than a roll may draw, where the text alone tells.
pub(crate) fn check_draws(tree: &Tree, limits: &Limits) -> Parsed<()> {
    let nodes = tree.bindings.iter().map(|binding| &binding.value).chain([&tree.root]);
    let least = nodes.map(least_draws).fold(0, u64::saturating_add);
    if least <= limits.draws {
        return Ok(());
    }
    let message = format!("a roll draws at most {} dice, and this draws {least} or more", limits.draws);
    Err(NotationError::new(NotationErrorKind::Limit, tree.root.span, message))
}

fn check_length(text: &str, limits: &Limits) -> Parsed<()> {
    if text.len() <= limits.length {
        return Ok(());
    }
    match text.char_indices().nth(limits.length) {
        None => Ok(()),
        Some((at, _)) => Err(NotationError::new(
            NotationErrorKind::Limit,
            Span::new(at, text.len()),
            format!("an expression has at most {} characters; split it", limits.length),
        )),
    }
}

pub(super) fn syntax(span: Span, message: impl Into<String>) -> NotationError {
    NotationError::new(NotationErrorKind::Syntax, span, message)
}

pub(super) fn unclear(span: Span, message: impl Into<String>) -> NotationError {
    NotationError::new(NotationErrorKind::Unclear, span, message)
}

/// Names nobody may bind: those of functions, `x`, `d`, and `d` followed by digits or `f`.
fn is_reserved(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let die = lower
        .strip_prefix('d')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('f') || rest.starts_with(|c: char| c.is_ascii_digit()));
    die || lower == "x" || Function::ALL.iter().any(|function| function.text() == lower)
}

impl<'t> Parser<'t> {
    pub(super) fn text(&self, span: Span) -> &'t str {
        span.of(self.lexer.text)
    }

    /// The bindings read so far.
    pub(super) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.lexer.at)
    }

    /// Goes one level deeper; `leave` comes back.
    pub(super) fn enter(&mut self, at: usize) -> Parsed<()> {
        self.depth += 1;
        let deepest = self.limits.nesting.min(DEEPEST);
        if self.depth <= deepest {
            return Ok(());
        }
        Err(NotationError::new(
            NotationErrorKind::Limit,
            Span::new(at, at + 1),
            format!("brackets, calls and signs stand at most {deepest} deep within each other"),
        ))
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// `name := value;`, if that is next.
    fn binding(&mut self) -> Parsed<bool> {
        self.lexer.space();
        let start = self.lexer.at;
        let name = self.lexer.word();
        if name.is_empty() {
            return Ok(false);
        }
        self.lexer.at += name.len();
        self.lexer.space();
        if self.lexer.peek() != b':' || self.lexer.ahead(1) != b'=' {
            self.lexer.at = start;
            return Ok(false);
        }
        let name_span = Span::new(start, start + name.len());
        self.lexer.at += 2;
        self.check_bindable(name, name_span)?;
        let value = self.expression()?;
        self.expect_number(&value)?;
        let span = name_span.to(value.span);
        self.lexer.space();
        if !self.lexer.take(b';') {
            if !self.lexer.at_end() {
                return Err(self.leftover(&value));
            }
            let text = format!("{}; {name}", self.text(span));
            return Err(syntax(span, "after a name the expression that uses it is missing").suggest(text, ""));
        }
        self.bindings.push(Binding { name: CompactString::new(name), span, value });
        Ok(true)
    }

    fn check_bindable(&self, name: &str, span: Span) -> Parsed<()> {
        let taken = if is_reserved(name) {
            format!("`{name}` already means something in dice notation")
        } else if self.bindings.iter().any(|binding| binding.name == name) {
            format!("`{name}` has a value already")
        } else {
            return Ok(());
        };
        let suggestion = format!("my_{name} := …");
        Err(NotationError::new(NotationErrorKind::ReservedName, span, taken).suggest(suggestion, ""))
    }

    /// What stands in brackets, between commas, or alone: a repeat or less loose.
    pub(super) fn expression(&mut self) -> Parsed<Node> {
        let first = self.signed()?;
        // What nearly every operand is followed by: then nothing joins it to others. A count within a sign or a power
        // is still to be refused.
        let alone = matches!(self.lexer.peek(), 0 | b')' | b',' | b'}' | b';');
        if alone && !matches!(first.kind, NodeKind::Sign(..) | NodeKind::Power(..)) {
            return Ok(first);
        }
        let left = self.comparison(first)?;
        self.lexer.space();
        if self.lexer.peek() != b'x' {
            return Ok(left);
        }
        let x = Span::new(self.lexer.at, self.lexer.at + 1);
        if left.is_list() {
            return Err(NotationError::new(
                NotationErrorKind::List,
                left.span,
                "lists do not nest: what is repeated and how often are numbers",
            )
            .suggest(format!("sum({})", self.text(left.span)), "adds up"));
        }
        if !matches!(left.kind, NodeKind::Number(_) | NodeKind::Bracket(_)) {
            return Err(self.times_or_words(&left, x));
        }
        self.lexer.at += 1;
        if self.lexer.at_end() {
            return Err(
                syntax(left.span.to(x), "nothing follows `x`").suggest(format!("{} x 3d6", self.text(left.span)), "")
            );
        }
        if let NodeKind::Number(times) = left.kind
            && times as u64 > self.limits.members
        {
            let message = format!("a list has at most {} members", self.limits.members);
            return Err(NotationError::new(NotationErrorKind::Limit, left.span, message));
        }
        let first = self.signed()?;
        let body = self.comparison(first)?;
        self.expect_number(&body)?;
        Ok(Node { span: left.span.to(body.span), kind: NodeKind::Repeat(Box::new(left), Box::new(body)) })
    }

    /// A comparison of two values, or less loose; its first operand has been read.
    fn comparison(&mut self, first: Node) -> Parsed<Node> {
        let left = self.sum(first)?;
        self.refuse_count_beside(&left)?;
        self.lexer.space();
        let Some(comparator) = self.value_comparator() else { return Ok(left) };
        self.expect_number(&left)?;
        let left = self.compared_operand(left);
        let first = self.signed()?;
        let right = self.sum(first)?;
        self.expect_number(&right)?;
        let right = self.compared_operand(right);
        self.lexer.space();
        if self.lexer.comparator().is_some() || counted_within(&right).is_some() {
            return Err(self.chained(&left, comparator, &right));
        }
        let span = left.span.to(right.span);
        Ok(Node { span, kind: NodeKind::Compare(Box::new(left), comparator, Box::new(right)) })
    }

    /// The comparator between two values, passed, if one is here.
    fn value_comparator(&mut self) -> Option<Comparator> {
        let (comparator, length) = match self.lexer.comparator()? {
            Sighted::Comparator(comparator, length) => (comparator, length),
            Sighted::DoubleEqual => (Comparator::Equal, 2),
            Sighted::NotEqual => (Comparator::Different, 2),
        };
        self.lexer.at += length;
        Some(comparator)
    }

    /// Where a comparison behind dice compares their total, as in Avrae, they stand in brackets of ours.
    fn compared_operand(&self, node: Node) -> Node {
        if self.dialect == Dialect::Avrae && !matches!(node.kind, NodeKind::Number(_) | NodeKind::Bracket(_)) {
            return Node { span: node.span, kind: NodeKind::Bracket(Box::new(node)) };
        }
        node
    }

    /// Whether the dialect takes what stands behind an expression as words; passes them.
    fn comment_of_dialect(&mut self) -> bool {
        let words = self.dialect != Dialect::Grognard
            && (!self.letters().is_empty() || self.lexer.text[self.lexer.at..].starts_with(super::words::QUOTES));
        if words {
            self.lexer.at = self.lexer.text.len();
        }
        words
    }

    pub(super) fn expect_number(&self, node: &Node) -> Parsed<()> {
        if !node.is_list() {
            return Ok(());
        }
        let text = self.text(node.span);
        let inner = if let NodeKind::Bracket(inner) = &node.kind { self.text(inner.span) } else { text };
        Err(NotationError::new(NotationErrorKind::List, node.span, "a list stands where a number must")
            .suggest(format!("sum({inner})"), "adds it up"))
    }

    fn additive(&self) -> Option<(Arithmetic, usize)> {
        if self.lexer.peek() == b'+' {
            return Some((Arithmetic::Add, 1));
        }
        match self.lexer.minus() {
            0 => None,
            length => Some((Arithmetic::Subtract, length)),
        }
    }

    fn multiplicative(&self) -> Option<(Arithmetic, usize)> {
        match (self.lexer.peek(), self.lexer.ahead(1)) {
            (b'/', b'/') | (0xC3, 0xB7) => Some((Arithmetic::Divide, 2)),
            (b'/', b'^') => Some((Arithmetic::DivideUp, 2)),
            (b'/', _) => Some((Arithmetic::Divide, 1)),
            (b'%', _) => Some((Arithmetic::Modulo, 1)),
            _ => match self.lexer.times() {
                0 => None,
                length => Some((Arithmetic::Multiply, length)),
            },
        }
    }

    fn sum(&mut self, first: Node) -> Parsed<Node> {
        let first = self.product(first)?;
        let operand = |parser: &mut Self| {
            let first = parser.signed()?;
            parser.product(first)
        };
        self.chain(first, Self::additive, operand)
    }

    fn product(&mut self, first: Node) -> Parsed<Node> {
        self.chain(first, Self::multiplicative, Self::signed)
    }

    /// The first operand with those joined to it; a space is not next.
    fn chain(
        &mut self,
        first: Node,
        operator: impl Fn(&Self) -> Option<(Arithmetic, usize)>,
        operand: impl Fn(&mut Self) -> Parsed<Node>,
    ) -> Parsed<Node> {
        if operator(self).is_none() {
            return Ok(first);
        }
        self.expect_number(&first)?;
        let mut span = first.span;
        let mut rest = SmallVec::new();
        // Other tools keep fractions up to the end.
        let mut fraction = false;
        while let Some((sign, length)) = operator(self) {
            if self.dialect != Dialect::Grognard {
                self.refuse_factor_of_fraction(sign, length, &mut fraction)?;
            }
            self.lexer.at += length;
            if matches!(sign, Arithmetic::Multiply | Arithmetic::Divide)
                && let Some(factor) = self.decimal(sign)?
            {
                for (sign, node) in factor {
                    span = span.to(node.span);
                    rest.push((sign, node));
                }
                self.lexer.space();
                continue;
            }
            let next = operand(self)?;
            self.expect_number(&next)?;
            span = span.to(next.span);
            rest.push((sign, next));
            self.lexer.space();
        }
        Ok(Node { span, kind: NodeKind::Chain(Box::new(Chain { first, rest })) })
    }

    /// `7/2*2` is 7 where fractions are kept and 6 here. `fraction` tells whether a division came before.
    fn refuse_factor_of_fraction(&self, sign: Arithmetic, length: usize, fraction: &mut bool) -> Parsed<()> {
        let span = Span::new(self.lexer.at, self.lexer.at + length);
        if *fraction && matches!(sign, Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Modulo) {
            let message = format!("{} keeps the fraction before this, and here it is rounded down", self.dialect);
            return Err(unclear(span, message).suggest("a*b/c", "multiplies first"));
        }
        *fraction |= sign == Arithmetic::Divide && self.text(span) != "//";
        Ok(())
    }

    /// A sign and its operand, or a power; passes the spaces behind it.
    fn signed(&mut self) -> Parsed<Node> {
        self.lexer.space();
        let start = self.lexer.at;
        let sign = match self.additive() {
            None => return self.power(),
            Some((Arithmetic::Add, length)) => {
                self.lexer.at += length;
                Sign::Plus
            }
            Some((_, length)) => {
                self.lexer.at += length;
                Sign::Minus
            }
        };
        self.enter(start)?;
        let operand = self.signed()?;
        self.leave();
        self.expect_number(&operand)?;
        let span = Span { start: start as u32, end: operand.span.end };
        Ok(Node { span, kind: NodeKind::Sign(sign, Box::new(operand)) })
    }

    fn power(&mut self) -> Parsed<Node> {
        let base = self.primary()?;
        self.lexer.space();
        if self.lexer.peek() == b'*' && self.lexer.ahead(1) == b'*' {
            self.lexer.at += 2;
        } else if !self.lexer.take(b'^') {
            return Ok(base);
        }
        self.expect_number(&base)?;
        self.enter(self.lexer.at - 1)?;
        let exponent = self.signed()?;
        self.leave();
        self.expect_number(&exponent)?;
        let span = base.span.to(exponent.span);
        Ok(Node { span, kind: NodeKind::Power(Box::new(base), Box::new(exponent)) })
    }
}
