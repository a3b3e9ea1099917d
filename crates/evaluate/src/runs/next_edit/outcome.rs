//! What each method listed at one state of a commit, and what of it was right.

use serde::Serialize;

/// A place in a list.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// `path:first-last`.
    pub place: String,
    /// As the method says.
    pub confidence: f32,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// Why, one word each.
    pub codes: Vec<String>,
    /// Whether the next hunk is there.
    pub next: bool,
    /// Whether any later hunk is.
    pub any: bool,
    /// Whether the next hunk is in its file.
    pub next_file: bool,
    /// Whether any later hunk is.
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
    /// Whether the next hunk is elsewhere: not within ten lines of the last edit.
    pub is_far: bool,
    /// How many edits were made.
    pub edits: usize,
    /// How many are left.
    pub left: usize,
    /// By [`super::METHODS`].
    pub lists: Vec<Vec<Listed>>,
    /// How long the engine took.
    pub milliseconds: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct NextEdits {
    /// One by one.
    pub outcomes: Vec<Outcome>,
}
