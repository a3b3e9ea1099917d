//! `foreword skeleton`: prints files with folded function bodies, without an index.

use foreword_chunk::{Language, skeleton};
use foreword_load::Job;
use foreword_model::TokenCounter;
use foreword_session::answer::tokens;
use serde::Serialize;

use super::{NamedFile, check_only, language};
use crate::cli::args::SkeletonArgs;
use crate::cli::config::Settings;
use crate::cli::output::NAME;
use crate::cli::{Outcome, output, usage};

/// JSON of `skeleton --json` per file (docs/json.md).
#[derive(Serialize)]
struct FileOutput<'f> {
    version: u32,
    path: &'f str,
    language: Option<&'static str>,
    /// Result of parsing, as a word. Without a tree nothing is folded.
    outcome: &'static str,
    /// Number of folded or omitted bodies and members.
    folded: u32,
    tokens: usize,
    text: String,
}

pub(in crate::cli) fn run(args: &SkeletonArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if args.tokens == Some(0) {
        return Err(usage("--tokens 0: a skeleton has one token at least"));
    }
    let named = args.lang.as_deref().map(language).transpose()?;
    let counter = tokens::general()?;
    check_only(&args.files, settings)?;
    let mut outcome = Outcome::Done;
    for file in &args.files {
        let Some(file) = NamedFile::read(file, named, settings)? else {
            outcome = Outcome::Nothing;
            continue;
        };
        let config = foreword_chunk::Config::default();
        let text = readable_text(&file);
        let job = Job { text: &text, language: file.language, config, document: None };
        let made = file_output(&file.name, &job, settings, (args.tokens, &counter));
        if args.json {
            output::json(&made)?;
        } else {
            output::text(&render(&made, args.files.len()))?;
        }
    }
    Ok(outcome)
}

/// The text to fold: of a notebook the code of its cells, however its JSON is laid out.
fn readable_text(file: &NamedFile) -> String {
    let text = foreword_load::readable(&file.name, file.text.clone());
    let parsed = || serde_json::from_str::<serde_json::Value>(&text).ok();
    let laid_out = || serde_json::to_string_pretty(&parsed()?).ok();
    let is_json = file.language == Some(Language::Notebook) && text.starts_with('{');
    let laid_out = is_json.then(laid_out).flatten();
    laid_out.map_or(text.clone(), |it| foreword_load::readable(&file.name, it))
}

fn file_output<'f>(
    path: &'f str,
    job: &Job<'_>,
    settings: &Settings,
    (tokens, counter): (Option<usize>, &TokenCounter),
) -> FileOutput<'f> {
    let analysis = settings.analyzer.analyze(job);
    let fits = |text: &str| tokens.is_none_or(|most| counter.count(text) <= most);
    let made = match analysis.outcome.is_parsed() {
        true => skeleton::skeleton(job.text, &analysis.symbols, None, &fits),
        // Symbols found by line patterns have no bodies.
        false => skeleton::Skeleton { text: job.text.trim_end().to_owned(), folded: 0 },
    };
    FileOutput {
        version: 1,
        path,
        language: job.language.map(Language::name),
        outcome: analysis.outcome.code(),
        folded: made.folded,
        tokens: counter.count(&made.text),
        text: made.text,
    }
}

/// The skeleton, below the file's name if there are several, with a note if nothing could be folded.
fn render(file: &FileOutput<'_>, files: usize) -> String {
    let name = match files {
        1 => String::new(),
        _ => format!("{NAME}{}{NAME:#}\n", output::path(file.path)),
    };
    if file.outcome != "parsed" {
        output::note(&format!(
            "{}: no syntax tree ({}), so nothing is folded",
            file.path, file.outcome
        ));
    }
    format!("{name}{}\n", output::plain(&file.text))
}
