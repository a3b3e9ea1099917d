//! A line that may have to follow an edit: the common value of all signals.

use std::ops::Range;

use super::reason::NextReason;
use crate::index::FileId;

/// A line that may be edited next.
pub(super) struct Hit {
    pub(super) file: FileId,
    pub(super) line: Range<usize>,
    pub(super) reason: NextReason,
    /// Distance of the file: 0 in the same definition or nearby lines, 1 in the same file, 2 in an edited file or the
    /// same directory, 3 elsewhere.
    pub(super) distance: u8,
    /// Number of lines with the same reason.
    pub(super) rivals: usize,
    /// Number of the edit.
    pub(super) edit: usize,
}

pub(super) fn line_at(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].find('\n').map_or(text.len(), |it| at + it + 1);
    start..end
}
