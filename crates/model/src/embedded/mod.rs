//! The embedded completion model: nothing to download, nothing trained ahead, an answer in milliseconds.
//!
//! It copies and it counts. [`crate::ngram`] gives the probability of every next token from what follows the same tokens
//! in all scopes; where more than five tokens before the cursor occur together elsewhere, what follows there is trusted
//! the more the longer the match is (`copy`). A beam search finds the likeliest line ([`line`]); while lines stay likely
//! and the block goes on, more follow.
//!
//! It reads what the request has, nearest first: the cursor's file before and after the cursor, the composed pieces of
//! context, other texts that the caller names, and the counts of the whole repository if it has them.
//!
//! It is no neural model and does not understand code. It is good at what repositories repeat. Its confidence is the
//! measured share of right lines among those with the same probability, of whole and of begun lines apart
//! (`confidence`).

mod block;
mod confidence;
mod copy;
mod follow;
mod line;
mod model;
mod start;
#[cfg(test)]
mod tests;
mod window;

pub use block::Extent;
pub use model::Embedded;

use std::time::Instant;

use crate::ngram::{Background, Model};
use confidence::{LinePart, calibrated};
use follow::Follow;
use line::Search;
use start::Start;

/// A place to be completed, and what the model may read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hole<'h> {
    /// The text before the cursor.
    pub prefix: &'h str,
    /// The text after it.
    pub suffix: &'h str,
    /// The pieces of context that were composed.
    pub pieces: &'h [&'h str],
    /// Other texts that are likely to be alike, such as the files of the directory, without the cursor's file.
    pub nearby: &'h [&'h str],
    /// The repository.
    pub background: Option<&'h Background>,
}

/// One completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// What to insert at the cursor.
    pub text: String,
    /// The probability of its first line under the model.
    pub probability: f64,
    /// How often a first line of such a probability is right, between 0 and 1.
    pub confidence: f64,
    /// Its tokens.
    pub tokens: usize,
}

/// The likeliest completions, best first, at most `n`, each different; none where nothing is known. Deterministic.
pub fn complete(hole: &Hole<'_>, extent: Extent, n: usize) -> Vec<Suggestion> {
    complete_until(hole, extent, n, None)
}

/// The likeliest completions that are found before the deadline.
pub fn complete_until(
    hole: &Hole<'_>,
    extent: Extent,
    n: usize,
    deadline: Option<Instant>,
) -> Vec<Suggestion> {
    let [prefix, suffix] = [hole.prefix, hole.suffix].map(|it| it.replace("\r\n", "\n"));
    let has_returns = prefix.len() + suffix.len() < hole.prefix.len() + hole.suffix.len();
    let (prefix, suffix) = window::around(&prefix, &suffix);
    let file = [prefix.trim_end(), suffix];
    let mut model = Model::new(hole.background, &[&file, hole.pieces, hole.nearby]);
    let start = Start::new(&mut model, prefix);
    let follow = Follow::new(&mut model, suffix);
    let search = Search { model: &model, follow: &follow, deadline };
    let lines = search.lines(&start, n);
    let line = prefix.rsplit('\n').next().unwrap_or_default().trim();
    let part = if line.is_empty() { LinePart::Whole } else { LinePart::Rest };
    let grown = lines.into_iter().map(|it| {
        let first = it.log2.exp2();
        let grown = block::grow(&search, &start, it, extent);
        let text = start.strip(grown.renderer.text());
        Suggestion {
            text: if has_returns { text.replace('\n', "\r\n") } else { text },
            probability: first,
            confidence: calibrated(first, part),
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
