//! Reranks the first candidates: measures features of each, then combines signals and features into a score and
//! reasons.
//!
//! Measuring and combining alternate, because some features depend on the order so far: the number of hits of a file,
//! and which candidates are worth reading.

mod combine;
mod config;
mod definitions;
mod inputs;
mod licences;
mod likeness;
mod measure;
mod own_file;
mod paths;
mod texts;

use crate::fuse::Candidate;
use crate::index::Snapshot;
use crate::scope::Cursor;

pub(crate) use combine::{is_rejected, put_rejected_back};
pub use config::RerankConfig;
pub(crate) use definitions::DefinitionRanker;
pub use inputs::RerankInputs;
use own_file::OwnFile;

/// Measures features of the first candidates, updates their scores and sorts them again.
pub fn rerank(
    inputs: &RerankInputs<'_>,
    candidates: Vec<Candidate>,
    config: &RerankConfig,
) -> Vec<Candidate> {
    let mut candidates = by_features(inputs, candidates, config);
    let Some(hole) = inputs.hole else { return candidates };
    by_likeness(inputs.snapshot, hole.cursor, &mut candidates, config);
    candidates
}

/// Applies features of the index, the query and the order so far.
fn by_features(
    inputs: &RerankInputs<'_>,
    mut candidates: Vec<Candidate>,
    config: &RerankConfig,
) -> Vec<Candidate> {
    let rest = candidates.split_off(candidates.len().min(config.depth));
    measure::measure(inputs, &mut candidates, config);
    if inputs.hole.is_none() {
        measure::measure_unit_tests(inputs.snapshot, &mut candidates);
    }
    combine::multiply(&mut candidates, inputs.query, config);
    if inputs.hole.is_none() && !inputs.query.is_symbol {
        measure::measure_functions(inputs.snapshot, &mut candidates);
        definitions::measure(inputs, &mut candidates, config);
        combine::weigh_definitions(&mut candidates, config);
    }
    if let Some(prior) = inputs.prior {
        combine::apply_prior(&mut candidates, prior);
    }
    let own = inputs.hole.map(|it| OwnFile::of(inputs.snapshot, it.cursor)).unwrap_or_default();
    if inputs.hole.is_some() {
        own.mark(&mut candidates);
    }
    combine::add_other_hits(&mut candidates, &own, config.coherence);
    combine::demote_repeated_files(&mut candidates, &own, config.same_file);
    if !inputs.query.corrections.is_empty() {
        combine::put_corrections_first(&mut candidates, &inputs.query.corrections);
    }
    if inputs.prior.is_some() {
        combine::demote_rejected(&mut candidates);
    }
    if inputs.hole.is_none() {
        licences::put_back(inputs, &mut candidates);
    }
    let lowest = candidates.last().map_or(f32::MAX, |it| it.score);
    candidates.extend(rest.into_iter().map(|mut it| {
        it.score = it.score.min(lowest);
        it
    }));
    candidates
}

/// Applies the similarity of candidates to the lines before the cursor.
fn by_likeness(
    snapshot: &Snapshot,
    cursor: &Cursor,
    candidates: &mut [Candidate],
    config: &RerankConfig,
) {
    if config.alike > 0.0 || config.own_file > 0.0 {
        likeness::measure(snapshot, cursor, candidates);
        combine::add_likeness(candidates, config);
    }
}
