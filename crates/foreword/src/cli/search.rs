//! `foreword search`: ranked places for a question, words or a name.

use std::time::Instant;

use foreword_engine::index::Snapshot;
use foreword_engine::search::SearchAnswer;
use serde::Serialize;

use super::args::SearchArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::workspace::Opened;
use super::{Outcome, output, usage, workspace};
use crate::answer::filter::Filter;
use crate::answer::search::{Question, SearchMatch, ranked};

/// The version of the JSON that `search` prints; grows when a field changes its meaning or goes.
const VERSION: u32 = 1;

/// Lines of a result that people are shown.
const SHOWN_LINES: usize = 12;

/// What `search --json` prints (docs/json.md).
#[derive(Serialize)]
pub(super) struct Answer<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    searched: Searched<'s>,
    results: Vec<SearchMatch>,
    elapsed_ms: f64,
}

/// What was searched.
#[derive(Serialize)]
pub(super) struct Searched<'s> {
    pub(super) root: String,
    pub(super) query: &'s str,
    pub(super) terms: Vec<String>,
    pub(super) files: u32,
    pub(super) chunks: u32,
    /// What could not be read, and so was not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unread: Option<String>,
}

pub(super) fn run(args: &SearchArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if args.query.trim().is_empty() {
        return Err(usage("the query is empty; give a question, words or a name"));
    }
    let (opened, filter) = asked(args, settings)?;
    let start = Instant::now();
    let snapshot = &opened.snapshot;
    let question = Question {
        query: &args.query,
        limit: args.limit.unwrap_or(10),
        tokens: args.tokens,
        fuzzy: args.fuzzy,
    };
    let answer = ranked(snapshot, &question, &filter)?;
    let elapsed = opened.took + start.elapsed();
    let found = !answer.results.is_empty();
    let result = |it| match args.brief {
        true => SearchMatch::of_result(it).without_text(),
        false => SearchMatch::of_result(it),
    };
    if args.json {
        let totals = snapshot.totals();
        output::json(&Answer {
            version: VERSION,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            searched: Searched {
                root: opened.workspace.root.display().to_string(),
                query: &args.query,
                terms: answer.terms,
                files: totals.files,
                chunks: totals.chunks,
                unread: opened.unread.clone(),
            },
            results: answer.results.into_iter().map(result).collect(),
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
        })?;
    } else if found {
        output::text(&people(&answer, args.brief))?;
    } else {
        output::text(&nothing(snapshot, &question, &filter)?)?;
    }
    Ok(if found { Outcome::Done } else { Outcome::Nothing })
}

/// The index that is asked and what is asked of it.
pub(super) fn asked(args: &SearchArgs, settings: &Settings) -> anyhow::Result<(Opened, Filter)> {
    if args.limit == Some(0) {
        return Err(usage("-k 0: one result is the least that can be asked for"));
    }
    let filter = Filter::new(&args.path, &args.lang, &args.kind)?;
    let opened = workspace::open(settings, None)?;
    if let Some(path) = filter.unmatched_path(&opened.snapshot) {
        return Err(usage(format!(
            "--path {path}: nothing is indexed there; give a path relative to the root of the repository, or see \
             `foreword status {path}`"
        )));
    }
    Ok((opened, filter))
}

/// Why there is no result.
fn nothing(
    snapshot: &Snapshot,
    question: &Question<'_>,
    filter: &Filter,
) -> anyhow::Result<String> {
    if let Some(tokens) = question.tokens
        && !ranked(snapshot, &Question { tokens: None, ..*question }, filter)?.results.is_empty()
    {
        return Ok(format!("what matched does not fit {tokens} tokens; raise --tokens\n"));
    }
    Ok(format!("nothing matched in {} files\n", snapshot.totals().files))
}

fn people(answer: &SearchAnswer, brief: bool) -> String {
    let mut text = String::new();
    for it in &answer.results {
        let symbol = output::plain(&it.symbol).replace('\n', " ");
        let title =
            if symbol.is_empty() { String::new() } else { format!("  {} {symbol}", it.kind) };
        text.push_str(&format!(
            "{NAME}{}:{}-{}{NAME:#}{title}  {DIM}{:.2}{DIM:#}\n",
            output::path(&it.path),
            it.start_line,
            it.end_line,
            it.score
        ));
        let reasons: Vec<String> = it.reasons.iter().map(ToString::to_string).collect();
        text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(&reasons.join("; "))));
        if brief {
            continue;
        }
        let lines: Vec<&str> = it.text.trim_matches('\n').lines().collect();
        for line in lines.iter().take(SHOWN_LINES) {
            text.push_str(&format!("    {}\n", output::plain(line)));
        }
        if lines.len() > SHOWN_LINES {
            text.push_str(&format!("    {DIM}… {} more lines{DIM:#}\n", lines.len() - SHOWN_LINES));
        }
        text.push('\n');
    }
    text
}
