//! One immutable segment, read: from a file with checked blocks, or from the memory of the process that made it.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use foreword_chunk::Reference;
use fst::IntoStreamer as _;

use super::IndexConfig;
use super::blocks::{Blocks, Damaged, checksum, read_at};
use super::bm25::Norms;
use super::bytes::Reader;
use super::frames::{Frames, unpack};
use super::image::{Footer, MAGIC, TAIL, Table};
use super::keys::Walk;
use super::postings::Name;
use super::record::{FileRecord, decode_references};
use super::titles::{self, Title};

/// Names a segment by what is in it: the checksum of its footer, which holds the checksum of every block.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, bitcode::Encode, bitcode::Decode,
)]
pub struct SegmentId(pub(super) u64);

impl SegmentId {
    pub(super) fn file_name(self) -> String {
        format!("{:016x}.segment", self.0)
    }
}

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

impl From<Damaged> for SegmentError {
    fn from(_: Damaged) -> Self {
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
    pub(super) table: Table,
    pub(super) norms: Mutex<Vec<Arc<Norms>>>,
    damaged: AtomicBool,
}

impl Segment {
    /// A segment that this process has just made.
    pub fn of_memory(mut bytes: Vec<u8>, config: &IndexConfig) -> Result<Self, SegmentError> {
        let end = bytes.len();
        let tail = bytes.get(end.saturating_sub(TAIL)..).ok_or(Damaged)?;
        let footer_len = footer_len(tail)?;
        let start = end.checked_sub(TAIL + footer_len).ok_or(Damaged)?;
        let (footer, id) = footer_of(&bytes[start..end - TAIL], tail)?;
        bytes.truncate(start);
        Self::new(id, footer, Blocks::Memory(bytes), config)
    }

    /// Opens a segment file. Blocks are checked when they are touched; what every query needs is touched here.
    pub fn open(path: &Path, config: &IndexConfig) -> Result<Self, SegmentError> {
        let file = File::open(path)?;
        let len = file.metadata()?.len() as usize;
        let mut tail = [0; TAIL];
        read_at(&file, &mut tail, len.checked_sub(TAIL).ok_or(Damaged)? as u64)?;
        let footer_len = footer_len(&tail)?;
        let start = len.checked_sub(TAIL + footer_len).ok_or(Damaged)?;
        let mut footer = vec![0; footer_len];
        read_at(&file, &mut footer, start as u64)?;
        let (mut footer, id) = footer_of(&footer, &tail)?;
        let checks = std::mem::take(&mut footer.checks);
        Self::new(id, footer, Blocks::of_file(file, start, checks)?, config)
    }

    fn new(
        id: SegmentId,
        footer: Footer,
        blocks: Blocks,
        config: &IndexConfig,
    ) -> Result<Self, SegmentError> {
        if (footer.format, footer.fingerprint) != (super::FORMAT_VERSION, config.fingerprint()) {
            return Err(SegmentError::OtherVersion);
        }
        let section = |idx: usize| blocks.get(range_of(&footer, idx)).map(Cow::into_owned);
        let keys = |idx| fst::Map::new(section(idx)?).map_err(|_| Damaged);
        let (terms, names) = (keys(2)?, keys(4)?);
        let table = zstd::stream::decode_all(section(5)?.as_slice()).map_err(|_| Damaged)?;
        let table: Table = bitcode::decode(&table).map_err(|_| Damaged)?;
        if !table.is_whole() {
            return Err(SegmentError::Damaged);
        }
        let (norms, damaged) = (Mutex::default(), AtomicBool::new(false));
        Ok(Self { id, blocks, footer, terms, names, table, norms, damaged })
    }

    /// Its name.
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

    /// Whether damage was met since it was opened. What could not be read was treated as absent.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Reads every block, so that damage anywhere shows.
    pub fn verify(&self) -> Result<(), SegmentError> {
        Ok(self.note(self.blocks.verify())?)
    }

    /// Remembers damage.
    fn note<T>(&self, res: Result<T, Damaged>) -> Result<T, Damaged> {
        if res.is_err() {
            self.damaged.store(true, Ordering::Relaxed);
        }
        res
    }

    /// Where the posting list of `term` is.
    pub(super) fn place_of(&self, term: &str) -> Option<u64> {
        self.terms.get(term)
    }

    /// The same for several terms.
    pub(super) fn places(&self) -> Walk<'_> {
        Walk::new(&self.terms)
    }

    /// How long the posting list at `place` is; it is not read.
    pub(super) fn postings_len(&self, place: u64) -> u32 {
        let section = range_of(&self.footer, 1);
        let start = section.start + place as usize;
        let head = self.note(self.blocks.get(start..(start + 10).min(section.end)));
        let mut reader = Reader::new(head.as_deref().unwrap_or_default());
        reader.number();
        reader.number()
    }

    /// Where `name` is defined and used: a [`Name`] as it is stored.
    pub(super) fn name(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.list(3, self.names.get(name)?)
    }

    /// The list at `at` of lists section `idx`: its length stands before it.
    fn list(&self, idx: usize, at: u64) -> Option<Cow<'_, [u8]>> {
        let section = range_of(&self.footer, idx);
        let start = section.start + at as usize;
        let head = self.note(self.blocks.get(start..(start + 5).min(section.end))).ok()?;
        let mut reader = Reader::new(&head);
        let len = reader.number() as usize;
        let start = start + reader.at();
        self.note(self.blocks.get(start..start + len)).ok()
    }

    /// All terms with their lists, in byte order.
    pub(super) fn terms(&self) -> fst::map::Stream<'_> {
        self.terms.stream()
    }

    /// All names with their lists, in byte order.
    pub(super) fn names(&self) -> fst::map::Stream<'_> {
        self.names.stream()
    }

    pub(super) fn postings_at(&self, at: u64) -> Option<Cow<'_, [u8]>> {
        self.list(1, at)
    }

    pub(super) fn name_at(&self, at: u64) -> Option<Name> {
        self.list(3, at).map(|it| Name::read(&it))
    }

    /// The terms that `automaton` accepts, in byte order.
    pub(super) fn terms_like<A: fst::Automaton>(&self, automaton: A, found: impl FnMut(&str)) {
        each_key(self.terms.search(automaton).into_stream(), found);
    }

    /// The names that `automaton` accepts, in byte order.
    pub(super) fn names_like<A: fst::Automaton>(&self, automaton: A, found: impl FnMut(&str)) {
        each_key(self.names.search(automaton).into_stream(), found);
    }

    /// The text of file `ord`.
    pub(super) fn text(&self, ord: u32) -> Option<String> {
        let packed = self.packed_text(ord)?;
        self.note(self.frames(&packed, ord).and_then(|it| it.text())).ok()
    }

    /// Parts of the text of file `ord`.
    pub(super) fn parts(&self, ord: u32, ranges: &[Range<usize>]) -> Option<Vec<String>> {
        let packed = self.packed_text(ord)?;
        self.note(self.frames(&packed, ord).and_then(|it| it.parts(ranges))).ok()
    }

    fn packed_text(&self, ord: u32) -> Option<Cow<'_, [u8]>> {
        self.note(self.blocks.get(self.blob_range(ord, 0))).ok()
    }

    fn frames<'b>(&self, packed: &'b [u8], ord: u32) -> Result<Frames<'b>, Damaged> {
        Frames::read(packed, self.table.sizes[ord as usize] as usize)
    }

    /// What names chunk `idx` of file `ord`.
    pub(super) fn title(&self, ord: u32, idx: u32) -> Option<Title> {
        let packed = self.note(self.blocks.get(self.blob_range(ord, 1))).ok()?;
        titles::title(&packed, idx)
    }

    /// The record of file `ord`, without its references.
    pub(super) fn record(&self, ord: u32) -> Option<FileRecord> {
        let bytes = self.blob(self.blob_range(ord, 2))?;
        self.note(FileRecord::decode(&bytes).ok_or(Damaged)).ok()
    }

    /// The references of file `ord`.
    pub(super) fn references(&self, ord: u32) -> Option<Vec<Reference>> {
        let bytes = self.blob(self.blob_range(ord, 3))?;
        self.note(decode_references(&bytes).ok_or(Damaged)).ok()
    }

    /// The blobs of file `ord` as they are stored.
    pub(super) fn blobs(&self, ord: u32) -> Option<Cow<'_, [u8]>> {
        let range = self.blob_range(ord, 0).start..self.blob_range(ord, 3).end;
        self.note(self.blocks.get(range)).ok()
    }

    /// Where text (0), titles (1), record (2) or references (3) of file `ord` are.
    fn blob_range(&self, ord: u32, which: usize) -> Range<usize> {
        let lens = self.table.blob_lens(ord);
        let before: usize = lens[..which].iter().map(|it| *it as usize).sum();
        let start = self.table.blob_starts[ord as usize] as usize + before;
        start..start + lens[which] as usize
    }

    fn blob(&self, range: Range<usize>) -> Option<Vec<u8>> {
        let packed = self.note(self.blocks.get(range)).ok()?;
        self.note(unpack(&packed)).ok()
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

fn range_of(footer: &Footer, idx: usize) -> Range<usize> {
    let start = if idx == 0 { 0 } else { footer.ends[idx - 1] };
    start as usize..footer.ends[idx] as usize
}

fn footer_len(tail: &[u8]) -> Result<usize, Damaged> {
    let (len, magic) = (tail.first_chunk::<4>().ok_or(Damaged)?, tail.last_chunk::<8>());
    if magic != Some(&MAGIC) {
        return Err(Damaged);
    }
    Ok(u32::from_le_bytes(*len) as usize)
}

fn footer_of(bytes: &[u8], tail: &[u8]) -> Result<(Footer, SegmentId), Damaged> {
    let check = tail[4..12].first_chunk::<8>().map(|it| u64::from_le_bytes(*it)).ok_or(Damaged)?;
    if checksum(bytes) != check {
        return Err(Damaged);
    }
    let footer: Footer = bitcode::decode(bytes).map_err(|_| Damaged)?;
    if footer.ends.is_sorted() { Ok((footer, SegmentId(check))) } else { Err(Damaged) }
}
