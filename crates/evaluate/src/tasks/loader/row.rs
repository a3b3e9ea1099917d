//! Reads a JSON row field by field, with errors that name the field.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Map, Value};

/// The fields of one row.
pub(super) type Fields = Map<String, Value>;

pub(super) fn fields(text: &str) -> Result<Fields> {
    match serde_json::from_str(text).context("no JSON")? {
        Value::Object(fields) => Ok(fields),
        _ => bail!("no JSON object"),
    }
}

/// A row, or an object inside it.
#[derive(Clone, Copy)]
pub(super) struct JsonRow<'r> {
    pub(super) fields: &'r Fields,
}

impl<'r> JsonRow<'r> {
    pub(super) fn new(fields: &'r Fields) -> Self {
        Self { fields }
    }

    /// A required text.
    pub(super) fn text(self, name: &str) -> Result<String> {
        self.optional_text(name)?.with_context(|| format!("field `{name}` is missing"))
    }

    /// A text; `None` when the field is absent or null.
    pub(super) fn optional_text(self, name: &str) -> Result<Option<String>> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => bail!("field `{name}` is no text"),
        }
    }

    /// A whole number, also in quotes. `None` when the field is absent or null.
    pub(super) fn optional_number(self, name: &str) -> Result<Option<i64>> {
        let wrong = || format!("field `{name}` is no whole number");
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.trim().parse().with_context(wrong)?)),
            Some(value) => Ok(Some(value.as_i64().with_context(wrong)?)),
        }
    }

    /// A required line number (1-based).
    pub(super) fn line(self, name: &str) -> Result<u32> {
        let number = self.optional_number(name)?;
        let number = number.with_context(|| format!("field `{name}` is missing"))?;
        u32::try_from(number).with_context(|| format!("field `{name}`: {number} is no line"))
    }

    /// A required object.
    pub(super) fn object(self, name: &str) -> Result<Self> {
        let object = self.fields.get(name).and_then(Value::as_object);
        object.map(JsonRow::new).with_context(|| format!("field `{name}` is missing or no object"))
    }

    /// A list; empty when the field is absent or null.
    pub(super) fn list(self, name: &str) -> Result<&'r [Value]> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => bail!("field `{name}` is no list"),
        }
    }

    /// A list of texts; empty when the field is absent or null.
    pub(super) fn texts(self, name: &str) -> Result<Vec<String>> {
        let text = |it: &Value| it.as_str().map(str::to_owned);
        let texts: Option<Vec<String>> = self.list(name)?.iter().map(text).collect();
        texts.with_context(|| format!("field `{name}` has an entry that is no text"))
    }

    /// Two line numbers in a list.
    pub(super) fn lines(self, name: &str) -> Result<(u32, u32)> {
        let list = self.list(name)?;
        ensure!(list.len() == 2, "field `{name}` is missing or no pair of lines");
        let line = |it: &Value| it.as_u64().and_then(|it| u32::try_from(it).ok());
        let pair = line(&list[0]).zip(line(&list[1]));
        pair.with_context(|| format!("field `{name}` is no pair of lines"))
    }

    /// The named fields that are present, unchanged, for the task's `meta`.
    pub(super) fn kept(self, names: &[&str]) -> std::collections::BTreeMap<String, Value> {
        let pair = |name: &&str| Some(((*name).to_owned(), self.fields.get(*name)?.clone()));
        names.iter().filter_map(pair).collect()
    }
}
