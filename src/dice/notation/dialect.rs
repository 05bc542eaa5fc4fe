//! Other tools' notations, by name.

use std::fmt;
use std::str::FromStr;

use crate::nearest::nearest;

/// Whose notation a text is written in. What is read becomes the same tree, so it prints in our spelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Our own.
    #[default]
    Grognard,
    /// Avrae's, the Discord bot's: `4d6k3` keeps what shows 3, `1d20 >= 15` compares, `p` drops, `e6` explodes.
    Avrae,
    /// Roll20's: `4d6k3` keeps the highest three, `>3` is 3 and more, `d1` drops the lowest, `r8` rerolls every 8.
    Roll20,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 3] = [Dialect::Grognard, Dialect::Avrae, Dialect::Roll20];

    /// The name people give.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Grognard => "grognard",
            Dialect::Avrae => "avrae",
            Dialect::Roll20 => "roll20",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no dialect has; says which there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let names = || Dialect::ALL.into_iter().map(Dialect::name);
        if let Some(dialect) = Dialect::ALL.into_iter().find(|dialect| dialect.name().eq_ignore_ascii_case(name.trim()))
        {
            return Ok(dialect);
        }
        let nearest = nearest(name, names()).map_or(String::new(), |near| format!("; the nearest is {near}"));
        let all: Vec<&str> = names().collect();
        Err(UnknownDialect(format!("there is no dialect \"{name}\"{nearest}: there are {}", all.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_is_found_by_its_name_in_any_case_and_a_slip_names_the_nearest() {
        assert_eq!("Avrae".parse(), Ok(Dialect::Avrae));
        assert_eq!("roll20".parse(), Ok(Dialect::Roll20));
        let error = "avre".parse::<Dialect>().unwrap_err().to_string();
        assert_eq!(error, "there is no dialect \"avre\"; the nearest is avrae: there are grognard, avrae, roll20");
    }
}
