//! Answers a question or a symbol's name with ranked places.

use foreword_chunk::Kind;

use crate::fuse::{Candidate, fuse};
use crate::index::Snapshot;
use crate::index::bm25::{Keep, Weighed};
use crate::preset::Preset;
use crate::rerank::rerank;
use crate::retrieve::{self, Query, Reason};
use crate::trim::{Count, Lines, Words};

/// What to search for, and where.
#[derive(Default)]
pub struct SearchRequest<'r> {
    /// A question, words, or the name of a symbol.
    pub query: &'r str,
    /// How many results at the most.
    pub limit: usize,
    /// How many tokens all results may have together; `None` for any number. With a number, results are the lines of
    /// their chunks that say most ([`Budget::excerpt`](crate::trim::Budget)), so that more of them have room.
    pub tokens: Option<usize>,
    /// Which files are searched; `None` for all.
    pub keep: Keep<'r>,
    /// Terms that a word of the query may stand for as well (typing errors mended), with weights.
    pub variants: Vec<(String, f32)>,
}

/// A place in the repository.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Dotted name of the definition that names the chunk; empty when there is none.
    pub symbol: String,
    /// What that is; empty when there is none.
    pub kind: &'static str,
    /// The score after reranking; comparable within one answer only.
    pub score: f32,
    /// Tokens of `text`.
    pub tokens: usize,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The chunk.
    pub text: String,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<SearchResult>,
    /// The words that were looked for; empty when the query had none that the repository has.
    pub terms: Vec<String>,
}

/// Searches a snapshot.
pub fn search(
    snapshot: &Snapshot,
    request: &SearchRequest<'_>,
    preset: &Preset,
    count: Count<'_>,
) -> SearchAnswer {
    let mut query = retrieve::question_query(request.query, snapshot, &preset.query);
    for (term, weight) in &request.variants {
        if !query.terms.iter().any(|it| it.term == *term) {
            let term = crate::index::bm25::WeightedTerm { term: term.clone(), weight: *weight };
            query.terms.push(term);
        }
    }
    let weighed = snapshot.weigh(&query.terms, &preset.bm25);
    let ranked = rank_weighed(snapshot, request, &query, &weighed, preset);
    let words = Words::new(&weighed);
    let shown =
        Shown { words: &words, lines: request.tokens.map(|_| preset.budget.excerpt), count };
    let mut left = request.tokens.unwrap_or(usize::MAX);
    let (mut results, mut chunks) = (Vec::new(), Vec::new());
    for it in &ranked {
        if results.len() == request.limit {
            break;
        }
        let result = result_of(snapshot, it, &shown);
        let is_first = request.tokens.is_some() && results.is_empty();
        if result.tokens <= left {
            left -= result.tokens;
            results.push(result);
            chunks.push(it.chunk);
        } else if is_first {
            results.extend(cut(result, left, count));
            chunks.push(it.chunk);
            break;
        }
    }
    let explained = retrieve::explain(snapshot, &weighed, &chunks);
    for (result, words) in results.iter_mut().zip(&explained) {
        for reason in &mut result.reasons {
            if let Reason::Lexical { terms } = reason {
                terms.clone_from(words);
            }
        }
    }
    SearchAnswer { results, terms: query.terms.into_iter().map(|it| it.term).collect() }
}

/// The candidates of a search, reranked: what `search` shows the first of.
pub fn rank(
    snapshot: &Snapshot,
    request: &SearchRequest<'_>,
    query: &Query,
    preset: &Preset,
) -> Vec<Candidate> {
    let weighed = snapshot.weigh(&query.terms, &preset.bm25);
    rank_weighed(snapshot, request, query, &weighed, preset)
}

fn rank_weighed(
    snapshot: &Snapshot,
    request: &SearchRequest<'_>,
    query: &Query,
    weighed: &Weighed,
    preset: &Preset,
) -> Vec<Candidate> {
    let lexical = retrieve::lexical(snapshot, weighed, request.keep, preset.list);
    let named = retrieve::named(snapshot, query, request.keep, preset.list);
    let candidates = fuse(&[lexical, named], &preset.fuse);
    rerank(snapshot, query, weighed, candidates, &preset.rerank)
}

/// How results are shown.
struct Shown<'s> {
    words: &'s Words<'s>,
    /// Most lines of a result, those that say most; `None`: the whole chunk.
    lines: Option<usize>,
    count: Count<'s>,
}

/// A candidate as it is shown; the words that it was found by are filled in later.
fn result_of(snapshot: &Snapshot, it: &Candidate, shown: &Shown<'_>) -> SearchResult {
    let file = it.chunk.file;
    let info = snapshot.chunk(it.chunk);
    let (symbol, kind) = shown_as(snapshot, it);
    let range = info.start as usize..info.end as usize;
    let chunk = snapshot.parts(file, &[range]).pop().unwrap_or_default();
    let best = shown
        .lines
        .and_then(|n| Lines::new(&chunk, &(0..chunk.len()), shown.words).best(n, usize::MAX));
    let best = best.unwrap_or(0..chunk.len());
    let start_line = info.start_line + newlines(&chunk[..best.start]);
    let text = &chunk[best.clone()];
    SearchResult {
        path: snapshot.path(file).to_owned(),
        start_line,
        end_line: if best.end == chunk.len() {
            info.end_line
        } else {
            start_line + newlines(text) - 1
        },
        symbol,
        kind: kind.map_or("", kind_name),
        score: it.score,
        tokens: (shown.count)(text),
        reasons: it.reasons.clone(),
        text: text.to_owned(),
    }
}

/// The dotted name and the kind of what was found by name in a chunk, or else of what names the chunk.
pub fn shown_as(snapshot: &Snapshot, it: &Candidate) -> (String, Option<Kind>) {
    let found = it.definitions.first().copied();
    let title = snapshot.title(it.chunk);
    if let Some(title) = title.filter(|it| found.is_none_or(|found| found == it.definition)) {
        return (title.name, snapshot.chunk(it.chunk).kind);
    }
    let Some(found) = found else { return (String::new(), None) };
    let record = snapshot.record(it.chunk.file);
    let names: Vec<_> = record.name_spans(found).iter().map(|it| it.range()).collect();
    let kind = record.symbols.definitions.get(found as usize).map(|it| it.kind);
    (snapshot.parts(it.chunk.file, &names).join("."), kind)
}

fn newlines(text: &str) -> u32 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32
}

/// The first lines of a result that alone is too long for the budget.
fn cut(mut result: SearchResult, left: usize, count: Count<'_>) -> Option<SearchResult> {
    let mut kept = 0;
    let mut lines = 0;
    for line in result.text.split_inclusive('\n') {
        if count(&result.text[..kept + line.len()]) > left {
            break;
        }
        kept += line.len();
        lines += 1;
    }
    result.text.truncate(kept);
    result.tokens = count(&result.text);
    result.end_line = result.start_line + u32::max(lines, 1) - 1;
    (lines > 0).then_some(result)
}

/// The name of a kind in answers.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Module => "module",
        Kind::Class => "class",
        Kind::Interface => "interface",
        Kind::Enum => "enum",
        Kind::Implementation => "implementation",
        Kind::Function => "function",
        Kind::Method => "method",
        Kind::Constructor => "constructor",
        Kind::Field => "field",
        Kind::Constant => "constant",
        Kind::Type => "type",
        Kind::Macro => "macro",
        Kind::Section => "section",
    }
}
