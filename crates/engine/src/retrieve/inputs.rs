//! Inputs of retrieval, the same for every signal.

use super::names::NameConfig;
use super::query::Query;
use super::question::Meanings;
use crate::index::bm25::{Keep, Scores, WeightedQuery};
use crate::index::{FileRole, Snapshot, file_role};
use crate::scope::{Cursor, Scope, View};

/// Inputs of a signal.
#[derive(Clone, Copy)]
pub struct Inputs<'i> {
    /// The repository to search.
    pub snapshot: &'i Snapshot,
    /// The query.
    pub query: &'i Query,
    /// The terms of the query with their weights in this snapshot.
    pub weighed: &'i WeightedQuery,
    /// Lexical scores of all chunks.
    pub scores: &'i Scores,
    /// Filter of files; `None` accepts all.
    pub keep: Keep<'i>,
    /// Maximum number of hits.
    pub limit: usize,
    /// Weights of names at a cursor.
    pub names: &'i NameConfig,
    /// Vectors of the question and of chunks; `None` where only words count.
    pub meanings: Option<Meanings<'i>>,
    /// The surroundings of the cursor; `None` for a question.
    pub hole: Option<HoleInputs<'i>>,
}

/// Further inputs when the query comes from a cursor.
#[derive(Clone, Copy)]
pub struct HoleInputs<'i> {
    /// The repository with unsaved text.
    pub view: &'i View<'i>,
    /// The cursor.
    pub cursor: &'i Cursor,
    /// Definitions, imports and files in reach of the cursor.
    pub scope: &'i Scope,
}

impl HoleInputs<'_> {
    /// Whether the user has neither edited nor visited other files, as far as is known. In a test file, other files are
    /// what is being tested, and their recency tells which.
    pub(crate) fn is_before_edits(&self) -> bool {
        let activity = self.view.activity();
        let is_idle = activity.edited.is_empty() && activity.visited.is_empty();
        is_idle && file_role(self.cursor.path(), self.scope.record.language) != FileRole::Test
    }
}
