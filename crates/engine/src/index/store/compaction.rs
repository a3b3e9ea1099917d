//! Chooses the segments of a view to merge, and updates the view.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::index::ids::FileLocation;
use crate::index::manifest::Manifest;
use crate::index::segment::{MergeInput, Segment, merge};

/// A view with more segments is compacted: each segment costs every query a look-up per term.
const MAX_SEGMENTS: usize = 8;

/// Number of files of each segment that the view uses.
pub(super) fn live_files(manifest: &Manifest, segments: &[Arc<Segment>]) -> Vec<u32> {
    let mut live = vec![0_u32; segments.len()];
    manifest.files.iter().for_each(|it| live[it.location.segment as usize] += 1);
    live
}

/// Chooses segments to merge: those less than half used and, if there are too many, the smaller ones.
pub(super) fn choose(segments: &[Arc<Segment>], live: &[u32]) -> Vec<usize> {
    let is_sparse = |idx: usize| live[idx] * 2 < segments[idx].n_files() && live[idx] > 0;
    let mut chosen: Vec<usize> = (0..segments.len()).filter(|&idx| is_sparse(idx)).collect();
    let used = live.iter().filter(|it| **it > 0).count();
    if used > MAX_SEGMENTS {
        let mut by_size: Vec<usize> = (0..segments.len()).filter(|&idx| live[idx] > 0).collect();
        by_size.sort_by_key(|&idx| (segments[idx].n_chunks(), idx));
        by_size.truncate(used - MAX_SEGMENTS / 2);
        chosen.extend(by_size);
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// The bytes of the merged segments and the location of each file; `None` if one is corrupt.
pub(super) fn merge_chosen(
    manifest: &Manifest,
    segments: &[Arc<Segment>],
    chosen: &[usize],
    fingerprint: u32,
) -> Option<(Vec<u8>, HashMap<FileLocation, u32>)> {
    let keep = |idx: usize| {
        let mut keep = vec![false; segments[idx].n_files() as usize];
        let of_segment = manifest.files.iter().filter(|it| it.location.segment as usize == idx);
        of_segment.for_each(|it| keep[it.location.ord as usize] = true);
        keep
    };
    let input = |&idx: &usize| MergeInput { segment: &segments[idx], keep: keep(idx) };
    let inputs: Vec<MergeInput<'_>> = chosen.iter().map(input).collect();
    // The crate of the key maps panics on some damaged maps.
    let merged = std::panic::catch_unwind(AssertUnwindSafe(|| merge(&inputs, fingerprint)));
    let (bytes, origins) = merged.ok()??;
    let moved = (0_u32..)
        .zip(origins)
        .map(|(to, (input, ord))| (FileLocation { segment: chosen[input] as u32, ord }, to));
    Some((bytes, moved.collect()))
}

/// Replaces the merged segments in the view.
pub(super) fn replace_merged(
    manifest: &mut Manifest,
    segments: &mut Vec<Arc<Segment>>,
    merged: Arc<Segment>,
    moved: &HashMap<FileLocation, u32>,
) {
    let segment = segments.len() as u32;
    segments.push(merged);
    for file in &mut manifest.files {
        if let Some(&ord) = moved.get(&file.location) {
            file.location = FileLocation { segment, ord };
        }
    }
}

/// Removes segments that the view does not use.
pub(super) fn drop_unused(manifest: &mut Manifest, segments: &mut Vec<Arc<Segment>>) {
    let live = live_files(manifest, segments);
    let used: Vec<usize> = (0..segments.len()).filter(|&idx| live[idx] > 0).collect();
    for file in &mut manifest.files {
        let idx = used.binary_search(&(file.location.segment as usize));
        file.location.segment = idx.expect("a segment with files is used") as u32;
    }
    *segments = used.iter().map(|&idx| Arc::clone(&segments[idx])).collect();
    manifest.segments = segments.iter().map(|it| it.id()).collect();
}
