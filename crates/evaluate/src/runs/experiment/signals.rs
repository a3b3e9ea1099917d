//! What is each signal worth? All of them, all but one, and one alone.

use anyhow::Result;
use foreword_engine::preset::Preset;
use foreword_engine::retrieve::Signal;

use super::{Observation, Question, Table, observe, run};
use crate::runs::comparison::Selection;
use crate::runs::comparison::ask::{CodeView, Retrieval, with_overlay};
use crate::runs::run::Run;
use crate::tasks::task::Task;

/// Asks.
pub fn signals(selection: &Selection, preset: &Preset) -> Result<Run<Table>> {
    let ask = |code: &CodeView<'_>, task: &Task| ask(selection, preset, code, task);
    run(selection, preset, &Question { name: "signals", reference: "all", ask })
}

/// The settings of each series.
fn variants(preset: &Preset) -> Vec<(String, Preset)> {
    let mut res = vec![("all".to_owned(), *preset)];
    for signal in Signal::ALL {
        let mut without = *preset;
        without.fuse.weights[signal as usize] = 0.0;
        res.push((format!("without {}", signal.name()), without));
    }
    for signal in Signal::ALL {
        let mut alone = *preset;
        alone.fuse.weights = [0.0; 5];
        alone.fuse.weights[signal as usize] = 1.0;
        res.push((format!("{} alone", signal.name()), alone));
    }
    res
}

fn ask(
    selection: &Selection,
    preset: &Preset,
    code: &CodeView<'_>,
    task: &Task,
) -> Result<Vec<Observation>> {
    with_overlay(selection.protocol, code, task, |situation, cursor| {
        let mut res = Vec::new();
        for (name, preset) in variants(preset) {
            let retrieval = Retrieval::new(situation, cursor, &preset);
            let hole = retrieval.hole(task)?;
            res.extend(observe(&name, &selection.budgets, |it| {
                hole.measure(&retrieval.within(it))
            }));
        }
        Ok(res)
    })
}
