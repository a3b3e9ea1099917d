//! The combiner in force: the fused score, multiplied by a factor for each feature and raised by shares of other scores.
//!
//! It reads features and weights and writes scores and reasons; the features of the order so far (the other hits of a
//! file, the better ones) are noted here, since they exist only between two passes.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::config::RerankConfig;
use super::likeness::COMMON;
use crate::evidence::{Feature, Reason};
use crate::fuse::{Candidate, sort};
use crate::index::{ChunkId, FileId};
use crate::retrieve::Query;

/// Multiplies scores by the factors of the features that each candidate has by itself, and sorts.
pub(super) fn multiply(candidates: &mut [Candidate], query: &Query, config: &RerankConfig) {
    let graded = [
        (Feature::DefinesWords, config.defines_words),
        (Feature::DefinesName, config.defines_name),
        (Feature::FileName, config.stem),
        (Feature::PathWords, config.path),
    ];
    let tests = if query.asks_for_tests { 1.0 } else { config.tests };
    let classes = [
        (Feature::Test, tests),
        (Feature::Periphery, config.periphery),
        (Feature::ThirdParty, config.third_party),
        (Feature::ReExport, config.re_export),
        (Feature::Gathering, config.gathering),
        (Feature::Prose, config.prose),
        (Feature::Data, config.data),
    ];
    for it in candidates.iter_mut() {
        for (feature, factor) in graded {
            let degree = it.features.value(feature);
            scale(it, feature, 1.0 + (factor - 1.0) * degree);
        }
        for (feature, factor) in classes {
            if it.features.get(feature).is_some() {
                scale(it, feature, factor);
            }
        }
    }
    sort(candidates);
}

/// Multiplies scores by what is known of the chunks beside their texts, and sorts.
pub(super) fn apply_prior(
    candidates: &mut [Candidate],
    prior: &dyn Fn(ChunkId) -> Vec<(Feature, f32)>,
) {
    for it in candidates.iter_mut() {
        for (feature, factor) in prior(it.chunk) {
            it.features.set(feature, factor);
            scale(it, feature, factor);
        }
    }
    sort(candidates);
}

/// A file with several hits is likelier to be meant: its best hit gets a share of the others' scores.
pub(super) fn add_other_hits(candidates: &mut [Candidate], share: f32) {
    if share <= 0.0 {
        return;
    }
    let mut best: FxHashMap<FileId, usize> = FxHashMap::default();
    let mut others: FxHashMap<FileId, f32> = FxHashMap::default();
    for (idx, it) in candidates.iter().enumerate() {
        match best.entry(it.chunk.file) {
            Entry::Vacant(entry) => drop(entry.insert(idx)),
            Entry::Occupied(_) => *others.entry(it.chunk.file).or_default() += it.score,
        }
    }
    for (idx, it) in candidates.iter_mut().enumerate() {
        let is_best = best.get(&it.chunk.file) == Some(&idx);
        let Some(sum) = others.get(&it.chunk.file).filter(|_| is_best) else { continue };
        it.features.set(Feature::OtherHits, *sum);
        // Never more than doubled: one file of many weak hits must not bury a single right one.
        let factor = 1.0 + (share * sum / it.score).min(1.0);
        scale(it, Feature::OtherHits, factor);
    }
    sort(candidates);
}

/// Later hits of one file are demoted, so that the first page shows several files.
pub(super) fn demote_repeated_files(candidates: &mut [Candidate], factor: f32) {
    let mut seen: FxHashMap<FileId, u16> = FxHashMap::default();
    for it in candidates.iter_mut() {
        let better = seen.entry(it.chunk.file).or_default();
        it.features.set(Feature::BetterHits, f32::from(*better));
        let all = factor.powi(i32::from(*better));
        *better += 1;
        scale(it, Feature::BetterHits, all);
    }
    sort(candidates);
}

/// Puts what defines a name that a misspelt one may mean before all else, in the order of the names.
pub(super) fn put_corrections_first(candidates: &mut [Candidate], corrections: &[String]) {
    let best = candidates.first().map_or(0.0, |it| it.score);
    let place = |it: &Candidate| {
        let names = it.reasons.iter().filter_map(|it| match it {
            Reason::Defines { name } => corrections.iter().position(|known| known == name),
            _ => None,
        });
        names.min()
    };
    for it in candidates.iter_mut() {
        if let Some(place) = place(it) {
            // The scores of one name's definitions differ by less than those of two names.
            let share = it.score / best.max(f32::MIN_POSITIVE);
            it.score = best * (1.0 + (corrections.len() - place) as f32 + 0.9 * share);
        }
    }
    sort(candidates);
}

/// Raises what was found to be similar to the lines before the cursor, or to be of its file, by shares of the best score.
pub(super) fn add_likeness(candidates: &mut [Candidate], config: &RerankConfig) {
    let best = candidates.first().map_or(0.0, |it| it.score);
    for it in candidates.iter_mut() {
        if let Some(likeness) = it.features.get(Feature::Likeness) {
            let beyond_common = (likeness - COMMON).max(0.0);
            raise(it, Feature::Likeness, best * config.alike * beyond_common);
        }
        if let Some(is_own) = it.features.get(Feature::OwnFile) {
            raise(it, Feature::OwnFile, best * config.own_file * is_own);
        }
    }
    sort(candidates);
}

/// Whether a factor is so near to 1 that no reason mentions it.
pub(super) fn is_neutral(factor: f32) -> bool {
    (factor - 1.0).abs() <= 0.005
}

fn scale(it: &mut Candidate, feature: Feature, factor: f32) {
    it.score *= factor;
    if !is_neutral(factor) {
        it.reasons.push(Reason::Feature { feature, factor });
    }
}

/// Adds to a score; the reason says by how much that multiplies it.
fn raise(it: &mut Candidate, feature: Feature, more: f32) {
    let factor = (it.score + more) / it.score.max(f32::MIN_POSITIVE);
    it.score += more;
    if !is_neutral(factor) {
        it.reasons.push(Reason::Feature { feature, factor });
    }
}
