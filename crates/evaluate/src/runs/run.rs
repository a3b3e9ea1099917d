//! The record of a run, as it is written with `--json`.

use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::runs::provenance::Provenance;
use crate::tasks::selection::{LeftOut, TaskBatch};
use crate::tasks::split::Split;

/// A run: what it was made with, what was left out, and its result with the outcome of every task.
#[derive(Debug, Serialize)]
pub struct Run<T, L = LeftOut> {
    /// The settings, the data and the machine.
    pub provenance: Provenance,
    /// Which part of the repositories.
    pub split: Split,
    /// What was left out.
    #[serde(flatten)]
    pub left_out: L,
    /// The result of the command.
    #[serde(flatten)]
    pub result: T,
}

impl<T> Run<T> {
    /// The record of a batch that was asked with a preset.
    pub(crate) fn new(preset: &Preset, batch: TaskBatch, result: T) -> Self {
        let TaskBatch { data, split, left_out, .. } = batch;
        Self { provenance: Provenance::new(preset).over(&data), split, left_out, result }
    }
}
