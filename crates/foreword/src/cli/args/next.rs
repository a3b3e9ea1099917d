//! The arguments of `foreword next`.

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct NextArgs {
    /// The cursor: of the edits those next to it are the latest; where nothing was edited, it is about to be here
    #[arg(value_name = "FILE:LINE")]
    pub(in crate::cli) position: Option<String>,
    /// The most places
    #[arg(short = 'k', long, value_name = "N", default_value_t = 10)]
    pub(in crate::cli) limit: usize,
    /// Omit places of a lower confidence, from 0 to 1 [default: 0.1]
    #[arg(long, value_name = "SHARE", value_parser = super::share)]
    pub(in crate::cli) least: Option<f64>,
    /// Print the prompt that a next-edit model is asked with, there or at the likeliest place: zeta, zeta2, sweep, sweep2,
    /// mercury or instinct
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    pub(in crate::cli) format: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
