//! `foreword complete`: completes code at a position in a file.
//!
//! Without a server or model file the embedded model answers, as the output states. Every model gets the context that
//! `foreword context` shows, and its text is cleaned to fit the position.

use std::time::{Duration, Instant};

use foreword_engine::compose::Format;
use foreword_engine::source::ContentHash;
use foreword_model::TokenCounter;
use foreword_model::clean::{CleanText, InsertionPoint, Stream, Writer, clean, stop_check};
use foreword_model::embedded::Extent;
use foreword_model::request::{self, CompletionRequest};
use foreword_session::answer::complete::{fill_at, least_shown};
use foreword_session::answer::prompt::COMPLETION_TOKENS;
use foreword_session::backend::{Backend, BackendSettings, Endpoint, Input};
use serde::Serialize;

use super::args::CompleteArgs;
use super::config::Settings;
use super::context::{ComposedContext, ContextQuery, ms};
use super::output::{DIM, NAME};
use super::{Outcome, output, usage};

/// JSON of `complete --json` (docs/json.md).
#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    snapshot: &'a str,
    complete: bool,
    model: String,
    path: &'a str,
    line: usize,
    column: usize,
    prompt_id: String,
    completions: Vec<Completion>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    elapsed_ms: StageTimes,
}

#[derive(Serialize)]
struct Completion {
    text: String,
    confidence: Option<f64>,
    end: &'static str,
    cut: Vec<&'static str>,
}

/// Maximum number of completions: each takes as long as the first.
const MAX_CHOICES: usize = 32;

/// The answer without a completion; the exit code is 1.
const NOTHING: &str =
    "nothing to suggest: neither the file nor the context has code that continues this place\n";

/// Milliseconds by stage.
#[derive(Serialize)]
struct StageTimes {
    open: f64,
    scope: f64,
    retrieve: f64,
    trim: f64,
    model: f64,
    clean: f64,
    total: f64,
}

pub(super) fn run(args: &CompleteArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    if args.n == 0 || args.lines == Some(0) {
        return Err(usage("--n and --lines count from 1"));
    }
    if args.n > MAX_CHOICES {
        return Err(usage(format!("--n {}: at most {MAX_CHOICES} completions are made", args.n)));
    }
    let target = Target::new(args, settings)?;
    // Loading a model file does not count towards the timeout.
    let ready = if target.is_file() { Instant::now() } else { start };
    let mut query = query(args, settings, &target)?;
    let deadline = ready + target.timeout;
    query.add_forecasts();
    query.with_composed(settings, ms(start), |made| {
        let prefix = made.query.input.cursor.prefix();
        let least = settings.least_confidence.value;
        let least = least.unwrap_or_else(|| least_shown(target.endpoint.input(), prefix));
        complete(args, &target, made, (start, deadline), least)
    })
}

fn complete(
    args: &CompleteArgs,
    target: &Target,
    made: &ComposedContext<'_>,
    (start, deadline): (Instant, Instant),
    least: f64,
) -> anyhow::Result<Outcome> {
    let point = insertion_point(args, made, target.endpoint.writer());
    let request = request(args, made, target, &point, deadline);
    let stage = Instant::now();
    let mut stream = args.stream.then(|| Stream::new(point));
    let mut sink = |raw: &str| {
        if let Some(stream) = &mut stream {
            show(&stream.push(raw));
        }
    };
    let answer = foreword_model::wait(target.endpoint.complete(&request, &mut sink))?;
    let model_ms = ms(stage);
    if let Some(stream) = stream {
        let (rest, whole) = stream.finish();
        show(&(rest + if whole.text.is_empty() { "" } else { "\n" }));
        return Ok(if whole.text.is_empty() { Outcome::Nothing } else { Outcome::Done });
    }
    let stage = Instant::now();
    let completions = distinct_texts(&answer, &point);
    let elapsed_ms = StageTimes {
        open: made.elapsed.open,
        scope: made.elapsed.scope,
        retrieve: made.elapsed.retrieve,
        trim: made.elapsed.trim,
        model: model_ms,
        clean: ms(stage),
        total: ms(start),
    };
    print((args, least), made, target.endpoint.title(), completions, elapsed_ms)
}

/// The model, its prompt format, and limits.
struct Target {
    endpoint: Endpoint,
    format: &'static Format,
    max_tokens: usize,
    timeout: Duration,
}

/// Default time limit of a completion.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Selects the embedded model even if the settings name another.
const EMBEDDED: &str = "embedded";

impl Target {
    fn new(args: &CompleteArgs, settings: &Settings) -> anyhow::Result<Self> {
        let name = args.model.as_deref();
        let backend = match name {
            Some(EMBEDDED) => BackendSettings::default(),
            _ => settings.backend(name)?,
        };
        let is_embedded = backend.url.is_none() && backend.gguf.is_none();
        if let Some(name) = backend.model.as_deref().filter(|_| is_embedded) {
            return Err(usage(format!(
                "--model {name}: no server has it; name one with --model-url, or a model file with --gguf, or use --model {EMBEDDED}"
            )));
        }
        let limits = backend.limits;
        let backend = Backend::open(backend)?;
        let endpoint = foreword_model::wait(backend.endpoint());
        let endpoint = endpoint.map_err(|it| usage(it.message))?;
        let format = endpoint.format().map_err(usage)?;
        let timeout = args.timeout.map(Duration::from_millis).or(limits.timeout);
        Ok(Self {
            endpoint,
            format,
            max_tokens: args.max_tokens.or(limits.max_tokens).unwrap_or(COMPLETION_TOKENS),
            timeout: timeout.unwrap_or(TIMEOUT),
        })
    }

    fn is_file(&self) -> bool {
        matches!(self.endpoint, Endpoint::File(_))
    }
}

/// The query for the cursor, with the prompt budget of the model.
fn query(
    args: &CompleteArgs,
    settings: &Settings,
    target: &Target,
) -> anyhow::Result<ContextQuery> {
    let tokenizer = args.at.tokenizer.as_deref().or(settings.tokenizer.value.as_deref());
    let counter = match tokenizer.filter(|_| !target.is_file()) {
        Some(_) => TokenCounter::for_format(target.format, tokenizer)?,
        None => target.endpoint.counter(target.format)?,
    };
    let most = target.endpoint.prompt_budget(usize::MAX, target.max_tokens)?;
    ContextQuery::with_counter(&args.at, settings, target.format, counter, most)
}

fn request(
    args: &CompleteArgs,
    made: &ComposedContext<'_>,
    target: &Target,
    point: &InsertionPoint<'_>,
    deadline: Instant,
) -> CompletionRequest {
    let cursor = &made.query.input.cursor;
    let mut fill = fill_at(cursor, &made.run.answer, made.query.format);
    if target.endpoint.input() == Input::Files {
        (fill.prefix, fill.suffix) = (point.prefix.to_owned(), point.suffix.to_owned());
    }
    CompletionRequest {
        fill,
        extent: point.extent,
        max_tokens: target.max_tokens,
        stop: Vec::new(),
        temperature: 0.0,
        n: args.n,
        deadline: Some(deadline),
        // Chat models may start with an explanation, so they are not stopped early.
        stop_check: (point.writer == Writer::Base).then(|| stop_check(point)),
    }
}

/// Position of insertion.
fn insertion_point<'p>(
    args: &CompleteArgs,
    made: &'p ComposedContext<'_>,
    writer: Writer,
) -> InsertionPoint<'p> {
    let cursor = &made.query.input.cursor;
    let (prefix, suffix) = (cursor.prefix(), &cursor.text()[cursor.offset()..]);
    let extent = match args.lines {
        Some(1) => Extent::Line,
        Some(lines) => Extent::Block(lines - 1),
        None => Extent::at(prefix, suffix),
    };
    InsertionPoint {
        prefix,
        suffix,
        stop: &made.run.answer.prompt.stop,
        specials: made.query.format.specials,
        extent,
        writer,
    }
}

/// Distinct cleaned texts.
fn distinct_texts(
    answer: &request::CompletionResponse,
    point: &InsertionPoint<'_>,
) -> Vec<Completion> {
    let mut res: Vec<Completion> = Vec::new();
    for choice in &answer.choices {
        let CleanText { text, cuts } = clean(&choice.text, point);
        if !text.trim().is_empty() && res.iter().all(|it| it.text != text) {
            let cut = cuts.iter().map(|it| it.reason()).collect();
            res.push(Completion {
                text,
                confidence: choice.confidence,
                end: choice.finish_reason.name(),
                cut,
            });
        }
    }
    res
}

fn print(
    (args, least): (&CompleteArgs, f64),
    made: &ComposedContext<'_>,
    model: String,
    completions: Vec<Completion>,
    elapsed_ms: StageTimes,
) -> anyhow::Result<Outcome> {
    let prefix = made.query.input.cursor.prefix();
    let answer = Answer {
        version: 1,
        snapshot: made.query.opened.snapshot.id(),
        complete: made.query.opened.snapshot.is_complete(),
        model,
        path: made.query.input.cursor.path(),
        line: prefix.matches('\n').count() + 1,
        column: prefix.rsplit('\n').next().unwrap_or("").chars().count() + 1,
        prompt_id: ContentHash::of(made.run.answer.prompt.text.as_bytes()).to_string()[..16]
            .to_owned(),
        completions,
        notes: &made.query.input.notes,
        elapsed_ms,
    };
    let found = !answer.completions.is_empty();
    let printed =
        if args.json { output::json(&answer)? } else { output::text(&people(&answer, least))? };
    Ok(if found { printed } else { Outcome::Nothing })
}

/// The answer for people. Editors show nothing unasked below the confidence `least`.
fn people(it: &Answer<'_>, least: f64) -> String {
    let mut text = String::new();
    for completion in &it.completions {
        text.push_str(&output::plain(&completion.text));
        text.push('\n');
        let sure = completion.confidence.map(|it| sure(it, least));
        let cut = completion.cut.iter().map(|it| format!("cut: {it}"));
        let facts: Vec<String> = sure.into_iter().chain(cut).collect();
        text.push_str(&format!("{DIM}{}{DIM:#}\n", facts.join("; ")));
    }
    if it.completions.is_empty() {
        text.push_str(NOTHING);
    }
    for note in it.notes {
        text.push_str(&format!("note: {}\n", output::plain(note)));
    }
    let StageTimes { open, scope, retrieve, trim, model, clean, total } = it.elapsed_ms;
    text.push_str(&format!(
        "\n{NAME}{}:{}:{}{NAME:#}  {}\n{DIM}{total:.1} ms: open and refresh {open:.1}, scope {scope:.1}, retrieve {retrieve:.1}, trim and compose {trim:.1}, model {model:.1}, clean {clean:.1}; prompt {}{DIM:#}\n",
        output::path(it.path),
        it.line,
        it.column,
        it.model,
        it.prompt_id
    ));
    text
}

fn sure(confidence: f64, least: f64) -> String {
    let withheld = match confidence < least {
        true => format!(": editors and `serve` show it unasked from {:.0} %", least * 100.0),
        false => String::new(),
    };
    format!("{:.0} % sure{withheld}", confidence * 100.0)
}

/// Prints text at once; ignores a broken pipe.
fn show(text: &str) {
    let _ = output::bytes(output::plain(text).as_bytes());
}
