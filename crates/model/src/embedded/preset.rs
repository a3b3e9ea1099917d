//! Numbers that decide completions of the embedded model. Those without a source are first guesses.

/// Maximum number of lines of a block after the first.
pub(super) const MAX_MORE_LINES: usize = 15;

/// Minimum probability of a further line of a block.
pub(super) const MIN_LINE_PROBABILITY: f64 = 0.5;

/// Beam width: unfinished lines that are kept.
pub(super) const BEAM_WIDTH: usize = 6;

/// Maximum number of tokens of a line.
pub(super) const MAX_LINE_TOKENS: usize = 60;

/// Maximum occurrences of a context in a scope whose next tokens are considered.
pub(super) const NEXT_OCCURRENCES: usize = 96;

/// Shorter contexts are tried until this many different next tokens are found.
pub(super) const MIN_CANDIDATES: usize = 12;

/// Lines below this base-2 log probability are dropped.
pub(super) const MIN_LOG2: f64 = -40.0;

/// Number of preceding tokens that are kept: those that the n-gram model's cache can reach.
pub(super) const HISTORY_TOKENS: usize = 1100;

/// Number of tokens of the rest of the line that are scored after a completion.
pub(super) const JOIN_TOKENS: usize = 3;

/// Bytes read before the cursor: they take four milliseconds, and most files are shorter.
pub(super) const BYTES_BEFORE: usize = 96 << 10;

/// Bytes read after the cursor.
pub(super) const BYTES_AFTER: usize = 48 << 10;

/// Bytes of the steps in which the limits above and the counted outer parts of a file move.
pub(super) const BLOCK_BYTES: usize = 8 << 10;

/// Minimum tokens of a match to copy from; the n-gram model counts shorter ones.
pub(super) const MIN_MATCH: usize = 6;

/// Maximum tokens of a match that are compared.
pub(super) const MAX_MATCH: usize = 32;

/// Maximum occurrences of the last five tokens that are compared in each scope.
pub(super) const COPY_OCCURRENCES: usize = 64;

/// Probability that the token after an n-token match is right, by n: counted over the tokens written by commits to the
/// development repositories, 14,000 of which have such a match.
pub(super) fn copy_trust(tokens: usize) -> f64 {
    match tokens {
        ..6 => 0.0,
        6..8 => 0.77,
        8..12 => 0.84,
        12..16 => 0.85,
        16..24 => 0.87,
        _ => 0.9,
    }
}

/// Weights of the logistic regression behind a confidence, in the natural logarithms of the features.
#[derive(Debug)]
pub(super) struct Weights {
    pub(super) bias: f64,
    pub(super) probability: f64,
    pub(super) margin: f64,
    pub(super) repeated: f64,
    pub(super) written: f64,
    pub(super) typed: f64,
}

/// New lines: 2,357 lines of commits to 88 train and development repositories in 16 languages, 1,072 of them in tests
/// (`train/confidence.py`, 2026-11-24). Weights of one half hold in the other, and in tests as elsewhere.
pub(super) const NEW_LINE: Weights = Weights {
    bias: -1.269,
    probability: 0.507,
    margin: 0.356,
    repeated: 0.383,
    written: -0.369,
    typed: 0.0,
};

/// Rests of lines of which half is typed, at the same places: 1,997 lines, 922 of them in tests.
pub(super) const REST_OF_LINE: Weights = Weights {
    bias: -1.941,
    probability: 0.073,
    margin: 0.495,
    repeated: 1.12,
    written: -0.025,
    typed: -0.295,
};
