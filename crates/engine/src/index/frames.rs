//! A text in frames that are unpacked one by one, so that showing a chunk does not cost its whole file.
//!
//! ```text
//! n          number of frames
//! lens       bytes of each frame, packed
//! frames     zstd of FRAME bytes of the text each, of the last one what is left
//! ```

use std::cell::RefCell;
use std::ops::Range;

use zstd::bulk::Decompressor;

use super::blocks::Damaged;
use super::builder::compress;
use super::bytes::{Reader, put};

/// Bytes of text in a frame. A chunk has about 3 kB.
const FRAME: usize = 8 << 10;

thread_local! {
    /// Making a decompressor costs more than unpacking a small text with it.
    static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// What one zstd frame holds. A frame says its size; a file of 4 GiB is not indexed.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<u8>, Damaged> {
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
    let size = size.and_then(|it| u32::try_from(it).ok()).ok_or(Damaged)? as usize;
    let mut res = Vec::with_capacity(size);
    unpack_into(packed, &mut res)?;
    Ok(res)
}

/// Unpacks into what `out` has room for.
fn unpack_into(packed: &[u8], out: &mut Vec<u8>) -> Result<(), Damaged> {
    UNPACKER.with_borrow_mut(|kept| {
        let unpacker = match kept {
            Some(unpacker) => unpacker,
            None => kept.insert(Decompressor::new().map_err(|_| Damaged)?),
        };
        unpacker.decompress_to_buffer(packed, out).map(drop).map_err(|_| Damaged)
    })
}

/// The text, packed.
pub(super) fn pack(text: &[u8]) -> Vec<u8> {
    let frames: Vec<Vec<u8>> = text.chunks(FRAME).map(compress).collect();
    let mut res = Vec::new();
    put(&mut res, frames.len() as u32);
    frames.iter().for_each(|it| put(&mut res, it.len() as u32));
    frames.iter().for_each(|it| res.extend_from_slice(it));
    res
}

/// A packed text of known length.
pub(super) struct Frames<'b> {
    /// The packed frames, in order.
    frames: Vec<&'b [u8]>,
    len: usize,
}

impl<'b> Frames<'b> {
    /// The text of `len` bytes that `packed` holds.
    pub(super) fn read(packed: &'b [u8], len: usize) -> Result<Self, Damaged> {
        let mut reader = Reader::new(packed);
        let n = reader.number() as usize;
        if n != len.div_ceil(FRAME) {
            return Err(Damaged);
        }
        let lens: Vec<usize> = (0..n).map(|_| reader.number() as usize).collect();
        let mut rest = packed.get(reader.at()..).ok_or(Damaged)?;
        let mut frames = Vec::with_capacity(n);
        for len in lens {
            let (frame, behind) = rest.split_at_checked(len).ok_or(Damaged)?;
            frames.push(frame);
            rest = behind;
        }
        Ok(Self { frames, len })
    }

    /// The whole text.
    pub(super) fn text(&self) -> Result<String, Damaged> {
        let bytes = self.unpack(0..self.frames.len())?;
        String::from_utf8(bytes).map_err(|_| Damaged)
    }

    /// These parts of the text. Ends of ranges are at characters' borders.
    pub(super) fn parts(&self, ranges: &[Range<usize>]) -> Result<Vec<String>, Damaged> {
        let mut known = vec![None; self.frames.len()];
        ranges.iter().map(|it| self.part(it.clone(), &mut known)).collect()
    }

    /// One part; `known` has the frames that are unpacked.
    fn part(&self, range: Range<usize>, known: &mut [Option<Vec<u8>>]) -> Result<String, Damaged> {
        if range.start > range.end || range.end > self.len {
            return Err(Damaged);
        }
        let mut res = Vec::with_capacity(range.len());
        let frames = range.start / FRAME..range.end.div_ceil(FRAME);
        for (idx, known) in frames.clone().zip(&mut known[frames]) {
            let frame = match known {
                Some(frame) => frame,
                unknown => unknown.insert(self.unpack(idx..idx + 1)?),
            };
            let start = range.start.saturating_sub(idx * FRAME);
            let end = (range.end - idx * FRAME).min(FRAME);
            res.extend_from_slice(frame.get(start..end).ok_or(Damaged)?);
        }
        String::from_utf8(res).map_err(|_| Damaged)
    }

    /// The bytes of these frames.
    fn unpack(&self, frames: Range<usize>) -> Result<Vec<u8>, Damaged> {
        let end = (frames.end * FRAME).min(self.len);
        let size = end.saturating_sub(frames.start * FRAME);
        let mut res: Vec<u8> = Vec::with_capacity(size);
        let mut frame = Vec::with_capacity(FRAME.min(size));
        for packed in &self.frames[frames] {
            frame.clear();
            unpack_into(packed, &mut frame)?;
            res.extend_from_slice(&frame);
        }
        if res.len() == size { Ok(res) } else { Err(Damaged) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ranges: &[Range<usize>]) {
        let packed = pack(text.as_bytes());
        let frames = Frames::read(&packed, text.len()).unwrap();
        assert_eq!(frames.text().as_deref(), Ok(text));
        let expect: Vec<String> = ranges.iter().map(|it| text[it.clone()].to_owned()).collect();
        assert_eq!(frames.parts(ranges), Ok(expect));
    }

    #[test]
    fn parts_are_those_of_the_text_wherever_frames_end() {
        check("", &[0..0, 0..0]);
        check("fn a() {}\n", &[0..10, 3..4, 5..5]);
        let long: String = (0..9_000).map(|it| format!("{it} ü\n")).collect();
        let at = |at: usize| long.floor_char_boundary(at);
        let cut = at(FRAME);
        check(&long, &[0..long.len(), at(100)..at(FRAME * 3), cut..cut, cut..long.len()]);
        let exact = "x".repeat(FRAME * 2);
        check(&exact, &[0..FRAME, FRAME..FRAME * 2, FRAME * 2..FRAME * 2]);
    }

    #[test]
    fn what_was_not_packed_so_is_damage() {
        let packed = pack(&[b'a'; FRAME + 1]);
        assert!(Frames::read(&packed, FRAME).is_err());
        assert!(Frames::read(&packed[..packed.len() - 1], FRAME + 1).is_err());
        let frames = Frames::read(&packed, FRAME + 2).unwrap();
        assert_eq!(
            (frames.text(), frames.parts(&[0..1, 5..FRAME + 3])),
            (Err(Damaged), Err(Damaged))
        );
    }
}
