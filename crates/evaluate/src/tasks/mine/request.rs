//! A mining request: the repository, the kind of hole, and the limits.

use std::path::PathBuf;

use serde::Serialize;

/// The extent of a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grain {
    /// The body of a function.
    Function,
    /// A whole insertion.
    Block,
    /// A line.
    Line,
}

/// Selects tasks by whether they are in tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "kebab-case")]
pub enum TestFilter {
    /// All tasks; those in tests are marked.
    #[default]
    Keep,
    /// Tasks outside of tests.
    LeaveOut,
    /// Tasks in tests.
    Only,
}

/// The simulated edits before the hole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// None since the parent commit.
    #[default]
    Nothing,
    /// Other hunks of the same commit.
    Session,
}

/// Settings of mining.
#[derive(Clone, Debug)]
pub struct Request {
    /// The repository's git directory.
    pub git_dir: PathBuf,
    /// `owner/name`, as tasks call it.
    pub repo: String,
    /// The last commit.
    pub revision: String,
    /// Number of commits to read, from the last one back.
    pub commits: usize,
    /// The extent of a hole.
    pub grain: Grain,
    /// The edits before it.
    pub before: Before,
    /// Selects holes inside or outside of tests.
    pub tests: TestFilter,
    /// Maximum number of holes per commit.
    pub of_a_commit: usize,
    /// Maximum number of tasks.
    pub limit: usize,
    /// Seed of the sample.
    pub seed: u64,
}
