//! The configuration file.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::{Error, Result};

/// `key = value` lines.
#[derive(Clone, Debug, Default)]
pub struct Config {
    values: BTreeMap<String, String>,
}

impl Config {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Ok(Self::parse(&text))
    }

    /// Reads a text; lines without `=` are comments.
    pub fn parse(text: &str) -> Self {
        let pairs = text.lines().filter_map(|it| it.split_once('='));
        let values = pairs.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
        Self { values: values.collect() }
    }

    /// A value as written.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// A value as a number, or `default`.
    pub fn number(&self, key: &str, default: u64) -> u64 {
        self.get(key).and_then(|it| it.parse().ok()).unwrap_or(default)
    }
}
