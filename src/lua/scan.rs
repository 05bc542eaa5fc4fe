//! Tells unfinished input from wrong input, for a prompt that reads several lines.
//!
//! Luau's compiler says of most unfinished text that it met the end too early. It does not say so of a string or a long
//! bracket that stays open, so those are found here.

use mlua::chunk::Compiler;

/// How a text ends, as far as strings and comments go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// In the open.
    Plain,
    /// Inside something that another line may close.
    Inside,
    /// Inside a quoted string that the end of its line has cut off: wrong, whatever follows.
    Cut,
}

/// The level of a long bracket that opens here: `[[` is 0, `[==[` is 2.
fn long_bracket(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"[")?;
    let level = rest.iter().take_while(|byte| **byte == b'=').count();
    (rest.get(level) == Some(&b'[')).then_some(level)
}

/// What follows the closing bracket of this level.
fn after_long_bracket(mut bytes: &[u8], level: usize) -> Option<&[u8]> {
    while let Some(at) = bytes.iter().position(|byte| *byte == b']') {
        let rest = &bytes[at + 1..];
        let equals = rest.iter().take_while(|byte| **byte == b'=').count();
        if equals == level && rest.get(equals) == Some(&b']') {
            return Some(&rest[equals + 1..]);
        }
        bytes = rest;
    }
    None
}

/// Strings with expressions that hold strings with expressions: the compiler takes fewer.
const DEEPEST: usize = 100;

/// What follows a quoted string that began with `quote`, or how the text ends inside it. Backquoted strings may hold
/// expressions in braces, whose own strings do not end them.
fn after_quoted(mut bytes: &[u8], quote: u8, depth: usize) -> Result<&[u8], End> {
    loop {
        match bytes {
            [] if quote == b'`' => return Err(End::Inside),
            [] => return Err(End::Cut),
            // A backslash at the very end takes the line break that is still to come.
            [b'\\'] => return Err(End::Inside),
            // `\z` skips all white space that follows, line breaks too.
            [b'\\', b'z', rest @ ..] => {
                bytes = rest.trim_ascii_start();
                if bytes.is_empty() {
                    return Err(End::Inside);
                }
            }
            [b'\\', b'\r', b'\n', rest @ ..] | [b'\\', _, rest @ ..] => bytes = rest,
            [b'\n', ..] if quote != b'`' => return Err(End::Cut),
            [b'{', ..] if quote == b'`' && depth >= DEEPEST => return Err(End::Cut),
            [b'{', rest @ ..] if quote == b'`' => bytes = after_plain(rest, depth + 1)?,
            [byte, rest @ ..] if *byte == quote => return Ok(rest),
            [_, rest @ ..] => bytes = rest,
        }
    }
}

/// What follows plain code: to its end, or inside of `within` strings to the brace that closes it.
fn after_plain(mut bytes: &[u8], within: usize) -> Result<&[u8], End> {
    let in_braces = within > 0;
    let mut depth = 0_usize;
    loop {
        bytes = match bytes {
            [] if in_braces => return Err(End::Inside),
            [] => return Ok(bytes),
            [b'-', b'-', rest @ ..] => match long_bracket(rest) {
                Some(level) => after_long_bracket(&rest[level + 2..], level).ok_or(End::Inside)?,
                None => rest.iter().position(|byte| *byte == b'\n').map_or(&[][..], |at| &rest[at..]),
            },
            [quote @ (b'"' | b'\'' | b'`'), rest @ ..] => after_quoted(rest, *quote, within)?,
            [b'{', rest @ ..] => {
                depth += 1;
                rest
            }
            [b'}', rest @ ..] if in_braces && depth == 0 => return Ok(rest),
            [b'}', rest @ ..] => {
                depth = depth.saturating_sub(1);
                rest
            }
            [b'[', rest @ ..] => match long_bracket(bytes) {
                Some(level) => after_long_bracket(&bytes[level + 2..], level).ok_or(End::Inside)?,
                None => rest,
            },
            [_, rest @ ..] => rest,
        };
    }
}

fn end_of(text: &str) -> End {
    after_plain(text.as_bytes(), 0).err().unwrap_or(End::Plain)
}

/// Whether the compiler takes the text, and if not, whether it met the end too early.
fn compiler_wants_more(text: &str) -> Option<bool> {
    match Compiler::new().compile(text) {
        Ok(_) => None,
        Err(mlua::Error::SyntaxError { message, .. }) => Some(message.contains("got <eof>")),
        Err(_) => Some(false),
    }
}

/// Whether a text is the beginning of something: more lines may make it whole.
pub(crate) fn is_incomplete(text: &str) -> bool {
    match end_of(text) {
        End::Inside => return true,
        End::Cut => return false,
        End::Plain => {}
    }
    let text = without_equals(text);
    if text.trim().is_empty() {
        return false;
    }
    let as_statements = compiler_wants_more(text);
    let as_expression = compiler_wants_more(&format!("return {text}"));
    // Whole in either reading, it is whole.
    as_statements.is_some() && as_expression.is_some() && (as_statements == Some(true) || as_expression == Some(true))
}

/// A prompt line without the `=` that some people put before an expression.
pub(crate) fn without_equals(text: &str) -> &str {
    text.trim_start().strip_prefix('=').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::is_incomplete;

    #[test]
    fn open_blocks_brackets_and_strings_want_another_line() {
        for text in [
            "function f()",
            "if x then",
            "rules.check.roll{ score = 12,",
            "1 +",
            "= 1 +",
            "x = (",
            "f(function() return 1 end",
            "s = [[open",
            "s = [==[ ]] ]=]",
            "--[[ a comment",
            "--[=[ ]]",
            "`a {1 + ",
            "`a {f(\"}\")",
            "`open",
            "\"ends with a backslash\\",
            "\"skips \\z",
            "local x =",
            "for i = 1, 3 do say(i)",
        ] {
            assert!(is_incomplete(text), "{text}");
        }
    }

    #[test]
    fn whole_and_wrong_input_wants_none() {
        for text in [
            "",
            "1 + 1",
            "= 1",
            "x = 1",
            "\"a -- b\"",
            "'[[' .. x",
            "-- a comment",
            "--[[ a comment ]]",
            "`a {1} b`",
            "`a {f(\"}\")} b`",
            "[[a]]",
            "x = 'cut",
            "x = \"cut\ny\"",
            "end",
            "x = = 1",
            "t[a[1]]",
            "1 + )",
        ] {
            assert!(!is_incomplete(text), "{text}");
        }
    }
}
