//! The arguments of `embed`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct EmbedArgs {
    /// A directory of the repository [default: the current directory]
    pub(in crate::cli) path: Option<PathBuf>,
    /// Say what would be sent, and send nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
