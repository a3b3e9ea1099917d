//! Searches by words, names or patterns, with results for `--json`.

use foreword_chunk::Kind;
use foreword_engine::custom::Subject;
use foreword_engine::grep::{Case, GrepAnswer, GrepMatch, GrepRequest, grep};
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::index::{ChunkId, FileId, Snapshot};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::retrieve::{self, Meanings, UnknownWord};
use foreword_engine::search::{SearchAnswer, SearchRequest, SearchResult, search};
use foreword_model::TokenCounter;
use serde::Serialize;

use super::tokens;
use crate::custom::Adjustments;
use crate::filter::Filter;
use crate::usage::check_length;

/// A result as `search --json` prints it.
#[derive(Serialize)]
pub struct SearchMatch {
    /// The file, relative to the root.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// The first of the lines of `symbol`, or of the best-matching lines.
    pub match_start_line: u32,
    /// The last of these lines.
    pub match_end_line: u32,
    /// The dotted name of the definition; empty without one.
    pub symbol: String,
    /// The kind of the definition; empty without one.
    pub kind: String,
    /// Comparable within one answer only.
    pub score: f32,
    /// Tokens of the text.
    pub tokens: usize,
    /// Why it matched, in words.
    pub reasons: Vec<String>,
    /// The lines; `None` with `--brief`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A search by words and names.
pub struct Question<'q> {
    /// The question, words, or a name.
    pub query: &'q str,
    /// Maximum number of results.
    pub limit: usize,
    /// Token budget of all results together.
    pub tokens: Option<usize>,
    /// The embedding of the question; `None` for lexical search.
    pub meanings: Option<Meanings<'q>>,
    /// Votes, customisation and tags.
    pub adjustments: &'q Adjustments,
}

/// Ranked results for a question.
pub fn ranked(
    snapshot: &Snapshot,
    question: &Question<'_>,
    filter: &Filter,
) -> anyhow::Result<SearchAnswer> {
    check_length("the query", question.query)?;
    let counter = tokens::general()?;
    let &Question { query, limit, tokens, meanings, adjustments } = question;
    let accepts = |file: FileId| adjustments.accepts(filter, snapshot, file);
    let restricts = adjustments.restricts_files(filter);
    let keep = restricts.then_some(&accepts as &dyn Fn(FileId) -> bool);
    // Results are filtered by kind afterwards, so more of them are requested.
    let requested =
        if filter.restricts_kinds() { limit.saturating_mul(10).max(100) } else { limit };
    let kinds = filter.kinds();
    let weights = adjustments.weights(snapshot, query);
    let factors = |chunk| weights.factors(chunk);
    let prior = (!weights.is_empty()).then_some(&factors as &dyn Fn(ChunkId) -> _);
    let tags = &adjustments.tags;
    let passes =
        |file, definition, bytes| tags.passes(&Subject { snapshot, file, definition, bytes });
    let accept = (!tags.is_empty()).then_some(&passes as &dyn Fn(_, _, _) -> bool);
    let text = query;
    let question = retrieve::Question { text, kinds, keep, meanings, prior, accept };
    let request = SearchRequest { question, limit: requested, tokens };
    let (preset, count) = (preset::search(), |text: &str| counter.count(text));
    let mut answer = search(snapshot, &request, &preset, &count, &mut Control::default());
    answer.results.retain(|it| filter.accepts_kind(it.kind));
    answer.results.truncate(limit);
    Ok(answer)
}

/// What a reader should know first: words that occur nowhere, and what was searched for instead; `None` if there are
/// none.
pub fn unknown_words(answer: &SearchAnswer) -> Option<String> {
    let similar = |it: &UnknownWord| -> Vec<String> {
        it.similar.iter().map(|it| as_written(it, &answer.results)).collect()
    };
    let sentence = |it: &UnknownWord| match it.similar.is_empty() {
        true => format!("nothing has \"{}\"", it.word),
        false => format!("nothing has \"{}\"; searched for {}", it.word, similar(it).join(", ")),
    };
    let sentences: Vec<String> = answer.unknown.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join("; "))
}

/// A term as the results write it: `followredirects` is `follow_redirects` there.
fn as_written(term: &str, results: &[SearchResult]) -> String {
    let mut written = None;
    for it in results {
        identifiers(&it.text, |start, end| {
            let word = &it.text[start..end];
            if written.is_some() || word.len() < term.len() {
                return;
            }
            let (mut is_term, mut n_terms) = (false, 0);
            terms_of(word, &mut String::new(), |it, is_whole| {
                is_term |= is_whole && it == term;
                n_terms += 1;
            });
            // A word without parts is spelt as its term, but for its case.
            if is_term && n_terms > 1 {
                written = Some(word.to_owned());
            }
        });
    }
    written.unwrap_or_else(|| term.to_owned())
}

/// How a query is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryForm<'q> {
    /// A question, words, or a name.
    Words(&'q str),
    /// A query in quotes: this text.
    Exact(&'q str),
    /// A query between slashes: a regular expression.
    Regex(&'q str),
}

impl<'q> QueryForm<'q> {
    /// Reads quotes and slashes around the whole query.
    pub fn of(query: &'q str) -> Self {
        let inner = |mark: char| {
            let inner = query.trim().strip_prefix(mark)?.strip_suffix(mark)?;
            (!inner.is_empty() && !inner.contains(mark)).then_some(inner)
        };
        match (inner('"').or_else(|| inner('`')), inner('/')) {
            (Some(text), _) => Self::Exact(text),
            (None, Some(pattern)) => Self::Regex(pattern),
            (None, None) => Self::Words(query),
        }
    }

    /// The lines to look for; `None` for words.
    pub fn pattern(self, limit: usize) -> Option<Pattern<'q>> {
        let (pattern, regex) = match self {
            Self::Words(_) => return None,
            Self::Exact(text) => (text, false),
            Self::Regex(pattern) => (pattern, true),
        };
        Some(Pattern {
            pattern,
            regex,
            case: Case::Smart,
            word: false,
            limit,
            around: 0,
            most_bytes: None,
        })
    }
}

/// Bytes of texts that are read for a pattern from each of several repositories of a cluster.
pub const BYTES_OF_EACH: u64 = 4 << 20;

/// A search by a pattern.
pub struct Pattern<'q> {
    /// The pattern.
    pub pattern: &'q str,
    /// Whether the pattern is a regular expression.
    pub regex: bool,
    /// Whether case counts.
    pub case: Case,
    /// Whether only whole words match.
    pub word: bool,
    /// Maximum number of matches.
    pub limit: usize,
    /// Lines of context before and after a match.
    pub around: u32,
    /// Bytes of texts that are read at most from a cluster; `None` for the usual bound.
    pub most_bytes: Option<u64>,
}

/// The lines that a pattern matches.
pub fn matching(
    snapshot: &Snapshot,
    pattern: &Pattern<'_>,
    filter: &Filter,
) -> anyhow::Result<GrepAnswer> {
    check_length("the pattern", pattern.pattern)?;
    let keep = |file: FileId| filter.accepts(snapshot, file);
    let request = GrepRequest {
        pattern: pattern.pattern,
        regex: pattern.regex,
        case: pattern.case,
        word: pattern.word,
        keep: Some(&keep),
        limit: pattern.limit,
        context: pattern.around,
        most_bytes: pattern.most_bytes,
    };
    Ok(grep(snapshot, &request)?)
}

/// What a reader should know of files that could match and were not read.
pub fn unread_note(answer: &GrepAnswer) -> Option<String> {
    (answer.unread > 0).then(|| {
        format!(
            "{} files could match and were not read, the last by path; give a longer word, or a path",
            answer.unread
        )
    })
}

impl SearchMatch {
    /// Converts a ranked result.
    pub fn of_result(it: SearchResult) -> Self {
        let (match_start_line, match_end_line) = it.focus_lines();
        Self {
            match_start_line,
            match_end_line,
            path: it.path,
            start_line: it.start_line,
            end_line: it.end_line,
            symbol: it.symbol,
            kind: it.kind.map_or("", Kind::name).to_owned(),
            score: it.score,
            tokens: it.tokens,
            reasons: it.reasons.iter().map(ToString::to_string).collect(),
            text: Some(it.text),
        }
    }

    /// Converts a matching line.
    pub fn of_line(it: &GrepMatch, counter: &TokenCounter) -> Self {
        Self {
            path: it.path.clone(),
            start_line: it.line,
            end_line: it.line,
            match_start_line: it.line,
            match_end_line: it.line,
            symbol: it.symbol.clone(),
            kind: it.kind.map_or("", Kind::name).to_owned(),
            score: 1.0,
            tokens: counter.count(&it.text),
            reasons: vec![format!("matches at column {}", it.column)],
            text: Some(it.text.clone()),
        }
    }

    /// The same result without its text, for `--brief`.
    #[must_use]
    pub fn without_text(self) -> Self {
        Self { text: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_slashes_choose_the_form() {
        assert_eq!(QueryForm::of("\"a b\""), QueryForm::Exact("a b"));
        assert_eq!(QueryForm::of("`a`"), QueryForm::Exact("a"));
        assert_eq!(QueryForm::of("/a.*b/"), QueryForm::Regex("a.*b"));
        for words in ["/", "src/a/b", "\"a\" and \"b\"", "/api/v1/", "a b"] {
            assert_eq!(QueryForm::of(words), QueryForm::Words(words));
        }
    }
}
