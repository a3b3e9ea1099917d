//! The single writer of an embedder's vectors.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};

use rustc_hash::{FxHashMap, FxHashSet};

use super::VectorStore;
use super::format::{MAGIC, NONE, Record, push, vector_bytes};
use super::reader::Vectors;
use super::text::{TextKey, file_key};
use crate::dense::{PackedVector, PackedView, QuestionVector, packed};
use crate::index::ids::FileId;
use crate::index::snapshot::Snapshot;
use crate::index::store::{StoreError, try_lock, write_file};

/// The text whose vector identifies an embedder.
pub const PROBE: &str = "fn parse(text: &str) -> Option<u32> { text.trim().parse().ok() }";

/// The file is compacted if it has more than this many times the vectors of all views, plus [`MAX_MORE`].
const MAX_TIMES: usize = 3;
const MAX_MORE: usize = 4096;

/// The single writer of an embedder's vectors, until it is dropped or its process ends.
pub struct VectorWriter {
    store: VectorStore,
    file: File,
    /// End of the valid records, where the next one begins.
    end: u64,
    dimensions: usize,
    /// Number of the vector of each text, and their count.
    texts: FxHashMap<TextKey, u32>,
    n: u32,
    _lock: File,
}

impl VectorStore {
    /// Becomes the writer; `None` while another process is the writer. Vectors of an embedder with another vector for
    /// [`PROBE`] are deleted.
    pub fn try_write(&self, probe: &QuestionVector) -> Result<Option<VectorWriter>, StoreError> {
        let io = |source| StoreError::Io { path: self.path.clone(), source };
        let Some(lock) = try_lock(&self.path.with_extension("lock"))? else { return Ok(None) };
        let open = |path| File::options().create(true).truncate(false).write(true).open(path);
        let known = self.load();
        let known = if known.is_by(probe) { known } else { Vectors::default() };
        if known.probe.is_none() {
            write_file(&self.path, &start(probe))?;
        }
        let end = if known.probe.is_none() { start(probe).len() as u64 } else { known.end };
        let file = open(self.path.clone()).map_err(io)?;
        Ok(Some(VectorWriter {
            store: self.clone(),
            file,
            end,
            dimensions: probe.dimensions(),
            n: known.len() as u32,
            texts: known.texts,
            _lock: lock,
        }))
    }
}

/// First bytes of a file.
fn start(probe: &QuestionVector) -> Vec<u8> {
    let mut content = (probe.dimensions() as u32).to_le_bytes().to_vec();
    content.extend(vector_bytes(&probe.packed));
    let mut res = MAGIC.to_vec();
    push(&mut res, &Record::Start(&content));
    res
}

impl VectorWriter {
    /// Whether a text has a vector.
    pub fn has(&self, text: TextKey) -> bool {
        self.texts.contains_key(&text)
    }

    /// Appends vectors of texts. Vectors without direction or with other dimensions count as missing.
    pub fn append(&mut self, vectors: &[(TextKey, Vec<f32>)]) -> Result<(), StoreError> {
        let (mut bytes, mut new) = (Vec::new(), Vec::new());
        for (key, vector) in vectors.iter().filter(|it| it.1.len() == self.dimensions) {
            if let Some(vector) = packed(vector) {
                push(&mut bytes, &Record::Vector(&vector_content(*key, &vector)));
                new.push(*key);
            }
        }
        self.write(&bytes)?;
        for key in new {
            self.texts.insert(key, self.n);
            self.n += 1;
        }
        Ok(())
    }

    /// Records the vectors of a file's chunks; texts without a vector are not embedded again.
    pub fn append_file(
        &mut self,
        snapshot: &Snapshot,
        file: FileId,
        texts: &[TextKey],
    ) -> Result<(), StoreError> {
        let rows = texts.iter().map(|it| self.texts.get(it).copied().unwrap_or(NONE));
        let key = file_key(snapshot.path(file), snapshot.hash(file), &snapshot.config());
        let mut bytes = Vec::new();
        push(&mut bytes, &Record::File(&file_content(key, rows)));
        self.write(&bytes)
    }

    /// Appends records. Incomplete records of a full disk are ignored and later overwritten.
    fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let io = |source| StoreError::Io { path: self.store.path.clone(), source };
        let written = self
            .file
            .set_len(self.end)
            .and_then(|()| self.file.seek(SeekFrom::Start(self.end)))
            .and_then(|_| self.file.write_all(bytes));
        if let Err(error) = written {
            let _ = self.file.set_len(self.end);
            return Err(io(error));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Flushes to disk, and compacts the file if most of it is unused.
    pub fn finish(mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let io = |source| StoreError::Io { path: self.store.path.clone(), source };
        self.file.sync_data().map_err(io)?;
        let vectors = self.store.load();
        let is_sparse = |files: &[u128]| vectors.len() > MAX_TIMES * vectors.rows(files) + MAX_MORE;
        let own = files_of(snapshot);
        // The other views are read only if they may matter.
        let files = if is_sparse(&own) { self.with_other_views(own) } else { None };
        if let Some(files) = files.filter(|it| is_sparse(it)) {
            let bytes = vectors.compacted(&files);
            write_file(&self.store.path, &bytes)?;
            self.end = bytes.len() as u64;
        }
        Ok(())
    }

    /// The files with those of all views of the index: other work trees and branches keep their vectors. `None` if they
    /// are unknown.
    fn with_other_views(&self, mut files: Vec<u128>) -> Option<Vec<u128>> {
        let Some(index) = &self.store.index else { return Some(files) };
        let config = index.config();
        let mut seen: BTreeSet<u128> = files.iter().copied().collect();
        for manifest in index.manifests()? {
            let keys = manifest.files.iter().map(|it| file_key(&it.path, it.hash, &config));
            files.extend(keys.filter(|it| seen.insert(*it)));
        }
        Some(files)
    }
}

/// The keys of a snapshot's files.
fn files_of(snapshot: &Snapshot) -> Vec<u128> {
    let config = snapshot.config();
    let key = |it| file_key(snapshot.path(it), snapshot.hash(it), &config);
    snapshot.files().map(key).collect()
}

fn vector_content(key: TextKey, vector: &PackedVector) -> Vec<u8> {
    let mut res = key.0.to_le_bytes().to_vec();
    res.extend(vector_bytes(vector));
    res
}

fn file_content(key: u128, rows: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut res = key.to_le_bytes().to_vec();
    rows.for_each(|it| res.extend(it.to_le_bytes()));
    res
}

impl Vectors {
    /// Number of vectors of files.
    fn rows(&self, files: &[u128]) -> usize {
        let rows = files.iter().filter_map(|it| self.files.get(it)).flatten();
        rows.filter(|it| **it != NONE).collect::<FxHashSet<_>>().len()
    }

    /// The compacted file, with the vectors of `files`.
    fn compacted(&self, files: &[u128]) -> Vec<u8> {
        let Some(probe) = &self.probe else { return Vec::new() };
        let mut keys = vec![TextKey(0); self.len()];
        self.texts.iter().for_each(|(key, row)| keys[*row as usize] = *key);
        let mut content = (self.dimensions as u32).to_le_bytes().to_vec();
        content.extend(vector_bytes(probe));
        let mut res = MAGIC.to_vec();
        push(&mut res, &Record::Start(&content));
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for file in files {
            let Some(rows) = self.files.get(file) else { continue };
            for row in rows.iter().filter(|it| **it != NONE) {
                let next = numbers.len() as u32;
                if *numbers.entry(*row).or_insert(next) == next {
                    let PackedView { numbers, factors } = self.view(*row);
                    let vector =
                        PackedVector { numbers: numbers.to_vec(), factors: factors.to_vec() };
                    let content = vector_content(keys[*row as usize], &vector);
                    push(&mut res, &Record::Vector(&content));
                }
            }
            let rows = rows.iter().map(|it| numbers.get(it).copied().unwrap_or(NONE));
            push(&mut res, &Record::File(&file_content(*file, rows)));
        }
        res
    }
}
