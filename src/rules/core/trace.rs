//! How a result came about, kept beside it: what `why` prints.

use std::fmt;

/// One step on the way to a result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// A rule begins; steps until its [`Step::Leave`] are its own.
    Enter {
        /// The rule's name.
        rule: String,
        /// Where it stands, such as `house-rules CHK-01`.
        source: String,
    },
    /// The rule that began last is done.
    Leave,
    /// A die was drawn.
    Draw {
        /// Number of faces.
        sides: u32,
        /// The face it showed.
        face: i64,
        /// What it was for.
        purpose: String,
    },
    /// Several equal dice of which only the sum was looked at.
    Sum {
        /// How many dice.
        count: u32,
        /// Number of faces of each.
        sides: u32,
        /// Their sum.
        total: i64,
        /// What they were for.
        purpose: String,
    },
    /// A modifier and its reason.
    Modifier {
        /// The amount.
        amount: i64,
        /// Why.
        reason: String,
    },
    /// The number needed.
    Need {
        /// What has to reach it or stay under it, in words: `at least 15`.
        what: String,
    },
    /// Anything else worth a sentence.
    Note(String),
    /// A house rule took part.
    House {
        /// What: `switch ties = defender`, `table critical_hit`, `wrapper`.
        what: String,
        /// Who: the mod, script line or prompt line.
        by: String,
    },
}

/// The steps, in the order they happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The steps.
    pub steps: Vec<Step>,
}

/// How many steps a trace keeps. Nobody reads more, and a script must not fill the host's memory with them.
const MOST_STEPS: usize = 20_000;

impl Trace {
    /// Notes a step, while there is room.
    pub(crate) fn note(&mut self, step: impl FnOnce() -> Step) {
        if self.steps.len() < MOST_STEPS {
            self.steps.push(step());
        }
    }

    /// Notes several steps, while there is room.
    pub(crate) fn note_all(&mut self, steps: impl IntoIterator<Item = Step>) {
        let room = MOST_STEPS.saturating_sub(self.steps.len());
        self.steps.extend(steps.into_iter().take(room));
    }

    /// The last rule of the trace in a line: its dice, the number needed, where it stands. Nothing when no rule ran.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut pool: Option<(u32, &str, Vec<i64>)> = None;
        let mut source = None;
        let shown = |(sides, purpose, faces): (u32, &str, Vec<i64>)| {
            let list: Vec<String> = faces.iter().map(ToString::to_string).collect();
            match faces.len() {
                1 => format!("{purpose} d{sides} [{}]", list[0]),
                count => format!("{purpose} {count}d{sides} [{}] = {}", list.join(", "), faces.iter().sum::<i64>()),
            }
        };
        for step in &self.steps {
            if let Step::Draw { sides, face, purpose } = step {
                match &mut pool {
                    Some((s, p, faces)) if s == sides && p == purpose => faces.push(*face),
                    _ => parts.extend(pool.replace((*sides, purpose, vec![*face])).map(shown)),
                }
                continue;
            }
            parts.extend(pool.take().map(shown));
            match step {
                Step::Enter { source: place, .. } => source = source.or(Some(place)),
                Step::Need { what } => parts.push(format!("needs {what}")),
                _ => {}
            }
        }
        parts.extend(pool.map(shown));
        let source = source?;
        if !self.house_rules().is_empty() {
            parts.push("house rules took part".into());
        }
        parts.push(source.clone());
        Some(parts.join(" · "))
    }

    /// The house rules that took part, each once, in order.
    #[must_use]
    pub fn house_rules(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for step in &self.steps {
            if let Step::House { what, by } = step {
                let line = format!("{what} (by {by})");
                if !found.contains(&line) {
                    found.push(line);
                }
            }
        }
        found
    }
}

/// A run of equal dice for the same purpose reads as one line; deeper rules are indented.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depth: usize = 0;
        let mut steps = self.steps.iter().peekable();
        while let Some(step) = steps.next() {
            let indent = "  ".repeat(depth);
            match step {
                Step::Enter { rule, source } => {
                    writeln!(f, "{indent}{rule} ({source})")?;
                    depth += 1;
                }
                Step::Leave => depth = depth.saturating_sub(1),
                Step::Draw { sides, face, purpose } => {
                    let mut faces = vec![*face];
                    while let Some(Step::Draw { sides: s, face, purpose: p }) = steps.peek() {
                        if s != sides || p != purpose {
                            break;
                        }
                        faces.push(*face);
                        steps.next();
                    }
                    let shown: Vec<String> = faces.iter().map(ToString::to_string).collect();
                    match faces.len() {
                        1 => writeln!(f, "{indent}{purpose}: d{sides} shows {face}")?,
                        count => writeln!(
                            f,
                            "{indent}{purpose}: {count}d{sides} show {} = {}",
                            shown.join(", "),
                            faces.iter().sum::<i64>()
                        )?,
                    }
                }
                Step::Sum { count, sides, total, purpose } => {
                    writeln!(f, "{indent}{purpose}: {count}d{sides} = {total}")?;
                }
                Step::Modifier { amount, reason } => writeln!(f, "{indent}{amount:+} {reason}")?,
                Step::Need { what } => writeln!(f, "{indent}needed: {what}")?,
                Step::Note(text) => writeln!(f, "{indent}{text}")?,
                Step::House { what, by } => writeln!(f, "{indent}house rule: {what} (by {by})")?,
            }
        }
        if self.house_rules().is_empty() {
            writeln!(f, "no house rule took part.")?;
        }
        Ok(())
    }
}
