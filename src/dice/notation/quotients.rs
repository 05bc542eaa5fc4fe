//! Fractions where they mean whole numbers: a decimal factor, and a quotient that is rounded by name.

use super::arithmetic::overflow;
use super::parser::{Parsed, Parser, syntax};
use super::tree::{Arithmetic, Chain, Node, NodeKind, Span};

/// The greatest number of digits behind the point: more do not fit the product with a large roll.
const DECIMALS: usize = 9;

impl Parser<'_> {
    /// A decimal factor or divisor as the multiplication and division by whole numbers that it is: `0.2` as `/5`, `1.5` as
    /// `*3/2`. Nothing is passed when none is here.
    pub(super) fn decimal(&mut self, sign: Arithmetic) -> Parsed<Option<Vec<(Arithmetic, Node)>>> {
        self.lexer.space();
        let bytes = &self.lexer.text.as_bytes()[self.lexer.at..];
        let whole = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let point = bytes.get(whole) == Some(&b'.');
        let decimals = bytes.get(whole + 1..).unwrap_or(&[]).iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !point || decimals == 0 {
            return Ok(None);
        }
        let span = Span::new(self.lexer.at, self.lexer.at + whole + 1 + decimals);
        if decimals > DECIMALS {
            return Err(syntax(span, format!("a factor has at most {DECIMALS} digits behind its point")));
        }
        let digits = self.text(span).replace('.', "");
        let mut over: i64 = digits.parse().map_err(|_| overflow(span))?;
        let mut under = 10i64.pow(decimals as u32);
        let common = greatest_divisor(over, under);
        (over, under) = (over / common, under / common);
        if sign == Arithmetic::Divide {
            (over, under) = (under, over);
        }
        self.lexer.at = span.end as usize;
        let node = |number| Node { span, kind: NodeKind::Number(number) };
        let mut factor = Vec::new();
        if over != 1 || under == 1 {
            factor.push((Arithmetic::Multiply, node(over)));
        }
        if under != 1 {
            factor.push((Arithmetic::Divide, node(under)));
        }
        Ok(Some(factor))
    }

    /// `floor(a/b)`, `ceil(a/b)`, `round(a/b)`: the quotient in brackets, rounded so.
    pub(super) fn rounded(&mut self, function: &str, start: usize) -> Parsed<Node> {
        let rounding = match function {
            "floor" => Arithmetic::Divide,
            "ceil" => Arithmetic::DivideUp,
            _ => Arithmetic::DivideNearest,
        };
        let mut inner = self.bracketed()?;
        let span = self.span_from(start);
        if !self.is_quotient(&inner) {
            let text = self.text(inner.span);
            let message = format!("`{function}` rounds a quotient, and `{text}` is a whole number already");
            return Err(syntax(span, message).suggest(format!("{function}({text}/2)"), "rounds the half"));
        }
        if let NodeKind::Chain(chain) = &mut inner.kind
            && let Some((sign, _)) = chain.rest.last_mut()
        {
            *sign = rounding;
        }
        Ok(Node { span, kind: NodeKind::Bracket(Box::new(inner)) })
    }

    /// A product whose one division, by `/`, comes last: nothing was rounded before.
    fn is_quotient(&self, node: &Node) -> bool {
        let NodeKind::Chain(chain) = &node.kind else { return false };
        let Chain { first, rest } = &**chain;
        let Some(((sign, divisor), factors)) = rest.split_last() else { return false };
        let before = factors.last().map_or(first, |(_, factor)| factor).span.end;
        let between = self.text(Span { start: before, end: divisor.span.start.max(before) });
        *sign == Arithmetic::Divide
            && !between.contains("//")
            && factors.iter().all(|(sign, _)| *sign == Arithmetic::Multiply)
    }
}

fn greatest_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { greatest_divisor(b, a % b) }
}
