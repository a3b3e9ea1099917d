//! A question to the whole repository.

use foreword_chunk::Kind;

use crate::dense::TermTable;
use crate::evidence::Feature;
use crate::index::ChunkId;
use crate::index::bm25::Keep;

/// What is known of a chunk beside its text: features, each with the factor by which it multiplies the score. `None` where
/// nothing is known of any.
pub type Prior<'q> = Option<&'q dyn Fn(ChunkId) -> Vec<(Feature, f32)>>;

/// A question to the whole repository.
#[derive(Default)]
pub struct Question<'q> {
    /// A question, words, or the name of a symbol.
    pub text: &'q str,
    /// Which kinds of definitions results are titled by; all if it is empty.
    pub kinds: &'q [Kind],
    /// Which files are searched; `None` for all.
    pub keep: Keep<'q>,
    /// Terms that a word of the question may stand for as well (corrected typing errors), with weights.
    pub variants: Vec<(String, f32)>,
    /// What terms mean; `None` where only words count.
    pub meanings: Option<&'q TermTable>,
    /// Names that a misspelt name may mean, the likeliest first: what defines them comes before all else.
    pub corrections: Vec<String>,
    /// What is known of chunks beside their texts.
    pub prior: Prior<'q>,
}

impl<'q> Question<'q> {
    /// A question to all files, as it is written.
    pub fn new(text: &'q str) -> Self {
        Self { text, ..Self::default() }
    }
}
