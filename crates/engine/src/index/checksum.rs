//! Checksums of stored bytes, and the error for bytes that fail them.

use twox_hash::XxHash3_64;

/// The stored bytes are not the bytes that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CorruptData;

/// The checksum of `bytes`.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
