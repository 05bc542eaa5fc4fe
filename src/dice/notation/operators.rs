//! Reads the operators of pools and groups.

use super::error::NotationError;
use super::lexer::Sighted;
use super::parser::{Parsed, Parser, syntax, unclear};
use super::peers::Letters;
use super::tree::{
    Amount, Cap, Comparator, Comparison, Critical, End, Explosion, Operator, OperatorKind, Operators, Order, Span,
    Style,
};
use crate::dice::notation::Dialect;

/// What stands to the left of an operator, as far as it matters to what may follow.
pub(super) struct Before {
    /// Where the pool or group begins.
    pub start: usize,
    pub group: bool,
    /// A single die.
    pub single: bool,
    /// The least and the greatest face, to name in suggestions.
    pub least: i64,
    pub example: i64,
    pub counted: bool,
    pub exploded: bool,
    pub last: OperatorMark,
}

/// What the operator directly before is, as far as a dialect asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatorMark {
    Keep,
    DropByValue,
    DropByRank(End),
    RerollOnce,
    Other,
}

impl OperatorMark {
    fn of(kind: &OperatorKind) -> Self {
        match kind {
            OperatorKind::Keep(..) | OperatorKind::KeepIf(_) => OperatorMark::Keep,
            OperatorKind::DropIf(_) => OperatorMark::DropByValue,
            OperatorKind::Drop(end, _) => OperatorMark::DropByRank(*end),
            OperatorKind::Reroll(Cap::Once, _) => OperatorMark::RerollOnce,
            _ => OperatorMark::Other,
        }
    }
}

impl Before {
    /// What stands there before the first operator.
    pub(super) fn new(start: usize, group: bool, least: i64, example: i64) -> Self {
        Before {
            start,
            group,
            single: false,
            least,
            example,
            counted: false,
            exploded: false,
            last: OperatorMark::Other,
        }
    }
}

impl<'t> Parser<'t> {
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
    pub(super) fn signed_amount(&mut self, start: usize, what: &str) -> Parsed<Amount> {
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

    /// All operators of a pool or group.
    pub(super) fn operators(&mut self, mut before: Before) -> Parsed<Operators> {
        let mut operators = Operators::new();
        let start = before.start;
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
        // A comparison that no die can meet is refused for that.
        let (least, greatest) = (before.least, before.example);
        if let OperatorKind::Explode(Explosion { when: Some(when), .. }) = &operators[alone].kind
            && let Some(number) = when.number.written()
            && ![least, greatest, number.clamp(least, greatest)].iter().any(|face| when.comparator.holds(*face, number))
        {
            return Ok(());
        }
        let settled = operators[alone + 1..].iter().any(|operator| !operator.kind.is_shown_only());
        if settled {
            return Ok(());
        }
        Err(self.either(operators[alone].span, before.start, before.example))
    }

    /// One operator, if one is here.
    fn operator(&mut self, before: &mut Before) -> Parsed<Option<OperatorKind>> {
        let at = self.lexer.at;
        let kind = match self.lexer.peek() {
            b'=' | b'<' | b'>' | b'!' if self.dialect == Dialect::Avrae => return Ok(None),
            b'=' | b'<' | b'>' => return self.count(before).map(Some),
            b'!' => self.explosion(before.start)?,
            b'[' => return self.label().map(|label| Some(OperatorKind::Label(label))),
            letter if letter.is_ascii_alphabetic() || letter >= 0x80 => {
                let letters = if self.plain_mark() { Letters::Ours } else { self.peer_operator(before)? };
                match letters {
                    Letters::Operator(kind) => kind,
                    Letters::NoOperator => return Ok(None),
                    Letters::Ours => match self.lettered(letter, before)? {
                        Some(kind) => kind,
                        None => return Ok(None),
                    },
                }
            }
            _ => return Ok(None),
        };
        self.check_order(&kind, before, Span::new(at, self.lexer.at))?;
        before.exploded |= matches!(kind, OperatorKind::Explode(_));
        before.last = OperatorMark::of(&kind);
        Ok(Some(kind))
    }

    /// Whether the letters here are one of the commonest operators, with no letter behind it.
    #[inline]
    fn plain_mark(&self) -> bool {
        let ends = matches!(
            (self.lexer.peek(), self.lexer.ahead(1)),
            (b'k', b'h' | b'l' | b'm') | (b'd', b'h' | b'l') | (b's', b'a' | b'd')
        );
        ends && !self.lexer.ahead(2).is_ascii_alphabetic()
            && self.lexer.ahead(2) < 0x80
            && self.dialect != Dialect::Avrae
    }

    /// An operator that begins with this letter.
    fn lettered(&mut self, letter: u8, before: &Before) -> Parsed<Option<OperatorKind>> {
        let at = self.lexer.at;
        Ok(Some(match letter {
            b'k' => self.keep(before)?,
            b'd' => self.drop(before.start)?,
            b'r' => self.reroll()?,
            b'm' => return self.clamp(),
            b'u' => {
                self.lexer.at += 1;
                OperatorKind::Unique
            }
            b's' => self.sort_or_doubles()?,
            b'f' => {
                self.lexer.at += 1;
                OperatorKind::Failures(self.comparison_after(at, "failure")?)
            }
            b'c' => {
                let critical = if self.lexer.ahead(1) == b's' { Critical::Success } else { Critical::Failure };
                self.lexer.at += 2;
                OperatorKind::Critical(critical, self.comparison_after(at, "mark")?)
            }
            _ => return Ok(None),
        }))
    }

    /// Refuses an operator that has no meaning, or more than one, after those to its left.
    fn check_order(&self, kind: &OperatorKind, before: &Before, span: Span) -> Parsed<()> {
        let of_count = matches!(kind, OperatorKind::Failures(_) | OperatorKind::Doubles(_));
        if before.counted && !of_count && !kind.is_shown_only() {
            return Err(self.behind_count(before, span));
        }
        if of_count && !before.counted {
            return Err(self.before_count(before, span));
        }
        let on_dice = matches!(
            kind,
            OperatorKind::Explode(_) | OperatorKind::Reroll(..) | OperatorKind::RerollBetter(_) | OperatorKind::Unique
        );
        let on_one = matches!(kind, OperatorKind::AtLeast(_) | OperatorKind::AtMost(_) | OperatorKind::Critical(..));
        if before.group && (on_dice || on_one) {
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
    pub(super) fn comparison_after(&mut self, mark: usize, what: &str) -> Parsed<Comparison> {
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
                Ok(Comparison { comparator: self.in_dialect(comparator), number })
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
            // A compound die that penetrates counts what a chain does.
            b'!' if self.lexer.ahead(1) == b'p' => {
                self.lexer.at += 1;
                Style::Penetrate
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
        if self.dialect == Dialect::Roll20 && self.lexer.peek().is_ascii_digit() {
            let number = self.optional_amount()?;
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

    fn keep(&mut self, before: &Before) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        let end = match self.lexer.ahead(1) {
            b'h' => End::Highest,
            b'l' => End::Lowest,
            b'm' => End::Middle,
            b'=' | b'<' | b'>' | b'!' => {
                self.lexer.at += 1;
                return self.comparison_after(at, "keep").map(OperatorKind::KeepIf);
            }
            _ => return Err(self.foreign("k", before)),
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
        // `rr1`, `rr<3`: other tools' plain reroll, where a bare `r` may mean once.
        if self.lexer.take(b'r') {
            if self.lexer.peek().is_ascii_digit() {
                let number = self.optional_amount()?;
                let when = Comparison { comparator: Comparator::Equal, number };
                return Ok(OperatorKind::Reroll(Cap::Unlimited, when));
            }
            return Ok(OperatorKind::Reroll(Cap::Unlimited, self.comparison_after(at, "reroll")?));
        }
        let cap = self.cap()?;
        if self.lexer.peek() == b'*' {
            let span = Span::new(at, self.lexer.at + 1);
            return Err(syntax(span, "a cap is written in braces").suggest("r{2}=1", "rerolls a 1 at most twice"));
        }
        Ok(OperatorKind::Reroll(cap, self.comparison_after(at, "reroll")?))
    }

    /// `min2`, `max5`, and as others write them `mi2`, `ma5`.
    fn clamp(&mut self) -> Parsed<Option<OperatorKind>> {
        let at = self.lexer.at;
        let least = match self.lexer.ahead(1) {
            b'i' => true,
            b'a' => false,
            _ => return Ok(None),
        };
        let long = matches!((least, self.lexer.ahead(2)), (true, b'n') | (false, b'x'));
        self.lexer.at += if long { 3 } else { 2 };
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

    /// `sa`, `sd`, `s` (which is `sa`) or `ss`.
    fn sort_or_doubles(&mut self) -> Parsed<OperatorKind> {
        let at = self.lexer.at;
        let (order, length) = match self.lexer.ahead(1) {
            b'a' => (Order::Ascending, 2),
            b'd' => (Order::Descending, 2),
            b's' => {
                self.lexer.at += 2;
                return Ok(OperatorKind::Doubles(self.comparison_after(at, "double")?));
            }
            _ => (Order::Ascending, 1),
        };
        self.lexer.at += length;
        Ok(OperatorKind::Sort(order))
    }
}
