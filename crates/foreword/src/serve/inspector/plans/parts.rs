//! Blocks and forecasts of a plan, with how they stand to the repository as it is.

use foreword_chunk::LineIndex;
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{
    Block, Citation, FilePlan, Forecast, ForecastState, Part, Quote, forecast_state, requote,
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
    /// Why it is not used any more.
    why: Option<String>,
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

/// Whether a forecast may still be shown.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Standing {
    Open,
    /// The file has its first line by now.
    Written,
    /// What it is concluded from has changed.
    Dropped,
}

#[derive(Serialize)]
struct Reason {
    code: &'static str,
    text: String,
}

#[derive(Serialize)]
pub(super) struct ForecastResponse {
    kind: &'static str,
    form: &'static str,
    name: String,
    path: String,
    line: u32,
    score: f32,
    evidence: Vec<CitationResponse>,
    code: String,
    state: Standing,
    /// Why it is not shown any more.
    why: Option<String>,
    /// How many accepted completions of the file's recent requests wrote its first line.
    accepted: usize,
}

#[derive(Serialize)]
struct CitationResponse {
    path: String,
    start_line: u32,
    end_line: u32,
    what: String,
}

/// What blocks and forecasts are compared with.
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
        let (start_line, end_line) = quote
            .as_ref()
            .zip(text.as_ref())
            .and_then(|(quote, text)| lines_now(it, quote.moved.unwrap_or(0), text))
            .unwrap_or((it.place.first_line, it.place.last_line));
        let (prompts, accepted) = prompted.with(&it.place.path, (start_line, end_line));
        let (state, why) = self.block_state(plan, it, quote.as_ref());
        BlockResponse {
            path: it.place.path.clone(),
            start_line,
            end_line,
            score: it.score,
            state,
            why,
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

    /// How a block stands, and why it is not used any more.
    fn block_state(
        &self,
        plan: &FilePlan,
        it: &Block,
        quote: Option<&Quote>,
    ) -> (BlockState, Option<String>) {
        let path = &it.place.path;
        let Some(file) = self.snapshot.file(path) else {
            return (BlockState::Gone, Some(format!("{path} is not in the index any more")));
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
            ForecastState::Open => (Standing::Open, None),
            ForecastState::Written => (Standing::Written, None),
            ForecastState::Groundless(place) => {
                (Standing::Dropped, Some(format!("{place} has changed since")))
            }
        };
        let first = it.code.trim().lines().next().unwrap_or_default();
        ForecastResponse {
            kind: it.kind.name(),
            form: it.form.name(),
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

fn citation(it: &Citation) -> CitationResponse {
    CitationResponse {
        path: it.place.path.clone(),
        start_line: it.place.first_line,
        end_line: it.place.last_line,
        what: it.what.clone(),
    }
}
