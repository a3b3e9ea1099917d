//! The keys of a stored segment in pages, each an fst that is read when a key within it is asked for: a question looks up
//! some keys of a dictionary that may have a hundred megabytes.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bitcode::{Decode, Encode};
use fst::{Automaton, IntoStreamer as _, Streamer};

use super::may_accept;
use crate::index::checksum::CorruptData;
use crate::index::segment::blocks::Blocks;

/// Bytes after which a page ends. A builder of an fst clears a megabyte before its first key, so pages are not smaller.
const PAGE_BYTES: u64 = 128 << 10;

/// An fst: key → offset of its list.
type Page = fst::Map<Vec<u8>>;

/// The first key and the end of each page.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct PageDirectory {
    firsts: Vec<Vec<u8>>,
    ends: Vec<u64>,
}

/// Keys in pages.
pub(crate) struct KeyPages {
    directory: PageDirectory,
    blocks: Arc<Blocks>,
    /// The pages in the blocks.
    section: Range<usize>,
    /// A damaged page is `None`.
    pages: Vec<OnceLock<Option<Page>>>,
    is_damaged: AtomicBool,
}

impl KeyPages {
    /// The pages of `section`.
    pub(in crate::index::segment) fn new(
        directory: PageDirectory,
        blocks: Arc<Blocks>,
        section: Range<usize>,
    ) -> Result<Self, CorruptData> {
        let PageDirectory { firsts, ends } = &directory;
        let is_consistent = firsts.len() == ends.len()
            && firsts.is_sorted()
            && ends.is_sorted()
            && ends.last().copied().unwrap_or_default() == section.len() as u64;
        if !is_consistent {
            return Err(CorruptData);
        }
        let pages = ends.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { directory, blocks, section, pages, is_damaged: AtomicBool::new(false) })
    }

    /// Whether a page that was asked for is damaged. Its keys count as absent.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    /// The place of the only page that may have a key.
    pub(super) fn place_of(&self, key: &[u8]) -> Option<usize> {
        self.directory.firsts.partition_point(|it| it.as_slice() <= key).checked_sub(1)
    }

    /// The page at a place; `None` if it is damaged.
    pub(super) fn page(&self, place: usize) -> Option<&Page> {
        self.pages[place].get_or_init(|| self.read(place)).as_ref()
    }

    fn read(&self, place: usize) -> Option<Page> {
        let end = |it: usize| self.section.start + self.directory.ends[it] as usize;
        let start = place.checked_sub(1).map_or(self.section.start, end);
        let bytes = self.blocks.copy(start..end(place)).ok();
        let page = bytes.and_then(|it| fst::Map::new(it).ok());
        if page.is_none() {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
        page
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<u64> {
        self.page(self.place_of(key)?)?.get(key)
    }

    /// All keys with their values, in order; `None` if a page is damaged.
    pub(super) fn stream(&self) -> Option<KeyStream<'_>> {
        let pages: Option<Vec<&Page>> = (0..self.pages.len()).map(|it| self.page(it)).collect();
        Some(KeyStream { pages: pages?.into_iter(), stream: None, key: Vec::new() })
    }

    /// Calls `found` with the keys that `automaton` accepts, in order.
    pub(super) fn each_like(&self, automaton: &impl Automaton, mut found: impl FnMut(&[u8])) {
        let may_have = |place: &usize| may_accept(automaton, self.prefix_of(*place));
        for page in (0..self.pages.len()).filter(may_have).filter_map(|it| self.page(it)) {
            let mut stream = page.search(automaton).into_stream();
            // A damaged map could have too many to enumerate.
            for _ in 0..page.len() {
                let Some((key, _)) = stream.next() else { break };
                found(key);
            }
        }
    }

    /// Bytes with which all keys of a page begin.
    fn prefix_of(&self, place: usize) -> &[u8] {
        let first = &self.directory.firsts[place];
        let Some(next) = self.directory.firsts.get(place + 1) else { return &[] };
        &first[..first.iter().zip(next).take_while(|(a, b)| a == b).count()]
    }
}

/// All keys of a segment with their values, in order.
pub(crate) struct KeyStream<'k> {
    /// The pages that have not begun.
    pages: std::vec::IntoIter<&'k Page>,
    stream: Option<fst::map::Stream<'k>>,
    key: Vec<u8>,
}

impl<'a> Streamer<'a> for KeyStream<'_> {
    type Item = (&'a [u8], u64);

    fn next(&'a mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.stream.as_mut().and_then(Streamer::next) {
                self.key.clear();
                self.key.extend_from_slice(key);
                return Some((&self.key, value));
            }
            self.stream = Some(self.pages.next()?.stream());
        }
    }
}

/// Builds pages from ascending keys.
#[derive(Default)]
pub(crate) struct PagesBuilder {
    bytes: Vec<u8>,
    directory: PageDirectory,
    page: Option<Box<fst::MapBuilder<Vec<u8>>>>,
    last: Vec<u8>,
}

impl PagesBuilder {
    /// Adds a key; false if it is not above the last one.
    pub(crate) fn push(&mut self, key: &[u8], value: u64) -> bool {
        let is_first = self.directory.firsts.is_empty();
        if !is_first && self.last.as_slice() >= key {
            return false;
        }
        let page = self.page.get_or_insert_with(|| {
            self.directory.firsts.push(key.to_vec());
            Box::new(fst::MapBuilder::memory())
        });
        page.insert(key, value).expect("keys ascend, and writing to memory does not fail");
        self.last.clear();
        self.last.extend_from_slice(key);
        if page.bytes_written() >= PAGE_BYTES {
            self.end_page();
        }
        true
    }

    fn end_page(&mut self) {
        if let Some(page) = self.page.take() {
            let page = page.into_inner().expect("writing to memory does not fail");
            self.bytes.extend_from_slice(&page);
            self.directory.ends.push(self.bytes.len() as u64);
        }
    }

    /// The bytes of all pages, and their directory.
    pub(crate) fn finish(mut self) -> (Vec<u8>, PageDirectory) {
        self.end_page();
        (self.bytes, self.directory)
    }
}

#[cfg(test)]
pub(super) fn pages_of<'k>(keys: impl Iterator<Item = (&'k str, u64)>) -> KeyPages {
    let mut builder = PagesBuilder::default();
    keys.for_each(|(key, value)| {
        assert!(builder.push(key.as_bytes(), value));
        // Real pages have thousands of keys.
        if builder.last.len() > 3 {
            builder.end_page();
        }
    });
    let (bytes, directory) = builder.finish();
    let section = 0..bytes.len();
    KeyPages::new(directory, Arc::new(Blocks::Memory(bytes)), section).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_must_ascend_over_pages_too() {
        let mut builder = PagesBuilder::default();
        assert!(builder.push(b"", 1) && builder.push(b"b", 2));
        builder.end_page();
        assert!(!builder.push(b"b", 3) && !builder.push(b"a", 3) && builder.push(b"c", 3));
    }

    #[test]
    fn a_stream_has_all_keys_of_all_pages() {
        let keys: Vec<String> = (1000..1100).map(|it| it.to_string()).collect();
        let pages = pages_of(keys.iter().map(String::as_str).zip(0..));
        assert_eq!(pages.pages.len(), 100);
        let mut stream = pages.stream().unwrap();
        for (key, value) in keys.iter().zip(0..) {
            assert_eq!(stream.next(), Some((key.as_bytes(), value)));
        }
        assert_eq!(stream.next(), None);
    }

    #[test]
    fn only_pages_that_may_have_a_key_are_read() {
        let keys: Vec<String> = (1000..1100).map(|it| it.to_string()).collect();
        let pages = pages_of(keys.iter().map(String::as_str).zip(0..));
        assert_eq!(
            (pages.get(b"1042"), pages.get(b"10420"), pages.get(b"0")),
            (Some(42), None, None)
        );
        let loaded = |pages: &KeyPages| pages.pages.iter().filter(|it| it.get().is_some()).count();
        assert_eq!(loaded(&pages), 1);
        let mut found = Vec::new();
        let begins = fst::automaton::Str::new("107");
        pages.each_like(&fst::Automaton::starts_with(begins), |it| found.push(it.to_vec()));
        assert_eq!(found.len(), 10);
        // Those of 1070 to 1079, the last of each other ten (1069 is followed by 1070: both begin with 10), the first found
        // above, and the last of all, whose end is open.
        assert_eq!(loaded(&pages), 10 + 8 + 1 + 1);
    }

    #[test]
    fn a_damaged_directory_is_an_error() {
        let directory = PageDirectory { firsts: vec![b"a".to_vec()], ends: vec![7] };
        assert!(KeyPages::new(directory, Arc::new(Blocks::Memory(vec![0; 8])), 0..8).is_err());
    }
}
