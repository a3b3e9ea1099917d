//! The fields in which a term may occur, and how often it does.

/// The fields of the BM25F score. A term may occur in several of them in one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Field {
    /// Code and plain comments.
    Body = 0,
    /// Names that the chunk defines.
    Symbols = 1,
    /// The file's path, and the names of the definitions around the chunk.
    Path = 2,
    /// Doc comments and docstrings.
    Doc = 3,
}

impl Field {
    /// All of them, each at its number.
    pub const ALL: [Self; 4] = [Self::Body, Self::Symbols, Self::Path, Self::Doc];
}

/// How often a term occurs in each [`Field`] of one chunk; counts stop at 255.
pub type Frequencies = [u8; 4];
