//! `features`: what a ranker learns from.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_evaluate::runs::completion::{Detail, features};

use crate::command::args::completion::CompletionArgs;
use crate::command::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Where the inputs go (`NAME.f32`), and the tasks (`NAME.jsonl`).
    #[arg(long, value_name = "NAME")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let (settings, preset) = args.completion.settings(Vec::new(), Detail::Measures)?;
    let file = |extension: &str| {
        let path = args.out.with_extension(extension);
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        anyhow::Ok(BufWriter::new(file))
    };
    let (mut inputs, mut tasks) = (file("f32")?, file("jsonl")?);
    let (left_out, asked) = features::run(&settings, &preset, &mut inputs, &mut tasks)?;
    inputs.flush().and_then(|()| tasks.flush()).context("cannot write the features")?;
    output::line(&left_out.first_line(asked));
    left_out.failed.iter().for_each(|it| output::line(&format!("failed: {it}")));
    Ok(())
}
