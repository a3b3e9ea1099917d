//! What is stored for one file, by each planner, or what would be.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::speculate::{FilePlan, Plans, StaticPlanner};
use foreword_session::host::Repository;
use foreword_session::speculation::agents::{FileReport, Places};
use foreword_session::speculation::coverage::agent_plans;
use foreword_session::speculation::{Speculator, now};
use serde::{Deserialize, Serialize};

use super::parts::{BlockResponse, ForecastResponse, Parts};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;
use crate::serve::inspector::workspace::{respond_with, view};
use crate::serve::observation::prompted::PromptedLines;

#[derive(Deserialize)]
pub(in super::super) struct PlanQuery {
    workspace: Option<String>,
    file: String,
}

#[derive(Serialize)]
struct FilePlansResponse {
    version: u32,
    snapshot: String,
    path: String,
    /// Recent requests in the file whose prompts are known; what `prompts` of blocks counts.
    requests: usize,
    /// Of the static planner, then of the chat model that planned last, if one did.
    plans: Vec<PlanResponse>,
}

#[derive(Serialize)]
struct PlanResponse {
    planner: &'static str,
    /// The name of the chat model; null for the static planner.
    model: Option<String>,
    state: PlanState,
    /// How long ago it was made, in seconds; null where nothing is stored.
    age_s: Option<u64>,
    /// What has changed since, of the file and of those that it cites.
    changed: Vec<String>,
    blocks: Vec<BlockResponse>,
    forecasts: Vec<ForecastResponse>,
    /// What the model's last run on the file was.
    run: Option<RunResponse>,
}

/// How a plan stands to the repository as it is.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum PlanState {
    /// It would be made again as it is.
    Current,
    /// It was made of an earlier state.
    Outdated,
    /// There is none; this is what the static planner would store now.
    Proposed,
    /// The model has none of this file.
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
    /// What of the model's word did not hold, by reason.
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
        let file = planned_file(&snapshot, &query.file)?;
        let root = repository.workspace().root.display().to_string();
        let prompted = PromptedLines::of(&app.observation.journal, &root, &query.file);
        let parts = Parts { snapshot: &snapshot, prompted: &prompted };
        let by_model = of_agents(repository, file, &parts);
        Ok(FilePlansResponse {
            version: 2,
            snapshot: snapshot.id().to_owned(),
            path: query.file.clone(),
            requests: prompted.requests(),
            plans: std::iter::once(of_static(repository, file, &parts)).chain(by_model).collect(),
        })
    })
    .await
}

/// The file, if it is planned for.
fn planned_file(snapshot: &Snapshot, path: &str) -> Result<FileId, ApiError> {
    let Some(file) = snapshot.file(path) else {
        let message = format!("{path} is not in the index; /api/ignored may say why");
        return Err(ApiError::new(StatusCode::NOT_FOUND, message));
    };
    if !StaticPlanner::is_planned(snapshot, file) {
        let message = format!("{path} is not planned for: it is no code of this repository");
        return Err(ApiError::new(StatusCode::NOT_FOUND, message));
    }
    Ok(file)
}

fn of_static(repository: &Repository, file: FileId, parts: &Parts<'_>) -> PlanResponse {
    let (workspace, store) = (repository.workspace(), repository.store());
    let plans = Speculator::store_of(workspace, store).load();
    if let Some(stored) = stored(&plans, file, parts) {
        return stored;
    }
    let path = parts.snapshot.path(file);
    let proposed = Speculator::new(workspace, store).plan(parts.snapshot, path);
    let none = PlanResponse::new("static", PlanState::Proposed);
    proposed.map_or(none, |it| PlanResponse::of(&it, PlanState::Proposed, parts))
}

/// `None` where no model has planned in this repository.
fn of_agents(repository: &Repository, file: FileId, parts: &Parts<'_>) -> Option<PlanResponse> {
    let (workspace, store) = (repository.workspace(), repository.store());
    let (plans, model) = agent_plans(workspace, store)?;
    let report = Places::new(workspace, store).last_report(parts.snapshot.path(file));
    let plan = stored(&plans, file, parts);
    let plan = plan.unwrap_or_else(|| PlanResponse::new("agents", PlanState::Missing));
    let run = report.map(RunResponse::new);
    Some(PlanResponse { planner: "agents", model: Some(model), run, ..plan })
}

/// The stored plan of a file.
fn stored(plans: &Plans, file: FileId, parts: &Parts<'_>) -> Option<PlanResponse> {
    let snapshot = parts.snapshot;
    let path = snapshot.path(file);
    let (plan, made) = plans.plan_with_time(path, Some(snapshot.hash(file)))?;
    let state = match plans.is_current(snapshot, path) {
        true => PlanState::Current,
        false => PlanState::Outdated,
    };
    let age_s = Some(now().saturating_sub(made));
    Some(PlanResponse { age_s, ..PlanResponse::of(&plan, state, parts) })
}

impl PlanResponse {
    fn new(planner: &'static str, state: PlanState) -> Self {
        Self {
            planner,
            model: None,
            state,
            age_s: None,
            changed: Vec::new(),
            blocks: Vec::new(),
            forecasts: Vec::new(),
            run: None,
        }
    }

    fn of(plan: &FilePlan, state: PlanState, parts: &Parts<'_>) -> Self {
        Self {
            changed: changed(plan, parts.snapshot),
            blocks: plan.blocks.iter().map(|it| parts.block(plan, it)).collect(),
            forecasts: plan.forecasts.iter().map(|it| parts.forecast(plan, it)).collect(),
            ..Self::new("static", state)
        }
    }
}

/// What has changed since a plan was made, of its file and of those that it cites.
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
