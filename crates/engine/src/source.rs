//! Input of the engine: paths and texts, their hashes, and file stamps.

use std::fmt;

/// Hash of a file's text: the first 16 bytes of BLAKE3.
#[derive(
    Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, bitcode::Encode, bitcode::Decode,
)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// Hashes `text`.
    pub fn of(text: &[u8]) -> Self {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&blake3::hash(text).as_bytes()[..16]);
        Self(bytes)
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// One input file: a path relative to the root, `/`-separated, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Relative to the root, `/`-separated.
    pub path: String,
    /// The text, decoded, without a byte order mark.
    pub text: String,
}

/// The directory of a path, without a trailing slash; empty for a path at the root.
pub fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |it| it.0)
}

/// File metadata at the time its text was read; a file with an equal stamp need not be read again.
///
/// The engine only stores it; `load` creates and compares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bitcode::Encode, bitcode::Decode)]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Modification time, nanoseconds since the epoch.
    pub mtime_ns: i64,
    /// Change time, nanoseconds since the epoch; 0 where unknown.
    pub ctime_ns: i64,
    /// Inode; 0 where unknown.
    pub inode: u64,
}
