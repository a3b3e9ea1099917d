//! The bytes of a segment, as they are written: sections, then a footer that says where they are.
//!
//! ```text
//! blobs      for each file: its text (see frames.rs), its titles (see titles.rs), zstd of its record, zstd of its
//!            references
//! postings   lists (see postings.rs), in the order of their terms
//! terms      fst: term → place of its list
//! symbols    lists, in the order of their names
//! names      fst: name → place of its list
//! table      zstd of bitcode of Table
//! footer     bitcode of Footer, its length (u32), its checksum (u64), MAGIC
//! ```

use bitcode::{Decode, Encode};
use foreword_chunk::Kind;

use super::analyse::Analysed;
use super::blocks::{checksum, checksums};
use super::builder::compress;
use super::bytes::put;
use super::record::language_code;
use crate::source::ContentHash;

/// Last bytes of a segment file.
pub(super) const MAGIC: [u8; 8] = *b"foreword";

/// Bytes after the footer: its length, its checksum and [`MAGIC`].
pub(super) const TAIL: usize = 4 + 8 + 8;

/// Where the sections are, and what their bytes add up to.
#[derive(Debug, Clone, Default, Encode, Decode)]
pub(super) struct Footer {
    pub(super) format: u32,
    pub(super) fingerprint: u32,
    pub(super) n_files: u32,
    pub(super) n_chunks: u32,
    /// Ends of blobs, postings, terms, symbols, names, table.
    pub(super) ends: [u64; 6],
    pub(super) checks: Vec<u64>,
}

/// Files and chunks as columns; read whole when a segment is opened.
#[derive(Debug, Clone, Default, Encode, Decode)]
pub(super) struct Table {
    pub(super) paths: Vec<String>,
    pub(super) hashes: Vec<ContentHash>,
    pub(super) languages: Vec<u8>,
    pub(super) line_counts: Vec<u32>,
    pub(super) sizes: Vec<u32>,
    /// Number of the file's first chunk.
    pub(super) first_chunks: Vec<u32>,
    pub(super) blob_starts: Vec<u64>,
    pub(super) text_lens: Vec<u32>,
    pub(super) title_lens: Vec<u32>,
    pub(super) record_lens: Vec<u32>,
    pub(super) reference_lens: Vec<u32>,
    // From here on by chunk.
    pub(super) starts: Vec<u32>,
    pub(super) start_lines: Vec<u32>,
    pub(super) end_lines: Vec<u32>,
    /// Terms by field.
    pub(super) lengths: Vec<[u16; 4]>,
    /// [`Kind`] of the chunk's title, as a number; 255 without one.
    pub(super) kinds: Vec<u8>,
}

impl Table {
    pub(super) fn add(&mut self, file: &Analysed) {
        let record = &file.record;
        self.paths.push(file.path.clone());
        self.hashes.push(file.hash);
        self.languages.push(language_code(record.language));
        self.line_counts.push(record.lines);
        self.sizes.push(file.text.len() as u32);
        self.first_chunks.push(self.starts.len() as u32);
        for (idx, chunk) in record.chunks.iter().enumerate() {
            self.starts.push(chunk.span.start);
            self.start_lines.push(chunk.start_line);
            self.end_lines.push(chunk.end_line);
            let title = record.title_of(idx as u32);
            let kind = title.map(|it| record.symbols.definitions[it as usize].kind as u8);
            self.kinds.push(kind.unwrap_or(u8::MAX));
        }
        self.lengths.extend_from_slice(&file.terms.lengths);
    }

    /// Adds file `ord` of another table, all but its blobs.
    pub(super) fn copy(&mut self, from: &Self, ord: u32) {
        let chunks = from.chunks_of(ord);
        let chunks = chunks.start as usize..chunks.end as usize;
        let ord = ord as usize;
        self.paths.push(from.paths[ord].clone());
        self.hashes.push(from.hashes[ord]);
        self.languages.push(from.languages[ord]);
        self.line_counts.push(from.line_counts[ord]);
        self.sizes.push(from.sizes[ord]);
        self.first_chunks.push(self.starts.len() as u32);
        self.starts.extend_from_slice(&from.starts[chunks.clone()]);
        self.start_lines.extend_from_slice(&from.start_lines[chunks.clone()]);
        self.end_lines.extend_from_slice(&from.end_lines[chunks.clone()]);
        self.lengths.extend_from_slice(&from.lengths[chunks.clone()]);
        self.kinds.extend_from_slice(&from.kinds[chunks]);
    }

    /// Text, titles, record and references begin at `start` and have these lengths.
    pub(super) fn add_blobs(&mut self, start: usize, lens: [u32; 4]) {
        self.blob_starts.push(start as u64);
        self.text_lens.push(lens[0]);
        self.title_lens.push(lens[1]);
        self.record_lens.push(lens[2]);
        self.reference_lens.push(lens[3]);
    }

    /// The lengths of the four blobs of file `ord`.
    pub(super) fn blob_lens(&self, ord: u32) -> [u32; 4] {
        let ord = ord as usize;
        let titles = self.title_lens[ord];
        [self.text_lens[ord], titles, self.record_lens[ord], self.reference_lens[ord]]
    }

    /// Numbers of the chunks of file `ord`.
    pub(super) fn chunks_of(&self, ord: u32) -> std::ops::Range<u32> {
        let first = self.first_chunks[ord as usize];
        let end = self.first_chunks.get(ord as usize + 1).copied();
        first..end.unwrap_or(self.starts.len() as u32)
    }

    /// The number of the file that has chunk `chunk`.
    pub(super) fn file_of(&self, chunk: u32) -> Option<u32> {
        let file = self.first_chunks.partition_point(|it| *it <= chunk).checked_sub(1)?;
        ((chunk as usize) < self.starts.len()).then_some(file as u32)
    }

    /// Whether all columns fit together.
    pub(super) fn is_whole(&self) -> bool {
        let files = self.paths.len();
        let chunks = self.starts.len();
        [self.hashes.len(), self.languages.len(), self.line_counts.len(), self.sizes.len()]
            .iter()
            .chain(&[self.first_chunks.len(), self.blob_starts.len()])
            .chain(&[self.text_lens.len(), self.title_lens.len()])
            .chain(&[self.record_lens.len(), self.reference_lens.len()])
            .all(|&it| it == files)
            && [self.start_lines.len(), self.end_lines.len(), self.lengths.len(), self.kinds.len()]
                .iter()
                .all(|&it| it == chunks)
            && self.first_chunks.is_sorted()
            && self.first_chunks.last().is_none_or(|&it| it as usize <= chunks)
    }
}

/// The [`Kind`] with that number.
pub(super) fn kind_of(code: u8) -> Option<Kind> {
    Kind::ALL.get(code as usize).copied()
}

/// Lists in the byte order of their keys, and the map from key to list.
pub(super) struct Lists {
    lists: Vec<u8>,
    keys: fst::MapBuilder<Vec<u8>>,
    scratch: Vec<u8>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { lists: Vec::new(), keys: fst::MapBuilder::memory(), scratch: Vec::new() }
    }
}

impl Lists {
    /// Adds the list that `write` makes. Keys must come in byte order, each once; one that does not is left out.
    pub(super) fn push(&mut self, key: &[u8], write: impl FnOnce(&mut Vec<u8>)) {
        if self.keys.insert(key, self.lists.len() as u64).is_err() {
            debug_assert!(false, "keys are sorted and distinct");
            return;
        }
        self.scratch.clear();
        write(&mut self.scratch);
        put(&mut self.lists, self.scratch.len() as u32);
        self.lists.extend_from_slice(&self.scratch);
    }
}

/// Puts the sections of a segment together.
pub(super) fn write(
    blobs: Vec<u8>,
    postings: Lists,
    symbols: Lists,
    table: &Table,
    fingerprint: u32,
) -> Vec<u8> {
    let mut bytes = blobs;
    let mut ends = [0; 6];
    ends[0] = bytes.len() as u64;
    for (idx, lists) in [postings, symbols].into_iter().enumerate() {
        bytes.extend_from_slice(&lists.lists);
        ends[1 + 2 * idx] = bytes.len() as u64;
        let keys = lists.keys.into_inner().expect("writing to memory does not fail");
        bytes.extend_from_slice(&keys);
        ends[2 + 2 * idx] = bytes.len() as u64;
    }
    bytes.extend_from_slice(&compress(&bitcode::encode(table)));
    ends[5] = bytes.len() as u64;
    let footer = Footer {
        format: super::FORMAT_VERSION,
        fingerprint,
        n_files: table.paths.len() as u32,
        n_chunks: table.starts.len() as u32,
        ends,
        checks: checksums(&bytes),
    };
    let footer = bitcode::encode(&footer);
    bytes.extend_from_slice(&footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&checksum(&footer).to_le_bytes());
    bytes.extend_from_slice(&MAGIC);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_back_by_their_numbers() {
        for kind in Kind::ALL {
            assert_eq!(kind_of(kind as u8), Some(kind));
        }
        assert_eq!(kind_of(u8::MAX), None);
    }
}
