//! Writes runs to files and lines to stdout.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

/// Writes `run` as JSON to `path`, if given.
pub fn json(path: Option<&Path>, run: &impl Serialize) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(run).context("cannot write the run as JSON")?;
    file(path, &(text + "\n"))
}

/// Writes `rows` as JSON, one per line.
pub fn json_lines<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    let mut text = String::new();
    for row in rows {
        let row = serde_json::to_string(row).context("cannot write a row as JSON")?;
        writeln!(text, "{row}").context("cannot write a row")?;
    }
    file(path, &text)
}

/// Writes a file.
pub fn file(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "the result of the command")]
pub fn line(text: &str) {
    println!("{text}");
}
