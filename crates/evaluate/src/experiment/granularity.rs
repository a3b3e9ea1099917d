//! What should a chunk be? The engine over indexes that are cut differently, everything else as it is, but for the number
//! of pieces: it has no limit here, or small chunks would leave tokens unspent.

use anyhow::{Context as _, Result};
use foreword_chunk::{Config, Granularity};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::preset::Preset;
use foreword_engine::source::Source;

use super::{Observation, Question, Table, observe, run};
use crate::context::Selection;
use crate::context::ask::{AskedOf, Asking, laid_over};
use crate::task::Task;

/// Asks.
pub fn granularity(selection: &Selection, preset: &Preset) -> Result<Table> {
    let mut preset = *preset;
    preset.budget.max_pieces = usize::MAX;
    let ask = |code: &AskedOf<'_>, task: &Task| ask(selection, &preset, code, task);
    run(selection, &preset, &Question { name: "granularity", reference: "cast 2000", ask })
}

/// The ways of cutting.
fn variants() -> Vec<(String, Config)> {
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

fn ask(
    selection: &Selection,
    preset: &Preset,
    code: &AskedOf<'_>,
    task: &Task,
) -> Result<Vec<Observation>> {
    let files = code.snapshot.files();
    let sources: Vec<Source> = files
        .map(|it| Source {
            path: code.snapshot.path(it).to_owned(),
            text: code.snapshot.text(it).to_string(),
        })
        .collect();
    let mut res = Vec::new();
    for (name, chunk) in variants() {
        let snapshot = Snapshot::of_sources(sources.clone(), IndexConfig { chunk })
            .context("cannot index the files")?;
        let code = AskedOf { snapshot: &snapshot, ..*code };
        res.extend(laid_over(selection.protocol, &code, task, |situation, cursor| {
            let asking = Asking::new(situation, cursor, preset);
            let hole = asking.hole(task)?;
            Ok(observe(&name, &selection.budgets, |it| hole.measure(&asking.within(it))))
        })?);
    }
    Ok(res)
}
