//! The spell book a mage starts with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{ErrorKind, List, NoOptions, Positive, Referee, Rule, RuleError};

/// The spell every mage starts with (SPELL-06).
const READ_MAGIC: &str = "read magic";

/// The most spells in one table of starting spells: as many as d100 can tell apart beside the player's choice.
const LONGEST_TABLE: usize = 99;

/// A table from which a starting spell is rolled.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Category {
    /// Its name, such as `offensive`, `defensive`, `miscellaneous`.
    pub name: String,
    /// The spells on it, in the order of the die.
    pub table: List<String, 1, LONGEST_TABLE>,
}

/// What `spell.starting_book` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StartingBookArgs {
    /// The tables, each rolled once, in order: usually offensive, defensive, miscellaneous. In a hard campaign a fourth,
    /// defensive or miscellaneous, gives a fifth spell.
    pub categories: List<Category, 1, 20>,
    /// The spells that passed Chance to Know; without it, all of them did.
    #[serde(default)]
    pub comprehended: Option<List<String>>,
    /// What the player takes when the choice is the player's: the first of these that stands in the category.
    #[serde(default)]
    pub choices: List<String>,
}

/// How a starting spell is found (SPELL-06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartingSpells {
    /// The die says which; one face leaves the choice to the player.
    #[default]
    Rolled,
    /// The player chooses each, without dice, as a hard campaign may allow.
    Chosen,
}

/// The switches of a starting book.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StartingBookOptions {
    /// How each spell is found.
    pub spells: StartingSpells,
}

/// The spells of a starting book.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StartingBookOutcome {
    /// The spells, in the order in which they came.
    pub book: Vec<String>,
    /// How many rolls had to be made again.
    pub rerolls: i64,
}

/// Whether a spell passed Chance to Know.
fn comprehends(comprehended: Option<&List<String>>, spell: &str) -> bool {
    comprehended.is_none_or(|spells| spells.iter().any(|known| known == spell))
}

/// The spells of a table that may come into the book, each once.
fn eligible<'a>(table: &'a [String], comprehended: Option<&List<String>>) -> Vec<&'a str> {
    let mut spells: Vec<&str> = Vec::new();
    for spell in table {
        if spell != READ_MAGIC && comprehends(comprehended, spell) && !spells.contains(&spell.as_str()) {
            spells.push(spell);
        }
    }
    spells
}

/// Refuses categories that could leave nothing to roll, so that rolling again always ends.
fn check_categories(args: &StartingBookArgs) -> Result<(), RuleError> {
    let eligible_in = |category: &'_ Category| {
        let spells = eligible(&category.table, args.comprehended.as_ref());
        spells.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let pools: Vec<Vec<String>> = args.categories.iter().map(eligible_in).collect();
    for (at, pool) in pools.iter().enumerate() {
        let earlier = pools[..at].iter().filter(|other| other.iter().any(|spell| pool.contains(spell))).count();
        if pool.len() <= earlier {
            let name = &args.categories[at].name;
            let message = format!(
                "has too few spells that can be comprehended for the {name} roll: {}, and {} needed",
                pool.len(),
                earlier + 1
            );
            return Err(RuleError::general(ErrorKind::Invalid, message)
                .within("table")
                .within_element(at)
                .within("categories"));
        }
    }
    Ok(())
}

/// The spell the player chooses from a category, taken out of the choices.
fn chosen(
    category: &Category,
    choices: &mut Vec<String>,
    comprehended: Option<&List<String>>,
    book: &[String],
) -> Result<String, RuleError> {
    let name = &category.name;
    let Some(at) = choices.iter().position(|choice| category.table.iter().any(|spell| spell == choice)) else {
        let message = format!("must name a {name} spell: the choice is the player's");
        let kind = if choices.is_empty() { ErrorKind::Missing } else { ErrorKind::Invalid };
        return Err(RuleError::general(kind, message).within("choices"));
    };
    let spell = choices.remove(at);
    if !comprehends(comprehended, &spell) {
        let message = format!("names \"{spell}\", which cannot be comprehended; name another {name} spell");
        return Err(RuleError::invalid("choices", message));
    }
    if book.contains(&spell) {
        let message = format!("names \"{spell}\", which is in the book already; name another {name} spell");
        return Err(RuleError::invalid("choices", message));
    }
    Ok(spell)
}

rule! {
    /// Makes a first spell book: Read Magic, and one spell rolled from each category.
    ///
    /// The die has a face more than the category has spells; that face (the 0 of a d10) leaves the choice to the
    /// player. A spell that failed Chance to Know, or that is in the book already, is rolled again. By a switch the player
    /// chooses every spell.
    pub struct StartingBook;
}

impl Rule for StartingBook {
    const NAME: &'static str = "spell.starting_book";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-06", "first-edition SPELL-07"];
    const EXAMPLE: &'static str = r#"{
    categories = {
        { name = "offensive", table = { "charm person", "magic missile", "sleep" } },
        { name = "defensive", table = { "feather fall", "shield" } },
    },
    choices = { "sleep", "shield" },
}"#;
    type Args = StartingBookArgs;
    type Options = StartingBookOptions;
    type Outcome = StartingBookOutcome;

    fn resolve(
        args: StartingBookArgs,
        options: StartingBookOptions,
        referee: &mut Referee<'_>,
    ) -> Result<StartingBookOutcome, RuleError> {
        check_categories(&args)?;
        let comprehended = args.comprehended.as_ref();
        let mut choices = args.choices.into_vec();
        let mut book = vec![READ_MAGIC.to_owned()];
        let mut rerolls = 0;
        for category in &args.categories {
            if options.spells == StartingSpells::Chosen {
                let spell = chosen(category, &mut choices, comprehended, &book)?;
                book.push(spell);
                continue;
            }
            loop {
                let face = referee.d(category.table.len() as u32 + 1, &category.name)?;
                let Some(spell) = category.table.get(face as usize - 1) else {
                    let spell = chosen(category, &mut choices, comprehended, &book)?;
                    book.push(spell);
                    break;
                };
                if comprehends(comprehended, spell) && !book.contains(spell) {
                    book.push(spell.clone());
                    break;
                }
                rerolls += 1;
            }
        }
        Ok(StartingBookOutcome { book, rerolls })
    }
}

/// What `spell.starting_book_illusionist` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct IllusionistBookArgs {
    /// The whole first-level list, in the order of the die.
    pub table: List<String, 1, 100>,
    /// How many spells the book holds; one or two more in a hard campaign. The source does not print the number.
    pub count: Positive,
    /// The spells that passed Chance to Know; without it, all of them did.
    #[serde(default)]
    pub comprehended: Option<List<String>>,
}

rule! {
    /// Makes an illusionist's first spell book the older way: rolls over the whole first-level list, repeats and spells
    /// that failed Chance to Know rolled again. The later way is that of `spell.starting_book`.
    pub struct StartingBookIllusionist;
}

impl Rule for StartingBookIllusionist {
    const NAME: &'static str = "spell.starting_book_illusionist";
    const SOURCE: &'static [&'static str] = &["first-edition SPELL-07"];
    const EXAMPLE: &'static str =
        r#"{ table = { "change self", "color spray", "dancing lights", "hypnotism" }, count = 3 }"#;
    type Args = IllusionistBookArgs;
    type Options = NoOptions;
    type Outcome = StartingBookOutcome;

    fn resolve(
        args: IllusionistBookArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<StartingBookOutcome, RuleError> {
        let comprehended = args.comprehended.as_ref();
        let mut distinct: Vec<&String> = Vec::new();
        for spell in &args.table {
            if comprehends(comprehended, spell) && !distinct.contains(&spell) {
                distinct.push(spell);
            }
        }
        let count = args.count.get();
        if (distinct.len() as i64) < count {
            let message =
                format!("must be at most {}, the spells that can be comprehended, not {count}", distinct.len());
            return Err(RuleError::invalid("count", message));
        }
        let mut book: Vec<String> = Vec::new();
        let mut rerolls = 0;
        while (book.len() as i64) < count {
            // A list of one spell leaves nothing to roll.
            let face = if args.table.len() == 1 { 1 } else { referee.d(args.table.len() as u32, "spell")? };
            match args.table.get(face as usize - 1) {
                Some(spell) if comprehends(comprehended, spell) && !book.contains(spell) => book.push(spell.clone()),
                _ => rerolls += 1,
            }
        }
        Ok(StartingBookOutcome { book, rerolls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    const CATEGORIES: &str =
        r#""categories":[{"name":"offensive","table":["o1","o2"]},{"name":"defensive","table":["d1","d2"]}]"#;

    #[test]
    fn the_last_face_leaves_the_choice_to_the_player() {
        let args = format!(r#"{{{CATEGORIES},"choices":["d2"]}}"#);
        assert_eq!(outcome::<StartingBook>(&args, &[1, 3]).book, ["read magic", "o1", "d2"]);
    }

    #[test]
    fn a_hard_campaign_lets_the_player_choose_every_spell_without_dice() {
        // SPELL-06: "you may wish to allow choice automatically".
        let args = format!(r#"{{{CATEGORIES},"choices":["d2","o2"],"options":{{"spells":"chosen"}}}}"#);
        assert_eq!(outcome::<StartingBook>(&args, &[]).book, ["read magic", "o2", "d2"]);
        let one = args.replace(r#","o2""#, "");
        let error = resolved("spell.starting_book", &one, &[]).unwrap_err();
        assert_eq!(error.field(), Some("choices"));
    }

    #[test]
    fn a_choice_that_is_missing_wrong_or_not_comprehended_is_refused_when_it_comes() {
        for (choices, kind) in [
            (r#""choices":[]"#, ErrorKind::Missing),
            (r#""choices":["o1"]"#, ErrorKind::Invalid),
            (r#""choices":["d2"],"comprehended":["o1","d1"]"#, ErrorKind::Invalid),
        ] {
            let args = format!(r"{{{CATEGORIES},{choices}}}");
            let error = resolved("spell.starting_book", &args, &[1, 3]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (kind, Some("choices")), "{choices}");
        }
    }

    #[test]
    fn a_category_without_a_spell_to_roll_is_refused_before_the_dice() {
        let args = format!(r#"{{{CATEGORIES},"comprehended":["o1"]}}"#);
        let error = resolved("spell.starting_book", &args, &[]).unwrap_err();
        assert_eq!(error.field(), Some("categories[2].table"));
        let twice = r#"{"categories":[{"name":"a","table":["x"]},{"name":"a","table":["x"]}]}"#;
        assert!(resolved("spell.starting_book", twice, &[1]).is_err());
    }

    #[test]
    fn an_illusionist_of_one_spell_rolls_nothing() {
        let args = r#"{"table":["change self"],"count":1}"#;
        assert_eq!(outcome::<StartingBookIllusionist>(args, &[]).book, ["change self"]);
    }
}
