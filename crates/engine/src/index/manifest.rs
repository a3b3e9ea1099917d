//! The view of one root: which files it has, and where in which segment each of them is.

use bitcode::{Decode, Encode};

use super::blocks::checksum;
use super::segment::SegmentId;
use crate::source::{ContentHash, Stamp};

/// A file's place: number of the segment in [`Manifest::segments`], number of the file in the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Place {
    /// Which of the manifest's segments.
    pub segment: u32,
    /// Which of the segment's files.
    pub ord: u32,
}

/// A file whose text is in the index.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IndexedFile {
    /// Relative to the root.
    pub path: String,
    /// What the disk said when it was read.
    pub stamp: Stamp,
    /// When that was, nanoseconds since the epoch.
    pub recorded_at_ns: i64,
    /// Hash of the text.
    pub hash: ContentHash,
    /// Where it is.
    pub place: Place,
}

/// A file that was read (or looked at) and left out.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SkippedFile {
    /// Relative to the root.
    pub path: String,
    /// What the disk said then; an equal stamp spares another look.
    pub stamp: Stamp,
    /// When that was, nanoseconds since the epoch.
    pub recorded_at_ns: i64,
    /// A short word for programs.
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
    /// By which limits files were read; others may take what was left out.
    pub reading: String,
    /// Grows with every commit.
    pub generation: u64,
    /// Whether every file was looked at when it was committed; an index cut short commits what it has, with `false`.
    pub complete: bool,
    /// The segments in which [`Place`]s are.
    pub segments: Vec<SegmentId>,
    /// By path.
    pub files: Vec<IndexedFile>,
    /// By path.
    pub skipped: Vec<SkippedFile>,
}

impl Manifest {
    /// A view without files.
    pub fn new(root: String, fingerprint: u32) -> Self {
        Self { format: super::FORMAT_VERSION, fingerprint, root, ..Self::default() }
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

    /// `None` for damage and for other versions: both mean that the view is built anew.
    pub(super) fn decode(bytes: &[u8], fingerprint: u32) -> Option<Self> {
        let (body, check) = bytes.split_last_chunk::<8>()?;
        if checksum(body) != u64::from_le_bytes(*check) {
            return None;
        }
        let res: Self = bitcode::decode(body).ok()?;
        let known = res.format == super::FORMAT_VERSION && res.fingerprint == fingerprint;
        let whole = res.files.iter().all(|it| (it.place.segment as usize) < res.segments.len())
            && res.files.is_sorted_by(|a, b| a.path < b.path);
        (known && whole).then_some(res)
    }
}
