//! The part of `truth.toml` about one task: its settings and expectations.

use serde::Deserialize;

/// Settings and expectations of a task besides the locations at its mark.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// The query; makes the task a search.
    pub(crate) query: Option<String>,
    /// Locations that must be found.
    #[serde(default)]
    pub(crate) expect: Vec<String>,
    /// Locations that must not rank above an expected one.
    #[serde(default)]
    pub(crate) below: Vec<String>,
    /// Locations whose ranks are recorded, not judged; they make a task more sensitive.
    #[serde(default)]
    pub(crate) watch: Vec<String>,
    #[serde(default)]
    pub(crate) shows: Vec<String>,
    #[serde(default)]
    pub(crate) hides: Vec<String>,
    /// The last accepted rank of an expected location; by default the number of expected locations.
    pub(crate) within: Option<usize>,
    /// Tokens of the prompt, or of all results.
    pub(crate) budget: Option<usize>,
    /// Recently opened files, newest first.
    #[serde(default)]
    pub(crate) recent: Vec<String>,
    /// The text to be written at the cursor, in words.
    #[serde(default)]
    pub(crate) intent: String,
    /// Reason for a known failure.
    pub(crate) known: Option<String>,
}
