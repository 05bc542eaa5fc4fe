//! Signs, comparisons and functions, and how they are written.

/// A sign before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// `+`: no change.
    Plus,
    /// `-`.
    Minus,
}

/// An arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` and `//`: rounds down.
    Divide,
    /// `/^`: rounds up.
    DivideUp,
    /// `round(a/b)`: rounds to the nearest, halves up. Stands only last in a product in brackets.
    DivideNearest,
    /// `%`: the sign of the divisor.
    Modulo,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparator {
    /// `=`
    Equal,
    /// `<>`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparator {
    /// Whether `left` stands in this relation to `right`.
    #[must_use]
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparator::Equal => left == right,
            Comparator::Different => left != right,
            Comparator::Less => left < right,
            Comparator::AtMost => left <= right,
            Comparator::Greater => left > right,
            Comparator::AtLeast => left >= right,
        }
    }

    /// As written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::Different => "<>",
            Comparator::Less => "<",
            Comparator::AtMost => "<=",
            Comparator::Greater => ">",
            Comparator::AtLeast => ">=",
        }
    }
}

impl Arithmetic {
    /// As written; a division that rounds down is `/`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide | Arithmetic::DivideNearest => "/",
            Arithmetic::DivideUp => "/^",
            Arithmetic::Modulo => "%",
        }
    }
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Function {
    /// `min(a, …)`: one argument or more.
    Min,
    /// `max(a, …)`: one argument or more.
    Max,
    /// `abs(a)`.
    Abs,
    /// `if(condition, then, else)`: rolls the condition and only the branch taken.
    If,
    /// `sum(list)`: a number.
    Sum,
    /// `sort(list)`: the list, ascending.
    Sort,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 6] =
        [Function::Min, Function::Max, Function::Abs, Function::If, Function::Sum, Function::Sort];

    /// As written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
            Function::If => "if",
            Function::Sum => "sum",
            Function::Sort => "sort",
        }
    }
}
