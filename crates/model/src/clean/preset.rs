//! Numbers that decide cuts of a completion. All are first guesses.

/// Bytes before the cursor that are searched for open brackets.
pub(super) const BRACKET_REACH: usize = 8000;

/// Occurrences in a row that make a repetition.
pub(super) const MIN_REPEATS: usize = 3;

/// Longest cycle of repeated lines to look for.
pub(super) const MAX_CYCLE: usize = 8;

/// Lines after the cursor that a completion is compared with.
pub(super) const MAX_LINES_BELOW: usize = 64;
