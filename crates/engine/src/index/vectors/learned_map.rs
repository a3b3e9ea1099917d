//! The map of question vectors that was learned for a repository, beside the vectors of its chunks.
//!
//! ```text
//! vectors/MODEL-HASH.map     magic (8), checksum of the rest (u64), `MapFile`
//! vectors/MODEL-HASH.pairs   the vectors of what it was learned from, in the format of vectors
//! ```
//!
//! It goes with the vectors: a map by another embedder than they are by is none.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::io;
use std::time::SystemTime;

use super::format::vector_bytes;
use super::reader::{SAME, Vectors};
use super::text::hash_of;
use super::{TextKey, VectorStore};
use crate::dense::query_map::{QueryMap, Report};
use crate::dense::{Packed, QuestionVector};
use crate::index::checksum::checksum;
use crate::index::store::{Store, StoreError, write_file};

/// The beginning of every file.
const MAGIC: &[u8; 8] = b"fwqmap01";

/// A larger file is none: that of the longest vectors that are mapped is 17 MB.
const MOST_BYTES: u64 = 32 << 20;

/// What was learned, and of what.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedMap {
    /// The map; `None` where none is in force.
    pub map: Option<QueryMap>,
    /// How learning went.
    pub report: Report,
    /// Equal for equal pairs.
    pub digest: PairDigest,
}

/// Names what a map was learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bitcode::Encode, bitcode::Decode)]
pub struct PairDigest(u128);

/// How maps are learned: another way gives other maps of the same pairs.
const FORM: u8 = 2;

impl PairDigest {
    /// Of pairs of a question and a text, with what each counts.
    pub fn of<'p>(pairs: impl Iterator<Item = (TextKey, TextKey, f32)> + 'p) -> Self {
        let mut bytes = vec![FORM];
        for (question, text, weight) in pairs {
            bytes.extend(question.0.to_le_bytes());
            bytes.extend(text.0.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
        Self(hash_of(&bytes))
    }
}

/// The content of the file.
#[derive(bitcode::Encode, bitcode::Decode)]
struct MapFile {
    digest: PairDigest,
    report: Report,
    map: Option<QueryMap>,
    /// The vector of a text that is always the same, as the vectors' file has it.
    dimensions: usize,
    numbers: Vec<i8>,
    factors: Vec<f32>,
}

impl VectorStore {
    /// Where the vectors of what a map is learned from are kept.
    #[must_use]
    pub fn pairs(&self) -> Self {
        Self { path: self.path.with_extension("pairs") }
    }

    /// Keeps what was learned with the vectors of an embedder that gives `probe` for [`super::PROBE`].
    pub fn save_map(&self, learned: &LearnedMap, probe: &QuestionVector) -> Result<(), StoreError> {
        let Packed { numbers, factors } = probe.packed.clone();
        let dimensions = probe.dimensions();
        let LearnedMap { map, report, digest } = learned.clone();
        let content =
            bitcode::encode(&MapFile { digest, report, map, dimensions, numbers, factors });
        let bytes = [&MAGIC[..], &checksum(&content).to_le_bytes(), &content].concat();
        write_file(&self.path.with_extension("map"), &bytes)
    }

    /// What was learned for these vectors; `None` where nothing was, the file is damaged, or it is by another embedder.
    pub fn load_map(&self, vectors: &Vectors) -> Option<LearnedMap> {
        let path = self.path.with_extension("map");
        let is_file =
            std::fs::metadata(&path).is_ok_and(|it| it.is_file() && it.len() <= MOST_BYTES);
        let bytes = is_file.then(|| std::fs::read(&path).ok()).flatten()?;
        let (check, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if checksum(content) != u64::from_le_bytes(*check) {
            return None;
        }
        let MapFile { digest, report, map, dimensions, numbers, factors } =
            bitcode::decode(content).ok()?;
        let is_sound = map.as_ref().is_none_or(QueryMap::is_sound);
        let probe = Packed { numbers, factors };
        let is_same = |it: &Packed| {
            dimensions == vectors.dimensions()
                && vector_bytes(&probe).len() == vector_bytes(it).len()
                && probe.likeness(it.view()) >= SAME
        };
        let is_by = vectors.probe.as_ref().is_some_and(is_same);
        (is_sound && is_by).then_some(LearnedMap { map, report, digest })
    }

    /// When the map was written, by which a reader sees that there is another.
    pub fn map_written(&self) -> Option<SystemTime> {
        std::fs::metadata(self.path.with_extension("map")).and_then(|it| it.modified()).ok()
    }

    /// Forgets what was learned in the workspace of `store`, by every embedder, with the questions that it was learned from; how
    /// many maps there were.
    pub fn forget_maps(store: &Store) -> io::Result<usize> {
        let mut forgotten = 0;
        let files = match std::fs::read_dir(store.workspace_dir().join("vectors")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            files => files?,
        };
        for file in files {
            let path = file?.path();
            let is_map = path.extension().is_some_and(|it| it == "map");
            if is_map || path.extension().is_some_and(|it| it == "pairs") {
                std::fs::remove_file(&path)?;
                forgotten += usize::from(is_map);
            }
        }
        Ok(forgotten)
    }
}
