//! Plain text: marks of single characters.

use super::pieces::{Look, Piece};

/// Writes one piece behind the text.
pub(super) fn write(mut text: String, piece: &Piece) -> String {
    match piece {
        Piece::Text(written) => text.push_str(written),
        Piece::Total(total) => text.push_str(total),
        Piece::Open(Look::Dropped) => text.push('('),
        Piece::Close(Look::Dropped) => text.push(')'),
        Piece::Open(_) | Piece::Close(_) => {}
        Piece::Die { shown, look, stars } => match look {
            Look::Dropped => text.extend(["(", shown, ")"]),
            Look::Rerolled => text.extend([shown, "r"]),
            Look::Failure => text.extend([shown, "f"]),
            Look::Success => {
                text.push_str(shown);
                text.extend(std::iter::repeat_n('*', *stars));
            }
            Look::Kept => text.push_str(shown),
        },
    }
    text
}
