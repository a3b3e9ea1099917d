//! The lists of each method at one state of a commit, with their right entries.

use std::collections::BTreeMap;

use serde::Serialize;

/// A place in a list.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedPlace {
    /// `path:first-last`.
    pub(crate) place: String,
    pub(crate) confidence: f32,
    /// Whether the code says that it is broken.
    pub(crate) is_certain: bool,
    /// Reasons, by code.
    pub(crate) codes: Vec<String>,
    /// Whether the next step is there.
    pub(crate) next: bool,
    /// Numbers of the later steps that are there.
    pub(crate) steps: Vec<usize>,
    /// The features, where candidates are written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) features: BTreeMap<String, f32>,
}

impl JudgedPlace {
    /// Whether any later step is there.
    pub(crate) fn any(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// A proposed edit.
#[derive(Clone, Debug, Serialize)]
pub struct JudgedEdit {
    pub(crate) place: String,
    pub(crate) kind: &'static str,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Whether the commit changes these lines.
    pub(crate) is_changed: bool,
    /// Whether the commit has exactly these lines there.
    pub(crate) is_right: bool,
    /// The share of the words it adds that the commit's lines there have; `None` if it adds none.
    pub(crate) kept: Option<f64>,
    /// chrF of its lines against the commit's, less that of the lines as they are.
    pub(crate) chrf_gain: f64,
}

/// The lists at one state of a commit.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The commit.
    pub(crate) id: String,
    pub(crate) repo: String,
    /// Whether the next step is in another file than the last.
    pub(crate) is_far: bool,
    pub(crate) edits: usize,
    pub(crate) left: usize,
    /// By [`super::METHODS`].
    pub(crate) lists: Vec<Vec<JudgedPlace>>,
    /// All places that the engine weighed; empty unless they are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) candidates: Vec<JudgedPlace>,
    pub(crate) proposed: Vec<JudgedEdit>,
    /// Time of the engine.
    pub(crate) milliseconds: f64,
}

/// The result of a run.
#[derive(Serialize)]
pub struct NextEdits {
    /// States of commits with steps that are left.
    pub outcomes: Vec<Outcome>,
    /// The states after all steps.
    pub finished: Vec<Outcome>,
}
