//! Numbers that decide probabilities of the n-gram model.

use super::counts::ORDER;

/// Interpolation weight of each order against lower ones. Hellendoorn and Devanbu (FSE 2017) found 0.5 and order 6 best
/// for code.
pub(super) const LAMBDA: f64 = 0.5;

/// Number of preceding tokens in the cache. First guess.
pub(super) const CACHE_TOKENS: usize = 1000;

/// Probability that the next token is unknown to all scopes, by the length of the longest context known to a scope:
/// counted over 28,000 tokens that commits to the development repositories wrote.
pub(super) const UNKNOWN_TOKEN: [f64; ORDER] = [0.19, 0.14, 0.07, 0.065, 0.045, 0.024];

/// Number of observations that the wider estimate of whitespace counts as. First guess.
pub(super) const WIDER_WEIGHT: f64 = 0.5;

/// Probabilities of no whitespace, one space and other whitespace before anything is counted. First guess.
pub(super) const GAP_PRIOR: [f64; 3] = [0.45, 0.45, 0.1];

/// Bytes of context of a spelling. First guess.
pub(super) const SPELLING_BYTES: usize = 3;
