//! The arguments of speculation.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use foreword_engine::speculate::Mix;
use foreword_session::speculation::MOST_FILES;

/// How plans are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Speculated {
    /// Not at all
    #[default]
    Without,
    /// As one more signal of what is retrieved
    With,
    /// Alone: nothing is retrieved
    Only,
}

/// Whose plans are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PlannerName {
    /// Those of the repository alone
    Static,
    /// Those of a chat model; with --speculated only, those of the repository alone after them
    Agents,
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct SpeculatedArgs {
    /// Use what `foreword speculate` has planned for the file: not at all, beside what is retrieved, or alone, without
    /// retrieving anything
    #[arg(long, value_name = "HOW", default_value = "without")]
    pub(in crate::cli) speculated: Speculated,
    /// Whose plan that is [default: agents where they have planned the file, else static]
    #[arg(long, value_name = "PLANNER", requires = "speculated")]
    pub(in crate::cli) planner: Option<PlannerName>,
    /// How many blocks and how many forecasts are shown with --speculated only
    #[arg(long, value_name = "N+M", default_value = "9+3", value_parser = mix, requires = "speculated")]
    pub(in crate::cli) mix: Mix,
}

/// `9+3`
fn mix(text: &str) -> Result<Mix, String> {
    let number = |it: &str| it.trim().parse().ok().filter(|it| *it <= 12);
    let parts = text.split_once('+').and_then(|it| Some((number(it.0)?, number(it.1)?)));
    let (blocks, forecasts) = parts.ok_or("write two numbers up to 12, as in 9+3")?;
    Ok(Mix { blocks, forecasts })
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct SpeculateArgs {
    /// A directory of the repository, all files of which are planned; or a file, whose plan is shown [default: the
    /// current directory]
    pub(in crate::cli) path: Option<PathBuf>,
    /// Plan by the repository alone, without a model [default]
    #[arg(long = "static", conflicts_with = "agents")]
    pub(in crate::cli) is_static: bool,
    /// Have the chat model of `[models.chat]` explore the repository and plan; code is sent to its server
    #[arg(long)]
    pub(in crate::cli) agents: bool,
    /// Stop when this is used up, as in 30s, 5m or 1h; with --agents tokens and money, too, as in 10m,500kt,2usd. The next
    /// run goes on
    #[arg(long, value_name = "BUDGET")]
    pub(in crate::cli) budget: Option<String>,
    /// What agents may use in any hour, all runs together [default: `hourly` of `[models.chat]`]
    #[arg(long, value_name = "BUDGET", requires = "agents")]
    pub(in crate::cli) hourly: Option<String>,
    /// Make the plan of a file again from what the model said the last time, asking nobody
    #[arg(long, requires = "agents", conflicts_with_all = ["dry_run", "pause", "resume"])]
    pub(in crate::cli) replay: bool,
    /// Stop the run that is going on before its next request, and let none begin until --resume
    #[arg(long, requires = "agents", conflicts_with = "resume")]
    pub(in crate::cli) pause: bool,
    /// Go on after --pause
    #[arg(long, requires = "agents")]
    pub(in crate::cli) resume: bool,
    /// The most files that have plans, those first that were changed last
    #[arg(long, value_name = "N", default_value_t = MOST_FILES)]
    pub(in crate::cli) most: usize,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
