//! Expressions read before.

use std::collections::HashMap;
use std::sync::Arc;

use compact_str::CompactString;

use super::Expression;
use super::notation::{Dialect, Limits, NotationError};

/// Expressions kept on their exact text: two texts that differ in a space are two entries, so no two expressions can
/// be taken for each other. It holds two generations of at most half its size each; when the younger is full it
/// becomes the elder, and the elder is forgotten. What is used stays.
#[derive(Debug)]
pub struct ExpressionCache {
    limits: Limits,
    half: usize,
    young: HashMap<CompactString, Arc<Expression>>,
    old: HashMap<CompactString, Arc<Expression>>,
}

impl ExpressionCache {
    /// A cache of at most so many expressions (at least 2), read with the limits of the notation.
    #[must_use]
    pub fn new(size: usize) -> Self {
        ExpressionCache::with_limits(size, Limits::DEFAULT)
    }

    /// A cache of at most so many expressions (at least 2), read with these limits.
    #[must_use]
    pub fn with_limits(size: usize, limits: Limits) -> Self {
        ExpressionCache { limits, half: (size / 2).max(1), young: HashMap::new(), old: HashMap::new() }
    }

    /// The expression of a text, read now if it is not here.
    ///
    /// # Errors
    /// As [`Expression::parse`]; errors are not kept.
    pub fn get(&mut self, text: &str) -> Result<Arc<Expression>, NotationError> {
        self.get_in(text, Dialect::Grognard)
    }

    /// The expression of a text in another tool's notation.
    ///
    /// # Errors
    /// As [`Expression::parse_in`]; errors are not kept.
    pub fn get_in(&mut self, text: &str, dialect: Dialect) -> Result<Arc<Expression>, NotationError> {
        if dialect == Dialect::Grognard {
            return self.keyed(text, text, dialect);
        }
        // No text of ours has a zero byte in it, so no two entries meet.
        self.keyed(&format!("{dialect}\0{text}"), text, dialect)
    }

    fn keyed(&mut self, key: &str, text: &str, dialect: Dialect) -> Result<Arc<Expression>, NotationError> {
        if let Some(expression) = self.young.get(key) {
            return Ok(Arc::clone(expression));
        }
        let expression = match self.old.remove(key) {
            Some(expression) => expression,
            None => Arc::new(Expression::parse_in(text, &self.limits, dialect)?),
        };
        if self.young.len() >= self.half {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(CompactString::new(key), Arc::clone(&expression));
        Ok(expression)
    }

    /// How many expressions it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Default for ExpressionCache {
    /// A cache of 1,024 expressions.
    fn default() -> Self {
        ExpressionCache::new(1_024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_holds_more_than_its_size_and_keeps_what_is_used() {
        let mut cache = ExpressionCache::new(8);
        let used = cache.get("3d6").unwrap();
        for sides in 1..=100 {
            cache.get(&format!("1d{sides}")).unwrap();
            assert!(Arc::ptr_eq(&used, &cache.get("3d6").unwrap()));
            assert!(cache.len() <= 8, "{}", cache.len());
        }
    }

    #[test]
    fn texts_that_differ_in_a_space_or_a_letter_are_two_entries() {
        let mut cache = ExpressionCache::default();
        let texts = ["3d6+1", "3d6 +1", "3D6+1", "3d6+1 # one"];
        let found: Vec<_> = texts.iter().map(|text| cache.get(text).unwrap()).collect();
        assert_eq!(cache.len(), texts.len());
        for (text, expression) in texts.iter().zip(&found) {
            assert_eq!(expression.text(), *text);
        }
    }

    #[test]
    fn the_same_text_in_two_dialects_is_two_entries() {
        let mut cache = ExpressionCache::default();
        assert_eq!(cache.get_in("4d6k3", Dialect::Roll20).unwrap().to_string(), "4d6kh3");
        assert_eq!(cache.get_in("4d6k3", Dialect::Avrae).unwrap().to_string(), "4d6k=3");
        assert!(cache.get("4d6k3").is_err());
    }

    #[test]
    fn an_error_is_not_kept() {
        let mut cache = ExpressionCache::default();
        assert!(cache.get("3d6+").is_err());
        assert!(cache.is_empty());
    }
}
