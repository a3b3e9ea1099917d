//! `foreword search`: ranked places for a question, words or a name.

use std::time::Instant;

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::search::{SearchAnswer, SearchRequest, SearchResult, kind_name, search};
use foreword_engine::{fuzzy, preset};
use serde::Serialize;

use super::args::SearchArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::workspace::Filter;
use super::{Outcome, output, tokens, usage, workspace};

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
    results: Vec<Row>,
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
}

/// One result.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) path: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) symbol: String,
    pub(super) kind: String,
    pub(super) score: f32,
    pub(super) tokens: usize,
    pub(super) reasons: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

pub(super) fn run(args: &SearchArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if args.query.trim().is_empty() {
        return Err(usage("the query is empty; give a question, words or a name"));
    }
    let filter = Filter::new(&args.path, &args.lang)?;
    check_kinds(&args.kind)?;
    let opened = workspace::open(settings, None)?;
    let start = Instant::now();
    let snapshot = &opened.snapshot;
    let answer = answer(args, snapshot, &filter)?;
    let elapsed = opened.took + start.elapsed();
    let found = !answer.results.is_empty();
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
            },
            results: answer.results.into_iter().map(|it| row(it, args.brief)).collect(),
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
        })?;
    } else if found {
        output::text(&people(&answer, args.brief))?;
    } else {
        let files = snapshot.totals().files;
        output::text(&format!("nothing matched in {files} files\n"))?;
    }
    Ok(if found { Outcome::Done } else { Outcome::Nothing })
}

fn answer(args: &SearchArgs, snapshot: &Snapshot, filter: &Filter) -> anyhow::Result<SearchAnswer> {
    let counter = tokens::general()?;
    let keep = |file: FileId| filter.accepts(snapshot, file);
    let limit = args.limit.unwrap_or(10);
    let variants = if args.fuzzy { fuzzy::variants(snapshot, &args.query) } else { Vec::new() };
    // Kinds are known of results only, so more of them are asked for.
    let asked = if args.kind.is_empty() { limit } else { limit.saturating_mul(10).max(100) };
    let request = SearchRequest {
        query: &args.query,
        limit: asked,
        tokens: args.tokens,
        keep: Some(&keep),
        variants,
    };
    let mut answer = search(snapshot, &request, &preset::search(), &|text| counter.count(text));
    if !args.kind.is_empty() {
        answer.results.retain(|it| args.kind.iter().any(|kind| kind == it.kind));
        answer.results.truncate(limit);
    }
    Ok(answer)
}

fn check_kinds(kinds: &[String]) -> anyhow::Result<()> {
    let all = foreword_chunk::Kind::ALL.map(kind_name);
    match kinds.iter().find(|it| !all.contains(&it.as_str())) {
        Some(kind) => {
            Err(usage(format!("--kind {kind}: no such kind; there are {}", all.join(", "))))
        }
        None => Ok(()),
    }
}

fn row(it: SearchResult, brief: bool) -> Row {
    Row {
        path: it.path,
        start_line: it.start_line,
        end_line: it.end_line,
        symbol: it.symbol,
        kind: it.kind.to_owned(),
        score: it.score,
        tokens: it.tokens,
        reasons: it.reasons.iter().map(ToString::to_string).collect(),
        text: (!brief).then_some(it.text),
    }
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
