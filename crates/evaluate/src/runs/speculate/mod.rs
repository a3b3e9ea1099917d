//! Speculation: contexts from plans of a chat model against live retrieval, at equal budgets.
//!
//! A plan is made only from the state before the task or an older one, without the edits of the task's session and the
//! text around its hole. So the plan knows neither the hole nor its position; what a task removes, it has not seen.
//! Scripts in place of a model are bounds, and are labelled so.

mod agents;
mod ask;
mod past;
mod planner;
mod script;
mod summary;
mod text;

use std::sync::Arc;

use anyhow::{Result, ensure};
use foreword_engine::preset::Preset;
use foreword_engine::speculate::ContextMix;
use serde::Serialize;

pub use agents::{AgentEndpoint, AgentTotals, Agents};
pub(crate) use ask::TaskPlanner;
pub use planner::Planner;
pub use script::Script;
pub use summary::{Latency, Row};
pub use text::text;

use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;

/// The compared settings.
#[derive(Clone, Debug)]
pub struct Speculation {
    /// Weight of a plan relative to the words around the cursor, for contexts from the plan alone.
    pub recall: f32,
    /// Maximum blocks and forecasts of contexts from the plan alone, and forecasts beside live retrieval.
    pub mixes: Vec<ContextMix>,
    /// Ages of plans, in commits before the task; the mixes are tried at the first.
    pub ages: Vec<usize>,
    /// Who plans.
    pub planner: Arc<Planner>,
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub struct SpeculationTable {
    /// By series, then budget; `live` comes first.
    pub(crate) rows: Vec<Row>,
    pub(crate) tasks: usize,
    /// Fraction of tasks whose file had a plan, by age in commits.
    pub(crate) planned: Vec<(usize, f64)>,
    pub(crate) latency: Latency,
    pub(crate) agents: AgentTotals,
}

/// Runs the tasks.
pub fn speculate(
    settings: &CompletionSettings,
    preset: &Preset,
    speculation: &Speculation,
) -> Result<Run<SpeculationTable>> {
    let mut batch = choose(settings)?;
    let asked = batch.ask(|tasks| ask::all(settings, preset, speculation, tasks));
    ensure!(!asked.is_empty(), "no task was asked: {}", batch.left_out.reasons());
    let table = summary::table(&asked, &speculation.ages, speculation.planner.totals());
    Ok(Run::new(preset, batch, table))
}
