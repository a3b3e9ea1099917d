//! A line that may have to follow an edit: the common value of all signals.

use std::ops::Range;

use super::reason::NextReason;
use crate::index::FileId;

/// What is known of a changed name on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mention {
    /// It is in a comment or a string.
    Prose,
    /// It is a word in code.
    Word,
    /// The object before it has an unknown type.
    Possible,
    /// It refers to the changed definition, and still fits.
    Sure,
    /// It refers to what is no longer there, or passes another number of arguments.
    Broken,
}

/// A line that may be edited next.
#[derive(Clone)]
pub(super) struct Hit {
    pub(super) file: FileId,
    pub(super) line: Range<usize>,
    pub(super) reason: NextReason,
    /// Number of lines with the same reason.
    pub(super) rivals: usize,
    /// Number of the edit.
    pub(super) edit: usize,
    pub(super) mention: Mention,
    /// Byte of the name, or the line's start.
    pub(super) at: usize,
    /// Share of common commits.
    pub(super) weight: f32,
    /// Found by its text alone, without a changed name: too little to propose a text.
    pub(super) is_text: bool,
    /// The definition that it refers to has a new name and, if it is a function, the parameters that it had.
    pub(super) has_new_name: bool,
}

impl Hit {
    pub(super) fn new(file: FileId, line: Range<usize>, reason: NextReason, edit: usize) -> Self {
        let at = line.start;
        let mention = Mention::Word;
        let (rivals, weight, is_text, has_new_name) = (1, 0.0, false, false);
        Self { file, line, reason, rivals, edit, mention, at, weight, is_text, has_new_name }
    }
}

pub(super) fn line_at(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].find('\n').map_or(text.len(), |it| at + it + 1);
    start..end
}
