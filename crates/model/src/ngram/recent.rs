//! Counts of the last tokens of the history: a cache (Tu, Su and Devanbu 2014).

use std::borrow::Cow;
use std::sync::Arc;

use super::counts::ORDER;
use super::history::{History, TokenCounts, first};

/// The last tokens of a history, and what follows its last few elsewhere among them.
#[derive(Debug)]
pub(super) struct RecentTokens<'h> {
    counts: Cow<'h, Arc<TokenCounts>>,
    /// Tokens that are recent now and were not when `counts` was made, and those of which it is the other way round.
    added: &'h [u32],
    dropped: &'h [u32],
    /// Each token that follows the last one elsewhere, and how many of the last tokens it follows.
    following: Vec<(u32, usize)>,
    /// Number of tokens that follow the last k tokens, by k.
    pub(super) totals: [i64; ORDER],
}

impl<'h> RecentTokens<'h> {
    pub(super) fn new(history: &'h History) -> Self {
        let tokens = history.tokens.as_slice();
        let counts = match &history.counts {
            Some(it) => Cow::Borrowed(it),
            None => Cow::Owned(Arc::new(TokenCounts::new(tokens))),
        };
        let start = first(tokens.len()).min(tokens.len());
        let mut totals = [0; ORDER];
        totals[0] = (tokens.len() - start) as i64;
        let mut following = Vec::new();
        let last = tokens.last();
        for at in (start..tokens.len()).filter(|it| Some(&tokens[it - 1]) == last) {
            let pairs = tokens[..at].iter().rev().zip(tokens.iter().rev()).take(ORDER - 1);
            let shared = pairs.take_while(|(a, b)| a == b).count();
            following.push((tokens[at], shared));
            totals[1..=shared].iter_mut().for_each(|it| *it += 1);
        }
        let (added, dropped) = (&tokens[counts.end..], &tokens[counts.start..start]);
        Self { counts, added, dropped, following, totals }
    }

    /// Number of times that `token` follows the last `k` tokens.
    pub(super) fn count(&self, k: usize, token: u32) -> i64 {
        if k > 0 {
            let follows = |it: &&(u32, usize)| it.0 == token && it.1 >= k;
            return self.following.iter().filter(follows).count() as i64;
        }
        let among = |tokens: &[u32]| tokens.iter().filter(|it| **it == token).count() as i64;
        let counted = self.counts.counts.get(&token).copied().unwrap_or_default();
        counted + among(self.added) - among(self.dropped)
    }
}
