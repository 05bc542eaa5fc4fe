//! Names the Luau way where a script is written in the syntax of another Lua.

/// What other Luas write, and what Luau writes instead.
const WAYS: [(&str, &str); 11] = [
    ("goto ", "Luau has no goto: use `continue`, `break`, or a function that returns"),
    ("<close>", "Luau has no <close>: end the block with an ordinary call"),
    ("<const>", "Luau has no <const>: write `local` alone"),
    ("<<", "Luau has no << operator: bit32.lshift(a, n)"),
    (">>", "Luau has no >> operator: bit32.rshift(a, n)"),
    ("&&", "Luau writes `and`"),
    ("||", "Luau writes `or`"),
    ("!=", "Luau writes ~= for \"not equal\""),
    ("&", "Luau has no & operator: bit32.band(a, b)"),
    ("|", "Luau has no | operator: bit32.bor(a, b)"),
    ("++", "Luau writes x += 1"),
];

/// A line without its texts and comment, so that what is quoted is not taken for code.
fn code_of(line: &str) -> String {
    let mut code = String::new();
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '-') if chars.peek() == Some(&'-') => break,
            (None, c) => code.push(c),
        }
    }
    code
}

/// The Luau way, when a line that does not compile uses another Lua's syntax.
pub(crate) fn luau_way(line: &str) -> Option<&'static str> {
    let code = code_of(line);
    if let Some((_, way)) = WAYS.iter().find(|(theirs, _)| code.contains(theirs)) {
        return Some(way);
    }
    let trimmed = code.trim();
    if trimmed.starts_with("::") && trimmed.ends_with("::") {
        return Some(WAYS[0].1);
    }
    // A lone ~ is an operator on bits elsewhere; ~= is fine.
    let lone_tilde = code.match_indices('~').any(|(at, _)| !code[at + 1..].starts_with('='));
    lone_tilde.then_some("Luau has no ~ operator: bit32.bxor(a, b), bit32.bnot(a)")
}

#[cfg(test)]
mod tests {
    use super::luau_way;

    #[test]
    fn syntax_of_other_luas_is_answered_with_luaus() {
        assert!(luau_way("goto done").unwrap().contains("continue"));
        assert!(luau_way("::done::").unwrap().contains("continue"));
        assert!(luau_way("local f <close> = g()").unwrap().contains("<close>"));
        assert!(luau_way("x = a & b").unwrap().contains("bit32.band"));
        assert!(luau_way("x = a ~ b").unwrap().contains("bit32.bxor"));
        assert!(luau_way("if a != b then").unwrap().contains("~="));
        assert_eq!(luau_way("x = '&' .. -- a | b"), None);
        assert_eq!(luau_way("if a ~= b the"), None);
    }
}
