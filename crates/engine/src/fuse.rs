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

/// The weighted sum of what the signals say.
fn fused_score(signals: &PerSignal<Option<SignalScore>>, config: &FuseConfig) -> f32 {
    let term = |(signal, it): (Signal, Option<SignalScore>)| {
        let it = it?;
        let comparable = match config.method {
            Method::Reciprocal { k } => 1.0 / (k + it.rank.get() as f32),
            Method::Scores => it.relative,
        };
        Some(config.weights[signal] * comparable)
    };
    signals.iter().filter_map(term).fold(0.0, |sum, it| sum + it)
}

/// Best first; ties by (path, start).
pub fn sort(candidates: &mut [Candidate]) {
    candidates
        .sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk.cmp(&b.chunk)));
}
