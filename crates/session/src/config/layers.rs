//! Finds the value of each setting: flag or environment variable, else user's file, else default.

use std::path::PathBuf;

use super::Flags;
use super::definitions::{Definition, definitions};
use super::file::ConfigFile;
use super::value::Value;
use crate::usage::usage;

/// A value and its source.
#[derive(Clone, Debug)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Description for `foreword config`.
    pub origin: String,
}

impl<T> Setting<T> {
    /// The same setting with another value.
    pub fn map<U>(self, by: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: by(self.value), origin: self.origin }
    }
}

/// All settings with their values.
#[derive(Debug)]
pub struct Layers(Vec<ResolvedSetting>);

/// A setting with its value.
#[derive(Debug)]
pub struct ResolvedSetting {
    /// The row of the table.
    pub definition: Definition,
    /// The value, if there is one.
    pub value: Option<Value>,
    /// The source of the value.
    pub origin: Origin,
}

/// Source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A flag or an environment variable.
    Flag,
    /// The user's file.
    File {
        /// The file.
        path: PathBuf,
        /// The key used.
        key: String,
    },
    /// The default.
    Default,
}

impl Layers {
    pub(super) fn new(flags: &Flags, file: &ConfigFile) -> anyhow::Result<Self> {
        let all = definitions().into_iter().map(|it| ResolvedSetting::new(it, flags, file));
        Ok(Self(all.collect::<anyhow::Result<_>>()?))
    }

    /// All settings, in display order.
    pub fn iter(&self) -> impl Iterator<Item = &ResolvedSetting> {
        self.0.iter()
    }

    /// Ignores the user's file for a setting.
    pub(super) fn unset(&mut self, key: &str) {
        for it in self.0.iter_mut().filter(|it| it.definition.key == key) {
            it.value = None;
            it.origin = Origin::Default;
        }
    }

    /// The key of a setting in the user's file, if it is set there.
    pub fn file_key(&self, key: &str) -> Option<&str> {
        match &self.get(key).origin {
            Origin::File { key, .. } => Some(key),
            Origin::Flag | Origin::Default => None,
        }
    }

    /// A setting that is a path.
    pub fn path(&self, key: &str) -> Setting<Option<PathBuf>> {
        self.setting(key, |it| match it {
            Value::Path(path) => Some(path.clone()),
            _ => None,
        })
    }

    /// A setting that is a text or a word.
    pub fn text(&self, key: &str) -> Setting<Option<String>> {
        self.setting(key, |it| match it {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// A setting that is a whole number or a size.
    pub fn optional_number(&self, key: &str) -> Setting<Option<usize>> {
        self.setting(key, |it| match it {
            Value::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// A setting that is a number.
    pub fn real(&self, key: &str) -> Setting<Option<f64>> {
        self.setting(key, |it| match it {
            Value::Real(number) => Some(*number),
            _ => None,
        })
    }

    /// A number with a default.
    pub fn number(&self, key: &str) -> Setting<usize> {
        self.optional_number(key).map(Option::unwrap_or_default)
    }

    /// A setting that is a list of texts.
    pub fn texts(&self, key: &str) -> Vec<String> {
        match &self.get(key).value {
            Some(Value::Texts(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    fn setting<T>(&self, key: &str, read: impl FnOnce(&Value) -> Option<T>) -> Setting<Option<T>> {
        let resolved = self.get(key);
        Setting { value: resolved.value.as_ref().and_then(read), origin: resolved.origin() }
    }

    fn get(&self, key: &str) -> &ResolvedSetting {
        let found = self.0.iter().find(|it| it.definition.keys().any(|it| it == key));
        found.expect("settings are read by keys of the table")
    }
}

impl ResolvedSetting {
    fn new(definition: Definition, flags: &Flags, file: &ConfigFile) -> anyhow::Result<Self> {
        let in_file = in_file(&definition, file)?;
        let kind = definition.kind;
        let (value, origin) = match (flags.get(definition.key.as_str()), in_file) {
            (Some(text), _) => {
                let value = kind.parse(text);
                let value = value.map_err(|it| usage(format!("{} = {it}", definition.key)))?;
                (Some(value), Origin::Flag)
            }
            (None, Some((key, value))) => {
                let value = kind.read(value);
                let wrong = |it: String| usage(format!("{}: {key}: {it}", file.path.display()));
                let origin = Origin::File { path: file.path.clone(), key: key.to_owned() };
                (Some(value.map_err(wrong)?), origin)
            }
            (None, None) => {
                let default = definition.default.map(|it| kind.parse(it.as_ref()));
                let default = default.transpose().expect("the table's defaults are of their kind");
                (default, Origin::Default)
            }
        };
        Ok(Self { definition, value, origin })
    }

    /// Description of the source.
    pub fn origin(&self) -> String {
        let variable = self.definition.variable.map(|it| it.name);
        match (&self.origin, variable.filter(|it| is_set(it))) {
            (Origin::Flag, Some(variable)) => format!("flag or ${variable}"),
            (Origin::Flag, None) => "flag".to_owned(),
            (Origin::File { path, .. }, _) => path.display().to_string(),
            (Origin::Default, _) => "default".to_owned(),
        }
    }
}

/// Empty variables count as unset.
fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|it| !it.is_empty())
}

/// Key and value of a setting in the user's file; using both keys is an error.
fn in_file<'f>(
    definition: &'f Definition,
    file: &'f ConfigFile,
) -> anyhow::Result<Option<(&'f str, &'f toml::Value)>> {
    let mut found = definition.keys().filter_map(|it| Some((it, file.values.get(it)?)));
    match (found.next(), found.next()) {
        (Some((first, _)), Some((second, _))) => Err(usage(format!(
            "{}: `{first}` and `{second}` are the same setting; remove one",
            file.path.display()
        ))),
        (found, _) => Ok(found),
    }
}
