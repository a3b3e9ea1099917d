//! `definitions`: holes to the definitions in other files that their bodies use.
#![expect(clippy::print_stdout, reason = "the table is what the command is for")]

use anyhow::Result;
use foreword_evaluate::runs::definitions::{self, Presets};
use foreword_evaluate::runs::overrides::apply;

use foreword_evaluate::args::commits::CommitArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    commits: CommitArgs,
    /// Change a number of the preset for requirements (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Change a number of the preset for cursors (may be repeated).
    #[arg(long = "set-context", value_name = "KEY=VALUE")]
    context_sets: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let mut presets = Presets::in_use();
    presets.search = apply(presets.search, &args.sets)?;
    presets.context = apply(presets.context, &args.context_sets)?;
    let (selection, corpora, json) = args.commits.split_off();
    let run = definitions::run(&selection, &corpora, &presets)?;
    print!("{}", definitions::text(&run));
    output::json(json.as_deref(), &run)
}
