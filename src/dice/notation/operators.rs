//! Reads pools, groups and their operators.

use std::sync::Arc;

use super::check;
use super::error::{NotationError, NotationErrorKind};
use super::lexer::Sighted;
use super::parser::{Parsed, Parser, syntax, unclear};
use super::tree::{
    Amount, Cap, Comparator, Comparison, End, Explosion, Faces, Group, Node, NodeKind, Operator, OperatorKind,
    Operators, Order, Pool, Sides, Span, Style,
};
use crate::dice::Die;

/// What stands to the left of an operator, as far as it matters to what may follow.
struct Before {
    /// Where the pool or group begins.
    start: usize,
    group: bool,
    /// A face to name in suggestions.
    example: i64,
    counted: bool,
    exploded: bool,
}

impl<'t> Parser<'t> {
    /// Dice; the `d` is next.
    pub(super) fn pool(&mut self, start: usize, count: Amount) -> Parsed<Node> {
        self.lexer.at += 1;
        let sides = self.sides(start)?;
        let example = sides.die().map_or(6, Die::greatest);
        let operators = self.operators(start, false, example)?;
        let span = Span::new(start, self.lexer.at);
        let pool = Pool { count, sides, operators };
        check::check_pool(&pool, span, self.lexer.text)?;
        Ok(Node { span, kind: NodeKind::Pool(Box::new(pool)) })
    }

    fn sides(&mut self, start: usize) -> Parsed<Sides> {
        let at = self.lexer.at;
        match self.lexer.peek() {
            b'0'..=b'9' => {
                let sides = self.lexer.digits(false)?;
                if sides > 0 {
                    return Ok(Sides::Number(sides));
                }
                let span = Span::new(start, self.lexer.at);
                Err(NotationError::new(NotationErrorKind::OutOfRange, span, "a die has at least one side")
                    .suggest("d1", "always shows 1"))
            }
            b'%' => {
                self.lexer.at += 1;
                Ok(Sides::Percent)
            }
            b'f' => {
                self.lexer.at += 1;
                Ok(Sides::Fudge)
            }
            b'(' => {
                let inner = self.bracketed()?;
                self.expect_number(&inner)?;
                Ok(Sides::Computed(Box::new(inner)))
            }
            b'[' => Ok(Sides::Listed(Arc::new(self.faces()?))),
            _ => Err(syntax(Span::new(start, at), "how many sides the dice have is missing").suggest("3d6", "")),
        }
    }

    fn faces(&mut self) -> Parsed<Faces> {
        let start = self.lexer.at;
        self.lexer.at += 1;
        let mut written = Vec::new();
        let mut faces = Vec::new();
        loop {
            self.lexer.space();
            let face_start = self.lexer.at;
            let first = self.face(start)?;
            self.lexer.space();
            let mut last = first;
            if self.lexer.peek() == b'.' && self.lexer.ahead(1) == b'.' {
                self.lexer.at += 2;
                self.lexer.space();
                last = self.face(start)?;
            }
            let span = Span::new(face_start, self.lexer.at);
            if last < first {
                return Err(syntax(span, "a range goes from the lesser face to the greater")
                    .suggest(format!("{last}..{first}"), ""));
            }
            if last.abs_diff(first) >= (self.limits.faces - faces.len().min(self.limits.faces)) as u64 {
                let message = format!("a die has at most {} listed faces", self.limits.faces);
                return Err(NotationError::new(NotationErrorKind::Limit, span, message));
            }
            written.push((first, last));
            faces.extend(first..=last);
            self.lexer.space();
            if self.lexer.take(b']') {
                return Ok(Faces { written, faces });
            }
            if !self.lexer.take(b',') {
                return Err(self.faces_unreadable(start));
            }
        }
    }

    fn face(&mut self, start: usize) -> Parsed<i64> {
        match self.signed_digits()? {
            Some(face) => Ok(face),
            None => Err(self.faces_unreadable(start)),
        }
    }

    /// A number with or without a sign; nothing is passed when there is none.
    fn signed_digits(&mut self) -> Parsed<Option<i64>> {
        let start = self.lexer.at;
        let minus = self.lexer.minus();
        let sign = if self.lexer.peek() == b'+' { 1 } else { minus };
        self.lexer.at += sign;
        if sign > 0 {
            self.lexer.space();
        }
        if self.lexer.peek().is_ascii_digit() {
            return self.lexer.digits(minus > 0).map(Some);
        }
        self.lexer.at = start;
        Ok(None)
    }

    /// `{ … }` with its operators; the bracket is next.
    pub(super) fn group(&mut self, start: usize) -> Parsed<Node> {
        let members = self.separated(b'}')?;
        if members.is_empty() {
            let span = Span::new(start, self.lexer.at);
            return Err(syntax(span, "a group has at least one member").suggest("{2d6, 1d10}kh1", ""));
        }
        members.iter().try_for_each(|member| self.expect_number(member))?;
        let operators = self.operators(start, true, 5)?;
        let span = Span::new(start, self.lexer.at);
        Ok(Node { span, kind: NodeKind::Group(Box::new(Group { members, operators })) })
    }

    /// Digits or an expression in brackets, or nothing.
    pub(super) fn optional_amount(&mut self) -> Parsed<Amount> {
        match self.lexer.peek() {
            b'0'..=b'9' => self.lexer.digits(false).map(Amount::Number),
            b'(' => {
                let inner = self.bracketed()?;
                self.expect_number(&inner)?;
                Ok(Amount::Computed(Box::new(inner)))
            }
            _ => Ok(Amount::Implied),
        }
    }

    /// A signed number or an expression in brackets.
    fn signed_amount(&mut self, start: usize, what: &str) -> Parsed<Amount> {
        self.lexer.space();
        if let Some(number) = self.signed_digits()? {
            return Ok(Amount::Number(number));
        }
        match self.optional_amount()? {
            Amount::Implied => {
                let span = Span::new(start, self.lexer.at);
                let written = self.text(span).trim_end().to_owned();
                let rest = self.rest_after(0);
                let computed =
                    if rest.starts_with('$') { format!("{written}({rest})") } else { format!("{written}(1d4)") };
                Err(syntax(span, format!("the number of the {what} is missing"))
                    .suggest(format!("{written}5"), "")
                    .suggest(computed, "computes it"))
            }
            amount => Ok(amount),
        }
    }

    /// All operators of a pool or group that begins at `start`; `example` is a face that refusals may suggest.
    fn operators(&mut self, start: usize, group: bool, example: i64) -> Parsed<Operators> {
        let mut operators = Operators::new();
        let mut before = Before { start, group, example, counted: false, exploded: false };
        loop {
            let end = self.lexer.at;
            let spaced = self.lexer.space();
            if spaced {
                self.refuse_apart(&operators, end, start)?;
            }
            let at = self.lexer.at;
            let Some(kind) = self.operator(&mut before)? else {
                self.lexer.at = end;
                break;
            };
            operators.push(Operator { span: Span::new(at, self.lexer.at), kind });
        }
        if before.exploded {
            self.refuse_either(&operators, &before)?;
        }
        Ok(operators)
    }

    /// `!c` with one comparison that could be its own or a count.
    fn refuse_either(&self, operators: &Operators, before: &Before) -> Parsed<()> {
        let alone = operators.iter().position(|operator| match &operator.kind {
            OperatorKind::Explode(explosion) => explosion.style == Style::Alone && explosion.when.is_some(),
            _ => false,
        });
        let Some(alone) = alone else { return Ok(()) };
        let settled = operators[alone + 1..]
            .iter()
            .any(|operator| !matches!(operator.kind, OperatorKind::Sort(_) | OperatorKind::Label(_)));
        if settled {
            return Ok(());
        }
        Err(self.either(operators[alone].span, before.start, before.example))
    }

    /// One operator, if one is here.
    fn operator(&mut self, before: &mut Before) -> Parsed<Option<OperatorKind>> {
        let at = self.lexer.at;
        let kind = match self.lexer.peek() {
            b'=' | b'<' | b'>' => return self.count(before).map(Some),
            b'!' => self.explosion(before.start)?,
            b'k' => self.keep()?,
            b'd' => self.drop(before.start)?,
            b'r' => self.reroll()?,
            b'm' => match self.clamp()? {
                Some(kind) => kind,
                None => return Ok(None),
            },
            b'u' => {
                self.lexer.at += 1;
                OperatorKind::Unique
            }
            b's' => match self.sort_or_doubles()? {
                Some(kind) => kind,
                None => return Ok(None),
            },
            b'f' => {
                self.lexer.at += 1;
                OperatorKind::Failures(self.comparison_after(at, "failure")?)
            }
            b'[' => return self.label().map(|label| Some(OperatorKind::Label(label))),
            _ => return Ok(None),
        };
        self.check_order(&kind, before, Span::new(at, self.lexer.at))?;
        before.exploded |= matches!(kind, OperatorKind::Explode(_));
        Ok(Some(kind))
    }

    /// Refuses an operator that has no meaning, or more than one, after those to its left.
    fn check_order(&self, kind: &OperatorKind, before: &Before, span: Span) -> Parsed<()> {
        let of_count = matches!(kind, OperatorKind::Failures(_) | OperatorKind::Doubles(_));
        if before.counted && !of_count && !matches!(kind, OperatorKind::Sort(_)) {
            return Err(self.behind_count(before, span));
        }
        if of_count && !before.counted {
            return Err(self.before_count(before, span));
        }
        let on_dice = matches!(
            kind,
            OperatorKind::Explode(_) | OperatorKind::Reroll(..) | OperatorKind::RerollBetter(_) | OperatorKind::Unique
        );
        if before.group && (on_dice || matches!(kind, OperatorKind::AtLeast(_) | OperatorKind::AtMost(_))) {
            return Err(self.on_members(span));
        }
        if before.exploded && on_dice {
            return Err(self.behind_explosion(matches!(kind, OperatorKind::Explode(_)), before, span));
        }
        Ok(())
    }

    /// The pool or group up to the operator at `span`, and the operator.
    fn around(&self, before: &Before, span: Span) -> (&'t str, &'t str) {
        (self.text(Span::new(before.start, span.start as usize)).trim_end(), self.text(span))
    }

    #[cold]
    fn behind_count(&self, before: &Before, span: Span) -> NotationError {
        let (dice, written) = self.around(before, span);
        let moved =
            dice.find(['=', '<', '>']).map_or(String::new(), |at| format!("{}{written}{}", &dice[..at], &dice[at..]));
        unclear(span, format!("after a count there are successes, and `{written}` works on dice"))
            .suggest(moved, "counts last")
    }

    #[cold]
    fn before_count(&self, before: &Before, span: Span) -> NotationError {
        let (dice, written) = self.around(before, span);
        syntax(span, format!("`{written}` stands after a count"))
            .suggest(format!("{dice}>={}{written}", before.example), "counts first")
    }

    #[cold]
    fn on_members(&self, span: Span) -> NotationError {
        let written = self.text(span);
        unclear(span, format!("the members of a group are values, and `{written}` works on dice"))
            .suggest(format!("{{2d6{written}, …}}"), "works on the dice of a member")
    }

    #[cold]
    fn behind_explosion(&self, explodes: bool, before: &Before, span: Span) -> NotationError {
        let (dice, written) = self.around(before, span);
        let error = unclear(span, format!("right of a `!`, `{written}` could mean the chain or its first die"));
        if explodes {
            return error.suggest(dice, "explodes already");
        }
        let (pool, explosion) = dice.split_at(dice.find('!').unwrap_or(dice.len()));
        error.suggest(format!("{pool}{written}{explosion}"), "comes before the explosion")
    }

    /// A comparison directly on the pool: it counts.
    fn count(&mut self, before: &mut Before) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        let pool = Span::new(before.start, at);
        if before.counted {
            let dice = self.text(pool).trim_end();
            let span = Span::new(at, at + 1);
            return Err(unclear(span, "a count is compared with a number only in brackets")
                .suggest(format!("({dice}){}", self.rest_after(0)), "compares the successes"));
        }
        let comparison = self.comparison_here(at, pool, "count")?;
        before.counted = true;
        Ok(OperatorKind::Count(comparison))
    }

    /// The comparison that must follow a mark, without a space.
    fn comparison_after(&mut self, mark: usize, what: &str) -> Parsed<Comparison> {
        let span = Span::new(mark, self.lexer.at);
        if self.lexer.comparator().is_none() {
            let text = self.text(span);
            let number = self.number_ahead(0);
            let number = if number.is_empty() { "2" } else { number };
            return Err(syntax(span, format!("behind `{text}` its comparison is missing"))
                .suggest(format!("{text}={number}"), "")
                .suggest(format!("{text}<={number}"), ""));
        }
        self.comparison_here(mark, span, what)
    }

    /// A comparison sign and its number; something like a sign is here. `lead` is what stands before it.
    fn comparison_here(&mut self, start: usize, lead: Span, what: &str) -> Parsed<Comparison> {
        let at = self.lexer.at;
        match self.lexer.comparator() {
            Some(Sighted::Comparator(comparator, length)) => {
                self.lexer.at += length;
                let number = self.signed_amount(start, what)?;
                Ok(Comparison { comparator, number })
            }
            Some(Sighted::NotEqual) => {
                let lead = self.text(lead).trim_end();
                Err(unclear(Span::new(at, at + 2), "`!=` could explode or compare")
                    .suggest(format!("{lead}<>{}", self.rest_after(2)), "compares"))
            }
            _ => Err(self.double_equal(self.text(lead).trim_end(), Span::new(at, at + 2))),
        }
    }

    fn explosion(&mut self, start: usize) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        if self.lexer.ahead(1) == b'=' && self.lexer.ahead(2) != b'=' {
            return Err(self.not_equal(start, at, 1));
        }
        self.lexer.at += 1;
        let style = match self.lexer.peek() {
            b'!' if self.lexer.ahead(1) == b'=' && self.lexer.ahead(2) != b'=' => {
                return Err(self.not_equal(start, at, 2));
            }
            b'!' => Style::Compound,
            b'p' => Style::Penetrate,
            b'c' => Style::Alone,
            _ => Style::Chain,
        };
        if style != Style::Chain {
            self.lexer.at += 1;
        }
        let cap = self.cap()?;
        let bare = matches!(cap, Cap::Unlimited) && matches!(style, Style::Chain | Style::Compound);
        if bare && self.lexer.peek() == b'=' && self.lexer.ahead(1) == b'=' {
            self.lexer.at += 2;
            let number = self.signed_amount(at, "explosion")?;
            let when = Some(Comparison { comparator: Comparator::Equal, number });
            return Ok(OperatorKind::Explode(Explosion { style, cap, when }));
        }
        let when = if self.lexer.at_comparator() { Some(self.comparison_after(at, "explosion")?) } else { None };
        Ok(OperatorKind::Explode(Explosion { style, cap, when }))
    }

    /// `o`, `{2}` or nothing.
    fn cap(&mut self) -> Parsed<Cap> {
        if self.lexer.take(b'o') {
            return Ok(Cap::Once);
        }
        let start = self.lexer.at;
        if !self.lexer.take(b'{') {
            return Ok(Cap::Unlimited);
        }
        self.lexer.space();
        let amount = self.optional_amount()?;
        self.lexer.space();
        if matches!(amount, Amount::Implied) || !self.lexer.take(b'}') {
            let span = Span::new(start, self.lexer.at);
            return Err(syntax(span, "a cap is a number in braces").suggest("{2}", "is at most twice"));
        }
        Ok(Cap::AtMost(amount))
    }

    fn keep(&mut self) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        let end = match self.lexer.ahead(1) {
            b'h' => End::Highest,
            b'l' => End::Lowest,
            b'm' => End::Middle,
            b'=' | b'<' | b'>' | b'!' => {
                self.lexer.at += 1;
                return self.comparison_after(at, "keep").map(OperatorKind::KeepIf);
            }
            _ => {
                let span = Span::new(at, at + 1);
                let number = self.number_ahead(1);
                let number = if number.is_empty() { "1" } else { number };
                return Err(unclear(span, "`k` alone does not say which dice to keep")
                    .suggest(format!("kh{number}"), "keeps the highest")
                    .suggest(format!("kl{number}"), "keeps the lowest")
                    .suggest(format!("k={number}"), "keeps what shows it"));
            }
        };
        self.lexer.at += 2;
        Ok(OperatorKind::Keep(end, self.optional_amount()?))
    }

    fn drop(&mut self, start: usize) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        let end = match self.lexer.ahead(1) {
            b'h' => End::Highest,
            b'l' => End::Lowest,
            b'=' | b'<' | b'>' | b'!' => {
                self.lexer.at += 1;
                return self.comparison_after(at, "drop").map(OperatorKind::DropIf);
            }
            _ => return Err(self.drop_which(start)),
        };
        self.lexer.at += 2;
        Ok(OperatorKind::Drop(end, self.optional_amount()?))
    }

    fn reroll(&mut self) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        self.lexer.at += 1;
        if self.lexer.take(b'b') {
            return self.comparison_after(at, "reroll").map(OperatorKind::RerollBetter);
        }
        let cap = self.cap()?;
        if self.lexer.peek() == b'*' {
            let span = Span::new(at, self.lexer.at + 1);
            return Err(syntax(span, "a cap is written in braces").suggest("r{2}=1", "rerolls a 1 at most twice"));
        }
        Ok(OperatorKind::Reroll(cap, self.comparison_after(at, "reroll")?))
    }

    fn clamp(&mut self) -> Parsed<Option<OperatorKind>> {
        let at = self.lexer.at;
        let least = match (self.lexer.ahead(1), self.lexer.ahead(2)) {
            (b'i', b'n') => true,
            (b'a', b'x') => false,
            _ => return Ok(None),
        };
        self.lexer.at += 3;
        if matches!(self.lexer.text.as_bytes().get(self.lexer.at), Some(b' ' | b'\t')) {
            let text = self.text(Span::new(at, self.lexer.at)).to_owned();
            let span = Span::new(at, self.lexer.at);
            return Err(
                syntax(span, format!("the number stands directly behind `{text}`")).suggest(format!("{text}2"), "")
            );
        }
        let amount = self.signed_amount(at, "clamp")?;
        Ok(Some(if least { OperatorKind::AtLeast(amount) } else { OperatorKind::AtMost(amount) }))
    }

    fn sort_or_doubles(&mut self) -> Parsed<Option<OperatorKind>> {
        let at = self.lexer.at;
        let order = match self.lexer.ahead(1) {
            b'a' => Order::Ascending,
            b'd' => Order::Descending,
            b's' => {
                self.lexer.at += 2;
                return Ok(Some(OperatorKind::Doubles(self.comparison_after(at, "double")?)));
            }
            _ => return Ok(None),
        };
        self.lexer.at += 2;
        Ok(Some(OperatorKind::Sort(order)))
    }
}
