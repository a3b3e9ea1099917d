//! An order of candidates by learned weights, against the order made by hand. `ranker/README.md` says how weights are made.

mod copies;
pub(crate) mod features;
mod input;
mod model;
mod nearby;
mod runs;

use std::path::Path;

use anyhow::{Context as _, Result};
use foreword_engine::preset::Preset;
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::cursor::{CodeView, with_overlay};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::tasks::task::Task;

use crate::ask::{Question, run};
use foreword_evaluate::runs::table::{Observation, Table, observe};
use input::values;
use model::Model;

/// The weights of the last run.
const WEIGHTS: &str = include_str!("../ranker/weights.json");

/// Shares of the learned factor's logarithm: half of it, and all.
const SHARES: [(&str, f32); 2] = [("half learned", 0.5), ("learned", 1.0)];

/// Reads weights; default: those of the last run.
pub(crate) fn model(file: Option<&Path>) -> Result<Model> {
    let Some(path) = file else { return Model::read(WEIGHTS) };
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    Model::read(&text).with_context(|| path.display().to_string())
}

/// Runs the experiment.
pub(crate) fn ranker(
    settings: &CompletionSettings,
    preset: &Preset,
    model: &Model,
) -> Result<Run<Table>> {
    let ask = |code: &CodeView<'_>, task: &Task| ask(settings, preset, model, code, task);
    run(settings, preset, &Question { name: "ranker", reference: "by hand", ask })
}

fn ask(
    settings: &CompletionSettings,
    preset: &Preset,
    model: &Model,
    code: &CodeView<'_>,
    task: &Task,
) -> Result<Vec<Observation>> {
    with_overlay(settings.protocol, code, task, |view, cursor| {
        let mut retrieval = Retrieval::new(view, cursor, preset);
        let hole = retrieval.hole(task)?;
        let measure = |retrieval: &Retrieval<'_>, name: &str| {
            observe(name, &settings.budgets, |it| hole.measure(&retrieval.within(it)))
        };
        let mut res = measure(&retrieval, "by hand");
        let candidates = retrieval.take_candidates();
        let inputs = values(&retrieval, &candidates);
        for (name, share) in SHARES {
            retrieval.put_candidates(model.rerank(candidates.clone(), &inputs, share));
            res.extend(measure(&retrieval, name));
        }
        Ok(res)
    })
}
