//! The outcome of one question.

use serde::Serialize;

use crate::measures::budget::BUDGETS;

/// The ranks of a relevant file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoldRank {
    /// Path from the root of the searched tree.
    pub(crate) path: String,
    /// The rank of its first chunk among the first 10.
    pub(crate) chunk: Option<usize>,
    /// Its rank among the first 10 files.
    pub(crate) file: Option<usize>,
}

/// A result of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct TopResult {
    /// `path:first-last`.
    pub(crate) place: String,
    /// The definition that names it.
    pub(crate) symbol: String,
    /// After reranking.
    pub(crate) score: f32,
    /// The reasons, in words.
    pub(crate) reasons: Vec<String>,
}

/// The outcome of a question.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) language: String,
    pub(crate) category: String,
    pub(crate) query: String,
    /// The protocol's score, nDCG@10.
    pub ndcg: f64,
    /// nDCG@10 where ranks count files.
    pub(crate) file_ndcg: f64,
    /// Reciprocal rank of the first relevant chunk.
    pub(crate) reciprocal_rank: f64,
    /// Fraction of relevant files among the first 10 chunks.
    pub(crate) recall: f64,
    /// Rank of the first result with a line of an answer; the outer `None` if the truth has no lines.
    #[expect(clippy::option_option, reason = "no truth differs from no hit")]
    pub(crate) lines: Option<Option<usize>>,
    /// Fraction of relevant files within each budget of [`BUDGETS`].
    pub(crate) recall_at: [f64; BUDGETS.len()],
    /// Tokens up to and including the first relevant chunk.
    pub(crate) tokens_to_hit: Option<usize>,
    pub(crate) milliseconds: f64,
    pub(crate) gold: Vec<GoldRank>,
    pub(crate) top: Vec<TopResult>,
}
