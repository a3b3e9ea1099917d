//! Arguments that locate the code of tasks, shared by all commands over holes.

use std::path::PathBuf;

use crate::tasks::corpora::Corpora;

/// Directories with the code of tasks.
#[derive(clap::Args)]
pub struct CorporaArgs {
    /// Directory with a bare repository per name, at `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    git_dirs: Option<PathBuf>,
    /// Base of the paths of tasks over directories.
    #[arg(long, value_name = "DIR")]
    dirs: Option<PathBuf>,
}

impl From<CorporaArgs> for Corpora {
    fn from(args: CorporaArgs) -> Self {
        Self { git_dirs: args.git_dirs, dirs: args.dirs }
    }
}
