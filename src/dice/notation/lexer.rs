//! The letters of the notation: spaces, signs and numbers at a place in the text.

use super::error::{NotationError, NotationErrorKind};
use super::tree::{Comparator, Span};

/// A place in the text that moves forward.
pub(super) struct Lexer<'t> {
    pub text: &'t str,
    pub at: usize,
}

/// What a comparison sign turned out to be.
pub(super) enum Sighted {
    /// A comparator, so many bytes long.
    Comparator(Comparator, usize),
    /// `==`
    DoubleEqual,
    /// `!=`
    NotEqual,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lexer { text, at: 0 }
    }

    /// The byte so many places on, 0 past the end; letters in lower case.
    #[inline]
    pub(super) fn ahead(&self, offset: usize) -> u8 {
        self.text.as_bytes().get(self.at + offset).map_or(0, u8::to_ascii_lowercase)
    }

    /// The next byte, 0 at the end; letters in lower case.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.ahead(0)
    }

    /// Passes spaces and a comment; tells whether there were any.
    #[inline]
    pub(super) fn space(&mut self) -> bool {
        let start = self.at;
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'#') => self.at = self.text.len(),
                _ => return self.at > start,
            }
        }
    }

    /// Whether only spaces and a comment are left; passes them.
    pub(super) fn at_end(&mut self) -> bool {
        self.space();
        self.at >= self.text.len()
    }

    /// Passes this byte if it is next.
    ///
    /// A branch, and not `at += usize::from(found)`: with optimization rustc 1.95 drops a comparison with a constant
    /// whose result is used as a number before it is branched on, and the place then stays where it was.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        if self.peek() == byte {
            self.at += 1;
            return true;
        }
        false
    }

    /// How many bytes long the minus sign here is; 0 when there is none.
    #[inline]
    pub(super) fn minus(&self) -> usize {
        match self.peek() {
            b'-' => 1,
            0xE2 if self.text[self.at..].starts_with(['\u{2212}', '\u{2013}', '\u{2014}']) => 3,
            _ => 0,
        }
    }

    /// How many bytes long the times sign here is; 0 when there is none.
    #[inline]
    pub(super) fn times(&self) -> usize {
        match self.peek() {
            b'*' => 1,
            // The bytes of U+00D7; the lower-casing of `peek` leaves them alone.
            0xC3 if self.ahead(1) == 0x97 => 2,
            _ => 0,
        }
    }

    /// The comparison sign here, not passed.
    #[inline]
    pub(super) fn comparator(&self) -> Option<Sighted> {
        Some(match (self.peek(), self.ahead(1)) {
            (b'=', b'=') => Sighted::DoubleEqual,
            (b'!', b'=') => Sighted::NotEqual,
            (b'=', _) => Sighted::Comparator(Comparator::Equal, 1),
            (b'<', b'>') => Sighted::Comparator(Comparator::Different, 2),
            (b'<', b'=') => Sighted::Comparator(Comparator::AtMost, 2),
            (b'<', _) => Sighted::Comparator(Comparator::Less, 1),
            (b'>', b'=') => Sighted::Comparator(Comparator::AtLeast, 2),
            (b'>', _) => Sighted::Comparator(Comparator::Greater, 1),
            _ => return None,
        })
    }

    /// Whether a comparison sign is here.
    pub(super) fn at_comparator(&self) -> bool {
        matches!(self.peek(), b'=' | b'<' | b'>')
    }

    /// Passes digits: the number they write, negated if asked. At least one digit is here.
    pub(super) fn digits(&mut self, negative: bool) -> Result<i64, NotationError> {
        let start = self.at;
        let mut number: i64 = 0;
        let mut fits = true;
        while let Some(digit @ b'0'..=b'9') = self.text.as_bytes().get(self.at) {
            let digit = i64::from(digit - b'0');
            let next = number
                .checked_mul(10)
                .and_then(|tens| if negative { tens.checked_sub(digit) } else { tens.checked_add(digit) });
            match next {
                Some(next) => number = next,
                None => fits = false,
            }
            self.at += 1;
        }
        if fits {
            return Ok(number);
        }
        Err(NotationError::new(
            NotationErrorKind::Overflow,
            Span::new(start, self.at),
            "the number does not fit 64 bits: the greatest is 9223372036854775807",
        ))
    }

    /// The word here (letters, digits, underscores; a letter or underscore first), not passed; empty when there is
    /// none.
    pub(super) fn word(&self) -> &'t str {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        if !bytes.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
            return "";
        }
        let length = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        &rest[..length]
    }

    /// The span of what a person would call the next thing: a word, a number, or one character; empty at the end.
    pub(super) fn next_thing(&self) -> Span {
        let rest = &self.text[self.at..];
        let length = match rest.chars().next() {
            Some(c) if c.is_alphanumeric() => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            Some(c) => c.len_utf8(),
            None => 0,
        };
        Span::new(self.at, self.at + length)
    }
}
