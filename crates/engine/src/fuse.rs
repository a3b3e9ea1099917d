//! Ranked lists into one list of candidates.

use rustc_hash::FxHashMap;

use crate::index::ChunkId;
use crate::retrieve::{RankedList, Reason, Signal};

/// How lists are merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuseConfig {
    /// The weight of each signal, in the order of [`Signal::ALL`]; 0 leaves it out.
    pub weights: [f32; 5],
    /// How scores of different lists are made comparable.
    pub method: Method,
}

/// How scores of different lists are made comparable.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The fused score; `rerank` changes it.
    pub score: f32,
    /// Its place (from 1) on each list that has it.
    pub ranks: Vec<(Signal, u32)>,
    /// Why it is here.
    pub reasons: Vec<Reason>,
}

/// Merges lists; best first, ties by (path, start).
pub fn fuse(lists: &[RankedList], config: &FuseConfig) -> Vec<Candidate> {
    let mut places: FxHashMap<ChunkId, usize> = FxHashMap::default();
    let mut res: Vec<Candidate> = Vec::new();
    for list in lists {
        let weight = config.weights[list.signal as usize];
        let highest = list.hits.first().map_or(1.0, |it| it.score).max(f32::MIN_POSITIVE);
        if weight <= 0.0 {
            continue;
        }
        let mut counted = rustc_hash::FxHashSet::default();
        for (rank, hit) in (1_u32..).zip(&list.hits) {
            let place = *places.entry(hit.chunk).or_insert_with(|| {
                res.push(candidate(hit.chunk));
                res.len() - 1
            });
            let it = &mut res[place];
            it.definitions.extend(hit.definition);
            if !it.reasons.contains(&hit.reason) {
                it.reasons.push(hit.reason.clone());
            }
            // A chunk that a list has several times (two definitions in it) counts there by its best.
            if counted.insert(hit.chunk) {
                it.ranks.push((list.signal, rank));
                it.score += weight
                    * match config.method {
                        Method::Reciprocal { k } => 1.0 / (k + rank as f32),
                        Method::Scores => hit.score / highest,
                    };
            }
        }
    }
    sort(&mut res);
    res
}

/// Best first; ties by (path, start).
pub fn sort(candidates: &mut [Candidate]) {
    candidates
        .sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.chunk.cmp(&b.chunk)));
}

fn candidate(chunk: ChunkId) -> Candidate {
    Candidate { chunk, definitions: Vec::new(), score: 0.0, ranks: Vec::new(), reasons: Vec::new() }
}
