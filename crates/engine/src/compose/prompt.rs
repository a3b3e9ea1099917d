//! What a prompt is made of, and what it consists of when it is rendered.

use std::ops::Range;

/// One piece of repository context; its text is already chosen (a chunk, a skeleton, a signature).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// What stands in the piece's header: the path, and for readers (format `none`) perhaps `path:first-last`.
    pub path: &'a str,
    /// What is shown.
    pub text: &'a str,
}

/// Where the model is to write, and what stands around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole<'a> {
    /// The name of the repository; formats that name it leave the header out when this is empty.
    pub repository: &'a str,
    /// The path of the file being edited; an empty one is shown as `untitled`.
    pub path: &'a str,
    /// What begins a comment to the end of the line in the file's language.
    pub line_comment: Option<&'a str>,
    /// The language's name for people, such as `Python`.
    pub language_name: Option<&'a str>,
    /// The text before the cursor.
    pub prefix: &'a str,
    /// The text after it.
    pub suffix: &'a str,
}

/// A prompt, ready to be sent as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The whole text.
    pub text: String,
    /// Where each byte of `text` comes from: in order, without gap or overlap, none of them empty.
    pub segments: Vec<Segment>,
    /// What ends the completion when the model writes it.
    pub stop: Vec<String>,
}

/// A stretch of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The bytes of the prompt's text.
    pub range: Range<usize>,
    /// Where they come from.
    pub origin: Origin,
}

/// Where a stretch of a prompt comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Special tokens of the format.
    Sentinel,
    /// Names, paths and the lines that set pieces apart.
    Header,
    /// The text of the piece with this index.
    Part(usize),
    /// The text before the cursor.
    Prefix,
    /// The text after the cursor.
    Suffix,
}

impl Origin {
    /// Its name in reports.
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
