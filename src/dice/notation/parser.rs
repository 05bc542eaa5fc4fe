//! Reads a text into a tree: everything around the dice. Pools and their operators are read in `operators`.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::check::least_draws;
use super::error::{NotationError, NotationErrorKind};
use super::lexer::{Lexer, Sighted};
use super::limits::Limits;
use super::refusals::counted_within;
use super::tree::{
    Amount, Arithmetic, Binding, Chain, End, Function, KeepMembers, Label, Node, NodeKind, Sign, Span, Tree,
};
use crate::nearest::nearest;

pub(super) type Parsed<T> = Result<T, NotationError>;

/// However high a host sets the limit, a parser that calls itself must stop somewhere.
const DEEPEST: u32 = 128;

pub(super) struct Parser<'t> {
    pub lexer: Lexer<'t>,
    pub limits: &'t Limits,
    bindings: Vec<Binding>,
    depth: u32,
}

/// Reads a whole text. How many dice it draws is left to [`check_draws`].
pub(crate) fn parse(text: &str, limits: &Limits) -> Parsed<Tree> {
    read(text, limits).map_err(|error| error.placed_in(text))
}

fn read(text: &str, limits: &Limits) -> Parsed<Tree> {
    check_length(text, limits)?;
    let mut parser = Parser { lexer: Lexer::new(text), limits, bindings: Vec::new(), depth: 0 };
    while parser.binding()? {}
    if parser.lexer.at_end() {
        return Err(syntax(Span::new(0, text.trim_end().len()), "there is nothing to roll").suggest("3d6", ""));
    }
    let root = parser.expression()?;
    if !parser.lexer.at_end() {
        return Err(parser.leftover(&root));
    }
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

impl Parser<'_> {
    pub(super) fn text(&self, span: Span) -> &str {
        span.of(self.lexer.text)
    }

    /// The bindings read so far.
    pub(super) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    fn span_from(&self, start: usize) -> Span {
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
            Span::new(at, self.lexer.after(at)),
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
        let left = self.comparison()?;
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
            return Err(syntax(left.span.to(x), "left of `x` stands a number or a bracket")
                .suggest(format!("({}) x {}", self.text(left.span), self.rest_after(1)), ""));
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
        let body = self.comparison()?;
        self.expect_number(&body)?;
        Ok(Node { span: left.span.to(body.span), kind: NodeKind::Repeat(Box::new(left), Box::new(body)) })
    }

    /// A comparison of two values, or less loose.
    fn comparison(&mut self) -> Parsed<Node> {
        let left = self.sum()?;
        self.refuse_count_beside(&left)?;
        self.lexer.space();
        let Some(comparator) = self.value_comparator(&left)? else { return Ok(left) };
        self.expect_number(&left)?;
        let right = self.sum()?;
        self.expect_number(&right)?;
        self.lexer.space();
        if self.lexer.comparator().is_some() || counted_within(&right).is_some() {
            return Err(self.chained(&left, comparator, &right));
        }
        let span = left.span.to(right.span);
        Ok(Node { span, kind: NodeKind::Compare(Box::new(left), comparator, Box::new(right)) })
    }

    /// The comparator between two values, passed, if one is here.
    fn value_comparator(&mut self, left: &Node) -> Parsed<Option<super::tree::Comparator>> {
        let span = Span::new(self.lexer.at, self.lexer.at + 2);
        match self.lexer.comparator() {
            None => Ok(None),
            Some(Sighted::Comparator(comparator, length)) => {
                self.lexer.at += length;
                Ok(Some(comparator))
            }
            Some(Sighted::DoubleEqual) => Err(self.double_equal(self.text(left.span), span)),
            Some(Sighted::NotEqual) => Err(unclear(span, "`!=` could explode or compare")
                .suggest(format!("{}<>{}", self.text(left.span), self.rest_after(2)), "compares")),
        }
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
            (b'/', b'/') => Some((Arithmetic::Divide, 2)),
            (b'/', b'^') => Some((Arithmetic::DivideUp, 2)),
            (b'/', _) => Some((Arithmetic::Divide, 1)),
            (b'%', _) => Some((Arithmetic::Modulo, 1)),
            _ => match self.lexer.times() {
                0 => None,
                length => Some((Arithmetic::Multiply, length)),
            },
        }
    }

    fn sum(&mut self) -> Parsed<Node> {
        self.chain(Self::product, Self::additive)
    }

    fn product(&mut self) -> Parsed<Node> {
        self.chain(Self::signed, Self::multiplicative)
    }

    fn chain(
        &mut self,
        operand: impl Fn(&mut Self) -> Parsed<Node>,
        operator: impl Fn(&Self) -> Option<(Arithmetic, usize)>,
    ) -> Parsed<Node> {
        let first = operand(self)?;
        self.lexer.space();
        if operator(self).is_none() {
            return Ok(first);
        }
        self.expect_number(&first)?;
        let mut span = first.span;
        let mut rest = SmallVec::new();
        while let Some((sign, length)) = operator(self) {
            self.lexer.at += length;
            let next = operand(self)?;
            self.expect_number(&next)?;
            span = span.to(next.span);
            rest.push((sign, next));
            self.lexer.space();
        }
        Ok(Node { span, kind: NodeKind::Chain(Box::new(Chain { first, rest })) })
    }

    /// A sign and its operand, or a power.
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
        if !self.lexer.take(b'^') {
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

    fn primary(&mut self) -> Parsed<Node> {
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
        let inner = self.bracketed()?;
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
        if let Some(index) = self.bindings.iter().position(|binding| binding.name == word) {
            return self.labels(Node { span, kind: NodeKind::Name(index as u32) });
        }
        Err(self.unknown_name(word, span))
    }

    fn call(&mut self, word: &str, span: Span) -> Parsed<Node> {
        let lower = word.to_ascii_lowercase();
        let Some(function) = Function::ALL.into_iter().find(|function| function.text() == lower) else {
            let error =
                NotationError::new(NotationErrorKind::UnknownName, span, format!("there is no function `{word}`"));
            return Err(match nearest(&lower, Function::ALL.into_iter().map(Function::text)) {
                Some(near) => error.suggest(format!("{near}(…)"), ""),
                None if lower == "floor" => error.suggest("a/b", "rounds down"),
                None if lower == "ceil" => error.suggest("a/^b", "rounds up"),
                None => error.suggest("min, max, abs, if, sum, sort", ""),
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
