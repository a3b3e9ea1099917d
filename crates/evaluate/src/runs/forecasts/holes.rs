//! Forecasts for files from which a part was taken: whether it is foretold from what is left.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_chunk::Language;
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::scope::Resolver;
use foreword_engine::source::Source;
use foreword_engine::speculate::{ForecastConfig, forecast};

use super::{JudgedFile, judge};
use crate::measures::names::identifiers;
use crate::measures::share;
use crate::tasks::corpora::{Corpora, Reader};
use crate::tasks::task::Task;

/// Judges the forecasts for the file of a task without its hole.
pub fn hole(reader: &mut HoleReader, corpora: &Corpora, task: &Task) -> Result<JudgedFile> {
    let path = task.target_file.as_deref().context("the task names no file")?;
    let prefix = task.prefix.as_deref().unwrap_or_default();
    let suffix = task.suffix.as_deref().unwrap_or_default();
    let truth = task.ground_truth.as_deref().unwrap_or_default();
    let before = reader.0.snapshot(corpora, task)?;
    let text = format!("{prefix}{suffix}");
    let change = Change::Write(Source { path: path.to_owned(), text });
    let snapshot = before.with_changes(vec![change]).context("cannot index the hole")?;
    let snapshot = Arc::new(snapshot);
    let file = snapshot.file(path).context("the file of the task is not indexed")?;
    let resolver = Resolver::new(&snapshot);
    let later = [vec![format!("{prefix}{truth}{suffix}")], vec![], vec![], vec![]];
    let mut judged = judge(&snapshot, &resolver, file, &later);
    judged.coverage = coverage(&snapshot, &resolver, path, truth);
    (judged.repo, judged.state) = (task.repo.clone(), task.id.clone());
    Ok(judged)
}

/// The code of tasks; what was read is kept from task to task.
#[derive(Default)]
pub struct HoleReader(Reader);

/// The share of the names of a hole that are in the three likeliest forecasts for its file.
fn coverage(snapshot: &Snapshot, resolver: &Resolver, path: &str, truth: &str) -> Option<f64> {
    let file = snapshot.file(path)?;
    let verdict = forecast(snapshot, resolver, file, &ForecastConfig::in_force());
    let language = Language::of_path(path, "");
    let names =
        |text: &str| -> BTreeSet<String> { identifiers(text, language).into_iter().collect() };
    let first = verdict.accepted.iter().take(3);
    let given: BTreeSet<String> = first.flat_map(|it| names(&it.code)).collect();
    share(&names(truth), &given)
}
