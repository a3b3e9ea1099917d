//! Ranked lists of chunks, one for each signal, each hit with its reason.

mod lexical;
mod near;
pub mod query;
mod question;
mod symbol;

use crate::evidence::{Reason, Signal};
use crate::index::bm25::{Keep, Weighed};
use crate::index::{ChunkId, Snapshot};
use crate::scope::{Cursor, Scope, View};

pub use lexical::explain;
pub use query::{Query, QueryConfig, hole_query, question_query};
pub use question::Question;

/// What a signal may look at.
#[derive(Clone, Copy)]
pub struct Inputs<'i> {
    /// Where chunks are looked for.
    pub snapshot: &'i Snapshot,
    /// What is looked for.
    pub query: &'i Query,
    /// The terms of the query as the snapshot has them.
    pub weighed: &'i Weighed,
    /// Which files may be found; `None` for all.
    pub keep: Keep<'i>,
    /// How many hits a list has at most.
    pub limit: usize,
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

/// The ranked list of one signal; `None` if the signal says nothing of questions and there is no cursor.
pub fn retrieve(signal: Signal, inputs: &Inputs<'_>) -> Option<RankedList> {
    let mut hits = match (signal, inputs.hole) {
        // Already sorted, with each chunk once, and within the limit.
        (Signal::Lexical, _) => return Some(RankedList { signal, hits: lexical::lexical(inputs) }),
        (Signal::Symbol, None) => symbol::named(inputs),
        (Signal::Symbol, Some(hole)) => symbol::used_at_hole(inputs, &hole),
        (Signal::Graph, Some(hole)) => near::graph(inputs, &hole),
        (Signal::Package, Some(hole)) => near::package(inputs, &hole),
        (Signal::Recent, Some(hole)) => near::recent(inputs, &hole),
        (Signal::Graph | Signal::Package | Signal::Recent, None) => return None,
    };
    sort_and_limit(&mut hits, inputs.limit);
    Some(RankedList { signal, hits })
}

/// Sorts hits, keeps the best of each chunk and definition, and of those the first `limit`.
fn sort_and_limit(hits: &mut Vec<Hit>, limit: usize) {
    hits.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| (a.chunk, a.definition).cmp(&(b.chunk, b.definition)))
    });
    let mut seen = rustc_hash::FxHashSet::default();
    hits.retain(|it| seen.insert((it.chunk, it.definition)));
    hits.truncate(limit);
}

/// A chunk on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub chunk: ChunkId,
    /// The definition that was found, by number in its file; `None` if the chunk itself was found.
    pub definition: Option<u32>,
    /// The signal's own score; comparable within its list only.
    pub score: f32,
    /// Why.
    pub reason: Reason,
}

/// The hits of one signal, best first; ties by (path, start).
#[derive(Clone, Debug, PartialEq)]
pub struct RankedList {
    /// The signal.
    pub signal: Signal,
    /// Best first.
    pub hits: Vec<Hit>,
}
