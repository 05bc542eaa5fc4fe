//! The person at the table as a voice of scripts, and as a source of physical dice.

use rustyline::Helper;

use super::lines::{Lines, Typed};
use super::output;
use crate::dice::source::DiceQuestion;
use crate::dice::{Physical, Source};
use crate::lua::voice::{Voice, VoiceError, choice_meant, yes_or_no};

/// A voice that speaks on standard output and asks the person who types.
pub struct Table<H: Helper> {
    lines: Lines<H>,
}

impl<H: Helper> Table<H> {
    /// The person who types these lines.
    pub fn new(lines: Lines<H>) -> Self {
        Table { lines }
    }

    fn tell(text: &str) -> Result<(), VoiceError> {
        Ok(output::say(text)?)
    }

    fn read(&self, question: &str) -> Result<String, VoiceError> {
        match self.lines.read(&format!("{question} ")) {
            Typed::Line(line) => {
                // From a pipe nobody sees what was asked, so the transcript shows it with its answer.
                if !self.lines.is_terminal() {
                    Self::tell(&format!("{question} {line}"))?;
                }
                Ok(line)
            }
            Typed::Interrupted => Err(VoiceError::Stopped(question.to_owned())),
            Typed::Closed | Typed::Unreadable(_) => Err(VoiceError::Closed(question.to_owned())),
        }
    }
}

impl<H: Helper> Voice for Table<H> {
    fn say(&mut self, text: &str) -> Result<(), VoiceError> {
        Self::tell(text)
    }

    fn ask(&mut self, question: &str) -> Result<String, VoiceError> {
        self.read(question)
    }

    fn choose(&mut self, question: &str, choices: &[String]) -> Result<usize, VoiceError> {
        for (i, choice) in choices.iter().enumerate() {
            Self::tell(&format!("  {}. {choice}", i + 1))?;
        }
        loop {
            let answer = self.read(question)?;
            if let Some(place) = choice_meant(&answer, choices) {
                return Ok(place);
            }
            Self::tell(&format!("  type a number from 1 to {}, or the words of a choice", choices.len()))?;
        }
    }

    fn confirm(&mut self, question: &str) -> Result<bool, VoiceError> {
        let question = format!("{question} [y/n]");
        loop {
            if let Some(yes) = yes_or_no(&self.read(&question)?) {
                return Ok(yes);
            }
            Self::tell("  type y or n")?;
        }
    }
}

/// Dice that the person rolls by hand and types.
pub fn dice_by_hand<H: Helper + 'static>(lines: Lines<H>) -> Box<dyn Source> {
    Box::new(Physical::new(move |question: &DiceQuestion<'_>| {
        if let Some(problem) = question.problem {
            output::line(&format!("  {problem}")).ok()?;
        }
        let dice = match question.count {
            1 => question.die.to_string(),
            count => format!("{count}{}", question.die),
        };
        match lines.read(&format!("{}: roll {dice} and type what it shows: ", question.purpose)) {
            Typed::Line(line) => Some(line),
            Typed::Interrupted | Typed::Closed | Typed::Unreadable(_) => None,
        }
    }))
}
