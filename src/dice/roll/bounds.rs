//! The least and greatest value of a tree, without rolling it.
//!
//! Every value that can fall lies within the bounds, and the bounds themselves can fall, except where one value is
//! used twice (`a := 1d6; a - a`), where successes and failures are counted on the same dice, and where `u`, `!c`
//! or a clamp of computed size stands left of another operator: there the bounds may be wider than what can fall.

use super::Params;
use super::evaluate::{Rolled, not_negative};
use crate::dice::Die;
use crate::dice::notation::tree::{
    Amount, Arithmetic, Cap, Comparator, End, Explosion, Function, Group, Node, NodeKind, OperatorKind, Operators,
    Pool, Sides, Sign, Span, Style, Tree,
};
use crate::dice::notation::{Limits, NotationError, NotationErrorKind, arithmetic, check};

/// The least and greatest value of an expression; of a list, of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Bounds {
    /// The least value; `None` when there is none.
    pub least: Option<i64>,
    /// The greatest value; `None` when there is none, as for `1d6!`.
    pub greatest: Option<i64>,
    /// Of a list, the least and greatest number of members.
    pub members: Option<(u64, u64)>,
}

/// Farther than any number of 64 bits: no end on this side.
const END: i128 = 1 << 70;

/// All whole numbers from `low` to `high`; either may be [`END`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    const NONE: Interval = Interval { low: 0, high: 0 };
    const YES_OR_NO: Interval = Interval { low: 0, high: 1 };

    fn one(number: i64) -> Self {
        Interval { low: i128::from(number), high: i128::from(number) }
    }

    fn new(low: i128, high: i128) -> Self {
        Interval { low, high }
    }

    /// The least interval that holds all these.
    fn around(values: impl IntoIterator<Item = i128>) -> Option<Self> {
        values.into_iter().fold(None, |found: Option<Interval>, value| {
            let found = found.unwrap_or(Interval::new(value, value));
            Some(Interval::new(found.low.min(value), found.high.max(value)))
        })
    }

    fn with(self, other: Interval) -> Self {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn and(self, other: Interval) -> Option<Self> {
        let both = Interval::new(self.low.max(other.low), self.high.min(other.high));
        (both.low <= both.high).then_some(both)
    }

    fn holds(self, number: i128) -> bool {
        self.low <= number && number <= self.high
    }

    /// Without what does not fit 64 bits; an error when nothing is left.
    fn fit(self, span: Span) -> Rolled<Self> {
        let least = i128::from(i64::MIN);
        let greatest = i128::from(i64::MAX);
        if (self.low > greatest && self.low < END) || (self.high < least && self.high > -END) {
            return Err(arithmetic::overflow(span));
        }
        let low = if self.low <= -END { -END } else { self.low.clamp(least, greatest) };
        let high = if self.high >= END { END } else { self.high.clamp(least, greatest) };
        Ok(Interval::new(low, high))
    }

    fn plus(self, other: Interval) -> Self {
        Interval::new(self.low + other.low, self.high + other.high)
    }

    fn negated(self) -> Self {
        Interval::new(-self.high, -self.low)
    }

    fn times(self, other: Interval) -> Self {
        let product = |a: i128, b: i128| a.saturating_mul(b).clamp(-END, END);
        let all = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        Interval::around(all).unwrap_or(self)
    }

    fn at_least(self, bound: Interval) -> Self {
        Interval::new(self.low.max(bound.low), self.high.max(bound.high))
    }

    fn at_most(self, bound: Interval) -> Self {
        Interval::new(self.low.min(bound.low), self.high.min(bound.high))
    }

    /// Whether a comparison of two values always holds, never does, or may.
    fn compare(self, comparator: Comparator, other: Interval) -> Interval {
        let (always, never) = match comparator {
            Comparator::Less => (self.high < other.low, self.low >= other.high),
            Comparator::AtMost => (self.high <= other.low, self.low > other.high),
            Comparator::Greater => (self.low > other.high, self.high <= other.low),
            Comparator::AtLeast => (self.low >= other.high, self.high < other.low),
            Comparator::Equal => (self.low == self.high && self == other, self.and(other).is_none()),
            Comparator::Different => (self.and(other).is_none(), self.low == self.high && self == other),
        };
        match (always, never) {
            (true, _) => Interval::new(1, 1),
            (_, true) => Interval::NONE,
            _ => Interval::YES_OR_NO,
        }
    }

    /// The part for which the comparison with some number of `other` can hold.
    fn where_holds(self, comparator: Comparator, other: Interval) -> Option<Interval> {
        let open = Interval::new(-END, END);
        let part = match comparator {
            Comparator::Less => Interval { high: other.high - 1, ..open },
            Comparator::AtMost => Interval { high: other.high, ..open },
            Comparator::Greater => Interval { low: other.low + 1, ..open },
            Comparator::AtLeast => Interval { low: other.low, ..open },
            Comparator::Equal => other,
            Comparator::Different => {
                let single = other.low == other.high;
                let low = self.low + i128::from(single && self.low == other.low);
                let high = self.high - i128::from(single && self.high == other.high);
                return (low <= high).then_some(Interval::new(low, high));
            }
        };
        self.and(part)
    }
}

fn opposite(comparator: Comparator) -> Comparator {
    match comparator {
        Comparator::Equal => Comparator::Different,
        Comparator::Different => Comparator::Equal,
        Comparator::Less => Comparator::AtLeast,
        Comparator::AtMost => Comparator::Greater,
        Comparator::Greater => Comparator::AtMost,
        Comparator::AtLeast => Comparator::Less,
    }
}

/// The bounds of a tree.
pub(crate) fn bounds(tree: &Tree, params: &Params, limits: &Limits) -> Rolled<Bounds> {
    let mut reading = Reading { params, limits, names: Vec::new() };
    for binding in &tree.bindings {
        let value = reading.number(&binding.value)?;
        reading.names.push(value);
    }
    let end = |number: i128| i64::try_from(number).ok();
    if tree.root.is_list() {
        let (members, value) = reading.list(&tree.root)?;
        let members = (members.low.max(0) as u64, members.high.max(0) as u64);
        return Ok(Bounds { least: end(value.low), greatest: end(value.high), members: Some(members) });
    }
    let value = reading.number(&tree.root)?;
    Ok(Bounds { least: end(value.low), greatest: end(value.high), members: None })
}

struct Reading<'e> {
    params: &'e Params,
    limits: &'e Limits,
    names: Vec<Interval>,
}

/// The state of a pool or group between two operators.
struct Units<'e> {
    die: Option<Die<'e>>,
    faces: Interval,
    /// What one unit counts.
    value: Interval,
    /// How many units there are.
    count: Interval,
    clamped: bool,
    /// Whether each die still counts what it shows, any of its faces.
    plain: bool,
    differing: bool,
    /// The sum, where it is known better than from count and value.
    sum: Option<Interval>,
    /// The successes, once counted.
    tally: Option<Interval>,
}

impl Reading<'_> {
    fn number(&self, node: &Node) -> Rolled<Interval> {
        match &node.kind {
            NodeKind::Number(number) => Ok(Interval::one(*number)),
            NodeKind::Parameter(name) => self.params.get(name).map(Interval::one).ok_or_else(|| {
                let message = format!("the parameter `{name}` is not given");
                NotationError::new(NotationErrorKind::UnknownParameter, node.span, message)
            }),
            NodeKind::Name(index) => Ok(self.names.get(*index as usize).copied().unwrap_or(Interval::NONE)),
            NodeKind::Pool(pool) => self.pool(pool, node.span),
            NodeKind::Group(group) => self.group(group, node.span),
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) | NodeKind::Sign(Sign::Plus, inner) => {
                self.number(inner)
            }
            NodeKind::Sign(Sign::Minus, inner) => self.number(inner)?.negated().fit(node.span),
            NodeKind::Chain(chain) => {
                let mut value = self.number(&chain.first)?;
                for (operator, operand) in &chain.rest {
                    value = apply(*operator, value, self.number(operand)?, node.span)?.fit(node.span)?;
                }
                Ok(value)
            }
            NodeKind::Power(base, exponent) => {
                power(self.number(base)?, self.number(exponent)?, exponent.span, node.span)?.fit(node.span)
            }
            NodeKind::Compare(left, comparator, right) => {
                Ok(self.number(left)?.compare(*comparator, self.number(right)?))
            }
            NodeKind::Call(function, arguments) => self.call(*function, arguments, node.span),
            NodeKind::Repeat(..) | NodeKind::KeepMembers(_) => {
                let (members, value) = self.list(node)?;
                members.times(value).fit(node.span)
            }
        }
    }

    fn call(&self, function: Function, arguments: &[Node], span: Span) -> Rolled<Interval> {
        match (function, arguments) {
            (Function::If, [condition, then, otherwise]) => {
                let condition = self.number(condition)?;
                if !condition.holds(0) {
                    return self.number(then);
                }
                if condition == Interval::NONE {
                    return self.number(otherwise);
                }
                // A branch that is always an error gives no value.
                match (self.number(then), self.number(otherwise)) {
                    (Ok(then), Ok(otherwise)) => Ok(then.with(otherwise)),
                    (Ok(value), Err(_)) | (Err(_), Ok(value)) => Ok(value),
                    (Err(error), Err(_)) => Err(error),
                }
            }
            (Function::Sum, [list]) => {
                let (members, value) = self.list(list)?;
                members.times(value).fit(span)
            }
            (Function::Abs, [argument]) => {
                let value = self.number(argument)?;
                let (low, high) = (value.low.abs(), value.high.abs());
                let least = if value.holds(0) { 0 } else { low.min(high) };
                Interval::new(least, low.max(high)).fit(span)
            }
            _ => {
                let mut found: Option<Interval> = None;
                for argument in arguments {
                    let value = self.number(argument)?;
                    found = Some(match (function, found) {
                        (Function::Min, Some(found)) => found.at_most(value),
                        (Function::Max, Some(found)) => found.at_least(value),
                        _ => value,
                    });
                }
                Ok(found.unwrap_or(Interval::NONE))
            }
        }
    }

    /// How many members a list has, and what they are.
    fn list(&self, node: &Node) -> Rolled<(Interval, Interval)> {
        match &node.kind {
            NodeKind::Repeat(count, body) => {
                let most = Interval::new(0, i128::from(self.limits.members));
                let count_span = count.span;
                let count = self.number(count)?;
                let members = count.and(most).ok_or_else(|| {
                    let message = format!("a list has 0 to {} members", self.limits.members);
                    let kind = if count.high < 0 { NotationErrorKind::OutOfRange } else { NotationErrorKind::Limit };
                    NotationError::new(kind, count_span, message)
                })?;
                Ok((members, self.number(body)?))
            }
            NodeKind::KeepMembers(keep) => {
                let number = self.natural(&keep.number, node.span, "keep")?;
                let (members, value) = self.list(&keep.list)?;
                Ok((members.at_most(number), value))
            }
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) => self.list(inner),
            NodeKind::Call(Function::Sort, arguments) if arguments.len() == 1 => self.list(&arguments[0]),
            _ => Ok((Interval::one(1), self.number(node)?)),
        }
    }

    fn amount(&self, amount: &Amount) -> Rolled<Interval> {
        match amount {
            Amount::Implied => Ok(Interval::one(1)),
            Amount::Number(number) => Ok(Interval::one(*number)),
            Amount::Computed(node) => self.number(node),
        }
    }

    /// An amount that is an error below 0.
    fn natural(&self, amount: &Amount, span: Span, what: &str) -> Rolled<Interval> {
        let number = self.amount(amount)?;
        not_negative(i64::try_from(number.high).unwrap_or(i64::MAX), span, what)?;
        Ok(Interval::new(number.low.max(0), number.high))
    }

    fn pool(&self, pool: &Pool, span: Span) -> Rolled<Interval> {
        let count = self.natural(&pool.count, span, "roll")?;
        let die = pool.sides.die();
        let faces = match (&pool.sides, die) {
            (Sides::Computed(sides), _) => {
                let sides = self.number(sides)?;
                if sides.high < 1 {
                    let message = "a die has at least one side";
                    return Err(NotationError::new(NotationErrorKind::OutOfRange, span, message));
                }
                Interval::new(1, sides.high)
            }
            (_, Some(die)) => Interval::new(i128::from(die.least()), i128::from(die.greatest())),
            (_, None) => {
                let message = format!("a die has at most {} sides", u32::MAX);
                return Err(NotationError::new(NotationErrorKind::Limit, span, message));
            }
        };
        let limit = i128::from(self.limits.draws);
        if count.low > limit {
            let message = format!("a roll draws at most {limit} dice");
            return Err(NotationError::new(NotationErrorKind::Limit, span, message));
        }
        let count = Interval::new(count.low, count.high.min(limit));
        let mut units = Units {
            die,
            faces,
            value: faces,
            count,
            clamped: false,
            plain: true,
            differing: false,
            sum: None,
            tally: None,
        };
        self.operate(&pool.operators, &mut units, span)
    }

    fn group(&self, group: &Group, span: Span) -> Rolled<Interval> {
        let mut value: Option<Interval> = None;
        let mut sum = Interval::NONE;
        let mut members = Vec::with_capacity(group.members.len());
        for member in &group.members {
            let member = self.number(member)?;
            members.push(member);
            sum = sum.plus(member).fit(span)?;
            value = Some(value.map_or(member, |value| value.with(member)));
        }
        let value = value.unwrap_or(Interval::NONE);
        if let [operator] = group.operators.as_slice()
            && let Some(selected) = select_members(&members, &operator.kind, span)?
        {
            return Ok(selected);
        }
        let count = Interval::one(members.len() as i64);
        let mut units = Units {
            die: None,
            faces: value,
            value,
            count,
            clamped: true,
            plain: false,
            differing: false,
            sum: Some(sum),
            tally: None,
        };
        self.operate(&group.operators, &mut units, span)
    }

    fn operate(&self, operators: &Operators, units: &mut Units<'_>, span: Span) -> Rolled<Interval> {
        for operator in operators {
            let (cap, number) = operator.kind.amounts();
            let cap = cap.map(|cap| self.natural(cap, operator.span, "add or reroll")).transpose()?;
            let number = number.map_or(Ok(Interval::NONE), |number| self.amount(number))?;
            units.apply(&operator.kind, cap, number);
            units.value = units.value.fit(operator.span)?;
        }
        if let Some(tally) = units.tally {
            return Ok(tally);
        }
        match units.sum {
            Some(sum) => sum.fit(span),
            None => units.total().fit(span),
        }
    }
}

/// Keep or drop of a written number of members: order statistics of the ends.
fn select_members(members: &[Interval], kind: &OperatorKind, span: Span) -> Rolled<Option<Interval>> {
    let (end, number, keeps) = match kind {
        OperatorKind::Keep(end, amount) => (*end, amount.written(), true),
        OperatorKind::Drop(end, amount) => (*end, amount.written(), false),
        _ => return Ok(None),
    };
    let Some(number) = number else { return Ok(None) };
    let number = usize::try_from(number).unwrap_or(usize::MAX).min(members.len());
    let (low, high) = match (keeps, end) {
        (true, end) => super::units::ends_to_drop(end, number, members.len()),
        (false, End::Lowest) => (number, 0),
        (false, _) => (0, number),
    };
    let kept = |mut ends: Vec<i128>| {
        ends.sort_unstable();
        ends[low..members.len() - high].iter().fold(0i128, |sum, end| (sum + end).clamp(-END, END))
    };
    let least = kept(members.iter().map(|member| member.low).collect());
    let greatest = kept(members.iter().map(|member| member.high).collect());
    Interval::new(least, greatest).fit(span).map(Some)
}

impl Units<'_> {
    /// The sum of the units that there are.
    fn total(&self) -> Interval {
        let plain = self.count.times(self.value);
        let Some(die) = self.die.filter(|_| self.differing && self.count.low == self.count.high) else { return plain };
        // Dice that all differ: the least so many distinct faces, and the greatest.
        let count = usize::try_from(self.count.low).unwrap_or(usize::MAX);
        if count as u64 > check::distinct_faces(die) || count > 100_000 {
            return plain;
        }
        let distinct: Vec<i128> = match die {
            Die::Numbered(sides) => {
                let (sides, count) = (i128::from(sides), count as i128);
                let least = count * (count + 1) / 2;
                return Interval::new(least, count * (sides + 1) - least);
            }
            Die::Listed(faces) => {
                let mut distinct: Vec<i128> = faces.iter().map(|&face| i128::from(face)).collect();
                distinct.sort_unstable();
                distinct.dedup();
                distinct
            }
        };
        let least = distinct.iter().take(count).sum();
        Interval::new(least, distinct.iter().rev().take(count).sum())
    }

    /// What the units for which the comparison holds (or does not) may count; `None` when there are none.
    fn where_holds(&self, comparator: Comparator, number: Interval, holds: bool) -> Option<Interval> {
        if let (Some(die), true, true) = (self.die, self.plain, number.low == number.high)
            && let Ok(number) = i64::try_from(number.low)
        {
            let (low, high) = check::faces_where(die, comparator, number, holds)?;
            return Some(Interval::new(i128::from(low), i128::from(high)));
        }
        self.value.where_holds(if holds { comparator } else { opposite(comparator) }, number)
    }

    fn raw_where(&self, comparator: Comparator, number: Interval, holds: bool) -> Option<Interval> {
        if let (Some(die), true) = (self.die, number.low == number.high)
            && let Ok(number) = i64::try_from(number.low)
        {
            let (low, high) = check::faces_where(die, comparator, number, holds)?;
            return Some(Interval::new(i128::from(low), i128::from(high)));
        }
        self.faces.where_holds(if holds { comparator } else { opposite(comparator) }, number)
    }

    /// How many units may meet a comparison.
    fn matches(&self, comparator: Comparator, number: Interval) -> Interval {
        if self.where_holds(comparator, number, true).is_none() {
            Interval::NONE
        } else if self.where_holds(comparator, number, false).is_none() {
            self.count
        } else {
            Interval::new(0, self.count.high)
        }
    }

    fn keep(&mut self, count: Interval) {
        self.count = count;
        self.sum = None;
    }

    fn keep_where(&mut self, comparator: Comparator, number: Interval, holds: bool) {
        let kept = self.where_holds(comparator, number, holds);
        let rest = self.where_holds(comparator, number, !holds);
        let count = match (kept, rest) {
            (None, _) => Interval::NONE,
            (_, None) => self.count,
            _ => Interval::new(0, self.count.high),
        };
        self.value = kept.unwrap_or(self.value);
        self.plain = false;
        self.keep(count);
    }

    fn apply(&mut self, kind: &OperatorKind, cap: Option<Interval>, number: Interval) {
        let left = |number: Interval| {
            Interval::new((self.count.low - number.high).max(0), (self.count.high - number.low).max(0))
        };
        match kind {
            OperatorKind::Keep(..) => self.keep(self.count.at_most(number)),
            OperatorKind::Drop(..) => self.keep(left(number)),
            OperatorKind::KeepIf(when) => self.keep_where(when.comparator, number, true),
            OperatorKind::DropIf(when) => self.keep_where(when.comparator, number, false),
            OperatorKind::AtLeast(_) => self.clamp(self.value.at_least(number)),
            OperatorKind::AtMost(_) => self.clamp(self.value.at_most(number)),
            OperatorKind::Reroll(limit, when) => self.reroll(limit, cap, when.comparator, number),
            OperatorKind::RerollBetter(when) => {
                if self.where_holds(when.comparator, number, true).is_some() {
                    self.value.high = self.value.high.max(self.faces.high);
                    self.changed();
                }
            }
            OperatorKind::Unique => {
                self.value = if self.clamped { self.value.with(self.faces) } else { self.value };
                self.changed();
                self.differing = !self.clamped;
            }
            OperatorKind::Explode(explosion) => self.explode(explosion, cap, number),
            OperatorKind::Count(when) => self.tally = Some(self.matches(when.comparator, number)),
            OperatorKind::Failures(when) => {
                let matches = self.matches(when.comparator, number);
                self.tally = self.tally.map(|tally| tally.plus(matches.negated()));
            }
            OperatorKind::Doubles(when) => {
                let matches = self.matches(when.comparator, number);
                let Some(tally) = self.tally else { return };
                let doubled = Interval::new(if tally.low == self.count.low { matches.low } else { 0 }, matches.high);
                self.tally = Some(tally.plus(doubled));
            }
            OperatorKind::Sort(_) | OperatorKind::Label(_) => {}
        }
    }

    fn changed(&mut self) {
        self.plain = false;
        self.differing = false;
        self.sum = None;
    }

    fn clamp(&mut self, value: Interval) {
        self.value = value;
        self.clamped = true;
        self.changed();
    }

    fn reroll(&mut self, limit: &Cap, cap: Option<Interval>, comparator: Comparator, number: Interval) {
        if self.where_holds(comparator, number, true).is_none() {
            return;
        }
        let never = cap.is_some_and(|cap| cap.high == 0);
        if never {
            return;
        }
        let stays = self.where_holds(comparator, number, false);
        let falls = match limit {
            Cap::Unlimited => self.raw_where(comparator, number, false),
            Cap::Once | Cap::AtMost(_) => Some(self.faces),
        };
        let may_not = cap.is_some_and(|cap| cap.low == 0).then_some(self.value);
        let all = [stays, falls, may_not].into_iter().flatten().reduce(Interval::with);
        self.value = all.unwrap_or(self.value);
        self.changed();
    }

    fn explode(&mut self, explosion: &Explosion, cap: Option<Interval>, number: Interval) {
        let most = match explosion.cap {
            Cap::Unlimited => END,
            Cap::Once => 1,
            Cap::AtMost(_) => cap.map_or(0, |cap| cap.high),
        };
        let (meets, rest) = match &explosion.when {
            Some(when) => {
                (self.raw_where(when.comparator, number, true), self.raw_where(when.comparator, number, false))
            }
            // Of computed sides any number may turn out to be the greatest face.
            None if self.die.is_none() => (Some(self.faces), Some(self.faces)),
            None => {
                let greatest = Interval::new(self.faces.high, self.faces.high);
                (Some(greatest), self.raw_where(Comparator::Less, greatest, true))
            }
        };
        let Some(meets) = meets else { return };
        if most == 0 {
            return;
        }
        let less = i128::from(explosion.style == Style::Penetrate);
        let first_meets = if self.clamped { Some(self.value) } else { self.value.and(meets) };
        let first_rest = if self.clamped { Some(self.value) } else { rest.and_then(|rest| self.value.and(rest)) };
        let mut value = first_rest;
        if let Some(first) = first_meets {
            let added = chain(meets, rest, most, less);
            let whole = first.plus(added);
            value = Some(value.map_or(whole, |value| value.with(whole)));
            if cap.is_some_and(|cap| cap.low == 0) {
                value = value.map(|value| value.with(first));
            }
        }
        let value = value.unwrap_or(self.value);
        let value = Interval::new(value.low.max(-END), value.high.min(END));
        if explosion.style == Style::Alone {
            let sum = self.count.times(value);
            self.value = self.value.with(self.faces);
            let high = self.count.high.saturating_mul(most.saturating_add(1)).min(END);
            self.count = Interval::new(self.count.low, high);
            self.changed();
            self.sum = Some(sum);
            return;
        }
        self.value = value;
        self.clamped = true;
        self.changed();
    }
}

/// What one die or more, added to a die, add up to.
fn chain(meets: Interval, rest: Option<Interval>, most: i128, less: i128) -> Interval {
    let low_link = meets.low - less;
    let high_link = meets.high - less;
    let mut ends = Vec::new();
    // So many dice, of which all but the last explode again; the last does not, unless the cap is reached.
    let mut link = |dice: i128, last: Interval| {
        let run = |link: i128| link.saturating_mul(dice - 1).clamp(-END, END);
        ends.push(run(low_link) + last.low - less);
        ends.push(run(high_link) + last.high - less);
    };
    if let Some(rest) = rest {
        link(1, rest);
        if most >= END || most > 2 {
            link(if most >= END { END } else { most - 1 }, rest);
        }
    }
    if most < END {
        link(most, rest.map_or(meets, |rest| rest.with(meets)));
        link(1, if most == 1 { rest.map_or(meets, |rest| rest.with(meets)) } else { rest.unwrap_or(meets) });
    }
    Interval::around(ends).map_or(Interval::NONE, |all| Interval::new(all.low.max(-END), all.high.min(END)))
}

fn apply(operator: Arithmetic, left: Interval, right: Interval, span: Span) -> Rolled<Interval> {
    Ok(match operator {
        Arithmetic::Add => left.plus(right),
        Arithmetic::Subtract => left.plus(right.negated()),
        Arithmetic::Multiply => left.times(right),
        Arithmetic::Divide => divide(left, right, span, i128::div_euclid_floor)?,
        Arithmetic::DivideUp => divide(left, right, span, i128::div_euclid_ceil)?,
        Arithmetic::Modulo => modulo(left, right, span)?,
    })
}

/// Division of wide numbers, rounded as the notation does.
trait Divide {
    fn div_euclid_floor(self, by: Self) -> Self;
    fn div_euclid_ceil(self, by: Self) -> Self;
}

impl Divide for i128 {
    fn div_euclid_floor(self, by: i128) -> i128 {
        if self.abs() >= END {
            return if (self < 0) == (by < 0) { END } else { -END };
        }
        let quotient = self / by;
        quotient - i128::from(self % by != 0 && (self < 0) != (by < 0))
    }

    fn div_euclid_ceil(self, by: i128) -> i128 {
        -(-self).div_euclid_floor(by)
    }
}

fn divide(left: Interval, right: Interval, span: Span, round: fn(i128, i128) -> i128) -> Rolled<Interval> {
    let divisors = [right.low, right.high, -1, 1].into_iter().filter(|by| *by != 0 && right.holds(*by));
    let quotients = divisors.flat_map(|by| [round(left.low, by), round(left.high, by)]);
    Interval::around(quotients).ok_or_else(|| by_zero(span))
}

fn by_zero(span: Span) -> NotationError {
    NotationError::new(NotationErrorKind::DivisionByZero, span, "division by zero")
}

fn modulo(left: Interval, right: Interval, span: Span) -> Rolled<Interval> {
    if right == Interval::NONE {
        return Err(by_zero(span));
    }
    if right.low == right.high && left.low.div_euclid_floor(right.low) == left.high.div_euclid_floor(right.low) {
        let by = right.low;
        let rest = |number: i128| number - number.div_euclid_floor(by) * by;
        if left.low > -END && left.high < END {
            return Ok(Interval::new(rest(left.low), rest(left.high)));
        }
    }
    if left.low >= 0 && left.high < right.low {
        return Ok(left);
    }
    let high = (right.high - 1).max(0);
    let low = (right.low + 1).min(0);
    Ok(Interval::new(low, if left.low >= 0 && right.low >= 0 { high.min(left.high) } else { high }))
}

fn power(base: Interval, exponent: Interval, exponent_span: Span, span: Span) -> Rolled<Interval> {
    if exponent.high < 0 {
        arithmetic::power(1, i64::try_from(exponent.high).unwrap_or(i64::MIN), exponent_span, span)?;
    }
    let exponent = Interval::new(exponent.low.max(0), exponent.high);
    let raise = |base: i128, exponent: i128| match u32::try_from(exponent) {
        _ if exponent == 0 || base == 1 => 1,
        _ if base == 0 => 0,
        _ if base == -1 => 1 - 2 * (exponent % 2),
        Ok(exponent) if exponent < 128 => base.saturating_pow(exponent).clamp(-END, END),
        _ if base > 0 || exponent % 2 == 0 => END,
        _ => -END,
    };
    let bases = [base.low, base.high, -1, 0, 1].into_iter().filter(|number| base.holds(*number));
    let exponents = [exponent.low, exponent.low + 1, exponent.high - 1, exponent.high];
    let raised = bases.flat_map(|base| {
        exponents.into_iter().filter(|number| exponent.holds(*number)).map(move |number| raise(base, number))
    });
    let all = Interval::around(raised).unwrap_or(Interval::NONE);
    // A power beyond 64 bits is an error, not a value without end.
    let least = if base.low > -END { i128::from(i64::MIN) } else { -END };
    let greatest = if base.high < END && base.low > -END { i128::from(i64::MAX) } else { END };
    if all.low > greatest || all.high < least {
        return Err(arithmetic::overflow(span));
    }
    Ok(Interval::new(all.low.max(least), all.high.min(greatest)))
}
