//! `foreword complete`: what a model writes at a place in a file.
//!
//! Without a server or a model file the embedded model answers, which copies and counts what the repository has; it says
//! so. Whatever the model, it is shown the context that `foreword context` shows, and its text is made to fit the place.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_chunk::Language;
use foreword_engine::compose::Format;
use foreword_engine::source::ContentHash;
use foreword_model::clean::{Cleaned, Place, Stream, Writer, clean, enough};
use foreword_model::embedded::{Embedded, Extent};
use foreword_model::http::{Api, Server};
use foreword_model::request::{self, Ask, Fill, Model, Request};
use serde::Serialize;

use super::args::CompleteArgs;
use super::config::Settings;
use super::context::{Answered, Question, format_of, ms};
use super::output::{DIM, NAME};
use super::{Outcome, output, usage};
use crate::answer::prompt::fill;
use crate::local::Local;

/// What `complete --json` prints (docs/json.md).
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
    elapsed_ms: Elapsed,
}

#[derive(Serialize)]
struct Completion {
    text: String,
    confidence: Option<f64>,
    end: &'static str,
    cut: Vec<&'static str>,
}

/// Milliseconds by stage.
#[derive(Serialize)]
struct Elapsed {
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
    let asked = Asked::new(args, settings)?;
    // To load a model from a file takes as long as it takes.
    let ready = if asked.local.is_some() { Instant::now() } else { start };
    let question = question(args, settings, &asked)?;
    let made = question.answer(ms(start))?;
    let place = place(args, &made, asked.writer());
    let deadline = ready + Duration::from_millis(args.timeout);
    let request = request(args, &made, &asked, &place, deadline);
    let stage = Instant::now();
    let mut stream = args.stream.then(|| Stream::new(place));
    let mut sink = |raw: &str| {
        if let Some(stream) = &mut stream {
            show(&stream.push(raw));
        }
    };
    let answer = foreword_model::wait(asked.model.answer(&request, &mut sink))?;
    let model_ms = ms(stage);
    if let Some(stream) = stream {
        let (rest, whole) = stream.finish();
        show(&(rest + if whole.text.is_empty() { "" } else { "\n" }));
        return Ok(if whole.text.is_empty() { Outcome::Nothing } else { Outcome::Done });
    }
    let stage = Instant::now();
    let completions = fitting(&answer, &place);
    let elapsed_ms = Elapsed {
        open: made.elapsed.open,
        scope: made.elapsed.scope,
        retrieve: made.elapsed.retrieve,
        trim: made.elapsed.trim,
        model: model_ms,
        clean: ms(stage),
        total: ms(start),
    };
    print(args, &made, asked.model.as_ref(), completions, elapsed_ms)
}

/// The model that is asked, and the format of its prompt.
struct Asked {
    model: Arc<dyn Model>,
    format: &'static Format,
    /// How it is asked, where it is a server's.
    api: Option<Api>,
    /// Where it is a file's.
    local: Option<Local>,
}

const EMBEDDED: &str = "embedded";

impl Asked {
    fn new(args: &CompleteArgs, settings: &Settings) -> anyhow::Result<Self> {
        let name = args.model.as_deref();
        if name == Some(EMBEDDED) {
            return Self::embedded();
        }
        if let Some(file) = settings.model_file() {
            let local = Local::open(&file, name)?;
            let (model, format) = (Arc::clone(&local.model), local.format);
            return Ok(Self { model, format, api: None, local: Some(local) });
        }
        match (&settings.model_url.value, name) {
            (Some(url), name) => Self::server(url, name, settings),
            (None, None) => Self::embedded(),
            (None, Some(name)) => Err(usage(format!(
                "--model {name}: no server has it; name one with --model-url, or a model file with --gguf, or use --model {EMBEDDED}"
            ))),
        }
    }

    /// It reads texts, not prompts, so no vocabulary has to be unpacked.
    fn embedded() -> anyhow::Result<Self> {
        let (model, format) = (Arc::new(Embedded::default()), format_of("none")?);
        Ok(Self { model, format, api: None, local: None })
    }

    fn server(url: &str, name: Option<&str>, settings: &Settings) -> anyhow::Result<Self> {
        let api = settings.model_api.value.as_deref().map(api_of).transpose()?;
        let key = std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty());
        foreword_model::wait(async {
            let server = Server::connect(url, api, name, key).await?;
            server.ensure_suffix().await?;
            let format = server.format(name).await?;
            let api = Some(server.api());
            Ok(Self { api, format, model: Arc::new(server), local: None })
        })
    }

    /// Whether it reads whole files and no prompt.
    fn reads_files(&self) -> bool {
        self.api.is_none() && self.local.is_none()
    }

    fn writer(&self) -> Writer {
        if self.api == Some(Api::Chat) { Writer::Chat } else { Writer::Base }
    }
}

/// The cursor, with what a prompt for the model may have.
fn question(args: &CompleteArgs, settings: &Settings, asked: &Asked) -> anyhow::Result<Question> {
    let Some(local) = &asked.local else {
        return Question::new(&args.at, settings, asked.format);
    };
    let most = local.budget(usize::MAX, args.max_tokens)?;
    Question::counted(&args.at, settings, asked.format, local.counter.clone(), most)
}

fn api_of(name: &str) -> anyhow::Result<Api> {
    Api::named(name).ok_or_else(|| {
        let all: Vec<&str> = Api::ALL.iter().map(|it| it.name()).collect();
        usage(format!("--model-api {name}: no such way to ask; there are {}", all.join(", ")))
    })
}

fn request(
    args: &CompleteArgs,
    made: &Answered<'_>,
    asked: &Asked,
    place: &Place<'_>,
    deadline: Instant,
) -> Request {
    let path = made.question.asked.cursor.path.clone();
    let language = Language::of_path(&path, "");
    let (language, line_comment) =
        (language.map(Language::name), language.and_then(Language::line_comment));
    let mut fill = fill(&made.made.composed, made.question.format);
    if asked.reads_files() {
        (fill.prefix, fill.suffix) = (place.prefix.to_owned(), place.suffix.to_owned());
    }
    let fill = Fill { path, language, line_comment, ..fill };
    Request {
        ask: Ask::Fill(fill),
        extent: place.extent,
        max_tokens: args.max_tokens,
        stop: Vec::new(),
        temperature: 0.0,
        n: args.n,
        deadline: Some(deadline),
        // Who converses may still come to the point.
        enough: (place.writer == Writer::Base).then(|| enough(place)),
    }
}

/// Where the text is to stand.
fn place<'p>(args: &CompleteArgs, made: &'p Answered<'_>, writer: Writer) -> Place<'p> {
    let cursor = &made.question.asked.cursor;
    let (prefix, suffix) = (cursor.prefix(), &cursor.text[cursor.offset..]);
    let extent = match args.lines {
        Some(1) => Extent::Line,
        Some(lines) => Extent::Block(lines - 1),
        None => Extent::at(prefix, suffix),
    };
    Place {
        prefix,
        suffix,
        stop: &made.made.composed.prompt.stop,
        specials: made.question.format.specials,
        extent,
        writer,
    }
}

/// The texts that fit, each once.
fn fitting(answer: &request::Answer, place: &Place<'_>) -> Vec<Completion> {
    let mut res: Vec<Completion> = Vec::new();
    for choice in &answer.choices {
        let Cleaned { text, cuts } = clean(&choice.text, place);
        if !text.trim().is_empty() && res.iter().all(|it| it.text != text) {
            let cut = cuts.iter().map(|it| it.reason()).collect();
            res.push(Completion {
                text,
                confidence: choice.confidence,
                end: choice.end.name(),
                cut,
            });
        }
    }
    res
}

fn print(
    args: &CompleteArgs,
    made: &Answered<'_>,
    model: &dyn Model,
    completions: Vec<Completion>,
    elapsed_ms: Elapsed,
) -> anyhow::Result<Outcome> {
    let prefix = made.question.asked.cursor.prefix();
    let answer = Answer {
        version: 1,
        snapshot: made.question.opened.snapshot.id(),
        complete: made.question.opened.snapshot.is_complete(),
        model: model.title(),
        path: &made.question.asked.cursor.path,
        line: prefix.matches('\n').count() + 1,
        column: prefix.rsplit('\n').next().unwrap_or("").chars().count() + 1,
        prompt_id: ContentHash::of(made.made.composed.prompt.text.as_bytes()).to_string()[..16]
            .to_owned(),
        completions,
        notes: &made.question.asked.notes,
        elapsed_ms,
    };
    let found = !answer.completions.is_empty();
    let printed = if args.json { output::json(&answer)? } else { output::text(&people(&answer))? };
    Ok(if found { printed } else { Outcome::Nothing })
}

fn people(it: &Answer<'_>) -> String {
    let mut text = String::new();
    for completion in &it.completions {
        text.push_str(&output::plain(&completion.text));
        text.push('\n');
        let sure = completion.confidence.map(|it| format!("{:.0} % sure", it * 100.0));
        let cut = completion.cut.iter().map(|it| format!("cut: {it}"));
        let facts: Vec<String> = sure.into_iter().chain(cut).collect();
        text.push_str(&format!("{DIM}{}{DIM:#}\n", facts.join("; ")));
    }
    if it.completions.is_empty() {
        text.push_str("nothing to suggest\n");
    }
    for note in it.notes {
        text.push_str(&format!("note: {}\n", output::plain(note)));
    }
    let Elapsed { open, scope, retrieve, trim, model, clean, total } = it.elapsed_ms;
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

/// Shows text at once, as far as anybody still reads.
fn show(text: &str) {
    let _ = output::bytes(output::plain(text).as_bytes());
}
