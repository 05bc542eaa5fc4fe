//! Text that reads back to the same tree, without needless spaces.

use std::fmt::{self, Display, Formatter, Write};

use super::tree::{
    Amount, Cap, Chain, Comparator, Comparison, Critical, End, Explosion, Faces, Function, Group, Node, NodeKind,
    Operator, OperatorKind, Order, Pool, Sides, Sign, Style, Tree,
};

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for binding in &self.bindings {
            write!(f, "{}:=", binding.name)?;
            self.node(&binding.value, f)?;
            f.write_char(';')?;
        }
        self.node(&self.root, f)
    }
}

impl Tree {
    /// Prints one node; the tree knows the names.
    pub(crate) fn node(&self, node: &Node, f: &mut Formatter<'_>) -> fmt::Result {
        match &node.kind {
            NodeKind::Number(number) => write!(f, "{number}"),
            NodeKind::Parameter(name) => write!(f, "${name}"),
            NodeKind::Name(index) => f.write_str(self.bindings.get(*index as usize).map_or("?", |b| &b.name)),
            NodeKind::Pool(pool) => self.pool(pool, f),
            NodeKind::Group(group) => self.group(group, f),
            NodeKind::Bracket(inner) => {
                f.write_str(inner.bracket())?;
                self.node(inner, f)?;
                f.write_char(')')
            }
            NodeKind::Labeled(inner, label) => {
                self.node(inner, f)?;
                write!(f, "[{}]", label.0)
            }
            NodeKind::Sign(sign, inner) => {
                f.write_char(if *sign == Sign::Minus { '-' } else { '+' })?;
                self.node(inner, f)
            }
            NodeKind::Chain(chain) => self.chain(chain, f),
            NodeKind::Power(base, exponent) => {
                self.node(base, f)?;
                f.write_char('^')?;
                self.node(exponent, f)
            }
            NodeKind::Compare(left, comparator, right) => {
                self.node(left, f)?;
                f.write_str(comparator.text())?;
                self.node(right, f)
            }
            NodeKind::Call(function, arguments) => self.call(*function, arguments, f),
            NodeKind::Repeat(count, body) => {
                self.node(count, f)?;
                f.write_char('x')?;
                self.node(body, f)
            }
            NodeKind::KeepMembers(keep) => {
                self.node(&keep.list, f)?;
                f.write_str(if keep.end == End::Lowest { "kl" } else { "kh" })?;
                self.amount(&keep.number, f)
            }
        }
    }

    fn chain(&self, chain: &Chain, f: &mut Formatter<'_>) -> fmt::Result {
        self.node(&chain.first, f)?;
        for (operator, operand) in &chain.rest {
            f.write_str(operator.text())?;
            self.node(operand, f)?;
        }
        Ok(())
    }

    fn call(&self, function: Function, arguments: &[Node], f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(function.text())?;
        f.write_char('(')?;
        self.separated(arguments, f)?;
        f.write_char(')')
    }

    fn separated(&self, nodes: &[Node], f: &mut Formatter<'_>) -> fmt::Result {
        for (i, node) in nodes.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            self.node(node, f)?;
        }
        Ok(())
    }

    fn pool(&self, pool: &Pool, f: &mut Formatter<'_>) -> fmt::Result {
        self.amount(&pool.count, f)?;
        f.write_char('d')?;
        match &pool.sides {
            Sides::Number(sides) => write!(f, "{sides}")?,
            Sides::Percent => f.write_char('%')?,
            Sides::Fudge => f.write_char('F')?,
            Sides::Listed(faces) => write!(f, "{faces}")?,
            Sides::Computed(sides) => {
                f.write_char('(')?;
                self.node(sides, f)?;
                f.write_char(')')?;
            }
        }
        pool.operators.iter().try_for_each(|operator| self.operator(operator, f))
    }

    fn group(&self, group: &Group, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        self.separated(&group.members, f)?;
        f.write_char('}')?;
        group.operators.iter().try_for_each(|operator| self.operator(operator, f))
    }

    fn amount(&self, amount: &Amount, f: &mut Formatter<'_>) -> fmt::Result {
        match amount {
            Amount::Implied => Ok(()),
            Amount::Number(number) => write!(f, "{number}"),
            Amount::Computed(inner) => {
                f.write_char('(')?;
                self.node(inner, f)?;
                f.write_char(')')
            }
        }
    }

    fn comparison(&self, mark: &str, comparison: &Comparison, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(mark)?;
        f.write_str(comparison.comparator.text())?;
        self.amount(&comparison.number, f)
    }

    fn cap(&self, cap: &Cap, f: &mut Formatter<'_>) -> fmt::Result {
        match cap {
            Cap::Unlimited => Ok(()),
            Cap::Once => f.write_char('o'),
            Cap::AtMost(amount) => {
                f.write_char('{')?;
                self.amount(amount, f)?;
                f.write_char('}')
            }
        }
    }

    fn explosion(&self, explosion: &Explosion, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match explosion.style {
            Style::Chain => "!",
            Style::Compound => "!!",
            Style::Penetrate => "!p",
            Style::Alone => "!c",
        })?;
        self.cap(&explosion.cap, f)?;
        let Some(when) = &explosion.when else { return Ok(()) };
        let bare = matches!(explosion.style, Style::Chain | Style::Compound) && matches!(explosion.cap, Cap::Unlimited);
        // `!=` reads as "differs" to most people, so a bare mark takes the double sign.
        self.comparison(if bare && when.comparator == Comparator::Equal { "=" } else { "" }, when, f)
    }

    /// Prints one operator.
    pub(crate) fn operator(&self, operator: &Operator, f: &mut Formatter<'_>) -> fmt::Result {
        let (mark, amount) = match &operator.kind {
            OperatorKind::Keep(End::Highest, amount) => ("kh", amount),
            OperatorKind::Keep(End::Lowest, amount) => ("kl", amount),
            OperatorKind::Keep(End::Middle, amount) => ("km", amount),
            OperatorKind::Drop(End::Highest, amount) => ("dh", amount),
            OperatorKind::Drop(_, amount) => ("dl", amount),
            OperatorKind::AtLeast(amount) => ("min", amount),
            OperatorKind::AtMost(amount) => ("max", amount),
            OperatorKind::KeepIf(comparison) => return self.comparison("k", comparison, f),
            OperatorKind::DropIf(comparison) => return self.comparison("d", comparison, f),
            OperatorKind::RerollBetter(comparison) => return self.comparison("rb", comparison, f),
            OperatorKind::Count(comparison) => return self.comparison("", comparison, f),
            OperatorKind::Failures(comparison) => return self.comparison("f", comparison, f),
            OperatorKind::Doubles(comparison) => return self.comparison("ss", comparison, f),
            OperatorKind::Critical(critical, comparison) => {
                return self.comparison(if *critical == Critical::Success { "cs" } else { "cf" }, comparison, f);
            }
            OperatorKind::Explode(explosion) => return self.explosion(explosion, f),
            OperatorKind::Reroll(cap, comparison) => {
                f.write_char('r')?;
                self.cap(cap, f)?;
                return self.comparison("", comparison, f);
            }
            OperatorKind::Unique => return f.write_char('u'),
            OperatorKind::Sort(Order::Ascending) => return f.write_str("sa"),
            OperatorKind::Sort(Order::Descending) => return f.write_str("sd"),
            OperatorKind::Label(label) => return write!(f, "[{}]", label.0),
        };
        f.write_str(mark)?;
        self.amount(amount, f)
    }
}

impl Display for Faces {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (i, (first, last)) in self.written.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            write!(f, "{first}")?;
            if first != last {
                write!(f, "..{last}")?;
            }
        }
        f.write_char(']')
    }
}
