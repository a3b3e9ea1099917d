//! Completion scripts of shells.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Args;
use super::names::{Names, REVISIONS};

/// Prints the branches and tags of a repository, or nothing outside of one. Names with other characters are left out:
/// bash expands `$(…)` in the words that it completes, and whoever pushes a branch chooses its name.
/// The backslash keeps zsh from expanding the pattern, and fish allows no quotes there.
const GIT: &str = "git rev-parse --symbolic --branches --tags --remotes 2>/dev/null | LC_ALL=C grep -Ex \\[A-Za-z0-9/._@+-]+";

/// The script. Values of `--rev` are asked of git when they are completed.
pub(in crate::cli) fn script(shell: Shell) -> String {
    let mut command = Args::command().mut_arg("rev", |it| it.value_parser(Names::Revisions));
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut command, "foreword", &mut out);
    let out = String::from_utf8_lossy(&out);
    match shell {
        Shell::Fish => out.replace(&format!("{REVISIONS}\\t''"), &format!("({GIT})")),
        _ => out.replace(REVISIONS, &format!("$({GIT})")),
    }
}
