//! `foreword search`: ranked results for a question, words or a name.

pub(super) mod pattern;

use std::time::{Duration, Instant};

use foreword_chunk::Kind;
use foreword_engine::fuzzy;
use foreword_engine::index::Snapshot;
use foreword_engine::search::{SearchAnswer, SearchResult};
use foreword_session::answer::excerpt::of_result;
use foreword_session::answer::search::{Question, SearchMatch, ranked};
use foreword_session::custom::Adjustments;
use foreword_session::embedding::QuestionMeaning;
use foreword_session::feedback::{About, Place, ShownAnswer, ShownPiece};
use foreword_session::filter::Filter;
use serde::Serialize;

use super::args::SearchArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::workspace::OpenWorkspace;
use super::{Outcome, embed, output, usage, workspace};

/// Version of the JSON of `search`; increases when a field is removed or changes its meaning.
const VERSION: u32 = 1;

/// Maximum lines of a result in the text output.
const MAX_LINES: usize = 12;

/// Maximum similar names suggested if nothing matched.
const MAX_SIMILAR: usize = 5;

/// JSON of `search --json` (docs/json.md).
#[derive(Serialize)]
struct SearchOutput<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    /// Identifies the state of the team's and user's customisation.
    #[serde(skip_serializing_if = "str::is_empty")]
    customisation: &'s str,
    searched: SearchScope<'s>,
    results: Vec<SearchMatch>,
    elapsed_ms: f64,
}

/// Scope and query of the search.
#[derive(Serialize)]
struct SearchScope<'s> {
    root: String,
    query: &'s str,
    terms: Vec<String>,
    files: u32,
    chunks: u32,
    /// Unreadable files, which were not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
    /// Files without a syntax tree so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred: Option<String>,
    /// Number of chunks with vectors; `None` without a working embedding model.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<usize>,
    /// Reason why semantic search was not used, or not for all chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<String>,
}

/// Detail of printed results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Locations only.
    Brief,
    Full,
}

impl Detail {
    fn of(args: &SearchArgs) -> Self {
        if args.brief { Self::Brief } else { Self::Full }
    }

    fn apply(self, it: SearchMatch) -> SearchMatch {
        match self {
            Self::Brief => it.without_text(),
            Self::Full => it,
        }
    }
}

pub(super) fn run(args: &SearchArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if args.query.trim().is_empty() {
        return Err(usage("the query is empty; give a question, words or a name"));
    }
    let filter = filter(args, settings)?;
    let setup = settings.setup();
    let embedder = settings.embedder()?;
    let (opened, (answer, meaning, adjustments, took)) =
        workspace::answer(settings, None, |opened| {
            let start = Instant::now();
            let (workspace, snapshot) = (&opened.workspace, &opened.snapshot);
            check_filter(&filter, snapshot)?;
            let adjustments = Adjustments::new(&setup, workspace, snapshot, &args.tags.tag)?;
            let meaning = embed::meaning(embedder.as_ref(), opened, &args.query);
            let answer = ranked(snapshot, &question(args, &meaning, &adjustments), &filter)?;
            Ok((answer, meaning, adjustments, start.elapsed()))
        })?;
    if let Some(note) = meaning.note().filter(|_| !settings.quiet) {
        output::note(&note);
    }
    workspace::remark_additions(settings, &adjustments.additions);
    remember(&args.query, &answer).remember(&setup, &opened.workspace);
    let elapsed = opened.took + took;
    let is_empty = answer.results.is_empty();
    if args.json {
        output::json(&json(args, &opened, (answer, &meaning, &adjustments), elapsed))?;
    } else if is_empty {
        let question = question(args, &meaning, &adjustments);
        output::text(&why_empty(&opened.snapshot, &question, &filter)?)?;
    } else {
        output::text(&text(&answer, Detail::of(args)))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// The query, with its vectors and filter.
fn question<'q>(
    args: &'q SearchArgs,
    meaning: &'q QuestionMeaning,
    adjustments: &'q Adjustments,
) -> Question<'q> {
    Question {
        query: &args.query,
        limit: args.limit.unwrap_or(10),
        tokens: args.tokens,
        fuzzy: args.fuzzy,
        meanings: meaning.meanings(),
        adjustments,
    }
}

/// The results as a record for feedback.
fn remember(query: &str, answer: &SearchAnswer) -> ShownAnswer {
    let piece = |it: &SearchResult| {
        let (start_line, end_line) = it.focus_lines();
        let (path, symbol) = (it.path.clone(), it.symbol.clone());
        ShownPiece { id: String::new(), place: Place { path, start_line, end_line, symbol } }
    };
    let pieces = answer.results.iter().map(piece).collect();
    ShownAnswer { about: About::Search, question: query.to_owned(), pieces, cited: Vec::new() }
}

/// Requested files and definitions.
fn filter(args: &SearchArgs, settings: &Settings) -> anyhow::Result<Filter> {
    if args.limit == Some(0) {
        return Err(usage("-k 0: one result is the least that can be asked for"));
    }
    let path = |it: &String| {
        let workspace = workspace::discover(settings, None)?;
        workspace::relative(settings, &workspace, it)
            .map_err(|error| usage(format!("--path {it}: nothing is indexed there: {error}")))
    };
    let paths: anyhow::Result<Vec<String>> = args.path.iter().map(path).collect();
    Filter::new(&paths?, &args.lang, &args.kind)
}

/// A path without files is an error.
fn check_filter(filter: &Filter, snapshot: &Snapshot) -> anyhow::Result<()> {
    if let Some(path) = filter.unmatched_path(snapshot) {
        return Err(usage(format!(
            "--path {path}: nothing is indexed there; give a path relative to the working directory or to the root of \
             the repository, or see `foreword status {path}`"
        )));
    }
    Ok(())
}

fn json<'s>(
    args: &'s SearchArgs,
    opened: &'s OpenWorkspace,
    (answer, meaning, adjustments): (SearchAnswer, &QuestionMeaning, &'s Adjustments),
    elapsed: Duration,
) -> SearchOutput<'s> {
    let snapshot = &opened.snapshot;
    let detail = Detail::of(args);
    let result = |it: SearchResult| detail.apply(SearchMatch::of_result(it));
    SearchOutput {
        version: VERSION,
        snapshot: snapshot.id(),
        complete: snapshot.is_complete(),
        customisation: &adjustments.additions.digest,
        searched: SearchScope {
            root: opened.workspace.root.display().to_string(),
            query: &args.query,
            terms: answer.terms,
            files: snapshot.totals().files,
            chunks: snapshot.totals().chunks,
            unread: opened.unread.clone(),
            deferred: opened.deferred.clone(),
            embedded: meaning.coverage().map(|it| it.known),
            meaning: meaning.note(),
        },
        results: answer.results.into_iter().map(result).collect(),
        elapsed_ms: elapsed.as_secs_f64() * 1e3,
    }
}

/// Explains an empty result.
fn why_empty(
    snapshot: &Snapshot,
    question: &Question<'_>,
    filter: &Filter,
) -> anyhow::Result<String> {
    if let Some(tokens) = question.tokens
        && !ranked(snapshot, &Question { tokens: None, ..*question }, filter)?.results.is_empty()
    {
        return Ok(format!("no match fits into {tokens} tokens; raise --tokens\n"));
    }
    let mut text = format!("nothing matched in {} files\n", snapshot.totals().files);
    let similar = similar_names(snapshot, question.query);
    if !similar.is_empty() {
        let similar = output::plain(&similar.join(", ")).replace('\n', " ");
        text.push_str(&format!("similar names: {similar}; --fuzzy searches for them\n"));
    }
    Ok(text)
}

/// Names and words with a spelling similar to the query's.
fn similar_names(snapshot: &Snapshot, query: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for word in query.split_whitespace() {
        let similar = fuzzy::similar(snapshot, word, MAX_SIMILAR).into_iter().map(|it| it.name);
        for name in similar {
            if names.len() < MAX_SIMILAR && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

fn text(answer: &SearchAnswer, detail: Detail) -> String {
    let mut text = String::new();
    for it in &answer.results {
        push_title(&mut text, it);
        if detail == Detail::Brief {
            continue;
        }
        for line in of_result(it, MAX_LINES).lines() {
            let line = output::plain(line);
            text.push_str(&match line.starts_with('…') {
                true => format!("    {DIM}{line}{DIM:#}\n"),
                false => format!("    {line}\n"),
            });
        }
        text.push('\n');
    }
    text
}

/// Location, symbol and score, and the reasons on the next line.
fn push_title(text: &mut String, it: &SearchResult) {
    let symbol = output::plain(&it.symbol).replace('\n', " ");
    let kind = it.kind.map_or("", Kind::name);
    let (first, last) = it.focus_lines();
    let title = if symbol.is_empty() { String::new() } else { format!("  {kind} {symbol}") };
    text.push_str(&format!(
        "{NAME}{}:{}-{}{NAME:#}{title}  {DIM}{:.2}{DIM:#}\n",
        output::path(&it.path),
        first,
        last,
        it.score
    ));
    let reasons: Vec<String> = it.reasons.iter().map(ToString::to_string).collect();
    text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(&reasons.join("; "))));
}
