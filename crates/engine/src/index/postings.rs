//! The two kinds of list: where a term occurs, and where a name is defined and used.

use super::analyse::{Field, Frequencies};
use super::bytes::{Reader, put};

/// Bit of [`Field::Body`] in a posting's mask.
const BODY: u8 = 1 << Field::Body as u8;

/// Postings between two entries of a list's skip table.
const SKIP: usize = 128;

/// Bytes of a skip entry: the chunk before the block, and where the block begins.
const ENTRY: usize = 8;

/// Writes a posting list: the count; for lists longer than [`SKIP`] a table that says of every block but the first
/// which chunk comes before it and at which byte it begins; then for each chunk the distance to the one before,
/// doubled, plus one when the term occurs once, in the body; else a byte follows (fields as a mask, and the body's
/// count above it where that is under 16), then the counts that are still missing.
pub(super) fn put_postings(
    out: &mut Vec<u8>,
    list: impl ExactSizeIterator<Item = (u32, Frequencies)>,
) {
    put(out, list.len() as u32);
    let table = out.len();
    out.resize(table + n_entries(list.len()) * ENTRY, 0);
    let body = out.len();
    let mut before = 0;
    for (at, (chunk, frequencies)) in list.enumerate() {
        if at > 0 && at % SKIP == 0 {
            let entry = table + (at / SKIP - 1) * ENTRY;
            let start = (out.len() - body) as u32;
            out[entry..entry + 4].copy_from_slice(&u32::to_le_bytes(before));
            out[entry + 4..entry + ENTRY].copy_from_slice(&start.to_le_bytes());
        }
        let step = (chunk - before) << 1;
        before = chunk;
        if frequencies == [1, 0, 0, 0] {
            put(out, step | 1);
            continue;
        }
        put(out, step);
        put_frequencies(out, frequencies);
    }
}

fn n_entries(len: usize) -> usize {
    len.saturating_sub(1) / SKIP
}

fn put_frequencies(out: &mut Vec<u8>, frequencies: Frequencies) {
    let mask = (0..4).filter(|&it| frequencies[it] > 0).fold(0_u8, |mask, it| mask | 1 << it);
    let body = frequencies[Field::Body as usize];
    let small = if body < 16 { body << 4 } else { 0 };
    out.push(mask | small);
    if mask & BODY != 0 && small == 0 {
        out.push(body);
    }
    out.extend(frequencies[1..].iter().filter(|it| **it > 0));
}

/// A posting list, read from the front; [`Postings::seek`] passes over blocks.
#[derive(Clone)]
pub(super) struct Postings<'b> {
    body: &'b [u8],
    skips: &'b [u8],
    reader: Reader<'b>,
    len: u32,
    left: u32,
    chunk: u32,
    /// The posting at which the last seek stopped.
    current: Option<(u32, Frequencies)>,
}

impl<'b> Postings<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        let mut reader = Reader::new(bytes);
        let len = reader.number();
        let table = reader.at().min(bytes.len());
        let body = (table + n_entries(len as usize) * ENTRY).min(bytes.len());
        let (skips, body) = (&bytes[table..body], &bytes[body..]);
        let reader = Reader::new(body);
        // A posting takes a byte at least: a damaged count must not be counted down.
        let len = len.min(body.len() as u32);
        Self { body, skips, reader, len, left: len, chunk: 0, current: None }
    }

    /// In how many chunks the term occurs.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// The first posting whose chunk is `target` or later. Targets must not go back.
    pub(super) fn seek(&mut self, target: u32) -> Option<(u32, Frequencies)> {
        if let Some(current) = self.current.filter(|it| it.0 >= target) {
            return Some(current);
        }
        self.skip_to(target);
        self.current = self.find(|it| it.0 >= target);
        self.current
    }

    /// Jumps to the last block that may hold `target`, if that is ahead.
    fn skip_to(&mut self, target: u32) {
        let (mut low, mut high) = (0, self.skips.len() / ENTRY);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.entry(middle).0 < target {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let Some(entry) = low.checked_sub(1) else { return };
        let done = ((entry + 1) * SKIP) as u32;
        if self.len - self.left < done {
            let (before, start) = self.entry(entry);
            self.reader = Reader::new(self.body.get(start as usize..).unwrap_or_default());
            self.left = self.len - done;
            self.chunk = before;
        }
    }

    fn entry(&self, entry: usize) -> (u32, u32) {
        let at = entry * ENTRY;
        let number = |at: usize| {
            let bytes = self.skips.get(at..at + 4).and_then(|it| it.first_chunk::<4>());
            bytes.map_or(0, |it| u32::from_le_bytes(*it))
        };
        (number(at), number(at + 4))
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, Frequencies);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let step = self.reader.number();
        self.chunk = self.chunk.wrapping_add(step >> 1);
        if step & 1 != 0 {
            return Some((self.chunk, [1, 0, 0, 0]));
        }
        let head = self.reader.byte();
        let mut frequencies = [head >> 4, 0, 0, 0];
        if head & BODY != 0 && frequencies[0] == 0 {
            frequencies[0] = self.reader.byte();
        }
        for (field, frequency) in frequencies.iter_mut().enumerate().skip(1) {
            if head & (1 << field) != 0 {
                *frequency = self.reader.byte();
            }
        }
        Some((self.chunk, frequencies))
    }
}

/// Where one name is defined (file, number of the definition) and used (file, how often), by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) definitions: Vec<(u32, u32)>,
    pub(super) references: Vec<(u32, u32)>,
}

impl Name {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        for list in [&self.definitions, &self.references] {
            put(out, list.len() as u32);
            let mut before = 0;
            for &(file, place) in list {
                put(out, file - before);
                put(out, place);
                before = file;
            }
        }
    }

    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut reader = Reader::new(bytes);
        let mut list = || {
            let n = reader.number() as usize;
            let mut file = 0_u32;
            // A damaged count must not allocate: each pair takes two bytes at least.
            let pairs = (0..n.min(bytes.len())).map(|_| {
                file = file.wrapping_add(reader.number());
                (file, reader.number())
            });
            pairs.collect()
        };
        let definitions = list();
        let references = list();
        Self { definitions, references }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn postings_come_back(steps in prop::collection::vec((1_u32..1000, any::<[u8; 4]>()), 0..200)) {
            let mut chunk = 0;
            let list: Vec<(u32, Frequencies)> = steps
                .into_iter()
                .map(|(step, frequencies)| { chunk += step; (chunk, frequencies) })
                .filter(|it| it.1 != [0; 4])
                .collect();
            let mut out = Vec::new();
            put_postings(&mut out, list.iter().copied());
            let read: Vec<_> = Postings::new(&out).collect();
            prop_assert_eq!(read, list);
        }

        #[test]
        fn seeking_finds_what_reading_finds(
            steps in prop::collection::vec(1_u32..9, 0..2000),
            mut targets in prop::collection::vec(0_u32..10_000, 0..60),
        ) {
            let mut chunk = 0;
            let list: Vec<(u32, Frequencies)> =
                steps.into_iter().map(|step| { chunk += step; (chunk, [(step % 3) as u8 + 1, 0, 0, 0]) }).collect();
            let mut out = Vec::new();
            put_postings(&mut out, list.iter().copied());
            targets.sort_unstable();
            let mut postings = Postings::new(&out);
            for target in targets {
                let expect = list.iter().copied().find(|it| it.0 >= target);
                prop_assert_eq!(postings.seek(target), expect);
            }
        }

        #[test]
        fn damaged_lists_end(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Name::read(&bytes);
            let _ = Postings::new(&bytes).take(1000).count();
            let _ = Postings::new(&bytes).seek(70);
        }
    }

    #[test]
    fn names_come_back() {
        let name = Name { definitions: vec![(0, 3), (0, 5), (9, 0)], references: vec![(2, 7)] };
        let mut out = Vec::new();
        name.put(&mut out);
        assert_eq!(Name::read(&out), name);
    }
}
