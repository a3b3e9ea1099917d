//! Limits on each kind of evidence. A limit of 0 leaves a kind out: so the evaluation measures its worth.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::preset::constants::ask as constants;
use crate::preset::{self, Preset};

/// Limits on the evidence for a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskConfig {
    /// Preset of the search.
    pub search: Preset,
    /// Places that were pasted or named by their path.
    pub places: usize,
    /// Definitions of each name in the question.
    pub named: usize,
    /// Search results.
    pub matches: usize,
    /// Search results after these, of which only the first lines of two definitions are shown.
    pub further: usize,
    /// Search results beside definitions that the question names.
    pub beside_named: usize,
    /// Search results that are tests.
    pub matched_tests: usize,
    /// Results for what a model wrote beside the question.
    pub written: usize,
    /// Definitions that a match uses.
    pub used: usize,
    /// Callers of a match.
    pub callers: usize,
    /// Subtypes of a match.
    pub subtypes: usize,
    /// Tests that use a match.
    pub tests: usize,
    /// Documents.
    pub documents: usize,
    /// Documents for a question about how to do something.
    pub guides: usize,
}

/// The limits in use (`preset/constants/ask.rs`).
static IN_USE: LazyLock<AskConfig> = LazyLock::new(|| AskConfig {
    search: preset::search(),
    places: constants::PLACES,
    named: constants::NAMED_DEFINITIONS,
    matches: constants::MATCHES,
    further: constants::FURTHER,
    beside_named: constants::MATCHES_BESIDE_NAMED,
    matched_tests: constants::MATCHED_TESTS,
    written: constants::MODEL_TEXT_RESULTS,
    used: constants::USED_DEFINITIONS,
    callers: constants::CALLERS,
    subtypes: constants::SUBTYPES,
    tests: constants::TESTS,
    documents: constants::DOCUMENTS,
    guides: constants::GUIDES,
});

impl AskConfig {
    /// The limits in use.
    pub fn in_use() -> &'static Self {
        &IN_USE
    }
}
