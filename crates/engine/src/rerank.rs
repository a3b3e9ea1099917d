//! Spends a little more on the first candidates: measures features of each, then combines signals and features into
//! one score and into reasons.
//!
//! Measuring and combining alternate, because some features are of the order so far: how many hits a file has, which
//! candidates are worth reading.

mod combine;
mod likeness;
mod measure;

use serde::{Deserialize, Serialize};

use crate::fuse::Candidate;
use crate::index::Snapshot;
use crate::index::bm25::Weighed;
use crate::retrieve::Query;
use crate::scope::Cursor;

/// How much each feature counts. A factor of 1 switches a feature off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RerankConfig {
    /// How many candidates are looked at; the rest keep their order behind them.
    pub depth: usize,
    /// For a chunk whose defined names have all words of the query, in proportion to how many of them they have.
    pub defines_words: f32,
    /// For a chunk that defines a name of the query exactly.
    pub defines_name: f32,
    /// For a file whose stem has all words of the query, likewise in proportion.
    pub stem: f32,
    /// How much of the scores of the file's other hits is added to its best.
    pub coherence: f32,
    /// For each better hit of the same file.
    pub same_file: f32,
    /// Tests, unless they are asked for.
    pub tests: f32,
    /// Examples, benchmarks, compatibility layers, vendored and generated code.
    pub periphery: f32,
    /// Files that only gather names (`__init__.py`, `mod.rs`, `index.ts`) and declarations (`.d.ts`).
    pub gathering: f32,
    /// Prose.
    pub prose: f32,
    /// Data.
    pub data: f32,
    /// At a cursor: how much of the best score is added for a chunk with lines like those before the cursor, in
    /// proportion to how similar they are.
    pub alike: f32,
    /// The same for a chunk of the cursor's own file.
    pub own_file: f32,
}

/// What reranking may look at.
#[derive(Clone, Copy)]
pub struct RerankInputs<'i> {
    /// Where the candidates are.
    pub snapshot: &'i Snapshot,
    /// What is looked for.
    pub query: &'i Query,
    /// The terms of the query as the snapshot has them.
    pub weighed: &'i Weighed,
    /// The cursor; `None` for a question.
    pub cursor: Option<&'i Cursor>,
}

/// Measures the features of the first candidates, changes their scores and sorts them again.
pub fn rerank(
    inputs: &RerankInputs<'_>,
    mut candidates: Vec<Candidate>,
    config: &RerankConfig,
) -> Vec<Candidate> {
    let rest = candidates.split_off(candidates.len().min(config.depth));
    measure::measure(inputs, &mut candidates, config);
    combine::multiply(&mut candidates, inputs.query, config);
    combine::add_other_hits(&mut candidates, config.coherence);
    combine::demote_repeated_files(&mut candidates, config.same_file);
    let lowest = candidates.last().map_or(f32::MAX, |it| it.score);
    candidates.extend(rest.into_iter().map(|mut it| {
        it.score = it.score.min(lowest);
        it
    }));
    if let Some(cursor) = inputs.cursor.filter(|_| config.alike > 0.0 || config.own_file > 0.0) {
        likeness::measure(inputs.snapshot, cursor, &mut candidates);
        combine::add_likeness(&mut candidates, config);
    }
    candidates
}
