//! Assembles the sections of a segment.

use super::blocks::checksums;
use super::compression::Encoding;
use super::keys::{PageDirectory, PagesBuilder, SortedKeys};
use super::layout::{Footer, Section};
use super::table::Table;
use crate::index::varint::put;

/// Lists in the byte order of their keys, with the map from key to list.
pub(super) struct KeyedLists {
    lists: Vec<u8>,
    keys: KeysBuilder,
    scratch: Vec<u8>,
}

enum KeysBuilder {
    Pages(PagesBuilder),
    Sorted(SortedKeys),
}

impl KeysBuilder {
    /// Appends pages to `bytes`. Their directory, and keys for memory: one of both is empty.
    fn finish(self, bytes: &mut Vec<u8>) -> (PageDirectory, SortedKeys) {
        match self {
            Self::Pages(builder) => {
                let (pages, directory) = builder.finish();
                bytes.extend_from_slice(&pages);
                (directory, SortedKeys::default())
            }
            Self::Sorted(keys) => (PageDirectory::default(), keys),
        }
    }
}

impl KeyedLists {
    /// Lists of a segment that can be stored.
    pub(super) fn for_file() -> Self {
        Self::with(KeysBuilder::Pages(PagesBuilder::default()))
    }

    /// Lists of a segment that stays in memory.
    pub(super) fn for_memory() -> Self {
        Self::with(KeysBuilder::Sorted(SortedKeys::default()))
    }

    fn with(keys: KeysBuilder) -> Self {
        Self { lists: Vec::new(), keys, scratch: Vec::new() }
    }

    /// Adds the list written by `write`. Keys must be strictly ascending; others are dropped.
    pub(super) fn push(&mut self, key: &[u8], write: impl FnOnce(&mut Vec<u8>)) {
        let at = self.lists.len() as u64;
        let is_added = match &mut self.keys {
            KeysBuilder::Pages(keys) => keys.push(key, at),
            KeysBuilder::Sorted(keys) => keys.push(key, at),
        };
        if !is_added {
            debug_assert!(false, "keys are sorted and distinct");
            return;
        }
        self.scratch.clear();
        write(&mut self.scratch);
        put(&mut self.lists, self.scratch.len() as u32);
        self.lists.extend_from_slice(&self.scratch);
    }
}

/// The bytes of a segment, and its terms and names if they are for memory.
pub(super) fn write(
    blobs: Vec<u8>,
    postings: KeyedLists,
    symbols: KeyedLists,
    table: &Table,
    encoding: Encoding,
    fingerprint: u32,
) -> (Vec<u8>, [SortedKeys; 2]) {
    let mut footer = Footer::new(fingerprint, table.paths.len() as u32, table.starts.len() as u32);
    let mut bytes = blobs;
    footer.set_end(Section::Blobs, bytes.len());
    let keyed = [
        (postings, Section::Postings, Section::Terms),
        (symbols, Section::Symbols, Section::Names),
    ];
    let [(terms, sorted_terms), (names, sorted_names)] = keyed.map(|(lists, values, keys)| {
        bytes.extend_from_slice(&lists.lists);
        footer.set_end(values, bytes.len());
        let res = lists.keys.finish(&mut bytes);
        footer.set_end(keys, bytes.len());
        res
    });
    footer.pages = [terms, names];
    bytes.extend_from_slice(&encoding.encode(&bitcode::encode(table)));
    footer.set_end(Section::Table, bytes.len());
    footer.checks = checksums(&bytes);
    bytes.extend_from_slice(&footer.write());
    (bytes, [sorted_terms, sorted_names])
}
