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

/// Pairs of a probability and the share of correct lines near it, interpolated linearly.
type Curve = [(f64, f64)];

/// Whole lines with composed context (`foreword-evaluate next-line`; groups of equal size, pooled until monotone): 587
/// lines of 223 holes in code of 16 development repositories in 16 languages, and 441 lines of 147 commits to three
/// other repositories. The commits' curve alone was too high in new repositories (.57 where .41 were correct;
/// 2026-11-22).
pub(super) const WHOLE_LINES: &Curve = &[
    (0.0, 0.0),
    (0.013, 0.05),
    (0.044, 0.06),
    (0.07, 0.10),
    (0.126, 0.20),
    (0.26, 0.23),
    (0.463, 0.25),
    (0.6, 0.36),
    (0.737, 0.52),
    (0.874, 0.86),
    (0.92, 0.87),
    (1.0, 0.95),
];

/// Rests of lines of which a quarter or half is typed: 1,146 lines of 396 commits to eleven development repositories
/// (`next-line --begun 0.25` and `0.5`, 2026-11-21; groups of equal size, pooled until monotone).
pub(super) const PARTIAL_LINES: &Curve = &[
    (0.0, 0.0),
    (0.0004, 0.1),
    (0.0028, 0.19),
    (0.0225, 0.34),
    (0.0527, 0.46),
    (0.1165, 0.52),
    (0.366, 0.59),
    (0.771, 0.83),
    (0.95, 0.97),
    (1.0, 0.97),
];
