//! The fields in which a term may occur, and its frequencies.

/// A field of the BM25F score. A term may occur in several fields of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Field {
    /// Code and plain comments.
    Body = 0,
    /// Names that the chunk defines.
    Symbols = 1,
    /// The file's path, and names of enclosing definitions.
    Path = 2,
    /// Doc comments and docstrings.
    Doc = 3,
}

impl Field {
    /// All fields, by number.
    pub const ALL: [Self; 4] = [Self::Body, Self::Symbols, Self::Path, Self::Doc];
}

/// Frequency of a term in each [`Field`] of a chunk, at most 255.
pub type Frequencies = [u8; 4];
