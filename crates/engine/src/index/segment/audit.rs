//! Decodes a whole segment to find damage that checksums do not show.

use std::panic::AssertUnwindSafe;

use fst::Streamer as _;

use super::check::{fits_names, fits_text};
use super::keys::KeyStream;
use super::layout::Section;
use super::reader::{Segment, SegmentError};
use crate::index::checksum::CorruptData;
use crate::index::postings::{NameEntry, each_posting};
use crate::source::ContentHash;

impl Segment {
    /// Decodes everything. Reading a segment costs a fraction of this, so it is only for suspected segments.
    pub(crate) fn audit(&self) -> Result<(), SegmentError> {
        self.verify()?;
        // The crate of the key maps panics on some damaged maps.
        let is_sound = std::panic::catch_unwind(AssertUnwindSafe(|| {
            (0..self.n_files()).all(|ord| self.decodes(ord).is_some()) && self.lists_decode()
        }));
        Ok(self.note(if is_sound.unwrap_or(false) { Ok(()) } else { Err(CorruptData) })?)
    }

    fn decodes(&self, ord: u32) -> Option<()> {
        let text = self.text(ord)?;
        let (record, mentions) = (self.record(ord)?, self.mentions(ord)?);
        let is_text = ContentHash::of(text.as_bytes()) == self.table.hashes[ord as usize];
        let names = fits_names(&mentions, &text);
        (is_text && names && fits_text(&record, &text)).then_some(())
    }

    fn lists_decode(&self) -> bool {
        let postings = |offset| {
            let Some(bytes) = self.postings_at(offset) else { return false };
            let (mut n, mut last, mut ascends) = (0, None, true);
            each_posting(&bytes, |(chunk, _)| {
                ascends &= last.is_none_or(|last| last < chunk);
                (n, last) = (n + 1, Some(chunk));
            });
            n == self.postings_len(offset) && ascends && last.is_some_and(|it| it < self.n_chunks())
        };
        let names = |offset| {
            let of_chunk = |file: u32, chunk: u32| {
                file < self.n_files() && (chunk as usize) < self.table.chunks_of(file).len()
            };
            self.name_at(offset).is_some_and(|it: NameEntry| {
                it.definitions.iter().all(|it| of_chunk(it.file, it.chunk))
                    && it.references.iter().all(|it| it.0 < self.n_files())
            })
        };
        let (Some(terms), Some(all)) = (self.terms(), self.names()) else {
            return !self.is_damaged();
        };
        each_offset(terms, self.section(Section::Postings).len(), postings)
            && each_offset(all, self.section(Section::Symbols).len(), names)
    }
}

/// Whether `holds` accepts the offsets of all keys, which take at least one byte each in a section of `most` bytes.
fn each_offset(mut keys: KeyStream<'_>, most: usize, mut holds: impl FnMut(u64) -> bool) -> bool {
    let mut n = 0;
    while let Some((key, offset)) = keys.next() {
        n += 1;
        if n > most || std::str::from_utf8(key).is_err() || !holds(offset) {
            return false;
        }
    }
    true
}
