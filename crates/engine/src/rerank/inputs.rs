//! What reranking may look at.

use crate::index::Snapshot;
use crate::index::bm25::WeightedQuery;
use crate::retrieve::{HoleInputs, Prior, Query};

/// What reranking may look at.
#[derive(Clone, Copy)]
pub struct RerankInputs<'i> {
    /// Where the candidates are.
    pub snapshot: &'i Snapshot,
    /// What is looked for.
    pub query: &'i Query,
    /// The terms of the query as the snapshot has them.
    pub weighed: &'i WeightedQuery,
    /// The surroundings of a cursor; `None` for a question.
    pub hole: Option<HoleInputs<'i>>,
    /// What is known of chunks beside their texts.
    pub prior: Prior<'i>,
}
