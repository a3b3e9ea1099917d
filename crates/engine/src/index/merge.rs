//! Several segments into one, without the files that nobody needs any more. Nothing is parsed or counted again.

use super::image::{self, Lists, Table};
use super::postings::{Defined, Name, each_posting, put_postings};
use super::segment::Segment;

/// A segment and which of its files to keep, by number.
pub(super) struct Input<'s> {
    pub(super) segment: &'s Segment,
    pub(super) keep: Vec<bool>,
}

/// Where a merged file is now: number of the input, number in it.
pub(super) type Origin = (usize, u32);

/// The bytes of the merged segment and the origin of each of its files; `None` where an input is damaged.
pub(super) fn merge(inputs: &[Input<'_>], fingerprint: u32) -> Option<(Vec<u8>, Vec<Origin>)> {
    let mut table = Table::default();
    let mut blobs = Vec::new();
    let mut origins = Vec::new();
    let mut maps = Vec::new();
    for (idx, input) in inputs.iter().enumerate() {
        let mut map = Map::new(input.segment);
        for ord in (0..input.segment.n_files()).filter(|&ord| input.keep[ord as usize]) {
            map.keep(ord, &mut table, input.segment);
            table.add_blobs(blobs.len(), input.segment.table.blob_lens(ord));
            blobs.extend_from_slice(&input.segment.blobs(ord)?);
            origins.push((idx, ord));
        }
        maps.push(map);
    }
    let postings = merge_postings(inputs, &maps)?;
    let symbols = merge_symbols(inputs, &maps)?;
    Some((image::write(blobs, postings, symbols, &table, fingerprint), origins))
}

/// New numbers of one input's files and chunks; `None` for what is left out.
struct Map {
    files: Vec<Option<u32>>,
    chunks: Vec<Option<u32>>,
}

impl Map {
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

fn merge_postings(inputs: &[Input<'_>], maps: &[Map]) -> Option<Lists> {
    let mut res = Lists::default();
    let mut union = fst::map::OpBuilder::new();
    for input in inputs {
        union = union.add(input.segment.terms());
    }
    let mut stream = union.union();
    let mut list = Vec::new();
    while let Some((term, places)) = fst::Streamer::next(&mut stream) {
        list.clear();
        for place in places {
            let bytes = inputs[place.index].segment.postings_at(place.value)?;
            let chunks = &maps[place.index].chunks;
            each_posting(&bytes, |(chunk, frequencies)| {
                let chunk = chunks.get(chunk as usize).copied().flatten();
                list.extend(chunk.map(|chunk| (chunk, frequencies)));
            });
        }
        // The union gives one term's places in no stated order.
        list.sort_unstable_by_key(|it| it.0);
        if !list.is_empty() {
            res.push(term, |out| put_postings(out, list.iter().copied()));
        }
    }
    Some(res)
}

fn merge_symbols(inputs: &[Input<'_>], maps: &[Map]) -> Option<Lists> {
    let mut res = Lists::default();
    let mut union = fst::map::OpBuilder::new();
    for input in inputs {
        union = union.add(input.segment.names());
    }
    let mut stream = union.union();
    while let Some((name, places)) = fst::Streamer::next(&mut stream) {
        let mut merged = Name::default();
        for place in places {
            let from = inputs[place.index].segment.name_at(place.value)?;
            let files = &maps[place.index].files;
            let new = |file: u32| files.get(file as usize).copied().flatten();
            let definition = |it: Defined| Some(Defined { file: new(it.file)?, ..it });
            merged.definitions.extend(from.definitions.into_iter().filter_map(definition));
            let reference = |(file, count)| Some((new(file)?, count));
            merged.references.extend(from.references.into_iter().filter_map(reference));
        }
        merged.definitions.sort_unstable();
        merged.references.sort_unstable();
        if merged != Name::default() {
            res.push(name, |out| merged.put(out));
        }
    }
    Some(res)
}
