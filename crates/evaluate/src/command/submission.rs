//! `submission`: writes a submission to the context collection competition of 2025.
#![expect(clippy::print_stdout, reason = "empty rows are reported")]

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_engine::preset;
use foreword_evaluate::runs::overrides::apply;
use foreword_evaluate::runs::submission::submit;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rows: LANGUAGE-STAGE.jsonl.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// Directory with an archive for each row, or its unpacked contents.
    #[arg(long, value_name = "DIR")]
    dirs: PathBuf,
    /// Tokens of context. The organisers cut from the left at 8,000 to 16,000, including prefix and suffix.
    #[arg(long, default_value_t = 6000)]
    tokens: usize,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Output file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { tasks, dirs, tokens, sets, out } = args;
    let preset = apply(preset::context(), &sets)?;
    let shown = || format!("cannot write {}", out.display());
    let mut file = BufWriter::new(File::create(&out).with_context(shown)?);
    let empty = submit(&tasks, &dirs, tokens, &preset, &mut file)?;
    file.flush().with_context(shown)?;
    println!("{} rows have no context", empty.len());
    empty.iter().for_each(|it| println!("{it}"));
    Ok(())
}
