//! Requests a line on standard input, answers a line on standard output, in order, while they come.

use std::io::{self, BufRead, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::output::{Done, Failure, Out};
use crate::printable::escaped_json;

/// The longest request read; a longer line is refused and passed over.
const LONGEST: usize = 64 * 1024 * 1024;

/// The byte order mark, which some programs write before a text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Answers each line of standard input with what `answer` makes of it. A line that is no request gets an error line.
pub fn serve<Q: DeserializeOwned, A: Serialize, E: Serialize>(mut answer: impl FnMut(Q) -> Result<A, E>) -> Done {
    let mut input = io::stdin().lock();
    let mut output = Out;
    let mut bytes = Vec::new();
    let mut first = true;
    loop {
        bytes.clear();
        let read = io::Read::take(&mut input, LONGEST as u64 + 1).read_until(b'\n', &mut bytes).map_err(unreadable)?;
        if read == 0 {
            return Ok(());
        }
        let whole = bytes.last() == Some(&b'\n');
        if !whole && bytes.len() > LONGEST {
            skip_line(&mut input).map_err(unreadable)?;
            write_answer(&mut output, &bad_line("the line is longer than 64 MB", 0, 0))?;
            continue;
        }
        let line = if std::mem::take(&mut first) { bytes.strip_prefix(MARK).unwrap_or(&bytes) } else { &bytes };
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        match serde_json::from_slice::<Q>(text) {
            Ok(request) => match answer(request) {
                Ok(answer) => write_answer(&mut output, &answer)?,
                Err(refusal) => write_answer(&mut output, &refusal)?,
            },
            Err(problem) => {
                let column = problem.column();
                write_answer(&mut output, &bad_line(&problem.to_string(), column.saturating_sub(1), column))?;
            }
        }
    }
}

fn unreadable(problem: io::Error) -> Failure {
    Failure::Failed(format!("error: cannot read the requests: {problem}"))
}

fn bad_line(problem: &str, from: usize, to: usize) -> serde_json::Value {
    json!({ "error": "bad_request", "message": format!("this line is no request: {problem}"), "at": [from, to] })
}

fn write_answer(output: &mut impl Write, answer: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(answer)?;
    let mut text = escaped_json(&text).into_owned();
    text.push('\n');
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        if let Some(end) = buffer.iter().position(|&byte| byte == b'\n') {
            input.consume(end + 1);
            return Ok(());
        }
        let length = buffer.len();
        input.consume(length);
    }
}
