//! What reranking may look at.

use crate::index::Snapshot;
use crate::index::bm25::WeightedQuery;
use crate::retrieve::Query;
use crate::scope::Cursor;

/// What reranking may look at.
#[derive(Clone, Copy)]
pub struct RerankInputs<'i> {
    /// Where the candidates are.
    pub snapshot: &'i Snapshot,
    /// What is looked for.
    pub query: &'i Query,
    /// The terms of the query as the snapshot has them.
    pub weighed: &'i WeightedQuery,
    /// The cursor; `None` for a question.
    pub cursor: Option<&'i Cursor>,
}
