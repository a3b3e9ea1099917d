//! The command line of the evaluation.

mod command;

use anyhow::Result;
use clap::Parser;

/// Measures foreword's ranking over tasks. Tune constants on the development split only.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> Result<()> {
    Cli::parse().command.run()
}
