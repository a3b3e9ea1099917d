//! The token budget: how much of the text around the cursor is shown, which pieces fit and in which form, and what was
//! left out.

mod draft;
mod excerpt;
mod select;
mod window;

use serde::{Deserialize, Serialize};

pub use draft::Form;
pub(crate) use excerpt::{Lines, Words};
pub use select::{DroppedCandidate, Piece, PieceBudget, Selection, VisibleText, select};
pub use window::{Window, window};

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
    /// How many pieces there may be.
    pub max_pieces: usize,
    /// Candidates with less than this share of the best score are left out: more context is not always better.
    pub least_score: f32,
}
