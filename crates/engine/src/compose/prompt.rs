//! The inputs of a prompt, and the rendered prompt with its segments.

use std::ops::Range;

/// A piece of repository context in its final form (a chunk, a skeleton, a signature).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// Path in the piece's header; for readers (format `none`) possibly `path:first-last`.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// The position where the model writes, and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole<'a> {
    /// Name of the repository; if empty, formats omit its header.
    pub repository: &'a str,
    /// Path of the edited file; if empty, `untitled`.
    pub path: &'a str,
    /// Line comment prefix of the file's language.
    pub line_comment: Option<&'a str>,
    /// Name of the language for people, such as `Python`.
    pub language_name: Option<&'a str>,
    /// Text before the cursor.
    pub prefix: &'a str,
    /// Text after the cursor.
    pub suffix: &'a str,
}

/// A rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The prompt.
    pub text: String,
    /// Origin of each byte of `text`: in order, without gaps or overlaps, none empty.
    pub segments: Vec<Segment>,
    /// Stop sequences.
    pub stop: Vec<String>,
}

/// A segment of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Byte range in the prompt.
    pub range: Range<usize>,
    /// Its origin.
    pub origin: Origin,
}

/// Origin of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Special tokens of the format.
    Sentinel,
    /// Names, paths and separators.
    Header,
    /// Text of the piece with this index.
    Part(usize),
    /// Text before the cursor.
    Prefix,
    /// Text after the cursor.
    Suffix,
}

impl Origin {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sentinel => "sentinel",
            Self::Header => "header",
            Self::Part(_) => "piece",
            Self::Prefix => "prefix",
            Self::Suffix => "suffix",
        }
    }
}
