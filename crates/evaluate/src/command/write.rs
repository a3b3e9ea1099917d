//! A run as a file.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Serialize;

/// Writes `run` as JSON to `path`, if one is given.
pub(super) fn json(path: Option<&Path>, run: &impl Serialize) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let text = serde_json::to_string_pretty(run).context("cannot write the run as JSON")?;
    std::fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
}
