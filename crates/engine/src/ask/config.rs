//! How much of each kind of evidence is gathered. A number of 0 leaves a kind out, which is how the evaluation measures what
//! each of them is worth.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::preset::constants::ask as constants;
use crate::preset::{self, Preset};

/// How much is gathered for a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskConfig {
    /// How the repository is searched.
    pub search: Preset,
    /// How many places that were pasted or named by their path are evidence.
    pub places: usize,
    /// How many definitions of a name that the question names.
    pub named: usize,
    /// How many results of the search.
    pub matches: usize,
    /// The same beside definitions that the question names.
    pub beside_named: usize,
    /// How many of the results that are tests.
    pub matched_tests: usize,
    /// How many results of what a model wrote beside the question.
    pub written: usize,
    /// How many definitions that a found one uses.
    pub used: usize,
    /// How many callers of a found definition.
    pub callers: usize,
    /// How many subtypes of it.
    pub subtypes: usize,
    /// How many tests that use it.
    pub tests: usize,
    /// How many documents.
    pub documents: usize,
    /// How many documents for a question how something is done.
    pub guides: usize,
}

/// The numbers in use. They are first guesses by reading answers; what each kind is worth is in
/// `benchmarks/results/ask.md`.
static IN_USE: LazyLock<AskConfig> = LazyLock::new(|| AskConfig {
    search: preset::search(),
    places: constants::PLACES,
    named: constants::NAMED_DEFINITIONS,
    matches: constants::MATCHES,
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
    /// The numbers in use.
    pub fn in_use() -> &'static Self {
        &IN_USE
    }
}
