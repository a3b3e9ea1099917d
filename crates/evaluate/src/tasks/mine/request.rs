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

/// Settings of mining, as the command line states them.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// Git directory of the repository.
    #[arg(long, value_name = "DIR")]
    pub git_dir: PathBuf,
    /// Name of the repository in tasks.
    #[arg(long, value_name = "OWNER/NAME")]
    pub repo: String,
    /// Last commit; pin it for reproducible tasks.
    #[arg(long = "rev", value_name = "REV", default_value = "HEAD")]
    pub revision: String,
    /// Number of commits to choose from, from the last one back.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub commits: usize,
    /// Extent of a hole.
    #[arg(long, value_enum, default_value = "block")]
    pub grain: Grain,
    /// Make edit sessions: apply other hunks of the commit before the hole.
    #[arg(long)]
    pub sessions: bool,
    /// Selects holes inside or outside of tests.
    #[arg(long, value_enum, default_value_t)]
    pub tests: TestFilter,
    /// Maximum number of holes per commit.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub of_a_commit: usize,
    /// Maximum number of tasks.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub limit: usize,
    /// Seed of the sample.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}
