//! Merges segments into one, without files that no view needs. Nothing is parsed or counted again.

use super::compression::Encoding;
use super::reader::Segment;
use super::table::Table;
use super::writer::{self, KeyedLists};
use crate::index::postings::{NameEntry, StoredDefinition, each_posting, put_postings};

/// A segment, and for each of its files whether it is kept.
pub(crate) struct MergeInput<'s> {
    pub(crate) segment: &'s Segment,
    pub(crate) keep: Vec<bool>,
}

/// Origin of a merged file: the index of the input, and its index there.
pub(crate) type Origin = (usize, u32);

/// The bytes of the merged segment and the origin of each file; `None` if an input is corrupt.
pub(crate) fn merge(inputs: &[MergeInput<'_>], fingerprint: u32) -> Option<(Vec<u8>, Vec<Origin>)> {
    let mut table = Table::default();
    let mut blobs = Vec::new();
    let mut origins = Vec::new();
    let mut maps = Vec::new();
    for (idx, input) in inputs.iter().enumerate() {
        let mut map = Renumbering::new(input.segment);
        for ord in (0..input.segment.n_files()).filter(|&ord| input.keep[ord as usize]) {
            map.keep(ord, &mut table, input.segment);
            table.add_blobs(blobs.len(), input.segment.table.blob_lengths(ord));
            blobs.extend_from_slice(&input.segment.blobs(ord)?);
            origins.push((idx, ord));
        }
        maps.push(map);
    }
    let postings = merge_postings(inputs, &maps)?;
    let symbols = merge_symbols(inputs, &maps)?;
    Some((
        writer::write(blobs, postings, symbols, &table, Encoding::Compressed, fingerprint).0,
        origins,
    ))
}

/// New numbers of an input's files and chunks; `None` for dropped ones.
struct Renumbering {
    files: Vec<Option<u32>>,
    chunks: Vec<Option<u32>>,
}

impl Renumbering {
    fn new(segment: &Segment) -> Self {
        Self {
            files: vec![None; segment.n_files() as usize],
            chunks: vec![None; segment.n_chunks() as usize],
        }
    }

    fn keep(&mut self, ord: u32, table: &mut Table, segment: &Segment) {
        self.files[ord as usize] = Some(table.paths.len() as u32);
        let first = table.starts.len() as u32;
        for (idx, chunk) in segment.table.chunks_of(ord).enumerate() {
            self.chunks[chunk as usize] = Some(first + idx as u32);
        }
        table.copy(&segment.table, ord);
    }
}

fn merge_postings(inputs: &[MergeInput<'_>], maps: &[Renumbering]) -> Option<KeyedLists> {
    let mut res = KeyedLists::for_file();
    let mut union = fst::map::OpBuilder::new();
    for input in inputs {
        union = union.add(input.segment.terms()?);
    }
    let mut stream = union.union();
    let mut list = Vec::new();
    while let Some((term, offsets)) = fst::Streamer::next(&mut stream) {
        list.clear();
        for offset in offsets {
            let bytes = inputs[offset.index].segment.postings_at(offset.value)?;
            let chunks = &maps[offset.index].chunks;
            each_posting(&bytes, |(chunk, frequencies)| {
                let chunk = chunks.get(chunk as usize).copied().flatten();
                list.extend(chunk.map(|chunk| (chunk, frequencies)));
            });
        }
        // The union returns the offsets of a term in unspecified order.
        list.sort_unstable_by_key(|it| it.0);
        if !list.is_empty() {
            res.push(term, |out| put_postings(out, list.iter().copied()));
        }
    }
    Some(res)
}

fn merge_symbols(inputs: &[MergeInput<'_>], maps: &[Renumbering]) -> Option<KeyedLists> {
    let mut res = KeyedLists::for_file();
    let mut union = fst::map::OpBuilder::new();
    for input in inputs {
        union = union.add(input.segment.names()?);
    }
    let mut stream = union.union();
    while let Some((name, offsets)) = fst::Streamer::next(&mut stream) {
        let mut merged = NameEntry::default();
        for offset in offsets {
            let from = inputs[offset.index].segment.name_at(offset.value)?;
            let files = &maps[offset.index].files;
            let new = |file: u32| files.get(file as usize).copied().flatten();
            let definition =
                |it: StoredDefinition| Some(StoredDefinition { file: new(it.file)?, ..it });
            merged.definitions.extend(from.definitions.into_iter().filter_map(definition));
            let reference = |(file, count)| Some((new(file)?, count));
            merged.references.extend(from.references.into_iter().filter_map(reference));
        }
        merged.definitions.sort_unstable();
        merged.references.sort_unstable();
        if merged != NameEntry::default() {
            res.push(name, |out| merged.put(out));
        }
    }
    Some(res)
}
