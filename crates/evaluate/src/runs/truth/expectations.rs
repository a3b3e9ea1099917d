//! What `truth.toml` says of one task: how it is asked, and what its answer must have.

use serde::Deserialize;

/// What a task expects besides the locations at its mark, and how it is asked.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// The query; makes the task a search.
    pub query: Option<String>,
    /// Locations that must be found.
    #[serde(default)]
    pub expect: Vec<String>,
    /// Locations that must not stand above any of the expected ones.
    #[serde(default)]
    pub below: Vec<String>,
    /// Places whose ranks are recorded and not judged: they make a task more sensitive.
    #[serde(default)]
    pub watch: Vec<String>,
    /// Texts that the prompt must show.
    #[serde(default)]
    pub shows: Vec<String>,
    /// Texts that the prompt must not show.
    #[serde(default)]
    pub hides: Vec<String>,
    /// The last rank that an expected place may have; as many as there are expected places when absent.
    pub within: Option<usize>,
    /// Tokens of the prompt, or of all results.
    pub budget: Option<usize>,
    /// Files that were open lately, the latest first.
    #[serde(default)]
    pub recent: Vec<String>,
    /// What is to be written at the cursor, in words.
    #[serde(default)]
    pub intent: String,
    /// Why the engine does not do it yet.
    pub known: Option<String>,
}
