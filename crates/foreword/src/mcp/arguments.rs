//! The arguments of the tools, as agents write them: lists may be single texts, everything but the question has a
//! default, and what is not known is refused with the names of what is.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::usage::usage;

/// Fewest and most tokens that an answer may have.
const TOKENS: (usize, usize) = (200, 20_000);

/// What is looked for, and how.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    #[default]
    Auto,
    Symbol,
    Exact,
    Regex,
}

/// Of `search`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    pub(super) query: String,
    #[serde(default)]
    pub(super) mode: Mode,
    #[serde(default, deserialize_with = "list")]
    pub(super) path: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) lang: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) kind: Vec<String>,
    pub(super) limit: Option<usize>,
    pub(super) lines: Option<usize>,
    pub(super) tokens: Option<usize>,
    pub(super) cursor: Option<String>,
}

/// Of `context`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Context {
    pub(super) task: Option<String>,
    pub(super) file: Option<String>,
    pub(super) line: Option<usize>,
    pub(super) tokens: Option<usize>,
}

/// Of `symbols`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Symbols {
    pub(super) name: Option<String>,
    pub(super) file: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) path: Vec<String>,
    pub(super) tokens: Option<usize>,
    pub(super) cursor: Option<String>,
}

/// Of `map`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Overview {
    #[serde(default, deserialize_with = "list")]
    pub(super) focus: Vec<String>,
    pub(super) tokens: Option<usize>,
}

/// What every tool takes.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Common {
    pub(super) repository: Option<String>,
    pub(super) wait_ms: Option<u64>,
}

/// Takes out of a tool's arguments what every tool takes.
pub(super) fn common(arguments: &mut Map<String, Value>) -> anyhow::Result<Common> {
    let keys = ["repository", "wait_ms"];
    let taken = keys.iter().filter_map(|key| Some(((*key).to_owned(), arguments.remove(*key)?)));
    read("arguments", taken.collect())
}

/// Reads the arguments of the tool `name`.
pub(super) fn read<'de, T: Deserialize<'de>>(
    name: &str,
    arguments: Map<String, Value>,
) -> anyhow::Result<T> {
    T::deserialize(Value::Object(arguments)).map_err(|error| usage(format!("{name}: {error}")))
}

/// The budget of an answer: what was asked for, within reason.
pub(super) fn budget(asked: Option<usize>, default: usize) -> usize {
    asked.unwrap_or(default).clamp(TOKENS.0, TOKENS.1)
}

/// A list, or one text that stands for a list of one.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        Many(Vec<String>),
        One(String),
        Nothing(()),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::Many(list) => list,
        OneOrMany::One(text) => vec![text],
        OneOrMany::Nothing(()) => Vec::new(),
    })
}
