//! Size of any byte range of a text, in constant time.
//!
//! Size is counted as in cAST: characters that are not ASCII whitespace. One bit for each byte marks the start of a
//! counted character, and a running total precedes every 64 bits. A range takes two look-ups and two population counts;
//! both tables together take a fifth of the text.

use std::ops::Range;

const BLOCK: usize = 64;

/// Running count of the characters of a text.
pub(crate) struct Sizes {
    /// Bit `i % 64` of word `i / 64` is set where byte `i` begins a counted character.
    starts: Vec<u64>,
    /// Number of bits set in all earlier words.
    before: Vec<u32>,
    len: usize,
}

impl Sizes {
    /// Counts `text`. Bytes that are not UTF-8 count one each.
    pub(crate) fn new(text: &[u8]) -> Self {
        let mut starts = Vec::with_capacity(text.len() / BLOCK + 1);
        starts.extend(text.chunks(BLOCK).map(counted_bits));
        if std::str::from_utf8(text).is_err() {
            count_invalid_bytes(text, &mut starts);
        }
        starts.push(0);
        let counts = starts.iter().scan(0, |total, word| {
            let before = *total;
            *total += word.count_ones();
            Some(before)
        });
        let before = counts.collect();
        Self { starts, before, len: text.len() }
    }

    /// Size of the text before byte `at`.
    pub(crate) fn before(&self, at: usize) -> u32 {
        let at = at.min(self.len);
        let mask = (1u64 << (at % BLOCK)) - 1;
        self.before[at / BLOCK] + (self.starts[at / BLOCK] & mask).count_ones()
    }

    /// Size of a byte range.
    pub(crate) fn of(&self, range: Range<usize>) -> u32 {
        self.before(range.end).saturating_sub(self.before(range.start))
    }

    /// The start of the counted character with `count` counted ones before it, or the end of the text.
    pub(crate) fn at(&self, count: u32) -> usize {
        let block = self.before.partition_point(|&before| before <= count) - 1;
        let mut word = self.starts[block];
        for _ in self.before[block]..count {
            word &= word.wrapping_sub(1);
        }
        if word == 0 { self.len } else { block * BLOCK + word.trailing_zeros() as usize }
    }
}

/// Whether a byte is one of the six whitespace bytes of C's `isspace`, which cAST does not count.
pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// One bit for each of up to 64 bytes, set unless the byte is whitespace or continues a UTF-8 character.
fn counted_bits(block: &[u8]) -> u64 {
    let (eights, rest) = block.as_chunks::<8>();
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    let eights = eights.iter().chain((!rest.is_empty()).then_some(&last));
    eights.zip(0..).fold(0, |bits, (eight, at)| bits | counted_in(*eight) << (8 * at))
}

/// The bits of eight bytes, computed together: the highest bit of each byte of a number says what is true of the byte.
fn counted_in(bytes: [u8; 8]) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let word = u64::from_le_bytes(bytes);
    let low = word & !HIGH;
    // A sum of two numbers below 128 does not reach the next byte.
    let at_least = |least: u64| low + (0x80 - least) * EACH;
    let differs_from_blank = (low ^ (0x20 * EACH)) + 0x7F * EACH;
    let is_other_space = at_least(0x09) & !at_least(0x0E);
    let is_counted_ascii = differs_from_blank & !is_other_space & !word;
    // A byte from 0xC0 on starts a character.
    let starts_character = word & word << 1;
    // Moves the highest bit of byte `i`, by 56 - 7 i, to bit `i` of the highest byte.
    ((is_counted_ascii | starts_character) & HIGH).wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// Sets the bits of bytes outside UTF-8 characters.
fn count_invalid_bytes(text: &[u8], starts: &mut [u64]) {
    let mut at = 0;
    for piece in text.utf8_chunks() {
        at += piece.valid().len();
        for _ in piece.invalid() {
            starts[at / BLOCK] |= 1 << (at % BLOCK);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sizes, counted_bits, is_space};
    use proptest::prelude::*;

    fn naive(bytes: &[u8]) -> u32 {
        let count = |piece: std::str::Utf8Chunk<'_>| {
            let valid =
                piece.valid().chars().filter(|&it| !it.is_ascii() || !is_space(it as u8)).count();
            valid + piece.invalid().len()
        };
        bytes.utf8_chunks().map(count).sum::<usize>() as u32
    }

    #[test]
    fn characters_count_and_ascii_whitespace_does_not() {
        let text = "aé 漢\t\r\n\x0b\x0cx\u{a0}".as_bytes();
        assert_eq!(Sizes::new(text).of(0..text.len()), 5);
    }

    #[test]
    fn bytes_that_are_no_text_count_one_each() {
        let text = b"a\xff\xfe \xe6\xbc b";
        assert_eq!(Sizes::new(text).of(0..text.len()), 6);
    }

    #[test]
    fn each_byte_is_counted_by_itself_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for (length, at) in [(1, 0), (8, 0), (8, 7), (13, 11), (64, 63)] {
                for around in [b' ', b'x', 0x80, 0xFF] {
                    let mut block = vec![around; length];
                    block[at] = byte;
                    let counts = |it: u8| !is_space(it) && it & 0xC0 != 0x80;
                    let bits =
                        block.iter().rev().fold(0, |bits, it| bits << 1 | u64::from(counts(*it)));
                    assert_eq!(
                        counted_bits(&block),
                        bits,
                        "{byte} at {at} of {length} in {around}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_counted_as_by_hand(text in proptest::collection::vec(any::<u8>(), 0..400)) {
            prop_assert_eq!(Sizes::new(&text).of(0..text.len()), naive(&text));
        }

        #[test]
        fn a_count_leads_to_its_character(text in "[a-c \n漢]{0,300}") {
            let sizes = Sizes::new(text.as_bytes());
            for count in 0..sizes.of(0..text.len()) {
                let at = sizes.at(count);
                prop_assert_eq!(sizes.before(at), count);
                prop_assert_eq!(sizes.of(at..at + 1), 1);
            }
            prop_assert_eq!(sizes.at(sizes.of(0..text.len())), text.len());
        }
    }
}
