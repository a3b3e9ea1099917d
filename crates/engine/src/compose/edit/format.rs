//! How a next-edit model wants to be asked.

use super::region::RegionLines;
use super::table::EDIT_FORMATS;
use crate::compose::format::Evidence;

/// How a family of next-edit models wants to be asked: a row of the table.
#[derive(Debug, PartialEq)]
pub struct EditFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// For people: which models.
    pub title: &'static str,
    /// The whole prompt.
    pub template: &'static [EditStep],
    /// One piece of context, where the template says [`EditStep::Parts`].
    pub part: &'static [EditStep],
    /// One edit that was made, where the template says [`EditStep::History`].
    pub past: &'static [EditStep],
    /// What stands between two edits.
    pub between: &'static str,
    /// Which of them comes first.
    pub order: HistoryOrder,
    /// How many lines may be rewritten, and how many are shown around them.
    pub lines: RegionLines,
    /// What ends an answer.
    pub stop: &'static [&'static str],
    /// How well the template is known.
    pub evidence: Evidence,
    /// From where it is known, and what the model answers.
    pub note: &'static str,
    /// What reads as one special token, as in [`crate::compose::Format::specials`].
    pub specials: &'static [&'static str],
    /// What reads as structure at the start of a line.
    pub line_guards: &'static [&'static str],
}

/// The order of the edits that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryOrder {
    /// The latest stands last.
    OldestFirst,
    /// The latest stands first.
    LatestFirst,
}

/// One step of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EditStep {
    /// Special tokens.
    Mark(&'static str),
    /// Ordinary text.
    Plain(&'static str),
    /// The path: of the piece or the edit within one, else of the file being edited.
    Path,
    /// All pieces.
    Parts,
    /// The piece's text.
    Text,
    /// All edits.
    History,
    /// The edit as a unified diff without lines around it.
    Diff,
    /// The lines that the edit replaced.
    Before,
    /// The lines that it wrote.
    After,
    /// What is shown of the file before the region.
    Above,
    /// The region up to the cursor.
    ToCursor,
    /// The region from the cursor on.
    FromCursor,
    /// The region without the edits that were made in it.
    Original,
    /// What is shown of the file after the region.
    Below,
    /// The first and the last line of the region, as `:12:20`.
    Lines,
    /// A line feed, unless the prompt ends in one.
    EndLine,
    /// Steps for when there are edits.
    IfHistory(&'static [EditStep]),
}

impl EditFormat {
    /// Every format.
    pub const ALL: &'static [EditFormat] = EDIT_FORMATS;

    /// The format with this name, in capitals or not.
    pub fn named(name: &str) -> Option<&'static EditFormat> {
        Self::ALL.iter().find(|it| it.name.eq_ignore_ascii_case(name))
    }
}
