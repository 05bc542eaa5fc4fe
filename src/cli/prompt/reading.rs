//! What a typed line is: a command, dice, odds, a word, or a script.

use crate::dice::notation::{NotationError, Reading, reads_as};
use crate::lua::{Host, Limits};

/// What a line is meant as.
#[derive(Debug, PartialEq)]
pub enum Meant<'t> {
    /// A short command, with its colon.
    Command(String),
    /// Dice to roll.
    Dice(&'t str),
    /// What can only be dice, and is none.
    NoDice(&'t str, NotationError),
    /// Odds of dice, and the dice to set beside them.
    Odds(&'t str, Option<&'t str>),
    /// A single word.
    Word(&'t str),
    /// Lua.
    Script,
}

/// Words that are commands where a person types them alone.
const BARE: [(&str, &str); 7] = [
    ("why", ":why"),
    ("undo", ":undo"),
    ("redo", ":redo"),
    ("log", ":log"),
    ("help", ":help"),
    ("exit", ":quit"),
    ("quit", ":quit"),
];

/// Words that a script may consist of or begin with.
const KEYWORDS: [&str; 22] = [
    "and", "break", "continue", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// What an entry, whole or its first line, is meant as.
pub fn meant(entry: &str) -> Meant<'_> {
    let text = entry.trim();
    if text.starts_with(':') {
        return Meant::Command(text.to_owned());
    }
    if let Some((_, command)) = BARE.iter().find(|(word, _)| *word == text) {
        return Meant::Command((*command).to_owned());
    }
    if let Some((verb, rest)) = text.split_once(char::is_whitespace) {
        let rest = rest.trim_start();
        match verb {
            "help" if rest.starts_with(|c: char| c.is_alphanumeric()) => {
                return Meant::Command(format!(":help {rest}"));
            }
            "undo" if rest.bytes().all(|byte| byte.is_ascii_digit()) => return Meant::Command(format!(":undo {rest}")),
            "die" if rest.contains(" was ") => return Meant::Command(format!(":die {rest}")),
            "roll" if reads_as(rest) != Reading::NotDice => return dice(rest).unwrap_or(Meant::Script),
            "odds" => {
                if let Some(odds) = odds(rest) {
                    return odds;
                }
            }
            _ => {}
        }
    }
    if let Some(dice) = dice(text) {
        return dice;
    }
    let is_word = text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&text);
    if is_word { Meant::Word(text) } else { Meant::Script }
}

fn dice(text: &str) -> Option<Meant<'_>> {
    match reads_as(text) {
        Reading::Dice => Some(Meant::Dice(text)),
        Reading::OnlyDice(error) => Some(Meant::NoDice(text, error)),
        Reading::NotDice => None,
    }
}

/// `odds 3d6`, `odds d20+7 vs d20+3`.
fn odds(text: &str) -> Option<Meant<'_>> {
    let parted = [" vs ", " against "].iter().find_map(|between| text.split_once(between));
    let (first, second) = parted.map_or((text, None), |(first, second)| (first.trim(), Some(second.trim())));
    for side in std::iter::once(first).chain(second) {
        if let Reading::OnlyDice(error) = reads_as(side) {
            return Some(Meant::NoDice(side, error));
        }
    }
    // A number may stand on one side: its odds are certain.
    let rolls = |side: &str| reads_as(side) == Reading::Dice;
    (rolls(first) || second.is_some_and(rolls)).then_some(Meant::Odds(first, second))
}

/// Whether the lines typed so far are the beginning of something, so that another belongs to them.
pub fn goes_on(entry: &str) -> bool {
    // What is too long to be run is told so, and not read any further.
    entry.len() <= Limits::default().source && meant(entry) == Meant::Script && Host::is_incomplete(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_dice_before_anything_else_is_asked() {
        for line in ["d%", "3d6", "d20 # hit the orc", "6 x 4d6kh3", "roll 3d6"] {
            assert!(matches!(meant(line), Meant::Dice(_)), "{line}: {:?}", meant(line));
            assert!(!goes_on(line), "{line}");
        }
        for line in ["1d20 to hit", "1d6r7", "3d6x10", "2d6 +", "8d6 fireball", "1d20+5 vs 15", "6#4d6kh3", "(3d6"] {
            assert!(matches!(meant(line), Meant::NoDice(..)), "{line}: {:?}", meant(line));
            assert!(!goes_on(line), "{line}");
        }
    }

    #[test]
    fn words_that_people_type_are_commands() {
        let command = |line| match meant(line) {
            Meant::Command(command) => command,
            other => panic!("{line} is {other:?}"),
        };
        assert_eq!(command("help"), ":help");
        assert_eq!(command("help check.roll"), ":help check.roll");
        assert_eq!(command(" exit "), ":quit");
        assert_eq!(command("quit"), ":quit");
        assert_eq!(command("why"), ":why");
        assert_eq!(meant("help = 3"), Meant::Script);
        assert_eq!(meant("help(3)"), Meant::Script);
    }

    #[test]
    fn odds_are_asked_as_they_are_spoken() {
        assert_eq!(meant("odds 3d6"), Meant::Odds("3d6", None));
        assert_eq!(meant("odds d20+7 vs d20+3"), Meant::Odds("d20+7", Some("d20+3")));
        assert_eq!(meant("odds 2d6 against 7"), Meant::Odds("2d6", Some("7")));
        assert!(matches!(meant("odds 3d6x10"), Meant::NoDice("3d6x10", _)));
        for script in ["odds \"3d6\"", "odds(\"3d6\")", "odds.sample{ \"3d6\" }", "odds { }", "odds = 3"] {
            assert_eq!(meant(script), Meant::Script, "{script}");
        }
    }

    #[test]
    fn scripts_are_scripts_and_blocks_go_on() {
        for line in ["x = 5", "say 'one'", "1 + 1", "roll(\"3d6\")", "local a = 3", "nil", "do"] {
            assert_eq!(meant(line), Meant::Script, "{line}");
        }
        assert_eq!(meant("fireball"), Meant::Word("fireball"));
        assert!(goes_on("do") && goes_on("function f()") && goes_on("do\nsay(1)"));
    }
}
