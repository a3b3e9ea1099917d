//! Predicts the token after the longest earlier match of the text before the cursor.

use super::preset::{COPY_OCCURRENCES, MAX_MATCH, MIN_MATCH, copy_trust};
use crate::ngram::{History, Mixture, Occurrence, View};

/// The token after the longest match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CopyPrediction {
    pub(super) token: u32,
    /// Probability that it is the next token.
    pub(super) trust: f64,
}

/// The longest match, from the nearest scope that has it; in a scope the last one.
pub(super) fn longest(mixture: &Mixture<'_>, history: &History) -> Option<CopyPrediction> {
    let mut best: Option<(usize, u32)> = None;
    for view in mixture.views().filter(|it| it.longest() == MIN_MATCH - 1) {
        for place in view.occurrences(MIN_MATCH - 1, COPY_OCCURRENCES) {
            let shared = shared(view, place, history);
            if best.is_none_or(|it| shared > it.0) {
                best = Some((shared, view.token(place)));
            }
        }
    }
    let (shared, token) = best.filter(|it| it.0 >= MIN_MATCH)?;
    Some(CopyPrediction { token, trust: copy_trust(shared) })
}

fn shared(view: &View<'_>, place: Occurrence, history: &History) -> usize {
    view.shared(place, &history.tokens, MAX_MATCH)
}
