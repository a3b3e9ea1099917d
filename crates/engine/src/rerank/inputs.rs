//! Inputs of reranking.

use crate::index::Snapshot;
use crate::index::bm25::WeightedQuery;
use crate::retrieve::{HoleInputs, Prior, Query};

/// Inputs of reranking.
#[derive(Clone, Copy)]
pub struct RerankInputs<'i> {
    /// The repository.
    pub snapshot: &'i Snapshot,
    /// The query.
    pub query: &'i Query,
    /// The terms of the query with their weights in this snapshot.
    pub weighed: &'i WeightedQuery,
    /// The surroundings of the cursor; `None` for a question.
    pub hole: Option<HoleInputs<'i>>,
    /// Factors that do not come from texts.
    pub prior: Prior<'i>,
}
