//! `report`: runs as one page.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_evaluate::report;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Runs written with --json; the others are compared with the first.
    #[arg(required = true, value_name = "RUN.json")]
    runs: Vec<PathBuf>,
    /// Write the page.
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    /// Title of the page.
    #[arg(long, default_value = "foreword-evaluate")]
    title: String,
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { runs, html, title } = args;
    let runs: Vec<report::Report> =
        runs.iter().map(|it| report::read(it)).collect::<Result<_>>()?;
    let page = report::page(&title, &runs);
    std::fs::write(&html, page).with_context(|| format!("cannot write {}", html.display()))
}
