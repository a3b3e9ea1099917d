//! The arguments of `symbols` and `map`.

use clap::Args as ClapArgs;

use super::cluster::ClusterArgs;

#[derive(Debug, ClapArgs)]
pub(in super::super) struct SymbolsArgs {
    /// Name to look up; the path of a file shows its outline, as --file does
    #[arg(required_unless_present_any = ["file", "at"])]
    pub(in super::super) name: Option<String>,
    /// Show the definitions and imports of this file
    #[arg(short, long, value_name = "FILE", conflicts_with = "name")]
    pub(in super::super) file: Option<String>,
    /// Show the definitions of the name at this place; may be repeated
    #[arg(long, value_name = "FILE:LINE:COL", conflicts_with_all = ["name", "file"])]
    pub(in super::super) at: Vec<String>,
    /// Maximum number of references
    #[arg(short = 'k', long, value_name = "N", default_value_t = 50)]
    pub(in super::super) limit: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
    #[command(flatten)]
    pub(in super::super) on: ClusterArgs,
}

#[derive(Debug, ClapArgs)]
pub(in super::super) struct MapArgs {
    /// Paths or names to focus on
    pub(in super::super) focus: Vec<String>,
    /// Token budget of the map
    #[arg(short, long, value_name = "N", default_value_t = 1024)]
    pub(in super::super) tokens: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
    #[command(flatten)]
    pub(in super::super) on: ClusterArgs,
}
