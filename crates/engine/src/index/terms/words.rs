//! Finds the words of a text. Every indexed or compared text is read this way, some several times for an answer, so 64
//! bytes are processed together.

/// Bytes processed together: one per bit of a number.
const BLOCK: usize = 64;

/// Calls `found` with the byte range of each identifier-like run in `text`: ASCII letters, digits, `_`, and characters
/// that are alphanumeric in Unicode.
pub fn identifiers(text: &str, found: impl FnMut(usize, usize)) {
    if text.is_ascii() { in_ascii(text.as_bytes(), found) } else { in_any(text, found) }
}

fn in_ascii(bytes: &[u8], mut found: impl FnMut(usize, usize)) {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut edges = Edges { start: 0, is_open: false };
    for (number, block) in blocks.iter().enumerate() {
        edges.read(number * BLOCK, words_of(block), &mut found);
    }
    // Padding is not part of a word, so the last word ends at the end of the text.
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    edges.read(bytes.len() - rest.len(), words_of(&last), &mut found);
}

/// A bit for each byte that is part of a word, the lowest for the first.
fn words_of(block: &[u8; BLOCK]) -> u64 {
    // A plain loop without branches: it is vectorised, where `map` of an array is not.
    let mut flags = [0; BLOCK];
    for (flag, byte) in flags.iter_mut().zip(block) {
        *flag = word_flag(*byte);
    }
    let mut res = 0;
    for (number, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
        // Moves the lowest bit of each byte into the highest byte: byte `i` is at bit `8 i`, and shifted by `56 - 7 i`.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        res |= bits << (8 * number);
    }
    res
}

/// 1 for an ASCII byte of a word, otherwise 0.
fn word_flag(byte: u8) -> u8 {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 10;
    u8::from(is_letter) | u8::from(is_digit) | u8::from(byte == b'_')
}

/// Starts and ends of words.
struct Edges {
    /// Start of the current word.
    start: usize,
    /// Whether it continues.
    is_open: bool,
}

impl Edges {
    /// Processes the bits of the block at byte `at`.
    fn read(&mut self, at: usize, words: u64, found: &mut impl FnMut(usize, usize)) {
        let mut edges = words ^ (words << 1 | u64::from(self.is_open));
        while edges != 0 {
            let edge = at + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            if self.is_open {
                found(self.start, edge);
            } else {
                self.start = edge;
            }
            self.is_open = !self.is_open;
        }
    }
}

fn in_any(text: &str, mut found: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        loop {
            match word_width(text, at) {
                0 => break,
                width => at += width,
            }
        }
        if at > start {
            found(start, at);
        } else {
            at += 1;
        }
    }
}

/// Length in bytes of the word character at `at`; 0 for other characters.
#[inline]
fn word_width(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(byte) if word_flag(*byte) == 1 => 1,
        Some(byte) if *byte >= 0xC0 => {
            let found = text[at..].chars().next().filter(|c| c.is_alphanumeric());
            found.map_or(0, char::len_utf8)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ascii_is_read_as_any_text_is(text in "[a-cZ0_ .(\n\t@`{\\[/:]{0,300}") {
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            in_ascii(text.as_bytes(), |start, end| fast.push((start, end)));
            in_any(&text, |start, end| plain.push((start, end)));
            prop_assert_eq!(fast, plain);
        }
    }

    #[test]
    fn letters_digits_and_underscores_are_of_words() {
        for byte in 0..=u8::MAX {
            let expect = byte.is_ascii_alphanumeric() || byte == b'_';
            assert_eq!(word_flag(byte) == 1, expect, "{byte}");
        }
    }

    #[test]
    fn words_of_one_block_and_of_several_are_whole() {
        for length in [1, 63, 64, 65, 127, 128, 129, 200] {
            let mut found = Vec::new();
            identifiers(&"a".repeat(length), |start, end| found.push((start, end)));
            assert_eq!(found, [(0, length)]);
        }
        identifiers("", |_, _| unreachable!("there are no words"));
    }
}
