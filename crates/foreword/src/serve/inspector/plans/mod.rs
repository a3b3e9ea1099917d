//! Plans of files: how much of the repository has one, and the plan of one file.

mod file;
mod parts;

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_engine::index::Snapshot;
use serde::{Deserialize, Serialize};

pub(super) use self::file::plan;
use super::workspace::{respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;
use foreword_session::host::Repository;
use foreword_session::speculation::coverage::{PlanCounts, TotalCost, stored_plans};
use foreword_session::speculation::{MAX_FILES, PlanPaths, schedule_of};

/// Number of pending files that are named.
const NEXT: usize = 20;

#[derive(Deserialize)]
pub(super) struct PlansQuery {
    workspace: Option<String>,
}

#[derive(Serialize)]
struct PlansResponse {
    version: u32,
    snapshot: String,
    index_bytes: u64,
    /// Plans of the chat model that planned last; null if no model has planned.
    plans: Option<CoverageResponse>,
}

#[derive(Serialize)]
struct CoverageResponse {
    /// Name of the chat model.
    model: String,
    #[serde(flatten)]
    counts: PlanCounts,
    /// Number of files beyond the maximum, which get no plan.
    beyond: usize,
    /// The next files to plan.
    next: Vec<String>,
    /// Total cost of all runs.
    cost: TotalCost,
}

/// `GET /api/plans`.
pub(super) async fn plans(
    State(app): State<Arc<App>>,
    Query(query): Query<PlansQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace, |_, repository| {
        let snapshot = view(repository)?.snapshot;
        Ok(PlansResponse {
            version: 3,
            snapshot: snapshot.id().to_owned(),
            index_bytes: repository.store().size_on_disk(),
            plans: coverage(repository, &snapshot),
        })
    })
    .await
}

fn coverage(repository: &Repository, snapshot: &Snapshot) -> Option<CoverageResponse> {
    let (workspace, store) = (repository.workspace(), repository.store());
    let (plans, model) = stored_plans(workspace, store)?;
    let found = schedule_of(workspace, store, snapshot, (&plans, MAX_FILES));
    Some(CoverageResponse {
        model,
        counts: PlanCounts::new(&found, &plans),
        beyond: found.beyond,
        next: found.pending.into_iter().take(NEXT).collect(),
        cost: TotalCost::of(&PlanPaths::new(workspace, store)),
    })
}
