//! The effect of each signal: all of them, all but one, and one alone.

use anyhow::Result;
use foreword_engine::evidence::{PerSignal, Signal};
use foreword_engine::preset::Preset;

use crate::ask::{Question, run};
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::cursor::{CodeView, with_overlay};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table, observe};
use foreword_evaluate::tasks::task::Task;

/// Runs the experiment.
pub(crate) fn signals(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
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
