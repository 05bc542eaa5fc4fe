//! Text of others, fit to be printed: what would steer a terminal is shown instead of obeyed.
//!
//! Everything that leaves the program goes through here. Scripts, names, answers, files and arguments may hold escape
//! sequences that move the cursor, rename the window or fill the clipboard, line breaks that fake a line of ours, and
//! marks that turn the direction of writing around.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character steers instead of standing for itself. A tab is harmless.
fn steers(letter: char) -> bool {
    let turns_writing = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks_lines = matches!(letter, '\u{2028}' | '\u{2029}');
    (letter.is_control() && letter != '\t') || turns_writing || breaks_lines
}

fn shown(text: &str, replaced: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let Some(first) = text.find(&replaced) else { return Cow::Borrowed(text) };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..first]);
    for letter in text[first..].chars() {
        if replaced(letter) { write(letter, &mut shown) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

/// One line of text: `\n`, `\r`, `\u{1b}` stand where such characters were.
///
/// ```
/// assert_eq!(grognard::printable::escaped("Hild\u{1b}[2J\n"), "Hild\\u{1b}[2J\\n");
/// ```
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    shown(text, steers, |letter, shown| shown.extend(letter.escape_default()))
}

/// The same for text of several lines, whose line breaks stay.
#[must_use]
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    shown(text, |letter| letter != '\n' && steers(letter), |letter, shown| shown.extend(letter.escape_default()))
}

/// The same for a JSON text, which stays the same value: such characters stand in its texts alone. Line breaks between
/// its parts stay.
#[must_use]
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    let write = |letter: char, shown: &mut String| {
        let mut units = [0; 2];
        for unit in letter.encode_utf16(&mut units) {
            // Writing into a String cannot fail.
            let _ = write!(shown, "\\u{unit:04x}");
        }
    };
    shown(json, |letter| letter != '\n' && steers(letter), write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        let hostile = "a\u{1b}]52;c;eA==\u{7}b\rc\u{8}d\u{9b}2Je\u{7f}f\u{202e}g";
        let harmless = "a\\u{1b}]52;c;eA==\\u{7}b\\rc\\u{8}d\\u{9b}2Je\\u{7f}f\\u{202e}g";
        assert_eq!(escaped(hostile), harmless);
        assert_eq!(escaped_lines(hostile), harmless);
    }

    #[test]
    fn lines_stay_where_lines_may_be() {
        assert_eq!(escaped("one\ntwo"), "one\\ntwo");
        assert_eq!(escaped_lines("one\n\ttwo\r\n"), "one\n\ttwo\\r\n");
    }

    #[test]
    fn plain_text_of_any_language_is_left_alone() {
        for text in ["", "Ægir drinks 3 × mead — 「乾杯」 🍺", "👩‍👩‍👧 and 🏳️‍🌈", "שלום"]
        {
            assert!(matches!(escaped(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "name": "a\u{1b}\u{9b}\u{7f}\u{2028}b", "lines": "one\ntwo" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let printed = escaped_json(&text);
        assert!(!printed.contains(['\u{9b}', '\u{7f}', '\u{2028}']), "{printed}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&printed).unwrap(), value);
    }
}
