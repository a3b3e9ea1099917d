//! Texts in frames that are decompressed separately, so that showing a chunk does not require its whole file. A frame
//! contains whole chunks, so that a chunk seldom needs two frames.
//!
//! ```text
//! n          number of frames
//! lens       for each frame the bytes of text, and its compressed bytes
//! frames     each encoded by zstd, or plain
//! ```

use std::ops::Range;

use super::compression::{Encoding, decode};
use crate::index::checksum::CorruptData;
use crate::index::varint::{Reader, put};

/// Maximum bytes of text per frame; a chunk has about 2 kB. Smaller frames waste less decompression, larger ones
/// compress better: `benchmarks/results/speed.md`.
const FRAME: usize = 4 << 10;

/// Encodes a text. `cuts` are the starts of its chunks, in order.
pub(super) fn pack(text: &[u8], cuts: impl Iterator<Item = usize>, encoding: Encoding) -> Vec<u8> {
    let ends = ends(text.len(), cuts);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let frame = |(start, end): (usize, &usize)| (end - start, encoding.encode(&text[start..*end]));
    let frames: Vec<(usize, Vec<u8>)> = starts.zip(&ends).map(frame).collect();
    let mut res = Vec::new();
    put(&mut res, frames.len() as u32);
    for (len, packed) in &frames {
        put(&mut res, *len as u32);
        put(&mut res, packed.len() as u32);
    }
    frames.iter().for_each(|it| res.extend_from_slice(&it.1));
    res
}

/// Ends of frames: at the last cut within the limit, or anywhere in a chunk that exceeds it.
fn ends(len: usize, cuts: impl Iterator<Item = usize>) -> Vec<usize> {
    let (mut res, mut start, mut last) = (Vec::new(), 0, 0);
    for cut in cuts.chain(std::iter::once(len)) {
        if cut - start > FRAME && last > start {
            res.push(last);
            start = last;
        }
        while cut - start > FRAME {
            start += FRAME;
            res.push(start);
        }
        last = cut;
    }
    if len > start {
        res.push(len);
    }
    res
}

/// An encoded text of known length.
pub(super) struct Frames<'b> {
    /// End of each frame's text, and the compressed frame.
    frames: Vec<(usize, &'b [u8])>,
}

impl<'b> Frames<'b> {
    /// Reads the encoded text of `len` bytes.
    pub(super) fn read(packed: &'b [u8], len: usize) -> Result<Self, CorruptData> {
        let mut reader = Reader::new(packed);
        // Each frame takes at least two bytes, which bounds a corrupt count.
        let n = (reader.number() as usize).min(packed.len());
        let lens: Vec<(usize, usize)> =
            (0..n).map(|_| (reader.number() as usize, reader.number() as usize)).collect();
        let mut rest = packed.get(reader.at()..).ok_or(CorruptData)?;
        let mut frames = Vec::with_capacity(n);
        let mut end = 0;
        for (text, packed) in lens {
            if text > FRAME {
                return Err(CorruptData);
            }
            let (frame, behind) = rest.split_at_checked(packed).ok_or(CorruptData)?;
            end += text;
            frames.push((end, frame));
            rest = behind;
        }
        if end == len { Ok(Self { frames }) } else { Err(CorruptData) }
    }

    /// The whole text.
    pub(super) fn text(&self) -> Result<String, CorruptData> {
        let mut res = Vec::with_capacity(self.frames.last().map_or(0, |it| it.0));
        for idx in 0..self.frames.len() {
            res.extend_from_slice(&self.unpack(idx)?);
        }
        String::from_utf8(res).map_err(|_| CorruptData)
    }

    /// Parts of the text. The ranges must be on character boundaries.
    pub(super) fn parts(&self, ranges: &[Range<usize>]) -> Result<Vec<String>, CorruptData> {
        let mut known = vec![None; self.frames.len()];
        ranges.iter().map(|it| self.part(it.clone(), &mut known)).collect()
    }

    /// One part; `known` caches the decompressed frames.
    fn part(
        &self,
        range: Range<usize>,
        known: &mut [Option<Vec<u8>>],
    ) -> Result<String, CorruptData> {
        let len = self.frames.last().map_or(0, |it| it.0);
        if range.start > range.end || range.end > len {
            return Err(CorruptData);
        }
        let mut res = Vec::with_capacity(range.len());
        let first = self.frames.partition_point(|it| it.0 <= range.start);
        let mut idx = first;
        while res.len() < range.len() {
            let frame = match known.get_mut(idx).ok_or(CorruptData)? {
                Some(frame) => frame,
                unknown => unknown.insert(self.unpack(idx)?),
            };
            let start = self.start(idx);
            let from = range.start.max(start) - start;
            let to = range.end.min(self.frames[idx].0) - start;
            res.extend_from_slice(frame.get(from..to).ok_or(CorruptData)?);
            idx += 1;
        }
        String::from_utf8(res).map_err(|_| CorruptData)
    }

    /// Start of a frame's text.
    fn start(&self, idx: usize) -> usize {
        idx.checked_sub(1).map_or(0, |before| self.frames[before].0)
    }

    /// The bytes of a frame.
    fn unpack(&self, idx: usize) -> Result<Vec<u8>, CorruptData> {
        let (end, packed) = self.frames[idx];
        let size = end - self.start(idx);
        let res = decode(packed, size)?;
        if res.len() == size { Ok(res) } else { Err(CorruptData) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, cuts: &[usize], ranges: &[Range<usize>]) {
        for encoding in [Encoding::Compressed, Encoding::Plain] {
            let packed = pack(text.as_bytes(), cuts.iter().copied(), encoding);
            let frames = Frames::read(&packed, text.len()).unwrap();
            assert_eq!(frames.text().as_deref(), Ok(text));
            let expect: Vec<String> = ranges.iter().map(|it| text[it.clone()].to_owned()).collect();
            assert_eq!(frames.parts(ranges), Ok(expect));
        }
    }

    #[test]
    fn parts_are_those_of_the_text_wherever_frames_end() {
        check("", &[], &[0..0, 0..0]);
        check("fn a() {}\n", &[0], &[0..10, 3..4, 5..5]);
        let long: String = (0..9_000).map(|it| format!("{it} ü\n")).collect();
        let at = |at: usize| long.floor_char_boundary(at);
        let cut = at(FRAME);
        let ranges = [0..long.len(), at(100)..at(FRAME * 3), cut..cut, cut..long.len()];
        check(&long, &[], &ranges);
        check(&long, &[0, at(2000), at(5000), at(FRAME + 9), at(FRAME * 4)], &ranges);
        let exact = "x".repeat(FRAME * 2);
        check(&exact, &[0, FRAME], &[0..FRAME, FRAME..FRAME * 2, FRAME * 2..FRAME * 2]);
    }

    #[test]
    fn frames_end_where_chunks_do() {
        let (chunk, large) = (FRAME / 2 - 100, 2 * FRAME);
        let after = 3 * chunk + large;
        let cuts = [0, chunk, 2 * chunk, 3 * chunk, after, after + 100];
        let expect = [2 * chunk, 3 * chunk, 3 * chunk + FRAME, after, after + 300];
        assert_eq!(ends(after + 300, cuts.into_iter()), expect);
        assert!(ends(0, std::iter::empty()).is_empty());
    }

    #[test]
    fn bytes_of_another_layout_are_corrupt() {
        let packed = pack(&[b'a'; FRAME + 1], std::iter::empty(), Encoding::Compressed);
        assert!(Frames::read(&packed, FRAME).is_err());
        assert!(Frames::read(&packed[..packed.len() - 1], FRAME + 1).is_err());
        // A frame that claims to be longer than it is.
        let mut longer = packed.clone();
        assert_eq!(longer[4], 1, "the bytes of text in the last frame");
        longer[4] = 2;
        let frames = Frames::read(&longer, FRAME + 2).unwrap();
        assert_eq!(
            (frames.text(), frames.parts(&[FRAME..FRAME + 2, 0..0])),
            (Err(CorruptData), Err(CorruptData))
        );
    }
}
