//! The view of one root: its files and where each is stored.

use bitcode::{Decode, Encode};

use super::checksum::checksum;
use super::config::FORMAT_VERSION;
use super::ids::{FileLocation, SegmentId};
use crate::source::{ContentHash, Stamp};

/// A file whose text is in the index.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IndexedFile {
    /// Relative to the root.
    pub path: String,
    /// Its metadata when it was read.
    pub stamp: Stamp,
    /// When it was read, in nanoseconds since the epoch.
    pub recorded_at_ns: i64,
    /// Hash of the text.
    pub hash: ContentHash,
    /// Where it is stored.
    pub location: FileLocation,
    /// Number of masked secrets.
    pub masked: u32,
}

/// A file that was read or examined, and skipped.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SkippedFile {
    /// Relative to the root.
    pub path: String,
    /// Its metadata then; it is not examined again while they are equal.
    pub stamp: Stamp,
    /// When it was examined, in nanoseconds since the epoch.
    pub recorded_at_ns: i64,
    /// Code of the reason, for programs.
    pub code: String,
    /// The reason, for people.
    pub reason: String,
}

/// The view of one root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Manifest {
    pub(super) format: u32,
    pub(super) fingerprint: u32,
    /// The root, for people.
    pub root: String,
    /// The limits under which files were read; other limits skip other files.
    pub reading: String,
    /// Incremented by every commit.
    pub generation: u64,
    /// Whether all files had been examined at the commit; an interrupted run commits with `false`.
    pub complete: bool,
    /// The segments that [`FileLocation`]s refer to.
    pub segments: Vec<SegmentId>,
    /// Sorted by path.
    pub files: Vec<IndexedFile>,
    /// Sorted by path.
    pub skipped: Vec<SkippedFile>,
}

impl Manifest {
    /// A view without files.
    pub fn new(root: String, fingerprint: u32) -> Self {
        Self { format: FORMAT_VERSION, fingerprint, root, ..Self::default() }
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> Option<&IndexedFile> {
        let at = self.files.binary_search_by(|it| it.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut res = bitcode::encode(self);
        res.extend_from_slice(&checksum(&res).to_le_bytes());
        res
    }

    /// `None` for corrupt data and other versions; the view is then rebuilt.
    pub(super) fn decode(bytes: &[u8], fingerprint: u32) -> Option<Self> {
        let (body, check) = bytes.split_last_chunk::<8>()?;
        if checksum(body) != u64::from_le_bytes(*check) {
            return None;
        }
        let res: Self = bitcode::decode(body).ok()?;
        let is_current = res.format == FORMAT_VERSION && res.fingerprint == fingerprint;
        let is_consistent =
            res.files.iter().all(|it| (it.location.segment as usize) < res.segments.len())
                && res.files.is_sorted_by(|a, b| a.path < b.path);
        (is_current && is_consistent).then_some(res)
    }
}
