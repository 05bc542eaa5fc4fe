//! Whether a line that a person types is meant as dice, at a prompt that understands other things too.

use super::dialect::Dialect;
use super::error::NotationError;
use super::limits::Limits;
use super::parser::parse;
use super::tree::{Function, Node, NodeKind};

/// What a typed line is, as far as dice notation can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Complete dice: it reads as notation and rolls something (`3d6`, `6 x 4d6kh3`, `d20 # to hit`).
    Dice,
    /// It begins as nothing but dice can (`1d20 to hit`, `2d6 +`, `4d6d1`), and this is what is wrong with it. No script
    /// can be meant: `3d6` is no word and no number of the scripting language.
    OnlyDice(NotationError),
    /// Words, a command, a script, or arithmetic without dice.
    NotDice,
}

/// Tells whether a line is dice, can only be dice, or is not dice.
///
/// Arithmetic without dice is not: there `5 / 2` means what the scripting language says.
///
/// ```
/// use grognard::dice::notation::{Reading, reads_as};
///
/// assert_eq!(reads_as("4d6kh3 # strength"), Reading::Dice);
/// assert!(matches!(reads_as("1d20 to hit"), Reading::OnlyDice(_)));
/// assert_eq!(reads_as("help"), Reading::NotDice);
/// ```
#[must_use]
pub fn reads_as(line: &str) -> Reading {
    reads_in(line, Dialect::Grognard)
}

/// The same for a line in another tool's notation.
#[must_use]
pub fn reads_in(line: &str, dialect: Dialect) -> Reading {
    match parse(line, &Limits::DEFAULT, dialect) {
        Ok(tree) => {
            let dice = has_dice(&tree.root) || tree.bindings.iter().any(|binding| has_dice(&binding.value));
            if dice { Reading::Dice } else { Reading::NotDice }
        }
        Err(error) if only_dice(line) => Reading::OnlyDice(error),
        Err(_) => Reading::NotDice,
    }
}

fn has_dice(node: &Node) -> bool {
    let mut found = matches!(node.kind, NodeKind::Pool(_));
    node.each_child(&mut |child| found = found || has_dice(child));
    found
}

/// Whether a line that is no complete dice can be nothing else.
fn only_dice(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with("--") {
        return false;
    }
    // Signs and brackets may open either; what comes next tells.
    let first = line.trim_start_matches(|c: char| c.is_whitespace() || "+-−–—({".contains(c));
    let word = word_at(first);
    let behind = &first[word.len()..];
    match first.chars().next() {
        Some('0'..='9') => names_a_die(line) || sides_missing(first),
        Some('$') => names_a_die(line),
        Some('d' | 'D') if is_die(first) => !goes_on_as_script(behind),
        // The name of a function opens a script as well, until something stands there that a script cannot have.
        Some(_) if Function::ALL.iter().any(|function| function.text().eq_ignore_ascii_case(word)) => names_a_die(line),
        _ => !word.is_empty() && behind.trim_start().starts_with(":="),
    }
}

/// The letters, digits and underscores at the beginning of a text.
fn word_at(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Whether a text begins as a die without a count does: `d20`, `d%`, `dF`, `d[1,2…`.
fn is_die(text: &str) -> bool {
    let mut letters = text.chars().skip(1);
    match letters.next() {
        Some('0'..='9') => true,
        Some('f' | 'F') => word_at(text).len() == 2,
        // `d % 2` and `d%2` may be a name and a remainder.
        Some('%') => letters.next().is_none_or(|next| !next.is_ascii_alphanumeric() && !"_([\"'{#".contains(next)),
        Some('[') => {
            let faces = &text[2..];
            let digits = faces.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || c == '-');
            digits.len() < faces.len() && (digits.starts_with(',') || digits.starts_with(".."))
        }
        _ => false,
    }
}

/// Whether what stands behind a word makes it a name in a script: an assignment, a field, a call, an index.
fn goes_on_as_script(behind: &str) -> bool {
    let next = behind.trim_start();
    let joined = matches!(word_at(next), "and" | "or");
    let index = next.strip_prefix('[').is_some_and(|within| within.trim_start().starts_with(['"', '\'', '[']));
    joined || index || next.starts_with(['=', '~', ',', '.', ':', '(', '{', '"', '\'', '`'])
}

/// Whether a number begins the text and a `d` follows that has no sides: `3d`, `3 d 6`.
fn sides_missing(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    word_at(behind).eq_ignore_ascii_case("d")
}

/// Whether something like `3d6` or `2d%` stands in a text outside of quotation marks: no script can be read with it.
fn names_a_die(text: &str) -> bool {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '\'' | '`') {
            rest = rest[1..].split_once(first).map_or("", |(_, behind)| behind);
            continue;
        }
        if first.is_ascii_digit() {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let sides = rest.strip_prefix(['d', 'D']);
            if sides.is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit() || "%[(fF".contains(c))) {
                return true;
            }
        }
        let word = word_at(rest).len();
        rest = if word > 0 { &rest[word..] } else { rest.get(first.len_utf8()..).unwrap_or("") };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_dice_are_dice_whatever_else_they_could_be() {
        for line in [
            "3d6",
            "d%",
            "d20",
            "d20+5",
            "dF",
            "d(6)",
            "6 x 4d6kh3",
            "a := 1d6; a - a",
            "{2d6,1d10}kh1",
            "1d20 # attack",
            "d20 # hit the orc",
            "(3d6)>=10",
            "-2d6",
            "max(1d6, 1d8)[cold]",
            "-9d20",
            // Refused when it is rolled: too many.
            "100000000d6",
        ] {
            assert_eq!(reads_as(line), Reading::Dice, "{line}");
        }
    }

    #[test]
    fn what_begins_as_only_dice_can_gets_the_error_of_dice() {
        for line in [
            "1d20 to hit",
            "d20 to hit",
            "1d6r7",
            "d6r7",
            "2d6 +",
            "d20 +",
            "8d6 fireball",
            "1d20+5 vs 15",
            "d20+5 vs 15",
            "6#4d6kh3",
            "4d6d1",
            "d6d1",
            "3d",
            "3 d 6",
            "(3d6",
            "{2d6, 1d10",
            "-(4d6)kh3",
            "max(3d6, 4",
            "a := 1d6",
            "$str + 3d6 to hit",
            "d[1,1,2]k",
            "d% or lower",
            "5 + 3d6 fire",
            "1d8 \"fire\"",
            "1d20—",
        ] {
            assert!(matches!(reads_as(line), Reading::OnlyDice(_)), "{line}: {:?}", reads_as(line));
        }
    }

    #[test]
    fn words_commands_scripts_and_bare_arithmetic_are_not_dice() {
        for line in [
            "",
            "help",
            "exit",
            "quit",
            "odds 3d6",
            "odds d20+7 vs d20+3",
            "why",
            "d",
            "damage",
            "drop",
            "2+2",
            "-5",
            "7/0",
            "5 goblins",
            "{ 1, 2 }",
            "{ hp = roll(\"3d6\").total }",
            "a != d20x",
            "attack 3",
            "x = 5",
            "local a = 3",
            "$str",
            "print(3)",
            "roll(\"3d6\")",
            "(roll(\"3d6\").total + 2)",
            "max(x, \"3d6\")",
            "x33d6 = 4",
            "0x1d6 + x",
            "# note",
            "-- 3d6 to hit",
            "save file",
            "for i=1,3 do",
            "d20.total",
            "d20 = roll(\"1d20\")",
            "d20 and x",
            "d20, d6 = 1, 2",
            "d20(x)",
            "d(x)",
            "d[i]",
            "d % x",
            "d%x",
            "d%2",
        ] {
            assert_eq!(reads_as(line), Reading::NotDice, "{line}");
        }
    }
}
