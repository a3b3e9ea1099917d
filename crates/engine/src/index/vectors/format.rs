//! Records of a file of vectors.
//!
//! ```text
//! magic (8)   records
//! record:     kind (u8)   length of the content (u32)   content   checksum (u64) of the kind, the length and the content
//! start:      dimensions (u32), the vector of the probe text; first, once
//! vector:     key of the text (16), a vector
//! file:       key of the file (16), the number of the vector of each of its chunks (u32); `NONE` for one without
//! a vector:   a byte per number, then a factor (f32) per block
//! ```

use crate::dense::{BLOCK, PackedVector};
use crate::index::checksum::checksum;

/// First bytes of every file.
pub(super) const MAGIC: &[u8; 8] = b"fwvecs01";

/// In place of a vector's number: the embedder returned no vector for the text.
pub(super) const NONE: u32 = u32::MAX;

/// Bytes of a record beside its content.
const FRAME: usize = 1 + 4 + 8;

/// A stored record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record<'b> {
    Start(&'b [u8]),
    Vector(&'b [u8]),
    File(&'b [u8]),
}

/// The first record of some bytes and its length; `None` if it is incomplete or corrupt.
pub(super) fn first(bytes: &[u8]) -> Option<(Record<'_>, usize)> {
    let len = u32::from_le_bytes(*bytes.get(1..5)?.first_chunk()?) as usize;
    let (checked, rest) = bytes.split_at_checked(len.checked_add(5)?)?;
    let check = u64::from_le_bytes(*rest.first_chunk()?);
    if checksum(checked) != check {
        return None;
    }
    let content = &checked[5..];
    let record = match checked[0] {
        0 => Record::Start(content),
        1 => Record::Vector(content),
        2 => Record::File(content),
        _ => return None,
    };
    Some((record, len + FRAME))
}

/// Appends a record.
pub(super) fn push(out: &mut Vec<u8>, record: &Record<'_>) {
    let (kind, content) = match record {
        Record::Start(content) => (0, content),
        Record::Vector(content) => (1, content),
        Record::File(content) => (2, content),
    };
    let start = out.len();
    out.push(kind);
    out.extend((content.len() as u32).to_le_bytes());
    out.extend_from_slice(content);
    let check = checksum(&out[start..]);
    out.extend(check.to_le_bytes());
}

/// The bytes of a vector.
pub(super) fn vector_bytes(vector: &PackedVector) -> Vec<u8> {
    let mut res: Vec<u8> = vector.numbers.iter().map(|it| it.cast_unsigned()).collect();
    vector.factors.iter().for_each(|it| res.extend(it.to_le_bytes()));
    res
}

/// Numbers and factors of a vector, in whole blocks.
pub(super) fn vector_parts(
    bytes: &[u8],
    padded: usize,
) -> Option<(impl Iterator<Item = i8>, impl Iterator<Item = f32>)> {
    let (numbers, factors) = bytes.split_at_checked(padded)?;
    let factors = factors.as_chunks().0;
    let is_whole = factors.len() == padded / BLOCK;
    let numbers = numbers.iter().map(|it| it.cast_signed());
    is_whole.then_some((numbers, factors.iter().map(|it| f32::from_le_bytes(*it))))
}
