//! `issues`: the text of an issue to the files that its fix changes.
#![expect(clippy::print_stdout, reason = "the table is what the command is for")]

use anyhow::Result;
use foreword_engine::preset;
use foreword_evaluate::issues;
use foreword_evaluate::overrides::apply;

use super::past::PastArgs;
use super::write;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    past: PastArgs,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let preset = apply(preset::search(), &args.sets)?;
    let (selection, json) = args.past.split_off();
    let run = issues::run(&selection, &preset)?;
    print!("{}", issues::text(&run));
    write::json(json.as_deref(), &run)
}
