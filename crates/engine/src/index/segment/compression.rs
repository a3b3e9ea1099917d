//! Blobs of files: zstd, with one compressor and one decompressor per thread; or, in memory only, plain bytes.

use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use crate::index::checksum::CorruptData;

/// zstd level of texts and records: level 3 compresses code about 3.5-fold at some 300 MB/s a core, a small part of the
/// cost of parsing.
const LEVEL: i32 = 3;

/// First byte of a plain blob; zstd's frames start with another.
const PLAIN_FLAG: u8 = 0;

/// The encoding of a file's blobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// By zstd, to be written.
    Compressed,
    /// As they are, for texts that change at the next keystroke.
    Plain,
}

impl Encoding {
    /// One blob.
    pub(super) fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Compressed => compress(bytes),
            Self::Plain => [&[PLAIN_FLAG], bytes].concat(),
        }
    }
}

thread_local! {
    /// Reused: creating a compressor costs more than compressing a small text.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    /// Reused: creating a decompressor costs more than decompressing a small text.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// `bytes` as one zstd frame.
fn compress(bytes: &[u8]) -> Vec<u8> {
    let packed = COMPRESSOR.with_borrow_mut(|cached| match cached {
        Some(compressor) => compressor.compress(bytes),
        None => cached.insert(Compressor::new(LEVEL)?).compress(bytes),
    });
    packed.unwrap_or_default()
}

/// Decodes a blob. A zstd frame states its size; one of more than `most` bytes is corrupt: a few kilobytes may claim to be
/// gigabytes.
pub(super) fn decode(packed: &[u8], most: usize) -> Result<Vec<u8>, CorruptData> {
    match packed.split_first() {
        Some((&PLAIN_FLAG, plain)) if plain.len() <= most => Ok(plain.to_vec()),
        _ => decompress(packed, most),
    }
}

fn decompress(packed: &[u8], most: usize) -> Result<Vec<u8>, CorruptData> {
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

    #[test]
    fn each_encoding_is_decoded_within_the_bound() {
        for it in [Encoding::Compressed, Encoding::Plain] {
            for text in [&b""[..], b"a", b"\0\0", &[0x28, 0xb5, 0x2f, 0xfd]] {
                let packed = it.encode(text);
                assert_eq!(decode(&packed, text.len()).as_deref(), Ok(text), "{it:?}");
            }
            assert_eq!(decode(&it.encode(b"too long"), 7), Err(CorruptData));
        }
        assert_eq!(decode(b"", 7), Err(CorruptData));
    }
}
