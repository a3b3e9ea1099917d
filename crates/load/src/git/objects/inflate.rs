//! Inflates zlib streams of a known size. Neither the claimed size nor the stream decides how much is read or kept: a
//! stream may go on for gigabytes without a byte of content.

use std::io::{BufRead, Read, Take};

use flate2::bufread::ZlibDecoder;

use super::budget::Budget;

/// Input beyond twice the output that a stream may have; zlib adds a few bytes to what cannot be compressed.
const SLACK: u64 = 64 << 10;

/// Room made before the first byte, so that a claimed size alone takes little memory.
const ROOM: usize = 256 << 10;

/// A zlib stream that reads little more than its content needs.
pub(super) struct Inflater<R>(ZlibDecoder<Take<R>>);

impl<R: BufRead> Inflater<R> {
    /// A stream of at most `size` bytes.
    pub(super) fn new(from: R, size: usize) -> Self {
        Self(ZlibDecoder::new(from.take(size as u64 * 2 + SLACK)))
    }

    /// Reads up to `to.len()` bytes; fewer at the end.
    pub(super) fn start(&mut self, to: &mut [u8]) -> Option<usize> {
        let mut length = 0;
        while length < to.len() {
            match self.0.read(&mut to[length..]).ok()? {
                0 => break,
                read => length += read,
            }
        }
        Some(length)
    }

    /// Appends the rest to `bytes`, which then has exactly `size` bytes.
    pub(super) fn finish(
        mut self,
        mut bytes: Vec<u8>,
        size: usize,
        budget: &Budget,
    ) -> Option<Vec<u8>> {
        let mut rest = (&mut self.0).take((size + 1).checked_sub(bytes.len())? as u64);
        bytes.reserve_exact(size.min(ROOM).saturating_sub(bytes.len()));
        let mut res = (&mut rest).take(ROOM as u64).read_to_end(&mut bytes);
        if bytes.len() <= size {
            // Doubling would take up to three times the size for a moment.
            bytes.reserve_exact(size + 1 - bytes.len());
            res = res.and_then(|_| rest.read_to_end(&mut bytes));
        }
        budget.spend(self.0.total_in() + self.0.total_out())?;
        (res.is_ok() && bytes.len() == size).then_some(bytes)
    }
}

/// Inflates exactly `size` bytes, at most `most`.
pub(super) fn inflated(
    from: impl BufRead,
    size: u64,
    most: usize,
    budget: &Budget,
) -> Option<Vec<u8>> {
    let size = usize::try_from(size).ok().filter(|it| *it <= most)?;
    Inflater::new(from, size).finish(Vec::new(), size, budget)
}
