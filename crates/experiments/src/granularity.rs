//! Kinds and sizes of chunks: runs the engine over indexes with different chunks, everything else unchanged except for the
//! number of pieces, which has no limit here: small chunks would leave tokens unspent.

use anyhow::{Context as _, Result};
use foreword_chunk::{Config, Granularity};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::preset::Preset;
use foreword_engine::source::Source;

use crate::ask::{Question, run};
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::cursor::{CodeView, with_overlay};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table, observe};
use foreword_evaluate::tasks::task::Task;

/// Runs the experiment.
pub(crate) fn granularity(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let preset = without_limit(preset);
    let ask = |code: &CodeView<'_>, task: &Task| {
        over_cuts(settings, &preset, &variants(), code, task, |_, _| {})
    };
    run(settings, &preset, &Question { name: "granularity", reference: "cast 2000", ask })
}

/// As many pieces as fit.
pub(crate) fn without_limit(preset: &Preset) -> Preset {
    let mut res = preset.clone();
    res.budget.max_pieces = usize::MAX;
    res
}

/// The settings of the chunker, with a name.
pub(crate) type Chunking = (String, Config);

/// The variants.
fn variants() -> Vec<Chunking> {
    let of = |granularity, max_size| Config { granularity, max_size, ..Config::default() };
    let mut res = Vec::new();
    for size in [250, 500, 1000, 1500, 2000, 4000] {
        res.push((format!("cast {size}"), of(Granularity::Cast, size)));
    }
    for size in [1000, 2000] {
        res.push((format!("definition {size}"), of(Granularity::Definition, size)));
        res.push((format!("method {size}"), of(Granularity::Method, size)));
    }
    for lines in [10, 20, 40, 64] {
        res.push((format!("lines {lines}"), of(Granularity::Lines(lines), 2000)));
    }
    res.push(("file".to_owned(), of(Granularity::File, 2000)));
    res
}

/// Asks a task over the chunks of each variant; `look` sees each index.
pub(crate) fn over_cuts(
    settings: &CompletionSettings,
    preset: &Preset,
    cuts: &[Chunking],
    code: &CodeView<'_>,
    task: &Task,
    look: impl Fn(&str, &Snapshot),
) -> Result<Vec<Observation>> {
    let source = |it| Source {
        path: code.snapshot.path(it).to_owned(),
        text: code.snapshot.text(it).to_string(),
    };
    let sources: Vec<Source> = code.snapshot.files().map(source).collect();
    let mut res = Vec::new();
    for (name, chunk) in cuts {
        let snapshot = Snapshot::of_sources(sources.clone(), IndexConfig { chunk: *chunk })
            .context("cannot index the files")?;
        look(name, &snapshot);
        let code = CodeView { snapshot: &snapshot, ..*code };
        res.extend(with_overlay(settings.protocol, &code, task, |view, cursor| {
            let retrieval = Retrieval::new(view, cursor, preset);
            let hole = retrieval.hole(task)?;
            Ok(observe(name, &settings.budgets, |it| hole.measure(&retrieval.within(it))))
        })?);
    }
    Ok(res)
}
