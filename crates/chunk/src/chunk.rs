//! One chunk of a file.

use crate::span::Span;

/// One chunk of a file.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Byte range. The spans of a file's chunks cover the file without gaps or overlaps.
    pub span: Span,
    /// Start including the configured overlap; equals `span.start` without one.
    pub overlap: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Number of non-whitespace characters.
    pub size: u32,
    /// Index of the innermost definition that encloses the whole chunk. If only a module does, the innermost definition
    /// in which the chunk begins.
    pub scope: Option<u32>,
}
