//! An immutable segment, read from a file in checked blocks or from the memory of the process that built it.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foreword_chunk::{Language, ParseOutcome};

use super::blocks::{Blocks, read_at};
use super::check::{are_within, fits_table, most_decoded};
use super::compression::decode;
use super::frames::Frames;
use super::keys::{KeyPages, KeyStream, KeyWalk, Keys, SortedKeys};
use super::layout::{Blob, Footer, Section, TAIL, footer_len};
use super::norms::{LengthNorms, NormCache};
use super::provenance;
use super::table::Table;
use crate::index::checksum::CorruptData;
use crate::index::config::{FORMAT_VERSION, IndexConfig};
use crate::index::ids::SegmentId;
use crate::index::postings::NameEntry;
use crate::index::record::{FileRecord, Mentions, language_of_code};
use crate::index::varint::Reader;

/// Why a segment cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// It could not be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// Its bytes were changed.
    #[error("is damaged")]
    Damaged,
    /// Another version of foreword wrote it.
    #[error("was written by another version")]
    OtherVersion,
}

impl From<CorruptData> for SegmentError {
    fn from(_: CorruptData) -> Self {
        Self::Damaged
    }
}

/// An immutable set of files with their chunks, postings, symbols and texts.
pub struct Segment {
    id: SegmentId,
    blocks: Arc<Blocks>,
    footer: Footer,
    terms: Keys,
    names: Keys,
    pub(crate) table: Table,
    norms: NormCache,
    damaged: AtomicBool,
}

impl Segment {
    /// A segment that this process has built.
    pub fn of_memory(bytes: Vec<u8>, config: &IndexConfig) -> Result<Self, SegmentError> {
        Self::of_bytes(bytes, None, config)
    }

    /// A segment whose sections of terms and names are empty, with these.
    pub(super) fn with_keys(
        bytes: Vec<u8>,
        keys: [SortedKeys; 2],
        config: &IndexConfig,
    ) -> Result<Self, SegmentError> {
        Self::of_bytes(bytes, Some(keys.map(Keys::Sorted)), config)
    }

    fn of_bytes(
        mut bytes: Vec<u8>,
        keys: Option<[Keys; 2]>,
        config: &IndexConfig,
    ) -> Result<Self, SegmentError> {
        let end = bytes.len().checked_sub(TAIL).ok_or(CorruptData)?;
        let tail: [u8; TAIL] = *bytes[end..].first_chunk().ok_or(CorruptData)?;
        let start = end.checked_sub(footer_len(&tail)?).ok_or(CorruptData)?;
        let (footer, check) = Footer::read(&bytes[start..end], &tail)?;
        let id = SegmentId(check);
        bytes.truncate(start);
        Self::new((id, footer), Blocks::Memory(bytes), keys, config)
    }

    /// Opens a segment file. Blocks are verified when they are first read; those that every query needs are read here.
    pub fn open(path: &Path, config: &IndexConfig) -> Result<Self, SegmentError> {
        let metadata = std::fs::metadata(path)?;
        // Opening a pipe would wait for its writer.
        if !metadata.is_file() {
            return Err(SegmentError::Damaged);
        }
        let file = File::open(path)?;
        let len = metadata.len() as usize;
        let mut tail = [0; TAIL];
        read_at(&file, &mut tail, len.checked_sub(TAIL).ok_or(CorruptData)? as u64)?;
        let footer_len = footer_len(&tail)?;
        let start = len.checked_sub(TAIL + footer_len).ok_or(CorruptData)?;
        let mut footer = vec![0; footer_len];
        read_at(&file, &mut footer, start as u64)?;
        let (mut footer, check) = Footer::read(&footer, &tail)?;
        let checks = std::mem::take(&mut footer.checks);
        let blocks = Blocks::of_file(file, start, checks)?;
        Self::new((SegmentId(check), footer), blocks, None, config)
    }

    fn new(
        (id, mut footer): (SegmentId, Footer),
        blocks: Blocks,
        keys: Option<[Keys; 2]>,
        config: &IndexConfig,
    ) -> Result<Self, SegmentError> {
        if (footer.format, footer.fingerprint) != (FORMAT_VERSION, config.fingerprint()) {
            return Err(SegmentError::OtherVersion);
        }
        let blocks = Arc::new(blocks);
        let [terms, names] = std::mem::take(&mut footer.pages);
        let stored = |directory, section| {
            KeyPages::new(directory, Arc::clone(&blocks), footer.range(section)).map(Keys::Pages)
        };
        let [terms, names] = match keys {
            Some(keys) => keys,
            None => [stored(terms, Section::Terms)?, stored(names, Section::Names)?],
        };
        let blobs = footer.range(Section::Blobs).len();
        let table = blocks.copy(footer.range(Section::Table))?;
        let table = decode(&table, most_of_table(&footer))?;
        let table: Table = bitcode::decode(&table).map_err(|_| CorruptData)?;
        let counts = (table.paths.len(), table.starts.len());
        if counts != (footer.n_files as usize, footer.n_chunks as usize)
            || !table.is_consistent(blobs)
        {
            return Err(SegmentError::Damaged);
        }
        let norms = NormCache::default();
        let damaged = AtomicBool::new(false);
        Ok(Self { id, blocks, footer, terms, names, table, norms, damaged })
    }

    /// Its identifier.
    pub fn id(&self) -> SegmentId {
        self.id
    }

    /// Number of files.
    pub fn n_files(&self) -> u32 {
        self.table.paths.len() as u32
    }

    /// Language of file `ord`, and whether it has a syntax tree, or why not.
    pub fn outcome(&self, ord: u32) -> (Option<Language>, ParseOutcome) {
        let code = |codes: &[u8]| codes.get(ord as usize).copied().unwrap_or(u8::MAX);
        let outcome = ParseOutcome::ALL.get(code(&self.table.outcomes) as usize);
        (language_of_code(code(&self.table.languages)), outcome.copied().unwrap_or_default())
    }

    /// Whether the text and record of file `ord` are here; a table alone has neither.
    pub(crate) fn has_contents(&self, ord: u32) -> bool {
        self.table.blob_lengths(ord).record > 0
    }

    /// Number of chunks.
    pub fn n_chunks(&self) -> u32 {
        self.table.starts.len() as u32
    }

    /// Whether corrupt data was found since it was opened. Unreadable data counts as absent.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed) || self.terms.is_damaged() || self.names.is_damaged()
    }

    /// Verifies every block.
    pub fn verify(&self) -> Result<(), SegmentError> {
        Ok(self.note(self.blocks.verify())?)
    }

    /// Records corrupt data in a result.
    pub(super) fn note<T>(&self, res: Result<T, CorruptData>) -> Result<T, CorruptData> {
        if res.is_err() {
            self.note_damage();
        }
        res
    }

    /// Records that corrupt data was found.
    pub(crate) fn note_damage(&self) {
        self.damaged.store(true, Ordering::Relaxed);
    }

    /// Length norms of its chunks.
    pub(crate) fn norms(&self, parameters: &LengthNorms) -> Arc<[f32]> {
        self.norms.get(parameters, &self.table.lengths)
    }

    /// Offset of the posting list of `term`.
    pub(crate) fn offset_of(&self, term: &str) -> Option<u64> {
        self.terms.get(term)
    }

    /// Looks up the offsets of several terms.
    pub(crate) fn offsets(&self) -> KeyWalk<'_> {
        KeyWalk::new(&self.terms)
    }

    /// Length of the posting list at `offset`, by its head.
    pub(crate) fn postings_len(&self, offset: u64) -> u32 {
        let head = self.head(Section::Postings, offset, 10);
        let mut reader = Reader::new(head.as_ref().map_or(&[], |it| &it.1));
        reader.number();
        let len = reader.number();
        // A term occurs at most once per chunk.
        let is_right = len <= self.n_chunks();
        self.note(is_right.then_some(len).ok_or(CorruptData)).unwrap_or_default()
    }

    /// The posting list at `offset`.
    pub(crate) fn postings_at(&self, offset: u64) -> Option<Cow<'_, [u8]>> {
        self.list(Section::Postings, offset)
    }

    /// The definitions and uses of `name`: an encoded [`NameEntry`].
    pub(crate) fn name(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.list(Section::Symbols, self.names.get(name)?)
    }

    /// Applies `read` to an encoded [`NameEntry`]; `None` if it is corrupt.
    pub(crate) fn read_name<T>(
        &self,
        bytes: &[u8],
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Option<T> {
        self.note(read(bytes).ok_or(CorruptData)).ok()
    }

    /// The entry at `offset` of the symbols section.
    pub(super) fn name_at(&self, offset: u64) -> Option<NameEntry> {
        let bytes = self.list(Section::Symbols, offset)?;
        self.read_name(&bytes, NameEntry::read)
    }

    /// Whether a definition's location in a name's entry is valid.
    pub(crate) fn has_chunk(&self, file: u32, chunk: u32) -> bool {
        let has = file < self.n_files() && (chunk as usize) < self.table.chunks_of(file).len();
        if !has {
            self.note_damage();
        }
        has
    }

    /// The list at `offset` of a section of length-prefixed lists.
    fn list(&self, section: Section, offset: u64) -> Option<Cow<'_, [u8]>> {
        let (start, head) = self.head(section, offset, 5)?;
        let mut reader = Reader::new(&head);
        let len = reader.number() as usize;
        let start = start + reader.at();
        self.note(self.blocks.get(start..start + len)).ok()
    }

    /// Start of a list in the file, and its first bytes.
    fn head(&self, section: Section, offset: u64, bytes: usize) -> Option<(usize, Cow<'_, [u8]>)> {
        let section = self.section(section);
        let start = usize::try_from(offset).ok().filter(|it| *it < section.len());
        let start = self.note(start.ok_or(CorruptData)).ok()? + section.start;
        let head = self.note(self.blocks.get(start..(start + bytes).min(section.end))).ok()?;
        Some((start, head))
    }

    pub(super) fn section(&self, section: Section) -> Range<usize> {
        self.footer.range(section)
    }

    /// All terms of a stored segment with the offsets of their lists, in byte order; `None` if some are damaged.
    pub(super) fn terms(&self) -> Option<KeyStream<'_>> {
        self.terms.stream()
    }

    /// All names of a stored segment with the offsets of their entries, in byte order; `None` if some are damaged.
    pub(super) fn names(&self) -> Option<KeyStream<'_>> {
        self.names.stream()
    }

    /// The terms that `automaton` accepts, in byte order.
    pub(crate) fn terms_like<A: fst::Automaton>(&self, automaton: A, found: impl FnMut(&str)) {
        self.terms.each_like(automaton, found);
    }

    /// The names that `automaton` accepts, in byte order.
    pub(crate) fn names_like<A: fst::Automaton>(&self, automaton: A, found: impl FnMut(&str)) {
        self.names.each_like(automaton, found);
    }

    /// The text of file `ord`.
    pub(crate) fn text(&self, ord: u32) -> Option<String> {
        let packed = self.blob(ord, Blob::Text)?;
        let text = self.note(self.frames(&packed, ord).and_then(|it| it.text())).ok()?;
        let chunks = self.table.chunks_of(ord);
        let mut starts = self.table.starts[chunks.start as usize..chunks.end as usize].iter();
        let is_cut = starts.all(|it| text.is_char_boundary(*it as usize));
        self.note(is_cut.then_some(text).ok_or(CorruptData)).ok()
    }

    /// Parts of the text of file `ord`.
    pub(crate) fn parts(&self, ord: u32, ranges: &[Range<usize>]) -> Option<Vec<String>> {
        let packed = self.blob(ord, Blob::Text)?;
        self.note(self.frames(&packed, ord).and_then(|it| it.parts(ranges))).ok()
    }

    fn frames<'b>(&self, packed: &'b [u8], ord: u32) -> Result<Frames<'b>, CorruptData> {
        Frames::read(packed, self.table.sizes[ord as usize] as usize)
    }

    /// The record of file `ord`, without its mentions.
    pub(crate) fn record(&self, ord: u32) -> Option<FileRecord> {
        let bytes = self.decompressed(ord, Blob::Record)?;
        let record = FileRecord::decode(&bytes).filter(|it| fits_table(it, &self.table, ord));
        self.note(record.ok_or(CorruptData)).ok()
    }

    /// The mentions of file `ord`.
    pub(crate) fn mentions(&self, ord: u32) -> Option<Mentions> {
        let bytes = self.decompressed(ord, Blob::Mentions)?;
        let size = self.table.sizes[ord as usize];
        let mentions = Mentions::decode(&bytes).filter(|it| are_within(it, size));
        self.note(mentions.ok_or(CorruptData)).ok()
    }

    /// All stored blobs of file `ord`.
    pub(super) fn blobs(&self, ord: u32) -> Option<Cow<'_, [u8]>> {
        let first = self.table.blob_range(ord, Blob::Text);
        let last = self.table.blob_range(ord, Blob::Mentions);
        self.note(self.blocks.get(first.start..last.end)).ok()
    }

    pub(super) fn blob(&self, ord: u32, blob: Blob) -> Option<Cow<'_, [u8]>> {
        self.note(self.blocks.get(self.table.blob_range(ord, blob))).ok()
    }

    fn decompressed(&self, ord: u32, blob: Blob) -> Option<Vec<u8>> {
        let packed = self.blob(ord, blob)?;
        self.note(decode(&packed, most_decoded(self.table.sizes[ord as usize]))).ok()
    }
}

/// Upper bound of a decoded table's bytes: each file has some bytes of blobs and a path that file systems allow, and
/// each byte of blobs belongs to at most a few chunks. A table without blobs has a hash a file, which no compression
/// makes shorter than 16 bytes, and some bytes a chunk.
fn most_of_table(footer: &Footer) -> usize {
    const MAX_PATH: usize = 4 << 10;
    const MAX_TABLE: usize = 1 << 30;
    let blobs = footer.range(Section::Blobs).len();
    let packed = footer.range(Section::Table).len();
    let files = (footer.n_files as usize).min(blobs.max(packed / 16))
        * (MAX_PATH + provenance::MOST_BYTES + 128);
    let chunks = (footer.n_chunks as usize).min(4 * blobs.max(packed)) * 64;
    (files + chunks + 1024).min(MAX_TABLE)
}
