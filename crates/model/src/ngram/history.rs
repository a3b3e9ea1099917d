//! The tokens before a position.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::lexer::Kind;
use super::preset::CACHE_TOKENS;
use super::vocabulary::BEGIN;

/// The tokens before a position.
#[derive(Clone, Debug)]
pub struct History {
    pub(crate) tokens: Vec<u32>,
    pub(crate) kind: Kind,
    /// Counts of the last tokens at some time; tokens were only appended since then.
    pub(crate) counts: Option<Arc<TokenCounts>>,
}

/// Occurrences of each token in a range of a history.
#[derive(Debug)]
pub(crate) struct TokenCounts {
    pub(super) counts: FxHashMap<u32, i64>,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl History {
    /// Keeps only the last `most` tokens.
    pub(crate) fn forget(&mut self, most: usize) {
        self.tokens.drain(..self.tokens.len().saturating_sub(most));
        self.counts = None;
    }

    /// Counts the last tokens once for all histories that continue this one.
    pub(crate) fn count(&mut self) {
        self.counts = Some(Arc::new(TokenCounts::new(&self.tokens)));
    }
}

impl Default for History {
    fn default() -> Self {
        Self { tokens: vec![BEGIN], kind: Kind::Break, counts: None }
    }
}

/// First position of the cache in a history of this length. The first token has none before it.
pub(super) fn first(len: usize) -> usize {
    len.saturating_sub(CACHE_TOKENS).max(1)
}

impl TokenCounts {
    /// Counts the cache at the end of `tokens`.
    pub(super) fn new(tokens: &[u32]) -> Self {
        let start = first(tokens.len()).min(tokens.len());
        let mut counts = FxHashMap::default();
        tokens[start..].iter().for_each(|it| *counts.entry(*it).or_default() += 1);
        Self { counts, start, end: tokens.len() }
    }
}
