//! The arguments of `foreword clean`.

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct CleanArgs {
    /// The indexes of all repositories, not only of this one
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Of all indexes, those that were not used for this many days
    #[arg(long, value_name = "DAYS")]
    pub(in crate::cli) older_than: Option<u32>,
    /// Remove without asking; otherwise the indexes are listed first
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
}
