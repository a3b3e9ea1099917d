//! `issues`: the text of an issue to the files that its fix changes.
#![expect(clippy::print_stdout, reason = "the table is what the command is for")]

use anyhow::Result;
use foreword_engine::preset;
use foreword_evaluate::runs::issues;
use foreword_evaluate::runs::overrides::apply;

use foreword_evaluate::args::commits::CommitArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    commits: CommitArgs,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let preset = apply(preset::search(), &args.sets)?;
    let (selection, corpora, json) = args.commits.split_off();
    let run = issues::run(&selection, &corpora, &preset)?;
    print!("{}", issues::text(&run));
    output::json(json.as_deref(), &run)
}
