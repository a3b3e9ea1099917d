//! The embedded completion model: no download, no training, answers in milliseconds.
//!
//! It copies and counts. [`crate::ngram`] gives the probability of each next token, counted in all scopes; if more than
//! five tokens before the cursor occur together elsewhere, the token after the longest match is predicted with a trust
//! that grows with the length of the match (`copy`). A beam search finds the likeliest line ([`line`]); further lines
//! of the block follow while they stay likely.
//!
//! It reads the texts of the request, nearest first: the cursor's file before and after the cursor, the composed pieces
//! of context, other texts that the caller names, and the counts of the whole repository if available.
//!
//! It is not a neural model and does not understand code; it is good at code that a repository repeats. Its confidence
//! is the measured share of correct lines among lines like it, separately for whole lines and partly typed ones
//! (`confidence`).

mod block;
mod confidence;
mod copy;
mod line;
mod model;
mod preset;
mod start;
mod suffix;
#[cfg(test)]
mod tests;
mod window;

pub use crate::ngram::CountCache;
pub use block::Extent;
pub use model::EmbeddedModel;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use crate::ngram::{Background, Model, OuterCounts};
use confidence::{LineFeatures, LinePart, confidence};
use line::{Line, Search};
use start::Start;
use suffix::Suffix;

/// A position to complete and the texts that the model may read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hole<'h> {
    /// The text before the cursor.
    pub prefix: &'h str,
    /// The text after the cursor.
    pub suffix: &'h str,
    /// Composed pieces of context.
    pub pieces: &'h [&'h str],
    /// Other texts likely to be similar, such as the files of the directory, without the cursor's file.
    pub nearby: &'h [&'h str],
    /// Counts of the repository.
    pub background: Option<&'h Background>,
    /// Counts kept between requests; not used with counts of the repository.
    pub cache: Option<&'h CountCache>,
}

/// One completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Text to insert at the cursor.
    pub text: String,
    /// Probability of its first line under the model.
    pub probability: f64,
    /// Measured share of correct first lines among those like this one, between 0 and 1.
    pub confidence: f64,
    /// Number of tokens.
    pub tokens: usize,
}

/// The likeliest completions, best first: at most `n` different ones, empty if nothing is known. Deterministic.
pub fn complete(hole: &Hole<'_>, extent: Extent, n: usize) -> Vec<Suggestion> {
    complete_until(hole, extent, n, None)
}

/// Like [`complete`], with the completions found before the deadline.
pub fn complete_until(
    hole: &Hole<'_>,
    extent: Extent,
    n: usize,
    deadline: Option<Instant>,
) -> Vec<Suggestion> {
    let whole = [hole.prefix, hole.suffix].map(without_returns);
    let has_returns = whole.iter().any(|it| matches!(it, Cow::Owned(_)));
    let file = window::around(&whole[0], &whole[1]);
    let outer = match (hole.cache, hole.background) {
        (Some(cache), None) => cache.outer(&file),
        (_, background) => Arc::new(OuterCounts::new(&file, background)),
    };
    let scopes = [hole.pieces, hole.nearby];
    let mut model = Model::of_file(&file, &outer, &scopes, hole.background);
    let start = Start::new(&mut model, &file, outer.history.clone());
    let suffix = Suffix::new(&mut model, file.suffix);
    let search = Search { model: &model, suffix: &suffix, deadline };
    // The second line tells how clear the first one is.
    let lines = search.lines(&start, n.max(2));
    let typed = file.prefix.rsplit('\n').next().unwrap_or_default();
    let sure: Vec<f64> = (0..lines.len().min(n))
        .map(|at| confidence(&features(&lines, at, &start, typed, &whole, hole.pieces)))
        .collect();
    let grown = lines.into_iter().zip(sure).take(n).map(|(it, confidence)| {
        let first = it.log2.exp2();
        let grown = block::grow(&search, &start, it, extent);
        let text = start.strip(grown.renderer.text());
        Suggestion {
            text: if has_returns { text.replace('\n', "\r\n") } else { text },
            probability: first,
            confidence,
            tokens: grown.tokens,
        }
    });
    let mut res: Vec<Suggestion> = Vec::new();
    for it in grown.filter(|it| !it.text.trim().is_empty()) {
        if res.iter().all(|other| other.text != it.text) {
            res.push(it);
        }
    }
    res
}

fn without_returns(text: &str) -> Cow<'_, str> {
    match memchr::memmem::find(text.as_bytes(), b"\r\n") {
        Some(_) => Cow::Owned(text.replace("\r\n", "\n")),
        None => Cow::Borrowed(text),
    }
}

/// Number of lines that are `line` without blanks around them.
fn lines_with(text: &str, line: &str) -> usize {
    if line.is_empty() {
        return text.lines().filter(|it| it.trim().is_empty()).count();
    }
    let is_blank = |it: char| it.is_whitespace() && it != '\n';
    let is_alone = |at: &usize| {
        let before = text[..*at].trim_end_matches(is_blank);
        let after = text[at + line.len()..].trim_start_matches(is_blank);
        matches!(before.as_bytes().last(), None | Some(b'\n'))
            && matches!(after.as_bytes().first(), None | Some(b'\n'))
    };
    let found = memchr::memmem::find_iter(text.as_bytes(), line.as_bytes());
    found.filter(is_alone).count()
}

/// What the confidence of the line at `at` rests on.
fn features(
    lines: &[Line],
    at: usize,
    start: &Start,
    typed: &str,
    file: &[Cow<'_, str>; 2],
    pieces: &[&str],
) -> LineFeatures {
    let text = |it: &Line| start.strip(it.renderer.text());
    let written = text(&lines[at]);
    let other = lines.iter().find(|it| text(it) != written);
    let whole = format!("{typed}{written}");
    let whole = whole.trim();
    let texts = file.iter().map(AsRef::as_ref).chain(pieces.iter().copied());
    let repeated = texts.map(|it| lines_with(it, whole)).sum();
    LineFeatures {
        part: if typed.trim().is_empty() { LinePart::Whole } else { LinePart::Rest },
        log2: lines[at].log2,
        other_log2: other.map(|it| it.log2),
        repeated,
        written: written.trim().chars().count(),
        typed: typed.trim().chars().count(),
    }
}
