//! Prepares the context of a request in time: admits the request, finds its file, composes the prompt, and merges in the
//! client's snippets. One context is computed per core at a time; a context that comes too late is not waited for.
//!
//! Three separate calls let the context reach the model before it is explained: [`PromptInputs::gather`],
//! [`PromptInputs::prepare`], and the optional [`Explainable::explain`].

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use foreword_chunk::Language;
use foreword_engine::preset::Preset;
use foreword_engine::scope::{Activity, Cursor};
use foreword_engine::speculate::{FilePlan, ShownForecasts};
use foreword_engine::trim::nearest_lines;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use foreword_session::answer::nearby::nearby;
use foreword_session::answer::prompt::{PromptRequest, PromptRun, StageTimer, compose_in_view};
use foreword_session::answer::trace::Trace;
use foreword_session::backend::Input;
use foreword_session::host::{CursorView, Repository, View};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use super::locate::{
    FileMatch, WorkspaceView, Workspaces, cursor, cursor_in_request, locate, location,
};
use super::outcome::{ContextOutcome, Location, Snippet};
use super::pace::ExplanationPace;
use super::prompt::{
    self, HoleInFile, MergedPrompt, PromptSettings, fitting_snippets, hole, merge, render,
};
use crate::serve::clock::elapsed_ms;
use crate::serve::protocols::request::{ClientRequest, PromptKind};

/// A request may queue for 1/`QUEUE_PART` of its patience, so that an admitted request has time to finish; otherwise,
/// under overload, all would wait and none would be in time.
const QUEUE_PART: u32 = 3;

/// Computes contexts, one per core at a time.
pub(crate) struct ContextService {
    pub(crate) workspaces: Workspaces,
    permits: Arc<Semaphore>,
    /// Requests that wait for admission.
    waiting: AtomicUsize,
    pace: ExplanationPace,
    /// Maximum wait of a request for its context.
    pub(crate) patience: Duration,
}

/// A context, and its explanation as JSON, which arrives later or never.
pub(crate) struct ContextInTime {
    pub(crate) context: PreparedContext,
    pub(crate) explanation: oneshot::Receiver<String>,
}

/// Why a request has no context.
pub(crate) struct NoContext {
    /// [`ContextOutcome::Late`] or [`ContextOutcome::Failed`].
    pub(crate) outcome: ContextOutcome,
    pub(crate) reason: String,
}

/// Too many requests waited for admission.
#[derive(Debug)]
struct Overload;

impl std::fmt::Display for Overload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many requests came at a time to make a context for each")
    }
}

impl std::error::Error for Overload {}

impl ContextService {
    pub(crate) fn new(workspaces: Workspaces, patience: Duration) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let permits = Arc::new(Semaphore::new(cores.max(2)));
        let (waiting, pace) = (AtomicUsize::new(0), ExplanationPace::new());
        Self { workspaces, permits, waiting, pace, patience }
    }

    /// The context of a request, if it is ready in time.
    pub(crate) async fn prepare_in_time(
        self: &Arc<Self>,
        request: &ClientRequest,
        settings: &PromptSettings,
    ) -> Result<ContextInTime, NoContext> {
        let late = |reason| Err(NoContext { outcome: ContextOutcome::Late, reason });
        if self.patience.is_zero() {
            late("with --patience 0 no request waits for its context".to_owned())
        } else {
            let deadline = Instant::now() + self.patience;
            match timeout_at(deadline, self.prepare_on_thread(request, settings)).await {
                Ok(Ok(context)) => Ok(context),
                Ok(Err(error)) if error.is::<Overload>() => late(error.to_string()),
                Ok(Err(error)) => {
                    let reason = error.to_string();
                    Err(NoContext { outcome: ContextOutcome::Failed, reason })
                }
                Err(_) => {
                    let millis = self.patience.as_millis();
                    late(format!("the context was not ready after {millis} ms"))
                }
            }
        }
    }

    /// Prepares the context on a thread for computations, once the request is admitted.
    async fn prepare_on_thread(
        self: &Arc<Self>,
        request: &ClientRequest,
        settings: &PromptSettings,
    ) -> anyhow::Result<ContextInTime> {
        let admitted = timeout(self.patience / QUEUE_PART, self.admit()).await;
        let permit = admitted.map_err(|_| Overload)??;
        let (service, request, settings) = (Arc::clone(self), request.clone(), settings.clone());
        let (context_sender, context) = oneshot::channel();
        let (explanation_sender, explanation) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            let json = service.prepare_and_explain(&request, &settings, context_sender);
            drop(permit);
            if let Some(json) = json {
                // The server may be closing.
                let _ = explanation_sender.send(json);
            }
        });
        Ok(ContextInTime { context: context.await??, explanation })
    }

    /// Sends the context as soon as it is prepared, or why it cannot be. Then explains it, unless other requests wait for
    /// admission, many came in this second, or the context came too late.
    fn prepare_and_explain(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        to: oneshot::Sender<anyhow::Result<PreparedContext>>,
    ) -> Option<String> {
        match PromptInputs::gather(&self.workspaces, request, settings, self.patience) {
            Ok(inputs) => {
                inputs.record();
                self.send_and_explain(inputs.prepare(), to)
            }
            Err(error) => self.send_and_explain(Err(error), to),
        }
    }

    fn send_and_explain(
        &self,
        prepared: anyhow::Result<Preparation<'_>>,
        to: oneshot::Sender<anyhow::Result<PreparedContext>>,
    ) -> Option<String> {
        // If sending fails, the request has gone on without a context.
        match prepared {
            Ok(Preparation { mut context, explainable }) => {
                let busy = explainable.as_ref().and_then(|_| self.too_busy_to_explain());
                if let Some(reason) = busy {
                    context.notes.push(format!("{reason}, so the context was not explained"));
                }
                let is_received = to.send(Ok(context)).is_ok();
                let explainable = explainable.filter(|_| is_received && busy.is_none());
                explainable.and_then(|it| it.explain().ok())
            }
            Err(error) => {
                let _ = to.send(Err(error));
                None
            }
        }
    }

    /// Why the context at hand is not explained; `None` if it may be.
    fn too_busy_to_explain(&self) -> Option<&'static str> {
        if self.waiting.load(Ordering::Relaxed) > 0 {
            Some("others were waiting")
        } else if !self.pace.admits(std::time::Instant::now()) {
            Some("many requests came in this second")
        } else {
            None
        }
    }

    /// Waits until a context may be computed.
    async fn admit(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        let _waiting = Waiting::new(&self.waiting);
        Arc::clone(&self.permits).acquire_owned().await
    }
}

/// Counts a waiting request as long as it lives: a client may go away while it waits.
struct Waiting<'w>(&'w AtomicUsize);

impl<'w> Waiting<'w> {
    fn new(count: &'w AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A model's input, and its origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreparedContext {
    pub(crate) location: Location,
    pub(crate) outcome: ContextOutcome,
    /// The hole with its pieces and its prompt; for a model that reads files, also files like the cursor's.
    pub(crate) fill: Fill,
    pub(crate) surroundings: Surroundings,
    /// The pieces, for records.
    pub(crate) snippets: Arc<[Snippet]>,
    /// The id of the snapshot.
    pub(crate) snapshot: Option<String>,
    /// Milliseconds until the file was found.
    pub(crate) locate_ms: f64,
    /// Milliseconds from there until the prompt was composed.
    pub(crate) compose_ms: f64,
    pub(crate) notes: Vec<String>,
}

/// The whole file's text before and after the cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) prefix: String,
    pub(crate) suffix: String,
}

/// The inputs of a prompt.
pub(crate) struct PromptInputs<'i> {
    settings: &'i PromptSettings,
    repository: &'i Repository,
    view: View,
    cursor: Cursor,
    /// Time at which the file was found.
    located_at: std::time::Instant,
    /// Time after which no further signal is retrieved.
    retrieval_deadline: std::time::Instant,
    /// The client's snippets that go into the prompt.
    snippets: Vec<ContextPiece>,
    /// The ranking preset, with the budget for the repository's pieces.
    preset: Preset,
    /// The cursor's text over the snapshot; kept here for the composed prompt to borrow from.
    overlay: OnceCell<CursorView>,
    /// The context, before the prompt is composed.
    context: PreparedContext,
    /// What was done in other files.
    activity: Activity,
    /// The current plan of the cursor's file, and the maximum number of its forecasts in the prompt.
    plan: (Option<FilePlan>, usize),
}

/// A prepared context, and the data to explain it, if a prompt was composed.
pub(crate) struct Preparation<'p> {
    pub(crate) context: PreparedContext,
    pub(crate) explainable: Option<Explainable<'p>>,
}

/// A composed prompt with the intermediate results that explain it.
pub(crate) struct Explainable<'p> {
    request: PromptRequest<'p>,
    run: PromptRun<'p>,
    /// Number of the repository's pieces.
    own: usize,
    budget: usize,
}

impl Explainable<'_> {
    /// The explanation as JSON.
    pub(crate) fn explain(&self) -> anyhow::Result<String> {
        let trace = Trace::new(&self.request, &self.run);
        prompt::explain(trace, self.own, self.budget)
    }
}

impl<'i> PromptInputs<'i> {
    /// Finds the file of a request. `patience` is the maximum wait of the request for its context.
    pub(crate) fn gather(
        workspaces: &'i Workspaces,
        request: &ClientRequest,
        settings: &'i PromptSettings,
        patience: Duration,
    ) -> anyhow::Result<Self> {
        let start = std::time::Instant::now();
        let mut views = workspaces.views(patience)?;
        let located = locate(workspaces, request, &views);
        let locate_ms = elapsed_ms(start);
        let located_at = std::time::Instant::now();
        let WorkspaceView { repository, view } = views.swap_remove(located.repository);
        let context = PreparedContext {
            location: location(repository, &located),
            outcome: outcome(request, located.file.as_ref()),
            snapshot: Some(view.snapshot.id().to_owned()),
            locate_ms,
            ..PreparedContext::default()
        };
        let cursor = cursor(request, located.file, repository)?;
        let mut elsewhere = repository.elsewhere(cursor.path(), &view.snapshot);
        // Files that the client cites are open or were just left.
        let cited = request.snippets.iter().rev().map(|it| it.path.clone());
        let is_other = |it: &String| *it != cursor.path() && view.snapshot.file(it).is_some();
        elsewhere.add_names(cited.filter(is_other));
        let (cursor, activity) = elsewhere.at(cursor);
        let (snippets, taken) = fitting_snippets(request, settings);
        let mut preset = settings.budgeted_preset();
        preset.budget.total -= taken;
        let overlay = OnceCell::new();
        let plan = repository.plan(cursor.path());
        Ok(Self {
            settings,
            repository,
            view,
            cursor,
            located_at,
            retrieval_deadline: start + patience * 3 / 4,
            snippets,
            preset,
            overlay,
            context,
            activity,
            plan,
        })
    }

    /// Remembers the cursor's file and text, so that requests in other files know what was edited. Not for a text of no
    /// file.
    fn record(&self) {
        let (path, snapshot) = (self.cursor.path(), &self.view.snapshot);
        let Some(file) = snapshot.file(path) else { return };
        let line = self.cursor.prefix().matches('\n').count() as u32 + 1;
        let saved = || Some(snapshot.text(file).to_string());
        self.repository.activity().edit(path, self.cursor.text(), saved);
        self.repository.activity().visit(path, line);
    }

    /// Composes the prompt.
    pub(crate) fn prepare(&self) -> anyhow::Result<Preparation<'_>> {
        let mut context = self.context.clone();
        match context.outcome {
            ContextOutcome::Untouched => {
                context.notes.push("the text is of no file here, so it may be no code".to_owned());
                Ok(Preparation { context, explainable: None })
            }
            _ => self.compose(context),
        }
    }

    fn compose(&self, mut context: PreparedContext) -> anyhow::Result<Preparation<'_>> {
        context.notes.extend(self.view.trouble.clone());
        if !self.view.is_complete() {
            context.notes.push("the index was not up to date".to_owned());
        }
        let timer = StageTimer::start();
        let request = self.request();
        let view = self.overlay()?.engine_view();
        let mut run = compose_in_view(request, view, timer)?;
        context.notes.extend(run.skipped_note());
        let budget = self.settings.own_budget();
        let merged = merge(&request, &mut run, self.snippets.clone(), budget);
        let own = merged.own.len();
        self.fill_in(&mut context, merged);
        context.compose_ms = elapsed_ms(self.located_at);
        let explainable = Explainable { request, run, own, budget };
        Ok(Preparation { context, explainable: Some(explainable) })
    }

    fn request(&self) -> PromptRequest<'_> {
        PromptRequest {
            repository: &self.repository.workspace().name,
            snapshot: &self.view.snapshot,
            cursor: &self.cursor,
            activity: &self.activity,
            preset: &self.preset,
            format: self.settings.format,
            counter: &self.settings.counter,
            deadline: Some(self.retrieval_deadline),
            is_fresh: self.view.fresh,
            forecasts: ShownForecasts::beside(self.plan.0.as_ref(), self.plan.1),
        }
    }

    fn overlay(&self) -> anyhow::Result<&CursorView> {
        let base = Arc::clone(&self.view.snapshot);
        let overlay =
            self.repository.overlay_cursor(base, self.cursor.path(), self.cursor.text())?;
        Ok(self.overlay.get_or_init(|| overlay))
    }

    /// Adds the composed prompt to the context.
    fn fill_in(&self, context: &mut PreparedContext, merged: MergedPrompt) {
        let MergedPrompt { prompt, pieces, prefix, suffix, own } = merged;
        // Files likely to be like the cursor's.
        let nearby = match self.settings.input {
            Input::Files => nearby(&self.view.snapshot, &self.cursor, &own),
            Input::Prompt => Vec::new(),
        };
        let score = |it: &ContextPiece| {
            let own = own.iter().find(|piece| piece.path == it.path && piece.text == it.text);
            own.map_or(1.0, |it| it.score)
        };
        let snippet = |it: &ContextPiece| Snippet {
            filepath: it.path.clone(),
            body: it.text.clone(),
            score: score(it),
        };
        context.snippets = pieces.iter().map(snippet).collect::<Vec<_>>().into();
        let language = Language::of_path(self.cursor.path(), "");
        let hole = hole(self.cursor.path(), language, prefix, suffix);
        context.fill = Fill { pieces, nearby, prompt: Some(prompt), ..hole };
        context.surroundings = Surroundings {
            prefix: self.cursor.prefix().to_owned(),
            suffix: self.cursor.suffix().to_owned(),
        };
    }
}

/// The outcome if the context can be composed. Plain text without a file may not be code.
fn outcome(request: &ClientRequest, file: Option<&FileMatch>) -> ContextOutcome {
    match (file, request.kind) {
        (Some(_), _) => ContextOutcome::File,
        (None, PromptKind::Plain) => ContextOutcome::Untouched,
        (None, _) => ContextOutcome::Lexical,
    }
}

/// The input without context: the client's text and snippets, cut to the budget as with a context. Blocks: counting
/// tokens takes a while.
pub(crate) fn without_context(
    request: &ClientRequest,
    settings: &PromptSettings,
) -> PreparedContext {
    let cursor = cursor_in_request(request);
    let path = cursor.path();
    let language = Language::of_path(path, "");
    let count = |text: &str| settings.counter.count(text);
    let (snippets, taken) = fitting_snippets(request, settings);
    let mut budget = settings.budgeted_preset().budget;
    budget.total -= taken;
    let mut fill = if request.kind == PromptKind::Plain {
        // Plain text has no suffix.
        budget.prefix = 1.0;
        let text = nearest_lines(&cursor, &budget, &count).prefix;
        let mut fill = hole(path, language, text.clone(), String::new());
        fill.prompt = Some(RenderedPrompt { format: settings.format.name, text, stop: Vec::new() });
        fill
    } else {
        let window = nearest_lines(&cursor, &budget, &count);
        let mut fill = hole(path, language, window.prefix, window.suffix);
        let hole = HoleInFile { repository: "", path, language, fill: &fill };
        fill.prompt = Some(render(settings.format, &hole, &snippets).prompt);
        fill
    };
    fill.pieces = snippets;
    let surroundings =
        Surroundings { prefix: request.prefix.clone(), suffix: request.suffix.clone() };
    PreparedContext { fill, surroundings, ..PreparedContext::default() }
}

/// Whether a client's text is within the budget. Blocks.
pub(crate) fn fits(request: &ClientRequest, settings: &PromptSettings) -> bool {
    let text = request.text("prompt");
    // A token has at least one byte.
    let budget = settings.own_budget();
    text.len() <= budget || settings.counter.count(&text) <= budget
}

/// The start of the next prompt: the client's snippets, as that prompt will contain them. Blocks: counting tokens takes a
/// while.
pub(crate) fn prompt_head(
    workspaces: &Workspaces,
    request: &ClientRequest,
    settings: &PromptSettings,
) -> String {
    let repository = &workspaces.repositories[workspaces.default_for(request)].workspace().name;
    let (snippets, _) = fitting_snippets(request, settings);
    let hole = HoleInFile { repository, path: "", language: None, fill: &Fill::default() };
    render(settings.format, &hole, &snippets).head().to_owned()
}
