//! Plans of files, of each planner: how much of the repository has one, and what is in those of one file.

mod file;
mod parts;

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{Plans, Schedule};
use foreword_session::host::Repository;
use foreword_session::speculation::agents::{Places, schedule_of};
use foreword_session::speculation::coverage::{AgentCost, PlanCounts, agent_plans};
use foreword_session::speculation::{MOST_FILES, Speculator};
use serde::{Deserialize, Serialize};

pub(super) use self::file::plan;
use super::workspace::{respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// How many of the files that come next are named.
const NEXT: usize = 20;

#[derive(Deserialize)]
pub(super) struct PlansQuery {
    workspace: Option<String>,
}

#[derive(Serialize)]
struct PlansResponse {
    version: u32,
    snapshot: String,
    /// Whether this server plans while nobody asks for anything (`plan_when_idle`).
    idle: bool,
    index_bytes: u64,
    /// The static planner, and the chat model that planned last, if one did.
    planners: Vec<PlannerResponse>,
}

#[derive(Serialize)]
struct PlannerResponse {
    planner: &'static str,
    /// The name of the chat model; null for the static planner.
    model: Option<String>,
    #[serde(flatten)]
    counts: PlanCounts,
    /// Files that are not planned for, since there are so many.
    beyond: usize,
    /// The files whose turn is next.
    next: Vec<String>,
    /// What all runs of the model have cost; null for the static planner.
    cost: Option<AgentCost>,
}

impl PlannerResponse {
    fn new(planner: &'static str, found: Schedule, plans: &Plans) -> Self {
        Self {
            planner,
            model: None,
            counts: PlanCounts::new(&found, plans),
            beyond: found.beyond,
            next: found.pending.into_iter().take(NEXT).collect(),
            cost: None,
        }
    }
}

/// `GET /api/plans`.
pub(super) async fn plans(
    State(app): State<Arc<App>>,
    Query(query): Query<PlansQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace, |app, repository| {
        let snapshot = view(repository)?.snapshot;
        Ok(PlansResponse {
            version: 2,
            snapshot: snapshot.id().to_owned(),
            idle: app.host.setup().plan_after.is_some(),
            index_bytes: repository.store().size_on_disk(),
            planners: planners(repository, &snapshot),
        })
    })
    .await
}

fn planners(repository: &Repository, snapshot: &Snapshot) -> Vec<PlannerResponse> {
    let (workspace, store) = (repository.workspace(), repository.store());
    let speculator = Speculator::new(workspace, store);
    let plans = speculator.store().load();
    let found = speculator.schedule(snapshot, &plans, MOST_FILES);
    let mut res = vec![PlannerResponse::new("static", found, &plans)];
    if let Some((plans, model)) = agent_plans(workspace, store) {
        let found = schedule_of(workspace, store, snapshot, (&plans, MOST_FILES));
        let cost = Some(AgentCost::of(&Places::new(workspace, store)));
        let of_agents = PlannerResponse::new("agents", found, &plans);
        res.push(PlannerResponse { model: Some(model), cost, ..of_agents });
    }
    res
}
