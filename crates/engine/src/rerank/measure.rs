//! The features that the index alone tells: names, paths, what a path says of a file.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::combine::is_neutral;
use super::config::RerankConfig;
use super::inputs::RerankInputs;
use crate::evidence::{Feature, Reason};
use crate::fuse::Candidate;
use crate::index::bm25::WeightedTerm;
use crate::index::{ChunkId, FileId, FileRole, PathFeatures, Snapshot};
use crate::retrieve::Query;

/// Measures each candidate by itself.
pub(super) fn measure(
    inputs: &RerankInputs<'_>,
    candidates: &mut [Candidate],
    config: &RerankConfig,
) {
    let mut files: FxHashMap<FileId, FileFeatures> =
        FxHashMap::with_capacity_and_hasher(candidates.len(), FxBuildHasher);
    if !is_neutral(config.defines_words) {
        measure_defined_words(inputs, candidates);
    }
    for it in candidates {
        let file = it.chunk.file;
        let of_file = files
            .entry(file)
            .or_insert_with(|| FileFeatures::new(inputs.snapshot, file, inputs.query));
        let is_exact = it.reasons.iter().any(|it| matches!(it, Reason::Defines { .. }));
        it.features.set(Feature::DefinesName, f32::from(u8::from(is_exact)));
        it.features.set(Feature::FileName, of_file.stem);
        if let Some(class) = of_file.class {
            it.features.set(class, 1.0);
        }
    }
}

/// What is the same for all chunks of a file.
struct FileFeatures {
    stem: f32,
    class: Option<Feature>,
}

impl FileFeatures {
    fn new(snapshot: &Snapshot, file: FileId, query: &Query) -> Self {
        let PathFeatures { role, stem } = snapshot.path_features(file);
        let class = match role {
            FileRole::Test => Some(Feature::Test),
            FileRole::Periphery => Some(Feature::Periphery),
            FileRole::Gathering => Some(Feature::Gathering),
            FileRole::Prose => Some(Feature::Prose),
            FileRole::Data => Some(Feature::Data),
            FileRole::Code => None,
        };
        Self { stem: stem_coverage(stem, query), class }
    }
}

/// The share of the query's words that the names have which a chunk defines.
fn measure_defined_words(inputs: &RerankInputs<'_>, candidates: &mut [Candidate]) {
    let is_word = |it: &(usize, &WeightedTerm)| it.1.weight >= 1.0;
    let words = inputs.query.terms.iter().enumerate().filter(is_word).map(|it| it.0);
    let words: Vec<usize> = words.collect();
    if words.is_empty() {
        return;
    }
    let chunks: Vec<ChunkId> = candidates.iter().map(|it| it.chunk).collect();
    let defined = inputs.snapshot.n_in_defined_names(inputs.weighed, &words, &chunks);
    for (it, defined) in candidates.iter_mut().zip(defined) {
        it.features.set(Feature::DefinesWords, defined as f32 / words.len() as f32);
    }
}

/// The share of the words of a file's stem that are in the query.
fn stem_coverage(stem: &[String], query: &Query) -> f32 {
    // A sub-word or another form of a word counts as much as it weighs in the query.
    let weight =
        |term: &String| query.terms.iter().find(|it| it.term == *term).map(|it| it.weight.min(1.0));
    let covered: f32 = stem.iter().filter_map(weight).sum();
    if stem.is_empty() { 0.0 } else { covered / stem.len() as f32 }
}
