//! What explored code may ask for, and the answers that there are.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use dashu_int::UBig;

use super::budget::{Budget, Meter};
use super::distribution::Distribution;
use super::error::OddsError;
use super::expression::of_expression;
use super::lists;
use super::pool::{self, Task};
use crate::dice::notation::tree::Span;
use crate::dice::{Die, Expression, Params};

/// What was asked at one place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ask {
    /// A die with faces 1 to a number.
    Numbered(u32),
    /// A die with these faces.
    Listed(Rc<[i64]>),
    /// The sum of so many equal dice.
    Sum(Box<Ask>, u32),
    /// So many equal dice, in ascending order.
    Sorted(Box<Ask>, u32),
    /// The value of an expression, with these parameters.
    Notation(Box<(String, Params)>),
}

/// A question, as it is asked.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    Die(Die<'a>),
    Sum(Die<'a>, u32),
    Sorted(Die<'a>, u32),
    Notation(&'a Expression, &'a Params),
}

impl Ask {
    fn of(die: Die<'_>) -> Self {
        match die {
            Die::Numbered(sides) => Ask::Numbered(sides),
            Die::Listed(faces) => Ask::Listed(faces.into()),
        }
    }

    fn is_die(&self, die: Die<'_>) -> bool {
        match (self, die) {
            (Ask::Numbered(sides), Die::Numbered(asked)) => *sides == asked,
            (Ask::Listed(faces), Die::Listed(asked)) => **faces == *asked,
            _ => false,
        }
    }

    /// Whether this is the question now asked again; without building a new one.
    pub(super) fn is(&self, asked: Asked<'_>) -> bool {
        match (self, asked) {
            (_, Asked::Die(die)) => self.is_die(die),
            (Ask::Sum(own, times), Asked::Sum(die, count)) | (Ask::Sorted(own, times), Asked::Sorted(die, count)) => {
                *times == count && own.is_die(die)
            }
            (Ask::Notation(own), Asked::Notation(expression, params)) => own.0 == expression.text() && own.1 == *params,
            _ => false,
        }
    }
}

impl<'a> Asked<'a> {
    /// The dice, how many, and whether they are sorted instead of added up; nothing for an expression.
    pub(super) fn dice(self) -> Option<(Die<'a>, u32, bool)> {
        match self {
            Asked::Die(die) => Some((die, 1, false)),
            Asked::Sum(die, count) => Some((die, count, false)),
            Asked::Sorted(die, count) => Some((die, count, true)),
            Asked::Notation(..) => None,
        }
    }

    pub(super) fn to_ask(self) -> Ask {
        match self {
            Asked::Die(die) => Ask::of(die),
            Asked::Sum(die, count) => Ask::Sum(Box::new(Ask::of(die)), count),
            Asked::Sorted(die, count) => Ask::Sorted(Box::new(Ask::of(die)), count),
            Asked::Notation(expression, params) => {
                Ask::Notation(Box::new((expression.text().to_owned(), params.clone())))
            }
        }
    }
}

/// As notation: `d6`, `3d6`, `d[1,1,2]`.
impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Numbered(sides) => Die::Numbered(*sides).fmt(f),
            Ask::Listed(faces) => Die::Listed(faces).fmt(f),
            Ask::Sum(die, count) => write!(f, "{count}{die}"),
            Ask::Sorted(die, count) => write!(f, "{count}{die}sa"),
            Ask::Notation(asked) => f.write_str(&asked.0),
        }
    }
}

/// The possible answers to one question, each with its weight.
#[derive(Debug)]
pub(super) struct Answers {
    pub(super) values: Vec<(i64, UBig)>,
    /// What the weights come to, with what was cut off.
    pub(super) total: UBig,
    /// The dice that an answer stands for, when the answers are numbers of sets of dice.
    pub(super) sets: Vec<Vec<i64>>,
}

impl Answers {
    fn of(numbers: &Distribution<i64>) -> Self {
        Answers { values: numbers.entries().to_vec(), total: numbers.total().clone(), sets: Vec::new() }
    }

    /// A die, or the sum of equal dice.
    pub(super) fn of_sum(die: Die<'_>, count: u32, meter: &Meter) -> Result<Self, OddsError> {
        let task = Task { steps: &[], span: Span::default(), cut: 0.0, meter };
        Ok(Answers::of(&pool::of_pool(count, die, &task)?))
    }

    /// Equal dice whose order does not matter.
    pub(super) fn of_sorted(die: Die<'_>, count: u32, meter: &Meter) -> Result<Self, OddsError> {
        let faces = pool::of_pool(1, die, &Task { steps: &[], span: Span::default(), cut: 0.0, meter })?;
        let sets = lists::ascending(count, faces, meter)?;
        let values = sets.entries().iter().enumerate();
        let values = values.map(|(number, (_, weight))| (number as i64, weight.clone())).collect();
        let fallen = sets.entries().iter().map(|(faces, _)| faces.clone()).collect();
        Ok(Answers { values, total: sets.total().clone(), sets: fallen })
    }

    /// Whether there is one answer and no other.
    pub(super) fn is_certain(&self) -> bool {
        matches!(&self.values[..], [(_, weight)] if *weight == self.total)
    }

    fn bytes(&self) -> usize {
        let set = self.sets.first().map_or(0, |set| size_of_val(set.as_slice()) + size_of::<Vec<i64>>());
        self.values.len() * (size_of::<(i64, UBig)>() + dashu_int::ops::BitTest::bit_len(&self.total) / 8 + set)
    }
}

/// An expression and its parameters.
type Rolled = (String, Vec<(String, i64)>);

/// The odds of expressions that explored code has rolled. Each is worked out once, whatever is explored under one budget
/// and its copies.
#[derive(Clone, Debug, Default)]
pub struct Laws(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    laws: HashMap<Rolled, Option<Arc<Answers>>>,
    bytes: usize,
}

/// How much memory known odds may take; more are worked out again.
const MOST_BYTES: usize = 8 << 20;

impl Laws {
    /// The answers to an expression; nothing where it has no odds that can be told, so that it has to be rolled.
    pub(super) fn of(
        &self,
        expression: &Expression,
        params: &Params,
        budget: &Budget,
    ) -> Result<Option<Arc<Answers>>, OddsError> {
        let numbers = params.names().map(|name| (name.to_owned(), params.get(name).unwrap_or(0)));
        let rolled = (expression.text().to_owned(), numbers.collect());
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).laws.get(&rolled) {
            return Ok(known.clone());
        }
        let exact = Budget { sampling: None, ..budget.clone() };
        let law = match of_expression(expression, params, &exact) {
            Ok(odds) => {
                odds.number().filter(|numbers| !numbers.is_empty()).map(|numbers| Arc::new(Answers::of(numbers)))
            }
            Err(OddsError::Stopped) => return Err(OddsError::Stopped),
            // Rolled, it is an error where a roll is one, or has its dice explored.
            Err(_) => None,
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = 64 + rolled.0.len() + law.as_ref().map_or(0, |law| law.bytes());
        if known.bytes + bytes <= MOST_BYTES {
            known.bytes += bytes;
            known.laws.insert(rolled, law.clone());
        }
        Ok(law)
    }
}
