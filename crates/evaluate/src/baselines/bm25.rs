//! Okapi BM25 over documents, as computed by the libraries of the original systems.

use std::cmp::Ordering;

use super::words::{Document, Documents};
use foreword_engine::index::FileId;

/// Inverse document frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Idf {
    /// ln(1 + (N − n + ½) / (n + ½)), as in Lucene and tantivy: never negative.
    Smooth,
    /// ln((N − n + ½) / (n + ½)); replaces negative values by this fraction of the mean over all words (`BM25Okapi` of
    /// rank_bm25).
    Floored(f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Bm25 {
    pub(super) k1: f64,
    pub(super) b: f64,
    pub(super) idf: Idf,
    /// Maximum number of counted occurrences in a document.
    pub(super) most: u32,
}

/// rank_bm25's defaults.
pub(super) const RANK_BM25: Bm25 =
    Bm25 { k1: 1.5, b: 0.75, idf: Idf::Floored(0.25), most: u32::MAX };

/// A document's index, and its score.
#[derive(Clone, Copy)]
pub(super) struct ScoredDocument<'d> {
    pub(super) file: FileId,
    pub(super) document: &'d Document,
    pub(super) score: f64,
}

impl ScoredDocument<'_> {
    /// Best first; ties by (path, start).
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |it: &Self| (it.file, it.document.bytes.start);
        other.score.total_cmp(&self.score).then_with(|| place(self).cmp(&place(other)))
    }
}

/// The `limit` best documents for `query`, where repeated words count. `n_words` is one more than the highest word id.
pub(super) fn best<'d>(
    documents: &'d [Documents],
    query: &[u32],
    n_words: usize,
    bm25: &Bm25,
    limit: usize,
) -> Vec<ScoredDocument<'d>> {
    let all = || documents.iter().flat_map(|it| it.all.iter().map(|doc| (it.file, doc)));
    let mut containing = vec![0_u32; n_words];
    let (mut total, mut length) = (0.0, 0.0);
    for (_, document) in all() {
        total += 1.0;
        length += document.length;
        document.counts.iter().for_each(|it| containing[it.0 as usize] += 1);
    }
    let weights = weights(query, &containing, total, bm25.idf);
    let average = length / f64::max(total, 1.0);
    let score = |it: &Document| -> f64 {
        let norm = bm25.k1 * (1.0 - bm25.b + bm25.b * it.length / f64::max(average, 1.0));
        let of_word = |(word, n): &(u32, u32)| {
            let n = f64::from((*n).min(bm25.most));
            weights[*word as usize] * n * (bm25.k1 + 1.0) / (n + norm)
        };
        it.counts.iter().map(of_word).sum()
    };
    let mut res: Vec<ScoredDocument<'d>> = all()
        .map(|(file, document)| ScoredDocument { file, document, score: score(document) })
        .collect();
    // rank_bm25 always returns the requested number, matching or not.
    if bm25.idf == Idf::Smooth {
        res.retain(|it| it.score > 0.0);
    }
    if limit < res.len() {
        res.select_nth_unstable_by(limit, ScoredDocument::cmp);
        res.truncate(limit);
    }
    res.sort_unstable_by(ScoredDocument::cmp);
    res
}

/// Weight of an occurrence of each word: its idf times its frequency in the query.
fn weights(query: &[u32], containing: &[u32], total: f64, idf: Idf) -> Vec<f64> {
    let odds = |n: f64| (total - n + 0.5) / (n + 0.5);
    let mean = || {
        let present = containing.iter().filter(|it| **it > 0);
        let (n, sum) = present
            .fold((0.0, 0.0), |(count, sum), n| (count + 1.0, sum + odds(f64::from(*n)).ln()));
        sum / f64::max(n, 1.0)
    };
    let floor = match idf {
        Idf::Smooth => 0.0,
        Idf::Floored(share) => share * mean(),
    };
    let mut res = vec![0.0; containing.len()];
    for word in query.iter().filter(|it| containing[**it as usize] > 0) {
        let odds = odds(f64::from(containing[*word as usize]));
        res[*word as usize] += match idf {
            Idf::Smooth => odds.ln_1p(),
            Idf::Floored(_) if odds < 1.0 => floor,
            Idf::Floored(_) => odds.ln(),
        };
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn documents(counts: &[&[(u32, u32)]]) -> Vec<Documents> {
        let document = |it: &&[(u32, u32)]| Document {
            bytes: 0..1,
            headers: Vec::new(),
            counts: it.to_vec(),
            length: 4.0,
        };
        let one = |(idx, it): (usize, &&[(u32, u32)])| Documents {
            file: FileId(idx as u32),
            all: Arc::new(vec![document(it)]),
        };
        counts.iter().enumerate().map(one).collect()
    }

    #[track_caller]
    fn close(got: f64, expect: f64) {
        assert!((got - expect).abs() < 1e-9, "{got} is not {expect}");
    }

    #[test]
    fn scores_of_hand_computed_counts() {
        let documents = documents(&[&[(1, 2)], &[(2, 1)]]);
        let smooth = Bm25 { k1: 1.5, b: 0.75, idf: Idf::Smooth, most: u32::MAX };
        let scored = best(&documents, &[1], 3, &smooth, 10);
        assert_eq!(scored.len(), 1);
        // idf ln(1 + 1.5 / 1.5) = ln 2; tf 2 × 2.5 / (2 + 1.5) = 5 / 3.5
        close(scored[0].score, 2_f64.ln() * 5.0 / 3.5);
        let once = Bm25 { most: 1, ..smooth };
        close(best(&documents, &[1, 1], 3, &once, 10)[0].score, 2.0 * 2_f64.ln() * 2.5 / 2.5);
    }

    #[test]
    fn a_word_of_most_documents_weighs_a_share_of_the_mean() {
        // Word 1 is in 3 of 4: ln(1.5 / 3.5) < 0. Words 2, 3 and 4 are in one: ln(3.5 / 1.5) each.
        let documents = documents(&[&[(1, 1), (2, 1)], &[(1, 1), (3, 1)], &[(1, 1)], &[(4, 1)]]);
        let mean = ((1.5_f64 / 3.5).ln() + 3.0 * (3.5_f64 / 1.5).ln()) / 4.0;
        let scored = best(&documents, &[1], 5, &RANK_BM25, 10);
        close(scored[0].score, 0.25 * mean * 2.5 / (1.0 + 1.5));
    }

    #[test]
    fn equal_scores_come_by_path() {
        let documents = documents(&[&[(1, 1)], &[(1, 1)], &[(2, 1)], &[(2, 1)], &[(2, 1)]]);
        let files: Vec<u32> =
            best(&documents, &[1], 3, &RANK_BM25, 3).iter().map(|it| it.file.0).collect();
        assert_eq!(files, [0, 1, 2]);
    }
}
