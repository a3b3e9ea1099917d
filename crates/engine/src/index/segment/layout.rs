//! The layout of a segment: sections, then a footer with their ends.
//!
//! ```text
//! blobs      for each file: its text (`frames`), zstd of its record, zstd of its mentions
//! postings   posting lists (`postings::list`), in the order of their terms
//! terms      pages (`keys`) of fst: term → offset of its list
//! symbols    entries of names (`postings::names`), in the order of the names
//! names      pages of fst: name → offset of its entry
//! table      zstd of bitcode of `Table`
//! footer     bitcode of `Footer`, its length (u32), its checksum (u64), `MAGIC`
//! ```

use std::ops::Range;

use bitcode::{Decode, Encode};

use super::keys::PageDirectory;
use crate::index::checksum::{CorruptData, checksum};
use crate::index::config::FORMAT_VERSION;

/// The last bytes of a segment file.
pub(super) const MAGIC: [u8; 8] = *b"foreword";

/// Bytes after the footer: its length, its checksum and [`MAGIC`].
pub(super) const TAIL: usize = 4 + 8 + 8;

/// The sections of a segment, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Blobs,
    Postings,
    Terms,
    Symbols,
    Names,
    Table,
}

impl Section {
    const COUNT: usize = Self::Table as usize + 1;
}

/// The blobs of one file, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blob {
    Text,
    Record,
    Mentions,
}

/// Bytes of each blob of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlobLengths {
    pub(super) text: u32,
    pub(super) record: u32,
    pub(super) mentions: u32,
}

/// Ends of the sections, the pages of keys, and the checksum of each block.
#[derive(Debug, Clone, Encode, Decode)]
pub(super) struct Footer {
    pub(super) format: u32,
    pub(super) fingerprint: u32,
    pub(super) n_files: u32,
    pub(super) n_chunks: u32,
    /// By [`Section`].
    ends: [u64; Section::COUNT],
    /// Of terms and names.
    pub(super) pages: [PageDirectory; 2],
    pub(super) checks: Vec<u64>,
}

impl Footer {
    /// The footer of a segment in the current format, with empty sections.
    pub(super) fn new(fingerprint: u32, n_files: u32, n_chunks: u32) -> Self {
        Self {
            format: FORMAT_VERSION,
            fingerprint,
            n_files,
            n_chunks,
            ends: [0; Section::COUNT],
            pages: Default::default(),
            checks: Vec::new(),
        }
    }

    /// Sets the end of `section`.
    pub(super) fn set_end(&mut self, section: Section, end: usize) {
        self.ends[section as usize] = end as u64;
    }

    /// The bytes of a section.
    pub(super) fn range(&self, section: Section) -> Range<usize> {
        let before = (section as usize).checked_sub(1);
        let start = before.map_or(0, |it| self.ends[it]);
        start as usize..self.ends[section as usize] as usize
    }

    /// Reads the footer in `bytes`, and its checksum in `tail`.
    pub(super) fn read(bytes: &[u8], tail: &[u8; TAIL]) -> Result<(Self, u64), CorruptData> {
        let check = tail[4..12].first_chunk().map(|it| u64::from_le_bytes(*it));
        let check = check.ok_or(CorruptData)?;
        if checksum(bytes) != check {
            return Err(CorruptData);
        }
        let footer: Self = bitcode::decode(bytes).map_err(|_| CorruptData)?;
        if footer.ends.is_sorted() { Ok((footer, check)) } else { Err(CorruptData) }
    }

    /// The footer with its length, checksum and [`MAGIC`].
    pub(super) fn write(&self) -> Vec<u8> {
        let mut res = bitcode::encode(self);
        let (len, check) = (res.len() as u32, checksum(&res));
        res.extend_from_slice(&len.to_le_bytes());
        res.extend_from_slice(&check.to_le_bytes());
        res.extend_from_slice(&MAGIC);
        res
    }
}

/// The length of the footer, from the last bytes of a segment.
pub(super) fn footer_len(tail: &[u8; TAIL]) -> Result<usize, CorruptData> {
    let (len, magic) = (tail.first_chunk::<4>().ok_or(CorruptData)?, tail.last_chunk::<8>());
    if magic != Some(&MAGIC) {
        return Err(CorruptData);
    }
    Ok(u32::from_le_bytes(*len) as usize)
}
