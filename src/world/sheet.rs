//! A character as a sheet that people read.

use std::fmt::{self, Write as _};

use super::character::Character;
use crate::rules::core::write;
use crate::rules::skill::Grade;

/// A name of the rules as people write it: `magic_user` as `magic-user`.
fn plainly(name: &str) -> String {
    name.replace('_', "-")
}

/// A skill as people write it: `climb_walls` as `climb walls`.
fn skill(name: &str) -> String {
    name.replace('_', " ")
}

/// The name that the rules give to a choice.
fn named<T: serde::Serialize>(choice: &T) -> String {
    write(choice).ok().map(|value| value.to_string().trim_matches('"').to_owned()).unwrap_or_default()
}

impl Character {
    /// The character as a sheet: a few lines of text.
    pub fn sheet(&self) -> String {
        let mut sheet = String::new();
        // Writing into a string cannot fail.
        let _ = self.write_sheet(&mut sheet);
        sheet
    }

    fn write_sheet(&self, sheet: &mut String) -> fmt::Result {
        let classes: Vec<String> =
            self.classes.iter().map(|class| format!("{} {}", plainly(&class.class), class.level)).collect();
        write!(sheet, "{}, {} {}", self.name, plainly(&named(&self.species)), classes.join(" / "))?;
        write!(sheet, "\n  hp {} of {}, armor class {}, {}", self.hp, self.max_hp, self.ac, self.state_in_words())?;
        if self.scarred {
            sheet.push_str(", scarred");
        }
        let scores = [
            ("str", self.scores.str),
            ("dex", self.scores.dex),
            ("con", self.scores.con),
            ("int", self.scores.int),
            ("wis", self.scores.wis),
            ("cha", self.scores.cha),
        ];
        let known: Vec<String> =
            scores.iter().filter_map(|(name, score)| score.map(|score| format!("{name} {score}"))).collect();
        if !known.is_empty() {
            write!(sheet, "\n  {}", known.join("  "))?;
        }
        for class in &self.classes {
            write!(sheet, "\n  {}: {} experience points", plainly(&class.class), class.xp)?;
            if class.recognized < class.level {
                write!(sheet, ", recognized at level {}", class.recognized)?;
            }
        }
        for (grade, heading) in [(Grade::VeryGood, "very good at"), (Grade::Good, "good at")] {
            let skills: Vec<String> =
                self.good_at.iter().filter(|(_, own)| **own == grade).map(|(name, _)| skill(name)).collect();
            if !skills.is_empty() {
                write!(sheet, "\n  {heading} {}", skills.join(", "))?;
            }
        }
        if let Some(background) = &self.background {
            write!(sheet, "\n  background: {background}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::halfling;

    #[test]
    fn a_sheet_says_who_somebody_is() {
        let sheet = halfling().sheet();
        let wanted = "Tam, halfling fighter 3 / thief 5
  hp 18 of 18, armor class 11, well
  str 10  dex 16  con 13  int 12  wis 11  cha 9
  fighter: 4250 experience points, recognized at level 1
  thief: 17000 experience points, recognized at level 1
  very good at open locks
  good at climb walls";
        assert_eq!(sheet, wanted);
    }
}
