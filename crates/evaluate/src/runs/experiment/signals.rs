//! What is each signal worth? All of them, all but one, and one alone.

use anyhow::Result;
use foreword_engine::evidence::{PerSignal, Signal};
use foreword_engine::preset::Preset;

use super::ask::{Question, run};
use super::table::{Observation, Table, observe};
use crate::runs::completion::CompletionSettings;
use crate::runs::completion::cursor::{CodeView, with_overlay};
use crate::runs::completion::retrieval::Retrieval;
use crate::runs::run::Run;
use crate::tasks::task::Task;

/// Runs the experiment.
pub fn signals(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let ask = |code: &CodeView<'_>, task: &Task| ask(settings, preset, code, task);
    run(settings, preset, &Question { name: "signals", reference: "all", ask })
}

/// The settings of each series.
fn variants(preset: &Preset) -> Vec<(String, Preset)> {
    let mut res = vec![("all".to_owned(), preset.clone())];
    for signal in Signal::ALL {
        let mut without = preset.clone();
        without.fuse.weights[signal] = 0.0;
        res.push((format!("without {}", signal.name()), without));
    }
    for signal in Signal::ALL {
        let mut alone = preset.clone();
        alone.fuse.weights = PerSignal::default();
        alone.fuse.weights[signal] = 1.0;
        res.push((format!("{} alone", signal.name()), alone));
    }
    res
}

fn ask(
    settings: &CompletionSettings,
    preset: &Preset,
    code: &CodeView<'_>,
    task: &Task,
) -> Result<Vec<Observation>> {
    with_overlay(settings.protocol, code, task, |view, cursor| {
        let mut res = Vec::new();
        for (name, preset) in variants(preset) {
            let retrieval = Retrieval::new(view, cursor, &preset);
            let hole = retrieval.hole(task)?;
            res.extend(observe(&name, &settings.budgets, |it| hole.measure(&retrieval.within(it))));
        }
        Ok(res)
    })
}
