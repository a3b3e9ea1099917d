//! Texts of the first candidates, for features that need more than the index.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::fuse::Candidate;
use crate::index::{FileId, Snapshot};

/// Texts of the first `n` candidates; those of one file are read together.
pub(super) fn texts(snapshot: &Snapshot, candidates: &[Candidate], n: usize) -> Vec<String> {
    let first = &candidates[..candidates.len().min(n)];
    let mut by_file: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
    for (idx, it) in first.iter().enumerate() {
        by_file.entry(it.chunk.file).or_default().push(idx);
    }
    let mut res = vec![String::new(); first.len()];
    #[expect(clippy::iter_over_hash_type, reason = "each writes its own places")]
    for (file, places) in by_file {
        let range = |idx: &usize| {
            let info = snapshot.chunk(first[*idx].chunk);
            info.start as usize..info.end as usize
        };
        let ranges: Vec<Range<usize>> = places.iter().map(range).collect();
        for (idx, text) in places.iter().zip(snapshot.parts(file, &ranges)) {
            res[*idx] = text;
        }
    }
    res
}
