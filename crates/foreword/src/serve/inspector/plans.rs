//! Plans of files: how much of the repository has one, and what is in that of one file.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use foreword_chunk::LineIndex;
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{Block, Citation, FilePlan, Forecast, Part, requote};
use serde::{Deserialize, Serialize};

use super::workspace::{respond_with, view};
use crate::host::Repository;
use crate::serve::app::App;
use crate::serve::http::error::ApiError;
use crate::serve::observation::prompted::PromptedLines;
use crate::speculation::{MOST_FILES, Speculator};

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
    planner: &'static str,
    /// Whether this server plans while nobody asks for anything (`plan_when_idle`).
    idle: bool,
    /// Files that are planned for.
    files: usize,
    /// Of these, with a plan that would be made again as it is.
    current: usize,
    /// With one of an earlier state.
    outdated: usize,
    /// More than are planned for.
    beyond: usize,
    /// The files whose turn is next.
    next: Vec<String>,
    bytes: u64,
    index_bytes: u64,
}

/// `GET /api/plans`.
pub(super) async fn plans(
    State(app): State<Arc<App>>,
    Query(query): Query<PlansQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace, |app, repository| {
        let snapshot = view(repository)?.snapshot;
        let speculator = Speculator::new(repository.workspace(), repository.store());
        let found = speculator.schedule(&snapshot, &speculator.store().load(), MOST_FILES);
        Ok(PlansResponse {
            version: 1,
            snapshot: snapshot.id().to_owned(),
            planner: "static",
            idle: app.host.setup().plan_after.is_some(),
            files: found.current + found.pending.len(),
            current: found.current,
            outdated: found.outdated,
            beyond: found.beyond,
            next: found.pending.into_iter().take(NEXT).collect(),
            bytes: speculator.store().size(),
            index_bytes: repository.store().size_on_disk(),
        })
    })
    .await
}

#[derive(Deserialize)]
pub(super) struct PlanQuery {
    workspace: Option<String>,
    file: String,
}

#[derive(Serialize)]
struct PlanResponse {
    version: u32,
    snapshot: String,
    path: String,
    planner: String,
    state: PlanState,
    /// Recent requests in the file whose prompts are known; what `prompts` of blocks counts.
    requests: usize,
    blocks: Vec<BlockResponse>,
    forecasts: Vec<ForecastResponse>,
}

/// How a plan stands to the repository as it is.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum PlanState {
    /// It would be made again as it is.
    Current,
    /// It was made of an earlier state.
    Outdated,
    /// There is none; this is what would be stored now.
    Proposed,
}

#[derive(Serialize)]
struct BlockResponse {
    path: String,
    start_line: u32,
    end_line: u32,
    score: f32,
    state: BlockState,
    reasons: Vec<Reason>,
    /// Lines of the planned file at which it was found to be needed.
    found_at: Vec<u32>,
    /// What it quotes; empty where that is gone.
    text: String,
    /// In how many prompts of the file's recent requests some of these lines were.
    prompts: usize,
    /// How many of these completions were accepted.
    accepted: usize,
}

/// Whether what is quoted is still there.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum BlockState {
    /// As it was, in a file that has not changed.
    Same,
    /// The file has changed since, these lines have not.
    Kept,
    /// The lines have changed: the block is not used any more.
    Gone,
}

#[derive(Serialize)]
struct Reason {
    code: &'static str,
    text: String,
}

#[derive(Serialize)]
struct ForecastResponse {
    kind: &'static str,
    form: &'static str,
    name: String,
    path: String,
    line: u32,
    score: f32,
    evidence: Vec<CitationResponse>,
    code: String,
    /// Whether its file defines something of that name now.
    written: bool,
}

#[derive(Serialize)]
struct CitationResponse {
    path: String,
    start_line: u32,
    end_line: u32,
    what: String,
}

/// `GET /api/plan?file=`: what is stored for a file, or what would be.
pub(super) async fn plan(
    State(app): State<Arc<App>>,
    Query(query): Query<PlanQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |app, repository| {
        let snapshot = view(repository)?.snapshot;
        let (plan, state) = find(repository, &snapshot, &query.file)?;
        let root = repository.workspace().root.display().to_string();
        let prompted = PromptedLines::of(&app.observation.journal, &root, &query.file);
        Ok(PlanResponse {
            version: 1,
            snapshot: snapshot.id().to_owned(),
            path: plan.path.clone(),
            planner: plan.planner.name.clone(),
            state,
            requests: prompted.requests(),
            blocks: plan.blocks.iter().map(|it| block(&snapshot, &plan, it, &prompted)).collect(),
            forecasts: plan.forecasts.iter().map(|it| forecast(&snapshot, it)).collect(),
        })
    })
    .await
}

fn find(
    repository: &Repository,
    snapshot: &Snapshot,
    path: &str,
) -> Result<(FilePlan, PlanState), ApiError> {
    let Some(file) = snapshot.file(path) else {
        let message = format!("{path} is not in the index; /api/ignored may say why");
        return Err(ApiError::new(StatusCode::NOT_FOUND, message));
    };
    let speculator = Speculator::new(repository.workspace(), repository.store());
    let plans = speculator.store().load();
    if let Some(plan) = plans.plan(path, Some(snapshot.hash(file))) {
        let is_current = plans.is_current(snapshot, path);
        return Ok((plan, if is_current { PlanState::Current } else { PlanState::Outdated }));
    }
    let plan = speculator.plan(snapshot, path).ok_or_else(|| {
        let message = format!("{path} is not planned for: it is no code of this repository");
        ApiError::new(StatusCode::NOT_FOUND, message)
    })?;
    Ok((plan, PlanState::Proposed))
}

fn block(
    snapshot: &Snapshot,
    plan: &FilePlan,
    it: &Block,
    prompted: &PromptedLines,
) -> BlockResponse {
    let file = snapshot.file(&it.place.path);
    let input = plan.inputs.iter().find(|input| input.path == it.place.path);
    let is_same = file.is_some_and(|file| input.is_some_and(|it| it.hash == snapshot.hash(file)));
    let text = file.map(|it| snapshot.text(it)).unwrap_or_default();
    let quote = requote(it, &text);
    let (start_line, end_line) = quote
        .as_ref()
        .and_then(|quote| lines_now(it, quote.moved.unwrap_or(0), &text))
        .unwrap_or((it.place.first_line, it.place.last_line));
    let (prompts, accepted) = prompted.with(&it.place.path, (start_line, end_line));
    BlockResponse {
        path: it.place.path.clone(),
        start_line,
        end_line,
        score: it.score,
        state: match (&quote, is_same) {
            (None, _) => BlockState::Gone,
            (Some(_), true) => BlockState::Same,
            (Some(_), false) => BlockState::Kept,
        },
        reasons: it
            .evidence
            .iter()
            .map(|it| Reason { code: it.code(), text: it.to_string() })
            .collect(),
        found_at: it.found_at.iter().map(|it| it.line).collect(),
        text: quote.map(|it| it.text).unwrap_or_default(),
        prompts,
        accepted,
    }
}

/// The first and the last line of a block whose parts have moved by so many bytes.
fn lines_now(block: &Block, by: i64, text: &str) -> Option<(u32, u32)> {
    let range = |it: &Part| match it {
        Part::Lines { start, len, .. } => Some((i64::from(*start), i64::from(*len))),
        Part::Literal(_) => None,
    };
    // The last part says how far all has moved; the first one is as far or less.
    let (start, len) = block.parts.iter().rev().find_map(range)?;
    let index = LineIndex::new(text.as_bytes());
    let line = |at: i64| Some(index.line_of(usize::try_from(at + by).ok()?.min(text.len())));
    let last = line(start + len - 1)?;
    let lines = block.place.last_line.saturating_sub(block.place.first_line);
    Some((last.saturating_sub(lines).max(1), last))
}

fn forecast(snapshot: &Snapshot, it: &Forecast) -> ForecastResponse {
    let file = snapshot.file(&it.target.path);
    let is_here = |place: &foreword_engine::index::DefinitionSite| Some(place.file) == file;
    ForecastResponse {
        kind: it.kind.name(),
        form: it.form.name(),
        name: it.name.clone(),
        path: it.target.path.clone(),
        line: it.target.line,
        score: it.score,
        evidence: it.evidence.iter().map(citation).collect(),
        code: it.code.clone(),
        written: !it.name.is_empty() && snapshot.definitions(&it.name).iter().any(is_here),
    }
}

fn citation(it: &Citation) -> CitationResponse {
    CitationResponse {
        path: it.place.path.clone(),
        start_line: it.place.first_line,
        end_line: it.place.last_line,
        what: it.what.clone(),
    }
}
