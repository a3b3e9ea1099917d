//! What is left of a view when some of its segments cannot be used: only their files have to be read again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::error::StoreError;
use super::reader::Store;
use crate::index::ids::{FileLocation, SegmentId};
use crate::index::manifest::{IndexedFile, Manifest};
use crate::index::segment::{Segment, SegmentError};
use crate::index::snapshot::Snapshot;

/// How closely stored segments are looked at when they are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// What every query needs is read, and checked. Other damage shows when a query meets it.
    Opening,
    /// The checksum of every block, too.
    Blocks,
}

/// The usable part of a view.
pub struct UsableView {
    /// The manifest without the files that have to be read again. Its locations refer to `segments`.
    pub manifest: Manifest,
    /// The segments that can be used.
    pub segments: Vec<Arc<Segment>>,
    /// What cannot be used: segments that are absent or damaged, each with its file.
    pub damage: Vec<StoreError>,
}

impl Store {
    /// The part of a view that can be used. Without damage it is the whole.
    pub fn usable(&self, manifest: Manifest, check: Check) -> UsableView {
        let mut damage = Vec::new();
        let mut segments = Vec::new();
        // For each segment of the manifest its number among those that can be used.
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

    /// Distrusts the segments in which a query found damage: they are decoded as a whole before they are used again.
    pub fn distrust_damaged(&self, snapshot: &Snapshot) {
        let segments = snapshot.segments().into_iter();
        self.distrust(segments.filter(|it| it.is_damaged()).map(|it| it.id()));
    }

    /// Distrusts all segments of a snapshot: a query failed for no known reason, and damage may be it.
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

/// Whether a file is where the manifest says.
fn is_stored(file: &IndexedFile, segment: &Segment) -> bool {
    let (table, ord) = (&segment.table, file.location.ord as usize);
    table.hashes.get(ord) == Some(&file.hash) && table.paths.get(ord) == Some(&file.path)
}
