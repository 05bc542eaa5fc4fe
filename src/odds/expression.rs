//! The exact odds of an expression: the same tree that is rolled, read for its distribution.

use std::collections::HashMap;
use std::rc::Rc;

use dashu_int::UBig;

use super::budget::{Budget, Meter};
use super::distribution::Distribution;
use super::error::OddsError;
use super::estimate;
use super::expectation;
use super::lists;
use super::odds::{Odds, OddsValue};
use super::sampling;
use crate::dice::notation::tree::{Arithmetic, Binding, Chain, Function, Node, NodeKind, Sign, Span};
use crate::dice::notation::{Limits, NotationError, NotationErrorKind, arithmetic};
use crate::dice::{Expression, Params};

/// The odds of an expression: exact where the budget allows; else sampled, when it allows that, else refused with an
/// estimate of the work.
///
/// # Errors
/// [`OddsError`]: a parameter is missing, some roll of the expression would be an error (a division by zero, a
/// negative number of dice), or the work is too much.
pub fn of_expression(expression: &Expression, params: &Params, budget: &Budget) -> Result<Odds, OddsError> {
    match (exact(expression, params, budget), budget.sampling) {
        (Err(OddsError::TooMuch { .. }), Some(sampling)) => {
            sampling::rolled(expression, params, sampling, &Meter::new(budget))
        }
        (answer, _) => answer,
    }
}

fn exact(expression: &Expression, params: &Params, budget: &Budget) -> Result<Odds, OddsError> {
    let tree = expression.tree();
    estimate::within(expression, params, budget)?;
    let meter = Meter::new(budget);
    let mut reading = Reading::new(&tree.bindings, &tree.root, params, expression.limits(), budget, &meter);
    let names = reading.shared.clone();
    let value = if expression.is_list() {
        let odds = reading.under_names(&names, &|reading| lists::joint(reading, &tree.root).map(Rc::new))?;
        OddsValue::List(Rc::unwrap_or_clone(odds))
    } else {
        OddsValue::Number(Rc::unwrap_or_clone(reading.under_names(&names, &|reading| reading.number(&tree.root))?))
    };
    let mean = match &value {
        OddsValue::Number(distribution) if !distribution.is_whole() => expectation::of(&tree.root, params),
        _ => None,
    };
    Ok(Odds { value, mean, sampled: None })
}

pub(super) type Known = Rc<Distribution<i64>>;
pub(super) type Found<T> = Result<T, OddsError>;

/// One reading of a tree for its odds.
///
/// Names that stand for one roll and are used in two places are given their values one after the other
/// ([`Reading::under_names`]); under given values all parts of a tree are independent.
pub(super) struct Reading<'e> {
    bindings: &'e [Binding],
    params: &'e Params,
    pub(super) limits: &'e Limits,
    pub(super) cut: f64,
    pub(super) meter: &'e Meter,
    /// Names to be given values, in order.
    shared: Vec<u32>,
    unused: Vec<u32>,
    given: Vec<Option<i64>>,
    /// Which shared names a node hangs on.
    leans: HashMap<*const Node, Rc<[u32]>>,
    /// The odds of nodes under the values of the names they hang on.
    known: HashMap<(*const Node, Vec<i64>), Known>,
}

impl<'e> Reading<'e> {
    fn new(
        bindings: &'e [Binding],
        root: &'e Node,
        params: &'e Params,
        limits: &'e Limits,
        budget: &Budget,
        meter: &'e Meter,
    ) -> Self {
        let uses = uses(bindings, root);
        let names =
            |holds: fn(u32) -> bool| (0..bindings.len() as u32).filter(|name| holds(uses[*name as usize])).collect();
        Reading {
            bindings,
            params,
            limits,
            // The stated remainder is for the whole expression; a thousandth leaves room for many pools.
            cut: budget.remainder * 1e-3,
            meter,
            shared: names(|uses| uses > 1),
            unused: names(|uses| uses == 0),
            given: vec![None; bindings.len()],
            leans: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// The odds of what `read` finds, over all values of these names.
    fn under_names<T: Ord + Clone>(
        &mut self,
        names: &[u32],
        read: &impl Fn(&mut Self) -> Found<Rc<Distribution<T>>>,
    ) -> Found<Rc<Distribution<T>>> {
        let bindings = self.bindings;
        let Some((name, others)) = names.split_first() else {
            // What nothing uses is rolled all the same, so its errors count.
            for name in self.unused.clone() {
                self.number(&bindings[name as usize].value)?;
            }
            return read(self);
        };
        let values = self.number(&bindings[*name as usize].value)?;
        let mut parts = Vec::with_capacity(values.len());
        for (value, weight) in values.entries() {
            self.meter.announce(|| format!("every value of `{}`", bindings[*name as usize].name), 20.0)?;
            self.given[*name as usize] = Some(*value);
            parts.push((weight.clone(), self.under_names(others, read)?));
        }
        self.given[*name as usize] = None;
        let size: usize = parts.iter().map(|(_, part)| part.len()).sum();
        self.meter.announce(|| format!("mixing {size} values"), 4.0 * size as f64)?;
        let parts: Vec<(UBig, &Distribution<T>)> =
            parts.iter().map(|(weight, part)| (weight.clone(), &**part)).collect();
        Ok(Rc::new(Distribution::mix(&parts, values.total())))
    }

    /// The shared names that a node hangs on, through other names too.
    fn leaning(&mut self, node: &'e Node) -> Rc<[u32]> {
        if let Some(known) = self.leans.get(&std::ptr::from_ref(node)) {
            return known.clone();
        }
        let mut names: Vec<u32> = Vec::new();
        if let NodeKind::Name(name) = node.kind {
            if self.shared.contains(&name) {
                names.push(name);
            } else {
                let bindings = self.bindings;
                names.extend_from_slice(&self.leaning(&bindings[name as usize].value));
            }
        }
        let mut children = Vec::new();
        node.each_child(&mut |child| children.push(child));
        for child in children {
            names.extend_from_slice(&self.leaning(child));
        }
        names.sort_unstable();
        names.dedup();
        let names: Rc<[u32]> = names.into();
        self.leans.insert(node, names.clone());
        names
    }

    /// The odds of a node that is a number, under the names given.
    pub(super) fn number(&mut self, node: &'e Node) -> Found<Known> {
        match &node.kind {
            NodeKind::Number(number) => return Ok(Rc::new(Distribution::constant(*number))),
            NodeKind::Parameter(name) => return self.parameter(name, node.span),
            NodeKind::Bracket(inner) | NodeKind::Labeled(inner, _) => return self.number(inner),
            NodeKind::Name(name) => {
                let bindings = self.bindings;
                return match self.given[*name as usize] {
                    Some(value) => Ok(Rc::new(Distribution::constant(value))),
                    None => self.number(&bindings[*name as usize].value),
                };
            }
            _ => {}
        }
        let leaning = self.leaning(node);
        let values = leaning.iter().map(|name| self.given[*name as usize].unwrap_or(0)).collect();
        let key = (std::ptr::from_ref(node), values);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let odds = Rc::new(self.compound(node)?);
        self.known.insert(key, odds.clone());
        Ok(odds)
    }

    fn compound(&mut self, node: &'e Node) -> Found<Distribution<i64>> {
        match &node.kind {
            NodeKind::Pool(pool) => self.pool(pool, node.span),
            NodeKind::Group(group) => self.group(group, node.span),
            NodeKind::Sign(Sign::Plus, operand) => self.number(operand).map(Rc::unwrap_or_clone),
            NodeKind::Sign(Sign::Minus, operand) => {
                let odds = self.number(operand)?;
                self.each(&odds, |value| arithmetic::negate(value, node.span))
            }
            NodeKind::Chain(chain) => self.chain(chain),
            NodeKind::Power(base, exponent) => {
                let (left, right) = (self.number(base)?, self.number(exponent)?);
                self.pairs(&left, &right, |a, b| arithmetic::power(a, b, exponent.span, node.span))
            }
            NodeKind::Compare(left, comparator, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(left.holds_between(*comparator, &right))
            }
            NodeKind::Call(Function::If, arguments) => self.choice(arguments, node.span),
            NodeKind::Call(Function::Sum, arguments) => self.sum_of_list(&arguments[0], node.span),
            NodeKind::Call(function, arguments) => self.call(*function, arguments, node.span),
            _ => {
                Err(NotationError::new(NotationErrorKind::List, node.span, "a list stands where a number must").into())
            }
        }
    }

    fn parameter(&self, name: &str, span: Span) -> Found<Known> {
        if let Some(value) = self.params.get(name) {
            Ok(Rc::new(Distribution::constant(value)))
        } else {
            let message = format!("the parameter `{name}` is not given");
            Err(NotationError::new(NotationErrorKind::UnknownParameter, span, message).into())
        }
    }

    /// A function of each value.
    fn each(
        &self,
        odds: &Distribution<i64>,
        function: impl Fn(i64) -> Result<i64, NotationError>,
    ) -> Found<Distribution<i64>> {
        self.pairs(odds, &Distribution::constant(0), |value, _| function(value))
    }

    /// A function of each pair of values.
    fn pairs(
        &self,
        left: &Distribution<i64>,
        right: &Distribution<i64>,
        function: impl Fn(i64, i64) -> Result<i64, NotationError>,
    ) -> Found<Distribution<i64>> {
        let pairs = left.len() as f64 * right.len() as f64;
        self.meter.announce(|| format!("{} values with {} values", left.len(), right.len()), 4.0 * pairs)?;
        left.combine(right, |a, b| {
            self.meter.pause()?;
            Ok(function(*a, *b)?)
        })
    }

    pub(super) fn sum(
        &self,
        left: &Distribution<i64>,
        right: &Distribution<i64>,
        span: Span,
    ) -> Found<Distribution<i64>> {
        left.sum_within(right, self.meter)?.ok_or_else(|| arithmetic::overflow(span).into())
    }

    fn chain(&mut self, chain: &'e Chain) -> Found<Distribution<i64>> {
        let mut value = self.number(&chain.first)?;
        for (operator, operand) in &chain.rest {
            let span = chain.first.span.to(operand.span);
            let right = self.number(operand)?;
            value = Rc::new(match operator {
                Arithmetic::Add => self.sum(&value, &right, span)?,
                // The difference is the sum with the opposite, where that fits.
                Arithmetic::Subtract if right.min().is_some_and(|least| *least > i64::MIN) => {
                    let opposite = right.map(|value| -value);
                    self.sum(&value, &opposite, span)?
                }
                _ => self.pairs(&value, &right, |a, b| arithmetic::apply(*operator, a, b, span))?,
            });
        }
        Ok(Rc::unwrap_or_clone(value))
    }

    fn choice(&mut self, arguments: &'e [Node], span: Span) -> Found<Distribution<i64>> {
        let [condition, then, otherwise] = arguments else {
            return Err(NotationError::new(NotationErrorKind::Syntax, span, "`if` takes three arguments").into());
        };
        let condition = self.number(condition)?;
        let false_weight = condition.weight(&0);
        let true_weight = condition.listed() - &false_weight;
        let mut branches = Vec::new();
        for (weight, branch) in [(true_weight, then), (false_weight, otherwise)] {
            if !weight.is_zero() {
                branches.push((weight, self.number(branch)?));
            }
        }
        let parts: Vec<(UBig, &Distribution<i64>)> =
            branches.iter().map(|(w, branch)| (w.clone(), &**branch)).collect();
        Ok(Distribution::mix(&parts, condition.total()))
    }

    fn call(&mut self, function: Function, arguments: &'e [Node], span: Span) -> Found<Distribution<i64>> {
        let mut result: Option<Known> = None;
        for argument in arguments {
            let value = self.number(argument)?;
            result = Some(match (function, result) {
                (Function::Abs, _) => {
                    let abs = |value: i64| value.checked_abs().ok_or_else(|| arithmetic::overflow(span));
                    Rc::new(self.each(&value, abs)?)
                }
                (Function::Min, Some(best)) => Rc::new(best.lesser(&value)),
                (Function::Max, Some(best)) => Rc::new(best.greater(&value)),
                _ => value,
            });
        }
        Ok(result.map_or_else(|| Distribution::constant(0), Rc::unwrap_or_clone))
    }
}

/// In how many places each name stands; the body of a repeat is two. The one roll of a name ties its places together.
fn uses(bindings: &[Binding], root: &Node) -> Vec<u32> {
    fn count(node: &Node, repeated: bool, uses: &mut [u32]) {
        match &node.kind {
            NodeKind::Name(name) => uses[*name as usize] += if repeated { 2 } else { 1 },
            NodeKind::Repeat(times, body) => {
                count(times, repeated, uses);
                count(body, true, uses);
            }
            _ => node.each_child(&mut |child| count(child, repeated, uses)),
        }
    }
    let mut uses = vec![0; bindings.len()];
    count(root, false, &mut uses);
    for binding in bindings {
        count(&binding.value, false, &mut uses);
    }
    uses
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::dice::notation::tree::Comparator;

    fn odds(text: &str) -> Odds {
        of_expression(&Expression::parse(text).unwrap(), &Params::new(), &Budget::default()).unwrap()
    }

    fn fraction(text: &str) -> RBig {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        RBig::from_parts(numerator.parse().unwrap(), denominator.parse().unwrap())
    }

    #[test]
    fn the_known_means_are_exact() {
        for (text, mean) in [
            ("4d6kh3", "15869/1296"),
            ("2d20kh1", "553/40"),
            ("2d20kl1", "287/40"),
            ("3d20kh1", "1239/80"),
            ("2d6ro<=2", "25/3"),
            ("2d6r<=2", "9"),
            ("4d6r=1kh3", "8396/625"),
            ("4d6min2", "44/3"),
            ("(1d3)d3", "4"),
            ("(1d4)d6", "35/4"),
            ("3d6!", "63/5"),
            ("3d6km1", "7/2"),
            ("3d6dl1dh1", "7/2"),
            ("10d10>=8f=1", "2"),
            ("3d1dl1dh1", "1"),
            ("4d1dl1dh2", "1"),
            ("1d6!p", "4"),
            ("2*(3d6!)-1d4!+sum(2 x 1d6!)", "454/15"),
            ("5d10!c=10>=8", "5/3"),
        ] {
            let odds = odds(text);
            assert!(odds.mean_is_exact(), "{text}");
            assert_eq!(odds.mean(), Some(fraction(mean)), "{text}");
        }
    }

    #[test]
    fn the_known_probabilities_are_exact() {
        let p = |text: &str, comparator: Comparator, number: i64| odds(text).p(|value| comparator.holds(value, number));
        assert_eq!(p("(1d3)d3", Comparator::Equal, 1), fraction("1/9"));
        assert_eq!(p("d6-d6", Comparator::Equal, 0), fraction("1/6"));
        assert_eq!(p("a:=d6; a-a", Comparator::Equal, 0), fraction("1"));
        assert_eq!(p("2d6", Comparator::AtMost, 7), fraction("7/12"));
        assert_eq!(p("10d10>=8f=1", Comparator::Equal, 0), fraction("299813643/2500000000"));
        let eighteen = fraction("606876045137999/6499837226778624");
        assert_eq!(p("6 x 4d6kh3", Comparator::Equal, 18), eighteen);
        assert_eq!(p("sum((6 x 4d6kh3)kh1)=18", Comparator::Equal, 1), eighteen);
    }

    #[test]
    fn parameters_are_numbers_and_missing_ones_errors() {
        let expression = Expression::parse("1d6+$str").unwrap();
        let params: Params = [("str", 3)].into_iter().collect();
        let odds = of_expression(&expression, &params, &Budget::default()).unwrap();
        assert_eq!(odds.number().and_then(|odds| odds.min()), Some(&4));
        let error = of_expression(&expression, &Params::new(), &Budget::default()).unwrap_err();
        assert!(matches!(error, OddsError::Notation(error) if error.kind() == NotationErrorKind::UnknownParameter));
    }

    #[test]
    fn what_some_roll_refuses_has_no_odds() {
        for (text, kind) in [
            ("6/(1d2-1)", NotationErrorKind::DivisionByZero),
            ("(1d2-2)d6", NotationErrorKind::OutOfRange),
            ("2^(1d2-2)", NotationErrorKind::OutOfRange),
            ("1d2*9223372036854775807", NotationErrorKind::Overflow),
            ("a:=1/(1d2-1); 1d6", NotationErrorKind::DivisionByZero),
            ("1d6r<(1d6+1)", NotationErrorKind::Endless),
        ] {
            let expression = Expression::parse(text).unwrap();
            let error = of_expression(&expression, &Params::new(), &Budget::default()).unwrap_err();
            assert!(matches!(&error, OddsError::Notation(error) if error.kind() == kind), "{text}: {error}");
        }
        // A branch that is never taken is never rolled.
        assert_eq!(odds("a:=1d2-1; if(a=0, 0, 6/a)").mean(), Some(fraction("3")));
    }
}
