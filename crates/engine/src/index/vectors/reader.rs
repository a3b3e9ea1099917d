//! Vectors of an embedder, as of the time they were read.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::VectorStore;
use super::format::{MAGIC, NONE, Record, first, vector_parts};
use super::rows::{ChunkRows, Coverage};
use super::text::{TextKey, file_key};
use crate::dense::{BLOCK, PackedVector, PackedView, QuestionVector, padded};
use crate::index::ids::FileId;
use crate::index::snapshot::Snapshot;
use crate::preset::constants::index::SAME_EMBEDDER;

/// Vectors of chunks.
#[derive(Default)]
pub struct Vectors {
    /// Dimensions of the vectors; 0 while there are none.
    pub(super) dimensions: usize,
    /// Vector of the probe text.
    pub(super) probe: Option<PackedVector>,
    pub(super) numbers: Vec<i8>,
    pub(super) factors: Vec<f32>,
    /// Signs of the numbers.
    signs: Vec<u64>,
    /// Number of the vector of each text.
    pub(super) texts: FxHashMap<TextKey, u32>,
    /// Numbers of the vectors of a file's chunks.
    pub(super) files: FxHashMap<u128, Box<[u32]>>,
    /// End of the valid records.
    pub(super) end: u64,
    /// Rows of the last searched snapshot, by its id.
    rows: Mutex<Option<(String, Arc<ChunkRows>)>>,
}

impl VectorStore {
    /// Reads the vectors; empty if the file is missing or unreadable. Reading ends at the first incomplete or corrupt
    /// record.
    pub fn load(&self) -> Vectors {
        // Opening a pipe would wait for its writer.
        let bytes = if self.path.is_file() { std::fs::read(&self.path) } else { Ok(Vec::new()) };
        Vectors::new(&bytes.unwrap_or_default())
    }

    /// Size of the file in bytes, to detect writes by others; 0 if it does not exist.
    pub fn size(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |it| it.len())
    }
}

impl Vectors {
    fn new(bytes: &[u8]) -> Self {
        let mut res = Self::default();
        let Some(mut rest) = bytes.strip_prefix(MAGIC) else { return res };
        while let Some((record, len)) = first(rest) {
            if res.add(&record).is_none() {
                break;
            }
            rest = &rest[len..];
        }
        res.end = (bytes.len() - rest.len()) as u64;
        res
    }

    /// Adds a record; `None` if it is inconsistent.
    fn add(&mut self, record: &Record<'_>) -> Option<()> {
        match *record {
            Record::Start(content) => {
                let (dimensions, probe) = content.split_first_chunk()?;
                let dimensions = u32::from_le_bytes(*dimensions) as usize;
                let (numbers, factors) = vector_parts(probe, padded(dimensions))?;
                let is_first = self.dimensions == 0 && dimensions > 0;
                let probe = PackedVector { numbers: numbers.collect(), factors: factors.collect() };
                (self.dimensions, self.probe) = is_first.then_some((dimensions, Some(probe)))?;
            }
            Record::Vector(content) => {
                let (key, vector) = content.split_first_chunk()?;
                let (numbers, factors) =
                    vector_parts(vector, self.padded()).filter(|_| self.dimensions > 0)?;
                let row = self.len() as u32;
                self.numbers.extend(numbers);
                self.factors.extend(factors);
                let at = self.numbers.len() - self.padded();
                let view = PackedView { numbers: &self.numbers[at..], factors: &[] };
                self.signs.extend(view.signs());
                self.texts.insert(TextKey(u128::from_le_bytes(*key)), row);
            }
            Record::File(content) => {
                let (key, rows) = content.split_first_chunk()?;
                let rows: Box<[u32]> =
                    rows.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
                let n = self.len() as u32;
                rows.iter().all(|it| *it < n || *it == NONE).then_some(())?;
                self.files.insert(u128::from_le_bytes(*key), rows);
            }
        }
        Some(())
    }

    fn padded(&self) -> usize {
        padded(self.dimensions)
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.numbers.len().checked_div(self.padded()).unwrap_or(0)
    }

    /// Whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Dimensions of the vectors; 0 while there are none.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Whether they come from the embedder that returns `probe` for [`PROBE`](super::writer::PROBE); `true` while there
    /// are none.
    pub fn is_by(&self, probe: &QuestionVector) -> bool {
        let same = |it: &PackedVector| {
            self.dimensions == probe.dimensions()
                && probe.packed.likeness(it.view()) >= SAME_EMBEDDER
        };
        self.probe.as_ref().is_none_or(same)
    }

    /// Share of a snapshot that has vectors.
    pub fn coverage(&self, snapshot: &Snapshot) -> Coverage {
        let rows = self.rows_of(snapshot);
        Coverage { chunks: snapshot.totals().chunks as usize, known: rows.known }
    }

    /// Files of a snapshot without vectors, sorted by path.
    pub fn missing(&self, snapshot: &Snapshot) -> Vec<FileId> {
        let is_known = |it: &FileId| self.rows_of_file(snapshot, *it).is_some();
        snapshot.files().filter(|it| !is_known(it)).collect()
    }

    /// The numbers of the vectors of a file's chunks.
    pub(super) fn rows_of_file(&self, snapshot: &Snapshot, file: FileId) -> Option<&[u32]> {
        let key = file_key(snapshot.path(file), snapshot.hash(file), &snapshot.config());
        self.files.get(&key).map(|it| &**it)
    }

    /// Rows of a snapshot, cached for the last one.
    pub(crate) fn rows_of(&self, snapshot: &Snapshot) -> Arc<ChunkRows> {
        let lock = || self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |it: &(String, _)| it.0 == snapshot.id();
        if let Some((_, rows)) = lock().clone().filter(is_it) {
            return rows;
        }
        let rows = Arc::new(ChunkRows::new(snapshot, |it| self.rows_of_file(snapshot, it)));
        *lock() = Some((snapshot.id().to_owned(), Arc::clone(&rows)));
        rows
    }

    /// The vector with this number.
    pub(crate) fn view(&self, row: u32) -> PackedView<'_> {
        let (row, padded) = (row as usize, self.padded());
        let blocks = padded / BLOCK;
        PackedView {
            numbers: &self.numbers[row * padded..][..padded],
            factors: &self.factors[row * blocks..][..blocks],
        }
    }

    /// Number of differing signs between a vector and `signs`.
    pub(crate) fn distance(&self, row: u32, signs: &[u64]) -> u32 {
        let own = &self.signs[row as usize * signs.len()..][..signs.len()];
        own.iter().zip(signs).map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}
