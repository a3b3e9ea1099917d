//! The stored plan of one file.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::speculate::{FilePlan, is_planned_for};
use serde::{Deserialize, Serialize};

use super::parts::{BlockResponse, ForecastResponse, Parts};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;
use crate::serve::inspector::workspace::{not_indexed, respond_with, view};
use crate::serve::observation::prompted::PromptedLines;
use foreword_session::clock::unix_seconds;
use foreword_session::host::Repository;
use foreword_session::speculation::coverage::stored_plans;
use foreword_session::speculation::{FileReport, PlanPaths};

#[derive(Deserialize)]
pub(in super::super) struct PlanQuery {
    workspace: Option<String>,
    file: String,
}

#[derive(Serialize)]
struct FilePlanResponse {
    version: u32,
    snapshot: String,
    path: String,
    /// Recent requests in the file whose prompts are known; the base of the blocks' `prompts`.
    requests: usize,
    /// Plan of the chat model that planned last; null if no model has planned.
    plan: Option<PlanResponse>,
}

#[derive(Serialize)]
struct PlanResponse {
    /// Name of the chat model.
    model: String,
    state: PlanState,
    /// Age in seconds; null if no plan is stored.
    age_s: Option<u64>,
    /// Paths that have changed since, of the file and of cited files.
    changed: Vec<String>,
    blocks: Vec<BlockResponse>,
    forecasts: Vec<ForecastResponse>,
    /// The model's last run on the file.
    run: Option<RunResponse>,
}

/// Whether the plan is current.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum PlanState {
    /// The file and the cited files are unchanged.
    Current,
    /// The file or a cited file has changed since.
    Outdated,
    /// The file has no plan.
    Missing,
}

/// A model's run on one file.
#[derive(Serialize)]
struct RunResponse {
    outcome: &'static str,
    requests: u64,
    calls: usize,
    prompt_tokens: u64,
    answer_tokens: u64,
    seconds: f64,
    usd: f64,
    /// Rejected items of the model's answer, by flaw.
    thrown_out: Vec<FlawCount>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct FlawCount {
    code: String,
    count: usize,
}

/// `GET /api/plan?file=`.
pub(in super::super) async fn plan(
    State(app): State<Arc<App>>,
    Query(query): Query<PlanQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |app, repository| {
        let snapshot = view(repository)?.snapshot;
        let file = planned_file(repository, &snapshot, &query.file)?;
        let root = repository.workspace().root.display().to_string();
        let prompted = PromptedLines::of(&app.observation.journal, &root, &query.file);
        let parts = Parts { snapshot: &snapshot, prompted: &prompted };
        Ok(FilePlanResponse {
            version: 3,
            snapshot: snapshot.id().to_owned(),
            path: query.file.clone(),
            requests: prompted.requests(),
            plan: stored_plan(repository, file, &parts),
        })
    })
    .await
}

/// Finds a file for which plans are made.
fn planned_file(
    repository: &Repository,
    snapshot: &Snapshot,
    path: &str,
) -> Result<FileId, ApiError> {
    let Some(file) = snapshot.file(path) else { return Err(not_indexed(repository, path)) };
    if !is_planned_for(snapshot, file) {
        let message = format!("no plans are made for {path}: it is not code of this repository");
        return Err(ApiError::new(StatusCode::NOT_FOUND, message));
    }
    Ok(file)
}

/// `None` if no model has planned in this repository.
fn stored_plan(repository: &Repository, file: FileId, parts: &Parts<'_>) -> Option<PlanResponse> {
    let (workspace, store) = (repository.workspace(), repository.store());
    let (plans, model) = stored_plans(workspace, store)?;
    let snapshot = parts.snapshot;
    let path = snapshot.path(file);
    let report = PlanPaths::new(workspace, store).last_report(path);
    let run = report.map(RunResponse::new);
    let Some((plan, made)) = plans.plan_with_time(path, Some(snapshot.hash(file))) else {
        return Some(PlanResponse::missing(model, run));
    };
    let is_current = plans.is_current(snapshot, path);
    Some(PlanResponse {
        model,
        state: if is_current { PlanState::Current } else { PlanState::Outdated },
        age_s: Some(unix_seconds().saturating_sub(made)),
        changed: changed(&plan, snapshot),
        blocks: plan.blocks.iter().map(|it| parts.block(&plan, it)).collect(),
        forecasts: plan.forecasts.iter().map(|it| parts.forecast(&plan, it)).collect(),
        run,
    })
}

impl PlanResponse {
    fn missing(model: String, run: Option<RunResponse>) -> Self {
        let (changed, blocks, forecasts) = (Vec::new(), Vec::new(), Vec::new());
        Self { model, state: PlanState::Missing, age_s: None, changed, blocks, forecasts, run }
    }
}

/// Paths that have changed since a plan was made, of its file and of cited files.
fn changed(plan: &FilePlan, snapshot: &Snapshot) -> Vec<String> {
    let now = |path: &str| snapshot.file(path).map(|it| snapshot.hash(it));
    let own = std::iter::once((&plan.path, plan.hash));
    let all: BTreeMap<_, _> = own.chain(plan.inputs.iter().map(|it| (&it.path, it.hash))).collect();
    let changed = all.into_iter().filter(|(path, hash)| now(path) != Some(*hash));
    changed.map(|it| it.0.clone()).collect()
}

impl RunResponse {
    fn new(it: FileReport) -> Self {
        let flaw = |(code, count)| FlawCount { code, count };
        Self {
            outcome: it.outcome.name(),
            requests: it.requests,
            calls: it.calls,
            prompt_tokens: it.prompt_tokens,
            answer_tokens: it.answer_tokens,
            seconds: it.seconds,
            usd: it.usd,
            thrown_out: it.thrown_out.into_iter().map(flaw).collect(),
            problems: it.problems,
        }
    }
}
