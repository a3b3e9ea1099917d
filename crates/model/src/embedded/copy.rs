//! Predicts the token that follows the longest match of the text before the cursor elsewhere.

use crate::ngram::{History, Mixture, Occurrence, View};

/// Shorter matches are what the n-gram model counts.
const LEAST: usize = 6;

/// Longer ones are not told apart.
const MOST: usize = 32;

/// Occurrences of the last five tokens that are compared in each scope.
const PLACES: usize = 64;

/// The token that follows the longest match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CopyPrediction {
    pub(super) token: u32,
    /// The probability that it is the next token, whatever else is known.
    pub(super) trust: f64,
}

/// The longest match before the place, in the nearest scope that has it, the last in a scope.
pub(super) fn longest(mixture: &Mixture<'_>, history: &History) -> Option<CopyPrediction> {
    let mut best: Option<(usize, u32)> = None;
    for view in mixture.views().filter(|it| it.longest() == LEAST - 1) {
        for place in view.occurrences(LEAST - 1, PLACES) {
            let shared = shared(view, place, history);
            if best.is_none_or(|it| shared > it.0) {
                best = Some((shared, view.token(place)));
            }
        }
    }
    let (shared, token) = best.filter(|it| it.0 >= LEAST)?;
    Some(CopyPrediction { token, trust: trust(shared) })
}

fn shared(view: &View<'_>, place: Occurrence, history: &History) -> usize {
    view.shared(place, &history.tokens, MOST)
}

/// How often the token after a match of so many tokens is the next one: counted over the tokens that commits of the
/// development repositories wrote, 14,000 of which have such a match.
fn trust(shared: usize) -> f64 {
    match shared {
        ..6 => 0.0,
        6..8 => 0.77,
        8..12 => 0.84,
        12..16 => 0.85,
        16..24 => 0.87,
        _ => 0.9,
    }
}
