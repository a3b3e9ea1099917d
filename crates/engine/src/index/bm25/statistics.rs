//! Statistics of the whole snapshot: document frequencies and average length, exact over its files.

use crate::index::snapshot::Snapshot;
use crate::preset::constants::index::IDF_SMOOTHING;

impl Snapshot {
    /// Number of chunks that contain `term`.
    pub fn document_frequency(&self, term: &str) -> u32 {
        let lists = self.segments.iter().map(|it| (it, it.segment.offset_of(term)));
        let counted = || lists.map(|(view, list)| view.frequency(list)).sum();
        self.known_frequency(term).unwrap_or_else(counted)
    }

    /// Number of chunks that contain each of `terms`; sorted terms are looked up faster.
    pub fn document_frequencies(&self, terms: &[&str]) -> Vec<u32> {
        if self.partial().is_some() {
            return terms.iter().map(|it| self.document_frequency(it)).collect();
        }
        let mut res = vec![0; terms.len()];
        for view in &self.segments {
            let mut walk = view.segment.offsets();
            for (sum, term) in res.iter_mut().zip(terms) {
                *sum += view.frequency(walk.get(term));
            }
        }
        res
    }

    /// Inverse document frequency of `term`; 0 for a term that does not occur.
    pub fn idf(&self, term: &str) -> f32 {
        self.idf_of(self.document_frequency(term))
    }

    pub(crate) fn idf_of(&self, frequency: u32) -> f32 {
        let (n, total) = (frequency as f32, self.totals().chunks as f32);
        if frequency == 0 { 0.0 } else { idf(n, total) }
    }
}

/// Inverse document frequency of a term that is in `n` of `total` documents: ln(1 + (N − n + ½) / (n + ½)).
pub(crate) fn idf(n: f32, total: f32) -> f32 {
    ((total - n + IDF_SMOOTHING).max(IDF_SMOOTHING) / (n + IDF_SMOOTHING)).ln_1p()
}

/// Average weighted length of a chunk, rounded to 5 binary digits after the first (by at most 1.6 %), so that an edit
/// rarely changes it and the cached norms of all segments stay valid.
pub(super) fn average_length(snapshot: &Snapshot, weights: &[f32; 4]) -> f32 {
    let totals = snapshot.totals();
    let lengths = totals.lengths.iter().zip(weights);
    let sum: f64 = lengths.map(|(n, weight)| *n as f64 * f64::from(*weight)).sum();
    let average = ((sum / f64::from(totals.chunks.max(1))) as f32).max(1.0);
    let dropped = f32::MANTISSA_DIGITS - 1 - 5;
    let half = 1 << (dropped - 1);
    f32::from_bits((average.to_bits() + half) >> dropped << dropped)
}
