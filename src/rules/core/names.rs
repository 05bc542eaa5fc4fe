//! Names that people give to sides, combatants, classes: each once, and known when they are pointed at.

use std::collections::HashSet;

use super::error::RuleError;
use super::reader::unknown_name;

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
    use super::{distinct, not_among};
    use crate::rules::core::ErrorKind;

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
