//! `foreword context`: the prompt at a position in a file, with explanations.

mod rendering;
mod speculated;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use foreword_engine::compose::Format;
use foreword_engine::evidence::Signal;
use foreword_engine::preset::Preset;
use foreword_engine::prompt::{PromptAnswer, TooSmall};
use foreword_engine::scope::{Activity, Cursor};
use foreword_engine::speculate::{ContextMix, FilePlan, ShownForecasts};
use foreword_load::{Analyzer, EntryType, Masking, Workspace, read_below};
use foreword_model::TokenCounter;
use foreword_session::activity::{ActivityElsewhere, uncommitted};
use foreword_session::answer::prompt::output::{ContextOutput, StageTimes};
use foreword_session::answer::prompt::{
    self, COMPLETION_TOKENS, PromptRequest, PromptRun, StageTime, compose, limit_budget,
};
use foreword_session::answer::trace::Trace;
use foreword_session::host::large_text;
use foreword_session::usage::check_length;

use self::rendering::Content;
use super::args::{ContextArgs, CursorArgs};
use super::config::{Settings, Shape};
use super::position::{Position, check_offset};
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output, usage};
use crate::inspector_page;

/// The cursor, with notes for the user.
pub(super) struct CursorInput {
    pub(super) cursor: Cursor,
    /// What was done in other files.
    pub(super) activity: Activity,
    pub(super) notes: Vec<String>,
    /// Lines of a large text before the part that is used.
    lines_before: usize,
}

pub(super) fn run(args: &ContextArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let model = args.model.as_deref().unwrap_or(&settings.model.value);
    let format = format_of(model)?;
    let most = format.window_of(model).saturating_sub(COMPLETION_TOKENS);
    if args.on.cluster.is_some() {
        return on_cluster(args, settings, (format, most), start);
    }
    let mut query = ContextQuery::new(&args.at, settings, format, most)?;
    query.add_plan(args);
    if let Some(ContextMix::Plan(mix)) = args.mix {
        return speculated::show(args, &query, mix, ms(start));
    }
    query.with_composed(settings, ms(start), |composed| show(args, settings, composed))
}

/// The prompt in a clone whose index is on a cluster.
fn on_cluster(
    args: &ContextArgs,
    settings: &Settings,
    (format, most): (&'static Format, usize),
    start: Instant,
) -> anyhow::Result<Outcome> {
    if args.on.repository.is_some() {
        return Err(usage(
            "--repository: a prompt needs the files; run this in a clone, without it",
        ));
    }
    if args.mix.is_some() {
        return Err(usage("--mix: plans are of an index of your own; leave out --cluster"));
    }
    let at = &args.at;
    let preset = preset_of(at, settings)?;
    let position = Position::parse(&at.position)?;
    let directory = workspace::directory_of(settings, &position.file);
    let text = at.stdin.then(text_of_stdin).transpose()?;
    let query = workspace::answer_on_cluster(settings, &args.on, directory.as_deref(), |opened| {
        let target = (format, counter_of(at, settings, format)?, most, preset.clone());
        let query = ContextQuery::in_workspace(at, settings, target, opened, text.clone())?;
        query.compose(0.0)?;
        Ok(query)
    })?;
    // Nothing is missing any more.
    show(args, settings, &query.compose(ms(start))?)
}

fn show(
    args: &ContextArgs,
    settings: &Settings,
    composed: &ComposedContext<'_>,
) -> anyhow::Result<Outcome> {
    if args.prompt {
        return output::bytes(composed.run.answer.prompt.text.as_bytes());
    }
    if args.trace {
        return output::json(&composed.trace());
    }
    if let Some(file) = &args.html {
        return write_page(file, &composed.trace(), settings);
    }
    print(args, &context_output(composed))
}

fn print(args: &ContextArgs, output: &ContextOutput<'_>) -> anyhow::Result<Outcome> {
    let content = if args.explain { Content::Explanation } else { Content::PromptAndExplanation };
    if args.json { output::json(output) } else { output::text(&rendering::text(output, content)) }
}

/// A cursor in an open workspace, with settings of its context.
pub(super) struct ContextQuery {
    pub(super) opened: OpenWorkspace,
    pub(super) input: CursorInput,
    pub(super) format: &'static Format,
    counter: TokenCounter,
    analyzer: Arc<Analyzer>,
    preset: Preset,
    /// Whether the index was updated from the disk first.
    is_fresh: bool,
    /// The plan of the cursor's file, if it is used.
    plan: Option<FilePlan>,
    /// Maximum number of its forecasts beside the pieces.
    forecasts: usize,
    /// The same by the settings.
    allowed_forecasts: usize,
}

/// The composed prompt with its candidates.
pub(super) struct ComposedContext<'q> {
    pub(super) query: &'q ContextQuery,
    pub(super) run: PromptRun<'q>,
    pub(super) elapsed: StageTimes,
}

impl ContextQuery {
    /// `most` is the prompt budget left by the model's context window.
    pub(super) fn new(
        args: &CursorArgs,
        settings: &Settings,
        format: &'static Format,
        most: usize,
    ) -> anyhow::Result<Self> {
        let counter = counter_of(args, settings, format)?;
        Self::with_counter(args, settings, format, counter, most)
    }

    /// Like `new`, with a given counter.
    pub(super) fn with_counter(
        args: &CursorArgs,
        settings: &Settings,
        format: &'static Format,
        counter: TokenCounter,
        most: usize,
    ) -> anyhow::Result<Self> {
        let preset = preset_of(args, settings)?;
        let position = Position::parse(&args.position)?;
        let directory = workspace::directory_of(settings, &position.file);
        let opened = workspace::open(settings, directory.as_deref())?;
        let text = args.stdin.then(text_of_stdin).transpose()?;
        Self::in_workspace(args, settings, (format, counter, most, preset), opened, text)
    }

    /// Like `new`, in an open workspace; `text` is that of the file, if it is not read from disk.
    fn in_workspace(
        args: &CursorArgs,
        settings: &Settings,
        (format, counter, most, mut preset): (&'static Format, TokenCounter, usize, Preset),
        mut opened: OpenWorkspace,
        text: Option<Vec<u8>>,
    ) -> anyhow::Result<Self> {
        let limited = limit_budget(&mut preset, most, &counter);
        if preset.fuse.weights[Signal::Diff] > 0.0 {
            opened.add_diff();
        }
        let mut input = cursor(args, settings, &opened, text)?;
        input.notes.extend(limited);
        let analyzer = Arc::clone(&settings.analyzer);
        let is_fresh = !settings.stale;
        let allowed_forecasts = settings.setup().forecasts;
        Ok(Self {
            opened,
            input,
            format,
            counter,
            analyzer,
            preset,
            is_fresh,
            plan: None,
            forecasts: 0,
            allowed_forecasts,
        })
    }

    fn request(&self) -> PromptRequest<'_> {
        PromptRequest {
            repository: &self.opened.workspace.name,
            snapshot: &self.opened.snapshot,
            cursor: &self.input.cursor,
            activity: &self.input.activity,
            preset: &self.preset,
            format: self.format,
            counter: &self.counter,
            deadline: None,
            is_fresh: self.is_fresh,
            forecasts: ShownForecasts::beside(self.plan.as_ref(), self.forecasts),
        }
    }

    /// Composes the prompt and passes it to `show`; `open` is the time spent before, in milliseconds.
    pub(super) fn with_composed<T>(
        &mut self,
        settings: &Settings,
        open: f64,
        show: impl FnOnce(&ComposedContext<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let compose = || workspace::attempt(&self.opened, || self.compose(open));
        let failure = match workspace::with_spinner(settings, "choosing pieces", compose) {
            Ok(composed) => return show(&composed?),
            Err(failure) => failure,
        };
        workspace::mend(settings, &mut self.opened, failure)?;
        if self.preset.fuse.weights[Signal::Diff] > 0.0 {
            self.opened.add_diff();
        }
        show(&self.compose(open)?)
    }

    /// Composes the prompt.
    fn compose(&self, open: f64) -> anyhow::Result<ComposedContext<'_>> {
        let run = compose(self.request(), &self.analyzer).map_err(|it| {
            match it.downcast::<TooSmall>() {
                Ok(it) => too_small(it),
                Err(it) => it,
            }
        })?;
        let elapsed = StageTimes::new(open, &run.stages);
        Ok(ComposedContext { query: self, run, elapsed })
    }
}

impl ComposedContext<'_> {
    /// The trace for the inspector.
    fn trace(&self) -> Trace {
        let mut trace = Trace::new(&self.query.request(), &self.run);
        trace.notes.extend(self.query.input.notes.iter().cloned());
        trace.stages.insert(0, StageTime { stage: "open", ms: self.elapsed.open });
        trace
    }
}

fn too_small(it: TooSmall) -> anyhow::Error {
    usage(format!("{it}; raise --budget"))
}

/// The format for a model's name; unknown names are errors, never guesses.
pub(super) fn format_of(model: &str) -> anyhow::Result<&'static Format> {
    prompt::format_of(model).map_err(|it| usage(format!("--model {model}: {it}")))
}

fn preset_of(args: &CursorArgs, settings: &Settings) -> anyhow::Result<Preset> {
    let asked = Shape {
        piece_lines: args.piece_lines,
        pieces: args.pieces,
        order: args.order.clone(),
        trim: args.trim.clone(),
    };
    let budget = args.budget.unwrap_or(settings.budget.value);
    let mut preset = asked.or(&settings.shape).preset(budget)?;
    for name in &args.without {
        let signal = Signal::named(name).ok_or_else(|| {
            let names = Signal::ALL.map(Signal::name);
            usage(format!("--without {name}: no such signal; there are {}", names.join(", ")))
        })?;
        preset.fuse.weights[signal] = 0.0;
    }
    Ok(preset)
}

fn cursor(
    args: &CursorArgs,
    settings: &Settings,
    opened: &OpenWorkspace,
    text: Option<Vec<u8>>,
) -> anyhow::Result<CursorInput> {
    let position = Position::parse(&args.position)?;
    let file = workspace::locate(settings, &opened.workspace, &position.file);
    let path = opened.workspace.relative(&file)?;
    let (setup, root) = (settings.setup(), &opened.workspace.root);
    let masking = setup.admit_file(Some(&opened.workspace), &file)?;
    let text = text_of(text, settings, (&opened.workspace, &path, masking), &file)?;
    let offset = match args.offset {
        Some(offset) => check_offset(offset, &text, &position.file.display().to_string())?,
        None => position.offset(&text)?,
    };
    let mut notes = Vec::new();
    let (part, at) = large_text::analysable(&path, &text, offset, setup.max_text_bytes());
    if part.len() < text.len() {
        notes.push(large_text::note(text.len()));
    }
    let lines_before = text[..offset - at].matches('\n').count();
    if opened.snapshot.file(&path).is_none() && !args.stdin {
        let why = foreword_load::explain(
            &opened.workspace.open()?,
            &path,
            &settings.walk(),
            &settings.limits(),
        )?;
        let why = why.map_or_else(|| "not indexed".to_owned(), |it| it.to_string());
        notes.push(format!("{path} is not in the index ({why}); it was read for this answer only"));
    }
    notes.extend(opened.unread.clone());
    if !opened.snapshot.is_complete() {
        notes.push("the index is incomplete".to_owned());
    }
    let named = workspace::existing_paths(settings, &opened.workspace, &args.recent)
        .map_err(|it| it.context("--recent"))?;
    let elsewhere = elsewhere(opened, &path, named);
    let intent = args.intent.clone();
    check_length("--intent", &intent)?;
    let cursor = setup.cursor(root, path, part, at)?;
    let (cursor, activity) = elsewhere.at(cursor.with_intent(intent));
    Ok(CursorInput { cursor, activity, notes, lines_before })
}

/// What was done in other files: those that the user names, uncommitted changes, and files of the last commits.
fn elsewhere(opened: &OpenWorkspace, path: &str, named: Vec<String>) -> ActivityElsewhere {
    let named = ActivityElsewhere { recent: named, ..ActivityElsewhere::default() };
    let mut res = named.then(uncommitted(&opened.snapshot, path));
    let is_other = |it: &String| it != path && opened.snapshot.file(it).is_some();
    res.add_names(foreword_load::last_files(&opened.workspace).into_iter().filter(is_other));
    res
}

/// The counter of the arguments for a format.
fn counter_of(
    args: &CursorArgs,
    settings: &Settings,
    format: &'static Format,
) -> anyhow::Result<TokenCounter> {
    let tokenizer = args.tokenizer.as_deref().or(settings.tokenizer.value.as_deref());
    Ok(TokenCounter::for_format(format, tokenizer)?)
}

fn text_of_stdin() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The given text, else that of the file. `path` is relative to the root; `file` is as the user wrote it.
fn text_of(
    given: Option<Vec<u8>>,
    settings: &Settings,
    (workspace, path, masking): (&Workspace, &str, Masking),
    file: &Path,
) -> anyhow::Result<String> {
    let name = file.display();
    if let Some(bytes) = given {
        let decoded = foreword_load::decode(bytes);
        let readable = decoded.map(|it| foreword_load::readable(path, it.0));
        return readable.map_err(|reason| usage(format!("{name}: {reason}")));
    }
    match workspace.entry(file) {
        Some(EntryType::Directory) => {
            return Err(usage(format!("{name} is a directory; name a file in it")));
        }
        // Opening a pipe would wait for its writer.
        Some(EntryType::Special) => {
            return Err(usage(format!("{name} is not a regular file; pass its text with --stdin")));
        }
        _ => {}
    }
    let read = read_below(&workspace.open()?, path, workspace::most_bytes(settings), masking);
    read.map(|it| it.0).map_err(|reason| usage(workspace::unreadable(file, &reason)))
}

pub(super) fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// Writes the inspector's page.
fn write_page(file: &Path, trace: &Trace, settings: &Settings) -> anyhow::Result<Outcome> {
    let page = inspector_page::with_trace(trace)?;
    if file == Path::new("-") {
        return output::bytes(page.as_bytes());
    }
    std::fs::write(file, page)
        .map_err(|error| usage(format!("{} cannot be written: {error}", file.display())))?;
    if !settings.quiet {
        output::note(&format!("{} is written; open it in a browser", file.display()));
    }
    Ok(Outcome::Done)
}

fn context_output<'a>(context: &'a ComposedContext<'_>) -> ContextOutput<'a> {
    context.query.output(&context.run.answer, context.elapsed)
}

impl ContextQuery {
    fn output<'a>(
        &'a self,
        composed: &'a PromptAnswer,
        elapsed_ms: StageTimes,
    ) -> ContextOutput<'a> {
        let mut res =
            ContextOutput::new(&self.request(), composed, self.input.lines_before, elapsed_ms);
        res.notes.clone_from(&self.input.notes);
        res.answered_from = self.opened.answered_from;
        res
    }
}
