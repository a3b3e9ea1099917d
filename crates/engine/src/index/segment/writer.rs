//! Assembles the sections of a segment.

use super::blocks::checksums;
use super::compression::compress;
use super::layout::{Footer, Section};
use super::table::Table;
use crate::index::varint::put;

/// Lists in the byte order of their keys, with the map from key to list.
pub(super) struct KeyedLists {
    lists: Vec<u8>,
    keys: fst::MapBuilder<Vec<u8>>,
    scratch: Vec<u8>,
}

impl Default for KeyedLists {
    fn default() -> Self {
        Self { lists: Vec::new(), keys: fst::MapBuilder::memory(), scratch: Vec::new() }
    }
}

impl KeyedLists {
    /// Adds the list written by `write`. Keys must be strictly ascending; others are dropped.
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

/// The bytes of a segment.
pub(super) fn write(
    blobs: Vec<u8>,
    postings: KeyedLists,
    symbols: KeyedLists,
    table: &Table,
    fingerprint: u32,
) -> Vec<u8> {
    let mut footer = Footer::new(fingerprint, table.paths.len() as u32, table.starts.len() as u32);
    let mut bytes = blobs;
    footer.set_end(Section::Blobs, bytes.len());
    let keyed = [
        (postings, Section::Postings, Section::Terms),
        (symbols, Section::Symbols, Section::Names),
    ];
    for (lists, values, keys) in keyed {
        bytes.extend_from_slice(&lists.lists);
        footer.set_end(values, bytes.len());
        let map = lists.keys.into_inner().expect("writing to memory does not fail");
        bytes.extend_from_slice(&map);
        footer.set_end(keys, bytes.len());
    }
    bytes.extend_from_slice(&compress(&bitcode::encode(table)));
    footer.set_end(Section::Table, bytes.len());
    footer.checks = checksums(&bytes);
    bytes.extend_from_slice(&footer.write());
    bytes
}
