//! The record of a run, as it is written with `--json`.

use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::runs::provenance::Provenance;
use crate::tasks::selection::{AbsentRepository, LeftOut, TaskBatch};
use crate::tasks::split::Split;

/// A run: its provenance, the omitted tasks, and its result with the outcome of each task.
#[derive(Debug, Serialize)]
pub struct Run<T, L = LeftOut> {
    /// The settings, the data and the machine.
    pub provenance: Provenance,
    /// The part of the repositories.
    pub split: Split,
    /// The omitted tasks.
    #[serde(flatten)]
    pub left_out: L,
    /// The result of the command.
    #[serde(flatten)]
    pub result: T,
}

impl<T> Run<T> {
    /// The record of a batch that ran with a preset.
    pub fn new(preset: &Preset, batch: TaskBatch, result: T) -> Self {
        let TaskBatch { data, split, left_out, .. } = batch;
        Self { provenance: Provenance::new(preset).over(&data), split, left_out, result }
    }
}

/// Omissions of a run, as lines.
#[derive(Debug, Serialize)]
pub struct LeftOutLines {
    /// Omitted rows, repositories and tasks, with the reason.
    pub(crate) left_out: Vec<String>,
}

impl LeftOutLines {
    fn new(left_out: LeftOut) -> Self {
        let LeftOut { notice, skipped, failed, .. } = left_out;
        let absent =
            |it: AbsentRepository| format!("{}: {} tasks, no repository", it.name, it.tasks);
        let lines = notice.into_iter().chain(skipped.into_iter().map(absent)).chain(failed);
        Self { left_out: lines.collect() }
    }

    /// The first line of a run over `asked` tasks.
    pub fn first_line(&self, asked: usize) -> String {
        match self.left_out.as_slice() {
            [] => format!("{asked} tasks asked, none left out"),
            lines => format!("{asked} tasks asked; left out: {}", lines.join("; ")),
        }
    }
}

impl<T> Run<T, LeftOutLines> {
    /// The record with omissions as lines.
    pub fn with_lines(preset: &Preset, batch: TaskBatch, result: T) -> Self {
        let Run { provenance, split, left_out, result } = Run::new(preset, batch, result);
        Self { provenance, split, left_out: LeftOutLines::new(left_out), result }
    }
}
