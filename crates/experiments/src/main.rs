//! Experiments on choices of the engine. This crate's README has their results, and the record of other attempts.
//!
//! Most experiments ask the tasks of `foreword-evaluate context` in several variants, the series of a table, and measure
//! the context of each. One series is the reference; the others are compared with it task by task. [`ask`] asks them,
//! a table summarises them.
//!
//! * [`stages`]: coverage of the candidates after each stage. [`lost`]: the stage at which missing identifiers are lost.
//! * [`signals`]: each signal removed, and alone. [`pieces`]: coverage by place, signal and form of the pieces.
//! * [`granularity`]: kinds and sizes of chunks. [`merge`]: rules for merging small chunks.
//! * [`scope`]: extents of the window. [`order`]: places of the pieces in a prompt that is cut.
//! * [`languages`]: one configuration for all languages, or one for each.
//! * [`ranker`]: an order of candidates by learned weights, and the features that it is learned from.

mod ask;
mod command;
mod granularity;
mod languages;
mod lost;
mod merge;
mod order;
mod pieces;
mod ranker;
mod scope;
mod signals;
mod stages;

use anyhow::Result;
use clap::Parser;

/// Runs experiments on the context that foreword composes; the README of the crate has their results.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: command::Command,
}

fn main() -> Result<()> {
    Cli::parse().command.run()
}
