//! One chunk of a file.

use crate::span::Span;

/// One chunk of a file.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes. The spans of a file's chunks cover the file without gaps or overlaps.
    pub span: Span,
    /// Where it begins with the configured overlap; equal to `span.start` without one.
    pub overlap: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Non-whitespace characters.
    pub size: u32,
    /// The innermost definition, by index, that encloses the whole chunk; where none does but a module, the innermost one
    /// inside of which the chunk begins.
    pub scope: Option<u32>,
}
