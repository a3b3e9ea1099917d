//! Ranked lists into one list of candidates.

use std::num::NonZeroU32;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::evidence::{Features, PerSignal, Reason, Signal, SignalScore};
use crate::index::ChunkId;
use crate::retrieve::{Hit, RankedList};

/// How lists are merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuseConfig {
    /// The weight of each signal; 0 leaves it out.
    pub weights: PerSignal<f32>,
    /// How scores of different lists are made comparable.
    pub method: Method,
    /// The score at which a definition found by name has the whole weight of its list, with [`Method::Scores`]. Where even
    /// the best has less (a name that is used far away, or may be one of many), all have as much less: being the best of a
    /// poor list says nothing.
    pub whole_name: f32,
}

/// How scores of different lists are made comparable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Method {
    /// Reciprocal rank fusion, 1 / (k + rank) (Cormack, Clarke and Büttcher 2009): only ranks count.
    Reciprocal {
        /// Usually 60.
        k: f32,
    },
    /// Each list's scores by its highest: margins count (a convex combination, Bruch, Gai and Ingber 2023).
    Scores,
}

/// A chunk that at least one signal found.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The chunk.
    pub chunk: ChunkId,
    /// Definitions in it that were found by name, the best first.
    pub definitions: Vec<u32>,
    /// What each signal says of it; `None` where its list does not have the chunk.
    pub signals: PerSignal<Option<SignalScore>>,
    /// What reranking measured.
    pub features: Features,
    /// Its place (from 1) and score after the lists were merged.
    pub fused: (u32, f32),
    /// The score in force: the fused score until `rerank` changes it.
    pub score: f32,
    /// Why it is here, and what changed its score.
    pub reasons: Vec<Reason>,
}

impl Candidate {
    /// A chunk of which nothing is known yet.
    pub fn new(chunk: ChunkId) -> Self {
        Self {
            chunk,
            definitions: Vec::new(),
            signals: PerSignal::default(),
            features: Features::default(),
            fused: (0, 0.0),
            score: 0.0,
            reasons: Vec::new(),
        }
    }

    /// Its place (from 1) on each list that has it.
    pub fn ranks(&self) -> impl Iterator<Item = (Signal, u32)> {
        self.signals.iter().filter_map(|(signal, it)| Some((signal, it?.rank.get())))
    }

    /// Takes over what a hit says beside its score.
    fn add_hit(&mut self, hit: &Hit) {
        self.definitions.extend(hit.definition);
        if !self.reasons.contains(&hit.reason) {
            self.reasons.push(hit.reason.clone());
        }
    }
}

/// Merges lists; best first, ties by (path, start). Lists whose signal has no weight are left out.
pub fn fuse(lists: &[RankedList], config: &FuseConfig) -> Vec<Candidate> {
    let mut places: FxHashMap<ChunkId, usize> = FxHashMap::default();
    let mut res: Vec<Candidate> = Vec::new();
    for list in lists.iter().filter(|it| config.weights[it.signal] > 0.0) {
        let least = if list.signal == Signal::Symbol { config.whole_name } else { 0.0 };
        let best = list.hits.first().map_or(1.0, |it| it.score);
        let highest = best.max(least).max(f32::MIN_POSITIVE);
        let mut counted = FxHashSet::default();
        for (rank, hit) in (1..).filter_map(NonZeroU32::new).zip(&list.hits) {
            let place = *places.entry(hit.chunk).or_insert_with(|| {
                res.push(Candidate::new(hit.chunk));
                res.len() - 1
            });
            res[place].add_hit(hit);
            // A chunk that a list has several times (two definitions in it) counts there by its best.
            if counted.insert(hit.chunk) {
                let score = SignalScore { rank, score: hit.score, relative: hit.score / highest };
                res[place].signals[list.signal] = Some(score);
            }
        }
    }
    for it in &mut res {
        it.score = fused_score(&it.signals, config);
    }
    sort(&mut res);
    for (rank, it) in (1..).zip(&mut res) {
        it.fused = (rank, it.score);
    }
    res
}

/// The weighted sum of what the signals say; but what a chunk means is no more than a floor under what its words say. It brings
/// in what has other words than the question, and does not reorder what the words have found: added to them it made the
/// questions worse that they answer already (`benchmarks/results/search.md`).
fn fused_score(signals: &PerSignal<Option<SignalScore>>, config: &FuseConfig) -> f32 {
    let term = |(signal, it): (Signal, Option<SignalScore>)| {
        let it = it?;
        let comparable = match config.method {
            Method::Reciprocal { k } => 1.0 / (k + it.rank.get() as f32),
            Method::Scores => it.relative,
        };
        Some(config.weights[signal] * comparable)
    };
    let said = signals.iter().filter(|it| it.0 != Signal::Dense);
    let sum = said.filter_map(term).fold(0.0, |sum, it| sum + it);
    term((Signal::Dense, signals[Signal::Dense])).map_or(sum, |floor| sum.max(floor))
}

/// Best first; ties by (path, start).
pub fn sort(candidates: &mut [Candidate]) {
    candidates
        .sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk.cmp(&b.chunk)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chunk_means_is_a_floor_under_what_its_words_say() {
        let weights = [(Signal::Lexical, 1.0), (Signal::Dense, 0.8)].into_iter().collect();
        let config = FuseConfig { weights, method: Method::Scores, whole_name: 0.0 };
        let score = |words: Option<f32>, meaning: Option<f32>| {
            let of = |it: f32| SignalScore { rank: NonZeroU32::MIN, score: it, relative: it };
            let mut signals = PerSignal::default();
            signals[Signal::Lexical] = words.map(of);
            signals[Signal::Dense] = meaning.map(of);
            fused_score(&signals, &config)
        };
        assert!((score(Some(0.9), Some(1.0)) - 0.9).abs() < 1e-6);
        assert!((score(Some(0.5), Some(1.0)) - 0.8).abs() < 1e-6);
        assert!((score(None, Some(0.5)) - 0.4).abs() < 1e-6);
        assert!((score(Some(0.5), None) - 0.5).abs() < 1e-6);
    }
}
