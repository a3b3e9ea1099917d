//! Reads a store: manifests, segments, and snapshots.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use super::directory::{MANIFEST, OtherStore, StoreDirectory, WALK, entries};
use super::error::StoreError;
use super::known_files::KnownFiles;
use super::usable_view::{Check, UsableView};
use crate::index::checksum::checksum;
use crate::index::config::{IndexConfig, version_directory};
use crate::index::ids::SegmentId;
use crate::index::manifest::Manifest;
use crate::index::precise::FactsFile;
use crate::index::segment::{Segment, SegmentError};
use crate::index::snapshot::Snapshot;

/// The index of a workspace. Clones share open segments.
#[derive(Clone, Debug)]
pub struct Store {
    pub(super) directory: StoreDirectory,
    config: IndexConfig,
    state: Arc<Mutex<StoreState>>,
    facts: Arc<FactsFile>,
}

/// State shared by clones.
#[derive(Debug, Default)]
struct StoreState {
    /// Segments in use by snapshots, opened once.
    open: HashMap<SegmentId, Weak<Segment>>,
    /// Segments with damage, until they are written again or verified as a whole.
    distrusted: BTreeSet<SegmentId>,
}

impl Store {
    /// The store of this version of foreword in the directory of a workspace, which need not exist yet.
    ///
    /// Stores of other versions in the same directory are neither read nor changed.
    pub fn new(workspace_dir: PathBuf, config: IndexConfig) -> Self {
        Self::of_version(workspace_dir, &version_directory(), config)
    }

    pub(super) fn of_version(workspace_dir: PathBuf, version: &str, config: IndexConfig) -> Self {
        let directory = StoreDirectory::new(workspace_dir, version);
        let facts = Arc::new(FactsFile::new(&directory.root));
        Self { directory, config, state: Arc::default(), facts }
    }

    /// The directory of this store, named by the version of the index.
    pub fn dir(&self) -> &Path {
        &self.directory.root
    }

    /// The directory of the workspace with the stores of all versions.
    pub fn workspace_dir(&self) -> &Path {
        &self.directory.workspace
    }

    /// The stores of other versions of foreword for the same workspace.
    pub fn other_versions(&self) -> Vec<OtherStore> {
        self.directory.others()
    }

    /// The configuration of analysis.
    pub fn config(&self) -> IndexConfig {
        self.config
    }

    /// The manifest of a view; `None` if it is missing or invalid.
    pub fn manifest(&self, view: &str) -> Option<Manifest> {
        let path = self.manifest_path(view);
        // Opening a pipe would wait for its writer.
        let bytes = path.is_file().then(|| std::fs::read(path).ok())??;
        Manifest::decode(&bytes, self.config.fingerprint())
    }

    /// The valid manifests of all views; `None` if one cannot be opened now, so that what it needs is unknown.
    pub fn manifests(&self) -> Option<Vec<Manifest>> {
        let mut res = Vec::new();
        for entry in entries(&self.directory.views()) {
            let name = entry.file_name().into_string().unwrap_or_default();
            let Some(view) = name.strip_suffix(MANIFEST) else { continue };
            match self.manifest(view) {
                Some(manifest) => res.push(manifest),
                None if std::fs::File::open(entry.path()).is_err() => return None,
                // Its view will be rebuilt.
                None => {}
            }
        }
        Some(res)
    }

    /// The views with the times of their last commit or use, the latest first.
    pub fn views(&self) -> Vec<(String, SystemTime)> {
        let view = |it: std::fs::DirEntry| {
            let name = it.file_name().into_string().ok()?;
            Some((name.strip_suffix(MANIFEST)?.to_owned(), it.metadata().ok()?.modified().ok()?))
        };
        let mut res: Vec<_> = entries(&self.directory.views()).filter_map(view).collect();
        res.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        res
    }

    /// Notes the use of a view, for [`Self::views`].
    pub fn note_use(&self, view: &str) {
        // If the index cannot be written, nothing is collected either.
        let file = std::fs::File::options().write(true).open(self.manifest_path(view));
        let _ = file.and_then(|it| it.set_modified(SystemTime::now()));
    }

    /// Bytes of a segment on disk.
    pub fn segment_bytes(&self, id: SegmentId) -> u64 {
        self.segment_path(id).metadata().map_or(0, |it| it.len())
    }

    /// Whether the view has a manifest, valid or not.
    pub fn has_view(&self, view: &str) -> bool {
        self.manifest_path(view).exists()
    }

    /// What the last walk of a view depended on, as [`Writer::record_walk`](super::Writer::record_walk) wrote it; `None` if
    /// it is missing or damaged. The engine does not look into it.
    pub fn walk_record(&self, view: &str) -> Option<Vec<u8>> {
        let path = self.walk_path(view);
        let mut bytes = path.is_file().then(|| std::fs::read(path).ok())??;
        let (body, check) = bytes.split_last_chunk::<8>()?;
        if checksum(body) != u64::from_le_bytes(*check) {
            return None;
        }
        bytes.truncate(bytes.len() - 8);
        Some(bytes)
    }

    /// The snapshot of a manifest. Fails if a segment is missing or damaged.
    pub fn snapshot(&self, manifest: &Manifest) -> Result<Snapshot, StoreError> {
        let UsableView { manifest, segments, damage } =
            self.usable(manifest.clone(), Check::Opening);
        match damage.into_iter().next() {
            None => {
                let snapshot = Snapshot::new(segments, &manifest, self.config);
                Ok(snapshot.with_facts(self.facts()))
            }
            Some(error) => Err(error),
        }
    }

    /// The precise facts, which all views share.
    pub fn facts(&self) -> Arc<FactsFile> {
        Arc::clone(&self.facts)
    }

    /// Files of every usable segment of the store.
    pub fn known(&self, check: Check) -> KnownFiles {
        let mut known = KnownFiles::default();
        let segments = self.segments_on_disk().into_iter();
        let usable = segments.filter_map(|it| self.open_checked(it, check).ok());
        usable.for_each(|it| known.add(it));
        known
    }

    /// Bytes of all files of the store.
    pub fn size_on_disk(&self) -> u64 {
        self.directory.size()
    }

    /// Reads every byte of a view's segments; the error names the first damaged one.
    pub fn verify(&self, manifest: &Manifest) -> Result<(), StoreError> {
        for id in &manifest.segments {
            let path = self.segment_path(*id);
            let verified = Segment::open(&path, &self.config).and_then(|it| it.verify());
            verified.map_err(|source| StoreError::Segment { path, source })?;
        }
        Ok(())
    }

    pub(super) fn open_segment(&self, id: SegmentId) -> Result<Arc<Segment>, StoreError> {
        let path = self.segment_path(id);
        let (shared, is_distrusted) = self.shared_segment(id);
        // Damaged or deleted segments must not be used any longer.
        if let Some(shared) = shared.filter(|_| !is_distrusted && path.exists()) {
            return Ok(shared);
        }
        let open = || match Segment::open(&path, &self.config)? {
            it if it.id() == id => Ok(it),
            _ => Err(SegmentError::Damaged),
        };
        // An audit keeps everything in memory, so the audited instance is not used.
        let audited = if is_distrusted { open().and_then(|it| it.audit()) } else { Ok(()) };
        let opened = audited.and_then(|()| open());
        let segment = Arc::new(opened.map_err(|source| StoreError::Segment { path, source })?);
        let mut state = self.lock();
        // Another thread may have opened it meanwhile.
        let other = state.open.get(&id).and_then(Weak::upgrade);
        if let Some(other) = other.filter(|it| !is_distrusted && !it.is_damaged()) {
            return Ok(other);
        }
        if is_distrusted {
            state.distrusted.remove(&id);
        }
        state.open.retain(|_, it| it.strong_count() > 0);
        state.open.insert(id, Arc::downgrade(&segment));
        Ok(segment)
    }

    /// The open segment, and whether the one on disk is distrusted. Nothing is locked while a segment is read.
    fn shared_segment(&self, id: SegmentId) -> (Option<Arc<Segment>>, bool) {
        let mut state = self.lock();
        let shared = state.open.get(&id).and_then(Weak::upgrade);
        if shared.as_ref().is_some_and(|it| it.is_damaged()) {
            state.distrusted.insert(id);
        }
        (shared, state.distrusted.contains(&id))
    }

    pub(super) fn distrust(&self, segments: impl Iterator<Item = SegmentId>) {
        self.lock().distrusted.extend(segments);
    }

    fn lock(&self) -> MutexGuard<'_, StoreState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn segment_path(&self, id: SegmentId) -> PathBuf {
        self.directory.segments().join(id.file_name())
    }

    /// Path of a view's manifest.
    pub fn manifest_path(&self, view: &str) -> PathBuf {
        self.directory.views().join(format!("{view}{MANIFEST}"))
    }

    pub(super) fn walk_path(&self, view: &str) -> PathBuf {
        self.directory.walks().join(format!("{view}{WALK}"))
    }

    fn segments_on_disk(&self) -> BTreeSet<SegmentId> {
        let names = entries(&self.directory.segments());
        let id = |name: String| {
            let hex = name.strip_suffix(".segment")?.to_owned();
            u64::from_str_radix(&hex, 16).ok().map(SegmentId)
        };
        names.filter_map(|it| it.file_name().into_string().ok()).filter_map(id).collect()
    }
}
