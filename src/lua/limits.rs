//! What a script may spend.

use std::time::Duration;

/// The budgets of one machine. Each call from outside (a file, a prompt line, a function) starts with full instruction
/// and time budgets; memory is one for the machine's life. A machine that overspends is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Steps: calls, returns and turns of loops, and what natives charge for long work. The same script stops at the
    /// same step on every machine.
    pub instructions: u64,
    /// Time on the clock, without the time that people take to answer.
    pub time: Duration,
    /// Bytes that the machine may hold at once.
    pub memory: usize,
    /// Bytes of one source file or prompt line.
    pub source: usize,
    /// Bytes that one call from outside may say.
    pub output: usize,
    /// Dice that one call of `roll` may draw.
    pub draws_a_roll: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            instructions: 2_000_000_000,
            time: Duration::from_mins(1),
            memory: 64 << 20,
            source: 512 << 10,
            output: 4 << 20,
            draws_a_roll: 100_000,
        }
    }
}

impl Limits {
    /// So many steps.
    #[must_use]
    pub fn with_instructions(mut self, steps: u64) -> Self {
        self.instructions = steps;
        self
    }

    /// So much time.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// So many megabytes of memory.
    #[must_use]
    pub fn with_megabytes(mut self, megabytes: usize) -> Self {
        self.memory = megabytes << 20;
        self
    }

    /// So many bytes of source.
    #[must_use]
    pub fn with_source(mut self, bytes: usize) -> Self {
        self.source = bytes;
        self
    }

    /// So many bytes of output.
    #[must_use]
    pub fn with_output(mut self, bytes: usize) -> Self {
        self.output = bytes;
        self
    }
}
