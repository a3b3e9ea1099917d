//! The outcome of one question.

use serde::Serialize;

use crate::measures::budget::BUDGETS;

/// The ranks of a relevant file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoldRank {
    /// Path from the root of the searched tree.
    pub path: String,
    /// The rank of its first chunk among the first 10.
    pub chunk: Option<usize>,
    /// Its rank among the first 10 files.
    pub file: Option<usize>,
}

/// A result of an answer.
#[derive(Clone, Debug, Serialize)]
pub struct TopResult {
    /// `path:first-last`.
    pub place: String,
    /// The definition that names it.
    pub symbol: String,
    /// After reranking.
    pub score: f32,
    /// The reasons, in words.
    pub reasons: Vec<String>,
}

/// The outcome of a question.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// The kind of question.
    pub category: String,
    /// The question.
    pub query: String,
    /// The protocol's score, nDCG@10.
    pub ndcg: f64,
    /// nDCG@10 where ranks count files.
    pub file_ndcg: f64,
    /// Reciprocal rank of the first relevant chunk.
    pub reciprocal_rank: f64,
    /// Fraction of relevant files among the first 10 chunks.
    pub recall: f64,
    /// Fraction of relevant files within each budget of [`BUDGETS`].
    pub recall_at: [f64; BUDGETS.len()],
    /// Tokens up to and including the first relevant chunk.
    pub tokens_to_hit: Option<usize>,
    /// The latency of the answer.
    pub milliseconds: f64,
    /// The ranks of each relevant file.
    pub gold: Vec<GoldRank>,
    /// The first results.
    pub top: Vec<TopResult>,
}
