//! What to mine: the repository, the kind of hole, and the limits.

use std::path::PathBuf;

use serde::Serialize;

/// What a hole is.
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

/// Which tasks are kept, by whether they are in tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "kebab-case")]
pub enum TestFilter {
    /// All, those in tests marked.
    #[default]
    Keep,
    /// Those outside of tests.
    LeaveOut,
    /// Those in tests.
    Only,
}

/// What the user is taken to have done before the hole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// Nothing since the parent commit.
    #[default]
    Nothing,
    /// Other hunks of the same commit.
    Session,
}

/// What to mine.
#[derive(Clone, Debug)]
pub struct Request {
    /// The repository's git directory.
    pub git_dir: PathBuf,
    /// `owner/name`, as tasks call it.
    pub repo: String,
    /// The last commit.
    pub revision: String,
    /// How many commits are read, from the last one back.
    pub commits: usize,
    /// What a hole is.
    pub grain: Grain,
    /// What was done before it.
    pub before: Before,
    /// Which holes by where they are.
    pub tests: TestFilter,
    /// At most so many holes of one commit.
    pub of_a_commit: usize,
    /// At most so many tasks.
    pub limit: usize,
    /// Decides which holes are chosen when there are more.
    pub seed: u64,
}
