//! What the retrieval of a signal may look at.

use super::names::NameConfig;
use super::query::Query;
use super::question::Meanings;
use crate::index::Snapshot;
use crate::index::bm25::{Keep, Scores, WeightedQuery};
use crate::scope::{Cursor, Scope, View};

/// What a signal may look at.
#[derive(Clone, Copy)]
pub struct Inputs<'i> {
    /// Where chunks are looked for.
    pub snapshot: &'i Snapshot,
    /// What is looked for.
    pub query: &'i Query,
    /// The terms of the query as the snapshot has them.
    pub weighed: &'i WeightedQuery,
    /// What each chunk scores for these.
    pub scores: &'i Scores,
    /// Which files may be found; `None` for all.
    pub keep: Keep<'i>,
    /// How many hits a list has at most.
    pub limit: usize,
    /// How much names at a cursor tell.
    pub names: &'i NameConfig,
    /// Vectors of the question and of chunks; `None` where only words count.
    pub meanings: Option<Meanings<'i>>,
    /// The surroundings of a cursor; `None` for a question.
    pub hole: Option<HoleInputs<'i>>,
}

/// What a signal may look at when the query is of a cursor.
#[derive(Clone, Copy)]
pub struct HoleInputs<'i> {
    /// The repository with the unsaved text.
    pub view: &'i View<'i>,
    /// The cursor.
    pub cursor: &'i Cursor,
    /// What is in its reach.
    pub scope: &'i Scope,
}
