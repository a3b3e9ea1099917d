//! The lists of each method at one state of a commit, with their right entries.

use serde::Serialize;

/// A place in a list.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedPlace {
    /// `path:first-last`.
    pub(crate) place: String,
    /// The method's confidence.
    pub(crate) confidence: f32,
    /// Reasons, in words.
    pub(crate) reasons: Vec<String>,
    /// Reasons, by code.
    pub(crate) codes: Vec<String>,
    /// Whether the next hunk is there.
    pub(crate) next: bool,
    /// Whether any later hunk is there.
    pub(crate) any: bool,
    /// Whether the next hunk is in its file.
    pub(crate) next_file: bool,
    /// Whether any later hunk is in its file.
    pub(crate) any_file: bool,
}

/// The lists at one state of a commit.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub(crate) id: String,
    /// `owner/name`.
    pub(crate) repo: String,
    /// In lower case.
    pub(crate) language: String,
    /// The file of the last edit.
    pub(crate) last: String,
    /// Whether the next hunk is more than ten lines from the last edit.
    pub(crate) is_far: bool,
    /// Number of applied edits.
    pub(crate) edits: usize,
    /// Number of remaining edits.
    pub(crate) left: usize,
    /// By [`super::METHODS`].
    pub(crate) lists: Vec<Vec<JudgedPlace>>,
    /// Time of the engine.
    pub(crate) milliseconds: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct NextEdits {
    /// Each state's outcome.
    pub(crate) outcomes: Vec<Outcome>,
}
