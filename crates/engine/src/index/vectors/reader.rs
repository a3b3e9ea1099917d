//! The vectors by one embedder, as they were when they were read.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::VectorStore;
use super::format::{MAGIC, NONE, Record, first, vector_parts};
use super::rows::{ChunkRows, Coverage};
use super::text::{TextKey, file_key};
use crate::dense::{BLOCK, Packed, PackedView, QuestionVector, padded};
use crate::index::ids::FileId;
use crate::index::snapshot::Snapshot;

/// Vectors of chunks.
#[derive(Default)]
pub struct Vectors {
    /// How many numbers the embedder gives; 0 while there is no vector.
    pub(super) dimensions: usize,
    /// The vector of a text that is always the same.
    pub(super) probe: Option<Packed>,
    pub(super) numbers: Vec<i8>,
    pub(super) factors: Vec<f32>,
    /// The signs of the numbers.
    signs: Vec<u64>,
    /// The number of the vector of each text.
    pub(super) texts: FxHashMap<TextKey, u32>,
    /// The numbers of the vectors of a file's chunks.
    pub(super) files: FxHashMap<u128, Box<[u32]>>,
    /// Where sound records end.
    pub(super) end: u64,
    /// Those of the snapshot that was searched last, by its id.
    rows: Mutex<Option<(String, Arc<ChunkRows>)>>,
}

/// From which likeness on two vectors of one text are of the same embedder: other hardware rounds otherwise, another model
/// has nothing in common.
pub(super) const SAME: f32 = 0.98;

impl VectorStore {
    /// Reads the vectors; there are none where the file is absent or unreadable. A record that was cut off or damaged ends
    /// what is read.
    pub fn load(&self) -> Vectors {
        // To open a pipe is to wait for its writer.
        let bytes = if self.path.is_file() { std::fs::read(&self.path) } else { Ok(Vec::new()) };
        Vectors::new(&bytes.unwrap_or_default())
    }

    /// Bytes of the file, by which a reader sees that others have written; 0 where there is none.
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

    /// Takes over a record; `None` if it makes no sense here.
    fn add(&mut self, record: &Record<'_>) -> Option<()> {
        match *record {
            Record::Start(content) => {
                let (dimensions, probe) = content.split_first_chunk()?;
                let dimensions = u32::from_le_bytes(*dimensions) as usize;
                let (numbers, factors) = vector_parts(probe, padded(dimensions))?;
                let is_first = self.dimensions == 0 && dimensions > 0;
                let probe = Packed { numbers: numbers.collect(), factors: factors.collect() };
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

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.numbers.len().checked_div(self.padded()).unwrap_or(0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many numbers the embedder gives; 0 while there is no vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Whether they are by the embedder that gives `probe` for [`PROBE`](super::writer::PROBE); `true` while there are none.
    pub fn is_by(&self, probe: &QuestionVector) -> bool {
        let same = |it: &Packed| {
            self.dimensions == probe.dimensions() && probe.packed.likeness(it.view()) >= SAME
        };
        self.probe.as_ref().is_none_or(same)
    }

    /// How much of a snapshot has vectors.
    pub fn coverage(&self, snapshot: &Snapshot) -> Coverage {
        let rows = self.rows_of(snapshot);
        Coverage { chunks: snapshot.totals().chunks as usize, known: rows.known }
    }

    /// The files of a snapshot whose chunks have no vectors yet, in the order of their paths.
    pub fn missing(&self, snapshot: &Snapshot) -> Vec<FileId> {
        let is_known = |it: &FileId| self.rows_of_file(snapshot, *it).is_some();
        snapshot.files().filter(|it| !is_known(it)).collect()
    }

    /// The numbers of the vectors of a file's chunks.
    pub(super) fn rows_of_file(&self, snapshot: &Snapshot, file: FileId) -> Option<&[u32]> {
        let key = file_key(snapshot.path(file), snapshot.hash(file), &snapshot.config());
        self.files.get(&key).map(|it| &**it)
    }

    /// Which chunk of a snapshot has which vector; found once for each snapshot.
    pub(crate) fn rows_of(&self, snapshot: &Snapshot) -> Arc<ChunkRows> {
        let mut kept = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((id, rows)) if id == snapshot.id() => Arc::clone(rows),
            _ => {
                let rows = Arc::new(ChunkRows::new(self, snapshot));
                *kept = Some((snapshot.id().to_owned(), Arc::clone(&rows)));
                rows
            }
        }
    }

    /// The vector of a number.
    pub(crate) fn view(&self, row: u32) -> PackedView<'_> {
        let (row, padded) = (row as usize, self.padded());
        let blocks = padded / BLOCK;
        PackedView {
            numbers: &self.numbers[row * padded..][..padded],
            factors: &self.factors[row * blocks..][..blocks],
        }
    }

    /// How many signs of a vector differ from these.
    pub(crate) fn distance(&self, row: u32, signs: &[u64]) -> u32 {
        let own = &self.signs[row as usize * signs.len()..][..signs.len()];
        own.iter().zip(signs).map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}
