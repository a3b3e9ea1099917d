//! Suggestions at a cursor by the configured model, with the engine's context.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_chunk::Language;
use foreword_engine::compose::Format;
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset::Preset;
use foreword_engine::prompt::{PromptAnswer, Target};
use foreword_engine::scope::{Cursor, View};
use foreword_engine::speculate::{ShownForecasts, prompt_beside};
use foreword_engine::trim::Piece;
use foreword_model::clean::{InsertionPoint, Writer, clean, stop_check};
use foreword_model::embedded::{CountCache, Extent, Hole, complete_until};
use foreword_model::request::{CompletionRequest, Fill};
use tokio::runtime::Runtime;

use super::prompt::fill;
use super::tokens;
use crate::backend::{Backend, BackendSettings, Endpoint, Input, Limits};
use crate::usage::usage;

/// Tokens of context for the embedded model.
const CONTEXT_TOKENS: usize = 2048;

/// Minimum confidence of unrequested suggestions of the embedded model for a new line: of what is shown .63 to .66 is right,
/// in 88 repositories, each with weights of others (`benchmarks/results/completion.md`, run of 2026-11-24).
const MIN_CONFIDENCE: f64 = 0.45;

/// The same where a part of the line is typed: .66 to .74 is right (the same run).
const MIN_REST_CONFIDENCE: f64 = 0.35;

/// The same for a model file's own probability of the first line; a first guess.
const MIN_PROBABILITY: f64 = 0.3;

/// Minimum confidence of an item of a completion menu: a list may have wrong items, and editors do not tell whether the user
/// asked for it. Above it a third of new lines is right and half of the rests, below it one in twenty (the same run).
const MIN_LISTED_CONFIDENCE: f64 = 0.1;

/// Minimum confidence of unrequested suggestions of a model after this text.
pub fn least_shown(input: Input, prefix: &str) -> f64 {
    let typed = prefix.rsplit('\n').next().unwrap_or_default();
    match input {
        Input::Files if typed.trim().is_empty() => MIN_CONFIDENCE,
        Input::Files => MIN_REST_CONFIDENCE,
        Input::Prompt => MIN_PROBABILITY,
    }
}

/// Minimum length of a line with a source; shorter ones are too common.
const MIN_LINE_LENGTH: usize = 8;

/// A text to insert at the cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The text.
    pub text: String,
    /// Share of such suggestions that are right, from 0 to 1.
    pub confidence: f64,
    /// Places of the context with its first line: path and line, from 1.
    pub sources: Vec<(String, u32)>,
    /// Where the context came from.
    pub context: ContextSource,
}

/// Where the context of a suggestion came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContextSource {
    /// The index of the clone.
    #[default]
    Index,
    /// The cluster of the user's configuration, while there is no index.
    Cluster,
}

/// Constraints of a suggestion.
pub struct SuggestOptions<'w> {
    /// Time after which the suggestion is useless.
    pub deadline: Instant,
    /// Maximum number of lines.
    pub lines: usize,
    /// Whether the request was cancelled.
    pub cancelled: &'w dyn Fn() -> bool,
    /// Forecasts of a plan beside the pieces of a prompt.
    pub forecasts: ShownForecasts<'w>,
}

/// Makes suggestions by the configured model.
pub struct Completer {
    backend: Arc<Backend>,
    /// Settings of prompts.
    preset: Preset,
    /// Minimum confidence of unrequested suggestions; `None` for the model's default.
    least_confidence: Option<f64>,
    limits: Limits,
    /// Counts of the embedded model, kept between keys.
    counts: CountCache,
    /// Runs requests of threads without a runtime, and their common connection.
    runtime: Runtime,
}

/// Default maximum tokens of an answer.
const ANSWER_TOKENS: usize = 128;

/// Interval of checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

impl Completer {
    /// Opens the backend. A model file is loaded now; a server is connected by the first suggestion.
    pub fn open(
        settings: BackendSettings,
        preset: Preset,
        least_confidence: Option<f64>,
    ) -> anyhow::Result<Self> {
        let limits = settings.limits;
        // The runtime would panic if it could not start its thread.
        let thread = std::thread::Builder::new().spawn(|| ());
        let thread =
            thread.context("cannot start the thread that asks models; raise `ulimit -u`")?;
        let _ = thread.join();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build();
        let runtime = runtime.context("cannot start the threads that ask models")?;
        let backend = Arc::new(Backend::open(settings)?);
        let counts = CountCache::default();
        Ok(Self { backend, preset, least_confidence, limits, counts, runtime })
    }

    /// Settings of prompts.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// Minimum confidence of unrequested suggestions after this text, unless the editor sets another.
    pub fn least_confidence(&self, prefix: &str) -> f64 {
        self.least_confidence.unwrap_or_else(|| least_shown(self.input(), prefix))
    }

    /// Minimum confidence of items of completion menus, unless the editor sets another.
    pub fn least_listed_confidence(&self) -> f64 {
        self.least_confidence.unwrap_or(MIN_LISTED_CONFIDENCE)
    }

    /// The input of the model.
    pub fn input(&self) -> Input {
        self.backend.input()
    }

    /// Maximum duration of an answer, by the settings.
    pub fn timeout(&self) -> Option<Duration> {
        self.limits.timeout
    }

    /// Stops the model in this process.
    pub fn close(&self) {
        self.backend.close();
    }

    /// The likeliest text at the cursor; `None` if nothing is likely or the request was cancelled. `repository` is for
    /// formats that name it. From a preliminary snapshot nothing is asked of the model. Must be called outside of a runtime.
    pub fn suggest(
        &self,
        view: &View<'_>,
        cursor: &Cursor,
        repository: &str,
        options: &SuggestOptions<'_>,
    ) -> anyhow::Result<Option<Suggestion>> {
        let Some(endpoint) = self.endpoint(options)? else { return Ok(None) };
        match endpoint.input() {
            Input::Files => suggest_embedded(view, cursor, (&self.preset, &self.counts), options),
            Input::Prompt => self.suggest_prompted(&endpoint, view, cursor, repository, options),
        }
    }

    /// The model; `None` if it is not reached in time. Connecting continues for the next request.
    fn endpoint(&self, options: &SuggestOptions<'_>) -> anyhow::Result<Option<Endpoint>> {
        let backend = Arc::clone(&self.backend);
        let connecting = self.runtime.spawn(async move { backend.endpoint().await });
        let endpoint = self.runtime.block_on(async {
            tokio::select! {
                endpoint = connecting => Some(endpoint),
                () = cancelled(options) => None,
                () = tokio::time::sleep_until(options.deadline.into()) => None,
            }
        });
        let endpoint = endpoint.transpose().context("the connection to the model failed")?;
        endpoint.transpose().map_err(|it| usage(it.message))
    }

    fn suggest_prompted(
        &self,
        endpoint: &Endpoint,
        view: &View<'_>,
        cursor: &Cursor,
        repository: &str,
        options: &SuggestOptions<'_>,
    ) -> anyhow::Result<Option<Suggestion>> {
        let format = endpoint.format().map_err(usage)?;
        let composed =
            self.compose(endpoint, view.clone(), cursor, (repository, format), options)?;
        if view.snapshot().is_preliminary() {
            return Ok(None);
        }
        let point = InsertionPoint {
            prefix: cursor.prefix(),
            suffix: cursor.suffix(),
            stop: &composed.prompt.stop,
            specials: format.specials,
            extent: extent(cursor, options),
            writer: endpoint.writer(),
        };
        let fill = fill_at(cursor, &composed, format);
        let request = self.request(fill, &point, options);
        let mut ignored = |_: &str| {};
        let answered = self.runtime.block_on(async {
            tokio::select! {
                response = endpoint.complete(&request, &mut ignored) => Some(response),
                () = cancelled(options) => None,
            }
        });
        let Some(response) = answered else { return Ok(None) };
        let response = response.inspect_err(|error| drop(self.backend.failed(error)))?;
        let first = response.choices.into_iter().next();
        Ok(first.and_then(|it| {
            let text = clean(&it.text, &point).text;
            let sources = sources(cursor.prefix(), &text, &composed.selection.pieces);
            // A server tells no confidence, so its answers are shown.
            let confidence = it.confidence.unwrap_or(1.0);
            let context = ContextSource::default();
            (!text.trim().is_empty()).then_some(Suggestion { text, confidence, sources, context })
        }))
    }

    fn compose(
        &self,
        endpoint: &Endpoint,
        view: View<'_>,
        cursor: &Cursor,
        (repository, format): (&str, &'static Format),
        options: &SuggestOptions<'_>,
    ) -> anyhow::Result<PromptAnswer> {
        let counter = endpoint.counter(format)?;
        let budget = endpoint.prompt_budget(self.preset.budget.total, self.max_tokens())?;
        let count = |text: &str| counter.count(text);
        let mut preset = self.preset.clone();
        preset.budget.total = budget.saturating_sub(counter.added());
        let target = Target { format, repository, count: &count };
        let is_out_of_time = || is_out_of_time(options);
        let mut control = Control { is_out_of_time: Some(&is_out_of_time), ..Control::default() };
        let retrieval = CursorRetrieval::new(view, cursor, &preset, &count, &mut control);
        Ok(prompt_beside(&retrieval, &options.forecasts, target)?)
    }

    fn max_tokens(&self) -> usize {
        self.limits.max_tokens.unwrap_or(ANSWER_TOKENS)
    }

    fn request(
        &self,
        fill: Fill,
        point: &InsertionPoint<'_>,
        options: &SuggestOptions<'_>,
    ) -> CompletionRequest {
        CompletionRequest {
            fill,
            extent: point.extent,
            max_tokens: self.max_tokens(),
            stop: Vec::new(),
            temperature: 0.0,
            n: 1,
            deadline: Some(options.deadline),
            // A chat model may still begin with prose.
            stop_check: (point.writer == Writer::Base).then(|| stop_check(point)),
        }
    }
}

/// Returns when the request is cancelled.
async fn cancelled(options: &SuggestOptions<'_>) {
    while !(options.cancelled)() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// The hole at the cursor for any server: the composed prompt, and the parts for servers that render it themselves.
pub fn fill_at(cursor: &Cursor, composed: &PromptAnswer, format: &'static Format) -> Fill {
    let language = Language::of_path(cursor.path(), "");
    Fill {
        path: cursor.path().to_owned(),
        language: language.map(Language::name),
        line_comment: language.and_then(Language::line_comment),
        ..fill(composed, format)
    }
}

/// A suggestion of the embedded model, which reads no prompt.
fn suggest_embedded(
    view: &View<'_>,
    cursor: &Cursor,
    (preset, counts): (&Preset, &CountCache),
    options: &SuggestOptions<'_>,
) -> anyhow::Result<Option<Suggestion>> {
    let context = context(view.clone(), cursor, preset, options)?;
    if (options.cancelled)() || view.snapshot().is_preliminary() {
        return Ok(None);
    }
    let (prefix, suffix) = (cursor.prefix(), cursor.suffix());
    let extent = extent(cursor, options);
    let shown: Vec<&str> = context.iter().map(|it| it.text.as_str()).collect();
    let hole = Hole { prefix, suffix, pieces: &shown, cache: Some(counts), ..Hole::default() };
    let found = complete_until(&hole, extent, 1, Some(options.deadline)).into_iter().next();
    let point = InsertionPoint {
        prefix,
        suffix,
        extent,
        writer: Writer::Base,
        ..InsertionPoint::default()
    };
    Ok(found.and_then(|it| {
        let text = clean(&it.text, &point).text;
        let sources = sources(prefix, &text, &context);
        let confidence = it.confidence;
        let context = ContextSource::default();
        (!text.trim().is_empty()).then_some(Suggestion { text, confidence, sources, context })
    }))
}

fn extent(cursor: &Cursor, options: &SuggestOptions<'_>) -> Extent {
    match (options.lines, Extent::at(cursor.prefix(), cursor.suffix())) {
        (0 | 1, _) | (_, Extent::Line) => Extent::Line,
        (lines, Extent::Block(most)) => Extent::Block(most.min(lines - 1)),
    }
}

/// Places of the pieces with the line that the first line of `text` completes.
fn sources(prefix: &str, text: &str, context: &[Piece]) -> Vec<(String, u32)> {
    let begun = prefix.rsplit('\n').next().unwrap_or_default();
    let line = format!("{begun}{}", text.lines().next().unwrap_or_default());
    let line = line.trim();
    let place = |it: &Piece| {
        let row = it.text.lines().position(|other| other.trim() == line)?;
        Some((it.path.clone(), it.start_line + row as u32))
    };
    let written = text.lines().next().unwrap_or_default().trim();
    if written.len() < MIN_LINE_LENGTH {
        Vec::new()
    } else {
        context.iter().filter_map(place).collect()
    }
}

/// Whether there is no time for further signals.
fn is_out_of_time(options: &SuggestOptions<'_>) -> bool {
    (options.cancelled)() || Instant::now() >= options.deadline
}

fn context(
    view: View<'_>,
    cursor: &Cursor,
    preset: &Preset,
    options: &SuggestOptions<'_>,
) -> anyhow::Result<Vec<Piece>> {
    let counter = tokens::general()?;
    let count = |text: &str| counter.count(text);
    let is_out_of_time = || is_out_of_time(options);
    let mut control = Control { is_out_of_time: Some(&is_out_of_time), ..Control::default() };
    let retrieval = CursorRetrieval::new(view, cursor, preset, &count, &mut control);
    Ok(retrieval.select(CONTEXT_TOKENS, Truncation::Left, &count).pieces)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use foreword_engine::index::{IndexConfig, Snapshot};
    use foreword_engine::preset;

    use super::*;

    #[track_caller]
    fn check(begun: &str, expect: Option<&str>) {
        let line =
            |name: &str| format!("    register(registry, '{name}', priority=10, reload=True)\n");
        let lines: String = ["alpha", "beta", "gamma"].map(line).concat();
        let text = format!("def install(registry):\n{lines}    {begun}\n");
        let offset = text.len() - 1;
        let cursor = Cursor::new("a.py", text, offset).unwrap();
        let snapshot = Snapshot::empty(IndexConfig::default());
        let deadline = Instant::now() + Duration::from_mins(1);
        let options = SuggestOptions {
            deadline,
            lines: 8,
            cancelled: &|| false,
            forecasts: ShownForecasts::NONE,
        };
        let view = View::new(&snapshot, &cursor).unwrap();
        let found = suggest_embedded(
            &view,
            &cursor,
            (&preset::context(), &CountCache::default()),
            &options,
        )
        .unwrap();
        assert_eq!(found.map(|it| it.text).as_deref(), expect, "{begun}");
    }

    #[test]
    fn a_line_is_finished_wherever_it_is_left() {
        check("register(registry, 'delta', ", Some("priority=10, reload=True)"));
        check("register(registry, 'delta', prio", Some("rity=10, reload=True)"));
        check("register(registry, 'delta', priority=10, reload=", Some("True)"));
    }

    #[test]
    fn a_cancelled_request_has_no_suggestion() {
        let cursor = Cursor::at_end("a.py", "");
        let snapshot = Snapshot::empty(IndexConfig::default());
        let options = SuggestOptions {
            deadline: Instant::now(),
            lines: 1,
            cancelled: &|| true,
            forecasts: ShownForecasts::NONE,
        };
        let view = View::new(&snapshot, &cursor).unwrap();
        let found = suggest_embedded(
            &view,
            &cursor,
            (&preset::context(), &CountCache::default()),
            &options,
        )
        .unwrap();
        assert_eq!(found, None);
    }
}
