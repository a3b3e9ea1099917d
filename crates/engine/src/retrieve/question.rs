//! A question to the whole repository.

use foreword_chunk::Kind;

use crate::dense::QuestionVector;
use crate::evidence::Feature;
use crate::index::bm25::Keep;
use crate::index::{ChunkId, FileId, Snapshot, Vectors};

/// Vectors of a question and of chunks by the user's embedding model, which are compared beside the words.
#[derive(Clone, Copy)]
pub struct Meanings<'q> {
    /// Vector of the question.
    pub question: &'q QuestionVector,
    /// Vectors of the chunks that have one.
    pub chunks: &'q Vectors,
}

impl Meanings<'_> {
    /// Share of the chunks that have a vector, 0 to 1. While vectors are missing, the ones that exist count less:
    /// otherwise a chunk without a vector would fall behind.
    pub(crate) fn share(&self, snapshot: &Snapshot) -> f32 {
        self.chunks.coverage(snapshot).share()
    }
}

/// What is known of a chunk beside its text: features, each with the factor by which it multiplies the score. `None` where
/// nothing is known of any.
pub type Prior<'q> = Option<&'q dyn Fn(ChunkId) -> Vec<(Feature, f32)>>;

/// Says of a file, the number of a definition in it, and the first and the last byte of a chunk of it whether that is wanted
/// as a result. `None` for all.
pub type Accept<'q> = Option<&'q dyn Fn(FileId, Option<u32>, (usize, usize)) -> bool>;

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
    /// What it means; `None` where only words count.
    pub meanings: Option<Meanings<'q>>,
    /// Names that a misspelt name may mean, the likeliest first: what defines them comes before all else.
    pub corrections: Vec<String>,
    /// What is known of chunks beside their texts.
    pub prior: Prior<'q>,
    /// Which results are wanted; `None` for all.
    pub accept: Accept<'q>,
}

impl<'q> Question<'q> {
    /// A question to all files, as it is written.
    pub fn new(text: &'q str) -> Self {
        Self { text, ..Self::default() }
    }
}
