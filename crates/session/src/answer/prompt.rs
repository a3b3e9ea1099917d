//! Composes a prompt and keeps the result and the time of every stage, for [`super::trace`].

pub mod output;

use std::time::Instant;

use foreword_engine::compose::{Format, Origin};
use foreword_engine::index::Snapshot;
use foreword_engine::pipeline::{Control, CursorRetrieval, Stage};
use foreword_engine::preset::Preset;
use foreword_engine::prompt::{PromptAnswer, Target};
use foreword_engine::scope::{Activity, Cursor, View};
use foreword_engine::speculate::{ShownForecasts, prompt_beside};
use foreword_engine::trim::Piece;
use foreword_load::Analyzer;
use foreword_model::TokenCounter;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use serde::Serialize;

use crate::host::view_with_text;

/// The inputs of a prompt.
#[derive(Clone, Copy)]
pub struct PromptRequest<'r> {
    /// The repository's name, for formats that show it.
    pub repository: &'r str,
    /// The state of the repository.
    pub snapshot: &'r Snapshot,
    /// The cursor.
    pub cursor: &'r Cursor,
    /// What was done in other files.
    pub activity: &'r Activity,
    /// The ranking preset. Its budget is for the whole prompt without the server's additions ([`TokenCounter::added`]).
    pub preset: &'r Preset,
    /// The format of the prompt.
    pub format: &'static Format,
    /// Counts the tokens of the prompt.
    pub counter: &'r TokenCounter,
    /// Time after which no further signal is retrieved; `None` to retrieve all.
    pub deadline: Option<Instant>,
    /// Whether the snapshot was updated from the disk first.
    pub is_fresh: bool,
    /// Forecasts of a plan beside the pieces.
    pub forecasts: ShownForecasts<'r>,
}

/// A prompt with the intermediate results.
pub struct PromptRun<'r> {
    /// The ranked candidates.
    pub retrieval: CursorRetrieval<'r>,
    /// The prompt and its pieces.
    pub answer: PromptAnswer,
    /// Times of the stages, in order.
    pub stages: Vec<StageTime>,
}

impl PromptRun<'_> {
    /// A note about signals skipped for lack of time; `None` if all were retrieved.
    pub fn skipped_note(&self) -> Option<String> {
        let names: Vec<&str> = self.retrieval.ranking.skipped.iter().map(|it| it.name()).collect();
        (!names.is_empty()).then(|| format!("left out for lack of time: {}", names.join(", ")))
    }
}

/// Tokens of a model's window that are left for the completion.
pub const COMPLETION_TOKENS: usize = 256;

/// Limits a budget to the `most` tokens that the model's window leaves, less what its server adds to a raw prompt. A note
/// says so if fewer are left than were wanted.
pub fn limit_budget(preset: &mut Preset, most: usize, counter: &TokenCounter) -> Option<String> {
    let wanted = preset.budget.total;
    preset.budget.total = wanted.min(most).saturating_sub(counter.added());
    let why = "the model's window, less the completion";
    (wanted > most)
        .then(|| format!("the prompt is limited to {most} tokens instead of {wanted}: {why}"))
}

/// The prompt format of a model's name, or of that name itself. Fails for an unknown name, which is never guessed.
pub fn format_of(model: &str) -> Result<&'static Format, String> {
    Format::named(model).or_else(|| Format::of_model(model)).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|it| it.name).collect();
        format!("no such prompt format; there are {}", names.join(", "))
    })
}

/// Time of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StageTime {
    /// The name of the stage.
    pub stage: &'static str,
    /// Its time, in milliseconds.
    pub ms: f64,
}

/// Measures the times of consecutive stages.
pub struct StageTimer {
    last: Instant,
    stages: Vec<StageTime>,
}

impl StageTimer {
    /// Starts the clock.
    pub fn start() -> Self {
        Self { last: Instant::now(), stages: Vec::new() }
    }

    /// Ends a stage and begins the next one.
    pub(crate) fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.stages.push(StageTime { stage, ms: (now - self.last).as_secs_f64() * 1e3 });
        self.last = now;
    }

    /// The times of all stages so far.
    pub fn stages(self) -> Vec<StageTime> {
        self.stages
    }
}

/// The hole of a composed prompt; the text around the cursor is the window of the prompt.
pub fn fill(answer: &PromptAnswer, format: &'static Format) -> Fill {
    let prompt = &answer.prompt;
    let window = |origin: Origin| {
        let parts = prompt.segments.iter().filter(|it| it.origin == origin);
        parts.map(|it| &prompt.text[it.range.clone()]).collect()
    };
    let shown = |it: &Piece| ContextPiece { path: it.path.clone(), text: it.text.clone() };
    Fill {
        prefix: window(Origin::Prefix),
        suffix: window(Origin::Suffix),
        pieces: answer.selection.pieces.iter().map(shown).collect(),
        prompt: Some(RenderedPrompt {
            format: format.name,
            text: prompt.text.clone(),
            stop: prompt.stop.clone(),
        }),
        ..Fill::default()
    }
}

/// Composes a prompt; `analyzer` parses the cursor's text if the snapshot does not have it. Fails if the index is
/// damaged, or with [`foreword_engine::prompt::TooSmall`].
pub fn compose<'r>(
    request: PromptRequest<'r>,
    analyzer: &Analyzer,
) -> anyhow::Result<PromptRun<'r>> {
    let timer = StageTimer::start();
    let view = view_with_text(analyzer, request.snapshot, request.cursor)?;
    compose_in_view(request, view, timer)
}

/// The same for a caller that has the view with the cursor's text; `timer` includes the time for the view.
pub fn compose_in_view<'r>(
    request: PromptRequest<'r>,
    view: View<'r>,
    mut timer: StageTimer,
) -> anyhow::Result<PromptRun<'r>> {
    let PromptRequest { repository, cursor, preset, format, counter, deadline, .. } = request;
    let view = view.with_activity(request.activity.clone());
    let count = |text: &str| counter.count(text);
    let is_out_of_time = || deadline.is_some_and(|it| Instant::now() >= it);
    let mut observer = |stage| match stage {
        // The time of all signals together is shown.
        Stage::Signal(_) => {}
        stage => timer.lap(stage.name()),
    };
    let mut control =
        Control { observer: Some(&mut observer), is_out_of_time: Some(&is_out_of_time) };
    let retrieval = CursorRetrieval::new(view, cursor, preset, &count, &mut control);
    let target = Target { format, repository, count: &count };
    let answer = prompt_beside(&retrieval, &request.forecasts, target)?;
    timer.lap("compose");
    Ok(PromptRun { retrieval, answer, stages: timer.stages() })
}
