//! JSON: a roll as programs read it.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::dice::Roll;
use crate::dice::notation::Dialect;
use crate::dice::roll::LabelTotal;

/// Labels as one object.
struct Labels<'r>(&'r [LabelTotal]);

impl Serialize for Labels<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|total| (&total.label, total.total)))
    }
}

impl Serialize for Roll {
    /// `{"total", "text", "expression", "dice", "sorted", "labels", "bindings", "tree"}`; of a text in another tool's notation also
    /// `"dialect"` and, in ours, `"read_as"`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("total", self.value())?;
        map.serialize_entry("text", &self.plain())?;
        map.serialize_entry("expression", self.text())?;
        if self.dialect() != Dialect::Grognard {
            map.serialize_entry("dialect", self.dialect().name())?;
            map.serialize_entry("read_as", &self.tree().to_string())?;
        }
        map.serialize_entry("dice", self.dice())?;
        map.serialize_entry("sorted", &self.sorted())?;
        map.serialize_entry("labels", &Labels(self.labels()))?;
        map.serialize_entry("bindings", self.bindings())?;
        map.serialize_entry("tree", self.root())?;
        map.end()
    }
}
