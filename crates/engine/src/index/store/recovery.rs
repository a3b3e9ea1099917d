//! The usable part of a view if some segments are unusable; only files of those are read again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::StoreError;
use super::reader::Store;
use super::usable_view::{Check, UsableView};
use crate::index::ids::{FileLocation, SegmentId};
use crate::index::manifest::{IndexedFile, Manifest};
use crate::index::segment::{Segment, SegmentError};
use crate::index::snapshot::Snapshot;

impl Store {
    /// Returns the usable part of a view; without damage, all of it.
    pub fn usable(&self, manifest: Manifest, check: Check) -> UsableView {
        let mut damage = Vec::new();
        let mut segments = Vec::new();
        // For each segment of the manifest, its index among the usable ones.
        let mut numbers = Vec::new();
        for id in &manifest.segments {
            let segment = self.open_checked(*id, check).map_err(|it| damage.push(it)).ok();
            numbers.push(segment.as_ref().map(|_| segments.len() as u32));
            segments.extend(segment);
        }
        let mut mismatched = BTreeSet::new();
        let located = |mut it: IndexedFile| {
            let segment = numbers.get(it.location.segment as usize).copied().flatten()?;
            it.location = FileLocation { segment, ..it.location };
            if is_stored(&it, &segments[segment as usize]) {
                return Some(it);
            }
            mismatched.insert(segments[segment as usize].id());
            None
        };
        let files = manifest.files.into_iter().filter_map(located).collect();
        damage.extend(mismatched.into_iter().map(|id| StoreError::Segment {
            path: self.segment_path(id),
            source: SegmentError::Damaged,
        }));
        let ids = segments.iter().map(|it| it.id()).collect();
        UsableView { manifest: Manifest { files, segments: ids, ..manifest }, segments, damage }
    }

    /// Distrusts segments in which a query found damage: they are audited before further use.
    pub fn distrust_damaged(&self, snapshot: &Snapshot) {
        let segments = snapshot.segments().into_iter();
        self.distrust(segments.filter(|it| it.is_damaged()).map(|it| it.id()));
    }

    /// Distrusts all segments of a snapshot, after a query failed for an unknown reason.
    pub fn distrust_all(&self, snapshot: &Snapshot) {
        self.distrust(snapshot.segments().into_iter().map(|it| it.id()));
    }

    pub(super) fn open_checked(
        &self,
        id: SegmentId,
        check: Check,
    ) -> Result<Arc<Segment>, StoreError> {
        let segment = self.open_segment(id)?;
        let checked = match check {
            Check::Opening => Ok(()),
            Check::Blocks => segment.verify(),
        };
        let error = |source| StoreError::Segment { path: self.segment_path(id), source };
        checked.map_err(error).map(|()| segment)
    }
}

/// Whether a file is at the location in the manifest.
fn is_stored(file: &IndexedFile, segment: &Segment) -> bool {
    let (table, ord) = (&segment.table, file.location.ord as usize);
    table.hashes.get(ord) == Some(&file.hash) && table.paths.get(ord) == Some(&file.path)
}
