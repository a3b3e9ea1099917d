//! `foreword search`: ranked results for a question, words or a name.

mod pattern;
mod render;
mod several;

use std::time::{Duration, Instant};

use foreword_engine::index::Snapshot;
use foreword_engine::retrieve::UnknownWord;
use foreword_engine::search::{SearchAnswer, SearchResult};
use foreword_load::Workspace;
use foreword_model::embed::EmbedderSettings;
use foreword_session::answer::search::{QueryForm, Question, SearchMatch, ranked};
use foreword_session::custom::Adjustments;
use foreword_session::embedding::QuestionMeaning;
use foreword_session::feedback::{About, Place, ShownAnswer, ShownPiece};
use foreword_session::filter::Filter;
use foreword_session::setup::Setup;
use foreword_session::usage::check_length;
use serde::Serialize;

use super::args::{ClusterArgs, SearchArgs};
use super::config::Settings;
use super::push::repositories;
use super::workspace::{OpenWorkspace, Preview};
use super::{Outcome, embed, output, usage, workspace};

/// Version of the JSON of `search`; increases when a field is removed or changes its meaning.
const VERSION: u32 = 1;

/// Lines that a pattern matches, by default.
const MAX_LINES: usize = 1000;

/// Results of a first answer, while files are indexed.
const PREVIEWED: usize = 5;

/// JSON of `search --json` (docs/json.md).
#[derive(Serialize)]
struct SearchOutput<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    /// `cluster` for the first answers of a clone, which come from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_from: Option<&'static str>,
    /// Identifies the state of the team's and user's customisation.
    #[serde(skip_serializing_if = "str::is_empty")]
    customisation: &'s str,
    searched: SearchScope<'s>,
    /// Words of the query that occur nowhere.
    unknown: Vec<UnknownOutput>,
    results: Vec<SearchMatch>,
    elapsed_ms: f64,
}

/// A word that occurs nowhere, and what was searched for instead.
#[derive(Serialize)]
struct UnknownOutput {
    word: String,
    similar: Vec<String>,
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
    /// With scores and reasons.
    Explained,
}

impl Detail {
    fn of(args: &SearchArgs) -> Self {
        match (args.brief, args.explain) {
            (true, _) => Self::Brief,
            (_, true) => Self::Explained,
            _ => Self::Full,
        }
    }

    fn apply(self, it: SearchMatch) -> SearchMatch {
        match self {
            Self::Brief => it.without_text(),
            Self::Full | Self::Explained => it,
        }
    }
}

pub(super) fn run(args: &SearchArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let query = args.query.join(" ");
    let pattern = form(args, &query).pattern(args.limit.unwrap_or(MAX_LINES));
    let named = args.at.repository.as_deref();
    let access = named.map(|it| repositories(Some(it))).transpose()?;
    let several = access.filter(|it| it.single().is_none());
    match (pattern, several) {
        (Some(_), _) if args.at.index.is_seed => Err(usage("patterns are for the index")),
        (Some(pattern), None) => pattern::run(args, &pattern, settings),
        (Some(pattern), Some(access)) => {
            several::lines(args, (&query, &pattern), &access, settings)
        }
        (None, several) => {
            check_words(args, &query)?;
            match several {
                Some(access) => several::run(args, &query, &access, settings),
                None => words(args, &query, settings),
            }
        }
    }
}

/// Options decide how the query is meant, then quotes and slashes around it.
fn form<'q>(args: &SearchArgs, query: &'q str) -> QueryForm<'q> {
    match (args.regex, args.exact) {
        (true, _) => QueryForm::Regex(query),
        (_, true) => QueryForm::Exact(query),
        _ => QueryForm::of(query),
    }
}

/// What no search by words takes.
fn check_words(args: &SearchArgs, query: &str) -> anyhow::Result<()> {
    if query.trim().is_empty() {
        return Err(usage("the query is empty; give a question, words or a name"));
    }
    check_length("the query", query)?;
    check_options(args, query)
}

/// Searches for a question, words or a name.
fn words(args: &SearchArgs, query: &str, settings: &Settings) -> anyhow::Result<Outcome> {
    let filter = filter(args, settings)?;
    let setup = settings.setup();
    let embedder = settings.embedder()?;
    let preview: &Preview<'_> = &|workspace: &Workspace, snapshot: &Snapshot| {
        let adjustments = Adjustments::new(&setup, workspace, snapshot, &args.tags.tag).ok()?;
        first_results(args, query, snapshot, &adjustments, &filter)
    };
    let preview = Some(preview).filter(|_| !args.json && embedder.is_none());
    let make =
        |opened: &OpenWorkspace| found((args, &setup), query, opened, &filter, embedder.as_ref());
    let (opened, found) = match args.at.cluster {
        None => workspace::answer_with(settings, None, preview, make)?,
        Some(_) => workspace::answer_at(settings, &args.at, None, make)?,
    };
    let WordSearch { answer, why_empty, meaning, adjustments, took } = found;
    if let Some(note) = meaning.note().filter(|_| !settings.quiet) {
        output::note(&note);
    }
    workspace::remark_additions(settings, &adjustments.additions);
    if opened.pushed.is_none() {
        remember(query, &answer).remember(&setup, &opened.workspace);
    }
    let elapsed = opened.took + took;
    let is_empty = answer.results.is_empty();
    if args.json {
        output::json(&json((args, query), &opened, (answer, &meaning, &adjustments), elapsed))?;
    } else if is_empty {
        output::text(&why_empty)?;
    } else {
        output::text(&render::results(&answer, Detail::of(args)))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// What a search found.
struct WordSearch {
    answer: SearchAnswer,
    /// An explanation, if there are no results.
    why_empty: String,
    meaning: QuestionMeaning,
    adjustments: Adjustments,
    took: Duration,
}

/// Searches a workspace; vectors are of an index of one's own.
fn found(
    (args, setup): (&SearchArgs, &Setup),
    query: &str,
    opened: &OpenWorkspace,
    filter: &Filter,
    embedder: Option<&EmbedderSettings>,
) -> anyhow::Result<WordSearch> {
    let start = Instant::now();
    let snapshot = &opened.snapshot;
    check_filter(filter, snapshot)?;
    let adjustments = opened.adjustments(setup, &args.tags.tag)?;
    let embedder = embedder.filter(|_| args.at.cluster.is_none());
    let meaning = embed::meaning(embedder, opened, query);
    let question = question(args, query, &meaning, &adjustments);
    let answer = ranked(snapshot, &question, filter)?;
    let is_empty = answer.results.is_empty() && !args.json;
    let filters = (filter, &*named_filters(args));
    let explain = || why_empty(snapshot, &question, filters, &answer.unknown);
    let why_empty = is_empty.then(explain).transpose()?.unwrap_or_default();
    Ok(WordSearch { answer, why_empty, meaning, adjustments, took: start.elapsed() })
}

/// The places of the first results among the files that are indexed so far.
fn first_results(
    args: &SearchArgs,
    query: &str,
    snapshot: &Snapshot,
    adjustments: &Adjustments,
    filter: &Filter,
) -> Option<String> {
    let meaning = QuestionMeaning::default();
    let mut question = question(args, query, &meaning, adjustments);
    question.limit = question.limit.min(PREVIEWED);
    let answer = ranked(snapshot, &question, filter).ok()?;
    (!answer.results.is_empty()).then(|| render::results(&answer, Detail::Brief))
}

/// Options of patterns would be ignored without a word.
fn check_options(args: &SearchArgs, query: &str) -> anyhow::Result<()> {
    let options = [
        ("--word", args.word),
        ("--ignore-case", args.ignore_case),
        ("--case-sensitive", args.case_sensitive),
        ("--around", args.around > 0),
    ];
    let Some((option, _)) = options.iter().find(|it| it.1) else { return Ok(()) };
    Err(usage(format!(
        "{option} is for patterns; make `{query}` one with --exact or --regex, or leave {option} out"
    )))
}

/// The query, with its vectors and filter.
fn question<'q>(
    args: &SearchArgs,
    query: &'q str,
    meaning: &'q QuestionMeaning,
    adjustments: &'q Adjustments,
) -> Question<'q> {
    Question {
        query,
        limit: args.limit.unwrap_or(10),
        tokens: args.tokens,
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
    filter_of((&args.path, &args.lang, &args.kind), &args.at, settings)
}

/// Requested files and definitions, of any search; paths as a user gives them, or of a repository on a cluster.
pub(super) fn filter_of(
    (paths, languages, kinds): (&[String], &[String], &[String]),
    at: &ClusterArgs,
    settings: &Settings,
) -> anyhow::Result<Filter> {
    if at.repository.is_some() {
        return Filter::new(paths, languages, kinds);
    }
    let path = |it: &String| {
        let workspace = workspace::discover(settings, None)?;
        let path = workspace::relative(settings, &workspace, it)
            .map_err(|error| usage(format!("--path {it}: nothing is indexed there: {error}")))?;
        settings.setup().admit(&workspace.root, &path)?;
        Ok(path)
    };
    let paths: anyhow::Result<Vec<String>> = paths.iter().map(path).collect();
    Filter::new(&paths?, languages, kinds)
}

/// A path without files is an error.
pub(super) fn check_filter(filter: &Filter, snapshot: &Snapshot) -> anyhow::Result<()> {
    if let Some(path) = filter.unmatched_path(snapshot) {
        let nearest = Filter::nearest_paths(snapshot, path).join(", ");
        return Err(usage(format!(
            "--path {path}: nothing is indexed there; nearest: {nearest}; give a path relative to the working directory or to the root of \
             the repository, or see `foreword status {path}`"
        )));
    }
    Ok(())
}

fn json<'s>(
    (args, query): (&SearchArgs, &'s str),
    opened: &'s OpenWorkspace,
    (answer, meaning, adjustments): (SearchAnswer, &QuestionMeaning, &'s Adjustments),
    elapsed: Duration,
) -> SearchOutput<'s> {
    let (snapshot, detail) = (&opened.snapshot, Detail::of(args));
    let result = |it: SearchResult| detail.apply(SearchMatch::of_result(it));
    let unknown = |it: UnknownWord| UnknownOutput { word: it.word, similar: it.similar };
    let root = || opened.workspace.root.display().to_string();
    SearchOutput {
        version: VERSION,
        snapshot: snapshot.id(),
        complete: snapshot.is_complete(),
        answered_from: opened.answered_from,
        customisation: &adjustments.additions.digest,
        searched: SearchScope {
            root: opened.pushed.clone().unwrap_or_else(root),
            query,
            terms: answer.terms,
            files: snapshot.totals().files,
            chunks: snapshot.totals().chunks,
            unread: opened.unread.clone(),
            deferred: opened.deferred.clone(),
            embedded: meaning.coverage().map(|it| it.known),
            meaning: meaning.note(),
        },
        unknown: answer.unknown.into_iter().map(unknown).collect(),
        results: answer.results.into_iter().map(result).collect(),
        elapsed_ms: elapsed.as_secs_f64() * 1e3,
    }
}

/// The options that exclude results: ` with --tag`.
fn named_filters(args: &SearchArgs) -> String {
    let all = [
        ("--path", &args.path),
        ("--lang", &args.lang),
        ("--kind", &args.kind),
        ("--tag", &args.tags.tag),
    ];
    let given: Vec<&str> = all.iter().filter(|it| !it.1.is_empty()).map(|it| it.0).collect();
    if given.is_empty() { String::new() } else { format!(" with {}", given.join(" and ")) }
}

/// Explains an empty result.
fn why_empty(
    snapshot: &Snapshot,
    question: &Question<'_>,
    (filter, named): (&Filter, &str),
    unknown: &[UnknownWord],
) -> anyhow::Result<String> {
    let Question { query, tokens, .. } = *question;
    if let Some(tokens) = tokens
        && !ranked(snapshot, &Question { tokens: None, ..*question }, filter)?.results.is_empty()
    {
        return Ok(format!("no match fits into {tokens} tokens; raise --tokens\n"));
    }
    let similar: Vec<&str> =
        unknown.iter().flat_map(|it| &it.similar).map(String::as_str).collect();
    let similar = match similar.is_empty() {
        true => String::new(),
        false => format!("; spelt alike: {}", similar.join(", ")),
    };
    let text =
        format!("nothing in {} files matches {query}{named}{similar}", snapshot.totals().files);
    Ok(output::plain(&text).replace('\n', " ") + "\n")
}
