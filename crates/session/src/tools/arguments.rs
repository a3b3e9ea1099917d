//! The arguments of the tools. A list may be given as a single string, all but one argument of a tool have defaults, and
//! an unknown argument is refused with the names of the known ones.

use std::cell::RefCell;

use serde::de::value::MapDeserializer;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::schema;
use crate::usage::usage;

/// Minimum and maximum budget of an answer, in tokens.
const BUDGET_RANGE: (usize, usize) = (200, 20_000);

/// Interpretation of a query of `search`.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    /// As words and names, ranked.
    #[default]
    Auto,
    /// As the name of a definition.
    Symbol,
    /// As text that a line contains.
    Exact,
    /// As a regular expression.
    Regex,
}

/// Arguments of `search`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    pub(super) query: String,
    #[serde(default)]
    pub(super) mode: Mode,
    #[serde(default, deserialize_with = "list")]
    pub(super) path: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) lang: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) kind: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) tag: Vec<String>,
    pub(super) limit: Option<usize>,
    pub(super) lines: Option<usize>,
    pub(super) tokens: Option<usize>,
    pub(super) cursor: Option<String>,
}

/// Arguments of `context`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextArguments {
    pub(super) task: Option<String>,
    pub(super) file: Option<String>,
    pub(super) line: Option<usize>,
    #[serde(default)]
    pub(super) next: bool,
    pub(super) tokens: Option<usize>,
}

/// Arguments of `symbols`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SymbolsArguments {
    pub(super) name: Option<String>,
    pub(super) file: Option<String>,
    #[serde(default, deserialize_with = "list")]
    pub(super) path: Vec<String>,
    pub(super) tokens: Option<usize>,
    pub(super) cursor: Option<String>,
}

/// Arguments of `map`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapArguments {
    #[serde(default, deserialize_with = "list")]
    pub(super) focus: Vec<String>,
    pub(super) tokens: Option<usize>,
}

/// Arguments of `read`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadLinesArguments {
    pub(super) file: String,
    pub(super) start_line: Option<usize>,
    pub(super) end_line: Option<usize>,
    pub(super) tokens: Option<usize>,
}

/// Arguments that every tool takes.
#[derive(Debug, Default, Deserialize)]
pub(super) struct CommonArguments {
    pub(super) repository: Option<String>,
    pub(super) wait_ms: Option<u64>,
}

/// Removes the arguments that every tool takes and parses them.
pub(super) fn take_common(arguments: &mut Map<String, Value>) -> anyhow::Result<CommonArguments> {
    let keys = ["repository", "wait_ms"];
    let common = keys.iter().filter_map(|key| Some(((*key).to_owned(), arguments.remove(*key)?)));
    parse("arguments", common.collect(), &schema::common(""))
}

/// Parses the arguments of a tool. An error names the argument that has a wrong value, and what it takes by `properties`
/// of the tool's schema.
pub(super) fn parse<'de, T: Deserialize<'de>>(
    tool: &str,
    arguments: Map<String, Value>,
    properties: &Value,
) -> anyhow::Result<T> {
    // Deserialisation goes from argument to argument, so the last one that was begun is the wrong one.
    let current = RefCell::new(None);
    let begin = |it: &(String, Value)| current.replace(Some(it.0.clone()));
    let end = std::iter::from_fn(|| {
        current.take();
        None
    });
    let arguments = arguments.into_iter().filter_map(|(name, value)| {
        let value = coerce(value, &properties[&name]);
        (!is_unset(&name, &value, &properties[&name])).then_some((name, value))
    });
    let arguments = arguments.inspect(|it| drop(begin(it))).chain(end);
    T::deserialize(MapDeserializer::new(arguments)).map_err(|error: serde_json::Error| {
        let name = current.take().unwrap_or_default();
        usage(match properties.get(&name) {
            Some(property) => format!("{tool}: {name}: {error}{}", remedy(property)),
            None => format!("{tool}: {error}"),
        })
    })
}

/// Converts values that models give with another type than the schema's: numbers and truth values in quotes, a whole
/// number with a fraction of zero, a number for a string, one value or a list in quotes for a list. What means nothing
/// stays as it is, for the error.
fn coerce(value: Value, property: &Value) -> Value {
    let of_text = |text: &str| serde_json::from_str::<Value>(text.trim()).ok();
    let coerced = match (property["type"].as_str(), &value) {
        (Some("integer"), Value::String(text)) => of_text(text).map(whole).filter(Value::is_u64),
        (Some("integer"), Value::Number(_)) => Some(whole(value.clone())),
        (Some("boolean"), Value::String(text)) => {
            of_text(&text.to_ascii_lowercase()).filter(Value::is_boolean)
        }
        (Some("string"), Value::Number(_) | Value::Bool(_)) => Some(value.to_string().into()),
        (Some("array"), Value::String(text)) => of_text(text).filter(Value::is_array),
        (Some("array"), Value::Number(_) | Value::Bool(_)) => Some(value.to_string().into()),
        _ => None,
    };
    coerced.unwrap_or(value)
}

/// Whether a value stands for an absent argument. Clients whose schemas know no absence (OpenAI's strict mode, Pydantic models)
/// send all parameters, and models fill those that they do not want: null, an empty text, a zero where counting begins at
/// one. A query is always meant.
fn is_unset(name: &str, value: &Value, property: &Value) -> bool {
    let is_known = property.is_object() && name != "query";
    is_known
        && match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Number(number) => {
                number.as_u64() == Some(0) && property["minimum"].as_u64().is_some_and(|it| it > 0)
            }
            _ => false,
        }
}

/// `3.0` as `3`.
fn whole(value: Value) -> Value {
    let number = value.as_f64().filter(|it| it.fract() == 0.0 && (0.0..1e15).contains(it));
    match number {
        Some(number) if !value.is_u64() => Value::from(number as u64),
        _ => value,
    }
}

/// The accepted values of an argument. The error of an unknown variant has listed the variants already.
fn remedy(property: &Value) -> String {
    match property["type"].as_str() {
        Some("string") if property["enum"].is_null() => "; it takes a string".to_owned(),
        Some("integer") => match (property["minimum"].as_u64(), property["maximum"].as_u64()) {
            (Some(least), Some(most)) => format!("; it takes an integer from {least} to {most}"),
            (Some(least), None) => format!("; it takes an integer from {least}"),
            _ => "; it takes an integer".to_owned(),
        },
        Some("array") => "; it takes a list of strings".to_owned(),
        _ => String::new(),
    }
}

/// The budget of an answer in tokens, clamped to what is allowed.
pub(super) fn budget(requested: Option<usize>, default: usize) -> usize {
    requested.unwrap_or(default).clamp(BUDGET_RANGE.0, BUDGET_RANGE.1)
}

/// Accepts a list, a single string for a list of one, and null for none.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        Many(Vec<String>),
        One(String),
        Null(()),
    }
    let mut list = match OneOrMany::deserialize(deserializer)? {
        OneOrMany::Many(list) => list,
        OneOrMany::One(text) => vec![text],
        OneOrMany::Null(()) => Vec::new(),
    };
    list.retain(|it| !it.trim().is_empty());
    Ok(list)
}
