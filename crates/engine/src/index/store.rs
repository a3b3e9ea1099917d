//! The index directory: segments, one manifest for each view, one lock for writers.
//!
//! ```text
//! writer.lock           held (by the kernel) while a process writes
//! segments/ID.segment   immutable, named by their checksum, shared by all views
//! views/KEY.manifest    replaced as a whole
//! ```
//!
//! Every file is written under another name, flushed to the disk, then renamed: a crash at any instant leaves the old
//! manifest with its segments. What cannot be read back is reported as absent, and so built anew.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::manifest::{Manifest, Place};
use super::merge::{Input, merge};
use super::segment::{Segment, SegmentError, SegmentId};
use super::snapshot::Snapshot;
use super::{FileRecord, IndexConfig};
use crate::source::ContentHash;

/// Why the index directory cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It could not be read or written.
    #[error(
        "the index at {path} cannot be used: {source}; name another place with --index-dir or FOREWORD_INDEX_DIR"
    )]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A segment that was just written cannot be read.
    #[error("the index at {path} {source}")]
    Segment {
        /// The segment's file.
        path: PathBuf,
        /// What is wrong with it.
        source: SegmentError,
    },
}

/// An index directory. Clones share the segments that are open.
#[derive(Clone)]
pub struct Store {
    dir: PathBuf,
    config: IndexConfig,
    /// The segments that some snapshot holds: opened once, however many snapshots follow each other.
    open: Arc<Mutex<HashMap<SegmentId, Weak<Segment>>>>,
}

/// The one writer of an index directory, until it is dropped (or its process ends).
pub struct Writer {
    store: Store,
    _lock: File,
}

/// Where the store has files by path and content, and by content alone.
#[derive(Default)]
pub struct Known {
    segments: Vec<Arc<Segment>>,
    files: HashMap<ContentHash, Vec<Place>>,
}

/// A view is merged when it has more segments than this: each costs every query a look-up a term.
const MAX_SEGMENTS: usize = 8;

impl Store {
    /// Uses `dir`, which need not exist yet.
    pub fn new(dir: PathBuf, config: IndexConfig) -> Self {
        Self { dir, config, open: Arc::default() }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How files are analysed.
    pub fn config(&self) -> IndexConfig {
        self.config
    }

    /// The manifest of a view; `None` when there is none, or none that can be believed.
    pub fn manifest(&self, view: &str) -> Option<Manifest> {
        #[expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]
        let bytes = std::fs::read(self.manifest_path(view)).ok()?;
        Manifest::decode(&bytes, self.config.fingerprint())
    }

    /// Whether a manifest of the view is there, believable or not.
    pub fn has_view(&self, view: &str) -> bool {
        self.manifest_path(view).exists()
    }

    /// The snapshot of a manifest. Fails when one of its segments is absent or damaged.
    pub fn snapshot(&self, manifest: &Manifest) -> Result<Snapshot, StoreError> {
        let segments = manifest.segments.iter().map(|id| self.open_segment(*id));
        let segments: Vec<Arc<Segment>> = segments.collect::<Result<_, _>>()?;
        for file in &manifest.files {
            let segment = &segments[file.place.segment as usize];
            if segment.table.hashes.get(file.place.ord as usize) != Some(&file.hash) {
                let path = self.segment_path(segment.id());
                return Err(StoreError::Segment { path, source: SegmentError::Damaged });
            }
        }
        Ok(Snapshot::new(segments, manifest, self.config))
    }

    /// Becomes the writer; `None` while another process is.
    pub fn try_write(&self) -> Result<Option<Writer>, StoreError> {
        for dir in [self.dir.join("segments"), self.dir.join("views")] {
            std::fs::create_dir_all(&dir).map_err(|source| StoreError::Io { path: dir, source })?;
        }
        let path = self.dir.join("writer.lock");
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|source| StoreError::Io { path: path.clone(), source })?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Writer { store: self.clone(), _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(StoreError::Io { path, source }),
        }
    }

    /// Every readable segment in the directory, whichever view it belongs to.
    pub fn known(&self) -> Known {
        let mut ids: Vec<SegmentId> = self.segments_on_disk().into_iter().collect();
        ids.sort_unstable();
        let mut known = Known::default();
        for segment in ids.into_iter().filter_map(|it| self.open_segment(it).ok()) {
            let idx = known.segments.len() as u32;
            for (ord, hash) in segment.table.hashes.iter().enumerate() {
                let place = Place { segment: idx, ord: ord as u32 };
                known.files.entry(*hash).or_default().push(place);
            }
            known.segments.push(segment);
        }
        known
    }

    /// Bytes of all files in the directory.
    pub fn size_on_disk(&self) -> u64 {
        let size = |dir: &str| {
            let entries = list(&self.dir.join(dir));
            entries.filter_map(|it| it.metadata().ok()).map(|it| it.len()).sum::<u64>()
        };
        size("segments") + size("views")
    }

    /// Reads every byte of a view's segments; the error names the first that is damaged.
    pub fn verify(&self, manifest: &Manifest) -> Result<(), StoreError> {
        for id in &manifest.segments {
            let path = self.segment_path(*id);
            let verified = Segment::open(&path, &self.config).and_then(|it| it.verify());
            verified.map_err(|source| StoreError::Segment { path, source })?;
        }
        Ok(())
    }

    fn open_segment(&self, id: SegmentId) -> Result<Arc<Segment>, StoreError> {
        let path = self.segment_path(id);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let known = open.get(&id).and_then(Weak::upgrade);
        // One that is damaged, or that somebody removed, must not go on being used.
        if let Some(known) = known.filter(|it| !it.is_damaged() && path.exists()) {
            return Ok(known);
        }
        match Segment::open(&path, &self.config) {
            Ok(segment) if segment.id() == id => {
                let segment = Arc::new(segment);
                open.retain(|_, it| it.strong_count() > 0);
                open.insert(id, Arc::downgrade(&segment));
                Ok(segment)
            }
            Ok(_) => Err(StoreError::Segment { path, source: SegmentError::Damaged }),
            Err(source) => Err(StoreError::Segment { path, source }),
        }
    }

    fn segment_path(&self, id: SegmentId) -> PathBuf {
        self.dir.join("segments").join(id.file_name())
    }

    fn manifest_path(&self, view: &str) -> PathBuf {
        self.dir.join("views").join(format!("{view}.manifest"))
    }

    fn segments_on_disk(&self) -> BTreeSet<SegmentId> {
        let names =
            list(&self.dir.join("segments")).filter_map(|it| it.file_name().into_string().ok());
        let id = |name: String| {
            let hex = name.strip_suffix(".segment")?.to_owned();
            u64::from_str_radix(&hex, 16).ok().map(SegmentId)
        };
        names.filter_map(id).collect()
    }
}

impl Writer {
    /// Writes a segment so that it lasts, and opens it.
    pub fn write_segment(&self, bytes: &[u8]) -> Result<Arc<Segment>, StoreError> {
        let made = Segment::of_memory(bytes.to_vec(), &self.store.config);
        let id = made
            .map_err(|source| StoreError::Segment { path: self.store.dir.clone(), source })?
            .id();
        write_whole(&self.store.segment_path(id), bytes)?;
        self.store.open_segment(id)
    }

    /// Replaces the view's manifest so that it lasts, then removes segments that no view needs.
    pub fn commit(&self, view: &str, manifest: &Manifest) -> Result<(), StoreError> {
        write_whole(&self.store.manifest_path(view), &manifest.encode())?;
        self.collect_garbage();
        Ok(())
    }

    /// Merges small segments and those of which the view uses little, when there are too many.
    ///
    /// The manifest's places are changed to the merged segment's; it is not committed.
    pub fn compact(
        &self,
        manifest: &mut Manifest,
        segments: &mut Vec<Arc<Segment>>,
    ) -> Result<(), StoreError> {
        let mut live = vec![0_u32; segments.len()];
        manifest.files.iter().for_each(|it| live[it.place.segment as usize] += 1);
        let chosen = choose(segments, &live);
        if chosen.is_empty() {
            drop_unused(manifest, segments, &live);
            return Ok(());
        }
        let keep = |idx: usize| {
            let mut keep = vec![false; segments[idx].n_files() as usize];
            let of_segment = manifest.files.iter().filter(|it| it.place.segment as usize == idx);
            of_segment.for_each(|it| keep[it.place.ord as usize] = true);
            keep
        };
        let inputs: Vec<Input<'_>> =
            chosen.iter().map(|&idx| Input { segment: &segments[idx], keep: keep(idx) }).collect();
        // A damaged input stays as it is: the next query that meets the damage has the view built anew.
        let Some((bytes, origins)) = merge(&inputs, self.store.config.fingerprint()) else {
            return Ok(());
        };
        let merged = self.write_segment(&bytes)?;
        let to = segments.len() as u32;
        segments.push(merged);
        let moved: HashMap<Place, u32> = (0_u32..)
            .zip(origins)
            .map(|(to, (input, ord))| (Place { segment: chosen[input] as u32, ord }, to))
            .collect();
        live.push(moved.len() as u32);
        chosen.iter().for_each(|&idx| live[idx] = 0);
        for file in &mut manifest.files {
            if let Some(&ord) = moved.get(&file.place) {
                file.place = Place { segment: to, ord };
            }
        }
        drop_unused(manifest, segments, &live);
        Ok(())
    }

    /// Removes segments that no readable manifest names, and what an unfinished write left behind.
    fn collect_garbage(&self) {
        let mut needed = BTreeSet::new();
        for entry in list(&self.store.dir.join("views")) {
            let name = entry.file_name().into_string().unwrap_or_default();
            match name.strip_suffix(".manifest").map(|view| self.store.manifest(view)) {
                Some(Some(manifest)) => needed.extend(manifest.segments),
                // A manifest of another version or damaged: its view will be built anew.
                Some(None) => {}
                None => drop(std::fs::remove_file(entry.path())),
            }
        }
        for entry in list(&self.store.dir.join("segments")) {
            let name = entry.file_name().into_string().unwrap_or_default();
            if !needed.iter().any(|it| it.file_name() == name) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Which segments to merge: any of which less than half is used and, when too many are used, the smaller ones.
fn choose(segments: &[Arc<Segment>], live: &[u32]) -> Vec<usize> {
    let sparse = |idx: usize| live[idx] * 2 < segments[idx].n_files() && live[idx] > 0;
    let mut chosen: Vec<usize> = (0..segments.len()).filter(|&idx| sparse(idx)).collect();
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

/// Leaves out the segments of which the view uses nothing.
fn drop_unused(manifest: &mut Manifest, segments: &mut Vec<Arc<Segment>>, live: &[u32]) {
    let used: Vec<usize> = (0..segments.len()).filter(|&idx| live[idx] > 0).collect();
    for file in &mut manifest.files {
        let idx = used.binary_search(&(file.place.segment as usize));
        file.place.segment = idx.expect("a segment with files is used") as u32;
    }
    *segments = used.iter().map(|&idx| Arc::clone(&segments[idx])).collect();
    manifest.segments = segments.iter().map(|it| it.id()).collect();
}

impl Known {
    /// The segment and number of a file with this path and content.
    pub fn file(&self, path: &str, hash: ContentHash) -> Option<(&Arc<Segment>, u32)> {
        let places = self.files.get(&hash)?;
        let at =
            |it: &&Place| self.segments[it.segment as usize].table.paths[it.ord as usize] == path;
        let place = places.iter().find(at)?;
        Some((&self.segments[place.segment as usize], place.ord))
    }

    /// The record, with its references, of a file with this content at whatever path, if its language is the one given.
    pub fn record(
        &self,
        hash: ContentHash,
        language: Option<foreword_chunk::Language>,
    ) -> Option<FileRecord> {
        let places = self.files.get(&hash)?;
        let record = |it: &Place| {
            let segment = &self.segments[it.segment as usize];
            let mut record = segment.record(it.ord).filter(|it| it.language == language)?;
            record.symbols.references = segment.references(it.ord)?;
            Some(record)
        };
        places.iter().find_map(record)
    }
}

/// Writes a file so that it is there whole or not at all, also after a crash.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!("{name}.unfinished"));
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| std::fs::rename(&unfinished, path));
    if renamed.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    renamed.map_err(io)?;
    // The rename lasts once the directory is flushed; where directories cannot be opened (Windows) it need not be.
    if let Some(dir) = path.parent().and_then(|it| File::open(it).ok()) {
        dir.sync_all().map_err(io)?;
    }
    Ok(())
}

fn list(dir: &Path) -> impl Iterator<Item = std::fs::DirEntry> + use<> {
    #[expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]
    let entries = std::fs::read_dir(dir).into_iter().flatten();
    entries.filter_map(Result::ok)
}
