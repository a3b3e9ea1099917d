//! The arguments of `foreword next`.

use clap::Args as ClapArgs;

use super::Names;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct NextArgs {
    /// Cursor position: nearby edits count as the latest; without edits, the position of the coming edit
    #[arg(value_name = "FILE:LINE")]
    pub(in crate::cli) position: Option<String>,
    /// Maximum number of places
    #[arg(short = 'k', long, value_name = "N", default_value_t = 10)]
    pub(in crate::cli) limit: usize,
    /// Minimum confidence of a place, from 0 to 1; without, guesses are shown too, below a line
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub(in crate::cli) least: Option<f64>,
    /// Print the prompt of a next-edit model, there or at the likeliest place (experimental): zeta, zeta2, zeta2_1,
    /// sweep, sweep2, mercury, instinct or chat
    #[arg(long, value_name = "NAME", conflicts_with = "json", value_parser = Names::EditFormats, hide_possible_values = true)]
    pub(in crate::cli) format: Option<String>,
    /// Print the edits that follow from the changes, as a patch for `git apply`
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub(in crate::cli) diff: bool,
    /// Write the edits of the place with this number into its file
    #[arg(long, value_name = "N", conflicts_with_all = ["json", "format", "diff"])]
    pub(in crate::cli) apply: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
