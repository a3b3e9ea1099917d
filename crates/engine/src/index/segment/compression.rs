//! zstd, with one compressor and one decompressor per thread.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use crate::index::checksum::CorruptData;

/// zstd level of texts and records: level 3 compresses code about 3.5-fold at some 300 MB/s a core, a small part of the
/// cost of parsing.
const LEVEL: i32 = 3;

thread_local! {
    /// Reused: creating a compressor costs more than compressing a small text.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    /// Reused: creating a decompressor costs more than decompressing a small text.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// `bytes` as one zstd frame.
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let packed = COMPRESSOR.with_borrow_mut(|cached| match cached {
        Some(compressor) => compressor.compress(bytes),
        None => cached.insert(Compressor::new(LEVEL)?).compress(bytes),
    });
    packed.unwrap_or_default()
}

/// Decompresses a zstd frame, which states its size. A frame of more than `most` bytes is corrupt: a few kilobytes may
/// claim to be gigabytes.
pub(super) fn decompress(packed: &[u8], most: usize) -> Result<Vec<u8>, CorruptData> {
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
    let size = size.and_then(|it| usize::try_from(it).ok()).filter(|it| *it <= most);
    let size = size.ok_or(CorruptData)?;
    let mut res = Vec::with_capacity(size);
    DECOMPRESSOR.with_borrow_mut(|cached| {
        let decompressor = match cached {
            Some(decompressor) => decompressor,
            None => cached.insert(Decompressor::new().map_err(|_| CorruptData)?),
        };
        decompressor.decompress_to_buffer(packed, &mut res).map_err(|_| CorruptData)
    })?;
    Ok(res)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_not_unpacked_beyond_its_bound() {
        let packed = compress(&vec![0; 3 << 20]);
        assert!(packed.len() < 1000);
        assert_eq!(decompress(&packed, 3 << 20).map(|it| it.len()), Ok(3 << 20));
        assert_eq!(decompress(&packed, (3 << 20) - 1), Err(CorruptData));
        assert_eq!(decompress(b"no frame", 100), Err(CorruptData));
    }
}
