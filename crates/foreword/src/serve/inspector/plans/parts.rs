//! Blocks and forecasts of a plan, with their state in the current repository.

use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{
    Block, Citation, FilePlan, Forecast, ForecastState, Quote, forecast_state, requote,
};
use serde::Serialize;

use crate::serve::observation::prompted::PromptedLines;

#[derive(Serialize)]
pub(super) struct BlockResponse {
    path: String,
    start_line: u32,
    end_line: u32,
    score: f32,
    state: BlockState,
    /// Why the block is no longer used.
    why: Option<String>,
    /// The model's reason.
    reason: String,
    /// Quoted lines; empty if they have changed.
    text: String,
    /// Number of the file's recent requests whose prompts had some of these lines.
    prompts: usize,
    /// Number of these requests whose completions were accepted.
    accepted: usize,
}

/// State of the quoted lines.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum BlockState {
    /// The file is unchanged.
    Same,
    /// The file has changed, these lines have not.
    Kept,
    /// The lines have changed; the block is no longer used.
    Gone,
}

/// State of a forecast.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ForecastStatus {
    Open,
    /// The file has its first line.
    Written,
    /// Its evidence has changed.
    Dropped,
}

#[derive(Serialize)]
pub(super) struct ForecastResponse {
    name: String,
    path: String,
    line: u32,
    score: f32,
    evidence: Vec<CitationResponse>,
    code: String,
    state: ForecastStatus,
    /// Why the forecast is no longer shown.
    why: Option<String>,
    /// Number of accepted completions of the file's recent requests that wrote its first line.
    accepted: usize,
}

#[derive(Serialize)]
struct CitationResponse {
    path: String,
    start_line: u32,
    end_line: u32,
    what: String,
}

/// The current state that blocks and forecasts are compared with.
pub(super) struct Parts<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) prompted: &'a PromptedLines,
}

impl Parts<'_> {
    pub(super) fn block(&self, plan: &FilePlan, it: &Block) -> BlockResponse {
        let Self { snapshot, prompted } = self;
        let file = snapshot.file(&it.place.path);
        let text = file.map(|it| snapshot.text(it));
        let quote = text.as_ref().and_then(|text| requote(it, text));
        let planned = (it.place.first_line, it.place.last_line);
        let (start_line, end_line) = quote.map_or(planned, |it| (it.first_line, it.last_line));
        let (prompts, accepted) = prompted.with(&it.place.path, (start_line, end_line));
        let (state, why) = self.block_state(plan, it, quote);
        BlockResponse {
            path: it.place.path.clone(),
            start_line,
            end_line,
            score: it.score,
            state,
            why,
            reason: it.reason.clone(),
            text: quote.map(|it| it.text.to_owned()).unwrap_or_default(),
            prompts,
            accepted,
        }
    }

    /// State of a block, and why it is no longer used.
    fn block_state(
        &self,
        plan: &FilePlan,
        it: &Block,
        quote: Option<Quote<'_>>,
    ) -> (BlockState, Option<String>) {
        let path = &it.place.path;
        let Some(file) = self.snapshot.file(path) else {
            return (BlockState::Gone, Some(format!("{path} is no longer in the index")));
        };
        if quote.is_none() {
            return (BlockState::Gone, Some("its lines have changed since".to_owned()));
        }
        let input = plan.inputs.iter().find(|input| input.path == *path);
        let is_same = input.is_some_and(|it| it.hash == self.snapshot.hash(file));
        (if is_same { BlockState::Same } else { BlockState::Kept }, None)
    }

    pub(super) fn forecast(&self, plan: &FilePlan, it: &Forecast) -> ForecastResponse {
        let path = &it.target.path;
        let file = self.snapshot.file(path);
        let text = file.map(|it| self.snapshot.text(it)).unwrap_or_default();
        let (state, why) = match forecast_state(self.snapshot, plan, it, (path, &text)) {
            ForecastState::Open => (ForecastStatus::Open, None),
            ForecastState::Written => (ForecastStatus::Written, None),
            ForecastState::Unsupported(place) => {
                (ForecastStatus::Dropped, Some(format!("{place} has changed since")))
            }
        };
        let first = it.code.trim().lines().next().unwrap_or_default();
        ForecastResponse {
            name: it.name.clone(),
            path: path.clone(),
            line: it.target.line,
            score: it.score,
            evidence: it.evidence.iter().map(citation).collect(),
            code: it.code.clone(),
            state,
            why,
            accepted: if first.is_empty() { 0 } else { self.prompted.accepted_with(first) },
        }
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
