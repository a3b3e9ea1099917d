//! Spends a little more on the first candidates: measures features of each, then combines signals and features into
//! one score and into reasons.
//!
//! Measuring and combining alternate, because some features are of the order so far: how many hits a file has, which
//! candidates are worth reading.

mod combine;
mod config;
mod inputs;
mod likeness;
mod measure;

use crate::fuse::Candidate;

pub use config::RerankConfig;
pub use inputs::RerankInputs;

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
