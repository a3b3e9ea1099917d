//! Spends a little more on the first candidates: cheap features, each a factor that is named in the reasons.

mod alike;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::fuse::{Candidate, sort};
use crate::index::bm25::{Weighed, WeightedTerm};
use crate::index::{ChunkId, FileId, PathFacts, Prior, Snapshot};
use crate::retrieve::{Query, Reason};

pub(crate) use alike::raise;

/// How much each feature counts. A factor of 1 switches a feature off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RerankConfig {
    /// How many candidates are looked at; the rest keep their order behind them.
    pub depth: usize,
    /// For a chunk whose defined names hold all words of the query, shared by how many of them they hold.
    pub defines_words: f32,
    /// For a chunk that defines a name of the query exactly.
    pub defines_name: f32,
    /// For a file whose stem holds all words of the query, likewise shared.
    pub stem: f32,
    /// How much of the file's other hits' scores is added to its best.
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
    /// At a cursor: how much of the best score is added for a chunk with lines that are alike those before the cursor, by
    /// how alike they are.
    pub alike: f32,
    /// The same for a chunk of the cursor's own file.
    pub own_file: f32,
}

/// Multiplies scores by features and sorts again.
pub fn rerank(
    snapshot: &Snapshot,
    query: &Query,
    weighed: &Weighed,
    mut candidates: Vec<Candidate>,
    config: &RerankConfig,
) -> Vec<Candidate> {
    let rest = candidates.split_off(candidates.len().min(config.depth));
    let mut files: FxHashMap<FileId, FileFeatures> =
        FxHashMap::with_capacity_and_hasher(candidates.len(), FxBuildHasher);
    let held = held_by_names(snapshot, query, weighed, &candidates, config);
    for (it, held) in candidates.iter_mut().zip(held) {
        let file = files
            .entry(it.chunk.file)
            .or_insert_with(|| FileFeatures::new(snapshot, it.chunk.file, query, config));
        multiply(it, "defines the words", config.defines_words, held);
        multiply(it, "defines the name", config.defines_name, names_exactly(it));
        multiply(it, "named by the file", config.stem, file.stem);
        scale(it, file.prior.what(), file.prior_factor);
    }
    sort(&mut candidates);
    cohere(&mut candidates, config.coherence);
    sort(&mut candidates);
    spread(&mut candidates, config.same_file);
    sort(&mut candidates);
    let lowest = candidates.last().map_or(f32::MAX, |it| it.score);
    candidates.extend(rest.into_iter().map(|mut it| {
        it.score = it.score.min(lowest);
        it
    }));
    candidates
}

/// What is the same for all chunks of a file.
struct FileFeatures {
    stem: f32,
    prior: Prior,
    prior_factor: f32,
}

impl FileFeatures {
    fn new(snapshot: &Snapshot, file: FileId, query: &Query, config: &RerankConfig) -> Self {
        let PathFacts { prior, stem } = snapshot.facts(file);
        let prior_factor = match prior {
            Prior::Test if query.asks_for_tests => 1.0,
            Prior::Test => config.tests,
            Prior::Periphery => config.periphery,
            Prior::Gathering => config.gathering,
            Prior::Prose => config.prose,
            Prior::Data => config.data,
            Prior::Code => 1.0,
        };
        Self { stem: covered_by_stem(stem, query), prior: *prior, prior_factor }
    }
}

/// `factor` in the degree (0 to 1) to which a feature holds.
fn multiply(it: &mut Candidate, what: &'static str, factor: f32, degree: f32) {
    scale(it, what, 1.0 + (factor - 1.0) * degree);
}

/// Whether a factor is so near to 1 that it need not be told.
fn is_off(factor: f32) -> bool {
    (factor - 1.0).abs() <= 0.005
}

fn scale(it: &mut Candidate, what: &'static str, factor: f32) {
    it.score *= factor;
    if !is_off(factor) {
        it.reasons.push(Reason::Feature { what, factor });
    }
}

/// For each candidate the share of the query's words that the names hold which its chunk defines.
fn held_by_names(
    snapshot: &Snapshot,
    query: &Query,
    weighed: &Weighed,
    candidates: &[Candidate],
    config: &RerankConfig,
) -> Vec<f32> {
    let is_word = |it: &(usize, &WeightedTerm)| it.1.weight >= 1.0;
    let words = query.terms.iter().enumerate().filter(is_word).map(|it| it.0);
    let words: Vec<usize> = words.collect();
    if words.is_empty() || is_off(config.defines_words) {
        return vec![0.0; candidates.len()];
    }
    let chunks: Vec<ChunkId> = candidates.iter().map(|it| it.chunk).collect();
    let held = snapshot.defined(weighed, &words, &chunks);
    held.into_iter().map(|it| it as f32 / words.len() as f32).collect()
}

fn names_exactly(it: &Candidate) -> f32 {
    let exact = it.reasons.iter().any(|reason| matches!(reason, Reason::Defines { .. }));
    f32::from(u8::from(exact))
}

/// The share of the words of a file's stem that are in the query.
fn covered_by_stem(stem: &[String], query: &Query) -> f32 {
    // A sub-word or another form of a word speaks for a file as much as it weighs in the query.
    let weight =
        |term: &String| query.terms.iter().find(|it| it.term == *term).map(|it| it.weight.min(1.0));
    let held: f32 = stem.iter().filter_map(weight).sum();
    if stem.is_empty() { 0.0 } else { held / stem.len() as f32 }
}

/// A file with several hits is likelier to be meant: its best hit gets a share of the others.
fn cohere(candidates: &mut [Candidate], share: f32) {
    if share <= 0.0 {
        return;
    }
    let mut others: FxHashMap<FileId, f32> = FxHashMap::default();
    let mut first: FxHashMap<FileId, usize> = FxHashMap::default();
    for (idx, it) in candidates.iter().enumerate() {
        match first.entry(it.chunk.file) {
            std::collections::hash_map::Entry::Vacant(entry) => drop(entry.insert(idx)),
            std::collections::hash_map::Entry::Occupied(_) => {
                *others.entry(it.chunk.file).or_default() += it.score;
            }
        }
    }
    for (idx, it) in candidates.iter_mut().enumerate() {
        let is_first = first.get(&it.chunk.file) == Some(&idx);
        let Some(sum) = others.get(&it.chunk.file).filter(|_| is_first) else { continue };
        // Never more than doubled: one file of many weak hits must not bury a single right one.
        let factor = 1.0 + (share * sum / it.score).min(1.0);
        scale(it, "the file has other hits", factor);
    }
}

/// Later hits of one file step back, so that the first page shows several files.
fn spread(candidates: &mut [Candidate], factor: f32) {
    let mut seen: FxHashMap<FileId, i32> = FxHashMap::default();
    for it in candidates {
        let before = seen.entry(it.chunk.file).or_default();
        let all = factor.powi(*before);
        *before += 1;
        scale(it, "the file is shown above", all);
    }
}
