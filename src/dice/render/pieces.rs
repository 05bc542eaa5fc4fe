//! What all renderers of text share: a roll cut into pieces that know what they are.

use crate::dice::Roll;
use crate::dice::notation::tree::{
    Amount, Arithmetic, Critical, Function, Node, NodeKind, Operator, Order, Sign, Tree,
};
use crate::dice::roll::{Fate, Origin, RolledDie, RolledGroup, RolledKind, RolledMember, RolledNode, RolledPool};
use crate::printable::escaped;

use super::result::{comment, result};

/// So many dice of a pool, or members of a list, are shown; the rest is counted.
const SHOWN: usize = 100;

/// What a die or member looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Kept,
    Dropped,
    Rerolled,
    Success,
    Failure,
}

/// A piece of a rendered roll.
#[derive(Debug)]
pub(super) enum Piece {
    /// Text as it stands.
    Text(String),
    /// A die: its number with the marks `!`, `>`; and of a success how often it counts.
    Die { shown: String, look: Look, stars: usize },
    /// What follows, up to the close, is a member with this look.
    Open(Look),
    /// The end of such a member.
    Close(Look),
    /// What the roll came to.
    Total(String),
}

/// Cuts a roll into pieces.
pub(super) fn pieces(roll: &Roll) -> Vec<Piece> {
    let tree = roll.tree();
    let mut writer = Writer { tree, written: roll.text(), dice: roll.dice(), pieces: Vec::new() };
    for (binding, rolled) in tree.bindings.iter().zip(roll.bindings()) {
        writer.text(format!("{} := ", binding.name));
        writer.node(&binding.value, rolled);
        writer.text("; ");
    }
    writer.node(&tree.root, roll.root());
    writer.text(" = ");
    writer.pieces.push(Piece::Total(result(roll)));
    if let Some(comment) = comment(roll) {
        writer.text(format!(" # {comment}"));
    }
    writer.pieces
}

struct Writer<'r> {
    tree: &'r Tree,
    /// The text that was read.
    written: &'r str,
    dice: &'r [RolledDie],
    pieces: Vec<Piece>,
}

/// Shows something of a tree as text.
struct Shown<F>(F);

impl<F: Fn(&mut std::fmt::Formatter<'_>) -> std::fmt::Result> std::fmt::Display for Shown<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (self.0)(f)
    }
}

impl Writer<'_> {
    fn text(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Text(escaped(&text.into()).into_owned()));
    }

    /// A node that was not rolled, as written.
    fn written(&mut self, node: &Node) {
        let text = Shown(|f: &mut std::fmt::Formatter<'_>| self.tree.node(node, f)).to_string();
        self.text(text);
    }

    fn operators(&mut self, operators: &[Operator]) {
        for operator in operators {
            let text = Shown(|f: &mut std::fmt::Formatter<'_>| self.tree.operator(operator, f)).to_string();
            self.text(text);
        }
    }

    fn node(&mut self, node: &Node, rolled: &RolledNode) {
        match (&node.kind, &rolled.kind) {
            (NodeKind::Parameter(_) | NodeKind::Name(_), _) => {
                self.written(node);
                self.text(format!(" ({})", rolled.value));
            }
            (NodeKind::Pool(_), RolledKind::Pool(pool)) => {
                self.written(node);
                self.pool(node, pool);
            }
            (NodeKind::Group(group), RolledKind::Group(rolled)) => {
                self.group(&group.members, rolled);
                self.operators(&group.operators);
                self.computed(node, &rolled.computed);
            }
            (NodeKind::Repeat(count, body), RolledKind::Repeat { count: times, members }) => {
                self.node(count, times);
                self.text(" x {");
                let bodies: Vec<_> = members.iter().map(|member| (&**body, member, Look::Kept)).collect();
                self.members(&bodies);
                self.text("}");
            }
            (NodeKind::KeepMembers(keep), RolledKind::KeepMembers { number, list, .. }) => {
                self.node(&keep.list, list);
                let end = if keep.end == crate::dice::notation::tree::End::Lowest { "kl" } else { "kh" };
                self.text(match &keep.number {
                    Amount::Number(number) => format!("{end}{number}"),
                    Amount::Implied | Amount::Computed(_) => end.to_owned(),
                });
                self.computed(node, number);
            }
            (_, RolledKind::Inner(nodes)) => self.inner(node, nodes),
            _ => self.written(node),
        }
    }

    fn inner(&mut self, node: &Node, rolled: &[RolledNode]) {
        match (&node.kind, rolled) {
            (NodeKind::Bracket(inner), [rolled]) => {
                self.text(inner.bracket());
                self.node(inner, rolled);
                self.text(")");
            }
            (NodeKind::Labeled(inner, label), [rolled]) => {
                self.node(inner, rolled);
                self.text(format!("[{}]", label.0));
            }
            (NodeKind::Sign(sign, inner), [rolled]) => {
                self.text(if *sign == Sign::Minus { "-" } else { "+" });
                self.node(inner, rolled);
            }
            (NodeKind::Chain(chain), [first, rest @ ..]) => {
                self.node(&chain.first, first);
                for ((operator, operand), rolled) in chain.rest.iter().zip(rest) {
                    self.text(format!(" {} ", operator.text()));
                    self.node(operand, rolled);
                    // A decimal factor was written: whoever wrote it may not expect whole numbers.
                    let decimal = operand.span.of(self.written).contains('.');
                    if *operator == Arithmetic::Divide && decimal && matches!(operand.kind, NodeKind::Number(_)) {
                        self.text(" (rounded down)");
                    }
                }
            }
            (NodeKind::Power(left, right), [base, exponent]) => {
                self.node(left, base);
                self.text(" ^ ");
                self.node(right, exponent);
            }
            (NodeKind::Compare(left, comparator, right), [one, other]) => {
                self.node(left, one);
                self.text(format!(" {} ", comparator.text()));
                self.node(right, other);
            }
            (NodeKind::Call(function, arguments), rolled) => self.call(*function, arguments, rolled),
            _ => self.written(node),
        }
    }

    fn call(&mut self, function: Function, arguments: &[Node], rolled: &[RolledNode]) {
        self.text(format!("{}(", function.text()));
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            // Of an `if` only the condition and the branch taken were rolled.
            match rolled.iter().find(|rolled| rolled.span == argument.span) {
                Some(rolled) => self.node(argument, rolled),
                None => self.written(argument),
            }
        }
        self.text(")");
    }

    /// Computed numbers that had dice: ` (1d4 [2])`.
    fn computed(&mut self, node: &Node, rolled: &[RolledNode]) {
        for rolled in rolled {
            let mut found = None;
            node.each_child(&mut |child| found = found.or((child.span == rolled.span).then_some(child)));
            let Some(child) = found else { continue };
            if matches!(child.kind, NodeKind::Number(_)) {
                continue;
            }
            self.text(" (");
            self.node(child, rolled);
            self.text(")");
        }
    }

    fn group(&mut self, members: &[Node], rolled: &RolledGroup) {
        let mut all: Vec<(&Node, &RolledMember)> = members.iter().zip(&rolled.members).collect();
        match rolled.sorted {
            Some(Order::Ascending) => all.sort_by_key(|(_, member)| member.node.value.number()),
            Some(Order::Descending) => all.sort_by_key(|(_, member)| std::cmp::Reverse(member.node.value.number())),
            None => {}
        }
        let looks: Vec<_> =
            all.into_iter().map(|(node, member)| (node, &member.node, look(member.fate, member.counted))).collect();
        self.text("{");
        self.members(&looks);
        self.text("}");
    }

    fn members(&mut self, members: &[(&Node, &RolledNode, Look)]) {
        for (i, (node, rolled, look)) in members.iter().take(SHOWN).enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.pieces.push(Piece::Open(*look));
            self.node(node, rolled);
            self.pieces.push(Piece::Close(*look));
        }
        self.more(members.len());
    }

    fn more(&mut self, all: usize) {
        if all > SHOWN {
            self.text(format!(", … {} more", all - SHOWN));
        }
    }

    /// The dice of a pool behind its text.
    fn pool(&mut self, node: &Node, pool: &RolledPool) {
        self.computed(node, &pool.computed);
        let dice = self.dice.get(pool.first as usize..(pool.first + pool.dice) as usize).unwrap_or(&[]);
        let exploded = dice_that_added(dice, pool.first);
        let shown: Vec<&RolledDie> = in_order(dice, pool).into_iter().filter(|die| !is_compound_link(die)).collect();
        self.text(" [");
        for (i, die) in shown.iter().take(SHOWN).enumerate() {
            if i > 0 {
                self.text(", ");
            }
            let mark = exploded.get((die.draw - pool.first) as usize).copied().unwrap_or(Mark::None);
            let last_of_chain = shown.get(i + 1).is_none_or(|next| next.chain != die.chain);
            self.die(die, mark, if last_of_chain { self.clamped_chain(die) } else { None });
        }
        self.more(shown.len());
        self.text("]");
    }

    /// The sum and the value of the die's chain, where a clamp changed a chain of several dice.
    fn clamped_chain(&self, die: &RolledDie) -> Option<(i64, i64)> {
        let head = self.dice.get(die.chain as usize)?;
        if head.links < 2 || head.changed_by.is_none() {
            return None;
        }
        let chain = self.dice.iter().skip(die.chain as usize).filter(|link| link.chain == head.draw);
        let sum = chain.fold(0i64, |sum, link| sum.saturating_add(link.value));
        (sum != head.chain_value).then_some((sum, head.chain_value))
    }

    fn die(&mut self, die: &RolledDie, mark: Mark, clamped: Option<(i64, i64)>) {
        let mut shown = match mark {
            Mark::Compound => die.chain_value.to_string(),
            _ if die.value != die.raw => format!("{}>{}", die.raw, die.value),
            _ => die.raw.to_string(),
        };
        shown.push_str(match mark {
            Mark::None => "",
            Mark::Exploded => "!",
            Mark::Compound => "!!",
        });
        if let (Some((sum, value)), Mark::None | Mark::Exploded) = (clamped, mark) {
            shown = format!("{shown} ({sum}>{value})");
        }
        let head = self.dice.get(die.chain as usize).unwrap_or(die);
        let look = look(die.fate, if head.links > 1 { head.counted } else { die.counted });
        shown.push_str(match head.mark.filter(|_| look != Look::Rerolled) {
            Some(Critical::Success) => " cs",
            Some(Critical::Failure) => " cf",
            None => "",
        });
        let stars = head.counted.unsigned_abs() as usize;
        self.pieces.push(Piece::Die { shown, look, stars });
    }
}

fn look(fate: Fate, counted: i32) -> Look {
    match fate {
        Fate::Dropped(_) => Look::Dropped,
        Fate::Rerolled(_) => Look::Rerolled,
        Fate::Kept if counted > 0 => Look::Success,
        Fate::Kept if counted < 0 => Look::Failure,
        Fate::Kept => Look::Kept,
    }
}

/// Whether a die added another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Exploded,
    Compound,
}

fn is_compound_link(die: &RolledDie) -> bool {
    matches!(die.origin, Origin::Added { compound: true, .. })
}

fn dice_that_added(dice: &[RolledDie], first: u32) -> Vec<Mark> {
    let mut marks = vec![Mark::None; dice.len()];
    for die in dice {
        if let Origin::Added { to, compound, .. } = die.origin
            && let Some(mark) = marks.get_mut((to - first) as usize)
        {
            *mark = if compound { Mark::Compound } else { Mark::Exploded };
        }
    }
    marks
}

/// The dice of a pool as they lie on the table: what was added or rolled again stands behind its cause.
fn in_order<'d>(dice: &'d [RolledDie], pool: &RolledPool) -> Vec<&'d RolledDie> {
    // For each die the first die it goes back to, and the unit it is sorted with.
    let mut places: Vec<(u32, u32)> = Vec::with_capacity(dice.len());
    for (index, die) in dice.iter().enumerate() {
        let back = |to: u32| places.get((to - pool.first) as usize).copied().unwrap_or_default();
        let own = index as u32;
        places.push(match die.origin {
            Origin::First => (own, own),
            Origin::Replaces { die, .. } => back(die),
            Origin::Added { to, .. } if die.chain == die.draw => (back(to).0, own),
            Origin::Added { to, .. } => back(to),
        });
    }
    let mut values = vec![0; dice.len()];
    for (die, (_, unit)) in dice.iter().zip(&places) {
        if die.chain == die.draw && !matches!(die.fate, Fate::Rerolled(_)) {
            values[*unit as usize] = die.chain_value;
        }
    }
    let mut order: Vec<usize> = (0..dice.len()).collect();
    order.sort_by_key(|&index| (places[index].0, index));
    match pool.sorted {
        Some(Order::Ascending) => order.sort_by_key(|&index| values[places[index].1 as usize]),
        Some(Order::Descending) => {
            order.sort_by_key(|&index| std::cmp::Reverse(values[places[index].1 as usize]));
        }
        None => {}
    }
    order.into_iter().map(|index| &dice[index]).collect()
}
