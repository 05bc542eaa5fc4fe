//! What a rule is: defined once, used by Lua, the command line, help, stubs, tests and odds alike.

use std::any::Any;
use std::rc::Rc;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::about::{About, about};
use super::error::RuleError;
use super::reader::{read, read_known};
use super::referee::Referee;
use super::table::AnyTable;
use super::value::{Fields, Value};
use super::writer::write;

/// A rule of the rulebook.
///
/// The type itself is empty and declared by [`rule!`](crate::rule), which takes its doc comment for the rule's summary,
/// shown by `:help`. Everything else that the program knows of the rule is said here once.
pub trait Rule: About + 'static {
    /// `module.rule`, as scripts call it.
    const NAME: &'static str;
    /// Book and rule ids: `house-rules CHK-01`.
    const SOURCE: &'static [&'static str];
    /// Arguments for an example, as a Lua table; `:help` shows it and a test runs it.
    const EXAMPLE: &'static str;
    /// The tables of figures it reads.
    const TABLES: &'static [&'static dyn AnyTable] = &[];
    /// What it is asked. Doc comments of the fields are their help texts.
    type Args: DeserializeOwned + Serialize + JsonSchema;
    /// Its switches: the named choices of reading, each field an enum with a default. [`NoOptions`] for none.
    type Options: DeserializeOwned + Serialize + JsonSchema + Default + Clone + 'static;
    /// What it answers.
    type Outcome: DeserializeOwned + Serialize + JsonSchema;

    /// Resolves it: checks what the types could not, then draws dice from the referee, then answers.
    fn resolve(args: Self::Args, options: Self::Options, referee: &mut Referee<'_>)
    -> Result<Self::Outcome, RuleError>;
}

/// The switches of a rule that has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, JsonSchema)]
pub struct NoOptions {}

/// A rule without its types: what the list of rules holds.
pub struct RuleEntry {
    /// `module.rule`.
    pub name: &'static str,
    /// Book and rule ids.
    pub source: &'static [&'static str],
    /// Arguments for an example, as a Lua table.
    pub example: &'static str,
    /// The tables of figures it reads.
    pub tables: &'static [&'static dyn AnyTable],
    about: fn() -> String,
    /// The schema of the arguments.
    pub args: fn() -> Schema,
    /// The schema of the switches.
    pub options: fn() -> Schema,
    /// The schema of the outcome.
    pub outcome: fn() -> Schema,
    /// Whether plain data is an outcome of this rule; more fields than it has are welcome.
    pub check_outcome: fn(&Value) -> Result<(), RuleError>,
    form: fn(&Value) -> Result<Value, RuleError>,
    pub(super) resolve: fn(Value, &mut Referee<'_>) -> Result<Value, RuleError>,
    pub(super) read_options: fn(&Value) -> Result<Rc<dyn Any>, RuleError>,
    pub(super) default_options: fn() -> Result<Value, RuleError>,
}

impl RuleEntry {
    /// The entry of a rule.
    #[must_use]
    pub const fn of<R: Rule>() -> Self {
        RuleEntry {
            name: R::NAME,
            source: R::SOURCE,
            example: R::EXAMPLE,
            tables: R::TABLES,
            about: about::<R>,
            args: || schema_for!(R::Args),
            options: || schema_for!(R::Options),
            outcome: || schema_for!(R::Outcome),
            check_outcome: |outcome| read_known::<R::Outcome>(outcome).map(drop),
            form: |outcome| write(&read_outcome::<R>(outcome)?),
            resolve: resolve_plain::<R>,
            read_options: |value| read::<R::Options>(value).map(|options| Rc::new(options) as Rc<dyn Any>),
            default_options: || write(&R::Options::default()),
        }
    }

    /// The module: what stands before the point.
    #[must_use]
    pub fn module(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(module, _)| module)
    }

    /// The summary: the rule type's doc comment.
    #[must_use]
    pub fn summary(&self) -> String {
        (self.about)()
    }

    /// An outcome that wrappers returned in the form that the rule itself gives it: fields in their order, nothing where
    /// nothing stands, empty lists as lists. What wrappers added stands behind.
    pub(super) fn in_form(&self, outcome: Value) -> Result<Value, RuleError> {
        let mut formed = (self.form)(&outcome)?;
        formed.add_missing(outcome);
        Ok(formed)
    }

    /// The names of the switches.
    #[must_use]
    pub fn switch_names(&self) -> Vec<String> {
        field_names(&(self.options)())
    }

    /// The names of the arguments, `options` included when the rule has switches.
    #[must_use]
    pub fn argument_names(&self) -> Vec<String> {
        let mut names = field_names(&(self.args)());
        if !self.switch_names().is_empty() {
            names.push("options".into());
        }
        names
    }
}

/// The names of the fields that a schema describes, in order.
pub(crate) fn field_names(schema: &Schema) -> Vec<String> {
    let properties = schema.get("properties").and_then(|properties| properties.as_object());
    properties.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}

/// Takes `options` out of the arguments, lays the call's own over the campaign's, reads both and resolves.
fn resolve_plain<R: Rule>(mut args: Value, referee: &mut Referee<'_>) -> Result<Value, RuleError> {
    let options = match &mut args {
        Value::Map(fields) => match fields.remove("options") {
            None | Some(Value::Nil) => referee.options::<R>(),
            Some(own) => {
                let merged = referee.options_under::<R>(own)?;
                read::<R::Options>(&merged).map_err(|error| error.within("options"))?
            }
        },
        _ => referee.options::<R>(),
    };
    let args = read::<R::Args>(&args)?;
    write(&referee.entered::<R>(args, options)?)
}

/// Reads back the outcome that wrappers returned, into the type that the calling rule expects.
pub(super) fn read_outcome<R: Rule>(outcome: &Value) -> Result<R::Outcome, RuleError> {
    read_known(outcome).map_err(|error| error.within("outcome").in_rule(R::NAME))
}

/// The arguments of a typed call as plain data, for wrappers.
pub(super) fn written_args<R: Rule>(args: &R::Args, options: Option<&R::Options>) -> Result<Value, RuleError> {
    let mut value = write(args)?;
    if let (Value::Map(fields), Some(options)) = (&mut value, options) {
        let written = write(options)?;
        if written != Value::Map(Fields::default()) {
            fields.set("options", written);
        }
    }
    Ok(value)
}
