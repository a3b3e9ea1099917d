//! The lists of each method at one state of a commit, with their right entries.

use serde::Serialize;

/// A place in a list.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedPlace {
    /// `path:first-last`.
    pub place: String,
    /// The method's confidence.
    pub confidence: f32,
    /// Reasons, in words.
    pub reasons: Vec<String>,
    /// Reasons, by code.
    pub codes: Vec<String>,
    /// Whether the next hunk is there.
    pub next: bool,
    /// Whether any later hunk is there.
    pub any: bool,
    /// Whether the next hunk is in its file.
    pub next_file: bool,
    /// Whether any later hunk is in its file.
    pub any_file: bool,
}

/// The lists at one state of a commit.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// The file of the last edit.
    pub last: String,
    /// Whether the next hunk is more than ten lines from the last edit.
    pub is_far: bool,
    /// Number of applied edits.
    pub edits: usize,
    /// Number of remaining edits.
    pub left: usize,
    /// By [`super::METHODS`].
    pub lists: Vec<Vec<JudgedPlace>>,
    /// Time of the engine.
    pub milliseconds: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct NextEdits {
    /// Each state's outcome.
    pub outcomes: Vec<Outcome>,
}
