//! Posting lists: in which chunks a term occurs.
//!
//! A list is its length, then blocks of [`BLOCK`] postings. Within a block the distances between chunks have one width,
//! and the frequencies take one byte a posting (see [`frequency_codes`](super::frequency_codes)). Such a block is read
//! without a branch that depends on the data, which is what a query of 100 terms spends its time on.
//!
//! ```text
//! list      length; for all blocks but the first: chunk before it (u32), where it begins (u32); the blocks
//! block     head (1 byte); distances; codes, unless all are ONCE_CODE; frequencies of the escaped (4 bytes each)
//! head      bits 0-1: bytes of a distance, less one; bit 2: all are ONCE_CODE
//! ```

use super::frequency_codes::{ESCAPE, FREQUENCIES, ONCE_CODE, code_of};
use crate::index::fields::Frequencies;
use crate::index::varint::{Reader, put};

/// Postings per block.
pub(crate) const BLOCK: usize = 128;

/// Bytes per entry of the block table.
const ENTRY: usize = 8;

/// Maximum bytes of a distance.
const MAX_DISTANCE_BYTES: usize = 4;

const ALL_ONCE_FLAG: u8 = 1 << 2;

/// An occurrence of a term: the chunk and the term's frequencies.
pub(crate) type Posting = (u32, Frequencies);

/// Writes a posting list; chunks ascend.
pub(crate) fn put_postings(out: &mut Vec<u8>, list: impl ExactSizeIterator<Item = Posting>) {
    let mut list = list.peekable();
    let n_blocks = list.len().div_ceil(BLOCK);
    put(out, list.len() as u32);
    let table = out.len();
    out.resize(table + n_blocks.saturating_sub(1) * ENTRY, 0);
    let body = out.len();
    let mut postings = Vec::with_capacity(BLOCK);
    let mut before = 0;
    for number in 0..n_blocks {
        if let Some(entry) = number.checked_sub(1).map(|it| table + it * ENTRY) {
            let start = (out.len() - body) as u32;
            out[entry..entry + 4].copy_from_slice(&u32::to_le_bytes(before));
            out[entry + 4..entry + ENTRY].copy_from_slice(&start.to_le_bytes());
        }
        postings.clear();
        postings.extend(list.by_ref().take(BLOCK));
        put_block(out, before, &postings);
        before = postings.last().map_or(before, |it| it.0);
    }
}

fn put_block(out: &mut Vec<u8>, before: u32, postings: &[Posting]) {
    let mut last = before;
    let distances = postings.iter().map(|it| it.0 - std::mem::replace(&mut last, it.0));
    let widest = distances.max().unwrap_or(0);
    let width =
        MAX_DISTANCE_BYTES - (widest.leading_zeros() as usize / 8).min(MAX_DISTANCE_BYTES - 1);
    let mut codes = [ONCE_CODE; BLOCK];
    codes.iter_mut().zip(postings).for_each(|(code, it)| *code = code_of(it.1));
    let codes = &codes[..postings.len()];
    let all_once = codes.iter().all(|it| *it == ONCE_CODE);
    out.push((width as u8 - 1) | if all_once { ALL_ONCE_FLAG } else { 0 });
    last = before;
    for (chunk, _) in postings {
        out.extend_from_slice(&u32::to_le_bytes(chunk - last)[..width]);
        last = *chunk;
    }
    if all_once {
        return;
    }
    out.extend_from_slice(codes);
    let escaped = postings.iter().zip(codes).filter(|it| *it.1 == ESCAPE);
    escaped.for_each(|(it, _)| out.extend_from_slice(&it.1));
}

/// A decoded block of a list.
pub(crate) struct Block<'b> {
    len: usize,
    chunks: [u32; BLOCK],
    /// Code of each posting; empty if all are [`ONCE_CODE`].
    codes: &'b [u8],
    /// Frequencies of the escaped postings, 4 bytes each.
    escaped: &'b [u8],
}

impl<'b> Block<'b> {
    pub(crate) fn new() -> Self {
        Self { len: 0, chunks: [0; BLOCK], codes: &[], escaped: &[] }
    }

    pub(crate) fn chunks(&self) -> &[u32] {
        &self.chunks[..self.len]
    }

    /// Code of each posting, [`ESCAPE`] for those without one; `None` if all are [`ONCE_CODE`].
    pub(crate) fn codes(&self) -> Option<&'b [u8]> {
        (!self.codes.is_empty()).then_some(self.codes)
    }

    /// Positions and frequencies of the escaped postings.
    pub(crate) fn escaped(&self) -> impl Iterator<Item = (usize, Frequencies)> {
        let at = memchr::memchr_iter(ESCAPE, self.codes);
        at.zip(self.escaped.as_chunks().0).map(|(at, it)| (at, *it))
    }

    /// All postings.
    pub(crate) fn postings(&self) -> impl Iterator<Item = Posting> {
        let mut escaped = self.escaped();
        self.chunks().iter().enumerate().map(move |(at, chunk)| {
            let code = self.codes.get(at).copied().unwrap_or(ONCE_CODE);
            let frequencies = match code {
                ESCAPE => escaped.next().map_or([0; 4], |it| it.1),
                code => FREQUENCIES[code as usize],
            };
            (*chunk, frequencies)
        })
    }

    fn read(&mut self, bytes: &'b [u8], len: usize, before: u32) -> usize {
        let (head, rest) = bytes.split_first().unwrap_or((&0, &[]));
        let width = (head & 3) as usize + 1;
        self.len = len.min(rest.len() / width);
        let (distances, rest) = rest.split_at(self.len * width);
        self.read_chunks(distances, width, before);
        let n_codes = if head & ALL_ONCE_FLAG == 0 { self.len.min(rest.len()) } else { 0 };
        let (codes, rest) = rest.split_at(n_codes);
        self.codes = codes;
        let n_escaped = memchr::memchr_iter(ESCAPE, codes).count();
        self.escaped = &rest[..(n_escaped * size_of::<Frequencies>()).min(rest.len())];
        1 + distances.len() + codes.len() + self.escaped.len()
    }

    /// Sums up the distances. A corrupt block with overflowing chunk numbers is read as empty.
    fn read_chunks(&mut self, distances: &[u8], width: usize, before: u32) {
        let mut chunk = u64::from(before);
        let mut step = |distance: u32| {
            chunk += u64::from(distance);
            chunk as u32
        };
        let chunks = &mut self.chunks[..self.len];
        match width {
            1 => chunks.iter_mut().zip(distances).for_each(|(to, it)| *to = step(u32::from(*it))),
            2 => {
                let distances = distances.as_chunks().0.iter().map(|it| u16::from_le_bytes(*it));
                chunks.iter_mut().zip(distances).for_each(|(to, it)| *to = step(u32::from(it)));
            }
            _ => {
                let distances = distances.chunks_exact(width).map(|it| {
                    it.iter().rev().fold(0, |distance, byte| distance << 8 | u32::from(*byte))
                });
                chunks.iter_mut().zip(distances).for_each(|(to, it)| *to = step(it));
            }
        }
        if chunk > u64::from(u32::MAX) {
            self.len = 0;
        }
    }
}

/// Reads a posting list block by block.
pub(crate) struct Postings<'b> {
    table: &'b [u8],
    body: &'b [u8],
    len: usize,
    /// Postings before the next block.
    done: usize,
    /// Offset of the next block.
    at: usize,
    /// The chunk before the next block.
    before: u32,
}

impl<'b> Postings<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        let mut reader = Reader::new(bytes);
        // A posting takes at least one byte, which bounds a corrupt length.
        let len = (reader.number() as usize).min(bytes.len());
        let table = reader.at().min(bytes.len());
        let body = (table + len.div_ceil(BLOCK).saturating_sub(1) * ENTRY).min(bytes.len());
        let (table, body) = (&bytes[table..body], &bytes[body..]);
        Self { table, body, len, done: 0, at: 0, before: 0 }
    }

    /// Reads the next block into `block`; `false` at the end.
    pub(crate) fn next_block(&mut self, block: &mut Block<'b>) -> bool {
        let Some(bytes) = self.body.get(self.at..).filter(|_| self.done < self.len) else {
            return false;
        };
        self.at += block.read(bytes, (self.len - self.done).min(BLOCK), self.before);
        self.done += BLOCK;
        self.before = block.chunks().last().copied().unwrap_or(self.before);
        block.len > 0
    }

    /// Skips forward to the last block that may contain `target`.
    pub(crate) fn skip_to(&mut self, target: u32) {
        let entries = self.table.as_chunks::<ENTRY>().0;
        let entry = entries.partition_point(|it| number(*it, 0) < target);
        if entry * BLOCK > self.done {
            let entry = (entry - 1, entries[entry - 1]);
            self.done = (entry.0 + 1) * BLOCK;
            (self.before, self.at) = (number(entry.1, 0), number(entry.1, 4) as usize);
        }
    }
}

fn number(entry: [u8; ENTRY], at: usize) -> u32 {
    u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]])
}

/// Looks up single chunks in a list, in ascending order.
pub(crate) struct Seeker<'b> {
    list: Postings<'b>,
    block: Block<'b>,
    /// Postings of the block before the last looked-up chunk.
    at: usize,
}

impl<'b> Seeker<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { list: Postings::new(bytes), block: Block::new(), at: 0 }
    }

    /// Frequencies of the term in `chunk`; `None` if it does not occur.
    pub(crate) fn find(&mut self, chunk: u32) -> Option<Frequencies> {
        if self.block.chunks().last().is_none_or(|it| *it < chunk) {
            self.list.skip_to(chunk);
            self.at = 0;
            while self.list.next_block(&mut self.block) {
                if self.block.chunks().last().is_some_and(|it| *it >= chunk) {
                    break;
                }
            }
        }
        // Most looked-up chunks are before the next posting.
        let ahead = self.block.chunks().get(self.at..)?;
        if *ahead.first()? < chunk {
            self.at += ahead.partition_point(|it| *it < chunk);
        }
        let at = self.at;
        if self.block.chunks().get(at) != Some(&chunk) {
            return None;
        }
        let code = self.block.codes.get(at).copied().unwrap_or(ONCE_CODE);
        if code == ESCAPE {
            return self.block.escaped().find(|it| it.0 == at).map(|it| it.1);
        }
        Some(FREQUENCIES[code as usize])
    }
}

/// Calls `found` with every posting of a list.
pub(crate) fn each_posting(bytes: &[u8], mut found: impl FnMut(Posting)) {
    let (mut list, mut block) = (Postings::new(bytes), Block::new());
    while list.next_block(&mut block) {
        block.postings().for_each(&mut found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frequencies() -> impl Strategy<Value = Frequencies> {
        let common = (1_u8..3).prop_map(|body| [body, 0, 0, 0]);
        prop_oneof![8 => common, 1 => any::<[u8; 4]>().prop_filter("occurs", |it| *it != [0; 4])]
    }

    fn list() -> impl Strategy<Value = Vec<Posting>> {
        let step = prop_oneof![20 => 1_u32..9, 3 => 1_u32..1000, 1 => 1_u32..9_000_000];
        prop::collection::vec((step, frequencies()), 0..700).prop_map(|steps| {
            let mut chunk = 0;
            let posting = |(step, frequencies)| {
                chunk += step;
                (chunk - 1, frequencies)
            };
            steps.into_iter().map(posting).collect()
        })
    }

    fn written(list: &[Posting]) -> Vec<u8> {
        let mut out = Vec::new();
        put_postings(&mut out, list.iter().copied());
        out
    }

    proptest! {
        #[test]
        fn postings_round_trip(list in list()) {
            let bytes = written(&list);
            let mut read = Vec::new();
            each_posting(&bytes, |it| read.push(it));
            prop_assert_eq!(read, list);
        }

        #[test]
        fn seeking_finds_what_reading_finds(
            list in list(),
            mut targets in prop::collection::vec(0_u32..2_000, 0..60),
            mut places in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            if !list.is_empty() {
                targets.extend(places.drain(..).map(|it| it.get(&list).0));
            }
            targets.sort_unstable();
            let bytes = written(&list);
            let mut seeker = Seeker::new(&bytes);
            for target in targets {
                let expect = list.iter().find(|it| it.0 == target).map(|it| it.1);
                prop_assert_eq!(seeker.find(target), expect);
            }
        }

        #[test]
        fn corrupt_lists_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut n = 0;
            each_posting(&bytes, |_| n += 1);
            prop_assert!(n <= bytes.len());
            let _ = Seeker::new(&bytes).find(70);
        }
    }
}
