//! One immutable segment, read from a file in checked blocks or from the memory of the process that made it.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use foreword_chunk::Reference;
use fst::IntoStreamer as _;

use super::blocks::{Blocks, read_at};
use super::compression::decompress;
use super::frames::Frames;
use super::key_walk::KeyWalk;
use super::layout::{Blob, Footer, Section, TAIL, footer_len};
use super::norms::{LengthNorms, NormCache};
use super::table::Table;
use super::titles::{self, Title};
use crate::index::checksum::CorruptData;
use crate::index::config::{FORMAT_VERSION, IndexConfig};
use crate::index::ids::SegmentId;
use crate::index::postings::NameEntry;
use crate::index::record::{FileRecord, decode_references};
use crate::index::varint::Reader;

/// Why a segment cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// It could not be opened or read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// Its bytes are not what was written.
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
    blocks: Blocks,
    footer: Footer,
    terms: fst::Map<Vec<u8>>,
    names: fst::Map<Vec<u8>>,
    pub(crate) table: Table,
    norms: NormCache,
    damaged: AtomicBool,
}

impl Segment {
    /// A segment that this process has just made.
    pub fn of_memory(mut bytes: Vec<u8>, config: &IndexConfig) -> Result<Self, SegmentError> {
        let end = bytes.len().checked_sub(TAIL).ok_or(CorruptData)?;
        let tail: [u8; TAIL] = *bytes[end..].first_chunk().ok_or(CorruptData)?;
        let start = end.checked_sub(footer_len(&tail)?).ok_or(CorruptData)?;
        let (footer, check) = Footer::read(&bytes[start..end], &tail)?;
        let id = SegmentId(check);
        bytes.truncate(start);
        Self::new(id, footer, Blocks::Memory(bytes), config)
    }

    /// Opens a segment file. Blocks are checked when they are first read; those that every query needs are read here.
    pub fn open(path: &Path, config: &IndexConfig) -> Result<Self, SegmentError> {
        let file = File::open(path)?;
        let len = file.metadata()?.len() as usize;
        let mut tail = [0; TAIL];
        read_at(&file, &mut tail, len.checked_sub(TAIL).ok_or(CorruptData)? as u64)?;
        let footer_len = footer_len(&tail)?;
        let start = len.checked_sub(TAIL + footer_len).ok_or(CorruptData)?;
        let mut footer = vec![0; footer_len];
        read_at(&file, &mut footer, start as u64)?;
        let (mut footer, check) = Footer::read(&footer, &tail)?;
        let checks = std::mem::take(&mut footer.checks);
        Self::new(SegmentId(check), footer, Blocks::of_file(file, start, checks)?, config)
    }

    fn new(
        id: SegmentId,
        footer: Footer,
        blocks: Blocks,
        config: &IndexConfig,
    ) -> Result<Self, SegmentError> {
        if (footer.format, footer.fingerprint) != (FORMAT_VERSION, config.fingerprint()) {
            return Err(SegmentError::OtherVersion);
        }
        let section = |it: Section| blocks.get(footer.range(it)).map(Cow::into_owned);
        let keys = |it| fst::Map::new(section(it)?).map_err(|_| CorruptData);
        let (terms, names) = (keys(Section::Terms)?, keys(Section::Names)?);
        let table = zstd::stream::decode_all(section(Section::Table)?.as_slice());
        let table: Table =
            bitcode::decode(&table.map_err(|_| CorruptData)?).map_err(|_| CorruptData)?;
        if !table.is_consistent() {
            return Err(SegmentError::Damaged);
        }
        let (norms, damaged) = (NormCache::default(), AtomicBool::new(false));
        Ok(Self { id, blocks, footer, terms, names, table, norms, damaged })
    }

    /// Its identifier.
    pub fn id(&self) -> SegmentId {
        self.id
    }

    /// How many files it holds.
    pub fn n_files(&self) -> u32 {
        self.table.paths.len() as u32
    }

    /// How many chunks it holds.
    pub fn n_chunks(&self) -> u32 {
        self.table.starts.len() as u32
    }

    /// Whether corrupt data was found since it was opened. What could not be read was treated as absent.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Reads every block, so that corruption anywhere is found.
    pub fn verify(&self) -> Result<(), SegmentError> {
        Ok(self.note(self.blocks.verify())?)
    }

    /// Remembers that corrupt data was found.
    fn note<T>(&self, res: Result<T, CorruptData>) -> Result<T, CorruptData> {
        if res.is_err() {
            self.damaged.store(true, Ordering::Relaxed);
        }
        res
    }

    /// The length norms of its chunks.
    pub(crate) fn norms(&self, parameters: &LengthNorms) -> Arc<[f32]> {
        self.norms.get(parameters, &self.table.lengths)
    }

    /// The offset of the posting list of `term`.
    pub(crate) fn offset_of(&self, term: &str) -> Option<u64> {
        self.terms.get(term)
    }

    /// Looks up the offsets of several terms.
    pub(crate) fn offsets(&self) -> KeyWalk<'_> {
        KeyWalk::new(&self.terms)
    }

    /// The number of postings in the list at `offset`; only its head is read.
    pub(crate) fn postings_len(&self, offset: u64) -> u32 {
        let section = self.footer.range(Section::Postings);
        let start = section.start + offset as usize;
        let head = self.note(self.blocks.get(start..(start + 10).min(section.end)));
        let mut reader = Reader::new(head.as_deref().unwrap_or_default());
        reader.number();
        reader.number()
    }

    /// The posting list at `offset`.
    pub(crate) fn postings_at(&self, offset: u64) -> Option<Cow<'_, [u8]>> {
        self.list(Section::Postings, offset)
    }

    /// The definitions and uses of `name`: an encoded [`NameEntry`].
    pub(crate) fn name(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.list(Section::Symbols, self.names.get(name)?)
    }

    /// The entry at `offset` of the symbols section.
    pub(super) fn name_at(&self, offset: u64) -> Option<NameEntry> {
        self.list(Section::Symbols, offset).map(|it| NameEntry::read(&it))
    }

    /// The list at `offset` of a section of lists, each of which follows its length.
    fn list(&self, section: Section, offset: u64) -> Option<Cow<'_, [u8]>> {
        let section = self.footer.range(section);
        let start = section.start + offset as usize;
        let head = self.note(self.blocks.get(start..(start + 5).min(section.end))).ok()?;
        let mut reader = Reader::new(&head);
        let len = reader.number() as usize;
        let start = start + reader.at();
        self.note(self.blocks.get(start..start + len)).ok()
    }

    /// All terms with the offsets of their lists, in byte order.
    pub(super) fn terms(&self) -> fst::map::Stream<'_> {
        self.terms.stream()
    }

    /// All names with the offsets of their entries, in byte order.
    pub(super) fn names(&self) -> fst::map::Stream<'_> {
        self.names.stream()
    }

    /// The terms that `automaton` accepts, in byte order.
    pub(crate) fn terms_like<A: fst::Automaton>(&self, automaton: A, found: impl FnMut(&str)) {
        each_key(self.terms.search(automaton).into_stream(), found);
    }

    /// The names that `automaton` accepts, in byte order.
    pub(crate) fn names_like<A: fst::Automaton>(&self, automaton: A, found: impl FnMut(&str)) {
        each_key(self.names.search(automaton).into_stream(), found);
    }

    /// The text of file `ord`.
    pub(crate) fn text(&self, ord: u32) -> Option<String> {
        let packed = self.blob(ord, Blob::Text)?;
        self.note(self.frames(&packed, ord).and_then(|it| it.text())).ok()
    }

    /// Parts of the text of file `ord`.
    pub(crate) fn parts(&self, ord: u32, ranges: &[Range<usize>]) -> Option<Vec<String>> {
        let packed = self.blob(ord, Blob::Text)?;
        self.note(self.frames(&packed, ord).and_then(|it| it.parts(ranges))).ok()
    }

    fn frames<'b>(&self, packed: &'b [u8], ord: u32) -> Result<Frames<'b>, CorruptData> {
        Frames::read(packed, self.table.sizes[ord as usize] as usize)
    }

    /// What names chunk `idx` of file `ord`.
    pub(crate) fn title(&self, ord: u32, idx: u32) -> Option<Title> {
        titles::title(&self.blob(ord, Blob::Titles)?, idx)
    }

    /// The record of file `ord`, without its references.
    pub(crate) fn record(&self, ord: u32) -> Option<FileRecord> {
        let bytes = self.decompressed(ord, Blob::Record)?;
        self.note(FileRecord::decode(&bytes).ok_or(CorruptData)).ok()
    }

    /// The references of file `ord`.
    pub(crate) fn references(&self, ord: u32) -> Option<Vec<Reference>> {
        let bytes = self.decompressed(ord, Blob::References)?;
        self.note(decode_references(&bytes).ok_or(CorruptData)).ok()
    }

    /// All blobs of file `ord` as they are stored.
    pub(super) fn blobs(&self, ord: u32) -> Option<Cow<'_, [u8]>> {
        let first = self.table.blob_range(ord, Blob::Text);
        let last = self.table.blob_range(ord, Blob::References);
        self.note(self.blocks.get(first.start..last.end)).ok()
    }

    fn blob(&self, ord: u32, blob: Blob) -> Option<Cow<'_, [u8]>> {
        self.note(self.blocks.get(self.table.blob_range(ord, blob))).ok()
    }

    fn decompressed(&self, ord: u32, blob: Blob) -> Option<Vec<u8>> {
        let packed = self.blob(ord, blob)?;
        self.note(decompress(&packed)).ok()
    }
}

fn each_key<A: fst::Automaton>(mut stream: fst::map::Stream<'_, A>, mut found: impl FnMut(&str)) {
    use fst::Streamer as _;
    while let Some((key, _)) = stream.next() {
        if let Ok(key) = std::str::from_utf8(key) {
            found(key);
        }
    }
}
