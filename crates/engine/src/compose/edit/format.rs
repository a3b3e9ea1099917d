//! Prompt format of a next-edit model.

use super::region::RegionLines;
use crate::compose::format::Evidence;

/// Prompt format of a family of next-edit models: a row of the table.
#[derive(Debug, PartialEq)]
pub struct EditFormat {
    /// Name on the command line.
    pub name: &'static str,
    /// The models, for people.
    pub title: &'static str,
    /// Steps of the whole prompt.
    pub template: &'static [EditStep],
    /// Steps of one piece of context, repeated at [`EditStep::Parts`].
    pub part: &'static [EditStep],
    /// Steps of one past edit, repeated at [`EditStep::History`].
    pub past: &'static [EditStep],
    /// Separator of edits.
    pub between: &'static str,
    /// Order of edits.
    pub order: HistoryOrder,
    /// Size of the editable region and of the context around it.
    pub lines: RegionLines,
    /// Text of the answer that the prompt gives.
    pub prefill: Prefill,
    /// Stop sequences.
    pub stop: &'static [&'static str],
    /// Reliability of the template.
    pub evidence: Evidence,
    /// Source of the template, and the form of the answer.
    pub note: &'static str,
    /// How the model is asked.
    pub channel: EditChannel,
    /// Instructions before the prompt, for a model that is asked by a message.
    pub system: Option<&'static str>,
    /// Form of the answer.
    pub answer: AnswerForm,
    /// Special tokens, as in [`crate::compose::Format::specials`].
    pub specials: &'static [&'static str],
    /// Text that reads as structure at the start of a line.
    pub line_guards: &'static [&'static str],
}

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditChannel {
    /// By a prompt that it continues.
    Prompt,
    /// By the only message of a user.
    Message,
    /// As [`EditChannel::Message`], below this path of the server.
    MessageAt(&'static str),
}

/// Form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// The region's new text, perhaps within the marks of the region.
    Region,
    /// The same in a Markdown fence; without one, the whole answer.
    Fenced,
    /// Numbered marks around the blocks that change.
    Blocks,
}

/// The beginning of the answer that the prompt has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefill {
    /// None.
    None,
    /// The first line of the region up to the cursor, and the empty lines behind it.
    FirstLine,
}

/// Order of past edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryOrder {
    /// The latest edit is last.
    OldestFirst,
    /// The latest edit is first.
    LatestFirst,
}

/// One step of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EditStep {
    /// Special tokens.
    Mark(&'static str),
    /// Plain text.
    Plain(&'static str),
    /// Path of the piece or edit within one, otherwise of the edited file.
    Path,
    /// All pieces.
    Parts,
    /// Text of the piece.
    Text,
    /// All edits.
    History,
    /// The edit as a unified diff without context lines.
    Diff,
    /// The lines that the edit replaced.
    Before,
    /// The lines that the edit wrote.
    After,
    /// Context before the region.
    Above,
    /// The region up to the cursor.
    ToCursor,
    /// The region from the cursor.
    FromCursor,
    /// The region before the past edits.
    Original,
    /// Context after the region.
    Below,
    /// The place of the cursor in the region and of its end from there, as Sweep's program counts, as `:3:11`.
    LinesFromCursor,
    /// First and last line that the edit wrote, with its neighbours, as `:12:20`.
    PastLines,
    /// The line above the edit.
    LineAbove,
    /// The line below the edit.
    LineBelow,
    /// Steps without line feeds at both ends.
    Stripped(&'static [EditStep]),
    /// The file before the edits; of a long one a part.
    FileBefore,
    /// The region in blocks between numbered marks.
    Blocks,
    /// A line feed, unless the prompt ends with one.
    EndLine,
    /// Steps if there are edits.
    IfHistory(&'static [EditStep]),
}
