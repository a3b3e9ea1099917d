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

/// Factors on a chunk's score that do not come from its text, each with its feature. `None` for no factors.
pub type Prior<'q> = Option<&'q dyn Fn(ChunkId) -> Vec<(Feature, f32)>>;

/// Filter of results by file, index of the definition, and first and last byte of the chunk. `None` accepts all.
pub type Accept<'q> = Option<&'q dyn Fn(FileId, Option<u32>, (usize, usize)) -> bool>;

/// A question to the whole repository.
#[derive(Default)]
pub struct Question<'q> {
    /// A question, words, or the name of a symbol.
    pub text: &'q str,
    /// Kinds of definitions that may title results; all if empty.
    pub kinds: &'q [Kind],
    /// Filter of files; `None` searches all.
    pub keep: Keep<'q>,
    /// Vectors of its meaning; `None` to match words only.
    pub meanings: Option<Meanings<'q>>,
    /// Factors on scores that do not come from texts.
    pub prior: Prior<'q>,
    /// Filter of results; `None` accepts all.
    pub accept: Accept<'q>,
}

impl<'q> Question<'q> {
    /// A question to all files, without options.
    pub fn new(text: &'q str) -> Self {
        Self { text, ..Self::default() }
    }
}
