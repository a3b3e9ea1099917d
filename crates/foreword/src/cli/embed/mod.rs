//! `foreword embed`: vectors of all chunks by the user's embedding model, and what `search` and `ask` use of them.

use std::path::PathBuf;
use std::time::Instant;

use foreword_engine::index::{Snapshot, Store, chunk_texts};
use foreword_model::embed::{Embedder, EmbedderSettings, FillError, Progress, fill};
use foreword_session::embedding::{Embedding, QuestionMeaning, explained};
use foreword_session::usage::PAGES;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::EmbedArgs;
use super::config::Settings;
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output, usage};

/// The meaning of a question by the configured embedding model; `None` without one.
pub(super) fn meaning(
    embedder: Option<&EmbedderSettings>,
    opened: &OpenWorkspace,
    text: &str,
) -> QuestionMeaning {
    let Some(settings) = embedder else { return QuestionMeaning::default() };
    Embedding::new(settings, &opened.store).meaning(&opened.snapshot, text)
}

/// The output of `embed --json` (docs/json.md).
#[derive(Serialize)]
struct Summary {
    version: u32,
    root: String,
    model: String,
    dry_run: bool,
    /// Chunks of the repository, and those whose vector is known.
    chunks: usize,
    known: usize,
    /// Chunks that were embedded now, and those that the model gave no vector for.
    embedded: usize,
    refused: usize,
    /// Characters that are to be sent; of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    characters: Option<usize>,
    dimensions: usize,
    bytes: u64,
    elapsed_ms: f64,
}

pub(super) fn run(args: &EmbedArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let Some(embedder) = settings.embedder()? else {
        let file = foreword_session::config::base().unwrap_or_else(|| PathBuf::from("~/.config"));
        return Err(usage(format!(
            "no embedding model is named; write `[models.embed]` with its `url` and `model`, or its `gguf`, into {} ({PAGES}/embedding.md)",
            file.join("foreword").join("config.toml").display()
        )));
    };
    let opened = workspace::open(settings, args.path.as_deref())?;
    let embedding = Embedding::new(&embedder, &opened.store);
    let start = Instant::now();
    let done = match args.dry_run {
        true => Progress::default(),
        false => make(settings, &embedding, &opened.snapshot)?,
    };
    let characters = args.dry_run.then(|| characters(&embedding, &opened.snapshot));
    let vectors = embedding.store().load();
    let coverage = vectors.coverage(&opened.snapshot);
    let summary = Summary {
        version: 1,
        root: opened.workspace.root.display().to_string(),
        model: embedder.source.name(),
        dry_run: args.dry_run,
        chunks: coverage.chunks,
        known: coverage.known,
        embedded: done.chunks,
        refused: done.refused,
        characters,
        dimensions: vectors.dimensions(),
        bytes: embedding.store().size(),
        elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
    };
    match args.json {
        true => output::json(&summary)?,
        false => output::text(&summary.text())?,
    };
    Ok(if coverage.is_whole() || args.dry_run { Outcome::Done } else { Outcome::Nothing })
}

/// Embeds what is missing; what was done before an error is kept.
fn make(
    settings: &Settings,
    embedding: &Embedding,
    snapshot: &Snapshot,
) -> anyhow::Result<Progress> {
    let bar = Bar::new(settings);
    let goes_on = |it: Progress| {
        bar.show(it);
        true
    };
    let filled = foreword_model::wait(async {
        let embedder = Embedder::connect(embedding.settings()).await?;
        fill(&embedder, snapshot, embedding.store(), &goes_on).await
    });
    bar.finish();
    match filled {
        Ok(Some(done)) => Ok(done),
        Ok(None) => {
            if !settings.quiet {
                output::note("another process embeds this repository; nothing was done");
            }
            Ok(Progress::default())
        }
        Err(FillError::Model(error)) => Err(usage(format!(
            "{}; what was embedded before is kept, and the next run goes on",
            explained(&error)
        ))),
        Err(error) => Err(error.into()),
    }
}

/// Characters of the texts of files that have no vectors.
fn characters(embedding: &Embedding, snapshot: &Snapshot) -> usize {
    let missing = embedding.store().load().missing(snapshot).into_iter();
    missing.flat_map(|it| chunk_texts(snapshot, it)).map(|it| it.chars().count()).sum()
}

/// The state of the vectors, for `foreword status`; `None` without a model.
pub(super) fn status(
    settings: &Settings,
    store: &Store,
    snapshot: &Snapshot,
) -> anyhow::Result<Option<VectorCounts>> {
    let Some(embedder) = settings.embedder()? else { return Ok(None) };
    let embedding = Embedding::new(&embedder, store);
    let vectors = embedding.store().load();
    let coverage = vectors.coverage(snapshot);
    Ok(Some(VectorCounts {
        model: embedder.source.name(),
        chunks: coverage.chunks,
        known: coverage.known,
        bytes: embedding.store().size(),
    }))
}

/// How many chunks have vectors.
#[derive(Serialize)]
pub(super) struct VectorCounts {
    model: String,
    chunks: usize,
    known: usize,
    bytes: u64,
}

impl VectorCounts {
    pub(super) fn text(&self) -> String {
        let Self { model, chunks, known, bytes } = self;
        let size = *bytes as f64 / 1e6;
        let more = if known < chunks { "; `foreword embed` makes the rest" } else { "" };
        format!(
            "vectors: {known} of {chunks} chunks by {} ({size:.2} MB){more}\n",
            output::plain(model)
        )
    }
}

impl Summary {
    fn text(&self) -> String {
        let Self { model, chunks, known, embedded, refused, dimensions, .. } = self;
        let model = output::plain(model);
        if let Some(characters) = self.characters {
            let left = chunks - known;
            return format!(
                "{left} of {chunks} chunks would be embedded by {model}: {characters} characters. Nothing was sent\n"
            );
        }
        let refused = match refused {
            0 => String::new(),
            n => format!(", {n} of them without a vector"),
        };
        format!(
            "{known} of {chunks} chunks known to {model} ({dimensions} numbers, {:.2} MB); {} embedded now{refused}, {:.1} s\n",
            self.bytes as f64 / 1e6,
            embedded + self.refused,
            self.elapsed_ms / 1e3
        )
    }
}

/// A progress bar on a terminal.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(settings: &Settings) -> Self {
        let shown = !settings.quiet && output::stderr_is_terminal();
        let style = ProgressStyle::with_template(
            "embedding {bar:30} {pos}/{len} files, {msg} chunks, {eta} left",
        );
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(shown.then(|| ProgressBar::new(0).with_style(style)))
    }

    fn show(&self, it: Progress) {
        if let Some(bar) = &self.0 {
            bar.set_length(it.files as u64);
            bar.set_position(it.done as u64);
            bar.set_message(it.chunks.to_string());
        }
    }

    fn finish(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
