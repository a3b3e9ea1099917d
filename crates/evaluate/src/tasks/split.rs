//! The development and test repositories.
//!
//! Constants of `foreword_engine::preset` are tuned on [`DEV`] only. Results on the other repositories are reported and
//! never used to choose.

/// The development repositories: the last parts of their names.
pub const DEV: [&str; 12] = [
    "flask",
    "axum",
    "express",
    "commons-lang",
    "libuv",
    "telescope.nvim",
    "monolog",
    "zod",
    "plug",
    "cobra",
    "Alamofire",
    "Dapper",
];

/// A part of the repositories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// The repositories in [`DEV`].
    #[default]
    Dev,
    /// All other repositories.
    Test,
    /// All repositories.
    All,
}

impl Split {
    /// Whether the part contains `repo` (`owner/name` or `name`).
    pub fn has(self, repo: &str) -> bool {
        let in_dev = DEV.contains(&short_name(repo));
        match self {
            Self::Dev => in_dev,
            Self::Test => !in_dev,
            Self::All => true,
        }
    }

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Test => "test",
            Self::All => "all",
        }
    }
}

/// The last part of a repository's name.
pub fn short_name(repo: &str) -> &str {
    repo.rsplit('/').next().unwrap_or(repo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_in_one_part_only() {
        assert!(Split::Dev.has("pallets/flask") && !Split::Test.has("pallets/flask"));
        assert!(!Split::Dev.has("pallets/click") && Split::Test.has("pallets/click"));
        assert!(Split::All.has("pallets/flask") && Split::All.has("pallets/click"));
    }
}
