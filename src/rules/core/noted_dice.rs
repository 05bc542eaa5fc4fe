//! Dice of a rule in any notation: read within the bounds of a rule, rolled from its referee.

use std::fmt;

use super::error::{ErrorKind, RuleError};
use super::referee::{Referee, Rolls, Total};
use crate::dice::notation::tree::{Arithmetic, Chain, Node, NodeKind, OperatorKind, Operators, Sides, Tree};
use crate::dice::{DiceError, Die, Expression, Limits, NotationError, NotationErrorKind, Params, RollValue, Source};

/// Dice of one blow: more than anybody throws, and few enough that rules can count with what they come to.
const LIMITS: Limits = Limits { draws: 2_000, length: 256, ..Limits::DEFAULT };
/// The most that the dice may come to, either side of 0, before any die is added without an end.
const MOST: i64 = 1_000_000;
/// The most with those: what lies beyond has never been rolled by anybody.
const MOST_EXPLODED: i64 = 1_000_000_000;

/// An expression that rolls one number within the bounds of a rule.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    expression: Expression,
    least: i64,
    greatest: i64,
}

/// An expression that is no dice for a rule: what is wrong, and what to type.
fn refused(text: &str, error: &NotationError) -> RuleError {
    let kind = if error.kind() == NotationErrorKind::Limit { ErrorKind::OutOfRange } else { ErrorKind::BadType };
    let message = if Expression::looks_like_dice(text) {
        format!("must be dice such as \"1d6+2\"; \"{text}\": {error}")
    } else {
        format!("must be dice such as \"1d6+2\", not text \"{text}\"")
    };
    RuleError::general(kind, message)
}

impl Noted {
    /// Reads dice, and the modifier that stands beside them.
    pub(super) fn read(text: &str) -> Result<(Noted, i64), RuleError> {
        let whole = Expression::parse_with(text, &LIMITS).map_err(|error| refused(text, &error))?;
        if whole.is_list() {
            let message = format!("must be dice that come to one number: \"sum({whole})\" adds up the list");
            return Err(RuleError::general(ErrorKind::BadType, message));
        }
        let (expression, modifier) = match apart(whole.tree()) {
            Some((dice, modifier)) => {
                let dice = Expression::parse_with(&dice.to_string(), &LIMITS).map_err(|error| refused(text, &error))?;
                (dice, modifier)
            }
            None => (whole, 0),
        };
        let bounds = expression.bounds_unexploded(&Params::new()).map_err(|error| refused(text, &error))?;
        let (least, greatest) = (bounds.least.unwrap_or(i64::MIN), bounds.greatest.unwrap_or(i64::MAX));
        if least < -MOST || greatest > MOST {
            let message = format!("must come to at most {MOST} either way, and \"{text}\" may come to more");
            return Err(RuleError::general(ErrorKind::OutOfRange, message));
        }
        Ok((Noted { expression, least, greatest }, modifier))
    }

    /// Count and sides, where it is a pool and nothing else.
    pub(super) fn plain_pool(&self) -> Option<(i64, i64)> {
        let tree = self.expression.tree();
        let NodeKind::Pool(pool) = &tree.root.kind else { return None };
        let plain = tree.bindings.is_empty() && pool.operators.is_empty();
        match pool.sides {
            Sides::Number(sides) if plain => Some((pool.count.written()?, sides)),
            Sides::Percent if plain => Some((pool.count.written()?, 100)),
            _ => None,
        }
    }

    pub(super) fn least(&self) -> i64 {
        self.least
    }

    pub(super) fn greatest(&self) -> i64 {
        self.greatest
    }

    /// Rolls it.
    pub(super) fn roll(&self, referee: &mut Referee<'_>, purpose: &str) -> Result<Total, RuleError> {
        let total = referee.notation(&self.expression, purpose)?;
        if total.sum.abs() > MOST_EXPLODED {
            let message = format!("{} came to {}, more than a rule can count with", self.expression, total.sum);
            return Err(RuleError::general(ErrorKind::OutOfRange, message));
        }
        Ok(total)
    }

    /// Writes it so that a modifier can stand behind: a comparison reaches as far as it can, so it goes in brackets.
    pub(super) fn write_before_modifier(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.expression.tree();
        if !reaches_on(&tree.root) {
            return write!(f, "{tree}");
        }
        let root = Node { span: tree.root.span, kind: NodeKind::Bracket(Box::new(tree.root.clone())) };
        write!(f, "{}", Tree { bindings: tree.bindings.clone(), root })
    }
}

impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}

/// Whether a number added behind would be taken for a part of the node.
fn reaches_on(node: &Node) -> bool {
    let counts =
        |operators: &Operators| operators.iter().any(|operator| matches!(operator.kind, OperatorKind::Count(_)));
    match &node.kind {
        NodeKind::Compare(..) => true,
        NodeKind::Pool(pool) => counts(&pool.operators),
        NodeKind::Group(group) => counts(&group.operators),
        _ => false,
    }
}

/// A sum apart into what is rolled and the plain numbers at its ends; nothing where there are none.
fn apart(tree: &Tree) -> Option<(Tree, i64)> {
    let NodeKind::Chain(chain) = &tree.root.kind else { return None };
    let sums = |sign: &Arithmetic| matches!(sign, Arithmetic::Add | Arithmetic::Subtract);
    if !chain.rest.iter().all(|(sign, _)| sums(sign)) {
        return None;
    }
    let mut chain = Chain::clone(chain);
    let mut modifier = 0i64;
    while let Some((sign, Node { kind: NodeKind::Number(number), .. })) = chain.rest.last() {
        let number = if *sign == Arithmetic::Add { *number } else { -number };
        modifier = modifier.checked_add(number)?;
        chain.rest.pop();
    }
    if let (NodeKind::Number(number), Some((Arithmetic::Add, _))) = (&chain.first.kind, chain.rest.first()) {
        modifier = modifier.checked_add(*number)?;
        chain.first = chain.rest.remove(0).1;
    }
    if modifier == 0 {
        return None;
    }
    let root = if chain.rest.is_empty() {
        chain.first
    } else {
        Node { span: tree.root.span, kind: NodeKind::Chain(Box::new(chain)) }
    };
    Some((Tree { bindings: tree.bindings.clone(), root }, modifier))
}

/// The referee's dice, asked for in the rule's own words.
struct For<'a> {
    source: &'a mut dyn Source,
    purpose: &'a str,
}

impl Source for For<'_> {
    fn draw(&mut self, die: Die<'_>, _: &str) -> Result<i64, DiceError> {
        self.source.draw(die, self.purpose)
    }
    fn fill(&mut self, die: Die<'_>, _: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.source.fill(die, self.purpose, faces)
    }
    fn sum(&mut self, die: Die<'_>, count: u32, _: &str) -> Result<i64, DiceError> {
        self.source.sum(die, count, self.purpose)
    }
    fn sorted(&mut self, die: Die<'_>, _: &str, faces: &mut [i64]) -> Result<(), DiceError> {
        self.source.sorted(die, self.purpose, faces)
    }
}

impl Referee<'_> {
    /// Rolls an expression that comes to one number. The faces come along in the order drawn, except where exact odds
    /// have said that nobody looks at them.
    pub fn notation(&mut self, expression: &Expression, purpose: &str) -> Result<Total, RuleError> {
        let failed = |error: &NotationError| RuleError::general(ErrorKind::Dice, error.message());
        let (faces_matter, source) = self.dice();
        if !faces_matter {
            let value = source.value_of(expression, &Params::new()).map_err(|error| failed(&error))?;
            let sum = total_of(&value);
            self.note(|| format!("{expression} comes to {sum} ({purpose})"));
            return Ok(Total { rolls: Rolls::new(), sum });
        }
        let roll = expression.roll(&mut For { source, purpose }, &Params::new()).map_err(|error| failed(&error))?;
        self.note_draws(roll.dice().iter().map(|die| (die.sides, die.raw)), purpose);
        self.note(|| roll.plain());
        Ok(Total { rolls: roll.dice().iter().map(|die| die.raw).collect(), sum: total_of(roll.value()) })
    }
}

fn total_of(value: &RollValue) -> i64 {
    value.numbers().iter().fold(0, |sum, number| sum.saturating_add(*number))
}
