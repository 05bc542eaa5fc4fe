//! What the table hears and answers.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::rc::Rc;

use crate::printable::escaped;

/// Why the table gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VoiceError {
    /// The list of answers is at its end.
    #[error("the answers ran out: {given} were given, and \"{question}\" is asked")]
    RanOut {
        /// The question without an answer.
        question: String,
        /// How many answers were used before.
        given: usize,
    },
    /// A listed answer that does not fit its question.
    #[error("\"{answer}\" is no answer to \"{question}\": {wanted} (answer {position})")]
    NoAnswer {
        /// The question.
        question: String,
        /// The answer given.
        answer: String,
        /// What would be one.
        wanted: String,
        /// Which answer, counted from 1.
        position: usize,
    },
    /// Nobody is there to answer any more.
    #[error("nobody answers \"{0}\": the input is closed")]
    Closed(String),
    /// The person at the table broke off.
    #[error("stopped at \"{0}\"")]
    Stopped(String),
    /// What was said could not be written.
    #[error("what was said could not be written: {0}")]
    Output(#[from] io::Error),
}

/// The table: it hears what a script says and answers what it asks.
pub trait Voice {
    /// Hears a line.
    fn say(&mut self, text: &str) -> Result<(), VoiceError>;

    /// Hears a line that is for the Dungeon Master alone.
    fn secret(&mut self, text: &str) -> Result<(), VoiceError> {
        self.say(text)
    }

    /// Answers a question in free text.
    fn ask(&mut self, question: &str) -> Result<String, VoiceError>;

    /// Picks one of the choices (there is at least one) and returns its place, counted from 0.
    fn choose(&mut self, question: &str, choices: &[String]) -> Result<usize, VoiceError>;

    /// Says yes or no.
    fn confirm(&mut self, question: &str) -> Result<bool, VoiceError>;
}

/// An empty room: what is said is lost, and every question is an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Voice for Nobody {
    fn say(&mut self, _: &str) -> Result<(), VoiceError> {
        Ok(())
    }
    fn ask(&mut self, question: &str) -> Result<String, VoiceError> {
        Err(VoiceError::Closed(question.to_owned()))
    }
    fn choose(&mut self, question: &str, _: &[String]) -> Result<usize, VoiceError> {
        Err(VoiceError::Closed(question.to_owned()))
    }
    fn confirm(&mut self, question: &str) -> Result<bool, VoiceError> {
        Err(VoiceError::Closed(question.to_owned()))
    }
}

/// The place (from 0) of the choice that a typed answer means: its number from 1, its text in any case, or the only
/// choice that begins with it.
#[must_use]
pub fn choice_meant(answer: &str, choices: &[String]) -> Option<usize> {
    let answer = answer.trim().to_lowercase();
    if answer.is_empty() {
        return None;
    }
    if let Some(exact) = choices.iter().position(|choice| choice.to_lowercase() == answer) {
        return Some(exact);
    }
    if let Ok(number) = answer.parse::<usize>() {
        return (1..=choices.len()).contains(&number).then(|| number - 1);
    }
    let mut begun = choices.iter().enumerate().filter(|(_, choice)| choice.to_lowercase().starts_with(&answer));
    let (place, _) = begun.next()?;
    begun.next().is_none().then_some(place)
}

/// Whether a typed answer means yes (`true`), no (`false`) or neither.
#[must_use]
pub fn yes_or_no(answer: &str) -> Option<bool> {
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" | "true" => Some(true),
        "n" | "no" | "false" => Some(false),
        _ => None,
    }
}

/// A table that answers from a list, one answer a line; what is said goes to `W`.
///
/// Empty lines and lines that begin with `#` are passed over. A list at its end is an error that names the question.
#[derive(Debug)]
pub struct Answers<W> {
    waiting: VecDeque<String>,
    given: usize,
    output: W,
}

impl<W: Write> Answers<W> {
    /// Reads the list of answers from the text of an answers file.
    #[must_use]
    pub fn new(text: &str, output: W) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Answers { waiting: lines.map(str::to_owned).collect(), given: 0, output }
    }

    /// How many answers have not been given.
    #[must_use]
    pub fn unused(&self) -> usize {
        self.waiting.len()
    }

    fn next(&mut self, question: &str) -> Result<String, VoiceError> {
        let answer = self.waiting.pop_front();
        let answer = answer.ok_or_else(|| VoiceError::RanOut { question: question.to_owned(), given: self.given })?;
        self.given += 1;
        writeln!(self.output, "{question} {}", escaped(&answer))?;
        Ok(answer)
    }

    fn no_answer(&self, question: &str, answer: String, wanted: impl Into<String>) -> VoiceError {
        VoiceError::NoAnswer { question: question.to_owned(), answer, wanted: wanted.into(), position: self.given }
    }
}

impl<W: Write> Voice for Answers<W> {
    fn say(&mut self, text: &str) -> Result<(), VoiceError> {
        Ok(writeln!(self.output, "{text}")?)
    }

    fn ask(&mut self, question: &str) -> Result<String, VoiceError> {
        self.next(question)
    }

    fn choose(&mut self, question: &str, choices: &[String]) -> Result<usize, VoiceError> {
        let answer = self.next(question)?;
        let place = choice_meant(&answer, choices);
        place.ok_or_else(|| self.no_answer(question, answer, format!("choose {}", choices.join(", "))))
    }

    fn confirm(&mut self, question: &str) -> Result<bool, VoiceError> {
        let answer = self.next(question)?;
        yes_or_no(&answer).ok_or_else(|| self.no_answer(question, answer, "say yes or no"))
    }
}

/// A writer whose clones share what was written; for tests and for programs that look at it afterwards.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Rc<RefCell<Vec<u8>>>);

impl Transcript {
    /// All that was written.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.borrow()).into_owned()
    }
}

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors() -> Vec<String> {
        ["Hold the door", "Hide", "Run"].map(str::to_owned).to_vec()
    }

    #[test]
    fn answers_are_given_in_order_and_their_end_names_the_question() {
        let heard = Transcript::default();
        let mut voice = Answers::new("# the first evening\nGrond\n\n2\nyes\n", heard.clone());
        assert_eq!(voice.ask("Your name?").unwrap(), "Grond");
        assert_eq!(voice.choose("What now?", &doors()).unwrap(), 1);
        assert!(voice.confirm("Sure?").unwrap());
        let error = voice.ask("And then?").unwrap_err();
        assert_eq!(error.to_string(), "the answers ran out: 3 were given, and \"And then?\" is asked");
        assert_eq!(heard.text(), "Your name? Grond\nWhat now? 2\nSure? yes\n");
    }

    #[test]
    fn a_choice_is_meant_by_number_text_or_clear_beginning() {
        assert_eq!(choice_meant("3", &doors()), Some(2));
        assert_eq!(choice_meant("run", &doors()), Some(2));
        assert_eq!(choice_meant("hi", &doors()), Some(1));
        assert_eq!(choice_meant("h", &doors()), None);
        assert_eq!(choice_meant("4", &doors()), None);
        assert_eq!(choice_meant(" ", &doors()), None);
    }

    #[test]
    fn a_listed_answer_that_fits_no_choice_is_an_error() {
        let mut voice = Answers::new("fly", io::sink());
        let error = voice.choose("What now?", &doors()).unwrap_err().to_string();
        assert!(error.contains("\"fly\" is no answer to \"What now?\""), "{error}");
    }
}
