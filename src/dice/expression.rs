//! An expression: a text that was read and checked, ready to be rolled.

use std::fmt;
use std::str::FromStr;

use compact_str::CompactString;

use super::notation::tree::{Function, Node, NodeKind, OperatorKind, Pool, Tree};
use super::notation::{Dialect, Limits, NotationError, Reading, parser, reads_as};
use super::roll::{self, Bounds, Params, Quick, Roll, RollValue};
use super::{Die, Source};

/// A text in dice notation, read and checked once, to be rolled as often as wanted.
///
/// ```
/// use grognard::dice::{Expression, Params, Scripted};
///
/// let ability = Expression::parse("4d6kh3")?;
/// let roll = ability.roll(&mut Scripted::new([1, 5, 3, 4]), &Params::new())?;
/// assert_eq!(roll.total(), 12);
/// # Ok::<(), grognard::dice::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    text: CompactString,
    tree: Tree,
    limits: Limits,
    dialect: Dialect,
    quick: Quick,
}

impl Expression {
    /// Reads a text with the limits of the notation.
    ///
    /// # Errors
    /// [`NotationError`] when the text is not dice notation, is unclear, could never end or passes a limit; it names
    /// the place and the spelling that would work.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        Expression::parse_with(text, &Limits::DEFAULT)
    }

    /// Reads a text with limits of the host's. They hold for its rolls too.
    ///
    /// # Errors
    /// As [`Expression::parse`].
    pub fn parse_with(text: &str, limits: &Limits) -> Result<Self, NotationError> {
        Expression::parse_in(text, limits, Dialect::Grognard)
    }

    /// Reads a text in another tool's notation. Printed, the expression is in ours.
    ///
    /// ```
    /// use grognard::dice::notation::Dialect;
    /// use grognard::dice::{Expression, Limits};
    ///
    /// let kept = Expression::parse_in("4d6k3", &Limits::DEFAULT, Dialect::Roll20)?;
    /// assert_eq!(kept.to_string(), "4d6kh3");
    /// # Ok::<(), grognard::dice::NotationError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Expression::parse`]; also where the other tool's reading has no equal in this notation.
    pub fn parse_in(text: &str, limits: &Limits, dialect: Dialect) -> Result<Self, NotationError> {
        let tree = parser::parse(text, limits, dialect)?;
        let quick = Quick::of(&tree);
        if quick.draws().is_none_or(|draws| draws > limits.draws) {
            parser::check_draws(&tree, limits)?;
        }
        Ok(Expression { text: CompactString::new(text), tree, limits: *limits, dialect, quick })
    }

    /// The text as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree of what was written.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whose notation it was written in.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The limits it was read with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether its value is a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.tree.root.is_list()
    }

    /// The only dice in it, when they are one pool to which their order does not matter: nothing in it rolls more dice.
    pub(crate) fn lone_pool(&self) -> Option<(Die<'_>, u32)> {
        let tree = self.tree();
        let mut pools = Vec::new();
        if !tree.bindings.is_empty() || !gather_pools(&tree.root, &mut pools) {
            return None;
        }
        let [pool] = pools[..] else { return None };
        let more = |kind: &OperatorKind| {
            matches!(
                kind,
                OperatorKind::Explode(_)
                    | OperatorKind::Reroll(..)
                    | OperatorKind::RerollBetter(_)
                    | OperatorKind::Unique
            )
        };
        if pool.operators.iter().any(|operator| more(&operator.kind)) {
            return None;
        }
        Some((pool.sides.die()?, u32::try_from(pool.count.written()?).ok()?))
    }

    /// Rolls it and keeps everything that fell.
    ///
    /// # Errors
    /// [`NotationError`]: the source gives no die, a parameter is missing, a number does not fit, a computed number
    /// cannot stand where it does, or a limit is passed.
    pub fn roll(&self, source: &mut dyn Source, params: &Params) -> Result<Roll, NotationError> {
        self.roll_within(source, params, self.limits.draws)
    }

    /// As [`Expression::roll`] with at most so many dice, for a host that gives each script its share.
    ///
    /// # Errors
    /// As [`Expression::roll`].
    pub fn roll_within(&self, source: &mut dyn Source, params: &Params, draws: u64) -> Result<Roll, NotationError> {
        let limits = self.within(draws)?;
        roll::roll(&self.text, &self.tree, source, params, &limits).map(|roll| roll.in_dialect(self.dialect))
    }

    /// Rolls it and keeps only what it comes to. The dice are those of [`Expression::roll`], in the same order, but for
    /// pools without operators that are big ([`Die::is_big_pool`]): of those only the sum is drawn, which takes no
    /// longer for a million dice than for thousands. It has the same odds, but from the same seed `total` and `roll` of
    /// such a pool come to different numbers, and so does what is drawn after it.
    ///
    /// [`Die::is_big_pool`]: super::Die::is_big_pool
    ///
    /// # Errors
    /// As [`Expression::roll`].
    #[inline]
    pub fn total<S: Source + ?Sized>(&self, source: &mut S, params: &Params) -> Result<RollValue, NotationError> {
        // The shape's dice were held against the limit when the text was read.
        match self.quick.total(&self.text, source) {
            Some(total) => total.map(RollValue::Number),
            None => roll::total(&self.text, &self.tree, source, params, &self.limits),
        }
    }

    /// As [`Expression::total`] with at most so many dice.
    ///
    /// # Errors
    /// As [`Expression::roll`].
    pub fn total_within<S: Source + ?Sized>(
        &self,
        source: &mut S,
        params: &Params,
        draws: u64,
    ) -> Result<RollValue, NotationError> {
        let limits = self.within(draws)?;
        match self.quick.total(&self.text, source) {
            Some(total) => total.map(RollValue::Number),
            None => roll::total(&self.text, &self.tree, source, params, &limits),
        }
    }

    /// The limits of one roll, or an error before anything is drawn when it is sure to pass them.
    fn within(&self, draws: u64) -> Result<Limits, NotationError> {
        let limits = Limits { draws: draws.min(self.limits.draws), ..self.limits };
        parser::check_draws(&self.tree, &limits)?;
        Ok(limits)
    }

    /// The least and greatest value it can have; of a list, that its members can have.
    ///
    /// # Errors
    /// [`NotationError`] when a parameter is missing or every roll would be an error.
    pub fn bounds(&self, params: &Params) -> Result<Bounds, NotationError> {
        roll::bounds(&self.tree, params, &self.limits)
    }

    /// The least and greatest value without the dice that explosions without a cap add: of `2d6!` 2 and 12.
    ///
    /// # Errors
    /// As [`Expression::bounds`].
    pub fn bounds_unexploded(&self, params: &Params) -> Result<Bounds, NotationError> {
        roll::bounds_unexploded(&self.tree, params, &self.limits)
    }

    /// The least value, without parameters; `None` when there is none or every roll is an error.
    #[must_use]
    pub fn least(&self) -> Option<i64> {
        self.bounds(&Params::new()).ok()?.least
    }

    /// The greatest value, without parameters; `None` when there is none (`1d6!`) or every roll is an error.
    #[must_use]
    pub fn greatest(&self) -> Option<i64> {
        self.bounds(&Params::new()).ok()?.greatest
    }

    /// Whether a line typed at a prompt is meant as dice, complete or not: see [`reads_as`].
    #[must_use]
    pub fn looks_like_dice(line: &str) -> bool {
        reads_as(line) != Reading::NotDice
    }
}

/// Gathers all pools in a node; false where it is not sure that each is rolled once.
fn gather_pools<'t>(node: &'t Node, pools: &mut Vec<&'t Pool>) -> bool {
    match &node.kind {
        NodeKind::Repeat(..) | NodeKind::Call(Function::If, _) => return false,
        NodeKind::Pool(pool) => pools.push(pool),
        _ => {}
    }
    let mut once = true;
    node.each_child(&mut |child| once &= gather_pools(child, pools));
    once
}

impl fmt::Display for Expression {
    /// The text without needless spaces and comments; it reads back to the same tree.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(f)
    }
}

impl FromStr for Expression {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Expression::parse(text)
    }
}
