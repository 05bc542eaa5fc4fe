//! Packs of scripts: a folder with a `grog.json`, which is also the wall around what its scripts require.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::errors::{ScriptError, ScriptErrorKind};
use crate::rules::core::{Value, read};

/// The file that makes a folder a pack.
const FILE: &str = "grog.json";

/// The most bytes of that file.
const LONGEST: u64 = 64 << 10;

/// What a `grog.json` says.
#[derive(Deserialize)]
struct Pack {
    #[serde(default, rename = "name")]
    _name: Option<String>,
    #[serde(default, rename = "description")]
    _description: Option<String>,
}

fn refuse(file: &Path, message: &str) -> ScriptError {
    ScriptError::new(ScriptErrorKind::File, format!("{}: {message}", file.display()))
        .with_hint("a grog.json looks like { \"name\": \"my_pack\", \"description\": \"…\" }")
}

/// Reads the file of a pack, which says nothing that we do not know.
fn check(file: &Path) -> Result<(), ScriptError> {
    let mut text = String::new();
    let opened = fs::File::open(file).and_then(|open| open.take(LONGEST + 1).read_to_string(&mut text));
    opened.map_err(|error| refuse(file, &format!("cannot be read: {error}")))?;
    if text.len() as u64 > LONGEST {
        return Err(refuse(file, &format!("has more than {} KB", LONGEST >> 10)));
    }
    let value: Value = serde_json::from_str(&text).map_err(|error| refuse(file, &format!("is no JSON: {error}")))?;
    read::<Pack>(&value).map(drop).map_err(|error| refuse(file, &error.to_string()))
}

/// The wall around a script in this folder: the nearest pack at or above it, or the outermost folder where there is none.
/// Both are without links. So a pack's walls are its own, whoever requires its scripts.
pub(crate) fn wall(folder: &Path, outermost: &Path) -> Result<PathBuf, ScriptError> {
    let inside = folder.ancestors().take_while(|folder| folder.starts_with(outermost));
    for folder in inside {
        let file = folder.join(FILE);
        if file.is_file() {
            check(&file)?;
            return Ok(folder.to_owned());
        }
    }
    Ok(outermost.to_owned())
}
