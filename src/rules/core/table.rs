//! Figures as data: tables that a mod can patch, loaded once, checked when they are changed.

use std::any::Any;
use std::rc::Rc;
use std::sync::OnceLock;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{ErrorKind, RuleError};
use super::names::{alike, place_of};
use super::reader::{read, unknown_name};
use super::value::Value;
use super::writer::write;

/// A table of figures with rows of type `R`, from a JSON file beside the rule's code.
///
/// The file is an object: `source` (where the figures come from), optionally `note`, and `rows`, a list of objects
/// with the fields of `R`.
pub struct Table<R: 'static> {
    name: &'static str,
    json: &'static str,
    check: fn(&[R]) -> Result<(), String>,
    loaded: OnceLock<Vec<R>>,
}

#[derive(serde::Deserialize)]
struct File {
    source: String,
    rows: Value,
}

impl<R: DeserializeOwned + Serialize + Send + Sync + 'static> Table<R> {
    /// A table of this name over the text of a JSON file. `check` says what makes rows acceptable beyond their types
    /// (bands without gaps, a row for each level); it is run on the file and on every patch.
    pub const fn new(name: &'static str, json: &'static str, check: fn(&[R]) -> Result<(), String>) -> Self {
        Table { name, json, check, loaded: OnceLock::new() }
    }

    /// The rows as they ship.
    ///
    /// # Panics
    /// When the shipped file is malformed, which a test over every table rules out.
    #[inline]
    pub fn shipped(&self) -> &[R] {
        self.loaded.get_or_init(|| match self.load() {
            Ok(rows) => rows,
            Err(problem) => panic!("the data file of table {} is malformed: {problem}", self.name),
        })
    }

    fn load(&self) -> Result<Vec<R>, RuleError> {
        self.typed_rows(&self.file()?.rows)
    }

    fn file(&self) -> Result<File, RuleError> {
        serde_json::from_str(self.json).map_err(|problem| RuleError::general(ErrorKind::Invalid, problem.to_string()))
    }

    /// The table's name, as `house.table` takes it.
    #[inline]
    pub fn name(&self) -> &'static str {
        self.name
    }

    fn typed_rows(&self, rows: &Value) -> Result<Vec<R>, RuleError> {
        let typed: Vec<R> = read(rows)?;
        (self.check)(&typed).map_err(|problem| RuleError::general(ErrorKind::Invalid, problem))?;
        Ok(typed)
    }
}

/// A [`Table`] whatever its rows are.
pub trait AnyTable: Sync {
    /// The table's name.
    fn name(&self) -> &'static str;
    /// Where the figures come from.
    fn source(&self) -> String;
    /// The shipped rows as plain data.
    fn rows(&self) -> Result<Value, RuleError>;
    /// Reads and checks other rows; the result is a `Vec<R>` behind the box.
    fn read_rows(&self, rows: &Value) -> Result<Rc<dyn Any>, RuleError>;
    /// Whether the shipped file reads and passes its own check.
    fn check_shipped(&self) -> Result<(), RuleError>;
}

impl<R: DeserializeOwned + Serialize + Send + Sync + 'static> AnyTable for Table<R> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn source(&self) -> String {
        self.file().map(|file| file.source).unwrap_or_default()
    }
    fn rows(&self) -> Result<Value, RuleError> {
        write(&self.load()?)
    }
    fn read_rows(&self, rows: &Value) -> Result<Rc<dyn Any>, RuleError> {
        self.typed_rows(rows).map(|typed| Rc::new(typed) as Rc<dyn Any>)
    }
    fn check_shipped(&self) -> Result<(), RuleError> {
        self.load().map(drop)
    }
}

/// Accepts any rows.
pub fn any_rows<R>(_: &[R]) -> Result<(), String> {
    Ok(())
}

/// Rows of a table that is read by where a number falls: `from` to `to`, a missing end being open.
pub trait Band {
    /// The least number of the row, when it has one.
    fn from(&self) -> Option<i64>;
    /// The greatest number of the row, when it has one.
    fn to(&self) -> Option<i64>;
}

/// The row a number falls into. Below the first row the first counts, above the last the last.
#[inline]
pub fn band_of<R: Band>(rows: &[R], number: i64) -> Option<&R> {
    rows.iter().find(|row| row.to().is_none_or(|to| number <= to)).or(rows.last())
}

/// The row a number falls into, as [`band_of`] finds it, or an error that the table is empty.
pub fn band_row<R: Band>(rows: &[R], number: i64) -> Result<&R, RuleError> {
    band_of(rows, number).ok_or_else(no_rows)
}

fn no_rows() -> RuleError {
    RuleError::general(ErrorKind::Invalid, "the table has no row; give it one")
}

/// Checks that bands follow each other without gap or overlap.
pub fn unbroken_bands<R: Band>(rows: &[R]) -> Result<(), String> {
    if rows.is_empty() {
        return Err("there must be at least one row".into());
    }
    for (row, next) in rows.iter().zip(&rows[1..]) {
        match (row.to(), next.from()) {
            (Some(to), Some(from)) if to + 1 == from => {}
            (to, from) => {
                let shown = |end: Option<i64>| end.map_or("open".to_owned(), |n| n.to_string());
                return Err(format!(
                    "bands must follow each other: one ends at {} and the next begins at {}",
                    shown(to),
                    shown(from)
                ));
            }
        }
    }
    Ok(())
}

/// Rows of a table that has exactly one row for each of a fixed list of keys: a class, a level, a kind of missile.
pub trait Keyed {
    /// What a row is looked up by.
    type Key: Copy + PartialEq + Serialize + 'static;
    /// Every key, each of which has its row.
    const KEYS: &'static [Self::Key];
    /// The row's own key.
    fn key(&self) -> Self::Key;
}

/// A key as the data file writes it.
fn shown_key<K: Serialize>(key: K) -> String {
    match write(&key) {
        Ok(Value::Text(name)) => name.into(),
        Ok(other) => other.to_string(),
        Err(error) => error.to_string(),
    }
}

/// The row of this key.
#[inline]
pub fn row_of<R: Keyed>(rows: &[R], key: R::Key) -> Result<&R, RuleError> {
    rows.iter().find(|row| row.key() == key).ok_or_else(|| no_row_for(key))
}

#[cold]
fn no_row_for<K: Serialize>(key: K) -> RuleError {
    RuleError::general(ErrorKind::Invalid, format!("the table has no row for {}; add one", shown_key(key)))
}

/// Checks that each key has one row and no more.
pub fn one_row_each<R: Keyed>(rows: &[R]) -> Result<(), String> {
    for key in R::KEYS {
        match rows.iter().filter(|row| row.key() == *key).count() {
            1 => {}
            0 => return Err(format!("there is no row for {}", shown_key(key))),
            _ => return Err(format!("there are several rows for {}", shown_key(key))),
        }
    }
    Ok(())
}

/// Rows of a table that is read by name.
pub trait Named {
    /// The row's name, in snake case.
    fn name(&self) -> &str;
    /// Other names under which it is known.
    fn also(&self) -> &[String] {
        &[]
    }
}

/// The row that a name means, however it is written; other names of rows come after their own.
pub fn row_meant<'a, R: Named>(rows: &'a [R], name: &str) -> Option<&'a R> {
    let own = place_of(name, rows.iter().map(Named::name)).and_then(|place| rows.get(place));
    own.or_else(|| rows.iter().find(|row| place_of(name, row.also().iter().map(String::as_str)).is_some()))
}

/// The row of this name, however it is written, or an error on `field` that names the nearest: the names are the table's,
/// so that a row which a house rule adds can be asked for like any other. `what` says what the names are of: `weapon`.
pub fn row_named<'a, R: Named>(rows: &'a [R], what: &str, field: &str, name: &str) -> Result<&'a R, RuleError> {
    row_meant(rows, name).ok_or_else(|| {
        let known: Vec<&str> = rows.iter().map(Named::name).collect();
        RuleError::unknown(field, unknown_name(what, name, &known))
    })
}

/// Checks that a table read by name has rows and no name twice.
pub fn distinct_names<R: Named>(rows: &[R]) -> Result<(), String> {
    if rows.is_empty() {
        return Err("there must be at least one row".into());
    }
    let names = || rows.iter().flat_map(|row| std::iter::once(row.name()).chain(row.also().iter().map(String::as_str)));
    match names().enumerate().find(|(at, name)| names().take(*at).any(|other| alike(other, name))) {
        Some((_, name)) => Err(format!("{name} stands there twice")),
        None => Ok(()),
    }
}

/// The row of a table that holds single figures in one row.
pub fn only_row<R>(rows: &[R]) -> Result<&R, RuleError> {
    rows.first().ok_or_else(no_rows)
}

/// Checks that a table holds single figures in one row.
pub fn one_row<R>(rows: &[R]) -> Result<(), String> {
    if rows.len() == 1 { Ok(()) } else { Err(format!("there must be one row, not {}", rows.len())) }
}
