//! Answers a question, or the name of a symbol, with ranked matches.

use foreword_chunk::Kind;

use crate::evidence::Reason;
use crate::fuse::Candidate;
use crate::index::{ChunkId, Snapshot, dotted};
use crate::pipeline::{Control, Request, fill_in_terms, rank};
use crate::preset::Preset;
use crate::retrieve::Question;
use crate::trim::{Count, Lines, Words};

/// What to search for, and how much to show.
#[derive(Default)]
pub struct SearchRequest<'r> {
    /// What to search for, and where.
    pub question: Question<'r>,
    /// How many results at most.
    pub limit: usize,
    /// How many tokens all results may have together; `None` for any number. With a number, results are the lines of
    /// their chunks that say most ([`Budget::excerpt`](crate::trim::Budget)), so that more of them fit.
    pub tokens: Option<usize>,
}

/// A match in the repository.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The file.
    pub path: String,
    /// The byte of the file at which `text` starts.
    pub start: usize,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Dotted name of the definition that the match is of; empty if there is none.
    pub symbol: String,
    /// What that is.
    pub kind: Option<Kind>,
    /// The score after reranking; comparable within one answer only.
    pub score: f32,
    /// Tokens of `text`.
    pub tokens: usize,
    /// Why it was found.
    pub reasons: Vec<Reason>,
    /// The chunk, or the lines of it that say most.
    pub text: String,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<SearchResult>,
    /// The terms that were looked for; empty if the repository has none of them.
    pub terms: Vec<String>,
}

/// Searches a snapshot.
pub fn search(
    snapshot: &Snapshot,
    request: &SearchRequest<'_>,
    preset: &Preset,
    count: Count<'_>,
    control: &mut Control<'_>,
) -> SearchAnswer {
    let question = &request.question;
    let ranking = rank(&Request::Question { snapshot, question }, preset, control);
    let words = Words::new(&ranking.weighed);
    let lines = request.tokens.map(|_| preset.budget.excerpt);
    let display = Display { words: &words, lines, count };
    let (chunks, mut results) = results(snapshot, request, &ranking.candidates, &display);
    let reasons = results.iter_mut().map(|it| &mut it.reasons);
    fill_in_terms(snapshot, &ranking.weighed, chunks.into_iter().zip(reasons).collect());
    SearchAnswer { results, terms: ranking.query.terms.into_iter().map(|it| it.term).collect() }
}

/// The first candidates that fit, each with its chunk.
fn results(
    snapshot: &Snapshot,
    request: &SearchRequest<'_>,
    candidates: &[Candidate],
    display: &Display<'_>,
) -> (Vec<ChunkId>, Vec<SearchResult>) {
    let mut left = request.tokens.unwrap_or(usize::MAX);
    let (mut chunks, mut results) = (Vec::new(), Vec::new());
    for it in candidates {
        if results.len() == request.limit {
            break;
        }
        let result = result_of(snapshot, it, display);
        if result.tokens <= left {
            left -= result.tokens;
            results.push(result);
            chunks.push(it.chunk);
        } else if results.is_empty() {
            // The best result alone is too long: its first lines are better than nothing.
            results.extend(cut(result, left, display.count));
            chunks.push(it.chunk);
            break;
        }
    }
    (chunks, results)
}

/// How results are shown.
struct Display<'d> {
    words: &'d Words<'d>,
    /// At most so many lines of a result, those that say most; `None` for the whole chunk.
    lines: Option<usize>,
    count: Count<'d>,
}

/// A candidate as it is shown; the terms that it was found by are filled in later.
fn result_of(snapshot: &Snapshot, it: &Candidate, display: &Display<'_>) -> SearchResult {
    let file = it.chunk.file;
    let info = snapshot.chunk(it.chunk);
    let (symbol, kind) = title_of(snapshot, it);
    let range = info.start as usize..info.end as usize;
    let chunk = snapshot.parts(file, &[range]).pop().unwrap_or_default();
    let best = display
        .lines
        .and_then(|n| Lines::new(&chunk, &(0..chunk.len()), display.words).best(n, usize::MAX));
    let best = best.unwrap_or(0..chunk.len());
    let start_line = info.start_line + newlines(&chunk[..best.start]);
    let text = &chunk[best.clone()];
    SearchResult {
        path: snapshot.path(file).to_owned(),
        start: info.start as usize + best.start,
        start_line,
        end_line: if best.end == chunk.len() {
            info.end_line
        } else {
            start_line + newlines(text) - 1
        },
        symbol,
        kind,
        score: it.score,
        tokens: (display.count)(text),
        reasons: it.reasons.clone(),
        text: text.to_owned(),
    }
}

/// The dotted name and the kind of the definition that was found by name in a chunk, or else of the one that the chunk is
/// named by.
pub fn title_of(snapshot: &Snapshot, it: &Candidate) -> (String, Option<Kind>) {
    let found = it.definitions.first().copied();
    let title = snapshot.title(it.chunk);
    if let Some(title) = title.filter(|it| found.is_none_or(|found| found == it.definition)) {
        return (title.name, snapshot.chunk(it.chunk).kind);
    }
    let Some(found) = found else { return (String::new(), None) };
    let record = snapshot.record(it.chunk.file);
    let parts = record.name_parts(found);
    let ranges: Vec<_> = parts.iter().map(|it| it.value().range()).collect();
    let kind = record.symbols.definitions.get(found as usize).map(|it| it.kind);
    let texts = snapshot.parts(it.chunk.file, &ranges);
    let named = parts.iter().zip(&texts).map(|(part, text)| part.map(|_| text.as_str()));
    (dotted(named), kind)
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
