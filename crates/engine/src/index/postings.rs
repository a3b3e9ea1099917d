//! The two kinds of list: where a term occurs, and where a name is defined and used.

use super::analyse::{Field, Frequencies};
use super::bytes::{Reader, put};

/// Bit of [`Field::Body`] in a posting's mask.
const BODY: u8 = 1 << Field::Body as u8;

/// Writes a posting list: the count, then for each chunk the distance to the one before, doubled, plus one when the
/// term occurs once, in the body; else a byte follows (fields as a mask, and the body's count above it where that is
/// under 16), then the counts that are still missing.
pub(super) fn put_postings(
    out: &mut Vec<u8>,
    list: impl ExactSizeIterator<Item = (u32, Frequencies)>,
) {
    put(out, list.len() as u32);
    let mut before = 0;
    for (chunk, frequencies) in list {
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

/// A posting list, read from the front.
#[derive(Clone)]
pub(super) struct Postings<'b> {
    reader: Reader<'b>,
    left: u32,
    chunk: u32,
}

impl<'b> Postings<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        let mut reader = Reader::new(bytes);
        let left = reader.number();
        Self { reader, left, chunk: 0 }
    }

    /// In how many chunks the term occurs.
    pub(super) fn len(&self) -> u32 {
        self.left
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
        fn damaged_lists_end(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Name::read(&bytes);
            let _ = Postings::new(&bytes).take(1000).count();
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
