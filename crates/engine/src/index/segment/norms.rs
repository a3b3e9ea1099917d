//! Length normalisation of BM25F for all chunks of a segment, cached with the segment.

use std::sync::{Arc, Mutex, PoisonError};

/// Sets of norms cached per segment; a process uses two or three sets of parameters.
const MAX_SETS: usize = 4;

/// Parameters of the norm of a chunk beside its lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LengthNorms {
    pub(crate) k1: f32,
    pub(crate) b: f32,
    /// Weights of the fields.
    pub(crate) weights: [f32; 4],
    /// The average weighted length of a chunk.
    pub(crate) average: f32,
}

impl LengthNorms {
    pub(crate) fn of(&self, lengths: [u16; 4]) -> f32 {
        let weighted = lengths.iter().zip(self.weights);
        let length: f32 = weighted.map(|(n, weight)| f32::from(*n) * weight).sum();
        // Positive, so that a score is never 0 / 0.
        (self.k1 * (1.0 - self.b + self.b * length / self.average)).max(f32::MIN_POSITIVE)
    }
}

/// The norms of one segment's chunks for the parameters in use.
#[derive(Default)]
pub(super) struct NormCache(Mutex<Vec<(LengthNorms, Arc<[f32]>)>>);

impl NormCache {
    /// The norms of chunks with these lengths, computed once for each set of parameters.
    pub(super) fn get(&self, parameters: &LengthNorms, lengths: &[[u16; 4]]) -> Arc<[f32]> {
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, norms)) = sets.iter().find(|it| it.0 == *parameters) {
            return Arc::clone(norms);
        }
        let norms: Arc<[f32]> = lengths.iter().map(|it| parameters.of(*it)).collect();
        if sets.len() == MAX_SETS {
            sets.remove(0);
        }
        sets.push((*parameters, Arc::clone(&norms)));
        norms
    }
}
