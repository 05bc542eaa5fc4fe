//! Names that people give to sides, combatants, classes: each once, and known when they are pointed at. And names out of
//! lists, however they are written.

use std::collections::HashSet;

use super::error::RuleError;
use super::reader::unknown_name;

/// Whether two spellings are of one name: letters in any case, with spaces, hyphens, apostrophes or nothing for
/// underscores. `Magic-User` is `magic_user`, `short bow` is `shortbow`.
#[must_use]
pub fn alike(one: &str, other: &str) -> bool {
    one == other || sound(one).eq(sound(other))
}

/// Whether a name holds another within it, however the two are written: `Improved Invisibility` holds `invisibility`.
#[must_use]
pub fn holds(name: &str, within: &str) -> bool {
    let sound = |name: &str| sound(name).collect::<String>();
    sound(name).contains(&sound(within))
}

/// The letters of a name, without what stands between them and without case.
fn sound(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// The place in a list of the name that is meant: the one spelled exactly so, or else the only one that is [`alike`].
#[must_use]
pub fn place_of<'a>(given: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<usize> {
    if let Some(place) = known.clone().position(|name| name == given) {
        return Some(place);
    }
    let mut meant = known.enumerate().filter(|(_, name)| alike(given, name));
    let (place, name) = meant.next()?;
    meant.all(|(_, other)| other == name).then_some(place)
}

/// The name that is meant, as the list spells it; see [`place_of`].
#[must_use]
pub fn meant<'a>(given: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let mut names = known.clone();
    place_of(given, known).and_then(|place| names.nth(place))
}

/// Checks that no entry of the list argument `list` has the `name` of an earlier one; the error names the second.
pub fn distinct<'a>(list: &str, names: impl IntoIterator<Item = &'a str>) -> Result<(), RuleError> {
    let mut seen = HashSet::new();
    for (index, name) in names.into_iter().enumerate() {
        if !seen.insert(name) {
            let message = format!("must be another: \"{name}\" stands there twice, and each needs a name of its own");
            return Err(RuleError::invalid("name", message).within_element(index).within(list));
        }
    }
    Ok(())
}

/// A name in the argument `field` that is none of the `known` ones; `what` says what the names are of: `side`.
#[must_use]
pub fn not_among(field: &str, what: &str, name: &str, known: &[&str]) -> RuleError {
    RuleError::unknown(field, unknown_name(what, name, known))
}

#[cfg(test)]
mod tests {
    use super::{distinct, meant, not_among, place_of};
    use crate::rules::core::ErrorKind;

    #[test]
    fn a_name_is_known_however_it_is_written() {
        let known = ["magic_user", "10_foot_radius", "shortbow"];
        for (given, name) in [
            ("magic_user", "magic_user"),
            ("Magic-User", "magic_user"),
            ("magic user", "magic_user"),
            ("10-foot Radius", "10_foot_radius"),
            ("short_bow", "shortbow"),
        ] {
            assert_eq!(meant(given, known.into_iter()), Some(name), "{given}");
        }
        assert_eq!(meant("magic", known.into_iter()), None);
    }

    #[test]
    fn the_exact_spelling_comes_first_and_two_likenesses_are_none() {
        assert_eq!(place_of("Sleep", ["sleep", "Sleep"].into_iter()), Some(1));
        assert_eq!(place_of("SLEEP", ["sleep", "Sleep"].into_iter()), None);
    }

    #[test]
    fn the_second_of_two_equal_names_is_at_fault() {
        assert!(distinct("sides", ["ogre", "fighter"]).is_ok());
        let error = distinct("sides", ["ogre", "fighter", "ogre"]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some("sides[3].name")));
    }

    #[test]
    fn a_name_nobody_bears_is_unknown_and_the_nearest_is_named() {
        let error = not_among("defender", "side", "oger", &["ogre", "fighter"]);
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("defender")));
        assert_eq!(error.to_string(), "unknown side \"oger\"; did you mean \"ogre\"?");
    }
}
