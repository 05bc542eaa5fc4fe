//! Operators as other tools spell them: read in their own dialect, else refused with what each tool means by them.

use super::dialect::Dialect;
use super::error::NotationError;
use super::operators::{Before, OperatorMark};
use super::parser::{Parsed, Parser, unclear};
use super::tree::{Amount, Cap, Comparator, Comparison, Critical, End, Explosion, OperatorKind, Span, Style};

/// Marks that may stand without a number or a comparison, so that letters may follow them.
const BARE: [&str; 9] = ["kh", "kl", "km", "dh", "dl", "sa", "sd", "u", "s"];
/// Marks behind which a number or a comparison comes.
const NUMBERED: [&str; 14] = ["k", "d", "r", "ro", "rb", "rr", "min", "max", "mi", "ma", "f", "ss", "cs", "cf"];
/// Marks of other tools.
const FOREIGN: [&str; 15] =
    ["p", "ph", "pl", "e", "eh", "el", "ra", "rah", "ral", "roh", "rol", "rrh", "rrl", "m", "mt"];

/// What the letters behind dice are.
pub(super) enum Letters {
    /// An operator of a dialect, passed.
    Operator(OperatorKind),
    /// An operator of ours, still to be read.
    Ours,
    /// Nothing that belongs to the dice.
    NoOperator,
}

/// Whether letters are operators of ours, one behind the other.
pub(super) fn are_marks(letters: &str) -> bool {
    if letters.is_empty() || NUMBERED.contains(&letters) {
        return true;
    }
    BARE.iter().any(|mark| letters.strip_prefix(mark).is_some_and(are_marks))
}

impl Parser<'_> {
    /// The letters here, up to what is no letter.
    pub(super) fn letters(&self) -> &str {
        let rest = &self.lexer.text[self.lexer.at..];
        &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
    }

    /// Looks at the letters where an operator may stand, unless they are plainly one of ours: reads them in the dialect
    /// of another tool, refuses what tools read differently, and words.
    pub(super) fn peer_operator(&mut self, before: &Before) -> Parsed<Letters> {
        let letters = self.letters().to_ascii_lowercase();
        let read = match self.dialect {
            Dialect::Grognard => None,
            Dialect::Avrae => self.avrae(&letters, before)?,
            Dialect::Roll20 => self.roll20(&letters, before)?,
        };
        if let Some(kind) = read {
            return Ok(Letters::Operator(kind));
        }
        if letters.is_empty() || letters.starts_with('x') {
            return Ok(Letters::NoOperator);
        }
        let numbered = self.number_or_comparison(letters.len());
        if FOREIGN.contains(&letters.as_str()) && (numbered || matches!(letters.as_str(), "p" | "mt")) {
            return Err(self.foreign(&letters, before));
        }
        if are_marks(&letters) {
            let bare =
                !self.lexer.text[self.lexer.at + letters.len()..].starts_with(['=', '<', '>', '!', '{', '(', '*']);
            return if letters == "r" && bare { Err(self.foreign("r", before)) } else { Ok(Letters::Ours) };
        }
        if self.dialect == Dialect::Grognard { Err(self.words()) } else { Ok(Letters::NoOperator) }
    }

    /// Whether digits or a comparison stand so many bytes on.
    fn number_or_comparison(&self, offset: usize) -> bool {
        let next = self.lexer.ahead(offset);
        next.is_ascii_digit() || matches!(next, b'=' | b'<' | b'>' | b'-')
    }

    /// The comparison that stands so many bytes on, with its number; a number alone is compared by `=`.
    fn comparison_text(&self, offset: usize, otherwise: i64) -> String {
        let rest = &self.lexer.text[self.lexer.at + offset..];
        let sign = rest.bytes().take_while(|b| b"=<>".contains(b)).count();
        let number = self.number_ahead(offset + sign);
        match (sign, number) {
            (0, "") => format!("={otherwise}"),
            (0, number) => format!("={number}"),
            (sign, number) => format!("{}{number}", &rest[..sign]),
        }
    }

    /// A mark that tools read differently, with the spelling of each reading.
    #[cold]
    pub(super) fn foreign(&self, mark: &str, before: &Before) -> NotationError {
        let at = self.lexer.at;
        let dice = self.text(Span::new(before.start, at)).trim_end();
        let number = self.number_ahead(mark.len());
        let span = Span::new(at, at + mark.len() + number.len());
        let written = self.text(span);
        let error = unclear(span, format!("`{written}` means different things in different tools"));
        let when = self.comparison_text(mark.len(), before.least);
        let met = self.comparison_text(mark.len(), before.example);
        // A number that no die shows stands for the nearest that one does.
        let near = number.parse::<i64>().map(|number| format!("={}", number.clamp(before.least, before.example)));
        let (when, met) = near.map_or((when, met), |near| (near.clone(), near));
        let one = if number.is_empty() { "1" } else { number };
        match mark {
            "k" => error
                .suggest(format!("{dice}kh{one}"), "keeps the highest, as in Roll20")
                .suggest(format!("{dice}k{when}"), "keeps what shows it, as in Avrae")
                .suggest(format!("{dice}kl{one}"), "keeps the lowest"),
            "p" => error
                .suggest(format!("{dice}d{when}"), "drops what shows it, as in Avrae")
                .suggest(format!("{dice}!p"), "explodes and counts one less, as Roll20's `!p`"),
            "ph" | "pl" => error.suggest(format!("{dice}d{}{one}", &mark[1..]), "drops them, as in Avrae"),
            "e" => error
                .suggest(format!("{dice}!{}{met}", if met.starts_with('=') { "=" } else { "" }), "is that in Avrae")
                .suggest(format!("{dice}!>={}", met.trim_start_matches(['=', '<', '>'])), "explodes on more as well"),
            "ra" => error
                .suggest(format!("{dice}!o{met}"), "adds a die once, as Avrae to a single die")
                .suggest(format!("{dice}r{when}"), "always rerolls"),
            "r" => error
                .suggest(format!("{dice}r{when}"), "rerolls until it is gone, as in Roll20")
                .suggest(format!("{dice}ro{when}"), "rerolls once, as in Foundry"),
            "m" | "mt" => error.suggest(format!("{dice}sa"), "shows equal dice side by side"),
            _ => {
                let message = format!("`{written}` picks dice by rank, which only keep and drop do here");
                let operator = if mark.starts_with('e') { "!o" } else { "ro" };
                let face = if mark.ends_with('h') { before.example } else { before.least };
                unclear(span, message).suggest(format!("{dice}{operator}={face}"), "does it for each die that shows it")
            }
        }
    }

    /// Digits here as a comparison by `=`; the mark before them has so many letters.
    fn literal(&mut self, mark: usize) -> Parsed<Option<Comparison>> {
        if !self.lexer.ahead(mark).is_ascii_digit() {
            return Ok(None);
        }
        self.lexer.at += mark;
        let number = self.lexer.digits(false)?;
        Ok(Some(Comparison { comparator: Comparator::Equal, number: Amount::Number(number) }))
    }

    /// A number or a comparison behind a mark, in a dialect.
    fn selector(&mut self, mark: usize, what: &str) -> Parsed<Comparison> {
        if let Some(literal) = self.literal(mark)? {
            return Ok(literal);
        }
        let at = self.lexer.at;
        self.lexer.at += mark;
        self.comparison_after(at, what)
    }

    /// Avrae: an operator is a mark and a selector: a number, `<3`, `>3`, `h2`, `l2`.
    fn avrae(&mut self, letters: &str, before: &Before) -> Parsed<Option<OperatorKind>> {
        if !self.number_or_comparison(letters.len()) {
            return Ok(None);
        }
        self.refuse_together(letters, before)?;
        let end = if letters.ends_with('h') { End::Highest } else { End::Lowest };
        Ok(Some(match letters {
            "k" => OperatorKind::KeepIf(self.selector(1, "keep")?),
            "p" => OperatorKind::DropIf(self.selector(1, "drop")?),
            "ph" | "pl" => {
                self.lexer.at += 2;
                OperatorKind::Drop(end, self.optional_amount()?)
            }
            "ro" => OperatorKind::Reroll(Cap::Once, self.selector(2, "reroll")?),
            "e" => {
                let when = Some(self.selector(1, "explosion")?);
                // What is added stands alone; that tells only where something to the right looks at single dice.
                let last = !self.lexer.peek().is_ascii_alphabetic();
                let style = if last { Style::Chain } else { Style::Alone };
                OperatorKind::Explode(Explosion { style, cap: Cap::Unlimited, when })
            }
            "ra" if before.single => {
                let when = Some(self.selector(2, "explosion")?);
                OperatorKind::Explode(Explosion { style: Style::Chain, cap: Cap::Once, when })
            }
            "ra" => {
                let span = Span::new(self.lexer.at, self.lexer.at + 2);
                let message = "`ra` of several dice adds one die to one of them, which has no spelling here";
                return Err(unclear(span, message));
            }
            _ => return Ok(None),
        }))
    }

    /// In Avrae equal operators in a row choose together, among the same dice. Here each works on what the one before it
    /// left, which comes to the same only for rerolls and for drops of different kinds.
    fn refuse_together(&mut self, letters: &str, before: &Before) -> Parsed<()> {
        let same = match before.last {
            OperatorMark::Keep => letters.starts_with('k'),
            OperatorMark::DropByValue => matches!(letters, "ph" | "pl"),
            OperatorMark::DropByRank(End::Lowest) => matches!(letters, "p" | "pl"),
            OperatorMark::DropByRank(_) => matches!(letters, "p" | "ph"),
            OperatorMark::RerollOnce => letters == "ro",
            OperatorMark::Other => false,
        };
        if !same {
            return Ok(());
        }
        let span = Span::new(self.lexer.at, self.lexer.at + letters.len());
        let message = format!("in Avrae this `{letters}` chooses together with the operator before it");
        Err(unclear(span, format!("{message}, which has no spelling here")))
    }

    /// Roll20: a number may stand without a sign, and a mark without a number.
    fn roll20(&mut self, letters: &str, before: &Before) -> Parsed<Option<OperatorKind>> {
        let length = letters.len();
        let digits = self.lexer.ahead(length).is_ascii_digit();
        let alone = !self.number_or_comparison(length);
        let face = |face: i64| Comparison { comparator: Comparator::Equal, number: Amount::Number(face) };
        let bare_or = |parser: &mut Self, bare: i64, what: &str| {
            if alone {
                parser.lexer.at += length;
                return Ok(face(bare));
            }
            parser.selector(length, what)
        };
        Ok(Some(match letters {
            "k" | "d" if digits || alone => {
                self.lexer.at += 1;
                let amount = self.optional_amount()?;
                if letters == "k" {
                    OperatorKind::Keep(End::Highest, amount)
                } else {
                    OperatorKind::Drop(End::Lowest, amount)
                }
            }
            "r" => OperatorKind::Reroll(Cap::Unlimited, bare_or(self, before.least, "reroll")?),
            "ro" => OperatorKind::Reroll(Cap::Once, bare_or(self, before.least, "reroll")?),
            "cs" => OperatorKind::Critical(Critical::Success, bare_or(self, before.example, "mark")?),
            "cf" => OperatorKind::Critical(Critical::Failure, bare_or(self, before.least, "mark")?),
            "f" if digits => OperatorKind::Failures(self.selector(1, "failure")?),
            _ => return Ok(None),
        }))
    }

    /// A comparison sign as the dialect means it: in Roll20 `>` holds for the number itself too.
    pub(super) fn in_dialect(&self, comparator: Comparator) -> Comparator {
        match (self.dialect, comparator) {
            (Dialect::Roll20, Comparator::Greater) => Comparator::AtLeast,
            (Dialect::Roll20, Comparator::Less) => Comparator::AtMost,
            _ => comparator,
        }
    }
}
