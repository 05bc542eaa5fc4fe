//! Exact odds of a rule: what a field of its outcome may be, over all dice.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::Book;
use super::core::{ErrorKind, Fields, House, Referee, RuleError, Value, field_names};
use crate::nearest::nearest;
use crate::odds::{Budget, Distribution, ExploreError, Explored, explore};

/// The odds of one field of a rule's outcome.
#[derive(Clone, Debug)]
pub struct RuleOdds {
    /// What the field may be; nothing ([`Value::Nil`]) where an outcome has no such field.
    pub distribution: Distribution<Value>,
    /// How many outcomes of the dice were visited.
    pub leaves: u64,
}

/// The exact odds of what `field` of the outcome of the rule `name` is on these arguments: `success`, `sides[1].hit`.
/// An empty field is the whole outcome.
///
/// Where nobody looks at single dice, sums of equal dice are drawn in one step. They are looked at when the field is a
/// list or a table (rolls stand in lists), when it is an element of one, and when house rules are in force.
///
/// # Errors
/// [`RuleError`]: the rule refuses the arguments, no outcome has the field, or there are too many outcomes.
pub fn of_rule(name: &str, args: Value, field: &str, house: &House, budget: &Budget) -> Result<RuleOdds, RuleError> {
    let path = path(field)?;
    house.find(name)?;
    let totals = house.is_plain() && !path.is_empty();
    let mut explored = visit(name, &args, &path, house, budget, totals)?;
    let lists = |value: &Value| matches!(value, Value::List(_) | Value::Map(_));
    let element = path.iter().any(|part| matches!(part, Part::Element(_)));
    let looks_at_dice = |(found, _): &(Ordered, _)| lists(&found.0) || (element && found.0 == Value::Nil);
    if totals && explored.distribution.entries().iter().any(looks_at_dice) {
        explored = visit(name, &args, &path, house, budget, false)?;
    }
    let distribution = explored.distribution.rename(|Ordered(value)| value);
    if distribution.len() == 1 && distribution.min() == Some(&Value::Nil) {
        refuse_unknown(name, field, &path)?;
    }
    Ok(RuleOdds { distribution, leaves: explored.leaves })
}

/// Resolves the rule for every outcome of its dice.
fn visit(
    name: &str,
    args: &Value,
    path: &[Part],
    house: &House,
    budget: &Budget,
    totals: bool,
) -> Result<Explored<Ordered>, RuleError> {
    let explored = explore(budget, |dice| {
        let mut referee = Referee::new(dice, house);
        if totals {
            referee = referee.only_totals();
        }
        let outcome = referee.resolve(name, args.clone())?;
        Ok::<_, RuleError>(Ordered(at(&outcome, path).cloned().unwrap_or_default()))
    });
    explored.map_err(|error| match error {
        ExploreError::Failed(error) => error,
        other => RuleError::general(ErrorKind::Dice, other.to_string()).in_rule(name),
    })
}

/// The odds of a field of a rule that is resolved elsewhere: `resolved` explores it and is given what takes the field
/// out of an outcome. For hosts that can tell whether house rules look at single dice.
#[cfg(feature = "lua")]
pub(crate) fn of_field<E: From<RuleError>>(
    name: &str,
    field: &str,
    resolved: impl FnOnce(&dyn Fn(&Value) -> Value) -> Result<Distribution<Value>, E>,
) -> Result<Distribution<Value>, E> {
    let path = path(field)?;
    let distribution = resolved(&|outcome| at(outcome, &path).cloned().unwrap_or_default())?;
    if distribution.len() == 1 && distribution.min() == Some(&Value::Nil) {
        refuse_unknown(name, field, &path)?;
    }
    Ok(distribution)
}

/// A step into an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Field(String),
    /// An element of a list, counted from 1.
    Element(usize),
}

/// Reads `sides[1].score`.
fn path(field: &str) -> Result<Vec<Part>, RuleError> {
    let wrong = || {
        let message = format!("\"{field}\" is no field of an outcome; write success, or sides[1].score");
        RuleError::unknown("of", message)
    };
    let mut parts = Vec::new();
    for word in field.split('.').filter(|_| !field.is_empty()) {
        let (name, elements) = word.split_once('[').map_or((word, None), |(name, rest)| (name, Some(rest)));
        if name.is_empty() {
            return Err(wrong());
        }
        parts.push(Part::Field(name.to_owned()));
        for element in elements.into_iter().flat_map(|rest| rest.split('[')) {
            let number = element.strip_suffix(']').and_then(|digits| digits.parse().ok()).filter(|n| *n > 0);
            parts.push(Part::Element(number.ok_or_else(wrong)?));
        }
    }
    Ok(parts)
}

fn at<'v>(outcome: &'v Value, path: &[Part]) -> Option<&'v Value> {
    path.iter().try_fold(outcome, |value, part| match (value, part) {
        (Value::Map(fields), Part::Field(name)) => fields.get(name),
        (Value::List(items), Part::Element(number)) => items.get(number - 1),
        _ => None,
    })
}

/// Refuses a field that no outcome of a rule of the book has, naming the nearest. One that is only absent this time
/// is in the rule's schema all the same.
fn refuse_unknown(name: &str, field: &str, path: &[Part]) -> Result<(), RuleError> {
    let (Some(Part::Field(first)), Some(entry)) = (path.first(), Book::shared().entry(name)) else { return Ok(()) };
    let names = field_names(&(entry.outcome)());
    if names.is_empty() || names.contains(first) {
        return Ok(());
    }
    let hint = match nearest(first, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("it has {}", names.join(", ")),
    };
    Err(RuleError::unknown("of", format!("the outcome of {name} has no \"{field}\"; {hint}")))
}

/// A value in a total order: nothing, no, yes, numbers, text, lists, tables.
#[derive(Clone, Debug)]
pub(crate) struct Ordered(pub(crate) Value);

fn rank(value: &Value) -> u8 {
    match value {
        Value::Nil => 0,
        Value::Bool(_) => 1,
        Value::Whole(_) | Value::Number(_) => 2,
        Value::Text(_) => 3,
        Value::List(_) => 4,
        Value::Map(_) => 5,
    }
}

fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Whole(a), Value::Whole(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
        // A fraction is never equal to a whole number; a huge one lies beyond all of them.
        (Value::Whole(a), Value::Number(b)) => (*a as f64).total_cmp(b).then(Ordering::Less),
        (Value::Number(a), Value::Whole(b)) => a.total_cmp(&(*b as f64)).then(Ordering::Greater),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let unequal = a.iter().zip(b).map(|(a, b)| compare(a, b)).find(|order| order.is_ne());
            unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Map(Fields(a)), Value::Map(Fields(b))) => {
            let fields = |(name, value): &(_, Value), (other_name, other): &(_, Value)| {
                Ord::cmp(name, other_name).then_with(|| compare(value, other))
            };
            let unequal = a.iter().zip(b).map(|(a, b)| fields(a, b)).find(|order: &Ordering| order.is_ne());
            unequal.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    rank(value).hash(state);
    match value {
        Value::Nil => {}
        Value::Bool(yes) => yes.hash(state),
        Value::Whole(number) => number.hash(state),
        Value::Number(number) => number.to_bits().hash(state),
        Value::Text(text) => text.hash(state),
        Value::List(items) => items.iter().for_each(|item| hash(item, state)),
        Value::Map(Fields(fields)) => fields.iter().for_each(|(name, value)| {
            name.hash(state);
            hash(value, state);
        }),
    }
}

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        compare(&self.0, &other.0).is_eq()
    }
}
impl Eq for Ordered {}
impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}
impl Hash for Ordered {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;

    fn odds(name: &str, args: &str, field: &str) -> Result<RuleOdds, RuleError> {
        of_rule(name, serde_json::from_str(args).unwrap(), field, &House::new(), &Budget::default())
    }

    fn share(odds: &RuleOdds, value: &Value) -> RBig {
        odds.distribution.p(|found| found == value)
    }

    fn fraction(n: i64, d: u64) -> RBig {
        RBig::from_parts(n.into(), d.into())
    }

    #[test]
    fn three_dice_under_twelve_succeed_five_times_in_eight() {
        let odds = odds("check.roll", r#"{"score":12,"difficulty":3}"#, "success").unwrap();
        assert_eq!(share(&odds, &Value::Bool(true)), fraction(5, 8));
        // Nobody looks at the single dice: sixteen totals, not 216 rolls.
        assert_eq!(odds.leaves, 16);
    }

    #[test]
    fn a_list_of_rolls_is_made_of_single_dice() {
        let odds = odds("check.roll", r#"{"score":12,"difficulty":2}"#, "rolls[1]").unwrap();
        assert_eq!(odds.leaves, 36);
        assert_eq!(share(&odds, &Value::Whole(1)), fraction(1, 6));
    }

    /// The law of `1d6!`, whoever rolls it: 6 never, 7 with a six and a one.
    #[test]
    fn damage_in_any_notation_is_one_draw_of_its_law_and_what_is_cut_off_is_told() {
        let odds = |args: &str, field: &str| odds("damage.roll", args, field).unwrap();
        let sixes = odds(r#"{"damage":"1d6!+1","kind":"melee"}"#, "damage");
        assert_eq!(share(&sixes, &Value::Whole(7)), fraction(0, 1));
        assert_eq!(share(&sixes, &Value::Whole(8)), fraction(1, 36));
        let remainder = sixes.distribution.remainder();
        assert!(remainder > fraction(0, 1) && remainder < fraction(1, 1_000_000_000_000), "{remainder}");
        let better = odds(r#"{"damage":"2d6kh1","kind":"melee"}"#, "damage");
        assert_eq!((better.leaves, share(&better, &Value::Whole(6))), (6, fraction(11, 36)));
        let again = odds(r#"{"damage":"d8r=1+2","kind":"melee"}"#, "damage");
        assert_eq!(share(&again, &Value::Whole(4)), fraction(1, 7));
        // Who looks at single dice has them rolled one by one, and the sixes without an end cut off.
        let first = odds(r#"{"damage":"1d6!","kind":"melee"}"#, "rolls[1]");
        assert!(first.distribution.remainder() < fraction(1, 1_000_000_000_000));
        assert_eq!(share(&first, &Value::Whole(2)), fraction(1, 6));
    }

    #[test]
    fn a_rule_that_only_sorts_its_pool_has_sets_of_dice_for_outcomes() {
        let house = House::new();
        let visited = |keep: fn(&[i64]) -> i64| {
            explore(&Budget::default(), |dice| {
                let rolls = Referee::new(dice, &house).only_totals().sorted(8, 6, "pool")?;
                Ok::<_, RuleError>(keep(&rolls))
            })
            .unwrap()
        };
        let least = visited(|rolls| rolls[0]);
        assert_eq!((least.leaves, least.distribution.probability(&6)), (1_287, fraction(1, 1_679_616)));
        assert_eq!(visited(|rolls| rolls[7]).distribution.probability(&1), fraction(1, 1_679_616));
    }

    #[test]
    fn a_field_that_no_outcome_has_is_refused_by_name() {
        let error = odds("check.roll", r#"{"score":12,"difficulty":2}"#, "sucess").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unknown);
        assert!(error.to_string().contains("mean success"), "{error}");
        assert!(odds("check.rol", "{}", "success").is_err());
        assert!(odds("check.roll", r#"{"score":12,"difficulty":2}"#, "rolls[0]").is_err());
    }

    #[test]
    fn the_rules_own_refusal_comes_through() {
        assert_eq!(odds("check.roll", r#"{"difficulty":2}"#, "success").unwrap_err().kind(), ErrorKind::Missing);
    }
}
