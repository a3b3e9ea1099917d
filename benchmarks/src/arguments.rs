//! The command line: `PROGRAM DIR --key value…`.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, bail};

/// The arguments.
pub(crate) struct Arguments {
    pub(crate) program: String,
    /// The whole command line, for the report.
    pub(crate) line: String,
    places: Vec<String>,
    options: Vec<(String, String)>,
}

impl Arguments {
    pub(crate) fn new(words: impl Iterator<Item = String>) -> Self {
        let words: Vec<String> = words.collect();
        let mut res = Self {
            program: words.first().cloned().unwrap_or_default(),
            line: words.join(" "),
            places: Vec::new(),
            options: Vec::new(),
        };
        let mut rest = words.into_iter().skip(1);
        while let Some(word) = rest.next() {
            match word.strip_prefix("--") {
                Some(key) => res.options.push((key.to_owned(), rest.next().unwrap_or_default())),
                None => res.places.push(word),
            }
        }
        res
    }

    /// The directory to measure on.
    pub(crate) fn directory(&self) -> anyhow::Result<PathBuf> {
        let Some(dir) = self.places.first() else { bail!("name a directory") };
        std::path::absolute(dir).and_then(|it| it.canonicalize()).with_context(|| dir.clone())
    }

    pub(crate) fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.options.iter().rev().find(|it| it.0 == key).map_or(default, |it| &it.1)
    }

    pub(crate) fn number<T: FromStr + Copy>(&self, key: &str, default: T) -> anyhow::Result<T> {
        let text = self.text(key, "");
        if text.is_empty() {
            Ok(default)
        } else {
            text.parse().ok().with_context(|| format!("--{key} {text}"))
        }
    }

    /// Where indexes are built.
    pub(crate) fn scratch(&self) -> anyhow::Result<tempfile::TempDir> {
        let builder = tempfile::Builder::new().prefix("foreword-bench-").to_owned();
        Ok(match self.text("scratch", "") {
            "" => builder.tempdir()?,
            dir => builder.tempdir_in(dir)?,
        })
    }
}

/// `150M`, `4096`.
pub(crate) fn bytes(text: &str) -> anyhow::Result<usize> {
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => bail!("{text} is not a size"),
    };
    Ok(digits.parse::<usize>().with_context(|| text.to_owned())? << shift)
}
