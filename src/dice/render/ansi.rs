//! Text with ANSI colors: dropped and rerolled dice dim and struck, successes green, failures red, the total bold.

use super::pieces::{Look, Piece};

const RESET: &str = "\u{1b}[0m";

fn color(look: Look) -> Option<&'static str> {
    match look {
        Look::Kept => None,
        Look::Dropped => Some("\u{1b}[2;9m"),
        Look::Rerolled => Some("\u{1b}[2;3m"),
        Look::Success => Some("\u{1b}[1;32m"),
        Look::Failure => Some("\u{1b}[31m"),
    }
}

/// Writes one piece behind the text.
pub(super) fn write(mut text: String, piece: &Piece) -> String {
    match piece {
        Piece::Text(written) => text.push_str(written),
        Piece::Total(total) => text.extend(["\u{1b}[1m", total, RESET]),
        Piece::Open(look) => text.push_str(color(*look).unwrap_or("")),
        Piece::Close(look) => text.push_str(color(*look).map_or("", |_| RESET)),
        Piece::Die { shown, look, stars } => {
            text.push_str(color(*look).unwrap_or(""));
            text.push_str(shown);
            match look {
                Look::Rerolled => text.push('r'),
                Look::Success => text.extend(std::iter::repeat_n('*', *stars)),
                Look::Failure => text.push('f'),
                Look::Kept | Look::Dropped => {}
            }
            text.push_str(color(*look).map_or("", |_| RESET));
        }
    }
    text
}
