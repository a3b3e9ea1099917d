//! zstd, with one compressor and one decompressor per thread.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use crate::index::checksum::CorruptData;

/// The zstd level of texts and records: level 3 packs code about 3.5-fold at some 300 MB/s a core, a small part of what
/// the parse costs.
const LEVEL: i32 = 3;

thread_local! {
    /// Making a compressor costs more than compressing a small text with it.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    /// Making a decompressor costs more than decompressing a small text with it.
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

/// The content of one zstd frame. A frame states its size; files of 4 GiB are not indexed.
pub(super) fn decompress(packed: &[u8]) -> Result<Vec<u8>, CorruptData> {
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
    let size = size.and_then(|it| u32::try_from(it).ok()).ok_or(CorruptData)? as usize;
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
