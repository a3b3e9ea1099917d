//! How many tokens a prompt may have, and what they may be spent on.

use serde::{Deserialize, Serialize};

use crate::order::Order;

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
    /// The share of words in only one of two pieces below which they are copies of each other; one of them is shown.
    pub news: f32,
    /// How many pieces there may be.
    pub max_pieces: usize,
    /// Candidates with less than this share of the best score are left out: more context is not always better.
    pub least_score: f32,
    /// Where the best pieces stand.
    pub order: Order,
    /// What is shown of the text around the cursor.
    pub trim: Trim,
}

/// What is shown of the text around the cursor, where not all of it fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trim {
    /// The nearest lines, and before them what they need: imports, headers of the definitions around them, constants.
    #[default]
    Scope,
    /// The nearest lines alone.
    Nearest,
}

impl Trim {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Scope, Self::Nearest];

    /// The name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Nearest => "nearest",
        }
    }
}
