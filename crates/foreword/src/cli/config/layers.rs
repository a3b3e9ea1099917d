//! Finds the value of each setting: flag or environment variable, else user's file, else default.

use std::path::PathBuf;

use super::super::args::Global;
use super::super::usage;
use super::definitions::{Definition, definitions};
use super::file::ConfigFile;
use super::value::{Kind, Value};

/// A value and its source.
#[derive(Clone, Debug)]
pub(in super::super) struct Setting<T> {
    pub(in super::super) value: T,
    /// Description for `foreword config`.
    pub(in super::super) origin: String,
}

impl<T> Setting<T> {
    pub(super) fn map<U>(self, by: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: by(self.value), origin: self.origin }
    }
}

/// All settings with their values.
#[derive(Debug)]
pub(super) struct Layers(Vec<ResolvedSetting>);

/// A setting with its value.
#[derive(Debug)]
pub(super) struct ResolvedSetting {
    pub(super) definition: Definition,
    pub(super) value: Option<Value>,
    pub(super) origin: Origin,
}

/// Source of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Flag,
    /// The user's file, with the key used.
    File {
        path: PathBuf,
        key: String,
    },
    Default,
}

impl Layers {
    pub(super) fn new(global: &Global, file: &ConfigFile) -> anyhow::Result<Self> {
        let all = definitions().into_iter().map(|it| ResolvedSetting::new(it, global, file));
        Ok(Self(all.collect::<anyhow::Result<_>>()?))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ResolvedSetting> {
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
    pub(super) fn file_key(&self, key: &str) -> Option<&str> {
        match &self.get(key).origin {
            Origin::File { key, .. } => Some(key),
            Origin::Flag | Origin::Default => None,
        }
    }

    pub(super) fn path(&self, key: &str) -> Setting<Option<PathBuf>> {
        self.setting(key, |it| match it {
            Value::Path(path) => Some(path.clone()),
            _ => None,
        })
    }

    pub(super) fn text(&self, key: &str) -> Setting<Option<String>> {
        self.setting(key, |it| match it {
            Value::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub(super) fn optional_number(&self, key: &str) -> Setting<Option<usize>> {
        self.setting(key, |it| match it {
            Value::Number(number) => Some(*number),
            _ => None,
        })
    }

    pub(super) fn real(&self, key: &str) -> Setting<Option<f64>> {
        self.setting(key, |it| match it {
            Value::Real(number) => Some(*number),
            _ => None,
        })
    }

    /// A number with a default.
    pub(super) fn number(&self, key: &str) -> Setting<usize> {
        self.optional_number(key).map(Option::unwrap_or_default)
    }

    pub(super) fn texts(&self, key: &str) -> Vec<String> {
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
    fn new(definition: Definition, global: &Global, file: &ConfigFile) -> anyhow::Result<Self> {
        let in_file = in_file(&definition, file)?;
        let kind = definition.kind;
        let (value, origin) = match ((definition.flag)(global), in_file) {
            (Some(text), _) => {
                let value = kind.parse(&text);
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
    pub(super) fn origin(&self) -> String {
        let variable = self.definition.variable;
        match (&self.origin, variable.filter(|it| is_set(it))) {
            _ if self.definition.kind == Kind::Texts => "list".to_owned(),
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
