//! The arguments of `push` and of the other commands that reach a cluster.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args as ClapArgs;

/// The index on a cluster.
#[derive(Debug, ClapArgs)]
pub(in super::super) struct ClusterIndexArgs {
    /// Name of foreword's index on the cluster
    #[arg(
        long,
        value_name = "NAME",
        default_value = "foreword-v1",
        requires = "cluster",
        hide_short_help = true
    )]
    pub(in super::super) cluster_index: String,
    /// File with a secret of at least 32 bytes: terms are hashed and contents encrypted with it before they are sent
    /// [default: the file that FOREWORD_CLUSTER_KEY names; without one, they are sent in the clear]
    #[arg(long, value_name = "FILE", requires = "cluster", hide_short_help = true)]
    pub(in super::super) cluster_key: Option<PathBuf>,
    /// Longest wait for one answer of the cluster to a question, in seconds [default: that of [cluster] in the configuration, or 10]
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "cluster",
        hide_short_help = true,
        value_parser = clap::value_parser!(u64).range(1..=600)
    )]
    pub(in super::super) cluster_timeout: Option<u64>,
    /// When the cluster must have answered.
    #[arg(skip)]
    pub(in super::super) deadline: Option<Instant>,
    /// True for the cluster of the configuration, which answers while there is no index.
    #[arg(skip)]
    pub(in super::super) is_seed: bool,
}

/// A cluster with many repositories.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Many repositories")]
pub(in super::super) struct ClusterArgs {
    /// Address of an OpenSearch with many repositories, as in http://127.0.0.1:9200. A user with password comes from
    /// FOREWORD_CLUSTER_USER and FOREWORD_CLUSTER_PASSWORD
    #[arg(long, value_name = "URL")]
    pub(in super::super) cluster: Option<String>,
    #[command(flatten)]
    pub(in super::super) index: ClusterIndexArgs,
    /// Name of the repository on the cluster [default: OWNER/NAME by the address of `origin`, or the name of the directory;
    /// of symbols: all that have the name]. Searches and symbols take several, separated by commas, and patterns: * stands
    /// for any characters but /, ** for any
    #[arg(long, value_name = "NAME", requires = "cluster")]
    pub(in super::super) repository: Option<String>,
    /// Branch on the cluster [default of push: the checked-out one; otherwise the only one, main or master]
    #[arg(long, value_name = "NAME", requires = "cluster")]
    pub(in super::super) branch: Option<String>,
}

/// A cluster whose repositories are served.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Many repositories")]
pub(in super::super) struct ServeClusterArgs {
    /// Serve the repositories of this OpenSearch instead of those on disk: /v1/search, /v1/symbols, /v1/map, /v1/ask, /v1/context and /mcp
    #[arg(
        long,
        value_name = "URL",
        conflicts_with_all = ["workspace", "model", "budget", "tokenizer", "least_confidence", "bypass", "log_code"]
    )]
    pub(in super::super) cluster: Option<String>,
    #[command(flatten)]
    pub(in super::super) index: ClusterIndexArgs,
    /// File that says which repositories each token may read; it is read again when it changes
    #[arg(long, value_name = "FILE", requires = "cluster")]
    pub(in super::super) rights: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(in super::super) struct DoctorArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
    /// Check this OpenSearch with many repositories instead of the installation
    #[arg(long, value_name = "URL")]
    pub(in super::super) cluster: Option<String>,
    #[command(flatten)]
    pub(in super::super) index: ClusterIndexArgs,
}

#[derive(Debug, ClapArgs)]
pub(in super::super) struct PushArgs {
    /// A directory of the repository [default: the current directory]
    pub(in super::super) path: Option<PathBuf>,
    /// Replace the branch even if a newer state of it is there
    #[arg(long, conflicts_with = "remove")]
    pub(in super::super) force: bool,
    /// Remove the branch from the cluster, with all that no other branch has
    #[arg(long)]
    pub(in super::super) remove: bool,
    /// Remove the repository from the cluster, with all branches
    #[arg(long, conflicts_with_all = ["remove", "force", "branch"])]
    pub(in super::super) remove_all: bool,
    /// Print a summary as JSON
    #[arg(long)]
    pub(in super::super) json: bool,
    #[command(flatten)]
    pub(in super::super) at: ClusterArgs,
}
