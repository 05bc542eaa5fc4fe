//! The least and greatest value of a tree, without rolling it.
//!
//! Every value that can fall lies within the bounds, and the bounds themselves can fall, except where one value is
//! used twice (`a := 1d6; a - a`), where successes and failures are counted on the same dice, and where `u`, `!c`
//! or a clamp of computed size stands left of another operator: there the bounds may be wider than what can fall.

mod interval;
mod units;

use interval::{END, Interval, apply, power};
use units::Units;

use super::Params;
use super::evaluate::{Rolled, not_negative};
use crate::dice::notation::tree::{
    Amount, End, Function, Group, Node, NodeKind, OperatorKind, Operators, Pool, Sides, Sign, Span, Tree,
};
use crate::dice::notation::{Limits, NotationError, NotationErrorKind};

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

/// The bounds of a tree.
pub(crate) fn bounds(tree: &Tree, params: &Params, limits: &Limits) -> Rolled<Bounds> {
    within(tree, Reading { params, limits, names: Vec::new(), explodes: true })
}

/// The bounds of a tree whose explosions without a cap add no dice, so that it has both.
pub(crate) fn bounds_unexploded(tree: &Tree, params: &Params, limits: &Limits) -> Rolled<Bounds> {
    within(tree, Reading { params, limits, names: Vec::new(), explodes: false })
}

fn within(tree: &Tree, mut reading: Reading<'_>) -> Rolled<Bounds> {
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
    /// Whether explosions without a cap add dice.
    explodes: bool,
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
        let mut left = operators.as_slice();
        while let [operator, behind @ ..] = left {
            left = behind;
            let run = OperatorKind::rerolls_in_a_row(operator, behind);
            if run > 0 {
                let tests =
                    std::iter::once(operator).chain(&behind[..run]).filter_map(|operator| match &operator.kind {
                        OperatorKind::Reroll(_, when) => {
                            Some(self.amount(&when.number).map(|number| (when.comparator, number)))
                        }
                        _ => None,
                    });
                units.reroll_until(&tests.collect::<Rolled<Vec<_>>>()?);
                left = &behind[run..];
                continue;
            }
            if !self.explodes && operator.kind.explodes_without_end() {
                continue;
            }
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
        (true, end) => crate::dice::roll::units::ends_to_drop(end, number, members.len()),
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
