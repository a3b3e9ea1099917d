//! Merges ranked lists into one list of candidates.

use std::num::NonZeroU32;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::evidence::{Features, PerSignal, Reason, Signal, SignalScore};
use crate::index::ChunkId;
use crate::retrieve::{Hit, RankedList};

/// Configuration of merging.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuseConfig {
    /// Weight of each signal; 0 disables it.
    pub weights: PerSignal<f32>,
    /// How scores of different lists are made comparable.
    pub method: Method,
    /// Score at which a definition found by name gets the full weight of its list, with [`Method::Scores`]. If the best
    /// score is lower (the name is used far away or is ambiguous), all weights are reduced in proportion: rank 1 of a
    /// poor list is weak evidence.
    pub whole_name: f32,
}

/// How scores of different lists are made comparable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Method {
    /// Reciprocal rank fusion, 1 / (k + rank) (Cormack, Clarke and Büttcher 2009); uses ranks only.
    Reciprocal {
        /// Usually 60.
        k: f32,
    },
    /// Scores relative to the highest of their list, so that margins count (convex combination; Bruch, Gai and Ingber
    /// 2023).
    Scores,
}

/// A chunk found by at least one signal.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The chunk.
    pub chunk: ChunkId,
    /// Definitions in it that were found by name, best first.
    pub definitions: Vec<u32>,
    /// The definition in it that answers a question in words best, if that was measured.
    pub answer: Option<u32>,
    /// Score of each signal; `None` if its list does not contain the chunk.
    pub signals: PerSignal<Option<SignalScore>>,
    /// Features measured by reranking.
    pub features: Features,
    /// Rank (from 1) and score after merging.
    pub fused: (u32, f32),
    /// Current score: the fused score until `rerank` changes it.
    pub score: f32,
    /// Why it was found, and what changed its score.
    pub reasons: Vec<Reason>,
}

impl Candidate {
    /// A candidate without scores.
    pub fn new(chunk: ChunkId) -> Self {
        Self {
            chunk,
            definitions: Vec::new(),
            answer: None,
            signals: PerSignal::default(),
            features: Features::default(),
            fused: (0, 0.0),
            score: 0.0,
            reasons: Vec::new(),
        }
    }

    /// Its rank (from 1) on each list that contains it.
    pub fn ranks(&self) -> impl Iterator<Item = (Signal, u32)> {
        self.signals.iter().filter_map(|(signal, it)| Some((signal, it?.rank.get())))
    }

    /// Copies a hit's definition and reason.
    fn add_hit(&mut self, hit: &Hit) {
        self.definitions.extend(hit.definition);
        if !self.reasons.contains(&hit.reason) {
            self.reasons.push(hit.reason.clone());
        }
    }
}

/// Merges lists, best first; ties are broken by path and start. Signals with weight 0 are ignored.
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
            // If a list contains a chunk several times (two definitions), the best hit counts.
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

/// Weighted sum of the signals' scores, but at least the score for meaning: meaning finds chunks with other words and
/// does not reorder those found by words. Added to the sum, it made results worse for questions that words answer
/// (`benchmarks/results/search.md`).
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

/// Sorts best first; ties are broken by path and start.
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
