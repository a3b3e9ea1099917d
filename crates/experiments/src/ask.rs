//! Asks the tasks of an experiment.

use anyhow::Result;
use foreword_engine::preset::Preset;

use foreword_evaluate::runs::completion::cursor::{CodeView, each, with_overlay};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::completion::{CompletionSettings, choose};
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table, tabulate};
use foreword_evaluate::tasks::task::Task;

/// An experiment: its name, its reference, and how it asks a task.
pub(crate) struct Question<F> {
    pub(crate) name: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) ask: F,
}

/// Asks all selected tasks.
pub(crate) fn run<F>(
    settings: &CompletionSettings,
    preset: &Preset,
    question: &Question<F>,
) -> Result<Run<Table>>
where
    F: Fn(&CodeView<'_>, &Task) -> Result<Vec<Observation>> + Sync,
{
    let mut batch = choose(settings)?;
    let one = |code: &CodeView<'_>, task: &Task| {
        Ok((task.meta.is_test_file, (question.ask)(code, task)?))
    };
    let asked = batch.ask(|tasks| each(settings, tasks, one));
    let table = tabulate(question.name, question.reference, settings, asked, &batch)?;
    Ok(Run::new(preset, batch, table))
}

/// Asks all selected tasks at their cursors, with the candidates of one preset.
pub(crate) fn at_cursors<F>(
    settings: &CompletionSettings,
    preset: &Preset,
    question: &Question<F>,
) -> Result<Run<Table>>
where
    F: Fn(&Retrieval<'_>, &Task) -> Result<Vec<Observation>> + Sync,
{
    let ask = |code: &CodeView<'_>, task: &Task| {
        with_overlay(settings.protocol, code, task, |view, cursor| {
            (question.ask)(&Retrieval::new(view, cursor, preset), task)
        })
    };
    run(settings, preset, &Question { name: question.name, reference: question.reference, ask })
}
