//! The answer to a question about odds, as scripts and people read it.

use dashu_int::UBig;
use dashu_int::ops::BitTest as _;
use dashu_ratio::RBig;
use mlua::{Lua, MetaMethod, Table, UserData, UserDataFields, UserDataMethods, Value as LuaValue, Variadic};

use super::super::errors::failure;
use super::super::value;
use super::{label, visit};
use crate::dice::notation::tree::Comparator;
use crate::nearest::nearest;
use crate::odds::plot::{Frame, exactness, histogram, histogram_of, overlay, shares, summary};
use crate::odds::{Distribution, Interval, Odds, OddsValue, Series, Weight, csv, fraction, svg};
use crate::rules::core::Value;
use crate::rules::odds::Ordered;

/// Up to so many labels stand in one line; more are a histogram.
const LABELS_A_LINE: usize = 6;

/// What there are odds of.
enum Kind {
    /// Numbers or lists of them.
    Dice(Odds),
    /// Anything else: names, yes and no, tables.
    Labels(Distribution<Ordered>, Option<u64>),
}

/// An answer.
pub(super) struct Answer {
    kind: Kind,
    /// How many outcomes were visited.
    pub(super) visited: Option<u64>,
    /// What pictures call it.
    name: Option<String>,
}

const MEMBERS: [&str; 21] = [
    "mean",
    "mean_exact",
    "sd",
    "min",
    "max",
    "median",
    "mode",
    "visited",
    "sampled",
    "interval",
    "remainder",
    "p",
    "cdf",
    "percentile",
    "compare",
    "plot",
    "svg",
    "csv",
    "values",
    "data",
    "kind",
];

impl Answer {
    pub(super) fn of_dice(odds: Odds, visited: Option<u64>) -> Self {
        Answer { kind: Kind::Dice(odds), visited, name: None }
    }

    pub(super) fn of_labels(labels: Distribution<Ordered>, sampled: Option<u64>, visited: Option<u64>) -> Self {
        Answer { kind: Kind::Labels(labels, sampled), visited, name: None }
    }

    pub(super) fn called(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        fn of<T>(distribution: &Distribution<T>, inside: impl Fn(&T) -> usize) -> usize {
            let weight = size_of::<UBig>() + distribution.total().bit_len() / 8;
            distribution.entries().iter().map(|(value, _)| size_of::<T>() + weight + inside(value)).sum()
        }
        match &self.kind {
            Kind::Labels(labels, _) => of(labels, |value| visit::size(&value.0)),
            Kind::Dice(odds) => match &odds.value {
                OddsValue::Number(numbers) => of(numbers, |_| 0),
                OddsValue::List(lists) => of(lists, |list| size_of_val(list.as_slice())),
            },
        }
    }

    /// The distribution, as plain data.
    pub(super) fn values(&self) -> Distribution<Value> {
        self.ordered().rename(|value| value.0)
    }

    /// The distribution, in order.
    pub(super) fn ordered(&self) -> Distribution<Ordered> {
        match &self.kind {
            Kind::Labels(labels, _) => labels.clone(),
            Kind::Dice(odds) => match &odds.value {
                OddsValue::Number(numbers) => numbers.clone().rename(|number| Ordered(Value::Whole(number))),
                OddsValue::List(lists) => lists.clone().rename(|list| Ordered(Value::from_iter(list))),
            },
        }
    }

    /// From how many rolls it was sampled; nothing when it is exact.
    pub(super) fn sampled(&self) -> Option<u64> {
        match &self.kind {
            Kind::Dice(odds) => odds.sampled(),
            Kind::Labels(_, sampled) => *sampled,
        }
    }

    fn numbers(&self, asked: &str) -> mlua::Result<(&Odds, &Distribution<i64>)> {
        match &self.kind {
            Kind::Dice(odds) => odds.number().map(|numbers| (odds, numbers)).ok_or_else(|| {
                failure(format!("these odds are of lists, which have no {asked}; `sum(…)` makes a number of a list"))
            }),
            Kind::Labels(labels, _) => {
                let some: Vec<String> = named(labels).entries().iter().take(3).map(|(name, _)| name.clone()).collect();
                Err(failure(format!("these odds are of labels ({}), which have no {asked}", some.join(", "))))
            }
        }
    }

    // ---- probabilities ----

    /// `:p(value)`, or `:p(">=", 12)`.
    fn p(&self, lua: &Lua, given: &[LuaValue]) -> mlua::Result<RBig> {
        match given {
            [LuaValue::String(operator), wanted] => {
                let operator = operator.to_string_lossy();
                let comparator = comparator(&operator)
                    .ok_or_else(|| failure(format!("\"{operator}\" compares nothing; write one of >= <= > < = <>")))?;
                match (&self.kind, comparator, wanted) {
                    (Kind::Labels(..), Comparator::Equal, wanted) => self.share_of(lua, wanted),
                    (Kind::Labels(..), Comparator::Different, wanted) => Ok(self.whole() - self.share_of(lua, wanted)?),
                    (Kind::Dice(odds), comparator, LuaValue::Integer(number)) => {
                        Ok(odds.p_compared(comparator, *number))
                    }
                    (Kind::Dice(_), ..) => {
                        let wanted = value::described(wanted);
                        Err(failure(format!("p(\"{operator}\", n) compares with a whole number, not {wanted}")))
                    }
                    (Kind::Labels(..), ..) => self.numbers("order").map(|_| RBig::ZERO),
                }
            }
            [wanted] => self.share_of(lua, wanted),
            _ => Err(failure("p takes a value, p(7), or a comparison, p(\">=\", 12)")),
        }
    }

    /// The probability of everything that is listed.
    fn whole(&self) -> RBig {
        self.ordered().p(|_| true)
    }

    fn share_of(&self, lua: &Lua, wanted: &LuaValue) -> mlua::Result<RBig> {
        if let (Kind::Dice(odds), LuaValue::Integer(number)) = (&self.kind, wanted) {
            return Ok(odds.p(|value| value == *number));
        }
        let wanted = Ordered(value::from_lua(lua, wanted, "the value")?);
        Ok(self.ordered().probability(&wanted))
    }

    fn remainder(&self) -> RBig {
        match &self.kind {
            Kind::Dice(odds) => odds.remainder(),
            Kind::Labels(labels, _) => labels.remainder(),
        }
    }

    /// The least value that so many of a hundred do not exceed.
    fn percentile(&self, part: f64) -> mlua::Result<Option<i64>> {
        if !(0.0..=100.0).contains(&part) {
            return Err(failure(format!("a percentile lies between 0 and 100; {part} does not")));
        }
        Ok(self.numbers("percentiles")?.1.percentile(part / 100.0).copied())
    }

    /// How this compares with other, independent odds.
    fn compare(&self, lua: &Lua, other: &Answer) -> mlua::Result<Table> {
        let comparison = self.numbers("order")?.1.compare(other.numbers("order")?.1);
        let (table, exact) = (lua.create_table()?, lua.create_table()?);
        let shares = [("less", comparison.less), ("equal", comparison.equal), ("greater", comparison.greater)];
        for (name, share) in shares {
            table.raw_set(name, UBig::share_float(&share))?;
            exact.raw_set(name, fraction(&share))?;
        }
        table.raw_set("exact", exact)?;
        Ok(table)
    }

    // ---- pictures and texts ----

    /// The line that says what is known: statistics or shares, and how exact they are.
    pub(super) fn headline(&self) -> String {
        let visited = self.visited.map_or_else(String::new, |visited| format!(", {visited} outcomes visited"));
        match &self.kind {
            Kind::Dice(odds) => format!("{}{visited}", summary(odds)),
            Kind::Labels(labels, sampled) => {
                let exact = match sampled {
                    None => format!("{}{visited}", exactness(&labels.remainder())),
                    Some(trials) => {
                        let widest = labels.floats().map(|(_, share)| {
                            let interval = Interval::of_share(share, *trials);
                            interval.high - interval.low
                        });
                        format!("{trials} rolls, each ± {:.1} % or less", 50.0 * widest.fold(0.0, f64::max))
                    }
                };
                if labels.len() > LABELS_A_LINE {
                    return format!("{} results · {exact}", labels.len());
                }
                format!("{}   {exact}", shares(&named(labels)))
            }
        }
    }

    fn plot(&self, frame: Frame) -> String {
        match &self.kind {
            Kind::Dice(Odds { value: OddsValue::Number(numbers), .. }) => histogram(numbers, frame),
            _ => histogram_of(&named(&self.ordered()), frame),
        }
    }

    fn shown(&self) -> String {
        match &self.kind {
            Kind::Labels(labels, _) if labels.len() <= LABELS_A_LINE => self.headline(),
            _ => format!("{}\n{}", self.headline(), self.plot(Frame::default()).trim_end()),
        }
    }

    fn csv(&self) -> String {
        csv(&named(&self.ordered()))
    }

    /// `{ value = …, p = …, exact = "n/d" }` for each value, ascending.
    fn data(&self, lua: &Lua) -> mlua::Result<Table> {
        let distribution = self.ordered();
        let rows = lua.create_table_with_capacity(distribution.len(), 0)?;
        for (value, weight) in distribution.entries() {
            let row = lua.create_table_with_capacity(0, 3)?;
            row.raw_set("value", value::to_lua(lua, &value.0)?)?;
            row.raw_set("p", weight.float(distribution.total()))?;
            row.raw_set("exact", fraction(&weight.share(distribution.total())))?;
            rows.raw_push(row)?;
        }
        Ok(rows)
    }

    fn values_listed(&self, lua: &Lua) -> mlua::Result<Table> {
        let values = self.ordered();
        let values: mlua::Result<Vec<LuaValue>> =
            values.entries().iter().map(|(value, _)| value::to_lua(lua, &value.0)).collect();
        lua.create_sequence_from(values?)
    }
}

/// Labels as people read them. Where the others are names, nothing is nobody.
fn named(labels: &Distribution<Ordered>) -> Distribution<String> {
    let names = labels.entries().iter().any(|(value, _)| matches!(value.0, Value::Text(_)));
    labels.clone().rename(|value| match value.0 {
        Value::Nil if names => "nobody".to_owned(),
        Value::Nil => "nothing".to_owned(),
        value => label(&value),
    })
}

fn comparator(written: &str) -> Option<Comparator> {
    Some(match written {
        "=" | "==" => Comparator::Equal,
        "<>" | "~=" | "!=" => Comparator::Different,
        "<" => Comparator::Less,
        "<=" => Comparator::AtMost,
        ">" => Comparator::Greater,
        ">=" => Comparator::AtLeast,
        _ => return None,
    })
}

/// A picture's width in columns.
fn frame(width: Option<usize>) -> mlua::Result<Frame> {
    match width {
        None => Ok(Frame::default()),
        Some(width) if (24..=400).contains(&width) => Ok(Frame { width, ..Frame::default() }),
        Some(width) => Err(failure(format!("a picture is 24 to 400 columns wide, not {width}"))),
    }
}

impl UserData for Answer {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("mean", |_, this| {
            Ok(this.numbers("mean")?.0.mean().map(|mean| UBig::share_float(&mean)))
        });
        fields.add_field_method_get("mean_exact", |_, this| {
            let (odds, _) = this.numbers("mean")?;
            Ok(odds.mean().filter(|_| odds.mean_is_exact()).map(|mean| fraction(&mean)))
        });
        fields.add_field_method_get("sd", |_, this| Ok(this.numbers("standard deviation")?.1.sd()));
        fields.add_field_method_get("min", |_, this| Ok(this.numbers("least")?.1.min().copied()));
        fields.add_field_method_get("max", |_, this| Ok(this.numbers("greatest")?.1.max().copied()));
        fields.add_field_method_get("median", |_, this| Ok(this.numbers("median")?.1.median().copied()));
        fields.add_field_method_get("mode", |lua, this| {
            let ordered = this.ordered();
            ordered.mode().first().map_or(Ok(LuaValue::Nil), |value| value::to_lua(lua, &value.0))
        });
        fields.add_field_method_get("visited", |_, this| Ok(this.visited));
        fields.add_field_method_get("sampled", |_, this| Ok(this.sampled()));
        fields.add_field_method_get("remainder", |_, this| Ok(UBig::share_float(&this.remainder())));
        fields.add_field_method_get("kind", |_, this| {
            Ok(match &this.kind {
                Kind::Labels(..) => "labels",
                Kind::Dice(odds) if odds.number().is_some() => "numbers",
                Kind::Dice(_) => "lists",
            })
        });
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("p", |lua, this, given: Variadic<LuaValue>| {
            let share = this.p(lua, &given)?;
            Ok((UBig::share_float(&share), fraction(&share)))
        });
        methods.add_method("interval", |lua, this, given: Variadic<LuaValue>| {
            let share = UBig::share_float(&this.p(lua, &given)?);
            let interval = this.sampled().map(|trials| Interval::of_share(share, trials));
            Ok(interval.map_or((share, share), |interval| (interval.low, interval.high)))
        });
        methods.add_method("cdf", |_, this, number: i64| {
            let share = this.numbers("order")?.1.cdf(&number);
            Ok((UBig::share_float(&share), fraction(&share)))
        });
        methods.add_method("percentile", |_, this, part: f64| this.percentile(part));
        methods.add_method("compare", |lua, this, other: mlua::UserDataRef<Answer>| this.compare(lua, &other));
        methods.add_method("plot", |_, this, (width, other): (Option<usize>, Option<mlua::UserDataRef<Answer>>)| {
            let frame = frame(width)?;
            let Some(other) = other else { return Ok(this.plot(frame)) };
            let (first, second) = (this.numbers("overlay")?.1, other.numbers("overlay")?.1);
            let names = (this.name.as_deref().unwrap_or("first"), other.name.as_deref().unwrap_or("second"));
            Ok(overlay((names.0, first), (names.1, second), frame))
        });
        methods.add_method("svg", |_, this, title: Option<String>| {
            let title = title.or_else(|| this.name.clone()).unwrap_or_else(|| "odds".to_owned());
            Ok(svg(&title, &[Series { name: &title, distribution: this.numbers("picture")?.1 }]))
        });
        methods.add_method("csv", |_, this, ()| Ok(this.csv()));
        methods.add_method("values", |lua, this, ()| this.values_listed(lua));
        methods.add_method("data", |lua, this, ()| this.data(lua));
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(this.shown()));
        methods.add_meta_method(MetaMethod::Index, |_, _, name: LuaValue| -> mlua::Result<()> {
            let name = name.to_string().unwrap_or_default();
            let near = match nearest(&name, MEMBERS) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("known are {}", MEMBERS.join(", ")),
            };
            Err(failure(format!("odds have no \"{name}\"; {near}")))
        });
    }
}
