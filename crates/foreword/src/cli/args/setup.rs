//! The arguments of `foreword setup`.

use clap::Args as ClapArgs;

use super::Names;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct SetupArgs {
    /// Agents and editors, as in claude, codex or vscode [default: those that are installed]
    #[arg(value_name = "CLIENT", value_parser = Names::Clients)]
    pub(in crate::cli) clients: Vec<String>,
    /// Write the files of your account, for all repositories (the default)
    #[arg(long, conflicts_with = "project")]
    pub(in crate::cli) user: bool,
    /// Write files in this repository, for all who work on it
    #[arg(long)]
    pub(in crate::cli) project: bool,
    /// Take out what this command has written
    #[arg(long)]
    pub(in crate::cli) undo: bool,
    /// Write without asking
    #[arg(short, long)]
    pub(in crate::cli) yes: bool,
}
