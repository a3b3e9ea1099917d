//! Speculation: contexts that were planned before the cursor was there, against live retrieval at equal budgets.
//!
//! A plan is made from the commit before the task's, or from one that is older, and from nothing else: not from what the
//! session of the task edited, and not from what is typed around its hole. The files that were changed recently are those
//! of the commits up to it. The plan of the task's file so knows neither the hole nor where it is.

mod agents;
mod ask;
mod options;
mod past;
mod summary;
mod text;

use std::sync::Arc;

use anyhow::{Result, ensure};
use foreword_engine::preset::Preset;
use foreword_engine::speculate::{Mix, PlanConfig, RecallConfig};
use serde::Serialize;

pub use agents::{AgentEndpoint, AgentTotals, Agents};
pub use options::plan_options;
pub use summary::{Latency, Row};
pub use text::text;

use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Speculation {
    /// How plans are made.
    pub plan: PlanConfig,
    /// How their blocks are ranked at a cursor.
    pub recall: RecallConfig,
    /// How many blocks and forecasts are shown, where plans alone answer.
    pub mixes: Vec<Mix>,
    /// The weights of plans as a signal of live retrieval.
    pub weights: Vec<f32>,
    /// How many commits before the task plans are made; the mixes are tried at the first.
    pub ages: Vec<usize>,
    /// A chat model that plans, too.
    pub agents: Option<Arc<Agents>>,
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub struct SpeculationTable {
    /// By series, then budget; `live` comes first.
    pub rows: Vec<Row>,
    /// How many tasks were asked.
    pub tasks: usize,
    /// The share of tasks whose file had a plan, by age in commits.
    pub planned: Vec<(usize, f64)>,
    /// Milliseconds.
    pub latency: Latency,
    /// What a chat model planned.
    pub agents: Option<AgentTotals>,
}

/// Asks the tasks.
pub fn speculate(
    settings: &CompletionSettings,
    preset: &Preset,
    speculation: &Speculation,
) -> Result<Run<SpeculationTable>> {
    let mut batch = choose(settings)?;
    let asked = batch.ask(|tasks| ask::all(settings, preset, speculation, tasks));
    ensure!(!asked.is_empty(), "no task could be asked: {}", batch.left_out.failed.join("; "));
    let agents = speculation.agents.as_ref().map(|it| it.totals());
    let table = SpeculationTable { agents, ..summary::table(&asked, &speculation.ages) };
    Ok(Run::new(preset, batch, table))
}
