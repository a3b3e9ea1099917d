//! Who plans: a chat model, or a script as a bound.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use foreword_engine::speculate::FilePlan;
use foreword_model::agents::AgentPlanner;

use super::agents::{AgentTotals, Agents};
use super::past::PastState;
use super::script::Script;
use crate::tasks::task::Task;

/// Who plans.
#[derive(Debug)]
pub enum Planner {
    /// A chat model.
    Agents(Box<Agents>),
    /// A script, and its totals.
    Script(Script, Mutex<AgentTotals>),
}

impl Planner {
    /// A script.
    pub fn script(script: Script) -> Self {
        let totals = AgentTotals { model: script.name().to_owned(), ..AgentTotals::default() };
        Self::Script(script, Mutex::new(totals))
    }

    /// The state of the planning model for one repository.
    pub(super) fn agent(&self) -> Option<AgentPlanner> {
        match self {
            Self::Agents(it) => Some(it.planner()),
            Self::Script(..) => None,
        }
    }

    /// The plan of the task's file in a past state; `None` if the file did not exist.
    pub(super) fn plan(
        &self,
        agent: Option<&mut AgentPlanner>,
        state: &PastState,
        task: &Task,
    ) -> Result<Option<FilePlan>> {
        let path = task.target_file.as_deref().context("the task names no file")?;
        if state.snapshot.file(path).is_none() {
            return Ok(None);
        }
        match self {
            Self::Agents(agents) => {
                let agent = agent.context("the model has no planner")?;
                let subject = (&*state.snapshot, path, task.repo.as_str());
                agents.plan(agent, subject, (&state.git_dir, &state.revision)).map(Some)
            }
            Self::Script(script, totals) => {
                let made = script.plan(state, path, task);
                let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
                totals.add(made.plan.as_ref(), &made.block_flaws, &made.forecast_flaws());
                Ok(made.plan)
            }
        }
    }

    /// Totals so far.
    pub(super) fn totals(&self) -> AgentTotals {
        match self {
            Self::Agents(it) => it.totals(),
            Self::Script(_, totals) => {
                totals.lock().unwrap_or_else(PoisonError::into_inner).clone()
            }
        }
    }
}
