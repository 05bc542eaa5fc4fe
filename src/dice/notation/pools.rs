//! Reads pools, groups, and the faces of their dice.

use std::sync::Arc;

use super::Dialect;
use super::check;
use super::error::{NotationError, NotationErrorKind};
use super::operators::Before;
use super::parser::{Parsed, Parser, syntax, unclear};
use super::tree::{Amount, Faces, Group, Node, NodeKind, Operator, OperatorKind, Pool, Sides, Span};
use super::words::on_its_dice;
use crate::dice::Die;

impl Parser<'_> {
    /// Dice; the `d` is next.
    pub(super) fn pool(&mut self, start: usize, count: Amount) -> Parsed<Node> {
        self.lexer.at += 1;
        let sides = self.sides(start)?;
        let die = sides.die().unwrap_or(Die::Numbered(6));
        let mut before = Before::new(start, false, die.least(), die.greatest());
        before.single = count.written() == Some(1);
        let operators = self.operators(before)?;
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
                let error = NotationError::new(NotationErrorKind::OutOfRange, span, "a die has at least one side");
                // The double zero stands on the tens die of a pair for a hundred.
                if self.lexer.at - at > 1 {
                    let count = self.text(Span::new(start, at - 1)).trim_end();
                    return Err(error.suggest(format!("{count}d%"), "has the sides 1 to 100"));
                }
                Err(error.suggest("d1", "always shows 1"))
            }
            b'%' => {
                self.lexer.at += 1;
                // Avrae's is the die of tens alone.
                Ok(if self.dialect == Dialect::Avrae { listed((0..100).step_by(10)) } else { Sides::Percent })
            }
            b'f' => {
                self.lexer.at += 1;
                if self.lexer.peek() == b'.' { self.fudge_blanks(start) } else { Ok(Sides::Fudge) }
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

    /// `dF.2`, two of each sign and two blanks, is `dF`; `dF.1` has one of each and four blanks. The dot is next.
    fn fudge_blanks(&mut self, start: usize) -> Parsed<Sides> {
        self.lexer.at += 2;
        match self.lexer.text.as_bytes().get(self.lexer.at - 1) {
            Some(b'2') if !self.lexer.peek().is_ascii_digit() => Ok(Sides::Fudge),
            Some(b'1') if !self.lexer.peek().is_ascii_digit() => Ok(listed([-1, 0, 0, 0, 0, 1])),
            _ => {
                let span = Span::new(start, self.lexer.at.min(self.lexer.text.len()));
                Err(syntax(span, "a Fudge die has one or two faces of each sign")
                    .suggest("dF", "has two")
                    .suggest("dF.1", "has one, and four blanks"))
            }
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
    pub(super) fn signed_digits(&mut self) -> Parsed<Option<i64>> {
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
        self.group_of(start, members)
    }

    /// The operators of a group whose members have been read.
    pub(super) fn group_of(&mut self, start: usize, members: Vec<Node>) -> Parsed<Node> {
        members.iter().try_for_each(|member| self.expect_number(member))?;
        let mut operators = self.operators(Before::new(start, true, 1, 5))?;
        let span = Span::new(start, self.lexer.at);
        if let [member] = members.as_slice()
            && let Some(chooses) = operators
                .iter()
                .position(|operator| matches!(operator.kind, OperatorKind::Keep(..) | OperatorKind::Drop(..)))
        {
            let on_dice = (self.dialect == Dialect::Roll20).then(|| on_its_dice(member, &operators)).flatten();
            return match on_dice {
                Some(kind) => Ok(Node { span, kind }),
                None => Err(self.one_member(member, operators.remove(chooses))),
            };
        }
        Ok(Node { span, kind: NodeKind::Group(Box::new(Group { members, operators })) })
    }

    /// A choice among one: it would silently keep or drop the whole.
    #[cold]
    fn one_member(&self, member: &Node, operator: Operator) -> NotationError {
        let written = self.text(operator.span);
        let error = unclear(operator.span, format!("the group has one member, and `{written}` chooses among members"));
        self.meant(error, member, written)
    }
}

/// A die of these faces.
fn listed(faces: impl IntoIterator<Item = i64>) -> Sides {
    let faces: Vec<i64> = faces.into_iter().collect();
    Sides::Listed(Arc::new(Faces { written: faces.iter().map(|face| (*face, *face)).collect(), faces }))
}
