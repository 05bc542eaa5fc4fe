//! Markdown: dropped dice struck, successes bold, rerolled and failed ones italic, the total bold.

use super::pieces::{Look, Piece};

fn mark(look: Look) -> &'static str {
    match look {
        Look::Kept => "",
        Look::Dropped => "~~",
        Look::Success => "**",
        Look::Rerolled | Look::Failure => "*",
    }
}

fn escape(text: &mut String, written: &str) {
    for letter in written.chars() {
        if matches!(letter, '\\' | '*' | '_' | '~' | '`' | '<' | '>' | '|') {
            text.push('\\');
        }
        text.push(letter);
    }
}

/// Writes one piece behind the text.
pub(super) fn write(mut text: String, piece: &Piece) -> String {
    match piece {
        Piece::Text(written) => escape(&mut text, written),
        Piece::Total(total) => text.extend(["**", total, "**"]),
        Piece::Open(look) | Piece::Close(look) => text.push_str(mark(*look)),
        Piece::Die { shown, look, stars } => {
            text.push_str(mark(*look));
            escape(&mut text, shown);
            match look {
                Look::Rerolled => text.push('r'),
                Look::Failure => text.push('f'),
                Look::Success => (1..*stars).for_each(|_| text.push_str("\\*")),
                Look::Kept | Look::Dropped => {}
            }
            text.push_str(mark(*look));
        }
    }
    text
}
