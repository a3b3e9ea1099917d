//! How many tokens a prompt may have, and what they may be spent on.

use serde::{Deserialize, Serialize};

/// Counts the tokens of a text.
pub type Count<'c> = &'c dyn Fn(&str) -> usize;

/// How many tokens may be spent on what.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The whole prompt.
    pub total: usize,
    /// The share of `total` that the text before the cursor may take.
    pub prefix: f32,
    /// The share of `total` that the text after it may take.
    pub suffix: f32,
    /// The share of what is left for context that one piece may take.
    pub piece: f32,
    /// How many lines of a chunk are shown, those that say most.
    pub excerpt: usize,
    /// How much a line counts that stands where a file goes on like the text around the cursor, in units of what the
    /// words of an average line count.
    pub likeness: f32,
    /// What is left of the worth of a line that the text around the cursor shows, too.
    pub known: f32,
    /// How many pieces there may be.
    pub max_pieces: usize,
    /// Candidates with less than this share of the best score are left out: more context is not always better.
    pub least_score: f32,
}
