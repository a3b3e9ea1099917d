//! Checksums of stored bytes, and the error if they do not match.

use twox_hash::XxHash3_64;

/// Error: stored bytes differ from those that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CorruptData;

/// The checksum of `bytes`.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}
