//! Answers a question, or the name of a symbol, with ranked matches.

mod focus;
mod requirement;

use std::ops::Range;

use foreword_chunk::Kind;

use crate::evidence::Reason;
use crate::fuse::Candidate;
use crate::index::{ChunkId, FileId, Snapshot, dotted};
use crate::pipeline::{Control, Request, fill_in_terms, rank};
use crate::preset::Preset;
use crate::preset::constants::trim::{TITLE_BY_NAME, TITLE_BY_WORD};
use crate::retrieve::{Accept, Question, UnknownWord};
use crate::trim::{Count, Lines, TitleInput, Words, title_of};

use focus::Place;
pub use focus::{Excerpt, Focus};
use requirement::Requirement;

/// Request for a search.
#[derive(Default)]
pub struct SearchRequest<'r> {
    /// The question and its filters.
    pub question: Question<'r>,
    /// How many results at most.
    pub limit: usize,
    /// Token budget of all results; `None` for no limit. With a budget, results are the best lines of their chunks
    /// ([`Budget::excerpt`](crate::trim::Budget)), so that more of them fit.
    pub tokens: Option<usize>,
}

/// A match in the repository.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchResult {
    /// The file.
    pub path: String,
    /// The byte of the file at which `text` starts.
    pub start: usize,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Dotted name of the best-matching definition in the chunk; empty if there is none.
    pub symbol: String,
    /// Its kind.
    pub kind: Option<Kind>,
    /// The score after reranking; comparable within one answer only.
    pub score: f32,
    /// Tokens of `text`.
    pub tokens: usize,
    /// Why it was found.
    pub reasons: Vec<Reason>,
    /// The chunk, or its best lines.
    pub text: String,
    /// The lines of `text` that a reader should see first: those of `symbol`.
    pub focus: Focus,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub results: Vec<SearchResult>,
    /// The terms searched for; empty if the repository has none of them.
    pub terms: Vec<String>,
    /// Words of the question that occur nowhere, with the words that were searched for instead.
    pub unknown: Vec<UnknownWord>,
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
    let terms = || ranking.query.terms.iter().map(|it| it.term.clone()).collect();
    if snapshot.is_preliminary() {
        let unknown = ranking.query.unknown.clone();
        return SearchAnswer { results: Vec::new(), terms: terms(), unknown };
    }
    let words = Words::new(&ranking.weighed);
    let lines = request.tokens.map(|_| preset.budget.excerpt);
    let preference = if ranking.query.is_symbol { TITLE_BY_NAME } else { TITLE_BY_WORD };
    let required = Requirement::of(&ranking.query);
    let display =
        Display { words: &words, lines, preference, kinds: question.kinds, required, count };
    let (chunks, mut results) = results(snapshot, request, &ranking.candidates, &display);
    let reasons = results.iter_mut().map(|it| &mut it.reasons);
    fill_in_terms(snapshot, &ranking.weighed, chunks.into_iter().zip(reasons).collect());
    SearchAnswer { results, terms: terms(), unknown: ranking.query.unknown }
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
        let Some(result) = result_of(snapshot, it, display, request.question.accept) else {
            continue;
        };
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

/// Display of results.
struct Display<'d> {
    words: &'d Words<'d>,
    /// Maximum lines of a result (the best-scoring ones); `None` for the whole chunk.
    lines: Option<usize>,
    /// Advantage of a definition found by name, as a title.
    preference: f32,
    /// Kinds of definitions that may be titles; empty for all.
    kinds: &'d [Kind],
    /// What a result has at least; `None` accepts all.
    required: Option<Requirement>,
    count: Count<'d>,
}

/// The result for a candidate; its matching terms are filled in later.
/// `None` for one that is not required.
fn result_of(
    snapshot: &Snapshot,
    it: &Candidate,
    display: &Display<'_>,
    accept: Accept<'_>,
) -> Option<SearchResult> {
    let Display { words, preference, kinds, .. } = *display;
    let file = it.chunk.file;
    let info = snapshot.chunk(it.chunk);
    let start = info.start as usize;
    let range = start..info.end as usize;
    let chunk = snapshot.parts(file, &[range]).pop().unwrap_or_default();
    let named = it.answer.as_ref().map(|it| (std::slice::from_ref(it), TITLE_BY_NAME));
    let (named, preference) = named.unwrap_or((it.definitions.as_slice(), preference));
    let shown = TitleInput { file, text: &chunk, start, named, preference, kinds };
    if display.required.as_ref().is_some_and(|it| !it.is_in(&chunk)) {
        return None;
    }
    let title = title_of(snapshot, &shown, words);
    if accept.is_some_and(|it| !it(file, title, (start, info.end as usize))) {
        return None;
    }
    let place = title.map(|it| Place::of(snapshot, (file, it), start, &chunk));
    let place = place.unwrap_or_else(|| Place::whole(&chunk));
    let lines = Lines::new(&chunk, &(0..chunk.len()), words);
    let best = display.lines.and_then(|n| excerpt(&lines, &place, &chunk, n));
    let best = best.unwrap_or(0..chunk.len());
    let start_line = info.start_line + newlines(&chunk[..best.start]);
    let text = &chunk[best.clone()];
    let is_to_end = best.end == chunk.len();
    let (symbol, kind) = title.map_or((String::new(), None), |it| name_of(snapshot, file, it));
    Some(SearchResult {
        path: snapshot.path(file).to_owned(),
        start: start + best.start,
        start_line,
        end_line: if is_to_end { info.end_line } else { start_line + newlines(text) - 1 },
        symbol,
        kind,
        score: it.score,
        tokens: (display.count)(text),
        reasons: it.reasons.clone(),
        text: text.to_owned(),
        focus: Focus::new(&lines, &best, &place),
    })
}

/// The `n` lines of a chunk to show: of its definition, and around a short one.
fn excerpt(lines: &Lines<'_>, place: &Place, chunk: &str, n: usize) -> Option<Range<usize>> {
    let focus = Focus::new(lines, &(0..chunk.len()), place).bytes(n, lines);
    lines.best_at(n, &focus).or_else(|| lines.best(n, usize::MAX))
}

/// The dotted name and the kind of a definition.
pub fn name_of(snapshot: &Snapshot, file: FileId, definition: u32) -> (String, Option<Kind>) {
    let record = snapshot.record(file);
    let parts = record.name_parts(definition);
    let ranges: Vec<_> = parts.iter().map(|it| it.value().range()).collect();
    let kind = record.symbols.definitions.get(definition as usize).map(|it| it.kind);
    let texts = snapshot.parts(file, &ranges);
    let named = parts.iter().zip(&texts).map(|(part, text)| part.map(|_| text.as_str()));
    (dotted(named), kind)
}

fn newlines(text: &str) -> u32 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32
}

/// The first lines of a result that alone is too long for the budget.
fn cut(mut result: SearchResult, left: usize, count: Count<'_>) -> Option<SearchResult> {
    let mut kept = 0;
    let mut lines = 0_usize;
    for line in result.text.split_inclusive('\n') {
        if count(&result.text[..kept + line.len()]) > left {
            break;
        }
        kept += line.len();
        lines += 1;
    }
    result.text.truncate(kept);
    result.focus.truncate(lines);
    result.tokens = count(&result.text);
    result.end_line = result.start_line + u32::max(lines as u32, 1) - 1;
    (lines > 0).then_some(result)
}
