//! The lists of each method at one state of a commit, with their right entries.

use serde::Serialize;

/// A place in a list.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedPlace {
    /// `path:first-last`.
    pub(crate) place: String,
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
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) language: String,
    pub(crate) last: String,
    /// Whether the next hunk is more than ten lines from the last edit.
    pub(crate) is_far: bool,
    pub(crate) edits: usize,
    pub(crate) left: usize,
    /// By [`super::METHODS`].
    pub(crate) lists: Vec<Vec<JudgedPlace>>,
    /// Time of the engine.
    pub(crate) milliseconds: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct NextEdits {
    pub(crate) outcomes: Vec<Outcome>,
}
