//! Data of a segment's files and chunks that needs no blobs: one column per property.

use std::ops::Range;

use bitcode::{Decode, Encode};
use foreword_chunk::Kind;

use super::layout::{Blob, BlobLengths};
use super::provenance::provenance;
use crate::index::analyze::AnalyzedFile;
use crate::index::generated::is_generated;
use crate::index::record::language_code;
use crate::source::ContentHash;

/// Files and chunks as columns, read as a whole when a segment is opened.
#[derive(Debug, Clone, Default, Encode, Decode)]
pub(crate) struct Table {
    pub(crate) paths: Vec<String>,
    pub(crate) hashes: Vec<ContentHash>,
    pub(crate) languages: Vec<u8>,
    /// The [`ParseOutcome`](foreword_chunk::ParseOutcome) as a number.
    pub(crate) outcomes: Vec<u8>,
    /// Whether a program wrote the file.
    pub(crate) generated: Vec<bool>,
    pub(crate) line_counts: Vec<u32>,
    pub(crate) sizes: Vec<u32>,
    /// The files with an entry in `provenance`, ascending.
    provenance_files: Vec<u32>,
    provenance: Vec<String>,
    /// Number of the file's first chunk.
    pub(crate) first_chunks: Vec<u32>,
    pub(crate) blob_starts: Vec<u64>,
    pub(crate) text_lens: Vec<u32>,
    pub(crate) record_lens: Vec<u32>,
    pub(crate) mention_lens: Vec<u32>,
    // One entry per chunk from here on.
    pub(crate) starts: Vec<u32>,
    pub(crate) start_lines: Vec<u32>,
    pub(crate) end_lines: Vec<u32>,
    /// Number of terms in each field.
    pub(crate) lengths: Vec<[u16; 4]>,
    /// The [`Kind`] of the chunk's title as a number; 255 if it has no title.
    pub(crate) kinds: Vec<u8>,
}

impl Table {
    pub(crate) fn add(&mut self, file: &AnalyzedFile) {
        let record = &file.record;
        self.add_provenance(provenance(&file.path, &file.text));
        self.paths.push(file.path.clone());
        self.hashes.push(file.hash);
        self.languages.push(language_code(record.language));
        self.outcomes.push(record.outcome as u8);
        self.generated.push(is_generated(&file.path, &file.text));
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

    /// Adds file `ord` of another table, without its blobs.
    pub(crate) fn copy(&mut self, from: &Self, ord: u32) {
        let chunks = from.chunks_of(ord);
        let chunks = chunks.start as usize..chunks.end as usize;
        self.add_provenance(from.provenance_of(ord).map(str::to_owned));
        let ord = ord as usize;
        self.paths.push(from.paths[ord].clone());
        self.hashes.push(from.hashes[ord]);
        self.languages.push(from.languages[ord]);
        self.outcomes.push(from.outcomes[ord]);
        self.generated.push(from.generated[ord]);
        self.line_counts.push(from.line_counts[ord]);
        self.sizes.push(from.sizes[ord]);
        self.first_chunks.push(self.starts.len() as u32);
        self.starts.extend_from_slice(&from.starts[chunks.clone()]);
        self.start_lines.extend_from_slice(&from.start_lines[chunks.clone()]);
        self.end_lines.extend_from_slice(&from.end_lines[chunks.clone()]);
        self.lengths.extend_from_slice(&from.lengths[chunks.clone()]);
        self.kinds.extend_from_slice(&from.kinds[chunks]);
    }

    /// Adds what the next file says of the origin of files.
    fn add_provenance(&mut self, stated: Option<String>) {
        if let Some(stated) = stated {
            self.provenance_files.push(self.paths.len() as u32);
            self.provenance.push(stated);
        }
    }

    /// What file `ord` says of the origin of files: see [`provenance`].
    pub(crate) fn provenance_of(&self, ord: u32) -> Option<&str> {
        let at = self.provenance_files.binary_search(&ord).ok()?;
        self.provenance.get(at).map(String::as_str)
    }

    /// Adds the blobs of a file, which start at byte `start` of their section.
    pub(super) fn add_blobs(&mut self, start: usize, lengths: BlobLengths) {
        self.blob_starts.push(start as u64);
        self.text_lens.push(lengths.text);
        self.record_lens.push(lengths.record);
        self.mention_lens.push(lengths.mentions);
    }

    pub(super) fn blob_lengths(&self, ord: u32) -> BlobLengths {
        let ord = ord as usize;
        BlobLengths {
            text: self.text_lens[ord],
            record: self.record_lens[ord],
            mentions: self.mention_lens[ord],
        }
    }

    /// Byte range of a blob of file `ord` within the blobs section. Blobs of a file are consecutive.
    pub(super) fn blob_range(&self, ord: u32, blob: Blob) -> Range<usize> {
        let BlobLengths { text, record, mentions } = self.blob_lengths(ord);
        let [text, record, mentions] = [text, record, mentions].map(|it| it as usize);
        let (before, len) = match blob {
            Blob::Text => (0, text),
            Blob::Record => (text, record),
            Blob::Mentions => (text + record, mentions),
        };
        let start = self.blob_starts[ord as usize] as usize + before;
        start..start + len
    }

    /// Numbers of the chunks of file `ord`.
    pub(crate) fn chunks_of(&self, ord: u32) -> Range<u32> {
        let first = self.first_chunks[ord as usize];
        let end = self.first_chunks.get(ord as usize + 1).copied();
        first..end.unwrap_or(self.starts.len() as u32)
    }

    /// The number of the file to which `chunk` belongs.
    pub(crate) fn file_of(&self, chunk: u32) -> Option<u32> {
        let file = self.first_chunks.partition_point(|it| *it <= chunk).checked_sub(1)?;
        ((chunk as usize) < self.starts.len()).then_some(file as u32)
    }

    /// Whether the lengths of all columns match, the blobs are within `blobs` bytes, and each file's chunks within the
    /// file.
    pub(crate) fn is_consistent(&self, blobs: usize) -> bool {
        self.has_equal_columns()
            && (0..self.paths.len() as u32)
                .all(|ord| self.is_within(ord, blobs) && self.covers_file(ord))
    }

    fn is_within(&self, ord: u32, blobs: usize) -> bool {
        let BlobLengths { text, record, mentions } = self.blob_lengths(ord);
        let lengths = [text, record, mentions].map(u64::from);
        let end = self.blob_starts[ord as usize].checked_add(lengths.iter().sum());
        end.is_some_and(|end| end <= blobs as u64)
    }

    /// Whether the chunks of a file are consecutive from its first byte.
    fn covers_file(&self, ord: u32) -> bool {
        let chunks = self.chunks_of(ord);
        let starts = &self.starts[chunks.start as usize..chunks.end as usize];
        let (first, last) = (starts.first(), starts.last());
        starts.is_sorted()
            && first.is_none_or(|it| *it == 0)
            && last.is_none_or(|it| *it <= self.sizes[ord as usize])
    }

    fn has_equal_columns(&self) -> bool {
        let files = self.paths.len();
        let chunks = self.starts.len();
        [self.hashes.len(), self.languages.len(), self.line_counts.len(), self.sizes.len()]
            .iter()
            .chain(&[self.outcomes.len(), self.first_chunks.len(), self.blob_starts.len()])
            .chain(&[self.text_lens.len(), self.record_lens.len(), self.mention_lens.len()])
            .chain(&[self.generated.len()])
            .all(|&it| it == files)
            && [self.start_lines.len(), self.end_lines.len(), self.lengths.len(), self.kinds.len()]
                .iter()
                .all(|&it| it == chunks)
            && self.provenance_files.len() == self.provenance.len()
            && self.provenance_files.is_sorted()
            && self.first_chunks.is_sorted()
            && self.first_chunks.first().is_none_or(|&it| it == 0)
            && self.first_chunks.last().is_none_or(|&it| it as usize <= chunks)
    }
}

/// The [`Kind`] with the stored `code`.
pub(crate) fn kind_of(code: u8) -> Option<Kind> {
    Kind::ALL.get(code as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_round_trip_through_their_codes() {
        for kind in Kind::ALL {
            assert_eq!(kind_of(kind as u8), Some(kind));
        }
        assert_eq!(kind_of(u8::MAX), None);
    }
}
