//! Finds the name a person meant.

/// The candidate nearest to what was typed, when one is near enough to be worth suggesting.
///
/// Distances are edits (a swap of neighbors counts as one); up to a third of the longer word's letters may differ.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&typed, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| distance * 3 <= typed.chars().count().max(candidate.chars().count()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        assert_eq!(nearest("scor", ["difficulty", "score"]), Some("score"));
        assert_eq!(nearest("check.rol", ["check.roll", "check.dice"]), Some("check.roll"));
        assert_eq!(nearest("xyzzy", ["score", "difficulty"]), None);
    }
}
