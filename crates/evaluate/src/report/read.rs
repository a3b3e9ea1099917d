//! Reads a stored run.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::extract::{self, Cell};

/// A stored run.
#[derive(Clone, Debug)]
pub struct Report {
    pub(crate) name: String,
    pub(crate) facts: Vec<(String, String)>,
    /// Omitted tasks, with reasons.
    pub(crate) left_out: Vec<String>,
    pub(crate) cells: Vec<Cell>,
    /// The results of each task, with its id.
    pub(crate) outcomes: Vec<(String, Vec<Cell>)>,
}

/// Reads a file that a command wrote with `--json`.
pub fn read(path: &Path) -> Result<Report> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let run: Value = serde_json::from_str(&text).with_context(|| format!("{shown}: no JSON"))?;
    let Some(provenance) = run.get("provenance").and_then(Value::as_object) else {
        bail!("{shown} has no `provenance`: it is no run that a command wrote with --json");
    };
    let fact = |(name, value): (&String, &Value)| {
        let long = name == "settings";
        (!long).then(|| (name.clone(), plain(value)))
    };
    let mut facts: Vec<(String, String)> = provenance.iter().filter_map(fact).collect();
    for name in ["split", "protocol", "session", "search_preset", "kind", "experiment"] {
        facts.extend(run.get(name).map(|it| (name.to_owned(), plain(it))));
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (left_out, outcomes) = (left_out(&run), outcomes(&run));
    Ok(Report { name, facts, left_out, cells: extract::cells(&run), outcomes })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn left_out(run: &Value) -> Vec<String> {
    let mut res = Vec::new();
    for name in ["notice", "skipped", "failed", "left_out", "missing"] {
        match run.get(name) {
            Some(Value::String(line)) => res.push(line.clone()),
            Some(Value::Array(lines)) => {
                res.extend(
                    lines.iter().map(|it| format!("{}: {}", name.replace('_', " "), plain(it))),
                );
            }
            _ => {}
        }
    }
    res
}

fn outcomes(run: &Value) -> Vec<(String, Vec<Cell>)> {
    let list = run.get("outcomes").and_then(Value::as_array).into_iter().flatten();
    let outcome = |it: &Value| Some((it.get("id")?.as_str()?.to_owned(), extract::cells(it)));
    list.filter_map(outcome).collect()
}
