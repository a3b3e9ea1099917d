//! The single writer of an index directory.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;

use super::compaction::{choose, drop_unused, live_files, merge_chosen, replace_merged};
use super::directory::{INDEX_TAG, MANIFEST, entries};
use super::durable::{try_lock, write_disposable, write_file};
use super::error::StoreError;
use super::reader::Store;
use crate::index::checksum::checksum;
use crate::index::ids::SegmentId;
use crate::index::manifest::Manifest;
use crate::index::segment::Segment;

/// The single writer of an index directory, until it is dropped or its process ends.
pub struct Writer {
    store: Store,
    _lock: File,
}

impl Store {
    /// Becomes the writer; `None` while another process is the writer.
    pub fn try_write(&self) -> Result<Option<Writer>, StoreError> {
        for dir in [self.directory.segments(), self.directory.views()] {
            std::fs::create_dir_all(&dir).map_err(|source| StoreError::Io { path: dir, source })?;
        }
        let tag = self.directory.tag();
        if !tag.exists() {
            // An index without its tag works; it is recognised by its contents.
            let _ = std::fs::write(tag, INDEX_TAG);
        }
        let lock = try_lock(&self.directory.lock())?;
        Ok(lock.map(|lock| Writer { store: self.clone(), _lock: lock }))
    }
}

impl Writer {
    /// Writes a segment durably and opens it.
    pub fn write_segment(&self, bytes: &[u8]) -> Result<Arc<Segment>, StoreError> {
        let segment = Segment::of_memory(bytes.to_vec(), &self.store.config());
        let error = |source| StoreError::Segment { path: self.store.dir().to_owned(), source };
        let id = segment.map_err(error)?.id();
        write_file(&self.store.segment_path(id), bytes)?;
        self.store.open_segment(id)
    }

    /// Replaces the view's manifest durably, then removes unneeded segments.
    pub fn commit(&self, view: &str, manifest: &Manifest) -> Result<(), StoreError> {
        self.commit_unfinished(view, manifest)?;
        self.collect_garbage();
        Ok(())
    }

    /// Like [`Self::commit`] without removing segments: files of the view may still be in segments that the manifest
    /// does not name yet.
    pub fn commit_unfinished(&self, view: &str, manifest: &Manifest) -> Result<(), StoreError> {
        write_file(&self.store.manifest_path(view), &manifest.encode())
    }

    /// Replaces the record of the view's last walk. It only saves time, so it is not flushed to disk.
    pub fn record_walk(&self, view: &str, record: &[u8]) -> Result<(), StoreError> {
        let bytes = [record, &checksum(record).to_le_bytes()].concat();
        write_disposable(&self.store.walk_path(view), &bytes)
    }

    /// Removes a view. The next commit removes the segments that only it needed.
    pub fn remove(&self, view: &str) {
        let _ = std::fs::remove_file(self.store.manifest_path(view));
        let _ = std::fs::remove_file(self.store.walk_path(view));
    }

    /// Merges small or little used segments if there are too many.
    ///
    /// Updates the manifest without committing it.
    pub fn compact(
        &self,
        manifest: &mut Manifest,
        segments: &mut Vec<Arc<Segment>>,
    ) -> Result<(), StoreError> {
        let chosen = choose(segments, &live_files(manifest, segments));
        if !chosen.is_empty() {
            let fingerprint = self.store.config().fingerprint();
            // A corrupt input is kept: the next synchronisation rebuilds its files.
            let Some((bytes, moved)) = merge_chosen(manifest, segments, &chosen, fingerprint)
            else {
                self.store.distrust(chosen.iter().map(|it| segments[*it].id()));
                return Ok(());
            };
            let merged = self.write_segment(&bytes)?;
            replace_merged(manifest, segments, merged, &moved);
        }
        drop_unused(manifest, segments);
        Ok(())
    }

    /// Removes segments that no readable manifest refers to, and leftovers of interrupted writes.
    fn collect_garbage(&self) {
        let mut needed = BTreeSet::new();
        for entry in entries(&self.store.directory.views()) {
            let name = entry.file_name().into_string().unwrap_or_default();
            match name.strip_suffix(MANIFEST).map(|view| self.store.manifest(view)) {
                Some(Some(manifest)) => needed.extend(manifest.segments),
                // Too many open files: the needs of the view are unknown.
                Some(None) if std::fs::File::open(entry.path()).is_err() => return,
                // A manifest that is unreadable or has other settings: its view will be rebuilt.
                Some(None) => {}
                None => drop(std::fs::remove_file(entry.path())),
            }
        }
        for entry in entries(&self.store.directory.segments()) {
            let name = entry.file_name().into_string().unwrap_or_default();
            // Vectors are stored beside their segment, under its name.
            let segment = name.split('.').next().unwrap_or_default();
            let is_of = |it: &SegmentId| it.file_name().split('.').next() == Some(segment);
            if !needed.iter().any(is_of) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
